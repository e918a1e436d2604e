/* Every call of the CUDA runtime returns an error code, and a launch leaves
 * one behind.  A program that ignores them goes on with garbage.
 *
 *   CUDA_CHECK(cudaMalloc(&d_x, bytes));
 *   kernel<<<n_blocks, n_threads>>>(d_x);
 *   CUDA_CHECK_LAUNCH();
 *
 * A failing check prints file, line, the call, the error and what usually
 * helps, and ends the program with exit status 1. */
#ifndef CODE_COMMON_CUDA_CHECK_H
#define CODE_COMMON_CUDA_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// begin cuda_check
#define CUDA_CHECK(call) \
  cuda_check((call), #call, __FILE__, __LINE__)
#define CUDA_CHECK_LAUNCH() \
  cuda_check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

static inline const char *cuda_remedy(cudaError_t error);

static inline void cuda_check(cudaError_t error, const char *call,
                              const char *file, int line)
{
  if (error == cudaSuccess)
    return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: error: %s: %s (%s)\n%s:%d: try: %s\n",
          file, line, call, cudaGetErrorString(error),
          cudaGetErrorName(error), file, line, cuda_remedy(error));
  exit(EXIT_FAILURE);
}
// end cuda_check

static inline const char *cuda_remedy(cudaError_t error)
{
  switch (error) {
  case cudaErrorMemoryAllocation:
    return "a smaller --size; nvidia-smi shows who uses the memory";
  case cudaErrorInvalidConfiguration:    /* before CUDA 13 */
    return "at least 1 block, at least 1 and at most 1024 threads a block, "
           "and no more shared memory than a block may have";
  case cudaErrorInvalidValue:
    return "look at the arguments: sizes, pointers, direction of the copy; "
           "of a launch: at least 1 block, 1 to 1024 threads a block, no "
           "more shared memory than a block may have";
  case cudaErrorNoDevice:
  case cudaErrorInsufficientDriver:
    return "nvidia-smi says whether a GPU and its driver are there; without "
           "one, run the program on the software device";
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorUnsupportedPtxVersion:
    return "compile for this GPU: nvcc -arch=native";
  case cudaErrorIllegalAddress:
  case cudaErrorMisalignedAddress:
  case cudaErrorLaunchFailure:
    return "a kernel before this line did it; run with compute-sanitizer, or "
           "on the software device, which names the source line";
  case cudaErrorLaunchOutOfResources:
    return "fewer threads a block: registers or shared memory do not suffice";
  case cudaErrorLaunchTimeout:
    return "the display's time limit ended the kernel: do less per launch";
  default:
    return "check the calls and launches before this line, too";
  }
}

#endif
