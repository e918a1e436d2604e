/* One anonymous file mapped twice: closed to the host where pointers point,
 * open where the executor works. */
#define _GNU_SOURCE 1 /* memfd_create, MAP_FIXED_NOREPLACE, fallocate */
#include "arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GIB (UINT64_C(1) << 30)
#define LARGEST_ZONE (512 * GIB)
#define SMALLEST_ZONE (1 * GIB)

/* A fixed place makes addresses, and with them outputs, the same in every
 * run. It lies below where Linux puts libraries and stacks. */
#define PREFERRED_BASE UINT64_C(0x700000000000)

static struct {
  int file;
  uint64_t base, zone_bytes;
  intptr_t view_offset;
  size_t page_bytes;
} arena;

static pthread_once_t arena_once = PTHREAD_ONCE_INIT;

static void *map_at(uint64_t hint, size_t bytes, int protection)
{
  int flags = MAP_SHARED | MAP_NORESERVE;
  if (hint != 0)
    flags |= MAP_FIXED_NOREPLACE;
  void *p =
      mmap((void *)(uintptr_t)hint, bytes, protection, flags, arena.file, 0);
  if (p == MAP_FAILED)
    return NULL;
  if (hint != 0 && (uintptr_t)p != hint) { /* kernels before 4.17 */
    munmap(p, bytes);
    return NULL;
  }
  madvise(p, bytes, MADV_DONTDUMP); /* a core file of it would be huge */
  return p;
}

static void *map_somewhere(uint64_t hint, size_t bytes, int protection)
{
#ifdef __SANITIZE_THREAD__
  hint = 0; /* thread sanitizer allows its own address ranges only */
#endif
  void *p = hint != 0 ? map_at(hint, bytes, protection) : NULL;
  return p != NULL ? p : map_at(0, bytes, protection);
}

static bool map_both(uint64_t zone_bytes)
{
  size_t bytes = N_ZONES * zone_bytes;
  if (ftruncate(arena.file, (off_t)bytes) != 0)
    return false;
  char *program = map_somewhere(PREFERRED_BASE, bytes, PROT_NONE);
  if (program == NULL)
    return false;
  char *view = map_somewhere(PREFERRED_BASE + N_ZONES * LARGEST_ZONE, bytes,
                             PROT_READ | PROT_WRITE);
  if (view == NULL) {
    munmap(program, bytes);
    return false;
  }
  arena.base = (uint64_t)(uintptr_t)program;
  arena.zone_bytes = zone_bytes;
  arena.view_offset = (intptr_t)view - (intptr_t)program;
  return true;
}

static void arena_create(void)
{
  arena.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  arena.file = memfd_create("softdevice", MFD_CLOEXEC);
  /* A limit on address space (ulimit -v) may forbid the largest size. */
  for (uint64_t n = LARGEST_ZONE; arena.file >= 0 && n >= SMALLEST_ZONE; n /= 2)
    if (map_both(n))
      return;
  fprintf(stderr,
          "softdevice: cannot map device memory: %s\n"
          "  The software device needs memfd_create and %d GiB of address "
          "space (see `ulimit -v`).\n",
          strerror(errno), (int)(2 * N_ZONES * SMALLEST_ZONE / GIB));
  _exit(1);
}

struct arena_range arena_zone_range(enum arena_zone zone)
{
  pthread_once(&arena_once, arena_create);
  uint64_t begin = arena.base + (uint64_t)zone * arena.zone_bytes;
  return (struct arena_range){ begin, begin + arena.zone_bytes };
}

intptr_t arena_view_offset(void)
{
  pthread_once(&arena_once, arena_create);
  return arena.view_offset;
}

size_t arena_page_bytes(void)
{
  pthread_once(&arena_once, arena_create);
  return arena.page_bytes;
}

bool arena_open(uint64_t begin, uint64_t end)
{
  return mprotect((void *)(uintptr_t)begin, end - begin,
                  PROT_READ | PROT_WRITE) == 0;
}

bool arena_open_to_read(uint64_t begin, uint64_t end)
{
  return mprotect((void *)(uintptr_t)begin, end - begin, PROT_READ) == 0;
}

void arena_close(uint64_t begin, uint64_t end)
{
  mprotect((void *)(uintptr_t)begin, end - begin, PROT_NONE);
}

/* The program side stays closed, whatever its pages are. */
bool arena_show(uint64_t begin, size_t bytes, uint64_t source)
{
  void *view = (char *)(uintptr_t)begin + arena.view_offset;
  return mmap(view, bytes, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_NORESERVE | MAP_FIXED, arena.file,
              (off_t)(source - arena.base)) != MAP_FAILED;
}

void arena_poison(uint64_t begin, size_t bytes)
{
  char *p = (char *)(uintptr_t)begin + arena.view_offset;
  const uint16_t half = POISON_HALF;
  if (bytes > POISON_LIMIT)
    bytes = POISON_LIMIT;
  size_t filled = bytes < sizeof half ? bytes : sizeof half;
  memcpy(p, &half, filled);
  while (filled < bytes) { /* doubles in size; 64 KiB blocks stay in cache */
    size_t n = filled < 65536 ? filled : 65536;
    if (n > bytes - filled)
      n = bytes - filled;
    memcpy(p + filled, p, n);
    filled += n;
  }
}

void arena_discard(uint64_t begin, uint64_t end)
{
  uint64_t mask = arena.page_bytes - 1;
  begin = (begin + mask) & ~mask;
  end &= ~mask;
  if (begin < end)
    fallocate(arena.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              (off_t)(begin - arena.base), (off_t)(end - begin));
}
