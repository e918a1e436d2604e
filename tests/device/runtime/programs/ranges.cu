// What is remembered of managed memory, and batches of copies. The expected
// output is an H200's.
#include <cstdio>

static char *data;
static const size_t bytes = 1 << 20;

static void say(const char *what, cudaError_t error)
{
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

static void ask(const char *what, cudaMemRangeAttribute attribute,
                size_t from = 0, size_t n = bytes)
{
  int value = -99;
  cudaError_t error =
      cudaMemRangeGetAttribute(&value, sizeof value, attribute, data + from, n);
  printf("%s: %s %d\n", what, cudaGetErrorName(error), value);
  cudaGetLastError();
}

static void advice()
{
  cudaMemLocation device = { cudaMemLocationTypeDevice, 0 };
  cudaMemLocation host = { cudaMemLocationTypeHost, 0 };
  cudaMemLocation other = { cudaMemLocationTypeDevice, 77 };
  cudaMallocManaged(&data, bytes);
  ask("read mostly", cudaMemRangeAttributeReadMostly);
  ask("preferred", cudaMemRangeAttributePreferredLocation);
  ask("prefetched", cudaMemRangeAttributeLastPrefetchLocation);
  ask("preferred type", cudaMemRangeAttributePreferredLocationType);
  say("advise",
      cudaMemAdvise(data, bytes / 2, cudaMemAdviseSetReadMostly, device));
  ask("all", cudaMemRangeAttributeReadMostly);
  ask("first half", cudaMemRangeAttributeReadMostly, 0, bytes / 2);
  say("prefer",
      cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, device));
  ask("preferred", cudaMemRangeAttributePreferredLocation);
  ask("preferred type", cudaMemRangeAttributePreferredLocationType);
  ask("preferred id", cudaMemRangeAttributePreferredLocationId);
  say("prefer host",
      cudaMemAdvise(data, bytes / 2, cudaMemAdviseSetPreferredLocation, host));
  ask("preferred", cudaMemRangeAttributePreferredLocation);
  ask("first half", cudaMemRangeAttributePreferredLocation, 0, bytes / 2);
  say("unset",
      cudaMemAdvise(data, bytes, cudaMemAdviseUnsetPreferredLocation, host));
  ask("preferred", cudaMemRangeAttributePreferredLocation);
  say("accessed by",
      cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, device));
  int by[3] = { 7, 7, 7 };
  say("who", cudaMemRangeGetAttribute(
                 by, sizeof by, cudaMemRangeAttributeAccessedBy, data, bytes));
  printf("%d %d %d\n", by[0], by[1], by[2]);
  say("prefetch", cudaMemPrefetchAsync(data, bytes, device, 0, 0));
  ask("prefetched", cudaMemRangeAttributeLastPrefetchLocation);
  say("no device",
      cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, other));
  say("prefetch to none", cudaMemPrefetchAsync(data, bytes, other, 0, 0));
  say("strange advice",
      cudaMemAdvise(data, bytes, (cudaMemoryAdvise)77, device));
  ask("strange attribute", (cudaMemRangeAttribute)77);
  ask("too much", cudaMemRangeAttributeReadMostly, 0, 2 * bytes + (4 << 20));
  short narrow;
  say("narrow",
      cudaMemRangeGetAttribute(&narrow, sizeof narrow,
                               cudaMemRangeAttributeReadMostly, data, bytes));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  say("captured prefetch",
      cudaMemPrefetchAsync(data, bytes, device, 0, stream));
  say("end", cudaStreamEndCapture(stream, &graph));
}

static void batches()
{
  int from[4] = { 1, 2, 3, 4 }, to[4] = {}, *middle;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&middle, sizeof from);
  cudaMemcpyAttributes how = {};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t start = 0;
  void *in[2] = { middle, middle + 2 }, *out[2] = { to + 2, to };
  const void *first[2] = { from, from + 2 };
  size_t sizes[2] = { 8, 8 };
  say("in", cudaMemcpyBatchAsync(in, first, sizes, 2, &how, &start, 1, stream));
  say("out", cudaMemcpyBatchAsync(out, (const void **)in, sizes, 2, &how,
                                  &start, 1, stream));
  cudaStreamSynchronize(stream);
  printf("%d %d %d %d\n", to[0], to[1], to[2], to[3]);
  say("stream 0",
      cudaMemcpyBatchAsync(in, first, sizes, 2, &how, &start, 1, 0));
  say("none",
      cudaMemcpyBatchAsync(in, first, sizes, 0, &how, &start, 1, stream));
  say("no attributes",
      cudaMemcpyBatchAsync(in, first, sizes, 2, nullptr, nullptr, 0, stream));
  start = 1;
  say("late start",
      cudaMemcpyBatchAsync(in, first, sizes, 2, &how, &start, 1, stream));
  start = 0;
  how.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  say("no order",
      cudaMemcpyBatchAsync(in, first, sizes, 2, &how, &start, 1, stream));

  cudaArray_t array;
  auto format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &format, 2, 2);
  cudaMemcpy3DBatchOp box = {};
  box.src.type = cudaMemcpyOperandTypePointer;
  box.src.op.ptr.ptr = middle;
  box.src.op.ptr.rowLength = 2;
  box.src.op.ptr.layerHeight = 2;
  box.dst.type = cudaMemcpyOperandTypeArray;
  box.dst.op.array.array = array;
  box.extent = { 2, 2, 1 };
  box.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  say("box", cudaMemcpy3DBatchAsync(1, &box, 0, stream));
  cudaStreamSynchronize(stream);
  say("back",
      cudaMemcpy2DFromArray(to, 8, array, 0, 0, 8, 2, cudaMemcpyDeviceToHost));
  printf("%d %d %d %d\n", to[0], to[1], to[2], to[3]);

  void *pages[1] = { data };
  size_t lengths[1] = { bytes };
  cudaMemLocation device = { cudaMemLocationTypeDevice, 0 };
  say("prefetch", cudaMemPrefetchBatchAsync(pages, lengths, 1, &device, &start,
                                            1, 0, stream));
  say("discard", cudaMemDiscardBatchAsync(pages, lengths, 1, 0, stream));
  cudaMemcpy3DPeerParms peer = {};
  peer.srcPtr = make_cudaPitchedPtr(middle, 16, 16, 1);
  peer.dstPtr = make_cudaPitchedPtr(data, 16, 16, 1);
  peer.extent = make_cudaExtent(16, 1, 1);
  say("between devices", cudaMemcpy3DPeerAsync(&peer, stream));
  cudaStreamSynchronize(stream);
  printf("%d\n", ((int *)data)[3]);
}

int main()
{
  advice();
  batches();
}
