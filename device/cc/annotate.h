/* What CUDA C says about kernels and clang 14 has no words for. device/include
 * writes it as annotations, which clang keeps in LLVM's intermediate text;
 * here they are taken out of that text, and become directives of PTX. */
#ifndef DEVICE_CC_ANNOTATE_H
#define DEVICE_CC_ANNOTATE_H

#include "words.h"

/* LLVM text in, LLVM text out, for the caller to free. A parameter marked
 * __grid_constant__ stays where it is, in parameter space, when its address is
 * taken; by itself LLVM would copy it into local memory first. Variables in
 * shared memory belong to this file alone. Copies of structures are as nvcc makes
 * them (copies.h). LLVM must not have optimised the text yet. */
char *annotate_llvm(const char *llvm);

/* PTX in, PTX out, for the caller to free: version and target are those of
 * `architecture`, and each kernel has the directives that `llvm` says. The
 * instructions stay as they are: PTX of an older version means the same in a
 * newer one. */
char *annotate_kernels(const char *ptx, const char *llvm, int architecture,
                       int is_specific);

#endif
