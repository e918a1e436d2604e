/* What an SM does in a cycle, by compute capability: the rows of rates.def.
 * How many threads and blocks it can hold is in occupancy/occupancy.h. */
#ifndef CODE_HARDWARE_CAPABILITY_H
#define CODE_HARDWARE_CAPABILITY_H

#include <stddef.h>

typedef struct {
  int capability;             /* 90 for 9.0 */
  const char *architecture;
  int fp32, fp64, special;    /* results per cycle; 0: see rates.def */
  int int_add, int_mad, shift, compare, logic, popc;
  int schedulers;
  const char *source;
} capability_rates;

static const capability_rates capability_all_rates[] = {
#define RATES(...) {__VA_ARGS__},
#include "hardware/rates.def"
#undef RATES
};
enum {
  CAPABILITY_N_RATES = sizeof capability_all_rates /
                       sizeof capability_all_rates[0]
};

/* NULL for a compute capability that rates.def does not have. */
static inline const capability_rates *capability_rates_of(int capability)
{
  for (int i = 0; i < CAPABILITY_N_RATES; i++)
    if (capability_all_rates[i].capability == capability)
      return &capability_all_rates[i];
  return NULL;
}

#endif
