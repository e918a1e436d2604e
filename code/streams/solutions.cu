/* Solutions: three kernels in streams that were exchanged, and with only one
 * of them non-blocking. Which must wait for which?
 *
 *   nvcc -I code code/streams/solutions.cu -o solutions && ./solutions
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { N_KERNELS = 3 };

/* The order in which kernels began and ended, without a clock. */
typedef struct {
  int n_tickets;
  int began[N_KERNELS], ended[N_KERNELS];
} tickets;

__global__ void occupy(tickets *d_order, int k)
{
  d_order->began[k] = atomicAdd(&d_order->n_tickets, 1);
  for (int i = 0; i < 100; i++)
    __nanosleep(1000);
  d_order->ended[k] = atomicAdd(&d_order->n_tickets, 1);
}

typedef struct {
  const char *name;
  const char *idea;
  unsigned flags[2];          /* of stream_1 and stream_2 */
  int of_first, of_third;     /* in which of them kernel_1 and kernel_3 are */
  int waits[N_KERNELS];       /* must kernel k + 1 wait for kernel k? */
} version;

// begin versions
static const version versions[] = {
  {"exchanged", "both streams are blocking, the kernels changed places",
   {cudaStreamDefault, cudaStreamDefault}, 1, 0, {0, 1, 1}},
  {"one_non_blocking", "the same, and stream_1 is non-blocking",
   {cudaStreamNonBlocking, cudaStreamDefault}, 1, 0, {0, 1, 0}},
};
// end versions
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

// begin exchanged
static void launch(const version *v, const cudaStream_t *stream,
                   tickets *d_order)
{
  occupy<<<1, 1, 0, stream[v->of_first]>>>(d_order, 0);
  occupy<<<1, 1>>>(d_order, 1);
  occupy<<<1, 1, 0, stream[v->of_third]>>>(d_order, 2);
}
// end exchanged

static int judge(const version *v, const tickets *order)
{
  int right = order->n_tickets == 2 * N_KERNELS;
  if (!right)
    fprintf(stderr, "%s: error: %d tickets: wrong\n", v->name,
            order->n_tickets);
  for (int k = 1; k < N_KERNELS; k++)
    if (v->waits[k] && order->began[k] < order->ended[k - 1]) {
      fprintf(stderr, "%s: error: kernel_%d did not wait: wrong\n", v->name,
              k + 1);
      right = 0;
    }
  return right;
}

static int check_version(const version *v)
{
  cudaStream_t stream[2];
  tickets h_order, *d_order;
  CUDA_CHECK(cudaMalloc(&d_order, sizeof *d_order));
  CUDA_CHECK(cudaMemset(d_order, 0, sizeof *d_order));
  for (int i = 0; i < 2; i++)
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream[i], v->flags[i]));
  CUDA_CHECK(cudaDeviceSynchronize());
  launch(v, stream, d_order);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(&h_order, d_order, sizeof h_order,
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2; i++)
    CUDA_CHECK(cudaStreamDestroy(stream[i]));
  CUDA_CHECK(cudaFree(d_order));
  return judge(v, &h_order);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "streams that were exchanged", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int right = 1;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      right &= check_version(&versions[i]);
  fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
