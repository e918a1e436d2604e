/* Asynchronous copies by the tensor memory accelerator (TMA), as thin wrappers
 * around PTX: each function is one instruction, or the loop that waits for one.
 * Needs compute capability 9.0.
 *
 * An mbarrier is a 64-bit word in shared memory. A phase of it ends when all
 * expected threads have arrived and all announced bytes have come; then the
 * next phase begins by itself. You wait for a phase by its parity: 0 for the
 * first, 1 for the second, 0 for the third … */
#ifndef CODE_ASYNC_TMA_H
#define CODE_ASYNC_TMA_H

#include <cuda.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"

/* ---- in kernels ------------------------------------------------------ */

typedef unsigned long long mbarrier;

static __device__ inline unsigned shared_address(const void *pointer)
{
  return (unsigned)__cvta_generic_to_shared(pointer);
}

/* By one thread. The fence shows the new barrier to the TMA, which
 * does not see ordinary stores otherwise; a __syncthreads() must follow. */
static __device__ inline void mbarrier_init(mbarrier *gate, unsigned n_arrivals)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   shared_address(gate)),
               "r"(n_arrivals)
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
}

/* Arrives, and announces so many bytes that copies will bring. */
static __device__ inline void mbarrier_expect(mbarrier *gate, unsigned n_bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(gate)),
               "r"(n_bytes)
               : "memory");
}

static __device__ inline void mbarrier_arrive(mbarrier *gate)
{
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   shared_address(gate))
               : "memory");
}

// begin mbarrier_wait
static __device__ inline void mbarrier_wait(mbarrier *gate, unsigned parity)
{
  unsigned done = 0;
  while (!done)
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t"
                 "}"
                 : "=r"(done)
                 : "r"(shared_address(gate)), "r"(parity)
                 : "memory");
}
// end mbarrier_wait

/* Consecutive bytes: addresses and length must be multiples of 16. */
static __device__ inline void bulk_load(void *to, const void *from,
                                        unsigned n_bytes, mbarrier *gate)
{
  asm volatile("cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(n_bytes), "r"(shared_address(gate))
               : "memory");
}

// begin box_load
/* The box of a tensor map whose first element is at (row, column). */
static __device__ inline void box_load(void *to, const CUtensorMap *map,
                                       int row, int column, mbarrier *gate)
{
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
               "l"(map), "r"(column), "r"(row), "r"(shared_address(gate))
               : "memory");
}
// end box_load

/* ---- on the host ----------------------------------------------------- */

/* TMA needs compute capability 9.0; a program without it ends here. */
static inline void tma_need(void)
{
  if (device_properties()->major >= 9)
    return;
  printf("needs compute capability 9.0, here is %d.%d\n",
         device_properties()->major, device_properties()->minor);
  exit(EXIT_SKIPPED);
}

typedef CUresult (*tma_encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                               void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *,
                               CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion,
                               CUtensorMapFloatOOBfill);

// begin tma_map
/* Describes a rows × columns array of floats to the TMA, and the box
 * that one copy takes of it. The encoder belongs to the driver; asking the
 * runtime for it saves linking with libcuda. */
static inline CUtensorMap tma_map(const float *d_array, size_t rows,
                                  size_t columns, unsigned box_rows,
                                  unsigned box_columns,
                                  CUtensorMapSwizzle swizzle)
{
  static tma_encode encode;
  if (!encode) {
    cudaDriverEntryPointQueryResult found;
    CUDA_CHECK(cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault,
        &found));
  }
  cuuint64_t sizes[2] = { columns, rows };
  cuuint64_t row_bytes[1] = { columns * sizeof(float) };
  cuuint32_t box[2] = { box_columns, box_rows };
  cuuint32_t steps[2] = { 1, 1 };
  CUtensorMap map;
  CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)d_array, sizes,
             row_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
             CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    fprintf(stderr, "error: cuTensorMapEncodeTiled refuses %zu x %zu floats in "
            "boxes of %u x %u: error %d; rows must be multiples of 16 bytes\n",
            rows, columns, box_rows, box_columns, (int)result);
    exit(EXIT_FAILURE);
  }
  return map;
}
// end tma_map

#endif
