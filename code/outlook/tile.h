/* Tiles for CUDA C: a kernel says what its block does with whole tiles, and
 * these functions say what each thread does for it. A compiler for tiles also
 * chooses how to spread them, uses the tensor cores and copies in the
 * background; here it is all plain. */
#ifndef CODE_OUTLOOK_TILE_H
#define CODE_OUTLOOK_TILE_H

enum { TILE_THREADS = 256 };

typedef struct {
  float *values;
  int n_rows, n_columns;
} matrix;

// begin tile
/* ROWS x COLUMNS floats, spread over the threads of a block: thread t holds
 * the elements t, t + TILE_THREADS, t + 2 * TILE_THREADS, and so on. */
template <int ROWS, int COLUMNS> struct tile {
  enum { EACH = ROWS * COLUMNS / TILE_THREADS };
  static_assert(EACH * TILE_THREADS == ROWS * COLUMNS, "uneven tile");
  float element[EACH];

  __device__ static int row(int e)
  {
    return (threadIdx.x + e * TILE_THREADS) / COLUMNS;
  }
  __device__ static int column(int e)
  {
    return (threadIdx.x + e * TILE_THREADS) % COLUMNS;
  }
};
// end tile

// begin tile_load
/* Beyond the edge of the matrix, a tile is zero. */
template <int ROWS, int COLUMNS>
__device__ tile<ROWS, COLUMNS> load_tile(matrix m, int tile_row,
                                         int tile_column)
{
  tile<ROWS, COLUMNS> t;
  for (int e = 0; e < t.EACH; e++) {
    int row = tile_row * ROWS + t.row(e);
    int column = tile_column * COLUMNS + t.column(e);
    int inside = row < m.n_rows && column < m.n_columns;
    t.element[e] =
        inside ? m.values[(size_t)row * m.n_columns + column] : 0.0f;
  }
  return t;
}
// end tile_load

template <int ROWS, int COLUMNS>
__device__ void store_tile(matrix m, int tile_row, int tile_column,
                           tile<ROWS, COLUMNS> t)
{
  for (int e = 0; e < t.EACH; e++) {
    int row = tile_row * ROWS + t.row(e);
    int column = tile_column * COLUMNS + t.column(e);
    if (row < m.n_rows && column < m.n_columns)
      m.values[(size_t)row * m.n_columns + column] = t.element[e];
  }
}

template <int ROWS, int COLUMNS> __device__ tile<ROWS, COLUMNS> zero_tile()
{
  tile<ROWS, COLUMNS> t;
  for (int e = 0; e < t.EACH; e++)
    t.element[e] = 0.0f;
  return t;
}

// begin tile_multiply_add
template <int ROWS, int INNER, int COLUMNS>
__device__ tile<ROWS, COLUMNS> multiply_add(tile<ROWS, INNER> a,
                                            tile<INNER, COLUMNS> b,
                                            tile<ROWS, COLUMNS> sum)
{
  __shared__ float shared_a[ROWS][INNER], shared_b[INNER][COLUMNS];
  for (int e = 0; e < a.EACH; e++)
    shared_a[a.row(e)][a.column(e)] = a.element[e];
  for (int e = 0; e < b.EACH; e++)
    shared_b[b.row(e)][b.column(e)] = b.element[e];
  __syncthreads();
  for (int k = 0; k < INNER; k++)
    for (int e = 0; e < sum.EACH; e++)
      sum.element[e] += shared_a[sum.row(e)][k] * shared_b[k][sum.column(e)];
  __syncthreads();
  return sum;
}
// end tile_multiply_add

#endif
