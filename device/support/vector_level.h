/* Which vector instructions to use. The loops over 32 lanes (exec/lanes) and
 * over 16 cells (check/cells.c) are compiled once for each level. */
#ifndef DEVICE_SUPPORT_VECTOR_LEVEL_H
#define DEVICE_SUPPORT_VECTOR_LEVEL_H

enum vector_level {
  VECTOR_BASE, /* what every processor of this kind has */
  VECTOR_V3,   /* x86-64-v3: AVX2 */
  VECTOR_V4    /* x86-64-v4: AVX-512 */
};

/* The best level of this processor. SOFTDEVICE_LANES=base or v3 asks for a
 * plainer one, for tests. */
enum vector_level vector_level(void);

#endif
