/* cuBLAS level 2. */
#include <cblas.h>
#include <stdlib.h>

#include "../support/host_memory.h"
#include "job.h"
#include "options.h"
#include "solve.h"

#define TEMPLATE "level2_template.h"
#include "instances.h"
