/* Decoders of texture and surface instructions (PTX ISA 9.7.10, 9.7.11). */
#include "decode.h"
#include "texture.h"

static bool find_geometry(struct decoder *d, struct texture_extra *x)
{
  static const struct {
    const char *name;
    enum texture_geometry geometry;
    unsigned least; /* coordinates, layer included */
  } names[] = {
    { "1d", GEOMETRY_1D, 1 },
    { "2d", GEOMETRY_2D, 2 },
    { "3d", GEOMETRY_3D, 3 },
    { "a1d", GEOMETRY_1D_LAYERED, 2 },
    { "a2d", GEOMETRY_2D_LAYERED, 3 },
    { "cube", GEOMETRY_CUBE, 3 },
    { "acube", GEOMETRY_CUBE_LAYERED, 4 },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(&d->match, names[i].name)) {
      x->geometry = names[i].geometry;
      x->n_coordinates = names[i].least;
      return true;
    }
  return decode_refuse(d, "a geometry that is not known here");
}

/* `[object, {coordinates}]`. Further coordinates are padding. */
static bool find_place(struct decoder *d, const struct ptx_operand *operand,
                       struct texture_extra *x, slot *object)
{
  const struct ptx_operand *list;
  size_t n;

  if (operand->kind != OPERAND_ADDRESS || operand->base == NULL)
    return decode_refuse(d, "operand must be [object, {coordinates}]");
  if (operand->base->kind != OPERAND_REGISTER)
    return decode_refuse(d, "a texture or surface reference: only objects "
                            "are there");
  if (operand->n_items != 1)
    return decode_refuse(d, "a sampler of its own: only texture objects are "
                            "there");
  list = &operand->items[0];
  n = list->kind == OPERAND_LIST ? list->n_items : 1;
  if (n < x->n_coordinates)
    return decode_refuse(d, "%zu coordinates where %u are meant", n,
                         x->n_coordinates);
  if (list->kind == OPERAND_LIST)
    list = list->items;
  for (unsigned i = 0; i < x->n_coordinates; i++)
    if (!decode_source(d, &list[i], 4, &x->coordinates[i]))
      return false;
  return decode_source(d, operand->base, 8, object);
}

static unsigned register_bytes(const struct ptx_operand *operand,
                               unsigned bytes)
{
  return operand->kind == OPERAND_REGISTER ? decode_register_bytes(operand)
         : bytes < 2                       ? 2
                                           : bytes;
}

static bool find_values(struct decoder *d, const struct ptx_operand *operand,
                        unsigned n, unsigned bytes, bool results,
                        struct texture_extra *x)
{
  const struct ptx_operand *items = operand;

  if (operand->kind == OPERAND_LIST)
    items = operand->items;
  if (n != (operand->kind == OPERAND_LIST ? operand->n_items : 1))
    return decode_refuse(d, "a vector of %u elements is meant", n);
  x->n = n;
  for (unsigned i = 0; i < n; i++) {
    x->value_bytes[i] = register_bytes(&items[i], bytes);
    if (x->value_bytes[i] < bytes || x->value_bytes[i] > 8)
      return decode_refuse(d, "register of %u bytes", x->value_bytes[i]);
    if (!(results
              ? decode_result(d, &items[i], x->value_bytes[i], &x->values[i])
              : decode_source(d, &items[i], x->value_bytes[i], &x->values[i])))
      return false;
  }
  return true;
}

static bool find_resident(struct decoder *d, struct texture_extra *x)
{
  const struct ptx_operand *p = d->instruction->operands[0].second;

  x->has_resident = p != NULL;
  return p == NULL || decode_result(d, p, 1, &x->resident);
}

static void emit(struct decoder *d, step_function *run, slot object,
                 const struct texture_extra *x)
{
  struct step *s = decode_emit(d, run);

  s->a = object;
  s->extra = x;
}

/* Level of detail and gradients choose among mipmaps; there is one. */
bool decode_texture(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct texture_extra *x = decode_keep(d, sizeof *x);
  size_t n = ptx_has(&d->match, "level")  ? 3
             : ptx_has(&d->match, "grad") ? 4
                                          : 2;
  slot object = 0;

  if (d->instruction->n_operands > n)
    return decode_refuse(d, "texel offsets and depth comparison");
  if (!decode_operands(d, n, n) || !find_geometry(d, x) ||
      !find_values(d, &operands[0], 4, 4, true, x) || !find_resident(d, x) ||
      !find_place(d, &operands[1], x, &object))
    return false;
  x->integer = d->match.types[1] == TYPE_S32;
  if (x->integer && x->geometry >= GEOMETRY_CUBE)
    return decode_refuse(d, "integer coordinates of a cube map");
  emit(d, texture_run_fetch, object, x);
  return true;
}

bool decode_texture_gather(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct texture_extra *x = decode_keep(d, sizeof *x);
  slot object = 0;

  if (d->instruction->n_operands > 2)
    return decode_refuse(d, "texel offsets and depth comparison");
  if (!decode_operands(d, 2, 2) || !find_geometry(d, x) ||
      !find_values(d, &operands[0], 4, 4, true, x) || !find_resident(d, x) ||
      !find_place(d, &operands[1], x, &object))
    return false;
  x->component = ptx_has(&d->match, "r")   ? 0
                 : ptx_has(&d->match, "g") ? 1
                 : ptx_has(&d->match, "b") ? 2
                                           : 3;
  emit(d, texture_run_gather, object, x);
  return true;
}

bool decode_texture_query(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct texture_extra *x = decode_keep(d, sizeof *x);
  bool surface = d->instruction->opcode[0] == 's';
  slot object = 0, result = 0;
  struct step *s;

  if (!decode_operands(d, 2, 2))
    return false;
  if (operands[1].kind != OPERAND_ADDRESS || operands[1].base == NULL ||
      operands[1].base->kind != OPERAND_REGISTER)
    return decode_refuse(d, "a texture or surface reference: only objects "
                            "are there");
  if (!decode_source(d, operands[1].base, 8, &object) ||
      !decode_result(d, &operands[0], 4, &result))
    return false;
  x->query = ptx_has(&d->match, "width")    ? QUERY_WIDTH
             : ptx_has(&d->match, "height") ? QUERY_HEIGHT
             : ptx_has(&d->match, "depth")  ? QUERY_DEPTH
                                            : QUERY_ARRAY_SIZE;
  emit(d, texture_run_query, object, x);
  s = &d->steps[d->n_steps - 1];
  s->d = result;
  s->flags = surface;
  return true;
}

static enum surface_bounds bounds_of(const struct ptx_match *match)
{
  return ptx_has(match, "clamp")  ? BOUNDS_CLAMP
         : ptx_has(match, "zero") ? BOUNDS_ZERO
                                  : BOUNDS_TRAP;
}

static unsigned vector_of(const struct ptx_match *match)
{
  return ptx_has(match, "v2") ? 2 : ptx_has(match, "v4") ? 4 : 1;
}

bool decode_surface_load(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct texture_extra *x = decode_keep(d, sizeof *x);
  slot object = 0;

  x->element_bytes = ptx_type_bytes(d->match.types[0]);
  x->bounds = bounds_of(&d->match);
  if (!decode_operands(d, 2, 2) || !find_geometry(d, x) ||
      !find_values(d, &operands[0], vector_of(&d->match), x->element_bytes,
                   true, x) ||
      !find_place(d, &operands[1], x, &object))
    return false;
  emit(d, texture_run_load, object, x);
  return true;
}

bool decode_surface_store(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct texture_extra *x = decode_keep(d, sizeof *x);
  enum ptx_type type = d->match.types[0];
  slot object = 0;

  x->formatted = ptx_has(&d->match, "p");
  x->element_bytes = x->formatted ? 0 : ptx_type_bytes(type);
  x->is_untyped = type == TYPE_B32;
  x->kind = type == TYPE_F32   ? TEXEL_FLOAT
            : type == TYPE_S32 ? TEXEL_SIGNED
                               : TEXEL_UNSIGNED;
  x->bounds = bounds_of(&d->match);
  if (!decode_operands(d, 2, 2) || !find_geometry(d, x) ||
      !find_values(d, &operands[1], vector_of(&d->match), ptx_type_bytes(type),
                   false, x) ||
      !find_place(d, &operands[0], x, &object))
    return false;
  emit(d, x->formatted ? texture_run_format_store : texture_run_store, object,
       x);
  return true;
}

bool decode_surface_reduce(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct texture_extra *x = decode_keep(d, sizeof *x);
  enum ptx_type type = d->match.types[0];
  slot object = 0;

  x->formatted = ptx_has(&d->match, "p");
  x->element_bytes = ptx_type_bytes(type);
  x->bounds = bounds_of(&d->match);
  x->atomic.type = type;
  x->atomic.memory.bytes = x->element_bytes;
  x->atomic.op = ptx_has(&d->match, "add")   ? ATOMIC_ADD
                 : ptx_has(&d->match, "min") ? ATOMIC_MIN
                 : ptx_has(&d->match, "max") ? ATOMIC_MAX
                 : ptx_has(&d->match, "and") ? ATOMIC_AND
                                             : ATOMIC_OR;
  if (!decode_operands(d, 2, 2) || !find_geometry(d, x) ||
      !find_values(d, &operands[1], 1, x->element_bytes, false, x) ||
      !find_place(d, &operands[0], x, &object))
    return false;
  if (x->value_bytes[0] != x->element_bytes)
    return decode_refuse(d, "register of %u bytes", x->value_bytes[0]);
  emit(d, texture_run_reduce, object, x);
  return true;
}
