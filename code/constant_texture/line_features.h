/* A line of text as numbers, for a classifier. */
#ifndef CODE_CONSTANT_TEXTURE_LINE_FEATURES_H
#define CODE_CONSTANT_TEXTURE_LINE_FEATURES_H

#include <ctype.h>
#include <string.h>

enum { N_LETTERS = 26, N_FEATURES = 32 };

// begin features
/* The share of each letter, of capitals, digits, blanks and a few signs among
 * the line's characters. The classifier does not know what a sign means. */
static inline void features_of_line(const char *text, float *features)
{
  static const char signs[] = ".,'";
  size_t length = strlen(text);
  float share = length > 0 ? 1.0f / (float)length : 0.0f;
  memset(features, 0, N_FEATURES * sizeof *features);
  for (const char *c = text; *c; c++) {
    const char *sign = strchr(signs, *c);
    if (isalpha((unsigned char)*c))
      features[tolower((unsigned char)*c) - 'a'] += share;
    if (isupper((unsigned char)*c))
      features[N_LETTERS] += share;
    else if (isdigit((unsigned char)*c))
      features[N_LETTERS + 1] += share;
    else if (*c == ' ')
      features[N_LETTERS + 2] += share;
    else if (sign)
      features[N_LETTERS + 3 + (sign - signs)] += share;
  }
}
// end features

#endif
