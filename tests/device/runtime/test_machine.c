/* SOFTDEVICE_MACHINE: a machine like a reader's, by name or from a file, and
 * managed memory where host and device can't use it at the same time. */
#include <signal.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

static int attribute(enum cudaDeviceAttr which)
{
  int value = -1;
  CHECK_EQUAL(cudaDeviceGetAttribute(&value, which, 0), 0);
  return value;
}

static char path[] = "/tmp/machine.XXXXXX";

/* The machine of a file with that text. */
static void machine(const char *text)
{
  int descriptor = mkstemp(path);
  CHECK(descriptor >= 0);
  CHECK_EQUAL(write(descriptor, text, strlen(text)), strlen(text));
  close(descriptor);
  setenv("SOFTDEVICE_MACHINE", path, 1);
}

BEHAVIOUR(none_is_the_model_of_the_capability)
{
  unsetenv("SOFTDEVICE_MACHINE");
  CHECK_EQUAL(attribute(cudaDevAttrMultiProcessorCount), 132);
  CHECK_EQUAL(attribute(cudaDevAttrConcurrentManagedAccess), 1);
}

BEHAVIOUR(laptop_has_the_sizes_of_one)
{
  struct cudaDeviceProp properties;
  setenv("SOFTDEVICE_MACHINE", "laptop", 1);
  CHECK_EQUAL(cudaGetDeviceProperties(&properties, 0), 0);
  CHECK_EQUAL(10 * properties.major + properties.minor, 89);
  CHECK_EQUAL(properties.multiProcessorCount, 24);
  CHECK_EQUAL(properties.totalGlobalMem, 8ull << 30);
  CHECK_EQUAL(properties.sharedMemPerBlockOptin, 99 << 10);
  CHECK_EQUAL(properties.memoryBusWidth, 128);
  CHECK_EQUAL(properties.concurrentManagedAccess, 1);
  CHECK_EQUAL(attribute(cudaDevAttrClockRate), 2370000);
}

BEHAVIOUR(variables_go_before_the_machine)
{
  struct cudaDeviceProp properties;
  size_t free_bytes, total;
  int n;
  setenv("SOFTDEVICE_MACHINE", "wsl", 1);
  setenv("SOFTDEVICE_COMPUTE_CAPABILITY", "8.6", 1);
  setenv("SOFTDEVICE_MEMORY", "1000000000", 1);
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  CHECK_EQUAL(cudaGetDeviceCount(&n), 0);
  CHECK_EQUAL(n, 2);
  CHECK_EQUAL(cudaGetDeviceProperties(&properties, 1), 0);
  CHECK_EQUAL(10 * properties.major + properties.minor, 86);
  CHECK_EQUAL(properties.multiProcessorCount, 24);
  CHECK_EQUAL(properties.concurrentManagedAccess, 0);
  CHECK_EQUAL(cudaMemGetInfo(&free_bytes, &total), 0);
  CHECK_EQUAL(total, 1000000000);
}

BEHAVIOUR(file_changes_a_known_machine)
{
  struct cudaDeviceProp properties;
  int n;
  machine("# what I have\n\n"
          "multiprocessors 10   # before the machine that it changes\n"
          "like wsl\r\n"
          "\tshared_per_block 64K\n"
          "shared_per_multiprocessor 64K\n"
          "threads_per_multiprocessor 1024\n"
          "blocks_per_multiprocessor 16\n"
          "l2 2M\nclock_mhz 1000\nmemory_clock_mhz 500\nmemory_bus_bits 64\n"
          "memory 512M\ndevices 3\n"
          "concurrent_managed_access yes");
  CHECK_EQUAL(cudaGetDeviceCount(&n), 0);
  CHECK_EQUAL(n, 3);
  CHECK_EQUAL(cudaGetDeviceProperties(&properties, 2), 0);
  CHECK_EQUAL(10 * properties.major + properties.minor, 89);
  CHECK_EQUAL(properties.multiProcessorCount, 10);
  CHECK_EQUAL(properties.sharedMemPerBlockOptin, 64 << 10);
  CHECK_EQUAL(properties.sharedMemPerMultiprocessor, 64 << 10);
  CHECK_EQUAL(properties.maxThreadsPerMultiProcessor, 1024);
  CHECK_EQUAL(properties.maxBlocksPerMultiProcessor, 16);
  CHECK_EQUAL(properties.l2CacheSize, 2 << 20);
  CHECK_EQUAL(attribute(cudaDevAttrClockRate), 1000000);
  CHECK_EQUAL(attribute(cudaDevAttrMemoryClockRate), 500000);
  CHECK_EQUAL(properties.memoryBusWidth, 64);
  CHECK_EQUAL(properties.totalGlobalMem, 512 << 20);
  CHECK_EQUAL(properties.concurrentManagedAccess, 1);
  unlink(path);
}

/* Memory that the machine has, a program can have, and no more. */
BEHAVIOUR(memory_is_limited_to_the_machines)
{
  void *p;
  machine("memory 64M\n");
  CHECK_EQUAL(cudaMalloc(&p, 65 << 20), cudaErrorMemoryAllocation);
  CHECK_EQUAL(cudaMalloc(&p, 63 << 20), 0);
  unlink(path);
}

/* ---- what makes no sense -------- */

static void ask(void)
{
  int n;
  cudaGetDeviceCount(&n);
}

static void refused(const char *text, const char *part)
{
  const char *said;
  machine(text);
  CHECK_EQUAL(in_child(ask, 2, &said), 2);
  CHECK_HAS(said, part);
  unlink(path);
  strcpy(path, "/tmp/machine.XXXXXX");
}

BEHAVIOUR(senseless_files_are_refused_by_line)
{
  refused("colour 3\n", ":1: colour: expected a key that the manual names");
  refused("\nmemory lots\n", ":2: lots: expected a whole number from 1");
  refused("memory 8GB\n", ":1: 8GB: expected a whole number");
  refused("multiprocessors 0\n", ":1: 0: expected a whole number from 1 to");
  refused("multiprocessors -1\n", ":1: -1: expected");
  refused("multiprocessors +5\n", ":1: +5: expected");
  refused("shared_per_block 47K\n", ":1: 47K: expected");
  refused("compute_capability 6.0\n", ":1: 6.0: expected 7.5, 8.0");
  refused("like desktop\n", ":1: desktop: expected laptop or wsl");
  refused("memory\n", ":1: memory: expected one value after the key");
  refused("memory 8G 9G\n", ":1: memory: expected one value after the key");
  refused("concurrent_managed_access maybe\n", ":1: maybe: expected yes or no");
  refused("compute_capability 7.5\nshared_per_block 96K\n",
          "shared_per_block is more than shared_per_multiprocessor");
}

BEHAVIOUR(unknown_names_are_refused)
{
  const char *said;
  setenv("SOFTDEVICE_MACHINE", "desktop", 1);
  CHECK_EQUAL(in_child(ask, 2, &said), 2);
  CHECK_HAS(said, "SOFTDEVICE_MACHINE=desktop: expected laptop, wsl or a file "
                  "that can be read");
}

/* ---- managed memory of the host's or of the device's -------- */

static volatile unsigned *numbers;
static cudaStream_t stream, other;
static cudaEvent_t event;

static void begin_on(const char *name)
{
  setenv("SOFTDEVICE_MACHINE", name, 1);
  program_begin();
  CHECK_EQUAL(cudaMallocManaged((void **)&numbers, 4000, cudaMemAttachGlobal),
              0);
  numbers[0] = 7;
  CHECK_EQUAL(cudaStreamCreate(&stream), 0);
  CHECK_EQUAL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), 0);
  CHECK_EQUAL(cudaEventCreate(&event), 0);
}

/* By a kernel that has nothing to do with it. */
static void launch_in(cudaStream_t in)
{
  static unsigned *elsewhere;
  unsigned value = 3, n = 1;
  void *arguments[] = { &elsewhere, &value, &n };
  dim3 one = { 1, 1, 1 };
  if (elsewhere == NULL)
    CHECK_EQUAL(cudaMalloc((void **)&elsewhere, 4), 0);
  CHECK_EQUAL(cudaLaunchKernel(&fill, one, one, arguments, 0, in), 0);
}

static void load(void) { printf("%u\n", numbers[0]); }
static void store(void) { numbers[999] = 1; }

static void dies(void (*access)(void), const char *part)
{
  const char *said;
  CHECK_EQUAL(in_child(access, 2, &said), -SIGSEGV);
  CHECK_HAS(said, part);
  CHECK_HAS(said, "The kernel fill was launched, and the host has not waited");
}

static void lives(void (*access)(void))
{
  const char *said;
  CHECK_EQUAL(in_child(access, 2, &said), 0);
  CHECK_TEXT(said, "");
}

BEHAVIOUR(concurrent_machines_let_the_host_in)
{
  begin_on("laptop");
  launch_in(stream);
  lives(load);
  lives(store);
}

BEHAVIOUR(host_dies_of_an_access_while_a_kernel_may_run)
{
  begin_on("wsl");
  lives(load);
  launch_in(stream);
  dies(load, "used managed memory that a kernel may be using:\n  a load at 0x");
  dies(store, "a store at 0x");
  dies(store, "3996 bytes into allocation 1 of 4000 bytes");
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  lives(load);
  lives(store);
}

/* Each of many allocations is closed, and opened again. */
BEHAVIOUR(host_is_kept_out_of_every_allocation)
{
  enum { MANY = 300 };
  static volatile unsigned *each[MANY];
  begin_on("wsl");
  for (int i = 0; i < MANY; i++) {
    CHECK_EQUAL(cudaMallocManaged((void **)&each[i], 4000, cudaMemAttachGlobal),
                0);
    each[i][0] = (unsigned)i;
  }
  launch_in(stream);
  for (int i = 0; i < MANY; i += MANY - 1) {
    numbers = each[i];
    dies(load, "used managed memory that a kernel may be using");
  }
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  for (int i = 0; i < MANY; i++)
    CHECK_EQUAL(each[i][0], i);
  lives(store);
}

BEHAVIOUR(every_kernel_has_to_be_waited_for)
{
  begin_on("wsl");
  launch_in(stream);
  launch_in(other);
  CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
  dies(load, "a load");
  CHECK_EQUAL(cudaStreamSynchronize(other), 0);
  lives(load);
  launch_in(other);
  CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
  dies(load, "a load");
}

BEHAVIOUR(an_event_after_the_kernel_will_do_one_before_will_not)
{
  begin_on("wsl");
  CHECK_EQUAL(cudaEventRecord(event, stream), 0);
  launch_in(stream);
  CHECK_EQUAL(cudaEventSynchronize(event), 0);
  dies(load, "a load");
  CHECK_EQUAL(cudaEventRecord(event, stream), 0);
  CHECK_EQUAL(cudaEventSynchronize(event), 0);
  lives(load);
}

BEHAVIOUR(a_copy_in_the_default_stream_waits_for_blocking_streams_only)
{
  unsigned here, *there;
  begin_on("wsl");
  CHECK_EQUAL(cudaMalloc((void **)&there, 4), 0);
  launch_in(stream);
  CHECK_EQUAL(cudaMemcpy(&here, there, 4, cudaMemcpyDeviceToHost), 0);
  lives(load);
  launch_in(other);
  CHECK_EQUAL(cudaMemcpy(&here, there, 4, cudaMemcpyDeviceToHost), 0);
  dies(load, "a load");
}

/* Two kernels of a graph, in branches that nothing orders. */
BEHAVIOUR(kernels_of_a_graph_count_like_others)
{
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  begin_on("wsl");
  launch_in(stream); /* allocates what kernels write to */
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_EQUAL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
  CHECK_EQUAL(cudaEventRecord(event, stream), 0);
  CHECK_EQUAL(cudaStreamWaitEvent(other, event, 0), 0);
  launch_in(stream);
  launch_in(other);
  CHECK_EQUAL(cudaEventRecord(event, other), 0);
  CHECK_EQUAL(cudaStreamWaitEvent(stream, event, 0), 0);
  CHECK_EQUAL(cudaStreamEndCapture(stream, &graph), 0);
  lives(load); /* nothing was launched */
  CHECK_EQUAL(cudaGraphInstantiate(&exec, graph, 0), 0);
  CHECK_EQUAL(cudaGraphLaunch(exec, other), 0);
  dies(load, "a load");
  CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
  dies(load, "a load");
  CHECK_EQUAL(cudaStreamSynchronize(other), 0);
  lives(load);
}

/* Copies and sets are no kernels. */
BEHAVIOUR(copies_leave_it_to_the_host)
{
  begin_on("wsl");
  CHECK_EQUAL(cudaMemsetAsync((void *)numbers, 0, 400, other), 0);
  lives(load);
}

/* The runtime's own copies reach it all the same. */
BEHAVIOUR(copies_of_it_work_while_a_kernel_may_run)
{
  unsigned here = 0;
  begin_on("wsl");
  launch_in(other);
  CHECK_EQUAL(cudaMemcpy(&here, (void *)numbers, 4, cudaMemcpyDefault), 0);
  CHECK_EQUAL(here, 7);
}

BEHAVIOUR(memory_attached_to_the_host_is_the_hosts)
{
  begin_on("wsl");
  CHECK_EQUAL(cudaMallocManaged((void **)&numbers, 4000, cudaMemAttachHost), 0);
  launch_in(stream);
  lives(load);
  CHECK_EQUAL(
      cudaStreamAttachMemAsync(stream, (void *)numbers, 0, cudaMemAttachGlobal),
      0);
  dies(load, "a load");
}

BEHAVIOUR(memory_attached_to_a_stream_waits_for_it_alone)
{
  begin_on("wsl");
  CHECK_EQUAL(
      cudaStreamAttachMemAsync(stream, (void *)numbers, 0, cudaMemAttachSingle),
      0);
  launch_in(other);
  lives(load);
  launch_in(stream);
  dies(load, "a load");
  CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
  lives(load);
}

BEHAVIOUR(new_memory_is_the_devices_while_a_kernel_may_run)
{
  begin_on("wsl");
  launch_in(stream);
  CHECK_EQUAL(cudaMallocManaged((void **)&numbers, 4000, cudaMemAttachGlobal),
              0);
  dies(load, "a load");
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  lives(load);
}

BEHAVIOUR(pinned_memory_is_the_hosts)
{
  begin_on("wsl");
  CHECK_EQUAL(cudaMallocHost((void **)&numbers, 4000), 0);
  launch_in(stream);
  lives(load);
}

BEHAVIOUR(hints_that_would_move_it_are_refused)
{
  struct cudaMemLocation device = { cudaMemLocationTypeDevice, 0 };
  begin_on("wsl");
  CHECK_EQUAL(cudaMemPrefetchAsync((void *)numbers, 4000, device, 0, stream),
              cudaErrorInvalidDevice);
  CHECK_EQUAL(cudaMemAdvise((void *)numbers, 4000,
                            cudaMemAdviseSetPreferredLocation, device),
              cudaErrorInvalidDevice);
  CHECK_EQUAL(
      cudaMemAdvise((void *)numbers, 4000, cudaMemAdviseSetReadMostly, device),
      0);
}
