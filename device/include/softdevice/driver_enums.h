/* Types and constants of the runtime API that the device itself has no use
 * for: it takes their values as plain numbers. Names and values are those of
 * the CUDA Runtime API's documentation, version 13.0. */
#ifndef SOFTDEVICE_DRIVER_ENUMS_H
#define SOFTDEVICE_DRIVER_ENUMS_H

typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUuuid_st {
  char bytes[16];
} cudaUUID_t;

#define cudaHostAllocDefault 0
#define cudaHostRegisterDefault 0
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaDeviceLmemResizeToMax 16
#define cudaEventRecordDefault 0
#define cudaEventRecordExternal 1
#define cudaEventWaitDefault 0
#define cudaEventWaitExternal 1
#define cudaOccupancyDefault 0
#define cudaOccupancyDisableCachingOverride 1

enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4
};
enum cudaMemAllocationType {
  cudaMemAllocationTypeInvalid = 0,
  cudaMemAllocationTypePinned = 1,
  cudaMemAllocationTypeManaged = 2
};
enum cudaMemAllocationHandleType {
  cudaMemHandleTypeNone = 0,
  cudaMemHandleTypePosixFileDescriptor = 1
};
enum cudaGraphMemAttributeType {
  cudaGraphMemAttrUsedMemCurrent,
  cudaGraphMemAttrUsedMemHigh,
  cudaGraphMemAttrReservedMemCurrent,
  cudaGraphMemAttrReservedMemHigh
};
enum cudaAccessProperty {
  cudaAccessPropertyNormal,
  cudaAccessPropertyStreaming,
  cudaAccessPropertyPersisting
};
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};
enum cudaStreamUpdateCaptureDependenciesFlags {
  cudaStreamAddCaptureDependencies,
  cudaStreamSetCaptureDependencies
};

typedef enum cudaLaunchAttributeID cudaStreamAttrID;
typedef union cudaLaunchAttributeValue cudaStreamAttrValue;
typedef enum cudaLaunchAttributeID cudaKernelNodeAttrID;
typedef union cudaLaunchAttributeValue cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow                                  \
  cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy                               \
  cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority

/* Of the sizes of a volume, and of a place in it. */
#ifdef __cplusplus
#define SOFTDEVICE_INLINE inline
#else
#define SOFTDEVICE_INLINE static inline
#endif
SOFTDEVICE_INLINE struct cudaExtent make_cudaExtent(size_t w, size_t h,
                                                    size_t d)
{
  struct cudaExtent extent = { w, h, d };
  return extent;
}
SOFTDEVICE_INLINE struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
  struct cudaPos position = { x, y, z };
  return position;
}
SOFTDEVICE_INLINE struct cudaPitchedPtr
make_cudaPitchedPtr(void *address, size_t pitch, size_t xsize, size_t ysize)
{
  struct cudaPitchedPtr pointer = { address, pitch, xsize, ysize };
  return pointer;
}
#undef SOFTDEVICE_INLINE

#endif
