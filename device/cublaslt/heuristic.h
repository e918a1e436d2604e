/* Algorithms as programs keep them. */
#ifndef DEVICE_CUBLASLT_HEURISTIC_H
#define DEVICE_CUBLASLT_HEURISTIC_H

#include <stdbool.h>

/* Not NULL, and one that this library found or made. */
bool lt_is_algorithm(const void *algorithm);

#endif
