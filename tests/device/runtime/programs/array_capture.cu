// Copies to and from arrays are recorded by a capturing stream, not made.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = call;                                                  \
    if (error != cudaSuccess) {                                                \
      printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));              \
      return 1;                                                                \
    }                                                                          \
  } while (0)

int main()
{
  int from[4][8], back[4][8] = {}, row[8] = {}, part[3] = {};
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaArray_t array;
  auto format = cudaCreateChannelDesc<int>();
  for (int i = 0; i < 32; i++)
    from[i / 8][i % 8] = i;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocArray(&array, &format, 8, 4));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, from, 32, 32, 4,
                                 cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DToArrayAsync(array, 8, 1, from, 32, 12, 2,
                                 cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DFromArrayAsync(back, 32, array, 0, 0, 32, 4,
                                   cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemcpyFromArrayAsync(row, array, 0, 2, 32, cudaMemcpyDeviceToHost,
                                 stream));
  CHECK(cudaMemcpyFromArrayAsync(part, array, 8, 1, 12, cudaMemcpyDeviceToHost,
                                 stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t n = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &n));
  if (n != 5 || back[3][7] != 0)
    return printf("%zu nodes, %d at once\n", n, back[3][7]), 1;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  int expected[4][8];
  memcpy(expected, from, sizeof expected);
  memcpy(&expected[1][2], &from[0][0], 12);
  memcpy(&expected[2][2], &from[1][0], 12);
  if (memcmp(back, expected, sizeof back) != 0)
    return printf("other contents\n"), 1;
  if (memcmp(row, expected[2], sizeof row) != 0)
    return printf("other row\n"), 1;
  if (memcmp(part, &expected[1][2], sizeof part) != 0)
    return printf("other part\n"), 1;
  printf("all right\n");
}
