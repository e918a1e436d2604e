/* What warpgroups.cu needs besides hopper.h, as thin wrappers around PTX. */
#ifndef CODE_ATTENTION_INSTRUCTIONS_H
#define CODE_ATTENTION_INSTRUCTIONS_H

#include "attention/attention.h"
#include "common/hopper.h"

/* A product of 64 × 176. */
#define NAMES_88 TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) \
                 "%80,%81,%82,%83,%84,%85,%86,%87"
#define REGISTERS_88(i) REGISTERS_64(i), REGISTERS_16(i + 64), \
                        REGISTERS_4(i + 80), REGISTERS_4(i + 84)
WGMMA(88, 176, 88, 89, 90, 91, 92, 93)

/* What computes d without wgmma is done before what follows. */
template <int N> static __device__ inline void settle(float (&d)[N])
{
#pragma unroll
  for (int i = 0; i < N; i++)
    asm volatile("" : "+f"(d[i])::"memory");
}

static __device__ inline float two_to_the(float x)
{
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/* A box of one head. What is past its last row is zero, and not the next
 * head. */
static __device__ inline void head_load(void *to, const CUtensorMap *map, int head,
                                 int row, int column, mbarrier *full)
{
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to)),
               "l"(map), "r"(column), "r"(row), "r"(head),
               "r"(shared_address(full))
               : "memory");
}

static inline CUtensorMap head_map(const bf16 *d_array, problem p, unsigned box_rows)
{
  cuuint64_t sizes[3] = { (cuuint64_t)p.d, (cuuint64_t)p.n,
                          (cuuint64_t)p.n_heads };
  cuuint64_t bytes[2] = { p.d * sizeof(bf16), p.d * sizeof(bf16) * p.n };
  cuuint32_t box[3] = { 64, box_rows, 1 };
  cuuint32_t steps[3] = { 1, 1, 1 };
  static tma_encode encode;
  if (!encode) {
    cudaDriverEntryPointQueryResult found;
    CUDA_CHECK(cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault,
        &found));
  }
  CUtensorMap map;
  CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, (void *)d_array, sizes,
             bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    fprintf(stderr, "error: cuTensorMapEncodeTiled refuses %d x %d x %d bf16 "
            "in boxes of %u x 64: error %d\n", p.n_heads, p.n, p.d, box_rows,
            (int)result);
    exit(EXIT_FAILURE);
  }
  return map;
}

#endif
