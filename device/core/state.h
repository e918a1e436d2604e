/* Errors, devices and threads: what every call begins with.
 *
 *   cudaError_t core_thing(…)
 *   {
 *     cudaError_t error = state_enter();
 *     if (error == cudaSuccess)
 *       error = do_the_thing(…);
 *     return error;
 *   }
 *
 * A kernel that faults leaves its error *pending*, because on a GPU the
 * launch has long returned by then. The first call that waits for the device
 * turns it into the device's *sticky* error, which every later call returns
 * (CUDA Runtime API, "Error Handling").
 */
#ifndef DEVICE_CORE_STATE_H
#define DEVICE_CORE_STATE_H

#include <stdbool.h>

#include "calls.h"
#include "device_model.h"

int current_device(void) EXPORTED(current_device);
bool set_current_device(int device); /* false: no such device */
const struct device_model *current_model(void);

/* The sticky error, or cudaErrorNoDevice, or success. */
cudaError_t state_enter(void) EXPORTED(state_enter);

/* The same, but a pending error becomes sticky first: for calls that would
 * notice a dead device without waiting for it. */
cudaError_t state_settle(void) EXPORTED(state_settle);

/* The same, and device printf appears: for calls that wait for the device. */
cudaError_t state_wait(void) EXPORTED(state_wait);

/* For calls that do not touch the device: state_enter()'s answer, but no
 * sticky error. */
cudaError_t state_ask(void);

/* The current device was reset after a sticky error: from now on it is not
 * available. False if it had none. */
bool state_give_up(void);

/* Host functions and callbacks must not call CUDA: between these two every
 * call of this thread answers cudaErrorNotPermitted. */
void state_enter_host_function(void);
void state_leave_host_function(void);

/* A launch on `device` faulted. Later launches there do nothing. */
void state_fault(int device, cudaError_t error) EXPORTED(state_fault);
bool state_is_dead(int device) EXPORTED(state_is_dead);
/* Is this the error that every call on the device returns from now on? */
bool state_is_sticky(int device, cudaError_t error);

/* A launch that could never end was stopped: if no call returns its error, the
 * program's exit status must show it. */
void state_note_endless(void);
bool state_hides_endless(void);

/* A launch did what the check `memory` left out, and went on: its error is
 * returned once, and later launches are checked, too. */
void state_pass_fault(int device, cudaError_t error);
bool state_has_passed(int device);

/* The call of an API that a thread is in. A host function may make calls of
 * its own in the middle of another: what call_begin returns is given back to
 * call_end. */
struct call {
  const char *name;   /* in messages; NULL: what is done says its own name */
  bool keeps_context; /* the thread's current context stays as it is */
};
struct call call_begin(struct call call) EXPORTED(call_begin);
void call_end(struct call outer) EXPORTED(call_end);

/* What was last explained to this thread since call_begin; "" if nothing. */
const char *state_message(void) EXPORTED(state_message);

struct partition;

/* The driver API's current context of this thread. NULL with `is_current`:
 * the primary one of the current device, which a call of the runtime API makes
 * current where there is none. */
struct state_context {
  void *context;
  bool is_current;
  const struct partition *partition; /* of a green context; or NULL */
};
struct state_context state_context(void) EXPORTED(state_context);
void state_set_context(struct state_context context, int device)
    EXPORTED(state_set_context);

/* Did this process use the device by the runtime API? */
bool state_is_used(int device) EXPORTED(state_is_used);

/* One line on stderr: "softdevice: cudaThing: …". */
void explain(const char *call, const char *format, ...) EXPORTED(explain)
    __attribute__((format(printf, 2, 3)));

#endif
