;! stops expected a constant of the right type before it
; More numbers than the structure has room for.
define ptx_kernel void @test(ptr %d) {
  store { i32 } { [4000 x i32] zeroinitializer }, ptr %d
  ret void
}
