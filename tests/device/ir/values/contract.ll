; A product becomes part of a sum where both may be contracted, once with each
; sign; without the word, or with the product in another block, it is rounded.
;! buffer d x32 6 = 0
;! launch test 1 1 d x32:0x3f800001 x32:0xbf800002
;! expect d = 0x28800000 0xa8800000 0x28800000 0 0 0x3f800002
define ptx_kernel void @test(ptr %d, float %a, float %b) {
  %p = fmul contract float %a, %a
  %f0 = fadd contract float %p, %b
  %nb = fneg float %b
  %f1 = fsub contract float %nb, %p
  %f2 = fsub contract float %p, %nb
  %q = fmul float %a, %a
  %f3 = fadd contract float %q, %b
  store float %f0, ptr %d, align 4
  %d1 = getelementptr float, ptr %d, i64 1
  %d2 = getelementptr float, ptr %d, i64 2
  %d3 = getelementptr float, ptr %d, i64 3
  %d4 = getelementptr float, ptr %d, i64 4
  %d5 = getelementptr float, ptr %d, i64 5
  store float %f1, ptr %d1, align 4
  store float %f2, ptr %d2, align 4
  store float %f3, ptr %d3, align 4
  %r = fmul contract float %a, %a
  br label %next
next:
  %f4 = fadd contract float %r, %b
  store float %f4, ptr %d4, align 4
  store float %r, ptr %d5, align 4
  ret void
}
