// Boxes of tensors, copied to shared memory and back, compared with the same
// work on the host.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <string.h>
#include <vector>
#include "check.h"
namespace cg = cooperative_groups;

enum { TILE = 32768 };

struct Corner {
  int c[5];
};

template <int RANK>
__device__ void load(void *tile, const CUtensorMap *map, Corner at,
                     unsigned long long *barrier)
{
  unsigned to = __cvta_generic_to_shared(tile),
           gate = __cvta_generic_to_shared(barrier);
#define LOAD                                                                   \
  "cp.async.bulk.tensor." RANKS "d.shared::cluster.global.tile"                \
  ".mbarrier::complete_tx::bytes [%0], [%1, "
  if (RANK == 1)
#define RANKS "1"
    asm volatile(LOAD "{%3}], [%2];" ::"r"(to), "l"(map), "r"(gate),
                 "r"(at.c[0])
                 : "memory");
#undef RANKS
#define RANKS "2"
  if (RANK == 2)
    asm volatile(LOAD "{%3, %4}], [%2];" ::"r"(to), "l"(map), "r"(gate),
                 "r"(at.c[0]), "r"(at.c[1])
                 : "memory");
#undef RANKS
#define RANKS "3"
  if (RANK == 3)
    asm volatile(LOAD "{%3, %4, %5}], [%2];" ::"r"(to), "l"(map), "r"(gate),
                 "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2])
                 : "memory");
#undef RANKS
#define RANKS "5"
  if (RANK == 5)
    asm volatile(LOAD "{%3, %4, %5, %6, %7}], [%2];" ::"r"(to), "l"(map),
                 "r"(gate), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]),
                 "r"(at.c[3]), "r"(at.c[4])
                 : "memory");
}

// All of the box as it lies in shared memory.
template <int RANK>
__global__ void read_box(const __grid_constant__ CUtensorMap map, Corner at,
                         unsigned bytes, unsigned char *out)
{
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ __align__(8) unsigned long long barrier;
  unsigned gate = __cvta_generic_to_shared(&barrier), done = 0;

  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x)
    tile[i] = 0xee;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(gate));
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(gate),
        "r"(bytes)
        : "memory");
    load<RANK>(tile, &map, at, &barrier);
  }
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, "
                 "[%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(gate)
                 : "memory");
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x)
    out[i] = tile[i];
}

// A box of 1, 2, 3 … goes to the tensor: stored, or added.
template <typename T>
__global__ void write_box(const __grid_constant__ CUtensorMap map, Corner at,
                          unsigned n, bool adds)
{
  extern __shared__ __align__(1024) unsigned char raw[];
  T *tile = (T *)raw;

  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    tile[i] = (T)(float)(i + 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned from = __cvta_generic_to_shared(tile);
    if (adds)
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add"
                   ".tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                   "r"(from), "r"(at.c[0]), "r"(at.c[1])
                   : "memory");
    else
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile"
                   ".bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                   "r"(from), "r"(at.c[0]), "r"(at.c[1])
                   : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// The first block of a cluster of two loads for both.
__global__ void __cluster_dims__(2, 1, 1)
    read_for_both(const __grid_constant__ CUtensorMap map, float *out)
{
  __shared__ __align__(128) float tile[16 * 32];
  __shared__ __align__(8) unsigned long long barrier;
  unsigned gate = __cvta_generic_to_shared(&barrier), done = 0;
  unsigned to = __cvta_generic_to_shared(tile);

  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(gate));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(gate),
        "n"(sizeof tile)
        : "memory");
  }
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
                 "l"(&map), "r"(gate), "r"(4), "r"(2), "h"((short)3)
                 : "memory");
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, "
                 "[%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(gate)
                 : "memory");
  for (unsigned i = threadIdx.x; i < 16 * 32; i += blockDim.x)
    out[blockIdx.x * 16 * 32 + i] = tile[i];
  cg::this_cluster().sync();
}

typedef CUresult encode_t(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                          void *, const cuuint64_t *, const cuuint64_t *,
                          const cuuint32_t *, const cuuint32_t *,
                          CUtensorMapInterleave, CUtensorMapSwizzle,
                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static encode_t *encode;

struct Tensor {
  CUtensorMapDataType type;
  unsigned element, rank, swizzle;
  cuuint64_t sizes[5], strides[5];
  cuuint32_t box[5], steps[5];

  CUresult map(CUtensorMap *map, void *address) const
  {
    return encode(map, type, rank, address, sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  unsigned count(unsigned i) const
  {
    return i == 0 ? box[0] : (box[i] + steps[i] - 1) / steps[i];
  }
  unsigned elements() const
  {
    unsigned n = 1;
    for (unsigned i = 0; i < rank; i++)
      n *= count(i);
    return n;
  }
  // Where element `k` of the box is in the tensor; -1: outside.
  long long place(Corner at, unsigned k) const
  {
    long long offset = 0;
    bool inside = true;
    for (unsigned i = 0; i < rank; i++) {
      long long c = at.c[i] + (long long)(k % count(i)) * (i ? steps[i] : 1);
      k /= count(i);
      inside &= c >= 0 && c < (long long)sizes[i];
      offset += c * (i ? strides[i - 1] : element);
    }
    return inside ? offset : -1;
  }
  // Where it is in shared memory.
  unsigned there(unsigned k) const
  {
    unsigned at = k * element, mask = swizzle ? (1u << swizzle) - 1 : 0;
    return at ^ ((at >> 7 & mask) << 4);
  }
};

static unsigned char *memory;
static std::vector<unsigned char> host;

template <int RANK>
static void check_reading(const char *name, const Tensor &t, Corner at)
{
  alignas(64) CUtensorMap map;
  unsigned bytes = t.elements() * t.element;
  unsigned char *out = managed<unsigned char>(bytes);
  std::vector<unsigned char> expected(bytes, 0);

  CUDA(cudaFuncSetAttribute(
      read_box<RANK>, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE * 2));
  EXPECT(t.map(&map, memory) == CUDA_SUCCESS);
  read_box<RANK><<<1, 64, bytes>>>(map, at, bytes, out);
  CUDA(cudaDeviceSynchronize());
  for (unsigned k = 0; k < t.elements(); k++)
    if (t.place(at, k) >= 0)
      memcpy(&expected[t.there(k)], &host[t.place(at, k)], t.element);
  if (memcmp(expected.data(), out, bytes) != 0)
    printf("%s differs\n", name);
  EXPECT(memcmp(expected.data(), out, bytes) == 0);
}

template <typename T>
static void check_writing(const char *name, const Tensor &t, Corner at,
                          bool adds)
{
  alignas(64) CUtensorMap map;
  std::vector<unsigned char> expected(host);

  CUDA(cudaMemcpy(memory, host.data(), host.size(), cudaMemcpyHostToDevice));
  EXPECT(t.map(&map, memory) == CUDA_SUCCESS);
  write_box<T>
      <<<1, 64, t.elements() * sizeof(T)>>>(map, at, t.elements(), adds);
  CUDA(cudaDeviceSynchronize());
  for (unsigned k = 0; k < t.elements(); k++) {
    // Shared memory holds 1, 2, 3 … as it lies: the swizzled place's number.
    T value = (T)(float)(t.there(k) / t.element + 1), old;
    long long place = t.place(at, k);
    if (place < 0)
      continue;
    memcpy(&old, &expected[place], sizeof old);
    if (adds)
      value = (T)((float)old + (float)value);
    memcpy(&expected[place], &value, sizeof value);
  }
  std::vector<unsigned char> got(host.size());
  CUDA(cudaMemcpy(got.data(), memory, got.size(), cudaMemcpyDeviceToHost));
  if (got != expected)
    printf("%s differs\n", name);
  EXPECT(got == expected);
}

int main()
{
  cudaDriverEntryPointQueryResult found;
  CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled",
                                        (void **)&encode, 12000,
                                        cudaEnableDefault, &found));
  const size_t bytes = 1 << 20;
  CUDA(cudaMalloc(&memory, bytes));
  host.resize(bytes);
  for (size_t i = 0; i + 4 <= bytes; i += 4) {  // small whole numbers
    float value = (float)(i / 4 % 1021);
    memcpy(&host[i], &value, 4);
  }
  CUDA(cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice));

  Tensor line = {
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, 1, 0, { 1000 }, { 0 }, { 64 }, { 1 }
  };
  check_reading<1>("a line", line, { { 100 } });
  check_reading<1>("a line that begins before", line, { { -8 } });
  check_reading<1>("a line that ends behind", line, { { 972 } });
  check_reading<1>("a line beyond", line, { { 5000 } });

  Tensor plane = { CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                   4,
                   2,
                   0,
                   { 300, 200 },
                   { 1216 },
                   { 32, 16 },
                   { 1, 1 } };
  check_reading<2>("a tile", plane, { { 64, 50 } });
  check_reading<2>("a tile at the corner", plane, { { 288, 190 } });
  check_reading<2>("a tile before the corner", plane, { { -8, -3 } });
  check_writing<float>("a tile stored", plane, { { 64, 50 } }, false);
  check_writing<float>("a tile stored at the corner", plane, { { 288, 190 } },
                       false);
  check_writing<float>("a tile added", plane, { { 284, 195 } }, true);
  CUDA(cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice));

  // Patterns of 32, 64 and 128 bytes, more rows than they repeat after.
  for (unsigned swizzle = 1; swizzle <= 3; swizzle++) {
    Tensor tile = { CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
                    2,
                    2,
                    swizzle,
                    { 256, 100 },
                    { 512 },
                    { 8u << swizzle, 40 },
                    { 1, 1 } };
    check_reading<2>("a swizzled tile", tile, { { 16, 3 } });
    check_reading<2>("a swizzled tile at the corner", tile, { { 248, 80 } });
    Tensor floats = { CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                      4,
                      2,
                      swizzle,
                      { 256, 100 },
                      { 1024 },
                      { 4u << swizzle, 24 },
                      { 1, 1 } };
    check_writing<float>("a swizzled tile stored", floats, { { 252, 90 } },
                         false);
    CUDA(cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice));
  }

  Tensor box = { CU_TENSOR_MAP_DATA_TYPE_UINT8,
                 1,
                 3,
                 0,
                 { 100, 20, 30 },
                 { 112, 2240 },
                 { 16, 5, 7 },
                 { 1, 1, 1 } };
  check_reading<3>("a box", box, { { 96, 18, 27 } });
  Tensor apart = { CU_TENSOR_MAP_DATA_TYPE_INT32,
                   4,
                   3,
                   0,
                   { 64, 40, 9 },
                   { 256, 10240 },
                   { 8, 12, 4 },
                   { 1, 3, 2 } };
  check_reading<3>("every third row of every second plane", apart,
                   { { 8, 20, 3 } });
  Tensor five = { CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
                  8,
                  5,
                  0,
                  { 10, 4, 5, 6, 7 },
                  { 80, 320, 1600, 9600 },
                  { 4, 2, 3, 2, 3 },
                  { 1, 1, 1, 1, 1 } };
  check_reading<5>("a box of five dimensions", five, { { 8, 3, 3, 4, 5 } });

  alignas(64) CUtensorMap map;
  float *both = managed<float>(2 * 16 * 32), value;
  EXPECT(plane.map(&map, memory) == CUDA_SUCCESS);
  read_for_both<<<2, 64>>>(map, both);
  CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 2 * 16 * 32; i++) {
    memcpy(&value, &host[plane.place({ { 4, 2 } }, i % (16 * 32))], 4);
    EXPECT(both[i] == value);
  }

  // What is no tensor map.
  Tensor wrong = plane;
  wrong.strides[0] = 1220;
  EXPECT(wrong.map(&map, memory) == CUDA_ERROR_INVALID_VALUE);
  wrong = plane;
  wrong.box[0] = 257;
  EXPECT(wrong.map(&map, memory) == CUDA_ERROR_INVALID_VALUE);
  wrong = plane;
  wrong.box[0] = 3;
  EXPECT(wrong.map(&map, memory) == CUDA_ERROR_INVALID_VALUE);
  wrong = plane;
  wrong.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
  EXPECT(wrong.map(&map, memory) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(plane.map(&map, memory + 8) == CUDA_ERROR_INVALID_VALUE);

  // A box that does not begin at a multiple of 16 bytes: the context's end.
  EXPECT(line.map(&map, memory) == CUDA_SUCCESS);
  unsigned char *out = managed<unsigned char>(line.elements() * line.element);
  read_box<1><<<1, 64, 256>>>(map, Corner{ { 1 } }, 256, out);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
  return failures != 0;
}
