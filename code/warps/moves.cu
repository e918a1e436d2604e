/* Whose number each lane of a warp gets from a shuffle, and whose numbers are
 * in its sum after each exchange. Every lane begins with its own number.
 *
 *   nvcc -I code code/warps/moves.cu -o moves && ./moves */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { WARP = 32, N_EXCHANGES = 5 };
#define ALL_LANES 0xffffffffu

typedef enum { INDEX, UP, DOWN, XOR, N_FUNCTIONS } function;

static const char *const names[N_FUNCTIONS] = {"index", "up", "down", "xor"};

/* What each of them is called with here. */
static const int arguments[N_FUNCTIONS] = {5, 1, 4, 4};

__device__ int shuffled(function f, int x, int argument)
{
  switch (f) {
  case INDEX:
    return __shfl_sync(ALL_LANES, x, argument);
  case UP:
    return __shfl_up_sync(ALL_LANES, x, argument);
  case DOWN:
    return __shfl_down_sync(ALL_LANES, x, argument);
  default:
    return __shfl_xor_sync(ALL_LANES, x, argument);
  }
}

__global__ void shuffle_once(int *from, function f, int argument)
{
  int lane = threadIdx.x;
  from[lane] = shuffled(f, lane, argument);
}

/* Each lane's number is a bit of its own, so that a sum says what is in it. */
__global__ void sum_by_exchanges(int *from, unsigned *holds)
{
  int lane = threadIdx.x, step = 0;
  unsigned sum = 1u << lane;
  for (int distance = WARP / 2; distance > 0; distance /= 2, step++) {
    from[step * WARP + lane] = __shfl_xor_sync(ALL_LANES, lane, distance);
    sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    holds[step * WARP + lane] = sum;
  }
}

typedef struct {
  int from[N_FUNCTIONS][WARP];            /* of one shuffle */
  int exchanged[N_EXCHANGES][WARP];       /* with whom, step by step */
  unsigned holds[N_EXCHANGES][WARP];      /* and what is in the sum then */
} moves;

static void run(moves *m)
{
  int *d_from;
  unsigned *d_holds;
  CUDA_CHECK(cudaMalloc(&d_from, sizeof m->exchanged));
  CUDA_CHECK(cudaMalloc(&d_holds, sizeof m->holds));
  for (int f = 0; f < N_FUNCTIONS; f++) {
    shuffle_once<<<1, WARP>>>(d_from, (function)f, arguments[f]);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(m->from[f], d_from, sizeof m->from[f],
                          cudaMemcpyDeviceToHost));
  }
  sum_by_exchanges<<<1, WARP>>>(d_from, d_holds);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(m->exchanged, d_from, sizeof m->exchanged,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(m->holds, d_holds, sizeof m->holds,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_from));
  CUDA_CHECK(cudaFree(d_holds));
}

/* What the programming guide promises. A lane without a partner keeps its
 * own. */
static int expected(function f, int lane, int argument)
{
  switch (f) {
  case INDEX:
    return argument;
  case UP:
    return lane < argument ? lane : lane - argument;
  case DOWN:
    return lane + argument < WARP ? lane + argument : lane;
  default:
    return lane ^ argument;
  }
}

static int check(const moves *m)
{
  int n_wrong = 0;
  for (int lane = 0; lane < WARP; lane++) {
    for (int f = 0; f < N_FUNCTIONS; f++)
      n_wrong += m->from[f][lane] !=
                 expected((function)f, lane, arguments[f]);
    unsigned holds = 1u << lane;
    for (int step = 0, distance = WARP / 2; step < N_EXCHANGES;
         step++, distance /= 2) {
      n_wrong += m->exchanged[step][lane] != (lane ^ distance);
      /* The other lane's sum holds the same lanes, moved by the distance. */
      unsigned other = step == 0 ? 1u << (lane ^ distance)
                                 : m->holds[step - 1][lane ^ distance];
      holds |= other;
      n_wrong += m->holds[step][lane] != holds;
    }
    n_wrong += holds != 0xffffffffu;
  }
  if (n_wrong > 0)
    fprintf(stderr, "error: %d lanes got something else\n", n_wrong);
  return n_wrong;
}

static void print_csv(const moves *m)
{
  printf("version,argument,lane,from,holds\n");
  for (int f = 0; f < N_FUNCTIONS; f++)
    for (int lane = 0; lane < WARP; lane++)
      printf("%s,%d,%d,%d,%u\n", names[f], arguments[f], lane,
             m->from[f][lane], 1u << m->from[f][lane]);
  for (int step = 0; step < N_EXCHANGES; step++)
    for (int lane = 0; lane < WARP; lane++)
      printf("sum,%d,%d,%d,%u\n", WARP / 2 >> step, lane,
             m->exchanged[step][lane], m->holds[step][lane]);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "who gets what from a shuffle",
                            "moves", "");
  moves m;
  if (o.count)
    options_fail(&o, "--count: this program only prints");
  run(&m);
  if (check(&m) > 0)
    return EXIT_FAILURE;
  if (o.csv)
    print_csv(&m);
  else
    fprintf(options_remarks(&o), "every lane got what it should\n");
  return EXIT_SUCCESS;
}
