/* Two devices that share memory, and lack what would order them. No stream is
 * created but where a case says so: each device has a default stream. */
#include "streams.h"

static void use(int device) { CHECK(cudaSetDevice(device)); }

/* Device 1 may use the memory of device 0, where x, y and z are. */
static void open_memory(void)
{
  use(1);
  CHECK(cudaDeviceEnablePeerAccess(0, 0));
  use(0);
}

static void default_streams(void)
{
  open_memory();
  fill<<<BLOCKS, THREADS>>>(x, 1);
  use(1);
  twice<<<BLOCKS, THREADS>>>(y, x);
}

/* It waits for the wrong device. */
static void other_device_waited_for(void)
{
  int *of_one;
  open_memory();
  use(1);
  CHECK(cudaMalloc(&of_one, BYTES));
  fill<<<BLOCKS, THREADS>>>(of_one, 1);
  CHECK(cudaEventRecord(done_there, 0));
  use(0);
  fill<<<BLOCKS, THREADS>>>(x, 1);
  CHECK(cudaEventSynchronize(done_there));
  use(1);
  twice<<<BLOCKS, THREADS>>>(of_one, x);
  CHECK(cudaFree(of_one));
}

/* A copy between devices, in a stream that the kernel knows nothing of. */
static void asynchronous_copy(void)
{
  int *of_one;
  cudaStream_t there;
  open_memory();
  use(1);
  CHECK(cudaMalloc(&of_one, BYTES));
  CHECK(cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking));
  use(0);
  fill<<<BLOCKS, THREADS>>>(x, 1);
  use(1);
  CHECK(cudaMemcpyPeerAsync(of_one, 1, x, 0, BYTES, there));
  CHECK(cudaStreamDestroy(there));
  CHECK(cudaFree(of_one));
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
  { "default_streams", default_streams },
  { "other_device_waited_for", other_device_waited_for },
  { "asynchronous_copy", asynchronous_copy },
};

int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2) {
      printf("%s,race,race between operations of different streams\n",
             cases[i].name);
    } else if (strcmp(argv[1], cases[i].name) == 0) {
      make_two();
      cases[i].run();
      unmake_two();
    }
  return 0;
}
