; memcpy, memmove and memset of sizes that are known, long, or given; memmove
; where both places overlap, in both directions.
;! buffer d u8 512 = i%251
;! buffer e u8 512 = 255
;! launch test 1 1 d e u64:21
;! expect e = (i<24?i:i<45?24+i-24+8:i<64?255:i<264?i-64+3:i<272?255:i<300?7:i<321?9:255)
;! expect d = (i<100?i:i<121?i-4:i<200?i:i<221?(i+4)%251:i%251)
define ptx_kernel void @test(ptr %d, ptr %e, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %e, ptr align 8 %d, i64 24, i1 false)
  %e1 = getelementptr i8, ptr %e, i64 24
  %d1 = getelementptr i8, ptr %d, i64 32
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %e1, ptr align 1 %d1, i64 %n, i1 false)
  %e2 = getelementptr i8, ptr %e, i64 64
  %d2 = getelementptr i8, ptr %d, i64 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %e2, ptr %d2, i64 200, i1 false)
  %e3 = getelementptr i8, ptr %e, i64 272
  call void @llvm.memset.p0.i64(ptr align 16 %e3, i8 7, i64 28, i1 false)
  %e4 = getelementptr i8, ptr %e, i64 300
  call void @llvm.memset.p0.i64(ptr %e4, i8 9, i64 %n, i1 false)
  %d3 = getelementptr i8, ptr %d, i64 100
  %d4 = getelementptr i8, ptr %d, i64 96
  call void @llvm.memmove.p0.p0.i64(ptr %d3, ptr %d4, i64 %n, i1 false)
  %d5 = getelementptr i8, ptr %d, i64 200
  %d6 = getelementptr i8, ptr %d, i64 204
  call void @llvm.memmove.p0.p0.i64(ptr %d5, ptr %d6, i64 %n, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
