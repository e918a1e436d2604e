/* Debian's builtins for wasm32 are compiled with stack protectors, for which
 * its C library has no support. Weak: a library that has it comes first. */
#include <stdint.h>
#include <stdlib.h>

__attribute__((weak)) uintptr_t __stack_chk_guard = 0x595e9fbd;

__attribute__((weak)) _Noreturn void __stack_chk_fail(void) { abort(); }
