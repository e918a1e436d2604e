/* Ranges with names, for the profilers: what was warm-up, and what is meant
 * to be looked at. Without a profiler they cost next to nothing. */
#include <nvtx3/nvToolsExt.h>

#include "measuring/saxpy.h"

// begin ranges
static void run_in_ranges(const vectors *v, int n_warm_up)
{
  nvtxRangePushA("warm-up");
  for (int i = 0; i < n_warm_up; i++)
    saxpy_launch(v);
  CUDA_CHECK(cudaDeviceSynchronize());
  nvtxRangePop();

  nvtxRangePushA("measured");
  saxpy_launch(v);
  CUDA_CHECK(cudaDeviceSynchronize());
  nvtxRangePop();
}
// end ranges

static void run_without_warm_up(const vectors *v, void *data)
{
  (void)data;
  run_in_ranges(v, 0);
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 257, 65537};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int s = 0; s < 3; s++)
    right &= saxpy_check("ranges", &random, sizes[s], run_without_warm_up,
                         NULL);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
      "names what it does, for a profiler to show", "", "");
  if (!o.count && !check(&o))
    return EXIT_FAILURE;
  if (o.count) {
    size_t n = memory_length(&o, (size_t)1 << 26, 2 * sizeof(float));
    if (device_is_software() && o.n_sizes == 0)
      n = 1 << 16;
    random_source random = random_from_seed(1);
    vectors v = vectors_new(&random, n);
    run_in_ranges(&v, TIMING_WARM_UP);
    vectors_free(&v);
  }
  return EXIT_SUCCESS;
}
