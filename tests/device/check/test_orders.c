/* What orders a store of one block before a load of another, and what does
 * not: one message is passed in each way, step by step, on one thread, so that
 * the outcome depends on nothing but the check. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../device/check/block.h"
#include "../../../device/memory/memory.h"

static unsigned n_found;

/* In place of the library's: counts. */
struct known *finding_add(const struct finding *f)
{
  (void)f;
  n_found++;
  return NULL;
}

void finding_again(struct known *ignored)
{
  (void)ignored;
  abort();
}

static struct check_place line_of(const void *program, uint32_t record)
{
  struct check_place place = { .ptx_line = record + 1 };

  (void)program;
  return place;
}

enum act {
  END,
  STORE, /* writer: the data */
  LOAD,  /* reader: the data */
  FENCE, /* writer */
  BLOCK_FENCE,
  READER_FENCE,
  PUBLISH, /* writer: the flag, relaxed, */
  RELEASE, /* or with release */
  BLOCK_RELEASE,
  SEE,     /* reader: the flag, relaxed, */
  ACQUIRE, /* or with acquire */
  SAW,     /* the load of the flag is done */
  ACQUIRED,
};

static const struct message {
  const char *what;
  enum act acts[8];
  bool race;
} messages[] = {
  { "release and acquire", { STORE, RELEASE, ACQUIRE, ACQUIRED, LOAD }, false },
  /* Another worker may release between what is checked before the flag's load
   * and the load itself. */
  { "released while it is loaded",
    { STORE, ACQUIRE, RELEASE, ACQUIRED, LOAD },
    false },
  { "released after it was loaded",
    { STORE, ACQUIRE, ACQUIRED, RELEASE, LOAD },
    true },
  { "nothing at all", { STORE, LOAD }, true },
  { "release and relaxed load", { STORE, RELEASE, SEE, SAW, LOAD }, true },
  { "release and load with a fence",
    { STORE, RELEASE, SEE, SAW, READER_FENCE, LOAD },
    false },
  { "released while it is loaded, with a fence",
    { STORE, SEE, RELEASE, SAW, READER_FENCE, LOAD },
    false },
  { "fence before the load of the flag",
    { STORE, RELEASE, READER_FENCE, SEE, SAW, LOAD },
    true },
  { "relaxed store and acquire",
    { STORE, PUBLISH, ACQUIRE, ACQUIRED, LOAD },
    true },
  { "fence, relaxed store and acquire",
    { STORE, FENCE, PUBLISH, ACQUIRE, ACQUIRED, LOAD },
    false },
  { "fence before the data",
    { FENCE, STORE, PUBLISH, ACQUIRE, ACQUIRED, LOAD },
    true },
  { "fences on both sides",
    { STORE, FENCE, PUBLISH, SEE, SAW, READER_FENCE, LOAD },
    false },
  { "release within the block",
    { STORE, BLOCK_RELEASE, ACQUIRE, ACQUIRED, LOAD },
    true },
  { "fence within the block",
    { STORE, BLOCK_FENCE, PUBLISH, ACQUIRE, ACQUIRED, LOAD },
    true },
};

static struct check_block *writer, *reader;
static uint64_t data, flag;

static void access(struct check_block *block, bool stores, uint64_t at,
                   enum check_kind kind, unsigned order, bool is_done)
{
  static uint64_t address[CHECK_LANES];
  static struct check_run runs[CHECK_LANES];
  const struct check_access a = {
    .lanes = 1,
    .address = address,
    .bytes = 4,
    .space = SPACE_GLOBAL,
    .loads = !stores,
    .stores = stores,
    .kind = kind,
    .order = order,
  };

  address[0] = at;
  if (is_done)
    check_acquired(block, &a);
  else
    check_access(block, &a, runs,
                 check_loops()->find_runs(address, a.lanes, a.bytes, runs));
}

static void take(enum act act)
{
  const unsigned within = CHECK_RELEASE | CHECK_SCOPE_BLOCK;

  switch (act) {
  case STORE: access(writer, true, data, CHECK_PLAIN, 0, false); break;
  case LOAD: access(reader, false, data, CHECK_PLAIN, 0, false); break;
  case FENCE: check_fence(writer, 0, false); break;
  case BLOCK_FENCE: check_fence(writer, 0, true); break;
  case READER_FENCE: check_fence(reader, 0, false); break;
  case PUBLISH: access(writer, true, flag, CHECK_STRONG, 0, false); break;
  case RELEASE:
    access(writer, true, flag, CHECK_STRONG, CHECK_RELEASE, false);
    break;
  case BLOCK_RELEASE:
    access(writer, true, flag, CHECK_STRONG, within, false);
    break;
  case SEE: access(reader, false, flag, CHECK_STRONG, 0, false); break;
  case SAW: access(reader, false, flag, CHECK_STRONG, 0, true); break;
  case ACQUIRE:
    access(reader, false, flag, CHECK_STRONG, CHECK_ACQUIRE, false);
    break;
  case ACQUIRED:
    access(reader, false, flag, CHECK_STRONG, CHECK_ACQUIRE, true);
    break;
  case END: break;
  }
}

/* A launch of two blocks. */
static struct check_launch *start(void)
{
  const uint32_t grid[3] = { 2, 1, 1 };
  const struct check_program program = { NULL, line_of, false };
  const struct check_shape shape = { { 32, 1, 1 }, 0, 0, false, 0 };
  struct check_launch *launch = check_launch_new("k", grid, &program);

  writer = check_block_new(launch, &shape);
  reader = check_block_new(launch, &shape);
  check_block_start(writer, 0, (uint32_t[]){ 0, 0, 0 });
  check_block_start(reader, 1, (uint32_t[]){ 1, 0, 0 });
  n_found = 0;
  return launch;
}

static void end(struct check_launch *launch)
{
  check_block_free(writer);
  check_block_free(reader);
  check_launch_free(launch);
}

static bool is_right(const struct message *m)
{
  struct check_launch *launch = start();

  for (const enum act *act = m->acts; *act != END; act++)
    take(*act);
  end(launch);
  if ((n_found > 0) != m->race)
    printf("%s: %s\n", m->what,
           m->race ? "a race is not found" : "there is no race");
  return (n_found > 0) == m->race;
}

/* ---- two stores of the same value ---------------------------------------- */

static const uint32_t same = 0x600d600d;

static volatile uint32_t *in_memory(void)
{
  return (volatile uint32_t *)(uintptr_t)data + memory_view_offset() / 4;
}

static void *stores_late(void *unused)
{
  const struct timespec late = { .tv_nsec = 5000000 };

  nanosleep(&late, NULL);
  *in_memory() = same;
  return unused;
}

static void store_same(struct check_block *block)
{
  static struct check_run runs[CHECK_LANES];
  const struct check_access a = {
    .lanes = 1,
    .address = &data,
    .bytes = 4,
    .space = SPACE_GLOBAL,
    .stores = true,
    .n_elements = 1,
    .element_bytes = 4,
    .register_bytes = 4,
    .value = { (const uint8_t *)&same },
  };

  check_access(block, &a, runs,
               check_loops()->find_runs(&data, a.lanes, a.bytes, runs));
}

/* The first block has said that it stores, and does so later: its worker has
 * lost its core. Again, should the thread that stores have lost its own for
 * longer than the check waits. */
static bool late_store_is_awaited(void)
{
  for (unsigned round = 0; round < 3; round++) {
    struct check_launch *launch = start();
    pthread_t other;

    *in_memory() = 0;
    store_same(writer);
    if (pthread_create(&other, NULL, stores_late, NULL) != 0)
      return false;
    store_same(reader);
    pthread_join(other, NULL);
    end(launch);
    if (n_found == 0)
      return true;
  }
  printf("two stores of the same value, the first one late: a race\n");
  return false;
}

int main(void)
{
  bool right = true;

  data = memory_allocate(8192, 4096, MEMORY_DEVICE, 0, NULL);
  flag = data + 4096;
  if (data == 0 || !check_wanted(CHECK_RACE))
    return 1;
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    right &= is_right(&messages[i]);
  right &= late_store_is_awaited();
  memory_release(data);
  return !right;
}
