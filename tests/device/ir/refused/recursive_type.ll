;! stops a type that doesn't contain itself
%a = type { i32, %b }
%b = type { %a }
define void @test(%a %d) {
  ret void
}
