;! stops expected a constant of the right type before it
; As many numbers of as many bytes, in another order.
define ptx_kernel void @test(ptr %d) {
  store { { i32, float } } { { float, i32 } { float 1.0, i32 1 } }, ptr %d
  ret void
}
