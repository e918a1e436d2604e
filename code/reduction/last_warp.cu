/* The last 32 partial sums of a block, added by one warp without barriers of
 * the block, as it was done before 2017, and as it is done now.
 *
 *   nvcc -I code code/reduction/last_warp.cu -o last_warp && ./last_warp
 */
#include "debugging/bug.h"

enum { THREADS = 256, WARP = 32, N_BLOCKS = 64, N = N_BLOCKS * THREADS };

// begin plain
__device__ void add_plain(int *part, int me)
{
  part[me] += part[me + 32];
  part[me] += part[me + 16];
  part[me] += part[me + 8];
  part[me] += part[me + 4];
  part[me] += part[me + 2];
  part[me] += part[me + 1];
}
// end plain

// begin volatile
__device__ void add_volatile(int *part, int me)
{
  volatile int *v = part;
  v[me] += v[me + 32];
  v[me] += v[me + 16];
  v[me] += v[me + 8];
  v[me] += v[me + 4];
  v[me] += v[me + 2];
  v[me] += v[me + 1];
}
// end volatile

// begin in_turn
/* The same instructions of the same lanes. The even lanes come first. */
__device__ void add_in_turn(int *part, int me)
{
  for (int turn = 0; turn < 2; turn++)
    if (me % 2 == turn)
      add_volatile(part, me);
}
// end in_turn

// begin syncwarp
__device__ void add_syncwarp(int *part, int me)
{
  for (int stride = 32; stride > 0; stride /= 2) {
    int other = part[me + stride];
    __syncwarp();
    part[me] += other;
    __syncwarp();
  }
}
// end syncwarp

// begin shuffle
__device__ void add_shuffle(int *part, int me)
{
  int sum = part[me] + part[me + 32];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (me == 0)
    part[0] = sum;
}
// end shuffle

// begin block
/* Halves until 64 partial sums are left; the rest is one warp's. */
#define SUM_KERNEL(name, add_last)                                     \
  __global__ void name(int *sums, const int *x)                        \
  {                                                                    \
    __shared__ int part[THREADS];                                      \
    int me = threadIdx.x;                                              \
    part[me] = x[blockIdx.x * THREADS + me];                           \
    __syncthreads();                                                   \
    for (int stride = THREADS / 2; stride > WARP; stride /= 2) {       \
      if (me < stride)                                                 \
        part[me] += part[me + stride];                                 \
      __syncthreads();                                                 \
    }                                                                  \
    if (me < WARP)                                                     \
      add_last(part, me);                                              \
    if (me == 0)                                                       \
      sums[blockIdx.x] = part[0];                                      \
  }
// end block

SUM_KERNEL(sum_plain, add_plain)
SUM_KERNEL(sum_volatile, add_volatile)
SUM_KERNEL(sum_in_turn, add_in_turn)
SUM_KERNEL(sum_syncwarp, add_syncwarp)
SUM_KERNEL(sum_shuffle, add_shuffle)

static int run(void (*kernel)(int *, const int *))
{
  static int h_x[N], h_sums[N_BLOCKS];
  for (int i = 0; i < N; i++)
    h_x[i] = 1 + i * i % 101;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_sums = (int *)bug_upload(h_sums, sizeof h_sums);
  kernel<<<N_BLOCKS, THREADS>>>(d_sums, d_x);
  TRY_LAUNCH();
  bug_download(h_sums, d_sums, sizeof h_sums);
  TRY(cudaFree(d_x));
  for (int block = 0; block < N_BLOCKS; block++) {
    int sum = 0;
    for (int k = 0; k < THREADS; k++)
      sum += h_x[block * THREADS + k];
    if (h_sums[block] != sum)
      return 0;
  }
  return 1;
}

static int run_plain(void) { return run(sum_plain); }
static int run_volatile(void) { return run(sum_volatile); }
static int run_in_turn(void) { return run(sum_in_turn); }
static int run_syncwarp(void) { return run(sum_syncwarp); }
static int run_shuffle(void) { return run(sum_shuffle); }

static const version versions[] = {
  {"plain", "as if for one thread", 1, run_plain},
  {"volatile", "every step through memory", 1, run_volatile},
  {"in_turn", "the same, even lanes first", 1, run_in_turn},
  {"syncwarp", "lanes wait for each other", 0, run_syncwarp},
  {"shuffle", "lanes hand over registers", 0, run_shuffle},
};

/* version,results: on this device, without any tool. */
static int print_outcomes(void)
{
  printf("version,results\n");
  for (size_t k = 0; k < sizeof versions / sizeof versions[0]; k++)
    printf("%s,%s\n", versions[k].name, versions[k].run() ? "right"
                                                          : "wrong");
  return bug_error == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
  if (argc == 2 && strcmp(argv[1], "--csv") == 0)
    return print_outcomes();
  return BUG_MAIN(argc, argv, "sums of a warp that trusts in lockstep");
}
