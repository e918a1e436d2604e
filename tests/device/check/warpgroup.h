// Products by warpgroups for the programs of checks: 64 x 8, by 16.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TILE_WORDS = 64 * 16 / 2 };

// A tile of 64 rows of 16 halves: 128 bytes between the halves of a row, 256
// between groups of 8 rows. B is its first 8 rows.
__device__ inline uint64_t describe(const uint32_t *tile)
{
  uint32_t address = (uint32_t)__cvta_generic_to_shared(tile);

  return (address & 0x3ffff) >> 4 | (uint64_t)(128 >> 4) << 16 |
         (uint64_t)(256 >> 4) << 32;
}

__device__ inline void fill(uint32_t *tile, uint32_t value)
{
  for (unsigned i = threadIdx.x; i < TILE_WORDS; i += blockDim.x)
    tile[i] = value;
}

__device__ inline void proxy_fence()
{
  asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ inline void product_fence()
{
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void multiply(float (&d)[4], uint64_t a, uint64_t b)
{
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
}

// The same with A in registers.
__device__ inline void multiply_registers(float (&d)[4], const uint32_t (&a)[4],
                                          uint64_t b)
{
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ inline void commit()
{
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Names the sums, so that the compiler keeps their uses after it.
template <int N> __device__ inline void wait(float (&d)[4])
{
  asm volatile("wgmma.wait_group.sync.aligned %4;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "n"(N)
               : "memory");
}

// Names A, too: it may change after the wait, not before.
template <int N>
__device__ inline void wait_for_both(float (&d)[4], uint32_t (&a)[4])
{
  asm volatile("wgmma.wait_group.sync.aligned %8;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+r"(a[0]),
                 "+r"(a[1]), "+r"(a[2]), "+r"(a[3])
               : "n"(N)
               : "memory");
}

__device__ inline void store(float *out, const float (&d)[4])
{
  for (int i = 0; i < 4; i++)
    out[threadIdx.x % 128 * 4 + i] = d[i];
}

__device__ inline unsigned shared_address(const void *at)
{
  return (unsigned)__cvta_generic_to_shared(at);
}

__device__ inline void barrier_init(uint64_t *barrier, unsigned n)
{
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(n)
      : "memory");
}

__device__ inline void barrier_arrive(uint64_t *barrier)
{
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
      : "memory");
}

__device__ inline void barrier_wait(uint64_t *barrier, unsigned parity)
{
  unsigned done = 0;

  while (!done)
    asm volatile("{.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
}

// One thread: `bytes` bytes arrive at `to`, and `barrier` is told.
__device__ inline void load(uint32_t *to, const uint32_t *from, unsigned bytes,
                            uint64_t *barrier)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(barrier)),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
