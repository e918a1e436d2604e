/* Checks of parameters in the order in which cuBLAS makes them: the first one
 * that fails decides the status. */
#include "job.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../check/operand.h"

/* The operands that this thread's call has looked up, as far as nothing had
 * written some of their bytes; of a batch, the latest. */
struct view {
  const char *name;
  const char *at;
  size_t bytes;
  struct check_operand *unwritten;
};
enum { VIEWS = 8 };
static _Thread_local struct view views[VIEWS];
static _Thread_local unsigned next_view;

/* The operands of the call that were reported: of a batch once is enough. */
enum { REPORTED = 4 };
static _Thread_local const char *reported[REPORTED];
static _Thread_local unsigned n_reported;

static bool is_reported(const char *name)
{
  for (unsigned i = 0; i < n_reported; i++)
    if (strcmp(reported[i], name) == 0)
      return true;
  return false;
}

static void forget_view(struct view *view)
{
  check_operand_free(view->unwritten);
  *view = (struct view){ 0 };
}

struct job job_begin_on(const char *call, cudaStream_t stream,
                        bool scalars_on_device)
{
  struct job job = { call, scalars_on_device, CUBLAS_STATUS_SUCCESS, false };
  for (unsigned i = 0; i < VIEWS; i++)
    forget_view(&views[i]);
  n_reported = 0;
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
  /* Before the view, which makes all of it count as written. */
  struct check_operand *unwritten =
      check_operand_new((uint64_t)(uintptr_t)address, bytes);
  void *view = memory_view((uint64_t)(uintptr_t)address, bytes);
  if (view == NULL) {
    check_operand_free(unwritten);
    explain_place(job, name, address, bytes);
    fault(job);
  } else if (unwritten != NULL) {
    struct view *free = &views[next_view++ % VIEWS];
    forget_view(free);
    *free = (struct view){ name, view, bytes, unwritten };
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
  job_reads_vector(job, place, bytes == sizeof value ? CUDA_R_64F : CUDA_R_32F,
                   1, 1);
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

static struct view *view_of(const void *at)
{
  for (unsigned i = 0; i < VIEWS; i++)
    if (views[i].unwritten != NULL && (const char *)at >= views[i].at &&
        (const char *)at < views[i].at + views[i].bytes)
      return &views[i];
  return NULL;
}

/* Unwritten numbers of an operand: the first one in the order of addresses. */
struct unwritten {
  int64_t n;
  size_t first, bytes; /* of the first, and its first unwritten byte */
};

static void count_unwritten(struct unwritten *found, const struct view *view,
                            const char *number, size_t bytes)
{
  size_t at = (size_t)(number - view->at);
  size_t bad = check_operand_next(view->unwritten, at, bytes);
  if (bad == at + bytes)
    return;
  if (found->n++ == 0 || at < found->first) {
    found->first = at;
    found->bytes = bad;
  }
}

/* Rows [from, to) of column `j` that are read. */
static void read_rows(const struct operand *o, int64_t j, int64_t rows,
                      int64_t *from, int64_t *to)
{
  *from = 0;
  *to = rows;
  if (o->kind == KIND_FULL)
    return;
  if (o->is_lower)
    *from = j + o->is_unit;
  else if (j + !o->is_unit < rows)
    *to = j + !o->is_unit;
}

/* "A: element (3,0) and 17 more": row and column as they are stored. */
static void report_unwritten(const struct job *job, const struct view *view,
                             const struct operand *o,
                             const struct unwritten *found)
{
  int64_t element = (int64_t)(found->first / number_bytes(o->type));
  int64_t row = o->row < 0 ? -o->row : o->row;
  int64_t leading = row > o->column ? row : o->column;
  char what[100], more[40] = "";
  if (found->n > 1)
    snprintf(more, sizeof more, " and %" PRId64 " more", found->n - 1);
  if (o->column != 0)
    snprintf(what, sizeof what, "%s: element (%" PRId64 ",%" PRId64 ")%s",
             view->name, element % leading, element / leading, more);
  else
    snprintf(what, sizeof what, "%s: element %" PRId64 "%s", view->name,
             element / (leading > 0 ? leading : 1), more);
  check_operand_report(view->unwritten, found->bytes, job->call, what);
}

void job_reads(struct job *job, struct operand o, int64_t rows, int64_t columns)
{
  struct view *view = o.at == NULL ? NULL : view_of(o.at);
  size_t bytes = number_bytes(o.type);
  struct unwritten found = { 0 };
  if (!job_runs(job) || view == NULL || is_reported(view->name))
    return;
  for (int64_t j = 0; j < columns; j++) {
    int64_t from, to;
    read_rows(&o, j, rows, &from, &to);
    for (int64_t i = from; i < to; i++)
      count_unwritten(&found, view,
                      (const char *)o.at +
                          (i * o.row + j * o.column) * (int64_t)bytes,
                      bytes);
  }
  if (found.n == 0)
    return;
  report_unwritten(job, view, &o, &found);
  if (n_reported < REPORTED)
    reported[n_reported++] = view->name;
  forget_view(view); /* once is enough */
}

void job_reads_vector(struct job *job, const void *address, int type, int64_t n,
                      int64_t increment)
{
  if (address != NULL && n > 0)
    job_reads(job, product_column(sums_vector(address, type, n, increment)), n,
              1);
}

static void read_product(struct job *job, const struct product *p)
{
  struct operand c = {
    .at = p->c, .type = p->c_type, .row = p->c_row, .column = p->c_column
  };
  if (p->alpha[0] != 0 || p->alpha[1] != 0) {
    job_reads(job, p->a, p->m, p->k);
    job_reads(job, p->b, p->k, p->n);
    job_reads(job, p->a2, p->m, p->k);
    job_reads(job, p->b2, p->k, p->n);
  }
  c.kind = p->part == PART_WHOLE ? KIND_FULL : KIND_SYMMETRIC;
  c.is_lower = p->part == PART_LOWER;
  if (p->beta[0] != 0 || p->beta[1] != 0)
    job_reads(job, c, p->m, p->n);
}

void job_product(struct job *job, const struct product *product)
{
  if (job_runs(job) && product->m > 0 && product->n > 0)
    read_product(job, product);
  if (job_runs(job) && !product_run(product))
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
}
