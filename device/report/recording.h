/* A whole launch, step by step, as JSON that a page can replay: what each warp
 * executed, which lane touched what, and what was stored. What was loaded is
 * left out, because it follows from the memory's first contents and the stores;
 * the page's reader, which describes the format, puts it back. */
#ifndef DEVICE_REPORT_RECORDING_H
#define DEVICE_REPORT_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../check/fault.h"
#include "../check/finding.h"
#include "../count/counts.h"
#include "../exec/launch.h"

enum number_type {
  NUMBER_NONE,
  NUMBER_U8,
  NUMBER_S8,
  NUMBER_U16,
  NUMBER_S16,
  NUMBER_U32,
  NUMBER_S32,
  NUMBER_U64,
  NUMBER_S64,
  NUMBER_F32,
  NUMBER_F64
};
/* By "f32" and the like; NUMBER_NONE where there is no such type. */
enum number_type number_named(const char *name, size_t length);
unsigned number_bytes(enum number_type type);

/* Prints a number as JSON has it, and "nan", "inf", "-inf" as texts. */
void number_print(FILE *out, enum number_type type, uint64_t bits);

struct recording_buffer {
  char name[64];
  enum number_type type;
  uint64_t address;
  uint64_t serial; /* of its allocation, as messages have it */
  size_t n;
  bool is_written;  /* it begins with values; else nothing has written it */
  uint64_t *values; /* the first ones, owned by the recording */
};

struct recording;
/* At most `limit` rows: a step is one, and so is each lane of an access. */
struct recording *recording_new(uint64_t limit, enum number_type shared);
void recording_free(struct recording *recording);

/* Memory that the launch will find, numbered 1, 2, 3 … Its contents are kept
 * as they are now. */
void recording_add(struct recording *recording, const char *name,
                   enum number_type type, uint64_t address, size_t n,
                   bool is_written);

/* Sets the sinks of `launch`, and hears of the findings. */
void recording_begin(struct recording *recording, struct launch *launch);

struct recording_end {
  const char *kernel; /* readable */
  const uint32_t *grid, *block;
  const char *knobs; /* as JSON */
  uint32_t shared_bytes;
  const struct launch_counts *counts;
  const struct fault *fault; /* NULL: none */
  const char *output;        /* of device printf */
};
/* `is_plain`: as the decoder would give it, for tests. */
void recording_write(FILE *out, struct recording *recording,
                     const struct recording_end *end, bool is_plain);

#endif
