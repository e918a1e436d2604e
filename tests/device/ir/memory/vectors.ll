; Four words, two of them, eight halves, four bytes: one access each where the
; address allows it.
;! buffer d u32 32 = i
;! buffer e u32 18 = 0
;! launch test 1 1 d e
;! expect e = 3 2 1 0 5 4 0 0 8 9 10 11 12 0 0 0 16 0
;! counts ld_requests 6
define ptx_kernel void @test(ptr %d, ptr %e) {
  %v = load <4 x i32>, ptr %d, align 16
  %r = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x i32> %r, ptr %e, align 16
  %p4 = getelementptr i32, ptr %d, i64 4
  %w = load <2 x i32>, ptr %p4, align 8
  %x = shufflevector <2 x i32> %w, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %q4 = getelementptr i32, ptr %e, i64 4
  store <2 x i32> %x, ptr %q4, align 8
  %p8 = getelementptr i32, ptr %d, i64 8
  %h = load <8 x half>, ptr %p8, align 16
  %q8 = getelementptr i32, ptr %e, i64 8
  store <8 x half> %h, ptr %q8, align 16
  %p12 = getelementptr i32, ptr %d, i64 12
  %b = load <4 x i8>, ptr %p12, align 4
  %q12 = getelementptr i32, ptr %e, i64 12
  store <4 x i8> %b, ptr %q12, align 4
  %p16 = getelementptr i32, ptr %d, i64 16
  %u = load i32, ptr %p16, align 2
  %q16 = getelementptr i32, ptr %e, i64 16
  store i32 %u, ptr %q16, align 1
  ret void
}
