; Two values change places on each turn of a loop: both copies happen at once.
;! buffer d u32 2 = 0
;! launch test 1 1 d u32:5
;! expect d = 11 22
define ptx_kernel void @test(ptr %d, i32 %n) {
entry:
  br label %turn
turn:
  %a = phi i32 [ 11, %entry ], [ %b, %turn ]
  %b = phi i32 [ 22, %entry ], [ %a, %turn ]
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  store i32 %a, ptr %d, align 4
  %p = getelementptr i32, ptr %d, i64 1
  store i32 %b, ptr %p, align 4
  ret void
}
