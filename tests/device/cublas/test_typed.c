/* Level 1 with types that the caller names. Whole numbers, so that every type
 * holds the results exactly. */
#include "matrices.h"

enum { N = 6 };

static const struct {
  cudaDataType type, real, scalar, compute, real_compute;
  size_t bytes;
  int parts;
} kinds[] = {
  { CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 2, 1 },
  { CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 2, 1 },
  { CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 1 },
  { CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 8, 1 },
  { CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_R_32F, 8, 2 },
  { CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_R_64F, 16, 2 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Whole numbers below 256, and 0.5s of them. */
static void put(cudaDataType type, void *to, int i, const int value[2])
{
  float single = (float)value[0];
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  if (type == CUDA_R_16BF)
    ((uint16_t *)to)[i] = (uint16_t)(bits >> 16);
  else if (type == CUDA_R_16F)
    ((uint16_t *)to)[i] =
        value[0] == 0 ? 0
                      : (uint16_t)((bits >> 16 & 0x8000) |
                                   ((bits & 0x7fffffff) - 0x38000000) >> 13);
  else if (type == CUDA_R_32F)
    ((float *)to)[i] = single;
  else if (type == CUDA_R_64F)
    ((double *)to)[i] = value[0];
  else
    for (int part = 0; part < 2; part++)
      put(type == CUDA_C_32F ? CUDA_R_32F : CUDA_R_64F, to, 2 * i + part,
          (const int[2]){ value[part], 0 });
}

static int value_of(int kind, int vector, int i, int part)
{
  return part < kinds[kind].parts ? (i * 7 + vector * 3 + part * 5) % 5 - 2 : 0;
}

static void *make(int kind, int vector)
{
  char bytes[N * 16];
  for (int i = 0; i < N; i++)
    put(kinds[kind].type, bytes, i,
        (const int[2]){ value_of(kind, vector, i, 0),
                        value_of(kind, vector, i, 1) });
  return upload(bytes, N * kinds[kind].bytes);
}

/* Element i of what is at `at` must be these two numbers. */
static void expect(cudaDataType type, const void *at, int i, int real,
                   int imaginary, size_t bytes)
{
  char expected[16];
  put(type, expected, 0, (const int[2]){ real, imaginary });
  CHECK(memcmp((const char *)at + (size_t)i * bytes, expected, bytes) == 0);
}

BEHAVIOUR(products_of_vectors)
{
  cublasHandle_t h = begin();
  for (int kind = 0; kind < KINDS; kind++)
    for (int conjugate = 0; conjugate < 2; conjugate++) {
      cudaDataType type = kinds[kind].type;
      int sum[2] = { 0, 0 }, sign = conjugate ? -1 : 1;
      char got[16];
      void *x = make(kind, 0), *y = make(kind, 1);
      CHECK_EQUAL((conjugate ? cublasDotcEx
                             : cublasDotEx)(h, N / 2, x, type, 2, y, type, -2,
                                            got, type, kinds[kind].compute),
                  OK);
      for (int i = 0; i < N / 2; i++) {
        int a = value_of(kind, 0, 2 * i, 0), ai = value_of(kind, 0, 2 * i, 1);
        int at = 2 * (N / 2 - 1 - i);
        int b = value_of(kind, 1, at, 0), bi = value_of(kind, 1, at, 1);
        sum[0] += a * b - sign * ai * bi;
        sum[1] += a * bi + sign * ai * b;
      }
      expect(type, got, 0, sum[0], sum[1], kinds[kind].bytes);
    }
}

/* 3 and 4 have norm 5; so have 3 + 4i and zeros. */
BEHAVIOUR(norms_and_sums_of_sizes)
{
  cublasHandle_t h = begin();
  for (int kind = 0; kind < KINDS; kind++) {
    cudaDataType type = kinds[kind].type, real = kinds[kind].real;
    size_t bytes = kinds[kind].bytes / (size_t)kinds[kind].parts;
    char x[32], got[16];
    put(type, x, 0, (const int[2]){ -3, 4 });
    put(type, x, 1, (const int[2]){ kinds[kind].parts == 1 ? 4 : 0, 0 });
    void *dx = upload(x, 2 * kinds[kind].bytes);
    CHECK_EQUAL(
        cublasNrm2Ex(h, 2, dx, type, 1, got, real, kinds[kind].real_compute),
        OK);
    expect(real, got, 0, 5, 0, bytes);
    /* A sum of narrow numbers is a float, and complex ones are complex. */
    if (kinds[kind].bytes == 2) {
      CHECK_EQUAL(cublasAsumEx(h, 2, dx, type, 1, got, real, CUDA_R_32F),
                  CUBLAS_STATUS_NOT_SUPPORTED);
      real = CUDA_R_32F, bytes = 4;
    }
    if (type == CUDA_R_16BF)
      continue; /* what an H200 takes here is not known */
    CHECK_EQUAL(cublasAsumEx(h, 2, dx, type, 1, got, real, kinds[kind].compute),
                OK);
    expect(real, got, 0, 7, 0, bytes);
  }
}

BEHAVIOUR(multiples_and_sums)
{
  cublasHandle_t h = begin();
  for (int kind = 0; kind < KINDS; kind++) {
    cudaDataType type = kinds[kind].type;
    size_t bytes = kinds[kind].bytes;
    int by[2] = { 3, kinds[kind].parts == 2 ? -2 : 0 };
    char alpha[16], got[N * 16];
    void *x = make(kind, 0), *y = make(kind, 1);
    put(kinds[kind].scalar, alpha, 0, by);
    CHECK_EQUAL(cublasAxpyEx(h, N, alpha, kinds[kind].scalar, x, type, 1, y,
                             type, 1, kinds[kind].compute),
                OK);
    CHECK_EQUAL(cublasScalEx(h, N / 2, alpha, kinds[kind].scalar, x, type, 2,
                             kinds[kind].compute),
                OK);
    download(got, y, N * bytes);
    for (int i = 0; i < N; i++) {
      int a = value_of(kind, 0, i, 0), ai = value_of(kind, 0, i, 1);
      expect(type, got, i, by[0] * a - by[1] * ai + value_of(kind, 1, i, 0),
             by[0] * ai + by[1] * a + value_of(kind, 1, i, 1), bytes);
    }
    download(got, x, N * bytes);
    for (int i = 0; i < N; i++) {
      int a = value_of(kind, 0, i, 0), ai = value_of(kind, 0, i, 1);
      if (i % 2)
        expect(type, got, i, a, ai, bytes);
      else
        expect(type, got, i, by[0] * a - by[1] * ai, by[0] * ai + by[1] * a,
               bytes);
    }
  }
}

/* Also by the names with sizes of 64 bits; nothing has no sum. */
BEHAVIOUR(nothing_adds_up_to_nothing)
{
  cublasHandle_t h = begin();
  float got = 9, *x = upload(&got, sizeof got);
  CHECK_EQUAL(cublasDotEx_64(h, 0, x, CUDA_R_32F, 1, x, CUDA_R_32F, 1, &got,
                             CUDA_R_32F, CUDA_R_32F),
              OK);
  CHECK(got == 0);
  got = 9;
  CHECK_EQUAL(
      cublasNrm2Ex_64(h, 0, x, CUDA_R_32F, 1, &got, CUDA_R_32F, CUDA_R_32F),
      OK);
  CHECK(got == 0);
}

BEHAVIOUR(other_types_are_refused)
{
  const cublasStatus_t no = CUBLAS_STATUS_NOT_SUPPORTED;
  const cudaDataType f = CUDA_R_32F, d = CUDA_R_64F, h = CUDA_R_16F;
  cublasHandle_t handle = begin();
  double one = 1, got, *x = upload(&one, sizeof one);
  CHECK_EQUAL(cublasDotEx(NULL, 1, x, f, 1, x, f, 1, &got, f, f),
              CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK_EQUAL(cublasDotEx(handle, 1, x, f, 1, x, d, 1, &got, f, f), no);
  CHECK_EQUAL(cublasDotEx(handle, 1, x, h, 1, x, h, 1, &got, h, h), no);
  CHECK_EQUAL(cublasDotEx(handle, 1, x, CUDA_R_8I, 1, x, CUDA_R_8I, 1, &got,
                          CUDA_R_8I, CUDA_R_32I),
              no);
  CHECK_EQUAL(cublasNrm2Ex(handle, 1, x, f, 1, &got, d, f), no);
  CHECK_EQUAL(cublasAxpyEx(handle, 1, &one, h, x, h, 1, x, h, 1, h), no);
  CHECK_EQUAL(cublasScalEx(handle, 1, &one, d, x, f, 1, f), no);
  CHECK_EQUAL(cublasNrm2Ex(handle, 1, x, f, 1, NULL, f, f),
              CUBLAS_STATUS_INVALID_VALUE);
}
