;! stops ret: returns something of another type
define { [4000 x i32] } @f() {
  ret { i32 } zeroinitializer
}
define ptx_kernel void @test(ptr %d) {
  %a = call { [4000 x i32] } @f()
  store { [4000 x i32] } %a, ptr %d
  ret void
}
