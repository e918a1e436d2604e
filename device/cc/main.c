#define _XOPEN_SOURCE 700
/* softdevice cc: compiles CUDA C with clang for the software device.
 *
 *   file.cu, as device code, to LLVM's text    clang
 *   what clang has no words for                annotate.c
 *   LLVM's text to PTX                         clang
 *   PTX into a fat binary                      container.c
 *   file.cu, as host code, with that inside    clang
 *   all objects into a program                 clang, for the linker
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate.h"
#include "container.h"
#include "options.h"
#include "words.h"

/* Clang 14 knows devices up to 8.6 and PTX up to 7.5; newer ones are given the
 * same, so that they compile the same. What it generates runs on newer devices
 * as it is, and inline PTX for them is only text to clang. */
#define NEWEST_CPU 86
#define FEATURE "+ptx75"
#define SDK_VERSION "-target-sdk-version=11.5"

/* Where things are, next to this program. */
struct places {
  const char *clang;
  char *headers;   /* device/include, as it was built or installed */
  char *libraries; /* the folder of libcudart.so.13 */
  char *work;      /* for temporary files; removed at the end */
};

static struct places places;

static void remove_work(void)
{
  DIR *folder = places.work != NULL ? opendir(places.work) : NULL;
  struct dirent *entry;

  if (folder == NULL)
    return;
  while ((entry = readdir(folder)) != NULL)
    if (entry->d_name[0] != '.')
      unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
  rmdir(places.work);
}

static char *work_file(const char *name)
{
  return text_of("%s/%s", places.work, name);
}

/* The folder of this program. */
static char *own_folder(void)
{
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0)
    fail("/proc/self/exe: %s", strerror(errno));
  path[n] = '\0';
  *strrchr(path, '/') = '\0';
  return text_of("%s", path);
}

static bool is_there(const char *path) { return access(path, R_OK) == 0; }

/* The first of some folders, relative to this program's, that has `file`. */
static char *folder_with(const char *own, const char *const *folders,
                         const char *file)
{
  for (; *folders != NULL; folders++) {
    char *path = text_of("%s/%s/%s", own, *folders, file);
    if (is_there(path)) {
      *strrchr(path, '/') = '\0';
      return path;
    }
    free(path);
  }
  fail("%s is not where this program expects it, below %s", file, own);
}

static void find_places(void)
{
  static const char *const headers[] = { "include", "../include",
                                         "../include/softdevice",
                                         "../../include/softdevice", NULL };
  static const char *const libraries[] = { ".", "..", "../lib/softdevice",
                                           "../softdevice", NULL };
  char *own = own_folder(), *clang = getenv("SOFTDEVICE_CLANG");
  const char *folder = getenv("TMPDIR");

  places.clang = clang != NULL && *clang != '\0' ? clang : "clang";
  places.headers = folder_with(own, headers, "cuda_runtime.h");
  places.libraries = folder_with(own, libraries, "libcudart.so.13");
  char *work = text_of("%s/softdevice-cc-XXXXXX",
                       folder != NULL && *folder != '\0' ? folder : "/tmp");
  if (mkdtemp(work) == NULL)
    fail("%s: %s", work, strerror(errno));
  places.work = work;
  atexit(remove_work);
  free(own);
}

static void say(const struct words *command)
{
  for (size_t i = 0; i < command->n; i++)
    fprintf(stderr, "%s%s", i > 0 ? " " : "", command->word[i]);
  fputc('\n', stderr);
}

/* Runs a command and waits for it; ends this program as the command ended when
 * that wasn't well. */
static void run(const struct options *options, const struct words *command)
{
  int status;

  if (options->says_commands)
    say(command);
  if (options->only_says)
    return;
  pid_t process = fork();
  if (process < 0)
    fail("fork: %s", strerror(errno));
  if (process == 0) {
    execvp(command->word[0], command->word);
    fprintf(
        stderr,
        "softdevice cc: error: %s: %s\n"
        "  install clang (Debian: apt-get install clang), or name one with\n"
        "  SOFTDEVICE_CLANG\n",
        command->word[0], strerror(errno));
    _exit(127);
  }
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      fail("waitpid: %s", strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return;
  if (WIFSIGNALED(status))
    fail("%s was ended by signal %d", command->word[0], WTERMSIG(status));
  exit(WEXITSTATUS(status) == 127 ? 2 : WEXITSTATUS(status));
}

/* What both compilations of a source have in common. */
static struct words compiler(const struct options *options)
{
  struct words command = { 0 };
  char *standard = text_of("-std=%s", options->standard);

  words_add_all(&command, places.clang, "-x", "cuda", "-nocudainc",
                "-nocudalib", "-Xclang", SDK_VERSION, standard, "-D__CUDACC__",
                "-Wno-unknown-cuda-version",
                "-Wno-unused-command-line-argument", NULL);
  /* A toolkit that happens to be here has no part in this. */
  char *nowhere = text_of("--cuda-path=%s", places.work);
  words_add_all(&command, nowhere, "-include", "cuda_runtime.h", NULL);
  words_add_list(&command, &options->both);
  words_add_all(&command, "-isystem", places.headers, NULL);
  free(standard);
  free(nowhere);
  return command;
}

static void add_device_floats(struct words *command,
                              const struct options *options)
{
  words_add(command,
            options->contracts ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (options->fast_math)
    words_add_all(command, "-mllvm", "-nvptx-prec-divf32=0", "-mllvm",
                  "-nvptx-prec-sqrtf32=0", NULL);
}

static int device_cpu(const struct options *options)
{
  return options->architecture < NEWEST_CPU ? options->architecture
                                            : NEWEST_CPU;
}

/* source.cu -> device.ll */
static void to_llvm(const struct options *options, const char *source,
                    const char *output)
{
  struct words command = compiler(options);
  char *cpu = text_of("--cuda-gpu-arch=sm_%d", device_cpu(options));
  char *number = text_of("-D__CUDA_ARCH__=%d0", options->architecture);

  words_add_all(&command, "--cuda-device-only", cpu, "-Xclang",
                "-target-feature", "-Xclang", FEATURE, "-U__CUDA_ARCH__",
                number, "-w", "-fno-discard-value-names",
                options->unoptimised_device ? "-O0" : "-O3", "-Xclang",
                "-disable-llvm-passes", "-gline-directives-only", NULL);
  if (options->is_specific)
    words_add(&command, "-D__CUDA_ARCH_FEAT_SM90_ALL");
#ifdef __CHAR_UNSIGNED__
  /* As on the host, on arm64; to clang, a device's char has a sign. */
  words_add(&command, "-funsigned-char");
#endif
  if (options->fast_math)
    words_add_all(&command, "-D__USE_FAST_MATH__",
                  "-fcuda-flush-denormals-to-zero", NULL);
  add_device_floats(&command, options);
  if (options->stage == STAGE_PTX)
    words_add_list(&command, &options->depend);
  words_add_all(&command, "-S", "-emit-llvm", "-o", output, source, NULL);
  run(options, &command);
  free(cpu);
  free(number);
}

/* edited.ll -> device.ptx, optimised on the way. */
static void to_ptx(const struct options *options, const char *llvm,
                   const char *output)
{
  struct words command = { 0 };
  char *cpu = text_of("sm_%d", device_cpu(options));

  words_add_all(&command, places.clang, "-cc1", "-triple",
                "nvptx64-nvidia-cuda", "-target-cpu", cpu, "-target-feature",
                FEATURE, "-S", options->unoptimised_device ? "-O0" : "-O3",
                "-w", "-fno-verbose-asm", NULL);
  /* Otherwise, LLVM loads only those members of a vector that are used, one by
   * one. */
  words_add_all(&command, "-mllvm", "-disable-vector-combine", NULL);
  add_device_floats(&command, options);
  words_add_all(&command, "-x", "ir", llvm, "-o", output, NULL);
  run(options, &command);
  free(cpu);
}

/* The device code of a source as PTX, for the caller to free. */
static char *device_code(const struct options *options, const char *source)
{
  char *llvm_path = work_file("device.ll"), *edited = work_file("edited.ll");
  char *ptx_path = work_file("device.ptx"), *code = NULL;

  to_llvm(options, source, llvm_path);
  if (!options->only_says) {
    char *llvm = file_read(llvm_path, NULL);
    char *changed = annotate_llvm(llvm);
    file_write(edited, changed, strlen(changed));
    free(changed);
    to_ptx(options, edited, ptx_path);
    char *ptx = file_read(ptx_path, NULL);
    code = annotate_kernels(ptx, llvm, options->architecture,
                            options->is_specific);
    free(ptx);
    free(llvm);
  } else
    to_ptx(options, edited, ptx_path);
  free(llvm_path);
  free(edited);
  free(ptx_path);
  return code;
}

/* "name.cu" -> "name.o" in the current folder. */
static char *named_after(const char *source, const char *end)
{
  const char *name = strrchr(source, '/');
  name = name != NULL ? name + 1 : source;
  const char *dot = strrchr(name, '.');
  return text_of("%.*s%s", dot != NULL ? (int)(dot - name) : (int)strlen(name),
                 name, end);
}

/* Lines of host code. A call at a function's end is not to take the function's
 * place: messages name the line of a call by what is on the stack. */
static void add_lines(const struct options *options, struct words *command)
{
  if (options->host_lines)
    words_add_all(command, "-g", "-fno-optimize-sibling-calls", NULL);
}

/* source.cu -> output.o, device code included. */
static void compile_cuda(const struct options *options, const char *source,
                         const char *output)
{
  char *ptx = device_code(options, source);
  char *container = work_file("code.fatbin");
  struct words command = compiler(options);

  if (ptx != NULL)
    container_write(container, ptx, options->architecture,
                    options->is_specific);
  words_add_all(&command, "--cuda-host-only", options->optimise,
                "-ffp-contract=off", "-Xclang", "-fcuda-include-gpubinary",
                "-Xclang", container, NULL);
  add_lines(options, &command);
  words_add_list(&command, &options->host);
  words_add_list(&command, &options->depend);
  words_add_all(&command, "-c", "-o", output, source, NULL);
  run(options, &command);
  free(ptx);
  free(container);
}

static void compile_host(const struct options *options, const char *source,
                         const char *output)
{
  struct words command = { 0 };
  words_add_all(&command, places.clang, options->optimise, "-ffp-contract=off",
                "-isystem", places.headers, NULL);
  add_lines(options, &command);
  words_add_list(&command, &options->both);
  words_add_list(&command, &options->host);
  words_add_list(&command, &options->depend);
  words_add_all(&command, "-c", "-o", output, source, NULL);
  run(options, &command);
}

static bool is_cuda(const char *input) { return ends_with(input, ".cu"); }

static bool is_host_source(const char *input)
{
  return ends_with(input, ".c") || ends_with(input, ".cpp") ||
         ends_with(input, ".cc") || ends_with(input, ".cxx");
}

static void compile(const struct options *options, const char *input,
                    const char *output)
{
  if (is_cuda(input))
    compile_cuda(options, input, output);
  else
    compile_host(options, input, output);
}

/* -lNAME, as the library of the device next to this program when there is one:
 * it has no file that is called libNAME.so. */
static void add_library(struct words *command, const char *library)
{
  static const char *const versions[] = { ".so.13", ".so.1" };
  for (size_t i = 0; i < 2; i++) {
    char *path =
        text_of("%s/lib%s%s", places.libraries, library + 2, versions[i]);
    bool found = is_there(path);
    if (found)
      words_add(command, path);
    free(path);
    if (found)
      return;
  }
  words_add(command, library);
}

static void link_program(const struct options *options,
                         const struct words *objects)
{
  struct words command = { 0 };

  words_add_all(&command, places.clang, "--driver-mode=g++", "-o",
                options->output != NULL ? options->output : "a.out", NULL);
  words_add_list(&command, objects);
  words_add_list(&command, &options->link);
  for (size_t i = 0; i < options->libraries.n; i++)
    add_library(&command, options->libraries.word[i]);
  char *runtime = text_of("%s/libcudart.so.13", places.libraries);
  char *path = text_of("-Wl,-rpath-link,%s", places.libraries);
  char *found = text_of("-Wl,-rpath,%s", places.libraries);
  words_add_all(&command, runtime, path, found, "-Wl,--enable-new-dtags", "-lm",
                NULL);
  run(options, &command);
  free(runtime);
  free(path);
  free(found);
}

/* Objects of sources are temporary files. */
static void build_program(const struct options *options)
{
  struct words objects = { 0 };

  for (size_t i = 0; i < options->inputs.n; i++) {
    const char *input = options->inputs.word[i];
    if (!is_cuda(input) && !is_host_source(input)) {
      words_add(&objects, input);
      continue;
    }
    char *name = text_of("%zu.o", i), *object = work_file(name);
    compile(options, input, object);
    words_add(&objects, object);
    free(name);
    free(object);
  }
  link_program(options, &objects);
}

static void write_ptx(const struct options *options, const char *input,
                      const char *output)
{
  if (!is_cuda(input))
    fail("%s: -ptx is for .cu files", input);
  char *ptx = device_code(options, input);
  if (ptx != NULL)
    file_write(output, ptx, strlen(ptx));
  free(ptx);
}

int main(int n, char **word)
{
  struct options options = options_read(n - 1, word + 1);

  for (size_t i = 0; i < options.inputs.n; i++)
    if (!is_there(options.inputs.word[i]))
      fail("%s: %s", options.inputs.word[i], strerror(errno));
  find_places();
  if (options.stage == STAGE_LINK) {
    build_program(&options);
    return 0;
  }
  for (size_t i = 0; i < options.inputs.n; i++) {
    const char *input = options.inputs.word[i];
    char *output =
        options.output != NULL
            ? text_of("%s", options.output)
            : named_after(input, options.stage == STAGE_PTX ? ".ptx" : ".o");
    if (options.stage == STAGE_PTX)
      write_ptx(&options, input, output);
    else
      compile(&options, input, output);
    free(output);
  }
  return 0;
}
