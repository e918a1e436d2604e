/* PTX cut down to one kernel and what it needs. */
#ifndef DEVICE_PTX_CUT_H
#define DEVICE_PTX_CUT_H

#include <stddef.h>

/* The kernel, the functions and variables that it names, and what these name,
 * in the text's order, one statement on each line: freed by the caller. NULL:
 * there is no such kernel. Comments and sections for debuggers are left out,
 * and what only says where in the whole text something stood is counted anew
 * (files, labels), so that a change elsewhere in a program leaves the text of
 * this kernel as it was. A toolkit's header is written down as cuda/include/…,
 * wherever it lies, and `file_name` gives the name of any other file. */
char *ptx_cut(const char *text, size_t bytes, const char *kernel,
              const char *(*file_name)(const char *file));

#endif
