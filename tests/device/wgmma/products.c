/* Random products of wgmma.
 *
 *   products [SEED [ROUNDS]]   against the plain definition; status 0: all
 *                              agree, as far as their types let them
 *   products --bits            what a machine gives, a line per kernel: its
 *                              name, and a hash of D's bits per flavour
 *   products --compare FILE    against what --bits printed elsewhere
 *   products --sums            D itself, of the narrowest shapes
 *   products --bases           D of matrices that do not begin where their
 *                              swizzling pattern does, with base offsets
 *   products --ptx             the kernels
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/tools/machine.h"
#include "product.h"

enum { MOST_KERNELS = 1024 };
static struct kernel kernels[MOST_KERNELS];
static unsigned n_kernels;
static struct product product;
static struct {
  uint64_t image, registers, d;
} memory;

static bool has_shape(const struct kind *kind, unsigned n)
{
  return kind->d != S32 || n <= 32 || n % 16 == 0;
}

/* Every type with every width; how the matrices come changes from one to the
 * next, so that all ways are there for each type. */
static void make_kernels(void)
{
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned n = 8, way = 0; n <= COLUMNS; n += 8, way++) {
      struct kernel *k = &kernels[n_kernels];
      bool whole = kinds[i].d == S32, turns = type_bits(kinds[i].a) == 16;

      if (!has_shape(&kinds[i], n))
        continue;
      *k = (struct kernel){ .kind = kinds[i], .n = n };
      k->a_is_shared = way % 2 == 0;
      k->a_turned = turns && k->a_is_shared && way / 2 % 2;
      k->b_turned = turns && (way / 4 + way) % 2;
      k->a_negated = !whole && way % 5 == 3;
      k->b_negated = !whole && way % 7 == 5;
      k->saturates = whole && kinds[i].a != B1 && way % 3 == 1;
      n_kernels++;
    }
}

static char *ptx_text(size_t *bytes)
{
  char *text;
  FILE *ptx = open_memstream(&text, bytes);

  fprintf(ptx, ".version 9.0\n.target sm_90a\n.address_size 64\n"
               ".extern .shared .align 1024 .b8 shared[];\n");
  for (unsigned i = 0; i < n_kernels; i++)
    kernel_write(ptx, &kernels[i]);
  fclose(ptx);
  return text;
}

static void load(void)
{
  size_t bytes;
  char *text = ptx_text(&bytes);
  const char *problem = machine_load(text, bytes);

  if (problem != NULL) {
    fprintf(stderr, "products: %s\n", problem);
    exit(1);
  }
  free(text);
  memory.image = machine_allocate("image", sizeof product.image);
  memory.registers = machine_allocate("registers", sizeof product.registers);
  memory.d = machine_allocate("d", sizeof product.d);
}

static void multiply(void)
{
  struct machine_launch launch = {
    .grid = { 1, 1, 1 },
    .block = { THREADS, 1, 1 },
    .shared_bytes = IMAGE_BYTES,
  };
  const uint64_t arguments[] = {
    memory.image,  descriptor_of(&product.a), descriptor_of(&product.b),
    product.keeps, memory.registers,          memory.d
  };
  char name[64];
  const char *problem;

  kernel_name(&product.kernel, name);
  launch.kernel = name;
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
    machine_pass(&launch, &arguments[i], i == 3 ? 4 : 8);
  machine_write(memory.image, product.image, sizeof product.image);
  machine_write(memory.registers, product.registers, sizeof product.registers);
  machine_write(memory.d, product.c, sizeof product.c);
  problem = machine_launch(&launch);
  if (problem == NULL && strcmp(machine_fault(), "none") != 0)
    problem = machine_fault();
  if (problem != NULL) {
    fprintf(stderr, "products: %s: %s\n", name, problem);
    exit(1);
  }
  machine_read(product.d, memory.d, sizeof product.d);
}

/* ---- against the plain definition ---------------------------------------- */

static double largest_of(enum type type)
{
  return type == F16 ? 65504 : 0x1.fffffep127;
}

/* Sums are fixed-point numbers as wide as the largest addend asks for: each
 * of k + 1 addends, and the result, may lose a unit. */
static double allowed(const struct kernel *k, const struct plain *plain)
{
  bool eight = type_bits(k->kind.a) == 8;
  double unit = ldexp(plain->largest, eight ? -12 : -22);

  if (k->kind.d == F16)
    unit += ldexp(fabs(plain->value), -10) + 0x1p-24;
  return (depth_of(k) + 1) * unit + ldexp(fabs(plain->value), -22) + 0x1p-149;
}

static bool agrees(const struct kernel *k, const struct plain *plain,
                   uint32_t bits)
{
  double given;

  if (k->kind.d == S32) {
    int64_t whole = plain->whole;

    if (k->saturates && whole != (int32_t)whole)
      whole = whole < 0 ? INT32_MIN : INT32_MAX;
    return bits == (uint32_t)(uint64_t)whole;
  }
  given = value_of(k->kind.d, bits);
  if (isnan(plain->value) || isnan(given))
    return isnan(plain->value) && isnan(given);
  if (isinf(plain->value))
    return given == plain->value;
  if (isinf(given))
    return fabs(plain->value) + allowed(k, plain) >= largest_of(k->kind.d) &&
           (given < 0) == (plain->value < 0);
  return fabs(given - plain->value) <= allowed(k, plain);
}

static unsigned compare(uint64_t seed, unsigned flavour)
{
  const struct kernel *k = &product.kernel;
  unsigned wrong = 0;
  char name[64];

  kernel_name(k, name);
  for (unsigned row = 0; row < ROWS; row++)
    for (unsigned column = 0; column < k->n; column++) {
      struct plain plain = plain_product(&product, row, column);
      uint32_t bits = sum_bits(k, product.d, row, column);

      if (agrees(k, &plain, bits) || ++wrong > 3)
        continue;
      fprintf(stderr,
              "%s, seed %" PRIu64 ", flavour %u, row %u, column %u: 0x%x, "
              "%.17g; meant are %.17g or %" PRId64 "\n",
              name, seed, flavour, row, column, bits, value_of(k->kind.d, bits),
              plain.value, plain.whole);
    }
  return wrong;
}

static int compare_all(uint64_t seed, unsigned rounds)
{
  unsigned n = 0, wrong = 0;

  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; i < n_kernels; i++, n++) {
      unsigned flavour = (i + round) % FLAVOURS;
      uint64_t here = seed + 1000 * round + i;

      product.kernel = kernels[i];
      product_choose(&product, here, flavour);
      multiply();
      wrong += compare(here, flavour) != 0;
    }
  printf("%u products, %u wrong\n", n, wrong);
  return wrong != 0;
}

/* ---- bits of a machine --------------------------------------------------- */

static uint64_t hash_of_sums(void)
{
  unsigned n = registers_of(&product.kernel);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);

  for (unsigned thread = 0; thread < THREADS; thread++)
    for (unsigned i = 0; i < n; i++)
      hash = (hash ^ product.d[thread * (COLUMNS / 2) + i]) *
             UINT64_C(0x100000001b3);
  return hash;
}

static void print_sums(void)
{
  unsigned n = registers_of(&product.kernel);

  for (unsigned thread = 0; thread < THREADS; thread++)
    for (unsigned i = 0; i < n; i++)
      printf("%x%c", product.d[thread * (COLUMNS / 2) + i],
             i + 1 == n ? '\n' : ' ');
}

static int print_all(void)
{
  for (unsigned i = 0; i < n_kernels; i++) {
    char name[64];

    product.kernel = kernels[i];
    kernel_name(&kernels[i], name);
    fputs(name, stdout);
    for (unsigned flavour = 0; flavour < FLAVOURS; flavour++) {
      product_choose(&product, i, flavour);
      multiply();
      printf(",%016" PRIx64, hash_of_sums());
    }
    putchar('\n');
  }
  return 0;
}

static int print_narrow(void)
{
  for (unsigned i = 0; i < n_kernels; i++)
    for (unsigned flavour = 0; flavour < FLAVOURS; flavour++) {
      char name[64];

      if (kernels[i].n > 16)
        continue;
      product.kernel = kernels[i];
      product_choose(&product, i, flavour);
      multiply();
      kernel_name(&kernels[i], name);
      printf("%s,%u,%u\n", name, flavour, i);
      print_sums();
    }
  return 0;
}

/* Against what --bits printed elsewhere, which has a line per kernel. */
static int compare_bits(const char *file)
{
  size_t bytes;
  char *text = read_file(file, &bytes), *line = text;
  unsigned wrong = 0, n = 0;

  for (unsigned i = 0; i < n_kernels; i++) {
    char name[64], *hashes = strchr(line, ',');

    product.kernel = kernels[i];
    kernel_name(&kernels[i], name);
    if (hashes == NULL || (size_t)(hashes - line) != strlen(name) ||
        memcmp(line, name, strlen(name)) != 0) {
      fprintf(stderr, "%s: line %u is not about %s\n", file, i + 1, name);
      return 1;
    }
    for (unsigned flavour = 0; flavour < FLAVOURS; flavour++, n++) {
      uint64_t hash = strtoull(hashes + 1, &hashes, 16);

      product_choose(&product, i, flavour);
      multiply();
      if (hash_of_sums() == hash)
        continue;
      fprintf(stderr, "%s, flavour %u: other bits than in %s\n", name, flavour,
              file);
      wrong++;
    }
    line = strchr(line, '\n') + 1;
  }
  printf("%u products, %u with other bits\n", n, wrong);
  free(text);
  return wrong != 0;
}

/* What a base offset does shows where patterns begin at any 16 bytes. */
static int print_bases(void)
{
  for (unsigned i = 0; i < 64; i++) {
    product.kernel =
        (struct kernel){ .kind = { S32, U8, U8 }, .n = 8, .a_is_shared = true };
    product_choose(&product, i, 0);
    product.b = (struct place){ .start = 16 * (i * 37 % 512),
                                .stride = 1024,
                                .swizzle = 32u << i % 3,
                                .base = i / 3 % 8 };
    multiply();
    printf("%u %u %u\n", product.b.start, product.b.swizzle, product.b.base);
    print_sums();
  }
  return 0;
}

int main(int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "1";
  int status;

  make_kernels();
  if (strcmp(mode, "--ptx") == 0) {
    size_t bytes;
    char *text = ptx_text(&bytes);

    fwrite(text, 1, bytes, stdout);
    free(text);
    return 0;
  }
  load();
  if (strcmp(mode, "--bases") == 0)
    status = print_bases();
  else if (strcmp(mode, "--sums") == 0)
    status = print_narrow();
  else if (strcmp(mode, "--bits") == 0)
    status = print_all();
  else if (strcmp(mode, "--compare") == 0 && argc > 2)
    status = compare_bits(argv[2]);
  else
    status = compare_all(strtoull(mode, NULL, 10),
                         argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1);
  machine_end();
  return status;
}
