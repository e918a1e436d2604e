/* The table of handlers that one build of this folder offers. */
#ifndef DEVICE_EXEC_LANES_HANDLERS_H
#define DEVICE_EXEC_LANES_HANDLERS_H

#include "../machine.h"

/* Rows of ptx/instructions.def that are executed lane by lane. */
enum lane_op {
#define ROW(name, ...) OP_##name,
#define HALF(name, ...)                                                        \
  OP_##name##_f16, OP_##name##_f16x2, OP_##name##_bf16, OP_##name##_bf16x2,
#define LARGE(...)
#include "../../ptx/instructions.def"
  LANE_OPS
};

/* step.flags of a floating-point instruction with modifiers. */
enum {
  FLOAT_ROUND_MASK = 3, /* nearest, zero, down, up */
  FLOAT_RZ = 1,
  FLOAT_RM = 2,
  FLOAT_RP = 3,
  FLOAT_FTZ = 4,
  FLOAT_SAT = 8,
  FLOAT_RELU = 16
};

enum comparison {
  COMPARE_EQ,
  COMPARE_NE,
  COMPARE_LT,
  COMPARE_LE,
  COMPARE_GT,
  COMPARE_GE,
  COMPARE_EQU,
  COMPARE_NEU,
  COMPARE_LTU,
  COMPARE_LEU,
  COMPARE_GTU,
  COMPARE_GEU,
  COMPARE_NUM,
  COMPARE_NAN,
  COMPARISONS
};
enum compare_type {
  COMPARE_U16,
  COMPARE_S16,
  COMPARE_U32,
  COMPARE_S32,
  COMPARE_U64,
  COMPARE_S64,
  COMPARE_F32,
  COMPARE_F64,
  COMPARE_F16,
  COMPARE_BF16,
  COMPARE_TYPES
};
/* step.flags of setp and set. Plain setp has none of them. */
enum {
  COMPARE_COMBINE = 3, /* 1 and, 2 or, 3 xor with predicate `c` */
  COMPARE_INVERT = 4,  /* !c */
  COMPARE_SECOND = 8,  /* `extra`: struct with the slot of q in p|q */
  COMPARE_FTZ = 16,
  COMPARE_TO_32 = 32,  /* set: d is all ones or zero */
  COMPARE_TO_F32 = 64, /* set: d is 1.0f or 0.0f */
  COMPARE_TO_16 = 128
};
struct second_slot {
  slot q;
};

/* How a register's lane and memory's bytes become one another. */
enum transfer {
  TRANSFER_U8_16,
  TRANSFER_S8_16,
  TRANSFER_U8_32,
  TRANSFER_S8_32,
  TRANSFER_U8_64,
  TRANSFER_S8_64,
  TRANSFER_16_16,
  TRANSFER_U16_32,
  TRANSFER_S16_32,
  TRANSFER_U16_64,
  TRANSFER_S16_64,
  TRANSFER_32_32,
  TRANSFER_U32_64,
  TRANSFER_S32_64,
  TRANSFER_64_64,
  TRANSFER_128_128,
  TRANSFERS
};
enum access_space { /* of a memory instruction */
                    ACCESS_GENERIC,
                    ACCESS_GLOBAL,
                    ACCESS_SHARED,
                    ACCESS_LOCAL,
                    ACCESS_CONSTANT,
                    ACCESS_PARAMETER,
                    ACCESS_SPACES
};
struct memory_extra { /* step.extra of ld and st */
  enum transfer transfer;
  enum access_space space;
  unsigned bytes;    /* of one element */
  unsigned n;        /* elements: 1, 2, 4, 8 */
  bool wide_address; /* base register has 64 bits */
  bool has_base;
  slot elements[8];
};
enum { /* step.flags of ld and st */
       MEMORY_ACQUIRE = 1,
       MEMORY_RELEASE = 2,
       MEMORY_VOLATILE = 4
};

/* Conversions that have a handler of their own. */
enum convert_plain {
  CONVERT_U32_U64,
  CONVERT_S32_S64,
  CONVERT_64_32,
  CONVERT_F32_F64,
  CONVERT_S32_F32,
  CONVERT_U32_F32,
  CONVERT_S32_F64,
  CONVERT_PLAIN
};
enum { CONVERT_RN, CONVERT_RZ, CONVERT_RM, CONVERT_RP, CONVERT_RNA };
struct convert_extra {
  enum ptx_type to, from;
  unsigned to_bytes, from_bytes; /* of the registers */
  unsigned rounding;
  bool round_to_integer; /* .rni and relatives, also float to float */
  bool saturate, ftz, relu;
  bool finite; /* .satfinite: no infinity */
};

/* What a memory request costs: sectors or words, or passes of the banks. */
struct request_cost {
  unsigned units, wavefronts, ideal;
};

struct request;
struct lane_fetch;
struct multiplication;
struct lane_handlers {
  step_function *plain[LANE_OPS];
  step_function *modified[LANE_OPS]; /* FLOAT rows */
  step_function *compare[COMPARE_TYPES][COMPARISONS];
  step_function *select16, *select32, *select64;
  step_function *select_by_sign[2][3]; /* slct: .s32 or .f32; 16, 32, 64 */
  step_function *test_property[2];     /* testp: f32, f64 */
  step_function *convert;              /* any to any, by step.extra */
  step_function *convert_plain[CONVERT_PLAIN]; /* the frequent ones */
  step_function *load[TRANSFERS], *store[TRANSFERS];
  step_function *load_many, *store_many;    /* vectors */
  step_function *load_parameter[TRANSFERS]; /* at a known place; NULL: none */
  /* Addresses of a memory instruction, for those that live elsewhere. */
  bool (*resolve)(struct warp *w, const struct step *s, struct request *r);
  /* A texture fetch: see texture.h. */
  bool (*texture)(const struct lane_fetch *fetch, uint32_t *const out[4]);
  /* A product of matrices: see multiplication.h. */
  void (*multiply)(struct multiplication *product);
  /* For tests; `patterns` is a worker's. */
  struct request_cost (*cost)(enum fault_space space, const uint64_t *address,
                              uint32_t mask, unsigned bytes, bool is_load,
                              struct bank_pattern *patterns, uint32_t key);
};

const struct lane_handlers *lane_handlers(void);

#endif
