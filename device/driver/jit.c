/* Reads options of the compiler, and writes its messages. */
#include "jit.h"

#include <stdint.h>
#include <string.h>

#include "../core/occupancy.h"

static unsigned less(unsigned limit, unsigned other)
{
  return limit == 0 || (other != 0 && other < limit) ? other : limit;
}

/* As many registers as so many threads can have. */
static unsigned registers_for(unsigned threads)
{
  unsigned n = THREAD_REGISTERS;
  while (n > 1 && threads > (unsigned)occupancy_most_threads((int)n))
    n--;
  return n;
}

CUresult jit_read(struct jit *jit, unsigned n, const int *options,
                  void **values)
{
  *jit = (struct jit){ .max_registers = 0 };
  if (n > 0 && (options == NULL || values == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < n; i++) {
    unsigned value = (unsigned)(uintptr_t)values[i];
    switch (options[i]) {
    case CU_JIT_MAX_REGISTERS:
      jit->max_registers = less(jit->max_registers, value);
      break;
    case CU_JIT_THREADS_PER_BLOCK:
      jit->max_registers = less(jit->max_registers, registers_for(value));
      break;
    case CU_JIT_INFO_LOG_BUFFER: jit->text[JIT_INFO] = values[i]; break;
    case CU_JIT_ERROR_LOG_BUFFER: jit->text[JIT_ERROR] = values[i]; break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      jit->bytes[JIT_INFO] = value;
      jit->bytes_slot[JIT_INFO] = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      jit->bytes[JIT_ERROR] = value;
      jit->bytes_slot[JIT_ERROR] = &values[i];
      break;
    }
  }
  return CUDA_SUCCESS;
}

/* Returns how many bytes there are now, without the zero. */
static size_t put(const struct jit *jit, enum jit_log log, const char *message)
{
  size_t n = strlen(message);
  if (jit->text[log] == NULL || jit->bytes[log] == 0)
    return 0;
  if (n >= jit->bytes[log])
    n = jit->bytes[log] - 1;
  memcpy(jit->text[log], message, n);
  jit->text[log][n] = '\0';
  return n;
}

void jit_write(const struct jit *jit, enum jit_log log, const char *message)
{
  size_t n = put(jit, log, message);
  if (jit->bytes_slot[log] != NULL)
    *jit->bytes_slot[log] = (void *)(uintptr_t)(n > 0 ? n + 1 : 0);
}

void jit_write_length(const struct jit *jit, enum jit_log log,
                      const char *message)
{
  size_t n = put(jit, log, message);
  if (jit->bytes_slot[log] != NULL)
    *jit->bytes_slot[log] = (void *)(uintptr_t)n;
}
