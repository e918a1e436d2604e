/* The calls of the runtime API that the core serves as they are. */
#include "../core/state.h"
#include "error.h"

/* Inside a host function that another call runs, this one is its own call. */
#define CALL(name, parameters, function, arguments)                            \
  cudaError_t name parameters                                                  \
  {                                                                            \
    struct call outer = call_begin((struct call){ NULL, false });              \
    cudaError_t error = function arguments;                                    \
    call_end(outer);                                                           \
    return error_leave(error);                                                 \
  }
#define SAME(name, variant) SAME_AS(name, variant);
#include "../core/calls.def"
