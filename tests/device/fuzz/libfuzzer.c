/* libFuzzer's entry: compiled once for each target, -DFUZZ_TARGET=fuzz_… */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
  return FUZZ_TARGET(data, bytes);
}
