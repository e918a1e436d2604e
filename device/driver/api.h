/* The CUDA driver API's binary interface, as far as the software device serves
 * it. Declared here so that the device builds where no CUDA Toolkit is
 * installed. Names, values and layouts are those of CUDA 13.0;
 * tests/device/driver compiles against the toolkit's header. */
#ifndef DEVICE_DRIVER_API_H
#define DEVICE_DRIVER_API_H

#include <stddef.h>
#include <stdint.h>

#include "../core/types.h"
#include "../support/exported.h"

typedef enum CUresult {
#define ERROR(code, name, text) name = code,
#include "errors.def"
} CUresult;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct context *CUcontext;
typedef struct driver_module *CUmodule, *CUlibrary;
typedef struct function *CUfunction, *CUkernel; /* also a cudaKernel_t */
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaMemPool_t CUmemoryPool;
typedef cudaArray_t CUarray;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
typedef cudaGraph_t CUgraph;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaGraphExec_t CUgraphExec;
typedef void CUhostFn(void *user_data);
typedef void CUstreamCallback(CUstream stream, CUresult status,
                              void *user_data);
typedef size_t CUoccupancyB2DSize(int block_threads);

typedef enum {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
  CU_FUNC_ATTRIBUTE_NUM_REGS,
  CU_FUNC_ATTRIBUTE_PTX_VERSION,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION,
  CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
  CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
  CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT,
  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
  CU_FUNC_ATTRIBUTE_MAX = 16
} CUfunction_attribute;

typedef enum {
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
  CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
  CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
  CU_POINTER_ATTRIBUTE_MAPPED = 13
} CUpointer_attribute;

typedef enum {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE,
  CU_MEMORYTYPE_ARRAY,
  CU_MEMORYTYPE_UNIFIED
} CUmemorytype;

typedef enum {
  CU_JIT_MAX_REGISTERS = 0,
  CU_JIT_THREADS_PER_BLOCK = 1,
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
} CUjit_option;

#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

typedef struct {
  char bytes[16];
} CUuuid;

typedef struct {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z;
  unsigned shared_bytes;
  CUstream stream;
  cudaLaunchAttribute *attributes; /* the runtime API's have its layout */
  unsigned n_attributes;
} CUlaunchConfig;

/* One side of a copy of rows, and the whole. */
typedef struct {
  size_t source_x, source_y;
  CUmemorytype source_type;
  const void *source_host;
  CUdeviceptr source_device;
  CUarray source_array;
  size_t source_pitch;
  size_t destination_x, destination_y;
  CUmemorytype destination_type;
  void *destination_host;
  CUdeviceptr destination_device;
  CUarray destination_array;
  size_t destination_pitch;
  size_t width, height;
} CUDA_MEMCPY2D;

typedef struct {
  size_t source_x, source_y, source_z, source_lod;
  CUmemorytype source_type;
  const void *source_host;
  CUdeviceptr source_device;
  CUarray source_array;
  void *reserved0;
  size_t source_pitch, source_height;
  size_t destination_x, destination_y, destination_z, destination_lod;
  CUmemorytype destination_type;
  void *destination_host;
  CUdeviceptr destination_device;
  CUarray destination_array;
  void *reserved1;
  size_t destination_pitch, destination_height;
  size_t width, height, depth;
} CUDA_MEMCPY3D;

typedef enum {
  CU_AD_FORMAT_UNSIGNED_INT8 = 1,
  CU_AD_FORMAT_UNSIGNED_INT16 = 2,
  CU_AD_FORMAT_UNSIGNED_INT32 = 3,
  CU_AD_FORMAT_SIGNED_INT8 = 8,
  CU_AD_FORMAT_SIGNED_INT16 = 9,
  CU_AD_FORMAT_SIGNED_INT32 = 10,
  CU_AD_FORMAT_HALF = 0x10,
  CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;

typedef struct {
  size_t width, height;
  CUarray_format format;
  unsigned n_channels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct {
  size_t width, height, depth;
  CUarray_format format;
  unsigned n_channels, flags; /* the runtime API's */
} CUDA_ARRAY3D_DESCRIPTOR;

/* Begins as the runtime API's cudaKernelNodeParams does. */
typedef struct {
  struct cudaKernelNodeParams launch; /* its func may be NULL */
  CUkernel kernel;
  CUcontext context;
} CUDA_KERNEL_NODE_PARAMS;

/* The order of the runtime API's kinds. */
typedef enum {
  CU_RESOURCE_TYPE_ARRAY,
  CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
  CU_RESOURCE_TYPE_LINEAR,
  CU_RESOURCE_TYPE_PITCH2D
} CUresourcetype;

typedef struct {
  CUresourcetype type;
  union {
    CUarray array;
    struct {
      CUdeviceptr address;
      CUarray_format format;
      unsigned n_channels;
      size_t bytes;
    } linear;
    struct {
      CUdeviceptr address;
      CUarray_format format;
      unsigned n_channels;
      size_t width, height, pitch;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned flags;
} CUDA_RESOURCE_DESC;

/* Modes have the runtime API's numbers. */
typedef struct {
  unsigned address_mode[3], filter_mode, flags, max_anisotropy;
  unsigned mipmap_filter_mode;
  float mipmap_level_bias, min_mipmap_level_clamp, max_mipmap_level_clamp;
  float border_color[4];
  int reserved[12];
} CUDA_TEXTURE_DESC;

#endif
