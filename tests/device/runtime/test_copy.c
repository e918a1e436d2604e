/* Copies and sets of every shape. */
#include <stdint.h>

#include "runtime/api.h"
#include "test.h"

static void *device_bytes(size_t n)
{
  void *p;
  CHECK_EQUAL(cudaMalloc(&p, n), cudaSuccess);
  return p;
}

BEHAVIOUR(there_and_back)
{
  int out[100], in[100];
  void *p = device_bytes(sizeof out);
  for (int i = 0; i < 100; i++)
    out[i] = i * i;
  CHECK_EQUAL(cudaMemcpy(p, out, sizeof out, cudaMemcpyHostToDevice), 0);
  CHECK_EQUAL(cudaMemcpy(in, p, sizeof in, cudaMemcpyDeviceToHost), 0);
  CHECK(memcmp(in, out, sizeof in) == 0);
}

BEHAVIOUR(between_device_buffers)
{
  int out = 5, in;
  void *p = device_bytes(4), *q = device_bytes(4);
  cudaMemcpy(p, &out, 4, cudaMemcpyHostToDevice);
  CHECK_EQUAL(cudaMemcpy(q, p, 4, cudaMemcpyDeviceToDevice), 0);
  CHECK_EQUAL(cudaMemcpy(&in, q, 4, cudaMemcpyDefault), 0);
  CHECK_EQUAL(in, 5);
}

BEHAVIOUR(direction_default_is_found_out)
{
  int out = 5, in = 0;
  void *p = device_bytes(4);
  CHECK_EQUAL(cudaMemcpy(p, &out, 4, cudaMemcpyDefault), 0);
  CHECK_EQUAL(cudaMemcpy(&in, p, 4, cudaMemcpyDefault), 0);
  CHECK_EQUAL(in, 5);
}

BEHAVIOUR(swapped_direction_is_told)
{
  int value = 0;
  void *p = device_bytes(4);
  capture_begin(2);
  CHECK_EQUAL(cudaMemcpy(p, &value, 4, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "destination");
  capture_begin(2);
  CHECK_EQUAL(cudaMemcpy(&value, p, 4, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "is a host pointer, but the direction");
}

BEHAVIOUR(unknown_direction_is_refused)
{
  int value = 0;
  CHECK_EQUAL(cudaMemcpy(&value, &value, 4, (enum cudaMemcpyKind)9),
              cudaErrorInvalidMemcpyDirection);
}

BEHAVIOUR(copy_beyond_the_end_is_told)
{
  char host[200];
  void *p = device_bytes(100);
  capture_begin(2);
  CHECK_EQUAL(cudaMemcpy(host, (char *)p + 10, 91, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "91 bytes from offset 10 do not fit into the "
                           "source: allocation 1 has 100 bytes");
}

BEHAVIOUR(copy_of_freed_memory_is_told)
{
  int value;
  void *p = device_bytes(100);
  cudaFree(p);
  capture_begin(2);
  CHECK_EQUAL(cudaMemcpy(&value, p, 4, cudaMemcpyDefault),
              cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "no live device memory");
}

BEHAVIOUR(nothing_is_copied_to_null)
{
  CHECK_EQUAL(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToHost), 0);
  CHECK_EQUAL(cudaMemcpy(NULL, "x", 1, cudaMemcpyHostToHost),
              cudaErrorInvalidValue);
}

BEHAVIOUR(rows_keep_their_pitch)
{
  char host[3 * 10], back[3 * 7];
  size_t pitch;
  void *p;
  for (int i = 0; i < 30; i++)
    host[i] = (char)i;
  cudaMallocPitch(&p, &pitch, 7, 3);
  CHECK_EQUAL(cudaMemcpy2D(p, pitch, host, 10, 7, 3, cudaMemcpyHostToDevice),
              0);
  CHECK_EQUAL(cudaMemcpy2D(back, 7, p, pitch, 7, 3, cudaMemcpyDeviceToHost), 0);
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 7; x++)
      CHECK_EQUAL(back[y * 7 + x], y * 10 + x);
}

BEHAVIOUR(width_above_the_pitch_is_refused)
{
  char host[100];
  void *p = device_bytes(100);
  CHECK_EQUAL(cudaMemcpy2D(p, 8, host, 10, 10, 2, cudaMemcpyHostToDevice),
              cudaErrorInvalidPitchValue);
  CHECK_EQUAL(cudaMemcpy2D(p, 8, host, 10, 10, 1, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
}

BEHAVIOUR(rows_beyond_the_end_are_refused)
{
  char host[100];
  void *p = device_bytes(40);
  CHECK_EQUAL(cudaMemcpy2D(p, 10, host, 10, 10, 4, cudaMemcpyHostToDevice), 0);
  CHECK_EQUAL(cudaMemcpy2D(p, 10, host, 10, 10, 5, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
}

BEHAVIOUR(last_row_need_not_be_whole)
{
  char host[100];
  void *p = device_bytes(34); /* 3 rows of 10, and 4 */
  CHECK_EQUAL(cudaMemcpy2D(p, 10, host, 10, 4, 4, cudaMemcpyHostToDevice), 0);
}

BEHAVIOUR(monstrous_rows_are_refused)
{
  char host[8];
  void *p = device_bytes(8);
  CHECK_EQUAL(cudaMemcpy2D(p, SIZE_MAX / 2, host, SIZE_MAX / 2, 4, 1000,
                           cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
}

BEHAVIOUR(boxes_are_copied)
{
  int host[4][3][2], back[4][3][2];
  struct cudaPitchedPtr box;
  struct cudaExtent extent = { 2 * sizeof(int), 3, 4 };
  struct cudaMemcpy3DParms copy = { .extent = extent,
                                    .kind = cudaMemcpyHostToDevice };
  for (int i = 0; i < 24; i++)
    (&host[0][0][0])[i] = i;
  cudaMalloc3D(&box, extent);
  copy.srcPtr = (struct cudaPitchedPtr){ host, sizeof host[0][0], 2, 3 };
  copy.dstPtr = box;
  CHECK_EQUAL(cudaMemcpy3D(&copy), 0);
  copy.srcPtr = box;
  copy.dstPtr = (struct cudaPitchedPtr){ back, sizeof back[0][0], 2, 3 };
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK_EQUAL(cudaMemcpy3D(&copy), 0);
  CHECK(memcmp(host, back, sizeof host) == 0);
}

static cudaError_t copy_box(size_t width, size_t height, size_t depth)
{
  static char host[1000];
  static void *device;
  struct cudaMemcpy3DParms copy = { .extent = { width, height, depth },
                                    .kind = cudaMemcpyHostToDevice };
  if (device == NULL)
    device = device_bytes(1000);
  copy.srcPtr = (struct cudaPitchedPtr){ host, 20, 20, 4 };
  copy.dstPtr = (struct cudaPitchedPtr){ device, 16, 16, 2 };
  return cudaMemcpy3D(&copy);
}

/* As on an H100. */
BEHAVIOUR(boxes_fit_their_rows)
{
  struct cudaMemcpy3DParms nothing = { .kind = cudaMemcpyHostToDevice };
  CHECK_EQUAL(copy_box(16, 2, 4), 0);
  CHECK_EQUAL(copy_box(17, 2, 1), cudaErrorInvalidPitchValue);
  CHECK_EQUAL(copy_box(17, 1, 1), cudaErrorInvalidValue);
  CHECK_EQUAL(copy_box(16, 3, 1), cudaErrorInvalidValue);
  CHECK_EQUAL(copy_box(0, 3, 1), 0);
  CHECK_EQUAL(cudaMemcpy3D(&nothing), 0);
}

BEHAVIOUR(bytes_are_set)
{
  unsigned char back[8];
  void *p = device_bytes(8);
  CHECK_EQUAL(cudaMemset(p, 0x1ff, 8), 0);
  CHECK_EQUAL(cudaMemset((char *)p + 2, 0, 3), 0);
  cudaMemcpy(back, p, 8, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++)
    CHECK_EQUAL(back[i], i >= 2 && i < 5 ? 0 : 255);
}

BEHAVIOUR(set_beyond_the_end_is_refused)
{
  void *p = device_bytes(8);
  CHECK_EQUAL(cudaMemset(p, 0, 9), cudaErrorInvalidValue);
}

BEHAVIOUR(set_of_host_memory_is_refused)
{
  int value;
  CHECK_EQUAL(cudaMemset(&value, 0, 4), cudaErrorInvalidValue);
}

BEHAVIOUR(between_devices)
{
  int out = 9, in;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  void *p = device_bytes(4);
  cudaMemcpy(p, &out, 4, cudaMemcpyHostToDevice);
  CHECK_EQUAL(cudaSetDevice(1), 0);
  void *q = device_bytes(4);
  CHECK_EQUAL(cudaMemcpyPeer(q, 1, p, 0, 4), 0);
  cudaMemcpy(&in, q, 4, cudaMemcpyDeviceToHost);
  CHECK_EQUAL(in, 9);
  CHECK_EQUAL(cudaMemcpyPeer(q, 7, p, 0, 4), cudaErrorInvalidDevice);
}
