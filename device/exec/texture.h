/* Handlers of texture and surface instructions. */
#ifndef DEVICE_EXEC_TEXTURE_H
#define DEVICE_EXEC_TEXTURE_H

#include "../texture/fetch.h"
#include "../texture/surface.h"
#include "../texture/texel.h"
#include "atomic.h"

/* What the instruction says; the object's number is in step.a, 64 bits. */
struct texture_extra {
  enum texture_geometry geometry;
  bool integer; /* coordinates are s32 */
  unsigned n_coordinates;
  slot coordinates[4]; /* the layer first, where there is one */
  unsigned n;          /* results or values */
  slot values[4];
  unsigned value_bytes[4]; /* of their registers */
  bool has_resident;       /* d|p: all texels were there */
  slot resident;
  unsigned component;     /* tld4 */
  unsigned element_bytes; /* suld.b, sust.b, sured */
  enum surface_bounds bounds;
  bool formatted;             /* sust.p, sured.p: x counts texels */
  bool is_untyped;            /* sust.p.b32: as the surface's format says */
  enum texel_kind kind;       /* sust.p */
  struct atomic_extra atomic; /* sured */
  unsigned query;             /* enum texture_query */
};

enum texture_query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_ARRAY_SIZE };

/* One fetch of all lanes, from one object. False: not one that is served
 * here, and texture_fetch is to be asked lane by lane. Lanes that are idle may
 * hold anything. */
struct lane_fetch {
  const struct descriptor *texture;
  const uint8_t *view;
  enum texture_geometry geometry;
  bool integer;
  const uint32_t *x, *y; /* registers; y in two dimensions */
};

step_function texture_run_fetch, texture_run_gather, texture_run_query,
    texture_run_load, texture_run_store, texture_run_format_store,
    texture_run_reduce;

#endif
