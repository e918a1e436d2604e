/* What CUB offers for the problems of this chapter. CUB is all headers and
 * compiles slowly, so it has a translation unit of its own, vendor.cu. These
 * functions are weak: a program that is linked without it finds NULL and goes
 * on without CUB. All work in d_work, of the bytes that the function with
 * _bytes in its name says. */
#ifndef CODE_SCAN_VENDOR_H
#define CODE_SCAN_VENDOR_H

#include <stddef.h>

#define VENDOR extern __attribute__((weak))

VENDOR size_t vendor_scan_bytes(size_t n);
VENDOR void vendor_scan(unsigned *d_out, const unsigned *d_in, size_t n,
                        void *d_work);

/* The elements below `limit`, in their order; how many, in *d_kept. */
VENDOR size_t vendor_select_bytes(size_t n);
VENDOR void vendor_select(unsigned *d_out, unsigned *d_kept,
                          const unsigned *d_in, size_t n, unsigned limit,
                          void *d_work);

VENDOR size_t vendor_sort_bytes(size_t n);
VENDOR void vendor_sort(unsigned *d_out, const unsigned *d_in, size_t n,
                        void *d_work);

#undef VENDOR

#endif
