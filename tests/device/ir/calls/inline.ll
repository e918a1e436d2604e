; Inline PTX: results in a structure, an operand that is a result as well, a
; constant, dollar signs, a block with its own registers.
;! buffer d u32 4 = 0
;! launch test 1 1 d u32:5
;! expect d = 15 25 6 32
define ptx_kernel void @test(ptr %d, i32 %x) {
  %r = call { i32, i32 } asm "{ .reg .u32 %t$$0; mul.lo.u32 %t$$0, $2, 3; mov.u32 $0, %t$$0; mul.lo.u32 ${1}, $2, $3; }", "=r,=&r,r,n"(i32 %x, i32 5)
  %a = extractvalue { i32, i32 } %r, 0
  %b = extractvalue { i32, i32 } %r, 1
  store i32 %a, ptr %d, align 4
  %d1 = getelementptr i32, ptr %d, i64 1
  store i32 %b, ptr %d1, align 4
  %c = call i32 asm sideeffect "add.u32 $0, $0, 1;", "=r,0,~{memory}"(i32 %x)
  %d2 = getelementptr i32, ptr %d, i64 2
  call void asm sideeffect "st.global.u32 [$0], $1;", "l,r,~{memory}"(ptr %d2, i32 %c)
  %s = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %d3 = getelementptr i32, ptr %d, i64 3
  store i32 %s, ptr %d3, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
