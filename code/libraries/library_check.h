/* Every call of cuFFT and cuRAND is checked, as CUDA_CHECK does for the
 * runtime: LIBRARY_CHECK(cufftPlan1d(&plan, 1024, CUFFT_C2C, 1)).  Both
 * libraries' codes are 0 for success; what else they mean is in cufft.h and
 * curand.h. */
#ifndef CODE_LIBRARIES_LIBRARY_CHECK_H
#define CODE_LIBRARIES_LIBRARY_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static inline void library_check_at(int status, const char *call,
                                    const char *file, int line)
{
  if (status == 0)
    return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: error: %s: status %d\n", file, line, call, status);
  exit(EXIT_FAILURE);
}

#define LIBRARY_CHECK(call) \
  library_check_at((int)(call), #call, __FILE__, __LINE__)

#endif
