/* Answers to two old problem sets on grids and blocks: which expression is
 * the index, how many threads are launched and how many of them work, and
 * how many fit on a multiprocessor.
 *
 *   nvcc -I code code/threads/answers.cu -o answers && ./answers */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "occupancy/occupancy.h"
#include "threads/index.h"

/* ---- which expression? ---- */

enum { N_ELEMENTS = 2000, BLOCK = 256 };

/* hits[i]: how often element i was taken; hits[n]: any beyond. */
__device__ void take(unsigned *hits, unsigned n, unsigned i)
{
  atomicAdd(&hits[i < n ? i : n], 1);
}

__global__ void one_element(unsigned *hits, unsigned n, int expression)
{
  unsigned i = 0;
  switch (expression) {
  case 0: i = threadIdx.x + threadIdx.y; break;
  case 1: i = blockIdx.x + threadIdx.x; break;
  case 2: i = blockIdx.x * blockDim.x + threadIdx.x; break;
  case 3: i = blockIdx.x * threadIdx.x; break;
  }
  take(hits, n, i);
}

/* The thread takes i and i + 1. */
__global__ void two_elements(unsigned *hits, unsigned n, int expression)
{
  unsigned i = 0;
  switch (expression) {
  case 0: i = blockIdx.x * blockDim.x + threadIdx.x + 2; break;
  case 1: i = blockIdx.x * threadIdx.x * 2; break;
  case 2: i = (blockIdx.x * blockDim.x + threadIdx.x) * 2; break;
  case 3: i = blockIdx.x * blockDim.x * 2 + threadIdx.x; break;
  }
  take(hits, n, i);
  take(hits, n, i + 1);
}

typedef struct {
  unsigned never, once, more, beyond;
} coverage;

static coverage cover(int n_each, int expression)
{
  static unsigned h_hits[N_ELEMENTS + 1];
  unsigned threads = (N_ELEMENTS + n_each - 1) / n_each;
  unsigned n_blocks = (threads + BLOCK - 1) / BLOCK, *d_hits;
  coverage c = {0, 0, 0, 0};
  CUDA_CHECK(cudaMalloc(&d_hits, sizeof h_hits));
  CUDA_CHECK(cudaMemset(d_hits, 0, sizeof h_hits));
  if (n_each == 1)
    one_element<<<n_blocks, BLOCK>>>(d_hits, N_ELEMENTS, expression);
  else
    two_elements<<<n_blocks, BLOCK>>>(d_hits, N_ELEMENTS, expression);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_hits, d_hits, sizeof h_hits,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_hits));
  for (int i = 0; i < N_ELEMENTS; i++) {
    c.never += h_hits[i] == 0;
    c.once += h_hits[i] == 1;
    c.more += h_hits[i] > 1;
  }
  c.beyond = h_hits[N_ELEMENTS];
  return c;
}

static const char *const expressions[2][4] = {
  {"threadIdx.x + threadIdx.y", "blockIdx.x + threadIdx.x",
   "blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x * threadIdx.x"},
  {"blockIdx.x * blockDim.x + threadIdx.x + 2",
   "blockIdx.x * threadIdx.x * 2",
   "(blockIdx.x * blockDim.x + threadIdx.x) * 2",
   "blockIdx.x * blockDim.x * 2 + threadIdx.x"},
};

static void answer_expressions(void)
{
  printf("each,expression,never,once,more,beyond\n");
  for (int each = 1; each <= 2; each++)
    for (int e = 0; e < 4; e++) {
      coverage c = cover(each, e);
      printf("%d,%s,%u,%u,%u,%u\n", each, expressions[each - 1][e],
             c.never, c.once, c.more, c.beyond);
    }
}

/* ---- how many threads are launched, and how many of them work? ---- */

typedef struct {
  const char *name;
  unsigned size[3];      /* elements in x, y, z */
  dim3 block;            /* x == 0: the largest square one */
} problem;

static unsigned largest_square(int most_threads)
{
  unsigned side = 1;
  while ((side + 1) * (side + 1) <= (unsigned)most_threads)
    side++;
  return side;
}

/* Counts the threads that pass the guard; their global index in hits. */
__global__ void guarded(unsigned *hits, unsigned *n_working, unsigned size_x,
                        unsigned size_y, unsigned size_z)
{
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < size_x && y < size_y && z < size_z) {
    hits[(z * size_y + y) * size_x + x] += 1;
    atomicAdd(n_working, 1);
  }
}

static unsigned divide_up(unsigned n, unsigned by)
{
  return (n + by - 1) / by;
}

/* Returns 1 if each element had one thread. */
static int solve(const problem *p, dim3 *grid, dim3 *block, unsigned *working)
{
  unsigned n = p->size[0] * p->size[1] * p->size[2];
  unsigned *h_hits = (unsigned *)malloc((n + 1) * sizeof *h_hits), *d_hits;
  *block = p->block;
  if (block->x == 0)
    block->x = block->y =
        largest_square(occupancy_limits_of(20)->block_threads);
  *grid = dim3(divide_up(p->size[0], block->x),
               divide_up(p->size[1], block->y),
               divide_up(p->size[2], block->z));
  CUDA_CHECK(cudaMalloc(&d_hits, (n + 1) * sizeof *d_hits));
  CUDA_CHECK(cudaMemset(d_hits, 0, (n + 1) * sizeof *d_hits));
  guarded<<<*grid, *block>>>(d_hits, d_hits + n, p->size[0], p->size[1],
                             p->size[2]);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_hits, d_hits, (n + 1) * sizeof *h_hits,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_hits));
  unsigned n_wrong = h_hits[n] != n;
  for (unsigned i = 0; i < n; i++)
    n_wrong += h_hits[i] != 1;
  *working = h_hits[n];
  free(h_hits);
  if (n_wrong)
    fprintf(stderr, "%s: error: %u elements have no thread or several\n",
            p->name, n_wrong);
  return n_wrong == 0;
}

static const problem problems[] = {
  {"vector", {2000, 1, 1}, dim3(512)},
  {"image", {400, 900, 1}, dim3(0)},
  {"voxels", {100, 60, 30}, dim3(32, 4, 4)},
  {"voxels_cube", {100, 60, 30}, dim3(8, 8, 8)},
};
enum { N_PROBLEMS = sizeof problems / sizeof problems[0] };

static int answer_grids(int csv)
{
  int good = 1;
  if (csv)
    printf("version,size_x,size_y,size_z,block_x,block_y,block_z,grid_x,"
           "grid_y,grid_z,n_blocks,n_threads,n_working,n_idle\n");
  for (int i = 0; i < N_PROBLEMS; i++) {
    const problem *p = &problems[i];
    dim3 grid, block;
    unsigned working;
    good &= solve(p, &grid, &block, &working);
    unsigned n_blocks = grid.x * grid.y * grid.z;
    unsigned n_threads = n_blocks * block.x * block.y * block.z;
    if (csv)
      printf("%s,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u\n", p->name,
             p->size[0], p->size[1], p->size[2], block.x, block.y, block.z,
             grid.x, grid.y, grid.z, n_blocks, n_threads, working,
             n_threads - working);
  }
  return good;
}

/* ---- how many fit on a multiprocessor? ---- */

/* Threads of blocks of this size that a multiprocessor holds, if only its
 * slots for threads and for blocks count. */
static int resident(int most_threads, int most_blocks, int most_in_block,
                    int block_threads)
{
  int fit = most_threads / block_threads;
  if (block_threads > most_in_block)
    return 0;
  return (fit < most_blocks ? fit : most_blocks) * block_threads;
}

static void answer_resident(void)
{
  static const int tiles[] = {8, 16, 32}, sizes[] = {128, 256, 512, 1024};
  printf("version,most_threads,most_blocks,most_in_block,block_threads,"
         "n_blocks,n_threads\n");
  for (int capability = 10; capability <= 13; capability += 3)
    for (int i = 0; i < 3; i++) {
      const occupancy_limits *l = occupancy_limits_of(capability);
      int threads = tiles[i] * tiles[i];
      int n = resident(l->threads, l->blocks, l->block_threads, threads);
      printf("tile_%d_on_%d,%d,%d,%d,%d,%d,%d\n", tiles[i], capability,
             l->threads, l->blocks, l->block_threads, threads, n / threads,
             n);
    }
  for (int i = 0; i < 4; i++) {
    int n = resident(1536, 4, 1024, sizes[i]);
    printf("block_%d,1536,4,1024,%d,%d,%d\n", sizes[i], sizes[i],
           n / sizes[i], n);
  }
}

static int check(void)
{
  int good = answer_grids(0);
  for (int each = 1; each <= 2; each++)
    for (int e = 0; e < 4; e++) {
      coverage c = cover(each, e);
      int covers = c.never == 0 && c.more == 0;
      if (covers != (e == 2)) {
        fprintf(stderr, "%s: error: %u elements never, %u more than once\n",
                expressions[each - 1][e], c.never, c.more);
        good = 0;
      }
    }
  good &= largest_square(1024) == 32 && largest_square(512) == 22;
  good &= resident(1536, 4, 1024, 512) == 1536;
  printf("answers: %s\n", good ? "all right" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "answers to two problem sets",
                            "expressions,grids,resident", "");
  if (!o.csv)
    return check() ? EXIT_SUCCESS : EXIT_FAILURE;
  if (strcmp(o.csv, "expressions") == 0)
    answer_expressions();
  else if (strcmp(o.csv, "grids") == 0)
    return answer_grids(1) ? EXIT_SUCCESS : EXIT_FAILURE;
  else
    answer_resident();
  return EXIT_SUCCESS;
}
