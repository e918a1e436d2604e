/* Nested launches whose parameters come first, and rows and boxes: each row is an
 * operation of its own, in the order of the calls. */
#include "nested_calls.h"

#include <string.h>

#include "fault.h"
#include "nested.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_PITCH = 12, BAD_FUNCTION = 98 };
enum { MANY_THREADS = 1024 };

struct launcher nested_launcher(const struct warp *w, const struct step *s,
                                unsigned lane)
{
  const struct grid *grid = w->block->grid;
  struct launcher by = { .kernel = grid->kernel };

  by.source = grid->program->records[s->record].ptx->source;
  for (int i = 0; i < 3; i++) {
    by.block[i] = w->block->id[i];
    by.thread[i] = w->specials[SPECIAL_TID_X + i][lane];
  }
  return by;
}

/* void *(size_t alignment, size_t bytes) */
const struct step *nested_parameter_buffer(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    builtin_result(w, s, l,
                   nested_reserve(builtin_argument(w, s, l, 1),
                                  w->block->grid->launch->device));
  }
  return s + 1;
}

static int launch_lane(struct warp *w, const struct step *s, unsigned l)
{
  const struct grid *grid = w->block->grid;
  struct nested wanted = {
    .kernel = builtin_kernel(grid->program, builtin_argument(w, s, l, 0)),
    .shared_bytes = (uint32_t)builtin_argument(w, s, l, 4),
    .by = nested_launcher(w, s, l),
  };
  uint64_t parameters = builtin_argument(w, s, l, 1);
  const uint32_t *block = wanted.block, *blocks = wanted.grid;
  uint64_t threads;

  if (wanted.kernel == NULL)
    return BAD_FUNCTION;
  builtin_argument_bytes(w, s, l, 2, wanted.grid, sizeof wanted.grid);
  builtin_argument_bytes(w, s, l, 3, wanted.block, sizeof wanted.block);
  threads = (uint64_t)block[0] * block[1] * block[2];
  if (threads == 0 || threads > MANY_THREADS ||
      (uint64_t)blocks[0] * blocks[1] * blocks[2] == 0) {
    builtin_launch_failed(w, l);
    return BUILTIN_CONFIGURATION;
  }
  if (parameters == 0) /* of a kernel without any */
    parameters = nested_reserve(0, grid->launch->device);
  return nested_launch_kernel(parameters, &wanted, builtin_argument(w, s, l, 5))
             ? SUCCESS
             : INVALID_VALUE;
}

/* (kernel, parameters, dim3 grid, dim3 block, unsigned shared bytes, stream) */
const struct step *nested_launch_device(struct warp *w, const struct step *s)
{
  if (w->block->grid->launch->graph_exec != 0)
    return builtin_no_nesting(w, s);
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    builtin_result(w, s, l, (uint64_t)launch_lane(w, s, l));
  }
  return s + 1;
}

/* Rows of planes of memory. */
struct rows {
  uint64_t to, to_pitch, to_height; /* height: rows from plane to plane */
  uint64_t from, from_pitch, from_height;
  uint64_t bytes, n_rows, n_planes; /* to copy or set */
};

static int give_rows(const struct rows *r, bool is_copy, uint8_t value,
                     uint64_t stream)
{
  if (r->bytes == 0 || r->n_rows == 0 || r->n_planes == 0)
    return SUCCESS;
  if (r->to == 0 || (is_copy && r->from == 0))
    return INVALID_VALUE;
  if ((r->n_rows > 1 || r->n_planes > 1) &&
      (r->to_pitch < r->bytes || (is_copy && r->from_pitch < r->bytes)))
    return INVALID_PITCH;
  for (uint64_t z = 0; z < r->n_planes; z++)
    for (uint64_t y = 0; y < r->n_rows; y++) {
      uint64_t to = r->to + (z * r->to_height + y) * r->to_pitch;
      uint64_t from = r->from + (z * r->from_height + y) * r->from_pitch;

      if (!(is_copy ? nested_copy(to, from, r->bytes, stream)
                    : nested_set(to, value, r->bytes, stream)))
        return INVALID_VALUE;
    }
  return SUCCESS;
}

/* (to, pitch, from, pitch, width, height, direction, stream) */
const struct step *nested_copy_rows(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct rows r = { .to = builtin_argument(w, s, l, 0),
                      .to_pitch = builtin_argument(w, s, l, 1),
                      .from = builtin_argument(w, s, l, 2),
                      .from_pitch = builtin_argument(w, s, l, 3),
                      .bytes = builtin_argument(w, s, l, 4),
                      .n_rows = builtin_argument(w, s, l, 5),
                      .n_planes = 1 };

    builtin_result(
        w, s, l,
        (uint64_t)give_rows(&r, true, 0, builtin_argument(w, s, l, 7)));
  }
  return s + 1;
}

/* (to, pitch, value, width, height, stream) */
const struct step *nested_set_rows(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct rows r = { .to = builtin_argument(w, s, l, 0),
                      .to_pitch = builtin_argument(w, s, l, 1),
                      .bytes = builtin_argument(w, s, l, 3),
                      .n_rows = builtin_argument(w, s, l, 4),
                      .n_planes = 1 };

    builtin_result(w, s, l,
                   (uint64_t)give_rows(&r, false,
                                       (uint8_t)builtin_argument(w, s, l, 2),
                                       builtin_argument(w, s, l, 5)));
  }
  return s + 1;
}

struct pitched {
  uint64_t place, pitch, width, height;
};
struct extent {
  uint64_t width, height, depth;
};

/* (cudaPitchedPtr to, value, cudaExtent, stream) */
const struct step *nested_set_box(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct pitched to;
    struct extent extent;
    struct rows r;

    builtin_argument_bytes(w, s, l, 0, &to, sizeof to);
    builtin_argument_bytes(w, s, l, 2, &extent, sizeof extent);
    r = (struct rows){ .to = to.place,
                       .to_pitch = to.pitch,
                       .to_height = to.height,
                       .bytes = extent.width,
                       .n_rows = extent.height,
                       .n_planes = extent.depth };
    builtin_result(w, s, l,
                   (uint64_t)give_rows(&r, false,
                                       (uint8_t)builtin_argument(w, s, l, 1),
                                       builtin_argument(w, s, l, 3)));
  }
  return s + 1;
}

/* struct cudaMemcpy3DParms */
struct box {
  uint64_t from_array;
  struct extent from_at;
  struct pitched from;
  uint64_t to_array;
  struct extent to_at;
  struct pitched to;
  struct extent extent;
  uint64_t direction;
};

static uint64_t start_of(const struct pitched *p, const struct extent *at)
{
  return p->place + (at->depth * p->height + at->height) * p->pitch + at->width;
}

/* (const cudaMemcpy3DParms *, stream) */
const struct step *nested_copy_box(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct box box;
    size_t bytes = 0;
    const uint8_t *at =
        builtin_view(w, l, builtin_argument(w, s, l, 0), &bytes);
    struct rows r;

    if (at == NULL || bytes < sizeof box) {
      builtin_result(w, s, l, INVALID_VALUE);
      continue;
    }
    memcpy(&box, at, sizeof box);
    if (box.from_array != 0 || box.to_array != 0)
      return exec_fault(w, s, l, FAULT_UNSUPPORTED,
                        "cudaMemcpy3DAsync of device code with an array");
    r = (struct rows){ .to = start_of(&box.to, &box.to_at),
                       .to_pitch = box.to.pitch,
                       .to_height = box.to.height,
                       .from = start_of(&box.from, &box.from_at),
                       .from_pitch = box.from.pitch,
                       .from_height = box.from.height,
                       .bytes = box.extent.width,
                       .n_rows = box.extent.height,
                       .n_planes = box.extent.depth };
    builtin_result(
        w, s, l,
        (uint64_t)give_rows(&r, true, 0, builtin_argument(w, s, l, 1)));
  }
  return s + 1;
}
