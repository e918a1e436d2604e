/* A field of a CSV. */
#include "file.h"

void report_put_field(FILE *out, const char *text)
{
  for (; *text != '\0'; text++)
    fputc(*text == ',' || *text == '\n' ? ';' : *text, out);
}
