/* Arrays as device memory, row by row. */
#include "array.h"

#include <pthread.h>
#include <stdlib.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"

enum { ALIGNMENT = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_array *arrays;

const uint8_t *image_view(const struct image *image, bool to_write)
{
  if (image->bytes == 0)
    return NULL;
  return to_write ? memory_view(image->address, image->bytes)
                  : memory_look(image->address, image->bytes);
}

static bool lay_out(struct image *image)
{
  size_t planes = (size_t)image->depth * image->layers;

  image->pitch = (size_t)image->width * texel_bytes(&image->format);
  return !__builtin_mul_overflow(image->pitch, image->height, &image->slice) &&
         !__builtin_mul_overflow(image->slice, planes, &image->bytes);
}

struct cuda_array *array_create(const struct cuda_array *wanted)
{
  struct cuda_array *array = host_try_new(1, sizeof *array);

  if (array == NULL)
    return NULL;
  *array = *wanted;
  if (!lay_out(&array->image) ||
      (array->image.address =
           memory_allocate(array->image.bytes, ALIGNMENT, MEMORY_DEVICE,
                           array->device, NULL)) == 0) {
    free(array);
    return NULL;
  }
  pthread_mutex_lock(&lock);
  array->next = arrays;
  arrays = array;
  pthread_mutex_unlock(&lock);
  return array;
}

bool array_is_live(const struct cuda_array *array)
{
  const struct cuda_array *a;

  pthread_mutex_lock(&lock);
  for (a = arrays; a != NULL && a != array; a = a->next)
    ;
  pthread_mutex_unlock(&lock);
  return a != NULL;
}

bool array_destroy(struct cuda_array *array)
{
  struct cuda_array **at;
  bool found;

  pthread_mutex_lock(&lock);
  for (at = &arrays; *at != NULL && *at != array; at = &(*at)->next)
    ;
  found = *at != NULL;
  if (found)
    *at = array->next;
  pthread_mutex_unlock(&lock);
  if (!found)
    return false;
  memory_release(array->image.address);
  free(array);
  return true;
}

void array_destroy_all(int device)
{
  struct cuda_array *array;

  do {
    pthread_mutex_lock(&lock);
    for (array = arrays; array != NULL && array->device != device;
         array = array->next)
      ;
    pthread_mutex_unlock(&lock);
  } while (array != NULL && array_destroy(array));
}
