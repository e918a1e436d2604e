/* Registers that don't change while a block runs are slots; clocks and the
 * like are read by a handler. */
#include "special_registers.h"

#include <string.h>
#include <time.h>

static slot place(enum area area, unsigned n)
{
  return (slot)(n * LANES * sizeof(uint32_t)) | area;
}

static const struct {
  const char *name;
  unsigned bytes;
  enum area area;
  unsigned n;
} fixed[] = {
  { "%tid.x", 4, AREA_SPECIALS, SPECIAL_TID_X },
  { "%tid.y", 4, AREA_SPECIALS, SPECIAL_TID_Y },
  { "%tid.z", 4, AREA_SPECIALS, SPECIAL_TID_Z },
  { "%laneid", 4, AREA_SPECIALS, SPECIAL_LANEID },
  { "%warpid", 4, AREA_SPECIALS, SPECIAL_WARPID },
  { "%lanemask_eq", 4, AREA_SPECIALS, SPECIAL_LANEMASK_EQ },
  { "%lanemask_le", 4, AREA_SPECIALS, SPECIAL_LANEMASK_LE },
  { "%lanemask_lt", 4, AREA_SPECIALS, SPECIAL_LANEMASK_LT },
  { "%lanemask_ge", 4, AREA_SPECIALS, SPECIAL_LANEMASK_GE },
  { "%lanemask_gt", 4, AREA_SPECIALS, SPECIAL_LANEMASK_GT },
  { "%ntid.x", 4, AREA_BLOCK, BLOCK_NTID_X },
  { "%ntid.y", 4, AREA_BLOCK, BLOCK_NTID_Y },
  { "%ntid.z", 4, AREA_BLOCK, BLOCK_NTID_Z },
  { "%ctaid.x", 4, AREA_BLOCK, BLOCK_CTAID_X },
  { "%ctaid.y", 4, AREA_BLOCK, BLOCK_CTAID_Y },
  { "%ctaid.z", 4, AREA_BLOCK, BLOCK_CTAID_Z },
  { "%nctaid.x", 4, AREA_BLOCK, BLOCK_NCTAID_X },
  { "%nctaid.y", 4, AREA_BLOCK, BLOCK_NCTAID_Y },
  { "%nctaid.z", 4, AREA_BLOCK, BLOCK_NCTAID_Z },
  { "%nwarpid", 4, AREA_BLOCK, BLOCK_NWARPID },
  { "%smid", 4, AREA_BLOCK, BLOCK_SMID },
  { "%nsmid", 4, AREA_BLOCK, BLOCK_NSMID },
  { "%gridid", 4, AREA_BLOCK, BLOCK_GRIDID },
  { "%gridid", 8, AREA_BLOCK, BLOCK_GRIDID_WIDE },
  { "%current_graph_exec", 8, AREA_BLOCK, BLOCK_GRAPH_EXEC },
  { "%total_smem_size", 4, AREA_BLOCK, BLOCK_TOTAL_SHARED },
  { "%dynamic_smem_size", 4, AREA_BLOCK, BLOCK_DYNAMIC_SHARED },
  { "%reserved_smem_offset_begin", 4, AREA_BLOCK, BLOCK_RESERVED },
  { "%reserved_smem_offset_0", 4, AREA_BLOCK, BLOCK_RESERVED },
  { "%reserved_smem_offset_1", 4, AREA_BLOCK, BLOCK_RESERVED_1 },
  { "%reserved_smem_offset_cap", 4, AREA_BLOCK, BLOCK_RESERVED_END },
  { "%reserved_smem_offset_end", 4, AREA_BLOCK, BLOCK_RESERVED_END },
  /* Address of the grid-wide barrier's memory, as the toolkit's headers
   * read it. */
  { "%envreg1", 4, AREA_BLOCK, BLOCK_ENVREG1 },
  { "%envreg2", 4, AREA_BLOCK, BLOCK_ENVREG2 },
  { "%clusterid.x", 4, AREA_BLOCK, BLOCK_CLUSTERID_X },
  { "%clusterid.y", 4, AREA_BLOCK, BLOCK_CLUSTERID_Y },
  { "%clusterid.z", 4, AREA_BLOCK, BLOCK_CLUSTERID_Z },
  { "%nclusterid.x", 4, AREA_BLOCK, BLOCK_NCLUSTERID_X },
  { "%nclusterid.y", 4, AREA_BLOCK, BLOCK_NCLUSTERID_Y },
  { "%nclusterid.z", 4, AREA_BLOCK, BLOCK_NCLUSTERID_Z },
  { "%cluster_ctaid.x", 4, AREA_BLOCK, BLOCK_CLUSTER_CTAID_X },
  { "%cluster_ctaid.y", 4, AREA_BLOCK, BLOCK_CLUSTER_CTAID_Y },
  { "%cluster_ctaid.z", 4, AREA_BLOCK, BLOCK_CLUSTER_CTAID_Z },
  { "%cluster_nctaid.x", 4, AREA_BLOCK, BLOCK_CLUSTER_NCTAID_X },
  { "%cluster_nctaid.y", 4, AREA_BLOCK, BLOCK_CLUSTER_NCTAID_Y },
  { "%cluster_nctaid.z", 4, AREA_BLOCK, BLOCK_CLUSTER_NCTAID_Z },
  { "%cluster_ctarank", 4, AREA_BLOCK, BLOCK_CLUSTER_RANK },
  { "%cluster_nctarank", 4, AREA_BLOCK, BLOCK_CLUSTER_SIZE },
  { "%is_explicit_cluster", 1, AREA_BLOCK, BLOCK_EXPLICIT_CLUSTER },
  { "%aggr_smem_size", 4, AREA_BLOCK, BLOCK_ALL_SHARED },
};

bool special_slot(const char *name, unsigned bytes, slot *to)
{
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (fixed[i].bytes == bytes && strcmp(fixed[i].name, name) == 0) {
      *to = place(fixed[i].area, fixed[i].n);
      return true;
    }
  return false;
}

bool special_is_zero(const char *name, unsigned bytes)
{
  static const struct {
    const char *start;
    unsigned bytes;
  } zeros[] = {
    { "%pm", 4 },
    { "%pm", 8 },
    { "%envreg", 4 },
    { "%tid.w", 4 }, /* the fourth of vectors that have three */
    { "%ntid.w", 4 },
    { "%ctaid.w", 4 },
    { "%nctaid.w", 4 },
    { "%clusterid.w", 4 },
    { "%nclusterid.w", 4 },
    { "%cluster_ctaid.w", 4 },
    { "%cluster_nctaid.w", 4 },
  };

  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
    if (zeros[i].bytes == bytes &&
        strncmp(zeros[i].start, name, strlen(zeros[i].start)) == 0)
      return true;
  return false;
}

enum dynamic {
  CLOCK,
  CLOCK_HIGH,
  CLOCK_WIDE,
  TIMER,
  TIMER_LOW,
  TIMER_HIGH,
  DYNAMICS
};
static const struct {
  const char *name;
  unsigned bytes;
} dynamics[DYNAMICS] = {
  [CLOCK] = { "%clock", 4 },
  [CLOCK_HIGH] = { "%clock_hi", 4 },
  [CLOCK_WIDE] = { "%clock64", 8 },
  [TIMER] = { "%globaltimer", 8 },
  [TIMER_LOW] = { "%globaltimer_lo", 4 },
  [TIMER_HIGH] = { "%globaltimer_hi", 4 },
};

int special_dynamic(const char *name, unsigned *bytes)
{
  for (int i = 0; i < DYNAMICS; i++)
    if (strcmp(dynamics[i].name, name) == 0) {
      *bytes = dynamics[i].bytes;
      return i;
    }
  return -1;
}

/* Clocks tick at the device's rate, by the host's time: a kernel that waits
 * for a number of them stays as long as it would on a GPU. */
static uint64_t read_now(const struct launch *launch, uint32_t which)
{
  uint64_t khz = launch->clock_khz > 0 ? (uint64_t)launch->clock_khz : 1000000;
  struct timespec now;
  uint64_t value;

  clock_gettime(which < TIMER ? CLOCK_MONOTONIC : CLOCK_REALTIME, &now);
  value = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  if (which < TIMER) /* in two parts, which do not overflow */
    value = value / 1000000 * khz + value % 1000000 * khz / 1000000;
  if (which == CLOCK_HIGH || which == TIMER_HIGH)
    value >>= 32;
  return value;
}

/* Variables in constant memory lie among the others. */
static bool is_constant(const struct ptx_variable *v, uint64_t address)
{
  for (; v != NULL; v = v->next)
    if (v->space == PTX_SPACE_CONSTANT && address >= v->place &&
        address - v->place < v->bytes)
      return true;
  return false;
}

const struct step *special_is_constant(struct warp *w, const struct step *s)
{
  const struct ptx_module *module = w->block->grid->program->module;
  const uint64_t *address = slot_at(w, s->a);
  uint32_t *d = slot_at(w, s->d);

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool is = is_constant(module->variables, address[l]);

    *d = (*d & ~(UINT32_C(1) << l)) | (uint32_t)is << l;
  }
  return s + 1;
}

const struct step *special_read(struct warp *w, const struct step *s)
{
  uint32_t mask = step_mask(w, s);
  uint64_t value = read_now(w->block->grid->launch, s->flags);
  uint32_t *d = slot_at(w, s->d);
  uint64_t *wide = slot_at(w, s->d);

  for (; mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask);

    if (dynamics[s->flags].bytes == 8)
      wide[l] = value;
    else
      d[l] = (uint32_t)value;
  }
  w->polled = true; /* who watches the clock may wait for others */
  return s + 1;
}
