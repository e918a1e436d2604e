/* A function in place of each of the runtime's, which goes on to the one of the
 * same name in the device's libcudart.so.13. That library is loaded by the first
 * call: redirect.c does its work before the C library is ready for that. */
#ifndef DEVICE_LINKED_STUBS_H
#define DEVICE_LINKED_STUBS_H

#include <stddef.h>

enum linked_function {
#define EXPORT(name) LINKED_##name,
#include "../runtime/exports.def"
  N_LINKED
};

extern const char *const linked_names[N_LINKED];

/* Before the first one is used. */
void linked_stubs_begin(void);
const void *linked_stub(size_t function);

#endif
