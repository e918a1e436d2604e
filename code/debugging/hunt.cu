/* A bug to hunt: the sum of n numbers in two kernels. It is right for small
 * sizes and wrong for large ones, and no tool finds anything, because nothing
 * in it is forbidden.
 *
 * The search for it, step by step, as versions and as --csv experiments. */
#include <assert.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { BLOCK_THREADS = 256, MOST_THREADS = 1024, N_LARGEST = 1 << 20 };

/* ---- the program ---- */

// begin block_sums
__global__ void block_sums(unsigned *sums, const unsigned *x, int n)
{
  __shared__ unsigned part[BLOCK_THREADS];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = BLOCK_THREADS / 2; step > 0; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}
// end block_sums

// begin total
__global__ void total_of_sums(unsigned *total, const unsigned *sums,
                              int n_sums)
{
  if (threadIdx.x < n_sums)
    atomicAdd(total, sums[threadIdx.x]);
}
// end total

// begin asserted
__global__ void total_asserted(unsigned *total, const unsigned *sums,
                               int n_sums)
{
  assert(n_sums <= blockDim.x);
  if (threadIdx.x < n_sums)
    atomicAdd(total, sums[threadIdx.x]);
}
// end asserted

// begin printed
__global__ void total_printed(unsigned *total, const unsigned *sums,
                              int n_sums)
{
  if (threadIdx.x == 0)
    printf("%d sums, %d threads\n", n_sums, blockDim.x);
  if (threadIdx.x < n_sums)
    atomicAdd(total, sums[threadIdx.x]);
}
// end printed

// begin fixed
__global__ void total_fixed(unsigned *total, const unsigned *sums,
                            int n_sums)
{
  for (int i = threadIdx.x; i < n_sums; i += blockDim.x)
    atomicAdd(total, sums[i]);
}
// end fixed

typedef void total_kernel(unsigned *, const unsigned *, int);

static int blocks_for(int n)
{
  return (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
}

// begin sum
/* The block sums stay in d_sums, in case the caller wants to see them. */
static unsigned sum(total_kernel *total, unsigned *d_sums,
                    const unsigned *d_x, int n)
{
  int n_sums = blocks_for(n);
  int n_threads = n_sums < MOST_THREADS ? n_sums : MOST_THREADS;
  unsigned *d_total, h_total;
  CUDA_CHECK(cudaMalloc(&d_total, sizeof *d_total));
  CUDA_CHECK(cudaMemset(d_total, 0, sizeof *d_total));
  block_sums<<<n_sums, BLOCK_THREADS>>>(d_sums, d_x, n);
  CUDA_CHECK_LAUNCH();
  total<<<1, n_threads>>>(d_total, d_sums, n_sums);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&h_total, d_total, sizeof h_total,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_total));
  return h_total;
}
// end sum

/* ---- the hunt ---- */

static unsigned h_x[N_LARGEST], h_sums[N_LARGEST / BLOCK_THREADS];

static void fill(uint64_t seed)
{
  random_source source = random_from_seed(seed);
  for (int i = 0; i < N_LARGEST; i++)
    h_x[i] = 1 + (unsigned)(random_below(&source, 1000));
}

typedef struct {
  unsigned *x, *sums;
} arrays;

static arrays arrays_on_device(void)
{
  arrays d;
  CUDA_CHECK(cudaMalloc(&d.x, sizeof h_x));
  CUDA_CHECK(cudaMalloc(&d.sums, sizeof h_sums));
  CUDA_CHECK(cudaMemcpy(d.x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
  return d;
}

static void arrays_free(arrays d)
{
  CUDA_CHECK(cudaFree(d.x));
  CUDA_CHECK(cudaFree(d.sums));
}

// begin is_right
static int is_right(total_kernel *total, arrays d, int n)
{
  unsigned expected = 0;
  for (int i = 0; i < n; i++)
    expected += h_x[i];
  return sum(total, d.sums, d.x, n) == expected;
}
// end is_right

// begin shrink
/* The smallest size that fails, between one that does not and one that
 * does. */
static int shrink(total_kernel *total, arrays d, int good, int bad)
{
  for (int step = 1; bad - good > 1; step++) {
    int n = good + (bad - good) / 2;
    int right = is_right(total, d, n);
    printf("%d,%d,%s\n", step, n, right ? "right" : "wrong");
    if (right)
      good = n;
    else
      bad = n;
  }
  return bad;
}
// end shrink

// begin first_wrong
/* After the first kernel, is what it left right? */
static int n_wrong_sums(arrays d, int n)
{
  int n_wrong = 0, n_sums = blocks_for(n);
  CUDA_CHECK(cudaMemcpy(h_sums, d.sums, (size_t)n_sums * sizeof *h_sums,
                        cudaMemcpyDeviceToHost));
  for (int block = 0; block < n_sums; block++) {
    unsigned expected = 0;
    for (int i = block * BLOCK_THREADS;
         i < n && i < (block + 1) * BLOCK_THREADS; i++)
      expected += h_x[i];
    n_wrong += h_sums[block] != expected;
  }
  return n_wrong;
}
// end first_wrong

/* ---- versions ---- */

typedef struct {
  const char *name;
  const char *idea;
  total_kernel *total;
  int is_broken;
} version;

static const version versions[] = {
  {"fixed", "threads go on until all sums are added", total_fixed, 0},
  {"broken", "a thread for each sum", total_of_sums, 1},
  {"printed", "says what it was given", total_printed, 1},
  {"asserted", "stops where an assumption is wrong", total_asserted, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* The sizes that a careful test has, with those around each limit. */
static int check(const version *v, arrays d)
{
  static const int sizes[] = {1, 255, 256, 257, 262143, 262144, 262145,
                              N_LARGEST - 1, N_LARGEST};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    if (!is_right(v->total, d, sizes[k])) {
      printf("%s: wrong for n = %d\n", v->name, sizes[k]);
      return 0;
    }
  printf("%s: right for all sizes\n", v->name);
  return 1;
}

static void experiment(const char *name, arrays d, int n)
{
  if (strcmp(name, "shrink") == 0) {
    printf("step,n_elems,results\n");
    shrink(total_of_sums, d, 1, N_LARGEST);
    return;
  }
  printf("version,n_elems,n_block_sums,n_threads,n_wrong_block_sums,"
         "total\n");
  for (int k = 0; k < 2; k++) {
    int right = is_right(versions[k].total, d, n), n_sums = blocks_for(n);
    printf("%s,%d,%d,%d,%d,%s\n", versions[k].name, n, n_sums,
           n_sums < MOST_THREADS ? n_sums : MOST_THREADS,
           n_wrong_sums(d, n), right ? "right" : "wrong");
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a sum that is wrong for large sizes",
                            "shrink,stages", "");
  int ok = 1;
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  fill(20081215);      /* the same numbers in every run: reproducible */
  arrays d = arrays_on_device();
  if (o.csv) {
    experiment(o.csv, d, o.n_sizes ? (int)o.size[0] : N_LARGEST);
    return EXIT_SUCCESS;
  }
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(&o, versions[k].name) ||
        (versions[k].is_broken && (o.check || !o.version)))
      continue;
    if (o.n_sizes)
      printf("%s: %s for n = %zu\n", versions[k].name,
             is_right(versions[k].total, d, (int)o.size[0]) ? "right"
                                                            : "wrong",
             o.size[0]);
    else
      ok = check(&versions[k], d) || versions[k].is_broken;
  }
  arrays_free(d);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
