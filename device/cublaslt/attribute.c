/* Sets and gets attributes by their tables; statuses are an H100's. */
#include "attribute.h"

#include <string.h>

static const struct attribute *find(struct attributes all, int number)
{
  for (size_t i = 0; i < all.n; i++)
    if (all.each[i].number == number)
      return &all.each[i];
  return NULL;
}

cublasStatus_t attribute_set(struct attributes all, void *object, int number,
                             const void *value, size_t bytes)
{
  const struct attribute *a = find(all, number);
  if (a == NULL || object == NULL || value == NULL || bytes != a->bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  memcpy((char *)object + a->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t attribute_get(struct attributes all, const void *object,
                             int number, void *value, size_t bytes,
                             size_t *written)
{
  const struct attribute *a = find(all, number);
  if (a == NULL || object == NULL || (bytes == 0 && written == NULL))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0 && (value == NULL || bytes != a->bytes))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != 0)
    memcpy(value, (const char *)object + a->offset, bytes);
  if (written != NULL)
    *written = a->bytes;
  return CUBLAS_STATUS_SUCCESS;
}
