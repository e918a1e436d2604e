/* Contents of memory in the words of a launch that is written down: the type as
 * which they read best, and the shortest form of their values. */
#include "report/contents.h"
#include "test.h"

/* The buffer begins at 4096. */
static bool put_place(FILE *out, uint64_t word)
{
  if (word < 4096 || word >= 8192)
    return false;
  fprintf(out, "x+%llu", (unsigned long long)word - 4096);
  return true;
}

static const char *words_of(const char *type, const void *bytes, size_t n)
{
  static char words[4096];
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  bool is_put;
  CHECK(out != NULL);
  is_put = contents_put(out, type, bytes, n, put_place);
  fclose(out);
  snprintf(words, sizeof words, "%s%s", is_put ? "" : "none", text);
  free(text);
  return words;
}

#define WORDS(type, ...) words_of(type, __VA_ARGS__, sizeof __VA_ARGS__)
#define TYPE(...) contents_type(__VA_ARGS__, sizeof __VA_ARGS__, false)

BEHAVIOUR(values_have_the_type_that_reads_best)
{
  CHECK_TEXT(TYPE(((float[]){ 0.5F, 0, -3 })), "f32");
  CHECK_TEXT(TYPE(((double[]){ 0.1, 0, -1e12 })), "f64");
  CHECK_TEXT(TYPE(((double[]){ 0.1, 1e13 })), "s32");
  CHECK_TEXT(TYPE(((int[]){ 1, 2, 3 })), "s32");
  CHECK_TEXT(TYPE(((int[]){ 0, 0, 0, 0 })), "s32");
  CHECK_TEXT(TYPE(((char[]){ 1, 2, 3 })), "u8");
  CHECK_TEXT(contents_type((uint64_t[]){ 4096, 1 }, 16, true), "x64");
  CHECK_TEXT(contents_type((uint32_t[]){ 4096, 0, 1 }, 12, true), "s32");
}

BEHAVIOUR(few_values_are_a_list)
{
  CHECK_TEXT(WORDS("f32", ((float[]){ 0.5F, 0.1F })), " 0.5 0.100000001");
  CHECK_TEXT(WORDS("f64", ((double[]){ 0.1, -2 })), " 0.10000000000000001 -2");
  CHECK_TEXT(WORDS("s32", ((int[]){ -7, 9 })), " -7 9");
  CHECK_TEXT(WORDS("u8", ((unsigned char[]){ 200, 7, 9 })), " 200 7 9");
  CHECK_TEXT(WORDS("x64", ((uint64_t[]){ 4100, 255 })), " x+4 0xff");
}

BEHAVIOUR(values_that_repeat_are_said_once)
{
  CHECK_TEXT(WORDS("s32", ((int[]){ 5, 5, 5, 5, 5 })), " 5");
  CHECK_TEXT(WORDS("s32", ((int[]){ 5, 6, 9, 5, 6, 9, 5 })), " 5 6 9");
  CHECK_TEXT(WORDS("s32", ((int[]){ 5, 6, 9, 5, 6, 9, 4 })), " 5 6 9 5 6 9 4");
}

BEHAVIOUR(values_that_count_up_are_a_formula)
{
  CHECK_TEXT(WORDS("s32", ((int[]){ 0, 1, 2, 3 })), " (i)");
  CHECK_TEXT(WORDS("s32", ((int[]){ 0, 3, 6, 9 })), " (3*i)");
  CHECK_TEXT(WORDS("s32", ((int[]){ 1, 2, 3, 4 })), " (1+1*i)");
  CHECK_TEXT(WORDS("s32", ((int[]){ 7, 5, 3 })), " (7+-2*i)");
  CHECK_TEXT(WORDS("f32", ((float[]){ 0, 1, 2, 3 })), " (i)");
  CHECK_TEXT(WORDS("u8", ((unsigned char[]){ 4, 5, 6 })), " (4+1*i)");
}

BEHAVIOUR(what_only_seems_to_count_up_is_a_list)
{
  CHECK_TEXT(WORDS("s32", ((int[]){ 1, 2 })), " 1 2");
  CHECK_TEXT(WORDS("s32", ((int[]){ 1, 2, 4 })), " 1 2 4");
  CHECK_TEXT(WORDS("f32", ((float[]){ 0.5F, 1, 2 })), " 0.5 1 2");
  CHECK_TEXT(WORDS("f32", ((float[]){ 0, 1.5F, 2 })), " 0 1.5 2");
  CHECK_TEXT(WORDS("f32", ((float[]){ 0, 1, 2.5F })), " 0 1 2.5");
  CHECK_TEXT(WORDS("f32", ((float[]){ -0.0F, 1, 2 })), " -0 1 2");
  CHECK_TEXT(WORDS("f32", ((float[]){ 16777216, 16777218, 16777220 })),
             " 16777216 16777218 16777220");
  CHECK_TEXT(WORDS("f64", ((double[]){ 1, 2, 3 })), " 1 2 3");
}

/* More than 64 values are in a file of their own, but for addresses. */
BEHAVIOUR(many_values_have_no_words)
{
  int many[65];
  uint64_t words[65];
  for (int i = 0; i < 65; i++) {
    many[i] = i * i;
    words[i] = (uint64_t)(4096 + i * i % 7);
  }
  many[64] = 1;
  CHECK_TEXT(words_of("s32", many, sizeof many), "none");
  CHECK(strncmp(words_of("s32", many, sizeof many - 4), " 0 1 4 9", 8) == 0);
  words[64] = 1;
  CHECK(strncmp(words_of("x64", words, sizeof words), " x+0 x+1 x+4", 12) == 0);
}
