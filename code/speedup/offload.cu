/* The program of work.h with its first part on the GPU. What stays on the
 * host, and the way there and back, is what the law calls serial. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"
#include "common/host.h"
#include "speedup/work.h"

enum { BLOCK_THREADS = 256, N_ELEMS = 1 << 20 };

__global__ void approach_each(float *x, int n, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = approach(x[i], n_steps);
}

typedef struct {
  double copy_in_us, kernel_us, copy_out_us, serial_us, total_us;
} parts;

// begin offload
static parts with_gpu(float *h_x, float *d_x, int n, int n_steps)
{
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  size_t n_bytes = n * sizeof(float);
  double start = timing_host_us();
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n_bytes, cudaMemcpyHostToDevice));
  double copied_in = timing_host_us();
  approach_each<<<n_blocks, BLOCK_THREADS>>>(d_x, n, n_steps);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  double computed = timing_host_us();
  CUDA_CHECK(cudaMemcpy(h_x, d_x, n_bytes, cudaMemcpyDeviceToHost));
  double copied_out = timing_host_us();
  smooth(h_x, n);
  double end = timing_host_us();
  parts p = {copied_in - start, computed - copied_in, copied_out - computed,
             end - copied_out, end - start};
  return p;
}
// end offload

static parts on_cpu(float *h_x, float *, int n, int n_steps)
{
  double start = timing_host_us();
  for (int i = 0; i < n; i++)
    h_x[i] = approach(h_x[i], n_steps);
  double computed = timing_host_us();
  smooth(h_x, n);
  double end = timing_host_us();
  parts p = {0.0, computed - start, 0.0, end - computed, end - start};
  return p;
}

typedef struct {
  const char *name, *idea;
  parts (*run)(float *, float *, int, int);
} version;

static const version versions[] = {
  {"cpu", "both parts on one core", on_cpu},
  {"gpu", "the first part on the GPU", with_gpu},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int check_size(const options *o, int n, int n_steps)
{
  float *x = (float *)host_memory(o->program, n * sizeof(float));
  float *d_x;
  int n_bad = 0;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  for (int v = 0; v < N_VERSIONS; v++) {
    double level = 0.0;
    if (!options_wants(o, versions[v].name))
      continue;
    work_targets(x, n);
    versions[v].run(x, d_x, n, n_steps);
    for (int i = 0; i < n; i++) {
      double root = cbrt(1.0 + (double)((i + 1) * 2654435761ul % 1000003ul) /
                                   1000003.0);
      level = i == 0 ? root : 0.75 * level + 0.25 * root;
      if (!(fabs(x[i] - level) <= 2e-5)) {
        fprintf(stderr, "offload %s, n = %d: error: element %d is %g, "
                "expected %g\n", versions[v].name, n, i, x[i], level);
        n_bad++;
        break;
      }
    }
  }
  CUDA_CHECK(cudaFree(d_x));
  free(x);
  return n_bad;
}

static int check(const options *o)
{
  int n_bad = check_size(o, 1, 64) + check_size(o, 255, 64) +
              check_size(o, 257, 64) + check_size(o, 5000, 100);
  fprintf(options_remarks(o), "check: %s\n", n_bad ? "WRONG" : "all right");
  return n_bad;
}

static void summarise(host_times *t, int n, double *median)
{
  t->n = n;
  *median = host_median(t);
}

static void measure(const options *o)
{
  static const int steps[] = {4, 16, 128, 1024};
  float *x = (float *)host_memory(o->program, N_ELEMS * sizeof(float));
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, N_ELEMS * sizeof(float)));
  printf("n_steps,version,copy_in_us,kernel_us,copy_out_us,serial_us,"
         "total_us,time_spread_us\n");
  for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
    for (int v = 0; v < N_VERSIONS; v++) {
      static host_times in, kernel, out, serial, total;
      int n = v == 0 ? (o->repetitions + 3) / 4 : o->repetitions;
      parts m;
      if (!options_wants(o, versions[v].name))
        continue;
      for (int i = -1; i < n; i++) {         /* -1 warms up */
        work_targets(x, N_ELEMS);
        parts p = versions[v].run(x, d_x, N_ELEMS, steps[s]);
        if (i < 0)
          continue;
        in.us[i] = p.copy_in_us;
        kernel.us[i] = p.kernel_us;
        out.us[i] = p.copy_out_us;
        serial.us[i] = p.serial_us;
        total.us[i] = p.total_us;
      }
      summarise(&in, n, &m.copy_in_us);
      summarise(&kernel, n, &m.kernel_us);
      summarise(&out, n, &m.copy_out_us);
      summarise(&serial, n, &m.serial_us);
      summarise(&total, n, &m.total_us);
      printf("%d,%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", steps[s],
             versions[v].name, m.copy_in_us, m.kernel_us, m.copy_out_us,
             m.serial_us, m.total_us, host_spread(&total));
      fflush(stdout);
    }
  CUDA_CHECK(cudaFree(d_x));
  free(x);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a program with one part on the GPU",
                            "offload", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
