/* CUDA C for the software device, compiled by clang: `softdevice cc` includes
 * this before the first line of a program, as nvcc does with its own. */
#ifndef SOFTDEVICE_CUDA_RUNTIME_H
#define SOFTDEVICE_CUDA_RUNTIME_H

#if defined(__CUDA__) && defined(__clang__)
#include "crt/host_defines.h"
#include "softdevice/math_forward.h"

#include <cmath>
#include <math.h>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <new>
#include <type_traits>

#include "vector_types.h"
#include "vector_functions.h"
#include "device_launch_parameters.h"
#include "cuda_runtime_api.h"
#include "channel_descriptor.h"
#include "softdevice/host_calls.h"
#include "softdevice/launch.h"

#include "softdevice/sync.h"
#include "softdevice/warp.h"
#include "softdevice/atomic.h"
#include "softdevice/load_store.h"
#include "softdevice/system.h"
#include "softdevice/integer.h"
#include "softdevice/ordered.h"
#include "softdevice/convert.h"
#include "softdevice/simd.h"
#include "softdevice/math_intrinsic.h"
#include "softdevice/math_double.h"
#include "softdevice/math_float.h"
#include "softdevice/math_overload.h"
#include "softdevice/texture.h"
#else
/* A part of the program in C or C++: the calls, and no device code. */
#include "cuda_runtime_api.h"
#endif

#endif
