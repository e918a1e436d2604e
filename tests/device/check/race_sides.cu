// expect: load of 4 bytes by block (0,0,0), thread (32,0,0) | a store by block (0,0,0), thread (31,0,0) | store of 4 bytes by block (0,0,0), thread (0,0,0) | a load by block (0,0,0), thread (63,0,0)
// Each side of a race is told as what it was: a load that comes after a store,
// a store that comes after a load.
#ifdef FIXED
#define BARRIER __syncthreads()
#else
#define BARRIER
#endif

__global__ void load_after_store(int *out)
{
  __shared__ int box[64];
  int t = threadIdx.x;

  box[t] = t;
  BARRIER;
  if (t >= 32)
    out[t] = box[63 - t];
}

__global__ void store_after_load(int *out)
{
  __shared__ int box[64];
  int t = threadIdx.x, got;

  box[t] = t;
  __syncthreads();
  got = box[t];
  BARRIER;
  if (t < 32)
    box[63 - t] = got + 1;
  __syncthreads();
  out[t] = box[t] + got;
}

int main()
{
  int *out;

  cudaMalloc(&out, 64 * sizeof(int));
  load_after_store<<<1, 64>>>(out);
  store_after_load<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
