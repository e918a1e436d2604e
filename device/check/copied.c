/* Finds the bytes of a copy that nothing has written. Gaps that look like
 * padding between the numbers that kernels stored nearby are left out. */
#include "copied.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "../memory/memory.h"
#include "caller.h"
#include "finding.h"
#include "shadow.h"

/* How far after the member that gives a struct its alignment padding may
 * be. */
enum { PADDING_REACH = 64 };

/* ---- holes: bytes side by side that nothing wrote -------- */

struct hole {
  uint64_t begin, end;
};

struct holes {
  const struct allocation *of;
  struct hole first;
  uint64_t bytes, n;
};

static bool stored_as(const struct allocation *of, uint64_t address,
                      unsigned size)
{
  return address >= of->address && address + size <= of->address + of->bytes &&
         shadow_stored_as(address, size);
}

/* A number of `size` bytes directly after the hole, or not far before it. */
static bool near_number(const struct allocation *of, const struct hole *hole,
                        unsigned size)
{
  if (stored_as(of, hole->end, size))
    return true;
  for (uint64_t back = size; back <= PADDING_REACH; back += size)
    if (stored_as(of, hole->end - size - back, size))
      return true;
  return false;
}

/* A compiler aligns a number to its size: the hole ends at a multiple of the
 * size of a number stored nearby, and is smaller than that. */
static bool is_padding(const struct allocation *of, const struct hole *hole)
{
  for (unsigned size = 2; size <= 8; size *= 2)
    if (hole->end % size == 0 && hole->end - hole->begin < size &&
        near_number(of, hole, size))
      return true;
  return false;
}

static void add_hole(struct holes *holes, const struct hole *hole)
{
  if (hole->begin == hole->end || is_padding(holes->of, hole))
    return;
  if (holes->n++ == 0)
    holes->first = *hole;
  holes->bytes += hole->end - hole->begin;
}

static void find_holes(struct holes *holes, uint64_t address, size_t bytes)
{
  uint64_t end = address + bytes;

  while (address < end) {
    struct hole hole;

    hole.begin = shadow_next(address, end, false);
    hole.end = shadow_next(hole.begin, end, true);
    add_hole(holes, &hole);
    address = hole.end;
  }
}

/* ---- copies -------- */

/* Bytes that nothing wrote are no better at their new place. */
static void pass_on(uint64_t from, uint64_t to, size_t bytes)
{
  uint64_t end = from + bytes;
  bool holes = false;

  for (uint64_t at = from; at < end;) {
    uint64_t begin = shadow_next(at, end, false);

    at = shadow_next(begin, end, true);
    if (at != begin)
      shadow_mark(to + (begin - from), at - begin, false);
    holes |= at != begin;
  }
  if (holes)
    shadow_copy_sizes(from, to, bytes);
}

static void report_holes(const struct check_copy *copy,
                         const struct holes *holes)
{
  struct finding f = { .check = CHECK_INIT,
                       .title = "uninitialised memory copied to the host" };
  struct caller caller = caller_now();
  const struct allocation *of = holes->of;
  uint64_t whole = (uint64_t)copy->width * copy->height * copy->depth;
  uint64_t begin = holes->first.begin - of->address;
  char more[64] = "";

  caller_source(&caller, &f.here.source);
  if (holes->n > 1)
    snprintf(more, sizeof more, " (the first of %" PRIu64 " ranges)", holes->n);
  snprintf(f.detail, sizeof f.detail,
           "%.40s of %" PRIu64 " byte%s: %" PRIu64 " of them never written\n"
           "  bytes %" PRIu64 " to %" PRIu64 " of allocation %" PRIu64
           " (cudaMalloc of %zu bytes)%s",
           copy->call, whole, whole == 1 ? "" : "s", holes->bytes, begin,
           holes->first.end - of->address - 1, of->serial, of->bytes, more);
  finding_add(&f);
}

void check_copied(const struct check_copy *copy)
{
  struct allocation from, to;
  struct holes holes = { .of = &from };
  bool to_device;

  if (!check_wanted(CHECK_INIT) || shadow_is_blind() ||
      !memory_find(copy->from, &from) || from.kind != MEMORY_DEVICE)
    return;
  to_device = memory_find(copy->to, &to) && to.kind != MEMORY_PINNED &&
              to.kind != MEMORY_REGISTERED;
  if (to_device && to.kind != MEMORY_DEVICE)
    return; /* zeros from the start, or not watched */
  for (size_t z = 0; z < copy->depth; z++)
    for (size_t y = 0; y < copy->height; y++) {
      uint64_t at = copy->from + z * copy->from_slice + y * copy->from_pitch;

      if (to_device)
        pass_on(at, copy->to + z * copy->to_slice + y * copy->to_pitch,
                copy->width);
      else
        find_holes(&holes, at, copy->width);
    }
  if (holes.n == 0)
    return;
  report_holes(copy, &holes);
  for (size_t z = 0; z < copy->depth; z++) /* once is enough */
    for (size_t y = 0; y < copy->height; y++)
      shadow_mark(copy->from + z * copy->from_slice + y * copy->from_pitch,
                  copy->width, true);
}
