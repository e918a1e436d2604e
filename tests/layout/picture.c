/* The reader of pictures: what it must read, and what it must refuse, with
 * the words that say why.
 *
 *   picture <folder for files>
 *
 * Exit status: 0 all as it should be, 1 not. */
#include "common/picture.h"

static int failed;

static void complain(const char *name, const char *what, const char *said)
{
  fprintf(stderr, "%s: error: %s: '%s'\n", name, what, said);
  failed = 1;
}

static const char *path_of(const char *folder)
{
  static char path[1024];
  snprintf(path, sizeof path, "%s/picture-test.ppm", folder);
  return path;
}

static void write_file(const char *path, const char *bytes, size_t n)
{
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
}

typedef struct {
  const char *name;
  const char *header;
  size_t n_bytes;     /* of pixels behind the header */
  const char *reason; /* part of the refusal; NULL: it is read */
  size_t n_rows, n_cols;
} example;

static const example examples[] = {
  { "plain", "P6\n3 2\n255\n", 18, NULL, 2, 3 },
  { "one line", "P6 3 2 255 ", 18, NULL, 2, 3 },
  { "comments", "P6\n# by\n# me\n3 # wide\n 2\n255\n", 18, NULL, 2, 3 },
  { "carriage returns", "P6\r\n3\r2\t255\n", 18, NULL, 2, 3 },
  { "too few bytes", "P6\n3 2\n255\n", 17, "18 bytes; 17 follow", 0, 0 },
  { "too many bytes", "P6\n3 2\n255\n", 19, "18 bytes; 19 follow", 0, 0 },
  { "no pixels", "P6\n3 2\n255\n", 0, "18 bytes; 0 follow", 0, 0 },
  { "a lie of gigabytes", "P6\n32768 32768\n255\n", 18, "18 follow", 0, 0 },
  { "too wide", "P6\n32769 1\n255\n", 18, "1 to 32768", 0, 0 },
  { "no rows", "P6\n3 0\n255\n", 0, "1 to 32768", 0, 0 },
  { "below zero", "P6\n-3 2\n255\n", 18, "1 to 32768", 0, 0 },
  { "more digits than an int", "P6\n99999999999999999999 2\n255\n", 18,
    "1 to 32768", 0, 0 },
  { "no number", "P6\nthree 2\n255\n", 18, "1 to 32768", 0, 0 },
  { "half a number", "P6\n3.5 2\n255\n", 18, "1 to 32768", 0, 0 },
  { "16 bits", "P6\n3 2\n65535\n", 36, "must be 255", 0, 0 },
  { "no largest value", "P6\n3 2\n", 0, "must be 255", 0, 0 },
  { "grey", "P5\n3 2\n255\n", 6, "does not begin with P6", 0, 0 },
  { "text", "P3\n3 2\n255\n", 18, "does not begin with P6", 0, 0 },
  { "empty", "", 0, "does not begin with P6", 0, 0 },
  { "a comment without an end", "P6\n# 3 2 255", 0, "1 to 32768", 0, 0 },
};

/* Byte i of the pixels: zeros, white space and '#' are among them. */
static char byte_at(size_t i)
{
  return "\0\n# \xff"
         "9"[i % 6];
}

static void try_example(const example *e, const char *path)
{
  char file[256], error[PICTURE_ERROR_BYTES] = "";
  size_t n = strlen(e->header);
  picture p;
  memcpy(file, e->header, n);
  for (size_t i = 0; i < e->n_bytes; i++)
    file[n + i] = byte_at(i);
  write_file(path, file, n + e->n_bytes);
  int good = picture_read(&p, path, error);
  if (e->reason) {
    if (good)
      complain(e->name, "was read, but should be refused with", e->reason);
    else if (!strstr(error, e->reason) || !strstr(error, path))
      complain(e->name, "was refused without file and reason", error);
    else if (p.rgb || p.n_rows || p.n_cols)
      complain(e->name, "left something behind", error);
  } else if (!good) {
    complain(e->name, "was refused", error);
  } else if (p.n_rows != e->n_rows || p.n_cols != e->n_cols) {
    complain(e->name, "has other sides than its header says", e->header);
  } else {
    for (size_t i = 0; i < e->n_bytes; i++)
      if ((char)p.rgb[i] != byte_at(i))
        complain(e->name, "has other pixels than its file", e->header);
  }
  picture_free(&p);
}

static void try_round_trip(const char *path)
{
  char error[PICTURE_ERROR_BYTES] = "";
  picture from = picture_of_course("pavilion.ppm"), back;
  if (from.n_rows != 214 || from.n_cols != 320)
    complain("pavilion", "is not 320 x 214", "");
  if (!picture_write(&from, path, error) || !picture_read(&back, path, error)) {
    complain("round trip", "refused", error);
    return;
  }
  if (back.n_rows != from.n_rows || back.n_cols != from.n_cols ||
      memcmp(back.rgb, from.rgb, 3 * from.n_rows * from.n_cols) != 0)
    complain("round trip", "changed the picture", path);
  picture_free(&back);
  picture_free(&from);
}

int main(int argc, char **argv)
{
  char error[PICTURE_ERROR_BYTES] = "";
  const char *path = path_of(argc > 1 ? argv[1] : ".");
  picture p;
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
    try_example(&examples[i], path);
  try_round_trip(path);
  remove(path);
  if (picture_read(&p, path, error) || !strstr(error, "cannot be opened"))
    complain("absent", "not refused as it should be", error);
  if (!failed)
    printf("%zu files and a round trip: all right\n",
           sizeof examples / sizeof examples[0]);
  return failed;
}
