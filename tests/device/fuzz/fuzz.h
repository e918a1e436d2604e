/* Fuzz targets of the software device: each takes any bytes and must come
 * back, without a crash, a leak or a large allocation. They return 0 as
 * libFuzzer expects, and abort when a promise is broken. */
#ifndef TESTS_DEVICE_FUZZ_FUZZ_H
#define TESTS_DEVICE_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* PTX text: parsed, decoded, described. */
int fuzz_ptx(const uint8_t *data, size_t bytes);

/* A fat binary: all entries, unpacked. */
int fuzz_fatbin(const uint8_t *data, size_t bytes);

/* LLVM's text: made PTX, which is parsed. */
int fuzz_ir(const uint8_t *data, size_t bytes);

/* Choices for a random program, which is run in order and shuffled. */
int fuzz_execute(const uint8_t *data, size_t bytes);

/* Counts of the last target, for a report; see execute.c. */
struct fuzz_statistics {
  unsigned long programs, instructions, faults, compared;
};
extern struct fuzz_statistics fuzz_statistics;

#endif
