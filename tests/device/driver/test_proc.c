/* cuGetProcAddress. */
#include "driver_program.h"

static CUresult ask(const char *name, int version, cuuint64_t flags,
                    void **function, CUdriverProcAddressQueryResult *result)
{
  begin();
  return cuGetProcAddress(name, function, version, flags, result);
}

BEHAVIOUR(function_is_found_and_called)
{
  void *found;
  int version = 0;
  CUresult (*call)(int *);
  CUdriverProcAddressQueryResult result;
  CHECK_EQUAL(ask("cuDriverGetVersion", 13000, 0, &found, &result),
              CUDA_SUCCESS);
  CHECK_EQUAL(result, CU_GET_PROC_ADDRESS_SUCCESS);
  memcpy(&call, &found, sizeof call);
  CHECK_EQUAL(call(&version), CUDA_SUCCESS);
  CHECK(version >= 13000);
}

BEHAVIOUR(newest_form_is_given)
{
  void *found;
  CUdeviceptr address;
  CUresult (*allocate)(CUdeviceptr *, size_t);
  CHECK_EQUAL(ask("cuMemAlloc", 13000, 0, &found, NULL), CUDA_SUCCESS);
  memcpy(&allocate, &found, sizeof allocate);
  CHECK_EQUAL(allocate(&address, 64), CUDA_SUCCESS);
}

BEHAVIOUR(older_form_is_given_to_older_programs)
{
  void *four, *two;
  CHECK_EQUAL(ask("cuCtxCreate", 12050, 0, &four, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(ask("cuCtxCreate", 11000, 0, &two, NULL), CUDA_SUCCESS);
  CHECK(two != four);
}

BEHAVIOUR(unknown_name_is_told)
{
  void *found = &found;
  CUdriverProcAddressQueryResult result;
  CHECK_EQUAL(ask("cuNobody", 13000, 0, &found, &result), CUDA_SUCCESS);
  CHECK_EQUAL(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(found == NULL);
}

BEHAVIOUR(name_that_is_too_new_is_told)
{
  void *found;
  CUdriverProcAddressQueryResult result;
  CHECK_EQUAL(ask("cuLibraryLoadData", 11000, 0, &found, &result),
              CUDA_SUCCESS);
  CHECK_EQUAL(result, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}
