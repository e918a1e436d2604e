/* One decoded instruction, and where its operands are. This is all that a
 * handler, the function that executes the instruction, needs to know of the
 * program.
 *
 * A warp's registers are arrays of 32 lanes: uint16_t[32], uint32_t[32] or
 * uint64_t[32]; a predicate is one uint32_t with a bit per lane. Immediate
 * operands are such arrays too, in the function's constants, so a handler
 * never asks what kind an operand is. */
#ifndef DEVICE_EXEC_STEP_H
#define DEVICE_EXEC_STEP_H

#include <stdint.h>

#define LANES 32
#define FULL UINT32_C(0xffffffff)
enum { LANE_ALIGNMENT = 64 };

/* Generic addresses of kernel parameters and of functions. */
#define PARAMETER_WINDOW UINT64_C(0x0300000000000000)
#define FUNCTION_WINDOW UINT64_C(0x0400000000000000)

struct warp;
struct step;

/* Where an operand lives: a multiple of 4 within one of a warp's areas,
 * with the area's number in the two low bits. */
typedef uint32_t slot;
enum area { AREA_FRAME, AREA_CONSTANTS, AREA_SPECIALS, AREA_BLOCK };
enum { SLOT_TRUE = 0 }; /* a predicate that always holds, in every frame */

/* Executes one decoded instruction for the active lanes of the current path.
 * Returns the next one, or NULL when the path cannot go on just now. */
typedef const struct step *step_function(struct warp *w, const struct step *s);

struct step {
  step_function *run;
  slot d, a, b, c;
  slot guard;            /* predicate; SLOT_TRUE when unconditional */
  uint32_t guard_invert; /* FULL for @!p */
  uint32_t record;       /* index of its counts in the program */
  uint32_t flags;        /* of the handler's own */
  uint64_t immediate;
  const void *extra; /* of the handler's own; owned by the program */
};

#endif
