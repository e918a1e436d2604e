/* Handles, modes, statuses, and copies of vectors and matrices. */
#include "matrices.h"

BEHAVIOUR(no_handle_is_refused)
{
  float one = 1, *x = upload(&one, sizeof one);
  CHECK_EQUAL(cublasSaxpy(NULL, 1, &one, x, 1, x, 1),
              CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQUAL(cublasDestroy(NULL), CUBLAS_STATUS_NOT_INITIALIZED);
}

BEHAVIOUR(statuses_have_names_and_texts)
{
  CHECK_TEXT(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED),
             "CUBLAS_STATUS_NOT_SUPPORTED");
  CHECK_TEXT(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE),
             "an unsupported value or parameter was passed to the function");
  CHECK_TEXT(cublasGetStatusName((cublasStatus_t)2), "unrecognized status");
}

BEHAVIOUR(version_is_of_the_header)
{
  int version, major;
  CHECK_EQUAL(cublasGetVersion(begin(), &version), OK);
  CHECK_EQUAL(version, CUBLAS_VERSION);
  CHECK_EQUAL(cublasGetProperty(MAJOR_VERSION, &major), OK);
  CHECK_EQUAL(major, CUBLAS_VER_MAJOR);
}

BEHAVIOUR(stream_is_remembered)
{
  cublasHandle_t h = begin();
  cudaStream_t stream, found;
  CHECK_EQUAL(cudaStreamCreate(&stream), cudaSuccess);
  CHECK_EQUAL(cublasSetStream(h, stream), OK);
  CHECK_EQUAL(cublasGetStream(h, &found), OK);
  CHECK(found == stream);
}

BEHAVIOUR(scalars_and_results_in_device_memory)
{
  const float values[4] = { 1, 2, 3, 4 }, two = 2;
  float *x = upload(values, sizeof values), *alpha = upload(&two, sizeof two);
  float *sum = upload(&two, sizeof two), got;
  cublasHandle_t h = begin();
  cublasPointerMode_t mode;
  CHECK_EQUAL(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE), OK);
  CHECK_EQUAL(cublasGetPointerMode(h, &mode), OK);
  CHECK_EQUAL(mode, CUBLAS_POINTER_MODE_DEVICE);
  CHECK_EQUAL(cublasSscal(h, 4, alpha, x, 1), OK);
  CHECK_EQUAL(cublasSasum(h, 4, x, 1, sum), OK);
  download(&got, sum, sizeof got);
  CHECK(got == 20);
}

BEHAVIOUR(unknown_modes_are_refused)
{
  cublasHandle_t h = begin();
  CHECK_EQUAL(cublasSetPointerMode(h, (cublasPointerMode_t)7),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSetMathMode(h, (cublasMath_t)99),
              CUBLAS_STATUS_INVALID_VALUE);
}

BEHAVIOUR(bad_arguments_of_gemm)
{
  cublasHandle_t h = begin();
  const cublasOperation_t n = CUBLAS_OP_N;
  float one = 1, values[16] = { 0 }, *a = upload(values, sizeof values);
  CHECK_EQUAL(cublasSgemm(h, n, n, 4, 4, 4, &one, a, 2, a, 4, &one, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSgemm(h, n, n, -1, 4, 4, &one, a, 4, a, 4, &one, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSgemm(h, (cublasOperation_t)9, n, 4, 4, 4, &one, a, 4, a, 4,
                          &one, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSgemm(h, n, n, 4, 4, 4, NULL, a, 4, a, 4, &one, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSgemm(h, n, n, 4, 4, 4, &one, NULL, 4, a, 4, &one, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSgemm(h, n, n, 0, 4, 4, &one, a, 1, a, 4, &one, a, 1), OK);
}

BEHAVIOUR(bad_arguments_of_the_others)
{
  cublasHandle_t h = begin();
  float one = 1, values[16] = { 0 }, *a = upload(values, sizeof values);
  CHECK_EQUAL(cublasSgemv(h, CUBLAS_OP_N, 4, 4, &one, a, 2, a, 1, &one, a, 1),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSger(h, 4, 4, &one, a, 0, a, 1, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(
      cublasSsymv(h, (cublasFillMode_t)5, 4, &one, a, 4, a, 1, &one, a, 1),
      CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4, &one, a,
                          2, &one, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, &one, a, 4, &one,
                          a, 4, a, 4),
              CUBLAS_STATUS_INVALID_VALUE);
}

BEHAVIOUR(nothing_has_no_greatest)
{
  cublasHandle_t h = begin();
  float value = 1, norm = 5, *x = upload(&value, sizeof value);
  int greatest = 7;
  CHECK_EQUAL(cublasIsamax(h, 0, x, 1, &greatest), OK);
  CHECK_EQUAL(greatest, 0);
  CHECK_EQUAL(cublasSnrm2(h, 0, x, 1, &norm), OK);
  CHECK(norm == 0);
}

BEHAVIOUR(unserved_types_are_refused)
{
  cublasHandle_t h = begin();
  const cublasOperation_t n = CUBLAS_OP_N;
  float one = 1, values[16] = { 0 }, *a = upload(values, sizeof values);
  CHECK_EQUAL(cublasGemmEx(h, n, n, 4, 4, 4, &one, a, CUDA_R_32F, 4, a,
                           CUDA_R_64F, 4, &one, a, CUDA_R_32F, 4,
                           CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_NOT_SUPPORTED);
}

BEHAVIOUR(vectors_go_there_and_back)
{
  const float values[6] = { 1, 2, 3, 4, 5, 6 };
  float zeros[6] = { 0 }, got[6] = { 0 }, *x = upload(zeros, sizeof zeros);
  const float expected[6] = { 1, 0, 3, 0, 5, 0 };
  CHECK_EQUAL(cublasSetVector(3, sizeof *x, values, 2, x, 1), OK);
  CHECK_EQUAL(cublasGetVector(3, sizeof *x, x, 1, got, 2), OK);
  CHECK(memcmp(got, expected, sizeof got) == 0);
  CHECK_EQUAL(cublasSetVector(4, 0, values, 1, x, 1),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSetVector(4, 4, values, 0, x, 1),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasSetVector(0, 4, values, 1, x, 1), OK);
}

BEHAVIOUR(matrices_go_there_and_back)
{
  const float values[6] = { 1, 2, 3, 4, 5, 6 }, expected[4] = { 1, 2, 4, 5 };
  float zeros[6] = { 0 }, got[4] = { 0 }, *a = upload(zeros, sizeof zeros);
  CHECK_EQUAL(cublasSetMatrix(2, 2, sizeof *a, values, 3, a, 3), OK);
  CHECK_EQUAL(cublasGetMatrix(2, 2, sizeof *a, a, 3, got, 2), OK);
  CHECK(memcmp(got, expected, sizeof got) == 0);
  CHECK_EQUAL(cublasSetMatrix(4, 4, 4, values, 2, a, 4),
              CUBLAS_STATUS_MAPPING_ERROR);
}

BEHAVIOUR(matrix_out_of_bounds_is_an_illegal_address)
{
  cublasHandle_t h = begin();
  const cublasOperation_t n = CUBLAS_OP_N;
  float one = 1, values[16] = { 0 }, *a = upload(values, sizeof values);
  CHECK_EQUAL(cublasSgemm(h, n, n, 64, 64, 64, &one, a + (1 << 28), 64, a, 64,
                          &one, a, 64),
              OK);
  /* An H200 has answered both: it depends on the kernel that its cuBLAS
   * chooses and on what is mapped at that address. */
  cudaError_t error = cudaDeviceSynchronize();
  CHECK(error == cudaErrorIllegalAddress ||
        error == cudaErrorInvalidAddressSpace);
  CHECK_EQUAL(cublasSaxpy(h, 4, &one, a, 1, a, 1),
              CUBLAS_STATUS_EXECUTION_FAILED);
}
