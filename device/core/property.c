/* cudaDeviceProp. */
#include "property.h"

#include <stdio.h>
#include <string.h>

#include "../memory/memory.h"
#include "config.h"
#include "forked.h"
#include "state.h"

static void fill_identity(struct cudaDeviceProp *p, int device,
                          const struct device_model *model)
{
  p->major = model->capability / 10;
  p->minor = model->capability % 10;
  snprintf(p->name, sizeof p->name,
           "software device (compute capability "
           "%d.%d)",
           p->major, p->minor);
  memcpy(p->uuid, "softwaredevice", 14);
  p->uuid[15] = (char)device;
  p->pciBusID = device + 1;
  p->tccDriver = 0;
  p->deviceNumaId = p->hostNumaId = -1;
}

static void fill_block_limits(struct cudaDeviceProp *p,
                              const struct device_model *model)
{
  const int block[3] = { BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z };
  const int grid[3] = { GRID_DIM_X, GRID_DIM_Y, GRID_DIM_Z };
  p->warpSize = WARP_THREADS;
  p->maxThreadsPerBlock = BLOCK_THREADS;
  memcpy(p->maxThreadsDim, block, sizeof block);
  memcpy(p->maxGridSize, grid, sizeof grid);
  p->regsPerBlock = REGISTERS;
  p->sharedMemPerBlock = SHARED_BLOCK_BYTES;
  p->sharedMemPerBlockOptin = (size_t)model->shared_optin_bytes;
  p->reservedSharedMemPerBlock = (size_t)device_model_reserved_shared(model);
  p->totalConstMem = CONSTANT_BYTES;
}

static void fill_multiprocessor(struct cudaDeviceProp *p,
                                const struct device_model *model)
{
  p->multiProcessorCount = model->multiprocessors;
  p->maxThreadsPerMultiProcessor = model->threads;
  p->maxBlocksPerMultiProcessor = model->blocks;
  p->sharedMemPerMultiprocessor = (size_t)model->shared_bytes;
  p->regsPerMultiprocessor = REGISTERS;
  p->l2CacheSize = model->l2_bytes;
  p->persistingL2CacheMaxSize = model->persisting_l2_bytes;
  p->accessPolicyMaxWindowSize = model->access_window_bytes;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->memoryBusWidth = model->bus_bits;
}

static void fill_memory(struct cudaDeviceProp *p, int device)
{
  size_t free_bytes;
  memory_info(device, &free_bytes, &p->totalGlobalMem);
  p->memPitch = 2147483647;
  p->canMapHostMemory = p->unifiedAddressing = 1;
  p->managedMemory = 1;
  p->concurrentManagedAccess = config()->machine.concurrent_managed;
  p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported = 1;
  p->memoryPoolsSupported = 1;
}

static void fill_abilities(struct cudaDeviceProp *p,
                           const struct device_model *model)
{
  p->concurrentKernels = 1;
  p->asyncEngineCount = model->copy_engines;
  p->streamPrioritiesSupported = 1;
  p->computePreemptionSupported = 1;
  p->isMultiGpuBoard = 0;
  p->cooperativeLaunch = 1;
  p->clusterLaunch = model->capability >= 90;
}

void property_fill(struct cudaDeviceProp *properties, int device)
{
  const struct device_model *model = current_model();
  memset(properties, 0, sizeof *properties);
  fill_identity(properties, device, model);
  fill_block_limits(properties, model);
  fill_multiprocessor(properties, model);
  fill_memory(properties, device);
  fill_abilities(properties, model);
  property_fill_textures(properties);
}

cudaError_t core_get_device_properties(struct cudaDeviceProp *properties,
                                       int device)
{
  if (config()->n_devices == 0)
    return cudaErrorNoDevice;
  if (properties == NULL)
    return cudaErrorInvalidValue;
  if (device < 0 || device >= config()->n_devices)
    return cudaErrorInvalidDevice;
  property_fill(properties, device);
  /* A forked process may still ask what there is, as on a GPU. */
  return forked_is(false) ? cudaSuccess : state_ask();
}

/* All devices are alike. */
cudaError_t core_choose_device(int *device, const struct cudaDeviceProp *wanted)
{
  if (device == NULL || wanted == NULL)
    return cudaErrorInvalidValue;
  *device = 0;
  return state_settle();
}

cudaError_t core_device_get_pci_bus_id(char *text, int bytes, int device)
{
  if (text == NULL || bytes < 13)
    return cudaErrorInvalidValue;
  if (device < 0 || device >= config()->n_devices)
    return cudaErrorInvalidDevice;
  snprintf(text, (size_t)bytes, "0000:%02X:00.0", (unsigned)device + 1);
  return state_settle();
}

cudaError_t core_device_get_by_pci_bus_id(int *device, const char *text)
{
  unsigned domain = 0, bus;
  if (device == NULL || text == NULL)
    return cudaErrorInvalidValue;
  if (sscanf(text, "%x:%x:", &domain, &bus) != 2 &&
      sscanf(text, "%x:", &bus) != 1)
    return cudaErrorInvalidValue;
  if (domain != 0 || bus < 1 || bus > (unsigned)config()->n_devices)
    return cudaErrorInvalidDevice;
  *device = (int)bus - 1;
  return state_settle();
}
