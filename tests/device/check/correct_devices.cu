/* Two devices that share memory, ordered in each way there is. */
#include "streams.h"

static void use(int device) { CHECK(cudaSetDevice(device)); }

static int *of_one;

static void open_memory(void)
{
  use(1);
  CHECK(cudaDeviceEnablePeerAccess(0, 0));
  CHECK(cudaMalloc(&of_one, BYTES));
  use(0);
}

static void host_waits(void)
{
  fill<<<BLOCKS, THREADS>>>(x, 1);
  CHECK(cudaDeviceSynchronize());
  use(1);
  twice<<<BLOCKS, THREADS>>>(of_one, x);
}

static void event_of_the_other(void)
{
  fill<<<BLOCKS, THREADS>>>(x, 1);
  CHECK(cudaEventRecord(done, 0));
  use(1);
  CHECK(cudaStreamWaitEvent(0, done, 0));
  twice<<<BLOCKS, THREADS>>>(of_one, x);
}

/* In the default stream, a copy between devices waits for both of them, and
 * they wait for it. */
static void copy_between(void)
{
  fill<<<BLOCKS, THREADS>>>(x, 1);
  use(1);
  CHECK(cudaMemcpyPeer(of_one, 1, x, 0, BYTES));
  use(0);
  fill<<<BLOCKS, THREADS>>>(x, 2);
  use(1);
  twice<<<BLOCKS, THREADS>>>(of_one, of_one);
}

static void copy_by_address(void)
{
  fill<<<BLOCKS, THREADS>>>(x, 1);
  use(1);
  CHECK(cudaMemcpy(of_one, x, BYTES, cudaMemcpyDefault));
  use(0);
  fill<<<BLOCKS, THREADS>>>(x, 2);
}

static void own_memory(void)
{
  fill<<<BLOCKS, THREADS>>>(x, 1);
  use(1);
  fill<<<BLOCKS, THREADS>>>(of_one, 1);
}

static void halves(void)
{
  fill_bytes<<<1, THREADS>>>((char *)x, 0, 128);
  use(1);
  fill_bytes<<<1, THREADS>>>((char *)x, 128, 128);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
  { "host_waits", host_waits },
  { "event_of_the_other", event_of_the_other },
  { "copy_between", copy_between },
  { "copy_by_address", copy_by_address },
  { "own_memory", own_memory },
  { "halves", halves },
};

int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2) {
      puts(cases[i].name);
    } else if (strcmp(argv[1], cases[i].name) == 0) {
      make_two();
      open_memory();
      cases[i].run();
      use(1);
      CHECK(cudaFree(of_one));
      unmake_two();
    }
  return 0;
}
