/* Video instructions (PTX ISA 9.7.18): arithmetic on a byte, half or word of
 * each source, or on two halves or four bytes at once. */
#ifndef DEVICE_EXEC_VIDEO_H
#define DEVICE_EXEC_VIDEO_H

#include "lanes/handlers.h"
#include "machine.h"

enum video_op {
  VIDEO_ADD,
  VIDEO_SUB,
  VIDEO_ABSDIFF,
  VIDEO_MIN,
  VIDEO_MAX,
  VIDEO_AVRG,
  VIDEO_SHL,
  VIDEO_SHR,
  VIDEO_MAD,
  VIDEO_SET
};
enum video_second {
  VIDEO_NONE,
  VIDEO_THEN_ADD,
  VIDEO_THEN_MIN,
  VIDEO_THEN_MAX,
  VIDEO_MERGE
};

struct video_source {
  bool is_signed, negated;
  uint8_t part[4]; /* parts of b:a, as many as there are lanes */
};
struct video_extra {
  enum video_op op;
  enum video_second second;
  enum comparison comparison;
  unsigned parts;            /* 1, 2 or 4 at once */
  unsigned bits;             /* of a part of a SIMD instruction: 8, 16, 32 */
  unsigned a_bits, b_bits;   /* of the part that a single one selects */
  unsigned to_bits, to_part; /* where a single one's result goes */
  uint8_t mask;              /* parts that are written, or added up */
  struct video_source a, b;
  bool result_signed, saturates, wraps, plus_one, c_negated;
  unsigned shift; /* vmad: .shr7, .shr15 */
};
step_function video_run;

#endif
