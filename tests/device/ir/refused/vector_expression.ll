;! stops a constant expression of vectors
@a = addrspace(1) global i32 0
define ptx_kernel void @test(ptr %d) {
  store <2 x i64> ptrtoint (<2 x ptr addrspace(1)> <ptr addrspace(1) @a, ptr addrspace(1) @a> to <2 x i64>), ptr %d
  ret void
}
