#include "instruction.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  instruction_function *each;
  void *context;
  const char *path;
  unsigned line;
};

/* A source, perhaps with a sign before and a part behind: -s32, u32.b1. */
static const struct operand_type *source_of(struct instruction *in,
                                            const char *word)
{
  size_t i = in->n_sources++;
  char type[16];

  in->negated[i] = *word == '-';
  word += *word == '-';
  snprintf(type, sizeof type, "%.*s", (int)strcspn(word, "."), word);
  snprintf(in->parts[i], sizeof in->parts[i], "%s", word + strlen(type));
  return in->sources[i] = operand_type(type);
}

/* The opcode, and what else tells the rows of one opcode apart. */
static void name(struct instruction *in)
{
  size_t length =
      (size_t)snprintf(in->name, sizeof in->name, "%s%s%s%s%s", in->opcode,
                       in->constant[0] ? " " : "", in->constant,
                       in->part_of_result[0] ? " " : "", in->part_of_result);

  for (size_t i = 0; i < in->n_sources; i++)
    if (in->parts[i][0] || in->negated[i])
      length += (size_t)snprintf(in->name + length, sizeof in->name - length,
                                 " %c%s%s", (char)('a' + i),
                                 in->negated[i] ? "-" : "", in->parts[i]);
}

static void fill(const struct reading *to, char *words)
{
  struct instruction in = { 0 };
  char *rest = NULL;
  char *word = strtok_r(words, " \t\n", &rest);

  snprintf(in.opcode, sizeof in.opcode, "%s", word);
  word = strtok_r(NULL, " \t\n", &rest);
  snprintf(in.result, sizeof in.result, "%s", word == NULL ? "" : word);
  snprintf(in.part_of_result, sizeof in.part_of_result, "%s",
           in.result + strcspn(in.result, "."));
  in.result[strcspn(in.result, ".")] = '\0';
  while ((word = strtok_r(NULL, " \t\n", &rest)) != NULL) {
    if (*word == '#') {
      snprintf(in.constant, sizeof in.constant, "%s", word + 1);
      continue;
    }
    if (in.n_sources == SOURCES || source_of(&in, word) == NULL) {
      fprintf(stderr, "%s:%u: error: no source '%s'\n", to->path, to->line,
              word);
      exit(2);
    }
  }
  name(&in);
  to->each(&in, to->context);
}

/* The first {a,b} of the line, each in turn, then the rest. */
static void expand(const struct reading *to, const char *line)
{
  const char *open = strchr(line, '{');
  const char *close = open == NULL ? NULL : strchr(open, '}');
  char text[512];

  if (close == NULL) {
    snprintf(text, sizeof text, "%s", line);
    fill(to, text);
    return;
  }
  for (const char *at = open + 1; at <= close;) {
    size_t length = strcspn(at, ",}");

    snprintf(text, sizeof text, "%.*s%.*s%s", (int)(open - line), line,
             (int)length, at, close + 1);
    expand(to, text);
    at += length + 1;
  }
}

bool instructions_read(const char *path, instruction_function *each,
                       void *context)
{
  struct reading to = { each, context, path, 0 };
  FILE *file = fopen(path, "r");
  char line[512];

  if (file == NULL) {
    perror(path);
    return false;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    to.line++;
    if (line[strspn(line, " \t")] != '#' && line[strspn(line, " \t")] != '\n')
      expand(&to, line);
  }
  fclose(file);
  return true;
}

bool instruction_is_approximate(const struct instruction *in)
{
  return strstr(in->opcode, ".approx") != NULL ||
         strstr(in->opcode, ".full") != NULL;
}

int instruction_digits(const struct instruction *in)
{
  const struct operand_type *type = operand_type(in->result);

  if (in->result[0] == 'p')
    return 1;
  return type == NULL ? 16 : (int)type->bits / 4;
}

/* ---- PTX ----------------------------------------------------------------- */

struct text {
  char *at;
  size_t left;
};

static void put(struct text *to, const char *format, ...)
{
  va_list arguments;
  int length;

  va_start(arguments, format);
  length = vsnprintf(to->at, to->left, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= to->left) {
    fprintf(stderr, "error: PTX of an instruction is too long\n");
    exit(2);
  }
  to->at += length;
  to->left -= (size_t)length;
}

static void put_sources(struct text *to, const struct instruction *in)
{
  for (size_t i = 0; i < in->n_sources; i++) {
    const struct operand_type *type = in->sources[i];

    put(to, "  ld.global.b%u %%s%zu_%u, [%%a+%zu];\n", type->bits, i,
        type->bits, 8 * i);
    if (strcmp(type->name, "pred") == 0)
      put(to, "  setp.ne.u32 %%c, %%s%zu_32, 0;\n", i);
    if (strcmp(type->name, "cc") == 0)
      put(to, "  %s.cc.u32 %%t, %s%%s%zu_32%s;\n",
          strncmp(in->opcode, "sub", 3) == 0 ? "sub" : "add",
          strncmp(in->opcode, "sub", 3) == 0 ? "0, " : "", i,
          strncmp(in->opcode, "sub", 3) == 0 ? "" : ", 0xffffffff");
  }
}

static void put_instruction(struct text *to, const struct instruction *in)
{
  bool predicate = false;

  put(to, "  %s ", in->opcode);
  if (strcmp(in->result, "p") == 0)
    put(to, "%%p");
  else if (strcmp(in->result, "pq") == 0)
    put(to, "%%p|%%q");
  else if (strcmp(in->result, "up") == 0)
    put(to, "%%d_32|%%p");
  else if (strncmp(in->result, "carry", 5) == 0)
    put(to, "%%d_%s", in->result + 5);
  else
    put(to, "%%d_%u%s", operand_type(in->result)->bits, in->part_of_result);
  for (size_t i = 0; i < in->n_sources; i++)
    if (strcmp(in->sources[i]->name, "pred") == 0)
      predicate = true;
    else if (strcmp(in->sources[i]->name, "cc") != 0)
      put(to, ", %s%%s%zu_%u%s", in->negated[i] ? "-" : "", i,
          in->sources[i]->bits, in->parts[i]);
  if (in->constant[0])
    put(to, ", %s", in->constant);
  put(to, "%s;\n", predicate ? ", %c" : "");
}

static void put_result(struct text *to, const struct instruction *in)
{
  if (in->result[0] == 'p') {
    put(to, "  selp.u32 %%d_32, 1, 0, %%p;\n");
    if (in->result[1] == 'q')
      put(to, "  selp.u32 %%t, 2, 0, %%q;\n"
              "  or.b32 %%d_32, %%d_32, %%t;\n");
    put(to, "  st.global.b32 [%%a], %%d_32;\n");
  } else if (strcmp(in->result, "up") == 0) {
    put(to, "  selp.u32 %%t, 1, 0, %%p;\n"
            "  st.global.b32 [%%a], %%d_32;\n"
            "  st.global.b32 [%%a+4], %%t;\n");
  } else if (strncmp(in->result, "carry", 5) == 0) {
    /* The flag goes beside the result; for 64 bits it inverts it. A carry
     * is 1 for sums and, before a subtraction, a borrow. */
    bool sub = strncmp(in->opcode, "sub", 3) == 0;

    put(to, "  %sc.u32 %%t, 0, 0;\n", sub ? "sub" : "add");
    if (in->result[5] == '3')
      put(to, "  st.global.b32 [%%a], %%d_32;\n"
              "  st.global.b32 [%%a+4], %%t;\n");
    else
      put(to, "  setp.ne.u32 %%p, %%t, 0;\n"
              "  not.b64 %%x, %%d_64;\n"
              "  selp.b64 %%d_64, %%x, %%d_64, %%p;\n"
              "  st.global.b64 [%%a], %%d_64;\n");
  } else {
    unsigned bits = operand_type(in->result)->bits;

    put(to, "  st.global.b%u [%%a], %%d_%u;\n", bits, bits);
  }
}

void instruction_ptx(const struct instruction *in, char *text, size_t size)
{
  struct text to = { text, size };

  put(&to, ".version 9.0\n.target sm_90\n.address_size 64\n"
           ".visible .entry k(.param .u64 sources, .param .u64 results,\n"
           "  .param .u32 cases)\n{\n"
           "  .reg .pred %%p, %%q, %%c, %%done;\n"
           "  .reg .b16 %%d_16;\n"
           "  .reg .b32 %%d_32, %%k, %%n, %%t;\n"
           "  .reg .b64 %%d_64, %%a, %%x;\n");
  for (size_t i = 0; i < in->n_sources; i++)
    put(&to, "  .reg .b%u %%s%zu_%u;\n", in->sources[i]->bits, i,
        in->sources[i]->bits);
  put(&to,
      "  mov.u32 %%k, %%ctaid.x;\n  mov.u32 %%n, %%ntid.x;\n"
      "  mov.u32 %%t, %%tid.x;\n  mad.lo.u32 %%k, %%k, %%n, %%t;\n"
      "  ld.param.u32 %%n, [cases];\n"
      "  setp.ge.u32 %%done, %%k, %%n;\n  @%%done bra end;\n"
      "  ld.param.u64 %%a, [sources];\n"
      "  mul.wide.u32 %%x, %%k, %d;\n  add.u64 %%a, %%a, %%x;\n",
      8 * SOURCES);
  put_sources(&to, in);
  put(&to, "  ld.param.u64 %%a, [results];\n"
           "  mul.wide.u32 %%x, %%k, 8;\n  add.u64 %%a, %%a, %%x;\n");
  put_instruction(&to, in);
  put_result(&to, in);
  put(&to, "end:\n  ret;\n}\n");
}
