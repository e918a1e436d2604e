// Kernels whose loops carry many values, or seem to. What the device says that
// they need at least must not be more than ptxas gives them: see `compare`.
#define EACH(i, n) _Pragma("unroll") for (int i = 0; i < n; i++)

template <int N> __global__ void rotate(const float *in, float *out, int n)
{
  float v[N], s = 0;
  EACH(i, N) v[i] = in[threadIdx.x + i * n];
  for (int r = 0; r < n; r++)
    EACH(i, N) v[i] = v[i] * v[(i + 17) % N] + in[r];
  EACH(i, N) s += v[i] * i;
  out[threadIdx.x] = s;
}

// Few rounds, and a number that the compiler knows: ptxas unrolls the loop, and
// then works through one value after the other.
template <int N, int ROUNDS>
__global__ void few(const float *__restrict__ in, float *__restrict__ out)
{
  float v[N];
  EACH(i, N) v[i] = 0;
#pragma unroll 1
  for (int r = 0; r < ROUNDS; r++)
    EACH(i, N) v[i] = fmaf(v[i], in[r], (float)i);
  EACH(i, N) out[i] = v[i];
}

template <int N>
__global__ void product(const float *__restrict__ a,
                        const float *__restrict__ b, float *c, int n)
{
  float v[N][N] = {};
  for (int k = 0; k < n; k++) {
    float x[N], y[N];
    EACH(i, N) x[i] = a[k * n + i + threadIdx.x];
    EACH(i, N) y[i] = b[k * n + i];
    EACH(i, N) EACH(j, N) v[i][j] += x[i] * y[j];
  }
  EACH(i, N) EACH(j, N) c[(i * N + j) * n + threadIdx.x] = v[i][j];
}

// Known before the loop, and read again in each round.
template <int N>
__global__ void weights(const float *__restrict__ in, float *out, int n)
{
  float w[N];
  EACH(i, N) w[i] = in[i];
  for (int r = 0; r < n; r++) {
    float s = 0;
    EACH(i, N) s += w[i] * in[r + i];
    out[r] = s;
  }
}

template <int N> __global__ void doubles(const double *in, double *out, int n)
{
  double v[N];
  EACH(i, N) v[i] = in[threadIdx.x + i];
  for (int r = 0; r < n; r++)
    EACH(i, N) v[i] = v[i] * v[(i + 7) % N] + in[r];
  EACH(i, N) out[i] = v[i];
}

template <int N> __global__ void shift(const float *in, float *out, int n)
{
  float v[N];
  EACH(i, N) v[i] = in[i];
  for (int r = 0; r < n; r++) {
    float s = 0;
    EACH(i, N) s += v[i] * in[i];
    EACH(i, N - 1) v[i] = v[i + 1];
    v[N - 1] = in[r * 32 + threadIdx.x];
    out[r * 32 + threadIdx.x] = s;
  }
}

// A loop in a loop, and one that is left early.
template <int N>
__global__ void nested(const float *in, float *out, int n, int m)
{
  float v[N];
  EACH(i, N) v[i] = in[threadIdx.x + i];
  for (int r = 0; r < n; r++) {
    for (int q = 0; q < m; q++)
      EACH(i, N) v[i] += in[q + i] * r;
    if (in[r] > 3)
      break;
    __syncthreads();
  }
  EACH(i, N) out[i * n] = v[i];
}

// The same in all lanes: a warp has registers of its own for integers.
template <int N> __global__ void integers(const int *in, int *out, int n)
{
  int v[N];
  EACH(i, N) v[i] = i * n;
  for (int r = 0; r < n; r++)
    EACH(i, N) v[i] = v[i] * 3 + v[(i + 5) % N];
  EACH(i, N) out[i] = v[i];
}

template <int N>
__global__ void __launch_bounds__(1024)
    bounded(const float *in, float *out, int n)
{
  float v[N];
  EACH(i, N) v[i] = in[threadIdx.x + i];
  for (int r = 0; r < n; r++)
    EACH(i, N) v[i] = v[i] * v[(i + 3) % N] + in[r];
  EACH(i, N) out[i] = v[i];
}

#define SIZES(kernel, type)                                                    \
  template __global__ void kernel<40>(const type *, type *, int);              \
  template __global__ void kernel<66>(const type *, type *, int);              \
  template __global__ void kernel<96>(const type *, type *, int);              \
  template __global__ void kernel<130>(const type *, type *, int);
SIZES(rotate, float)
SIZES(weights, float)
SIZES(doubles, double)
SIZES(shift, float)
SIZES(integers, int)
SIZES(bounded, float)
template __global__ void nested<66>(const float *, float *, int, int);
template __global__ void nested<100>(const float *, float *, int, int);
template __global__ void few<66, 4>(const float *, float *);
template __global__ void few<100, 3>(const float *, float *);
template __global__ void few<100, 8>(const float *, float *);
template __global__ void few<100, 64>(const float *, float *);
template __global__ void product<6>(const float *, const float *, float *, int);
template __global__ void product<9>(const float *, const float *, float *, int);
template __global__ void product<11>(const float *, const float *, float *,
                                     int);
