;! stops expected a vector of one or more numbers
define ptx_kernel void @test(ptr %d) {
  %a = insertelement <0 x i32> poison, i32 1, i32 3
  store <0 x i32> %a, ptr %d
  ret void
}
