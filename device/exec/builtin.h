/* Device functions that the toolkit leaves undefined in PTX: vprintf,
 * __assertfail, malloc, free. */
#ifndef DEVICE_EXEC_BUILTIN_H
#define DEVICE_EXEC_BUILTIN_H

#include "machine.h"

/* Carries out one call for all active lanes. */
typedef const struct step *builtin(struct warp *w, const struct step *s);

/* Of one lane: its i-th argument, up to 8 bytes of it; what the call returns;
 * a value of `n` bytes for where a pointer points, false when nowhere. */
uint64_t builtin_argument(const struct warp *w, const struct step *s,
                          unsigned lane, unsigned i);
void builtin_result(const struct warp *w, const struct step *s, unsigned lane,
                    uint64_t value);
bool builtin_put(struct warp *w, const struct step *s, unsigned lane,
                 uint64_t address, uint64_t value, unsigned n);

/* All bytes of an argument; the kernel that a pointer means, or NULL; a launch
 * that cudaGetLastError will know of; bytes that a lane may read, or NULL. */
void builtin_argument_bytes(const struct warp *w, const struct step *s,
                            unsigned lane, unsigned i, void *to, size_t bytes);
const struct kernel *builtin_kernel(const struct program *program,
                                    uint64_t address);
enum { BUILTIN_CONFIGURATION = 9 }; /* cudaErrorInvalidConfiguration */
void builtin_launch_failed(const struct warp *w, unsigned lane);
builtin builtin_no_nesting;
const uint8_t *builtin_view(const struct warp *w, unsigned lane,
                            uint64_t address, size_t *bytes);

bool builtin_known(const char *name);
const struct step *builtin_call(struct warp *w, const struct step *s,
                                const struct function *callee);

/* Formats one call of device printf as CUDA does (Programming Guide, 10.35)
 * and returns the number of its arguments. *is_foreign becomes true where C
 * knows a size or a precision and a GPU's printf does not: printed is what C
 * means, a GPU takes the arguments apart wrongly from there on. *is_long
 * becomes true where there are more than 32 arguments: the rest of the format
 * is printed as it is.
 * `arguments` are packed at their natural alignment; strings are device
 * addresses, read through `read_string`. */
typedef const char *string_reader(void *context, uint64_t address);
int printf_format(FILE *output, const char *format, const uint8_t *arguments,
                  string_reader *read_string, void *context, bool *is_foreign,
                  bool *is_long);

#endif
