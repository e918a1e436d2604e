#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fatbin/fatbin.h"

enum { MOST_BYTES = 1 << 16 };

/* A place for `bytes` bytes behind which nothing can be read. */
static uint8_t *before_the_end(size_t bytes)
{
  static uint8_t *end;

  if (end == NULL) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *start = mmap(NULL, MOST_BYTES + page, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (start == MAP_FAILED ||
        mprotect(start + MOST_BYTES, page, PROT_NONE) != 0)
      abort();
    end = start + MOST_BYTES;
  }
  return end - bytes;
}

/* As a program has it: only the header says how long it is. One of its bytes
 * that say so is changed, but for every fourth input. */
static void read_by_its_header(const uint8_t *data, size_t bytes)
{
  struct fatbin_entry entry;
  struct fatbin_error error;
  uint8_t *copy = before_the_end(bytes);
  unsigned choice = 0;

  memcpy(copy, data, bytes);
  for (size_t i = 0; i < bytes; i++)
    choice = choice * 31 + data[i];
  memcpy(copy, "\x50\xed\x55\xba", 4);
  if (choice % 4 != 0)
    copy[6 + choice / 4 % 10] ^= (uint8_t)(1 + choice / 40 % 255);
  fatbin_choose(copy, fatbin_size(copy), 90, &entry, &error);
}

int fuzz_fatbin(const uint8_t *data, size_t bytes)
{
  struct fatbin_reader reader;
  struct fatbin_entry entry;
  struct fatbin_error error;
  uint8_t *exact;
  size_t n;

  if (bytes >= 16 && bytes <= MOST_BYTES)
    read_by_its_header(data, bytes);
  /* A copy of just this size, so that a sanitizer sees a read beyond it. */
  exact = malloc(bytes + (bytes == 0));
  if (exact == NULL)
    abort();
  if (bytes > 0)
    memcpy(exact, data, bytes);
  fatbin_choose(exact, bytes, 90, &entry, &error);
  if (fatbin_open(&reader, exact, bytes, &error))
    while (fatbin_next(&reader, &entry, &error) > 0) {
      char *text = fatbin_extract(&entry, &n, &error);

      if (text != NULL && strlen(text) != n)
        abort();
      free(text);
    }
  free(exact);
  return 0;
}
