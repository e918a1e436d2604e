/* Several host threads at once. Run it under thread sanitizer, too. */
#include <pthread.h>

#include "program.h"
#include "test.h"

#define N_THREADS 4
#define N_ROUNDS 20
#define N_VALUES 300

static void *work(void *context)
{
  unsigned value = *(unsigned *)context, back[N_VALUES], *p;
  cudaStream_t stream;
  CHECK_EQUAL(cudaStreamCreate(&stream), 0);
  for (int round = 0; round < N_ROUNDS; round++) {
    CHECK_EQUAL(cudaMalloc((void **)&p, sizeof back), 0);
    CHECK_EQUAL(launch_fill(p, value, N_VALUES, 3, 128), 0);
    CHECK_EQUAL(
        cudaMemcpyAsync(back, p, sizeof back, cudaMemcpyDeviceToHost, stream),
        0);
    CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
    for (int i = 0; i < N_VALUES; i++)
      CHECK_EQUAL(back[i], value);
    CHECK_EQUAL(cudaFree(p), 0);
  }
  CHECK_EQUAL(cudaStreamDestroy(stream), 0);
  return NULL;
}

BEHAVIOUR(threads_launch_and_copy)
{
  pthread_t threads[N_THREADS];
  unsigned values[N_THREADS];
  program_begin();
  for (unsigned i = 0; i < N_THREADS; i++) {
    values[i] = 100 + i;
    CHECK_EQUAL(pthread_create(&threads[i], NULL, work, &values[i]), 0);
  }
  for (unsigned i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
}

/* Sets limits, and reads them back, while others launch. */
static void *limit(void *context)
{
  (void)context;
  for (size_t round = 0; round < 200; round++) {
    size_t bytes = (round % 2 + 1) << 24, found = 0;
    CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes), 0);
    CHECK_EQUAL(cudaDeviceGetLimit(&found, cudaLimitMallocHeapSize), 0);
    CHECK_EQUAL(found, bytes);
    CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitStackSize, 1024 + 16 * round), 0);
  }
  return NULL;
}

BEHAVIOUR(limits_change_while_others_launch)
{
  pthread_t one, other;
  unsigned value = 7;
  program_begin();
  CHECK_EQUAL(pthread_create(&one, NULL, work, &value), 0);
  CHECK_EQUAL(pthread_create(&other, NULL, limit, NULL), 0);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
}

static void *fail(void *context)
{
  (void)context;
  CHECK_EQUAL(cudaSetDevice(9), cudaErrorInvalidDevice);
  CHECK_EQUAL(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  return NULL;
}

BEHAVIOUR(last_error_belongs_to_its_thread)
{
  pthread_t thread;
  CHECK_EQUAL(pthread_create(&thread, NULL, fail, NULL), 0);
  pthread_join(thread, NULL);
  CHECK_EQUAL(cudaPeekAtLastError(), cudaSuccess);
}

static void *choose(void *context)
{
  int device;
  (void)context;
  CHECK_EQUAL(cudaSetDevice(1), 0);
  CHECK_EQUAL(cudaGetDevice(&device), 0);
  CHECK_EQUAL(device, 1);
  return NULL;
}

BEHAVIOUR(current_device_belongs_to_its_thread)
{
  pthread_t thread;
  int device;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  CHECK_EQUAL(pthread_create(&thread, NULL, choose, NULL), 0);
  pthread_join(thread, NULL);
  CHECK_EQUAL(cudaGetDevice(&device), 0);
  CHECK_EQUAL(device, 0);
}

static void *fault(void *context)
{
  (void)context;
  launch_into_nowhere();
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  return NULL;
}

BEHAVIOUR(sticky_error_reaches_every_thread)
{
  pthread_t thread;
  void *p;
  program_begin();
  CHECK_EQUAL(pthread_create(&thread, NULL, fault, NULL), 0);
  pthread_join(thread, NULL);
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
}
