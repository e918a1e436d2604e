/* The errors of devices, the calls that threads are in, and the entry of every
 * function that serves one. */
#include "state.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "forked.h"
#include "output.h"
#include "partition.h"

static _Atomic(cudaError_t) pending[MAX_DEVICES], sticky[MAX_DEVICES];
static _Atomic(cudaError_t) passing[MAX_DEVICES]; /* not sticky */
static atomic_bool passed[MAX_DEVICES], endless;
static _Thread_local int device_of_thread;
static _Thread_local int in_host_function;

static atomic_bool used[MAX_DEVICES];
static _Thread_local struct state_context current_context;
static _Thread_local struct call current_call;
static _Thread_local char message[1024];

int current_device(void) { return device_of_thread; }

bool set_current_device(int device)
{
  if (device < 0 || device >= config()->n_devices)
    return false;
  device_of_thread = device;
  current_context = (struct state_context){ .is_current = true };
  return true;
}

const struct device_model *current_model(void)
{
  return &config()->machine.model;
}

void state_enter_host_function(void) { in_host_function++; }

void state_leave_host_function(void) { in_host_function--; }

cudaError_t state_enter(void)
{
  if (in_host_function > 0)
    return cudaErrorNotPermitted;
  if (forked_is(true))
    return cudaErrorInitializationError;
  if (config()->n_devices == 0)
    return cudaErrorNoDevice;
  forked_watch();
  if (!current_call.keeps_context) {
    current_context.is_current = true;
    atomic_store_explicit(&used[device_of_thread], true, memory_order_relaxed);
  }
  if (partition_is_gone(current_context.partition))
    return cudaErrorContextIsDestroyed;
  return atomic_load(&sticky[device_of_thread]);
}

cudaError_t state_settle(void)
{
  if (forked_is(false))
    return state_enter();
  cudaError_t error = atomic_load(&pending[device_of_thread]);
  if (error != cudaSuccess)
    atomic_store(&sticky[device_of_thread], error);
  error = state_enter();
  if (error != cudaSuccess)
    return error;
  return atomic_exchange(&passing[device_of_thread], cudaSuccess);
}

cudaError_t state_wait(void)
{
  if (!forked_is(false)) /* the parent's text is the parent's */
    output_flush();
  return state_settle();
}

cudaError_t state_ask(void)
{
  cudaError_t error = state_enter();
  return error == atomic_load(&sticky[device_of_thread]) ? cudaSuccess : error;
}

bool state_give_up(void)
{
  if (atomic_load(&pending[device_of_thread]) == cudaSuccess)
    return false;
  atomic_store(&pending[device_of_thread], cudaErrorDevicesUnavailable);
  atomic_store(&sticky[device_of_thread], cudaErrorDevicesUnavailable);
  return true;
}

void state_fault(int device, cudaError_t error)
{
  cudaError_t none = cudaSuccess;
  atomic_compare_exchange_strong(&pending[device], &none, error);
}

void state_note_endless(void) { atomic_store(&endless, true); }

bool state_hides_endless(void)
{
  bool hides = false;
  for (int device = 0; device < MAX_DEVICES; device++)
    hides |= atomic_load(&pending[device]) != cudaSuccess &&
             atomic_load(&sticky[device]) == cudaSuccess;
  return hides && atomic_load(&endless);
}

bool state_is_dead(int device)
{
  return atomic_load(&pending[device]) != cudaSuccess;
}

bool state_is_sticky(int device, cudaError_t error)
{
  return error != cudaSuccess && atomic_load(&sticky[device]) == error;
}

void state_pass_fault(int device, cudaError_t error)
{
  cudaError_t none = cudaSuccess;
  atomic_compare_exchange_strong(&passing[device], &none, error);
  atomic_store(&passed[device], true);
}

bool state_has_passed(int device) { return atomic_load(&passed[device]); }

struct call call_begin(struct call call)
{
  struct call outer = current_call;
  current_call = call;
  message[0] = '\0';
  return outer;
}

void call_end(struct call outer) { current_call = outer; }

const char *state_message(void) { return message; }

struct state_context state_context(void) { return current_context; }

void state_set_context(struct state_context context, int device)
{
  current_context = context;
  device_of_thread = device;
}

bool state_is_used(int device)
{
  return atomic_load_explicit(&used[device], memory_order_relaxed);
}

/* cuMemFree_v2 is what the header makes of cuMemFree: no program wrote it. */
static int written_length(const char *call)
{
  size_t n = strlen(call);
  return (int)(n > 3 && call[n - 3] == '_' && call[n - 2] == 'v' ? n - 3 : n);
}

void explain(const char *call, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (current_call.name == NULL)
    fprintf(stderr, "softdevice: %s: %s\n", call, message);
  else
    fprintf(stderr, "softdevice: %.*s: %s\n", written_length(current_call.name),
            current_call.name, message);
}
