// What tensor-core kernels cost: products by warpgroups and copies by TMA, each
// in a kernel of its own, so that counts can be compared with a GPU's (counts).
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));          \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { TIMES = 16, SHARED = 64 << 10 };

__device__ uint64_t descriptor(const void *at, unsigned leading,
                               unsigned stride, unsigned mode)
{
  uint32_t address = (uint32_t)__cvta_generic_to_shared(at);

  return (address & 0x3ffff) >> 4 | (uint64_t)(leading >> 4) << 16 |
         (uint64_t)(stride >> 4) << 32 | (uint64_t)mode << 62;
}

#define FENCE asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WAIT                                                                   \
  asm volatile("wgmma.commit_group.sync.aligned;\n"                            \
               "wgmma.wait_group.sync.aligned 0;" ::                           \
                   : "memory")

__device__ void product_shared(float (&d)[4], uint64_t a, uint64_t b)
{
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3}, "
               "%4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
}

__device__ void product_registers(float (&d)[4], uint32_t a, uint64_t b)
{
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a), "r"(a), "r"(a), "r"(a), "l"(b));
}

__device__ void product_shared(float (&d)[32], uint64_t a, uint64_t b)
{
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, "
               "%8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, "
               "%24, %25, %26, %27, %28, %29, %30, %31}, "
               "%32, %33, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]),
                 "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
                 "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
                 "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]),
                 "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
                 "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
                 "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                 "+f"(d[30]), "+f"(d[31])
               : "l"(a), "l"(b));
}

__device__ void product_registers(float (&d)[32], uint32_t a, uint64_t b)
{
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, "
               "%8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, "
               "%24, %25, %26, %27, %28, %29, %30, %31}, "
               "{%32, %33, %34, %35}, %36, 1, 1, 1, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]),
                 "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
                 "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
                 "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]),
                 "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
                 "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
                 "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                 "+f"(d[30]), "+f"(d[31])
               : "r"(a), "r"(a), "r"(a), "r"(a), "l"(b));
}

__device__ void product_shared(float (&d)[64], uint64_t a, uint64_t b)
{
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b));
}

__device__ void product_registers(float (&d)[64], uint32_t a, uint64_t b)
{
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, 1, 1, 1, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "r"(a), "r"(a), "r"(a), "r"(a), "l"(b));
}

// MODE: 0 no swizzling, 1 by 128 bytes.
template <int N, bool A_SHARED, int MODE>
__global__ void __launch_bounds__(128) multiply(float *out)
{
  extern __shared__ __align__(1024) unsigned char tile[];
  float d[N / 2] = {};

  for (unsigned i = threadIdx.x; i < SHARED / 4; i += blockDim.x)
    ((uint32_t *)tile)[i] = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  uint64_t a = descriptor(tile, 128, MODE ? 1024 : 256, MODE);
  uint64_t b = descriptor(tile + SHARED / 2, 128, MODE ? 1024 : 256, MODE);
  FENCE;
#pragma unroll 1
  for (int i = 0; i < TIMES; i++)
    if (A_SHARED)
      product_shared(d, a, b);
    else
      product_registers(d, threadIdx.x, b);
  WAIT;
  for (int i = 0; i < N / 2; i++)
    out[i * 128 + threadIdx.x] = d[i];
}

__device__ void wait(unsigned barrier)
{
  unsigned done = 0;

  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, "
                 "[%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(barrier)
                 : "memory");
}

__device__ unsigned begin(unsigned bytes)
{
  __shared__ __align__(8) unsigned long long barrier;
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);

  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at),
      "r"(bytes)
      : "memory");
  return at;
}

// CASE only tells launches of different boxes apart.
template <int CASE>
__global__ void load_box(const __grid_constant__ CUtensorMap map, int x, int y,
                         unsigned bytes)
{
  extern __shared__ __align__(1024) unsigned char tile[];
  unsigned barrier = begin(bytes);

  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          (unsigned)__cvta_generic_to_shared(tile)),
      "l"(&map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
  wait(barrier);
}

template <int CASE>
__global__ void store_box(const __grid_constant__ CUtensorMap map, int x, int y)
{
  extern __shared__ __align__(1024) unsigned char tile[];
  unsigned at = (unsigned)__cvta_generic_to_shared(tile);

  if (CASE < 10)
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
                 " [%0, {%2, %3}], [%1];" ::"l"(&map),
                 "r"(at), "r"(x), "r"(y)
                 : "memory");
  else
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile"
                 ".bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                 "r"(at), "r"(x), "r"(y)
                 : "memory");
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <int CASE>
__global__ void load_bytes(const unsigned char *from, unsigned bytes)
{
  extern __shared__ __align__(1024) unsigned char tile[];
  unsigned barrier = begin(bytes);

  asm volatile("cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   (unsigned)__cvta_generic_to_shared(tile)),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
  wait(barrier);
}

template <int CASE>
__global__ void store_bytes(unsigned char *to, unsigned bytes)
{
  extern __shared__ __align__(1024) unsigned char tile[];

  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
      "r"((unsigned)__cvta_generic_to_shared(tile)), "r"(bytes)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void __cluster_dims__(2, 1, 1)
    load_for_both(const __grid_constant__ CUtensorMap map, unsigned bytes)
{
  extern __shared__ __align__(1024) unsigned char tile[];
  unsigned barrier = begin(bytes);

  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (blockIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%3, %3}], [%2], %4;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(tile)),
                 "l"(&map), "r"(barrier), "r"(0), "h"((short)3)
                 : "memory");
  wait(barrier);
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

typedef CUresult encode_t(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                          void *, const cuuint64_t *, const cuuint64_t *,
                          const cuuint32_t *, const cuuint32_t *,
                          CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static encode_t *encode;

static CUtensorMap box(void *tensor, unsigned width, unsigned height,
                       CUtensorMapSwizzle swizzle)
{
  cuuint64_t sizes[] = { 1024, 1024 }, strides[] = { 2048 };
  cuuint32_t extent[] = { width, height }, steps[] = { 1, 1 };
  CUtensorMap map;

  if (encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, tensor, sizes, strides,
             extent, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
             CU_TENSOR_MAP_L2_PROMOTION_NONE,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    fprintf(stderr, "cuTensorMapEncodeTiled\n");
    exit(1);
  }
  return map;
}

template <typename... A, typename... B>
static void run(unsigned blocks, unsigned threads, void (*kernel)(A...),
                B... arguments)
{
  CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  kernel<<<blocks, threads, SHARED>>>(arguments...);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

int main()
{
  const CUtensorMapSwizzle none = CU_TENSOR_MAP_SWIZZLE_NONE;
  const CUtensorMapSwizzle by_128 = CU_TENSOR_MAP_SWIZZLE_128B;
  cudaDriverEntryPointQueryResult found;
  unsigned char *tensor;
  void *address;

  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address,
                                         12000, cudaEnableDefault, &found));
  encode = (encode_t *)address;
  CHECK(cudaMalloc(&tensor, 2048 * 1024));
  CHECK(cudaMemset(tensor, 0, 2048 * 1024));
  run(1, 128, multiply<8, true, 0>, (float *)tensor);
  run(1, 128, multiply<8, true, 1>, (float *)tensor);
  run(1, 128, multiply<64, true, 0>, (float *)tensor);
  run(1, 128, multiply<64, true, 1>, (float *)tensor);
  run(1, 128, multiply<64, false, 1>, (float *)tensor);
  run(1, 128, multiply<128, true, 1>, (float *)tensor);
  run(1, 128, multiply<128, false, 1>, (float *)tensor);
  run(1, 1, load_box<0>, box(tensor, 64, 64, by_128), 0, 0, 8192u);
  run(1, 1, load_box<1>, box(tensor, 64, 64, none), 0, 0, 8192u);
  run(1, 1, load_box<2>, box(tensor, 64, 64, none), 8, 3, 8192u);
  run(1, 1, load_box<3>, box(tensor, 8, 64, none), 0, 0, 1024u);
  run(1, 1, load_box<4>, box(tensor, 64, 64, by_128), 992, 1000, 8192u);
  run(1, 1, load_box<5>, box(tensor, 64, 1, by_128), 0, 0, 128u);
  run(1, 1, store_box<0>, box(tensor, 64, 64, by_128), 0, 0);
  run(1, 1, store_box<1>, box(tensor, 64, 64, none), 8, 3);
  run(1, 1, store_box<2>, box(tensor, 8, 64, none), 0, 0);
  run(1, 1, store_box<10>, box(tensor, 64, 64, by_128), 0, 0);
  run(1, 1, load_bytes<0>, (const unsigned char *)tensor, 4096u);
  run(1, 1, load_bytes<1>, (const unsigned char *)tensor + 16, 4096u);
  run(1, 1, load_bytes<2>, (const unsigned char *)tensor, 16u);
  run(1, 1, store_bytes<0>, tensor, 4096u);
  run(1, 1, store_bytes<1>, tensor + 16, 4096u);
  run(2, 1, load_for_both, box(tensor, 64, 64, by_128), 8192u);
  CHECK(cudaFree(tensor));
  return 0;
}
