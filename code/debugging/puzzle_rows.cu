/* A puzzle: the sums of rows that were allocated one by one. */
#include "debugging/bug.h"

enum { N_ROWS = 8, N_COLUMNS = 100 };

__global__ void sum_rows(int *sums, int **rows, int n_columns)
{
  int row = threadIdx.x, sum = 0;
  for (int column = 0; column < n_columns; column++)
    sum += rows[row][column];
  sums[row] = sum;
}

// begin broken
static void sums_broken(int *d_sums, int h_x[N_ROWS][N_COLUMNS])
{
  int **rows = (int **)malloc(N_ROWS * sizeof *rows);
  for (int row = 0; row < N_ROWS; row++)
    rows[row] = (int *)bug_upload(h_x[row], sizeof h_x[row]);
  sum_rows<<<1, N_ROWS>>>(d_sums, rows, N_COLUMNS);
  TRY_LAUNCH();
  for (int row = 0; row < N_ROWS; row++)
    TRY(cudaFree(rows[row]));
  free(rows);
}
// end broken

// begin fixed
static void sums_fixed(int *d_sums, int h_x[N_ROWS][N_COLUMNS])
{
  int *rows[N_ROWS];
  for (int row = 0; row < N_ROWS; row++)
    rows[row] = (int *)bug_upload(h_x[row], sizeof h_x[row]);
  int **d_rows = (int **)bug_upload(rows, sizeof rows);
  sum_rows<<<1, N_ROWS>>>(d_sums, d_rows, N_COLUMNS);
  TRY_LAUNCH();
  for (int row = 0; row < N_ROWS; row++)
    TRY(cudaFree(rows[row]));
  TRY(cudaFree(d_rows));
}
// end fixed

static int run(void (*sums)(int *, int h_x[N_ROWS][N_COLUMNS]))
{
  static int h_x[N_ROWS][N_COLUMNS];
  int h_sums[N_ROWS] = {0};
  for (int row = 0; row < N_ROWS; row++)
    for (int column = 0; column < N_COLUMNS; column++)
      h_x[row][column] = row;
  int *d_sums = (int *)bug_upload(h_sums, sizeof h_sums);
  sums(d_sums, h_x);
  bug_download(h_sums, d_sums, sizeof h_sums);
  for (int row = 0; row < N_ROWS; row++)
    if (h_sums[row] != row * N_COLUMNS)
      return 0;
  return 1;
}

static int fixed(void) { return run(sums_fixed); }
static int broken(void) { return run(sums_broken); }

static const version versions[] = {
  {"fixed", "the solution", 0, fixed},
  {"broken", "the puzzle", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a puzzle: sums of rows");
}
