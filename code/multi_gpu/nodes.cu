/* The heat equation on as many processes as mpirun starts, on one machine or
 * on many. Every process has one GPU and one band of the plate, and sends its
 * halos by MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "multi_gpu/rows.h"

enum { CHECK_STEPS = 7, UPWARDS = 1, DOWNWARDS = 2 };

// begin band
typedef struct {
  float *d_grid[2];
  size_t n_rows, columns, first;
  int above, below;           /* neighbours' ranks, or MPI_PROC_NULL */
  /* Pinned: the rows to send and those received, upwards and downwards. */
  float *h_send[2], *h_receive[2];
  cudaStream_t work, edges;
  cudaEvent_t done[2], edges_done[2];
} band;
// end band

static void compute(const band *b, int step, size_t first, size_t end,
                    cudaStream_t stream)
{
  launch_rows(b->d_grid[(step + 1) % 2], b->d_grid[step % 2], b->columns,
              first, end, stream);
}

// begin exchange
/* The halos of the step's output, once `stream` has computed the rows that
 * they are made of. Where there is no neighbour, MPI sends nothing and receives
 * nothing. */
static void exchange(const band *b, int step, cudaStream_t stream)
{
  size_t n_bytes = b->columns * sizeof(float);
  int count = (int)b->columns, out = (step + 1) % 2;
  float *first = b->d_grid[out] + b->columns;
  float *last = b->d_grid[out] + b->n_rows * b->columns;
  MPI_Request requests[4];
  MPI_Irecv(b->h_receive[0], count, MPI_FLOAT, b->above, DOWNWARDS,
            MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(b->h_receive[1], count, MPI_FLOAT, b->below, UPWARDS,
            MPI_COMM_WORLD, &requests[1]);
  CUDA_CHECK(cudaMemcpyAsync(b->h_send[0], first, n_bytes, cudaMemcpyDefault,
                             stream));
  CUDA_CHECK(cudaMemcpyAsync(b->h_send[1], last, n_bytes, cudaMemcpyDefault,
                             stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));  /* MPI knows no streams */
  MPI_Isend(b->h_send[0], count, MPI_FLOAT, b->above, UPWARDS,
            MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(b->h_send[1], count, MPI_FLOAT, b->below, DOWNWARDS,
            MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  if (b->above != MPI_PROC_NULL)
    CUDA_CHECK(cudaMemcpyAsync(first - b->columns, b->h_receive[0], n_bytes,
                               cudaMemcpyDefault, stream));
  if (b->below != MPI_PROC_NULL)
    CUDA_CHECK(cudaMemcpyAsync(last + b->columns, b->h_receive[1], n_bytes,
                               cudaMemcpyDefault, stream));
}
// end exchange

// begin steps
static void step_wait(const band *b, int step)
{
  compute(b, step, 1, b->n_rows + 1, b->work);
  exchange(b, step, b->work);
}

/* As `overlap` within a process: the edge rows travel while the rest is
 * computed. */
static void step_overlap(const band *b, int step)
{
  int now = step % 2, before = (step + 1) % 2;
  if (step > 0) {
    CUDA_CHECK(cudaStreamWaitEvent(b->edges, b->done[before], 0));
    CUDA_CHECK(cudaStreamWaitEvent(b->work, b->edges_done[before], 0));
  }
  compute(b, step, 1, 2, b->edges);
  if (b->n_rows > 1)
    compute(b, step, b->n_rows, b->n_rows + 1, b->edges);
  CUDA_CHECK(cudaEventRecord(b->edges_done[now], b->edges));
  compute(b, step, 2, b->n_rows, b->work);
  CUDA_CHECK(cudaEventRecord(b->done[now], b->work));
  exchange(b, step, b->edges);
}
// end steps

typedef struct {
  const char *name;
  const char *idea;
  void (*step)(const band *b, int step);
} version;

static const version versions[] = {
  {"mpi_wait", "compute a step, exchange the halos, next step", step_wait},
  {"mpi_overlap", "exchange the halos while the rest is computed",
   step_overlap},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- setting up ---- */

static int my_rank(void)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int n_ranks(void)
{
  int n;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

// begin choose
/* Processes of one machine take its GPUs in turn. A rank says nothing about
 * the machine; the rank among those that share memory does. */
static void choose_gpu(void)
{
  MPI_Comm here;
  int local_rank, n_gpus;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &here);
  MPI_Comm_rank(here, &local_rank);
  MPI_Comm_free(&here);
  CUDA_CHECK(cudaGetDeviceCount(&n_gpus));
  CUDA_CHECK(cudaSetDevice(local_rank % n_gpus));
}
// end choose

static band band_new(size_t rows, size_t columns)
{
  band b;
  size_t inner = rows - 2, n = (size_t)n_ranks(), k = (size_t)my_rank();
  size_t n_bytes = columns * sizeof(float);
  int least, greatest;
  b.first = inner * k / n;
  b.n_rows = inner * (k + 1) / n - b.first;
  b.columns = columns;
  b.above = k > 0 ? (int)k - 1 : MPI_PROC_NULL;
  b.below = k + 1 < n ? (int)k + 1 : MPI_PROC_NULL;
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CUDA_CHECK(cudaStreamCreateWithFlags(&b.work, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithPriority(&b.edges, cudaStreamNonBlocking,
                                          greatest));
  for (int i = 0; i < 2; i++) {
    CUDA_CHECK(cudaMalloc(&b.d_grid[i], (b.n_rows + 2) * n_bytes));
    CUDA_CHECK(cudaMallocHost(&b.h_send[i], n_bytes));
    CUDA_CHECK(cudaMallocHost(&b.h_receive[i], n_bytes));
    CUDA_CHECK(cudaEventCreateWithFlags(&b.done[i], cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&b.edges_done[i],
                                        cudaEventDisableTiming));
  }
  return b;
}

static void band_free(band *b)
{
  for (int i = 0; i < 2; i++) {
    CUDA_CHECK(cudaFree(b->d_grid[i]));
    CUDA_CHECK(cudaFreeHost(b->h_send[i]));
    CUDA_CHECK(cudaFreeHost(b->h_receive[i]));
    CUDA_CHECK(cudaEventDestroy(b->done[i]));
    CUDA_CHECK(cudaEventDestroy(b->edges_done[i]));
  }
  CUDA_CHECK(cudaStreamDestroy(b->work));
  CUDA_CHECK(cudaStreamDestroy(b->edges));
}

/* ---- check ---- */

/* Every rank draws the same plate and compares its own band of it. */
static int check_case(const version *v, random_source *source, size_t rows,
                      size_t columns)
{
  char what[96];
  float *h_start = heat_allocate(rows, columns);
  heat_random(h_start, rows, columns, source);
  float *h_expected = heat_reference(h_start, rows, columns, HEAT_R,
                                     CHECK_STEPS);
  band b = band_new(rows, columns);
  size_t n_bytes = b.n_rows * columns * sizeof(float);
  for (int i = 0; i < 2; i++)
    CUDA_CHECK(cudaMemcpy(b.d_grid[i], h_start + b.first * columns,
                          n_bytes + 2 * columns * sizeof(float),
                          cudaMemcpyHostToDevice));
  for (int step = 0; step < CHECK_STEPS; step++)
    v->step(&b, step);
  CUDA_CHECK(cudaDeviceSynchronize());
  float *h_own = h_start + (b.first + 1) * columns;
  CUDA_CHECK(cudaMemcpy(h_own, b.d_grid[CHECK_STEPS % 2] + columns, n_bytes,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %zu x %zu, rank %d of %d", v->name, rows,
           columns, my_rank(), n_ranks());
  int right = heat_check(what, h_expected + (b.first + 1) * columns, h_own,
                         b.n_rows, columns);
  band_free(&b);
  free(h_start);
  free(h_expected);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[][2] = {{3, 3}, {18, 33}, {70, 300}, {131, 600}};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  unsigned long long seed = o->seed;
  int right = 1, all_right;
  MPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  random_source source = random_from_seed(seed);
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      if (sizes[s][0] - 2 >= (size_t)n_ranks())
        right &= check_case(&versions[k], &source, sizes[s][0], sizes[s][1]);
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (my_rank() == 0)
    fprintf(options_remarks(o), "check: %d sizes on %d ranks, seed %llu: "
            "%s\n", N_SIZES, n_ranks(), seed, all_right ? "all right"
                                                        : "WRONG");
  return all_right;
}

/* ---- measurement ---- */

enum { MAX_REPETITIONS = 1000 };

static timing time_steps(const version *v, size_t side, int repetitions)
{
  static double us[MAX_REPETITIONS];
  timing t = {};
  band b = band_new(side, side);
  int n_steps = side > 10000 ? 60 : 200, step = 0;
  fill_grids(b.d_grid, (b.n_rows + 2) * side);
  for (int pass = -1; pass < repetitions; pass++) {
    CUDA_CHECK(cudaDeviceSynchronize());
    MPI_Barrier(MPI_COMM_WORLD);
    double start = timing_host_us();
    for (int i = 0; i < n_steps; i++)
      v->step(&b, step++);
    CUDA_CHECK(cudaDeviceSynchronize());
    MPI_Barrier(MPI_COMM_WORLD);
    if (pass >= 0)
      us[pass] = (timing_host_us() - start) / n_steps;
  }
  band_free(&b);
  timing_summarise(&t, us, repetitions);
  return t;
}

static void measure(const options *o)
{
  int repetitions = o->repetitions < 9 ? o->repetitions : 9;
  size_t largest = memory_side(o, 16384, 2 * sizeof(float));
  if (my_rank() == 0)
    printf("version,n_ranks,rows,columns,repetitions,step_us,spread_us\n");
  for (size_t side = 512; side <= largest; side *= 2)
    for (int k = 0; k < N_VERSIONS; k++) {
      timing t = time_steps(&versions[k], side, repetitions);
      if (my_rank() == 0)
        printf("%s,%d,%zu,%zu,%d,%.3f,%.3f\n", versions[k].name, n_ranks(),
               side, side, repetitions, t.median_us, t.spread_us);
    }
}

static int run(const options *o)
{
  if (o->csv && !timing_is_possible())
    return EXIT_SKIPPED;
  choose_gpu();
  if (!check(o))
    return EXIT_FAILURE;
  if (!o->check && !device_is_software())
    measure(o);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the heat equation on several "
                            "processes; start it with mpirun", "nodes", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] < 512))
    options_fail(&o, "--size must be one number, at least 512");
  MPI_Init(&argc, &argv);
  int status = run(&o);
  MPI_Finalize();
  return status;
}
