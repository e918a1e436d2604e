/* Which thread has which element, and which lanes have none: every thread
 * writes down its place, and the lanes that are with it.
 *
 *   nvcc -I code code/threads/owners.cu -o owners && ./owners --csv=lanes */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"

enum { NOBODY = -1, LINE = 90, N_ROWS = 11, N_COLS = 21 };

typedef struct {
  int lane;            /* of the warp: 0 … 31 */
  unsigned with_me;    /* lanes of the warp that exist, as bits */
  int element;         /* NOBODY if the guard kept the thread out */
} note;

__device__ int lane_here(void)
{
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/* notes: one for each thread of the grid. */
__global__ void note_line(note *notes, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  notes[i].lane = lane_here();
  notes[i].with_me = __activemask();
  if (i < n)
    notes[i].element = i;
}

/* The matrix lies row by row; x runs along its rows. */
__global__ void note_matrix(note *notes, int n_rows, int n_cols)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int in_grid = row * (gridDim.x * blockDim.x) + col;
  notes[in_grid].lane = lane_here();
  notes[in_grid].with_me = __activemask();
  if (row < n_rows && col < n_cols)
    notes[in_grid].element = row * n_cols + col;
}

static int divide_up(int n, int by) { return (n + by - 1) / by; }

static int bits(unsigned mask)
{
  int n = 0;
  for (; mask; mask &= mask - 1)
    n++;
  return n;
}

static note *notes_on_device(int n)
{
  note *d_notes;
  CUDA_CHECK(cudaMalloc(&d_notes, n * sizeof *d_notes));
  poison_device(d_notes, n * sizeof *d_notes);    /* as int: NOBODY */
  return d_notes;
}

static note *notes_to_host(note *d_notes, int n)
{
  note *h_notes = (note *)malloc(n * sizeof *h_notes);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_notes, d_notes, n * sizeof *h_notes,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_notes));
  return h_notes;
}

/* Returns how many elements no thread or more than one thread had. */
static int wrong_owners(const note *notes, int n_threads, int n)
{
  int *owners = (int *)calloc(n, sizeof *owners), n_wrong = 0;
  for (int i = 0; i < n_threads; i++)
    if (notes[i].element >= 0 && notes[i].element < n)
      owners[notes[i].element]++;
    else if (notes[i].element != NOBODY)
      n_wrong++;
  for (int i = 0; i < n; i++)
    n_wrong += owners[i] != 1;
  free(owners);
  return n_wrong;
}

/* Prints its rows if `csv`; returns 1 if all was right. */
static int line(int block_threads, int n, int csv)
{
  int n_blocks = divide_up(n, block_threads);
  int n_threads = n_blocks * block_threads;
  note *d_notes = notes_on_device(n_threads);
  note_line<<<n_blocks, block_threads>>>(d_notes, n);
  note *h_notes = notes_to_host(d_notes, n_threads);
  int n_wrong = wrong_owners(h_notes, n_threads, n);
  int warps = divide_up(block_threads, 32);
  for (int i = 0; i < n_threads; i++) {
    int thread = i % block_threads, warp = thread / 32;
    int exist = warp < warps - 1 ? 32 : block_threads - 32 * (warps - 1);
    n_wrong += h_notes[i].lane != thread % 32;
    n_wrong += bits(h_notes[i].with_me) != exist;
    if (csv)
      printf("%d,%d,%d,%d,%d,%d,%d,%d\n", block_threads, i / block_threads,
             thread, warp, i / block_threads * warps + warp,
             h_notes[i].lane, bits(h_notes[i].with_me), h_notes[i].element);
  }
  free(h_notes);
  if (n_wrong)
    fprintf(stderr, "error: %d elements in blocks of %d: %d owners or "
            "lanes are wrong\n", n, block_threads, n_wrong);
  return n_wrong == 0;
}

static int matrix(dim3 block, int n_rows, int n_cols, int csv)
{
  dim3 grid(divide_up(n_cols, block.x), divide_up(n_rows, block.y));
  int width = grid.x * block.x, height = grid.y * block.y;
  note *d_notes = notes_on_device(width * height);
  note_matrix<<<grid, block>>>(d_notes, n_rows, n_cols);
  note *h_notes = notes_to_host(d_notes, width * height);
  int n_wrong = wrong_owners(h_notes, width * height, n_rows * n_cols);
  for (int i = 0; i < width * height; i++) {
    int col = i % width, row = i / width;
    int x = col % block.x, y = row % block.y;
    n_wrong += h_notes[i].lane != (int)(y * block.x + x) % 32;
    if (csv)
      printf("%d,%d,%d,%d,%d,%d,%d,%d\n", col / block.x, row / block.y, x,
             y, col, row, h_notes[i].lane, h_notes[i].element);
  }
  free(h_notes);
  if (n_wrong)
    fprintf(stderr, "error: matrix of %d x %d: %d owners or lanes are "
            "wrong\n", n_rows, n_cols, n_wrong);
  return n_wrong == 0;
}

static int check(void)
{
  static const int sizes[] = {1, 27, 28, 29, 90, 1000, 1024, 5003};
  static const int blocks[] = {1, 28, 31, 32, 33, 48, 100, 256, 1024};
  int good = 1;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
      good &= line(blocks[b], sizes[s], 0);
  good &= matrix(dim3(8, 4), N_ROWS, N_COLS, 0);
  good &= matrix(dim3(32, 8), 1, 1000, 0);
  good &= matrix(dim3(7, 5), 50, 3, 0);
  good &= matrix(dim3(16, 16), 64, 64, 0);
  printf("owners and lanes: %s\n", good ? "all right" : "WRONG");
  return good;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "which thread has which element",
                            "lanes,matrix", "");
  int good = 1;
  if (!o.csv) {
    good = check();
  } else if (strcmp(o.csv, "lanes") == 0) {
    static const int blocks[] = {32, 28, 48};
    printf("block_threads,block,thread,warp_of_block,warp,lane,"
           "lanes_with_me,element\n");
    for (int i = 0; i < 3; i++)
      good &= line(blocks[i], LINE, 1);
  } else {
    printf("block_x,block_y,thread_x,thread_y,col,row,lane,element\n");
    good = matrix(dim3(8, 4), N_ROWS, N_COLS, 1);
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
