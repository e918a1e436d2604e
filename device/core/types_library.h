/* Libraries of device code, and the driver's functions. */
#ifndef DEVICE_CORE_TYPES_LIBRARY_H
#define DEVICE_CORE_TYPES_LIBRARY_H

typedef struct driver_module *cudaLibrary_t;

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess,
  cudaDriverEntryPointSymbolNotFound,
  cudaDriverEntryPointVersionNotSufficent
};
enum {
  cudaEnableDefault,
  cudaEnableLegacyStream,
  cudaEnablePerThreadDefaultStream
};

#endif
