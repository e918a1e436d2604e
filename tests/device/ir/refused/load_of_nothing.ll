;! stops load: has a result of a type without values
define ptx_kernel void @test(ptr %d) {
  load void, ptr %d
  ret void
}
