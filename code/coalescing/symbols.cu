/* Global memory without cudaMalloc: __device__ variables, which exist as
 * long as the program does, and the calls that reach them from the host. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"

enum { N_ELEMS = 256, BLOCK_THREADS = 64 };

/* ---- CPU reference ---- */

static void look_up_on_host(const int *table, const int *index, int *out,
                            int n)
{
  for (int i = 0; i < n; i++)
    out[i] = table[index[i]];
}

/* ---- kernels ---- */

// begin symbols
__device__ int d_table[N_ELEMS];
__device__ int d_n_lookups;

__global__ void look_up(const int *index, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = d_table[index[i]];
  if (i == 0)
    d_n_lookups += n;
}
// end symbols

/* ---- launchers: two ways to fill the table ---- */

// begin copy_to_symbol
static void fill_by_copy(const int *h_table)
{
  CUDA_CHECK(cudaMemcpyToSymbol(d_table, h_table, sizeof d_table));
}
// end copy_to_symbol

// begin symbol_address
/* The name of a __device__ variable is no address that the host could use:
 * that has to be asked for. */
static void fill_by_address(const int *h_table)
{
  void *d_address;
  size_t n_bytes;
  CUDA_CHECK(cudaGetSymbolAddress(&d_address, d_table));
  CUDA_CHECK(cudaGetSymbolSize(&n_bytes, d_table));
  CUDA_CHECK(cudaMemcpy(d_address, h_table, n_bytes,
                        cudaMemcpyHostToDevice));
}
// end symbol_address

/* One element at a time, to use the offset, which is in bytes. */
static void fill_by_element(const int *h_table)
{
  for (size_t i = 0; i < N_ELEMS; i++)
    CUDA_CHECK(cudaMemcpyToSymbol(d_table, h_table + i, sizeof(int),
                                  i * sizeof(int)));
}

typedef struct {
  const char *name;
  const char *idea;
  void (*fill)(const int *);
} version;

static const version versions[] = {
  {"copy", "cudaMemcpyToSymbol", fill_by_copy},
  {"address", "cudaGetSymbolAddress, then cudaMemcpy", fill_by_address},
  {"element", "cudaMemcpyToSymbol with an offset", fill_by_element},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

static int check_version(const version *v, random_source *random)
{
  int h_table[N_ELEMS], h_index[N_ELEMS], h_back[N_ELEMS];
  int h_expected[N_ELEMS], h_got[N_ELEMS], h_n_lookups = 0;
  int *d_index, *d_out;
  for (int i = 0; i < N_ELEMS; i++) {
    h_table[i] = (int)random_below(random, 1 << 30);
    h_index[i] = (int)random_below(random, N_ELEMS);
  }
  look_up_on_host(h_table, h_index, h_expected, N_ELEMS);
  CUDA_CHECK(cudaMalloc(&d_index, sizeof h_index));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  CUDA_CHECK(cudaMemcpy(d_index, h_index, sizeof h_index,
                        cudaMemcpyHostToDevice));
  poison_device(d_out, sizeof h_got);

  v->fill(h_table);
  CUDA_CHECK(cudaMemcpyToSymbol(d_n_lookups, &h_n_lookups,
                                sizeof h_n_lookups));
  look_up<<<N_ELEMS / BLOCK_THREADS, BLOCK_THREADS>>>(d_index, d_out,
                                                      N_ELEMS);
  CUDA_CHECK_LAUNCH();

  CUDA_CHECK(cudaMemcpyFromSymbol(&h_n_lookups, d_n_lookups,
                                  sizeof h_n_lookups));
  CUDA_CHECK(cudaMemcpyFromSymbol(h_back, d_table, sizeof h_back));
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_index));
  CUDA_CHECK(cudaFree(d_out));
  int n = N_ELEMS;
  return compare_ints(v->name, h_expected, h_got, N_ELEMS) &
         compare_ints("the table, read back", h_table, h_back, N_ELEMS) &
         compare_ints("the number of lookups", &n, &h_n_lookups, 1);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "__device__ variables", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      right &= check_version(&versions[k], &random);
  printf("check: seed %llu: %s\n", (unsigned long long)o.seed,
         right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
