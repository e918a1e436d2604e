/* cudaCreateChannelDesc<type>(): how the elements of an array look. */
#ifndef SOFTDEVICE_CHANNEL_DESCRIPTOR_H
#define SOFTDEVICE_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
template <typename T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define SOFTDEVICE_CHANNEL(type, x, y, z, w, kind)                             \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>()       \
  {                                                                            \
    const int bits = 8 * (int)sizeof(x);                                       \
    return cudaCreateChannelDesc(bits, (y)*bits, (z)*bits, (w)*bits,           \
                                 cudaChannelFormatKind##kind);                 \
  }
#define SOFTDEVICE_CHANNELS(name, type, kind)                                  \
  SOFTDEVICE_CHANNEL(name##1, type, 0, 0, 0, kind)                             \
  SOFTDEVICE_CHANNEL(name##2, type, 1, 0, 0, kind)                             \
  SOFTDEVICE_CHANNEL(name##4, type, 1, 1, 1, kind)

SOFTDEVICE_CHANNEL(char, char, 0, 0, 0, Signed)
SOFTDEVICE_CHANNEL(signed char, char, 0, 0, 0, Signed)
SOFTDEVICE_CHANNEL(unsigned char, char, 0, 0, 0, Unsigned)
SOFTDEVICE_CHANNEL(short, short, 0, 0, 0, Signed)
SOFTDEVICE_CHANNEL(unsigned short, short, 0, 0, 0, Unsigned)
SOFTDEVICE_CHANNEL(int, int, 0, 0, 0, Signed)
SOFTDEVICE_CHANNEL(unsigned int, int, 0, 0, 0, Unsigned)
SOFTDEVICE_CHANNEL(float, float, 0, 0, 0, Float)
SOFTDEVICE_CHANNELS(char, char, Signed)
SOFTDEVICE_CHANNELS(uchar, char, Unsigned)
SOFTDEVICE_CHANNELS(short, short, Signed)
SOFTDEVICE_CHANNELS(ushort, short, Unsigned)
SOFTDEVICE_CHANNELS(int, int, Signed)
SOFTDEVICE_CHANNELS(uint, int, Unsigned)
SOFTDEVICE_CHANNELS(float, float, Float)

#undef SOFTDEVICE_CHANNELS
#undef SOFTDEVICE_CHANNEL
#endif

#endif
