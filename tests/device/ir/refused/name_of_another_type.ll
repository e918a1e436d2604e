;! stops %a has another type
define ptx_kernel void @test(ptr %d, { i32, float } %a) {
  store { float, i32 } %a, ptr %d
  ret void
}
