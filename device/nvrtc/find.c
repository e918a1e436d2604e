#define _GNU_SOURCE /* dladdr, RTLD_DEEPBIND */
#include "find.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "libnvrtc.so.13"

static void *toolkit;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The library that this code is in lies on the path, too. */
static bool is_this_one(const char *path)
{
  Dl_info info;
  struct stat other, own;
  return dladdr((void *)(uintptr_t)toolkit_function, &info) != 0 &&
         stat(info.dli_fname, &own) == 0 && stat(path, &other) == 0 &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static void try_file(const char *path)
{
  /* It finds its own functions first, not those of this library. */
  if (toolkit == NULL && !is_this_one(path))
    toolkit = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

static void try_folder(const char *folder, size_t length, const char *below)
{
  char path[4096];
  int n = snprintf(path, sizeof path, "%.*s%s/" FILE_NAME, (int)length, folder,
                   below);
  if (length > 0 && n > 0 && (size_t)n < sizeof path)
    try_file(path);
}

static void try_list(const char *folders)
{
  while (folders != NULL && *folders != '\0') {
    size_t length = strcspn(folders, ":");
    try_folder(folders, length, "");
    folders += length + (folders[length] == ':');
  }
}

static void try_toolkit(const char *root)
{
  if (root == NULL)
    return;
  try_folder(root, strlen(root), "/lib64");
  try_folder(root, strlen(root), "/targets/x86_64-linux/lib");
  try_folder(root, strlen(root), "/targets/sbsa-linux/lib");
  try_folder(root, strlen(root), "/lib");
}

static void find(void)
{
  try_list(getenv("LD_LIBRARY_PATH"));
  try_toolkit(getenv("CUDA_PATH"));
  try_toolkit(getenv("CUDA_HOME"));
  try_toolkit(TOOLKIT);
  try_toolkit("/usr/local/cuda");
  try_toolkit("/usr/local/cuda-13.0");
}

void *toolkit_function(const char *name)
{
  pthread_once(&once, find);
  void *function = toolkit != NULL ? dlsym(toolkit, name) : NULL;
  if (function != NULL)
    return function;
  fprintf(stderr, toolkit == NULL
    ? "softdevice: %s: the CUDA Toolkit's " FILE_NAME " compiles, and it was "
      "not found.\n  Put its folder on LD_LIBRARY_PATH, or set CUDA_HOME.\n"
    : "softdevice: %s: the CUDA Toolkit's " FILE_NAME " does not have it\n",
    name);
  exit(2);
}
