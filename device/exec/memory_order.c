/* Fences of the host's memory as steps before or after an instruction. */
#include "memory_order.h"

const struct step *memory_fence(struct warp *w, const struct step *s)
{
  atomic_thread_fence(memory_order_seq_cst);
  w->polled = true; /* lanes that wait in a join may be who is waited for */
  if (s->flags == 0)
    step_mask(w, s);
  return s + 1;
}

static void emit_fence(struct decoder *d)
{
  struct step *s = decode_emit(d, memory_fence);

  s->guard = SLOT_TRUE;
  s->flags = 1; /* not an instruction of its own */
}

void memory_order_before(struct decoder *d)
{
  if (ptx_has(&d->match, "release") || ptx_has(&d->match, "acq_rel") ||
      ptx_has(&d->match, "sc"))
    emit_fence(d);
}

void memory_order_after(struct decoder *d)
{
  if (ptx_has(&d->match, "acquire") || ptx_has(&d->match, "acq_rel") ||
      ptx_has(&d->match, "volatile") || ptx_has(&d->match, "relaxed") ||
      ptx_has(&d->match, "sc"))
    emit_fence(d);
}
