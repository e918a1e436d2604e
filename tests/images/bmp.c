/* The reader of BMP files: every kind that people have must give the same
 * pixels, and what lies or is cut off must be refused, with words that say
 * why.
 *
 *   bmp <folder for files>
 *
 * Exit status: 0 all as it should be, 1 not. */
#include "common/bmp.h"

static int failed;

static void complain(const char *name, const char *what, const char *said)
{
  fprintf(stderr, "%s: error: %s: '%s'\n", name, what, said);
  failed = 1;
}

/* ---- files made to measure ---- */

typedef struct {
  unsigned char bytes[4096];
  size_t n;
} file;

static void put16(file *f, size_t at, uint32_t value)
{
  f->bytes[at] = (unsigned char)value;
  f->bytes[at + 1] = (unsigned char)(value >> 8);
}

static void put32(file *f, size_t at, uint32_t value)
{
  put16(f, at, value);
  put16(f, at + 2, value >> 16);
}

/* Channel c of the pixel that every good file must show there. */
static unsigned char value_at(int row, int col, int c)
{
  return (unsigned char)(1 + 50 * row + 7 * col + 83 * c);
}

typedef struct {
  const char *name;
  int n_cols, n_rows;
  int bits, header;    /* bytes of the header */
  int top_down, masks; /* masks: 0 none, 1 red first, 2 red last */
  int gap;             /* bytes between header and pixels */
} kind;

static const kind kinds[] = {
  { "24 bits, rows of 4n bytes", 4, 3, 24, 40, 0, 0, 0 },
  { "24 bits, 1 byte of padding", 5, 3, 24, 40, 0, 0, 0 },
  { "24 bits, 2 bytes of padding", 6, 2, 24, 40, 0, 0, 0 },
  { "24 bits, 3 bytes of padding", 7, 3, 24, 40, 0, 0, 0 },
  { "24 bits, one pixel", 1, 1, 24, 40, 0, 0, 0 },
  { "24 bits, top down", 5, 3, 24, 40, 1, 0, 0 },
  { "24 bits, OS/2", 3, 4, 24, 12, 0, 0, 0 },
  { "24 bits, version 4", 3, 4, 24, 108, 0, 0, 0 },
  { "24 bits, version 5, top down", 3, 4, 24, 124, 1, 0, 0 },
  { "24 bits, a gap", 5, 3, 24, 40, 0, 0, 17 },
  { "32 bits", 5, 3, 32, 40, 0, 0, 0 },
  { "32 bits, top down", 5, 3, 32, 40, 1, 0, 0 },
  { "32 bits, masks behind the header", 5, 3, 32, 40, 0, 2, 0 },
  { "32 bits, masks in the header", 5, 3, 32, 56, 0, 1, 0 },
  { "32 bits, masks, version 5", 5, 3, 32, 124, 1, 2, 0 },
};

static file make(const kind *k)
{
  file f = { { 0 }, 0 };
  int old = k->header == 12, behind = k->masks && k->header < 52 ? 12 : 0;
  size_t row_bytes = (size_t)(k->bits * k->n_cols + 31) / 32 * 4;
  size_t first = 14 + (size_t)k->header + behind + k->gap;
  f.n = first + row_bytes * k->n_rows;
  memcpy(f.bytes, "BM", 2);
  put32(&f, 2, (uint32_t)f.n);
  put32(&f, 10, (uint32_t)first);
  put32(&f, 14, (uint32_t)k->header);
  if (old) {
    put16(&f, 18, (uint32_t)k->n_cols);
    put16(&f, 20, (uint32_t)k->n_rows);
    put16(&f, 22, 1);
    put16(&f, 24, (uint32_t)k->bits);
  } else {
    put32(&f, 18, (uint32_t)k->n_cols);
    put32(&f, 22, (uint32_t)(k->top_down ? -k->n_rows : k->n_rows));
    put16(&f, 26, 1);
    put16(&f, 28, (uint32_t)k->bits);
    put32(&f, 30, k->masks ? 3 : 0);
  }
  int at[3] = { 2, 1, 0 };
  if (k->masks == 1)
    at[0] = 0, at[2] = 2;
  for (int c = 0; c < 3 && k->masks; c++)
    put32(&f, 54 + 4 * (size_t)c, 0xffu << (8 * at[c]));
  for (int row = 0; row < k->n_rows; row++)
    for (int col = 0; col < k->n_cols; col++)
      for (int c = 0; c < 3; c++)
        f.bytes[first +
                (size_t)(k->top_down ? row : k->n_rows - 1 - row) * row_bytes +
                (size_t)col * k->bits / 8 + at[c]] = value_at(row, col, c);
  return f;
}

static void expect_read(const kind *k, const file *f)
{
  char error[PICTURE_ERROR_BYTES] = "";
  picture p;
  if (!bmp_decode(&p, f->bytes, f->n, "test.bmp", error)) {
    complain(k->name, "was refused", error);
    return;
  }
  int same = p.n_rows == (size_t)k->n_rows && p.n_cols == (size_t)k->n_cols;
  for (int row = 0; row < k->n_rows && same; row++)
    for (int col = 0; col < k->n_cols; col++)
      for (int c = 0; c < 3; c++)
        same &= p.rgb[3 * ((size_t)row * k->n_cols + col) + c] ==
                value_at(row, col, c);
  if (!same)
    complain(k->name, "gives other pixels", "");
  picture_free(&p);
}

static void expect_refused(const char *name, const file *f, const char *reason)
{
  char error[PICTURE_ERROR_BYTES] = "";
  picture p;
  if (bmp_decode(&p, f->bytes, f->n, "test.bmp", error)) {
    complain(name, "was read, but should be refused with", reason);
    picture_free(&p);
  } else if (!strstr(error, reason) || !strstr(error, "test.bmp")) {
    complain(name, "was refused without file and reason", error);
  } else if (p.rgb || p.n_rows || p.n_cols) {
    complain(name, "left something behind", error);
  }
}

/* ---- lies: a good file with one number changed ---- */

typedef struct {
  const char *name;
  int header, masks, bits;
  size_t at;
  int n_bytes; /* 2 or 4 */
  uint32_t value;
  const char *reason;
} lie;

static const lie lies[] = {
  { "no BM", 40, 0, 24, 0, 2, 0x4142, "does not begin with BM" },
  { "a larger file", 40, 0, 24, 2, 4, 100000, "promises 100000 bytes" },
  { "pixels in the header", 40, 0, 24, 10, 4, 53, "from byte 53 on" },
  { "pixels behind the end", 40, 0, 24, 10, 4, 5000, "from byte 5000 on" },
  { "pixels far behind it", 40, 0, 24, 10, 4, 0xffffffff, "from byte" },
  { "pixels that do not fit", 40, 0, 24, 10, 4, 55, "the file has" },
  { "a header of 16 bytes", 40, 0, 24, 14, 4, 16, "a header of 16 bytes" },
  { "a header of gigabytes", 40, 0, 24, 14, 4, 0xfffffff0, "a header of" },
  { "a header beyond the end", 40, 0, 24, 14, 4, 124, "ends inside" },
  { "no columns", 40, 0, 24, 18, 4, 0, "from 1 to 32768" },
  { "columns below zero", 40, 0, 24, 18, 4, 0xfffffffb, "and 3" },
  { "too many columns", 40, 0, 24, 18, 4, 32769, "32769" },
  { "more columns than pixels", 40, 0, 24, 18, 4, 6, "6 x 3 pixels" },
  { "no rows", 40, 0, 24, 22, 4, 0, "from 1 to 32768" },
  { "the lowest number of rows", 40, 0, 24, 22, 4, 0x80000000, "2147483648" },
  { "gigabytes of rows", 40, 0, 24, 22, 4, 32768, "5 x 32768 pixels" },
  { "two planes", 40, 0, 24, 26, 2, 2, "planes" },
  { "8 bits", 40, 0, 24, 28, 2, 8, "8 bits a pixel" },
  { "16 bits", 40, 0, 24, 28, 2, 16, "16 bits a pixel" },
  { "no bits", 40, 0, 24, 28, 2, 0, "0 bits a pixel" },
  { "compressed", 40, 0, 24, 30, 4, 1, "compression 1" },
  { "masks for 24 bits", 40, 0, 24, 30, 4, 3, "compression 3" },
  { "JPEG inside", 40, 0, 32, 30, 4, 4, "compression 4" },
  { "a mask of 10 bits", 56, 1, 32, 54, 4, 0x3ff, "masks" },
  { "a mask between bytes", 56, 1, 32, 54, 4, 0xff0, "masks" },
  { "two equal masks", 56, 1, 32, 58, 4, 0xff, "masks" },
  { "an empty mask", 40, 1, 32, 54, 4, 0, "masks" },
};

static file with_lie(const lie *l)
{
  kind k = { l->name, 5, 3, l->bits, l->header, 0, l->masks, 0 };
  file f = make(&k);
  if (l->n_bytes == 2)
    put16(&f, l->at, l->value);
  else
    put32(&f, l->at, l->value);
  return f;
}

/* A file that ends too early, wherever it ends, is refused. */
static void try_cut(const kind *k)
{
  file f = make(k);
  char error[PICTURE_ERROR_BYTES];
  picture p;
  for (size_t n = 0; n < f.n; n++)
    for (int promised = 0; promised < 2; promised++) {
      file cut = f;
      cut.n = n;
      if (!promised && n >= 6)
        put32(&cut, 2, 0); /* nothing said about its size */
      if (bmp_decode(&p, cut.bytes, n, "test.bmp", error)) {
        complain(k->name, "was read although it is cut off", "");
        picture_free(&p);
        return;
      }
    }
}

static void try_any(const char *folder)
{
  char path[1024], error[PICTURE_ERROR_BYTES] = "";
  file f = make(&kinds[1]);
  picture p;
  snprintf(path, sizeof path, "%s/bmp-test", folder);
  FILE *out = fopen(path, "wb");
  if (!out || fwrite(f.bytes, 1, f.n, out) != f.n || fclose(out) != 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  if (!picture_read_any(&p, path, error))
    complain("a file", "was refused", error);
  picture_free(&p);
  remove(path);
  if (picture_read_any(&p, path, error) || !strstr(error, "opened"))
    complain("no file", "was not refused as it should be", error);
}

int main(int argc, char **argv)
{
  size_t n_kinds = sizeof kinds / sizeof kinds[0];
  size_t n_lies = sizeof lies / sizeof lies[0];
  for (size_t i = 0; i < n_kinds; i++) {
    file f = make(&kinds[i]);
    expect_read(&kinds[i], &f);
    memset(f.bytes + f.n, 0x5a, 3); /* some writers add a few bytes */
    f.n += 3;
    expect_read(&kinds[i], &f);
    try_cut(&kinds[i]);
  }
  for (size_t i = 0; i < n_lies; i++) {
    file f = with_lie(&lies[i]);
    expect_refused(lies[i].name, &f, lies[i].reason);
  }
  try_any(argc > 1 ? argv[1] : ".");
  if (!failed)
    printf("%zu kinds, each cut everywhere, and %zu lies: all right\n", n_kinds,
           n_lies);
  return failed;
}
