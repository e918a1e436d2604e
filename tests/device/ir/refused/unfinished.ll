;! stops the text ends
define ptx_kernel void @test(ptr %d) {
  %a = load i32, ptr
