/* threadIdx, blockIdx, blockDim, gridDim and warpSize. Reading a member reads
 * a special register of PTX. */
#ifndef SOFTDEVICE_LAUNCH_PARAMETERS_H
#define SOFTDEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

/* A variable that cannot be copied or changed, with members that are read by
 * the functions of the same register. */
#define SOFTDEVICE_BUILT_IN(type, name, reg)                                   \
  struct type {                                                                \
    __declspec(property(get = get_x)) unsigned int x;                          \
    __declspec(property(get = get_y)) unsigned int y;                          \
    __declspec(property(get = get_z)) unsigned int z;                          \
    SOFTDEVICE_CALL unsigned int get_x()                                       \
    {                                                                          \
      return __nvvm_read_ptx_sreg_##reg##_x();                                 \
    }                                                                          \
    SOFTDEVICE_CALL unsigned int get_y()                                       \
    {                                                                          \
      return __nvvm_read_ptx_sreg_##reg##_y();                                 \
    }                                                                          \
    SOFTDEVICE_CALL unsigned int get_z()                                       \
    {                                                                          \
      return __nvvm_read_ptx_sreg_##reg##_z();                                 \
    }                                                                          \
    SOFTDEVICE_OWN __device__ operator dim3() const { return dim3(x, y, z); }  \
    SOFTDEVICE_OWN __device__ operator uint3() const                           \
    {                                                                          \
      return uint3{ x, y, z };                                                 \
    }                                                                          \
                                                                               \
  private:                                                                     \
    __device__ type() = delete;                                                \
    __device__ type(const type &) = delete;                                    \
    __device__ void operator=(const type &) const = delete;                    \
    __device__ type *operator&() const = delete;                               \
  };                                                                           \
  extern const __device__ __attribute__((weak)) struct type name;

SOFTDEVICE_BUILT_IN(softdevice_thread_index, threadIdx, tid)
SOFTDEVICE_BUILT_IN(softdevice_block_index, blockIdx, ctaid)
SOFTDEVICE_BUILT_IN(softdevice_block_size, blockDim, ntid)
SOFTDEVICE_BUILT_IN(softdevice_grid_size, gridDim, nctaid)

#undef SOFTDEVICE_BUILT_IN

__attribute__((device)) const int warpSize = 32;

#endif
