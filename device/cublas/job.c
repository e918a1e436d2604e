/* Checks of parameters in the order in which cuBLAS makes them: the first one
 * that fails decides the status. */
#include "job.h"

#include <limits.h>
#include <string.h>

struct job job_begin_on(const char *call, cudaStream_t stream,
                        bool scalars_on_device)
{
  struct job job = { call, scalars_on_device, CUBLAS_STATUS_SUCCESS, false };
  if (state_enter() != cudaSuccess || !stream_is_valid(stream))
    job.status = CUBLAS_STATUS_EXECUTION_FAILED;
  else
    job.is_void = state_is_dead(current_device());
  return job;
}

bool job_runs(const struct job *job)
{
  return job->status == CUBLAS_STATUS_SUCCESS && !job->is_void;
}

static bool is_over(const struct job *job)
{
  return job->status != CUBLAS_STATUS_SUCCESS;
}

void job_choice(struct job *job, int number, const char *name, int value,
                int n_choices)
{
  if (is_over(job) || (value >= 0 && value < n_choices))
    return;
  explain(job->call,
          "parameter %d, %s, is %d, which is none of its "
          "values",
          number, name, value);
  job->status = CUBLAS_STATUS_INVALID_VALUE;
}

/* What the CPU's BLAS accepts. */
static void limit_value(struct job *job, const char *name, int64_t value)
{
  if (is_over(job) || (value <= INT_MAX && value >= -INT_MAX))
    return;
  explain(job->call, "%s is %lld: the software device takes up to %d", name,
          (long long)value, INT_MAX);
  job->status = CUBLAS_STATUS_NOT_SUPPORTED;
}

void job_size(struct job *job, int number, const char *name, int64_t value)
{
  limit_value(job, name, value);
  if (is_over(job) || value >= 0)
    return;
  explain(job->call, "parameter %d, %s, is %lld: less than 0", number, name,
          (long long)value);
  job->status = CUBLAS_STATUS_INVALID_VALUE;
}

void job_increment(struct job *job, int number, const char *name, int64_t value)
{
  limit_value(job, name, value);
  if (is_over(job) || value != 0)
    return;
  explain(job->call, "parameter %d, %s, is 0", number, name);
  job->status = CUBLAS_STATUS_INVALID_VALUE;
}

void job_leading(struct job *job, int number, const char *name, int64_t value,
                 int64_t rows)
{
  int64_t least = rows > 1 ? rows : 1;
  limit_value(job, name, value);
  if (is_over(job) || value >= least)
    return;
  explain(job->call,
          "parameter %d, %s, is %lld: a column of the matrix "
          "has %lld elements",
          number, name, (long long)value, (long long)least);
  job->status = CUBLAS_STATUS_INVALID_VALUE;
}

/* As a kernel that leaves its allocation: the error shows when the host waits
 * for the device. */
static void fault(struct job *job)
{
  state_fault(current_device(), cudaErrorIllegalAddress);
  job->is_void = true;
}

static void explain_place(const struct job *job, const char *name,
                          const void *address, size_t bytes)
{
  struct allocation near;
  bool freed;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (memory_find(place, &near))
    explain(job->call,
            "out of bounds: %s has %zu bytes from offset %llu, but "
            "allocation %llu has %zu bytes",
            name, bytes, (unsigned long long)(place - near.address),
            (unsigned long long)near.serial, near.bytes);
  else if (memory_nearest(place, &near, &freed) && freed &&
           place - near.address < near.bytes)
    explain(job->call,
            "use after free: %s lies in allocation %llu (%zu "
            "bytes), which was freed",
            name, (unsigned long long)near.serial, near.bytes);
  else
    explain(job->call, "%s is %p: no device memory", name, address);
}

void *job_bytes(struct job *job, const char *name, const void *address,
                size_t bytes)
{
  if (!job_runs(job) || bytes == 0)
    return NULL;
  if (address == NULL) {
    explain(job->call, "%s is NULL", name);
    job->status = CUBLAS_STATUS_INVALID_VALUE;
    return NULL;
  }
  void *view = memory_view((uint64_t)(uintptr_t)address, bytes);
  if (view == NULL) {
    explain_place(job, name, address, bytes);
    fault(job);
  }
  return view;
}

void *job_vector(struct job *job, const char *name, const void *address,
                 int64_t n, int64_t increment, size_t element_bytes)
{
  limit_value(job, "n", n);
  limit_value(job, "the distance of elements", increment);
  if (n <= 0)
    return NULL;
  size_t step = (size_t)(increment < 0 ? -increment : increment);
  size_t elements = 1 + (size_t)(n - 1) * step;
  return job_bytes(job, name, address, elements * element_bytes);
}

void *job_matrix(struct job *job, const char *name, const void *address,
                 int64_t rows, int64_t columns, int64_t leading,
                 size_t element_bytes)
{
  if (rows <= 0 || columns <= 0)
    return NULL;
  size_t elements = (size_t)leading * (size_t)(columns - 1) + (size_t)rows;
  return job_bytes(job, name, address, elements * element_bytes);
}

/* Where a number is, by the pointer mode. */
static void *place_of_number(struct job *job, const char *name,
                             const void *address, size_t bytes)
{
  if (!job_runs(job))
    return NULL;
  if (job->scalars_on_device || address == NULL)
    return job_bytes(job, name, address, bytes);
  return (void *)(uintptr_t)address;
}

double job_scalar(struct job *job, const char *name, const void *address,
                  size_t bytes)
{
  const void *place = place_of_number(job, name, address, bytes);
  float single = 0;
  double value = 0;
  if (place == NULL)
    return 0;
  if (bytes == sizeof value)
    memcpy(&value, place, sizeof value);
  else
    memcpy(&single, place, sizeof single);
  return bytes == sizeof value ? value : (double)single;
}

void job_number(struct job *job, const char *name, const void *address,
                void *number, size_t bytes)
{
  const void *place = place_of_number(job, name, address, bytes);
  memset(number, 0, bytes);
  if (place != NULL)
    memcpy(number, place, bytes);
}

void job_typed(struct job *job, const char *name, const void *address, int type,
               double number[2])
{
  double found[2]; /* as large as any */
  size_t bytes = number_bytes(type);
  number[0] = number[1] = 0;
  if (bytes == 0)
    return;
  job_number(job, name, address, found, bytes);
  numbers_widen(number, type, found, 1, 1);
}

void job_result(struct job *job, const char *name, void *address,
                const void *value, size_t bytes)
{
  void *place = place_of_number(job, name, address, bytes);
  if (place != NULL)
    memcpy(place, value, bytes);
}

void job_product(struct job *job, const struct product *product)
{
  if (job_runs(job) && !product_run(product))
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
}
