/* Writes what nvcc embeds in a program: a fat binary (fatbin/fatbin.h), here
 * with one entry, PTX that isn't compressed. */
#ifndef DEVICE_CC_CONTAINER_H
#define DEVICE_CC_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

/* The PTX is for devices of `architecture` (90 for 9.0) and newer ones, or for
 * this one only (`is_specific`, 90a). */
void container_write(const char *path, const char *ptx, int architecture,
                     bool is_specific);

#endif
