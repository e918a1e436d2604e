/* Variables of the environment by which a user asks the device for something.
 *
 * One that is unset or empty stands for the default. A value that makes no
 * sense ends the process with status 2 and a message that says what was
 * expected, because going on would do something that was not asked for. */
#ifndef DEVICE_SUPPORT_SETTING_H
#define DEVICE_SUPPORT_SETTING_H

#include <stdint.h>

/* The text, or NULL when the variable is unset or empty. It belongs to the
 * environment. */
const char *setting_text(const char *name);

/* A whole number from `least` to `most`, in decimal digits alone. */
uint64_t setting_number(const char *name, uint64_t least, uint64_t most,
                        uint64_t otherwise);

/* A number of bytes, at least 1. K, M, G or T may follow, or KiB, MiB, GiB or
 * TiB: powers of 1024 both. */
uint64_t setting_bytes(const char *name, uint64_t otherwise);

/* Which of `n` words it is; `otherwise` when it is unset. */
unsigned setting_word(const char *name, const char *const *words, unsigned n,
                      unsigned otherwise);

/* Ends the process: `expected` completes "expected ...". */
_Noreturn void setting_refuse(const char *name, const char *text,
                              const char *expected);

#endif
