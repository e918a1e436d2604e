; Shared, constant and global variables with initial values, addresses in them,
; shared memory of a size that the launch gives, local memory; pointers whose
; space is not known.
;! buffer d u64 8 = 0
;! launch test 1 1 d u64:1 shared=64
;! expect d = 30 7 300 5 77 11 8 40
;! counts barriers 1
@table = internal addrspace(4) constant [3 x i32] [i32 10, i32 20, i32 30], align 4
@where = internal addrspace(1) global { ptr, i64, ptr } { ptr addrspacecast (ptr addrspace(4) @table to ptr), i64 7, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @number to ptr), i64 4) }, align 8
@number = addrspace(1) global <{ i32, i32, [2 x i32] }> <{ i32 3, i32 300, [2 x i32] zeroinitializer }>, align 4
@own = internal addrspace(3) global [4 x i64] undef, align 8
@given = external addrspace(3) global [0 x i64], align 8
@text = private unnamed_addr constant [3 x i8] c"\4D\00M", align 1

define ptx_kernel void @test(ptr %d, i64 %one) {
  %local = alloca [4 x i64], align 8
  %t = load ptr, ptr addrspacecast (ptr addrspace(1) @where to ptr), align 8
  %t2 = getelementptr i32, ptr %t, i64 2
  %v0 = load i32, ptr %t2, align 4
  %l0 = zext i32 %v0 to i64
  store i64 %l0, ptr %d, align 8
  %v1 = load i64, ptr addrspace(1) getelementptr ({ ptr, i64, ptr }, ptr addrspace(1) @where, i64 0, i32 1), align 8
  %d1 = getelementptr i64, ptr %d, i64 1
  store i64 %v1, ptr %d1, align 8
  %n = load ptr, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @where to ptr), i64 16), align 8
  %v2 = load i32, ptr %n, align 4
  %l2 = zext i32 %v2 to i64
  %d2 = getelementptr i64, ptr %d, i64 2
  store i64 %l2, ptr %d2, align 8
  %s = getelementptr [4 x i64], ptr addrspacecast (ptr addrspace(3) @own to ptr), i64 0, i64 %one
  store i64 5, ptr %s, align 8
  %g = getelementptr i64, ptr addrspace(3) @given, i64 %one
  store i64 6, ptr addrspace(3) %g, align 8
  call void @llvm.nvvm.barrier0()
  %v3 = load i64, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @own, i64 8), align 8
  %d3 = getelementptr i64, ptr %d, i64 3
  store i64 %v3, ptr %d3, align 8
  %c = getelementptr [3 x i8], ptr @text, i64 0, i64 2
  %v4 = load i8, ptr %c, align 1
  %l4 = zext i8 %v4 to i64
  %d4 = getelementptr i64, ptr %d, i64 4
  store i64 %l4, ptr %d4, align 8
  %is = icmp eq i64 %one, 1
  %p = getelementptr [4 x i64], ptr %local, i64 0, i64 %one
  store i64 3, ptr %p, align 8
  %some = select i1 %is, ptr %p, ptr %s
  %v5 = load i64, ptr %some, align 8
  %v5s = add i64 %v5, 8
  %d5 = getelementptr i64, ptr %d, i64 5
  store i64 %v5s, ptr %d5, align 8
  %gs = addrspacecast ptr addrspace(3) %g to ptr
  %both = select i1 %is, ptr %s, ptr %gs
  %v6 = load i64, ptr %both, align 8
  %v6s = add i64 %v6, 3
  %d6 = getelementptr i64, ptr %d, i64 6
  store i64 %v6s, ptr %d6, align 8
  %pa = ptrtoint ptr %p to i64
  %la = ptrtoint ptr %local to i64
  %far = sub i64 %pa, %la
  %far5 = mul i64 %far, 5
  %d7 = getelementptr i64, ptr %d, i64 7
  store i64 %far5, ptr %d7, align 8
  ret void
}
declare void @llvm.nvvm.barrier0()
