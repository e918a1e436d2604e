/* What a product is, once its descriptors have been looked at. */
#ifndef DEVICE_CUBLASLT_PLAN_H
#define DEVICE_CUBLASLT_PLAN_H

#include <stdbool.h>

#include "descriptor.h"

struct plan {
  const struct lt_product *what;
  const struct lt_layout *a, *b, *c, *d;
  int64_t m, n, k, count; /* D has m rows and n columns; of each so many */
  int bias_type, aux_type;
  int has; /* the parts of the epilogue, LT_… */
};

/* Success, or the reason in a line on stderr. Looks at no memory of the
 * device's. */
cublasStatus_t plan_make(struct plan *plan, const char *call,
                         const struct lt_product *what,
                         const struct lt_layout *a, const struct lt_layout *b,
                         const struct lt_layout *c, const struct lt_layout *d);

/* May these types be multiplied? */
bool plan_has_types(int compute, int scale, int a, int b, int c, int d);

#endif
