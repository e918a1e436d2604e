/* cuBLAS level 3. */
#include <cblas.h>
#include <string.h>

#include "job.h"
#include "options.h"

#define TEMPLATE "level3_template.h"
#include "instances.h"
