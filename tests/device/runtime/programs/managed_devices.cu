// A __managed__ variable is one for the host and for all devices.
#include <cstdio>
#include <cstdlib>

__managed__ int shared_by_all = 40, list[3] = { 1, 2, 3 };
__device__ int own;

__global__ void add()
{
  shared_by_all++;
  list[1] += 10;
  own++;
}

int main()
{
  setenv("SOFTDEVICE_DEVICES", "3", 0);
  int n = 0, expected = 41;
  cudaGetDeviceCount(&n);
  shared_by_all++;
  for (int device = 0; device < n; device++) {
    int count = 0;
    cudaSetDevice(device);
    add<<<1, 1>>>();
    if (cudaDeviceSynchronize() != cudaSuccess || shared_by_all != ++expected)
      return printf("%d behind device %d\n", shared_by_all, device);
    cudaMemcpyFromSymbol(&count, own, sizeof count);
    if (count != 1)
      return printf("device %d has not a variable of its own\n", device);
    int *place = NULL;
    cudaGetSymbolAddress((void **)&place, shared_by_all);
    if (place != &shared_by_all)
      return printf("another address on device %d\n", device);
  }
  if (list[0] != 1 || list[1] != 2 + 10 * n || list[2] != 3)
    return printf("%d %d %d\n", list[0], list[1], list[2]);
  puts("all right");
}
