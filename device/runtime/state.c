/* The errors of threads and devices, and the entry and exit of every call. */
#include "state.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "api_check.h"
#include "config.h"
#include "forked.h"
#include "output.h"
#include "unsupported.h"

static _Atomic(cudaError_t) pending[MAX_DEVICES], sticky[MAX_DEVICES];
static _Atomic(cudaError_t) passing[MAX_DEVICES]; /* not sticky */
static atomic_bool passed[MAX_DEVICES], endless;
static _Thread_local int device_of_thread;
static _Thread_local cudaError_t last;
static _Thread_local int in_host_function;

static atomic_bool used[MAX_DEVICES];
static _Thread_local struct state_context current_context;
static _Thread_local const char *borrower; /* call of another library */
static _Thread_local char message[1024];

int current_device(void) { return device_of_thread; }

bool set_current_device(int device)
{
  if (device < 0 || device >= config()->n_devices)
    return false;
  device_of_thread = device;
  current_context = (struct state_context){ NULL, true };
  return true;
}

const struct device_model *current_model(void)
{
  return device_model(config()->capability);
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
  if (borrower == NULL) {
    current_context.is_current = true;
    atomic_store_explicit(&used[device_of_thread], true, memory_order_relaxed);
  }
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

cudaError_t state_leave_from(cudaError_t error, const char *call)
{
  if (error != cudaSuccess && borrower == NULL) {
    last = error;
    api_check_error(error, call);
  }
  return error;
}

cudaError_t last_error(void)
{
  cudaError_t error = atomic_load(&sticky[device_of_thread]);
  return error != cudaSuccess ? error : last;
}

void clear_last_error(void) { last = cudaSuccess; }

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

void state_lend(const char *call)
{
  borrower = call;
  message[0] = '\0';
}

void state_take_back(void) { borrower = NULL; }

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

void explain(const char *call, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  fprintf(stderr, "softdevice: %s: %s\n", borrower != NULL ? borrower : call,
          message);
}

int unsupported_call(const char *name, bool *reported)
{
  if (!*reported)
    explain(name, "not supported by the software device");
  *reported = true;
  return (int)state_leave(cudaErrorNotSupported);
}
