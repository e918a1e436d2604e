/* What a library call reads: an operand of which nothing wrote a part. */
#ifndef DEVICE_CHECK_OPERAND_H
#define DEVICE_CHECK_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/exported.h"

/* Which bytes of [address, address + bytes) nothing has written by now. NULL
 * where all of them are written, or the check `init` is not wanted, or
 * where it is not known: memory that the host writes unseen. The caller frees
 * it. */
struct check_operand;
struct check_operand *check_operand_new(uint64_t address, size_t bytes)
    EXPORTED(check_operand_new);
void check_operand_free(struct check_operand *operand)
    EXPORTED(check_operand_free);

/* The first byte from `at` on, and before `at` + `bytes`, that nothing had
 * written, counted from the operand's address; or `at` + `bytes`. */
size_t check_operand_next(const struct check_operand *operand, size_t at,
                          size_t bytes) EXPORTED(check_operand_next);

/* The call read unwritten bytes. `what` says which ones, of which operand:
 * "B: element (0,3) and 12 more"; the finding is at the host's call. The
 * first unwritten byte is the one at `at`. */
void check_operand_report(const struct check_operand *operand, size_t at,
                          const char *call, const char *what)
    EXPORTED(check_operand_report);

#endif
