/* Before anything else: initialisation, errors as text, devices. */
#include "driver_program.h"

BEHAVIOUR(nothing_works_before_init)
{
  CUdevice device;
  CUdeviceptr address;
  int count;
  CHECK_EQUAL(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQUAL(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQUAL(cuMemAlloc(&address, 4), CUDA_ERROR_NOT_INITIALIZED);
}

BEHAVIOUR(init_takes_no_flags)
{
  CHECK_EQUAL(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
}

BEHAVIOUR(version_needs_no_init)
{
  int version;
  CHECK_EQUAL(cuDriverGetVersion(&version), CUDA_SUCCESS);
  CHECK(version >= 13000);
  CHECK_EQUAL(cuDriverGetVersion(NULL), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(memory_needs_a_context)
{
  CUdeviceptr address;
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&address, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

BEHAVIOUR(errors_have_names_and_texts)
{
  const char *text;
  CHECK_EQUAL(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text), CUDA_SUCCESS);
  CHECK_TEXT(text, "CUDA_ERROR_INVALID_PTX");
  CHECK_EQUAL(cuGetErrorString(CUDA_ERROR_INVALID_PTX, &text), CUDA_SUCCESS);
  CHECK_TEXT(text, "a PTX JIT compilation failed");
  CHECK_EQUAL(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text),
              CUDA_SUCCESS);
  CHECK_TEXT(text, "an illegal memory access was encountered");
}

BEHAVIOUR(unknown_error_has_no_name)
{
  const char *text = "";
  CHECK_EQUAL(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
  CHECK(text == NULL);
}

BEHAVIOUR(device_is_described)
{
  CUdevice device = begin();
  char name[256];
  CUuuid uuid;
  size_t bytes;
  int major;
  CHECK_EQUAL(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
  CHECK(name[0] != '\0');
  CHECK_EQUAL(cuDeviceGetUuid(&uuid, device), CUDA_SUCCESS);
  CHECK_EQUAL(cuDeviceTotalMem(&bytes, device), CUDA_SUCCESS);
  CHECK(bytes > 1 << 20);
  CHECK_EQUAL(cuDeviceGetAttribute(
                  &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
              CUDA_SUCCESS);
  CHECK_EQUAL(major, 9);
}

BEHAVIOUR(name_is_cut_by_the_buffer)
{
  CUdevice device = begin();
  char name[5];
  CHECK_EQUAL(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
  CHECK_EQUAL(strlen(name), 4);
}

BEHAVIOUR(unknown_device_is_refused)
{
  CUdevice device;
  size_t bytes;
  int value;
  begin();
  CHECK_EQUAL(cuDeviceGet(&device, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuDeviceTotalMem(&bytes, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99),
              CUDA_ERROR_INVALID_DEVICE);
}

BEHAVIOUR(unknown_attribute_is_refused)
{
  CUdevice device = begin();
  int value;
  CHECK_EQUAL(cuDeviceGetAttribute(&value, (CUdevice_attribute)99999, device),
              CUDA_ERROR_INVALID_VALUE);
}
