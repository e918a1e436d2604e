/* One warp makes one request to shared memory, in many patterns, for words
 * of 4, 8 and 16 bytes, loads and stores. Prints a row for each launch;
 * what a device counts is set beside it by the script `compare`. */
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, SHARED_BYTES = 16384, IDLE = -1 };

/* ---- which word a lane wants; IDLE: the lane does not take part ---- */

static int in_order(int lane) { return lane; }
static int stride_2(int lane) { return 2 * lane; }
static int stride_3(int lane) { return 3 * lane; }
static int stride_4(int lane) { return 4 * lane; }
static int stride_8(int lane) { return 8 * lane; }
static int stride_16(int lane) { return 16 * lane; }
static int stride_32(int lane) { return 32 * lane; }
static int same_for_all(int lane) { return 5 + 0 * lane; }
static int same_for_pairs(int lane) { return lane / 2; }
static int same_for_fours(int lane) { return lane / 4; }
static int swapped_pairs(int lane) { return lane ^ 1; }
static int mod_8(int lane) { return lane % 8; }
static int mod_16(int lane) { return lane % 16; }
static int shuffled(int lane) { return lane * 7 % 32; }
static int two_columns(int lane) { return lane % 2 * 16 + lane / 2; }
static int same_at_distance_2(int lane) { return lane & ~2; }
static int same_at_distance_4(int lane) { return lane & ~4; }
static int pairs_far_apart(int lane) { return lane / 2 * 8; }
static int distance_2_far_apart(int lane) { return (lane & ~2) * 4; }
static int first_pair_only(int lane) { return lane < 2 ? 5 : lane; }
static int pairs_in_second_half(int lane)
{
  return lane < 16 ? lane : lane / 2;
}
static int two_kinds_of_pairs(int lane)
{
  return lane & 16 ? lane / 2 : lane & ~2;
}
static int halves_alike(int lane) { return lane & 15; }
static int pairs_mod_8(int lane) { return lane / 2 % 8; }
static int first_half(int lane) { return lane < 16 ? lane : IDLE; }
static int first_24(int lane) { return lane < 24 ? lane : IDLE; }
static int odd_lanes(int lane) { return lane % 2 ? lane : IDLE; }
static int even_lanes(int lane) { return lane % 2 ? IDLE : lane; }
static int every_fourth_lane(int lane) { return lane % 4 ? IDLE : lane; }
static int every_eighth_lane(int lane) { return lane % 8 ? IDLE : lane; }
static int bit_1_idle(int lane) { return lane & 2 ? IDLE : lane; }
static int bit_2_idle(int lane) { return lane & 4 ? IDLE : lane; }
static int bit_3_idle(int lane) { return lane & 8 ? IDLE : lane; }
static int one_lane(int lane) { return lane ? IDLE : 0; }
static int first_and_last(int lane)
{
  return lane == 0 || lane == 31 ? lane : IDLE;
}
static int two_in_one_half(int lane)
{
  return lane == 0 || lane == 9 ? lane : IDLE;
}
static int two_alike_in_two_halves(int lane) { return lane % 16 ? IDLE : 7; }
static int pairs_in_first_half_alone(int lane)
{
  return lane & 16 ? IDLE : lane & ~1;
}
static int pairs_and_one_word(int lane) { return lane / 2 % 2 ? 31 : lane / 4; }

/* Random, but the same everywhere: a hash of lane and draw. */
static unsigned hash(unsigned x)
{
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
static int near_1(int lane) { return hash(lane + 100) % 64; }
static int near_2(int lane) { return hash(lane + 200) % 64; }
static int near_3(int lane) { return hash(lane + 300) % 64; }
static int far_1(int lane) { return hash(lane + 400) % 1024; }
static int far_2(int lane) { return hash(lane + 500) % 1024; }
static int far_some_idle(int lane)
{
  return hash(lane + 600) % 3 ? (int)(hash(lane + 700) % 1024) : IDLE;
}
static int pairs_random(int lane) { return hash(lane / 2 + 800) % 1024; }

static const struct {
  const char *name;
  int (*word)(int lane);
} patterns[] = {
#define PATTERN(name)                                                          \
  {                                                                            \
#name, name                                                                \
  }
  PATTERN(in_order),
  PATTERN(stride_2),
  PATTERN(stride_3),
  PATTERN(stride_4),
  PATTERN(stride_8),
  PATTERN(stride_16),
  PATTERN(stride_32),
  PATTERN(same_for_all),
  PATTERN(same_for_pairs),
  PATTERN(same_for_fours),
  PATTERN(swapped_pairs),
  PATTERN(mod_8),
  PATTERN(mod_16),
  PATTERN(shuffled),
  PATTERN(two_columns),
  PATTERN(same_at_distance_2),
  PATTERN(same_at_distance_4),
  PATTERN(pairs_far_apart),
  PATTERN(distance_2_far_apart),
  PATTERN(first_pair_only),
  PATTERN(pairs_in_second_half),
  PATTERN(two_kinds_of_pairs),
  PATTERN(halves_alike),
  PATTERN(pairs_mod_8),
  PATTERN(first_half),
  PATTERN(first_24),
  PATTERN(odd_lanes),
  PATTERN(even_lanes),
  PATTERN(every_fourth_lane),
  PATTERN(every_eighth_lane),
  PATTERN(bit_1_idle),
  PATTERN(bit_2_idle),
  PATTERN(bit_3_idle),
  PATTERN(one_lane),
  PATTERN(first_and_last),
  PATTERN(two_in_one_half),
  PATTERN(two_alike_in_two_halves),
  PATTERN(pairs_in_first_half_alone),
  PATTERN(pairs_and_one_word),
  PATTERN(near_1),
  PATTERN(near_2),
  PATTERN(near_3),
  PATTERN(far_1),
  PATTERN(far_2),
  PATTERN(far_some_idle),
  PATTERN(pairs_random),
};
enum { N_PATTERNS = sizeof patterns / sizeof patterns[0] };

/* ---- kernels: the condition keeps the compiler from dropping the rest -- */

#define KERNELS(bytes, type, set, sum)                                         \
  __global__ void load_##bytes(const int *word, unsigned *out, unsigned one)   \
  {                                                                            \
    __shared__ type data[SHARED_BYTES / bytes];                                \
    int at = word[threadIdx.x];                                                \
    unsigned result = one;                                                     \
    if (one == 2)                                                              \
      data[threadIdx.x] = set;                                                 \
    __syncwarp();                                                              \
    if (at >= 0) {                                                             \
      type value = data[at];                                                   \
      result += sum;                                                           \
    }                                                                          \
    out[threadIdx.x] = result;                                                 \
  }                                                                            \
  __global__ void store_##bytes(const int *word, unsigned *out, unsigned one)  \
  {                                                                            \
    __shared__ type data[SHARED_BYTES / bytes];                                \
    int at = word[threadIdx.x];                                                \
    if (at >= 0)                                                               \
      data[at] = set;                                                          \
    __syncwarp();                                                              \
    if (one == 2) {                                                            \
      type value = data[threadIdx.x];                                          \
      out[threadIdx.x] = sum;                                                  \
    }                                                                          \
  }
KERNELS(4, unsigned, one, value)
KERNELS(8, uint2, make_uint2(one, one), value.x + value.y)
KERNELS(16, uint4, make_uint4(one, one, one, one),
        value.x + value.y + value.z + value.w)

typedef void kernel(const int *word, unsigned *out, unsigned one);
static const struct {
  const char *operation;
  int bytes;
  kernel *kernel;
} accesses[] = { { "load", 4, load_4 },   { "store", 4, store_4 },
                 { "load", 8, load_8 },   { "store", 8, store_8 },
                 { "load", 16, load_16 }, { "store", 16, store_16 } };
enum { N_ACCESSES = sizeof accesses / sizeof accesses[0] };

static void must(cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "wavefronts: error: %s: %s\n", what,
          cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}

int main(void)
{
  int *d_word;
  unsigned *d_out;
  must(cudaMalloc(&d_word, LANES * sizeof *d_word), "cudaMalloc");
  must(cudaMalloc(&d_out, LANES * sizeof *d_out), "cudaMalloc");
  printf("operation,word_bytes,pattern\n");
  for (int a = 0; a < N_ACCESSES; a++)
    for (int p = 0; p < N_PATTERNS; p++) {
      int word[LANES];
      for (int lane = 0; lane < LANES; lane++) {
        word[lane] = patterns[p].word(lane);
        if (word[lane] != IDLE)
          word[lane] %= SHARED_BYTES / accesses[a].bytes;
      }
      must(cudaMemcpy(d_word, word, sizeof word, cudaMemcpyHostToDevice),
           "cudaMemcpy");
      accesses[a].kernel<<<1, LANES>>>(d_word, d_out, 1);
      must(cudaDeviceSynchronize(), patterns[p].name);
      printf("%s,%d,%s\n", accesses[a].operation, accesses[a].bytes,
             patterns[p].name);
    }
  return EXIT_SUCCESS;
}
