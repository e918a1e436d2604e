/* __device__, __constant__ and __managed__ variables. */
#include "program.h"
#include "test.h"

BEHAVIOUR(initial_value_is_there)
{
  int value = 0;
  program_begin();
  CHECK_EQUAL(
      cudaMemcpyFromSymbol(&value, &counter, 4, 0, cudaMemcpyDeviceToHost), 0);
  CHECK_EQUAL(value, 5);
}

BEHAVIOUR(kernel_sees_what_was_copied)
{
  int value = 41;
  program_begin();
  CHECK_EQUAL(
      cudaMemcpyToSymbol(&counter, &value, 4, 0, cudaMemcpyHostToDevice), 0);
  CHECK_EQUAL(launch(&count_up, 1, 1, NULL), 0);
  cudaMemcpyFromSymbol(&value, &counter, 4, 0, cudaMemcpyDeviceToHost);
  CHECK_EQUAL(value, 42);
}

BEHAVIOUR(size_and_address)
{
  size_t bytes;
  void *address;
  int value;
  program_begin();
  CHECK_EQUAL(cudaGetSymbolSize(&bytes, &table), 0);
  CHECK_EQUAL(bytes, 64);
  CHECK_EQUAL(cudaGetSymbolAddress(&address, &counter), 0);
  CHECK_EQUAL(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost), 0);
  CHECK_EQUAL(value, 5);
}

BEHAVIOUR(offset_into_a_constant)
{
  char value = 7, back = 0;
  program_begin();
  CHECK_EQUAL(cudaMemcpyToSymbol(&table, &value, 1, 63, cudaMemcpyHostToDevice),
              0);
  CHECK_EQUAL(
      cudaMemcpyFromSymbol(&back, &table, 1, 63, cudaMemcpyDeviceToHost), 0);
  CHECK_EQUAL(back, 7);
}

BEHAVIOUR(beyond_the_variable_is_told)
{
  char bytes[65];
  program_begin();
  capture_begin(2);
  CHECK_EQUAL(cudaMemcpyToSymbol(&table, bytes, 65, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "do not fit into a variable of 64 bytes");
}

BEHAVIOUR(unknown_variable_is_refused)
{
  int value;
  program_begin();
  CHECK_EQUAL(
      cudaMemcpyFromSymbol(&value, &value, 4, 0, cudaMemcpyDeviceToHost),
      cudaErrorInvalidSymbol);
}

BEHAVIOUR(wrong_direction_is_refused)
{
  int value = 0;
  program_begin();
  CHECK_EQUAL(
      cudaMemcpyToSymbol(&counter, &value, 4, 0, cudaMemcpyDeviceToHost),
      cudaErrorInvalidMemcpyDirection);
}

BEHAVIOUR(managed_variable_reaches_the_host)
{
  program_begin();
  CHECK_EQUAL(launch(&count_up, 1, 1, NULL), 0);
  CHECK(managed != NULL);
  *(int *)managed = 3;
}

BEHAVIOUR(reset_brings_the_initial_value_back)
{
  int value = 41;
  program_begin();
  cudaMemcpyToSymbol(&counter, &value, 4, 0, cudaMemcpyHostToDevice);
  CHECK_EQUAL(cudaDeviceReset(), 0);
  cudaMemcpyFromSymbol(&value, &counter, 4, 0, cudaMemcpyDeviceToHost);
  CHECK_EQUAL(value, 5);
}
