; Shuffles, votes, and what else lanes say to each other.
;! buffer d u32 32 = 0
;! launch test 1 32 d
;! expect d = (i%2?i-1:i+1)+100*(i<31?i+1:i)+10000*(i<31)+100000*16
define ptx_kernel void @test(ptr %d) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)
  %b = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %t, i32 1, i32 31)
  %b0 = extractvalue { i32, i1 } %b, 0
  %b1 = extractvalue { i32, i1 } %b, 1
  %b2 = zext i1 %b1 to i32
  %odd = trunc i32 %t to i1
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %n = call i32 @llvm.ctpop.i32(i32 %v)
  %s0 = mul i32 %b0, 100
  %s1 = mul i32 %b2, 10000
  %s2 = mul i32 %n, 100000
  %s3 = add i32 %a, %s0
  %s4 = add i32 %s3, %s1
  %s5 = add i32 %s4, %s2
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %d, i64 %i
  store i32 %s5, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
