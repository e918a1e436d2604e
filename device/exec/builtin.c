/* printf, assertions, malloc and free, and launches, copies and fills that
 * device code asks for. */
#include "builtin.h"

#include <string.h>

#include "checked.h"
#include "control.h"
#include "device_calls.h"
#include "fault.h"
#include "lanes/handlers.h"
#include "nested.h"
#include "nested_calls.h"

static uint8_t *local_at(const struct warp *w, unsigned lane, uint32_t at)
{
  return w->local + (size_t)lane * w->local_stride + at;
}

uint64_t builtin_argument(const struct warp *w, const struct step *s,
                          unsigned lane, unsigned i)
{
  const struct call_extra *extra = s->extra;
  uint64_t value = 0;

  memcpy(&value,
         local_at(w, lane,
                  w->path->frame->local_base + extra->arguments[i].offset),
         extra->arguments[i].bytes > 8 ? 8 : extra->arguments[i].bytes);
  return value;
}

void builtin_result(const struct warp *w, const struct step *s, unsigned lane,
                    uint64_t value)
{
  const struct call_extra *extra = s->extra;

  if (extra->n_results > 0)
    memcpy(local_at(w, lane,
                    w->path->frame->local_base + extra->results[0].offset),
           &value, extra->results[0].bytes > 8 ? 8 : extra->results[0].bytes);
}

/* Host bytes that a generic address of `lane` means, and how many follow. */
const uint8_t *builtin_view(const struct warp *w, unsigned lane,
                            uint64_t address, size_t *bytes)
{
  struct allocation found;

  if (address >> 56 == LOCAL_WINDOW >> 56 &&
      address - LOCAL_WINDOW < w->local_stride) {
    *bytes = w->local_stride - (address - LOCAL_WINDOW);
    return local_at(w, lane, (uint32_t)(address - LOCAL_WINDOW));
  }
  if (address >> 56 == SHARED_WINDOW >> 56 &&
      address - SHARED_WINDOW < w->block->shared_bytes) {
    *bytes = w->block->shared_bytes - (address - SHARED_WINDOW);
    return w->block->shared + (address - SHARED_WINDOW);
  }
  if (!memory_find(address, &found))
    return NULL;
  *bytes = found.bytes - (address - found.address);
  return memory_view(address, *bytes);
}

struct reader {
  const struct warp *w;
  unsigned lane;
};

static const char *read_string(void *context, uint64_t address)
{
  struct reader *reader = context;
  size_t bytes;
  const uint8_t *text =
      address == 0 ? NULL
                   : builtin_view(reader->w, reader->lane, address, &bytes);

  if (text == NULL || memchr(text, 0, bytes) == NULL)
    return NULL;
  return (const char *)text;
}

/* Once for each format. */
static void warn_format(const char *format, bool is_long)
{
  enum { MOST = 64 };
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const char *warned[MOST];
  static int n;
  int i;

  pthread_mutex_lock(&lock);
  for (i = 0; i < n && warned[i] != format; i++)
    ;
  if (i == n && n < MOST) {
    warned[n++] = format;
    fprintf(
        stderr, "softdevice: printf(\"%.*s\"): %s\n",
        (int)strcspn(format, "\n"), format,
        is_long
            ? "more than 32 arguments\n"
              "  The first 32 are printed; a GPU prints garbage for the others."
            : "a GPU prints something else\n"
              "  CUDA's printf knows the sizes h, l and ll, and no .* as "
              "precision:\n  cast, and use %lld or %llu");
  }
  pthread_mutex_unlock(&lock);
}

static const struct step *print(struct warp *w, const struct step *s)
{
  struct grid *grid = w->block->grid;
  FILE *output = grid->launch->output;

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct reader reader = { w, l };
    const char *format = read_string(&reader, builtin_argument(w, s, l, 0));
    static const uint8_t nothing[8];
    const uint8_t *arguments = nothing;
    uint64_t address = builtin_argument(w, s, l, 1);
    size_t bytes;
    bool is_foreign = false, is_long = false;
    int n = -1;

    if (address != 0)
      arguments = builtin_view(w, l, address, &bytes);
    if (format != NULL && arguments != NULL) {
      pthread_mutex_lock(&grid->lock);
      n = printf_format(output == NULL ? stdout : output, format, arguments,
                        read_string, &reader, &is_foreign, &is_long);
      if (grid->launch->printed != NULL)
        grid->launch->printed(grid->launch->device);
      pthread_mutex_unlock(&grid->lock);
      if (is_foreign || is_long)
        warn_format(format, is_long);
    }
    builtin_result(w, s, l, (uint64_t)(int64_t)n);
  }
  return s + 1;
}

/* void __assertfail(message, file, unsigned line, function, char size): what
 * CUDA prints, on stderr, for each lane. */
static const struct step *assert_failed(struct warp *w, const struct step *s)
{
  struct grid *grid = w->block->grid;
  const uint32_t *block = w->block->id;

  pthread_mutex_lock(&grid->lock);
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct reader reader = { w, l };
    const char *message = read_string(&reader, builtin_argument(w, s, l, 0));
    const char *file = read_string(&reader, builtin_argument(w, s, l, 1));
    const char *function = read_string(&reader, builtin_argument(w, s, l, 3));
    int n;

    if (grid->assert_bytes > ASSERT_TEXT) {
      atomic_store(&grid->stopped, 1); /* a GPU's buffer would be full, too */
      break;
    }
    n = fprintf(stderr,
                "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] "
                "Assertion `%s` failed.\n",
                file == NULL ? "?" : file,
                (unsigned)builtin_argument(w, s, l, 2),
                function == NULL ? "?" : function, block[0], block[1], block[2],
                w->specials[SPECIAL_TID_X][l], w->specials[SPECIAL_TID_Y][l],
                w->specials[SPECIAL_TID_Z][l], message == NULL ? "?" : message);
    grid->assert_bytes += n > 0 ? (size_t)n : 0;
  }
  pthread_mutex_unlock(&grid->lock);
  return exec_assert(w, s);
}

/* What an allocation takes from the heap, with the head that a GPU's has, too.
 * A GPU's heap holds less: an H100 had 6 pieces of 1 MiB where 7 fit here. */
static size_t heap_bytes(uint64_t bytes)
{
  enum { HEAD = 16 };

  return bytes > SIZE_MAX - 2 * HEAD
             ? SIZE_MAX
             : ((size_t)bytes + HEAD - 1) / HEAD * HEAD + HEAD;
}

static bool heap_take(struct device_heap *heap, uint64_t bytes)
{
  size_t wanted = heap_bytes(bytes), used = atomic_load(&heap->used);
  size_t limit = atomic_load(&heap->limit);

  atomic_store(&heap->is_touched, true);
  do {
    if (used > limit || wanted > limit - used)
      return false;
  } while (!atomic_compare_exchange_weak(&heap->used, &used, used + wanted));
  return true;
}

/* Once in a process: a kernel that looks at the result asks many times. */
static void tell_heap_is_full(const struct warp *w, uint64_t bytes)
{
  static atomic_bool told;
  const struct launch *launch = w->block->grid->launch;

  if (!atomic_exchange(&told, true))
    fprintf(stderr,
            "softdevice: malloc of %llu bytes in a kernel returns NULL, as on "
            "a GPU: its heap has %zu bytes.\n"
            "  cudaDeviceSetLimit(cudaLimitMallocHeapSize, …) before the first "
            "kernel that allocates makes it larger.\n",
            (unsigned long long)bytes, atomic_load(&launch->heap->limit));
}

static const char heap_label[] = "malloc";

static uint64_t heap_allocate(const struct warp *w, uint64_t bytes)
{
  const struct launch *launch = w->block->grid->launch;
  uint64_t place;

  if (bytes == 0)
    return 0;
  if (launch->heap != NULL && !heap_take(launch->heap, bytes)) {
    tell_heap_is_full(w, bytes);
    return 0;
  }
  place =
      memory_allocate(bytes, 256, MEMORY_DEVICE, launch->device, heap_label);
  if (place == 0 && launch->heap != NULL)
    atomic_fetch_sub(&launch->heap->used, heap_bytes(bytes));
  return place;
}

static bool heap_release(const struct warp *w, uint64_t address)
{
  struct device_heap *heap = w->block->grid->launch->heap;
  struct allocation found;
  bool is_of_heap =
      heap != NULL && memory_find(address, &found) && found.label == heap_label;

  if (!memory_release(address))
    return false;
  if (is_of_heap)
    atomic_fetch_sub(&heap->used, heap_bytes(found.bytes));
  return true;
}

static const struct step *allocate_device_memory(struct warp *w,
                                                 const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    builtin_result(w, s, l, heap_allocate(w, builtin_argument(w, s, l, 0)));
  }
  return s + 1;
}

static const struct step *free_device_memory(struct warp *w,
                                             const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t address = builtin_argument(w, s, l, 0);

    if (address != 0 && !heap_release(w, address))
      return exec_fault_access(w, s, l, FAULT_OUT_OF_BOUNDS, SPACE_GLOBAL,
                               address, 0, false);
  }
  /* At once here; other workers notice at their next round of warps. */
  memset(w->ranges, 0, w->block->grid->program->n_records * sizeof *w->ranges);
  return s + 1;
}

/* ---- kernels launched by kernels ---------------------------------------- */

void builtin_argument_bytes(const struct warp *w, const struct step *s,
                            unsigned lane, unsigned i, void *to, size_t bytes)
{
  const struct call_extra *extra = s->extra;

  memcpy(to,
         local_at(w, lane,
                  w->path->frame->local_base + extra->arguments[i].offset),
         bytes);
}

const struct kernel *builtin_kernel(const struct program *program,
                                    uint64_t address)
{
  uint64_t index = (address - FUNCTION_WINDOW) / 16;
  const struct kernel *kernel = program->kernels;

  if (address < FUNCTION_WINDOW || index >= program->n_functions)
    return NULL;
  while (kernel != NULL && kernel->function != program->functions[index])
    kernel = kernel->next;
  return kernel;
}

enum { MANY_THREADS = 1024 };

/* Lanes whose last nested launch had a shape that no device can run. Their
 * warp asks, if at all, on the same worker. */
static _Thread_local struct {
  const struct warp *warp;
  uint32_t lanes;
} failed;

void builtin_launch_failed(const struct warp *w, unsigned lane)
{
  if (failed.warp != w)
    failed.lanes = 0;
  failed.warp = w;
  failed.lanes |= UINT32_C(1) << lane;
}

static void set_last_error(const struct warp *w, const struct step *s,
                           bool clear)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool is = failed.warp == w && (failed.lanes >> l & 1) != 0;

    builtin_result(w, s, l, is ? BUILTIN_CONFIGURATION : 0);
    if (is && clear)
      failed.lanes &= ~(UINT32_C(1) << l);
  }
}

static const struct step *last_error(struct warp *w, const struct step *s)
{
  set_last_error(w, s, true);
  return s + 1;
}

static const struct step *peek_error(struct warp *w, const struct step *s)
{
  set_last_error(w, s, false);
  return s + 1;
}

bool builtin_put(struct warp *w, const struct step *s, unsigned lane,
                 uint64_t address, uint64_t value, unsigned n)
{
  static const struct memory_extra anywhere = { .space = ACCESS_GENERIC };
  uint64_t addresses[LANES] = { 0 };
  size_t bytes = 0;
  uint8_t *to = (uint8_t *)(uintptr_t)builtin_view(w, lane, address, &bytes);

  if (to == NULL || bytes < n)
    return false;
  addresses[lane] = address;
  checked_touch(w, s, &anywhere, addresses, UINT32_C(1) << lane, n, true);
  memcpy(to, &value, n);
  return true;
}

/* The handle is the address of the value: ../runtime/graph/condition.c. */
static const struct step *set_conditional(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    if (!builtin_put(w, s, l, builtin_argument(w, s, l, 0),
                     builtin_argument(w, s, l, 1), 4))
      return exec_fault(w, s, l, FAULT_OUT_OF_BOUNDS,
                        "cudaGraphSetConditional of what is no handle");
  }
  return s + 1;
}

static const struct step *cuda_malloc(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t place = heap_allocate(w, builtin_argument(w, s, l, 1));

    builtin_put(w, s, l, builtin_argument(w, s, l, 0), place, sizeof place);
    builtin_result(w, s, l, place == 0 ? 2 : 0);
  }
  return s + 1;
}

static const struct step *cuda_free(struct warp *w, const struct step *s)
{
  const struct step *next = free_device_memory(w, s);

  if (next == s + 1)
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
      builtin_result(w, s, (unsigned)__builtin_ctz(m), 0);
  return next;
}

/* void *(kernel, dim3 grid, dim3 block, unsigned shared bytes): room for the
 * parameters, or NULL and an error for cudaGetLastError. */
static const struct step *get_parameter_buffer(struct warp *w,
                                               const struct step *s)
{
  const struct launch *launch = w->block->grid->launch;

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    const struct kernel *kernel =
        builtin_kernel(w->block->grid->program, builtin_argument(w, s, l, 0));
    const struct launcher by = nested_launcher(w, s, l);
    uint32_t grid[3], block[3];
    uint64_t room = 0, threads;

    builtin_argument_bytes(w, s, l, 1, grid, sizeof grid);
    builtin_argument_bytes(w, s, l, 2, block, sizeof block);
    threads = (uint64_t)block[0] * block[1] * block[2];
    if (kernel != NULL && threads > 0 && threads <= MANY_THREADS &&
        (uint64_t)grid[0] * grid[1] * grid[2] > 0)
      room = nested_prepare(kernel, launch->device, grid, block,
                            (uint32_t)builtin_argument(w, s, l, 3), &by);
    if (room == 0)
      builtin_launch_failed(w, l);
    builtin_result(w, s, l, room);
  }
  return s + 1;
}

const struct step *builtin_no_nesting(struct warp *w, const struct step *s)
{
  return exec_fault(w, s, (unsigned)__builtin_ctz(w->mask), FAULT_UNSUPPORTED,
                    "a kernel launched from within a graph that was "
                    "instantiated for launches by kernels; CUDA allows no "
                    "dynamic parallelism there");
}

static const struct step *launch_nested(struct warp *w, const struct step *s)
{
  if (w->block->grid->launch->graph_exec != 0)
    return builtin_no_nesting(w, s);
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool done = nested_launch(builtin_argument(w, s, l, 0),
                              builtin_argument(w, s, l, 1));

    builtin_result(w, s, l, done ? 0 : 1);
  }
  return s + 1;
}

/* cudaMemcpyAsync of device code: to, from, bytes, direction, stream. */
static const struct step *copy_nested(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t to = builtin_argument(w, s, l, 0),
             from = builtin_argument(w, s, l, 1);
    bool done = to != 0 && from != 0 &&
                nested_copy(to, from, builtin_argument(w, s, l, 2),
                            builtin_argument(w, s, l, 4));

    builtin_result(w, s, l, done ? 0 : 1);
  }
  return s + 1;
}

/* cudaMemsetAsync of device code: to, value, bytes, stream. */
static const struct step *set_nested(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t to = builtin_argument(w, s, l, 0);
    bool done = to != 0 && nested_set(to, (uint8_t)builtin_argument(w, s, l, 1),
                                      builtin_argument(w, s, l, 2),
                                      builtin_argument(w, s, l, 3));

    builtin_result(w, s, l, done ? 0 : 1);
  }
  return s + 1;
}

/* Device streams need no object: nested launches run in order. Any value but
 * those of the named streams. */
static const struct step *create_stream(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    const uint64_t stream = 16;

    builtin_result(
        w, s, l,
        !builtin_put(w, s, l, builtin_argument(w, s, l, 0), stream, 8));
  }
  return s + 1;
}

static const struct step *succeed(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1)
    builtin_result(w, s, (unsigned)__builtin_ctz(m), 0);
  return s + 1;
}

static const struct {
  const char *name;
  builtin *call;
  unsigned n_arguments;
} builtins[] = {
  { "vprintf", print, 2 },
  { "__assertfail", assert_failed, 5 },
  { "malloc", allocate_device_memory, 1 },
  { "free", free_device_memory, 1 },
  { "cudaGraphSetConditional", set_conditional, 2 },
  { "cudaGraphLaunch", device_launch_graph, 2 },
  { "__cudaCDP2GetParameterBufferV2", get_parameter_buffer, 4 },
  { "__cudaCDP2LaunchDeviceV2", launch_nested, 2 },
  { "__cudaCDP2LaunchDeviceV2_ptsz", launch_nested, 2 },
  { "__cudaCDP2GetParameterBuffer", nested_parameter_buffer, 2 },
  { "__cudaCDP2LaunchDevice", nested_launch_device, 6 },
  { "__cudaCDP2LaunchDevice_ptsz", nested_launch_device, 6 },
  { "__cudaCDP2StreamCreateWithFlags", create_stream, 2 },
  { "__cudaCDP2StreamDestroy", succeed, 1 },
  /* Nested work is done in order: what an event stands for is over. */
  { "__cudaCDP2EventCreateWithFlags", create_stream, 2 },
  { "__cudaCDP2EventRecord", succeed, 2 },
  { "__cudaCDP2EventRecordWithFlags", succeed, 3 },
  { "__cudaCDP2EventRecordWithFlags_ptsz", succeed, 3 },
  { "__cudaCDP2EventDestroy", succeed, 1 },
  { "__cudaCDP2StreamWaitEvent", succeed, 3 },
  { "__cudaCDP2EventRecord_ptsz", succeed, 2 },
  { "__cudaCDP2StreamWaitEvent_ptsz", succeed, 3 },
  { "__cudaCDP2MemcpyAsync", copy_nested, 5 },
  { "__cudaCDP2MemcpyAsync_ptsz", copy_nested, 5 },
  { "__cudaCDP2MemsetAsync", set_nested, 4 },
  { "__cudaCDP2MemsetAsync_ptsz", set_nested, 4 },
  { "__cudaCDP2Memcpy2DAsync", nested_copy_rows, 8 },
  { "__cudaCDP2Memcpy2DAsync_ptsz", nested_copy_rows, 8 },
  { "__cudaCDP2Memcpy3DAsync", nested_copy_box, 2 },
  { "__cudaCDP2Memcpy3DAsync_ptsz", nested_copy_box, 2 },
  { "__cudaCDP2Memset2DAsync", nested_set_rows, 6 },
  { "__cudaCDP2Memset2DAsync_ptsz", nested_set_rows, 6 },
  { "__cudaCDP2Memset3DAsync", nested_set_box, 4 },
  { "__cudaCDP2Memset3DAsync_ptsz", nested_set_box, 4 },
  { "__cudaCDP2GetLastError", last_error, 0 },
  { "__cudaCDP2PeekAtLastError", peek_error, 0 },
  { "__cudaCDP2GetDevice", device_get, 1 },
  { "__cudaCDP2GetDeviceCount", device_count, 1 },
  { "__cudaCDP2DeviceGetAttribute", device_attribute, 3 },
  { "__cudaCDP2DeviceGetLimit", device_limit, 2 },
  { "__cudaCDP2DeviceGetCacheConfig", device_no_preference, 1 },
  { "__cudaCDP2FuncGetAttributes", device_function, 2 },
  { "__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor", device_occupancy,
    4 },
  { "__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    device_occupancy, 5 },
  { "__cudaCDP2RuntimeGetVersion", device_version, 1 },
  { "__cudaCDP2GetErrorName", device_error_name, 1 },
  { "__cudaCDP2GetErrorString", device_error_text, 1 },
  { "__cudaCDP2Malloc", cuda_malloc, 2 },
  { "__cudaCDP2Free", cuda_free, 1 },
};

bool builtin_known(const char *name)
{
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, name) == 0)
      return true;
  return false;
}

const struct step *builtin_call(struct warp *w, const struct step *s,
                                const struct function *callee)
{
  const struct call_extra *extra = s->extra;

  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, callee->ptx->name) == 0 &&
        extra->n_arguments == builtins[i].n_arguments)
      return builtins[i].call(w, s);
  return exec_fault(w, s, (unsigned)__builtin_ctz(w->mask), FAULT_UNSUPPORTED,
                    "call of %s with %u arguments", callee->ptx->name,
                    extra->n_arguments);
}
