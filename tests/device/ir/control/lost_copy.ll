; The value of the last turn but one is used after the loop.
;! buffer d u32 2 = 0
;! launch test 1 1 d u32:5
;! expect d = 4 5
define ptx_kernel void @test(ptr %d, i32 %n) {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  store i32 %i, ptr %d, align 4
  %p = getelementptr i8, ptr %d, i64 4
  store i32 %next, ptr %p, align 4
  ret void
}
