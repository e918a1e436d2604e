/* Contexts. A device has its primary context, which the runtime API uses, and
 * those that a program creates. All of them share the device's memory; a
 * context that is destroyed takes what was made in it along. */
#ifndef DEVICE_DRIVER_CONTEXT_H
#define DEVICE_DRIVER_CONTEXT_H

#include "driver.h"
#include "../core/partition.h"

struct context {
  int device;
  bool is_primary;
  bool is_destroyed;   /* of one that was created */
  struct green *green; /* the one that it was made from, see green.c */
  unsigned n_retained; /* of a primary one */
  unsigned flags;
  const struct partition *partition; /* of a green one */
  unsigned long long id;
  struct context *next;
  uint64_t *addresses; /* what was allocated in one that was created */
  size_t n_addresses, capacity;
};

/* This thread's context, or NULL. */
struct context *context_current(void);

/* Can it still be used? */
bool context_is_alive(const struct context *context);

/* A primary context, or one that was created and not destroyed. */
bool context_is_known(const struct context *context);

struct context *context_primary(int device);

/* The primary context with a part of the device's SMs; NULL: no memory. */
struct context *context_of_green(struct green *green,
                                 const struct partition *partition);

/* One user of a primary context more, and one less. */
void context_retain(int device);
CUresult context_release(int device);

/* Makes it this thread's; NULL: none. */
void context_make_current(struct context *context);

/* Memory that goes with the current context. */
void context_adopt(CUdeviceptr address);
void context_forget(CUdeviceptr address);

/* Runs what follows as if for `device`; give the result to restore. */
struct state_context context_visit(int device, int *before);
void context_return(struct state_context context, int before);

#endif
