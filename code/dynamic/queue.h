/* A list of squares on the device. It only grows: those of the current level
 * are begin … end - 1, and new ones are appended at tail. A square is one
 * word, and never 0, so that a reader can see whether it is there yet. */
#ifndef CODE_DYNAMIC_QUEUE_H
#define CODE_DYNAMIC_QUEUE_H

#include "dynamic/mandelbrot.h"

typedef struct {
  unsigned begin, end, tail;
  unsigned taken, unfinished;   /* for blocks that help themselves */
} queue_state;

typedef struct {
  queue_state *state;
  unsigned *squares;
  unsigned capacity;
} queue;

__host__ __device__ static inline unsigned packed(square s)
{
  unsigned log_side = 0;
  while (1 << log_side < s.side)
    log_side++;
  return log_side << 28 | (unsigned)(s.x / LEAF) << 14 | (unsigned)(s.y / LEAF);
}

__host__ __device__ static inline square unpacked(unsigned word)
{
  square s = {(int)(word >> 14 & 0x3fff) * LEAF, (int)(word & 0x3fff) * LEAF,
              1 << (word >> 28)};
  return s;
}

static inline unsigned queue_capacity(canvas c)
{
  unsigned n = squares_across(c) * squares_across(c), all = 0;
  for (int level = square_levels(c); level > 0; level--, n *= 4)
    all += n;
  return all;
}

/* The squares to begin with, and nothing after them. */
__global__ void queue_start(canvas c, queue q)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned n = squares_across(c) * squares_across(c);
  if (i < q.capacity)
    q.squares[i] = i < n ? packed(first_square(c, i)) : 0;
  if (i == 0) {
    queue_state s = {0, n, n, 0, n};
    *q.state = s;
  }
}

// begin append
/* One thread of the block: the four quarters of a square. */
__device__ static void append(queue q, square s)
{
  unsigned at = atomicAdd(&q.state->tail, 4);
  for (int i = 0; i < 4; i++)
    q.squares[at + i] = packed(quarter(s, i));
}
// end append

// begin next_level
/* One thread, between two levels: are there any more squares? */
__device__ static int next_level(queue q)
{
  queue_state *s = q.state;
  s->begin = s->end;
  s->end = s->tail;
  return s->begin < s->end;
}
// end next_level

#endif
