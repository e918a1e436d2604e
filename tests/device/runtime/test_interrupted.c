/* Whether an interrupted access was a store. */
#define _GNU_SOURCE 1 /* sigaction */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "core/interrupted.h"
#include "test.h"

/* A word of each kind, as the GNU assembler encodes the line next to it. */
static const struct {
  uint32_t word;
  const char *line;
} loads[] = {
  { 0xb9400020, "ldr w0, [x1]" },
  { 0xf9400420, "ldr x0, [x1, #8]" },
  { 0xb8a27820, "ldrsw x0, [x1, x2, lsl #2]" },
  { 0x38401420, "ldrb w0, [x1], #1" },
  { 0x78dfec20, "ldrsh w0, [x1, #-2]!" },
  { 0xf85fd020, "ldur x0, [x1, #-3]" },
  { 0xf8400820, "ldtr x0, [x1]" },
  { 0xa8c10820, "ldp x0, x2, [x1], #16" },
  { 0xac400420, "ldnp q0, q1, [x1]" },
  { 0x3dc00020, "ldr q0, [x1]" },
  { 0x3ce26820, "ldr q0, [x1, x2]" },
  { 0xbd400020, "ldr s0, [x1]" },
  { 0x58000040, "ldr x0, .+8" },
  { 0x4c407020, "ld1 {v0.16b}, [x1]" },
  { 0x0ddf9020, "ld1 {v0.s}[1], [x1], #4" },
  { 0x4d40c820, "ld1r {v0.4s}, [x1]" },
  { 0x88dffc20, "ldar w0, [x1]" },
  { 0xb8bfc020, "ldapr w0, [x1]" },
  { 0x99404020, "ldapur w0, [x1, #4]" },
  { 0x885f7c20, "ldxr w0, [x1]" },
  { 0xc87f8820, "ldaxp x0, x2, [x1]" },
  { 0xf8200420, "ldraa x0, [x1]" },
  { 0xd50b7a20, "dc cvac, x0" },
},
  stores[] = {
    { 0xb9000020, "str w0, [x1]" },
    { 0xf9000420, "str x0, [x1, #8]" },
    { 0x38226820, "strb w0, [x1, x2]" },
    { 0x78002420, "strh w0, [x1], #2" },
    { 0xf81fd020, "stur x0, [x1, #-3]" },
    { 0xf8000820, "sttr x0, [x1]" },
    { 0xa9bf0820, "stp x0, x2, [x1, #-16]!" },
    { 0xac000420, "stnp q0, q1, [x1]" },
    { 0x3d800020, "str q0, [x1]" },
    { 0x3ca26820, "str q0, [x1, x2]" },
    { 0xfc008420, "str d0, [x1], #8" },
    { 0x4c007020, "st1 {v0.16b}, [x1]" },
    { 0x4c9f0820, "st4 {v0.4s-v3.4s}, [x1], #64" },
    { 0x0d009020, "st1 {v0.s}[1], [x1]" },
    { 0x889ffc20, "stlr w0, [x1]" },
    { 0x99004020, "stlur w0, [x1, #4]" },
    { 0x88037c20, "stxr w3, w0, [x1]" },
    { 0xc8238820, "stlxp w3, x0, x2, [x1]" },
    { 0x88a07c22, "cas w0, w2, [x1]" },
    { 0xc8e0fc22, "casal x0, x2, [x1]" },
    { 0x48207c82, "casp x0, x1, x2, x3, [x4]" },
    { 0x4860fc82, "caspal x0, x1, x2, x3, [x4]" },
    { 0xb8200022, "ldadd w0, w2, [x1]" },
    { 0xf820303f, "stset x0, [x1]" },
    { 0xf8e08022, "swpal x0, x2, [x1]" },
    { 0xd50b7420, "dc zva, x0" },
  };

BEHAVIOUR(arm64_loads)
{
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
    CHECK_TEXT(interrupted_arm64_stores(loads[i].word) ? loads[i].line : "",
               "");
}

BEHAVIOUR(arm64_stores)
{
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
    CHECK_TEXT(interrupted_arm64_stores(stores[i].word) ? "" : stores[i].line,
               "");
}

static struct interrupted last;
static jmp_buf back;

static void on_fault(int number, siginfo_t *info, void *context)
{
  (void)number, (void)info;
  last = interrupted_by(context);
  siglongjmp(back, 1);
}

static volatile int *page;

__attribute__((noinline)) static void load(void) { (void)*page; }
__attribute__((noinline)) static void store(void) { *page = 1; }

static void fault_of(void (*access)(void), int protection)
{
  struct sigaction ours = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

  page = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  CHECK(sigaction(SIGSEGV, &ours, NULL) == 0);
  if (sigsetjmp(back, 1) == 0) {
    access();
    CHECK(!"a fault");
  }
  munmap((void *)page, 4096);
}

static bool is_in(const void *pc, void (*function)(void))
{
  enum { LONGEST = 64 };

  return (uintptr_t)pc - (uintptr_t)function < LONGEST;
}

BEHAVIOUR(load_here)
{
  fault_of(load, PROT_NONE);
  CHECK(is_in(last.pc, load));
  CHECK(!last.stores);
}

BEHAVIOUR(store_here)
{
  fault_of(store, PROT_READ);
  CHECK(is_in(last.pc, store));
  CHECK(last.stores);
}
