// What the host program is told: errors that stick, and copies of memory that
// nothing wrote. `host NAME` runs one case, `host` lists them; host.expected
// has the messages.
#include <stdio.h>
#include <string.h>

struct wide { double d; int i; };
struct tagged { char tag; int i; };
struct tail { short s; char c; double d; char last; };

template <typename T> __global__ void first_n(T *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    out[i] = i;
}

__global__ void even_ones(int *out) { out[2 * threadIdx.x] = 1; }

__global__ void structs(wide *a, tagged *b, tail *c, int n)
{
  int i = threadIdx.x;

  if (i >= n)
    return;
  a[i].d = i;
  a[i].i = i;
  b[i].tag = i;
  b[i].i = i;
  c[i].s = i;
  c[i].c = i;
  c[i].d = i;
  c[i].last = i;
}

__global__ void stops() { asm volatile("trap;"); }

static char host[1 << 16];
static void *a, *b, *c;

#define DOWN cudaMemcpyDeviceToHost

static void sticky()
{
  stops<<<1, 1>>>();
  cudaDeviceSynchronize(); // told
  for (int i = 0; i < 3; i++)
    cudaMemset(a, 0, 4);
  cudaMemcpy(host, a, 4, DOWN);
}

static void sticky_seen()
{
  stops<<<1, 1>>>();
  if (cudaDeviceSynchronize() != cudaSuccess)
    puts(cudaGetErrorName(cudaGetLastError()));
  cudaMemset(a, 0, 4);
  cudaMemcpy(host, a, 4, DOWN);
}

static void never_written()
{
  cudaMemcpy(host, a, 400, DOWN);
  cudaMemcpy(host, a, 400, DOWN); // once is enough
}

static void last_missing()
{
  first_n<<<1, 128>>>((int *)a, 99);
  cudaMemcpyAsync(host, a, 400, DOWN, 0);
}

static void last_byte_missing()
{
  first_n<<<1, 128>>>((char *)a, 99);
  cudaMemcpy(host, a, 100, DOWN);
}

static void last_double_missing()
{
  first_n<<<1, 128>>>((double *)a, 99);
  cudaMemcpy(host, a, 800, DOWN);
}

static void every_other()
{
  even_ones<<<1, 50>>>((int *)a);
  cudaMemcpy(host, a, 400, DOWN);
}

static void rows()
{
  cudaMemset2D(a, 64, 0, 40, 4);
  cudaMemcpy2D(host, 40, a, 64, 40, 4, DOWN); // right
  cudaMemcpy2D(host, 48, a, 64, 48, 4, DOWN); // what lies between rows
                                              // counts as set
}

static void passed_on()
{
  first_n<<<1, 128>>>((int *)a, 64);
  cudaMemcpy(b, a, 400, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, b, 256, DOWN); // right
  cudaMemcpyPeer(c, 0, b, 0, 400);
  cudaMemcpy(host, c, 400, DOWN);
}

// Right: nothing is told.
static void padding()
{
  structs<<<1, 64>>>((wide *)a, (tagged *)b, (tail *)c, 64);
  cudaMemcpy(host, a, 64 * sizeof(wide), DOWN);
  cudaMemcpy(host, b, 64 * sizeof(tagged), DOWN);
  cudaMemcpy(host, c, 64 * sizeof(tail), DOWN);
}

static void padding_of_one()
{
  structs<<<1, 64>>>((wide *)a, (tagged *)b, (tail *)c, 1);
  cudaMemcpy((char *)a + 4096, a, sizeof(wide), cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, (char *)a + 4096, sizeof(wide), DOWN);
  cudaMemcpy(host, b, sizeof(tagged), DOWN);
  cudaMemcpy(host, c, sizeof(tail), DOWN);
}

static void written_by_all()
{
  void *managed, *pinned;

  cudaMemset(a, 0, 100);
  cudaMemcpy((char *)a + 100, host, 100, cudaMemcpyHostToDevice);
  first_n<<<1, 128>>>((short *)a + 100, 100);
  cudaMemcpy(host, a, 400, DOWN);
  cudaMallocManaged(&managed, 400);
  cudaMallocHost(&pinned, 400);
  cudaMemcpy(host, managed, 400, cudaMemcpyDefault);
  cudaMemcpy(pinned, a, 400, cudaMemcpyDefault);
  cudaFree(managed);
  cudaFreeHost(pinned);
}

#define CASE(name) { #name, name }
static const struct { const char *name; void (*run)(); } cases[] = {
  CASE(sticky), CASE(sticky_seen), CASE(never_written), CASE(last_missing),
  CASE(last_byte_missing), CASE(last_double_missing), CASE(every_other),
  CASE(rows), CASE(passed_on), CASE(padding), CASE(padding_of_one),
  CASE(written_by_all),
};

int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2) {
      puts(cases[i].name);
    } else if (strcmp(argv[1], cases[i].name) == 0) {
      cudaMalloc(&a, 1 << 16);
      cudaMalloc(&b, 1 << 16);
      cudaMalloc(&c, 1 << 16);
      cases[i].run();
      cudaFree(a);
      cudaFree(b);
      cudaFree(c);
    }
  return 0;
}
