/* Calculates new values and exchanges them by the host's atomic operations.
 * Loads and stores with an order are here, too, and vectors that must not
 * tear. */
#include "atomic.h"

#include <pthread.h>
#include <string.h>

#include "lanes/access.h"
#include "lanes/half.h"

/* The new value for `old`, in the low bits. */
static u64 integer_value(const struct atomic_extra *x, u64 old, u64 b, u64 c)
{
  switch (x->op) {
  case ATOMIC_AND: return old & b;
  case ATOMIC_OR: return old | b;
  case ATOMIC_XOR: return old ^ b;
  case ATOMIC_ADD: return old + b;
  case ATOMIC_INC: return (u32)old >= (u32)b ? 0 : old + 1;
  case ATOMIC_DEC: return old == 0 || (u32)old > (u32)b ? b : old - 1;
  case ATOMIC_EXCH: return b;
  case ATOMIC_CAS: return old == b ? c : old;
  default: break;
  }
  if (x->type == TYPE_S32)
    old = (u64)(s64)(s32)old, b = (u64)(s64)(s32)b;
  if (ptx_type_is_signed(x->type))
    return ((s64)old < (s64)b) == (x->op == ATOMIC_MIN) ? old : b;
  return (old < b) == (x->op == ATOMIC_MIN) ? old : b;
}

static f64 half_combined(enum atomic_op op, f64 a, f64 b)
{
  return op == ATOMIC_MIN   ? min_f64(a, b)
         : op == ATOMIC_MAX ? max_f64(a, b)
                            : a + b;
}

static u16 half_value(enum atomic_op op, u64 a, u64 b)
{
  return half_from_f64(
      half_combined(op, f32_from_half((u16)a), f32_from_half((u16)b)), 0);
}

static u16 bf16_value(enum atomic_op op, u64 a, u64 b)
{
  return bf16_from_f64(
      half_combined(op, f32_from_bf16((u16)a), f32_from_bf16((u16)b)), 0);
}

/* PTX ISA: on global memory, atomic addition of .f32 flushes subnormals. */
static f32 sum_f32(f32 a, f32 b, bool flush)
{
  if (!flush)
    return one_nan_f32(a + b);
  return flush_f32(one_nan_f32(flush_f32(a) + flush_f32(b)));
}

static u64 new_value(const struct atomic_extra *x, u64 old, u64 b, u64 c,
                     bool global)
{
  switch (x->type) {
  case TYPE_F32:
    return bits_f32(sum_f32(f32_bits((u32)old), f32_bits((u32)b), global));
  case TYPE_F64:
    return bits_f64(
        made_f64(f64_bits(old) + f64_bits(b), f64_bits(old), f64_bits(b)));
  case TYPE_F16: return half_value(x->op, old, b);
  case TYPE_BF16: return bf16_value(x->op, old, b);
  case TYPE_F16X2:
    return half_value(x->op, old, b) |
           (u32)half_value(x->op, old >> 16, b >> 16) << 16;
  case TYPE_BF16X2:
    return bf16_value(x->op, old, b) |
           (u32)bf16_value(x->op, old >> 16, b >> 16) << 16;
  default: return integer_value(x, old, b, c);
  }
}

#define UPDATE(bits)                                                           \
  static u64 update_##bits(u##bits *at, const struct atomic_extra *x, u64 b,   \
                           u64 c, bool global)                                 \
  {                                                                            \
    u##bits old = __atomic_load_n(at, __ATOMIC_RELAXED), new;                  \
    do                                                                         \
      new = (u##bits)new_value(x, old, b, c, global);                          \
    while (!__atomic_compare_exchange_n(at, &old, new, false,                  \
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));  \
    return old;                                                                \
  }
UPDATE(16)
UPDATE(32)
UPDATE(64)

static u64 update(void *at, unsigned bytes, const struct atomic_extra *x, u64 b,
                  u64 c, bool global)
{
  if (bytes == 4 && x->op == ATOMIC_ADD && !ptx_type_is_float(x->type))
    return __atomic_fetch_add((u32 *)at, (u32)b, __ATOMIC_SEQ_CST);
  if (bytes == 8)
    return update_64(at, x, b, c, global);
  return bytes == 4 ? update_32(at, x, b, c, global)
                    : update_16(at, x, b, c, global);
}

void atomic_update(void *at, const struct atomic_extra *extra, uint64_t b,
                   bool flushes)
{
  update(at, extra->memory.bytes, extra, b, 0, flushes);
}

static u64 lane_value(const struct warp *w, slot s, unsigned bytes, unsigned l)
{
  if (bytes == 8)
    return ((const u64 *)slot_at(w, s))[l];
  return bytes == 4 ? ((const u32 *)slot_at(w, s))[l]
                    : ((const u16 *)slot_at(w, s))[l];
}

static void set_lane(struct warp *w, slot s, unsigned bytes, unsigned l,
                     u64 value)
{
  if (bytes == 8)
    ((u64 *)slot_at(w, s))[l] = value;
  else if (bytes == 4)
    ((u32 *)slot_at(w, s))[l] = (u32)value;
  else
    ((u16 *)slot_at(w, s))[l] = (u16)value;
}

/* 16 aligned bytes in one access: hardware does not tear it, and programs that
 * keep a flag beside its value (CUB's scan) rely on that. An x86-64 processor with
 * AVX doesn't either. Of arm64's, only those since 8.4 promise that of an ordinary
 * access; on all of them, what was read is from one moment if storing it again
 * succeeds. */
#ifdef __aarch64__

static void wide_load(void *at, void *to)
{
  u64 low, high;
  u32 failed;

  __asm__ volatile("1: ldxp %0, %1, [%3]\n"
                   "   stxp %w2, %0, %1, [%3]\n"
                   "   cbnz %w2, 1b"
                   : "=&r"(low), "=&r"(high), "=&r"(failed)
                   : "r"(at)
                   : "memory");
  memcpy(to, (u64[]){ low, high }, 16);
}

static void wide_store(void *at, const void *from)
{
  u64 words[2], low, high;
  u32 failed;

  memcpy(words, from, 16);
  __asm__ volatile("1: ldxp %0, %1, [%3]\n"
                   "   stxp %w2, %4, %5, [%3]\n"
                   "   cbnz %w2, 1b"
                   : "=&r"(low), "=&r"(high), "=&r"(failed)
                   : "r"(at), "r"(words[0]), "r"(words[1])
                   : "memory");
}

#else

typedef u64 two_words __attribute__((vector_size(16), aligned(8)));

static void wide_load(const void *at, void *to)
{
  two_words words = *(const volatile two_words *)at;

  memcpy(to, &words, 16);
}

static void wide_store(void *at, const void *from)
{
  two_words words;

  memcpy(&words, from, 16);
  *(volatile two_words *)at = words;
}

#endif

/* 128 bits, exchanged or compared: one at a time in the whole process. */
static void update_wide(struct warp *w, const struct step *s, unsigned l,
                        void *at)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const struct atomic_extra *x = s->extra;
  u8 old[16];

  pthread_mutex_lock(&lock);
  wide_load(at, old);
  if (x->op == ATOMIC_EXCH)
    wide_store(at, (u8 *)slot_at(w, s->b) + 16 * l);
  else if (memcmp(old, (u8 *)slot_at(w, s->b) + 16 * l, 16) == 0)
    wide_store(at, (u8 *)slot_at(w, s->c) + 16 * l);
  pthread_mutex_unlock(&lock);
  if (x->has_result)
    memcpy((u8 *)slot_at(w, s->d) + 16 * l, old, 16);
}

/* Element by element: atomic each, not together. */
static void update_vector(struct warp *w, const struct atomic_extra *x,
                          unsigned l, u8 *at)
{
  unsigned bytes = x->memory.bytes;
  u64 old[8];

  for (unsigned i = 0; i < x->memory.n; i++)
    old[i] = update(at + i * bytes, bytes, x,
                    lane_value(w, x->memory.elements[i], bytes, l), 0, true);
  for (unsigned i = 0; x->has_result && i < x->memory.n; i++)
    set_lane(w, x->results[i], bytes, l, old[i]);
}

static const struct step *run_large(struct warp *w, const struct step *s,
                                    const struct request *r)
{
  const struct atomic_extra *x = s->extra;

  for (u32 m = r->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    if (x->memory.n > 1)
      update_vector(w, x, l, request_lane(r, l));
    else
      update_wide(w, s, l, request_lane(r, l));
  }
  w->polled = true;
  return s + 1;
}

const struct step *atomic_run(struct warp *w, const struct step *s)
{
  const struct atomic_extra *x = s->extra;
  unsigned bytes = x->memory.bytes;
  struct request r;

  r.mask = step_mask(w, s);
  r.bytes = bytes * x->memory.n;
  r.kind = KIND_ATOMIC;
  if (r.mask == 0)
    return s + 1;
  if (!lane_handlers()->resolve(w, s, &r))
    return NULL;
  if (x->memory.n > 1 || bytes > 8)
    return run_large(w, s, &r);
  for (u32 m = r.mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 b = lane_value(w, s->b, bytes, l);
    u64 c = x->op == ATOMIC_CAS ? lane_value(w, s->c, bytes, l) : 0;
    u64 old =
        update(request_lane(&r, l), bytes, x, b, c, r.space == SPACE_GLOBAL);

    if (x->has_result)
      set_lane(w, s->d, bytes, l, old);
  }
  w->polled = true;
  return s + 1;
}

/* ---- ordered loads and stores -------------------------------------------- */

static const struct {
  unsigned bytes;
  bool is_signed;
  unsigned register_bytes;
} transfers[TRANSFERS] = {
  [TRANSFER_U8_16] = { 1, false, 2 },  [TRANSFER_S8_16] = { 1, true, 2 },
  [TRANSFER_U8_32] = { 1, false, 4 },  [TRANSFER_S8_32] = { 1, true, 4 },
  [TRANSFER_U8_64] = { 1, false, 8 },  [TRANSFER_S8_64] = { 1, true, 8 },
  [TRANSFER_16_16] = { 2, false, 2 },  [TRANSFER_U16_32] = { 2, false, 4 },
  [TRANSFER_S16_32] = { 2, true, 4 },  [TRANSFER_U16_64] = { 2, false, 8 },
  [TRANSFER_S16_64] = { 2, true, 8 },  [TRANSFER_32_32] = { 4, false, 4 },
  [TRANSFER_U32_64] = { 4, false, 8 }, [TRANSFER_S32_64] = { 4, true, 8 },
  [TRANSFER_64_64] = { 8, false, 8 },
};

static u64 read_once(const void *at, unsigned bytes)
{
  switch (bytes) {
  case 1: return __atomic_load_n((const u8 *)at, __ATOMIC_ACQUIRE);
  case 2: return __atomic_load_n((const u16 *)at, __ATOMIC_ACQUIRE);
  case 4: return __atomic_load_n((const u32 *)at, __ATOMIC_ACQUIRE);
  default: return __atomic_load_n((const u64 *)at, __ATOMIC_ACQUIRE);
  }
}

static void write_once(void *at, unsigned bytes, u64 value)
{
  switch (bytes) {
  case 1: __atomic_store_n((u8 *)at, (u8)value, __ATOMIC_RELEASE); break;
  case 2: __atomic_store_n((u16 *)at, (u16)value, __ATOMIC_RELEASE); break;
  case 4: __atomic_store_n((u32 *)at, (u32)value, __ATOMIC_RELEASE); break;
  default: __atomic_store_n((u64 *)at, value, __ATOMIC_RELEASE); break;
  }
}

static bool ordered_request(struct warp *w, const struct step *s,
                            enum access_kind kind, struct request *r)
{
  const struct memory_extra *x = s->extra;

  r->mask = step_mask(w, s);
  r->bytes = x->bytes * x->n;
  r->kind = kind;
  w->polled = true;
  return r->mask == 0 || lane_handlers()->resolve(w, s, r);
}

const struct step *atomic_load_lanes(struct warp *w, const struct step *s)
{
  const struct memory_extra *x = s->extra;
  unsigned drop = 64 - 8 * x->bytes;
  struct request r;

  if (!ordered_request(w, s, KIND_LOAD, &r))
    return NULL;
  for (u32 m = r.mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 value = read_once(request_lane(&r, l), x->bytes);

    if (transfers[x->transfer].is_signed)
      value = (u64)((s64)(value << drop) >> drop);
    set_lane(w, s->d, transfers[x->transfer].register_bytes, l, value);
  }
  return s + 1;
}

const struct step *atomic_store_lanes(struct warp *w, const struct step *s)
{
  const struct memory_extra *x = s->extra;
  struct request r;
  unsigned turn;

  if (!ordered_request(w, s, KIND_STORE, &r))
    return NULL;
  turn = stored_together(r.bytes) - 1;
  for (u32 m = turned_mask(r.mask, turn); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m) ^ turn;

    write_once(request_lane(&r, l), x->bytes,
               lane_value(w, s->d, transfers[x->transfer].register_bytes, l));
  }
  return s + 1;
}

/* ---- ordered vectors ------------------------------------------------------ */

/* A vector of up to 16 bytes, aligned to its size, is one access. Longer ones are
 * done by 16 bytes. */
static void read_vector(char *at, unsigned bytes, char *to)
{
  for (unsigned i = 0; i < bytes; i += 16)
    if (bytes - i >= 16) {
      wide_load(at + i, to + i);
    } else {
      u64 word = read_once(at + i, bytes - i);

      memcpy(to + i, &word, bytes - i);
    }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static void write_vector(char *at, unsigned bytes, const char *from)
{
  __atomic_thread_fence(__ATOMIC_RELEASE);
  for (unsigned i = 0; i < bytes; i += 16)
    if (bytes - i >= 16) {
      wide_store(at + i, from + i);
    } else {
      u64 word = 0;

      memcpy(&word, from + i, bytes - i);
      write_once(at + i, bytes - i, word);
    }
}

const struct step *atomic_load_vector(struct warp *w, const struct step *s)
{
  const struct memory_extra *x = s->extra;
  unsigned drop = 64 - 8 * x->bytes;
  char vector[32];
  struct request r;

  if (!ordered_request(w, s, KIND_LOAD, &r))
    return NULL;
  for (u32 m = r.mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    read_vector(request_lane(&r, l), x->bytes * x->n, vector);
    for (unsigned i = 0; i < x->n; i++) {
      u64 value = 0;

      memcpy(&value, vector + i * x->bytes, x->bytes);
      if (transfers[x->transfer].is_signed)
        value = (u64)((s64)(value << drop) >> drop);
      set_lane(w, x->elements[i], transfers[x->transfer].register_bytes, l,
               value);
    }
  }
  return s + 1;
}

const struct step *atomic_store_vector(struct warp *w, const struct step *s)
{
  const struct memory_extra *x = s->extra;
  char vector[32];
  struct request r;
  unsigned turn;

  if (!ordered_request(w, s, KIND_STORE, &r))
    return NULL;
  turn = stored_together(r.bytes) - 1;
  for (u32 m = turned_mask(r.mask, turn); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m) ^ turn;

    for (unsigned i = 0; i < x->n; i++) {
      u64 value = lane_value(w, x->elements[i],
                             transfers[x->transfer].register_bytes, l);

      memcpy(vector + i * x->bytes, &value, x->bytes);
    }
    write_vector(request_lane(&r, l), x->bytes * x->n, vector);
  }
  return s + 1;
}
