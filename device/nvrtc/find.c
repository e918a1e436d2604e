/* Looks for the library in the toolkit's folder and on the library path, and
 * skips this one. */
#define _POSIX_C_SOURCE 200809L
#include "find.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "libnvrtc.so.13"

static void *toolkit;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A build of this library lies on the path, too, or several. The toolkit's
 * finds its own functions first (DT_SYMBOLIC), not those of this one. */
static void try_file(const char *path)
{
  void *library = toolkit == NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL)
    return;
  if (dlsym(library, "nvrtc_handed_on") == NULL)
    toolkit = library;
  else
    dlclose(library);
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

static void find_toolkit(void)
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
  pthread_once(&once, find_toolkit);
  void *function = toolkit != NULL ? dlsym(toolkit, name) : NULL;
  if (function != NULL)
    return function;
  fprintf(
      stderr,
      toolkit == NULL
          ? "softdevice: %s: the CUDA Toolkit's " FILE_NAME
            " compiles, and it was "
            "not found.\n  Put its folder on LD_LIBRARY_PATH, or set CUDA_HOME.\n"
          : "softdevice: %s: the CUDA Toolkit's " FILE_NAME
            " does not have it\n",
      name);
  exit(2);
}
