/* cuBLAS level 2. */
#include <cblas.h>

#include "job.h"
#include "options.h"

#define TEMPLATE "level2_template.h"
#include "instances.h"
