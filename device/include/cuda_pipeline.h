/* Another name of cuda_pipeline_primitives.h: cuda::pipeline is libcu++'s. */
#include "cuda_pipeline_primitives.h"
