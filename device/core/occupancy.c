/* Each resource gives a limit on the number of blocks; the least one decides. */
#include "occupancy.h"

#include <stdbool.h>

static size_t round_up(size_t n, size_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Registers are given to whole warps, and each of the four parts of a
 * multiprocessor has a quarter of them. */
static int warps_of(int registers)
{
  if (registers <= 0)
    return BLOCK_THREADS;
  size_t per_warp =
      round_up((size_t)registers * WARP_THREADS, REGISTER_GRANULARITY);
  size_t per_part = REGISTERS / WARP_GRANULARITY / per_warp;
  return (int)(per_part * WARP_GRANULARITY);
}

static int by_registers(const struct occupancy_use *use, int warps)
{
  return warps_of(use->registers) / warps;
}

int occupancy_most_threads(int registers)
{
  return least(BLOCK_THREADS, warps_of(registers) * WARP_THREADS);
}

static int by_shared(const struct device_model *model,
                     const struct occupancy_use *use)
{
  size_t reserved = (size_t)device_model_reserved_shared(model);
  size_t bytes =
      round_up(use->shared_bytes + reserved, (size_t)model->shared_granularity);
  if (use->shared_bytes > (size_t)model->shared_optin_bytes)
    return 0;
  size_t pool =
      use->pool_bytes != 0 ? use->pool_bytes : (size_t)model->shared_bytes;
  return bytes == 0 ? model->blocks : (int)(pool / bytes);
}

/* CUDA Programming Guide, "Unified Data/L1/Texture Cache" of each compute
 * capability. */
size_t occupancy_pool(const struct device_model *model, int percent,
                      size_t shared_bytes)
{
  static const size_t settings[] = { 8, 16, 32, 64, 100, 132, 164, 196 };
  size_t most = (size_t)model->shared_bytes;
  size_t block =
      round_up(shared_bytes + (size_t)device_model_reserved_shared(model),
               (size_t)model->shared_granularity);
  size_t preferred = percent < 0 ? most : most * (size_t)percent / 100;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    size_t bytes = settings[i] << 10;
    bool exists = bytes < most && (model->capability != 75 || bytes >= 32768);
    if (exists && bytes >= preferred && bytes >= block)
      return bytes;
  }
  return most;
}

int occupancy_blocks(const struct device_model *model,
                     const struct occupancy_use *use)
{
  if (use->block_threads <= 0 || use->block_threads > BLOCK_THREADS)
    return 0;
  int warps = (use->block_threads + WARP_THREADS - 1) / WARP_THREADS;
  int blocks = least(model->blocks, model->threads / WARP_THREADS / warps);
  blocks = least(blocks, by_registers(use, warps));
  return least(blocks, by_shared(model, use));
}

/* An H200's driver divides the preferred pool and forgets what it reserves for
 * itself in each block; one block alone may have all there is. */
size_t occupancy_shared(const struct device_model *model, int percent,
                        int n_blocks, size_t static_bytes)
{
  size_t granularity = (size_t)model->shared_granularity;
  size_t pool = percent >= 0 && n_blocks > 1
                    ? occupancy_pool(model, percent, static_bytes)
                    : (size_t)model->shared_bytes;
  size_t each = pool / (size_t)n_blocks / granularity * granularity;
  size_t rest = each > static_bytes ? each - static_bytes : 0;
  size_t most = (size_t)model->shared_optin_bytes - static_bytes;
  return rest < most ? rest : most;
}
