;! stops expected a value of the part's type before it
define ptx_kernel void @test(ptr %d, i8 %x) {
  %a = insertvalue { i64, i64 } zeroinitializer, i8 %x, 0
  store { i64, i64 } %a, ptr %d
  ret void
}
