/* One program in two parts. The first treats every element by itself and can
 * be shared among cores or given to a GPU; the second goes from element to
 * element and cannot. */
#ifndef CODE_SPEEDUP_WORK_H
#define CODE_SPEEDUP_WORK_H

#include <stddef.h>

#ifdef __CUDACC__
#define WORK_ANYWHERE __host__ __device__ static inline
#else
#define WORK_ANYWHERE static inline
#endif

// begin approach
/* Comes closer to the cube root of `target`, step by step. */
WORK_ANYWHERE float approach(float target, int n_steps)
{
  float x = 1.0f;
  for (int step = 0; step < n_steps; step++)
    x -= 0.125f * (x * x * x - target);
  return x;
}
// end approach

/* Each element is drawn towards the one before: a chain of n links. */
static inline void smooth(float *x, size_t n)
{
  float level = x[0];
  for (size_t i = 0; i < n; i++) {
    level += 0.25f * (x[i] - level);
    x[i] = level;
  }
}

/* Between 1 and 2, where approach() is stable. */
static inline void work_targets(float *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = 1.0f + (float)((i + 1) * 2654435761u % 1000003u) / 1000003.0f;
}

#endif
