/* C++ names of kernels, readable.
 *
 * Understands the names that a kernel's own encoding has (Itanium C++ ABI,
 * section 5.1): nested names, anonymous namespaces, template arguments of
 * built-in and class types and of integer literals, and substitutions within
 * them. Parameters are left out, and so are the inline namespaces in which
 * CUB, Thrust and libcu++ hide their version.
 *
 * A name longer than 72 bytes, or with template arguments of another kind, is
 * cut: `cub::detail::reduce::DeviceReduceKernel<…#3f2a>`. The number is made
 * from the whole name, so that two instances of a template differ, and the
 * same one is always called the same. Anything else stays as it is.
 */
#ifndef DEVICE_CHECK_DEMANGLE_H
#define DEVICE_CHECK_DEMANGLE_H

#include <stddef.h>

/* Writes the name of `mangled`, without parameters, to `out`; the mangled name
 * itself where not even its beginning is understood. Template arguments are separated by `;`
 * so that the name can stand in a CSV. */
void demangle(const char *mangled, char *out, size_t n_out);

#endif
