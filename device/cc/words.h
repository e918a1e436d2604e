/* Lists of words, texts that grow, and files: what a command line is made of. */
#ifndef DEVICE_CC_WORDS_H
#define DEVICE_CC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Ends with NULL, as execvp wants it. It owns its words. */
struct words {
  char **word;
  size_t n, capacity;
};

void words_add(struct words *words, const char *word);

/* Adds copies of words until a NULL. */
void words_add_all(struct words *words, ...) __attribute__((sentinel));
void words_add_list(struct words *words, const struct words *more);

struct text {
  char *start; /* ends with '\0' once something was added */
  size_t n, capacity;
};

void text_add(struct text *text, const char *from, size_t n);
void text_say(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text for the caller to free. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what is wrong on stderr, as "softdevice cc: error: …", and exits with
 * status 2. */
_Noreturn void fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* The whole file, '\0'-terminated, for the caller to free. */
char *file_read(const char *path, size_t *n);
void file_write(const char *path, const void *bytes, size_t n);

bool ends_with(const char *word, const char *end);

/* The rest of `word` if it begins with `start`, or NULL. */
const char *after(const char *word, const char *start);

/* Where the next line begins, or the text ends. */
const char *line_end(const char *p);

/* strstr within [from, to). */
const char *find_in(const char *from, const char *to, const char *what);

#endif
