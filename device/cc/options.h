/* The command line of `softdevice cc`: nvcc's options, as far as they mean
 * something here, and those of a C compiler that are handed on. Everything
 * else is refused by name. */
#ifndef DEVICE_CC_OPTIONS_H
#define DEVICE_CC_OPTIONS_H

#include <stdbool.h>

#include "words.h"

enum stage { STAGE_LINK, STAGE_OBJECT, STAGE_PTX };

struct options {
  enum stage stage;
  const char *output; /* NULL: named after the input, or a.out */
  const char *standard, *optimise;
  struct words inputs;    /* sources, objects and libraries in their order */
  struct words both;      /* for the compilation of host and device code */
  struct words host;      /* for that of host code only */
  struct words depend;    /* -MD and what belongs to it */
  struct words link;      /* for the linker */
  struct words libraries; /* -l…, after the inputs */
  int architecture;       /* 90 for 9.0 */
  bool is_specific;       /* 90a */
  bool contracts;         /* a * b + c becomes one operation */
  bool fast_math;
  bool host_lines; /* -g: the host's line numbers, too */
  bool unoptimised_device;
  bool says_commands, only_says;
};

struct options options_read(int n, char **word);

#endif
