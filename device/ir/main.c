/* softdevice ir: LLVM's text to PTX.
 *
 *   softdevice ir [-arch=sm_90a] FILE.ll > FILE.ptx
 *   softdevice ir --prepare FILE.ll > PREPARED.ll
 *
 * The second form is for text that clang hasn't optimised yet: it does what
 * `softdevice cc` does at that place (cc/annotate.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cc/annotate.h"
#include "ir.h"

static const char HELP[] =
    "usage: softdevice ir [-arch=sm_90a] [-o FILE.ptx] FILE.ll\n"
    "       softdevice ir --prepare [-o FILE.ll] FILE.ll\n"
    "\n"
    "Makes PTX of LLVM's intermediate text for nvptx64, of LLVM 15 to 22. What\n"
    "it doesn't know, it names with its line in the source.\n"
    "\n"
    "  -arch=sm_90a  the device (default: the one that the text is for)\n"
    "  -o FILE       where the result goes (default: standard output)\n"
    "  --prepare     what softdevice cc does to the text before clang optimises\n"
    "                it: annotations of kernels, copies of structures\n";

int main(int argc, char **argv)
{
  struct ir_options options = { 0 };
  const char *input = NULL, *output = NULL;
  bool prepares = false;

  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0) {
      fputs(HELP, stdout);
      return 0;
    }
    if (strcmp(argv[k], "--prepare") == 0)
      prepares = true;
    else if (strncmp(argv[k], "-arch=", 6) == 0)
      options.target = argv[k] + 6;
    else if (strcmp(argv[k], "-o") == 0 && k + 1 < argc)
      output = argv[++k];
    else if (argv[k][0] != '-' && input == NULL)
      input = argv[k];
    else {
      fprintf(stderr, "softdevice ir: error: %s: see softdevice ir --help\n",
              argv[k]);
      return 2;
    }
  }
  if (input == NULL) {
    fputs(HELP, stderr);
    return 2;
  }
  FILE *readable = fopen(input, "rb");
  if (readable == NULL) {
    fprintf(stderr, "softdevice ir: error: %s can't be read\n", input);
    return 2;
  }
  fclose(readable);
  size_t bytes;
  char *text = file_read(input, &bytes);
  options.file = input;
  char *result =
      prepares ? annotate_llvm(text) : ir_to_ptx(text, bytes, &options);
  if (output != NULL)
    file_write(output, result, strlen(result));
  else
    fputs(result, stdout);
  free(result);
  free(text);
  return fflush(stdout) == 0 ? 0 : 1;
}
