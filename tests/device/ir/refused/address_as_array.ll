;! stops expected a value of another type instead of @a
@a = addrspace(1) global i32 0
define ptx_kernel void @test(ptr %d) {
  store [2 x i64] @a, ptr %d
  ret void
}
