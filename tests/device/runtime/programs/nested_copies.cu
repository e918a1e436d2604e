// Device code that copies and sets memory, and uses events (nvcc -rdc=true).
#include <cstdio>

__global__ void twice(int *data) { data[threadIdx.x] *= 2; }

// Copies behind a kernel see what it wrote; kernels behind a copy see that.
__global__ void parent(int *from, int *to, int *marks)
{
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  twice<<<1, 32, 0, stream>>>(from);
  cudaMemcpyAsync(to, from, 128, cudaMemcpyDeviceToDevice, stream);
  twice<<<1, 8, 0, stream>>>(to);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(stream, event, 0);
  cudaMemsetAsync(marks, 1, 8, stream);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}

struct two {
  long long a;
  int b;
};

__global__ void keep(two t, int *to)
{
  to[0] = (int)t.a + t.b;
  to[1] = gridDim.y * 100 + blockDim.x;
}

// Rows and boxes; a launch whose parameters come before its shape.
__global__ void rows(unsigned char *b, int *to, int *errors)
{
  cudaPitchedPtr box = { b + 256, 16, 16, 4 };
  cudaMemcpy3DParms copy = {};
  char *buffer = (char *)cudaGetParameterBuffer(8, 24);

  errors[0] = cudaMemset2DAsync(b, 16, 7, 3, 4, 0);
  errors[1] =
      cudaMemcpy2DAsync(b + 128, 8, b, 16, 4, 4, cudaMemcpyDeviceToDevice, 0);
  errors[2] = cudaMemset3DAsync(box, 9, cudaExtent{ 2, 3, 2 }, 0);
  copy.srcPtr = box;
  copy.srcPos = cudaPos{ 1, 1, 1 };
  copy.dstPtr = cudaPitchedPtr{ b + 512, 8, 8, 2 };
  copy.extent = cudaExtent{ 3, 2, 1 };
  copy.kind = cudaMemcpyDeviceToDevice;
  errors[3] = cudaMemcpy3DAsync(&copy, 0);
  *(two *)buffer = two{ 40, 2 };
  *(int **)(buffer + 16) = to;
  errors[4] = cudaLaunchDevice((void *)keep, buffer, dim3(1, 3), dim3(5), 0, 0);
  errors[5] = cudaMemcpy2DAsync(b, 2, b, 16, 4, 4, cudaMemcpyDeviceToDevice, 0);
  // Parameters that are none, and too few of them.
  errors[6] = cudaLaunchDevice((void *)keep, b, dim3(1), dim3(1), 0, 0);
  buffer = (char *)cudaGetParameterBuffer(8, 8);
  errors[7] = cudaLaunchDevice((void *)keep, buffer, dim3(1), dim3(1), 0, 0);
}

// Each lane of a warp its own row and its own box; of the boxes' descriptions
// one is nowhere, which is that lane's error alone.
__global__ void lanes(unsigned char *b, int *errors)
{
  unsigned char *own = b + 64 * threadIdx.x;
  cudaMemcpy3DParms copy = {};

  errors[threadIdx.x] = cudaMemset2DAsync(own, 4, threadIdx.x + 1, 2, 2, 0);
  copy.srcPtr = cudaPitchedPtr{ own, 4, 4, 2 };
  copy.dstPtr = cudaPitchedPtr{ own + 32, 4, 4, 2 };
  copy.extent = cudaExtent{ 2, 2, 1 };
  copy.kind = cudaMemcpyDeviceToDevice;
  errors[8 + threadIdx.x] =
      cudaMemcpy3DAsync(threadIdx.x == 1 ? NULL : &copy, 0);
}

static int check_lanes()
{
  unsigned char *b;
  int *errors, wrong = 0;

  cudaMallocManaged(&b, 512);
  cudaMallocManaged(&errors, 64);
  for (int i = 0; i < 512; i++)
    b[i] = 99;
  lanes<<<1, 8>>>(b, errors);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < 512; i++) {
    int lane = i / 64, at = i % 32, is_copy = i / 32 % 2;
    bool is_set = (at < 2 || (at >= 4 && at < 6)) && !(is_copy && lane == 1);

    wrong += b[i] != (is_set ? lane + 1 : 99);
  }
  for (int i = 0; i < 16; i++)
    wrong += errors[i] != (i == 9 ? cudaErrorInvalidValue : cudaSuccess);
  return wrong;
}

static int check_rows()
{
  static const int expected[] = {
    0,
    0,
    0,
    0,
    0,
    cudaErrorInvalidPitchValue,
    cudaErrorInvalidValue,
    cudaErrorInvalidValue,
  };
  unsigned char *b;
  int *to, wrong = 0;

  cudaMallocManaged(&b, 1024);
  cudaMallocManaged(&to, 64);
  for (int i = 0; i < 1024; i++)
    b[i] = 1;
  rows<<<1, 1>>>(b, to, to + 2);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 16; x++)
      wrong += b[16 * y + x] != (y < 4 && x < 3 ? 7 : 1);
  for (int i = 0; i < 64; i++)
    wrong += b[128 + i] != (i < 32 && i % 8 < 3 ? 7 : 1);
  for (int i = 0; i < 128; i++)
    wrong += b[256 + i] != (i % 16 < 2 && i / 16 % 4 < 3 ? 9 : 1);
  for (int i = 0; i < 64; i++)
    wrong += b[512 + i] != (i == 0 || i == 8 ? 9 : 1);
  wrong += to[0] != 42 || to[1] != 305;
  for (int i = 0; i < 8; i++)
    wrong += to[2 + i] != expected[i];
  return wrong;
}

int main()
{
  int *from, *to, *marks, wrong = 0;
  cudaMallocManaged(&from, 128);
  cudaMallocManaged(&to, 128);
  cudaMallocManaged(&marks, 16);
  for (int i = 0; i < 32; i++)
    from[i] = i;
  parent<<<1, 1>>>(from, to, marks);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    return printf("%s\n", cudaGetErrorName(error)), 1;
  for (int i = 0; i < 32; i++)
    wrong += from[i] != 2 * i || to[i] != (i < 8 ? 4 * i : 2 * i);
  wrong += marks[0] != 0x01010101 || marks[1] != 0x01010101 || marks[2] != 0;
  wrong += check_rows();
  wrong += check_lanes();
  if (wrong > 0)
    return printf("%d wrong\n", wrong), 1;
  printf("all right\n");
}
