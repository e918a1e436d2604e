/* A table of the host, given to a kernel as it is. */
#include "debugging/bug.h"

enum { N = 1024, N_CODES = 16, BLOCK_THREADS = 256 };

__global__ void translate(int *x, const int *table, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = table[x[i]];
}

// begin broken
static void translate_broken(int *d_x, const int *h_table)
{
  translate<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_x, h_table, N);
  TRY_LAUNCH();
}
// end broken

// begin fixed
static void translate_fixed(int *d_x, const int *h_table)
{
  int *d_table = (int *)bug_upload(h_table, N_CODES * sizeof *h_table);
  translate<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_x, d_table, N);
  TRY_LAUNCH();
  TRY(cudaFree(d_table));
}
// end fixed

static int run(void (*translate_all)(int *, const int *))
{
  static int h_x[N];
  int *h_table = (int *)malloc(N_CODES * sizeof *h_table);
  if (!h_table)
    return 0;
  for (int i = 0; i < N_CODES; i++)
    h_table[i] = 10 * i;
  for (int i = 0; i < N; i++)
    h_x[i] = i % N_CODES;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  translate_all(d_x, h_table);
  bug_download(h_x, d_x, sizeof h_x);
  free(h_table);
  for (int i = 0; i < N; i++)
    if (h_x[i] != 10 * (i % N_CODES))
      return 0;
  return 1;
}

static int fixed(void) { return run(translate_fixed); }
static int broken(void) { return run(translate_broken); }

static const version versions[] = {
  {"fixed", "the kernel gets a copy of the table", 0, fixed},
  {"broken", "the kernel gets the host's address", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a kernel that gets a pointer of the host");
}
