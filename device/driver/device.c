/* Devices: how many, and what each one is. */
#include <stdio.h>
#include <string.h>

#include "driver.h"

static bool is_device_number(CUdevice device)
{
  return device >= 0 && device < config()->n_devices;
}

static CUresult get(CUdevice *device, int ordinal)
{
  if (device == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!is_device_number(ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  SERVE_AFTER(DRIVER_INIT, get(device, ordinal));
}

static CUresult get_count(int *count)
{
  if (count == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *count = config()->n_devices;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetCount(int *count)
{
  SERVE_AFTER(DRIVER_INIT, get_count(count));
}

static CUresult describe(CUdevice device, struct cudaDeviceProp *properties)
{
  if (!is_device_number(device))
    return CUDA_ERROR_INVALID_DEVICE;
  return status_of(core_get_device_properties(properties, device));
}

static CUresult get_name(char *name, int bytes, CUdevice device)
{
  struct cudaDeviceProp properties;
  if (name == NULL || bytes <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = describe(device, &properties);
  if (status == CUDA_SUCCESS)
    snprintf(name, (size_t)bytes, "%s", properties.name);
  return status;
}

API CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, get_name(name, bytes, device));
}

static CUresult get_uuid(CUuuid *uuid, CUdevice device)
{
  struct cudaDeviceProp properties;
  if (uuid == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = describe(device, &properties);
  if (status == CUDA_SUCCESS)
    memcpy(uuid, properties.uuid, sizeof *uuid);
  return status;
}

API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, get_uuid(uuid, device));
}

API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, get_uuid(uuid, device));
}

static CUresult get_memory(size_t *bytes, CUdevice device)
{
  struct cudaDeviceProp properties;
  if (bytes == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = describe(device, &properties);
  if (status == CUDA_SUCCESS)
    *bytes = properties.totalGlobalMem;
  return status;
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, get_memory(bytes, device));
}

static CUresult get_capability(int *major, int *minor, CUdevice device)
{
  struct cudaDeviceProp properties;
  if (major == NULL || minor == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = describe(device, &properties);
  if (status == CUDA_SUCCESS) {
    *major = properties.major;
    *minor = properties.minor;
  }
  return status;
}

API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, get_capability(major, minor, device));
}

/* Both APIs number the attributes alike. */
API CUresult cuDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                  CUdevice device)
{
  SERVE_INIT(core_device_get_attribute(value, attribute, device));
}

API CUresult cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device)
{
  SERVE_INIT(core_device_get_pci_bus_id(text, bytes, device));
}

API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
  SERVE_INIT(core_device_get_by_pci_bus_id(device, text));
}

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
  SERVE_INIT(core_device_can_access_peer(can, device, peer));
}

API CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice source,
                                     CUdevice destination)
{
  SERVE_INIT(
      core_device_get_p2p_attribute(value, attribute, source, destination));
}

API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
  SERVE_INIT(core_device_get_default_mem_pool(pool, device));
}

API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
  SERVE_INIT(core_device_get_mem_pool(pool, device));
}
