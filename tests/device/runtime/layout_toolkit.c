#include <cuda_runtime_api.h>

#define FIELDS layout_toolkit
#include "layout_fields.h"
