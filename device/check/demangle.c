/* A reader of the Itanium C++ ABI's names, as far as names of kernels need it. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 512
#define N_SUBSTITUTIONS 32
#define DEEPEST 32
#define READABLE 72 /* longer names are cut */

struct reader {
  const char *next;
  int depth;
  int n_substitutions;
  char substitutions[N_SUBSTITUTIONS][LONGEST];
};

/* A piece of output. Overlong names are an error, not a cut. */
struct text {
  char bytes[LONGEST];
  size_t length;
};

static bool read_name(struct reader *in, struct text *out);
static bool read_type(struct reader *in, struct text *out);

static bool append(struct text *out, const char *bytes, size_t n)
{
  if (n >= LONGEST - out->length)
    return false;
  memcpy(out->bytes + out->length, bytes, n);
  out->length += n;
  out->bytes[out->length] = '\0';
  return true;
}

static bool append_string(struct text *out, const char *string)
{
  return append(out, string, strlen(string));
}

static bool accept(struct reader *in, const char *what)
{
  size_t n = strlen(what);
  if (strncmp(in->next, what, n) != 0)
    return false;
  in->next += n;
  return true;
}

static bool remember(struct reader *in, const struct text *text)
{
  if (in->n_substitutions == N_SUBSTITUTIONS)
    return false;
  memcpy(in->substitutions[in->n_substitutions++], text->bytes,
         text->length + 1);
  return true;
}

static bool read_number(struct reader *in, size_t *number)
{
  if (!isdigit((unsigned char)*in->next))
    return false;
  for (*number = 0; isdigit((unsigned char)*in->next); in->next++) {
    *number = *number * 10 + (size_t)(*in->next - '0');
    if (*number > LONGEST)
      return false;
  }
  return true;
}

/* <length> identifier. nvcc wraps names of anonymous namespaces, and of
 * whole files, in identifiers of its own. */
static bool read_identifier(struct reader *in, struct text *out)
{
  size_t n;
  if (!read_number(in, &n) || strnlen(in->next, n) < n)
    return false;
  const char *name = in->next;
  in->next += n;
  if (n >= 10 && strncmp(name, "_GLOBAL__N", 10) == 0)
    return append_string(out, "(anonymous namespace)");
  return append(out, name, n);
}

/* S_, S0_, S1_ … */
static bool read_substitution(struct reader *in, struct text *out)
{
  int index = 0;
  if (!accept(in, "_")) {
    const char *digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", *digit;
    while (*in->next != '\0' && (digit = strchr(digits, *in->next)) != NULL) {
      index = index * 36 + (int)(digit - digits);
      if (index >= N_SUBSTITUTIONS)
        return false;
      in->next++;
    }
    if (!accept(in, "_"))
      return false;
    index++;
  }
  return index < in->n_substitutions &&
         append_string(out, in->substitutions[index]);
}

/* Bool and integers: "Li32E", "Lb1E", "Lin5E". */
static bool read_literal(struct reader *in, struct text *out)
{
  bool is_bool = *in->next == 'b';
  if (strchr("bcahstijlmxy", *in->next) == NULL || *in->next == '\0')
    return false;
  in->next++;
  if (is_bool && (accept(in, "0E") || accept(in, "1E")))
    return append_string(out, in->next[-2] == '1' ? "true" : "false");
  if (accept(in, "n") && !append_string(out, "-"))
    return false;
  const char *digits = in->next;
  while (isdigit((unsigned char)*in->next))
    in->next++;
  return in->next > digits &&
         append(out, digits, (size_t)(in->next - digits)) && accept(in, "E");
}

static bool read_arguments(struct reader *in, struct text *out)
{
  if (!append_string(out, "<"))
    return false;
  for (bool first = true; !accept(in, "E"); first = false) {
    if (!first && !append_string(out, ";"))
      return false;
    if (!(accept(in, "L") ? read_literal(in, out) : read_type(in, out)))
      return false;
  }
  return append_string(out, ">");
}

static const char *builtin(char code)
{
  static const struct {
    char code;
    const char *name;
  } types[] = {
    { 'v', "void" },           { 'b', "bool" },
    { 'c', "char" },           { 'a', "signed char" },
    { 'h', "unsigned char" },  { 's', "short" },
    { 't', "unsigned short" }, { 'i', "int" },
    { 'j', "unsigned int" },   { 'l', "long" },
    { 'm', "unsigned long" },  { 'x', "long long" },
    { 'f', "float" },          { 'y', "unsigned long long" },
    { 'd', "double" },
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].code == code)
      return types[i].name;
  return NULL;
}

/* P, R, O, K: written after the type they change. */
static bool read_changed_type(struct reader *in, struct text *out)
{
  char code = *in->next++;
  const char *suffix = code == 'P'   ? "*"
                       : code == 'R' ? "&"
                       : code == 'O' ? "&&"
                                     : " const";
  struct text inner = { .length = 0 };
  return read_type(in, &inner) && append_string(&inner, suffix) &&
         remember(in, &inner) && append_string(out, inner.bytes);
}

static bool read_plain_type(struct reader *in, struct text *out)
{
  const char *name = builtin(*in->next);
  if (name != NULL) {
    in->next++;
    return append_string(out, name);
  }
  if (*in->next != '\0' && strchr("PROK", *in->next) != NULL)
    return read_changed_type(in, out);
  if (*in->next == 'S' && in->next[1] != 't') {
    in->next++;
    return read_substitution(in, out);
  }
  struct text inner = { .length = 0 };
  return read_name(in, &inner) && remember(in, &inner) &&
         append_string(out, inner.bytes);
}

static bool read_type(struct reader *in, struct text *out)
{
  if (++in->depth > DEEPEST)
    return false;
  bool done = read_plain_type(in, out);
  in->depth--;
  return done;
}

/* CUB_300001_SM_900, THRUST_300001_SM_900_NS, __4: a version. */
static bool is_version(const char *name)
{
  const char *number = strncmp(name, "CUB_", 4) == 0      ? name + 4
                       : strncmp(name, "THRUST_", 7) == 0 ? name + 7
                       : strncmp(name, "__", 2) == 0      ? name + 2
                                                          : "";

  return isdigit((unsigned char)*number);
}

/* One part of a qualified name, after `::`. */
static bool read_part(struct reader *in, struct text *name)
{
  struct text part = { .length = 0 };

  accept(in, "L");
  if (!(accept(in, "St") ? append_string(&part, "std")
                         : read_identifier(in, &part)))
    return false;
  if (is_version(part.bytes))
    return true;
  return (name->length == 0 || append_string(name, "::")) &&
         append_string(name, part.bytes);
}

/* N … E: the parts of a qualified name. Each prefix can be substituted. */
static bool read_nested(struct reader *in, struct text *out)
{
  struct text name = { .length = 0 };
  while (!accept(in, "E")) {
    if (accept(in, "I")) {
      if (!read_arguments(in, &name))
        return false;
    } else if (*in->next == 'S' && in->next[1] != 't' && name.length == 0) {
      in->next++;
      if (!read_substitution(in, &name))
        return false;
      continue;
    } else if (!read_part(in, &name)) {
      return false;
    }
    if (*in->next != 'E' && !remember(in, &name))
      return false;
  }
  return append_string(out, name.bytes);
}

static bool read_unnested(struct reader *in, struct text *out)
{
  struct text name = { .length = 0 };
  accept(in, "L"); /* a static function */
  if (accept(in, "St") && !append_string(&name, "std::"))
    return false;
  if (!read_identifier(in, &name))
    return false;
  if (accept(in, "I") && !(remember(in, &name) && read_arguments(in, &name)))
    return false;
  return append_string(out, name.bytes);
}

static bool read_name(struct reader *in, struct text *out)
{
  if (++in->depth > DEEPEST)
    return false;
  bool done = accept(in, "N") ? read_nested(in, out) : read_unnested(in, out);
  in->depth--;
  return done;
}

/* The name up to its first template arguments, which follow. */
static bool read_beginning(struct reader *in, struct text *name)
{
  bool nested = accept(in, "N");

  do
    if (!read_part(in, name))
      return false;
  while (nested && *in->next != 'I' && *in->next != 'E');
  return *in->next == 'I';
}

/* Ends `name` before the arguments that its last `>` closes. */
static bool drop_arguments(struct text *name)
{
  size_t at = name->length;
  int open = 0;

  if (at == 0 || name->bytes[at - 1] != '>')
    return false;
  do
    open += (name->bytes[at - 1] == '>') - (name->bytes[at - 1] == '<');
  while (--at > 0 && open > 0);
  name->length = at;
  name->bytes[at] = '\0';
  return at > 0;
}

static unsigned hash_of_name(const char *mangled)
{
  uint32_t hash = 2166136261u;

  for (; *mangled != '\0'; mangled++)
    hash = (hash ^ (unsigned char)*mangled) * 16777619u;
  return (hash ^ hash >> 16) & 0xffff;
}

void demangle(const char *mangled, char *out, size_t n_out)
{
  struct reader in = { .next = mangled };
  struct text name = { .length = 0 };
  bool done = accept(&in, "_Z") && read_name(&in, &name) && name.length > 0;

  if (done && (name.length <= READABLE || !drop_arguments(&name))) {
    snprintf(out, n_out, "%s", name.bytes);
    return;
  }
  if (!done) {
    in = (struct reader){ .next = mangled };
    name.length = 0;
    done = accept(&in, "_Z") && read_beginning(&in, &name);
  }
  if (done)
    snprintf(out, n_out, "%s<…#%04x>", name.bytes, hash_of_name(mangled));
  else
    snprintf(out, n_out, "%s", mangled);
}
