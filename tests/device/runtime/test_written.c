/* Launches that are written down: SOFTDEVICE_LAUNCH. What is written runs again
 * in ../launch. */
#include <dirent.h>
#include <stdint.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

static char folder[] = "/tmp/written.XXXXXX", path[64];

static void written_begin(void)
{
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/all.launch", folder);
  setenv("SOFTDEVICE_LAUNCH", path, 1);
}

static void empty_folder(void)
{
  DIR *files = opendir(folder);
  CHECK(files != NULL);
  for (struct dirent *file; (file = readdir(files)) != NULL;) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", folder, file->d_name);
    unlink(name);
  }
  closedir(files);
}

/* A kernel that takes a struct of six bytes and is no more than that. */
static const char takes_struct[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry fill(.param .align 4 .b8 six[6], .param .f32 one)"
    "{\nret;\n}\n";

static void launch_with_struct(void)
{
  uint8_t six[6] = { 1, 2, 3, 4, 5, 6 };
  float one = 1.5F;
  void *arguments[] = { six, &one };
  program_begin_with(takes_struct, 75);
  CHECK_EQUAL(cudaLaunchKernel(&fill, (dim3){ 2, 3, 1 }, (dim3){ 32, 1, 1 },
                               arguments, 1024, NULL),
              0);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
}

BEHAVIOUR(a_struct_is_written_in_words_of_its_places)
{
  const char *text;
  written_begin();
  CHECK_EQUAL(in_child(launch_with_struct, 2, NULL), 0);
  text = file_text(path);
  empty_folder();
  rmdir(folder);
  CHECK_HAS(text, "launch fill 2,3 32 shared=1024 "
                  "x32:0x4030201;x8:0x5;x8:0x6 f32:1.5\n");
}

/* Two kernels, whose texts need a file each that cannot be made. */
static void launch_without_a_folder(void)
{
  unsigned *to, value = 3, n = 1;
  void *arguments[] = { &to, &value, &n };
  program_begin();
  CHECK_EQUAL(cudaMalloc((void **)&to, 4), 0);
  CHECK_EQUAL(launch(&fill, 1, 32, arguments), 0);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  empty_folder();
  rmdir(folder);
  CHECK_EQUAL(launch(&count_up, 1, 32, NULL), 0);
  CHECK_EQUAL(launch(&limited, 1, 1, NULL), 0);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
}

BEHAVIOUR(what_cannot_be_written_is_told_once)
{
  const char *said, *first;
  written_begin();
  CHECK_EQUAL(in_child(launch_without_a_folder, 2, &said), 0);
  first = strstr(said, "cannot write it");
  CHECK(first != NULL);
  CHECK(strstr(first + 1, "cannot write it") == NULL);
}
