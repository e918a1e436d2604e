/* How many blocks of a kernel are active on a multiprocessor at a time, and
 * which share of its warps that is. Plain C, no GPU needed: the arithmetic of
 * NVIDIA's occupancy calculator on the numbers of limits.def.
 *
 *   occupancy o = occupancy_of(occupancy_limits_of(90), use);
 *   printf("%d blocks, %.0f %%\n", o.blocks, 100 * o.share);
 */
#ifndef CODE_OCCUPANCY_OCCUPANCY_H
#define CODE_OCCUPANCY_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

enum { WARP_THREADS = 32 };

typedef struct {
  int capability;        /* 90 for 9.0 */
  int threads, blocks;   /* resident on a multiprocessor */
  int registers;         /* of a multiprocessor */
  int block_registers;   /* at most, for a block */
  int thread_registers;  /* at most, for a thread */
  int register_unit;     /* registers are given out in multiples of it … */
  int per_block;         /* … to each block (1) or to each warp (0) */
  int parts;             /* that a multiprocessor's registers are in */
  int shared;            /* bytes of a multiprocessor … */
  int block_shared;      /* … and at most, for a block */
  int shared_unit;       /* bytes: shared memory comes in multiples of it */
  int reserved;          /* bytes that the system takes for each block */
  int block_threads;     /* at most, in a block */
  const char *source;
} occupancy_limits;

static const occupancy_limits occupancy_all_limits[] = {
#define LIMITS(capability, threads, blocks, registers, block_registers,    \
               thread_registers, unit, of, parts, shared, block_shared,    \
               shared_unit, reserved, block_threads, source)               \
  {capability, threads, blocks, 1024 * registers, 1024 * block_registers,  \
   thread_registers, unit, OCCUPANCY_PER_##of, parts, 1024 * shared,       \
   1024 * block_shared, shared_unit, reserved, block_threads, source},
#define OCCUPANCY_PER_BLOCK 1
#define OCCUPANCY_PER_WARP 0
#include "limits.def"
#undef LIMITS
};
enum {
  OCCUPANCY_N_LIMITS = sizeof occupancy_all_limits /
                       sizeof occupancy_all_limits[0]
};

/* NULL for a compute capability that limits.def does not have. */
static inline const occupancy_limits *occupancy_limits_of(int capability)
{
  for (int i = 0; i < OCCUPANCY_N_LIMITS; i++)
    if (occupancy_all_limits[i].capability == capability)
      return &occupancy_all_limits[i];
  return NULL;
}

/* What a kernel needs, and how it is launched. */
typedef struct {
  int block_threads;
  int thread_registers;  /* as -Xptxas -v or cudaFuncGetAttributes says */
  int block_shared;      /* bytes, static and dynamic */
  int pool_shared;       /* bytes to share among blocks; 0: all there are */
} occupancy_use;

typedef struct {
  int blocks;            /* active on a multiprocessor; 0: cannot run */
  int warps;
  double share;          /* of the warps that could be: the occupancy */
  int by_warps, by_registers, by_shared;    /* each limit alone */
} occupancy;

static inline int occupancy_least(int a, int b) { return a < b ? a : b; }

/* n, rounded up to a multiple. */
static inline int occupancy_up(int n, int multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

/* A block that fills its last warp only in part still has that warp. */
static inline int occupancy_warps(int block_threads)
{
  return (block_threads + WARP_THREADS - 1) / WARP_THREADS;
}

static inline int occupancy_by_warps(const occupancy_limits *l,
                                     int block_threads)
{
  if (block_threads > l->block_threads)
    return 0;
  return occupancy_least(
      l->blocks, l->threads / WARP_THREADS / occupancy_warps(block_threads));
}

/* Until compute capability 1.3: a block gets its registers in one piece. */
static inline int occupancy_by_block_registers(const occupancy_limits *l,
                                               int block_threads,
                                               int thread_registers)
{
  int warps = occupancy_up(occupancy_warps(block_threads), l->parts);
  int registers = occupancy_up(warps * thread_registers * WARP_THREADS,
                               l->register_unit);
  return l->registers / registers;
}

/* From 2.0 on: each warp gets its own, from the part it belongs to. */
static inline int occupancy_by_warp_registers(const occupancy_limits *l,
                                              int block_threads,
                                              int thread_registers)
{
  int warps = occupancy_warps(block_threads);
  int per_warp = occupancy_up(thread_registers * WARP_THREADS,
                              l->register_unit);
  /* The launch is refused as if every part got equally many warps. */
  if (per_warp * occupancy_up(warps, l->parts) > l->block_registers)
    return 0;
  int warps_of_part = l->registers / l->parts / per_warp;
  return warps_of_part * l->parts / warps;
}

static inline int occupancy_by_registers(const occupancy_limits *l,
                                         int block_threads,
                                         int thread_registers)
{
  if (thread_registers > l->thread_registers)
    return 0;
  if (thread_registers == 0)
    return INT_MAX;
  return l->per_block
    ? occupancy_by_block_registers(l, block_threads, thread_registers)
    : occupancy_by_warp_registers(l, block_threads, thread_registers);
}

static inline int occupancy_by_shared(const occupancy_limits *l,
                                      int block_shared, int pool_shared)
{
  if (block_shared > l->block_shared)
    return 0;
  int bytes = occupancy_up(block_shared + l->reserved, l->shared_unit);
  int pool = pool_shared > 0 ? pool_shared : l->shared;
  return bytes > 0 ? pool / bytes : INT_MAX;
}

/* The memory of a multiprocessor serves as L1 cache and as shared memory.
 * How many bytes are for sharing when `percent` of the most were preferred
 * (-1: no preference)? The smallest setting that suffices for it, and for
 * one block. */
static inline int occupancy_pool(const occupancy_limits *l, int percent,
                                 int block_shared)
{
  static const int settings_kib[] = {8, 16, 32, 64, 96, 100, 132, 164, 196};
  int block = occupancy_up(block_shared + l->reserved, l->shared_unit);
  int preferred = (int)((long long)l->shared * percent / 100);
  if (percent < 0 || l->capability < 70)
    return l->shared;
  for (int i = 0; i < (int)(sizeof settings_kib / sizeof *settings_kib); i++) {
    int kib = settings_kib[i], bytes = 1024 * kib;
    int exists = bytes < l->shared && kib != 96 &&
                 (l->capability != 75 || kib >= 32);
    if (exists && bytes >= preferred && bytes >= block)
      return bytes;
  }
  return l->shared;
}

static inline occupancy occupancy_of(const occupancy_limits *l,
                                     occupancy_use use)
{
  occupancy o = {0, 0, 0.0, 0, 0, 0};
  if (use.block_threads <= 0)
    return o;
  o.by_warps = occupancy_by_warps(l, use.block_threads);
  o.by_registers = occupancy_by_registers(l, use.block_threads,
                                          use.thread_registers);
  o.by_shared = occupancy_by_shared(l, use.block_shared, use.pool_shared);
  o.blocks = occupancy_least(o.by_warps,
                             occupancy_least(o.by_registers, o.by_shared));
  o.warps = o.blocks * occupancy_warps(use.block_threads);
  o.share = (double)o.warps / (l->threads / WARP_THREADS);
  return o;
}

// begin shared_for
/* Dynamic shared memory with which exactly `blocks` blocks are active, as far
 * as shared memory decides: the way to choose an occupancy in an experiment. */
static inline int occupancy_shared_for(const occupancy_limits *l, int blocks)
{
  int bytes = l->shared / blocks / l->shared_unit * l->shared_unit;
  return occupancy_least(bytes - l->reserved, l->block_shared);
}
// end shared_for

#endif
