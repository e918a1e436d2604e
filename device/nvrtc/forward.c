/* libnvrtc.so.13: the CUDA Toolkit's own does the work. It makes PTX and, for
 * a program that names a GPU (sm_90), a cubin. The cubin is machine code,
 * which the software device cannot run: in its place the program gets the PTX
 * of the same compilation, which cuModuleLoadData takes as well. */
#include <stddef.h>
#include <stdint.h>

#include "find.h"

/* All arguments are integers and pointers, at most six: registers, which
 * arrive as they were sent. */
typedef uintptr_t word;
typedef word function_of_words(word, word, word, word, word, word);

#define API __attribute__((visibility("default")))

#define PASS(name)                                                             \
  API word name(word a, word b, word c, word d, word e, word f);               \
  word name(word a, word b, word c, word d, word e, word f)                    \
  {                                                                            \
    static function_of_words *function;                                        \
    function_of_words *known = __atomic_load_n(&function, __ATOMIC_ACQUIRE);   \
    if (known == NULL) {                                                       \
      known = (function_of_words *)(uintptr_t)toolkit_function(#name);         \
      __atomic_store_n(&function, known, __ATOMIC_RELEASE);                    \
    }                                                                          \
    return known(a, b, c, d, e, f);                                            \
  }
#include "exports.def"

/* By this name a build of this library knows another one: see find.c. */
API extern const int nvrtc_handed_on;
const int nvrtc_handed_on = 1;

typedef int query(void *program, void *answer);

API int nvrtcGetCUBINSize(void *program, size_t *bytes);
API int nvrtcGetCUBIN(void *program, char *cubin);

static int ask_toolkit(const char *name, void *program, void *answer)
{
  return ((query *)(uintptr_t)toolkit_function(name))(program, answer);
}

/* No cubin, no text: the program named no GPU. */
int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
  int status = ask_toolkit("nvrtcGetCUBINSize", program, bytes);
  if (status != 0 || *bytes == 0)
    return status;
  return ask_toolkit("nvrtcGetPTXSize", program, bytes);
}

int nvrtcGetCUBIN(void *program, char *cubin)
{
  size_t bytes = 0;
  int status = ask_toolkit("nvrtcGetCUBINSize", program, &bytes);
  if (status != 0 || bytes == 0)
    return status != 0 ? status : ask_toolkit("nvrtcGetCUBIN", program, cubin);
  return ask_toolkit("nvrtcGetPTX", program, cubin);
}
