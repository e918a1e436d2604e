/* Barriers and fences of a block and of a warp. __syncthreads() is clang's
 * own. In the order of the CUDA C++ Programming Guide. */
#ifndef SOFTDEVICE_SYNC_H
#define SOFTDEVICE_SYNC_H

SOFTDEVICE_CALL void __threadfence_block() { __nvvm_membar_cta(); }
SOFTDEVICE_CALL void __threadfence() { __nvvm_membar_gl(); }
SOFTDEVICE_CALL void __threadfence_system() { __nvvm_membar_sys(); }

SOFTDEVICE_CALL int __syncthreads_count(int predicate)
{
  return __nvvm_bar0_popc(predicate);
}
SOFTDEVICE_CALL int __syncthreads_and(int predicate)
{
  return __nvvm_bar0_and(predicate);
}
SOFTDEVICE_CALL int __syncthreads_or(int predicate)
{
  return __nvvm_bar0_or(predicate);
}
SOFTDEVICE_CALL void __syncwarp(unsigned int mask = 0xffffffff)
{
  __nvvm_bar_warp_sync(mask);
}

#endif
