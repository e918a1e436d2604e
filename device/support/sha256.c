/* SHA-256 as FIPS 180-4 describes it: padding, schedule, 64 rounds. */
#include "sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
  0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
  0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
  0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t rotated(uint32_t x, unsigned n)
{
  return x >> n | x << (32 - n);
}

static void make_schedule(const uint8_t *block, uint32_t w[64])
{
  for (unsigned i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (unsigned i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] +
           (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
  uint32_t w[64], s[8];
  make_schedule(block, w);
  memcpy(s, state, sizeof s);
  for (unsigned i = 0; i < 64; i++) {
    uint32_t one = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
    uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t first = s[7] + one + choice + constants[i] + w[i];
    uint32_t two = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
    uint32_t most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + two + most;
  }
  for (unsigned i = 0; i < 8; i++)
    state[i] += s[i];
}

/* What is left after whole blocks, a 1 bit, zeros, and the length in bits. */
static void add_end(uint32_t state[8], const uint8_t *rest, size_t n_rest,
                    uint64_t bytes)
{
  uint8_t last[2 * BLOCK_BYTES] = { 0 };
  size_t n =
      n_rest + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  if (n_rest > 0)
    memcpy(last, rest, n_rest);
  last[n_rest] = 0x80;
  for (unsigned i = 0; i < LENGTH_BYTES; i++)
    last[n - 1 - i] = (uint8_t)(8 * bytes >> 8 * i);
  for (size_t at = 0; at < n; at += BLOCK_BYTES)
    add_block(state, last + at);
}

void sha256_digits(const void *data, size_t bytes, char text[65])
{
  /* Of the square roots of the first eight primes, as above. */
  uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
  const uint8_t *at = data;
  size_t whole = bytes / BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++)
    add_block(state, at + i * BLOCK_BYTES);
  add_end(state, at + whole * BLOCK_BYTES, bytes % BLOCK_BYTES, bytes);
  for (unsigned i = 0; i < 8; i++)
    snprintf(text + 8 * (size_t)i, 9, "%08x", (unsigned)state[i]);
}
