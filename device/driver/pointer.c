/* What is known about an address. */
#include <string.h>

#include "context.h"

static bool is_host(const struct allocation *a)
{
  return a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED;
}

/* All of these attributes are a pointer, an int or a number of 8 bytes. */
static size_t pointer_value(const struct allocation *a, CUdeviceptr address,
                            CUpointer_attribute attribute, void *value)
{
  void *pointer = pointer_of(address);
  void *context = context_primary(a->device);
  unsigned long long wide = a->serial;
  int narrow = 0;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    memcpy(value, &context, sizeof context);
    return sizeof context;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    memcpy(value, &pointer, sizeof pointer);
    return sizeof pointer;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!is_host(a) && a->kind != MEMORY_MANAGED)
      return 0;
    memcpy(value, &pointer, sizeof pointer);
    return sizeof pointer;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: wide = a->address; break;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE: wide = a->bytes; break;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID: break;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    narrow = is_host(a) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    memcpy(value, &narrow, sizeof narrow);
    return sizeof narrow;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    memcpy(value, &a->device, sizeof a->device);
    return sizeof a->device;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *(unsigned char *)value = a->kind == MEMORY_MANAGED;
    return 1;
  case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned char *)value = 1; return 1;
  default: return 0;
  }
  memcpy(value, &wide, sizeof wide);
  return sizeof wide;
}

static CUresult get(void *value, CUpointer_attribute attribute,
                    CUdeviceptr address)
{
  struct allocation found;
  if (value == NULL || !memory_find(address, &found))
    return CUDA_ERROR_INVALID_VALUE;
  return pointer_value(&found, address, attribute, value) > 0
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute,
                                   CUdeviceptr address)
{
  SERVE_AFTER(DRIVER_INIT, get(value, attribute, address));
}

static size_t size_of(CUpointer_attribute attribute)
{
  const struct allocation pinned = { .kind = MEMORY_PINNED };
  char value[16];
  return pointer_value(&pinned, 0, attribute, value);
}

/* Unlike the call for one, this takes any address: what is not known about it
 * is zero. */
static CUresult get_several(unsigned n, const CUpointer_attribute *attributes,
                            void **values, CUdeviceptr address)
{
  struct allocation found;
  const int nowhere = -2;
  if (n == 0 || attributes == NULL || values == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  bool is_known = memory_find(address, &found);
  for (unsigned i = 0; i < n; i++) {
    size_t bytes = size_of(attributes[i]);
    if (bytes == 0)
      return CUDA_ERROR_INVALID_VALUE;
    memset(values[i], 0, bytes);
    if (is_known)
      pointer_value(&found, address, attributes[i], values[i]);
    else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
      memcpy(values[i], &nowhere, sizeof nowhere);
  }
  return CUDA_SUCCESS;
}

API CUresult cuPointerGetAttributes(unsigned n,
                                    const CUpointer_attribute *attributes,
                                    void **values, CUdeviceptr address)
{
  SERVE_AFTER(DRIVER_INIT, get_several(n, attributes, values, address));
}
