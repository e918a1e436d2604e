/* Products of mma.sync and mma.sp on random matrices.
 *
 *   products --bits            what a machine gives, a line per form: its name,
 *                              and a hash of D's bits per flavour
 *   products --sums            D itself: a line per form and case
 *   products --compare FILE    against what --bits printed elsewhere
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/tools/machine.h"

enum { LANES = 32, MOST_A = 4, MOST_B = 2, MOST_C = 4, MOST_SPARSE_B = 4 };
enum { FLAVOURS = 7, ROUNDS = 8, CASES = FLAVOURS * ROUNDS };
enum type { F16, BF16, TF32, E4M3, E5M2, F32, WHOLE };

static const struct form {
  const char *name;
  enum type factors, sums;
  unsigned a, b, c;   /* registers */
  unsigned selectors; /* of mma.sp: how many there are; 0: mma */
} forms[] = {
  { "m16n8k16.row.col.f32.f16.f16.f32", F16, F32, 4, 2, 4, 0 },
  { "m16n8k16.row.col.f16.f16.f16.f16", F16, F16, 4, 2, 2, 0 },
  { "m16n8k16.row.col.f32.bf16.bf16.f32", BF16, F32, 4, 2, 4, 0 },
  { "m16n8k8.row.col.f32.tf32.tf32.f32", TF32, F32, 4, 2, 4, 0 },
  { "m16n8k32.row.col.f32.e4m3.e4m3.f32", E4M3, F32, 4, 2, 4, 0 },
  { "m16n8k32.row.col.f32.e5m2.e5m2.f32", E5M2, F32, 4, 2, 4, 0 },
  { "m16n8k8.row.col.f32.f16.f16.f32", F16, F32, 2, 1, 4, 0 },
  { "m16n8k8.row.col.f16.f16.f16.f16", F16, F16, 2, 1, 2, 0 },
  { "m16n8k8.row.col.f32.bf16.bf16.f32", BF16, F32, 2, 1, 4, 0 },
  { "m16n8k4.row.col.f32.tf32.tf32.f32", TF32, F32, 2, 1, 4, 0 },
  { "m16n8k32.row.col.f16.e4m3.e4m3.f16", E4M3, F16, 4, 2, 2, 0 },
  { "m16n8k16.row.col.f32.e4m3.e4m3.f32", E4M3, F32, 2, 1, 4, 0 },
  { "m16n8k16.row.col.f32.f16.f16.f32", F16, F32, 2, 2, 4, 4 },
  { "m16n8k32.row.col.f32.f16.f16.f32", F16, F32, 4, 4, 4, 2 },
  { "m16n8k16.row.col.f16.f16.f16.f16", F16, F16, 2, 2, 2, 4 },
  { "m16n8k32.row.col.f16.f16.f16.f16", F16, F16, 4, 4, 2, 2 },
  { "m16n8k16.row.col.f32.bf16.bf16.f32", BF16, F32, 2, 2, 4, 4 },
  { "m16n8k32.row.col.f32.bf16.bf16.f32", BF16, F32, 4, 4, 4, 2 },
  { "m16n8k8.row.col.f32.tf32.tf32.f32", TF32, F32, 2, 2, 4, 4 },
  { "m16n8k16.row.col.f32.tf32.tf32.f32", TF32, F32, 4, 4, 4, 2 },
  { "m16n8k64.row.col.f32.e4m3.e4m3.f32", E4M3, F32, 4, 4, 4, 1 },
  { "m16n8k64.row.col.f32.e5m2.e5m2.f32", E5M2, F32, 4, 4, 4, 1 },
  { "m16n8k32.row.col.s32.s8.s8.s32", WHOLE, WHOLE, 2, 2, 4, 2 },
  { "m16n8k32.row.col.satfinite.s32.u8.s8.s32", WHOLE, WHOLE, 2, 2, 4, 2 },
  { "m16n8k64.row.col.s32.s8.u8.s32", WHOLE, WHOLE, 4, 4, 4, 1 },
  { "m16n8k64.row.col.s32.s4.s4.s32", WHOLE, WHOLE, 2, 2, 4, 2 },
  { "m16n8k128.row.col.s32.u4.s4.s32", WHOLE, WHOLE, 4, 4, 4, 1 },
};
enum { FORMS = sizeof forms / sizeof *forms };

static struct {
  uint32_t a[CASES][LANES * MOST_A], b[CASES * LANES * MOST_SPARSE_B];
  uint32_t c[CASES][LANES * MOST_C], d[CASES][LANES * MOST_C];
  uint32_t m[CASES][LANES];
} data;
static uint64_t d_a, d_b, d_c, d_d, d_m;

static unsigned most_b(const struct form *form)
{
  return form->selectors == 0 ? MOST_B : MOST_SPARSE_B;
}

/* ---- random matrices ----------------------------------------------------- */

static uint64_t state;

static uint32_t random_bits(void)
{
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z ^ z >> 31) >> 16);
}

/* Flavour 0: exponents close together; 1: a wide range of them; 2: nearly all;
 * 3: with subnormal numbers; 4: with infinities and NaNs; 5: fractions of ones
 * or zeros only, so that sums cancel or carry far; 6: one exponent. */
static uint32_t random_element(unsigned exponent_bits, unsigned fraction_bits,
                               unsigned flavour)
{
  uint32_t half = UINT32_C(1) << (exponent_bits - 1);
  uint32_t ones = (UINT32_C(1) << fraction_bits) - 1;
  uint32_t middle = half - 1, spread = 2, exponent;
  uint32_t fraction = random_bits() & ones, sign = random_bits() & 1;

  if (flavour == 1)
    spread = exponent_bits == 8 ? 20 : half - 2;
  if (flavour == 2) {
    middle = exponent_bits == 8 ? 127 : half;
    spread = exponent_bits == 8 ? 60 : half - 1;
  }
  exponent = middle + random_bits() % (2 * spread + 1) - spread;
  if (flavour == 3 && random_bits() % 4 == 0)
    exponent = 0;
  if (flavour == 4 && random_bits() % 64 == 0)
    exponent = 2 * half - 1;
  if (flavour == 4 && random_bits() % 16 == 0)
    fraction = 0;
  if (flavour == 5 && random_bits() % 2 == 0)
    fraction = random_bits() % 2 ? 0 : ones;
  if (flavour == 6)
    exponent = middle;
  return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits |
         fraction;
}

static void fill(uint32_t *to, unsigned n, enum type type, unsigned flavour)
{
  static const unsigned exponent_bits[] = { 5, 8, 8, 4, 5, 8 };
  static const unsigned fraction_bits[] = { 10, 7, 23, 3, 2, 23 };
  unsigned e, f;

  for (unsigned i = 0; type == WHOLE && i < n; i++)
    to[i] = random_bits();
  if (type == WHOLE)
    return;
  e = exponent_bits[type];
  f = fraction_bits[type];
  for (unsigned i = 0; i < n; i++) {
    to[i] = 0;
    for (unsigned at = 0; at < 32; at += 1 + e + f)
      to[i] |= random_element(e, f, flavour) << at;
  }
}

/* Which two of four elements are there, or which of two. */
static void fill_metadata(uint32_t *to, enum type type)
{
  static const uint32_t pairs[] = { 4, 8, 12, 9, 13, 14 };
  static const uint32_t ones[] = { 4, 14 };

  for (unsigned i = 0; i < LANES; i++) {
    to[i] = 0;
    for (unsigned at = 0; at < 32; at += 4)
      to[i] |=
          (type == TF32 ? ones[random_bits() % 2] : pairs[random_bits() % 6])
          << at;
  }
}

static void choose(unsigned form)
{
  unsigned n = LANES * most_b(&forms[form]);

  state = form * 1000 + 1;
  for (unsigned i = 0; i < CASES; i++) {
    fill(data.a[i], LANES * MOST_A, forms[form].factors, i % FLAVOURS);
    fill(data.b + i * n, n, forms[form].factors, i % FLAVOURS);
    fill(data.c[i], LANES * MOST_C, forms[form].sums, i % FLAVOURS);
    if (forms[form].selectors != 0)
      fill_metadata(data.m[i], forms[form].factors);
  }
}

/* ---- kernels ------------------------------------------------------------- */

/* n registers of a lane: `most` words apart from those of the next lane. */
static void write_moves(FILE *ptx, char name, unsigned n, unsigned most)
{
  fprintf(ptx,
          "  ld.param.u64 %%base, [%c];\n"
          "  mad.wide.u32 %%base, %%thread, %u, %%base;\n",
          name, 4 * most);
  for (unsigned i = 0; i < n; i++)
    if (name == 'd')
      fprintf(ptx, "  st.global.b32 [%%base+%u], %%d%u;\n", 4 * i, i);
    else
      fprintf(ptx, "  ld.global.b32 %%%c%u, [%%base+%u];\n", name, i, 4 * i);
}

static void write_list(FILE *ptx, char name, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "%s%%%c%u%s", i == 0 ? "{" : ", ", name, i,
            i + 1 == n ? "}" : "");
}

static void write_operands(FILE *ptx, const struct form *form)
{
  write_list(ptx, 'd', form->c);
  fputs(", ", ptx);
  write_list(ptx, 'a', form->a);
  fputs(", ", ptx);
  write_list(ptx, 'b', form->b);
  fputs(", ", ptx);
  write_list(ptx, 'c', form->c);
}

/* The products of mma.sp: block after block another selector. */
static void write_sparse(FILE *ptx, const struct form *form)
{
  write_moves(ptx, 'm', 1, 1);
  for (unsigned selector = 0; selector < form->selectors; selector++) {
    fprintf(ptx,
            "  rem.u32 %%thread, %%block, %u;\n"
            "  setp.eq.u32 %%p, %%thread, %u;\n"
            "  @%%p mma.sp::ordered_metadata.sync.aligned.%s ",
            form->selectors, selector, form->name);
    write_operands(ptx, form);
    fprintf(ptx, ", %%m0, %u;\n", selector);
  }
  fprintf(ptx,
          "  mov.u32 %%thread, %%tid.x;\n"
          "  mad.lo.u32 %%thread, %%block, %u, %%thread;\n",
          LANES);
}

static void write_dense(FILE *ptx, const struct form *form)
{
  fprintf(ptx, "  mma.sync.aligned.%s ", form->name);
  write_operands(ptx, form);
  fputs(";\n", ptx);
}

static void write_kernel(FILE *ptx, unsigned number)
{
  const struct form *form = &forms[number];

  fprintf(ptx,
          ".visible .entry form_%u(.param .u64 a, .param .u64 b, "
          ".param .u64 c, .param .u64 d, .param .u64 m)\n{\n"
          "  .reg .b32 %%a<4>, %%b<4>, %%c<4>, %%d<4>, %%m<1>;\n"
          "  .reg .b32 %%thread, %%block;\n  .reg .pred %%p;\n"
          "  .reg .b64 %%base;\n"
          "  mov.u32 %%thread, %%tid.x;\n  mov.u32 %%block, %%ctaid.x;\n"
          "  mad.lo.u32 %%thread, %%block, %u, %%thread;\n",
          number, LANES);
  write_moves(ptx, 'a', form->a, MOST_A);
  write_moves(ptx, 'b', form->b, most_b(form));
  write_moves(ptx, 'c', form->c, MOST_C);
  if (form->selectors != 0)
    write_sparse(ptx, form);
  else
    write_dense(ptx, form);
  write_moves(ptx, 'd', form->c, MOST_C);
  fputs("  ret;\n}\n", ptx);
}

static void must(const char *problem)
{
  if (problem == NULL)
    return;
  fprintf(stderr, "products: %s\n", problem);
  exit(1);
}

static void load(void)
{
  char *text;
  size_t bytes;
  FILE *ptx = open_memstream(&text, &bytes);

  fputs(".version 9.0\n.target sm_90\n.address_size 64\n", ptx);
  for (unsigned i = 0; i < FORMS; i++)
    write_kernel(ptx, i);
  fclose(ptx);
  must(machine_load(text, bytes));
  free(text);
  d_a = machine_allocate("a", sizeof data.a);
  d_b = machine_allocate("b", sizeof data.b);
  d_c = machine_allocate("c", sizeof data.c);
  d_d = machine_allocate("d", sizeof data.d);
  d_m = machine_allocate("m", sizeof data.m);
}

static void multiply(unsigned form)
{
  char name[16];
  struct machine_launch launch = {
    .kernel = name,
    .grid = { CASES, 1, 1 },
    .block = { LANES, 1, 1 },
  };
  const uint64_t arguments[] = { d_a, d_b, d_c, d_d, d_m };

  snprintf(name, sizeof name, "form_%u", form);
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
    machine_pass(&launch, &arguments[i], sizeof arguments[i]);
  choose(form);
  memset(data.d, 0, sizeof data.d);
  machine_write(d_a, data.a, sizeof data.a);
  machine_write(d_b, data.b, sizeof data.b);
  machine_write(d_c, data.c, sizeof data.c);
  machine_write(d_d, data.d, sizeof data.d);
  machine_write(d_m, data.m, sizeof data.m);
  must(machine_launch(&launch));
  if (strcmp(machine_fault(), "none") != 0)
    must(machine_fault());
  machine_read(data.d, d_d, sizeof data.d);
}

/* ---- bits ---------------------------------------------------------------- */

/* A form's name here: of mma.sp, with "sp." before it. */
static const char *name_of(unsigned form)
{
  static char name[64];

  snprintf(name, sizeof name, "%s%s", forms[form].selectors != 0 ? "sp." : "",
           forms[form].name);
  return name;
}

static uint64_t hash_of_flavour(unsigned flavour)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);

  for (unsigned i = flavour; i < CASES; i += FLAVOURS)
    for (unsigned at = 0; at < LANES * MOST_C; at++)
      hash = (hash ^ data.d[i][at]) * UINT64_C(0x100000001b3);
  return hash;
}

static int print_bits(void)
{
  for (unsigned form = 0; form < FORMS; form++) {
    multiply(form);
    fputs(name_of(form), stdout);
    for (unsigned flavour = 0; flavour < FLAVOURS; flavour++)
      printf(",%016" PRIx64, hash_of_flavour(flavour));
    putchar('\n');
  }
  return 0;
}

static int print_sums(void)
{
  for (unsigned form = 0; form < FORMS; form++) {
    multiply(form);
    for (unsigned i = 0; i < CASES; i++) {
      printf("%s", name_of(form));
      for (unsigned at = 0; at < LANES * MOST_C; at++)
        printf(" %08x", data.d[i][at]);
      putchar('\n');
    }
  }
  return 0;
}

static int compare_bits(const char *file)
{
  size_t bytes;
  char *text = read_file(file, &bytes), *line = text;
  unsigned wrong = 0, n = 0;

  for (unsigned form = 0; form < FORMS; form++) {
    size_t length = strlen(name_of(form));
    char *at;

    while (line != NULL && *line == '#')
      line = strchr(line, '\n') == NULL ? NULL : strchr(line, '\n') + 1;
    if (line == NULL || strncmp(line, name_of(form), length) != 0) {
      fprintf(stderr, "%s: no line about %s where it should be\n", file,
              name_of(form));
      return 1;
    }
    multiply(form);
    at = line + length;
    for (unsigned flavour = 0; flavour < FLAVOURS; flavour++, n++) {
      if (*at != ',' || strtoull(at + 1, &at, 16) != hash_of_flavour(flavour)) {
        fprintf(stderr, "%s, flavour %u: other bits than in %s\n",
                name_of(form), flavour, file);
        wrong++;
      }
    }
    line = strchr(at, '\n') == NULL ? NULL : strchr(at, '\n') + 1;
  }
  printf("%u sets of products, %u with other bits\n", n, wrong);
  free(text);
  return wrong != 0;
}

int main(int argc, char **argv)
{
  int status = 2;

  load();
  if (argc == 2 && strcmp(argv[1], "--bits") == 0)
    status = print_bits();
  else if (argc == 2 && strcmp(argv[1], "--sums") == 0)
    status = print_sums();
  else if (argc == 3 && strcmp(argv[1], "--compare") == 0)
    status = compare_bits(argv[2]);
  else
    fputs("usage: products --bits | --sums | --compare FILE\n", stderr);
  machine_end();
  return status;
}
