; Three values change places in a circle, a fourth copies one of them, and a
; fifth is one that is elsewhere by four bytes.
;! buffer d u64 5 = 0
;! launch test 1 1 d u32:4
;! expect d = 2 3 1 2 12
define ptx_kernel void @test(ptr %d, i32 %n) {
  br label %turn
turn:
  %a = phi i64 [ 1, %0 ], [ %b, %turn ]
  %b = phi i64 [ 2, %0 ], [ %c, %turn ]
  %c = phi i64 [ 3, %0 ], [ %a, %turn ]
  %last = phi i64 [ 0, %0 ], [ %c, %turn ]
  %p = phi ptr [ %d, %0 ], [ %q, %turn ]
  %i = phi i32 [ 1, %0 ], [ %next, %turn ]
  %q = getelementptr i8, ptr %p, i64 4
  %next = add i32 %i, 1
  %more = icmp ne i32 %i, %n
  br i1 %more, label %turn, label %end
end:
  %from = ptrtoint ptr %d to i64
  %to = ptrtoint ptr %p to i64
  %far = sub i64 %to, %from
  store i64 %b, ptr %d, align 8
  %d1 = getelementptr i64, ptr %d, i64 1
  %d2 = getelementptr i64, ptr %d, i64 2
  %d3 = getelementptr i64, ptr %d, i64 3
  %d4 = getelementptr i64, ptr %d, i64 4
  store i64 %c, ptr %d1, align 8
  store i64 %a, ptr %d2, align 8
  store i64 %last, ptr %d3, align 8
  store i64 %far, ptr %d4, align 8
  ret void
}
