/* Where a program's variables live. */
#ifndef DEVICE_EXEC_PLACE_H
#define DEVICE_EXEC_PLACE_H

#include "machine.h"

/* Allocates and initialises .global and .const variables; gives shared,
 * local and parameter variables their offsets. NULL, or what is wrong: in
 * `*function`, or NULL. A
 * managed variable is where `beside` has it, see program_beside.h. */
const char *place_program(struct program *program, const struct program *beside,
                          const struct ptx_function **function);

/* Is this variable another program's? */
bool place_is_lent(const struct ptx_variable *variable);

/* Does this global or constant variable hold what it begins with? */
bool place_is_initial(const struct program *program,
                      const struct ptx_variable *variable);

/* Bytes of a kernel's statically known shared memory, for all functions that
 * it may call. */
uint32_t place_shared_bytes(const struct function *kernel);

/* The static shared variable of the kernel that holds the byte at `at`, or is
 * nearest to it; NULL: it has none. */
const struct ptx_variable *place_nearest_shared(const struct function *kernel,
                                                uint64_t at);
/* How far `at` is from the bytes at `place`: 0 inside, 1 right past the end. */
uint64_t place_distance(uint64_t place, uint64_t bytes, uint64_t at);

/* Where the kernel's dynamic shared memory begins. */
uint32_t place_dynamic_shared(const struct function *kernel);

/* Shared memory that the system keeps in each block, from sm_80 on. The
 * toolkit's headers hold there what tiles of several warps exchange. It lies
 * after the program's own, and only where a kernel asks for its place. */
enum { RESERVED_SHARED = 1024, RESERVED_SHARED_1 = 512 };

#endif
