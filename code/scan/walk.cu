/* How far each tile looks back, and when: the scans in one pass with notes
 * taken on the way, on the clock that all multiprocessors share.
 *
 *   nvcc -I code code/scan/walk.cu -o walk && ./walk */
#include <stddef.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "hardware/clocks.h"
#include "scan/look_back.h"

enum {
  BLOCK_THREADS = 256,
  ROWS = 4,
  TILE = BLOCK_THREADS / WARP_THREADS * ROWS * ROW,   /* elements */
  N_TILES = 16384,       /* of the scan that is recorded */
  N_SHOWN = 128          /* tiles that are printed, twice */
};

typedef unsigned long long nanosecond;

/* What happened to a tile. */
typedef struct {
  nanosecond start, told, known, end;  /* its own sum, all before, stored */
  unsigned multiprocessor;
  unsigned farthest;     /* the last tile whose sum it added, or itself */
  unsigned asked;        /* how many states were read, one by one or at once */
} walk;

/* Each way returns the sum of the tiles before, to thread 0. */
typedef enum { CHAINED, ONE_THREAD, ONE_WARP } way;

/* Waits for the tile before, which knows everything. */
static __device__ unsigned wait_for_one(tile_state *states, unsigned tile,
                                        walk *notes)
{
  unsigned known = 0, how_far = tile == 0 ? SUM_TO_HERE : NOTHING;
  while (how_far != SUM_TO_HERE) {
    how_far = ask(&states[tile - 1], &known);
    notes->asked++;
  }
  notes->farthest = tile == 0 ? 0 : tile - 1;
  return known;
}

static __device__ unsigned walk_back(tile_state *states, unsigned tile,
                                     walk *notes)
{
  unsigned known = 0;
  for (long asked = (long)tile - 1; asked >= 0;) {
    unsigned found, how_far = ask(&states[asked], &found);
    notes->asked++;
    if (how_far == NOTHING)
      continue;
    known += found;
    notes->farthest = (unsigned)asked;
    if (how_far == SUM_TO_HERE)
      break;
    asked--;
  }
  return known;
}

/* As look_back of look_back.h; lane 0's notes count. */
static __device__ unsigned walk_back_by_warp(tile_state *states,
                                             unsigned tile, walk *notes)
{
  unsigned lane = threadIdx.x % WARP_THREADS;
  unsigned before = 0;
  for (long nearest = (long)tile - 1;; nearest -= WARP_THREADS) {
    long asked = nearest - lane;
    unsigned known, sum, wanted, found;
    do {
      sum = 0;
      known = asked < 0 ? SUM_TO_HERE : ask(&states[asked], &sum);
      found = __ballot_sync(ALL_LANES, known == SUM_TO_HERE);
      wanted = found ? found ^ (found - 1) : ALL_LANES;
      notes->asked += __popc(__ballot_sync(ALL_LANES, asked >= 0));
    } while (__ballot_sync(ALL_LANES, known == NOTHING) & wanted);
    before += __reduce_add_sync(ALL_LANES, wanted >> lane & 1 ? sum : 0);
    if (found) {
      long last = nearest - (__ffs((int)found) - 1);
      notes->farthest = last < 0 ? 0 : (unsigned)last;
      return before;
    }
  }
}

template <way WAY> __global__ void __launch_bounds__(BLOCK_THREADS)
    scan_with_notes(unsigned *out, const unsigned *in, size_t n,
                    one_pass *work, walk *walks)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS], tiles_before;
  unsigned tile = take_ticket(&work->next_tile);
  walk notes = {nanoseconds(), 0, 0, 0, this_multiprocessor(), tile, 0};
  lane_rows<ROWS> mine;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  unsigned sum = scan_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = warps_before(warp_sums, &total);
  if (threadIdx.x < (WAY == ONE_WARP ? WARP_THREADS : 1)) {
    unsigned known;
    notes.told = nanoseconds();
    if (WAY != CHAINED && threadIdx.x == 0)
      tell(&work->states[tile], OWN_SUM, total);
    if (WAY == CHAINED)
      known = wait_for_one(work->states, tile, &notes);
    else if (WAY == ONE_THREAD)
      known = walk_back(work->states, tile, &notes);
    else
      known = walk_back_by_warp(work->states, tile, &notes);
    if (threadIdx.x == 0) {
      tell(&work->states[tile], SUM_TO_HERE, known + total);
      tiles_before = known;
    }
    notes.known = nanoseconds();
  }
  __syncthreads();
  store_rows(&mine, out, at, n, tiles_before + before);
  if (threadIdx.x == 0) {
    notes.end = nanoseconds();
    walks[tile] = notes;
  }
}

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(unsigned *out, const unsigned *in, size_t n, one_pass *work,
                 walk *walks);
} version;

static const version versions[] = {
  {"chained", "each tile waits for the one before",
   scan_with_notes<CHAINED>},
  {"one_looks_back", "one thread asks tile after tile",
   scan_with_notes<ONE_THREAD>},
  {"warp_looks_back", "a warp asks 32 tiles at once",
   scan_with_notes<ONE_WARP>},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Scans `n` elements `n_launches` times; returns the notes of the last one. */
static walk *record(const version *v, const unsigned *h_in, unsigned *h_out,
                    size_t n, int n_launches)
{
  size_t n_tiles = tiles_for(n, TILE), n_bytes = n * sizeof(unsigned);
  walk *h_walks = (walk *)malloc(n_tiles * sizeof(walk)), *d_walks;
  unsigned *d_in, *d_out;
  one_pass *d_work;
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_work, (n_tiles + 1) * sizeof(tile_state)));
  CUDA_CHECK(cudaMalloc(&d_walks, n_tiles * sizeof(walk)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes);
  for (int launch = 0; launch < n_launches; launch++) {
    zero_states(d_work, n_tiles);
    v->kernel<<<(unsigned)n_tiles, BLOCK_THREADS>>>(d_out, d_in, n, d_work,
                                                    d_walks);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_walks, d_walks, n_tiles * sizeof(walk),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
  CUDA_CHECK(cudaFree(d_walks));
  return h_walks;
}

/* No tile looks ahead, and none adds a sum that it has not asked for. The
 * first one has nothing to ask. */
static int notes_are_possible(const char *name, const walk *walks,
                              size_t n_tiles)
{
  for (size_t tile = 0; tile < n_tiles; tile++) {
    const walk *w = &walks[tile];
    size_t far = tile - w->farthest;
    if (w->farthest > tile || w->asked < far || (tile > 0 && far == 0) ||
        (tile == 0 && w->asked > 0)) {
      fprintf(stderr, "%s: error: tile %zu says that it looked at %u, with %u "
              "questions\n", name, tile, w->farthest, w->asked);
      return 0;
    }
  }
  return 1;
}

/* Returns the notes if all is right, else NULL. */
static walk *checked_record(const version *v, uint64_t seed, size_t n,
                            int n_launches)
{
  unsigned *h_in = (unsigned *)malloc(n * sizeof(unsigned));
  unsigned *h_out = (unsigned *)malloc(n * sizeof(unsigned)), sum = 0;
  random_source source = random_from_seed(seed);
  random_fill_bytes(&source, h_in, n * sizeof(unsigned));
  walk *walks = record(v, h_in, h_out, n, n_launches);
  for (size_t i = 0; i < n; i++) {    /* the expected value takes in's place */
    unsigned x = h_in[i];
    h_in[i] = sum;
    sum += x;
  }
  if (!compare_ints(v->name, (const int *)h_in, (const int *)h_out, n) ||
      !notes_are_possible(v->name, walks, tiles_for(n, TILE))) {
    free(walks);
    walks = NULL;
  }
  free(h_in);
  free(h_out);
  return walks;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 4096, 4097, 40 * TILE + 11};
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name)) {
        walk *walks = checked_record(&versions[i], o->seed, sizes[s], 1);
        n_bad += walks == NULL;
        free(walks);
      }
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every walk ends with the reference's scan (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* The first tiles, which start together, and some from the middle, where old
 * tiles make place for new ones. Time 0 is the first one's start. */
static int print_walks(const options *o)
{
  printf("version,tile,multiprocessor,start_us,told_us,known_us,end_us,"
         "farthest,asked\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    walk *walks = checked_record(&versions[i], o->seed, (size_t)N_TILES * TILE,
                                 3);
    if (!walks)
      return EXIT_FAILURE;
    nanosecond zero = walks[0].start;
    for (unsigned tile = 0; tile < N_TILES; tile++)
      if (walks[tile].start < zero)
        zero = walks[tile].start;
    for (unsigned k = 0; k < 2 * N_SHOWN; k++) {
      unsigned tile = k < N_SHOWN ? k : N_TILES / 2 + k - N_SHOWN;
      const walk *w = &walks[tile];
      printf("%s,%u,%u,%.3f,%.3f,%.3f,%.3f,%u,%u\n", versions[i].name, tile,
             w->multiprocessor, 1e-3 * (double)(w->start - zero),
             1e-3 * (double)(w->told - zero), 1e-3 * (double)(w->known - zero),
             1e-3 * (double)(w->end - zero), w->farthest, w->asked);
    }
    free(walks);
  }
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "when tiles know what", "walk", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (!o.csv)
    return check(&o) > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
  if (!timing_is_possible())
    return EXIT_SKIPPED;
  return print_walks(&o);
}
