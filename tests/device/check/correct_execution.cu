// Right, though it looks odd: nothing is to be told, and the results are
// checked. `correct_execution NAME` runs one case; without one it lists them.
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>

#define THREADS 64

// The last tile of an array that ends within it, at any byte: source sizes
// from 0 to 16. Lanes beyond the end have a null pointer.
__global__ void short_copies(const char *in, int bytes, char *out)
{
  __shared__ __align__(16) char tile[THREADS * 16];
  int at = threadIdx.x * 16, left = bytes - at;
  int some = left < 0 ? 0 : left > 16 ? 16 : left;

  __pipeline_memcpy_async(tile + at, some == 0 ? nullptr : in + at, 16,
                          16 - some);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < THREADS * 16; i += THREADS)
    out[i] = tile[i];
}

// Spare lanes repeat what another one stores: zeros, all of them.
__global__ void spare_lanes(int *out)
{
  __shared__ int tile[THREADS];

  __pipeline_memcpy_async(&tile[threadIdx.x / 2 * 2],
                          (const int *)0x1234567890ull, 4, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x / 2 * 2];
}

// Lanes that returned are not waited for, not even by their own warp: those
// that pass the barrier see each other's stores. They return at once, beside
// lanes that work, or in a branch of a branch.
__global__ void half_returned(int *out, int way)
{
  __shared__ int box[THREADS];
  int t = threadIdx.x, lane = t % 32;

  box[t] = -1;
  if (way == 0 && lane >= 16)
    return;
  if (way == 1) {
    if (lane < 16)
      out[t] = 1;
    else
      return;
  }
  if (way == 2 && lane >= 8) {
    out[t] = 2;
    if (lane >= 16)
      return;
    out[t] = 3;
  }
  box[t] = t;
  __syncthreads();
  out[t] = box[t % 16 + (t < 32 ? 32 : 0)];
}

static int fails(const char *what, int i, int got, int expected)
{
  if (got != expected)
    printf("%s[%d] is %d, not %d\n", what, i, got, expected);
  return got != expected;
}

// `in` may be anywhere; of 16 * THREADS bytes, `bytes` are copied.
static int try_short_copies(const char *in, int bytes)
{
  char got[16 * THREADS], *out;
  int wrong = 0;

  cudaMalloc(&out, sizeof got);
  short_copies<<<1, THREADS>>>(in, bytes, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (int i = 0; i < 16 * THREADS && !wrong; i++)
    wrong = fails("out", i, got[i], i < bytes ? i % 100 + 1 : 0);
  return wrong;
}

static char values[16 * THREADS];

static int short_copies_case(void)
{
  int wrong = 0;

  for (int bytes = 0; bytes <= 16 * THREADS; bytes += 37) {
    char *in;

    cudaMalloc(&in, bytes + 1);
    cudaMemcpy(in, values, bytes, cudaMemcpyHostToDevice);
    wrong += try_short_copies(in, bytes);
    cudaFree(in);
  }
  return wrong;
}

static int registered_case(void)
{
  char *in;
  int wrong;

  cudaHostRegister(values, sizeof values, cudaHostRegisterDefault);
  cudaHostGetDevicePointer(&in, values, 0);
  wrong = try_short_copies(in, 16 * THREADS - 7);
  cudaHostUnregister(values);
  return wrong;
}

static int spare_lanes_case(void)
{
  int got[THREADS], *out, wrong = 0;

  cudaMalloc(&out, sizeof got);
  spare_lanes<<<1, THREADS>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (int i = 0; i < THREADS; i++)
    wrong += fails("out", i, got[i], 0);
  return wrong;
}

static int half_returned_case(void)
{
  int got[THREADS], *out, wrong = 0;

  cudaMalloc(&out, sizeof got);
  for (int way = 0; way < 3; way++) {
    cudaMemset(out, 0, sizeof got);
    half_returned<<<1, THREADS>>>(out, way);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++)
      if (t % 32 < 16)
        wrong += fails("out", t, got[t], t % 16 + (t < 32 ? 32 : 0));
  }
  cudaFree(out);
  return wrong;
}

static const struct {
  const char *name;
  int (*run)(void);
} cases[] = {
  { "short_copies", short_copies_case },
  { "registered", registered_case },
  { "spare_lanes", spare_lanes_case },
  { "half_returned", half_returned_case },
};

int main(int argc, char **argv)
{
  cudaError_t error = cudaSuccess;
  int wrong = 0;

  for (int i = 0; i < 16 * THREADS; i++)
    values[i] = i % 100 + 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2)
      puts(cases[i].name);
    else if (strcmp(argv[1], cases[i].name) == 0)
      wrong = cases[i].run();
  if (argc >= 2)
    error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", argv[1], cudaGetErrorString(error));
  return wrong != 0 || error != cudaSuccess;
}
