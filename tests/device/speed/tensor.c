/* How fast the software device multiplies matrices: operations (a multiplication
 * or an addition each) per second of CPU time, for mma.sync and wgmma of each
 * type, on one worker.
 *
 *   tensor [ROUNDS [LINE]]      `meson test --benchmark`; LINE: only this one of
 *                               what it prints, from 0 on
 *
 * The last column is a hash of the sums' bits: two versions of the device that
 * differ in it do not compute the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/tools/machine.h"

enum { COLUMNS = 128, IMAGE = 8192, THREADS = 128, BLOCKS = 2 };

struct kind {
  const char *label, *type, *sum; /* as PTX has them */
  unsigned bits, depth;           /* of a product of mma; wgmma's is 256 bits */
};
static const struct kind kinds[] = {
  { "bf16", "bf16", "f32", 16, 16 },      { "f16", "f16", "f32", 16, 16 },
  { "f16 in f16", "f16", "f16", 16, 16 }, { "tf32", "tf32", "f32", 32, 8 },
  { "s8", "s8", "s32", 8, 32 },           { "e4m3", "e4m3", "f32", 8, 32 },
  { "e5m2", "e5m2", "f32", 8, 32 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Of all threads of the process. */
static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void write_registers(FILE *ptx, char letter, unsigned n)
{
  fprintf(ptx, "{");
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "%s%%%c%u", i == 0 ? "" : ", ", letter, i);
  fprintf(ptx, "}");
}

static unsigned sums_of(const struct kind *k, bool group)
{
  unsigned n = group ? COLUMNS / 2 : 4;

  return strcmp(k->sum, "f16") == 0 ? n / 2 : n;
}

static void write_product(FILE *ptx, const struct kind *k, bool group)
{
  unsigned n = sums_of(k, group);
  bool whole = strcmp(k->sum, "s32") == 0;

  if (group) {
    fprintf(ptx, "  wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s ", COLUMNS,
            256 / k->bits, k->sum, k->type, k->type);
    write_registers(ptx, 'd', n);
    fprintf(ptx, ", %%ta, %%tb, 1%s%s;\n", whole ? "" : ", 1, 1",
            k->bits == 16 ? ", 0, 0" : "");
    return;
  }
  fprintf(ptx, "  mma.sync.aligned.m16n8k%u.row.col.%s.%s.%s.%s ", k->depth,
          k->sum, k->type, k->type, k->sum);
  write_registers(ptx, 'd', n);
  fprintf(ptx, ", ");
  write_registers(ptx, 'a', 4);
  fprintf(ptx, ", ");
  write_registers(ptx, 'b', 2);
  fprintf(ptx, ", ");
  write_registers(ptx, 'd', n);
  fprintf(ptx, ";\n");
}

/* Four products in each round; registers and shared memory come from `image`. */
static void write_kernel(FILE *ptx, unsigned number, bool group)
{
  const struct kind *k = &kinds[number];
  unsigned n = sums_of(k, group);

  fprintf(ptx,
          ".visible .entry k%u_%d(.param .u64 image, .param .u64 to, "
          ".param .u32 rounds)\n{\n"
          "  .reg .b32 %%d<64>;\n  .reg .b32 %%a<4>;\n  .reg .b32 %%b<2>;\n"
          "  .reg .b32 %%t, %%n, %%s, %%block;\n"
          "  .reg .b64 %%from, %%to, %%w, %%ta, %%tb;\n  .reg .pred %%p;\n"
          "  ld.param.u64 %%from, [image];\n  ld.param.u64 %%to, [to];\n"
          "  ld.param.u32 %%n, [rounds];\n  mov.u32 %%t, %%tid.x;\n"
          "  mul.wide.u32 %%w, %%t, 64;\n  add.u64 %%from, %%from, %%w;\n"
          "  shl.b32 %%s, %%t, 6;\n",
          number, group);
  for (unsigned i = 0; i < 16 && group; i++)
    fprintf(ptx,
            "  ld.global.b32 %%a0, [%%from+%u];\n"
            "  st.shared.b32 [%%s+%u], %%a0;\n",
            4 * i, 4 * i);
  for (unsigned i = 0; i < 4; i++)
    fprintf(ptx, "  ld.global.b32 %%a%u, [%%from+%u];\n", i, 4 * i);
  for (unsigned i = 0; i < 2; i++)
    fprintf(ptx, "  ld.global.b32 %%b%u, [%%from+%u];\n", i, 16 + 4 * i);
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "  mov.b32 %%d%u, 0;\n", i);
  /* No swizzling: eight lines of 16 bytes, twice, then the next eight. */
  fprintf(ptx, "  mov.b64 %%ta, 0x0000001000080000;\n"
               "  mov.b64 %%tb, 0x0000001000080080;\n"
               "  bar.sync 0;\n"
               "again:\n");
  if (group)
    fprintf(ptx, "  wgmma.fence.sync.aligned;\n");
  for (unsigned i = 0; i < 4; i++)
    write_product(ptx, k, group);
  if (group)
    fprintf(ptx, "  wgmma.commit_group.sync.aligned;\n"
                 "  wgmma.wait_group.sync.aligned 0;\n");
  fprintf(ptx,
          "  sub.u32 %%n, %%n, 1;\n  setp.ne.u32 %%p, %%n, 0;\n"
          "  @%%p bra again;\n"
          "  mov.u32 %%block, %%ctaid.x;\n"
          "  mad.lo.u32 %%s, %%block, %u, %%t;\n"
          "  mul.wide.u32 %%w, %%s, 256;\n  add.u64 %%to, %%to, %%w;\n",
          THREADS);
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "  st.global.b32 [%%to+%u], %%d%u;\n", 4 * i, i);
  fprintf(ptx, "  ret;\n}\n");
}

static void stop(const char *problem)
{
  fprintf(stderr, "tensor: %s\n", problem);
  exit(1);
}

static void load(void)
{
  char *text;
  size_t bytes;
  FILE *ptx = open_memstream(&text, &bytes);

  fprintf(ptx, ".version 8.5\n.target sm_90a\n.address_size 64\n"
               ".extern .shared .align 1024 .b8 shared[];\n");
  for (unsigned i = 0; i < KINDS; i++)
    for (int group = 0; group < 2; group++)
      write_kernel(ptx, i, group);
  fclose(ptx);
  if (machine_load(text, bytes) != NULL)
    stop(machine_load(text, bytes));
  free(text);
}

/* Numbers of both signs below 2, of any type: a sign, an exponent close to that
 * of 1, a random fraction. */
static void fill(const struct kind *k, uint8_t *image)
{
  uint32_t state = 12345;

  for (unsigned i = 0; i < IMAGE; i += k->bits / 8) {
    uint32_t random, bits;

    state = state * 1664525u + 1013904223u;
    random = state >> 8;
    switch (k->bits) {
    case 32:
      bits = (random << 31) | ((124 + (random >> 1 & 3)) << 23) |
             (random >> 3 & 0x7fffff);
      break;
    case 16:
      bits = k->type[0] == 'b'
                 ? (random & 0x807f) | ((124 + (random >> 16 & 3)) << 7)
                 : (random & 0x83ff) | ((12 + (random >> 16 & 3)) << 10);
      break;
    default:
      bits = k->sum[0] == 's' ? random
             : k->type[1] == '4'
                 ? (random & 0x87) | ((4 + (random >> 16 & 3)) << 3)
                 : (random & 0x83) | ((12 + (random >> 16 & 3)) << 2);
    }
    memcpy(image + i, &bits, k->bits / 8);
  }
}

static uint64_t hash_of(const uint8_t *bytes, size_t n)
{
  uint64_t hash = UINT64_C(14695981039346656037);

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return hash;
}

int main(int argc, char **argv)
{
  enum { RESULT = BLOCKS * THREADS * 256 };
  static uint8_t image[IMAGE], result[RESULT];
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100;
  uint64_t from, to;

  load();
  from = machine_allocate("image", IMAGE);
  to = machine_allocate("result", RESULT);
  for (unsigned i = 0; i < 2 * KINDS; i++) {
    const struct kind *k = &kinds[i / 2];
    bool group = i % 2;
    unsigned n = group ? rounds : 8 * rounds;
    double best = 1e9, operations;
    char kernel[16];

    if (argc > 2 && strtoul(argv[2], NULL, 10) != i)
      continue;
    snprintf(kernel, sizeof kernel, "k%u_%d", i / 2, group);
    fill(k, image);
    memset(result, 0, sizeof result);
    machine_write(from, image, IMAGE);
    machine_write(to, result, RESULT);
    for (int round = 0; round < 3; round++) {
      struct machine_launch launch = {
        .kernel = kernel,
        .grid = { BLOCKS, 1, 1 },
        .block = { THREADS, 1, 1 },
        .n_workers = 1,
        .shared_bytes = IMAGE,
      };
      double start;

      machine_pass(&launch, &from, sizeof from);
      machine_pass(&launch, &to, sizeof to);
      machine_pass(&launch, &n, sizeof n);
      start = now();
      if (machine_launch(&launch) != NULL)
        stop("the launch is refused");
      if (strcmp(machine_fault(), "none") != 0)
        stop(machine_fault());
      best = now() - start < best ? now() - start : best;
    }
    machine_read(result, to, RESULT);
    operations = 4.0 * n * BLOCKS *
                 (group ? 2.0 * 64 * COLUMNS * (256 / k->bits)
                        : 4 * 2.0 * 16 * 8 * k->depth);
    printf("%-5s %-10s %8.1f M operations/s  %016" PRIx64 "\n",
           group ? "wgmma" : "mma", k->label, operations / best * 1e-6,
           hash_of(result, RESULT));
  }
  return machine_end();
}
