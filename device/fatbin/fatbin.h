/* Fat binaries: what nvcc embeds in a program, PTX and SASS side by side.
 *
 *   fat binary   | header 16 bytes | entry | entry | …
 *   entry        | header | payload: PTX text or ELF, perhaps compressed |
 *
 * Every read is checked against the bytes there are: a damaged file gives an
 * error, never a crash.
 */
#ifndef DEVICE_FATBIN_FATBIN_H
#define DEVICE_FATBIN_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/exported.h"

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 };

enum fatbin_compression { FATBIN_PLAIN, FATBIN_LZ4, FATBIN_ZSTD };

struct fatbin_entry {
  enum fatbin_kind kind; /* other values are possible: entries to ignore */
  int architecture;      /* 90 for sm_90 and compute_90 */
  bool is_specific;      /* sm_90a, compute_90a: for no other device */
  enum fatbin_compression compression;
  const uint8_t *payload; /* inside the fat binary */
  size_t bytes;           /* of the payload as it is stored */
  size_t plain_bytes;     /* after decompression */
  unsigned max_registers; /* nvcc --maxrregcount; 0: none was given */
};

struct fatbin_reader {
  const uint8_t *next, *end;
};

struct fatbin_error {
  char message[256];
};

/* Bytes that the header at `data` claims, header included; 0 when it is no
 * fat binary. When it claims more than can be read it is damaged: then only
 * the header's own, which fatbin_open refuses. */
size_t fatbin_size(const void *data) EXPORTED(fatbin_size);

/* Begins to read; false and a message when the header is damaged. */
bool fatbin_open(struct fatbin_reader *reader, const void *data, size_t bytes,
                 struct fatbin_error *error);

/* The next entry: 1, or 0 at the end, or -1 and a message. */
int fatbin_next(struct fatbin_reader *reader, struct fatbin_entry *entry,
                struct fatbin_error *error);

/* The plain payload, NUL-terminated, for the caller to free; `*bytes` is its
 * length. NULL and a message when it cannot be decompressed. */
char *fatbin_extract(const struct fatbin_entry *entry, size_t *bytes,
                     struct fatbin_error *error) EXPORTED(fatbin_extract);

/* Which PTX to run on a device of `capability`: the newest that is not newer
 * than the device. */
enum fatbin_choice {
  FATBIN_CHOSEN,
  FATBIN_EMPTY,   /* no device code at all */
  FATBIN_NO_PTX,  /* SASS only */
  FATBIN_TOO_NEW, /* PTX for newer devices only */
  FATBIN_BROKEN   /* see the message */
};
enum fatbin_choice fatbin_choose(const void *data, size_t bytes, int capability,
                                 struct fatbin_entry *entry,
                                 struct fatbin_error *error)
    EXPORTED(fatbin_choose);

/* Decompressors: true when exactly `n_out` bytes came out. */
bool lz4_decompress(const uint8_t *in, size_t n_in, uint8_t *out, size_t n_out);
bool zstd_is_available(void);
bool zstd_decompress(const uint8_t *in, size_t n_in, uint8_t *out,
                     size_t n_out);

#endif
