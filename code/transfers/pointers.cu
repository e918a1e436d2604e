/* One address space for all: what the runtime knows about a pointer, and
 * whether a kernel may follow it. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "transfers/kinds.h"

enum { N = 32 };

// begin symbols
__device__ int on_device[N];
__managed__ int on_both[N];
// end symbols

// begin put
__global__ void put(int *to, int first)
{
  to[threadIdx.x] = first + threadIdx.x;
}
// end put

/* ---- CPU reference ---- */

static void put_on_host(int *to, int first)
{
  for (int i = 0; i < N; i++)
    to[i] = first + i;
}

/* ---- what is known of a pointer ---- */

static const char *type_name(enum cudaMemoryType type)
{
  switch (type) {
  case cudaMemoryTypeHost: return "host";
  case cudaMemoryTypeDevice: return "device";
  case cudaMemoryTypeManaged: return "managed";
  default: return "unregistered";
  }
}

typedef struct {
  enum cudaMemoryType type;
  int kernel_may;       /* there is an address for the device */
  int host_may;         /* there is an address for the host */
  int same_address;     /* the device's is the one that we have */
  int kernel_did;       /* a kernel wrote there, and rightly */
} knowledge;

// begin ask
static knowledge ask(int *memory)
{
  cudaPointerAttributes a;
  knowledge k;
  CUDA_CHECK(cudaPointerGetAttributes(&a, memory));
  k.type = a.type;
  k.kernel_may = a.devicePointer != NULL;
  k.host_may = a.hostPointer != NULL || a.type == cudaMemoryTypeUnregistered;
  k.same_address = a.devicePointer == memory;
  k.kernel_did = 0;
  return k;
}
// end ask

/* Lets a kernel write through the pointer, where one may. */
static int kernel_writes(int *memory, int first)
{
  int h_expected[N], h_got[N];
  put_on_host(h_expected, first);
  poison_host(h_got, sizeof h_got);
  put<<<1, N>>>(memory, first);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  /* Default: the direction follows from the two addresses. */
  CUDA_CHECK(cudaMemcpy(h_got, memory, sizeof h_got, cudaMemcpyDefault));
  return compare_ints("put", h_expected, h_got, N);
}

static void print_row(const options *o, const char *name, knowledge k)
{
  const char *words[] = {"no", "yes"};
  if (o->csv)
    printf("%s,%s,%s,%s,%s,%s\n", name, type_name(k.type),
           words[k.host_may], words[k.kernel_may], words[k.same_address],
           words[k.kernel_did]);
  else if (!o->check)
    printf("%-16s %-13s host %-4s kernel %-4s same address %-4s wrote %s\n",
           name, type_name(k.type), words[k.host_may], words[k.kernel_may],
           words[k.same_address], words[k.kernel_did]);
}

/* Returns 0 if a kernel could write there but wrote something wrong. */
static int row(const options *o, const char *name, int *memory, int first)
{
  knowledge k = ask(memory);
  if (k.kernel_may)
    k.kernel_did = kernel_writes(memory, first);
  print_row(o, name, k);
  return k.kernel_did == k.kernel_may;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what is known of a pointer",
                            "pointers", "");
  options_versions(&o, memory_kinds, sizeof memory_kinds[0], N_KINDS);
  int right = 1;
  if (o.csv)
    printf("version,type,host_may,kernel_may,same_address,kernel_wrote\n");
  for (int k = 0; k < N_KINDS; k++) {
    const memory_kind *kind = &memory_kinds[k];
    if (!options_wants(&o, kind->name))
      continue;
    int *memory = (int *)kind->allocate(N * sizeof(int));
    right &= row(&o, kind->name, memory, 100 * k);
    kind->release(memory);
  }
  if (!o.version) {
    void *d_symbol;
    CUDA_CHECK(cudaGetSymbolAddress(&d_symbol, on_device));
    right &= row(&o, "__device__", (int *)d_symbol, 7);
    right &= row(&o, "__managed__", on_both, 8);
  }
  fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
