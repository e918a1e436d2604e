;! stops call of llvm.smin.v64i32: has operands of different shapes
define ptx_kernel void @test(ptr %d, <2 x i32> %x) {
  %a = call <64 x i32> @llvm.smin.v64i32(<2 x i32> %x, <2 x i32> %x)
  store <64 x i32> %a, ptr %d
  ret void
}
declare <64 x i32> @llvm.smin.v64i32(<2 x i32>, <2 x i32>)
