/* A table of GPUs, one for each compute capability. */
#include "device_model.h"

/* Threads, blocks and shared memory per multiprocessor: CUDA Programming
 * Guide, "Technical Specifications per Compute Capability". The rest: data
 * sheet of the product that is named. */
static const struct device_model models[] = {
  { .capability = 75,
    .like = "T4",
    .multiprocessors = 40,
    .threads = 1024,
    .blocks = 16,
    .shared_bytes = 64 << 10,
    .shared_optin_bytes = 64 << 10,
    .shared_granularity = 256,
    .l2_bytes = 4 << 20,
    .bus_bits = 256,
    .clock_khz = 1590000,
    .memory_clock_khz = 5001000,
    .copy_engines = 3,
    .double_ratio = 32 },
  { .capability = 80,
    .like = "A100",
    .multiprocessors = 108,
    .threads = 2048,
    .blocks = 32,
    .shared_bytes = 164 << 10,
    .shared_optin_bytes = 163 << 10,
    .shared_granularity = 128,
    .l2_bytes = 40 << 20,
    .persisting_l2_bytes = 30 << 20,
    .access_window_bytes = 134213632,
    .bus_bits = 5120,
    .clock_khz = 1410000,
    .memory_clock_khz = 1215000,
    .copy_engines = 3,
    .double_ratio = 2 },
  { .capability = 86,
    .like = "RTX A6000",
    .multiprocessors = 84,
    .threads = 1536,
    .blocks = 16,
    .shared_bytes = 100 << 10,
    .shared_optin_bytes = 99 << 10,
    .shared_granularity = 128,
    .l2_bytes = 6 << 20,
    .persisting_l2_bytes = 4608 << 10,
    .access_window_bytes = 134213632,
    .bus_bits = 384,
    .clock_khz = 1800000,
    .memory_clock_khz = 8001000,
    .copy_engines = 2,
    .double_ratio = 64 },
  { .capability = 89,
    .like = "L40",
    .multiprocessors = 142,
    .threads = 1536,
    .blocks = 24,
    .shared_bytes = 100 << 10,
    .shared_optin_bytes = 99 << 10,
    .shared_granularity = 128,
    .l2_bytes = 96 << 20,
    .persisting_l2_bytes = 66 << 20,
    .access_window_bytes = 134213632,
    .bus_bits = 384,
    .clock_khz = 2490000,
    .memory_clock_khz = 9001000,
    .copy_engines = 2,
    .double_ratio = 64 },
  { .capability = 90,
    .like = "H200",
    .multiprocessors = 132,
    .threads = 2048,
    .blocks = 32,
    .shared_bytes = 228 << 10,
    .shared_optin_bytes = 227 << 10,
    .shared_granularity = 128,
    .l2_bytes = 60 << 20,
    .persisting_l2_bytes = 38400 << 10,
    .access_window_bytes = 1 << 27,
    .sync_domains = 4,
    .bus_bits = 6016,
    .clock_khz = 1980000,
    .memory_clock_khz = 3201000,
    .copy_engines = 3,
    .double_ratio = 2 },
};

const struct device_model *device_model(int capability)
{
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    if (models[i].capability == capability)
      return &models[i];
  return NULL;
}

const char *device_model_list(void) { return "7.5, 8.0, 8.6, 8.9 or 9.0"; }

int device_model_reserved_shared(const struct device_model *model)
{
  return model->capability >= 80 ? 1024 : 0;
}
