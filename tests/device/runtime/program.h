/* A CUDA program without nvcc: registers kernels.ptx as generated code would.
 */
#ifndef TESTS_DEVICE_RUNTIME_PROGRAM_H
#define TESTS_DEVICE_RUNTIME_PROGRAM_H

#include "runtime/api.h"

/* Host stand-ins: only their addresses matter. */
extern char fill, count_up, hello, limited, shares, recurse, wait_for, no_end,
    missing;
extern char counter, table;
extern void *managed;

/* Registers the PTX file that the environment variable KERNELS names, for
 * compute_75. */
void program_begin(void);

/* The same with a text of the caller's. */
void program_begin_with(const char *ptx, int architecture);

cudaError_t launch(const void *kernel, unsigned blocks, unsigned threads,
                   void **arguments);
cudaError_t launch_fill(void *address, unsigned value, unsigned n,
                        unsigned blocks, unsigned threads);

/* The kernel leaves its allocation and dies by an illegal address. */
void launch_into_nowhere(void);

#endif
