/* OpenCL C's words in terms of CUDA's: enough of them for one kernel. */
#ifndef CODE_OUTLOOK_OPENCL_WORDS_H
#define CODE_OUTLOOK_OPENCL_WORDS_H

// begin opencl_words
#define __kernel             __global__
#define __global             /* a pointer may point anywhere */
#define __local              __shared__
#define get_local_id(d)      threadIdx.x
#define get_local_size(d)    blockDim.x
#define get_group_id(d)      blockIdx.x
#define get_global_id(d)     (blockIdx.x * blockDim.x + threadIdx.x)
#define barrier(which)       __syncthreads()
// end opencl_words

#endif
