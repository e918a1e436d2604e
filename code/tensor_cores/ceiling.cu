/* How fast is wgmma if nothing else is to be done? The ceiling of the tensor
 * cores, for several widths and for inputs of zeros, whole numbers and random
 * numbers: the more bits change, the more power they take.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/tensor_cores/ceiling.cu -o ceiling && ./ceiling
 *
 * Every multiprocessor has one block of two warpgroups. Each multiplies the
 * same tiles in shared memory again and again. */
#include "common/hopper.h"
#include "tensor_cores/product.h"

enum { GROUPS = 2, DEPTH = TILE_COLUMNS, ROUNDS = 20000 };

typedef struct {
  bf16 a[GROUPS][64 * DEPTH];
  bf16 b[256 * DEPTH];
} tiles;

// begin ceiling
template <int N>
__global__ void __launch_bounds__(128 * GROUPS, 1)
    wgmma_ceiling(float *c, const __grid_constant__ CUtensorMap map,
                  int n_rounds)
{
  extern __shared__ __align__(PATTERN_BYTES) unsigned char memory[];
  tiles *t = (tiles *)memory;
  __shared__ mbarrier full;
  int group = threadIdx.x / 128;
  float sums[N / 2];
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    mbarrier_expect(&full, sizeof *t);
    for (int row = 0; row < 64 * GROUPS + 256; row += 64)
      box_load(memory + row * 128, &map, row, 0, &full);
  }
  __syncthreads();
  mbarrier_wait(&full, 0);
  for (int round = 0; round < n_rounds; round++) {
    wgmma_fence();
    for (int k = 0; k < DEPTH; k += 16)
      wgmma(sums, descriptor(t->a[group] + k), descriptor(t->b + k),
            round + k > 0);
    wgmma_commit();
    wgmma_wait<1>();
  }
  wgmma_wait<0>(sums);
  for (int i = 0; i < N / 2; i++)
    c[(blockIdx.x * N / 2 + i) * 128 * GROUPS + threadIdx.x] = sums[i];
}
// end ceiling

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_c, CUtensorMap map, int n_rounds, int n_blocks);
  int n_cols;
} width;

template <int N>
static void launch(float *d_c, CUtensorMap map, int n_rounds, int n_blocks)
{
  CUDA_CHECK(cudaFuncSetAttribute(wgmma_ceiling<N>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(tiles)));
  wgmma_ceiling<N>
      <<<n_blocks, 128 * GROUPS, sizeof(tiles)>>>(d_c, map, n_rounds);
  CUDA_CHECK_LAUNCH();
}

static const width widths[] = {
  {"n64", "64 x 64 x 16", launch<64>, 64},
  {"n128", "64 x 128 x 16", launch<128>, 128},
  {"n256", "64 x 256 x 16", launch<256>, 256},
};
enum {
  N_WIDTHS = sizeof widths / sizeof widths[0],
  ALL_ROWS = 64 * GROUPS + 256
};

static bf16 *fill(int kind, unsigned seed)
{
  bf16 *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, ALL_ROWS * DEPTH * sizeof(bf16)));
  product_fill<<<ALL_ROWS * DEPTH / 256, 256>>>(d_x, ALL_ROWS * DEPTH, seed,
                                                kind);
  CUDA_CHECK_LAUNCH();
  return d_x;
}

/* Two rounds of whole numbers, every element of one block. */
static int check(const width *w, unsigned seed)
{
  size_t n = (size_t)w->n_cols * 64 * GROUPS;
  float *d_c, *expected = (float *)malloc(n * sizeof *expected);
  bf16 *d_x = fill(INPUTS_WHOLE, seed);
  CUDA_CHECK(cudaMalloc(&d_c, n * sizeof *d_c));
  poison_device(d_c, n * sizeof *d_c);
  w->launch(d_c, hopper_map(d_x, ALL_ROWS, DEPTH, 64), 2, 1);
  bf16 *x = (bf16 *)product_to_host(d_x, ALL_ROWS * DEPTH * sizeof *x);
  float *got = (float *)product_to_host(d_c, n * sizeof *got);
  for (size_t i = 0; i < n; i++) {
    int thread = (int)(i % (128 * GROUPS)), sum = (int)(i / (128 * GROUPS));
    int lane = thread % 32;
    int row = thread / 32 * 16 + lane / 4 + sum / 2 % 2 * 8;
    int col = sum / 4 * 8 + lane % 4 * 2 + sum % 2;
    expected[i] = 0.0f;
    for (int k = 0; k < DEPTH; k++)
      expected[i] += 2.0f * product_value(x[row * DEPTH + k]) *
                     product_value(x[(64 * GROUPS + col) * DEPTH + k]);
  }
  int right = compare_floats(w->name, expected, got, n);
  free(expected);
  free(got);
  free(x);
  CUDA_CHECK(cudaFree(d_c));
  CUDA_CHECK(cudaFree(d_x));
  return right;
}

static void measure(const options *o, const width *w, int kind)
{
  int n_blocks = device_properties()->multiProcessorCount;
  float *d_c;
  bf16 *d_x = fill(kind, (unsigned)o->seed);
  CUtensorMap map = hopper_map(d_x, ALL_ROWS, DEPTH, 64);
  CUDA_CHECK(cudaMalloc(&d_c, (size_t)n_blocks * w->n_cols * 64 * GROUPS *
                                  sizeof *d_c));
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    w->launch(d_c, map, ROUNDS, n_blocks);
  double n_flop = 2.0 * n_blocks * ROUNDS * GROUPS * 64 * w->n_cols * DEPTH;
  printf(o->csv ? "%s,%s,%d,%.0f,%d,%.3f,%.3f,%.1f\n"
                : "%-6s %-8s %4d %16.0f %4d %12.3f %10.3f %10.1f\n",
         w->name, product_inputs[kind], w->n_cols, n_flop, t.repetitions,
         t.median_us, t.spread_us, n_flop / t.median_us * 1e-6);
  CUDA_CHECK(cudaFree(d_c));
  CUDA_CHECK(cudaFree(d_x));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "measures the ceiling of wgmma",
                            "ceiling", "");
  int n_wrong = 0;
  options_versions(&o, widths, sizeof widths[0], N_WIDTHS);
  hopper_need();
  for (int i = 0; i < N_WIDTHS; i++)
    if (options_wants(&o, widths[i].name))
      n_wrong += !check(&widths[i], (unsigned)o.seed);
  fprintf(options_remarks(&o), "check: seed %llu: %s\n",
          (unsigned long long)o.seed, n_wrong ? "WRONG" : "all right");
  if (n_wrong)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  printf(o.csv ? "version,inputs,n_cols,n_flop,repetitions,time_us,"
                 "time_spread_us,tflop_per_s\n"
               : "width, inputs, columns, FLOP, repetitions, median us, spread,"
                 " TFLOP/s\n");
  for (int i = 0; i < N_WIDTHS; i++)
    for (int kind = 0; kind < N_INPUTS; kind++)
      if (options_wants(&o, widths[i].name))
        measure(&o, &widths[i], kind);
  return EXIT_SUCCESS;
}
