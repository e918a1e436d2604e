;! stops expected a constant of the right type before it
; The same in a variable's initial value.
@a = addrspace(1) global [2 x i8] [ [4 x i8] c"abcd", i8 0 ]
define ptx_kernel void @test(ptr %d) {
  store ptr addrspace(1) @a, ptr %d
  ret void
}
