/* Device, managed and pinned memory through the API. */
#include <signal.h>
#include <stdint.h>

#include "runtime/api.h"
#include "test.h"

static void *p, *q;

BEHAVIOUR(zero_bytes_give_null)
{
  p = &p;
  CHECK_EQUAL(cudaMalloc(&p, 0), cudaSuccess);
  CHECK(p == NULL);
}

BEHAVIOUR(null_is_freed)
{
  CHECK_EQUAL(cudaFree(NULL), cudaSuccess);
  CHECK_EQUAL(cudaFreeHost(NULL), cudaSuccess);
}

BEHAVIOUR(too_much_is_told_once)
{
  void *p;
  setenv("SOFTDEVICE_MEMORY", "1G", 1);
  capture_begin(2);
  CHECK_EQUAL(cudaMalloc(&p, (size_t)3 << 30), cudaErrorMemoryAllocation);
  CHECK_HAS(capture_end(),
            "3221225472 bytes are asked for, and the device has 1073741824, "
            "1073741824 of them free.\n  SOFTDEVICE_MEMORY=4G (softdevice "
            "--memory 4G)");
  capture_begin(2);
  CHECK_EQUAL(cudaMalloc(&p, (size_t)3 << 30), cudaErrorMemoryAllocation);
  CHECK_TEXT(capture_end(), "");
}

BEHAVIOUR(too_much_is_out_of_memory)
{
  CHECK_EQUAL(cudaMalloc(&p, (size_t)1 << 45), cudaErrorMemoryAllocation);
  CHECK_EQUAL(cudaGetLastError(), cudaErrorMemoryAllocation);
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaSuccess);
}

BEHAVIOUR(no_place_for_the_answer_is_invalid)
{
  CHECK_EQUAL(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaHostAlloc(NULL, 4, 0), cudaErrorInvalidValue);
}

BEHAVIOUR(addresses_are_aligned)
{
  for (int i = 1; i < 100; i++) {
    CHECK_EQUAL(cudaMalloc(&p, (size_t)i), cudaSuccess);
    CHECK_EQUAL((uintptr_t)p % 256, 0);
  }
}

BEHAVIOUR(double_free_is_told)
{
  cudaMalloc(&p, 100);
  CHECK_EQUAL(cudaFree(p), cudaSuccess);
  capture_begin(2);
  CHECK_EQUAL(cudaFree(p), cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "double free of allocation 1 (100 bytes)");
}

BEHAVIOUR(free_of_the_middle_is_told)
{
  cudaMalloc(&p, 100);
  capture_begin(2);
  CHECK_EQUAL(cudaFree((char *)p + 8), cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "8 bytes after its beginning");
}

BEHAVIOUR(free_of_host_memory_is_told)
{
  capture_begin(2);
  CHECK_EQUAL(cudaFree(&p), cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "was not allocated by CUDA");
}

BEHAVIOUR(pinned_and_device_memory_are_freed_apart)
{
  cudaMalloc(&p, 100);
  cudaMallocHost(&q, 100);
  CHECK_EQUAL(cudaFreeHost(p), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaFree(q), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaFreeHost(q), cudaSuccess);
  CHECK_EQUAL(cudaFree(p), cudaSuccess);
}

BEHAVIOUR(pitch_is_a_multiple_of_512)
{
  size_t pitch;
  CHECK_EQUAL(cudaMallocPitch(&p, &pitch, 513, 10), cudaSuccess);
  CHECK_EQUAL(pitch, 1024);
  CHECK_EQUAL(cudaMemset2D(p, pitch, 0, 513, 10), cudaSuccess);
}

BEHAVIOUR(pitched_box_is_allocated)
{
  struct cudaPitchedPtr box;
  struct cudaExtent extent = { 100, 5, 3 };
  CHECK_EQUAL(cudaMalloc3D(&box, extent), cudaSuccess);
  CHECK_EQUAL(box.pitch, 512);
  CHECK_EQUAL(box.xsize, 100);
  CHECK_EQUAL(box.ysize, 5);
  CHECK_EQUAL(cudaMemset3D(box, 1, extent), cudaSuccess);
}

BEHAVIOUR(impossible_pitch_is_refused)
{
  size_t pitch;
  CHECK_EQUAL(cudaMallocPitch(&p, &pitch, SIZE_MAX - 100, 1),
              cudaErrorMemoryAllocation);
  CHECK_EQUAL(cudaMallocPitch(&p, &pitch, SIZE_MAX / 2, 1 << 20),
              cudaErrorMemoryAllocation);
}

BEHAVIOUR(memory_info_follows)
{
  size_t before, after, total;
  cudaMemGetInfo(&before, &total);
  CHECK(before <= total);
  cudaMalloc(&p, 1 << 20);
  cudaMemGetInfo(&after, &total);
  CHECK_EQUAL(before - after, 1 << 20);
}

BEHAVIOUR(managed_memory_is_shared)
{
  int value;
  CHECK_EQUAL(cudaMallocManaged(&p, 4, cudaMemAttachGlobal), cudaSuccess);
  *(int *)p = 42;
  CHECK_EQUAL(cudaMemcpy(&value, p, 4, cudaMemcpyDefault), cudaSuccess);
  CHECK_EQUAL(value, 42);
  CHECK_EQUAL(cudaFree(p), cudaSuccess);
}

BEHAVIOUR(managed_and_pinned_memory_begin_as_zeros)
{
  char *managed, *pinned;
  CHECK_EQUAL(cudaMallocManaged((void **)&managed, 5000, 1), 0);
  CHECK_EQUAL(cudaMallocHost((void **)&pinned, 5000), 0);
  for (int i = 0; i < 5000; i++)
    CHECK(managed[i] == 0 && pinned[i] == 0);
  memset(managed, 1, 5000);
  CHECK_EQUAL(cudaFree(managed), 0);
  CHECK_EQUAL(cudaMallocManaged((void **)&managed, 5000, 1), 0);
  for (int i = 0; i < 5000; i++)
    CHECK(managed[i] == 0);
}

BEHAVIOUR(managed_memory_of_nothing_is_null)
{
  p = &p;
  CHECK_EQUAL(cudaMallocManaged(&p, 0, cudaMemAttachGlobal), 0);
  CHECK(p == NULL);
  CHECK_EQUAL(cudaMallocManaged(&p, 0, 9), 0);
  CHECK_EQUAL(cudaMallocManaged(&p, 4, 99), cudaErrorInvalidValue);
}

static void expect_flags(void *address, unsigned wanted)
{
  unsigned flags = 99;
  CHECK_EQUAL(cudaHostGetFlags(&flags, address), 0);
  CHECK_EQUAL(flags, wanted);
}

/* As on an H100: all pinned memory is mapped. */
BEHAVIOUR(flags_of_host_memory)
{
  static char buffer[100];
  for (unsigned flags = 0; flags < 8; flags++) {
    CHECK_EQUAL(cudaHostAlloc(&p, 64, flags), 0);
    expect_flags(p, flags | cudaHostAllocMapped);
    expect_flags((char *)p + 8, flags | cudaHostAllocMapped);
  }
  CHECK_EQUAL(cudaHostRegister(buffer, 100, cudaHostRegisterPortable), 0);
  expect_flags(buffer + 5, cudaHostRegisterPortable | cudaHostRegisterMapped);
  CHECK_EQUAL(cudaHostUnregister(buffer), 0);
  CHECK_EQUAL(cudaHostRegister(buffer, 100, cudaHostRegisterReadOnly), 0);
  expect_flags(buffer, cudaHostRegisterMapped);
}

BEHAVIOUR(registering_wrongly)
{
  static char buffer[100];
  CHECK_EQUAL(cudaHostRegister(buffer, 100, cudaHostRegisterIoMemory),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaHostRegister(buffer, 100, 0), 0);
  CHECK_EQUAL(cudaHostUnregister(buffer + 1), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaHostUnregister(buffer), 0);
  CHECK_EQUAL(cudaHostUnregister(buffer), cudaErrorHostMemoryNotRegistered);
  CHECK_EQUAL(cudaMalloc(&p, 100), 0);
  CHECK_EQUAL(cudaHostRegister(p, 100, 0), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaHostUnregister(p), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaMallocHost(&p, 100), 0);
  CHECK_EQUAL(cudaHostRegister(p, 100, 0), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaHostUnregister(p), cudaErrorInvalidValue);
}

static void dereference(void)
{
  cudaMalloc(&p, 4000);
  exit(((volatile int *)p)[3]);
}

BEHAVIOUR(host_dereference_crashes_and_is_told)
{
  const char *text;
  CHECK_EQUAL(in_child(dereference, 2, &text), -SIGSEGV);
  CHECK_HAS(text, "the host program used a device pointer");
  CHECK_HAS(text, "12 bytes into allocation 1 of 4000 bytes");
}

BEHAVIOUR(registered_memory_has_a_device_pointer)
{
  static char buffer[100];
  CHECK_EQUAL(cudaHostRegister(buffer, 100, 0), cudaSuccess);
  CHECK_EQUAL(cudaHostRegister(buffer, 100, 0),
              cudaErrorHostMemoryAlreadyRegistered);
  CHECK_EQUAL(cudaHostGetDevicePointer(&p, buffer, 0), cudaSuccess);
  CHECK(p == buffer);
  CHECK_EQUAL(cudaHostUnregister(buffer), cudaSuccess);
  CHECK_EQUAL(cudaHostUnregister(buffer), cudaErrorHostMemoryNotRegistered);
}

BEHAVIOUR(pointers_are_told_apart)
{
  struct cudaPointerAttributes a;
  cudaMalloc(&p, 4);
  CHECK_EQUAL(cudaPointerGetAttributes(&a, p), cudaSuccess);
  CHECK_EQUAL(a.type, cudaMemoryTypeDevice);
  CHECK(a.devicePointer == p && a.hostPointer == NULL && a.device == 0);
  cudaMallocHost(&p, 4);
  cudaPointerGetAttributes(&a, p);
  CHECK_EQUAL(a.type, cudaMemoryTypeHost);
  CHECK(a.devicePointer == p && a.hostPointer == p);
  cudaMallocManaged(&p, 4, cudaMemAttachGlobal);
  cudaPointerGetAttributes(&a, p);
  CHECK_EQUAL(a.type, cudaMemoryTypeManaged);
  CHECK_EQUAL(cudaPointerGetAttributes(&a, &a), cudaSuccess);
  CHECK_EQUAL(a.type, cudaMemoryTypeUnregistered);
}

BEHAVIOUR(stream_ordered_memory)
{
  CHECK_EQUAL(cudaMallocAsync(&p, 100, NULL), cudaSuccess);
  CHECK_EQUAL(cudaMemsetAsync(p, 0, 100, NULL), cudaSuccess);
  CHECK_EQUAL(cudaFreeAsync(p, NULL), cudaSuccess);
}

BEHAVIOUR(reset_frees_everything)
{
  size_t free_bytes, total;
  cudaMalloc(&p, 1 << 20);
  CHECK_EQUAL(cudaDeviceReset(), cudaSuccess);
  cudaMemGetInfo(&free_bytes, &total);
  CHECK_EQUAL(free_bytes, total);
  CHECK_EQUAL(cudaFree(p), cudaErrorInvalidValue);
}
