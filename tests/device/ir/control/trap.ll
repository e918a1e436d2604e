; What may not be reached stops the kernel.
;! buffer d u32 1 = 0
;! launch test 1 1 d
;! fault trap
define ptx_kernel void @test(ptr %d) {
  store i32 1, ptr %d, align 4
  unreachable
}
