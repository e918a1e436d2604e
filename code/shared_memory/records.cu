/* Records of a few floats each follow one another in memory; each is to
 * be divided by its length.  A thread takes a record.  Its neighbour's record
 * lies n_floats further on, so the accesses to global memory have a stride,
 * unless the block fetches its records together, through shared memory.
 *
 *   nvcc -I code code/shared_memory/records.cu -o records && ./records
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum {
  BLOCK_RECORDS = 128,          /* one thread each */
  MOST_FLOATS = 33
};

/* ---- CPU reference ---- */

// begin reference
static void normalise_on_host(float *out, const float *in, size_t n_records,
                              unsigned n_floats)
{
  for (size_t r = 0; r < n_records; r++) {
    float sum = 0.0f;
    for (unsigned w = 0; w < n_floats; w++)
      sum = fmaf(in[r * n_floats + w], in[r * n_floats + w], sum);
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    for (unsigned w = 0; w < n_floats; w++)
      out[r * n_floats + w] = in[r * n_floats + w] * scale;
  }
}
// end reference

/* ---- kernels ---- */

__global__ void copy(float4 *out, const float4 *in, size_t n_groups)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    out[i] = in[i];
}

// begin direct
__global__ void direct(float *out, const float *in, size_t n_records,
                       unsigned n_floats)
{
  size_t r = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n_records)
    return;
  float sum = 0.0f;
  for (unsigned w = 0; w < n_floats; w++)
    sum = fmaf(in[r * n_floats + w], in[r * n_floats + w], sum);
  float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
  for (unsigned w = 0; w < n_floats; w++)
    out[r * n_floats + w] = in[r * n_floats + w] * scale;
}
// end direct

// begin direct_3
__global__ void direct_3(float *out, const float *in, size_t n_records)
{
  size_t r = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n_records)
    return;
  float x = in[3 * r], y = in[3 * r + 1], z = in[3 * r + 2];
  float sum = fmaf(z, z, fmaf(y, y, x * x));
  float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
  out[3 * r] = x * scale;
  out[3 * r + 1] = y * scale;
  out[3 * r + 2] = z * scale;
}
// end direct_3

/* How many records the block that begins at record `first` has. */
__device__ __forceinline__ unsigned records_here(size_t first,
                                                 size_t n_records)
{
  size_t left = n_records - first;
  return left < BLOCK_RECORDS ? (unsigned)left : BLOCK_RECORDS;
}

// begin staged_3
__global__ void staged_3(float *out, const float *in, size_t n_records)
{
  __shared__ float tile[BLOCK_RECORDS * 3];
  size_t first = (size_t)blockIdx.x * BLOCK_RECORDS;
  unsigned n_here = records_here(first, n_records), n_words = n_here * 3;

  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS)
    tile[i] = in[first * 3 + i];                         /* load */
  __syncthreads();

  if (threadIdx.x < n_here) {                            /* compute */
    float *x = tile + threadIdx.x * 3;
    float sum = fmaf(x[2], x[2], fmaf(x[1], x[1], x[0] * x[0]));
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    x[0] *= scale;
    x[1] *= scale;
    x[2] *= scale;
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS)
    out[first * 3 + i] = tile[i];                        /* store */
}
// end staged_3

// begin staged
__global__ void staged(float *out, const float *in, size_t n_records,
                       unsigned n_floats)
{
  extern __shared__ float tile[];
  size_t first = (size_t)blockIdx.x * BLOCK_RECORDS;
  unsigned n_here = records_here(first, n_records);
  unsigned n_words = n_here * n_floats;

  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS)
    tile[i] = in[first * n_floats + i];
  __syncthreads();

  if (threadIdx.x < n_here) {
    unsigned mine = threadIdx.x * n_floats;
    float sum = 0.0f;
    for (unsigned i = mine; i < mine + n_floats; i++)
      sum = fmaf(tile[i], tile[i], sum);
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    for (unsigned i = mine; i < mine + n_floats; i++)
      tile[i] *= scale;
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS)
    out[first * n_floats + i] = tile[i];
}
// end staged

/* Words i, i + BLOCK_RECORDS, … of the block's records: which record is it,
 * and which word of that? Two divisions at the start, none later. */
typedef struct {
  unsigned record, word;
} spot;

__device__ __forceinline__ spot spot_first(unsigned n_floats)
{
  spot s = {threadIdx.x / n_floats, threadIdx.x % n_floats};
  return s;
}

__device__ __forceinline__ spot spot_next(spot s, unsigned n_floats)
{
  s.record += BLOCK_RECORDS / n_floats;
  s.word += BLOCK_RECORDS % n_floats;
  if (s.word >= n_floats) {
    s.word -= n_floats;
    s.record++;
  }
  return s;
}

// begin padded
__global__ void padded(float *out, const float *in, size_t n_records,
                       unsigned n_floats)
{
  extern __shared__ float tile[];
  size_t first = (size_t)blockIdx.x * BLOCK_RECORDS;
  unsigned n_here = records_here(first, n_records);
  unsigned n_words = n_here * n_floats;
  unsigned pitch = n_floats | 1;          /* the next odd number */

  spot s = spot_first(n_floats);
  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS) {
    tile[s.record * pitch + s.word] = in[first * n_floats + i];
    s = spot_next(s, n_floats);
  }
  __syncthreads();

  if (threadIdx.x < n_here) {
    unsigned mine = threadIdx.x * pitch;
    float sum = 0.0f;
    for (unsigned i = mine; i < mine + n_floats; i++)
      sum = fmaf(tile[i], tile[i], sum);
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    for (unsigned i = mine; i < mine + n_floats; i++)
      tile[i] *= scale;
  }
  __syncthreads();

  s = spot_first(n_floats);
  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS) {
    out[first * n_floats + i] = tile[s.record * pitch + s.word];
    s = spot_next(s, n_floats);
  }
}
// end padded

// begin swizzled
/* n_floats: 1, 2, 4, 8, 16 or 32. */
__device__ __forceinline__ unsigned place(unsigned i, unsigned n_floats)
{
  return i ^ (i / 32 & (n_floats - 1));
}

__global__ void swizzled(float *out, const float *in, size_t n_records,
                         unsigned n_floats)
{
  extern __shared__ float tile[];
  size_t first = (size_t)blockIdx.x * BLOCK_RECORDS;
  unsigned n_here = records_here(first, n_records);
  unsigned n_words = n_here * n_floats;

  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS)
    tile[place(i, n_floats)] = in[first * n_floats + i];
  __syncthreads();

  if (threadIdx.x < n_here) {
    unsigned mine = threadIdx.x * n_floats;
    float sum = 0.0f;
    for (unsigned i = mine; i < mine + n_floats; i++)
      sum = fmaf(tile[place(i, n_floats)], tile[place(i, n_floats)], sum);
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    for (unsigned i = mine; i < mine + n_floats; i++)
      tile[place(i, n_floats)] *= scale;
  }
  __syncthreads();

  for (unsigned i = threadIdx.x; i < n_words; i += BLOCK_RECORDS)
    out[first * n_floats + i] = tile[place(i, n_floats)];
}
// end swizzled

// begin wide
/* n_floats: 4, 8, 16 or 32, in n_groups groups of four. */
__device__ __forceinline__ unsigned place_group(unsigned g,
                                                unsigned n_groups)
{
  return g ^ (g / 8 & (n_groups - 1));
}

__global__ void wide(float4 *__restrict__ out, const float4 *__restrict__ in,
                     size_t n_records, unsigned n_groups)
{
  extern __shared__ float4 groups[];
  size_t first = (size_t)blockIdx.x * BLOCK_RECORDS;
  unsigned n_here = records_here(first, n_records);
  unsigned n_all = n_here * n_groups;

  for (unsigned g = threadIdx.x; g < n_all; g += BLOCK_RECORDS)
    groups[place_group(g, n_groups)] = in[first * n_groups + g];
  __syncthreads();

  if (threadIdx.x < n_here) {
    unsigned mine = threadIdx.x * n_groups;
    float sum = 0.0f;
    for (unsigned g = mine; g < mine + n_groups; g++) {
      float4 x = groups[place_group(g, n_groups)];
      sum = fmaf(x.x, x.x, sum);
      sum = fmaf(x.y, x.y, sum);
      sum = fmaf(x.z, x.z, sum);
      sum = fmaf(x.w, x.w, sum);
    }
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    for (unsigned g = mine; g < mine + n_groups; g++) {
      float4 x = groups[place_group(g, n_groups)];
      groups[place_group(g, n_groups)] =
          make_float4(x.x * scale, x.y * scale, x.z * scale, x.w * scale);
    }
  }
  __syncthreads();

  for (unsigned g = threadIdx.x; g < n_all; g += BLOCK_RECORDS)
    out[first * n_groups + g] = groups[place_group(g, n_groups)];
}
// end wide

/* ---- launchers ---- */

static unsigned blocks_for(size_t n, size_t of_block)
{
  return (unsigned)((n + of_block - 1) / of_block);
}

static void launch_copy(float *d_out, const float *d_in, size_t n_records,
                        unsigned n_floats)
{
  size_t n = n_records * n_floats, n_groups = n / 4;
  if (n_groups > 0)
    copy<<<blocks_for(n_groups, 256), 256>>>((float4 *)d_out,
                                             (const float4 *)d_in, n_groups);
  if (n % 4 > 0)    /* the last one to three floats */
    CUDA_CHECK(cudaMemcpy(d_out + 4 * n_groups, d_in + 4 * n_groups,
                          n % 4 * sizeof(float), cudaMemcpyDeviceToDevice));
}

static void launch_direct(float *d_out, const float *d_in, size_t n_records,
                          unsigned n_floats)
{
  direct<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS>>>(
      d_out, d_in, n_records, n_floats);
}

static void launch_direct_3(float *d_out, const float *d_in,
                            size_t n_records, unsigned n_floats)
{
  (void)n_floats;                       /* 3, see versions[] */
  direct_3<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS>>>(
      d_out, d_in, n_records);
}

static void launch_staged_3(float *d_out, const float *d_in,
                            size_t n_records, unsigned n_floats)
{
  (void)n_floats;                       /* 3, see versions[] */
  staged_3<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS>>>(
      d_out, d_in, n_records);
}

// begin launch_staged
static void launch_staged(float *d_out, const float *d_in, size_t n_records,
                          unsigned n_floats)
{
  size_t n_bytes = BLOCK_RECORDS * n_floats * sizeof(float);
  staged<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS, n_bytes>>>(
      d_out, d_in, n_records, n_floats);
}
// end launch_staged

static void launch_padded(float *d_out, const float *d_in, size_t n_records,
                          unsigned n_floats)
{
  size_t n_bytes = BLOCK_RECORDS * (n_floats | 1) * sizeof(float);
  padded<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS, n_bytes>>>(
      d_out, d_in, n_records, n_floats);
}

static void launch_swizzled(float *d_out, const float *d_in,
                            size_t n_records, unsigned n_floats)
{
  size_t n_bytes = BLOCK_RECORDS * n_floats * sizeof(float);
  swizzled<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS, n_bytes>>>(
      d_out, d_in, n_records, n_floats);
}

static void launch_wide(float *d_out, const float *d_in, size_t n_records,
                        unsigned n_floats)
{
  size_t n_bytes = BLOCK_RECORDS * n_floats * sizeof(float);
  wide<<<blocks_for(n_records, BLOCK_RECORDS), BLOCK_RECORDS, n_bytes>>>(
      (float4 *)d_out, (const float4 *)d_in, n_records, n_floats / 4);
}

/* ---- versions ---- */

static int any(unsigned n_floats) { return n_floats > 0; }
static int three(unsigned n_floats) { return n_floats == 3; }
static int power_of_two(unsigned n_floats)
{
  return (n_floats & (n_floats - 1)) == 0;
}
static int groups_of_four(unsigned n_floats)
{
  return n_floats >= 4 && power_of_two(n_floats);
}

typedef struct {
  const char *name, *idea;
  void (*launch)(float *d_out, const float *d_in, size_t n_records,
                 unsigned n_floats);
  int (*takes)(unsigned n_floats);      /* records of so many floats */
  int computes;                         /* 0: only copies */
} version;

static const version versions[] = {
  {"copy", "the ceiling", launch_copy, any, 0},
  {"direct", "a thread a record, in global memory", launch_direct, any, 1},
  {"direct_3", "3 floats, in registers", launch_direct_3, three, 1},
  {"staged_3", "3 floats, through shared memory of fixed size",
   launch_staged_3, three, 1},
  {"staged", "through shared memory", launch_staged, any, 1},
  {"padded", "an odd distance from record to record", launch_padded, any, 1},
  {"swizzled", "words change places within a record", launch_swizzled,
   power_of_two, 1},
  {"wide", "swizzled, 16 bytes an access", launch_wide, groups_of_four, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

static int check_version(const version *v, const float *h_in,
                         const float *h_expected, size_t n_records,
                         unsigned n_floats)
{
  size_t n = n_records * n_floats, n_bytes = n * sizeof(float);
  char what[96];
  float *d_in, *d_out, *h_out = (float *)malloc(n_bytes + GUARD_BYTES);
  snprintf(what, sizeof what, "%s, %zu records of %u", v->name, n_records,
           n_floats);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n_records, n_floats);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int right = compare_floats(what, v->computes ? h_expected : h_in, h_out,
                             n) &&
              compare_guard(what, h_out + n, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_out);
  return right;
}

/* Random records; every fifth is all zeros, some are huge or tiny. */
static void fill_records(random_source *source, float *x, size_t n_records,
                         unsigned n_floats)
{
  random_fill_floats(source, x, n_records * n_floats);
  for (size_t r = 0; r < n_records; r++)
    for (unsigned w = 0; w < n_floats; w++)
      x[r * n_floats + w] *= r % 5 == 4 ? 0.0f : r % 7 == 3 ? 1e15f
                             : r % 11 == 5 ? 1e-15f : 1.0f;
}

static int check(const options *o)
{
  static const size_t n_records[] = {1, 31, 128, 129, 1000};
  random_source source = random_from_seed(o->seed);
  int right = 1;
  for (unsigned f = 1; f <= MOST_FLOATS; f++)
    for (size_t s = 0; s < sizeof n_records / sizeof n_records[0]; s++) {
      size_t n = n_records[s] * f;
      float *h_in = (float *)malloc(n * sizeof(float));
      float *h_expected = (float *)malloc(n * sizeof(float));
      if (!h_in || !h_expected) {
        fprintf(stderr, "error: no host memory\n");
        exit(EXIT_FAILURE);
      }
      fill_records(&source, h_in, n_records[s], f);
      normalise_on_host(h_expected, h_in, n_records[s], f);
      for (int k = 0; k < N_VERSIONS; k++)
        if (options_wants(o, versions[k].name) && versions[k].takes(f))
          right &= check_version(&versions[k], h_in, h_expected,
                                 n_records[s], f);
      free(h_in);
      free(h_expected);
    }
  fprintf(options_remarks(o), "check: records of 1 to %d floats, seed %llu: "
          "%s\n", MOST_FLOATS, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate_pair(float **d_in, float **d_out, size_t n,
                          uint64_t seed)
{
  random_source source = random_from_seed(seed);
  CUDA_CHECK(cudaMalloc(d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, n * sizeof(float)));
  fill_device_floats(&source, *d_in, n);
  poison_device(*d_out, n * sizeof(float));
}

/* The same amount of memory for every length of records. */
static void count(const options *o)
{
  size_t n = memory_length(o, 1 << 15, 2 * sizeof(float));
  float *d_in, *d_out;
  allocate_pair(&d_in, &d_out, n, o->seed);
  printf("version,n_floats,n_records\n");
  for (unsigned f = 1; f <= MOST_FLOATS; f++)
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      size_t n_records = n / f / BLOCK_RECORDS * BLOCK_RECORDS;
      if (!options_wants(o, v->name) || !v->takes(f) || !v->computes)
        continue;
      v->launch(d_out, d_in, n_records, f);
      CUDA_CHECK_LAUNCH();
      printf("%s,%u,%zu\n", v->name, f, n_records);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

static timing time_version(const version *v, float *d_out, const float *d_in,
                           size_t n_records, unsigned n_floats,
                           int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(d_out, d_in, n_records, n_floats);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 27, 2 * sizeof(float));
  float *d_in, *d_out;
  allocate_pair(&d_in, &d_out, n, o->seed);
  if (o->csv)
    printf("version,n_floats,n_records,repetitions,time_us,time_spread_us,"
           "gb_per_s,share_of_copy\n");
  for (unsigned f = 1; f <= MOST_FLOATS; f++) {
    size_t n_records = n / f / BLOCK_RECORDS * BLOCK_RECORDS;
    double n_bytes = 2.0 * (double)n_records * f * sizeof(float);
    double copy_us = 0.0;
    if (!o->csv) {
      printf("\nrecords of %u floats\n", f);
      timing_print_head();
    }
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      if (!v->takes(f) || (v->computes && !options_wants(o, v->name)))
        continue;
      timing t = time_version(v, d_out, d_in, n_records, f, o->repetitions);
      if (!v->computes)
        copy_us = t.median_us;
      if (o->csv)
        printf("%s,%u,%zu,%d,%.3f,%.3f,%.2f,%.4f\n", v->name, f, n_records,
               t.repetitions, t.median_us, t.spread_us,
               timing_gb_per_s(n_bytes, t.median_us), copy_us / t.median_us);
      else
        timing_print_row(v->name, t, n_bytes);
      fflush(stdout);
    }
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "divides records by their lengths",
                            "records", "records");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
