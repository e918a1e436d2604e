/* Addresses and pages apart from each other: cuMemMap and its like. */
#include "driver_program.h"

enum { PAGE = 2 << 20 };

static const CUmemAllocationProp properties = {
  .type = CU_MEM_ALLOCATION_TYPE_PINNED,
  .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE }
};

static const CUmemAccessDesc both = {
  .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE },
  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};

static CUdeviceptr reserve(size_t bytes)
{
  CUdeviceptr address = 0;
  CHECK_EQUAL(cuMemAddressReserve(&address, bytes, 0, 0, 0), CUDA_SUCCESS);
  return address;
}

static CUmemGenericAllocationHandle create(size_t bytes)
{
  CUmemGenericAllocationHandle pages = 0;
  CHECK_EQUAL(cuMemCreate(&pages, bytes, &properties, 0), CUDA_SUCCESS);
  return pages;
}

static void map(CUdeviceptr address, size_t bytes,
                CUmemGenericAllocationHandle pages)
{
  CHECK_EQUAL(cuMemMap(address, bytes, 0, pages, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemSetAccess(address, bytes, &both, 1), CUDA_SUCCESS);
}

static unsigned word_at(CUdeviceptr address)
{
  unsigned word = 0;
  CHECK_EQUAL(cuMemcpyDtoH(&word, address, sizeof word), CUDA_SUCCESS);
  return word;
}

BEHAVIOUR(pages_have_a_size)
{
  size_t least, best;
  int there;
  CUdevice device = begin();
  CHECK_EQUAL(cuDeviceGetAttribute(
                  &there,
                  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                  device),
              CUDA_SUCCESS);
  CHECK_EQUAL(there, 1);
  CHECK_EQUAL(cuMemGetAllocationGranularity(&least, &properties,
                                            CU_MEM_ALLOC_GRANULARITY_MINIMUM),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemGetAllocationGranularity(
                  &best, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
              CUDA_SUCCESS);
  CHECK_EQUAL(least, PAGE);
  CHECK_EQUAL(best, PAGE);
}

BEHAVIOUR(mapped_pages_are_memory)
{
  begin();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CUdeviceptr address = reserve(PAGE);
  map(address, PAGE, create(PAGE));
  CHECK_EQUAL(cuMemsetD32(address, 7, PAGE / 4), CUDA_SUCCESS);
  CHECK_EQUAL(word_at(address + PAGE - 4), 7);
  CHECK_EQUAL(launch_fill(fill, address + PAGE - 400, 9, 100, 1, 128),
              CUDA_SUCCESS);
  CHECK_EQUAL(word_at(address + PAGE - 4), 9);
  CHECK_EQUAL(word_at(address + PAGE - 400), 9);
  CHECK_EQUAL(word_at(address + PAGE - 404), 7);
}

BEHAVIOUR(two_addresses_show_the_same_pages)
{
  begin();
  CUmemGenericAllocationHandle pages = create(PAGE);
  CUdeviceptr one = reserve(PAGE), other = reserve(PAGE);
  map(one, PAGE, pages);
  map(other, PAGE, pages);
  CHECK_EQUAL(cuMemsetD32(one, 5, PAGE / 4), CUDA_SUCCESS);
  CHECK_EQUAL(word_at(other + 4096), 5);
}

BEHAVIOUR(mappings_side_by_side_are_one_piece)
{
  begin();
  CUdeviceptr address = reserve(3 * PAGE), copy;
  map(address, PAGE, create(PAGE));
  map(address + PAGE, 2 * PAGE, create(2 * PAGE));
  CHECK_EQUAL(cuMemsetD32(address, 11, 3 * PAGE / 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&copy, 3 * PAGE), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoD(copy, address, 3 * PAGE), CUDA_SUCCESS);
  CHECK_EQUAL(word_at(copy), 11);
  CHECK_EQUAL(word_at(copy + 3 * PAGE - 4), 11);
}

BEHAVIOUR(pages_keep_their_contents_elsewhere)
{
  begin();
  CUmemGenericAllocationHandle pages = create(PAGE);
  CUdeviceptr first = reserve(PAGE), second = reserve(PAGE);
  map(first, PAGE, pages);
  CHECK_EQUAL(cuMemsetD32(first, 13, PAGE / 4), CUDA_SUCCESS);
  /* A memset may still be running when it returns. Without this line, an H200
   * loses the page under it and answers 700. */
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemUnmap(first, PAGE), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAddressFree(first, PAGE), CUDA_SUCCESS);
  map(second, PAGE, pages);
  CHECK_EQUAL(word_at(second + 1024), 13);
}

BEHAVIOUR(mapping_keeps_released_pages)
{
  begin();
  CUmemGenericAllocationHandle pages = create(PAGE), again;
  CUdeviceptr address = reserve(PAGE);
  map(address, PAGE, pages);
  CHECK_EQUAL(cuMemsetD32(address, 17, PAGE / 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemRelease(pages), CUDA_SUCCESS);
  CHECK_EQUAL(word_at(address), 17);
  CHECK_EQUAL(cuMemRetainAllocationHandle(&again, (void *)address),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemUnmap(address, PAGE), CUDA_SUCCESS);
  map(address, PAGE, again);
  CHECK_EQUAL(word_at(address), 17);
  CHECK_EQUAL(cuMemUnmap(address, PAGE), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemRelease(again), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAddressFree(address, PAGE), CUDA_SUCCESS);
}

BEHAVIOUR(unmapped_memory_is_out_of_reach)
{
  unsigned word;
  begin();
  CUdeviceptr address = reserve(PAGE);
  map(address, PAGE, create(PAGE));
  CHECK_EQUAL(cuMemUnmap(address, PAGE), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(&word, address, sizeof word),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(access_is_remembered)
{
  unsigned long long flags = 9;
  begin();
  CUdeviceptr address = reserve(PAGE);
  CHECK_EQUAL(cuMemMap(address, PAGE, 0, create(PAGE), 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemSetAccess(address, PAGE, &both, 1), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemGetAccess(&flags, &both.location, address), CUDA_SUCCESS);
  CHECK_EQUAL(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

BEHAVIOUR(odd_sizes_are_refused)
{
  CUmemGenericAllocationHandle pages;
  CUdeviceptr address;
  begin();
  CHECK_EQUAL(cuMemCreate(&pages, PAGE + 4096, &properties, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemAddressReserve(&address, PAGE + 4096, 0, 0, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemMap(reserve(PAGE), 2 * PAGE, 0, create(2 * PAGE), 0),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(place_is_taken_once)
{
  begin();
  CUdeviceptr address = reserve(PAGE);
  map(address, PAGE, create(PAGE));
  CHECK_EQUAL(cuMemMap(address, PAGE, 0, create(PAGE), 0),
              CUDA_ERROR_INVALID_VALUE);
}
