;! stops %y is never defined
define ptx_kernel void @test(ptr %d) {
  store i32 %y, ptr %d, align 4
  ret void
}
