; A switch with ranges, single cases, a case of a signed number, and values that
; its blocks begin with.
;! buffer d u32 16 = 0
;! launch test 1 16 d
;! expect d = 7 1 1 1 100 0 2 0 8 3 0 5 0 0 0 9
define ptx_kernel void @test(ptr %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %t, -15
  %is_last = icmp eq i32 %t, 15
  %y = select i1 %is_last, i32 -1, i32 %t
  switch i32 %y, label %other [
    i32 1, label %low
    i32 3, label %low
    i32 2, label %low
    i32 -1, label %nine
    i32 6, label %two
    i32 9, label %three
    i32 11, label %five
    i32 0, label %join
    i32 8, label %join8
    i32 4, label %big
  ]
low:
  br label %join
two:
  br label %join
three:
  br label %join
five:
  br label %join
nine:
  br label %join
big:
  br label %join
join8:
  br label %join
other:
  br label %join
join:
  %v = phi i32 [ 7, %entry ], [ 1, %low ], [ 2, %two ], [ 3, %three ], [ 5, %five ], [ 9, %nine ], [ 100, %big ], [ 8, %join8 ], [ 0, %other ]
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %d, i64 %i
  store i32 %v, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
