;! stops expected a value of another type instead of true
define ptx_kernel void @test(ptr %d) {
  %a = zext <2 x i1> true to <2 x i32>
  store <2 x i32> %a, ptr %d
  ret void
}
