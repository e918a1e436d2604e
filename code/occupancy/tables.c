/* The occupancy equations as tables: what each compute capability has, how
 * many blocks fit against shared memory, block size and registers. No GPU is
 * needed. --check compares the equations with a multiprocessor that is filled
 * block by block.
 *
 *   cc -I code code/occupancy/tables.c -o tables && ./tables
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "occupancy/occupancy.h"

/* ---- the check: fill a multiprocessor block by block ----------------- */

typedef struct {
  int blocks, threads, shared;      /* still free */
  int registers[4];                 /* of each part */
} multiprocessor;

/* Registers for one more block: each warp takes its own from the part that
 * has most left. Before 2.0 there is one part, and one piece for the block. */
static int take_registers(const occupancy_limits *l, multiprocessor *m,
                          int warps, int thread_registers)
{
  int parts = l->per_block ? 1 : l->parts, pieces = l->per_block ? 1 : warps;
  int of_warps = l->per_block ? (warps + l->parts - 1) / l->parts * l->parts
                              : 1;
  int need = of_warps * thread_registers * WARP_THREADS;
  while (need % l->register_unit != 0)
    need++;
  for (int piece = 0; piece < pieces; piece++) {
    int part = 0;
    for (int p = 1; p < parts; p++)
      if (m->registers[p] > m->registers[part])
        part = p;
    if (m->registers[part] < need)
      return 0;
    m->registers[part] -= need;
  }
  return 1;
}

static int fill(const occupancy_limits *l, occupancy_use use)
{
  int parts = l->per_block ? 1 : l->parts, n = 0;
  int warps = use.block_threads / WARP_THREADS +
              (use.block_threads % WARP_THREADS > 0);
  int shared = use.block_shared + l->reserved;
  multiprocessor m = {l->blocks, l->threads, l->shared, {0}};
  for (int p = 0; p < parts; p++)
    m.registers[p] = l->registers / parts;
  while (shared % l->shared_unit != 0)
    shared++;
  while (m.blocks > 0 && m.threads >= warps * WARP_THREADS &&
         m.shared >= shared &&
         take_registers(l, &m, warps, use.thread_registers)) {
    m.blocks--;
    m.threads -= warps * WARP_THREADS;
    m.shared -= shared;
    n++;
  }
  return n;
}

/* Would the driver launch it at all? */
static int is_possible(const occupancy_limits *l, occupancy_use use)
{
  int warps = occupancy_warps(use.block_threads);
  int even = (warps + l->parts - 1) / l->parts * l->parts;
  int per_warp = use.thread_registers * WARP_THREADS;
  if (!l->per_block)
    per_warp = (per_warp + l->register_unit - 1) / l->register_unit *
               l->register_unit;
  return use.block_threads <= l->block_threads &&
         use.thread_registers <= l->thread_registers &&
         use.block_shared <= l->block_shared &&
         per_warp * even <= l->block_registers;
}

static long n_checked;

static int check_one(const occupancy_limits *l, occupancy_use use)
{
  int expected = is_possible(l, use) ? fill(l, use) : 0;
  int got = occupancy_of(l, use).blocks;
  n_checked++;
  if (got == expected)
    return 0;
  fprintf(stderr, "tables: error: compute capability %d.%d, %d threads, "
          "%d registers, %d bytes: the equations say %d blocks, filling %d\n",
          l->capability / 10, l->capability % 10, use.block_threads,
          use.thread_registers, use.block_shared, got, expected);
  return 1;
}

static int check_by_filling(void)
{
  int n_bad = 0;
  for (int i = 0; i < OCCUPANCY_N_LIMITS && n_bad < 10; i++) {
    const occupancy_limits *l = &occupancy_all_limits[i];
    for (int threads = 1; threads <= 1025; threads += threads < 65 ? 1 : 31)
      for (int registers = 1; registers <= 256; registers += 3) {
        occupancy_use use = {threads, registers, 0, 0};
        n_bad += check_one(l, use);
      }
    for (int shared = 0; shared <= l->shared + 1024; shared += 97) {
      occupancy_use use = {64, 16, shared, 0};
      n_bad += check_one(l, use);
    }
  }
  return n_bad;
}

/* What the source notes and the guides say in so many words. */
static const struct {
  const char *who;
  int capability;
  occupancy_use use;
  int blocks, percent;
} said[] = {
  {"16 registers leave 1.3 full", 13, {256, 16, 0, 0}, 4, 100},
  {"128 threads fill 1.3 by eight blocks", 13, {128, 16, 0, 0}, 8, 100},
  {"64 threads cannot fill 1.3", 13, {64, 16, 0, 0}, 8, 50},
  {"256 threads, one register too many", 13, {256, 17, 0, 0}, 3, 75},
  {"512 threads, one register too many", 13, {512, 17, 0, 0}, 1, 50},
  {"16 threads on 3.7", 37, {16, 16, 0, 0}, 16, 25},
  {"64 registers, 512 threads on 6.1", 61, {512, 64, 0, 0}, 2, 50},
  {"one register more", 61, {512, 65, 0, 0}, 1, 25},
};

static int check_said(void)
{
  int n_bad = 0;
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
    occupancy o = occupancy_of(occupancy_limits_of(said[i].capability),
                               said[i].use);
    int percent = (int)(100.0 * o.share + 0.5);
    n_checked++;
    if (o.blocks == said[i].blocks && percent == said[i].percent)
      continue;
    fprintf(stderr, "tables: error: %s: expected %d blocks and %d %%, "
            "got %d and %d %%\n", said[i].who, said[i].blocks,
            said[i].percent, o.blocks, percent);
    n_bad++;
  }
  return n_bad;
}

/* ---- the tables ------------------------------------------------------ */

static void print_limits(void)
{
  printf("capability,threads,warps,blocks,registers,thread_registers,"
         "register_unit,unit_of,parts,shared_bytes,block_shared_bytes,"
         "shared_unit_bytes,reserved_bytes,block_threads,source\n");
  for (int i = 0; i < OCCUPANCY_N_LIMITS; i++) {
    const occupancy_limits *l = &occupancy_all_limits[i];
    printf("%d.%d,%d,%d,%d,%d,%d,%d,%s,%d,%d,%d,%d,%d,%d,%s\n",
           l->capability / 10, l->capability % 10, l->threads,
           l->threads / WARP_THREADS, l->blocks, l->registers,
           l->thread_registers, l->register_unit,
           l->per_block ? "block" : "warp", l->parts, l->shared,
           l->block_shared, l->shared_unit, l->reserved, l->block_threads,
           l->source);
  }
}

/* A misprint to find: rounded down to a multiple of 512. */
static int blocks_rounding_down(const occupancy_limits *l, int block_shared)
{
  int bytes = block_shared / l->shared_unit * l->shared_unit;
  int blocks = bytes > 0 ? l->shared / bytes : l->blocks;
  return occupancy_least(l->blocks, blocks);
}

/* Ranges of shared memory per block in which as many blocks are active. */
static void print_shared(int capability)
{
  const occupancy_limits *l = occupancy_limits_of(capability);
  int from = 0, before = -1;
  for (int bytes = 0; bytes <= l->block_shared + 1; bytes++) {
    occupancy_use use = {32, 16, bytes, 0};
    int blocks = occupancy_of(l, use).blocks;
    if (before > 0 && blocks != before) {
      printf("%d.%d,%d,%d,%d,%d,%d\n", capability / 10, capability % 10,
             from, bytes - 1, before, blocks_rounding_down(l, from),
             blocks_rounding_down(l, bytes - 1));
    }
    if (blocks != before)
      from = bytes;
    before = blocks;
  }
}

static void print_block_sizes(void)
{
  static const int capabilities[] = {13, 20, 35, 75, 90, 120};
  printf("capability,block_threads,thread_registers,active_blocks,"
         "active_warps,occupancy\n");
  for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
    const occupancy_limits *l = occupancy_limits_of(capabilities[i]);
    for (int threads = 32; threads <= l->block_threads; threads += 32) {
      occupancy_use use = {threads, 16, 0, 0};
      occupancy o = occupancy_of(l, use);
      printf("%d.%d,%d,16,%d,%d,%.4f\n", l->capability / 10,
             l->capability % 10, threads, o.blocks, o.warps, o.share);
    }
  }
}

static void print_registers(void)
{
  static const int sizes[] = {64, 256, 512, 1024};
  const occupancy_limits *l = occupancy_limits_of(90);
  printf("block_threads,thread_registers,active_blocks,active_warps,"
         "occupancy\n");
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int registers = 16; registers <= 255; registers++) {
      occupancy_use use = {sizes[i], registers, 0, 0};
      occupancy o = occupancy_of(l, use);
      printf("%d,%d,%d,%d,%.4f\n", sizes[i], registers, o.blocks, o.warps,
             o.share);
    }
}

/* The most registers with which so many blocks of 256 threads are active. */
static void print_budget(void)
{
  const occupancy_limits *l = occupancy_limits_of(90);
  printf("active_blocks,active_warps,occupancy,thread_registers\n");
  for (int blocks = 8; blocks > 0; blocks--) {
    occupancy_use use = {256, l->thread_registers, 0, 0};
    while (occupancy_of(l, use).blocks < blocks)
      use.thread_registers--;
    occupancy o = occupancy_of(l, use);
    if (o.blocks == blocks)
      printf("%d,%d,%.4f,%d\n", blocks, o.warps, o.share,
             use.thread_registers);
  }
}

static const char usage[] =
  "  (none)        the limits of every compute capability\n"
  "  --check       compare the equations with filling, and stop\n"
  "  --csv=NAME    limits, shared, shared_today, block_sizes, registers\n"
  "                or budget\n";

int main(int argc, char **argv)
{
  const char *csv = "limits";
  int check = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0) {
      check = 1;
    } else if (strncmp(argv[i], "--csv=", 6) == 0) {
      csv = argv[i] + 6;
    } else {
      int help = strcmp(argv[i], "--help") == 0;
      if (!help)
        fprintf(stderr, "%s: error: unknown option '%s'\n", argv[0], argv[i]);
      fprintf(help ? stdout : stderr, "usage: %s [option]\n%s", argv[0],
              usage);
      return help ? EXIT_SUCCESS : 2;
    }
  }
  if (check_said() + check_by_filling() > 0)
    return EXIT_FAILURE;
  if (check) {
    printf("%ld configurations: filling gives what the equations say\n",
           n_checked);
    return EXIT_SUCCESS;
  }
  if (strcmp(csv, "limits") == 0) {
    print_limits();
  } else if (strcmp(csv, "shared") == 0 ||
             strcmp(csv, "shared_today") == 0) {
    printf("capability,from_bytes,to_bytes,active_blocks,"
           "blocks_down_from,blocks_down_to\n");
    print_shared(strcmp(csv, "shared") == 0 ? 13 : 90);
  } else if (strcmp(csv, "block_sizes") == 0) {
    print_block_sizes();
  } else if (strcmp(csv, "registers") == 0) {
    print_registers();
  } else if (strcmp(csv, "budget") == 0) {
    print_budget();
  } else {
    fprintf(stderr, "%s: error: --csv=%s: unknown\n%s", argv[0], csv, usage);
    return 2;
  }
  return EXIT_SUCCESS;
}
