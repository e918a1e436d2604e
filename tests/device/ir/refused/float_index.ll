;! stops expected integers as indices before it
@a = addrspace(1) global i32 0
define ptx_kernel void @test(ptr %d) {
  store ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @a, float 1.0), ptr %d
  ret void
}
