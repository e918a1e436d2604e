; Numbers to other numbers, and the same bits as others.
;! buffer d x32 12 = 0
;! launch test 1 1 d f32:-2.75 s32:-7
;! expect d = 0xfffffffe 0 0xc0e00000 0x4f7ffffe 0xc0300000 0xc180 0x4 0xfff9ffff 0xf9f9 0xfffffff9 0x40080000 0
define ptx_kernel void @test(ptr %d, float %x, i32 %i) {
  %c0 = fptosi float %x to i32
  %y = call float @llvm.fabs.f32(float %x)
  %c2f = sitofp i32 %i to float
  %c2 = bitcast float %c2f to i32
  %c3f = uitofp i32 %i to float
  %c3a = bitcast float %c3f to i32
  %c3 = sub i32 %c3a, 2
  %c4 = bitcast float %x to i32
  %h = fptrunc float %x to half
  %hb = bitcast half %h to i16
  %hw = zext i16 %hb to i32
  %c5 = add i32 %hw, 0
  %c6b = bitcast i32 %i to <4 x i8>
  %e0 = extractelement <4 x i8> %c6b, i64 0
  %e1 = extractelement <4 x i8> %c6b, i64 3
  %v = insertelement <4 x i8> undef, i8 %e1, i64 0
  %v1 = insertelement <4 x i8> %v, i8 %e1, i64 1
  %v2 = insertelement <4 x i8> %v1, i8 %e0, i64 2
  %v3 = insertelement <4 x i8> %v2, i8 %e1, i64 3
  %c7 = bitcast <4 x i8> %v3 to i32
  %w = bitcast i32 %c7 to <2 x i16>
  %w1 = shufflevector <2 x i16> %w, <2 x i16> <i16 -1, i16 4>, <2 x i32> <i32 1, i32 2>
  %w10 = extractelement <2 x i16> %w1, i64 0
  %c8a = and i16 %w10, -1537
  %c8 = zext i16 %c8a to i32
  %c9l = sext i32 %i to i64
  %c9 = trunc i64 %c9l to i32
  %dd = fpext float 3.0 to double
  %ddb = bitcast double %dd to <2 x i32>
  %c10 = extractelement <2 x i32> %ddb, i64 1
  %c11 = extractelement <2 x i32> %ddb, i64 0
  %c6x = call i32 @llvm.ctpop.i32(i32 30)
  %s = getelementptr i32, ptr %d, i64 2
  store i32 %c0, ptr %d, align 4
  store i32 %c2, ptr %s, align 4
  %d3 = getelementptr i32, ptr %d, i64 3
  store i32 %c3, ptr %d3, align 4
  %d4 = getelementptr i32, ptr %d, i64 4
  store i32 %c4, ptr %d4, align 4
  %d5 = getelementptr i32, ptr %d, i64 5
  store i32 %c5, ptr %d5, align 4
  %d6 = getelementptr i32, ptr %d, i64 6
  store i32 %c6x, ptr %d6, align 4
  %d7 = getelementptr i32, ptr %d, i64 7
  store i32 %c7, ptr %d7, align 4
  %d8 = getelementptr i32, ptr %d, i64 8
  store i32 %c8, ptr %d8, align 4
  %d9 = getelementptr i32, ptr %d, i64 9
  store i32 %c9, ptr %d9, align 4
  %d10 = getelementptr i32, ptr %d, i64 10
  store i32 %c10, ptr %d10, align 4
  %d11 = getelementptr i32, ptr %d, i64 11
  store i32 %c11, ptr %d11, align 4
  ret void
}
declare float @llvm.fabs.f32(float)
declare i32 @llvm.ctpop.i32(i32)
