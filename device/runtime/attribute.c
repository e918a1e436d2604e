/* cudaDeviceGetAttribute: most attributes are a field of cudaDeviceProp. */
#include <string.h>

#include "config.h"
#include "property.h"
#include "state.h"

struct attribute {
  enum cudaDeviceAttr attribute;
  size_t offset, bytes; /* of the field; a size_t or an int */
};

#define FIELD(attribute, field)                        \
  {cudaDevAttr##attribute, offsetof(struct cudaDeviceProp, field), \
   sizeof((struct cudaDeviceProp *)0)->field}

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
    FIELD(CanUseHostPointerForRegisteredMem,
          canUseHostPointerForRegisteredMem),
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
    FIELD(TimelineSemaphoreInteropSupported,
          timelineSemaphoreInteropSupported),
    FIELD(MemoryPoolsSupported, memoryPoolsSupported),
    FIELD(GPUDirectRDMASupported, gpuDirectRDMASupported),
    FIELD(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    FIELD(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    FIELD(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    FIELD(ClusterLaunch, clusterLaunch),
    FIELD(DeferredMappingCudaArraySupported,
          deferredMappingCudaArraySupported),
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

/* Those that are no field. Texture limits are 0: no textures yet. */
static int read_other(enum cudaDeviceAttr attribute)
{
  const struct device_model *model = current_model();
  switch (attribute) {
  case cudaDevAttrClockRate: return model->clock_khz;
  case cudaDevAttrMemoryClockRate: return model->memory_clock_khz;
  case cudaDevAttrGpuOverlap: return 1;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return model->double_ratio;
  case cudaDevAttrMemSyncDomainCount: return 1;
  default: return 0;
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
  if (config()->n_devices == 0)
    return state_leave(cudaErrorNoDevice);
  if (value == NULL || (int)attribute < 1 || attribute >= cudaDevAttrEnd)
    return state_leave(cudaErrorInvalidValue);
  if (device < 0 || device >= config()->n_devices)
    return state_leave(cudaErrorInvalidDevice);
  *value = read_other(attribute);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (attributes[i].attribute == attribute)
      *value = read_field(&attributes[i], device);
  return state_leave(state_settle());
}
