/* What a texture does to a coordinate: four texels, read at places between
 * and beyond them, in every addressing mode, with and without a filter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"

enum { N_TEXELS = 4, BLOCK_THREADS = 128 };

static const float texels[N_TEXELS] = {1.0f, 3.0f, 2.0f, 4.0f};

typedef struct {
  const char *name;
  const char *idea;
  cudaTextureAddressMode address;
} version;

static const version versions[] = {
  {"clamp", "beyond the edge, the edge", cudaAddressModeClamp},
  {"border", "beyond the edge, nothing", cudaAddressModeBorder},
  {"wrap", "beyond the edge, again from the start", cudaAddressModeWrap},
  {"mirror", "beyond the edge, back again", cudaAddressModeMirror},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- CPU reference ---- */

// begin texel_on_host
static float texel_on_host(cudaTextureAddressMode mode, int i)
{
  int n = N_TEXELS, turn = ((i % (2 * n)) + 2 * n) % (2 * n);
  switch (mode) {
  case cudaAddressModeWrap: return texels[turn % n];
  case cudaAddressModeMirror:
    return texels[turn < n ? turn : 2 * n - 1 - turn];
  case cudaAddressModeBorder: return i < 0 || i >= n ? 0.0f : texels[i];
  default: return texels[i < 0 ? 0 : i < n ? i : n - 1];
  }
}
// end texel_on_host

// begin fetch_on_host
/* u runs from 0 to 1 over the texels, whose centres are (i + 1/2) / 4. */
static float fetch_on_host(cudaTextureAddressMode mode, int linear, float u)
{
  float x = u * N_TEXELS;
  if (!linear)
    return texel_on_host(mode, (int)floorf(x));
  x -= 0.5f;
  int left = (int)floorf(x);
  float weight = rintf((x - left) * 256.0f) / 256.0f;   /* 8 bits */
  return (1.0f - weight) * texel_on_host(mode, left) +
         weight * texel_on_host(mode, left + 1);
}
// end fetch_on_host

/* ---- kernel ---- */

// begin fetch
__global__ void fetch(float *out, cudaTextureObject_t texture,
                      const float *u, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2D<float>(texture, u[i], 0.5f);
}
// end fetch

// begin describe
static cudaTextureObject_t describe(cudaArray_t array,
                                    cudaTextureAddressMode mode, int linear)
{
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = mode;
  how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 1;
  cudaTextureObject_t texture;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &what, &how, NULL));
  return texture;
}
// end describe

/* ---- launcher: n coordinates, n values ---- */

static void fetch_all(cudaTextureAddressMode mode, int linear, const float *u,
                      float *out, int n)
{
  float *d_u, *d_out;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA_CHECK(cudaMallocArray(&array, &format, N_TEXELS, 1));
  CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels,
                                 sizeof texels, 1, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture = describe(array, mode, linear);
  CUDA_CHECK(cudaMalloc(&d_u, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_u, u, n * sizeof(float), cudaMemcpyHostToDevice));
  poison_device(d_out, n * sizeof(float) + GUARD_BYTES);
  fetch<<<(n + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
      d_out, texture, d_u, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(out, d_out, n * sizeof(float) + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaDestroyTextureObject(texture));
  CUDA_CHECK(cudaFreeArray(array));
  CUDA_CHECK(cudaFree(d_u));
  CUDA_CHECK(cudaFree(d_out));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int linear,
                      int n)
{
  enum { MOST = 1000 };
  static float u[MOST], expected[MOST], got[MOST + GUARD_BYTES / 4];
  char what[64];
  for (int i = 0; i < n; i++) {
    /* From -1 to 2; with the point filter not near an edge between texels. */
    int cell = (int)random_below(random, 3 * 256) - 256;
    u[i] = ((float)cell + 0.5f + 0.4f * random_float(random)) / 256.0f;
    expected[i] = fetch_on_host(v->address, linear, u[i]);
  }
  fetch_all(v->address, linear, u, got, n);
  snprintf(what, sizeof what, "%s, %s, n = %d", v->name,
           linear ? "linear" : "point", n);
  /* Weights are rounded to 256ths; which way, the manual leaves open. */
  return compare_floats_within(what, expected, got, n,
                               linear ? 4.01 / 256 : 0.0, 1.0) &
         compare_guard(what, got + n, GUARD_BYTES);
}

static int check(const options *o)
{
  static const int sizes[] = {1, 127, 128, 129, 1000};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    for (int s = 0; s < 5 && options_wants(o, versions[v].name); s++)
      right &= check_case(&versions[v], &random, 0, sizes[s]) &
               check_case(&versions[v], &random, 1, sizes[s]);
  fprintf(options_remarks(o), "check: 5 sizes, seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- tables ---- */

/* From -1 to 2 in steps of a 128th, off the edges by half a step. */
static void print_modes(const options *o)
{
  enum { N = 3 * 128 };
  static float u[N], point[N + GUARD_BYTES / 4], linear[N + GUARD_BYTES / 4];
  for (int i = 0; i < N; i++)
    u[i] = -1.0f + ((float)i + 0.5f) / 128.0f;
  printf("version,coordinate,point,linear\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    fetch_all(versions[v].address, 0, u, point, N);
    fetch_all(versions[v].address, 1, u, linear, N);
    for (int i = 0; i < N; i++)
      printf("%s,%.7g,%.7g,%.7g\n", versions[v].name, u[i], point[i],
             linear[i]);
  }
}

/* Between the centres of two neighbouring texels: how many different values
 * come back for 65536 coordinates? */
static void print_steps(void)
{
  enum { N = 65536 };
  static float u[N], got[N + GUARD_BYTES / 4];
  int n_values = 1, n_exact = 0;
  for (int i = 0; i < N; i++)
    u[i] = (0.5f + ((float)i + 0.5f) / N) / N_TEXELS;
  fetch_all(cudaAddressModeClamp, 1, u, got, N);
  for (int i = 0; i < N; i++) {
    float x = u[i] * N_TEXELS - 0.5f;
    n_values += i > 0 && got[i] != got[i - 1];
    n_exact += got[i] == texels[0] + x * (texels[1] - texels[0]);
  }
  printf("version,n_points,n_values,n_exact\nlinear,%d,%d,%d\n", N, n_values,
         n_exact);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "addressing and filters of textures",
                            "modes,steps", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && strcmp(o.csv, "steps") == 0)
    print_steps();
  else if (o.csv)
    print_modes(&o);
  else
    return check(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
  return EXIT_SUCCESS;
}
