/* Calls that are not served. */
#include "runtime/api.h"
#include "test.h"

API int cudaImportExternalMemory(void **graph, unsigned flags);

BEHAVIOUR(call_is_named_once)
{
  void *graph;
  capture_begin(2);
  CHECK_EQUAL(cudaImportExternalMemory(&graph, 0), cudaErrorNotSupported);
  CHECK_EQUAL(cudaImportExternalMemory(&graph, 0), cudaErrorNotSupported);
  CHECK_TEXT(capture_end(),
             "softdevice: cudaImportExternalMemory: not supported by "
             "the software device\n");
}

BEHAVIOUR(call_leaves_the_last_error)
{
  void *graph;
  cudaImportExternalMemory(&graph, 0);
  CHECK_EQUAL(cudaGetLastError(), cudaErrorNotSupported);
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
}
