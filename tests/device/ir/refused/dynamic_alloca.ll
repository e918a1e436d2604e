;! stops alloca: takes memory of a size not constant
define ptx_kernel void @test(ptr %d, i32 %n) {
  %a = alloca i32, i32 %n, align 4
  store ptr %a, ptr %d, align 8
  ret void
}
