#ifndef DEVICE_RUNTIME_PROPERTY_H
#define DEVICE_RUNTIME_PROPERTY_H

#include "api.h"

/* Everything that cudaDeviceProp says about a device that exists. */
void property_fill(struct cudaDeviceProp *properties, int device);
void property_fill_textures(struct cudaDeviceProp *properties);

#endif
