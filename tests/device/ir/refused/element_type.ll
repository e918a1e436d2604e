;! stops expected a value of the vector's type before it
define ptx_kernel void @test(ptr %d, i8 %x) {
  %a = insertelement <2 x i64> zeroinitializer, i8 %x, i32 0
  store <2 x i64> %a, ptr %d
  ret void
}
