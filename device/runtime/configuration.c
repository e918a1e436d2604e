/* kernel<<<grid, block, bytes, stream>>>(…) compiles to a push of the
 * configuration, a call of the kernel's host stub, and in there a pop and
 * __cudaLaunchKernel. */
#include "error.h"

#define PUSHED 8 /* an argument's expression may itself launch a kernel */

static _Thread_local struct configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
} pushed[PUSHED];
static _Thread_local unsigned n_pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream)
{
  if (n_pushed == PUSHED)
    return error_leave(cudaErrorMissingConfiguration);
  pushed[n_pushed++] =
      (struct configuration){ grid, block, shared_bytes, stream };
  return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                       size_t *shared_bytes, void *stream)
{
  if (n_pushed == 0)
    return error_leave(cudaErrorMissingConfiguration);
  const struct configuration *top = &pushed[--n_pushed];
  *grid = top->grid;
  *block = top->block;
  *shared_bytes = top->shared_bytes;
  *(cudaStream_t *)stream = top->stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                               void **arguments, size_t shared_bytes,
                               cudaStream_t stream)
{
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
