#ifndef TESTS_DEVICE_RUNTIME_LAYOUT_H
#define TESTS_DEVICE_RUNTIME_LAYOUT_H

#include <stddef.h>

struct layout_entry {
  const char *what;
  size_t value;
};

extern const struct layout_entry layout_ours[], layout_toolkit[];

#endif
