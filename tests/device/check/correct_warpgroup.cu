// Programs with wgmma and bulk copies that are right: the checks must be silent
// about each. `correct_warpgroup` lists the cases.
#include "warpgroup.h"

enum { STAGES = 3, STEPS = 7 };

// One fence by the threads that stored, or by one of those that multiply.
__global__ void fence_of_writers(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  for (int i = 0; i < STEPS; i++) {
    fill(tile, 0x3c003c00);
    proxy_fence();
    __syncthreads();
    product_fence();
    multiply(d, describe(tile), describe(tile));
    commit();
    wait<0>(d);
    __syncthreads();
  }
  store(out, d);
}

__global__ void fence_of_readers(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};

  fill(tile, 0x3c003c00);
  __syncthreads();
  proxy_fence();
  product_fence();
  multiply(d, describe(tile), describe(tile));
  commit();
  wait<0>(d);
  store(out, d);
}

// A producer warp copies, two warpgroups multiply; one thread of each says that
// a stage is free, a product late.
__global__ void pipeline(const uint32_t *in, float *out)
{
  __shared__ __align__(128) uint32_t tile[STAGES][TILE_WORDS];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  float d[4] = {};

  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; i++) {
      barrier_init(&full[i], 1);
      barrier_init(&empty[i], 2);
    }
    proxy_fence();
  }
  __syncthreads();
  if (threadIdx.x >= 256) {
    if (threadIdx.x == 256)
      for (unsigned i = 0; i < STEPS; i++) {
        if (i >= STAGES)
          barrier_wait(&empty[i % STAGES], (i / STAGES - 1) % 2);
        load(tile[i % STAGES], in, sizeof tile[0], &full[i % STAGES]);
      }
    return;
  }
  for (unsigned i = 0; i < STEPS; i++) {
    barrier_wait(&full[i % STAGES], i / STAGES % 2);
    product_fence();
    multiply(d, describe(tile[i % STAGES]), describe(tile[i % STAGES]));
    commit();
    wait<1>(d);
    if (i > 0 && threadIdx.x % 128 == 0)
      barrier_arrive(&empty[(i - 1) % STAGES]);
  }
  wait<0>(d);
  store(out + threadIdx.x / 128 * 512, d);
}

// Sums that are scaled between products, and others that are still being
// added to.
__global__ void two_sums(float *out, float factor)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float c[4] = {}, d[4] = {};

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
  for (int i = 0; i < STEPS; i++) {
    product_fence();
    multiply(c, describe(tile), describe(tile));
    commit();
    multiply(d, describe(tile), describe(tile));
    commit();
    wait<1>(c);
    for (int k = 0; k < 4; k++)
      c[k] *= factor;
    wait<0>(d);
  }
  store(out, c);
  store(out + 512, d);
}

// The result goes back through shared memory.
__global__ void stored_by_copy(float *out)
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
  __syncthreads();
  for (int i = 0; i < 4; i++)
    tile[threadIdx.x * 4 + i] = __float_as_uint(d[i]);
  proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 2048;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(out),
        "r"(shared_address(tile))
        : "memory");
}

// Two sets of registers take turns: a product reads one while the other is
// filled.
__global__ void a_in_turns(const uint32_t *in, float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};
  uint32_t a[2][4];

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
#pragma unroll 1
  for (uint32_t i = 0; i < STEPS; i++)
#pragma unroll
    for (uint32_t turn = 0; turn < 2; turn++) {
      for (uint32_t k = 0; k < 4; k++)
        a[turn][k] = in[threadIdx.x + k] ^ (2 * i + turn);
      product_fence();
      multiply_registers(d, a[turn], describe(tile));
      commit();
      wait<1>(d);
    }
  wait<0>(d);
  store(out, d);
}

// The next A is loaded while a product reads the last one, and the wait names
// it.
__global__ void a_is_named(const uint32_t *in, float *out)
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
      next[k] = in[threadIdx.x + k] ^ (i + 1);
    wait_for_both<0>(d, a);
    for (uint32_t k = 0; k < 4; k++)
      a[k] = next[k];
  }
  store(out, d);
}

// The same constants for all products, none of which is waited for.
__global__ void a_stays(float *out)
{
  __shared__ __align__(128) uint32_t tile[TILE_WORDS];
  float d[4] = {};
  const uint32_t a[4] = { 0x3c003c00, 0, 0x3c003c00, 0 };

  fill(tile, 0x3c003c00);
  proxy_fence();
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < STEPS; i++) {
    product_fence();
    multiply_registers(d, a, describe(tile));
    commit();
  }
  wait<0>(d);
  store(out, d);
}

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  uint32_t *in;
  float *out;

  if (argc < 2) {
    puts("fence_of_writers\nfence_of_readers\npipeline\ntwo_sums\n"
         "stored_by_copy\na_in_turns\na_is_named\na_stays");
    return 0;
  }
  cudaMalloc(&in, TILE_WORDS * 4);
  cudaMalloc(&out, 4096);
  cudaMemset(in, 0, TILE_WORDS * 4);
#define RUN(kernel, threads, ...)                                              \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<1, threads>>>(__VA_ARGS__)
  RUN(fence_of_writers, 128, out);
  RUN(fence_of_readers, 128, out);
  RUN(pipeline, 288, in, out);
  RUN(two_sums, 128, out, 0.5f);
  RUN(stored_by_copy, 128, out);
  RUN(a_in_turns, 128, in, out);
  RUN(a_is_named, 128, in, out);
  RUN(a_stays, 128, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", name, cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
