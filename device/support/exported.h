/* Marks of functions that leave their library.
 *
 * EXPORTED: other libraries of the device may call it. It leaves its library under a name that begins with softdevice_, so that no function
 * of the program's can take its place, whatever it is called. */
#ifndef DEVICE_SUPPORT_EXPORTED_H
#define DEVICE_SUPPORT_EXPORTED_H

#define EXPORTED(name)                                                         \
  __asm__("softdevice_" #name) __attribute__((visibility("default")))

/* What a library of the device has in place of NVIDIA's. */
#define API __attribute__((visibility("default")))

/* The same function by another name. Use after the definition. */
#define SAME_AS(function, variant)                                             \
  API __typeof__(function) variant __attribute__((alias(#function)))

#endif
