; Single bits as numbers, in memory, chosen, compared.
;! buffer d u32 8 = 0
;! buffer e u8 8 = 9
;! launch test 1 8 d e
;! expect d = (i<3)*1+(i>1)*2+((i<3)!=(i>1))*4+((i<3)||(i>1)&&i%2)*8
;! expect e = (i<3?i>1:i==5)
define ptx_kernel void @test(ptr %d, ptr %e) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %t, 3
  %b = icmp ugt i32 %t, 1
  %c = icmp ne i1 %a, %b
  %o = trunc i32 %t to i1
  %and = select i1 %b, i1 %o, i1 false
  %or = select i1 %a, i1 true, i1 %and
  %five = icmp eq i32 %t, 5
  %chosen = select i1 %a, i1 %b, i1 %five
  %i = zext i32 %t to i64
  %pe = getelementptr i1, ptr %e, i64 %i
  store i1 %chosen, ptr %pe, align 1
  %again = load i1, ptr %pe, align 1
  %same = icmp eq i1 %again, %chosen
  %a1 = zext i1 %a to i32
  %b1 = zext i1 %b to i32
  %b2 = shl i32 %b1, 1
  %c1 = sext i1 %c to i32
  %c4 = and i32 %c1, 4
  %o1 = select i1 %or, i32 8, i32 0
  %s1 = or i32 %a1, %b2
  %s2 = or i32 %s1, %c4
  %s3 = or i32 %s2, %o1
  %s4 = select i1 %same, i32 %s3, i32 99
  %p = getelementptr i32, ptr %d, i64 %i
  store i32 %s4, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
