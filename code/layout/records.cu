/* Particles of 32 bytes take a step: each moves on by its velocity.  Before
 * compute capability 10.0 no load is wider than 16 bytes, so a whole particle
 * takes several.  Then copies of ever larger structures, whole and split into
 * arrays of 16 bytes.
 *
 *   nvcc -I code code/layout/records.cu -o records && ./records */
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "layout/buffers.h"

enum { BLOCK_THREADS = 256, MEMBERS = 8, HALF = 4, MAX_GROUPS = 16 };
#define TIME_STEP 0.125f

// begin particle
struct particle {
  float x, y, z, mass;
  float vx, vy, vz, charge;
};

template <typename any_particle>     /* this one, and the aligned one below */
__host__ __device__ static any_particle moved(any_particle p)
{
  p.x = fmaf(TIME_STEP, p.vx, p.x);
  p.y = fmaf(TIME_STEP, p.vy, p.y);
  p.z = fmaf(TIME_STEP, p.vz, p.z);
  return p;
}
// end particle

/* ---- CPU reference ---- */

static void move_on_host(const particle *in, particle *out, size_t n)
{
  for (size_t i = 0; i < n; i++)
    out[i] = moved(in[i]);
}

/* ---- layouts: where member m of particle i lies, in floats ---- */

static size_t at_whole(size_t i, size_t m, size_t n)
{
  (void)n;
  return MEMBERS * i + m;
}

/* Two arrays of 16 bytes: position and mass, velocity and charge. */
static size_t at_split(size_t i, size_t m, size_t n)
{
  return m / HALF * HALF * n + HALF * i + m % HALF;
}

static size_t at_arrays(size_t i, size_t m, size_t n)
{
  return m * n + i;
}

/* ---- kernels ---- */

// begin words
__global__ void move_words(const particle *in, particle *out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = moved(in[i]);
}
// end words

// begin aligned
struct __align__(16) aligned_particle {
  float x, y, z, mass;
  float vx, vy, vz, charge;
};

__global__ void move_aligned(const aligned_particle *in,
                             aligned_particle *out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = moved(in[i]);
}
// end aligned

// begin split
__device__ static float4 moved_place(float4 place, float4 motion)
{
  return make_float4(fmaf(TIME_STEP, motion.x, place.x),
                     fmaf(TIME_STEP, motion.y, place.y),
                     fmaf(TIME_STEP, motion.z, place.z), place.w);
}

__global__ void move_split(const float4 *place_in, const float4 *motion_in,
                           float4 *place_out, float4 *motion_out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 place = place_in[i], motion = motion_in[i];
    place_out[i] = moved_place(place, motion);
    motion_out[i] = motion;
  }
}
// end split

// begin arrays
__global__ void move_arrays(const float *in, float *out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    particle p = {in[i],         in[n + i],     in[2 * n + i],
                  in[3 * n + i], in[4 * n + i], in[5 * n + i],
                  in[6 * n + i], in[7 * n + i]};
    p = moved(p);
    out[i] = p.x;
    out[n + i] = p.y;
    out[2 * n + i] = p.z;
    out[3 * n + i] = p.mass;
    out[4 * n + i] = p.vx;
    out[5 * n + i] = p.vy;
    out[6 * n + i] = p.vz;
    out[7 * n + i] = p.charge;
  }
}
// end arrays

// begin pairs
__global__ void move_pairs(const float4 *in, float4 *out, size_t n)
{
  size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = make_float4(0, 0, 0, 0), other;
  if (k < 2 * n)
    own = in[k];               /* even lanes: place; odd lanes: motion */
  other.x = __shfl_xor_sync(0xffffffff, own.x, 1);
  other.y = __shfl_xor_sync(0xffffffff, own.y, 1);
  other.z = __shfl_xor_sync(0xffffffff, own.z, 1);
  if (k < 2 * n)
    out[k] = k % 2 == 0 ? moved_place(own, other) : own;
}
// end pairs

/* ---- kernels of the sweep: structures of n_groups times 16 bytes ---- */

// begin copy_whole
template <int n_groups>
__global__ void copy_whole(const float4 *__restrict__ in,
                           float4 *__restrict__ out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float4 group[n_groups];
  if (i < n) {
    for (int g = 0; g < n_groups; g++)
      group[g] = in[i * n_groups + g];
    for (int g = 0; g < n_groups; g++)
      out[i * n_groups + g] = group[g];
  }
}
// end copy_whole

// begin copy_split
template <int n_groups>
__global__ void copy_split(const float4 *__restrict__ in,
                           float4 *__restrict__ out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float4 group[n_groups];
  if (i < n) {
    for (int g = 0; g < n_groups; g++)
      group[g] = in[g * n + i];
    for (int g = 0; g < n_groups; g++)
      out[g * n + i] = group[g];
  }
}
// end copy_split

/* ---- launchers ---- */

static void launch_words(const float *d_in, float *d_out, size_t n)
{
  move_words<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const particle *)d_in, (particle *)d_out, n);
}

static void launch_aligned(const float *d_in, float *d_out, size_t n)
{
  move_aligned<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const aligned_particle *)d_in, (aligned_particle *)d_out, n);
}

static void launch_split(const float *d_in, float *d_out, size_t n)
{
  move_split<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const float4 *)d_in, (const float4 *)d_in + n, (float4 *)d_out,
      (float4 *)d_out + n, n);
}

static void launch_arrays(const float *d_in, float *d_out, size_t n)
{
  move_arrays<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(d_in, d_out,
                                                               n);
}

static void launch_pairs(const float *d_in, float *d_out, size_t n)
{
  move_pairs<<<blocks_for(2 * n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const float4 *)d_in, (float4 *)d_out, n);
}

/* ---- versions ---- */

typedef void copy_kernel(const float4 *in, float4 *out, size_t n);
enum { COPY_NONE, COPY_WHOLE, COPY_SPLIT, N_COPIES };
static const struct {
  int n_groups;
  copy_kernel *copy[N_COPIES];
} swept[] = {
#define SIZE(n_groups) \
  {n_groups, {NULL, copy_whole<n_groups>, copy_split<n_groups>}}
  SIZE(1), SIZE(2), SIZE(3), SIZE(4), SIZE(5), SIZE(6), SIZE(7), SIZE(8),
  SIZE(10), SIZE(12), SIZE(14), SIZE(MAX_GROUPS)
#undef SIZE
};
enum { N_SWEPT = sizeof swept / sizeof swept[0] };

typedef struct {
  const char *name;
  const char *idea;
  size_t (*at)(size_t i, size_t member, size_t n);
  void (*launch)(const float *d_in, float *d_out, size_t n);
  int copy;
} version;

static const version versions[] = {
  {"words", "structures of eight floats", at_whole, launch_words, COPY_NONE},
  {"aligned", "the same, aligned to 16 bytes", at_whole,
   launch_aligned, COPY_NONE},
  {"pairs", "two lanes share a structure", at_whole, launch_pairs, COPY_NONE},
  {"split", "two arrays of 16-byte groups", at_split, launch_split, COPY_NONE},
  {"arrays", "eight arrays of floats", at_arrays, launch_arrays, COPY_NONE},
  {"copy_whole", "copies of structures of any size", NULL, NULL, COPY_WHOLE},
  {"copy_split", "copies of arrays of 16-byte groups", NULL, NULL,
   COPY_SPLIT},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch_copy(const version *v, int size, const float *d_in,
                        float *d_out, size_t n)
{
  swept[size].copy[v->copy]<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const float4 *)d_in, (float4 *)d_out, n);
}

/* ---- check ---- */

static int check_move(const version *v, random_source *random, size_t n)
{
  size_t n_bytes = n * sizeof(particle);
  particle *h_in = (particle *)host_array(n_bytes);
  particle *h_moved = (particle *)host_array(n_bytes);
  float *h_laid_out = (float *)host_array(n_bytes);
  float *h_expected = (float *)host_array(n_bytes);
  int right = 1;
  char what[80];
  snprintf(what, sizeof what, "%s, n = %zu", v->name, n);
  random_fill_floats(random, (float *)h_in, n * MEMBERS);
  move_on_host(h_in, h_moved, n);
  for (size_t i = 0; i < n; i++)
    for (size_t m = 0; m < MEMBERS; m++) {
      h_laid_out[v->at(i, m, n)] = ((const float *)&h_in[i])[m];
      h_expected[v->at(i, m, n)] = ((const float *)&h_moved[i])[m];
    }
  float *d_in = (float *)device_copy_of(h_laid_out, n_bytes);
  float *d_out = (float *)device_output(n_bytes);
  v->launch(d_in, d_out, n);
  CUDA_CHECK_LAUNCH();
  float *h_out = (float *)host_copy_of_output(what, d_out, n_bytes, &right);
  right &= compare_floats(what, h_expected, h_out, n * MEMBERS);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_moved);
  free(h_laid_out);
  free(h_expected);
  free(h_out);
  return right;
}

static int check_copy(const version *v, int size, random_source *random,
                      size_t n)
{
  int n_groups = swept[size].n_groups;
  size_t n_bytes = n * n_groups * sizeof(float4);
  int right = 1;
  char what[80];
  snprintf(what, sizeof what, "%s, n = %zu, %d groups", v->name, n,
           n_groups);
  unsigned char *h_in = (unsigned char *)host_array(n_bytes);
  random_fill_bytes(random, h_in, n_bytes);
  float *d_in = (float *)device_copy_of(h_in, n_bytes);
  float *d_out = (float *)device_output(n_bytes);
  launch_copy(v, size, d_in, d_out, n);
  CUDA_CHECK_LAUNCH();
  void *h_out = host_copy_of_output(what, d_out, n_bytes, &right);
  right &= compare_bytes(what, h_in, h_out, n_bytes);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_out);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 2, 15, 16, 17, 31, 33, 256, 257, 3001};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      if (versions[k].launch)
        right &= check_move(&versions[k], &random, sizes[s]);
      else
        for (int g = 0; g < N_SWEPT; g++)
          right &= check_copy(&versions[k], g, &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(const options *o, size_t n_floats, float **d_in,
                     float **d_out)
{
  random_source random = random_from_seed(o->seed);
  CUDA_CHECK(cudaMalloc(d_in, n_floats * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, n_floats * sizeof(float)));
  fill_device_floats(&random, *d_in, n_floats);
}

static int is_sweep(const char *experiment)
{
  return strcmp(experiment, "structure_size") == 0;
}

static int count(const options *o)
{
  int sweep = is_sweep(o->count);
  size_t n = memory_length(o, 1024, 2.0 * MAX_GROUPS * sizeof(float4));
  float *d_in, *d_out;
  allocate(o, n * MAX_GROUPS * 4, &d_in, &d_out);
  printf(sweep ? "version,structure_bytes,n_elems\n" : "version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name) || sweep != (v->copy != COPY_NONE))
      continue;
    for (int s = 0; s < (sweep ? (int)N_SWEPT : 1); s++)
      if (sweep) {
        launch_copy(v, s, d_in, d_out, n);
        CUDA_CHECK_LAUNCH();
        printf("%s,%zu,%zu\n", v->name, swept[s].n_groups * sizeof(float4),
               n);
      } else {
        v->launch(d_in, d_out, n);
        CUDA_CHECK_LAUNCH();
        printf("%s,%zu\n", v->name, n);
      }
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

static void print_row(const options *o, const char *name, size_t n,
                      size_t structure_bytes, timing t, double copy)
{
  double n_bytes = 2.0 * (double)(n * structure_bytes);
  double gb_per_s = timing_gb_per_s(n_bytes, t.median_us);
  if (o->csv)
    printf("%s,%zu,%zu,%d,%.3f,%.3f,%.2f,%.2f,%.4f\n", name, structure_bytes,
           n, t.repetitions, t.median_us, t.spread_us, gb_per_s, copy,
           gb_per_s / copy);
  else
    timing_print_row(name, t, n_bytes);
  fflush(stdout);
}

/* Every structure size moves about the same number of bytes. */
static void measure(const options *o, int sweep)
{
  size_t n = memory_length(o, (size_t)1 << 25, 2.0 * sizeof(particle));
  float *d_in, *d_out;
  allocate(o, n * MEMBERS, &d_in, &d_out);
  double copy = copy_gb_per_s(d_out, d_in, n * sizeof(particle),
                              o->repetitions);
  if (o->csv)
    printf("version,structure_bytes,n_elems,repetitions,time_us,spread_us,"
           "gb_per_s,copy_gb_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name) || sweep != (v->copy != COPY_NONE))
      continue;
    for (int s = 0; s < (sweep ? (int)N_SWEPT : 1); s++) {
      int n_groups = sweep ? swept[s].n_groups : MEMBERS / HALF;
      size_t some = n * MEMBERS / HALF / n_groups;
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        if (sweep)
          launch_copy(v, s, d_in, d_out, some);
        else
          v->launch(d_in, d_out, n);
      print_row(o, v->name, some, n_groups * sizeof(float4), t, copy);
    }
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "structures larger than 16 bytes",
                            "records,structure_size",
                            "records,structure_size");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] < 1))
    options_fail(&o, "--size must be one number, at least 1");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.csv)
    measure(&o, is_sweep(o.csv));
  else if (!o.check && timing_is_possible())
    measure(&o, 0);
  return EXIT_SUCCESS;
}
