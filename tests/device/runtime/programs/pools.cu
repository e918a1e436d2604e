// Memory pools and stream-ordered allocation. The expected output is an
// H200's.
#include <cstdint>
#include <cstdio>

__global__ void fill(int *at, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    at[i] = i;
}

static void say(const char *what, cudaError_t error)
{
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

int main()
{
  cudaMemPool_t standard, current, own;
  say("default", cudaDeviceGetDefaultMemPool(&standard, 0));
  say("current", cudaDeviceGetMemPool(&current, 0));
  printf("same %d\n", standard == current);
  uint64_t value = 1;
  say("threshold", cudaMemPoolGetAttribute(
                       standard, cudaMemPoolAttrReleaseThreshold, &value));
  printf("%llu\n", (unsigned long long)value);
  int reuse = 0;
  cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse);
  printf("reuse %d\n", reuse);

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  say("create", cudaMemPoolCreate(&own, &properties));
  value = UINT64_MAX;
  say("keep",
      cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &value));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *p, *q;
  say("from pool", cudaMallocFromPoolAsync((void **)&p, 4000, own, stream));
  fill<<<4, 256, 0, stream>>>(p, 1000);
  static int host[1000];
  cudaMemcpyAsync(host, p, 4000, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host[999]);
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value);
  printf("used %s\n", value >= 4000 ? "some" : "none");
  say("free", cudaFreeAsync(p, stream));
  cudaStreamSynchronize(stream);
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value);
  printf("used %llu\n", (unsigned long long)value);
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &value);
  printf("high %s\n", value >= 4000 ? "some" : "none");
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrReservedMemCurrent, &value);
  printf("reserved %s\n", value > 0 ? "some" : "none");
  say("trim", cudaMemPoolTrimTo(own, 0));
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrReservedMemCurrent, &value);
  printf("reserved %llu\n", (unsigned long long)value);
  value = 0;
  say("reset high",
      cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &value));
  value = 5;
  say("set high",
      cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &value));

  say("set", cudaDeviceSetMemPool(0, own));
  cudaDeviceGetMemPool(&current, 0);
  printf("own %d\n", own == current);
  say("async", cudaMallocAsync((void **)&q, 100, stream));
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value);
  printf("used %s\n", value > 0 ? "some" : "none");
  say("plain free", cudaFree(q));
  cudaMemLocation location = { cudaMemLocationTypeDevice, 0 };
  cudaMemAccessFlags flags;
  say("access", cudaMemPoolGetAccess(&flags, own, &location));
  printf("flags %d\n", (int)flags);
  say("destroy default", cudaMemPoolDestroy(standard));
  say("destroy", cudaMemPoolDestroy(own));
  cudaDeviceGetMemPool(&current, 0);
  printf("back %d\n", standard == current);
  say("async", cudaMallocAsync((void **)&q, 100, stream));
  say("free", cudaFreeAsync(q, stream));
  say("nothing", cudaMallocAsync((void **)&q, 0, stream));
  say("free nothing", cudaFreeAsync(nullptr, stream));
  say("synchronize", cudaDeviceSynchronize());
}
