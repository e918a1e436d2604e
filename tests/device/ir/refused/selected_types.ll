;! stops expected two values of one type before it
define ptx_kernel void @test(ptr %d, i64 %x) {
  %p = icmp eq i64 %x, 1
  %a = select i1 %p, i32 1, i64 %x
  store i32 %a, ptr %d
  ret void
}
