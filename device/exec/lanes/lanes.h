/* Handlers that work on 32 lanes at once. The files of this folder are
 * compiled several times, for plain x86-64, AVX2 and AVX-512 (or once, on
 * other machines); LANES_NAME gives each build its own table, and the
 * executor takes the best that the processor has. Loops are written so that
 * the compiler turns them into vector code.
 */
#ifndef DEVICE_EXEC_LANES_LANES_H
#define DEVICE_EXEC_LANES_LANES_H

#include "../machine.h"
#include "handlers.h"

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

/* Lane l of the result depends on lane l of the sources only, so the same
 * register may be source and result. */
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES; l++)

#define IN_LANES(type, w, s)                                                   \
  ((type *)__builtin_assume_aligned(slot_at(w, s), LANE_ALIGNMENT))

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define LANES_LOCAL(name) PASTE(PASTE(name, _), LANES_NAME)

/* Each file's part of the table. */
void LANES_LOCAL(lanes_arithmetic)(struct lane_handlers *handlers);
void LANES_LOCAL(lanes_compare)(struct lane_handlers *handlers);
void LANES_LOCAL(lanes_convert)(struct lane_handlers *handlers);
void LANES_LOCAL(lanes_memory)(struct lane_handlers *handlers);
void LANES_LOCAL(lanes_products)(struct lane_handlers *handlers);
void LANES_LOCAL(lanes_textures)(struct lane_handlers *handlers);

#endif
