/* The kinds of memory that a program can ask for, each with the call that
 * gives it and the one that takes it back.
 *
 *   const memory_kind *kind = kind_named("pinned");
 *   float *h_x = (float *)kind->allocate(n_bytes);
 *   kind->release(h_x);
 *
 * All are memory that the host can use, but for `device` and `pool`. */
#ifndef CODE_TRANSFERS_KINDS_H
#define CODE_TRANSFERS_KINDS_H

#include <stdlib.h>
#include <string.h>

#include "common/cuda_check.h"

typedef struct {
  const char *name;
  const char *idea;
  void *(*allocate)(size_t n_bytes);
  void (*release)(void *memory);
} memory_kind;

// begin pageable
static void *allocate_pageable(size_t n_bytes)
{
  void *memory = malloc(n_bytes);
  if (!memory) {
    fprintf(stderr, "error: no host memory for %zu bytes\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

static void release_pageable(void *memory)
{
  free(memory);
}
// end pageable

// begin pinned
static void *allocate_pinned(size_t n_bytes)
{
  void *memory;
  CUDA_CHECK(cudaMallocHost(&memory, n_bytes));
  return memory;
}

static void release_pinned(void *memory)
{
  CUDA_CHECK(cudaFreeHost(memory));
}
// end pinned

// begin host_alloc
static void *host_alloc(size_t n_bytes, unsigned flags)
{
  void *memory;
  CUDA_CHECK(cudaHostAlloc(&memory, n_bytes, flags));
  return memory;
}

static void *allocate_write_combined(size_t n_bytes)
{
  return host_alloc(n_bytes, cudaHostAllocWriteCombined);
}

static void *allocate_portable(size_t n_bytes)
{
  return host_alloc(n_bytes, cudaHostAllocPortable);
}

static void *allocate_mapped(size_t n_bytes)
{
  return host_alloc(n_bytes, cudaHostAllocMapped);
}
// end host_alloc

// begin registered
static void *allocate_registered(size_t n_bytes)
{
  void *memory = allocate_pageable(n_bytes);
  CUDA_CHECK(cudaHostRegister(memory, n_bytes, cudaHostRegisterDefault));
  return memory;
}

static void release_registered(void *memory)
{
  CUDA_CHECK(cudaHostUnregister(memory));
  free(memory);
}
// end registered

// begin managed
static void *allocate_managed(size_t n_bytes)
{
  void *memory;
  CUDA_CHECK(cudaMallocManaged(&memory, n_bytes, cudaMemAttachGlobal));
  return memory;
}
// end managed

static void *allocate_managed_host(size_t n_bytes)
{
  void *memory;
  CUDA_CHECK(cudaMallocManaged(&memory, n_bytes, cudaMemAttachHost));
  return memory;
}

static void *allocate_device(size_t n_bytes)
{
  void *d_memory;
  CUDA_CHECK(cudaMalloc(&d_memory, n_bytes));
  return d_memory;
}

static void release_device(void *d_memory)
{
  CUDA_CHECK(cudaFree(d_memory));
}

// begin pool
static void *allocate_pool(size_t n_bytes)
{
  void *d_memory;
  CUDA_CHECK(cudaMallocAsync(&d_memory, n_bytes, 0));
  return d_memory;
}

static void release_pool(void *d_memory)
{
  CUDA_CHECK(cudaFreeAsync(d_memory, 0));
}
// end pool

static const memory_kind memory_kinds[] = {
  {"pageable", "malloc", allocate_pageable, release_pageable},
  {"pinned", "cudaMallocHost", allocate_pinned, release_pinned},
  {"portable", "cudaHostAlloc, portable", allocate_portable, release_pinned},
  {"write_combined", "cudaHostAlloc, write-combined",
   allocate_write_combined, release_pinned},
  {"mapped", "cudaHostAlloc, mapped", allocate_mapped, release_pinned},
  {"registered", "malloc and cudaHostRegister", allocate_registered,
   release_registered},
  {"managed", "cudaMallocManaged", allocate_managed, release_device},
  {"managed_host", "cudaMallocManaged, attached to the host",
   allocate_managed_host, release_device},
  {"device", "cudaMalloc", allocate_device, release_device},
  {"pool", "cudaMallocAsync", allocate_pool, release_pool},
};
enum { N_KINDS = sizeof memory_kinds / sizeof memory_kinds[0] };

static inline const memory_kind *kind_named(const char *name)
{
  for (int k = 0; k < N_KINDS; k++)
    if (strcmp(memory_kinds[k].name, name) == 0)
      return &memory_kinds[k];
  fprintf(stderr, "error: no kind of memory is named '%s'\n", name);
  exit(EXIT_FAILURE);
}

#endif
