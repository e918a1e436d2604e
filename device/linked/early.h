/* What redirect.c needs of a system while neither the C library is ready nor what
 * else is loaded with a program: a sanitizer, for one, brings functions of the
 * same names, which must not be called before its own start. */
#ifndef DEVICE_LINKED_EARLY_H
#define DEVICE_LINKED_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file's bytes, read-only; NULL when it can't be read. Given back with
 * early_unmap. */
const unsigned char *early_map(const char *path, size_t *bytes);
void early_unmap(const unsigned char *file, size_t bytes);

/* Whole pages of the program: to be written, or to be executed. */
bool early_let_write(uintptr_t begin, size_t bytes);
bool early_let_execute(uintptr_t begin, size_t bytes);

/* The path of what is executed: `n` is the size of `path`. */
bool early_program(char *path, size_t n);

/* As those of the C library. early_copy: false if `text` doesn't fit. */
bool early_equal(const char *a, const char *b);
size_t early_length(const char *text);
const char *early_last_slash(const char *path);
bool early_copy(char *to, size_t n, const char *text);

#endif
