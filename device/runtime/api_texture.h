/* Arrays, textures and surfaces, as of CUDA 13.0. Included by api.h. */
#ifndef DEVICE_RUNTIME_API_TEXTURE_H
#define DEVICE_RUNTIME_API_TEXTURE_H

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

/* array.c */
API cudaError_t cudaMallocArray(cudaArray_t *array,
                                const struct cudaChannelFormatDesc *format,
                                size_t width, size_t height, unsigned flags);
API cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                                  const struct cudaChannelFormatDesc *format,
                                  struct cudaExtent extent, unsigned flags);
API cudaError_t cudaFreeArray(cudaArray_t array);
API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format,
                                 struct cudaExtent *extent, unsigned *flags,
                                 cudaArray_t array);
API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format,
                                   cudaArray_t array);

/* copy_array.c */
API cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x, size_t y,
                                    const void *source, size_t pitch,
                                    size_t width, size_t height,
                                    enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x,
                                         size_t y, const void *source,
                                         size_t pitch, size_t width,
                                         size_t height,
                                         enum cudaMemcpyKind kind,
                                         cudaStream_t stream);
API cudaError_t cudaMemcpy2DFromArray(void *destination, size_t pitch,
                                      cudaArray_t source, size_t x, size_t y,
                                      size_t width, size_t height,
                                      enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpy2DFromArrayAsync(
    void *destination, size_t pitch, cudaArray_t source, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, size_t to_x,
                                         size_t to_y, cudaArray_t source,
                                         size_t from_x, size_t from_y,
                                         size_t width, size_t height,
                                         enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x, size_t y,
                                  const void *source, size_t bytes,
                                  enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t destination, size_t x,
                                       size_t y, const void *source,
                                       size_t bytes, enum cudaMemcpyKind kind,
                                       cudaStream_t stream);
API cudaError_t cudaMemcpyFromArray(void *destination, cudaArray_t source,
                                    size_t x, size_t y, size_t bytes,
                                    enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpyFromArrayAsync(void *destination, cudaArray_t source,
                                         size_t x, size_t y, size_t bytes,
                                         enum cudaMemcpyKind kind,
                                         cudaStream_t stream);
API cudaError_t cudaMemcpyArrayToArray(cudaArray_t destination, size_t to_x,
                                       size_t to_y, cudaArray_t source,
                                       size_t from_x, size_t from_y,
                                       size_t bytes, enum cudaMemcpyKind kind);

/* texture.c, surface.c */
API cudaError_t cudaCreateTextureObject(
    cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
    const struct cudaTextureDesc *texture,
    const struct cudaResourceViewDesc *view);
API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
API cudaError_t cudaGetTextureObjectResourceDesc(
    struct cudaResourceDesc *resource, cudaTextureObject_t object);
API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                                cudaTextureObject_t object);
API cudaError_t cudaGetTextureObjectResourceViewDesc(
    struct cudaResourceViewDesc *view, cudaTextureObject_t object);
API cudaError_t cudaCreateSurfaceObject(
    cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
API cudaError_t cudaGetSurfaceObjectResourceDesc(
    struct cudaResourceDesc *resource, cudaSurfaceObject_t object);
API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *width, const struct cudaChannelFormatDesc *f, int device);

#endif
