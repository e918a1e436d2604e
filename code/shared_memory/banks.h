/* How many wavefronts does one request of a warp take in shared memory?  A
 * rule of a few lines, which patterns.cu holds against what is counted. */
#ifndef CODE_SHARED_MEMORY_BANKS_H
#define CODE_SHARED_MEMORY_BANKS_H

#include <stddef.h>

enum { WARP_LANES = 32, N_BANKS = 32, BANK_BYTES = 4 };

// begin wavefronts_of_group
/* The lanes first … first + n - 1 are served together. Each bank delivers
 * one word in a wavefront: the busiest bank says how many there are. */
static inline size_t wavefronts_of_group(const size_t *byte_at, size_t first,
                                         size_t n, size_t word_bytes)
{
  size_t seen[N_BANKS][WARP_LANES * 4], n_seen[N_BANKS] = {0}, most = 0;
  for (size_t lane = first; lane < first + n; lane++)
    for (size_t b = 0; b < word_bytes; b += BANK_BYTES) {
      size_t word = (byte_at[lane] + b) / BANK_BYTES;
      size_t bank = word % N_BANKS, k = 0;
      while (k < n_seen[bank] && seen[bank][k] != word)
        k++;
      if (k == n_seen[bank])            /* a word that no lane wanted yet */
        seen[bank][n_seen[bank]++] = word;
      if (n_seen[bank] > most)
        most = n_seen[bank];
    }
  return most;
}
// end wavefronts_of_group

// begin wavefronts_predicted
/* byte_at[lane]: where each of the 32 lanes reads a word of word_bytes. 128
 * bytes can be delivered at a time: all lanes together if they want up to
 * 4 bytes each, half of them if 8, a quarter if 16. */
static inline size_t wavefronts_predicted(const size_t *byte_at,
                                          size_t word_bytes)
{
  size_t n = word_bytes <= BANK_BYTES
             ? WARP_LANES : WARP_LANES * BANK_BYTES / word_bytes;
  size_t sum = 0;
  for (size_t first = 0; first < WARP_LANES; first += n)
    sum += wavefronts_of_group(byte_at, first, n, word_bytes);
  return sum;
}
// end wavefronts_predicted

#endif
