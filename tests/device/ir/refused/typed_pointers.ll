;! stops opaque pointers, which LLVM has since version 15
define void @test(i32* %d) {
  ret void
}
