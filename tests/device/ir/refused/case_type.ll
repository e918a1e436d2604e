;! stops expected a number of the type of what chooses before it
define ptx_kernel void @test(ptr %d, i8 %x) {
  switch i8 %x, label %end [
    i64 257, label %one
  ]
one:
  store i32 1, ptr %d
  br label %end
end:
  ret void
}
