/* What <<<…>>> becomes: clang calls these two. */
#ifndef SOFTDEVICE_LAUNCH_H
#define SOFTDEVICE_LAUNCH_H

extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                    size_t shared_bytes = 0,
                                                    cudaStream_t stream = 0);
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                                  size_t *shared_bytes,
                                                  void *stream);

#endif
