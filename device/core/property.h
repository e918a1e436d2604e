/* What devices say about themselves: properties and attributes. */
#ifndef DEVICE_CORE_PROPERTY_H
#define DEVICE_CORE_PROPERTY_H

#include "calls.h"

/* Everything that cudaDeviceProp says about a device that exists. */
void property_fill(struct cudaDeviceProp *properties, int device);
void property_fill_textures(struct cudaDeviceProp *properties);

/* One attribute; touches nothing of the thread's. */
cudaError_t attribute_read(int *value, enum cudaDeviceAttr attribute,
                           int device);

#endif
