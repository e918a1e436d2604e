; Integers of 8 bits and of odd widths: what is above them never counts.
;! buffer d s32 12 = 0
;! launch test 1 1 d s8:-100 s8:100
;! expect d = 56 -56 0 1 -25 -2 100 1 3 -3 100 12
define ptx_kernel void @test(ptr %d, i8 %a, i8 %b) {
  %s = sub i8 %a, %b
  %s0 = sext i8 %s to i32
  %m = sub i8 %b, %a
  %s1 = sext i8 %m to i32
  %c2 = icmp ugt i8 %b, %a
  %s2 = zext i1 %c2 to i32
  %c3 = icmp sgt i8 %b, %a
  %s3 = zext i1 %c3 to i32
  %q = sdiv i8 %a, 4
  %s4 = sext i8 %q to i32
  %r = ashr i8 %a, 6
  %s5 = sext i8 %r to i32
  %sum = add i8 %a, %b
  %sum2 = add i8 %sum, %sum
  %u = lshr i8 %s, 1
  %s6x = zext i8 %u to i32
  %s6 = xor i32 %s6x, 120
  %cc = icmp eq i8 %sum2, 0
  %s7 = zext i1 %cc to i32
  %w = trunc i32 1027 to i10
  %w8 = zext i10 %w to i32
  %v = trunc i32 1021 to i10
  %w9 = sext i10 %v to i32
  %ab = call i8 @llvm.abs.i8(i8 %a, i1 false)
  %s10 = zext i8 %ab to i32
  %z = call i8 @llvm.ctlz.i8(i8 9, i1 false)
  %k = call i8 @llvm.cttz.i8(i8 0, i1 false)
  %zz = add i8 %z, %k
  %s11 = zext i8 %zz to i32
  %d1 = getelementptr i32, ptr %d, i64 1
  %d2 = getelementptr i32, ptr %d, i64 2
  %d3 = getelementptr i32, ptr %d, i64 3
  %d4 = getelementptr i32, ptr %d, i64 4
  %d5 = getelementptr i32, ptr %d, i64 5
  %d6 = getelementptr i32, ptr %d, i64 6
  %d7 = getelementptr i32, ptr %d, i64 7
  %d8 = getelementptr i32, ptr %d, i64 8
  %d9 = getelementptr i32, ptr %d, i64 9
  %d10 = getelementptr i32, ptr %d, i64 10
  %d11 = getelementptr i32, ptr %d, i64 11
  store i32 %s0, ptr %d, align 4
  store i32 %s1, ptr %d1, align 4
  store i32 %s2, ptr %d2, align 4
  store i32 %s3, ptr %d3, align 4
  store i32 %s4, ptr %d4, align 4
  store i32 %s5, ptr %d5, align 4
  store i32 %s6, ptr %d6, align 4
  store i32 %s7, ptr %d7, align 4
  store i32 %w8, ptr %d8, align 4
  store i32 %w9, ptr %d9, align 4
  store i32 %s10, ptr %d10, align 4
  store i32 %s11, ptr %d11, align 4
  ret void
}
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
