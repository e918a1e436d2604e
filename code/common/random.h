/* Random inputs that can be repeated: xoshiro256** (Blackman and Vigna),
 * its state filled by splitmix64 from one seed. */
#ifndef CODE_COMMON_RANDOM_H
#define CODE_COMMON_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  uint64_t state[4];
} random_source;

static inline uint64_t random_splitmix64(uint64_t *x)
{
  *x += 0x9e3779b97f4a7c15u;
  uint64_t z = *x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline random_source random_from_seed(uint64_t seed)
{
  random_source source;
  for (int i = 0; i < 4; i++)
    source.state[i] = random_splitmix64(&seed);
  return source;
}

static inline uint64_t random_rotate_left(uint64_t x, int bits)
{
  return (x << bits) | (x >> (64 - bits));
}

static inline uint64_t random_bits(random_source *source)
{
  uint64_t *s = source->state;
  uint64_t result = random_rotate_left(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = random_rotate_left(s[3], 45);
  return result;
}

/* Uniform in [-1, 1). */
static inline float random_float(random_source *source)
{
  return (float)(random_bits(source) >> 40) * 0x1p-23f - 1.0f;
}

/* Uniform in 0 … limit - 1; limit > 0 and far below 2^64. */
static inline uint64_t random_below(random_source *source, uint64_t limit)
{
  return random_bits(source) % limit;
}

static inline void random_fill_floats(random_source *source, float *x,
                                      size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = random_float(source);
}

static inline void random_fill_bytes(random_source *source, void *data,
                                     size_t n_bytes)
{
  unsigned char *bytes = (unsigned char *)data;
  for (size_t i = 0; i < n_bytes; i++)
    bytes[i] = (unsigned char)(random_bits(source) >> 56);
}

/* A seed that differs from run to run. */
static inline uint64_t random_fresh_seed(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t mix = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
  mix ^= (uint64_t)getpid() << 32;
  return random_splitmix64(&mix) % 1000000000u;  /* short enough to retype */
}

#endif
