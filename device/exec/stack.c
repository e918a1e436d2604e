/* Each lane's alloca stack. Its top is kept in the warp. */
#include "stack.h"

#include "fault.h"

/* d = the lane's top, before anything was allocated by it. */
const struct step *stack_save(struct warp *w, const struct step *s)
{
  uint64_t *d = slot_at(w, s->d);

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    d[l] = w->has_stack ? w->stack[l] : w->local_stride;
  }
  return s + 1;
}

const struct step *stack_restore(struct warp *w, const struct step *s)
{
  const uint64_t *a = slot_at(w, s->a);

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    if (a[l] > w->local_stride)
      return exec_fault(w, s, l, FAULT_STACK_OVERFLOW,
                        "stackrestore of what no stacksave gave");
    if (w->has_stack)
      w->stack[l] = (uint32_t)a[l];
  }
  return s + 1;
}

static void begin_stack(struct warp *w)
{
  if (w->has_stack)
    return;
  w->has_stack = true;
  for (unsigned l = 0; l < LANES; l++)
    w->stack[l] = w->local_stride;
}

/* d = a bytes, aligned to s->immediate: an address in local memory. */
const struct step *stack_allocate(struct warp *w, const struct step *s)
{
  const uint64_t *a = slot_at(w, s->a);
  uint64_t *d = slot_at(w, s->d);
  const struct frame *frame = w->path->frame;
  uint64_t used = frame->local_base + frame->function->local_bytes;

  begin_stack(w);
  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t top = w->stack[l];

    if (top < used || a[l] > top - used)
      return exec_fault(w, s, l, FAULT_STACK_OVERFLOW,
                        "alloca of %llu bytes: %u of %u bytes of stack are "
                        "in use",
                        (unsigned long long)a[l],
                        (unsigned)(used + w->local_stride - top),
                        w->local_stride);
    top = (top - a[l]) & ~(s->immediate - 1);
    if (top < used)
      return exec_fault(w, s, l, FAULT_STACK_OVERFLOW, "alloca of %llu bytes",
                        (unsigned long long)a[l]);
    w->stack[l] = (uint32_t)top;
    d[l] = top;
  }
  return s + 1;
}
