/* Reads the registers that the system saved for a signal's handler. */
#define _GNU_SOURCE 1 /* REG_RIP */
#include "interrupted.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

static uint32_t bits(uint32_t word, unsigned from, unsigned n)
{
  return word >> from & ((UINT32_C(1) << n) - 1);
}

/* Exclusive and ordered accesses, compare and swap; structures of vectors. */
static bool stores_00(uint32_t i)
{
  bool of_vectors = bits(i, 26, 1) != 0, loads = bits(i, 22, 1) != 0;
  /* CAS, or CASP, which differs from LDXP in bit 31. */
  bool swaps =
      bits(i, 21, 1) != 0 && (bits(i, 23, 1) != 0 || bits(i, 31, 1) == 0);

  return !loads || (!of_vectors && swaps);
}

/* Constants beside the code; ordered accesses at a constant distance. */
static bool stores_01(uint32_t i)
{
  return bits(i, 24, 1) != 0 && bits(i, 22, 2) == 0;
}

/* One register: a number of any size, or a vector. */
static bool stores_11(uint32_t i)
{
  bool of_vectors = bits(i, 26, 1) != 0;
  unsigned kind = bits(i, 10, 2), operation = bits(i, 22, 2);

  if (bits(i, 24, 1) == 0 && bits(i, 21, 1) != 0 && kind != 2) {
    bool is_atomic = kind == 0; /* else with an authenticated pointer: loads */
    bool is_ordered_load = bits(i, 12, 4) == 12;

    return is_atomic && !is_ordered_load;
  }
  return of_vectors ? (operation & 1) == 0 : operation == 0;
}

bool interrupted_arm64_stores(uint32_t i)
{
  /* DC ZVA and its like: memset clears a line of the cache by it. */
  if ((i & 0xffffff00u) == 0xd50b7400u && bits(i, 5, 3) != 0)
    return true;
  if (bits(i, 27, 1) == 0 || bits(i, 25, 1) != 0)
    return false;
  switch (bits(i, 28, 2)) {
  case 0: return stores_00(i);
  case 1: return stores_01(i);
  case 2: return bits(i, 22, 1) == 0; /* pairs */
  default: return stores_11(i);
  }
}

#if defined __x86_64__

struct interrupted interrupted_by(const void *context)
{
  const ucontext_t *user = context;
  enum { STORES = 2 }; /* a bit of what the processor says of a page fault */

  return (struct interrupted){
    (const void *)(uintptr_t)user->uc_mcontext.gregs[REG_RIP],
    (user->uc_mcontext.gregs[REG_ERR] & STORES) != 0
  };
}

#elif defined __aarch64__

/* Linux saves what the processor said of the fault (ESR_EL1) in a record after
 * the registers; an emulator may not. Without it the instruction has to do. */
struct interrupted interrupted_by(const void *context)
{
  enum { RECORD = 0x45535201 }; /* ESR_MAGIC of <asm/sigcontext.h> */
  enum { STORES = 1 << 6 };     /* WnR, of a data abort */
  const ucontext_t *user = context;
  const unsigned char *at = (const void *)user->uc_mcontext.__reserved;
  const unsigned char *end = at + sizeof user->uc_mcontext.__reserved;
  const void *pc = (const void *)(uintptr_t)user->uc_mcontext.pc;
  struct {
    uint32_t magic, bytes;
    uint64_t esr;
  } record;
  uint32_t instruction;

  for (; (size_t)(end - at) >= sizeof record; at += record.bytes) {
    memcpy(&record, at, sizeof record);
    if (record.magic == RECORD)
      return (struct interrupted){ pc, (record.esr & STORES) != 0 };
    if (record.magic == 0 || record.bytes < 8 ||
        record.bytes > (size_t)(end - at))
      break;
  }
  memcpy(&instruction, pc, sizeof instruction);
  return (struct interrupted){ pc, interrupted_arm64_stores(instruction) };
}

#else

struct interrupted interrupted_by(const void *context)
{
  (void)context;
  return (struct interrupted){ NULL, false };
}

#endif
