/* Attributes of the descriptors: which ones there are, and where they are kept. */
#ifndef DEVICE_CUBLASLT_ATTRIBUTE_H
#define DEVICE_CUBLASLT_ATTRIBUTE_H

#include <stddef.h>

#include "api.h"

struct attribute {
  int number; /* as the program names it */
  size_t offset, bytes;
};

struct attributes {
  const struct attribute *each;
  size_t n;
};

/* cublasLt…SetAttribute and GetAttribute. Set checks the size alone: whether a
 * value makes sense shows when it is used, as with NVIDIA's library. A size of 0
 * asks Get how many bytes there are. */
cublasStatus_t attribute_set(struct attributes all, void *object, int number,
                             const void *value, size_t bytes);
cublasStatus_t attribute_get(struct attributes all, const void *object,
                             int number, void *value, size_t bytes,
                             size_t *written);

#endif
