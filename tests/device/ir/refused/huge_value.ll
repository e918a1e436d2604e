;! stops a value of more than 4096 numbers
define ptx_kernel void @test(ptr %d) {
  %a = load [100000 x i32], ptr %d, align 4
  store [100000 x i32] %a, ptr %d, align 4
  ret void
}
