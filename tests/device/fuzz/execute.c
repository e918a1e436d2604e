/* Writes random PTX programs from the instruction table and runs them.
 *
 * The input is the row of choices; when it is used up a generator that was
 * seeded with it goes on. Instructions that the device refuses (wrong
 * operands for the opcode, mostly) are taken out, so that the rest runs.
 *
 * A `tame` program has no races: a thread touches only its own 64 bytes of
 * global, shared and local memory, reads nothing that was never written, and
 * asks for nothing that depends on time or place. What it leaves must be the
 * same in every order of blocks and warps. A `wild` one uses any register as
 * an address; it may fault, it must not do worse.
 *
 * Either kind must leave the same, and count the same, whether registers share
 * places in a frame or each has its own (device/exec/registers.c). Many are
 * read before they are written, or written by some lanes only. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/launch.h"
#include "exec/program.h"
#include "memory/memory.h"

enum {
  MOST_ROWS = 1024,
  MOST_LINES = 512,
  TEXT_BYTES = 1 << 16,
  STATEMENTS = 40,
  BLOCKS = 3,
  REGISTERS = 24, /* of each size; the first few have a value from the start */
  WRITTEN = 6,
  WINDOW = 4,
  MOST_THREADS = 96,
  SLOT_BYTES = 256
};

struct fuzz_statistics fuzz_statistics;

static const char *patterns[MOST_ROWS];
static size_t n_patterns;

static struct {
  const uint8_t *data;
  size_t left;
  uint64_t state;
  bool tame;
  bool in_function;
  char text[TEXT_BYTES];
  size_t n;
  unsigned line, n_labels, window;
  bool dropped[MOST_LINES]; /* by line number */
} generator;

/* ---- choices ------------------------------------------------------------- */

static unsigned choose(unsigned n)
{
  uint64_t *state = &generator.state;

  if (generator.left > 0) {
    *state = (*state ^ *generator.data++) * UINT64_C(0x100000001b3);
    generator.left--;
  }
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (unsigned)(*state >> 33) % n;
}

static bool one_in(unsigned n) { return choose(n) == 0; }

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
  va_list arguments;
  int n;

  va_start(arguments, format);
  n = vsnprintf(generator.text + generator.n, TEXT_BYTES - generator.n, format,
                arguments);
  va_end(arguments);
  generator.n += (size_t)n;
  if (generator.n >= TEXT_BYTES)
    abort();
}

/* Ends a line. One that the device refused is left out: its characters go,
 * its number stays. */
static void end_line(size_t begin)
{
  if (generator.line < MOST_LINES && generator.dropped[generator.line])
    generator.n = begin;
  put("\n");
  generator.line++;
}

__attribute__((format(printf, 1, 2))) static void put_line(const char *format,
                                                           ...)
{
  va_list arguments;
  char text[256];

  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put("%s\n", text);
  generator.line++;
}

/* ---- one instruction ----------------------------------------------------- */

/* One of `.a|.b|.c`, up to `end`. */
static void put_alternative(const char *at, const char *end)
{
  unsigned n = 1, k;

  for (const char *p = at; p < end; p++)
    n += *p == '|';
  for (k = choose(n); k > 0; at++)
    k -= *at == '|';
  put("%.*s", (int)strcspn(at, "|)]"), at);
}

static void put_opcode(const char *pattern)
{
  const char *at = pattern;

  while (*at != '\0') {
    size_t n;

    if (*at == '[' || *at == '(') {
      n = strcspn(at, "])");
      if (*at == '(' || one_in(4))
        put_alternative(at + 1, at + n);
      at += n + 1;
    } else {
      n = strcspn(at, "[(");
      put("%.*s", (int)n, at);
      at += n;
    }
  }
}

/* Bytes of the k-th type from the opcode's end; 4 when there is none. */
static unsigned type_bytes(const char *opcode, unsigned k)
{
  const char *at = opcode + strlen(opcode);

  while (at > opcode) {
    unsigned bits;

    while (at > opcode && *at != '.')
      at--;
    if (at == opcode)
      break;
    if (strcmp(at, ".pred") == 0)
      bits = 1;
    else if (strncmp(at, ".f16x2", 6) == 0 || strncmp(at, ".bf16x2", 7) == 0)
      bits = 32;
    else if (sscanf(at, ".%*1[busf]%u", &bits) != 1 &&
             sscanf(at, ".bf%u", &bits) != 1)
      bits = 0;
    if (bits != 0 && k-- == 0)
      return bits == 1 ? 1 : bits < 16 ? 2 : bits / 8;
    at--;
  }
  return k == 0 ? 4 : type_bytes(opcode, 0);
}

static const char *register_stem(unsigned bytes)
{
  return bytes == 1   ? "%p"
         : bytes == 2 ? "%h"
         : bytes == 4 ? "%r"
         : bytes == 8 ? "%d"
                      : "%x";
}

/* Some registers are used everywhere, most by a few instructions that are close
 * to each other. */
static void put_register(unsigned bytes)
{
  unsigned n = choose(bytes == 16 ? 2 : WRITTEN);

  if (bytes != 16 && !one_in(3))
    n = WRITTEN + (generator.window + choose(WINDOW)) % (REGISTERS - WRITTEN);
  put("%s%u", register_stem(bytes), n);
}

static void put_number(void)
{
  static const char *const numbers[] = { "0",
                                         "1",
                                         "-1",
                                         "2",
                                         "7",
                                         "31",
                                         "32",
                                         "33",
                                         "64",
                                         "255",
                                         "0x7fffffff",
                                         "0x80000000",
                                         "0xffffffff",
                                         "0x8000000000000000",
                                         "0f7f800000",
                                         "0f00000001",
                                         "0fff800000",
                                         "0f7fc00000",
                                         "0d7ff0000000000000" };

  put("%s", numbers[choose(sizeof numbers / sizeof *numbers)]);
}

static void put_special(void)
{
  static const char *const specials[] = {
    "%tid.x", "%tid.y", "%ntid.x", "%ctaid.x", "%nctaid.x", "%laneid",
    "%warpid", "%lanemask_lt", "%lanemask_eq", "%lanemask_ge", "%nwarpid",
    /* of time and place */
    "%clock", "%clock64", "%globaltimer", "%smid", "%nsmid", "%gridid"
  };

  put("%s", specials[choose(generator.tame ? 11 : 17)]);
}

static void put_source(unsigned bytes)
{
  if (bytes == 1 && one_in(4))
    put("!");
  else if (bytes != 1 && one_in(6)) {
    put_number();
    return;
  } else if (bytes != 1 && one_in(20)) {
    put_special();
    return;
  }
  put_register(bytes);
}

/* In a tame program, an aligned place of the thread's own. */
static void put_address(const char *opcode, unsigned bytes)
{
  unsigned offset = choose(4) * 16;
  bool shared = strstr(opcode, "shared") != NULL;
  bool local = strstr(opcode, "local") != NULL;

  if (strstr(opcode, ".param") != NULL) {
    put("[%s]", generator.in_function ? "x" : "p");
    return;
  }
  if (generator.tame || !one_in(3)) {
    put("[%s+%u]", shared ? "%shared" : local ? "%local" : "%own", offset);
    return;
  }
  if (one_in(3))
    put("[%s%s]", shared ? "s" : local ? "l" : "g", one_in(2) ? "+4" : "");
  else if (one_in(3))
    put("[%s+%u]", shared ? "%shared" : "%own",
        choose(600) * (bytes ? bytes : 1));
  else
    put("[%%d%u%s]", choose(6), one_in(4) ? "-4" : "");
}

static void put_list(unsigned n, unsigned bytes)
{
  put("{");
  for (unsigned i = 0; i < n; i++) {
    put("%s", i == 0 ? "" : ", ");
    put_register(bytes);
  }
  put("}");
}

static void put_value(const char *opcode, unsigned bytes)
{
  unsigned n = strstr(opcode, ".v2")   ? 2
               : strstr(opcode, ".v4") ? 4
               : strstr(opcode, ".v8") ? 8
                                       : 1;

  if (n > 1)
    put_list(n, bytes);
  else
    put_register(bytes);
}

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* Operands of which the sizes follow from the opcode's types, mostly. */
static void put_operands(const char *opcode)
{
  unsigned source = type_bytes(opcode, 0), result = source, n = choose(3);

  if (begins(opcode, "ld")) {
    put_value(opcode, source);
    put(", ");
    put_address(opcode, source);
    return;
  }
  if (begins(opcode, "st.") || begins(opcode, "red.")) {
    put_address(opcode, source);
    put(", ");
    put_value(opcode, source);
    return;
  }
  if (begins(opcode, "atom")) {
    put_register(source);
    put(", ");
    put_address(opcode, source);
    put(", ");
    put_source(source);
    if (strstr(opcode, "cas") != NULL) {
      put(", ");
      put_source(source);
    }
    return;
  }
  if (begins(opcode, "cp.async.c")) {
    if (strstr(opcode, "group") == NULL)
      put("[%%shared+%u], [%%own+%u], %u", choose(4) * 16, choose(4) * 16,
          4u << choose(3));
    return;
  }
  if (begins(opcode, "bar") || begins(opcode, "cp.async.wait_g")) {
    if (strstr(opcode, "red") != NULL) {
      put_register(strstr(opcode, "popc") ? 4 : 1);
      put(", ");
    }
    put(strstr(opcode, "warp") ? "0xffffffff" : "%u", choose(3));
    if (strstr(opcode, "red") != NULL) {
      put(", ");
      put_register(1);
    }
    return;
  }
  if (strstr(opcode, "wide") != NULL)
    result = 2 * source;
  else if (begins(opcode, "cvt") || begins(opcode, "set."))
    result = type_bytes(opcode, 1);
  else if (begins(opcode, "setp") || begins(opcode, "testp") ||
           begins(opcode, "isspacep"))
    result = 1;
  else if (begins(opcode, "popc") || begins(opcode, "clz") ||
           begins(opcode, "bfind"))
    result = 4;
  put_register(result);
  if (strstr(opcode, "f16x2") != NULL && begins(opcode, "setp")) {
    put("|");
    put_register(1);
  }
  put(", ");
  put_source(source);
  if (begins(opcode, "mad.wide")) {
    put(", ");
    put_source(source);
    put(", ");
    put_source(result);
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    put(", ");
    if (begins(opcode, "selp"))
      put_source(i == 0 ? source : 1);
    else if (begins(opcode, "bf") || begins(opcode, "sh") ||
             begins(opcode, "lop3"))
      put_source(i == 0 && !begins(opcode, "sh") ? source : 4);
    else
      put_source(source);
  }
  if (begins(opcode, "vote") || begins(opcode, "redux") ||
      begins(opcode, "match") || begins(opcode, "shfl")) {
    if (n == 0)
      put(", 31");
    put(", 0xffffffff");
  }
}

/* Depends on when and where it runs, never ends, or is for another test. */
static bool is_left_out(const char *pattern)
{
  static const char *const stems[] = { "bra",  "brx",   "call", "ret",  "exit",
                                       "trap", "brkpt", "tex",  "tld4", "txq",
                                       "suq",  "suld",  "sust", "sured" };
  for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
    size_t n = strlen(stems[i]);

    if (strncmp(pattern, stems[i], n) == 0 &&
        (pattern[n] == '\0' || strchr(".[(", pattern[n]) != NULL))
      return true;
  }
  return false;
}

static void put_guard(void)
{
  if (one_in(4))
    put("@%s%%p%u ", one_in(2) ? "!" : "", choose(6));
}

static void put_random_instruction(void)
{
  size_t begin = generator.n, opcode = 0;
  char text[512];

  put_guard();
  opcode = generator.n;
  put_opcode(patterns[choose((unsigned)n_patterns)]);
  snprintf(text, sizeof text, "%s", generator.text + opcode);
  put(" ");
  put_operands(text);
  put(";");
  end_line(begin);
}

/* ---- programs ------------------------------------------------------------ */

static void put_statements(unsigned n);

/* Lanes part and meet again; nested at most `depth` deep by its budget. */
static void put_if(unsigned n)
{
  unsigned label = generator.n_labels++;

  put_line("@%s%%p%u bra L%u;", one_in(2) ? "!" : "", choose(6), label);
  put_statements(n);
  put_line("L%u:", label);
}

/* Register %loopN is nobody else's: the loop ends. */
static void put_loop(unsigned n)
{
  unsigned label = generator.n_labels++, loop = label % 64;

  put_line("mov.u32 %%loop%u, %u;", loop, 1 + choose(4));
  put_line("L%u:", label);
  put_statements(n);
  put_line("sub.u32 %%loop%u, %%loop%u, 1;", loop, loop);
  put_line("setp.ne.u32 %%again, %%loop%u, 0;", loop);
  put_line("@%%again bra L%u;", label);
}

/* Pieces in an order other than the text's: some blocks are reached only from
 * later ones. */
static void put_jumbled(unsigned n)
{
  unsigned label = generator.n_labels;

  generator.n_labels += 3;
  put_line("bra L%u;", label);
  put_line("L%u:", label + 1);
  put_statements(n - n / 2);
  put_line("bra L%u;", label + 2);
  put_line("L%u:", label);
  put_statements(n / 2);
  put_line("bra L%u;", label + 1);
  put_line("L%u:", label + 2);
}

static void put_call(void)
{
  put_line("{ .param .b32 a; .param .b32 b; st.param.b32 [a], %%r%u; "
           "call.uni (b), f, (a); ld.param.b32 %%r%u, [b]; }",
           choose(6), choose(6));
}

static void put_statements(unsigned n)
{
  while (n > 0) {
    unsigned inner = n / 2, kind = choose(12);

    generator.window += one_in(2);
    if (kind == 0 && inner > 0 && generator.n_labels < 60) {
      put_if(inner);
      n -= inner;
    } else if (kind == 1 && inner > 0 && generator.n_labels < 60) {
      put_loop(inner);
      n -= inner;
    } else if (kind == 3 && inner > 0 && generator.n_labels < 60) {
      put_jumbled(inner);
      n -= inner;
    } else if (kind == 2 && !generator.in_function) {
      put_call();
      n--;
    } else {
      put_random_instruction();
      n--;
    }
  }
}

static void put_registers(void)
{
  put_line(".reg .pred %%p<%u>, %%again; .reg .b16 %%h<%u>;", REGISTERS,
           REGISTERS);
  put_line(".reg .b32 %%r<%u>; .reg .b64 %%d<%u>;", REGISTERS, REGISTERS);
  put_line(".reg .b128 %%x<2>; .reg .b32 %%loop<64>;");
  put_line(".reg .b64 %%own, %%shared, %%local; .reg .b32 %%t, %%u;");
  put_line(".local .align 16 .b8 l[64];");
}

/* The other registers are 0 until they are written: a GPU does not promise it,
 * the device does. */
static void put_values(void)
{
  for (unsigned i = 0; i < WRITTEN; i++) {
    put_line("mul.lo.u32 %%r%u, %%t, %u; cvt.u16.u32 %%h%u, %%r%u;", i,
             choose(1000) * choose(100000), i, i);
    put_line("mul.wide.u32 %%d%u, %%r%u, %u;", i, i, choose(100000));
  }
  for (unsigned i = 0; i < WRITTEN; i++)
    put_line("setp.lt.u32 %%p%u, %%u, %u;", i, choose(40));
  put_line("mov.b128 %%x0, {%%d0, %%d1}; mov.b128 %%x1, {%%d2, %%d3};");
  for (unsigned i = 0; i < 64; i += 8) {
    put_line("st.shared.u64 [%%shared+%u], %%d%u;", i, i / 8 % 6);
    put_line("st.local.u64 [%%local+%u], %%d%u;", i, i / 8 % 6);
  }
}

static void put_function(void)
{
  generator.in_function = true;
  put_line(".func (.param .b32 y) f(.param .b32 x) {");
  put_registers();
  put_line("ld.param.b32 %%t, [x]; mov.u32 %%u, %%laneid;");
  put_line("mov.u32 %%r0, %%tid.x; mul.wide.u32 %%shared, %%r0, 64;");
  put_line("mov.u64 %%d0, s; add.u64 %%shared, %%shared, %%d0;");
  put_line("mov.u64 %%local, l; mov.u32 %%r1, %%ctaid.x;");
  put_line("mad.lo.u32 %%r2, %%r1, %u, %%r0;", MOST_THREADS);
  put_line("mov.u64 %%d1, g; mad.wide.u32 %%own, %%r2, %u, %%d1;", SLOT_BYTES);
  put_values();
  put_statements(choose(6));
  put_line("st.param.b32 [y], %%r%u; ret;", choose(6));
  put_line("}");
  generator.in_function = false;
}

/* What some of the registers hold at the end, behind the 64 bytes that were
 * the thread's to play with. The others' values are not needed that long. */
static void put_results(void)
{
  for (unsigned i = 0; i < 6; i++) {
    put_line("st.global.u32 [%%own+%u], %%r%u;", 64 + 4 * i, choose(REGISTERS));
    put_line("st.global.u64 [%%own+%u], %%d%u;", 96 + 8 * i, choose(REGISTERS));
    put_line("st.global.u16 [%%own+%u], %%h%u;", 144 + 2 * i,
             choose(REGISTERS));
    put_line("selp.u32 %%t, 1, 0, %%p%u; st.global.u32 [%%own+%u], %%t;",
             choose(REGISTERS), 160 + 4 * i);
  }
}

static void put_kernel(void)
{
  put_line(".visible .entry test(.param .u64 p) {");
  put_registers();
  put_line("mov.u32 %%u, %%tid.x; mov.u32 %%r1, %%ctaid.x;");
  put_line("mad.lo.u32 %%t, %%r1, %u, %%u;", MOST_THREADS);
  put_line("mov.u64 %%d0, g; mad.wide.u32 %%own, %%t, %u, %%d0;", SLOT_BYTES);
  put_line("mov.u64 %%d0, s; mad.wide.u32 %%shared, %%u, 64, %%d0;");
  put_line("mov.u64 %%local, l;");
  put_values();
  put_statements(1 + choose(STATEMENTS));
  put_results();
  put_line("ret;");
  put_line("}");
}

static void write_program(const uint8_t *data, size_t bytes)
{
  generator.data = data;
  generator.left = bytes;
  generator.state = UINT64_C(0x9e3779b97f4a7c15) + bytes;
  generator.n = 0;
  generator.line = 1;
  generator.n_labels = 0;
  generator.window = 0;
  generator.tame = choose(3) != 0;
  put_line(".version 9.0");
  put_line(".target sm_90");
  put_line(".address_size 64");
  put_line(".global .align 256 .b8 g[%u];", BLOCKS * MOST_THREADS * SLOT_BYTES);
  put_line(".shared .align 16 .b8 s[%u];", MOST_THREADS * 64);
  put_function();
  put_kernel();
}

/* ---- running ------------------------------------------------------------- */

static void drop(void *context, const char *function, unsigned ptx_line,
                 const char *opcode, const char *reason)
{
  (void)context, (void)function, (void)opcode, (void)reason;
  if (ptx_line < MOST_LINES)
    generator.dropped[ptx_line] = true;
}

static struct program *load(void)
{
  struct program_error error = { "" };
  struct program *program =
      program_load(generator.text, generator.n, 0, &error);

  if (program == NULL) { /* the generator writes what can be read */
    fprintf(stderr, "fuzz_execute: %s\n%s", error.message, generator.text);
    abort();
  }
  return program;
}

static struct program *make_program(const uint8_t *data, size_t bytes)
{
  struct program *program;

  memset(generator.dropped, 0, sizeof generator.dropped);
  write_program(data, bytes);
  program = load();
  if (program_gaps(program, drop, NULL) == 0)
    return program;
  program_free(program);
  write_program(data, bytes);
  return load();
}

static void *start_memory(const struct program *program)
{
  struct program_variable g;
  uint8_t *view;

  if (!program_find_variable(program, "g", &g))
    abort();
  view = memory_view(g.address, g.bytes);
  for (size_t i = 0; i < g.bytes; i++)
    view[i] = (uint8_t)(i * 7 + (i >> 8));
  return view;
}

static int run_counted(struct program *program, uint32_t threads, uint64_t seed,
                       struct launch_counts *counts)
{
  static const uint64_t parameter = 42;
  struct launch launch = { .kernel = program_kernel(program, "test"),
                           .grid = { BLOCKS, 1, 1 },
                           .block = { threads, 1, 1 },
                           .parameters = &parameter,
                           .n_workers = 1,
                           .order_seed = seed };
  struct fault fault;
  int result = launch_run(&launch, counts, &fault);

  for (size_t i = 0; i < counts->n_records; i++)
    fuzz_statistics.instructions += counts->records[i].counts.warps;
  fuzz_statistics.faults += result != 0;
  return result;
}

static int run(struct program *program, uint32_t threads, uint64_t seed)
{
  struct launch_counts counts = { 0 };
  int result = run_counted(program, threads, seed, &counts);

  launch_counts_free(&counts);
  return result;
}

static void collect_pattern(void *context, const char *pattern,
                            const char *meaning)
{
  (void)context, (void)meaning;
  if (n_patterns < MOST_ROWS && !is_left_out(pattern))
    patterns[n_patterns++] = pattern;
}

static void compare(struct program *program, uint32_t threads, int in_order)
{
  enum { BYTES = BLOCKS * MOST_THREADS * SLOT_BYTES };
  static uint8_t expected[BYTES];
  uint8_t *view;
  struct program_variable g;

  program_find_variable(program, "g", &g);
  view = memory_view(g.address, g.bytes);
  memcpy(expected, view, BYTES);
  start_memory(program);
  if (run(program, threads, 12345) != in_order) {
    fprintf(stderr, "fuzz_execute: faults in one order only\n%s",
            generator.text);
    abort();
  }
  if (in_order != 0)
    return;
  fuzz_statistics.compared++;
  for (size_t i = 0; i < BYTES; i++)
    if (expected[i] != view[i]) {
      fprintf(stderr,
              "fuzz_execute: byte %zu of thread %zu depends on the "
              "order\n%s",
              i % SLOT_BYTES, i / SLOT_BYTES, generator.text);
      abort();
    }
}

static void refuse_sharing(const char *what)
{
  fprintf(stderr,
          "fuzz_execute: %s: another one where registers share places\n%s",
          what, generator.text);
  abort();
}

/* The same in the same order, with a place for each register. */
static void compare_apart(struct program *shared, uint32_t threads)
{
  static const char *const changing[] = { "%clock", "%globaltimer", "%gridid" };
  enum { BYTES = BLOCKS * MOST_THREADS * SLOT_BYTES };
  struct launch_counts counts = { 0 }, apart_counts = { 0 };
  static uint8_t expected[BYTES];
  struct program *apart;
  struct program_variable g;
  int result;

  for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
    if (strstr(generator.text, changing[i]) != NULL)
      return;
  setenv("SOFTDEVICE_REGISTERS", "apart", 1);
  apart = load();
  unsetenv("SOFTDEVICE_REGISTERS");
  program_find_variable(shared, "g", &g);
  start_memory(shared);
  result = run_counted(shared, threads, 0, &counts);
  memcpy(expected, memory_view(g.address, g.bytes), BYTES);
  program_find_variable(apart, "g", &g);
  start_memory(apart);
  if (run_counted(apart, threads, 0, &apart_counts) != result)
    refuse_sharing("result");
  if (memcmp(expected, memory_view(g.address, g.bytes), BYTES) != 0)
    refuse_sharing("memory");
  for (size_t i = 0; i < counts.n_records; i++)
    if (memcmp(&counts.records[i].counts, &apart_counts.records[i].counts,
               sizeof counts.records[i].counts) != 0)
      refuse_sharing("count");
  launch_counts_free(&counts);
  launch_counts_free(&apart_counts);
  program_free(apart);
}

int fuzz_execute(const uint8_t *data, size_t bytes)
{
  struct program *program;
  uint32_t threads;
  int result;

  setenv("SOFTDEVICE_MEMORY", "4194304", 1);
  if (n_patterns == 0)
    program_instructions(collect_pattern, NULL);
  program = make_program(data, bytes);
  threads = 1 + choose(MOST_THREADS);
  start_memory(program);
  result = run(program, threads, 0);
  fuzz_statistics.programs++;
  if (generator.tame)
    compare(program, threads, result);
  else
    run(program, threads, 12345);
  compare_apart(program, threads);
  program_free(program);
  return 0;
}
