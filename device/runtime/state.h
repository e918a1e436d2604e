/* Errors, devices and threads: what every call begins and ends with.
 *
 *   cudaError_t cudaThing(…)
 *   {
 *     cudaError_t error = state_enter();
 *     if (error == cudaSuccess)
 *       error = do_the_thing(…);
 *     return state_leave(error);
 *   }
 *
 * A kernel that faults leaves its error *pending*, because on a GPU the
 * launch has long returned by then. The first call that waits for the device
 * turns it into the device's *sticky* error, which every later call returns
 * (CUDA Runtime API, "Error Handling").
 */
#ifndef DEVICE_RUNTIME_STATE_H
#define DEVICE_RUNTIME_STATE_H

#include <stdbool.h>

#include "api.h"
#include "device_model.h"

int current_device(void);
bool set_current_device(int device); /* false: no such device */
const struct device_model *current_model(void);

/* The sticky error, or cudaErrorNoDevice, or success. */
cudaError_t state_enter(void);

/* The same, but a pending error becomes sticky first: for calls that would
 * notice a dead device without waiting for it. */
cudaError_t state_settle(void);

/* The same, and device printf appears: for calls that wait for the device. */
cudaError_t state_wait(void);

/* Remembers an error as this thread's last one, and returns it. */
cudaError_t state_leave_from(cudaError_t error, const char *call);
#define state_leave(error) state_leave_from(error, __func__)

/* The last error without recording one: for queries that answer "not yet". */
cudaError_t last_error(void);
void clear_last_error(void);

/* Host functions and callbacks must not call CUDA: between these two every
 * call of this thread answers cudaErrorNotPermitted. */
void state_enter_host_function(void);
void state_leave_host_function(void);

/* A launch on `device` faulted. Later launches there do nothing. */
void state_fault(int device, cudaError_t error);
bool state_is_dead(int device);
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

/* Other libraries of the software device, libcuda.so.1 among them, use calls of
 * this one inside their own: until it is taken back, messages of this thread
 * name `call`, and its last error is left alone. */
void state_lend(const char *call);
void state_take_back(void);

/* What was last explained to this thread since state_lend; "" if nothing. */
const char *state_message(void);

/* The driver API's current context of this thread. NULL with `is_current`:
 * the primary one of the current device, which a call of the runtime API makes
 * current where there is none. */
struct state_context {
  void *context;
  bool is_current;
};
struct state_context state_context(void);
void state_set_context(struct state_context context, int device);

/* Did this process use the device by the runtime API? */
bool state_is_used(int device);

/* One line on stderr: "softdevice: cudaThing: …". */
void explain(const char *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
