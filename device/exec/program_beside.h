/* One module on several devices: its __managed__ variables exist once. */
#ifndef DEVICE_EXEC_PROGRAM_BESIDE_H
#define DEVICE_EXEC_PROGRAM_BESIDE_H

#include "program.h"

/* As program_load; `beside` is the same PTX on another device, or NULL. Its
 * managed variables are this program's too, as long as they are there. */
struct program *program_load_beside(const char *ptx, size_t bytes, int device,
                                    const struct program *beside,
                                    struct program_error *error);

#endif
