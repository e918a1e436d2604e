/* Memory, copies and settings. */
#include "driver_program.h"

BEHAVIOUR(nothing_is_not_allocated)
{
  CUdeviceptr address;
  begin();
  CHECK_EQUAL(cuMemAlloc(&address, 0), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(too_much_is_out_of_memory)
{
  CUdeviceptr address;
  begin();
  CHECK_EQUAL(cuMemAlloc(&address, (size_t)1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
}

BEHAVIOUR(freed_twice_is_refused)
{
  CUdeviceptr address;
  begin();
  CHECK_EQUAL(cuMemAlloc(&address, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemFree(address), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(middle_is_not_freed)
{
  CUdeviceptr address;
  begin();
  CHECK_EQUAL(cuMemAlloc(&address, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemFree(address + 4), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(null_is_freed)
{
  begin();
  CHECK_EQUAL(cuMemFree(0), CUDA_SUCCESS);
}

BEHAVIOUR(there_within_and_back)
{
  int values[4] = { 1, 2, 3, 4 }, back[4] = { 0 };
  CUdeviceptr a, b;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, sizeof values), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&b, sizeof values), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyHtoD(a, values, sizeof values), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoD(b, a, sizeof values), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(back, b, sizeof values), CUDA_SUCCESS);
  CHECK(memcmp(values, back, sizeof values) == 0);
}

BEHAVIOUR(copies_in_a_stream)
{
  int values[4] = { 5, 6, 7, 8 }, back[4] = { 0 };
  CUdeviceptr a;
  CUstream stream;
  begin();
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&a, sizeof values), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyHtoDAsync(a, values, sizeof values, stream),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoHAsync(back, a, sizeof values, stream), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamSynchronize(stream), CUDA_SUCCESS);
  CHECK(memcmp(values, back, sizeof values) == 0);
}

BEHAVIOUR(copy_finds_its_direction)
{
  int value = 42, back = 0;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpy(a, (CUdeviceptr)&value, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpy((CUdeviceptr)&back, a, 4), CUDA_SUCCESS);
  CHECK_EQUAL(back, 42);
}

BEHAVIOUR(copy_to_nowhere_is_refused)
{
  int value = 1;
  begin();
  CHECK_EQUAL(cuMemcpyHtoD(0, &value, 4), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(rows_of_two_pitches)
{
  int values[6] = { 1, 2, 3, 4, 5, 6 }, back[6] = { 0 };
  CUdeviceptr a;
  size_t pitch;
  begin();
  CHECK_EQUAL(cuMemAllocPitch(&a, &pitch, 3 * sizeof(int), 2, 4), CUDA_SUCCESS);
  CUDA_MEMCPY2D there = { .srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = values,
                          .srcPitch = 3 * sizeof(int),
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = a,
                          .dstPitch = pitch,
                          .WidthInBytes = 3 * sizeof(int),
                          .Height = 2 };
  CUDA_MEMCPY2D here = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = a,
                         .srcPitch = pitch,
                         .srcXInBytes = sizeof(int),
                         .srcY = 1,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = back,
                         .dstPitch = 3 * sizeof(int),
                         .WidthInBytes = 2 * sizeof(int),
                         .Height = 1 };
  CHECK_EQUAL(cuMemcpy2D(&there), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpy2D(&here), CUDA_SUCCESS);
  CHECK_EQUAL(back[0], 5);
  CHECK_EQUAL(back[1], 6);
  CHECK_EQUAL(back[2], 0);
}

BEHAVIOUR(boxes_are_copied)
{
  int values[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, back[8] = { 0 };
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, sizeof values), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyHtoD(a, values, sizeof values), CUDA_SUCCESS);
  CUDA_MEMCPY3D box = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                        .srcDevice = a,
                        .srcPitch = 2 * sizeof(int),
                        .srcHeight = 2,
                        .srcZ = 1,
                        .dstMemoryType = CU_MEMORYTYPE_HOST,
                        .dstHost = back,
                        .dstPitch = 2 * sizeof(int),
                        .dstHeight = 2,
                        .WidthInBytes = 2 * sizeof(int),
                        .Height = 2,
                        .Depth = 1 };
  CHECK_EQUAL(cuMemcpy3D(&box), CUDA_SUCCESS);
  for (int i = 0; i < 4; i++)
    CHECK_EQUAL(back[i], 5 + i);
}

BEHAVIOUR(memory_is_set_to_bytes_halves_and_words)
{
  unsigned char got[16];
  const unsigned char expected[16] = { 9,    9,    9,    9,    0x34, 0x12,
                                       0x34, 0x12, 0x78, 0x56, 0x34, 0x12,
                                       0x78, 0x56, 0x34, 0x12 };
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, sizeof got), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD8(a, 9, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD16(a + 4, 0x1234, 2), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32(a + 8, 0x12345678, 2), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(got, a, sizeof got), CUDA_SUCCESS);
  CHECK(memcmp(got, expected, sizeof got) == 0);
}

BEHAVIOUR(rows_are_set_to_words)
{
  int got[6];
  const int expected[6] = { 7, 7, 0, 7, 7, 0 };
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, sizeof got), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD8(a, 0, sizeof got), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD2D32(a, 3 * sizeof(int), 7, 2, 2), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(got, a, sizeof got), CUDA_SUCCESS);
  CHECK(memcmp(got, expected, sizeof got) == 0);
}

BEHAVIOUR(words_are_set_at_their_own_addresses)
{
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32(a + 2, 1, 1), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(memory_info_follows)
{
  size_t before, after, total;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemGetInfo(&before, &total), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&a, 64 << 20), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemGetInfo(&after, &total), CUDA_SUCCESS);
  CHECK(before - after >= (size_t)64 << 20);
  CHECK(total >= before);
}

BEHAVIOUR(host_memory_is_reached_by_the_device)
{
  int *host;
  CUdeviceptr device;
  begin();
  CHECK_EQUAL(cuMemAllocHost((void **)&host, 1024), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemHostGetDevicePointer(&device, host, 0), CUDA_SUCCESS);
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(launch_fill(fill, device, 6, 256, 1, 256), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(host[255], 6);
  CHECK_EQUAL(cuMemFreeHost(host), CUDA_SUCCESS);
}

BEHAVIOUR(host_memory_of_others_is_not_freed)
{
  int here;
  begin();
  CHECK_EQUAL(cuMemFreeHost(&here), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(managed_memory_is_shared)
{
  CUdeviceptr managed;
  begin();
  CHECK_EQUAL(cuMemAllocManaged(&managed, 1024, CU_MEM_ATTACH_GLOBAL),
              CUDA_SUCCESS);
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(launch_fill(fill, managed, 4, 256, 1, 256), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(((int *)managed)[255], 4);
}

BEHAVIOUR(range_of_an_address)
{
  CUdeviceptr a, base;
  size_t bytes;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 1 << 21), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemGetAddressRange(&base, &bytes, a + 100), CUDA_SUCCESS);
  CHECK(base == a);
  CHECK_EQUAL(bytes, 1 << 21);
}

BEHAVIOUR(pointers_are_told_apart)
{
  CUdeviceptr a;
  CUmemorytype type;
  int host, ordinal;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a),
              CUDA_SUCCESS);
  CHECK_EQUAL(type, CU_MEMORYTYPE_DEVICE);
  CHECK_EQUAL(
      cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a),
      CUDA_SUCCESS);
  CHECK_EQUAL(ordinal, 0);
  CHECK_EQUAL(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                    (CUdeviceptr)&host),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(several_attributes_of_any_pointer)
{
  CUmemorytype type = CU_MEMORYTYPE_DEVICE;
  int host, ordinal = 0;
  CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
  void *values[] = { &type, &ordinal };
  begin();
  CHECK_EQUAL(cuPointerGetAttributes(2, attributes, values, (CUdeviceptr)&host),
              CUDA_SUCCESS);
  CHECK_EQUAL(type, 0);
  CHECK_EQUAL(ordinal, -2);
}

BEHAVIOUR(pool_gives_memory)
{
  CUmemoryPool pool;
  CUmemPoolProps properties = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = { CU_MEM_LOCATION_TYPE_DEVICE,
                                              0 } };
  CUdeviceptr a;
  cuuint64_t keep = 1 << 20, back = 0;
  int value = 0;
  begin();
  CHECK_EQUAL(cuMemPoolCreate(&pool, &properties), CUDA_SUCCESS);
  CHECK_EQUAL(
      cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep),
      CUDA_SUCCESS);
  CHECK_EQUAL(
      cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &back),
      CUDA_SUCCESS);
  CHECK_EQUAL(back, keep);
  CHECK_EQUAL(cuMemAllocFromPoolAsync(&a, 64, pool, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32Async(a, 3, 16, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(&value, a + 60, 4), CUDA_SUCCESS);
  CHECK_EQUAL(value, 3);
  CHECK_EQUAL(cuMemFreeAsync(a, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemPoolTrimTo(pool, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemPoolDestroy(pool), CUDA_SUCCESS);
}
