/* cudaDeviceGetAttribute: most attributes are a field of cudaDeviceProp. */
#include <string.h>

#include "config.h"
#include "property.h"
#include "state.h"

struct attribute {
  enum cudaDeviceAttr attribute;
  size_t offset, bytes; /* of the field; a size_t or an int */
};

#define FIELD(attribute, field)                                                \
  {                                                                            \
    cudaDevAttr##attribute, offsetof(struct cudaDeviceProp, field),            \
        sizeof((struct cudaDeviceProp *)0)->field                              \
  }

static const struct attribute attributes[] = {
  FIELD(MaxThreadsPerBlock, maxThreadsPerBlock),
  FIELD(MaxBlockDimX, maxThreadsDim[0]),
  FIELD(MaxBlockDimY, maxThreadsDim[1]),
  FIELD(MaxBlockDimZ, maxThreadsDim[2]),
  FIELD(MaxGridDimX, maxGridSize[0]),
  FIELD(MaxGridDimY, maxGridSize[1]),
  FIELD(MaxGridDimZ, maxGridSize[2]),
  FIELD(MaxSharedMemoryPerBlock, sharedMemPerBlock),
  FIELD(TotalConstantMemory, totalConstMem),
  FIELD(WarpSize, warpSize),
  FIELD(MaxPitch, memPitch),
  FIELD(MaxRegistersPerBlock, regsPerBlock),
  FIELD(TextureAlignment, textureAlignment),
  FIELD(MultiProcessorCount, multiProcessorCount),
  FIELD(Integrated, integrated),
  FIELD(CanMapHostMemory, canMapHostMemory),
  FIELD(SurfaceAlignment, surfaceAlignment),
  FIELD(ConcurrentKernels, concurrentKernels),
  FIELD(EccEnabled, ECCEnabled),
  FIELD(PciBusId, pciBusID),
  FIELD(PciDeviceId, pciDeviceID),
  FIELD(PciDomainId, pciDomainID),
  FIELD(TccDriver, tccDriver),
  FIELD(GlobalMemoryBusWidth, memoryBusWidth),
  FIELD(L2CacheSize, l2CacheSize),
  FIELD(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
  FIELD(AsyncEngineCount, asyncEngineCount),
  FIELD(UnifiedAddressing, unifiedAddressing),
  FIELD(TexturePitchAlignment, texturePitchAlignment),
  FIELD(MaxTexture1DWidth, maxTexture1D),
  FIELD(MaxTexture2DWidth, maxTexture2D[0]),
  FIELD(MaxTexture2DHeight, maxTexture2D[1]),
  FIELD(MaxTexture3DWidth, maxTexture3D[0]),
  FIELD(MaxTexture3DHeight, maxTexture3D[1]),
  FIELD(MaxTexture3DDepth, maxTexture3D[2]),
  FIELD(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
  FIELD(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
  FIELD(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
  FIELD(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
  FIELD(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
  FIELD(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
  FIELD(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
  FIELD(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
  FIELD(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
  FIELD(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
  FIELD(MaxTextureCubemapWidth, maxTextureCubemap),
  FIELD(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
  FIELD(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
  FIELD(MaxSurface1DWidth, maxSurface1D),
  FIELD(MaxSurface2DWidth, maxSurface2D[0]),
  FIELD(MaxSurface2DHeight, maxSurface2D[1]),
  FIELD(MaxSurface3DWidth, maxSurface3D[0]),
  FIELD(MaxSurface3DHeight, maxSurface3D[1]),
  FIELD(MaxSurface3DDepth, maxSurface3D[2]),
  FIELD(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
  FIELD(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
  FIELD(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
  FIELD(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
  FIELD(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
  FIELD(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
  FIELD(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
  FIELD(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
  FIELD(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
  FIELD(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
  FIELD(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
  FIELD(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
  FIELD(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
  FIELD(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
  FIELD(ComputeCapabilityMajor, major),
  FIELD(ComputeCapabilityMinor, minor),
  FIELD(StreamPrioritiesSupported, streamPrioritiesSupported),
  FIELD(GlobalL1CacheSupported, globalL1CacheSupported),
  FIELD(LocalL1CacheSupported, localL1CacheSupported),
  FIELD(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
  FIELD(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
  FIELD(ManagedMemory, managedMemory),
  FIELD(IsMultiGpuBoard, isMultiGpuBoard),
  FIELD(MultiGpuBoardGroupID, multiGpuBoardGroupID),
  FIELD(HostNativeAtomicSupported, hostNativeAtomicSupported),
  FIELD(PageableMemoryAccess, pageableMemoryAccess),
  FIELD(ConcurrentManagedAccess, concurrentManagedAccess),
  FIELD(ComputePreemptionSupported, computePreemptionSupported),
  FIELD(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
  FIELD(CooperativeLaunch, cooperativeLaunch),
  FIELD(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
  FIELD(HostRegisterSupported, hostRegisterSupported),
  FIELD(PageableMemoryAccessUsesHostPageTables,
        pageableMemoryAccessUsesHostPageTables),
  FIELD(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
  FIELD(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
  FIELD(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
  FIELD(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
  FIELD(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
  FIELD(SparseCudaArraySupported, sparseCudaArraySupported),
  FIELD(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
  FIELD(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
  FIELD(MemoryPoolsSupported, memoryPoolsSupported),
  FIELD(GPUDirectRDMASupported, gpuDirectRDMASupported),
  FIELD(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
  FIELD(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
  FIELD(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
  FIELD(ClusterLaunch, clusterLaunch),
  FIELD(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
  FIELD(IpcEventSupport, ipcEventSupported),
  FIELD(NumaConfig, deviceNumaConfig),
  FIELD(NumaId, deviceNumaId),
  FIELD(MpsEnabled, mpsEnabled),
  FIELD(HostNumaId, hostNumaId),
  FIELD(GpuPciDeviceId, gpuPciDeviceID),
  FIELD(GpuPciSubsystemId, gpuPciSubsystemID),
  FIELD(HostNumaMultinodeIpcSupported, hostNumaMultinodeIpcSupported),
};

static int read_field(const struct attribute *attribute, int device)
{
  struct cudaDeviceProp properties;
  property_fill(&properties, device);
  const char *field = (const char *)&properties + attribute->offset;
  size_t wide;
  int narrow;
  if (attribute->bytes == sizeof wide) {
    memcpy(&wide, field, sizeof wide);
    return (int)wide;
  }
  memcpy(&narrow, field, sizeof narrow);
  return narrow;
}

/* The driver API's, which has no name in this one: cuMemMap is there. */
enum { VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102 };

/* Those that are no field. */
static int read_other(enum cudaDeviceAttr attribute)
{
  const struct device_model *model = current_model();
  if ((int)attribute == VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)
    return 1;
  switch (attribute) {
  case cudaDevAttrClockRate: return model->clock_khz;
  case cudaDevAttrMemoryClockRate: return model->memory_clock_khz;
  case cudaDevAttrMaxTexture1DLinearWidth: return 1 << 28;
  case cudaDevAttrGpuOverlap: return 1;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio: return model->double_ratio;
  case cudaDevAttrMemSyncDomainCount:
    return model->sync_domains > 0 ? model->sync_domains : 1;
  default: return 0;
  }
}

cudaError_t attribute_read(int *value, enum cudaDeviceAttr attribute,
                           int device)
{
  if (config()->n_devices == 0)
    return cudaErrorNoDevice;
  if (value == NULL || (int)attribute < 1 || attribute >= cudaDevAttrMax)
    return cudaErrorInvalidValue;
  if (device < 0 || device >= config()->n_devices)
    return cudaErrorInvalidDevice;
  *value = read_other(attribute);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (attributes[i].attribute == attribute)
      *value = read_field(&attributes[i], device);
  return cudaSuccess;
}

cudaError_t core_device_get_attribute(int *value, enum cudaDeviceAttr attribute,
                                      int device)
{
  cudaError_t error = attribute_read(value, attribute, device);
  return error != cudaSuccess ? error : state_ask();
}
