/* What the tests of the driver API begin with. They are compiled against the
 * toolkit's header, so that they also run on a GPU with NVIDIA's driver:
 *
 *   nvcc or gcc … driver_program.c ../runtime/test.c test_context.c -lcuda
 *
 * and expect the same there, but for test_software.c. */
#ifndef TESTS_DEVICE_DRIVER_DRIVER_PROGRAM_H
#define TESTS_DEVICE_DRIVER_DRIVER_PROGRAM_H

#include <cuda.h>

#include "../runtime/test.h"

/* Device 0, its primary context current. */
CUdevice begin(void);

/* ../runtime/kernels.ptx, from the environment variable KERNELS. */
const char *kernels_text(void);
CUmodule load_kernels(void);
CUfunction get_kernel(CUmodule module, const char *name);

/* The kernel "fill": address[i] = value for i < n. */
CUresult launch_fill(CUfunction fill, CUdeviceptr address, unsigned value,
                     unsigned n, unsigned blocks, unsigned threads);

/* A kernel leaves its allocation; the launch itself succeeds. */
void launch_into_nowhere(void);

#endif
