/* A float4 is copied by nvcc with one access of 16 bytes. clang writes a call of
 * memcpy for each assignment of a structure, and LLVM makes numbers of 64 bits
 * of what is left of it, or single members: twice or four times the requests.
 * So each such call is replaced, before LLVM optimises, by what nvcc makes of it,
 * a vector of four words, whatever the structure's members are. */
#include "copies.h"

#include <stdlib.h>
#include <string.h>

#define VECTOR "<4 x i32>"

enum {
  VECTOR_BYTES = 16,
  MOST_BYTES = 128 /* of a copy; LLVM makes a loop of a long one */
};

/* An argument "i8* align 16 %x" or "ptr align 16 %x": type and value. */
struct pointer_text {
  const char *type, *value;
  int n_type, n_value;
};

/* Reads the pointer at `p`; what follows its comma, or NULL for any other
 * argument and for a place that may not be a multiple of 16. */
static const char *read_pointer(const char *p, struct pointer_text *pointer)
{
  const char *end = strchr(p, ',');
  const char *alignment = find_in(p, end != NULL ? end : p, " align ");
  char *value;

  if (alignment == NULL)
    return NULL;
  if (strtol(alignment + strlen(" align "), &value, 10) % VECTOR_BYTES != 0 ||
      *value != ' ')
    return NULL;
  pointer->type = p;
  pointer->n_type = (int)strcspn(p, " ");
  pointer->value = value + 1;
  pointer->n_value = (int)(end - pointer->value);
  return pointer->type + pointer->n_type == alignment ? end + 2 : NULL;
}

/* The pointer to vectors, `%copy.<name>.<number>`. Up to clang 14, pointers have
 * the type of what they point to. */
static void write_base(struct text *out, const struct pointer_text *pointer,
                       const char *name, int number)
{
  bool is_typed = pointer->type[pointer->n_type - 1] == '*';

  text_say(out, "  %%copy.%s.%d = bitcast %.*s %.*s to %s\n", name, number,
           pointer->n_type, pointer->type, pointer->n_value, pointer->value,
           is_typed ? VECTOR "*" : "ptr");
}

static void write_vector(struct text *out, const char *type, int number, int i)
{
  static const char *const name[] = { "from", "to" };

  for (int k = 0; k < 2; k++)
    text_say(out,
             "  %%copy.%s.%d.%d = getelementptr " VECTOR
             ", %s %%copy.%s.%d, i64 %d\n",
             name[k], number, i, type, name[k], number, i);
  text_say(
      out,
      "  %%copy.value.%d.%d = load " VECTOR ", %s %%copy.from.%d.%d, align 16\n"
      "  store " VECTOR " %%copy.value.%d.%d, %s %%copy.to.%d.%d, align 16\n",
      number, i, type, number, i, number, i, type, number, i);
}

bool copies_write(struct text *out, const char *line, int number)
{
  const char *end = line_end(line), *p = find_in(line, end, "@llvm.memcpy.");
  struct pointer_text to, from;
  char *after_bytes;

  if (p == NULL || (p = find_in(p, end, "(")) == NULL ||
      (p = read_pointer(p + 1, &to)) == NULL ||
      (p = read_pointer(p, &from)) == NULL || (p = after(p, "i64 ")) == NULL)
    return false;
  long bytes = strtol(p, &after_bytes, 10);
  if (bytes <= 0 || bytes > MOST_BYTES || bytes % VECTOR_BYTES != 0 ||
      after(after_bytes, ", i1 false)") == NULL)
    return false;
  write_base(out, &to, "to", number);
  write_base(out, &from, "from", number);
  const char *type = to.type[to.n_type - 1] == '*' ? VECTOR "*" : "ptr";
  for (int i = 0; i < bytes / VECTOR_BYTES; i++)
    write_vector(out, type, number, i);
  return true;
}
