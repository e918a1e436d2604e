/* Contents of memory in words: what a line `buffer` or `set` has after its `=`. */
#ifndef DEVICE_REPORT_CONTENTS_H
#define DEVICE_REPORT_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The type as which the bytes read best: "f32", "s32" … `has_addresses`: some
 * of their words, each at a multiple of 8, are addresses. */
const char *contents_type(const void *bytes, size_t n, bool has_addresses);

/* Writes an address as what it means, or returns false. */
typedef bool put_address(FILE *out, uint64_t word);

/* Values that repeat, count up or are few; else false, and nothing is written. */
bool contents_put(FILE *out, const char *type, const void *bytes, size_t n,
                  put_address *put);

#endif
