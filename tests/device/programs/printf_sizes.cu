// Formats of C that a GPU's printf does not have: printed is what C means, and
// the software device says once for each that a GPU prints something else.
#include <cstdio>

__global__ void text(size_t n)
{
  for (int i = 0; i < 2; i++)
    printf("%zu %hhd %i\n", n, (char)65, 9);
  printf("%.*f\n", 2, 1.23456);
  printf("%*d\n", 4, 7);
  printf("%td\n", (ptrdiff_t)-7);
  printf("%llu\n", (unsigned long long)n);
}

int main()
{
  text<<<1, 1>>>(4);
  return cudaDeviceSynchronize() != cudaSuccess;
}
