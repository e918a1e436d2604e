/* Compares mathematical functions of CUDA C, as functions.cu prints them,
 * with an H200's.
 *
 *   compare_functions <here> <reference> <tolerances>
 *
 * Bit for bit, but for those that the list names: they are made of
 * approximations. Exit status: 0 equal, 1 different. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192, NAME = 32 };

struct tolerance {
  char name[NAME];
  double ulps, absolute;
};
static struct tolerance tolerances[128];
static size_t n_tolerances;

static FILE *opened(const char *path)
{
  FILE *file = fopen(path, "r");

  if (file == NULL) {
    perror(path);
    exit(2);
  }
  return file;
}

static void read_tolerances(const char *path)
{
  FILE *file = opened(path);
  char line[256];

  while (fgets(line, sizeof line, file) != NULL && n_tolerances < 128) {
    struct tolerance *t = &tolerances[n_tolerances];

    if (line[0] != '#' && sscanf(line, "%31s ulps %lf absolute %lf", t->name,
                                 &t->ulps, &t->absolute) >= 2)
      n_tolerances++;
  }
  fclose(file);
}

static const struct tolerance *tolerance_of(const char *name)
{
  static const struct tolerance none;

  for (size_t i = 0; i < n_tolerances; i++)
    if (strcmp(tolerances[i].name, name) == 0)
      return &tolerances[i];
  return &none;
}

/* Numbers in order, so that neighbours differ by 1. */
static int64_t place(uint64_t bits, int digits)
{
  uint64_t sign = UINT64_C(1) << (4 * digits - 1);

  return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static double number(uint64_t bits, int digits)
{
  uint32_t low = (uint32_t)bits;
  float single;
  double wide;

  memcpy(&single, &low, sizeof single);
  memcpy(&wide, &bits, sizeof wide);
  return digits == 8 ? single : wide;
}

static bool compare_row(const char *name, char *here, char *there)
{
  const struct tolerance *t = tolerance_of(name);
  size_t k = 0, different = 0, wrong = 0;
  double most = 0, furthest = 0;
  char *rest_here = NULL, *rest_there = NULL;
  char *a = strtok_r(here, " \n", &rest_here);
  char *b = strtok_r(there, " \n", &rest_there);

  for (; a != NULL && b != NULL; k++) {
    int digits = (int)strlen(b);
    uint64_t x = strtoull(a, NULL, 16), y = strtoull(b, NULL, 16);
    double ulps = fabs((double)(place(x, digits) - place(y, digits)));
    double apart = fabs(number(x, digits) - number(y, digits));

    if (x != y) {
      different++;
      if (ulps > t->ulps && !(apart <= t->absolute)) {
        if (++wrong <= 3)
          printf("%s: error: case %zu gives %s here, %s on an H200\n", name, k,
                 a, b);
      }
      most = ulps > most ? ulps : most;
      furthest = apart > furthest ? apart : furthest;
    }
    a = strtok_r(NULL, " \n", &rest_here);
    b = strtok_r(NULL, " \n", &rest_there);
  }
  if (a != NULL || b != NULL) {
    printf("%s: error: the reference has other cases\n", name);
    return false;
  }
  if (different != 0)
    printf("%-12s %3zu of %zu differ, by up to %.0f units in the last place, "
           "%.2g\n",
           name, different, k, most, furthest);
  return wrong == 0;
}

int main(int n, char **arguments)
{
  static char here[LINE], there[LINE];
  FILE *ours, *reference;
  size_t rows = 0, failed = 0;

  if (n != 4) {
    fprintf(stderr, "usage: compare_functions <here> <reference> "
                    "<tolerances>\n");
    return 2;
  }
  ours = opened(arguments[1]);
  reference = opened(arguments[2]);
  read_tolerances(arguments[3]);
  while (fgets(there, sizeof there, reference) != NULL) {
    char *mine, *theirs;

    if (there[0] == '#')
      continue;
    if (fgets(here, sizeof here, ours) == NULL)
      here[0] = '\0';
    mine = strchr(here, ',');
    theirs = strchr(there, ',');
    if (mine == NULL || theirs == NULL) {
      printf("error: a row is missing beside '%.20s'\n", there);
      return 1;
    }
    *mine++ = *theirs++ = '\0';
    if (strcmp(here, there) != 0) {
      printf("error: '%s' beside '%s'\n", here, there);
      return 1;
    }
    if (strcmp(here, "function") == 0)
      continue;
    rows++;
    failed += !compare_row(here, mine, theirs);
  }
  printf("%zu functions compared, %zu wrong\n", rows, failed);
  fclose(ours);
  fclose(reference);
  return failed == 0 && rows > 0 ? 0 : 1;
}
