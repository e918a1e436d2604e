/* SMs of a device as resources, and green contexts made of them. */
#ifndef DEVICE_DRIVER_GREEN_H
#define DEVICE_DRIVER_GREEN_H

#include "context.h"

typedef enum {
  CU_DEV_RESOURCE_TYPE_INVALID,
  CU_DEV_RESOURCE_TYPE_SM
} CUdevResourceType;

#define SM_WORDS (MOST_SMS / 32)

/* The first numbers are what NVIDIA's header calls internal padding. */
typedef struct {
  CUdevResourceType type;
  uint32_t device;
  uint32_t split;         /* the call that made it; 0: not made by splitting */
  uint32_t in_pairs;      /* its SMs need not work together in larger groups */
  uint32_t sms[SM_WORDS]; /* a bit for each */
  uint32_t reserved[15];
  union {
    struct {
      unsigned count, least, alignment;
    } sm;
    unsigned char oversize[48];
  };
} CUdevResource;
_Static_assert(sizeof(CUdevResource) == 144, "that of CUDA 13.0");
_Static_assert(offsetof(CUdevResource, sm) == 96, "that of CUDA 13.0");

typedef struct green_description *CUdevResourceDesc;
typedef struct green *CUgreenCtx;

/* All of a device's SMs, or those of a partition. */
void resource_of(CUdevResource *resource, int device,
                 const struct partition *partition);

/* The SMs of a description; NULL: no such description. */
const struct partition *description_find(CUdevResourceDesc description);

#endif
