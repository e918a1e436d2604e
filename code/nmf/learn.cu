/* What a factorisation learns from pictures of digits: strokes, or with the
 * labels among the rows, what tells one digit from another.
 *
 *   nvcc -std=c++17 -I code code/nmf/learn.cu -o learn && ./learn */
#include <math.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "nmf/kernels.h"

/* ---- the device's part ----------------------------------------------- */

// begin orders
/* Each update takes what the other has just made … */
template <int K> static void step_in_turn(const factors *f)
{
  launch_pass<K, true, true>(f);
  launch_scale_parts<K>(f);
}

/* … or both take the old factors: v h^T and h h^T before h is replaced. */
template <int K> static void step_at_once(const factors *f)
{
  launch_pass<K, false, true>(f);
  launch_pass<K, true, false>(f);
  launch_scale_parts<K>(f);
}
// end orders

/* The parts stay as they are, or the weights do. */
template <int K> static void step_weights(const factors *f)
{
  launch_pass<K, true, false>(f);
}

template <int K> static void step_parts(const factors *f)
{
  launch_pass<K, false, true>(f);
  launch_scale_parts<K>(f);
}

typedef void a_step(const factors *f);

/* The steps for one number of parts. */
typedef struct {
  size_t k;
  a_step *in_turn, *at_once, *weights, *parts;
} steps;

#define STEPS_OF(K)                                                            \
  {                                                                            \
    K, step_in_turn<K>, step_at_once<K>, step_weights<K>, step_parts<K>        \
  }
static const steps few_parts = STEPS_OF(8), more_parts = STEPS_OF(16),
                   many_parts = STEPS_OF(32);

static void take_steps(a_step *step, const factors *f, int n_steps)
{
  for (int i = 0; i < n_steps; i++)
    step(f);
  CUDA_CHECK_LAUNCH();
}

/* ---- problems -------------------------------------------------------- */

typedef struct {
  const steps *s;
  size_t n_images;
  factors f;
  float *v, *w, *h;           /* the host's copies */
} model;

static float *host_floats(size_t n)
{
  float *x = (float *)calloc(n, sizeof(float));
  if (!x) {
    fprintf(stderr, "error: no memory for %zu floats\n", n);
    exit(EXIT_FAILURE);
  }
  return x;
}

static float *device_floats(size_t n)
{
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  return d_x;
}

static void to_device(const model *m)
{
  size_t k = m->s->k;
  CUDA_CHECK(cudaMemcpy((float *)m->f.v, m->v,
                        ROWS * m->n_images * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(m->f.w, m->w, ROWS * k * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(m->f.h, m->h, k * m->n_images * sizeof(float),
                        cudaMemcpyHostToDevice));
}

static void to_host(const model *m)
{
  size_t k = m->s->k;
  CUDA_CHECK(cudaMemcpy(m->w, m->f.w, ROWS * k * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(m->h, m->f.h, k * m->n_images * sizeof(float),
                        cudaMemcpyDeviceToHost));
}

/* n_images digits, 0 to 9 and again, and random factors. Nothing on the device
 * yet, so that a caller can still change them. */
static model new_model(const steps *s, size_t n_images, float faint,
                       float noise, random_source *source)
{
  model m = {s, n_images};
  size_t k = s->k;
  m.v = host_floats(ROWS * n_images);
  m.w = host_floats(ROWS * k);
  m.h = host_floats(k * n_images);
  for (size_t i = 0; i < n_images; i++)
    draw_digit(m.v + i * ROWS, (int)(i % CLASSES), faint, noise, source);
  for (size_t i = 0; i < ROWS * k; i++)
    m.w[i] = 0.01f + digits_fraction(source);
  for (size_t i = 0; i < k * n_images; i++)
    m.h[i] = 0.01f + digits_fraction(source);
  m.f.w = device_floats(ROWS * k);
  m.f.h = device_floats(k * n_images);
  m.f.v = device_floats(ROWS * n_images);
  m.f.n_images = n_images;
  m.f.shares = device_floats(shares_bytes((int)k) / sizeof(float));
  m.f.totals = device_floats((ROWS + k) * k);
  return m;
}

static void free_model(model m)
{
  float *all[] = {m.f.w, m.f.h, (float *)m.f.v, m.f.shares, m.f.totals};
  for (int i = 0; i < 5; i++)
    CUDA_CHECK(cudaFree(all[i]));
  free(m.v);
  free(m.w);
  free(m.h);
}

/* ---- how far off ----------------------------------------------------- */

/* The squares of what is missing, as a share of the pictures' squares. */
static double relative_error(const model *m)
{
  size_t k = m->s->k;
  double missing = 0.0, all = 0.0;
  for (size_t image = 0; image < m->n_images; image++)
    for (size_t row = 0; row < ROWS; row++) {
      double v = m->v[image * ROWS + row], rebuilt = 0.0;
      for (size_t r = 0; r < k; r++)
        rebuilt += (double)m->w[r * ROWS + row] * m->h[image * k + r];
      missing += (v - rebuilt) * (v - rebuilt);
      all += v * v;
    }
  return missing / all;
}

typedef struct {
  const char *name;
  const char *idea;
  int is_in_turn;
} version;

static const version versions[] = {
  {"in_turn", "each update takes what the other has just made", 1},
  {"at_once", "both updates take the old factors", 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- supervised ------------------------------------------------------ */

// begin set_labels
/* After a picture's pixels: `label_weight` in the row of its digit. */
static void set_labels(model *m, float label_weight)
{
  for (size_t i = 0; i < m->n_images; i++)
    m->v[i * ROWS + PIXELS + i % CLASSES] = label_weight;
}
// end set_labels

/* Learns parts, and how much each of them speaks for each digit. With a weight
 * of 0 the labels don't take part: parts and weights are learned first, and
 * the label rows afterwards, with the weights as they are. */
static void learn_labels(model *m, float label_weight, int n_steps)
{
  float *w = host_floats(ROWS * m->s->k);
  set_labels(m, label_weight);
  to_device(m);
  take_steps(m->s->in_turn, &m->f, n_steps);
  to_host(m);
  if (label_weight == 0.0f) {
    memcpy(w, m->w, ROWS * m->s->k * sizeof(float));
    for (size_t r = 0; r < m->s->k; r++)
      for (int i = PIXELS; i < PIXELS + CLASSES; i++)
        m->w[r * ROWS + i] = 1.0f;
    set_labels(m, 1.0f);
    to_device(m);
    take_steps(m->s->parts, &m->f, n_steps);
    to_host(m);
    for (size_t r = 0; r < m->s->k; r++)
      memcpy(m->w + r * ROWS, w + r * ROWS, PIXELS * sizeof(float));
  }
  free(w);
}

// begin classify
/* How many of the pictures in `unseen` are recognised. Their weights are found
 * without any label: those rows are zero on both sides. */
static size_t classify(const model *learned, model *unseen, int n_steps)
{
  size_t k = learned->s->k, n_right = 0;
  memcpy(unseen->w, learned->w, ROWS * k * sizeof(float));
  for (size_t r = 0; r < k; r++)
    memset(unseen->w + r * ROWS + PIXELS, 0, CLASSES * sizeof(float));
  to_device(unseen);
  take_steps(unseen->s->weights, &unseen->f, n_steps);
  to_host(unseen);
  for (size_t i = 0; i < unseen->n_images; i++) {
    size_t best = 0;
    float score[CLASSES] = {};
    for (size_t digit = 0; digit < CLASSES; digit++) {
      for (size_t r = 0; r < k; r++)
        score[digit] += learned->w[r * ROWS + PIXELS + digit] *
                        unseen->h[i * k + r];
      if (score[digit] > score[best])
        best = digit;
    }
    n_right += best == i % CLASSES;
  }
  return n_right;
}
// end classify

/* Learns from some pictures and recognises others: the share that is right. */
static double accuracy(const steps *s, size_t n_seen, size_t n_unseen,
                       float label_weight, int n_steps, uint64_t seed)
{
  random_source source = random_from_seed(seed);
  model seen = new_model(s, n_seen, 0.3f, 0.3f, &source);
  model unseen = new_model(s, n_unseen, 0.3f, 0.3f, &source);
  learn_labels(&seen, label_weight, n_steps);
  double share = (double)classify(&seen, &unseen, n_steps) /
                 (double)n_unseen;
  free_model(seen);
  free_model(unseen);
  return share;
}

/* ---- checking -------------------------------------------------------- */

/* Rounding may raise the error in its last digits, and nothing else may. */
static int check_descent(uint64_t seed)
{
  random_source source = random_from_seed(seed);
  model m = new_model(&few_parts, 96, 0.0f, 0.25f, &source);
  double before;
  int good = 1;
  to_device(&m);
  before = relative_error(&m);
  for (int step = 0; step < 30 && good; step++) {
    take_steps(m.s->in_turn, &m.f, 1);
    to_host(&m);
    double after = relative_error(&m);
    good = isfinite(after) && after <= before * (1.0 + 1e-6);
    if (!good)
      fprintf(stderr, "in_turn: error: step %d raised the error from %.9g to "
              "%.9g (seed %llu)\n", step, before, after,
              (unsigned long long)seed);
    before = after;
  }
  free_model(m);
  return good;
}

/* Updates that both take the old factors overshoot, and must be seen to. */
static int check_overshoot(uint64_t seed)
{
  random_source source = random_from_seed(seed);
  model m = new_model(&few_parts, 96, 0.0f, 0.25f, &source);
  double error[3];
  to_device(&m);
  for (int step = 0; step < 3; step++) {
    error[step] = relative_error(&m);
    take_steps(m.s->at_once, &m.f, 1);
    to_host(&m);
  }
  free_model(m);
  if (error[2] > error[1])
    return 1;
  fprintf(stderr, "at_once: error: the second step did not overshoot, from "
          "%.9g to %.9g (seed %llu)\n", error[1], error[2],
          (unsigned long long)seed);
  return 0;
}

/* Guessing recognises a tenth; four times that is easily beaten. */
static int check_labels(uint64_t seed)
{
  double share = accuracy(&more_parts, 200, 100, 4.0f, 60, seed);
  if (share >= 0.4)
    return 1;
  fprintf(stderr, "labels: error: only %.2f of the pictures are recognised\n",
          share);
  return 0;
}

static int check(const options *o)
{
  int good = 1;
  if (options_wants(o, "in_turn"))
    good &= check_descent(o->seed) && check_labels(7);
  if (options_wants(o, "at_once"))
    good &= check_overshoot(o->seed);
  if (good)
    fprintf(options_remarks(o), "each order does what it should (--seed "
            "%llu)\n", (unsigned long long)o->seed);
  return good;
}

/* ---- tables ---------------------------------------------------------- */

enum { CURVE_STEPS = 200, CURVE_IMAGES = 256 };

/* The error after each step, for both orders. */
static void print_convergence(const options *o)
{
  printf("version,step,relative_error,is_higher\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    random_source source = random_from_seed(o->seed);
    model m = new_model(&few_parts, CURVE_IMAGES, 0.0f, 0.25f, &source);
    double before = HUGE_VAL;
    to_device(&m);
    for (int step = 0; step <= CURVE_STEPS; step++) {
      if (step > 0) {
        take_steps(versions[i].is_in_turn ? m.s->in_turn : m.s->at_once,
                   &m.f, 1);
        to_host(&m);
      }
      double after = relative_error(&m);
      printf("%s,%d,%.5f,%d\n", versions[i].name, step, after,
             after > before * (1.0 + 1e-6));
      before = after;
    }
    free_model(m);
  }
}

/* A picture, a line for each row of pixels; the darkest is 1. */
static void print_picture(const char *kind, size_t index, const float *pixels)
{
  float most = 0.0f;
  for (int i = 0; i < PIXELS; i++)
    most = fmaxf(most, pixels[i]);
  for (int i = 0; i < PIXELS; i++) {
    if (i % ACROSS == 0)
      printf("%s,%zu,%d", kind, index, i / ACROSS);
    printf(",%.2f%s", most > 0.0f ? pixels[i] / most : 0.0f,
           i % ACROSS == ACROSS - 1 ? "\n" : "");
  }
}

enum { SHOWN = 5 };

static void learn_strokes(model *m, uint64_t seed)
{
  random_source source = random_from_seed(seed);
  *m = new_model(&few_parts, 512, 0.0f, 0.25f, &source);
  to_device(m);
  take_steps(m->s->in_turn, &m->f, CURVE_STEPS);
  to_host(m);
}

/* The parts that another start leads to; the parts, some pictures, and what the
 * factors make of these. */
static void print_parts(const options *o)
{
  model m;
  learn_strokes(&m, o->seed + 1);
  printf("kind,index,row");
  for (int col = 0; col < ACROSS; col++)
    printf(",ink_%d", col);
  printf("\n");
  for (size_t r = 0; r < m.s->k; r++)
    print_picture("other", r, m.w + r * ROWS);
  free_model(m);
  learn_strokes(&m, o->seed);
  for (size_t r = 0; r < m.s->k; r++)
    print_picture("part", r, m.w + r * ROWS);
  for (size_t image = 0; image < SHOWN; image++) {
    float rebuilt[PIXELS] = {};
    for (size_t r = 0; r < m.s->k; r++)
      for (int i = 0; i < PIXELS; i++)
        rebuilt[i] += m.w[r * ROWS + i] * m.h[image * m.s->k + r];
    print_picture("picture", image, m.v + image * ROWS);
    print_picture("rebuilt", image, rebuilt);
  }
  free_model(m);
}

/* How often unseen digits are recognised, against the labels' weight. */
static void print_labels(const options *o)
{
  static const float label_weights[] = {0.0f, 1.0f, 2.0f, 4.0f, 8.0f, 16.0f};
  static const steps *const sizes[] = {&few_parts, &more_parts, &many_parts};
  enum { TRIES = 9, SEEN = 4096, UNSEEN = 2000, STEPS = 300 };
  printf("n_parts,label_weight,n_tries,accuracy_mean,accuracy_least,"
         "accuracy_most\n");
  for (int size = 0; size < 3; size++)
    for (int i = 0; i < 6; i++) {
      double sum = 0.0, least = 1.0, most = 0.0;
      for (int t = 0; t < TRIES; t++) {
        double share = accuracy(sizes[size], SEEN, UNSEEN, label_weights[i],
                                STEPS, o->seed + (uint64_t)t);
        sum += share;
        least = fmin(least, share);
        most = fmax(most, share);
      }
      printf("%zu,%g,%d,%.4f,%.4f,%.4f\n", sizes[size]->k, label_weights[i],
             TRIES, sum / TRIES, least, most);
      fflush(stdout);
    }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "parts of pictures",
                            "convergence,parts,labels", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  fixed_blocks = 8;
  if (o.csv && strcmp(o.csv, "convergence") == 0)
    print_convergence(&o);
  else if (o.csv && strcmp(o.csv, "parts") == 0)
    print_parts(&o);
  else if (o.csv) {
    if (!timing_is_possible())
      return EXIT_SKIPPED;
    fixed_blocks = 0;
    print_labels(&o);
  } else if (!check(&o))
    return EXIT_FAILURE;
  return EXIT_SUCCESS;
}
