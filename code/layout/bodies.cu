/* The mechanical energy of many bodies: mass, velocity and height of each
 * give one float.  The same sum over the same numbers, laid out in memory in
 * five ways.
 *
 *   nvcc -I code code/layout/bodies.cu -o bodies && ./bodies */
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "layout/buffers.h"

enum { BLOCK_THREADS = 256, N_MEMBERS = 3, PACK = 32 };
#define GRAVITY 9.81f   /* m/s^2 */

// begin body
struct body {
  float mass, velocity, height;
};

__host__ __device__ static float energy_of(float mass, float velocity,
                                           float height)
{
  return mass * (0.5f * velocity * velocity + GRAVITY * height);
}
// end body

__host__ __device__ static float kinetic_of(float mass, float velocity)
{
  return mass * (0.5f * velocity * velocity);
}

/* ---- CPU reference ---- */

static void mechanical_on_host(const body *bodies, float *energy, size_t n)
{
  for (size_t i = 0; i < n; i++)
    energy[i] = energy_of(bodies[i].mass, bodies[i].velocity,
                          bodies[i].height);
}

static void kinetic_on_host(const body *bodies, float *energy, size_t n)
{
  for (size_t i = 0; i < n; i++)
    energy[i] = kinetic_of(bodies[i].mass, bodies[i].velocity);
}

/* ---- layouts: where member m of body i lies, in floats ---- */

/* Each array of the SoA begins at a multiple of 32 floats, 128 bytes. */
static size_t array_stride(size_t n)
{
  return round_up(n, PACK);
}

static size_t at_aos(size_t i, size_t m, size_t n)
{
  (void)n;
  return N_MEMBERS * i + m;
}

static size_t at_padded(size_t i, size_t m, size_t n)
{
  (void)n;
  return 4 * i + m;
}

static size_t at_soa(size_t i, size_t m, size_t n)
{
  return m * array_stride(n) + i;
}

static size_t at_aosoa(size_t i, size_t m, size_t n)
{
  (void)n;
  return (i / PACK * N_MEMBERS + m) * PACK + i % PACK;
}

/* ---- kernels ---- */

// begin aos
__global__ void energy_aos(const body *bodies, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    energy[i] = energy_of(bodies[i].mass, bodies[i].velocity,
                          bodies[i].height);
}
// end aos

// begin soa
__global__ void energy_soa(const float *mass, const float *velocity,
                           const float *height, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    energy[i] = energy_of(mass[i], velocity[i], height[i]);
}
// end soa

// begin aos_l2
__global__ void energy_aos_l2(const body *bodies, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    energy[i] = energy_of(__ldcg(&bodies[i].mass),
                          __ldcg(&bodies[i].velocity),
                          __ldcg(&bodies[i].height));
}
// end aos_l2

// begin padded
__global__ void energy_padded(const float4 *bodies, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 b = bodies[i];       /* mass, velocity, height, nothing */
    energy[i] = energy_of(b.x, b.y, b.z);
  }
}
// end padded

// begin aosoa
struct pack {
  float mass[PACK], velocity[PACK], height[PACK];
};

__global__ void energy_aosoa(const pack *packs, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const pack *p = &packs[i / PACK];
  if (i < n)
    energy[i] = energy_of(p->mass[i % PACK], p->velocity[i % PACK],
                          p->height[i % PACK]);
}
// end aosoa

// begin staged
__global__ void energy_staged(const float *words, float *energy, size_t n)
{
  __shared__ float staged[N_MEMBERS * BLOCK_THREADS];
  size_t first = (size_t)blockIdx.x * BLOCK_THREADS;
  for (int k = 0; k < N_MEMBERS; k++) {
    size_t at = k * BLOCK_THREADS + threadIdx.x;
    if (N_MEMBERS * first + at < N_MEMBERS * n)
      staged[at] = words[N_MEMBERS * first + at];
  }
  __syncthreads();
  const body *b = &((const body *)staged)[threadIdx.x];
  if (first + threadIdx.x < n)
    energy[first + threadIdx.x] = energy_of(b->mass, b->velocity, b->height);
}
// end staged

// begin soa_vector
__global__ void energy_soa_vector(const float4 *mass, const float4 *velocity,
                                  const float4 *height, float *energy,
                                  size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n)
    return;
  float4 m = mass[i], v = velocity[i], h = height[i];
  float4 e = make_float4(energy_of(m.x, v.x, h.x), energy_of(m.y, v.y, h.y),
                         energy_of(m.z, v.z, h.z), energy_of(m.w, v.w, h.w));
  if (4 * i + 3 < n) {
    ((float4 *)energy)[i] = e;
  } else {                          /* the last one to three bodies */
    const float last[3] = {e.x, e.y, e.z};
    for (size_t k = 0; 4 * i + k < n; k++)
      energy[4 * i + k] = last[k];
  }
}
// end soa_vector

// begin aos_vector
__global__ void energy_aos_vector(const float4 *words, float *energy,
                                  size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n)
    return;
  /* mvh m, vh mv, h mvh: four bodies in three groups of four floats */
  float4 a = words[3 * i], b = words[3 * i + 1], c = words[3 * i + 2];
  float4 e = make_float4(energy_of(a.x, a.y, a.z), energy_of(a.w, b.x, b.y),
                         energy_of(b.z, b.w, c.x), energy_of(c.y, c.z, c.w));
  if (4 * i + 3 < n) {
    ((float4 *)energy)[i] = e;
  } else {
    const float last[3] = {e.x, e.y, e.z};
    for (size_t k = 0; 4 * i + k < n; k++)
      energy[4 * i + k] = last[k];
  }
}
// end aos_vector

/* ---- kernels that need two of the three members ---- */

// begin kinetic_aos
__global__ void kinetic_aos(const body *bodies, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    energy[i] = kinetic_of(bodies[i].mass, bodies[i].velocity);
}
// end kinetic_aos

// begin kinetic_soa
__global__ void kinetic_soa(const float *mass, const float *velocity,
                            float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    energy[i] = kinetic_of(mass[i], velocity[i]);
}
// end kinetic_soa

// begin kinetic_aosoa
__global__ void kinetic_aosoa(const pack *packs, float *energy, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const pack *p = &packs[i / PACK];
  if (i < n)
    energy[i] = kinetic_of(p->mass[i % PACK], p->velocity[i % PACK]);
}
// end kinetic_aosoa

/* ---- launchers ---- */

static void launch_aos(const float *d, float *d_energy, size_t n)
{
  energy_aos<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const body *)d, d_energy, n);
}

static void launch_soa(const float *d, float *d_energy, size_t n)
{
  size_t stride = array_stride(n);
  energy_soa<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      d, d + stride, d + 2 * stride, d_energy, n);
}

static void launch_aos_l2(const float *d, float *d_energy, size_t n)
{
  energy_aos_l2<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const body *)d, d_energy, n);
}

static void launch_padded(const float *d, float *d_energy, size_t n)
{
  energy_padded<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const float4 *)d, d_energy, n);
}

static void launch_aosoa(const float *d, float *d_energy, size_t n)
{
  energy_aosoa<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const pack *)d, d_energy, n);
}

static void launch_staged(const float *d, float *d_energy, size_t n)
{
  energy_staged<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      d, d_energy, n);
}

static void launch_soa_vector(const float *d, float *d_energy, size_t n)
{
  size_t stride = array_stride(n);
  energy_soa_vector<<<blocks_for(n, 4 * BLOCK_THREADS), BLOCK_THREADS>>>(
      (const float4 *)d, (const float4 *)(d + stride),
      (const float4 *)(d + 2 * stride), d_energy, n);
}

static void launch_aos_vector(const float *d, float *d_energy, size_t n)
{
  energy_aos_vector<<<blocks_for(n, 4 * BLOCK_THREADS), BLOCK_THREADS>>>(
      (const float4 *)d, d_energy, n);
}

static void launch_kinetic_aos(const float *d, float *d_energy, size_t n)
{
  kinetic_aos<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const body *)d, d_energy, n);
}

static void launch_kinetic_soa(const float *d, float *d_energy, size_t n)
{
  kinetic_soa<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      d, d + array_stride(n), d_energy, n);
}

static void launch_kinetic_aosoa(const float *d, float *d_energy, size_t n)
{
  kinetic_aosoa<<<blocks_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      (const pack *)d, d_energy, n);
}

/* ---- versions ---- */

typedef struct {
  const char *name;
  const char *idea;
  size_t (*at)(size_t i, size_t member, size_t n);
  void (*launch)(const float *d_bodies, float *d_energy, size_t n);
  void (*reference)(const body *bodies, float *energy, size_t n);
  int n_used;           /* members that it needs */
} version;

static const version versions[] = {
  {"aos", "an array of structures", at_aos, launch_aos,
   mechanical_on_host, 3},
  {"soa", "a structure of arrays", at_soa, launch_soa,
   mechanical_on_host, 3},
  {"aos_l2", "an array of structures, past L1", at_aos, launch_aos_l2,
   mechanical_on_host, 3},
  {"padded", "structures of 16 bytes, one load each", at_padded,
   launch_padded, mechanical_on_host, 3},
  {"aosoa", "an array of packs of 32 bodies", at_aosoa, launch_aosoa,
   mechanical_on_host, 3},
  {"staged", "structures, by way of shared memory", at_aos, launch_staged,
   mechanical_on_host, 3},
  {"soa_vector", "arrays, four bodies a thread", at_soa, launch_soa_vector,
   mechanical_on_host, 3},
  {"aos_vector", "structures, four bodies a thread", at_aos,
   launch_aos_vector, mechanical_on_host, 3},
  {"kinetic_aos", "two members out of three, structures", at_aos,
   launch_kinetic_aos, kinetic_on_host, 2},
  {"kinetic_soa", "two members out of three, arrays", at_soa,
   launch_kinetic_soa, kinetic_on_host, 2},
  {"kinetic_aosoa", "two members out of three, packs", at_aosoa,
   launch_kinetic_aosoa, kinetic_on_host, 2},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Floats that any layout of n bodies fits into, whole packs and groups. */
static size_t floats_for(size_t n)
{
  return 4 * array_stride(n);
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n)
{
  size_t n_floats = floats_for(n);
  body *h_bodies = (body *)host_array(n * sizeof(body));
  float *h_laid_out = (float *)host_array(n_floats * sizeof(float));
  float *h_expected = (float *)host_array(n * sizeof(float));
  char what[80];
  int right = 1;
  snprintf(what, sizeof what, "%s, n = %zu", v->name, n);
  random_fill_floats(random, (float *)h_bodies, n * N_MEMBERS);
  v->reference(h_bodies, h_expected, n);
  poison_host(h_laid_out, n_floats * sizeof(float));
  for (size_t i = 0; i < n; i++) {
    h_laid_out[v->at(i, 0, n)] = h_bodies[i].mass;
    h_laid_out[v->at(i, 1, n)] = h_bodies[i].velocity;
    h_laid_out[v->at(i, 2, n)] = h_bodies[i].height;
  }
  float *d_bodies = (float *)device_copy_of(h_laid_out,
                                            n_floats * sizeof(float));
  float *d_energy = (float *)device_output(n * sizeof(float));
  v->launch(d_bodies, d_energy, n);
  CUDA_CHECK_LAUNCH();
  float *h_energy = (float *)host_copy_of_output(
      what, d_energy, n * sizeof(float), &right);
  /* The device contracts a product and a sum into one rounding. */
  right &= compare_floats_within(what, h_expected, h_energy, n, 4e-6, 1.0);
  CUDA_CHECK(cudaFree(d_bodies));
  CUDA_CHECK(cudaFree(d_energy));
  free(h_bodies);
  free(h_laid_out);
  free(h_expected);
  free(h_energy);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 2, 3, 4, 31, 32, 33, 255, 256, 257, 1023,
                                 4096, 5001};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(const options *o, size_t n, float **d_bodies,
                     float **d_energy)
{
  random_source random = random_from_seed(o->seed);
  CUDA_CHECK(cudaMalloc(d_bodies, floats_for(n) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_energy, floats_for(n) / 2 * sizeof(float)));
  fill_device_floats(&random, *d_bodies, floats_for(n));
}

static int count(const options *o)
{
  size_t n = memory_length(o, 4096, 6 * sizeof(float));
  float *d_bodies, *d_energy;
  allocate(o, n, &d_bodies, &d_energy);
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      versions[k].launch(d_bodies, d_energy, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu\n", versions[k].name, n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_bodies));
  CUDA_CHECK(cudaFree(d_energy));
  return EXIT_SUCCESS;
}

/* Useful bytes: the members that the version needs, and the result.  The
 * copy moves as many as the mechanical energy does, half of them each way. */
static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 27, 6 * sizeof(float));
  float *d_bodies, *d_energy;
  allocate(o, n, &d_bodies, &d_energy);
  double copy = copy_gb_per_s(d_energy, d_bodies, 2 * n * sizeof(float),
                              o->repetitions);
  if (o->csv)
    printf("version,n_elems,repetitions,time_us,spread_us,gb_per_s,"
           "copy_gb_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    double n_bytes = (1.0 + v->n_used) * (double)n * sizeof(float);
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      v->launch(d_bodies, d_energy, n);
    double gb_per_s = timing_gb_per_s(n_bytes, t.median_us);
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f,%.2f,%.4f\n", v->name, n,
             t.repetitions, t.median_us, t.spread_us, gb_per_s, copy,
             gb_per_s / copy);
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_bodies));
  CUDA_CHECK(cudaFree(d_energy));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the mechanical energy of bodies",
                            "bodies", "bodies");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] < 1))
    options_fail(&o, "--size must be one number, at least 1");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
