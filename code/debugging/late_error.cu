/* One bad index among thousands. The kernel that meets it reports nothing;
 * the call that does has nothing to do with it. */
#include "debugging/bug.h"

enum { N = 4096, BAD = 2345, BLOCK_THREADS = 256 };
enum { FAR = 1 << 26 };       /* elements, past any array of this program */

// begin broken
__global__ void scatter_broken(float *to, const float *from,
                               const int *where, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[where[i]] = from[i];
}
// end broken

__global__ void scatter_fixed(float *to, const float *from,
                              const int *where, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && where[i] >= 0 && where[i] < n)
    to[where[i]] = from[i];
}

__global__ void clear(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0.0f;
}

typedef void scatter_kernel(float *, const float *, const int *, int);

// begin run
static void scatter_and_clear(scatter_kernel *scatter, float *d_to,
                              float *d_from, const int *d_where)
{
  scatter<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_to, d_from, d_where, N);
  TRY(cudaGetLastError());
  clear<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_from, N);
  TRY(cudaGetLastError());
  TRY(cudaDeviceSynchronize());
}
// end run

static int run(scatter_kernel *scatter)
{
  static float h_from[N], h_to[N];
  static int h_where[N];
  for (int i = 0; i < N; i++) {
    h_from[i] = (float)i;
    h_to[i] = -1.0f;
    h_where[i] = i == BAD ? FAR : N - 1 - i;
  }
  float *d_from = (float *)bug_upload(h_from, sizeof h_from);
  float *d_to = (float *)bug_upload(h_to, sizeof h_to);
  int *d_where = (int *)bug_upload(h_where, sizeof h_where);
  scatter_and_clear(scatter, d_to, d_from, d_where);
  bug_download(h_to, d_to, sizeof h_to);
  TRY(cudaFree(d_from));
  TRY(cudaFree(d_where));
  for (int i = 0; i < N; i++)
    if (i != BAD && !(h_to[N - 1 - i] == (float)i))
      return 0;
  return h_to[N - 1 - BAD] == -1.0f;
}

static int fixed(void) { return run(scatter_fixed); }
static int broken(void) { return run(scatter_broken); }

static const version versions[] = {
  {"fixed", "an index is looked at before it is used", 0, fixed},
  {"broken", "every index is taken for good", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "an error that another call reports");
}
