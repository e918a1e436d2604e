;! stops expected local memory before it
define ptx_kernel void @test(ptr %d) {
  %a = alloca i32, align 4, addrspace(3)
  store i32 1, ptr addrspace(3) %a
  ret void
}
