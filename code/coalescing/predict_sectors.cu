/* Predicts how many sectors a request touches, for any word size, offset
 * and stride: by a formula, which is checked against plain counting on the
 * host.  With --count it runs every case once, one warp each, so that the
 * predictions can be held against what a device counts. */
#include <stdio.h>
#include <stdlib.h>

#include "coalescing/sectors.h"
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"

/* The cases that a device runs. */
static const int offsets[] = {0, 1, 2, 3, 7, 8};
static const int strides[] = {1, 2, 3, 4, 5, 8, 32, 100};
enum {
  N_OFFSETS = sizeof offsets / sizeof offsets[0],
  N_STRIDES = sizeof strides / sizeof strides[0],
  MAX_OFFSET = 8,
  MAX_STRIDE = 100,
  REACH_ELEMS = MAX_OFFSET + (WARP_LANES - 1) * MAX_STRIDE + 1
};

/* ---- CPU reference: count them ---- */

static size_t sectors_by_counting(size_t word_bytes, size_t offset,
                                  size_t stride)
{
  size_t at[WARP_LANES];
  for (size_t lane = 0; lane < WARP_LANES; lane++)
    at[lane] = (offset + lane * stride) * word_bytes;
  return sectors_counted(at, WARP_LANES, SECTOR_BYTES);
}

/* ---- kernels: one for each size of word ---- */

__global__ void read_1(const unsigned char *in, unsigned char *out,
                       int offset, int stride)
{
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}

__global__ void read_2(const unsigned short *in, unsigned short *out,
                       int offset, int stride)
{
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}

// begin read_4
__global__ void read_4(const float *in, float *out, int offset, int stride)
{
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}
// end read_4

__global__ void read_8(const double *in, double *out, int offset, int stride)
{
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}

__global__ void read_16(const float4 *in, float4 *out, int offset,
                        int stride)
{
  out[threadIdx.x] = in[offset + threadIdx.x * stride];
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  const void *kernel;
  size_t word_bytes;
} version;

static const version versions[] = {
  {"read_1", "bytes", (const void *)read_1, 1},
  {"read_2", "words of 2 bytes", (const void *)read_2, 2},
  {"read_4", "floats", (const void *)read_4, 4},
  {"read_8", "doubles", (const void *)read_8, 8},
  {"read_16", "four floats", (const void *)read_16, 16},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

/* The formula against counting, for far more cases than a device runs. */
static int check_formula(const version *v)
{
  for (size_t offset = 0; offset <= 64; offset++)
    for (size_t stride = 1; stride <= 256; stride++) {
      size_t predicted = sectors_predicted(v->word_bytes, offset, stride);
      size_t counted = sectors_by_counting(v->word_bytes, offset, stride);
      if (predicted != counted) {
        fprintf(stderr, "error: words of %zu bytes, offset %zu, stride %zu: "
                "predicted %zu sectors, there are %zu\n", v->word_bytes,
                offset, stride, predicted, counted);
        return 0;
      }
    }
  return 1;
}

static int check_case(const version *v, const unsigned char *h_in,
                      const void *d_in, void *d_out, int offset, int stride)
{
  unsigned char h_expected[WARP_LANES * 16], h_got[WARP_LANES * 16];
  size_t n_bytes = WARP_LANES * v->word_bytes;
  void *arguments[] = {&d_in, &d_out, &offset, &stride};
  char what[64];
  for (size_t lane = 0; lane < WARP_LANES; lane++)
    memcpy(h_expected + lane * v->word_bytes,
           h_in + (offset + lane * stride) * v->word_bytes, v->word_bytes);
  poison_device(d_out, n_bytes);
  CUDA_CHECK(cudaLaunchKernel(v->kernel, dim3(1), dim3(WARP_LANES),
                              arguments, 0, NULL));
  CUDA_CHECK(cudaMemcpy(h_got, d_out, n_bytes, cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, offset %d, stride %d", v->name, offset,
           stride);
  return compare_bytes(what, h_expected, h_got, n_bytes);
}

static int check_version(const version *v, random_source *random)
{
  size_t in_bytes = REACH_ELEMS * v->word_bytes;
  unsigned char *h_in = (unsigned char *)malloc(in_bytes);
  void *d_in, *d_out;
  int right = check_formula(v);
  if (!h_in) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_bytes(random, h_in, in_bytes);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, WARP_LANES * v->word_bytes));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < N_OFFSETS; i++)
    for (int s = 0; s < N_STRIDES; s++)
      right &= check_case(v, h_in, d_in, d_out, offsets[i], strides[s]);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  return right;
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_version(&versions[k], &random);
  fprintf(options_remarks(o), "check: formula and kernels, seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count: a launch for each case, a row for each launch ---- */

static int count(const options *o)
{
  printf("version,word_bytes,offset_elems,stride_elems,predicted_sectors\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    void *d_in, *d_out;
    if (!options_wants(o, v->name))
      continue;
    CUDA_CHECK(cudaMalloc(&d_in, REACH_ELEMS * v->word_bytes));
    CUDA_CHECK(cudaMalloc(&d_out, WARP_LANES * v->word_bytes));
    CUDA_CHECK(cudaMemset(d_in, 0, REACH_ELEMS * v->word_bytes));
    for (int i = 0; i < N_OFFSETS; i++)
      for (int s = 0; s < N_STRIDES; s++) {
        int offset = offsets[i], stride = strides[s];
        void *arguments[] = {&d_in, &d_out, &offset, &stride};
        CUDA_CHECK(cudaLaunchKernel(v->kernel, dim3(1), dim3(WARP_LANES),
                                    arguments, 0, NULL));
        printf("%s,%zu,%d,%d,%zu\n", v->name, v->word_bytes, offset, stride,
               sectors_predicted(v->word_bytes, offset, stride));
      }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
  }
  return EXIT_SUCCESS;
}

/* Run plainly: what the formula says of a few layouts. */
// begin structures
static void print_predictions(void)
{
  static const struct {
    const char *what;
    size_t word_bytes, offset, stride;
  } cases[] = {
    {"floats, one after the other", 4, 0, 1},
    {"the same, one float further on", 4, 1, 1},
    {"x of struct { float x, y, z; }", 4, 0, 3},
    {"z of struct { float x, y, z; }", 4, 2, 3},
    {"x of struct { float x, y, z, w; }", 4, 0, 4},
    {"x of struct { double x, y, z; }", 8, 0, 3},
    {"one byte of each float", 1, 0, 4},
    {"a column of a 100 x 100 float matrix", 4, 0, 100},
  };
  printf("%-38s %s\n", "a warp reads", "sectors");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    printf("%-38s %7zu\n", cases[i].what,
           sectors_predicted(cases[i].word_bytes, cases[i].offset,
                             cases[i].stride));
}
// end structures

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "sectors per request, predicted",
                            "", "prediction");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check)
    print_predictions();
  return EXIT_SUCCESS;
}
