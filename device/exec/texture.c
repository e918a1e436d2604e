/* Gathers coordinates, fetches for each lane and stores the results. Common
 * cases are in lanes/texture.c. */
#include "texture.h"

#include <string.h>

#include "fault.h"
#include "lanes/handlers.h"

static uint32_t lane_u32(const struct warp *w, slot s, unsigned lane)
{
  return ((const uint32_t *)slot_at(w, s))[lane];
}

static uint64_t lane_u64(const struct warp *w, slot s, unsigned lane)
{
  return ((const uint64_t *)slot_at(w, s))[lane];
}

/* The object of one lane; most often that of the lane before. */
struct object {
  uint64_t number;
  const struct descriptor *descriptor;
  const uint8_t *view;
};

/* Where the image's bytes are: most instructions read one image only. */
static const uint8_t *view_of(struct warp *w, const struct step *s,
                              const struct image *image, bool surface)
{
  struct cached_range *range = &w->ranges[s->record];
  const uint8_t *view;

  if (image->address >= range->low && image->bytes != 0 &&
      image->address + image->bytes <= range->high)
    return (const uint8_t *)(uintptr_t)(image->address +
                                        (uint64_t)range->offset);
  view = image_view(image, surface);
  if (view == NULL)
    return NULL;
  range->low = image->address;
  range->high = image->address + image->bytes;
  range->offset = (intptr_t)((uint64_t)(uintptr_t)view - image->address);
  return view;
}

static bool look_up(struct warp *w, const struct step *s, unsigned lane,
                    bool surface, struct object *object)
{
  uint64_t number = lane_u64(w, s->a, lane);
  const char *kind = surface ? "surface" : "texture";

  if (object->descriptor != NULL && object->number == number)
    return true;
  object->number = number;
  object->descriptor = descriptor_find(number);
  if (object->descriptor == NULL || object->descriptor->is_surface != surface) {
    exec_fault(w, s, lane, FAULT_TEXTURE, "%llu is no %s object%s",
               (unsigned long long)number, kind,
               object->descriptor == NULL
                   ? ": it was destroyed, or never created"
               : surface ? ", but a texture object"
                         : ", but a surface object");
    return false;
  }
  object->view = view_of(w, s, &object->descriptor->image, surface);
  if (object->view == NULL && !object->descriptor->image.linear_memory) {
    exec_fault(w, s, lane, FAULT_TEXTURE,
               "the memory of %s object %llu was freed", kind,
               (unsigned long long)number);
    return false;
  }
  return true;
}

static bool is_layered(enum texture_geometry geometry)
{
  return geometry == GEOMETRY_1D_LAYERED || geometry == GEOMETRY_2D_LAYERED ||
         geometry == GEOMETRY_CUBE_LAYERED;
}

static double coordinate(const struct warp *w, const struct texture_extra *x,
                         unsigned i, unsigned lane)
{
  uint32_t bits;

  if (i >= x->n_coordinates)
    return 0;
  bits = lane_u32(w, x->coordinates[i], lane);
  return x->integer ? (double)(int32_t)bits : (double)bits_float(bits);
}

static void read_coordinates(const struct warp *w,
                             const struct texture_extra *x, unsigned lane,
                             const struct object *object, struct fetch *fetch)
{
  unsigned first = is_layered(x->geometry);

  fetch->texture = object->descriptor;
  fetch->view = object->view;
  fetch->geometry = x->geometry;
  fetch->integer = x->integer;
  fetch->layer = first ? lane_u32(w, x->coordinates[0], lane) : 0;
  fetch->x = coordinate(w, x, first, lane);
  fetch->y = coordinate(w, x, first + 1, lane);
  fetch->z = coordinate(w, x, first + 2, lane);
}

static void set_results(struct warp *w, const struct texture_extra *x,
                        unsigned lane, const uint32_t out[4])
{
  for (unsigned i = 0; i < x->n; i++)
    ((uint32_t *)slot_at(w, x->values[i]))[lane] = out[i];
}

/* Do all lanes of `mask` name one object? */
static bool is_one_object(const struct warp *w, const struct step *s,
                          uint32_t mask)
{
  const uint64_t *number = slot_at(w, s->a);
  uint64_t first = number[__builtin_ctz(mask)], differ = 0;

  for (unsigned l = 0; l < LANES && mask == FULL; l++)
    differ |= number[l] ^ first;
  for (uint32_t m = mask; m != 0 && mask != FULL; m &= m - 1)
    differ |= number[__builtin_ctz(m)] ^ first;
  return differ == 0;
}

/* All lanes at once, where that can be done. */
static bool fetch_together(struct warp *w, const struct texture_extra *x,
                           const struct object *object, uint32_t mask)
{
  _Alignas(LANE_ALIGNMENT) uint32_t some[4][LANES];
  uint32_t *out[4];
  struct lane_fetch fetch = { .texture = object->descriptor,
                              .view = object->view,
                              .geometry = x->geometry,
                              .integer = x->integer };

  if (x->geometry > GEOMETRY_2D || x->n != 4)
    return false;
  fetch.x = slot_at(w, x->coordinates[0]);
  fetch.y = x->geometry == GEOMETRY_2D ? slot_at(w, x->coordinates[1]) : NULL;
  for (unsigned i = 0; i < 4; i++)
    out[i] = mask == FULL ? slot_at(w, x->values[i]) : some[i];
  if (!lane_handlers()->texture(&fetch, out))
    return false;
  for (unsigned i = 0; i < 4; i++)
    for (uint32_t m = mask; m != 0 && mask != FULL; m &= m - 1)
      ((uint32_t *)slot_at(w, x->values[i]))[__builtin_ctz(m)] =
          out[i][__builtin_ctz(m)];
  return true;
}

static const struct step *fetch_all(struct warp *w, const struct step *s,
                                    bool gather)
{
  const struct texture_extra *x = s->extra;
  struct object object = { 0, NULL, NULL };
  uint32_t mask = step_mask(w, s), left = mask;

  if (mask != 0 && !gather && is_one_object(w, s, mask)) {
    if (!look_up(w, s, (unsigned)__builtin_ctz(mask), false, &object))
      return NULL;
    if (fetch_together(w, x, &object, mask))
      left = 0;
  }
  for (uint32_t m = left; m != 0; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctz(m);
    struct fetch fetch;
    uint32_t out[4];
    uint64_t address = 0;

    if (!look_up(w, s, lane, false, &object))
      return NULL;
    read_coordinates(w, x, lane, &object, &fetch);
    if (!(gather ? texture_gather(&fetch, x->component, out, &address)
                 : texture_fetch(&fetch, out, &address)))
      return exec_fault_access(
          w, s, lane, FAULT_OUT_OF_BOUNDS, SPACE_GLOBAL, address,
          texel_bytes(&object.descriptor->image.format), false);
    set_results(w, x, lane, out);
  }
  if (x->has_resident && mask != 0)
    *(uint32_t *)slot_at(w, x->resident) |= mask;
  return s + 1;
}

const struct step *texture_run_fetch(struct warp *w, const struct step *s)
{
  return fetch_all(w, s, false);
}

const struct step *texture_run_gather(struct warp *w, const struct step *s)
{
  return fetch_all(w, s, true);
}

/* As an H200 answers: no rows is 1, no slices or layers is 0. */
static uint32_t answer(const struct image *image, unsigned query)
{
  switch (query) {
  case QUERY_WIDTH: return image->width;
  case QUERY_HEIGHT: return image->height;
  case QUERY_DEPTH:
    return image->dimensions == 3 ? image->depth
           : image->layered       ? image->layers
                                  : 0;
  default: return image->layered ? image->layers : 0;
  }
}

const struct step *texture_run_query(struct warp *w, const struct step *s)
{
  const struct texture_extra *x = s->extra;
  struct object object = { 0, NULL, NULL };

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctz(m);

    if (!look_up(w, s, lane, s->flags != 0, &object))
      return NULL;
    ((uint32_t *)slot_at(w, s->d))[lane] =
        answer(&object.descriptor->image, x->query);
  }
  return s + 1;
}

/* ---- surfaces ------------------------------------------------------------ */

/* Bytes that a lane reads or writes; a texel for formatted access. */
static unsigned access_bytes(const struct texture_extra *x,
                             const struct image *image)
{
  return x->formatted && x->element_bytes == 0 ? texel_bytes(&image->format)
                                               : x->n * x->element_bytes;
}

static void describe_surface(const struct warp *w,
                             const struct texture_extra *x, unsigned lane,
                             const struct image *image,
                             struct surface_access *access)
{
  unsigned first = is_layered(x->geometry);
  int32_t at[4] = { 0 };

  for (unsigned i = 0; i < x->n_coordinates; i++)
    at[i] = (int32_t)lane_u32(w, x->coordinates[i], lane);
  access->image = image;
  access->geometry = x->geometry;
  access->bounds = x->bounds;
  access->layer = first ? at[0] : 0;
  access->x = at[first];
  access->y = first + 1 < 4 ? at[first + 1] : 0;
  access->z = first + 2 < 4 ? at[first + 2] : 0;
  access->bytes = access_bytes(x, image);
  if (x->formatted)
    access->x =
        (int32_t)((int64_t)access->x * (int64_t)texel_bytes(&image->format));
}

static const struct step *bad_place(struct warp *w, const struct step *s,
                                    unsigned lane,
                                    const struct surface_access *a,
                                    enum surface_place place)
{
  const struct image *image = a->image;
  unsigned row = image->width * texel_bytes(&image->format);

  if (place == SURFACE_MISALIGNED)
    return exec_fault(w, s, lane, FAULT_TEXTURE,
                      "x = %d bytes is no multiple of the %u bytes that are "
                      "accessed; x counts bytes, not elements",
                      a->x, a->bytes);
  return exec_fault(w, s, lane, FAULT_TEXTURE,
                    "%u bytes at x = %d bytes, y = %d, z or layer = %d are "
                    "outside the surface of %u bytes (%u elements) x %u x %u",
                    a->bytes, a->x, a->y,
                    a->geometry == GEOMETRY_3D ? a->z : a->layer, row,
                    image->width, image->height,
                    image->dimensions == 3 ? image->depth : image->layers);
}

/* The bytes of one lane; NULL with `*stop` false where there is nothing. */
static uint8_t *surface_bytes(struct warp *w, const struct step *s,
                              unsigned lane, struct object *object, bool *stop)
{
  struct surface_access access;
  enum surface_place place;
  size_t offset;

  *stop = true;
  if (!look_up(w, s, lane, true, object))
    return NULL;
  describe_surface(w, s->extra, lane, &object->descriptor->image, &access);
  place = surface_find(&access, &offset);
  if (place == SURFACE_OUTSIDE || place == SURFACE_MISALIGNED) {
    bad_place(w, s, lane, &access, place);
    return NULL;
  }
  *stop = false;
  return place == SURFACE_NOWHERE ? NULL
                                  : (uint8_t *)(uintptr_t)object->view + offset;
}

static void set_register(struct warp *w, slot to, unsigned bytes, unsigned lane,
                         uint64_t value)
{
  memcpy((uint8_t *)slot_at(w, to) + (size_t)lane * bytes, &value, bytes);
}

static uint64_t get_register(const struct warp *w, slot from, unsigned bytes,
                             unsigned lane)
{
  uint64_t value = 0;

  memcpy(&value, (const uint8_t *)slot_at(w, from) + (size_t)lane * bytes,
         bytes);
  return value;
}

const struct step *texture_run_load(struct warp *w, const struct step *s)
{
  const struct texture_extra *x = s->extra;
  struct object object = { 0, NULL, NULL };

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctz(m);
    bool stop;
    const uint8_t *at = surface_bytes(w, s, lane, &object, &stop);

    if (stop)
      return NULL;
    for (unsigned i = 0; i < x->n; i++) {
      uint64_t value = 0;

      if (at != NULL)
        memcpy(&value, at + i * x->element_bytes, x->element_bytes);
      set_register(w, x->values[i], x->value_bytes[i], lane, value);
    }
  }
  return s + 1;
}

const struct step *texture_run_store(struct warp *w, const struct step *s)
{
  const struct texture_extra *x = s->extra;
  struct object object = { 0, NULL, NULL };

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctz(m);
    bool stop;
    uint8_t *at = surface_bytes(w, s, lane, &object, &stop);

    if (stop)
      return NULL;
    for (unsigned i = 0; i < x->n && at != NULL; i++) {
      uint64_t value = get_register(w, x->values[i], x->value_bytes[i], lane);

      memcpy(at + i * x->element_bytes, &value, x->element_bytes);
    }
  }
  return s + 1;
}

const struct step *texture_run_format_store(struct warp *w,
                                            const struct step *s)
{
  const struct texture_extra *x = s->extra;
  struct object object = { 0, NULL, NULL };

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctz(m);
    uint32_t values[4] = { 0 };
    const struct texel_format *format;
    bool stop;
    uint8_t *at = surface_bytes(w, s, lane, &object, &stop);

    if (stop)
      return NULL;
    for (unsigned i = 0; i < x->n; i++)
      values[i] = lane_u32(w, x->values[i], lane);
    format = &object.descriptor->image.format;
    if (at != NULL)
      texel_write(format, at, x->is_untyped ? format->kind : x->kind, values);
  }
  return s + 1;
}

const struct step *texture_run_reduce(struct warp *w, const struct step *s)
{
  const struct texture_extra *x = s->extra;
  struct object object = { 0, NULL, NULL };

  for (uint32_t m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned lane = (unsigned)__builtin_ctz(m);
    bool stop;
    uint8_t *at = surface_bytes(w, s, lane, &object, &stop);

    if (stop)
      return NULL;
    if (at != NULL)
      atomic_update(at, &x->atomic,
                    get_register(w, x->values[0], x->value_bytes[0], lane),
                    false);
  }
  return s + 1;
}
