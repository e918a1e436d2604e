/* One warp makes one request of cp.async, in many patterns of sources and
 * destinations, by way of L1 and past it. Prints a row for each launch; what a
 * device counts is compared by the script `compare`. */
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, GLOBAL_BYTES = 65536, SHARED_BYTES = 32768, IDLE = -1 };

/* Where a lane copies from and to, in units of what it copies. */
typedef struct {
  short from[LANES], to[LANES];
} places;

static __device__ unsigned shared_address(const void *at)
{
  return (unsigned)__cvta_generic_to_shared(at);
}

template <int BYTES>
__global__ void copy_past_l1(const char *from, char *out, places p)
{
  extern __shared__ __align__(1024) char shared[];
  int lane = threadIdx.x;
  if (p.to[lane] != IDLE)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     shared_address(shared) + p.to[lane] * BYTES),
                 "l"(from + p.from[lane] * BYTES)
                 : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  if (!from)
    out[lane] = shared[lane];
}

template <int BYTES>
__global__ void copy_by_l1(const char *from, char *out, places p)
{
  extern __shared__ __align__(1024) char shared[];
  int lane = threadIdx.x;
  if (p.to[lane] != IDLE)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     shared_address(shared) + p.to[lane] * BYTES),
                 "l"(from + p.from[lane] * BYTES), "n"(BYTES)
                 : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  if (!from)
    out[lane] = shared[lane];
}

/* ---- patterns ----------------------------------------------------------- */

static int in_order(int lane) { return lane; }
static int one_on(int lane) { return lane + 1; }
static int two_on(int lane) { return lane + 2; }
static int three_on(int lane) { return lane + 3; }
static int four_on(int lane) { return lane + 4; }
static int five_on(int lane) { return lane + 5; }
static int seven_on(int lane) { return lane + 7; }
static int backwards(int lane) { return 31 - lane; }
static int swapped_pairs(int lane) { return lane ^ 1; }
static int swapped_fours(int lane) { return lane ^ 4; }
static int swapped_eights(int lane) { return lane ^ 8; }
static int rows_of_4_in_5(int lane) { return lane / 4 * 5 + lane % 4; }
static int rows_of_4_in_6(int lane) { return lane / 4 * 6 + lane % 4; }
static int rows_of_4_in_8(int lane) { return lane / 4 * 8 + lane % 4; }
static int rows_of_8_in_9(int lane) { return lane / 8 * 9 + lane % 8; }
static int rows_of_8_in_10(int lane) { return lane / 8 * 10 + lane % 8; }
static int rows_of_16_in_17(int lane) { return lane / 16 * 17 + lane % 16; }
static int rows_of_2_in_3(int lane) { return lane / 2 * 3 + lane % 2; }
static int rows_of_2_in_8(int lane) { return lane / 2 * 8 + lane % 2; }
static int stride_2(int lane) { return lane * 2; }
static int stride_3(int lane) { return lane * 3; }
static int stride_5(int lane) { return lane * 5; }
static int stride_8(int lane) { return lane * 8; }
static int stride_9(int lane) { return lane * 9; }
static int swizzled(int lane) { return lane ^ lane / 8; }
static int swizzled_rows(int lane) { return lane / 8 * 8 + (lane ^ 5) % 8; }
static int even_and_odd(int lane) { return lane % 2 * 16 + lane / 2; }
static int first_half(int lane) { return lane < 16 ? lane + 1 : IDLE; }
static int odd_lanes(int lane) { return lane % 2 ? lane + 1 : IDLE; }
static int one_lane(int lane) { return lane ? IDLE : 1; }
static int two_lanes(int lane) { return lane < 2 ? lane * 8 : IDLE; }
static int two_lanes_close(int lane) { return lane < 2 ? lane + 7 : IDLE; }

/* Places at random, each at most once, among `n`. */
static void shuffle(short *places, int n, unsigned seed)
{
  static short all[256];
  unsigned state = seed * 2654435761u + 12345u;
  for (int i = 0; i < n; i++)
    all[i] = (short)i;
  for (int i = 0; i < LANES; i++) {
    state = state * 1664525u + 1013904223u;
    int j = i + (int)((state >> 8) % (unsigned)(n - i));
    short kept = all[i];
    all[i] = all[j];
    all[j] = kept;
    places[i] = all[i];
  }
}

typedef struct {
  const char *name;
  int (*from)(int), (*to)(int);
} pattern;

static const pattern patterns[] = {
  { "in_order", in_order, in_order },
  { "to_one_on", in_order, one_on },
  { "to_two_on", in_order, two_on },
  { "to_three_on", in_order, three_on },
  { "to_four_on", in_order, four_on },
  { "to_five_on", in_order, five_on },
  { "to_seven_on", in_order, seven_on },
  { "from_one_on", one_on, in_order },
  { "from_two_on", two_on, in_order },
  { "both_one_on", one_on, one_on },
  { "from_one_to_two_on", one_on, two_on },
  { "to_backwards", in_order, backwards },
  { "from_backwards", backwards, in_order },
  { "to_swapped_pairs", in_order, swapped_pairs },
  { "to_swapped_fours", in_order, swapped_fours },
  { "to_swapped_eights", in_order, swapped_eights },
  { "from_swapped_eights", swapped_eights, in_order },
  { "to_rows_of_4_in_5", in_order, rows_of_4_in_5 },
  { "to_rows_of_4_in_6", in_order, rows_of_4_in_6 },
  { "to_rows_of_4_in_8", in_order, rows_of_4_in_8 },
  { "to_rows_of_8_in_9", in_order, rows_of_8_in_9 },
  { "to_rows_of_8_in_10", in_order, rows_of_8_in_10 },
  { "to_rows_of_16_in_17", in_order, rows_of_16_in_17 },
  { "to_rows_of_2_in_3", in_order, rows_of_2_in_3 },
  { "to_rows_of_2_in_8", in_order, rows_of_2_in_8 },
  { "from_rows_of_4_in_5", rows_of_4_in_5, in_order },
  { "from_rows_of_2_in_3", rows_of_2_in_3, in_order },
  { "from_rows_of_2_in_8", rows_of_2_in_8, in_order },
  { "to_stride_2", in_order, stride_2 },
  { "to_stride_3", in_order, stride_3 },
  { "to_stride_5", in_order, stride_5 },
  { "to_stride_8", in_order, stride_8 },
  { "to_stride_9", in_order, stride_9 },
  { "from_stride_2", stride_2, in_order },
  { "from_stride_3", stride_3, in_order },
  { "from_stride_8", stride_8, in_order },
  { "both_stride_2", stride_2, stride_2 },
  { "both_stride_8", stride_8, stride_8 },
  { "to_swizzled", in_order, swizzled },
  { "to_swizzled_rows", in_order, swizzled_rows },
  { "rows_of_8_swizzled", rows_of_8_in_10, swizzled },
  { "to_even_and_odd", in_order, even_and_odd },
  { "from_even_and_odd", even_and_odd, in_order },
  { "to_first_half", in_order, first_half },
  { "to_odd_lanes", in_order, odd_lanes },
  { "to_one_lane", in_order, one_lane },
  { "to_two_lanes", in_order, two_lanes },
  { "to_two_lanes_close", in_order, two_lanes_close },
};
enum { N_PATTERNS = sizeof patterns / sizeof patterns[0], N_RANDOM = 19 };

/* The random ones: places among few or many, sources or destinations alone, or
 * both. */
static void place(int number, places *p, char *name)
{
  if (number < N_PATTERNS) {
    const pattern *one = &patterns[number];
    for (int l = 0; l < LANES; l++) {
      p->from[l] = (short)one->from(l);
      p->to[l] = (short)one->to(l);
    }
    sprintf(name, "%s", one->name);
    return;
  }
  unsigned seed = (unsigned)(number - N_PATTERNS);
  int n = seed / 3 % 2 ? 128 : LANES;
  for (int l = 0; l < LANES; l++)
    p->from[l] = p->to[l] = (short)l;
  if (seed % 3 != 1)
    shuffle(p->to, n, seed);
  if (seed % 3 != 0)
    shuffle(p->from, n, seed + 1000);
  sprintf(name, "random_%u", seed);
}

typedef void kernel(const char *, char *, places);

static void run(const char *cache, int bytes, kernel *copy, const char *d_from)
{
  for (int i = 0; i < N_PATTERNS + N_RANDOM; i++) {
    places p;
    char name[64];
    place(i, &p, name);
    copy<<<1, LANES, SHARED_BYTES>>>(d_from, NULL, p);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(error));
      exit(1);
    }
    printf("%s,%d,%s\n", cache, bytes, name);
  }
}

int main(void)
{
  char *d_from;
  if (cudaMalloc(&d_from, GLOBAL_BYTES) != cudaSuccess ||
      cudaMemset(d_from, 0, GLOBAL_BYTES) != cudaSuccess)
    return 1;
  printf("cache,bytes,pattern\n");
  run("past_l1", 16, copy_past_l1<16>, d_from);
  run("by_l1", 16, copy_by_l1<16>, d_from);
  run("by_l1", 8, copy_by_l1<8>, d_from);
  run("by_l1", 4, copy_by_l1<4>, d_from);
  cudaFree(d_from);
  return 0;
}
