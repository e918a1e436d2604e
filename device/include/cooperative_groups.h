/* Groups of threads: a block, tiles and coalesced lanes of a warp, a grid, a
 * cluster. In the order of the CUDA C++ Programming Guide. Tiles of more than
 * a warp, labelled partitions and multi-device grids are not here. */
#ifndef SOFTDEVICE_COOPERATIVE_GROUPS_H
#define SOFTDEVICE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

#define SOFTDEVICE_MEMBER SOFTDEVICE_OWN __device__ __forceinline__

SOFTDEVICE_CALL unsigned int softdevice_rank(dim3 place, dim3 size)
{
  return (place.z * size.y + place.y) * size.x + place.x;
}
SOFTDEVICE_CALL unsigned int softdevice_volume(dim3 size)
{
  return size.x * size.y * size.z;
}

/* --- a block ------------------------------------------------------------- */

class thread_block
{
public:
  SOFTDEVICE_MEMBER static void sync() { softdevice_syncthreads(); }
  SOFTDEVICE_MEMBER static unsigned int thread_rank()
  {
    return softdevice_rank(threadIdx, blockDim);
  }
  SOFTDEVICE_MEMBER static dim3 group_index() { return blockIdx; }
  SOFTDEVICE_MEMBER static dim3 thread_index() { return threadIdx; }
  SOFTDEVICE_MEMBER static dim3 group_dim() { return blockDim; }
  SOFTDEVICE_MEMBER static dim3 dim_threads() { return blockDim; }
  SOFTDEVICE_MEMBER static unsigned int num_threads()
  {
    return softdevice_volume(blockDim);
  }
  SOFTDEVICE_MEMBER static unsigned int size() { return num_threads(); }
};
SOFTDEVICE_CALL thread_block this_thread_block() { return thread_block(); }

/* --- lanes of a warp ----------------------------------------------------- */

SOFTDEVICE_CALL unsigned int softdevice_lane()
{
  return __nvvm_read_ptx_sreg_laneid();
}

/* SIZE lanes next to each other, a power of two up to a warp. */
template <unsigned int SIZE, typename PARENT = thread_block>
class thread_block_tile
{
  static_assert(SIZE > 0 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0,
                "a tile is a power of two up to 32");

  SOFTDEVICE_MEMBER static unsigned int mask()
  {
    return SIZE == 32
               ? 0xffffffff
               : ((1u << (SIZE % 32)) - 1) << (softdevice_lane() & ~(SIZE - 1));
  }
  /* A mask of lanes as one of the tile's: bit 0 is its first lane. */
  SOFTDEVICE_MEMBER static unsigned int of_tile(unsigned int lanes)
  {
    return SIZE == 32 ? lanes
                      : (lanes & mask()) >> (softdevice_lane() & ~(SIZE - 1));
  }

public:
  SOFTDEVICE_MEMBER static void sync() { __syncwarp(mask()); }
  SOFTDEVICE_MEMBER static unsigned int thread_rank()
  {
    return softdevice_lane() & (SIZE - 1);
  }
  SOFTDEVICE_MEMBER static constexpr unsigned int num_threads() { return SIZE; }
  SOFTDEVICE_MEMBER static constexpr unsigned int size() { return SIZE; }
  SOFTDEVICE_MEMBER static unsigned int meta_group_rank()
  {
    return thread_block::thread_rank() / SIZE;
  }
  SOFTDEVICE_MEMBER static unsigned int meta_group_size()
  {
    return (thread_block::size() + SIZE - 1) / SIZE;
  }
  template <typename T>
  SOFTDEVICE_MEMBER static T shfl(T value, unsigned int lane)
  {
    return __shfl_sync(mask(), value, (int)lane, SIZE);
  }
  template <typename T>
  SOFTDEVICE_MEMBER static T shfl_down(T value, unsigned int delta)
  {
    return __shfl_down_sync(mask(), value, delta, SIZE);
  }
  template <typename T>
  SOFTDEVICE_MEMBER static T shfl_up(T value, unsigned int delta)
  {
    return __shfl_up_sync(mask(), value, delta, SIZE);
  }
  template <typename T>
  SOFTDEVICE_MEMBER static T shfl_xor(T value, unsigned int lanes)
  {
    return __shfl_xor_sync(mask(), value, (int)lanes, SIZE);
  }
  SOFTDEVICE_MEMBER static int any(int predicate)
  {
    return of_tile(__ballot_sync(mask(), predicate)) != 0;
  }
  SOFTDEVICE_MEMBER static int all(int predicate)
  {
    return of_tile(__ballot_sync(mask(), predicate)) == of_tile(mask());
  }
  SOFTDEVICE_MEMBER static unsigned int ballot(int predicate)
  {
    return of_tile(__ballot_sync(mask(), predicate));
  }
  template <typename T> SOFTDEVICE_MEMBER static unsigned int match_any(T value)
  {
    return of_tile(__match_any_sync(mask(), value));
  }
  template <typename T>
  SOFTDEVICE_MEMBER static unsigned int match_all(T value, int &predicate)
  {
    return of_tile(__match_all_sync(mask(), value, &predicate));
  }
};

template <unsigned int SIZE, typename PARENT>
SOFTDEVICE_CALL thread_block_tile<SIZE, PARENT> tiled_partition(const PARENT &)
{
  return thread_block_tile<SIZE, PARENT>();
}

/* The lanes that were active together when it was made. */
class coalesced_group
{
  unsigned int lanes;

  /* The lane that is number `rank` in the group. */
  SOFTDEVICE_MEMBER int lane_of(unsigned int rank) const
  {
    return lanes == 0xffffffff ? (int)rank
                               : (int)__fns(lanes, 0, (int)rank + 1);
  }
  /* Those of some lanes that are in the group, numbered within it. */
  SOFTDEVICE_MEMBER unsigned int of_group(unsigned int some) const
  {
    unsigned int result = 0, rank = 0;
    for (unsigned int left = lanes; left != 0; left &= left - 1, rank++)
      if (some & left & (0 - left))
        result |= 1u << rank;
    return result;
  }

public:
  SOFTDEVICE_MEMBER explicit coalesced_group(unsigned int mask) : lanes(mask) {}
  SOFTDEVICE_MEMBER void sync() const { __syncwarp(lanes); }
  SOFTDEVICE_MEMBER unsigned int thread_rank() const
  {
    return (unsigned int)__popc(lanes & __nvvm_read_ptx_sreg_lanemask_lt());
  }
  SOFTDEVICE_MEMBER unsigned int num_threads() const
  {
    return (unsigned int)__popc(lanes);
  }
  SOFTDEVICE_MEMBER unsigned int size() const { return num_threads(); }
  SOFTDEVICE_MEMBER unsigned int meta_group_rank() const { return 0; }
  SOFTDEVICE_MEMBER unsigned int meta_group_size() const { return 1; }
  template <typename T>
  SOFTDEVICE_MEMBER T shfl(T value, unsigned int rank) const
  {
    return __shfl_sync(lanes, value, lane_of(rank % size()));
  }
  /* Past the ends, a lane gets its own value. */
  template <typename T>
  SOFTDEVICE_MEMBER T shfl_down(T value, unsigned int delta) const
  {
    unsigned int rank = thread_rank() + delta;
    return __shfl_sync(lanes, value,
                       rank < size() ? lane_of(rank) : (int)softdevice_lane());
  }
  template <typename T>
  SOFTDEVICE_MEMBER T shfl_up(T value, unsigned int delta) const
  {
    unsigned int rank = thread_rank();
    return __shfl_sync(lanes, value,
                       rank >= delta ? lane_of(rank - delta)
                                     : (int)softdevice_lane());
  }
  SOFTDEVICE_MEMBER int any(int predicate) const
  {
    return __ballot_sync(lanes, predicate) != 0;
  }
  SOFTDEVICE_MEMBER int all(int predicate) const
  {
    return __ballot_sync(lanes, predicate) == lanes;
  }
  SOFTDEVICE_MEMBER unsigned int ballot(int predicate) const
  {
    return of_group(__ballot_sync(lanes, predicate));
  }
  template <typename T> SOFTDEVICE_MEMBER unsigned int match_any(T value) const
  {
    return of_group(__match_any_sync(lanes, value));
  }
};
SOFTDEVICE_CALL coalesced_group coalesced_threads()
{
  return coalesced_group(__activemask());
}

/* --- a grid -------------------------------------------------------------- */

class grid_group
{
public:
  /* Where a cooperative launch keeps its barrier; 0 of another launch. */
  SOFTDEVICE_MEMBER static unsigned long long workspace()
  {
    unsigned int high, low;
    asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned long long)high << 32 | low;
  }
  SOFTDEVICE_MEMBER static bool is_valid() { return workspace() != 0; }

  /* A counter of 32 bits, 4 bytes into the workspace. All blocks together add
   * 2^31: the first one what is missing to that, each other one 1. So the
   * highest bit changes when all have come. */
  SOFTDEVICE_MEMBER static void sync()
  {
    unsigned long long at = workspace();
    if (at == 0)
      __trap();
    softdevice_syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
      unsigned int n = softdevice_volume(gridDim), old, now;
      unsigned int mine =
          blockIdx.x + blockIdx.y + blockIdx.z == 0 ? 0x80000000 - (n - 1) : 1;
      asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                   : "=r"(old)
                   : "l"(at + 4), "r"(mine)
                   : "memory");
      do
        asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                     : "=r"(now)
                     : "l"(at + 4)
                     : "memory");
      while (((old ^ now) & 0x80000000) == 0);
    }
    softdevice_syncthreads();
  }
  SOFTDEVICE_MEMBER static unsigned long long block_rank()
  {
    return softdevice_rank(blockIdx, gridDim);
  }
  SOFTDEVICE_MEMBER static unsigned long long num_blocks()
  {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  SOFTDEVICE_MEMBER static unsigned long long thread_rank()
  {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  SOFTDEVICE_MEMBER static unsigned long long num_threads()
  {
    return num_blocks() * thread_block::size();
  }
  SOFTDEVICE_MEMBER static unsigned long long size() { return num_threads(); }
  SOFTDEVICE_MEMBER static dim3 group_dim() { return gridDim; }
  SOFTDEVICE_MEMBER static dim3 dim_blocks() { return gridDim; }
  SOFTDEVICE_MEMBER static dim3 block_index() { return blockIdx; }
};
SOFTDEVICE_CALL grid_group this_grid() { return grid_group(); }

/* --- a cluster ----------------------------------------------------------- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define SOFTDEVICE_REGISTER(name)                                              \
  SOFTDEVICE_CALL unsigned int softdevice_##name()                             \
  {                                                                            \
    unsigned int value;                                                        \
    asm("mov.u32 %0, %%" #name ";" : "=r"(value));                             \
    return value;                                                              \
  }
#define SOFTDEVICE_REGISTERS(name)                                             \
  SOFTDEVICE_CALL dim3 softdevice_##name()                                     \
  {                                                                            \
    unsigned int x, y, z;                                                      \
    asm("mov.u32 %0, %%" #name ".x;" : "=r"(x));                               \
    asm("mov.u32 %0, %%" #name ".y;" : "=r"(y));                               \
    asm("mov.u32 %0, %%" #name ".z;" : "=r"(z));                               \
    return dim3(x, y, z);                                                      \
  }
SOFTDEVICE_REGISTER(cluster_ctarank)
SOFTDEVICE_REGISTER(cluster_nctarank)
SOFTDEVICE_REGISTERS(cluster_ctaid)
SOFTDEVICE_REGISTERS(cluster_nctaid)
#undef SOFTDEVICE_REGISTER
#undef SOFTDEVICE_REGISTERS

class cluster_group
{
public:
  SOFTDEVICE_MEMBER static void barrier_arrive()
  {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
  }
  SOFTDEVICE_MEMBER static void barrier_wait()
  {
    asm volatile("barrier.cluster.wait;" ::: "memory");
  }
  SOFTDEVICE_MEMBER static void sync()
  {
    barrier_arrive();
    barrier_wait();
  }
  SOFTDEVICE_MEMBER static unsigned int block_rank()
  {
    return softdevice_cluster_ctarank();
  }
  SOFTDEVICE_MEMBER static unsigned int num_blocks()
  {
    return softdevice_cluster_nctarank();
  }
  SOFTDEVICE_MEMBER static unsigned int thread_rank()
  {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  SOFTDEVICE_MEMBER static unsigned int num_threads()
  {
    return num_blocks() * thread_block::size();
  }
  SOFTDEVICE_MEMBER static unsigned int size() { return num_threads(); }
  SOFTDEVICE_MEMBER static dim3 block_index()
  {
    return softdevice_cluster_ctaid();
  }
  SOFTDEVICE_MEMBER static dim3 dim_blocks()
  {
    return softdevice_cluster_nctaid();
  }
  /* The same place in the shared memory of another block, and whose a place
   * is. */
  template <typename T>
  SOFTDEVICE_MEMBER static T *map_shared_rank(T *address, int rank)
  {
    T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
    return there;
  }
  SOFTDEVICE_MEMBER static unsigned int query_shared_rank(const void *address)
  {
    unsigned int rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    return rank;
  }
};
SOFTDEVICE_CALL cluster_group this_cluster() { return cluster_group(); }

#endif

/* --- of any group -------------------------------------------------------- */

template <typename GROUP> SOFTDEVICE_CALL void sync(const GROUP &group)
{
  group.sync();
}
template <typename GROUP>
SOFTDEVICE_CALL unsigned long long thread_rank(const GROUP &group)
{
  return group.thread_rank();
}
template <typename GROUP>
SOFTDEVICE_CALL unsigned long long group_size(const GROUP &group)
{
  return group.size();
}

#undef SOFTDEVICE_MEMBER

}  // namespace cooperative_groups

#endif
