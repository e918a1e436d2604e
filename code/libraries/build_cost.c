/* What a version costs before it runs: lines of code, the compiler's time,
 * bytes of the object, bytes of the library that must be there.
 *
 * The lines are those of the book's listings, cut out at their marks and
 * compiled by themselves. As many compilers run at a time as half of the
 * processor's cores. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/options.h"
#include "code_folder.h"   /* CODE_FOLDER: the build says where code/ is */

typedef struct {
  const char *name;        /* task and version */
  const char *idea;
  const char *task;
  const char *source;      /* in code/libraries */
  const char *tags;        /* the marks, in this order */
  const char *before;      /* what the lines need in front of them … */
  const char *behind;      /* … and behind, to become code */
  const char *libraries[2];
} version;

#define COMMON "#include \"common/cuda_check.h\"\n" \
  "#include <stdint.h>\n#include \"libraries/library_check.h\"\n"
#define SIZES "enum { BLOCK_THREADS = 256, GROUPS = 4, POINTS = 1024, " \
  "ROUNDS = 10 };\n"
#define WORKSPACE "typedef struct { float *d_total; uint4 *d_numbers; } " \
  "workspace;\n"

static const version versions[] = {
  {"dot_by_hand", "kernels", "dot", "dot.cu", "add_block by_hand",
   COMMON SIZES, "", {NULL}},
  {"dot_cublas", "cuBLAS", "dot", "dot.cu", "cublas",
   COMMON "#include \"common/cublas_check.h\"\n" WORKSPACE,
   "void *used = (void *)launch_cublas;\n", {"cublas", "cublasLt"}},
  {"dot_cub", "CUB", "dot", "dot_primitives.cu", "cub_dot", COMMON, "",
   {NULL}},
  {"dot_thrust", "Thrust", "dot", "dot_primitives.cu", "thrust_dot", COMMON,
   "", {NULL}},
  {"fft_by_hand", "a kernel", "fft", "fft.cu",
   "complex butterfly place stockham", COMMON SIZES,
   "template __global__ void fft_stockham<32, 1, 4, 0>(float2 *, "
   "const float2 *, size_t);\n", {NULL}},
  {"fft_cufft", "cuFFT", "fft", "fft.cu", "cufft", COMMON SIZES,
   "void *used = (void *)launch_cufft;\n", {"cufft", NULL}},
  {"pi_by_hand", "a kernel", "pi", "random.cu",
   "philox points add_up by_hand", COMMON SIZES, "", {NULL}},
  {"pi_curand_device", "cuRAND's device side", "pi", "random.cu",
   "points add_up curand_device",
   COMMON SIZES "#include <curand_kernel.h>\n", "", {NULL}},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0], LINE_BYTES = 512 };

/* ---- the lines ------------------------------------------------------- */

static FILE *open_or_end(const char *path, const char *mode)
{
  FILE *file = fopen(path, mode);
  if (file)
    return file;
  fprintf(stderr, "error: %s cannot be opened\n", path);
  exit(EXIT_FAILURE);
}

/* Code that a reader has to read: no comment, no empty line. */
static int is_code(const char *line, int *in_comment)
{
  const char *at = line + strspn(line, " \t\r\n");
  int was_in_comment = *in_comment;
  if (strncmp(at, "/*", 2) == 0)
    *in_comment = was_in_comment = 1;
  if (*in_comment && strstr(at, "*/"))
    *in_comment = 0;
  return *at && !was_in_comment && strncmp(at, "//", 2) != 0;
}

/* The lines between the marks of `tag`, into `to` if there is one. Returns
 * how many of them are code. */
static int cut(const char *source, const char *tag, size_t tag_length,
               FILE *to)
{
  char path[1024], line[LINE_BYTES], begin[80], end[80];
  int n_lines = 0, inside = 0, in_comment = 0;
  snprintf(path, sizeof path, "%s/libraries/%s", CODE_FOLDER, source);
  snprintf(begin, sizeof begin, "// begin %.*s\n", (int)tag_length, tag);
  snprintf(end, sizeof end, "// end %.*s\n", (int)tag_length, tag);
  FILE *file = open_or_end(path, "r");
  while (fgets(line, sizeof line, file)) {
    if (strcmp(line, end) == 0)
      inside = 0;
    if (inside) {
      n_lines += is_code(line, &in_comment);
      if (to)
        fputs(line, to);
    }
    if (strcmp(line, begin) == 0)
      inside = 1;
  }
  fclose(file);
  return n_lines;
}

static int cut_all(const version *v, FILE *to)
{
  int n_lines = 0;
  for (const char *tag = v->tags; *tag; tag += *tag == ' ') {
    size_t length = strcspn(tag, " ");
    int some = cut(v->source, tag, length, to);
    if (some == 0) {
      fprintf(stderr, "%s: error: no code between the marks %.*s of %s\n",
              v->name, (int)length, tag, v->source);
      exit(EXIT_FAILURE);
    }
    n_lines += some;
    tag += length;
  }
  return n_lines;
}

/* ---- the compiler ---------------------------------------------------- */

static double now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static long long file_bytes(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 ? (long long)about.st_size : -1;
}

/* The toolkit's folder, of CUDA_HOME or the usual place. */
static const char *toolkit(void)
{
  const char *home = getenv("CUDA_HOME");
  home = home ? home : getenv("CUDA_PATH");
  return home ? home : "/usr/local/cuda";
}

/* Of all shared libraries that a version needs beside the runtime. */
static long long library_bytes(const version *v)
{
  long long sum = 0;
  for (int i = 0; i < 2 && v->libraries[i]; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/lib64/lib%s.so", toolkit(),
             v->libraries[i]);
    long long n_bytes = file_bytes(path);
    if (n_bytes < 0) {
      fprintf(stderr, "needs %s, which is not here\n", path);
      exit(EXIT_SKIPPED);
    }
    sum += n_bytes;
  }
  return sum;
}

static void write_source(const version *v, const char *folder)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.cu", folder, v->name);
  FILE *file = open_or_end(path, "w");
  fputs(v->before, file);
  cut_all(v, file);
  fputs(v->behind, file);
  fclose(file);
}

static pid_t start_compiler(const version *v, const char *folder)
{
  char nvcc[1024], source[1024], object[1024];
  snprintf(nvcc, sizeof nvcc, "%s/bin/nvcc", toolkit());
  snprintf(source, sizeof source, "%s/%s.cu", folder, v->name);
  snprintf(object, sizeof object, "%s/%s.o", folder, v->name);
  fflush(NULL);
  pid_t child = fork();
  if (child != 0)
    return child;
  execl(nvcc, nvcc, "-std=c++17", "-O3", "-gencode",
        "arch=compute_90,code=sm_90", "-I", CODE_FOLDER, "-w", "-c", "-o",
        object, source, (char *)NULL);
  fprintf(stderr, "error: %s cannot be run\n", nvcc);
  _exit(127);
}

static void measure(const options *o)
{
  char folder[] = "/tmp/build_cost.XXXXXX";
  pid_t child[N_VERSIONS] = {0};
  double ms[N_VERSIONS] = {0};
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  long n_running = 0, most = cores > 3 ? cores / 2 : 1;
  if (!mkdtemp(folder)) {
    fprintf(stderr, "error: no folder in /tmp\n");
    exit(EXIT_FAILURE);
  }
  for (int started = 0; started < N_VERSIONS || n_running > 0;) {
    if (started < N_VERSIONS && n_running < most) {
      const version *v = &versions[started];
      if (options_wants(o, v->name)) {
        write_source(v, folder);
        ms[started] = -now_ms();
        child[started] = start_compiler(v, folder);
        n_running++;
      }
      started++;
      continue;
    }
    int status;
    pid_t ended = wait(&status);
    n_running--;
    for (int i = 0; i < N_VERSIONS; i++)
      if (child[i] == ended) {
        ms[i] += now_ms();
        if (status != 0) {
          fprintf(stderr, "%s: error: does not compile, see %s\n",
                  versions[i].name, folder);
          exit(EXIT_FAILURE);
        }
      }
  }
  printf("version,task,n_lines,compile_ms,object_bytes,library_bytes\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    char path[1024];
    if (!options_wants(o, v->name))
      continue;
    snprintf(path, sizeof path, "%s/%s.o", folder, v->name);
    printf("%s,%s,%d,%.0f,%lld,%lld\n", v->name, v->task, cut_all(v, NULL),
           ms[i], file_bytes(path), library_bytes(v));
    remove(path);
    snprintf(path, sizeof path, "%s/%s.cu", folder, v->name);
    remove(path);
  }
  rmdir(folder);
}

/* The counter of lines, against lines that were counted by eye. */
static int check_counter(void)
{
  static const char *const lines[] = {"int a;\n", "\n", "/* one\n",
      "   two */\n", "  // three\n", "  b = 1;  /* four */\n", "/* five */\n",
      "}\n"};
  int n_lines = 0, in_comment = 0;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    n_lines += is_code(lines[i], &in_comment);
  if (n_lines != 3)
    fprintf(stderr, "error: %d lines of code were counted, not 3\n", n_lines);
  return n_lines != 3;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what a version costs to build",
                            "cost,lines", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check_counter())
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "cost") == 0) {
    measure(&o);
    return EXIT_SUCCESS;
  }
  printf("version,task,n_lines\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      printf("%s,%s,%d\n", versions[i].name, versions[i].task,
             cut_all(&versions[i], NULL));
  return EXIT_SUCCESS;
}
