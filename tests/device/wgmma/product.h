/* Products of wgmma for tests: kernels for every shape and type, random
 * matrices in random places, and what they should give. The same program runs
 * on the software device and on a GPU (on_gpu). */
#ifndef TESTS_WGMMA_PRODUCT_H
#define TESTS_WGMMA_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum type { F16, BF16, TF32, E4M3, E5M2, S8, U8, B1, F32, S32 };
enum {
  ROWS = 64,
  COLUMNS = 256,
  THREADS = 128,
  IMAGE_BYTES = 64 << 10, /* of shared memory */
  SUMS = ROWS * COLUMNS
};

/* What is fixed in a kernel. */
struct kind {
  enum type d, a, b;
};
struct kernel {
  struct kind kind;
  unsigned n;
  bool a_is_shared, a_turned, b_turned, a_negated, b_negated, saturates;
};
/* What one launch of it is given. */
struct place {
  uint32_t start, leading, stride; /* bytes */
  unsigned swizzle, base;
};
struct product {
  struct kernel kernel;
  struct place a, b;
  bool keeps;
  uint32_t image[IMAGE_BYTES / 4];
  uint32_t registers[4 * THREADS]; /* A, if it is not in shared memory */
  uint32_t c[THREADS * COLUMNS / 2], d[THREADS * COLUMNS / 2];
};

extern const struct kind kinds[];
enum { KINDS = 16 };

unsigned type_bits(enum type type);
unsigned depth_of(const struct kernel *kernel);     /* k */
unsigned registers_of(const struct kernel *kernel); /* of D, per thread */
double value_of(enum type type, uint32_t bits);

/* The name says everything that is fixed. */
void kernel_name(const struct kernel *kernel, char name[64]);
void kernel_write(FILE *ptx, const struct kernel *kernel);

/* By the seed, everything that is not fixed in `product->kernel`. Flavours:
 * how wide the numbers range, and what is special about them. */
enum { FLAVOURS = 8 };
void product_choose(struct product *product, uint64_t seed, unsigned flavour);
uint64_t descriptor_of(const struct place *place);

/* The plain definition: element (row, column) of D, from the bytes; and the
 * sum of the magnitudes that were added. */
struct plain {
  double value, magnitude, largest;
  int64_t whole;
};
struct plain plain_product(const struct product *product, unsigned row,
                           unsigned column);
uint32_t plain_address(const struct place *place, bool turned, unsigned bytes,
                       unsigned line, unsigned at);

/* The bits of element (row, column) among the registers of all threads. */
uint32_t sum_bits(const struct kernel *kernel, const uint32_t *registers,
                  unsigned row, unsigned column);

#endif
