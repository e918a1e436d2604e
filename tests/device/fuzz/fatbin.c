#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "fatbin/fatbin.h"

int fuzz_fatbin(const uint8_t *data, size_t bytes)
{
  struct fatbin_reader reader;
  struct fatbin_entry entry;
  struct fatbin_error error;
  uint8_t *exact;
  size_t n;

  if (bytes >= 16)
    (void)fatbin_size(data);
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
