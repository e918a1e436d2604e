;! stops expected a vector of one or more numbers
define ptx_kernel void @test(ptr %d) {
  %a = insertelement <2 x { i32, i32 }> poison, { i32, i32 } { i32 1, i32 2 }, i32 1
  store <2 x { i32, i32 }> %a, ptr %d
  ret void
}
