/* What orders a store of one block before a load of another, and what does
 * not: one message is passed in each way, step by step, on one thread, so that
 * the outcome depends on nothing but the check. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void findings_list(void) {}

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

/* A launch of two blocks, each run by a worker of its own: not by the first. */
static struct check_launch *start(void)
{
  const uint32_t grid[3] = { 2, 1, 1 };
  const struct check_program program = { .place_of = line_of };
  struct check_shape shape = { .threads = { 32, 1, 1 }, .worker = 2 };
  struct check_launch *launch = check_launch_new("k", grid, 3, &program);

  writer = check_block_new(launch, &shape);
  shape.worker = 1;
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

static volatile uint32_t *in_memory(uint64_t address)
{
  return (volatile uint32_t *)(uintptr_t)address + memory_view_offset() / 4;
}

static const uint32_t one = 0x600d600d, another = 0x600d700d;

/* What becomes of the first block's store: it is noted, and then. */
enum store_state { BEGUN, ENDED, WITHOUT_VALUE, OF_AN_ATOMIC };

static void store(struct check_block *block, const uint64_t *at,
                  const uint32_t *value, enum store_state state)
{
  static struct check_run runs[CHECK_LANES];
  const struct check_access a = {
    .lanes = 1,
    .address = at,
    .bytes = 4,
    .space = SPACE_GLOBAL,
    .loads = state == OF_AN_ATOMIC,
    .stores = true,
    .kind = state == OF_AN_ATOMIC ? CHECK_ATOMIC : CHECK_PLAIN,
    .n_elements = 1,
    .element_bytes = state == WITHOUT_VALUE ? 0 : 4,
    .register_bytes = 4,
    .value = { (const uint8_t *)value },
  };

  if (state <= ENDED)
    check_store_begin(block, &a);
  check_access(block, &a, runs,
               check_loops()->find_runs(at, a.lanes, a.bytes, runs));
  if (state == ENDED) {
    *in_memory(*at) = *value;
    check_store_end(block);
  }
}

/* Two blocks store without order. As long as the first store has not reached
 * memory, what is there says nothing about its value. */
static const struct two_stores {
  const char *what;
  enum store_state first;
  const uint32_t *memory, *values[2];
  bool race;
} two_stores[] = {
  { "the same value, the first not yet in memory",
    BEGUN,
    &another,
    { &one, &one },
    false },
  { "another value, the first not yet in memory, which holds the second",
    BEGUN,
    &one,
    { &another, &one },
    true },
  { "the same value, one after the other",
    ENDED,
    &another,
    { &one, &one },
    false },
  { "another value, one after the other",
    ENDED,
    &one,
    { &another, &one },
    true },
  { "a value that is not known, and the one that is there",
    WITHOUT_VALUE,
    &one,
    { &one, &one },
    true },
};

static bool are_judged(const struct two_stores *t)
{
  struct check_launch *launch = start();

  *in_memory(data) = *t->memory;
  store(writer, &data, t->values[0], t->first);
  store(reader, &data, t->values[1], ENDED);
  check_store_end(writer);
  end(launch);
  if ((n_found > 0) != t->race)
    printf("two stores, %s: %s\n", t->what,
           t->race ? "a race is not found" : "there is no race");
  return (n_found > 0) == t->race;
}

/* A store that has ended is not taken for a later one by the same instruction
 * to another place, which is still to come. */
static bool ended_store_is_in_memory(void)
{
  struct check_launch *launch = start();
  const uint64_t next = data + 4;
  bool right;

  *in_memory(data) = another;
  store(writer, &data, &one, ENDED);
  store(writer, &next, &another, BEGUN);
  store(reader, &data, &one, ENDED);
  check_store_end(writer);
  end(launch);
  right = n_found == 0;
  if (!right)
    printf("a store that has ended is taken for one that goes on\n");
  return right;
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
  for (size_t i = 0; i < sizeof two_stores / sizeof *two_stores; i++)
    right &= are_judged(&two_stores[i]);
  right &= ended_store_is_in_memory();
  memory_release(data);
  return !right;
}
