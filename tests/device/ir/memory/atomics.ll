; Atomics of all kinds by 32 lanes; one compares and exchanges until it worked.
;! buffer d u32 8 = 0 100 0 0xffffffff 0 0 0 0
;! launch test 1 32 d
;! expect d = 496 68 31 0 32 32 6 0x42000000
define ptx_kernel void @test(ptr %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %0 = atomicrmw add ptr %d, i32 %t seq_cst, align 4
  %d1 = getelementptr i32, ptr %d, i64 1
  %1 = atomicrmw sub ptr %d1, i32 1 syncscope("device") monotonic, align 4
  %d2 = getelementptr i32, ptr %d, i64 2
  %2 = atomicrmw umax ptr %d2, i32 %t syncscope("block") acq_rel, align 4
  %d3 = getelementptr i32, ptr %d, i64 3
  %3 = atomicrmw and ptr %d3, i32 %t seq_cst, align 4
  %d4 = getelementptr i32, ptr %d, i64 4
  br label %again
again:
  %old = load atomic i32, ptr %d4 syncscope("device") monotonic, align 4
  %new = add i32 %old, 1
  %pair = cmpxchg ptr %d4, i32 %old, i32 %new syncscope("device") acquire monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  %d5 = getelementptr i32, ptr %d, i64 5
  %5 = atomicrmw add ptr %d5, i32 1 release, align 4
  fence syncscope("device") seq_cst
  %d6 = getelementptr i32, ptr %d, i64 6
  %6 = atomicrmw uinc_wrap ptr %d6, i32 12 seq_cst, align 4
  %d7 = getelementptr i32, ptr %d, i64 7
  %7 = atomicrmw fadd ptr %d7, float 1.0 seq_cst, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
