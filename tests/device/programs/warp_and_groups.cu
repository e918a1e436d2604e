// Warp functions and cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include "check.h"
namespace cg = cooperative_groups;

__global__ void warp(unsigned *o)
{
  unsigned l = threadIdx.x, v = l * 3 + 1;
  unsigned *p = o + l * 16;
  p[0] = __shfl_sync(~0u, v, 5);
  p[1] = __shfl_up_sync(~0u, v, 2);
  p[2] = __shfl_down_sync(~0u, v, 3, 16);
  p[3] = __shfl_xor_sync(~0u, v, 7);
  p[4] = __ballot_sync(~0u, l % 3 == 0);
  p[5] = __all_sync(~0u, l < 32);
  p[6] = __any_sync(~0u, l == 40);
  p[7] = __match_any_sync(~0u, l / 4);
  int pred;
  p[8] = __match_all_sync(~0u, 7, &pred);
  p[8] += pred;
  p[9] = __activemask();
  double d = __shfl_sync(~0u, l * 1.5, 9);
  p[10] = (unsigned)(d * 2);
  long long ll = __shfl_xor_sync(~0u, (long long)l << 33, 1);
  p[11] = ll >> 33;
#if __CUDA_ARCH__ >= 800
  p[12] = __reduce_add_sync(~0u, l);
  p[13] = __reduce_max_sync(~0u, (int)l - 40);
#else
  p[12] = 496;
  p[13] = (unsigned)-9;
#endif
  p[14] = __popc(__ballot_sync(~0u, l & 1));
  __syncwarp();
  if (l < 16)
    p[15] = __shfl_sync(0xffff, v, 3);
  else
    p[15] = __activemask();
}

__global__ void groups(int *o)
{
  cg::thread_block b = cg::this_thread_block();
  cg::thread_block_tile<8> t = cg::tiled_partition<8>(b);
  auto w = cg::tiled_partition<32>(b);
  auto dyn = cg::tiled_partition(b, 4);
  int r = b.thread_rank(), *p = o + r * 16;
  p[0] = cg::reduce(t, r, cg::plus<int>());
  p[1] = cg::reduce(w, r, cg::greater<int>());
  p[2] = cg::inclusive_scan(t, 1);
  p[3] = cg::exclusive_scan(w, r, cg::plus<int>());
  p[4] = t.meta_group_rank() * 100 + t.thread_rank();
  p[5] = t.shfl(r, 3) + t.any(r == 9) + t.ballot(1);
  if (r % 3 == 0) {
    auto a = cg::coalesced_threads();
    p[6] = a.size() * 1000 + a.thread_rank();
    p[7] = cg::reduce(a, r, cg::plus<int>());
    a.sync();
  }
  auto parts = cg::labeled_partition(w, r % 4);
  p[8] = parts.size() * 100 + parts.thread_rank();
  auto bin = cg::binary_partition(w, r % 2 == 0);
  p[9] = cg::reduce(bin, 1, cg::plus<int>());
  p[10] = dyn.thread_rank() + dyn.size();
  p[11] = b.group_index().x + b.size() + b.group_dim().x;
  b.sync();
  p[12] = cg::invoke_one_broadcast(w, [] { return 42; });
  __shared__ int s[64];
  cg::memcpy_async(b, s, o, sizeof(int) * 4);
  cg::wait(b);
  p[13] = s[1];
  p[14] = w.match_any(r / 8);
}

__global__ void grid(int *o, int n)
{
  cg::grid_group g = cg::this_grid();
  for (int i = g.thread_rank(); i < n; i += g.size())
    o[i] = i;
  g.sync();
  int s = 0;
  for (int i = 0; i < 4; i++)
    s += o[(g.thread_rank() + i * 97) % n];
  g.sync();
  for (int i = g.thread_rank(); i < n; i += g.size())
    o[i] = i == (int)g.thread_rank() ? s : -1;
}

// A tile of several warps keeps what it exchanges in shared memory that the
// system reserves.
__global__ void large_tiles(int *o)
{
  __shared__ cg::block_tile_memory<256> memory;
  auto b = cg::this_thread_block(memory);
  auto t = cg::tiled_partition<64>(b);
  auto whole = cg::tiled_partition<256>(b);
  int r = b.thread_rank(), *p = o + r * 4;
  p[0] = cg::reduce(t, r, cg::plus<int>());
  p[1] =
      t.shfl(r, 5) + t.any(t.thread_rank() == 63) + t.all(t.thread_rank() < 64);
  p[2] = cg::inclusive_scan(whole, r, cg::plus<int>());
  t.sync();
  p[3] = cg::reduce(whole, r, cg::greater<int>());
}

int main()
{
  int *tiles = managed<int>(512 * 4);
  large_tiles<<<2, 256>>>(tiles);
  CUDA(cudaDeviceSynchronize());
  for (int r = 0, sum = 0; r < 256; r++) {
    int *p = tiles + r * 4, base = r / 64 * 64;
    sum += r;
    EXPECT(p[0] == 64 * base + 63 * 32 && p[1] == base + 7);
    EXPECT(p[2] == sum && p[3] == 255);
  }
  unsigned *o = managed<unsigned>(32 * 16);
  warp<<<1, 32>>>(o);
  CUDA(cudaDeviceSynchronize());
  for (unsigned l = 0; l < 32; l++) {
    unsigned *p = o + l * 16;
    EXPECT(p[0] == 16 && p[1] == (l < 2 ? l : l - 2) * 3 + 1);
    EXPECT(p[2] == (l % 16 + 3 < 16 ? l + 3 : l) * 3 + 1 &&
           p[3] == (l ^ 7) * 3 + 1);
    EXPECT(p[4] == 0x49249249 && p[5] == 1 && p[6] == 0 &&
           p[7] == 0xfu << l / 4 * 4);
    EXPECT(p[8] == 0 && p[9] == ~0u && p[10] == 27 && p[11] == (l ^ 1));
    EXPECT(p[12] == 496 && (int)p[13] == -9 && p[14] == 16);
    EXPECT(p[15] == (l < 16 ? 10 : 0xffff0000));
  }
  int *g = managed<int>(64 * 16);
  groups<<<1, 64>>>(g);
  CUDA(cudaDeviceSynchronize());
  for (int r = 0; r < 64; r++) {
    int *p = g + r * 16, t = r / 8 * 8, w = r / 32 * 32, n = 0, k = 0, s = 0,
        e = 0;
    for (int i = w; i < w + 32; i++)
      if (i % 3 == 0) {
        n++;
        s += i;
        k += i < r;
      }
    for (int i = w; i < r; i++)
      e += i;
    EXPECT(p[0] == 8 * t + 28 && p[1] == w + 31 && p[2] == r % 8 + 1 &&
           p[3] == e);
    EXPECT(p[4] == r / 8 * 100 + r % 8 && p[5] == t + 3 + (t == 8) + 255);
    if (r % 3 == 0)
      EXPECT(p[6] == n * 1000 + k && p[7] == s);
    EXPECT(p[8] == 800 + r % 32 / 4 && p[9] == 16 && p[10] == r % 4 + 4);
    EXPECT(p[11] == 128 && p[12] == 42 && p[13] == g[1]);
    EXPECT(p[14] == (int)(0xffu << (r % 32 / 8 * 8)));
  }
  int *q = managed<int>(4096), n = 4096;
  void *args[] = { &q, &n };
  CUDA(cudaLaunchCooperativeKernel((void *)grid, dim3(8), dim3(128), args, 0,
                                   0));
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    EXPECT(q[i] == (i < 1024 ? 4 * i + 6 * 97 : -1));
  return failures != 0;
}
