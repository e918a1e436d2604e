/* Accesses of the host program to pinned and managed memory that an operation
 * uses which the host has not waited for.
 *
 * The host's loads and stores are not seen one by one. So pages are closed to
 * it: those in which every byte was last written by an operation that it does
 * not know to have ended. Where such operations read every byte, the host may
 * only read. A page that holds anything else stays open, because the host may
 * have every right to that; what is missed so is no false alarm. */
#ifndef DEVICE_CHECK_HOST_ACCESS_H
#define DEVICE_CHECK_HOST_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "operations.h"

/* An operation is there: may the host reach that page at all? */
bool host_access_concerns(uint64_t page_address);
/* The first access to it since the last operation's end. */
void host_access_note(uint64_t page_address);
/* A store that can tell the host something: a flag, by an atomic or a volatile
 * store. From now on nothing is closed, for the host may know. */
void host_access_told(void);

/* An operation has ended; or the host has waited for some. `host`: what it
 * knows. */
void host_access_ended(const struct op_clock *host);
void host_access_waited(const struct op_clock *host);

/* The host's instruction at `pc` has caught a SIGSEGV. True: the page was
 * closed, which was reported, and is open now. */
bool host_access_fault(uint64_t address, const void *pc, bool stores);

#endif
