// expect: PTX: pick: its local variables take more than the 512 KB | api: error never looked at
// A kernel is named whose local array no thread has the memory for.
#ifdef FIXED
#define N 1000
#else
#define N 200000
#endif

__global__ void pick(int *out, int n)
{
  int a[N];

  for (int i = 0; i < N; i++)
    a[i] = i * n;
  out[threadIdx.x] = a[(n + threadIdx.x) % N];
}

int main()
{
  int *out;

  cudaMalloc(&out, 32 * sizeof *out);
  pick<<<1, 32>>>(out, 3);
  cudaDeviceSynchronize();
  cudaFree(out);
}
