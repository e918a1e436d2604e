/* Groups of threads as values: lists the points of a plate that are hotter
 * than a limit, in whatever order they come.
 *
 *   nvcc -arch=sm_70 -I code code/async/groups.cu -o groups && ./groups */
#include <cooperative_groups.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

namespace cg = cooperative_groups;

enum { BLOCK_THREADS = 256, LINE_LANES = 8 };

/* ---- kernels --------------------------------------------------------- */

// begin each
__global__ void list_each(int *list, int *n_listed, const float *plate, int n,
                          float limit)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && plate[i] > limit)
    list[atomicAdd(n_listed, 1)] = i;
}
// end each

// begin coalesced
/* A place in the list for each of these lanes, with one atomic for all. */
__device__ int places_for(cg::coalesced_group lanes, int *n_listed)
{
  int first = 0;
  if (lanes.thread_rank() == 0)
    first = atomicAdd(n_listed, lanes.size());
  return lanes.shfl(first, 0) + lanes.thread_rank();
}

__global__ void list_coalesced(int *list, int *n_listed, const float *plate,
                               int n, float limit)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && plate[i] > limit)
    list[places_for(cg::coalesced_threads(), n_listed)] = i;
}
// end coalesced

// begin tiles
/* Eight lanes at a time, so that the entries of eight neighbouring points,
 * which are one sector of the plate, stay next to each other. */
__global__ void list_tiles(int *list, int *n_listed, const float *plate, int n,
                           float limit)
{
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<LINE_LANES> tile =
      cg::tiled_partition<LINE_LANES>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int is_hot = i < n && plate[i] > limit;

  unsigned hot = tile.ballot(is_hot);
  int first = 0;
  if (tile.thread_rank() == 0 && hot)
    first = atomicAdd(n_listed, __popc(hot));
  first = tile.shfl(first, 0);
  if (is_hot)
    list[first + __popc(hot & ((1u << tile.thread_rank()) - 1))] = i;
}
// end tiles

/* ---- versions -------------------------------------------------------- */

typedef void (*list_kernel)(int *, int *, const float *, int, float);

typedef struct {
  const char *name;
  const char *idea;
  list_kernel kernel;
} version;

static const version versions[] = {
  {"each", "an atomic per point", list_each},
  {"coalesced", "an atomic per group of active lanes", list_coalesced},
  {"tiles", "an atomic per eight lanes", list_tiles},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, int *d_list, int *d_n_listed,
                   const float *d_plate, int n, float limit)
{
  v->kernel<<<(n + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
      d_list, d_n_listed, d_plate, n, limit);
  CUDA_CHECK_LAUNCH();
}

/* ---- checking -------------------------------------------------------- */

/* Every hot point is listed exactly once, and nothing else is. */
static int is_list_right(const char *what, const int *list, int n_listed,
                         const float *plate, int n, float limit)
{
  char *is_listed = (char *)calloc((size_t)n, 1);
  int n_hot = 0, good = 1;
  for (int i = 0; i < n; i++)
    n_hot += plate[i] > limit;
  if (n_listed != n_hot) {
    fprintf(stderr, "%s: error: %d points listed, %d are hot\n", what,
            n_listed, n_hot);
    good = 0;
  }
  for (int k = 0; good && k < n_listed; k++)
    if (list[k] < 0 || list[k] >= n || is_listed[list[k]]++ ||
        !(plate[list[k]] > limit)) {
      fprintf(stderr, "%s: error: entry %d is %d, which is not hot, or listed "
              "before\n", what, k, list[k]);
      good = 0;
    }
  free(is_listed);
  return good;
}

static int check_version(const options *o, const version *v, int n,
                         float limit)
{
  size_t n_bytes = n * sizeof(float);
  float *h_plate = (float *)malloc(n_bytes), *d_plate;
  int *h_list = (int *)malloc(n_bytes), *d_list, *d_n_listed, n_listed;
  char what[80];
  random_source source = random_from_seed(o->seed);
  random_fill_floats(&source, h_plate, n);
  CUDA_CHECK(cudaMalloc(&d_plate, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_list, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_n_listed, sizeof *d_n_listed));
  CUDA_CHECK(cudaMemcpy(d_plate, h_plate, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_list, n_bytes);
  CUDA_CHECK(cudaMemset(d_n_listed, 0, sizeof *d_n_listed));
  launch(v, d_list, d_n_listed, d_plate, n, limit);
  CUDA_CHECK(cudaMemcpy(h_list, d_list, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&n_listed, d_n_listed, sizeof n_listed,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %d points, limit %g", v->name, n, limit);
  int good = is_list_right(what, h_list, n_listed, h_plate, n, limit);
  CUDA_CHECK(cudaFree(d_plate));
  CUDA_CHECK(cudaFree(d_list));
  CUDA_CHECK(cudaFree(d_n_listed));
  free(h_plate);
  free(h_list);
  return good;
}

static int check_versions(const options *o)
{
  static const int sizes[] = {1, 8, 31, 32, 33, 1000, 5003};
  static const float limits[] = {-2.0f, 0.0f, 0.9f, 2.0f};
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++)
          n_bad += !check_version(o, &versions[i], sizes[s], limits[l]);
  if (n_bad == 0)
    fprintf(options_remarks(o), "every version lists the same points "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void run(const options *o, int is_timed)
{
  static const int percents[] = {1, 10, 50, 100};
  int n = (int)memory_length(o, is_timed ? (size_t)1 << 26 : 4096,
                             2 * sizeof(float));
  float *h_plate = (float *)malloc(n * sizeof(float)), *d_plate;
  int *d_list, *d_n_listed;
  random_source source = random_from_seed(7);   /* the same counts each time */
  random_fill_floats(&source, h_plate, n);
  CUDA_CHECK(cudaMalloc(&d_plate, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_list, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_n_listed, sizeof *d_n_listed));
  CUDA_CHECK(cudaMemcpy(d_plate, h_plate, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  if (!is_timed)
    printf("version,n_elems,hot_percent\n");
  else if (o->csv)
    printf("version,n_elems,hot_percent,repetitions,time_us,time_spread_us,"
           "gpoints_per_s\n");
  else
    printf("%-12s %8s %12s\n", "version", "% hot", "median us");
  for (size_t p = 0; p < sizeof percents / sizeof percents[0]; p++)
    for (int i = 0; i < N_VERSIONS; i++) {
      const version *v = &versions[i];
      float limit = 1.0f - 0.02f * percents[p];
      if (!options_wants(o, v->name))
        continue;
      if (percents[p] == 100)
        limit = -2.0f;
      CUDA_CHECK(cudaMemset(d_n_listed, 0, sizeof *d_n_listed));
      if (!is_timed) {
        launch(v, d_list, d_n_listed, d_plate, n, limit);
        printf("%s,%d,%d\n", v->name, n, percents[p]);
        continue;
      }
      timing t = timing_start(o->repetitions);
      while (timing_next(&t)) {
        CUDA_CHECK(cudaMemsetAsync(d_n_listed, 0, sizeof *d_n_listed));
        launch(v, d_list, d_n_listed, d_plate, n, limit);
      }
      if (o->csv)
        printf("%s,%d,%d,%d,%.3f,%.3f,%.2f\n", v->name, n, percents[p],
               t.repetitions, t.median_us, t.spread_us,
               n / t.median_us * 1e-3);
      else
        printf("%-12s %8d %12.2f\n", v->name, percents[p], t.median_us);
      fflush(stdout);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_plate));
  CUDA_CHECK(cudaFree(d_list));
  CUDA_CHECK(cudaFree(d_n_listed));
  free(h_plate);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "lists the hot points of a plate",
                            "hot", "hot");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    run(&o, 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    run(&o, 1);
  return EXIT_SUCCESS;
}
