/* Compiled and linked when the build is configured: what a module needs. */
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  __extension__ typedef __int128 wide;

  printf("%f %d\n", fma(argc, 0.1, 2.0), (int)((wide)argc * argc / 3));
  return argv == NULL;
}
