; Structures by value, in and out, smaller integers, a half, a recursion, and a
; call of a function that a variable names.
;! buffer d u32 8 = 0
;! launch test 1 2 d u64:3;u32:4;u32:5
;! expect d = 12 4 120 0x1ff 9 2 4 5
%three = type { i64, i32, i32 }
%pair = type { i32, i8 }

define internal i32 @sum(ptr byval(%three) align 8 %p) noinline {
  %a = load i64, ptr %p, align 8
  %b.at = getelementptr %three, ptr %p, i64 0, i32 1
  %b = load i32, ptr %b.at, align 8
  %c.at = getelementptr %three, ptr %p, i64 0, i32 2
  %c = load i32, ptr %c.at, align 4
  %a32 = trunc i64 %a to i32
  %ab = add i32 %a32, %b
  %abc = add i32 %ab, %c
  ret i32 %abc
}

define internal %pair @split(i8 signext %x, half %h, i1 %b) {
  %i = sext i8 %x to i32
  %n = fptosi half %h to i32
  %s = add i32 %i, %n
  %p = insertvalue %pair undef, i32 %s, 0
  %y = select i1 %b, i8 -1, i8 1
  %q = insertvalue %pair %p, i8 %y, 1
  ret %pair %q
}

define internal i32 @factorial(i32 %n) {
entry:
  %small = icmp ult i32 %n, 2
  br i1 %small, label %end, label %more
more:
  %m = sub i32 %n, 1
  %f = call i32 @factorial(i32 %m)
  %r = mul i32 %f, %n
  br label %end
end:
  %v = phi i32 [ 1, %entry ], [ %r, %more ]
  ret i32 %v
}

define internal i32 @twice(i32 %n) {
  %r = shl i32 %n, 1
  ret i32 %r
}

define internal i32 @thrice(i32 %n) {
  %r = mul i32 %n, 3
  ret i32 %r
}

define internal void @change(ptr byval([4 x i32]) align 4 %p, ptr %d, i64 %k) {
  %q = getelementptr [4 x i32], ptr %p, i64 0, i64 %k
  store i32 5, ptr %q, align 4
  %v = load i32, ptr %q, align 4
  store i32 %v, ptr %d, align 4
  ret void
}

define ptx_kernel void @test(ptr %d, ptr byval(%three) align 8 %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %work, label %end
work:
  %mine = alloca [4 x i32], align 4
  store i32 4, ptr %mine, align 4
  %r = call i32 @sum(ptr byval(%three) align 8 %p)
  store i32 %r, ptr %d, align 4
  %b.at = getelementptr %three, ptr %p, i64 0, i32 1
  %b = load i32, ptr %b.at, align 8
  %d1 = getelementptr i32, ptr %d, i64 1
  store i32 %b, ptr %d1, align 4
  %f = call i32 @factorial(i32 5)
  %d2 = getelementptr i32, ptr %d, i64 2
  store i32 %f, ptr %d2, align 4
  %s = call %pair @split(i8 -3, half 0xH4800, i1 true)
  %s0 = extractvalue %pair %s, 0
  %s1 = extractvalue %pair %s, 1
  %s1w = zext i8 %s1 to i32
  %s0h = shl i32 %s0, 8
  %s0x = and i32 %s0h, 256
  %s2 = or i32 %s0x, %s1w
  %d3 = getelementptr i32, ptr %d, i64 3
  store i32 %s2, ptr %d3, align 4
  %is = icmp eq i32 %b, 4
  %which = select i1 %is, ptr @thrice, ptr @twice
  %w = call i32 %which(i32 3)
  %d4 = getelementptr i32, ptr %d, i64 4
  store i32 %w, ptr %d4, align 4
  %not = xor i1 %is, true
  %other = select i1 %not, ptr @thrice, ptr @twice
  %w2 = call i32 %other(i32 1)
  %d5 = getelementptr i32, ptr %d, i64 5
  store i32 %w2, ptr %d5, align 4
  %d7 = getelementptr i32, ptr %d, i64 7
  call void @change(ptr byval([4 x i32]) align 4 %mine, ptr %d7, i64 0)
  %kept = load i32, ptr %mine, align 4
  %d6 = getelementptr i32, ptr %d, i64 6
  store i32 %kept, ptr %d6, align 4
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
