;! stops depends on itself
define ptx_kernel void @test(ptr %d) {
  %a = freeze i32 %b
  %b = freeze i32 %a
  store i32 %a, ptr %d, align 4
  ret void
}
