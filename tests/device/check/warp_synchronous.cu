// expect: race: race between lanes of a warp in shared memory | volatile
#include <vector>
__global__ void sum(const int *in, int *out)
{
  int t = threadIdx.x;
#ifdef FIXED
  int v = in[t];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (t == 0)
    *out = v;
#else
  __shared__ volatile int s[64];
  s[t] = in[t];
  s[t + 32] = 0;
  s[t] = s[t] + s[t + 16];
  s[t] = s[t] + s[t + 8];
  s[t] = s[t] + s[t + 4];
  s[t] = s[t] + s[t + 2];
  s[t] = s[t] + s[t + 1];
  if (t == 0)
    *out = s[0];
#endif
}
int main()
{
  std::vector<int> ones(32, 1);
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 4);
  cudaMemcpy(in, ones.data(), 128, cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
