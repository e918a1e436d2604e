/* Message passing between blocks: one writes data and raises a flag, the other
 * waits for the flag and reads the data. Which way of raising and reading the
 * flag guarantees that the data are there?
 *
 *   nvcc -arch=sm_70 -I code code/async/ordering.cu -o ordering && ./ordering
 *
 * Every round, each pair of blocks passes one message. The reader counts the
 * rounds in which it saw the flag and yet old data. */
#include <cooperative_groups.h>
#include <cuda/atomic>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"

/* Each word has a cache line of its own. */
enum {
  LINE = 32,
  N_ROUNDS_GPU = 2000,
  N_ROUNDS_SOFTWARE = 20,
  MOST_POLLS_GPU = 20000,     /* then the reader gives up on the flag */
  UNSEEN = -1
};

typedef struct {
  int data, data_line[LINE - 1];
  int flag, flag_line[LINE - 1];
  int answer, answer_line[LINE - 1];
  int n_stale, n_unseen;
} mailbox;

using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;

typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_flag;
typedef cuda::atomic_ref<int, cuda::thread_scope_block> block_flag;

/* ---- five ways to raise and to read a flag --------------------------- */

// begin relaxed
/* The flag is atomic, but it orders nothing except itself. */
__device__ static void send_relaxed(mailbox *box, int round)
{
  box->data = round;
  device_flag(box->flag).store(round, memory_order_relaxed);
}

__device__ static int receive_relaxed(mailbox *box, int round, int most_polls)
{
  for (int left = most_polls;
       device_flag(box->flag).load(memory_order_relaxed) != round; left--)
    if (left == 0)
      return UNSEEN;
  return box->data;
}
// end relaxed

// begin release_only
__device__ static void send_release(mailbox *box, int round)
{
  box->data = round;
  device_flag(box->flag).store(round, memory_order_release);
}
// end release_only

// begin acquire
__device__ static int receive_acquire(mailbox *box, int round, int most_polls)
{
  for (int left = most_polls;
       device_flag(box->flag).load(memory_order_acquire) != round; left--)
    if (left == 0)
      return UNSEEN;
  return box->data;
}
// end acquire

// begin fences
/* What was written before there were atomics with an order. */
__device__ static void send_fence(mailbox *box, int round)
{
  box->data = round;
  __threadfence();
  device_flag(box->flag).store(round, memory_order_relaxed);
}

__device__ static int receive_fence(mailbox *box, int round, int most_polls)
{
  for (int left = most_polls;
       device_flag(box->flag).load(memory_order_relaxed) != round; left--)
    if (left == 0)
      return UNSEEN;
  __threadfence();
  return box->data;
}
// end fences

// begin wrong_scope
/* Release and acquire, but only among the threads of one block. */
__device__ static void send_in_block(mailbox *box, int round)
{
  box->data = round;
  block_flag(box->flag).store(round, memory_order_release);
}

__device__ static int receive_in_block(mailbox *box, int round, int most_polls)
{
  for (int left = most_polls;
       block_flag(box->flag).load(memory_order_acquire) != round; left--)
    if (left == 0)
      return UNSEEN;
  return box->data;
}
// end wrong_scope

// begin ptx
/* The same as release and acquire, in the words of PTX. */
__device__ static void send_ptx(mailbox *box, int round)
{
  box->data = round;
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(&box->flag),
               "r"(round)
               : "memory");
}

__device__ static int receive_ptx(mailbox *box, int round, int most_polls)
{
  for (int flag, left = most_polls;; left--) {
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                 : "=r"(flag)
                 : "l"(&box->flag)
                 : "memory");
    if (flag == round)
      return box->data;
    if (left == 0)
      return UNSEEN;
  }
}
// end ptx

/* ---- the two blocks of a pair ---------------------------------------- */

/* The answer is always properly ordered, so that what is under test is the
 * message alone. The reader has the data's line in its L1 from the last round,
 * which is what a poller in a real program has, too. */
#define PAIR(name, send, receive)                                            \
  __global__ void name(mailbox *boxes, int n_rounds, int most_polls)         \
  {                                                                          \
    mailbox *box = &boxes[blockIdx.x / 2];                                   \
    int n_stale = 0, n_unseen = 0;                                           \
    for (int round = 1; round <= n_rounds; round++)                          \
      if (blockIdx.x % 2 == 0) {                                             \
        send(box, round);                                                    \
        while (device_flag(box->answer).load(memory_order_acquire) != round) \
          ;                                                                  \
      } else {                                                               \
        int data = receive(box, round, most_polls);                          \
        n_unseen += data == UNSEEN;                                          \
        n_stale += data != UNSEEN && data != round;                          \
        device_flag(box->answer).store(round, memory_order_release);         \
      }                                                                      \
    if (blockIdx.x % 2 == 1) {                                               \
      box->n_stale = n_stale;                                                \
      box->n_unseen = n_unseen;                                              \
    }                                                                        \
  }

PAIR(pair_relaxed, send_relaxed, receive_relaxed)
PAIR(pair_release_only, send_release, receive_relaxed)
PAIR(pair_in_block, send_in_block, receive_in_block)
PAIR(pair_fences, send_fence, receive_fence)
PAIR(pair_release_acquire, send_release, receive_acquire)
PAIR(pair_ptx, send_ptx, receive_ptx)

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(mailbox *boxes, int n_rounds, int most_polls);
  int is_ordered;     /* must see every flag, and never old data */
} version;

static const version versions[] = {
  {"relaxed", "atomic flag without an order", pair_relaxed, 0},
  {"release_only", "release, but no acquire", pair_release_only, 0},
  {"in_block", "release and acquire with the scope of a block", pair_in_block,
   0},
  {"fences", "a fence on each side", pair_fences, 1},
  {"release_acquire", "release and acquire", pair_release_acquire, 1},
  {"ptx", "the same in PTX", pair_ptx, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- running --------------------------------------------------------- */

static int n_pairs(void)
{
  return device_is_software() ? 2 : device_properties()->multiProcessorCount;
}

static int n_rounds(void)
{
  return device_is_software() ? N_ROUNDS_SOFTWARE : N_ROUNDS_GPU;
}

typedef struct {
  long n_stale, n_unseen;
} outcome;

/* All pairs must be there at once: one waits for the other. The software
 * device never gives up on a flag, because it has no cache that could hold an
 * old one forever. */
static outcome run(const version *v)
{
  mailbox *d_boxes, *h_boxes;
  int rounds = n_rounds();
  int most_polls = device_is_software() ? -1 : MOST_POLLS_GPU;
  outcome all = {0, 0};
  size_t n_bytes = n_pairs() * sizeof *d_boxes;
  CUDA_CHECK(cudaMalloc(&d_boxes, n_bytes));
  CUDA_CHECK(cudaMemset(d_boxes, 0, n_bytes));
  void *arguments[] = {&d_boxes, &rounds, &most_polls};
  CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)v->kernel,
                                         2 * n_pairs(), 1, arguments, 0));
  CUDA_CHECK(cudaDeviceSynchronize());
  h_boxes = (mailbox *)malloc(n_bytes);
  CUDA_CHECK(cudaMemcpy(h_boxes, d_boxes, n_bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n_pairs(); i++) {
    all.n_stale += h_boxes[i].n_stale;
    all.n_unseen += h_boxes[i].n_unseen;
  }
  free(h_boxes);
  CUDA_CHECK(cudaFree(d_boxes));
  return all;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "messages between blocks",
                            "messages", "messages");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int n_bad = 0;
  if (o.csv || o.count)
    printf("version,n_messages,n_stale,n_unseen\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(&o, v->name))
      continue;
    outcome seen = run(v);
    long n = (long)n_pairs() * n_rounds();
    if (o.csv || o.count)
      printf("%s,%ld,%ld,%ld\n", v->name, n, seen.n_stale, seen.n_unseen);
    else if (!o.check)
      printf("%-16s %8ld stale, %8ld unseen, of %ld messages\n", v->name,
             seen.n_stale, seen.n_unseen, n);
    if (v->is_ordered && seen.n_stale + seen.n_unseen > 0) {
      fprintf(stderr, "%s: error: of %ld messages, %ld were stale and %ld "
              "never seen\n", v->name, n, seen.n_stale, seen.n_unseen);
      n_bad++;
    }
  }
  if (n_bad == 0)
    fprintf(options_remarks(&o), "what is ordered never arrives too early\n");
  return n_bad > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
