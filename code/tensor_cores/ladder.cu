/* All versions of this chapter's programs and cuBLAS, timed in one run.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/tensor_cores/ladder.cu -lcublas -o ladder && ./ladder */
#include <cuda_pipeline.h>
#include <mma.h>

#include "common/cublas_check.h"
#include "common/hopper.h"
#include "tensor_cores/product.h"

/* The programs, without their main, each in a namespace of its own. */
#define PRODUCT_LADDER
#undef PRODUCT_MAIN
#define PRODUCT_MAIN(versions)
namespace wmma_step {
#include "tensor_cores/wmma.cu"
}
namespace mma_step {
#include "tensor_cores/mma.cu"
}
namespace wgmma_step {
#include "tensor_cores/wgmma.cu"
}
namespace specialised_step {
#include "tensor_cores/specialised.cu"
}
namespace cluster_step {
#include "tensor_cores/cluster.cu"
}
namespace persistent_step {
#include "tensor_cores/persistent.cu"
}
namespace fastest_step {
#include "tensor_cores/fastest.cu"
}

/* cuBLAS takes matrices column by column. Read so, our a and b are their own
 * transposes, and so is the c that we want. */
static void launch_cublas(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  static cublasHandle_t handle;
  const float one = 1.0f, zero = 0.0f;
  if (!handle)
    CUBLAS_CHECK(cublasCreate(&handle));
  CUBLAS_CHECK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, s.n_cols,
                            s.n_rows, s.n_inner, &one, d_b, CUDA_R_16BF,
                            s.n_inner, d_a, CUDA_R_16BF, s.n_inner, &zero,
                            d_c, CUDA_R_16BF, s.n_cols, CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_DEFAULT));
}

static const version cublas_version = {
  "cublas", "the library", launch_cublas, {1, 8, 8}, 80
};

static version rungs[MOST_VERSIONS];
static int n_rungs;

template <int N> static void add(const version (&versions)[N])
{
  for (int i = 0; i < N; i++)
    rungs[n_rungs++] = versions[i];
}

/* Whole numbers, large matrices: the same elements as cuBLAS? */
static int is_like_cublas(const version *v, shape s)
{
  product_matrices m = product_allocate(s, 1, INPUTS_WHOLE);
  size_t n_bytes = m.n_c * sizeof(bf16);
  poison_device(m.d_c, n_bytes);
  launch_cublas(m.d_c, m.d_a, m.d_b, s);
  void *expected = product_to_host(m.d_c, n_bytes);
  poison_device(m.d_c, n_bytes);
  v->launch(m.d_c, m.d_a, m.d_b, s);
  CUDA_CHECK_LAUNCH();
  void *got = product_to_host(m.d_c, n_bytes);
  int right = compare_bytes(v->name, expected, got, n_bytes);
  free(expected);
  free(got);
  product_free(&m);
  return right;
}

static void measure(const options *o, size_t wanted, int kind,
                    const char *only)
{
  const version *list[MOST_VERSIONS];
  int n = 0;
  shape s = product_shape(o, wanted);
  for (int i = 0; i < n_rungs; i++) {
    int is_cublas = strcmp(rungs[i].name, "cublas") == 0;
    if (!product_can_run(&rungs[i]) ||
        (!is_cublas && (!options_wants(o, rungs[i].name) ||
                        (only && strcmp(only, rungs[i].name) != 0))))
      continue;
    if (kind == INPUTS_RANDOM && !is_like_cublas(&rungs[i], s))
      exit(EXIT_FAILURE);
    list[n++] = &rungs[i];
  }
  product_measure(o, list, n, s, kind);
}

int main(int argc, char **argv)
{
  add(fastest_step::versions);
  const char *last = rungs[0].name;
  n_rungs = 0;
  rungs[n_rungs++] = cublas_version;
  add(wmma_step::versions);
  add(mma_step::versions);
  add(wgmma_step::versions);
  add(specialised_step::versions);
  add(cluster_step::versions);
  add(persistent_step::versions);
  add(fastest_step::versions);

  options o = options_parse(argc, argv, "multiplies matrices of bfloat16",
                            "ladder,inputs,sizes", "versions");
  options_versions(&o, rungs, sizeof rungs[0], (size_t)n_rungs);
  if (o.count) {
    product_count(&o, rungs + 1, n_rungs - 1);
    return EXIT_SUCCESS;
  }
  if (product_check_all(&o, rungs, n_rungs) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  product_head(&o);
  if (o.csv && strcmp(o.csv, "inputs") == 0)
    for (int kind = 0; kind < N_INPUTS; kind++)
      measure(&o, 8192, kind, last);
  else if (o.csv && strcmp(o.csv, "sizes") == 0) {
    static const size_t sides[] = { 1024, 1536, 2048, 3072, 4096, 5120,
                                    6144, 8192, 12288, 16384 };
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
      measure(&o, sides[i], INPUTS_RANDOM, last);
  } else
    measure(&o, 8192, INPUTS_RANDOM, NULL);
  return EXIT_SUCCESS;
}
