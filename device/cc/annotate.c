#define _POSIX_C_SOURCE 200809L
/* Takes annotations out of LLVM's intermediate text and puts them into PTX.
 * The text is what clang wrote a moment before, so only its form is looked
 * for. Two forms of pointers occur: `%struct.T* %x` up to clang 14, `ptr %x`
 * in newer ones. */
#include "annotate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "copies.h"

static const char CONSTANT_PARAMETER[] = "softdevice.grid_constant";
static const char CLUSTER[] = "softdevice.cluster_dims";
static const char REGISTERS[] = "softdevice.maxnreg";

/* Bytes of the name in LLVM's text that begins at `p`, after its % or @. */
static size_t name_bytes(const char *p)
{
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || strchr("._$-", p[n]) != NULL) {
    if (p[n] == '\0')
      break;
    n++;
  }
  return n;
}

/* Where the global `name` of `n` bytes is defined: what follows its " = ". */
static const char *global_value(const char *llvm, const char *name, size_t n)
{
  char *head = text_of("\n@%.*s = ", (int)n, name);
  const char *found = strstr(llvm, head);
  if (found != NULL)
    found += strlen(head);
  free(head);
  return found;
}

/* Is it a string of this content? */
static bool is_string(const char *llvm, const char *name, size_t n,
                      const char *content)
{
  const char *value = global_value(llvm, name, n);
  char *quoted = text_of(" c\"%s\\00\"", content);
  bool is = value != NULL && find_in(value, line_end(value), quoted) != NULL;
  free(quoted);
  return is;
}

/* --- parameters --------------------------------------------------------- */

/* A function of the text: its head is [head, body), its body [body, end). */
struct function_text {
  const char *head, *body, *end;
  const char *name;
  size_t n_name;
};

static bool next_function(const char *from, struct function_text *f)
{
  f->head = strncmp(from, "define ", 7) == 0 ? from : NULL;
  if (f->head == NULL && (f->head = strstr(from, "\ndefine ")) != NULL)
    f->head++;
  if (f->head == NULL)
    return false;
  f->body = line_end(f->head);
  f->end = strstr(f->body, "\n}");
  f->name = strchr(f->head, '@');
  if (f->end == NULL || f->name == NULL)
    return false;
  f->end++;
  f->name++;
  f->n_name = name_bytes(f->name);
  return true;
}

/* The parameter `name` in the head: [start, end), and its number. */
struct parameter_text {
  const char *start, *end;
  int number;
};

static bool find_parameter(const struct function_text *f, const char *name,
                           size_t n, struct parameter_text *parameter)
{
  const char *p = f->name + f->n_name;
  int depth = 0, number = 0;
  const char *start = p + 1;

  for (; p < f->body; p++) {
    if (strchr("([{", *p) != NULL)
      depth++;
    bool ends = depth == 1 && (*p == ',' || *p == ')');
    if (strchr(")]}", *p) != NULL)
      depth--;
    if (!ends)
      continue;
    if ((size_t)(p - start) > n + 1 && p[-(long)n - 1] == '%' &&
        strncmp(p - n, name, n) == 0) {
      *parameter = (struct parameter_text){ start, p, number };
      return true;
    }
    number++;
    start = p + 2;
    if (depth == 0)
      break;
  }
  return false;
}

/* What a value was before it became an i8*: the text has
 *   %m1 = bitcast %struct.M* %m to i8*
 * Returns the name behind %. */
static const char *before_bitcast(const struct function_text *f,
                                  const char *name, size_t *n)
{
  char *head = text_of("  %%%.*s = bitcast ", (int)*n, name);
  const char *found = find_in(f->body, f->end, head);
  const char *origin = found;

  if (found != NULL) {
    origin = found + strlen(head);
    while (*origin != '\n' && strncmp(origin, "* %", 3) != 0)
      origin++;
  }
  free(head);
  if (found == NULL || *origin == '\n')
    return name;
  *n = name_bytes(origin + 3);
  return origin + 3;
}

/* One annotated parameter of a function. */
struct mark {
  struct parameter_text parameter;
  const char *name;
  size_t n_name;
};

enum { MOST_MARKS = 64 };

/* The annotation in the line at `p`, if it is one of ours. */
static bool read_mark(const char *llvm, const struct function_text *f,
                      const char *p, struct mark *mark)
{
  const char *end = line_end(p);
  const char *value = strchr(p, '%'), *string = strchr(p, '(');

  while (string < end && (*string != '@'))
    string++;
  if (value == NULL || value > end || string >= end ||
      !is_string(llvm, string + 1, name_bytes(string + 1), CONSTANT_PARAMETER))
    return false;
  mark->n_name = name_bytes(value + 1);
  mark->name = before_bitcast(f, value + 1, &mark->n_name);
  if (!find_parameter(f, mark->name, mark->n_name, &mark->parameter))
    fail("a parameter marked __grid_constant__ was not found again in %.*s",
         (int)f->n_name, f->name);
  return true;
}

/* Both become text: the head with the parameters' names changed, and for each
 * of them the instructions that give its address the name it had. */
static void write_head(struct text *out, const struct function_text *f,
                       const struct mark *marks, size_t n)
{
  const char *from = f->head;

  for (size_t i = 0; i < n; i++) {
    text_add(out, from, (size_t)(marks[i].parameter.end - from));
    text_say(out, ".parameter");
    from = marks[i].parameter.end;
  }
  text_add(out, from, (size_t)(f->body - from));
}

static void write_addresses(struct text *out, const struct function_text *f,
                            const struct mark *marks, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const char *type = marks[i].parameter.start;
    int bytes = (int)strcspn(type, " "), n_name = (int)marks[i].n_name;
    text_say(
        out,
        "  %%%.*s.address = call i64 asm \"{ .reg .b64 %%at; mov.b64 %%at, "
        "%.*s_param_%d; cvta.param.u64 $0, %%at; }\", \"=l\"()\n"
        "  %%%.*s = inttoptr i64 %%%.*s.address to %.*s\n",
        n_name, marks[i].name, (int)f->n_name, f->name,
        marks[i].parameter.number, n_name, marks[i].name, n_name, marks[i].name,
        bytes, type);
  }
}

/* The marks in the order of the parameters, and each parameter once. */
static size_t collect_marks(const char *llvm, const struct function_text *f,
                            struct mark *marks)
{
  size_t n = 0;

  for (const char *p = f->body; p < f->end; p = line_end(p)) {
    struct mark mark;
    if (find_in(p, line_end(p), "@llvm.var.annotation") == NULL ||
        !read_mark(llvm, f, p, &mark))
      continue;
    size_t at = n;
    while (at > 0 && marks[at - 1].parameter.number > mark.parameter.number)
      at--;
    if (at > 0 && marks[at - 1].parameter.number == mark.parameter.number)
      continue;
    if (n == MOST_MARKS)
      fail("more than %d parameters marked __grid_constant__", MOST_MARKS);
    memmove(marks + at + 1, marks + at, (n - at) * sizeof *marks);
    marks[at] = mark;
    n++;
  }
  return n;
}

static void write_function(struct text *out, const char *llvm,
                           const struct function_text *f)
{
  struct mark marks[MOST_MARKS + 1];
  size_t n = collect_marks(llvm, f, marks);
  bool at_label = true;
  int n_lines = 0;

  write_head(out, f, marks, n);
  for (const char *p = f->body; p < f->end; p = line_end(p)) {
    bool is_label = at_label && !isspace((unsigned char)*p);
    if (at_label && !is_label)
      write_addresses(out, f, marks, n);
    at_label = is_label;
    if (find_in(p, line_end(p), "@llvm.var.annotation") == NULL &&
        !copies_write(out, p, n_lines++))
      text_add(out, p, (size_t)(line_end(p) - p));
  }
}

/* A shared variable of a template's instance may be in several files, says
 * clang, so LLVM doesn't move it into the one kernel that uses it, and every
 * kernel would have it. Here each file is a program of its own. */
static void write_global(struct text *out, const char *line, const char *end)
{
  static const char SHARED[] = " = linkonce_odr ", COMDAT[] = ", comdat";
  const char *linkage = find_in(line, end, SHARED);
  const char *comdat = find_in(line, end, COMDAT);

  if (*line != '@' || linkage == NULL ||
      find_in(line, end, " addrspace(3) ") == NULL) {
    text_add(out, line, (size_t)(end - line));
    return;
  }
  text_add(out, line, (size_t)(linkage - line));
  text_say(out, " = internal ");
  line = linkage + strlen(SHARED);
  if (comdat != NULL) {
    text_add(out, line, (size_t)(comdat - line));
    line = comdat + strlen(COMDAT);
  }
  text_add(out, line, (size_t)(end - line));
}

static void write_globals(struct text *out, const char *from, const char *to)
{
  for (; from < to; from = line_end(from))
    write_global(out, from, line_end(from) < to ? line_end(from) : to);
}

char *annotate_llvm(const char *llvm)
{
  struct text out = { 0 };
  struct function_text f;
  const char *from = llvm;

  while (next_function(from, &f)) {
    write_globals(&out, from, f.head);
    write_function(&out, llvm, &f);
    from = f.end;
  }
  write_globals(&out, from, from + strlen(from));
  return out.start;
}

/* --- kernels ------------------------------------------------------------ */

/* The integers of an initial value { i32, … } { i32 2, i32 1, … }. */
static int numbers_of(const char *llvm, const char *name, size_t n, int *value,
                      int most)
{
  const char *p = global_value(llvm, name, n);
  int found = 0;

  if (p == NULL || (p = find_in(p, line_end(p), "} {")) == NULL)
    return 0;
  for (p += 3; found < most && *p != '}' && *p != '\n'; p++)
    if (p[-1] == ' ' && (isdigit((unsigned char)*p) || *p == '-'))
      value[found++] = atoi(p);
  return found;
}

/* The directives for the kernel `name`. llvm.global.annotations names for each
 * annotation the function, the text, the file and the arguments, in this
 * order and each with an @. */
static void write_directives(struct text *out, const char *llvm,
                             const char *name, size_t n_name)
{
  const char *p = strstr(llvm, "\n@llvm.global.annotations = ");
  bool is_this = false;
  const char *what = "";

  if (p == NULL)
    return;
  const char *end = line_end(p + 1);
  for (p += 2; (p = strchr(p, '@')) != NULL && p < end; p++) {
    const char *symbol = p + 1;
    size_t n = name_bytes(symbol);
    int number[3];
    if (is_string(llvm, symbol, n, CLUSTER))
      what = CLUSTER;
    else if (is_string(llvm, symbol, n, REGISTERS))
      what = REGISTERS;
    else if (strncmp(symbol, ".str", 4) == 0)
      ; /* the file, or an annotation that is not ours */
    else if (strncmp(symbol, ".args", 5) == 0) {
      int n_numbers = numbers_of(llvm, symbol, n, number, 3);
      if (is_this && what == CLUSTER && n_numbers == 3)
        text_say(out, ".explicitcluster\n.reqnctapercluster %d, %d, %d\n",
                 number[0], number[1], number[2]);
      else if (is_this && what == REGISTERS && n_numbers == 1)
        text_say(out, ".maxnreg %d\n", number[0]);
      what = "";
    } else
      is_this = n == n_name && strncmp(symbol, name, n) == 0;
  }
}

/* `.file 1 "folder" "name"` names a file in two parts, as DWARF does; PTX has
 * one name. */
static void write_file(struct text *out, const char *line, size_t n)
{
  int number, folder = 0, name = 0, end = 0;

  if (sscanf(line, " .file %d \"%n%*[^\"]\" \"%n%*[^\"]\"%n", &number, &folder,
             &name, &end) < 1 ||
      end == 0)
    text_add(out, line, n);
  else if (line[name] == '/')
    text_say(out, "\t.file\t%d \"%.*s\"\n", number, end - 1 - name,
             line + name);
  else
    text_say(out, "\t.file\t%d \"%.*s/%.*s\"\n", number, name - 3 - folder,
             line + folder, end - 1 - name, line + name);
}

/* Labels and sections that only serve a debugger. */
static bool is_for_debuggers(const char *line)
{
  return strncmp(line, "Ltmp", 4) == 0 || strncmp(line, "Lfunc_", 6) == 0 ||
         strncmp(line, "\t.section\t.debug_loc", 20) == 0;
}

static void write_line(struct text *out, const char *line, size_t n,
                       int architecture, int is_specific)
{
  if (strncmp(line, ".version ", 9) == 0)
    text_say(out, ".version 9.0\n");
  else if (strncmp(line, ".target ", 8) == 0)
    text_say(out, ".target sm_%d%s\n", architecture, is_specific ? "a" : "");
  else if (strncmp(line, "\t.file\t", 7) == 0)
    write_file(out, line, n);
  else if (!is_for_debuggers(line))
    text_add(out, line, n);
}

char *annotate_kernels(const char *ptx, const char *llvm, int architecture,
                       int is_specific)
{
  struct text out = { 0 };
  const char *kernel = NULL;

  for (const char *p = ptx; *p != '\0'; p = line_end(p)) {
    const char *entry = find_in(p, line_end(p), ".entry ");
    if (entry != NULL)
      kernel = entry + strlen(".entry ");
    if (kernel != NULL && *p == '{') {
      write_directives(&out, llvm, kernel, name_bytes(kernel));
      kernel = NULL;
    }
    write_line(&out, p, (size_t)(line_end(p) - p), architecture, is_specific);
  }
  return out.start;
}
