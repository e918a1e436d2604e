/* Sizes at which something grows, wraps around or gives way. Few programs
 * meet them; a build with -DSMALL_LIMITS (the Meson option small_limits, and
 * launch_run_small) makes them so small that every test does. Nothing but
 * speed, and how much is remembered for a message, may depend on them. */
#ifndef DEVICE_SMALL_LIMITS_H
#define DEVICE_SMALL_LIMITS_H

#ifdef SMALL_LIMITS
#define LIMIT(usual, small) (small)
#else
#define LIMIT(usual, small) (usual)
#endif

#endif
