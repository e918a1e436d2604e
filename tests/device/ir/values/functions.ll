; LLVM's functions of integers, by hand: funnel shifts, swapped and reversed
; bytes, least and greatest, sums that stop at the end, which is greater.
;! buffer d x32 14 = 0
;! launch test 1 1 d x32:0x12345678 x32:0x9abcdef0
;! expect d = 0x2345678 0x23456789 0x89abcdef 0x78563412 0x1e6a2c48 0x12345678 0x9abcdef0 0xffffffff 0 1 0xffffffff 3 0x3412 0x20
define ptx_kernel void @test(ptr %d, i32 %a, i32 %b) {
  %r0 = and i32 %a, 268435455
  %v1 = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 4)
  %v2 = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 4)
  %v3 = call i32 @llvm.bswap.i32(i32 %a)
  %v4 = call i32 @llvm.bitreverse.i32(i32 %a)
  %v5 = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %v6 = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %v7 = call i32 @llvm.uadd.sat.i32(i32 %b, i32 %b)
  %v8 = call i32 @llvm.usub.sat.i32(i32 %a, i32 %b)
  %v9 = call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)
  %v10 = call i32 @llvm.ucmp.i32.i32(i32 %a, i32 %b)
  %v11 = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %h1 = call i16 @llvm.bswap.i16(i16 4660)
  %v12 = zext i16 %h1 to i32
  %v13 = call i32 @llvm.ctlz.i32(i32 0, i1 false)
  %p1 = getelementptr i32, ptr %d, i64 1
  %p2 = getelementptr i32, ptr %d, i64 2
  %p3 = getelementptr i32, ptr %d, i64 3
  %p4 = getelementptr i32, ptr %d, i64 4
  %p5 = getelementptr i32, ptr %d, i64 5
  %p6 = getelementptr i32, ptr %d, i64 6
  %p7 = getelementptr i32, ptr %d, i64 7
  %p8 = getelementptr i32, ptr %d, i64 8
  %p9 = getelementptr i32, ptr %d, i64 9
  %p10 = getelementptr i32, ptr %d, i64 10
  %p11 = getelementptr i32, ptr %d, i64 11
  %p12 = getelementptr i32, ptr %d, i64 12
  %p13 = getelementptr i32, ptr %d, i64 13
  store i32 %r0, ptr %d, align 4
  store i32 %v1, ptr %p1, align 4
  store i32 %v2, ptr %p2, align 4
  store i32 %v3, ptr %p3, align 4
  store i32 %v4, ptr %p4, align 4
  store i32 %v5, ptr %p5, align 4
  store i32 %v6, ptr %p6, align 4
  store i32 %v7, ptr %p7, align 4
  store i32 %v8, ptr %p8, align 4
  store i32 %v9, ptr %p9, align 4
  store i32 %v10, ptr %p10, align 4
  store i32 %v11, ptr %p11, align 4
  store i32 %v12, ptr %p12, align 4
  store i32 %v13, ptr %p13, align 4
  ret void
}
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.bswap.i32(i32)
declare i16 @llvm.bswap.i16(i16)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i32 @llvm.scmp.i32.i32(i32, i32)
declare i32 @llvm.ucmp.i32.i32(i32, i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
