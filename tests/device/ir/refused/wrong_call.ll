;! stops call of f: doesn't fit the function's type
define ptx_kernel void @test(ptr %d) {
  %a = call i32 @f(i32 1, i32 2)
  store i32 %a, ptr %d, align 4
  ret void
}
define i32 @f(i32 %x) {
  ret i32 %x
}
