;! stops expected a constant of the right type before it
; A sum of 32 bits, one of whose operands has 64.
@a = addrspace(1) global i32 0
define ptx_kernel void @test(ptr %d) {
  store i32 add (i64 ptrtoint (ptr addrspace(1) @a to i64), i32 1), ptr %d
  ret void
}
