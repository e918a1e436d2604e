; A variable that is a pointer to local memory; its own address is generic.
;! buffer d u32 1 = 0
;! launch test 1 1 d
;! expect d = 7
define ptx_kernel void @test(ptr %d) {
  %x = alloca i32, align 4, addrspace(5)
  %p = alloca ptr addrspace(5), align 8
  store ptr addrspace(5) %x, ptr %p, align 8
  %q = load ptr addrspace(5), ptr %p, align 8
  store i32 7, ptr addrspace(5) %q, align 4
  %a = load i32, ptr addrspace(5) %x, align 4
  store i32 %a, ptr %d, align 4
  ret void
}
