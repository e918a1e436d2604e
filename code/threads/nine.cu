/* Proves the nine index formulas: over many shapes of grid and block, each
 * index 0 … threads - 1 comes up exactly once, and the formula agrees with
 * the general one.
 *
 *   nvcc -I code code/threads/nine.cu -o nine && ./nine */
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "threads/index.h"

// begin general
/* Right for all nine: a dimension that is not used has size 1 and index 0. */
__device__ unsigned index_general(void)
{
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                   blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
                    threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}
// end general

// begin hit
/* hits[i]: threads that got index i; hits[n]: with an index beyond the last
 * one; hits[n + 1]: with another index than the general one. */
__device__ void hit(unsigned *hits, unsigned n, unsigned index)
{
  atomicAdd(&hits[index < n ? index : n], 1);
  if (index != index_general())
    atomicAdd(&hits[n + 1], 1);
}
// end hit

#define KERNEL(name, grid_dims, block_dims)                \
  __global__ void hit_##name(unsigned *hits, unsigned n)   \
  {                                                        \
    hit(hits, n, index_##name());                          \
  }
INDEX_CASES(KERNEL)

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(unsigned *hits, unsigned n);
  int grid_dims, block_dims;
} version;

static const version versions[] = {
#define ROW(name, grid_dims, block_dims)                                   \
  {#name, #grid_dims "D grid of " #block_dims "D blocks", hit_##name,      \
   grid_dims, block_dims},
  INDEX_CASES(ROW)
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

typedef struct {
  int shapes;
  unsigned long long threads, fewest, most, outside, differ;
} tally;

/* Launches one shape and adds up what came of it. */
static void try_shape(const version *v, dim3 grid, dim3 block, tally *t)
{
  unsigned n = grid.x * grid.y * grid.z * block.x * block.y * block.z;
  unsigned *h_hits = (unsigned *)malloc((n + 2) * sizeof *h_hits);
  unsigned *d_hits;
  if (!h_hits) {
    fprintf(stderr, "nine: error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaMalloc(&d_hits, (n + 2) * sizeof *d_hits));
  CUDA_CHECK(cudaMemset(d_hits, 0, (n + 2) * sizeof *d_hits));
  v->kernel<<<grid, block>>>(d_hits, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_hits, d_hits, (n + 2) * sizeof *h_hits,
                        cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; i++) {
    t->fewest = h_hits[i] < t->fewest ? h_hits[i] : t->fewest;
    t->most = h_hits[i] > t->most ? h_hits[i] : t->most;
  }
  t->outside += h_hits[n];
  t->differ += h_hits[n + 1];
  t->threads += n;
  t->shapes++;
  CUDA_CHECK(cudaFree(d_hits));
  free(h_hits);
}

static unsigned up_to(random_source *source, unsigned limit)
{
  return 1 + (unsigned)random_below(source, limit);
}

/* Up to 64 blocks, and up to 1024 threads in each, of which at most 64 in z;
 * nothing makes them multiples of anything. */
static dim3 random_shape(random_source *source, int dims, unsigned limit)
{
  dim3 shape;
  if (dims == 3)
    shape.z = up_to(source, limit < 64 ? 4 : 12);
  if (dims > 1)
    shape.y = up_to(source, limit / shape.z > 40 ? 40 : limit / shape.z);
  shape.x = up_to(source, limit / shape.z / shape.y);
  return shape;
}

static tally try_shapes(const version *v, uint64_t seed, int n_shapes)
{
  tally t = {0, 0, ~0ull, 0, 0, 0};
  dim3 one(1), full_x(1024), full_y(1, 1024), full_z(1, 16, 64);
  random_source source = random_from_seed(seed);
  try_shape(v, one, one, &t);
  try_shape(v, one, v->block_dims == 1 ? full_x :
                    v->block_dims == 2 ? full_y : full_z, &t);
  while (t.shapes < n_shapes)
    try_shape(v, random_shape(&source, v->grid_dims, 63),
              random_shape(&source, v->block_dims, 1024), &t);
  return t;
}

static int is_proven(const tally *t)
{
  return t->fewest == 1 && t->most == 1 && t->outside == 0 && t->differ == 0;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "proves the nine index formulas",
                            "shapes", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int n_bad = 0, n_shapes = 40;
  if (o.csv)
    printf("version,grid_dims,block_dims,n_shapes,n_threads,fewest_hits,"
           "most_hits,n_outside,n_different\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(&o, v->name))
      continue;
    /* What goes into the book is the same at every run. */
    tally t = try_shapes(v, o.csv ? 1 : o.seed, n_shapes);
    if (!is_proven(&t)) {
      fprintf(stderr, "%s: error: some index was hit %llu times, some %llu "
              "times, %llu lay outside, %llu differ (--seed %llu)\n",
              v->name, t.fewest, t.most, t.outside, t.differ,
              (unsigned long long)o.seed);
      n_bad++;
    }
    if (o.csv)
      printf("%s,%d,%d,%d,%llu,%llu,%llu,%llu,%llu\n", v->name,
             v->grid_dims, v->block_dims, t.shapes, t.threads, t.fewest,
             t.most, t.outside, t.differ);
    else
      printf("%-8s %3d shapes, %8llu threads: each index %llu to %llu "
             "times\n", v->name, t.shapes, t.threads, t.fewest, t.most);
  }
  return n_bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
