;! stops call of llvm.expect.i32: has no result
define ptx_kernel void @test(ptr %d) {
  call void @llvm.expect.i32(i32 1, i32 2)
  ret void
}
declare void @llvm.expect.i32(i32, i32)
