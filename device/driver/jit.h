/* The options that come with device code: CUjit_option. Most are about code
 * that is not made here. */
#ifndef DEVICE_DRIVER_JIT_H
#define DEVICE_DRIVER_JIT_H

#include <stddef.h>

#include "driver.h"

enum jit_log { JIT_INFO, JIT_ERROR, JIT_LOGS };

struct jit {
  /* Where the program wants the messages, and where it reads how many bytes
   * there were; NULL: nowhere. */
  char *text[JIT_LOGS];
  size_t bytes[JIT_LOGS];
  void **bytes_slot[JIT_LOGS];
  unsigned max_registers; /* per thread; 0: no limit */
};

/* CUDA_ERROR_INVALID_VALUE if there are options without an array. */
CUresult jit_read(struct jit *jit, unsigned n, const int *options,
                  void **values);

/* Replaces a message, cut where the buffer ends. The number of bytes that the
 * program reads includes the zero at the end; the linker's does not. */
void jit_write(const struct jit *jit, enum jit_log log, const char *message);
void jit_write_length(const struct jit *jit, enum jit_log log,
                      const char *message);

#endif
