/* CUB, for the programs of this chapter; see vendor.h. */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "common/cuda_check.h"
#include "scan/vendor.h"

size_t vendor_scan_bytes(size_t n)
{
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceScan::ExclusiveSum(
      NULL, bytes, (const unsigned *)NULL, (unsigned *)NULL, n));
  return bytes;
}

void vendor_scan(unsigned *d_out, const unsigned *d_in, size_t n,
                 void *d_work)
{
  size_t bytes = vendor_scan_bytes(n);
  CUDA_CHECK(cub::DeviceScan::ExclusiveSum(d_work, bytes, d_in, d_out, n));
}

struct below {
  unsigned limit;
  __host__ __device__ bool operator()(unsigned x) const { return x < limit; }
};

size_t vendor_select_bytes(size_t n)
{
  size_t bytes = 0;
  below wanted = {0};
  CUDA_CHECK(cub::DeviceSelect::If(
      NULL, bytes, (const unsigned *)NULL, (unsigned *)NULL,
      (unsigned *)NULL, n, wanted));
  return bytes;
}

void vendor_select(unsigned *d_out, unsigned *d_kept, const unsigned *d_in,
                   size_t n, unsigned limit, void *d_work)
{
  size_t bytes = vendor_select_bytes(n);
  below wanted = {limit};
  CUDA_CHECK(cub::DeviceSelect::If(d_work, bytes, d_in, d_out, d_kept, n,
                                   wanted));
}

size_t vendor_sort_bytes(size_t n)
{
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceRadixSort::SortKeys(
      NULL, bytes, (const unsigned *)NULL, (unsigned *)NULL, n));
  return bytes;
}

void vendor_sort(unsigned *d_out, const unsigned *d_in, size_t n,
                 void *d_work)
{
  size_t bytes = vendor_sort_bytes(n);
  CUDA_CHECK(cub::DeviceRadixSort::SortKeys(d_work, bytes, d_in, d_out, n));
}
