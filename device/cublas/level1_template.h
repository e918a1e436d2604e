/* Vectors; see instances.h. */

API cublasStatus_t V2(axpy)(cublasHandle_t handle, INT n, const REAL *alpha,
                            const REAL *x, INT incx, REAL *y, INT incy)
{
  struct job job = job_begin(handle, NAME(axpy));
  REAL a = (REAL)job_scalar(&job, "alpha", alpha, sizeof a);
  const REAL *from = job_vector(&job, "x", x, n, incx, sizeof a);
  REAL *to = job_vector(&job, "y", y, n, incy, sizeof a);
  if (a != 0) {
    job_reads_vector(&job, from, TYPE, n, incx);
    job_reads_vector(&job, to, TYPE, n, incy);
  }
  if (job_runs(&job) && n > 0)
    CPU(axpy)((int)n, a, from, (int)incx, to, (int)incy);
  return job.status;
}

/* Steps backwards are none for the calls of one vector. */
API cublasStatus_t V2(scal)(cublasHandle_t handle, INT n, const REAL *alpha,
                            REAL *x, INT incx)
{
  struct job job = job_begin(handle, NAME(scal));
  INT count = incx > 0 ? n : 0;
  REAL a = (REAL)job_scalar(&job, "alpha", alpha, sizeof a);
  REAL *to = job_vector(&job, "x", x, count, incx, sizeof a);
  job_reads_vector(&job, to, TYPE, a != 0 ? count : 0, incx);
  if (job_runs(&job) && count > 0)
    CPU(scal)((int)n, a, to, (int)incx);
  return job.status;
}

API cublasStatus_t V2(copy)(cublasHandle_t handle, INT n, const REAL *x,
                            INT incx, REAL *y, INT incy)
{
  struct job job = job_begin(handle, NAME(copy));
  const REAL *from = job_vector(&job, "x", x, n, incx, sizeof *x);
  REAL *to = job_vector(&job, "y", y, n, incy, sizeof *y);
  job_reads_vector(&job, from, TYPE, n, incx);
  if (job_runs(&job) && n > 0)
    CPU(copy)((int)n, from, (int)incx, to, (int)incy);
  return job.status;
}

API cublasStatus_t V2(swap)(cublasHandle_t handle, INT n, REAL *x, INT incx,
                            REAL *y, INT incy)
{
  struct job job = job_begin(handle, NAME(swap));
  REAL *one = job_vector(&job, "x", x, n, incx, sizeof *x);
  REAL *other = job_vector(&job, "y", y, n, incy, sizeof *y);
  job_reads_vector(&job, one, TYPE, n, incx);
  job_reads_vector(&job, other, TYPE, n, incy);
  if (job_runs(&job) && n > 0)
    CPU(swap)((int)n, one, (int)incx, other, (int)incy);
  return job.status;
}

API cublasStatus_t V2(dot)(cublasHandle_t handle, INT n, const REAL *x,
                           INT incx, const REAL *y, INT incy, REAL *result)
{
  struct job job = job_begin(handle, NAME(dot));
  double exact = 0;
  const REAL *one = job_vector(&job, "x", x, n, incx, sizeof *x);
  const REAL *other = job_vector(&job, "y", y, n, incy, sizeof *y);
  job_reads_vector(&job, one, TYPE, n, incx);
  job_reads_vector(&job, other, TYPE, n, incy);
  if (job_runs(&job) && n > 0)
    sums_dot(sums_vector(one, TYPE, n, incx), sums_vector(other, TYPE, n, incy),
             n, false, &exact);
  REAL sum = (REAL)exact;
  job_result(&job, "result", result, &sum, sizeof sum);
  return job.status;
}

API cublasStatus_t V2(nrm2)(cublasHandle_t handle, INT n, const REAL *x,
                            INT incx, REAL *result)
{
  struct job job = job_begin(handle, NAME(nrm2));
  REAL norm = 0;
  INT count = incx > 0 ? n : 0;
  const REAL *one = job_vector(&job, "x", x, count, incx, sizeof *x);
  job_reads_vector(&job, one, TYPE, count, incx);
  if (job_runs(&job) && count > 0)
    norm = (REAL)sums_norm(sums_vector(one, TYPE, n, incx), n);
  job_result(&job, "result", result, &norm, sizeof norm);
  return job.status;
}

API cublasStatus_t V2(asum)(cublasHandle_t handle, INT n, const REAL *x,
                            INT incx, REAL *result)
{
  struct job job = job_begin(handle, NAME(asum));
  REAL sum = 0;
  INT count = incx > 0 ? n : 0;
  const REAL *one = job_vector(&job, "x", x, count, incx, sizeof *x);
  job_reads_vector(&job, one, TYPE, count, incx);
  if (job_runs(&job) && count > 0)
    sum = (REAL)sums_of_sizes(sums_vector(one, TYPE, n, incx), n);
  job_result(&job, "result", result, &sum, sizeof sum);
  return job.status;
}

/* The first of the greatest or least, counted from 1. */
static INT LOCAL(extreme)(const REAL *x, INT n, INT incx, int sign)
{
  INT best = 0;
  REAL value = 0;
  for (INT i = 0; i < n; i++) {
    REAL here = x[(size_t)i * (size_t)incx];
    here = here < 0 ? -here : here;
    if (i == 0 || sign * here > sign * value) {
      best = i;
      value = here;
    }
  }
  return best + 1;
}

API cublasStatus_t INDEX(amax)(cublasHandle_t handle, INT n, const REAL *x,
                               INT incx, INT *result)
{
  struct job job = job_begin(handle, INDEX_NAME(amax));
  INT count = incx > 0 ? n : 0, found = 0;
  const REAL *one = job_vector(&job, "x", x, count, incx, sizeof *x);
  job_reads_vector(&job, one, TYPE, count, incx);
  if (job_runs(&job) && count > 0)
    found = LOCAL(extreme)(one, n, incx, 1);
  job_result(&job, "result", result, &found, sizeof found);
  return job.status;
}

API cublasStatus_t INDEX(amin)(cublasHandle_t handle, INT n, const REAL *x,
                               INT incx, INT *result)
{
  struct job job = job_begin(handle, INDEX_NAME(amin));
  INT count = incx > 0 ? n : 0, found = 0;
  const REAL *one = job_vector(&job, "x", x, count, incx, sizeof *x);
  job_reads_vector(&job, one, TYPE, count, incx);
  if (job_runs(&job) && count > 0)
    found = LOCAL(extreme)(one, n, incx, -1);
  job_result(&job, "result", result, &found, sizeof found);
  return job.status;
}

API cublasStatus_t V2(rot)(cublasHandle_t handle, INT n, REAL *x, INT incx,
                           REAL *y, INT incy, const REAL *c, const REAL *s)
{
  struct job job = job_begin(handle, NAME(rot));
  REAL cosine = (REAL)job_scalar(&job, "c", c, sizeof cosine);
  REAL sine = (REAL)job_scalar(&job, "s", s, sizeof sine);
  REAL *one = job_vector(&job, "x", x, n, incx, sizeof *x);
  REAL *other = job_vector(&job, "y", y, n, incy, sizeof *y);
  job_reads_vector(&job, one, TYPE, n, incx);
  job_reads_vector(&job, other, TYPE, n, incy);
  if (job_runs(&job) && n > 0)
    CPU(rot)((int)n, one, (int)incx, other, (int)incy, cosine, sine);
  return job.status;
}
