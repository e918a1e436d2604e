/* cuBLAS level 1. */
#include <cblas.h>

#include "job.h"
#include "sums.h"

#define TEMPLATE "level1_template.h"
#include "instances.h"
