// Bugs of programs that use wgmma and bulk copies, none of which shows in the
// results. `broken_warpgroup` lists the cases and what is to be reported about each.
#include "warpgroup.h"

#include <cuda.h>
#include <cuda_runtime.h>

__global__ void no_proxy_fence(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  __syncthreads();
  product_fence();
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<0>(d);
  store(out, d);
}

// A fence too early is none.
__global__ void early_proxy_fence(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  proxy_fence();
  fill(tile, 0x3c003c00);
  __syncthreads();
  product_fence();
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<0>(d);
  store(out, d);
}

__global__ void no_proxy_fence_copy(uint32_t *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];

  fill(tile, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(out),
        "r"(shared_address(tile))
        : "memory");
}

// Only the last word that the copy reads is stored after the fence.
__global__ void no_proxy_fence_at_the_end(uint32_t *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];

  fill(tile, threadIdx.x);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    ((volatile uint32_t *)tile)[255] = 1;
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(out),
        "r"(shared_address(tile))
        : "memory");
  }
}

// The same with the box of a tensor, 16 by 32 words.
__global__ void no_proxy_fence_box(const __grid_constant__ CUtensorMap map)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];

  fill(tile, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
        " [%0, {%2, %2}], [%1];\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(&map),
        "r"(shared_address(tile)), "r"(0)
        : "memory");
}

// Each warp has stored its part by stmatrix.
__global__ void no_proxy_fence_matrix(uint32_t *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  unsigned at = shared_address(tile) + 16 * threadIdx.x;

  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, "
               "%1};" ::"r"(at),
               "r"(threadIdx.x)
               : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 2048;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(out),
        "r"(shared_address(tile))
        : "memory");
}

// The next tile is stored before the product of the last one has ended.
__global__ void overwritten(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  product_fence();
  multiply(d, describe(tile), describe(tile));
  commit();
  __syncthreads();
  fill(tile, 0);
  wait<0>(d);
  store(out, d);
}

// The consumer says that the tile is free before it has waited; a copy comes.
__global__ void freed_too_early(const uint32_t *in, float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  __shared__ uint64_t full, empty;
  float d[4] = {};

  if (threadIdx.x == 0) {
    barrier_init(&full, 1);
    barrier_init(&empty, 1);
    proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (unsigned i = 0; i < 2; i++) {
        if (i > 0)
          barrier_wait(&empty, 0);
        load(tile, in, sizeof tile, &full);
      }
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    barrier_wait(&full, i);
    product_fence();
    multiply(d, describe(tile), describe(tile));
    commit();
    if (threadIdx.x == 0)
      barrier_arrive(&empty);
    wait<0>(d);
  }
  store(out, d);
}

__global__ void used_too_early(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  product_fence();
  multiply(d, describe(tile), describe(tile));
  commit();
  store(out, d);
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// The second of two groups is not waited for.
__global__ void waited_for_one(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float c[4] = {}, d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  product_fence();
  multiply(c, describe(tile), describe(tile));
  commit();
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<1>(c);
  store(out, c);
  store(out + 512, d);
}

__global__ void no_fence(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<0>(d);
  store(out, d);
}

// The sums are scaled between two products.
__global__ void no_second_fence(float *out, float factor)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  product_fence();
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<0>(d);
  for (int i = 0; i < 4; i++)
    d[i] *= factor;
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<0>(d);
  store(out, d);
}

// The next A is calculated while a product still reads the last one.
__global__ void a_overwritten(const uint32_t *in, float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
#pragma unroll 1
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t a[4];

    for (uint32_t k = 0; k < 4; k++)
      a[k] = in[threadIdx.x + k] ^ i;  // HERE a_overwritten
    product_fence();
    multiply_registers(d, a, describe(tile));
    commit();
  }
  wait<0>(d);
  store(out, d);
}

// The next A is loaded meanwhile. The wait doesn't say that the last one is
// needed until then, so nvcc puts the next one into the same registers.
__global__ void a_not_named(const uint32_t *in, float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};
  uint32_t a[4];

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  for (uint32_t k = 0; k < 4; k++)
    a[k] = in[threadIdx.x + k];
#pragma unroll 1
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t next[4];

    product_fence();
    multiply_registers(d, a, describe(tile));
    commit();
    for (uint32_t k = 0; k < 4; k++)
      next[k] = in[threadIdx.x + k] ^ (i + 1);  // HERE a_not_named
    wait<0>(d);
    for (uint32_t k = 0; k < 4; k++)
      a[k] = next[k];
  }
  store(out, d);
}

static const struct {
  const char *name, *told;
} names[] = {
  { "no_proxy_fence", "race,missing fence.proxy.async" },
  { "early_proxy_fence", "race,missing fence.proxy.async" },
  { "no_proxy_fence_copy", "race,missing fence.proxy.async" },
  { "no_proxy_fence_at_the_end", "race,missing fence.proxy.async" },
  { "no_proxy_fence_box", "race,missing fence.proxy.async" },
  { "no_proxy_fence_matrix", "race,missing fence.proxy.async" },
  { "overwritten", "race,shared memory overwritten under a wgmma" },
  { "freed_too_early", "race,shared memory overwritten under a wgmma" },
  { "used_too_early", "race,wgmma's sums used before wgmma.wait_group" },
  { "waited_for_one", "race,wgmma's sums used before wgmma.wait_group" },
  { "no_fence", "race,missing wgmma.fence" },
  { "no_second_fence", "race,missing wgmma.fence" },
  { "a_overwritten", "race,registers overwritten under a wgmma" },
  { "a_not_named", "race,registers overwritten under a wgmma" },
};

static CUtensorMap box(void *tensor)
{
  typedef CUresult encode_t(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                            void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *,
                            CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  cuuint64_t sizes[] = { 16, 32 }, strides[] = { 64 };
  cuuint32_t extent[] = { 16, 32 }, steps[] = { 1, 1 };
  cudaDriverEntryPointQueryResult found;
  CUtensorMap map;
  void *encode = NULL;

  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  ((encode_t *)encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, tensor, sizes, strides, extent,
      steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  uint32_t *in;
  float *out;

  for (size_t i = 0; argc < 2 && i < sizeof names / sizeof *names; i++)
    printf("%s,%s\n", names[i].name, names[i].told);
  if (argc < 2)
    return 0;
  cudaMalloc(&in, TILE_WORDS * 4);
  cudaMalloc(&out, 4096);
  cudaMemset(in, 0, TILE_WORDS * 4);
#define RUN(kernel, threads, ...)                                              \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<1, threads>>>(__VA_ARGS__)
  RUN(no_proxy_fence, 128, out);
  RUN(early_proxy_fence, 128, out);
  RUN(no_proxy_fence_copy, 128, (uint32_t *)out);
  RUN(no_proxy_fence_at_the_end, 128, (uint32_t *)out);
  RUN(no_proxy_fence_box, 128, box(out));
  RUN(no_proxy_fence_matrix, 128, (uint32_t *)out);
  RUN(overwritten, 128, out);
  RUN(freed_too_early, 160, in, out);
  RUN(used_too_early, 128, out);
  RUN(waited_for_one, 128, out);
  RUN(no_fence, 128, out);
  RUN(no_second_fence, 128, out, 2.0f);
  RUN(a_overwritten, 128, in, out);
  RUN(a_not_named, 128, in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
