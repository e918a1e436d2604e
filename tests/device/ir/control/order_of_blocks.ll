; A block stands before the one that calculates what it uses.
;! buffer d u32 1 = 0
;! launch test 1 1 d
;! expect d = 42
define ptx_kernel void @test(ptr %d) {
  br label %first
second:
  store i32 %y, ptr %q, align 4
  ret void
first:
  %x = insertvalue { i32, i32 } undef, i32 40, 1
  %y0 = extractvalue { i32, i32 } %x, 1
  %y = add i32 %y0, 2
  %q = getelementptr i8, ptr %d, i64 0
  br label %second
}
