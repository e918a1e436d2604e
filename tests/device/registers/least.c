/* Prints, for each kernel of a PTX file, how many registers it is said to need,
 * at least and as an estimate: "name least estimate". */
#include <stdio.h>
#include <stdlib.h>

#include "exec/code.h"

static char *read_file(const char *path, size_t *bytes)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (file == NULL)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    *bytes = (size_t)ftell(file);
    rewind(file);
    text = malloc(*bytes + 1);
  }
  if (text != NULL)
    *bytes = fread(text, 1, *bytes, file);
  fclose(file);
  return text;
}

int main(int n, char **words)
{
  struct program_error error;
  size_t bytes = 0;
  char *text = n == 2 ? read_file(words[1], &bytes) : NULL;
  struct program *program =
      text == NULL ? NULL : program_load(text, bytes, 0, &error);
  if (program == NULL) {
    fprintf(stderr, "least: %s\n", text == NULL ? "no file" : error.message);
    return 1;
  }
  for (const struct kernel *k = program->kernels; k != NULL; k = k->next) {
    struct kernel_info info;
    kernel_describe(k, &info);
    printf("%s %u %u\n", info.name, info.least_registers, info.registers);
  }
  program_free(program);
  free(text);
  return 0;
}
