/* Trains a support-vector machine to tell lines of code from lines of prose,
 * by sequential minimal optimisation with the worst pair first. Plain C: this
 * is the part that is done once.
 *
 *   cc -O3 -I code code/constant_texture/train_svm.c -lm -o train_svm
 *   ./train_svm --csv=model >code/constant_texture/model.h
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/options.h"
#include "constant_texture/line_features.h"
#include "constant_texture/lines.h"
#include "constant_texture/model.h"

enum { N_TRAIN = N_LINES / 2, MAX_STEPS = 100000 };
static const double gamma_ = 16.0, box = 4.0, enough = 1e-3;

/* Two lines for training, two for the examination, and so on. */
static int train_line(int i) { return i / 2 * 4 + i % 2; }
static int held_out_line(int i) { return i / 2 * 4 + 2 + i % 2; }
static double side(int line) { return lines[line].is_code ? 1.0 : -1.0; }

static float features[N_LINES][N_FEATURES];
static double kernel_values[N_TRAIN][N_TRAIN];

// begin kernel_value
static double kernel_value(const float *a, const float *b)
{
  double distance = 0.0;
  for (int f = 0; f < N_FEATURES; f++)
    distance += ((double)a[f] - b[f]) * ((double)a[f] - b[f]);
  return exp(-gamma_ * distance);
}
// end kernel_value

typedef struct {
  double alpha[N_TRAIN], bias;
  int steps;
} machine;

static double smaller(double a, double b) { return a < b ? a : b; }

// begin train
/* Two weights at a time, the pair that breaks the conditions of the optimum
 * most, until none breaks them by more than `enough`. */
static void train(machine *m)
{
  static double slope[N_TRAIN];   /* of the dual problem, for each weight */
  double up, down;
  for (int i = 0; i < N_TRAIN; i++) {
    m->alpha[i] = 0.0;
    slope[i] = -1.0;
  }
  for (m->steps = 0; m->steps < MAX_STEPS; m->steps++) {
    int first = -1, second = -1;
    up = -HUGE_VAL, down = HUGE_VAL;
    for (int i = 0; i < N_TRAIN; i++) {
      double y = side(train_line(i)), gain = -y * slope[i];
      if ((y > 0 ? m->alpha[i] < box : m->alpha[i] > 0) && gain > up)
        up = gain, first = i;
      if ((y > 0 ? m->alpha[i] > 0 : m->alpha[i] < box) && gain < down)
        down = gain, second = i;
    }
    if (up - down < enough)
      break;
    double y1 = side(train_line(first)), y2 = side(train_line(second));
    double bend = 2.0 - 2.0 * kernel_values[first][second];
    double step = (up - down) / (bend > 1e-12 ? bend : 1e-12);
    step = smaller(step, y1 > 0 ? box - m->alpha[first] : m->alpha[first]);
    step = smaller(step, y2 > 0 ? m->alpha[second] : box - m->alpha[second]);
    m->alpha[first] += y1 * step;
    m->alpha[second] -= y2 * step;
    for (int i = 0; i < N_TRAIN; i++)
      slope[i] += side(train_line(i)) * step *
                  (kernel_values[i][first] - kernel_values[i][second]);
  }
  m->bias = 0.5 * (up + down);
}
// end train

// begin decide
/* Above 0: code. Only lines with a weight count: the support vectors. */
static double decide(const machine *m, const float *x)
{
  double sum = m->bias;
  for (int i = 0; i < N_TRAIN; i++)
    if (m->alpha[i] > 0.0)
      sum += m->alpha[i] * side(train_line(i)) *
             kernel_value(features[train_line(i)], x);
  return sum;
}
// end decide

static int count_right(const machine *m, int (*line_of)(int))
{
  int n_right = 0;
  for (int i = 0; i < N_TRAIN; i++)
    n_right += (decide(m, features[line_of(i)]) > 0.0) ==
               (side(line_of(i)) > 0.0);
  return n_right;
}

static int count_support(const machine *m)
{
  int n = 0;
  for (int i = 0; i < N_TRAIN; i++)
    n += m->alpha[i] > 0.0;
  return n;
}

static void print_model(const machine *m)
{
  printf("/* The lines that the classifier of this chapter remembers, and how\n"
         " * much each of them weighs. Written by train_svm --csv=model; do\n"
         " * not edit. */\n"
         "#ifndef CODE_CONSTANT_TEXTURE_MODEL_H\n"
         "#define CODE_CONSTANT_TEXTURE_MODEL_H\n\n"
         "static const float model_gamma = %.1ff, model_bias = %.6ff;\n\n"
         "static const struct {\n  int line;      /* in lines.h */\n"
         "  float weight;  /* above 0 for code */\n} model[] = {\n",
         gamma_, m->bias);
  for (int i = 0; i < N_TRAIN; i++)
    if (m->alpha[i] > 0.0)
      printf("  {%d, %.6ff},\n", train_line(i),
             m->alpha[i] * side(train_line(i)));
  printf("};\nenum { N_SUPPORT = sizeof model / sizeof model[0] };\n\n"
         "#endif\n");
}

/* Is the committed model what training gives? The last digits may differ from
 * one C library to the next. */
static int model_is_ours(const machine *m)
{
  int n = 0, right = 1;
  for (int i = 0; i < N_TRAIN; i++)
    if (m->alpha[i] > 0.0) {
      double weight = m->alpha[i] * side(train_line(i));
      if (n >= N_SUPPORT || model[n].line != train_line(i) ||
          fabs(model[n].weight - weight) > 1e-3)
        right = 0;
      n++;
    }
  right &= n == N_SUPPORT && fabs(model_bias - m->bias) < 1e-3 &&
           model_gamma == (float)gamma_;
  if (!right)
    fprintf(stderr, "train_svm: error: model.h is not what training gives; "
            "make it anew\n");
  return right;
}

int main(int argc, char **argv)
{
  static machine m;
  options o = options_parse(argc, argv, "learns what code looks like",
                            "accuracy,model", "");
  for (int i = 0; i < N_LINES; i++)
    features_of_line(lines[i].text, features[i]);
  for (int i = 0; i < N_TRAIN; i++)
    for (int j = 0; j < N_TRAIN; j++)
      kernel_values[i][j] = kernel_value(features[train_line(i)],
                                         features[train_line(j)]);
  train(&m);
  if (o.csv && strcmp(o.csv, "model") == 0) {
    print_model(&m);
    return EXIT_SUCCESS;
  }
  int seen = count_right(&m, train_line), unseen =
      count_right(&m, held_out_line), n_support = count_support(&m);
  if (m.steps == MAX_STEPS || !model_is_ours(&m))
    return EXIT_FAILURE;
  if (o.csv)
    printf("version,n_lines,n_right,share_right,n_support\n"
           "seen,%d,%d,%.4f,%d\nheld_out,%d,%d,%.4f,%d\n",
           N_TRAIN, seen, (double)seen / N_TRAIN, n_support,
           N_TRAIN, unseen, (double)unseen / N_TRAIN, n_support);
  else
    printf("%d of %d lines are support vectors; right for %d of the %d lines "
           "seen in training, for %d of %d others\n", n_support, N_TRAIN,
           seen, N_TRAIN, unseen, N_TRAIN);
  return unseen > N_TRAIN * 9 / 10 ? EXIT_SUCCESS : EXIT_FAILURE;
}
