/* Pictures in files: binary PPM (P6), 8 bits for each of red, green and blue.
 *
 *   picture p;
 *   char error[PICTURE_ERROR_BYTES];
 *   if (!picture_read(&p, path, error))
 *     fprintf(stderr, "error: %s\n", error);
 *   ... p.rgb[3 * (row * p.n_cols + col) + channel] ...
 *   picture_free(&p);
 *
 * Nothing that a file says about itself is believed: a header that promises
 * more or fewer bytes than there are is refused, and so is a size that no
 * picture has.  The pixels belong to the caller, until picture_free. */
#ifndef CODE_COMMON_PICTURE_H
#define CODE_COMMON_PICTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  PICTURE_PATH_BYTES = 1024,
  PICTURE_ERROR_BYTES = PICTURE_PATH_BYTES + 176,   /* a path, a reason */
  PICTURE_SIDE_LIMIT = 1 << 15   /* pixels; 3 · 2^30 bytes are the largest */
};

typedef struct {
  size_t n_rows, n_cols;
  unsigned char *rgb;   /* row by row; red, green, blue of each pixel */
} picture;

/* Writes the reason into error[] and returns 0. */
static inline int picture_refuse(char *error, const char *path,
                                 const char *reason)
{
  snprintf(error, PICTURE_ERROR_BYTES, "%s: %s", path, reason);
  return 0;
}

/* The next byte that is neither in a comment nor, with skip_space, white. */
static inline int picture_next(FILE *file, int skip_space)
{
  for (;;) {
    int c = getc(file);
    if (c == '#')
      while (c != '\n' && c != EOF)
        c = getc(file);
    if (!skip_space || !strchr(" \t\r\n\v\f", c) || c == EOF || c == '\0')
      return c;
  }
}

/* A number of the header and the one white character after it; -1: there is
 * none, or it is larger than any that makes sense. */
static inline long picture_number(FILE *file)
{
  int c = picture_next(file, 1);
  long value = 0;
  if (c < '0' || c > '9')
    return -1;
  for (; c >= '0' && c <= '9'; c = getc(file))
    if ((value = 10 * value + (c - '0')) > 1 << 20)
      return -1;
  return c != EOF && c != '\0' && strchr(" \t\r\n\v\f", c) ? value : -1;
}

/* How many bytes of the file are left; -1: it cannot be said. */
static inline long long picture_bytes_left(FILE *file)
{
  long at = ftell(file);
  if (at < 0 || fseek(file, 0, SEEK_END) != 0)
    return -1;
  long end = ftell(file);
  return end < 0 || fseek(file, at, SEEK_SET) != 0 ? -1
                                                   : (long long)end - at;
}

static inline int picture_read_open(picture *p, FILE *file, const char *path,
                                    char *error)
{
  char reason[160];
  if (getc(file) != 'P' || getc(file) != '6')
    return picture_refuse(error, path, "not a binary PPM: it does not begin "
                          "with P6");
  long n_cols = picture_number(file), n_rows = picture_number(file);
  long highest = picture_number(file);
  if (n_cols < 1 || n_rows < 1 || n_cols > PICTURE_SIDE_LIMIT ||
      n_rows > PICTURE_SIDE_LIMIT)
    return picture_refuse(error, path, "its width and height must be whole "
                          "numbers from 1 to 32768");
  if (highest != 255)
    return picture_refuse(error, path, "its largest value must be 255: 8 "
                          "bits a channel");
  long long needed = 3LL * n_rows * n_cols, left = picture_bytes_left(file);
  if (left != needed) {
    snprintf(reason, sizeof reason, "its header promises %ld x %ld pixels, "
             "%lld bytes; %lld follow", n_cols, n_rows, needed, left);
    return picture_refuse(error, path, reason);
  }
  p->rgb = (unsigned char *)malloc((size_t)needed);
  if (!p->rgb)
    return picture_refuse(error, path, "no memory for its pixels");
  if (fread(p->rgb, 1, (size_t)needed, file) != (size_t)needed) {
    free(p->rgb);
    p->rgb = NULL;
    return picture_refuse(error, path, "its pixels cannot be read");
  }
  p->n_rows = (size_t)n_rows;
  p->n_cols = (size_t)n_cols;
  return 1;
}

/* 1: *p is the picture.  0: error[] says why not, and *p is empty. */
static inline int picture_read(picture *p, const char *path, char *error)
{
  memset(p, 0, sizeof *p);
  FILE *file = fopen(path, "rb");
  if (!file)
    return picture_refuse(error, path, "cannot be opened");
  int good = picture_read_open(p, file, path, error);
  fclose(file);
  return good;
}

/* 1: written.  0: error[] says why not. */
static inline int picture_write(const picture *p, const char *path,
                                char *error)
{
  size_t n_bytes = 3 * p->n_rows * p->n_cols;
  FILE *file = fopen(path, "wb");
  if (!file)
    return picture_refuse(error, path, "cannot be opened for writing");
  int good = fprintf(file, "P6\n%zu %zu\n255\n", p->n_cols, p->n_rows) > 0 &&
             fwrite(p->rgb, 1, n_bytes, file) == n_bytes;
  good &= fclose(file) == 0;
  return good || picture_refuse(error, path, "cannot be written");
}

static inline void picture_free(picture *p)
{
  free(p->rgb);
  memset(p, 0, sizeof *p);
}

/* One of common/pictures/; the program ends if it cannot be read.  It is
 * looked for next to this header, where the compiler found that. */
static inline picture picture_of_course(const char *name)
{
  static const char here[] = __FILE__;
  const char *slash = strrchr(here, '/');
  char path[PICTURE_PATH_BYTES], error[PICTURE_ERROR_BYTES];
  picture p;
  snprintf(path, sizeof path, "%.*spictures/%s",
           slash ? (int)(slash - here) + 1 : 0, here, name);
  if (!picture_read(&p, path, error)) {
    fflush(stdout);
    fprintf(stderr, "error: %s\n", error);
    exit(EXIT_FAILURE);
  }
  return p;
}

#endif
