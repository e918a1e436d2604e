;! stops expected a constant of the right type before it
define ptx_kernel void @test(ptr %d) {
  store <4 x i32> splat (i64 1), ptr %d
  ret void
}
