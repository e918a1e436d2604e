/* Arrays, textures and surfaces, as of CUDA 13.0. Included by api.h. */
#ifndef DEVICE_CORE_TYPES_TEXTURE_H
#define DEVICE_CORE_TYPES_TEXTURE_H

enum {
  cudaArrayDefault = 0,
  cudaArrayLayered = 1,
  cudaArraySurfaceLoadStore = 2,
  cudaArrayCubemap = 4,
  cudaArrayTextureGather = 8,
  cudaArrayColorAttachment = 0x20,
  cudaArraySparse = 0x40,
  cudaArrayDeferredMapping = 0x80
};

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct mipmapped_array *cudaMipmappedArray_t;

enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D
};

struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void *devPtr;
      struct cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      struct cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
};

enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode {
  cudaReadModeElementType,
  cudaReadModeNormalizedFloat
};

struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};

struct cudaResourceViewDesc {
  int format; /* enum cudaResourceViewFormat; 0 is none */
  size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
  unsigned reserved[16];
};

#endif
