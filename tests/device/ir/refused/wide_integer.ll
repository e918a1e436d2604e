;! stops an integer of 1 to 64 bits
define void @test(i128 %d) {
  ret void
}
