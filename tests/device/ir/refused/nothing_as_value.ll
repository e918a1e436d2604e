;! stops expected a type that has values before it instead of undef
define ptx_kernel void @test(ptr %d) {
  freeze void undef
  ret void
}
