;! stops expected two vectors of one type, and a mask, before it
define ptx_kernel void @test(ptr %d, <2 x float> %x) {
  %a = shufflevector <2 x i64> zeroinitializer, <2 x float> %x, <2 x i32> <i32 0, i32 2>
  store <2 x i64> %a, ptr %d
  ret void
}
