/* Types of numbers, as the libraries name them, with the values of their
 * documentation: those that the device's cuBLAS takes. */
#ifndef SOFTDEVICE_LIBRARY_TYPES_H
#define SOFTDEVICE_LIBRARY_TYPES_H

typedef enum cudaDataType_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_R_16BF = 14
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;

typedef enum libraryPropertyType_t {
  MAJOR_VERSION,
  MINOR_VERSION,
  PATCH_LEVEL
} libraryPropertyType_t;

#endif
