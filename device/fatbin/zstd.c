/* zstd through libzstd, where the build found it. */
#include "fatbin.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

bool zstd_is_available(void) { return true; }

bool zstd_decompress(const uint8_t *in, size_t n_in, uint8_t *out, size_t n_out)
{
  return ZSTD_decompress(out, n_out, in, n_in) == n_out;
}
#else
bool zstd_is_available(void) { return false; }

bool zstd_decompress(const uint8_t *in, size_t n_in, uint8_t *out, size_t n_out)
{
  (void)in, (void)n_in, (void)out, (void)n_out;
  return false;
}
#endif
