/* A block for each row of a long table: in y, a grid ends at 65 535. */
#include "debugging/bug.h"

enum { N_ROWS = 70000, N_COLUMNS = 4 };

__global__ void number_rows_y(int *x)
{
  x[blockIdx.y * N_COLUMNS + threadIdx.x] = (int)blockIdx.y;
}

__global__ void number_rows_x(int *x)
{
  x[blockIdx.x * N_COLUMNS + threadIdx.x] = (int)blockIdx.x;
}

// begin broken
static void number_broken(int *d_x)
{
  number_rows_y<<<dim3(1, N_ROWS), N_COLUMNS>>>(d_x);
}
// end broken

static void number_fixed(int *d_x)
{
  number_rows_x<<<dim3(N_ROWS, 1), N_COLUMNS>>>(d_x);
}

static int run(void (*number)(int *))
{
  static int h_x[N_ROWS][N_COLUMNS];
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  number(d_x);
  TRY_LAUNCH();
  bug_download(h_x, d_x, sizeof h_x);
  for (int row = 0; row < N_ROWS; row++)
    for (int column = 0; column < N_COLUMNS; column++)
      if (h_x[row][column] != row)
        return 0;
  return 1;
}

static int fixed(void) { return run(number_fixed); }
static int broken(void) { return run(number_broken); }

static const version versions[] = {
  {"fixed", "rows go along x", 0, fixed},
  {"broken", "rows go along y", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a launch beyond a limit");
}
