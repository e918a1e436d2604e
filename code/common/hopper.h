/* What Hopper's tensor cores need besides the mbarriers and copies of
 * async/tma.h, as thin wrappers around PTX: each function is one instruction.
 * wgmma belongs to compute_90a, so a program with this header is compiled with
 * -gencode arch=compute_90a,code=sm_90a and runs on compute capability 9.0
 * only.
 *
 * A tile in shared memory has rows of 128 bytes, 64 bfloat16, as the TMA
 * writes them with CU_TENSOR_MAP_SWIZZLE_128B: 8 rows, 1024 bytes, are a
 * pattern, and a tile begins at a multiple of it. */
#ifndef CODE_COMMON_HOPPER_H
#define CODE_COMMON_HOPPER_H

#include <cuda_bf16.h>
#include <stdint.h>

#include "async/tma.h"

typedef __nv_bfloat16 bf16;

enum { TILE_COLUMNS = 64, PATTERN_BYTES = 1024 };   /* 64 bf16: 128 bytes */

/* ---- wgmma: 128 threads multiply, operands in shared memory ----------- */

// begin descriptor
/* Where a tile is: address, step from one pattern to the next, swizzle. In a
 * tile that is read transposed, `next_columns` bytes are from one 64 columns
 * to the next; else there is no such step. Offsets count in 16 bytes. */
static __device__ inline uint64_t descriptor(const void *tile,
                                             unsigned next_columns = 16)
{
  return (shared_address(tile) & 0x3ffff) >> 4 |
         (uint64_t)(next_columns >> 4) << 16 |
         (uint64_t)(PATTERN_BYTES >> 4) << 32 | (uint64_t)1 << 62;
}
// end descriptor

/* Between the fence and the end of a product its registers must not be
 * touched. A wait leaves IN_FLIGHT groups unfinished; if it names registers,
 * the compiler knows that they have changed. */
static __device__ inline void wgmma_fence(void)
{
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ inline void wgmma_commit(void)
{
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int IN_FLIGHT> static __device__ inline void wgmma_wait(void)
{
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(IN_FLIGHT) : "memory");
}

template <int IN_FLIGHT, int N>
static __device__ inline void wgmma_wait(float (&d)[N])
{
  wgmma_wait<IN_FLIGHT>();
  for (int i = 0; i < N; i++)
    asm volatile("" : "+f"(d[i])::"memory");
}

/* The names and the variables of 32, 64 and 128 registers. */
#define TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t \
               "6,%" #t "7,%" #t "8,%" #t "9,"
#define NAMES_32 TEN() TEN(1) TEN(2) "%30,%31"
#define NAMES_64 TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60,%61,%62,%63"
#define NAMES_128 TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) \
                  TEN(8) TEN(9) TEN(10) TEN(11) \
                  "%120,%121,%122,%123,%124,%125,%126,%127"
#define REGISTERS_4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), \
                       "+f"(d[i + 3])
#define REGISTERS_16(i) REGISTERS_4(i), REGISTERS_4(i + 4), \
                        REGISTERS_4(i + 8), REGISTERS_4(i + 12)
#define REGISTERS_32(i) REGISTERS_16(i), REGISTERS_16(i + 16)
#define REGISTERS_64(i) REGISTERS_32(i), REGISTERS_32(i + 32)
#define REGISTERS_128(i) REGISTERS_64(i), REGISTERS_64(i + 64)

/* wgmma(d, a, b, add): d = a b, or d += a b if `add`, for 64 × 16 of A and
 * 16 × N of B, N twice the registers of d. a and b are descriptors; B's tile
 * has a row per column of B. With four registers in place of a, A is in them,
 * and B's tile is read transposed: it has a row per row of B. */
#define WGMMA(r, n, p1, p2, p3, p4, p5, p6) \
  static __device__ __forceinline__ void wgmma(float (&d)[r], uint64_t a, \
                                               uint64_t b, int add) \
  { \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %" #p3 ", 0;\n" \
                 "wgmma.mma_async.sync.aligned.m64n" #n \
                 "k16.f32.bf16.bf16 {" NAMES_##r "}, %" #p1 ", %" #p2 \
                 ", p, 1, 1, 0, 0;}" \
                 : REGISTERS_##r(0) : "l"(a), "l"(b), "r"(add)); \
  } \
  static __device__ __forceinline__ void wgmma( \
      float (&d)[r], const unsigned (&a)[4], uint64_t b, int add) \
  { \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %" #p6 ", 0;\n" \
                 "wgmma.mma_async.sync.aligned.m64n" #n \
                 "k16.f32.bf16.bf16 {" NAMES_##r "}, {%" #p1 ",%" #p2 ",%" \
                 #p3 ",%" #p4 "}, %" #p5 ", p, 1, 1, 1;}" \
                 : REGISTERS_##r(0) \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), \
                   "r"(add)); \
  }
WGMMA(32, 64, 32, 33, 34, 35, 36, 37)
WGMMA(64, 128, 64, 65, 66, 67, 68, 69)
WGMMA(128, 256, 128, 129, 130, 131, 132, 133)

/* Moves registers between the warpgroups of a block: `more` takes, `less`
 * gives back, by all 128 threads. */
template <int N> static __device__ inline void registers_more(void)
{
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> static __device__ inline void registers_less(void)
{
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

/* ---- barriers, stores, clusters ----------------------------------------- */

/* A barrier for some of a block's threads. Number 0 is __syncthreads(). */
static __device__ inline void barrier_sync(int number, int n_threads)
{
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(n_threads) : "memory");
}

static __device__ inline void barrier_arrive(int number, int n_threads)
{
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(n_threads) : "memory");
}

/* Shows this thread's ordinary stores to the TMA and to wgmma. */
static __device__ inline void fence_async(void)
{
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Four 8 × 8 matrices of bf16 from a warp's registers to shared memory: lane
 * l gives the address of row l % 8 of matrix l / 8. */
static __device__ inline void store_matrices(void *row, unsigned a, unsigned b,
                                             unsigned c, unsigned d)
{
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"
               ::"r"(shared_address(row)), "r"(a), "r"(b), "r"(c), "r"(d)
               : "memory");
}

/* From shared memory to the box at (row, column); what is outside of the
 * array is not stored. One thread stores, commits, and waits until the TMA
 * has read all but IN_FLIGHT of its groups, or has written them (_done). */
static __device__ inline void box_store(const void *from,
                                        const CUtensorMap *map, int row,
                                        int column)
{
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
               "[%0, {%1, %2}], [%3];" ::"l"(map), "r"(column), "r"(row),
               "r"(shared_address(from))
               : "memory");
}

static __device__ inline void box_store_commit(void)
{
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int IN_FLIGHT> static __device__ inline void box_store_wait(void)
{
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(IN_FLIGHT) : "memory");
}

template <int IN_FLIGHT> static __device__ inline void box_store_done(void)
{
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(IN_FLIGHT) : "memory");
}

// begin box_multicast
/* box_load for several blocks of the cluster, those in the bits of `blocks`:
 * the box comes to the same place in each, and to the same mbarrier. */
static __device__ inline void box_multicast(void *to, const CUtensorMap *map,
                                            int row, int column,
                                            mbarrier *gate, unsigned blocks)
{
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
               "l"(map), "r"(column), "r"(row), "r"(shared_address(gate)),
               "h"((unsigned short)blocks)
               : "memory");
}

/* Arrives at the same mbarrier in another block of the cluster. It says
 * nothing of ordinary stores: a release for the cluster would wait for them. */
static __device__ inline void mbarrier_arrive_in(mbarrier *gate,
                                                 unsigned block)
{
  asm volatile("{.reg .b32 there;\n"
               "mapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(
                   shared_address(gate)),
               "r"(block)
               : "memory");
}
// end box_multicast

static __device__ inline void cluster_sync(void)
{
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* ---- on the host -------------------------------------------------------- */

/* The instructions of compute_90a are on no GPU but those of 9.0; a program
 * elsewhere ends here. */
static inline void hopper_need(void)
{
  const cudaDeviceProp *p = device_properties();
  if (p->major == 9 && p->minor == 0)
    return;
  printf("needs compute capability 9.0, here is %d.%d\n", p->major, p->minor);
  exit(EXIT_SKIPPED);
}

/* Describes a rows × columns array to the TMA, for boxes of box_rows rows and
 * 64 columns that are swizzled in shared memory. */
static inline CUtensorMap hopper_map(const bf16 *d_array, size_t rows,
                                     size_t columns, unsigned box_rows)
{
  static tma_encode encode;
  if (!encode) {
    cudaDriverEntryPointQueryResult found;
    CUDA_CHECK(cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault,
        &found));
  }
  cuuint64_t sizes[2] = { columns, rows };
  cuuint64_t row_bytes[1] = { columns * sizeof(bf16) };
  cuuint32_t box[2] = { TILE_COLUMNS, box_rows }, steps[2] = { 1, 1 };
  CUtensorMap map;
  CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void *)d_array, sizes,
             row_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    fprintf(stderr, "error: cuTensorMapEncodeTiled refuses %zu x %zu bf16 in "
            "boxes of %u x 64: error %d; rows must be multiples of 8\n",
            rows, columns, box_rows, (int)result);
    exit(EXIT_FAILURE);
  }
  return map;
}

#endif
