/* rotg, rotm, rotmg, RotEx and its relatives: values and signs of an H100. */
#include "typed.h"

static void near_to(const char *what, double got, double expected)
{
  if (fabs(got - expected) <= 1e-6 * fabs(expected) || same(got, expected))
    return;
  fprintf(stderr, "%s is %.9g, expected %.9g\n", what, got, expected);
  exit(1);
}

BEHAVIOUR(rotg_of_floats)
{
  static const float cases[][6] = {
    /* a, b, then r, z, c, s */
    { 3, 4, 5, 1.66666663F, 0.6F, 0.8F },
    { 4, 3, 5, 0.6F, 0.8F, 0.6F },
    { -3, 4, 5, -1.66666663F, -0.6F, 0.8F },
    { 4, -3, 5, -0.6F, 0.8F, -0.6F },
    { -4, 3, -5, -0.6F, 0.8F, -0.6F },
    { 0, 0, 0, 0, 1, 0 },
    { 0, 5, 5, 1, 0, 1 },
    { 5, 0, 5, 0, 1, 0 },
    { 0, -5, -5, 1, 0, 1 },
    { 1, 1, 1.41421354F, 1.41421354F, 0.707106769F, 0.707106769F },
    { 1, -1, -1.41421354F, -1.41421354F, -0.707106769F, 0.707106769F },
    { 3e38F, 3e38F, INFINITY, 1, 0, 0 },
    { 1.3F, -2.9F, -3.1780498F, -2.44465375F, -0.409055889F, 0.912509322F },
  };
  cublasHandle_t h = begin();
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const float *e = cases[i];
    float a = e[0], b = e[1], c = -9, s = -9;
    CHECK_EQUAL(cublasSrotg(h, &a, &b, &c, &s), OK);
    near_to("r", (double)a, (double)e[2]);
    near_to("z", (double)b, (double)e[3]);
    near_to("c", (double)c, (double)e[4]);
    near_to("s", (double)s, (double)e[5]);
  }
}

BEHAVIOUR(rotg_of_complexes)
{
  cublasHandle_t h = begin();
  cuDoubleComplex a = { 3, 4 }, b = { 1, 2 }, s, zero = { 0, 0 };
  double c;
  CHECK_EQUAL(cublasZrotg(h, &a, &b, &c, &s), OK);
  near_to("r", a.x, 3.2863353450309964);
  near_to("r, imaginary", a.y, 4.3817804600413295);
  near_to("c", c, 0.9128709291752769);
  near_to("s", s.x, 0.40166320883712187);
  near_to("s, imaginary", s.y, -0.073029674334022132);
  CHECK(b.x == 1 && b.y == 2);
  CHECK_EQUAL(cublasZrotg(h, &zero, &b, &c, &s), OK);
  CHECK(zero.x == 1 && zero.y == 2 && c == 0 && s.x == 1 && s.y == 0);
}

BEHAVIOUR(rotg_on_the_device)
{
  cublasHandle_t h = begin();
  double values[4] = { 3, 4, -9, -9 }, *d = upload(values, sizeof values);
  CHECK_EQUAL(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE), OK);
  CHECK_EQUAL(cublasDrotg(h, d, d + 1, d + 2, d + 3), OK);
  download(values, d, sizeof values);
  near_to("r", values[0], 5);
  near_to("c", values[2], 0.6);
  near_to("s", values[3], 0.8);
}

BEHAVIOUR(rotmg)
{
  static const float cases[][12] = {
    /* d1, d2, x1, y1; then d1, d2, x1, param; -77: not written */
    { 1, 1, 1, 1, 0.5F, 0.5F, 2, 1, 1, -77, -77, 1 },
    { 1, 1, 2, 1, 0.8F, 0.8F, 2.5F, 0, -77, -0.5F, 0.5F, -77 },
    { 1, 1, 1, 2, 0.8F, 0.8F, 2.5F, 1, 0.5F, -77, -77, 0.5F },
    { -1, 1, 1, 1, 0, 0, 0, -1, 0, 0, 0, 0 },
    { 1, -1, 1, 2, 0, 0, 0, -1, 0, 0, 0, 0 },
    { 1, -1, 2, 1, 1.33333337F, -1.33333337F, 1.5F, 0, -77, -0.5F, -0.5F, -77 },
    { 0, 1, 1, 1, 1, 0, 1, 1, 0, -77, -77, 1 },
    { 1, 0, 1, 1, 1, 0, 1, -2, -77, -77, -77, -77 },
    { 1, 1, 0, 1, 1, 1, 1, 1, 0, -77, -77, 0 },
    { 1e9F, 1, 1, 1, 59.6046448F, 1, 4096, -1, 4096, -1, 4.09599988e-06F, 1 },
    { 1e-9F, 1e-9F, 1, 2, 0.013421772F, 0.013421772F, 0.000610351562F, -1,
      0.000122070312F, -0.000244140625F, 0.000244140625F, 0.000122070312F },
    { 1e30F, 1e-30F, 1, 1, 12.6217747F, 0.0792281628F, 2.81474977e+14F, -1,
      2.81474977e+14F, -3.55271368e-15F, 0, 3.55271368e-15F },
  };
  cublasHandle_t h = begin();
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const float *e = cases[i];
    float d1 = e[0], d2 = e[1], x1 = e[2];
    float param[5] = { -77, -77, -77, -77, -77 };
    CHECK_EQUAL(cublasSrotmg(h, &d1, &d2, &x1, &e[3], param), OK);
    near_to("d1", (double)d1, (double)e[4]);
    near_to("d2", (double)d2, (double)e[5]);
    near_to("x1", (double)x1, (double)e[6]);
    for (int j = 0; j < 5; j++)
      near_to("param", (double)param[j], (double)e[7 + j]);
  }
}

/* Steps in both directions; flags that say which numbers count. */
BEHAVIOUR(rotm)
{
  static const float flags[] = { -2, -1, 0, 1, 7 };
  cublasHandle_t h = begin();
  for (unsigned i = 0; i < 5; i++) {
    const float param[5] = { flags[i], 2, 3, 5, 7 };
    float h11 = 2, h21 = 3, h12 = 5, h22 = 7;
    float x[5] = { 1, 2, 3, 4, 5 }, y[3] = { 6, 7, 8 }, got[5];
    float *dx = upload(x, sizeof x), *dy = upload(y, sizeof y);
    CHECK_EQUAL(cublasSrotm(h, 3, dx, 2, dy, -1, param), OK);
    if (flags[i] == 0)
      h11 = h22 = 1;
    if (flags[i] == 1)
      h12 = 1, h21 = -1;
    for (int j = 0; j < 3 && flags[i] >= -1 && flags[i] <= 1; j++) {
      float p = x[2 * j], q = y[2 - j];
      x[2 * j] = h11 * p + h12 * q;
      y[2 - j] = h21 * p + h22 * q;
    }
    download(got, dx, sizeof x);
    CHECK(memcmp(got, x, sizeof x) == 0);
    download(got, dy, sizeof y);
    CHECK(memcmp(got, y, sizeof y) == 0);
  }
}

BEHAVIOUR(rotation_of_complexes_by_types)
{
  const cuComplex x[2] = { { 1, 2 }, { 3, -1 } }, y[2] = { { 2, 0 }, { 0, 1 } };
  const cuComplex s = { 1, 2 };
  const cuComplex c = { 3, 99 }; /* its real part counts */
  cuComplex *dx = upload(x, sizeof x), *dy = upload(y, sizeof y), got[2];
  CHECK_EQUAL(cublasRotEx(begin(), 2, dx, CUDA_C_32F, 1, dy, CUDA_C_32F, 1, &c,
                          &s, CUDA_C_32F, CUDA_C_32F),
              OK);
  download(got, dx, sizeof got); /* 3 x + (1 + 2i) y */
  CHECK(got[0].x == 5 && got[0].y == 10 && got[1].x == 7 && got[1].y == -2);
  download(got, dy, sizeof got); /* 3 y - (1 - 2i) x */
  CHECK(got[0].x == 1 && got[0].y == 0 && got[1].x == -1 && got[1].y == 10);
}

BEHAVIOUR(rotation_of_halves)
{
  const uint16_t one[2] = { 0x3c00, 0x4000 }, other[2] = { 0x4200, 0x3c00 };
  const uint16_t c = 0x4000, s = 0x3c00; /* 2 and 1 */
  uint16_t *x = upload(one, sizeof one), *y = upload(other, sizeof other);
  uint16_t got[2];
  CHECK_EQUAL(cublasRotEx(begin(), 2, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, &c,
                          &s, CUDA_R_16F, CUDA_R_32F),
              OK);
  download(got, x, sizeof got);
  CHECK(got[0] == 0x4500 && got[1] == 0x4500); /* 2 + 3 and 4 + 1 */
  download(got, y, sizeof got);
  CHECK(got[0] == 0x4500 && got[1] == 0); /* 6 - 1 and 2 - 2 */
}

/* (x, y) = (2 x + y, 2 y - x) of (3, 1), in each type of real numbers. */
BEHAVIOUR(rotation_of_reals_by_types)
{
  const float singles[4] = { 3, 1, 2, 1 };
  const double doubles[4] = { 3, 1, 2, 1 };
  const uint16_t bfloats[4] = { 0x4040, 0x3f80, 0x4000, 0x3f80 };
  float got[2], *s = upload(singles, sizeof singles);
  double got_doubles[2], *d = upload(doubles, sizeof doubles);
  uint16_t got_bfloats[2], *b = upload(bfloats, sizeof bfloats);
  CHECK_EQUAL(cublasRotEx(begin(), 1, s, CUDA_R_32F, 1, s + 1, CUDA_R_32F, 1,
                          singles + 2, singles + 3, CUDA_R_32F, CUDA_R_32F),
              OK);
  download(got, s, sizeof got);
  CHECK(got[0] == 7 && got[1] == -1);
  CHECK_EQUAL(cublasRotEx(begin(), 1, d, CUDA_R_64F, 1, d + 1, CUDA_R_64F, 1,
                          doubles + 2, doubles + 3, CUDA_R_64F, CUDA_R_64F),
              OK);
  download(got_doubles, d, sizeof got_doubles);
  CHECK(got_doubles[0] == 7 && got_doubles[1] == -1);
  CHECK_EQUAL(cublasRotEx(begin(), 1, b, CUDA_R_16BF, 1, b + 1, CUDA_R_16BF, 1,
                          bfloats + 2, bfloats + 3, CUDA_R_16BF, CUDA_R_32F),
              OK);
  download(got_bfloats, b, sizeof got_bfloats);
  CHECK(got_bfloats[0] == 0x40e0 && got_bfloats[1] == 0xbf80);
}

BEHAVIOUR(types_without_a_rotation)
{
  cublasHandle_t h = begin();
  double x[4] = { 0 }, k[4] = { 0 }, *d = upload(x, sizeof x);
  const cublasStatus_t none = CUBLAS_STATUS_NOT_SUPPORTED;
  CHECK_EQUAL(cublasRotEx(h, 1, d, CUDA_R_32F, 1, d + 1, CUDA_R_32F, 1, k, k,
                          CUDA_R_64F, CUDA_R_32F),
              none);
  CHECK_EQUAL(cublasRotgEx(h, k, k + 1, CUDA_C_32F, k + 2, k + 3, CUDA_C_32F,
                           CUDA_C_32F),
              none);
  CHECK_EQUAL(cublasRotmEx(h, 1, d, CUDA_R_16F, 1, d + 1, CUDA_R_16F, 1, k,
                           CUDA_R_16F, CUDA_R_16F),
              none);
}
