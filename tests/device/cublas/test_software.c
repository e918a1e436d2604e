/* What only the software device does: it explains. */
#include "matrices.h"

BEHAVIOUR(bad_leading_dimension_is_explained)
{
  cublasHandle_t h = begin();
  float one = 1, values[16] = { 0 }, *a = upload(values, sizeof values);
  capture_begin(2);
  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 2, a, 4, &one, a,
              4);
  CHECK_TEXT(capture_end(), "softdevice: cublasSgemm: parameter 8, lda, is 2: "
                            "a column of the matrix has 4 elements\n");
}

BEHAVIOUR(matrix_out_of_bounds_is_explained)
{
  cublasHandle_t h = begin();
  double one = 1, values[16] = { 0 }, *a = upload(values, sizeof values);
  capture_begin(2);
  CHECK_EQUAL(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a + 1, 4,
                          a, 4, &one, a, 4),
              OK);
  CHECK_HAS(capture_end(), "cublasDgemm: out of bounds: A has 128 bytes from "
                           "offset 8, but allocation 1 has 128 bytes");
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

BEHAVIOUR(vector_after_free_is_explained)
{
  cublasHandle_t h = begin();
  float one = 1, *x = upload(&one, sizeof one);
  CHECK_EQUAL(cudaFree(x), cudaSuccess);
  capture_begin(2);
  CHECK_EQUAL(cublasSscal(h, 1, &one, x, 1), OK);
  CHECK_HAS(capture_end(), "cublasSscal: use after free: x lies in");
}

BEHAVIOUR(host_matrix_is_explained)
{
  cublasHandle_t h = begin();
  float one = 1, x[4] = { 0 };
  capture_begin(2);
  CHECK_EQUAL(cublasSscal(h, 4, &one, x, 1), OK);
  CHECK_HAS(capture_end(), "no device memory");
}

BEHAVIOUR(scalar_in_freed_memory_is_not_read)
{
  cublasHandle_t h = begin();
  float one = 1, *x = upload(&one, sizeof one), *gone = upload(&one, 4);
  CHECK_EQUAL(cudaFree(gone), cudaSuccess);
  CHECK_EQUAL(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE), OK);
  CHECK_EQUAL(cublasSscal(h, 1, gone, x, 1), OK);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

BEHAVIOUR(unsupported_call_is_named_once)
{
  cublasHandle_t h = begin();
  capture_begin(2);
  CHECK_EQUAL(
      cublasCgemv(h, CUBLAS_OP_N, 0, 0, NULL, NULL, 1, NULL, 1, NULL, NULL, 1),
      CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQUAL(
      cublasCgemv(h, CUBLAS_OP_N, 0, 0, NULL, NULL, 1, NULL, 1, NULL, NULL, 1),
      CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_TEXT(capture_end(), "softdevice: cublasCgemv_v2: not supported by the "
                            "software device\n");
}

/* Numbers so near to each other that nothing is left of u = 1 - h12 h21: BLAS
 * clears all rather than divide by it. */
BEHAVIOUR(modified_rotation_that_rounding_leaves_nothing_of)
{
  double d1 = 0x1.43c9e2dcc36fp+0, d2 = -0x1.43c9e2dcc36efp+0;
  double x1 = 0x1.a4f15be8f04ep+0, y1 = 0x1.a4f15be8f04e1p+0;
  double param[5] = { 7, 7, 7, 7, 7 };
  CHECK_EQUAL(cublasDrotmg(begin(), &d1, &d2, &x1, &y1, param), OK);
  CHECK(d1 == 0 && d2 == 0 && x1 == 0);
  CHECK(param[0] == -1);
  for (int i = 1; i < 5; i++)
    CHECK(param[i] == 0);
}
