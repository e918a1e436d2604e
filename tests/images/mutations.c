/* Both readers on files that are wrong in ways that nobody thought of: good
 * files with bytes changed, cut and repeated, compiled with the sanitizers
 * of addresses and undefined behaviour. A reader may read or refuse; it may
 * not touch what is not its own, and must say why it refuses.
 *
 * With clang -fsanitize=fuzzer -DFUZZER the same for libFuzzer.
 *
 * Exit status: 0 if nothing happened. */
#define _GNU_SOURCE /* fmemopen */
#include "common/bmp.h"
#include "common/random.h"

static void need(int condition, const char *what)
{
  if (condition)
    return;
  fprintf(stderr, "mutations: error: %s\n", what);
  abort();
}

/* What a caller does with the answer. */
static unsigned use(int good, picture *p, const char *error)
{
  unsigned sum = 0;
  need(good || (!p->rgb && !p->n_rows && !p->n_cols), "something left");
  need(good || strstr(error, "test: "), "refused without a reason");
  for (size_t i = 0; i < 3 * p->n_rows * p->n_cols; i++)
    sum += p->rgb[i];
  picture_free(p);
  return sum;
}

static void try_both(const uint8_t *bytes, size_t n)
{
  char error[PICTURE_ERROR_BYTES] = "";
  picture p;
  volatile unsigned sum;
  sum = use(bmp_decode(&p, bytes, n, "test", error), &p, error);
  if (n > 0) {
    FILE *file = fmemopen((void *)(uintptr_t)bytes, n, "rb");
    need(file != NULL, "no memory file");
    memset(&p, 0, sizeof p);
    sum += use(picture_read_open(&p, file, "test", error), &p, error);
    fclose(file);
  }
  (void)sum;
}

#ifdef FUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  try_both(bytes, n);
  return 0;
}
#else

static const unsigned char bmp[] = {
  'B', 'M', 122, 0, 0, 0,   0, 0, 0,   0, 66, 0,   0, 0, 40, 0, 0,
  0,   3,   0,   0, 0, 2,   0, 0, 0,   1, 0,  32,  0, 3, 0,  0, 0,
  0,   0,   0,   0, 0, 0,   0, 0, 0,   0, 0,  0,   0, 0, 0,  0, 0,
  0,   0,   0,   0, 0, 255, 0, 0, 255, 0, 0,  255, 0, 0, 0,
};
static const char ppm[] = "P6\n# a comment\n3 2\n255\nabcdefghijklmnopqr";

/* Numbers at which programs break. */
static const uint32_t edges[] = {
  0,       1,          12,         24,         32,         40,
  52,      124,        255,        0x7fff,     0x8000,     0xffff,
  0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xffffffd8, 0x55555556,
};

static size_t mutate(random_source *source, uint8_t *bytes, size_t n,
                     size_t room)
{
  for (int k = 1 + (int)random_below(source, 4); k > 0 && n > 4; k--) {
    size_t at = random_below(source, n - 3);
    uint32_t edge = edges[random_below(source, sizeof edges / 4)];
    switch (random_below(source, 5)) {
    case 0: bytes[at] = (uint8_t)random_bits(source); break;
    case 1: bytes[at] ^= 1 << random_below(source, 8); break;
    case 2: memcpy(bytes + at, &edge, random_below(source, 2) ? 4 : 2); break;
    case 3: n = at + 1; break;
    default:
      if (n + at < room) {
        memmove(bytes + n, bytes, at);
        n += at;
      }
    }
  }
  return n;
}

int main(void)
{
  enum { N_TRIES = 80000, ROOM = 512 };
  random_source source = random_from_seed(20);
  for (int i = 0; i < N_TRIES; i++) {
    uint8_t bytes[ROOM] = { 0 };
    size_t n = i % 2 ? sizeof ppm - 1 : 122;
    memcpy(bytes, i % 2 ? (const void *)ppm : (const void *)bmp,
           i % 2 ? sizeof ppm - 1 : sizeof bmp);
    n = mutate(&source, bytes, n, ROOM);
    /* Exactly n bytes of the heap: the sanitizer knows where they end. */
    uint8_t *own = (uint8_t *)malloc(n ? n : 1);
    memcpy(own, bytes, n);
    try_both(own, n);
    free(own);
  }
  printf("%d files: no harm done\n", N_TRIES);
  return 0;
}
#endif
