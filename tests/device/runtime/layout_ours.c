#include "runtime/api.h"

#define FIELDS layout_ours
#include "layout_fields.h"
