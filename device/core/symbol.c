/* __device__, __constant__ and __managed__ variables, by their host names. */
#include <stdint.h>

#include "../memory/memory.h"
#include "copy.h"
#include "registry.h"
#include "state.h"
#include "stream.h"
#include "symbol.h"

/* A managed variable's host name may already stand for its address. */
static bool is_managed_address(const void *symbol,
                               struct program_variable *found)
{
  struct allocation row;
  uint64_t place = (uint64_t)(uintptr_t)symbol;
  if (!memory_find(place, &row) || row.kind != MEMORY_MANAGED)
    return false;
  *found = (struct program_variable){ .address = row.address,
                                      .bytes = row.bytes,
                                      .managed = true };
  return true;
}

static cudaError_t find(const void *symbol, struct program_variable *found)
{
  const struct variable *variable = registry_variable(symbol);
  if (variable != NULL)
    return variable_load(variable, current_device(), found);
  return is_managed_address(symbol, found) ? cudaSuccess
                                           : cudaErrorInvalidSymbol;
}

cudaError_t core_get_symbol_address(void **address, const void *symbol)
{
  struct program_variable found;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && address == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = find(symbol, &found);
  if (error == cudaSuccess)
    *address = (void *)(uintptr_t)found.address;
  return error;
}

cudaError_t core_get_symbol_size(size_t *bytes, const void *symbol)
{
  struct program_variable found;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && bytes == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = find(symbol, &found);
  if (error == cudaSuccess)
    *bytes = found.bytes;
  return error;
}

/* The bytes of the variable that the caller means. */
static cudaError_t locate(const char *call, const void *symbol, size_t bytes,
                          size_t offset, char **address)
{
  struct program_variable found;
  cudaError_t error = find(symbol, &found);
  if (error != cudaSuccess)
    return error;
  if (offset > found.bytes || bytes > found.bytes - offset) {
    explain(call,
            "%zu bytes from offset %zu do not fit into a variable of "
            "%zu bytes",
            bytes, offset, found.bytes);
    return cudaErrorInvalidValue;
  }
  *address = (char *)(uintptr_t)found.address + offset;
  return cudaSuccess;
}

static bool is_to_device(enum cudaMemcpyKind kind)
{
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
         kind == cudaMemcpyDefault;
}

static bool is_from_device(enum cudaMemcpyKind kind)
{
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
         kind == cudaMemcpyDefault;
}

cudaError_t symbol_locate(const char *call, const void *symbol, size_t bytes,
                          size_t offset, bool to_symbol,
                          enum cudaMemcpyKind kind, char **address)
{
  if (!(to_symbol ? is_to_device(kind) : is_from_device(kind)))
    return cudaErrorInvalidMemcpyDirection;
  return locate(call, symbol, bytes, offset, address);
}

/* `row` is one row whose device side gets filled in here. */
static cudaError_t copy_row(const char *call, struct copy_box *row,
                            const void *symbol, size_t offset, bool to_symbol,
                            enum cudaMemcpyKind kind)
{
  char *address;
  cudaError_t error = symbol_locate(call, symbol, row->width, offset, to_symbol,
                                    kind, &address);
  if (error != cudaSuccess)
    return error;
  if (to_symbol)
    row->destination = address;
  else
    row->source = address;
  return copy_box(call, row, kind);
}

cudaError_t core_memcpy_to_symbol(const void *symbol, const void *source,
                                  size_t bytes, size_t offset,
                                  enum cudaMemcpyKind kind)
{
  struct copy_box row = {
    .source = source, .width = bytes, .height = 1, .depth = 1
  };
  cudaError_t error = copy_begin(kind, false);
  if (error == cudaSuccess)
    error = copy_row("cudaMemcpyToSymbol", &row, symbol, offset, true, kind);
  return error;
}

cudaError_t core_memcpy_from_symbol(void *destination, const void *symbol,
                                    size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind)
{
  struct copy_box row = {
    .destination = destination, .width = bytes, .height = 1, .depth = 1
  };
  cudaError_t error = copy_begin(kind, false);
  if (error == cudaSuccess)
    error = copy_row("cudaMemcpyFromSymbol", &row, symbol, offset, false, kind);
  return error;
}

static cudaError_t asynchronous(const char *call, struct copy_box *row,
                                const void *symbol, size_t offset,
                                bool to_symbol, enum cudaMemcpyKind kind,
                                cudaStream_t stream)
{
  char *address;
  bool done;
  cudaError_t error = copy_begin(kind, true);
  if (error == cudaSuccess)
    error = symbol_locate(call, symbol, row->width, offset, to_symbol, kind,
                          &address);
  if (error == cudaSuccess)
    error = copy_row_to_stream(to_symbol ? address : row->destination,
                               to_symbol ? row->source : address, row->width,
                               kind, stream, &done);
  if (error == cudaSuccess && !done)
    error = copy_row(call, row, symbol, offset, to_symbol, kind);
  return error;
}

cudaError_t core_memcpy_to_symbol_async(const void *symbol, const void *source,
                                        size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind,
                                        cudaStream_t stream)
{
  struct copy_box row = {
    .source = source, .width = bytes, .height = 1, .depth = 1
  };
  return asynchronous("cudaMemcpyToSymbolAsync", &row, symbol, offset, true,
                      kind, stream);
}

cudaError_t core_memcpy_from_symbol_async(void *destination, const void *symbol,
                                          size_t bytes, size_t offset,
                                          enum cudaMemcpyKind kind,
                                          cudaStream_t stream)
{
  struct copy_box row = {
    .destination = destination, .width = bytes, .height = 1, .depth = 1
  };
  return asynchronous("cudaMemcpyFromSymbolAsync", &row, symbol, offset, false,
                      kind, stream);
}
