/* Reads HTML as this book writes it: every element closed, every attribute
 * quoted. Stricter than a browser on purpose. */
#ifndef BOOK_CHECK_HTML_H
#define BOOK_CHECK_HTML_H

#include <stdbool.h>
#include <stddef.h>

enum { max_attributes = 32 };

struct attribute {
  char *name;
  char *value; /* entities resolved; "" where no value is given */
};

struct tag {
  char *name;
  int line;
  bool closes;  /* </name> */
  bool is_void; /* <br>, or <path/> inside of a drawing */
  int n_attributes;
  struct attribute attributes[max_attributes];
};

struct html_reader {
  const char *at;
  int line;
  bool has_doctype;
  bool text_before; /* was there text between the last tag and this one? */
  /* Contents of the <script> or <style> that began with the last tag. */
  const char *raw;
  size_t raw_length;
  char *fault; /* why the text cannot be read on, or NULL */
};

void html_open(struct html_reader *reader, const char *text);

/* Reads up to and with the next tag. The tag owns its strings until
 * tag_free. False at the end of the text, or with reader->fault set. */
bool html_next(struct html_reader *reader, struct tag *tag);

void tag_free(struct tag *tag);

/* The attribute's value, or NULL if the tag has none of that name. */
const char *tag_get(const struct tag *tag, const char *name);

/* Replaces &amp; and its like by what they stand for, in place. */
void resolve_entities(char *text);

/* Part of a string as one of its own, to be freed. */
char *text_part(const char *text, size_t length);

/* printf into a string of its own, to be freed. */
char *text_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif
