/* What a program says about a product, its matrices and its preferences. */
#ifndef DEVICE_CUBLASLT_DESCRIPTOR_H
#define DEVICE_CUBLASLT_DESCRIPTOR_H

#include "api.h"

struct lt_layout {
  int32_t type, order;
  uint64_t rows, columns;
  int64_t leading;
  int32_t count, batch_mode;
  int64_t stride, plane; /* elements from one matrix to the next; bytes */
};

/* Pointers are to device memory. A scale of NULL is 1. */
struct lt_product {
  int32_t compute, scale, pointer_mode, trans_a, trans_b, trans_c, fill;
  uint32_t epilogue;
  void *bias, *aux;
  int64_t bias_stride, aux_leading, aux_stride, alpha_stride;
  const void *a_scale, *b_scale, *c_scale, *d_scale, *aux_scale;
  void *d_most, *aux_most, *d_out_scale, *emulation;
  int32_t aux_type, bias_type; /* -1: that of D */
  int32_t multiprocessors, reserved;
  int32_t a_mode, b_mode, c_mode, d_mode, aux_mode, d_out_mode;
  int8_t fast_sums;
};

struct lt_preference {
  uint32_t search, schemes, align_a, align_b, align_c, align_d;
  uint64_t workspace_bytes, implementations;
  float waves;
};

#endif
