/* cuBLAS level 3. */
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "job.h"
#include "options.h"
#include "solve.h"

#define TEMPLATE "level3_template.h"
#include "instances.h"
