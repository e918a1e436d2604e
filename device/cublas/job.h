/* One call: its parameters are checked one after the other, and what they
 * point to is looked up. The first thing that is wrong decides the status;
 * whatever is checked afterwards does nothing.
 *
 * A matrix or vector that leaves its allocation is not touched: as a kernel of
 * NVIDIA's would, it leaves cudaErrorIllegalAddress pending, and the call
 * itself succeeds. */
#ifndef DEVICE_CUBLAS_JOB_H
#define DEVICE_CUBLAS_JOB_H

#include "handle.h"
#include "product.h"

struct job {
  const char *call;
  bool scalars_on_device; /* alpha, beta and results are */
  cublasStatus_t status;
  bool is_void; /* nothing is to be done: the device is dead */
};

struct job job_begin(cublasHandle_t handle, const char *call);

/* Without a handle of cuBLAS's. */
struct job job_begin_on(const char *call, cudaStream_t stream,
                        bool scalars_on_device);

/* May the work be done? */
bool job_runs(const struct job *job);

/* `number` counts the parameters from 1 after the handle, as BLAS does. */
void job_choice(struct job *job, int number, const char *name, int value,
                int n_choices);
void job_size(struct job *job, int number, const char *name, int64_t value);
void job_increment(struct job *job, int number, const char *name,
                   int64_t value);
void job_leading(struct job *job, int number, const char *name, int64_t value,
                 int64_t rows);

/* A number in host or device memory, by the pointer mode. */
double job_scalar(struct job *job, const char *name, const void *address,
                  size_t bytes);
void job_number(struct job *job, const char *name, const void *address,
                void *number, size_t bytes); /* of any type; else zeros */
/* Of one of the types in numbers.h, as one or two doubles. */
void job_typed(struct job *job, const char *name, const void *address, int type,
               double number[2]);
void job_result(struct job *job, const char *name, void *address,
                const void *value, size_t bytes);

/* Where it can be read and written; NULL when it is empty or wrong. */
void *job_vector(struct job *job, const char *name, const void *address,
                 int64_t n, int64_t increment, size_t element_bytes);
void *job_matrix(struct job *job, const char *name, const void *address,
                 int64_t rows, int64_t columns, int64_t leading,
                 size_t element_bytes);
void *job_bytes(struct job *job, const char *name, const void *address,
                size_t bytes);

/* For --check=init: the call is going to read the `rows` by `columns` numbers of
 * an operand, whose address one of the functions above has given. Of a half
 * only what is stored of it, without a diagonal of ones. Those that nothing has
 * written are reported at the host's call. job_product does this for its own
 * operands, C among them if beta is not 0. */
void job_reads(struct job *job, struct operand operand, int64_t rows,
               int64_t columns);
/* The same for a vector. */
void job_reads_vector(struct job *job, const void *address, int type, int64_t n,
                      int64_t increment);

/* Does nothing when something was wrong. */
void job_product(struct job *job, const struct product *product);

#endif
