/* Resident blocks per multiprocessor. Expected values: CUDA's occupancy
 * calculator rules, worked out by hand. */
#include "core/occupancy.h"
#include "test.h"

static int blocks(int capability, int threads, int registers,
                  size_t shared_bytes)
{
  struct occupancy_use use = { threads, registers, shared_bytes, 0 };
  return occupancy_blocks(device_model(capability), &use);
}

BEHAVIOUR(blocks_limit)
{
  CHECK_EQUAL(blocks(90, 32, 16, 0), 32);
  CHECK_EQUAL(blocks(75, 32, 16, 0), 16);
  CHECK_EQUAL(blocks(89, 32, 16, 0), 24);
}

BEHAVIOUR(threads_limit)
{
  CHECK_EQUAL(blocks(90, 1024, 16, 0), 2);
  CHECK_EQUAL(blocks(90, 768, 16, 0), 2);
  CHECK_EQUAL(blocks(86, 1024, 16, 0), 1);
  CHECK_EQUAL(blocks(75, 256, 16, 0), 4);
}

BEHAVIOUR(part_of_a_warp_is_a_warp) { CHECK_EQUAL(blocks(90, 257, 16, 0), 7); }

BEHAVIOUR(registers_limit)
{
  CHECK_EQUAL(blocks(90, 256, 32, 0), 8);
  CHECK_EQUAL(blocks(90, 256, 33, 0), 6); /* 40 after rounding: 48 warps */
  CHECK_EQUAL(blocks(90, 256, 64, 0), 4);
  CHECK_EQUAL(blocks(90, 1024, 65, 0), 0);
  CHECK_EQUAL(blocks(90, 256, 255, 0), 1);
}

/* Settings and answers of an H200, see code/occupancy/ask_runtime.cu. */
BEHAVIOUR(carve_out)
{
  const struct device_model *model = device_model(90);
  CHECK_EQUAL(occupancy_pool(model, -1, 0), 228 << 10);
  CHECK_EQUAL(occupancy_pool(model, 0, 0), 8 << 10);
  CHECK_EQUAL(occupancy_pool(model, 5, 0), 16 << 10);
  CHECK_EQUAL(occupancy_pool(model, 50, 0), 132 << 10);
  CHECK_EQUAL(occupancy_pool(model, 0, 8 << 10), 16 << 10);
  CHECK_EQUAL(occupancy_pool(device_model(75), 0, 0), 32 << 10);
}

BEHAVIOUR(shared_memory_limits)
{
  CHECK_EQUAL(blocks(90, 32, 16, 48 << 10), 4);
  CHECK_EQUAL(blocks(80, 32, 16, 48 << 10), 3);
  CHECK_EQUAL(blocks(75, 32, 16, 48 << 10), 1);
  CHECK_EQUAL(blocks(90, 32, 16, 227 << 10), 1);
  CHECK_EQUAL(blocks(90, 32, 16, (227 << 10) + 1), 0);
}

BEHAVIOUR(no_shared_memory_still_costs_a_kilobyte)
{
  CHECK_EQUAL(blocks(86, 32, 16, 5 << 10), 16);
  CHECK_EQUAL(blocks(86, 32, 16, (5 << 10) + 512), 15);
}

BEHAVIOUR(impossible_blocks)
{
  CHECK_EQUAL(blocks(90, 0, 16, 0), 0);
  CHECK_EQUAL(blocks(90, 1025, 16, 0), 0);
}

BEHAVIOUR(dynamic_shared_memory_of_a_share)
{
  const struct device_model *model = device_model(90);
  CHECK_EQUAL(occupancy_shared(model, -1, 1, 0), 227 << 10);
  CHECK_EQUAL(occupancy_shared(model, -1, 2, 0), 114 << 10);
  CHECK_EQUAL(occupancy_shared(model, -1, 2, 1024), 113 << 10);
}

/* What an H200's driver answered, with cudaFuncCachePreferEqual. */
BEHAVIOUR(dynamic_shared_memory_of_a_preference)
{
  const struct device_model *model = device_model(90);
  CHECK_EQUAL(occupancy_shared(model, 50, 1, 0), 232448);
  CHECK_EQUAL(occupancy_shared(model, 50, 2, 0), 67584);
  CHECK_EQUAL(occupancy_shared(model, 50, 4, 0), 33792);
  CHECK_EQUAL(occupancy_shared(model, 50, 8, 0), 16896);
  CHECK_EQUAL(occupancy_shared(model, 50, 16, 0), 8448);
  CHECK_EQUAL(occupancy_shared(model, 50, 32, 0), 4224);
}
