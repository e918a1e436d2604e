/* Remembers which bytes of an operand are unwritten before a library's call
 * gets hold of them, for from then on they count as written. */
#include "operand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "caller.h"
#include "finding.h"
#include "shadow.h"

struct hole {
  size_t begin, end; /* from the operand's address */
};

struct check_operand {
  struct allocation of;
  uint64_t address;
  size_t n;
  struct hole *holes; /* in order */
};

struct check_operand *check_operand_new(uint64_t address, size_t bytes)
{
  struct check_operand *operand = NULL;
  struct allocation of;
  uint64_t end = address + bytes;

  if (!check_wanted(CHECK_INIT) || shadow_is_blind() ||
      !memory_find(address, &of) || of.kind != MEMORY_DEVICE)
    return NULL;
  for (uint64_t at = shadow_next(address, end, false); at < end;) {
    uint64_t next = shadow_next(at, end, true);

    if (operand == NULL) {
      operand = host_new(1, sizeof *operand);
      operand->of = of;
      operand->address = address;
    }
    operand->holes =
        host_grow(operand->holes, operand->n + 1, sizeof *operand->holes);
    operand->holes[operand->n++] =
        (struct hole){ at - address, next - address };
    at = shadow_next(next, end, false);
  }
  return operand;
}

void check_operand_free(struct check_operand *operand)
{
  if (operand != NULL)
    free(operand->holes);
  free(operand);
}

size_t check_operand_next(const struct check_operand *operand, size_t at,
                          size_t bytes)
{
  size_t low = 0, high = operand->n, end = at + bytes;

  while (low < high) { /* the first hole that ends after `at` */
    size_t middle = low + (high - low) / 2;

    if (operand->holes[middle].end > at)
      high = middle;
    else
      low = middle + 1;
  }
  if (low == operand->n || operand->holes[low].begin >= end)
    return end;
  return operand->holes[low].begin > at ? operand->holes[low].begin : at;
}

void check_operand_report(const struct check_operand *operand, size_t at,
                          const char *call, const char *what)
{
  struct finding f = { .check = CHECK_INIT,
                       .title = "uninitialised memory read by a library" };
  struct caller caller = caller_now();
  const struct allocation *of = &operand->of;

  caller_source(&caller, &f.here.source);
  snprintf(
      f.detail, sizeof f.detail,
      "%.60s reads %.120s, which nothing has written\n"
      "  byte %" PRIu64 " of allocation %" PRIu64 " (cudaMalloc of %zu bytes)",
      call, what, operand->address + at - of->address, of->serial, of->bytes);
  finding_add(&f);
}
