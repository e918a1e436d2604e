/* Ending a launch from inside a handler. */
#ifndef DEVICE_EXEC_FAULT_H
#define DEVICE_EXEC_FAULT_H

#include "machine.h"

/* Fills the worker's fault for lane `lane` at `s` and stops the grid.
 * Always returns NULL, so that a handler can return it. */
const struct step *exec_fault(struct warp *w, const struct step *s,
                              unsigned lane, enum fault_kind kind,
                              const char *detail, ...)
    __attribute__((format(printf, 5, 6)));

/* The same with the access that failed. */
const struct step *exec_fault_access(struct warp *w, const struct step *s,
                                     unsigned lane, enum fault_kind kind,
                                     enum fault_space space, uint64_t address,
                                     unsigned bytes, bool is_store);

/* The allocation that holds the address, if the launch's device may use it. */
bool exec_find(const struct warp *w, uint64_t address,
               struct allocation *found);

/* A global access of `bytes` that exec_find did not find, or that leaves what
 * it found. */
const struct step *exec_fault_global(struct warp *w, const struct step *s,
                                     unsigned lane, uint64_t address,
                                     unsigned bytes, bool is_store);

/* What such an access is: another device's memory, shared or local memory, or
 * out of bounds. `text`, for messages, says more of the first two ("it is memory
 * of device 1 …"), and is empty for the third. */
enum { EXPLAIN_BYTES = sizeof((struct fault *)0)->detail };
enum fault_kind exec_explain(const struct warp *w, uint64_t address,
                             unsigned bytes, char *text, size_t text_bytes);

/* An assertion failed in all lanes of the path: they end, and the fault of
 * the launch is theirs whatever comes. The other threads go on for a while, so
 * that each whose assertion fails can say so, as on a GPU. */
const struct step *exec_assert(struct warp *w, const struct step *s);
enum { ASSERT_ROUNDS = 4096, ASSERT_TEXT = 1 << 20 };

/* Where lane `lane` is, with no fault as yet. */
void fault_describe(struct fault *fault, const struct warp *w,
                    const struct step *s, unsigned lane);

/* Names the instruction and lane of a fault that is already filled. */
void fault_place(struct warp *w, const struct step *s, unsigned lane);

#endif
