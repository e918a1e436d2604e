; Both ways of a branch lead to blocks that begin with values, one of them to the
; block itself.
;! buffer d u32 32 = 0
;! launch test 1 32 d
;! expect d = i+(i%2?1000:i)
define ptx_kernel void @test(ptr %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %t, 1
  %is = icmp eq i32 %odd, 1
  br i1 %is, label %join, label %count
count:
  %n = phi i32 [ 0, %entry ], [ %m, %count ]
  %m = add i32 %n, 1
  %more = icmp ult i32 %n, %t
  br i1 %more, label %count, label %join
join:
  %v = phi i32 [ 1000, %entry ], [ %n, %count ]
  %s = add i32 %v, %t
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %d, i64 %i
  store i32 %s, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
