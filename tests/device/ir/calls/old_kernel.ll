; A kernel and its bounds as LLVM up to 20 has them, and where an instruction is in
; the source.
;! buffer d u32 1 = 0
;! launch test 1 64 d
;! fault trap
;! has .maxntid 64, 1, 1
;! has .loc	1 7 5
;! has .file	1 "/src/kernel.cu"
define void @test(ptr %d) !dbg !5 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %t, 3
  br i1 %is, label %stop, label %end
stop:
  call void @llvm.trap(), !dbg !7
  unreachable
end:
  ret void
}
declare void @llvm.trap()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0, !1}
!llvm.dbg.cu = !{!3}
!0 = !{ptr @test, !"kernel", i32 1}
!1 = !{ptr @test, !"maxntidx", i32 64}
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !4, emissionKind: DebugDirectivesOnly)
!4 = !DIFile(filename: "kernel.cu", directory: "/src")
!5 = distinct !DISubprogram(name: "test", scope: !4, file: !4, line: 5, unit: !3)
!6 = distinct !DILexicalBlock(scope: !5, line: 6, column: 3)
!7 = !DILocation(line: 7, column: 5, scope: !6)
