/* Fetches from textures and accesses to surfaces. */
#ifndef SOFTDEVICE_TEXTURE_H
#define SOFTDEVICE_TEXTURE_H

#endif
