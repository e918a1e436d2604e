/* Pictures of digits, drawn here: seven strokes as on a pocket calculator, each
 * of its own brightness, some digits in two ways, and noise over everything.
 *
 * A picture has 240 pixels, and it is followed by 16 floats for its label, so
 * that a column of the matrix has 256. The labels are zero unless asked for. */
#ifndef CODE_NMF_DIGITS_H
#define CODE_NMF_DIGITS_H

#include <stddef.h>
#include <string.h>

#include "common/random.h"

enum {
  ACROSS = 15, DOWN = 16,          /* the picture */
  PIXELS = ACROSS * DOWN,
  CLASSES = 10,                    /* after it: a one for its digit */
  ROWS = 256                       /* of the matrix; the last six are zero */
};

/* Where each stroke is: row, column, rows, columns. */
static const int strokes[7][4] = {
  {1, 4, 2, 7},      /* 0: top */
  {2, 2, 6, 2},      /* 1: upper left */
  {2, 11, 6, 2},     /* 2: upper right */
  {7, 4, 2, 7},      /* 3: middle */
  {8, 2, 6, 2},      /* 4: lower left */
  {8, 11, 6, 2},     /* 5: lower right */
  {13, 4, 2, 7},     /* 6: bottom */
};

/* The strokes of each digit, a bit for each; the second way of writing it. */
static const unsigned digit_strokes[CLASSES][2] = {
  {0x77, 0x77}, {0x24, 0x12}, {0x5d, 0x5d}, {0x6d, 0x6d}, {0x2e, 0x2e},
  {0x6b, 0x6b}, {0x7b, 0x7a}, {0x25, 0x27}, {0x7f, 0x7f}, {0x6f, 0x2f},
};

static inline float digits_fraction(random_source *source)
{
  return (float)(random_bits(source) >> 40) * 0x1p-24f;
}

static inline int digits_has(const int *stroke, int row, int col)
{
  return row >= stroke[0] && row < stroke[0] + stroke[2] &&
         col >= stroke[1] && col < stroke[1] + stroke[3];
}

// begin draw_digit
/* Draws a digit into one column: strokes between `faint` and 1, then noise. */
static inline void draw_digit(float *column, int digit, float faint,
                              float noise, random_source *source)
{
  unsigned on = digit_strokes[digit][random_below(source, 2)];
  memset(column, 0, ROWS * sizeof(float));
  for (int s = 0; s < 7; s++) {
    float ink = faint + (1.0f - faint) * digits_fraction(source);
    for (int i = 0; i < PIXELS; i++)
      if ((on >> s & 1) && digits_has(strokes[s], i / ACROSS, i % ACROSS))
        column[i] = ink;
  }
  for (int i = 0; i < PIXELS; i++)
    column[i] += noise * digits_fraction(source);
}
// end draw_digit

#endif
