/* A test program holds several behaviours; Meson runs it once for each:
 *
 *   BEHAVIOUR(zero_bytes) { CHECK(cudaMalloc(&p, 0) == cudaSuccess); }
 *
 * `program zero_bytes` runs that one, `program --names` lists them.
 */
#ifndef TESTS_DEVICE_RUNTIME_TEST_H
#define TESTS_DEVICE_RUNTIME_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct behaviour {
  const char *name;
  void (*run)(void);
  struct behaviour *next;
};

void test_register(struct behaviour *behaviour);

#define BEHAVIOUR(name)                                                        \
  static void run_##name(void);                                                \
  static struct behaviour behaviour_##name = { #name, run_##name, 0 };         \
  __attribute__((constructor)) static void register_##name(void)               \
  {                                                                            \
    test_register(&behaviour_##name);                                          \
  }                                                                            \
  static void run_##name(void)

/* Ends the test with the place and what was expected. */
#define CHECK(condition)                                                       \
  ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, #condition))
#define CHECK_EQUAL(actual, expected)                                          \
  test_equal(__FILE__, __LINE__, #actual, (long long)(actual),                 \
             (long long)(expected))
#define CHECK_HAS(text, part) test_has(__FILE__, __LINE__, #text, text, part)
#define CHECK_TEXT(actual, expected)                                           \
  test_text(__FILE__, __LINE__, #actual, actual, expected)

void test_fail(const char *file, int line, const char *what);
void test_equal(const char *file, int line, const char *what, long long actual,
                long long expected);
void test_has(const char *file, int line, const char *what, const char *text,
              const char *part);
void test_text(const char *file, int line, const char *what, const char *actual,
               const char *expected);

/* What is written to file descriptor `fd` between the two calls; the text
 * stays valid until the next one. */
void capture_begin(int fd);
const char *capture_end(void);

/* Runs `run` in a child: its exit status, or minus the signal that ended it.
 * `*text`, unless NULL, is what it wrote to `fd`. */
int in_child(void (*run)(void), int fd, const char **text);

/* Contents of a file; ends the test when it cannot be read. */
const char *file_text(const char *path);

#endif
