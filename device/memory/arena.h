/* The pages of device memory, mapped twice.
 *
 *   program side  [arena base … )            PROT_NONE, opened for host memory
 *   device side   program side + offset      always readable and writable
 *
 * Both show the same memfd. The zone for host-accessible memory comes after
 * the one for device memory, so the two never share a page. After it comes the
 * one whose addresses and pages a program puts together itself (virtual.h).
 */
#ifndef DEVICE_MEMORY_ARENA_H
#define DEVICE_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arena_zone { ZONE_DEVICE, ZONE_HOST, ZONE_VIRTUAL, N_ZONES };

struct arena_range {
  uint64_t begin, end;
};

/* Maps the arena at first use; exits with a message when that fails. */
struct arena_range arena_zone_range(enum arena_zone zone);
intptr_t arena_view_offset(void);
size_t arena_page_bytes(void);

/* Lets the host program use [begin, end), whole pages; or only read them; or
 * neither. */
bool arena_open(uint64_t begin, uint64_t end);
bool arena_open_to_read(uint64_t begin, uint64_t end);
void arena_close(uint64_t begin, uint64_t end);

/* From now on [begin, begin + bytes) shows the pages of [source, …): whole
 * pages of ZONE_VIRTUAL; with `begin` itself those that it had at first. */
bool arena_show(uint64_t begin, size_t bytes, uint64_t source);

/* What new memory holds: NaN as f16, bf16, f32 and f64; a large negative number
 * as an integer. */
#define POISON_HALF 0xFFF5u

/* Poisoning touches pages. Beyond this size only the beginning is poisoned, so
 * that a program may reserve much and use little; the rest is zero. */
#define POISON_LIMIT (64u << 20)

void arena_poison(uint64_t begin, size_t bytes);

/* Gives whole pages of [begin, end) back to the system. */
void arena_discard(uint64_t begin, uint64_t end);

#endif
