/* Copies from global to shared memory: how long one takes, and how many bytes
 * must be in flight before the memory is busy.
 *
 *   nvcc -arch=sm_90 -I code code/async/bulk.cu -o bulk && ./bulk
 *
 * Latency: one thread asks for 512 bytes and waits for them. Bandwidth: every
 * block streams its part of an array through shared memory, `stages` pieces
 * at a time. */
#include <cuda_pipeline.h>

#include "async/tma.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum {
  PIECE_COLUMNS = 128,          /* floats: 512 bytes */
  PIECE_BYTES = PIECE_COLUMNS * 4,
  N_PIECES = 64,                /* that the latency is measured with */
  N_COPIES = 60,                /* one after the other */
  NEXT_PIECE = 27,
  MOST_STAGES = 8
};

/* ---- latency --------------------------------------------------------- */

/* Each round's piece depends on a word of the round before, so no copy can
 * begin early. The array holds which piece is next. */
__global__ void latency_load(long long *cycles, unsigned *end,
                             const unsigned *array)
{
  unsigned piece = 0;
  long long start = clock64();
  for (int i = 0; i < N_COPIES; i++)
    piece = __ldcg(&array[piece * PIECE_COLUMNS + threadIdx.x]);
  if (threadIdx.x == 0) {
    *end = piece;
    *cycles = clock64() - start;
  }
}

__global__ void latency_cp_async(long long *cycles, unsigned *end,
                                 const unsigned *array)
{
  __shared__ __align__(128) unsigned here[PIECE_COLUMNS];
  unsigned piece = 0;
  long long start = clock64();
  for (int i = 0; i < N_COPIES; i++) {
    __pipeline_memcpy_async(&here[4 * threadIdx.x],
                            &array[piece * PIECE_COLUMNS + 4 * threadIdx.x],
                            16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    piece = here[0];
    __syncwarp();
  }
  if (threadIdx.x == 0) {
    *end = piece;
    *cycles = clock64() - start;
  }
}

// begin latency_bulk
__global__ void latency_bulk(long long *cycles, unsigned *end,
                             const unsigned *array)
{
  __shared__ __align__(128) volatile unsigned here[PIECE_COLUMNS];
  __shared__ mbarrier full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 1);
  __syncwarp();
  if (threadIdx.x == 0) {
    unsigned piece = 0;
    long long start = clock64();
    for (int i = 0; i < N_COPIES; i++) {
      mbarrier_expect(&full, PIECE_BYTES);
      bulk_load((void *)here, &array[piece * PIECE_COLUMNS], PIECE_BYTES,
                &full);
      mbarrier_wait(&full, i % 2);
      piece = here[0];
    }
    *end = piece;
    *cycles = clock64() - start;
  }
}
// end latency_bulk

__global__ void latency_box(long long *cycles, unsigned *end,
                            const __grid_constant__ CUtensorMap map)
{
  __shared__ __align__(128) volatile unsigned here[PIECE_COLUMNS];
  __shared__ mbarrier full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 1);
  __syncwarp();
  if (threadIdx.x == 0) {
    unsigned piece = 0;
    long long start = clock64();
    for (int i = 0; i < N_COPIES; i++) {
      mbarrier_expect(&full, PIECE_BYTES);
      box_load((void *)here, &map, (int)piece, 0, &full);
      mbarrier_wait(&full, i % 2);
      piece = here[0];
    }
    *end = piece;
    *cycles = clock64() - start;
  }
}

/* ---- bandwidth ------------------------------------------------------- */

/* Block b copies pieces b, b + gridDim.x, …, each into the stage whose turn
 * it is, and takes one word of each, which ends up in `sums`. */
// begin stream_bulk
__global__ void stream_bulk(unsigned *sums, const char *array,
                            unsigned n_pieces, unsigned piece_bytes,
                            unsigned n_stages)
{
  extern __shared__ __align__(128) char stage[];
  __shared__ mbarrier full[MOST_STAGES];
  if (threadIdx.x > 0)
    return;                     /* one thread keeps the TMA busy */
  for (unsigned i = 0; i < n_stages; i++)
    mbarrier_init(&full[i], 1);

  unsigned sum = 0, ahead = blockIdx.x, at = 0, parity = 0;
  for (unsigned i = 0; i < n_stages && ahead < n_pieces; i++) {
    mbarrier_expect(&full[i], piece_bytes);
    bulk_load(stage + i * piece_bytes, array + (size_t)ahead * piece_bytes,
              piece_bytes, &full[i]);
    ahead += gridDim.x;
  }
  for (unsigned piece = blockIdx.x; piece < n_pieces; piece += gridDim.x) {
    char *here = stage + at * piece_bytes;
    mbarrier_wait(&full[at], parity);
    sum += *(volatile unsigned *)here;
    if (ahead < n_pieces) {     /* the stage is free: the next piece, please */
      mbarrier_expect(&full[at], piece_bytes);
      bulk_load(here, array + (size_t)ahead * piece_bytes, piece_bytes,
                &full[at]);
      ahead += gridDim.x;
    }
    if (++at == n_stages) {
      at = 0;
      parity ^= 1;
    }
  }
  sums[blockIdx.x] = sum;
}
// end stream_bulk

/* ---- versions of the latency ----------------------------------------- */

static long long *d_cycles;
static unsigned *d_end;

static void launch_load(const unsigned *d_array)
{
  latency_load<<<1, 128>>>(d_cycles, d_end, d_array);
}

static void launch_cp_async(const unsigned *d_array)
{
  latency_cp_async<<<1, 32>>>(d_cycles, d_end, d_array);
}

static void launch_bulk(const unsigned *d_array)
{
  latency_bulk<<<1, 32>>>(d_cycles, d_end, d_array);
}

static void launch_box(const unsigned *d_array)
{
  CUtensorMap map = tma_map((const float *)d_array, N_PIECES, PIECE_COLUMNS,
                            1, PIECE_COLUMNS, CU_TENSOR_MAP_SWIZZLE_NONE);
  latency_box<<<1, 32>>>(d_cycles, d_end, map);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(const unsigned *d_array);
} version;

static const version versions[] = {
  {"load", "a load per thread, into a register", launch_load},
  {"cp_async", "cp.async, 16 bytes per lane", launch_cp_async},
  {"bulk", "cp.async.bulk, one thread", launch_bulk},
  {"box", "cp.async.bulk.tensor, one thread", launch_box},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* A cycle through all pieces: every word of a piece names the next. */
static unsigned *pieces_on_device(void)
{
  static unsigned h_array[N_PIECES * PIECE_COLUMNS];
  unsigned *d_array;
  for (unsigned i = 0; i < N_PIECES * PIECE_COLUMNS; i++)
    h_array[i] = (i / PIECE_COLUMNS + NEXT_PIECE) % N_PIECES;
  CUDA_CHECK(cudaMalloc(&d_array, sizeof h_array));
  CUDA_CHECK(cudaMemcpy(d_array, h_array, sizeof h_array,
                        cudaMemcpyHostToDevice));
  return d_array;
}

static int launch_latency(const version *v, const unsigned *d_array,
                          long long *cycles)
{
  unsigned end;
  CUDA_CHECK(cudaMemset(d_end, 0xff, sizeof *d_end));
  v->launch(d_array);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&end, d_end, sizeof end, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(cycles, d_cycles, sizeof *cycles,
                        cudaMemcpyDeviceToHost));
  if (end == N_COPIES * NEXT_PIECE % N_PIECES)
    return 1;
  fprintf(stderr, "%s: error: the chase ended at piece %u instead of %d\n",
          v->name, end, N_COPIES * NEXT_PIECE % N_PIECES);
  return 0;
}

/* ---- checking the stream --------------------------------------------- */

static int n_multiprocessors(void)
{
  return device_properties()->multiProcessorCount;
}

static void launch_stream(unsigned *d_sums, const char *d_array,
                          unsigned n_pieces, unsigned piece_bytes,
                          unsigned n_stages, unsigned n_blocks)
{
  CUDA_CHECK(cudaFuncSetAttribute(stream_bulk,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)(piece_bytes * n_stages)));
  stream_bulk<<<n_blocks, 32, piece_bytes * n_stages>>>(
      d_sums, d_array, n_pieces, piece_bytes, n_stages);
  CUDA_CHECK_LAUNCH();
}

static int check_stream(const options *o, unsigned n_pieces,
                        unsigned piece_bytes, unsigned n_stages,
                        unsigned n_blocks)
{
  size_t n_bytes = (size_t)n_pieces * piece_bytes;
  unsigned *h_array = (unsigned *)malloc(n_bytes);
  unsigned *h_sums = (unsigned *)malloc(n_blocks * sizeof *h_sums);
  unsigned expected = 0, got = 0, *d_sums;
  char *d_array;
  random_source source = random_from_seed(o->seed);
  random_fill_bytes(&source, h_array, n_bytes);
  CUDA_CHECK(cudaMalloc(&d_array, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_sums, n_blocks * sizeof *d_sums));
  CUDA_CHECK(cudaMemcpy(d_array, h_array, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_sums, 0xff, n_blocks * sizeof *d_sums));
  launch_stream(d_sums, d_array, n_pieces, piece_bytes, n_stages, n_blocks);
  CUDA_CHECK(cudaMemcpy(h_sums, d_sums, n_blocks * sizeof *h_sums,
                        cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < n_pieces; i++)
    expected += h_array[(size_t)i * piece_bytes / sizeof *h_array];
  for (unsigned i = 0; i < n_blocks; i++)
    got += h_sums[i];
  if (got != expected)
    fprintf(stderr, "stream, %u pieces of %u bytes, %u stages: error: the sum "
            "is %u, not %u\n", n_pieces, piece_bytes, n_stages, got, expected);
  CUDA_CHECK(cudaFree(d_array));
  CUDA_CHECK(cudaFree(d_sums));
  free(h_array);
  free(h_sums);
  return got == expected;
}

static int check(const options *o, const unsigned *d_array)
{
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++) {
    long long cycles;
    if (options_wants(o, versions[i].name))
      n_bad += !launch_latency(&versions[i], d_array, &cycles);
  }
  for (unsigned n_stages = 1; n_stages <= MOST_STAGES; n_stages++)
    n_bad += !check_stream(o, 37, 256, n_stages, 5) +
             !check_stream(o, 3, 4096, n_stages, 4);
  if (n_bad == 0)
    fprintf(options_remarks(o), "every copy brought what it should "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The pieces are in L2: the warm-up has brought them there. */
static void measure_latency(const options *o, const unsigned *d_array)
{
  if (o->csv)
    printf("version,copy_bytes,repetitions,latency_cycles,"
           "latency_spread_cycles\n");
  else
    printf("%-12s %16s\n", "version", "cycles per copy");
  for (int i = 0; i < N_VERSIONS; i++) {
    double samples[1000];
    if (!options_wants(o, versions[i].name))
      continue;
    for (int k = -TIMING_WARM_UP; k < o->repetitions; k++) {
      long long cycles;
      if (!launch_latency(&versions[i], d_array, &cycles))
        exit(EXIT_FAILURE);
      if (k >= 0)
        samples[k] = (double)cycles / N_COPIES;
    }
    qsort(samples, (size_t)o->repetitions, sizeof *samples, by_size);
    double median = timing_quantile(samples, o->repetitions, 0.5);
    if (o->csv)
      printf("%s,%d,%d,%.2f,%.2f\n", versions[i].name, (int)PIECE_BYTES,
             o->repetitions, median,
             timing_quantile(samples, o->repetitions, 0.75) -
                 timing_quantile(samples, o->repetitions, 0.25));
    else
      printf("%-12s %16.1f\n", versions[i].name, median);
  }
}

static void measure_stream(const options *o)
{
  static const unsigned piece_bytes[] = {1024, 2048, 4096, 8192, 16384};
  static const unsigned stages[] = {1, 2, 4, 8};
  static const unsigned per_sm[] = {1, 2, 4};
  size_t n_bytes = memory_length(o, (size_t)1 << 30, 1);
  char *d_array;
  unsigned *d_sums;
  CUDA_CHECK(cudaMalloc(&d_array, n_bytes));
  CUDA_CHECK(cudaMemset(d_array, 1, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_sums, 4 * n_multiprocessors() * sizeof *d_sums));
  printf("piece_bytes,n_stages,blocks_per_sm,in_flight_bytes_per_sm,n_bytes,"
         "repetitions,time_us,time_spread_us,gb_per_s\n");
  for (unsigned p = 0; p < sizeof piece_bytes / sizeof *piece_bytes; p++)
    for (unsigned s = 0; s < sizeof stages / sizeof *stages; s++)
      for (unsigned b = 0; b < sizeof per_sm / sizeof *per_sm; b++) {
        unsigned flight = piece_bytes[p] * stages[s] * per_sm[b];
        if (flight + 2048 * per_sm[b] >
            device_properties()->sharedMemPerMultiprocessor)
          continue;
        timing t = timing_start(o->repetitions);
        while (timing_next(&t))
          launch_stream(d_sums, d_array,
                        (unsigned)(n_bytes / piece_bytes[p]), piece_bytes[p],
                        stages[s], per_sm[b] * n_multiprocessors());
        printf("%u,%u,%u,%u,%zu,%d,%.3f,%.3f,%.1f\n", piece_bytes[p],
               stages[s], per_sm[b], flight, n_bytes, t.repetitions,
               t.median_us, t.spread_us,
               timing_gb_per_s((double)n_bytes, t.median_us));
        fflush(stdout);
      }
  CUDA_CHECK(cudaFree(d_array));
  CUDA_CHECK(cudaFree(d_sums));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "copies from global to shared memory",
                            "latency,stream", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  tma_need();
  unsigned *d_array = pieces_on_device();
  CUDA_CHECK(cudaMalloc(&d_cycles, sizeof *d_cycles));
  CUDA_CHECK(cudaMalloc(&d_end, sizeof *d_end));
  int n_bad = check(&o, d_array);
  if (n_bad == 0 && !o.check && timing_is_possible()) {
    if (o.csv && strcmp(o.csv, "stream") == 0)
      measure_stream(&o);
    else
      measure_latency(&o, d_array);
  }
  CUDA_CHECK(cudaFree(d_array));
  CUDA_CHECK(cudaFree(d_cycles));
  CUDA_CHECK(cudaFree(d_end));
  return n_bad > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
