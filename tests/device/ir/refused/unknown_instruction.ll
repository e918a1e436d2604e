;! stops kernel.cu:7: frem: is not known
; An instruction that isn't known, named with its place in the source.
define ptx_kernel void @test(ptr %d, float %x) !dbg !5 {
  %y = frem float %x, 3.0, !dbg !7
  store float %y, ptr %d, align 4
  ret void
}
!4 = !DIFile(filename: "kernel.cu", directory: "/src")
!5 = distinct !DISubprogram(name: "test", scope: !4, file: !4, line: 5)
!7 = !DILocation(line: 7, column: 5, scope: !5)
