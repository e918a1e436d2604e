/* A count that grows by atomics is also read as if no other thread used it. */
#include "debugging/bug.h"

enum { N = 1 << 14, ROOM = 4000, BLOCK_THREADS = 256 };

// begin broken
/* Keeps the positive elements, up to ROOM of them. */
__global__ void keep_broken(int *kept, int *count, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) {
    int slot = atomicAdd(count, 1);
    if (*count <= ROOM)
      kept[slot] = x[i];
  }
}
// end broken

__global__ void keep_fixed(int *kept, int *count, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) {
    int slot = atomicAdd(count, 1);
    if (slot < ROOM)
      kept[slot] = x[i];
  }
}

static int run(void (*kernel)(int *, int *, const int *, int))
{
  static int h_x[N], h_kept[ROOM];
  int count = 0, n_positive = 0;
  for (int i = 0; i < N; i++) {
    h_x[i] = i % 3 - 1;
    n_positive += h_x[i] > 0;
  }
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_kept = (int *)bug_upload(h_kept, sizeof h_kept);
  int *d_count = (int *)bug_upload(&count, sizeof count);
  kernel<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_kept, d_count, d_x, N);
  TRY_LAUNCH();
  bug_download(h_kept, d_kept, sizeof h_kept);
  bug_download(&count, d_count, sizeof count);
  TRY(cudaFree(d_x));
  for (int k = 0; k < ROOM; k++)
    if (h_kept[k] != 1)
      return 0;
  return count == n_positive;
}

static int fixed(void) { return run(keep_fixed); }
static int broken(void) { return run(keep_broken); }

static const version versions[] = {
  {"fixed", "looks at what its own atomic returned", 0, fixed},
  {"broken", "looks at the count that all others change", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a plain load among atomics");
}
