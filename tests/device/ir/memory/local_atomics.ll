; Atomics of a local variable, whose space is known; PTX has them without a space.
; Its address also as one of local memory.
;! buffer d u32 4 = 0
;! launch test 1 1 d
;! expect d = 5 15 15 22
define ptx_kernel void @test(ptr %d) {
  %x = alloca i32, align 4
  store i32 5, ptr %x, align 4
  %a = atomicrmw add ptr %x, i32 10 seq_cst, align 4
  store i32 %a, ptr %d, align 4
  %pair = cmpxchg ptr %x, i32 15, i32 20 syncscope("device") acquire monotonic, align 4
  %b = extractvalue { i32, i1 } %pair, 0
  %d1 = getelementptr i32, ptr %d, i64 1
  store i32 %b, ptr %d1, align 4
  %y = alloca i32, align 4, addrspace(5)
  store i32 15, ptr addrspace(5) %y, align 4
  %c = atomicrmw xchg ptr addrspace(5) %y, i32 2 syncscope("block") monotonic, align 4
  %d2 = getelementptr i32, ptr %d, i64 2
  store i32 %c, ptr %d2, align 4
  %x2 = load i32, ptr %x, align 4
  %y2 = load i32, ptr addrspace(5) %y, align 4
  %sum = add i32 %x2, %y2
  %d3 = getelementptr i32, ptr %d, i64 3
  store i32 %sum, ptr %d3, align 4
  ret void
}
