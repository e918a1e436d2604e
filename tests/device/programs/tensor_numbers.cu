// What bulk copies of tensors make of numbers: those of tf32 are rounded as
// they are loaded, those that are flushed are so only by a sum, and what lies
// outside may be a NaN. The bits are an H100's.
#include <cuda.h>
#include <stdint.h>
#include "check.h"

enum { N = 40, BOX = 64 };

static const struct {
  uint32_t bits, as_tf32;      // in global memory, and loaded as tf32
  uint32_t old, sum, flushed;  // old + bits, and for types that flush
} rows[N] = {
  { 0x3f800000, 0x3f800000, 0x00000000, 0x3f800000, 0x3f800000 },
  { 0x3f800fff, 0x3f800000, 0x00000001, 0x3f800fff, 0x3f800fff },
  { 0x3f801000, 0x3f800000, 0x3f800001, 0x40000800, 0x40000800 },
  { 0x3f801001, 0x3f802000, 0x00000000, 0x3f801001, 0x3f801001 },
  { 0x3f801fff, 0x3f802000, 0x00000001, 0x3f801fff, 0x3f801fff },
  { 0x3f802000, 0x3f802000, 0x3f800001, 0x40001000, 0x40001000 },
  { 0x3f802fff, 0x3f802000, 0x00000000, 0x3f802fff, 0x3f802fff },
  { 0x3f803000, 0x3f804000, 0x00000001, 0x3f803000, 0x3f803000 },
  { 0x3f803001, 0x3f804000, 0x3f800001, 0x40001801, 0x40001801 },
  { 0xbf801000, 0xbf800000, 0x00000000, 0xbf801000, 0xbf801000 },
  { 0xbf803000, 0xbf804000, 0x00000001, 0xbf803000, 0xbf803000 },
  { 0x7f7fffff, 0x7f800000, 0x3f800001, 0x7f7fffff, 0x7f7fffff },
  { 0xff7fffff, 0xff800000, 0x00000000, 0xff7fffff, 0xff7fffff },
  { 0x7f7ff000, 0x7f800000, 0x00000001, 0x7f7ff000, 0x7f7ff000 },
  { 0x7f800000, 0x7f800000, 0x3f800001, 0x7f800000, 0x7f800000 },
  { 0xff800000, 0xff800000, 0x00000000, 0xff800000, 0xff800000 },
  { 0x7fc00000, 0x7fffe000, 0x00000001, 0x7fffffff, 0x7fffffff },
  { 0x7f800001, 0x7fffe000, 0x3f800001, 0x7fffffff, 0x7fffffff },
  { 0x7fffffff, 0x7fffe000, 0x00000000, 0x7fffffff, 0x7fffffff },
  { 0xffc00001, 0x7fffe000, 0x00000001, 0x7fffffff, 0x7fffffff },
  { 0x00000001, 0x00000000, 0x3f800001, 0x3f800001, 0x3f800001 },
  { 0x00000fff, 0x00000000, 0x00000000, 0x00000fff, 0x00000000 },
  { 0x00001000, 0x00000000, 0x00000001, 0x00001001, 0x00000000 },
  { 0x00001001, 0x00002000, 0x3f800001, 0x3f800001, 0x3f800001 },
  { 0x00003000, 0x00004000, 0x00000000, 0x00003000, 0x00000000 },
  { 0x007fffff, 0x00800000, 0x00000001, 0x00800000, 0x00000000 },
  { 0x807fffff, 0x80800000, 0x3f800001, 0x3f800001, 0x3f800001 },
  { 0x007ff000, 0x00800000, 0x00000000, 0x007ff000, 0x00000000 },
  { 0x007fefff, 0x007fe000, 0x00000001, 0x007ff000, 0x00000000 },
  { 0x00800000, 0x00800000, 0x3f800001, 0x3f800001, 0x3f800001 },
  { 0x00801000, 0x00800000, 0x00000000, 0x00801000, 0x00801000 },
  { 0x80000000, 0x80000000, 0x00000001, 0x00000001, 0x00000000 },
  { 0x80000001, 0x80000000, 0x3f800001, 0x3f800001, 0x3f800001 },
  { 0x00400000, 0x00400000, 0x00000000, 0x00400000, 0x00000000 },
  { 0x00002000, 0x00002000, 0x00000001, 0x00002001, 0x00000000 },
  { 0x3eaaaaab, 0x3eaaa000, 0x3f800001, 0x3faaaaac, 0x3faaaaac },
  { 0x40490fdb, 0x40490000, 0x00000000, 0x40490fdb, 0x40490fdb },
  { 0x12345678, 0x12346000, 0x00000001, 0x12345678, 0x12345678 },
  { 0xc2f6e979, 0xc2f6e000, 0x3f800001, 0xc2f4e979, 0xc2f4e979 },
  { 0x4b800001, 0x4b800000, 0x00000000, 0x4b800001, 0x4b800001 },
};

enum How { LOAD, STORE, ADD };

__global__ void move(const __grid_constant__ CUtensorMap map, int how,
                     uint32_t *numbers)
{
  __shared__ __align__(128) uint32_t box[BOX];
  __shared__ __align__(8) uint64_t barrier;
  unsigned gate = __cvta_generic_to_shared(&barrier),
           at = __cvta_generic_to_shared(box), done = 0;

  if (how != LOAD)
    for (int i = 0; i < BOX; i++)
      box[i] = numbers[i];
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(gate));
  asm volatile("fence.proxy.async;" ::: "memory");
  if (how == LOAD) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(gate)
        : "memory");
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(at),
        "l"(&map), "r"(0), "r"(gate)
        : "memory");
    while (!done)
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, "
                   "[%1], 0; selp.u32 %0, 1, 0, p;}"
                   : "=r"(done)
                   : "r"(gate)
                   : "memory");
    for (int i = 0; i < BOX; i++)
      numbers[i] = box[i];
  } else {
    if (how == STORE)
      asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group"
                   " [%0, {%1}], [%2];" ::"l"(&map),
                   "r"(0), "r"(at)
                   : "memory");
    else
      asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add"
                   ".bulk_group [%0, {%1}], [%2];" ::"l"(&map),
                   "r"(0), "r"(at)
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

typedef CUresult encode_t(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                          void *, const cuuint64_t *, const cuuint64_t *,
                          const cuuint32_t *, const cuuint32_t *,
                          CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static encode_t *encode;

// A tensor of N numbers, of which boxes have BOX.
static CUresult describe(CUtensorMap *map, int type, bool nan, void *address)
{
  cuuint64_t size = N, stride = 0;
  cuuint32_t box = BOX, step = 1;

  return encode(map, (CUtensorMapDataType)type, 1, address, &size, &stride,
                &box, &step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                    : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

static void check(int type, How how, bool nan)
{
  alignas(64) CUtensorMap map;
  uint32_t *tensor = managed<uint32_t>(BOX), *box = managed<uint32_t>(BOX);
  bool rounds = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 ||
                type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
  bool flushes = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ ||
                 type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;

  for (int i = 0; i < N; i++) {
    tensor[i] = how == ADD ? rows[i].old : rows[i].bits;
    box[i] = rows[i].bits;
  }
  if (how == STORE)
    for (int i = 0; i < N; i++)
      tensor[i] = 0xcccccccc;
  EXPECT(describe(&map, type, nan, tensor) == CUDA_SUCCESS);
  move<<<1, 1>>>(map, how, box);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < BOX; i++) {
    uint32_t got = how == LOAD ? box[i] : tensor[i], expected;
    if (i >= N)
      expected = nan && how == LOAD ? 0x7ff77ff7 : 0;
    else if (how == ADD)
      expected = flushes ? rows[i].flushed : rows[i].sum;
    else
      expected = how == LOAD && rounds ? rows[i].as_tf32 : rows[i].bits;
    if (got != expected)
      printf("type %d, %s, number %d: %08x, not %08x\n", type,
             how == LOAD    ? "loaded"
             : how == STORE ? "stored"
                            : "added",
             i, got, expected);
    EXPECT(got == expected);
  }
}

int main()
{
  static const int types[] = { CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                               CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
                               CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
                               CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ };
  cudaDriverEntryPointQueryResult found;

  CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled",
                                        (void **)&encode, 12000,
                                        cudaEnableDefault, &found));
  for (int type : types) {
    check(type, LOAD, false);
    check(type, LOAD, true);
    check(type, STORE, false);
    check(type, ADD, false);
  }
  return failures != 0;
}
