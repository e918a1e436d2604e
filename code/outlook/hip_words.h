/* HIP's words for what CUDA calls otherwise: enough of <hip/hip_runtime.h> for
 * one program. Where HIP is installed for NVIDIA GPUs, its own header does the
 * same, call by call. */
#ifndef CODE_OUTLOOK_HIP_WORDS_H
#define CODE_OUTLOOK_HIP_WORDS_H

// begin hip_words
#define hipError_t             cudaError_t
#define hipSuccess             cudaSuccess
#define hipMalloc              cudaMalloc
#define hipFree                cudaFree
#define hipMemcpy              cudaMemcpy
#define hipMemcpyHostToDevice  cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost  cudaMemcpyDeviceToHost
#define hipGetLastError        cudaGetLastError
#define hipGetErrorString      cudaGetErrorString
// end hip_words

#endif
