/* Amdahl's law and Gustafson's law: as formulas, as tables, as a drawing on
 * the terminal, and as the answers to five problems. No GPU is needed.
 *
 *   cc code/speedup/speedup.c -lm -o speedup && ./speedup
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the laws -------------------------------------------------------- */

/* A program spends `fraction` of its time in a part that becomes `factor`
 * times as fast. How many times as fast is the program? */
static double amdahl(double fraction, double factor)
{
  return 1.0 / ((1.0 - fraction) + fraction / factor);
}

// begin fraction_for
/* The other way round: which fraction gives this speed-up? */
static double fraction_for(double speedup, double factor)
{
  return (1.0 - 1.0 / speedup) / (1.0 - 1.0 / factor);
}
// end fraction_for

/* A program on n processors spends `fraction` of its time with all of them
 * at work. How many times as long would one processor need? */
static double gustafson(double fraction, double n)
{
  return (1.0 - fraction) + fraction * n;
}

/* ---- tables ---------------------------------------------------------- */

static const double percents[] = {50.0, 75.0, 90.0, 95.0, 99.0};
enum { N_PERCENTS = sizeof percents / sizeof percents[0] };

static void print_laws(void)
{
  printf("law,percent,n,speedup,most\n");
  for (int i = 0; i < N_PERCENTS; i++)
    for (double n = 1.0; n <= 65536.0; n *= 2.0) {
      double fraction = percents[i] / 100.0;
      printf("amdahl,%g,%g,%.4f,%.1f\n", percents[i], n, amdahl(fraction, n),
             amdahl(fraction, INFINITY));
      printf("gustafson,%g,%g,%.4f,\n", percents[i], n,
             gustafson(fraction, n));
    }
}

/* What 10^18 operations take. */
static void print_prefixes(void)
{
  static const struct {
    const char *prefix, *unit;
    int power;
  } rows[] = {
    {"mega", "MFLOPS", 6}, {"giga", "GFLOPS", 9}, {"tera", "TFLOPS", 12},
    {"peta", "PFLOPS", 15}, {"exa", "EFLOPS", 18},
  };
  printf("prefix,unit,power,flop_per_s,seconds,wait\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double seconds = pow(10.0, 18 - rows[i].power);
    double days = seconds / 86400.0, years = days / 365.25;
    printf("%s,%s,%d,%.0f,%.0f,", rows[i].prefix, rows[i].unit,
           rows[i].power, pow(10.0, rows[i].power), seconds);
    if (years >= 1.0)
      printf("%.0f years\n", years);
    else if (days >= 1.0)
      printf("%.0f days\n", days);
    else if (seconds >= 60.0)
      printf("%.0f minutes\n", seconds / 60.0);
    else
      printf("%.0f second\n", seconds);
  }
}

/* ---- the drawing ----------------------------------------------------- */

enum { COLUMNS = 65, ROWS = 17, DOUBLINGS = 16 };

/* Both axes are logarithmic: every four columns n doubles, and so does the
 * speed-up with every line. */
static void draw(const char *title, double (*law)(double, double))
{
  char picture[ROWS][COLUMNS + 1];
  for (int row = 0; row < ROWS; row++) {
    memset(picture[row], ' ', COLUMNS);
    picture[row][COLUMNS] = '\0';
  }
  for (int i = 0; i < N_PERCENTS; i++)
    for (int column = 0; column < COLUMNS; column++) {
      double n = exp2((double)column * DOUBLINGS / (COLUMNS - 1));
      int row = (int)(log2(law(percents[i] / 100.0, n)) + 0.5);
      picture[row][column] = (char)('a' + i);
    }
  printf("%s\n", title);
  for (int row = ROWS - 1; row >= 0; row--)
    printf("%6.0f |%s\n", exp2(row), picture[row]);
  printf("        1        processors, from 1 to 65536 (logarithmic)\n\n");
}

static void draw_both(void)
{
  for (int i = 0; i < N_PERCENTS; i++)
    printf("%s%c: %g %%", i ? ",  " : "parallel  ", 'a' + i, percents[i]);
  printf("\n\n");
  draw("Amdahl: speed-up of the same work", amdahl);
  draw("Gustafson: speed-up of work that grows", gustafson);
}

/* ---- five problems --------------------------------------------------- */

/* The parallel part of a program takes some hours on each device; the rest
 * takes as long as ever. */
static const struct {
  const char *device;
  double parallel_hours;
} devices[] = {
  {"CPU", 50.0}, {"card 1", 20.0}, {"card 2", 4.0}, {"card 3", 1.67},
  {"card 4", 0.33},
};
enum { N_DEVICES = sizeof devices / sizeof devices[0] };

static void print_devices(double serial_hours)
{
  double before = devices[0].parallel_hours;
  double fraction = before / (serial_hours + before);
  for (int i = 0; i < N_DEVICES; i++) {
    double factor = before / devices[i].parallel_hours;
    printf("%s,%g,%g,%.2f,%.2f,%.3f\n", devices[i].device, serial_hours,
           devices[i].parallel_hours, factor,
           serial_hours + devices[i].parallel_hours,
           amdahl(fraction, factor));
  }
}

static void print_percents(double factor)
{
  printf("percent,speedup\n");
  for (int percent = 0; percent <= 100; percent++)
    printf("%d,%.4f\n", percent, amdahl(percent / 100.0, factor));
}

static void row(int problem, const char *what, double value)
{
  printf("%d,%s,%.4f\n", problem, what, value);
}

static void print_problems(void)
{
  double half = amdahl(1.0, 20.0) / 2.0;
  row(2, "speedup", amdahl(0.40, 10.0));
  row(3, "speedup", amdahl(0.90, 5.0));
  row(4, "percent_for_2", 100.0 * fraction_for(2.0, 20.0));
  row(4, "half_of_most", half);
  row(4, "percent_for_half", 100.0 * fraction_for(half, 20.0));

  double without = 2.5, with = 1.0, factor = 5.0;      /* minutes */
  double fraction = fraction_for(without / with, factor);
  double floats = fraction * without;
  row(5, "float_percent", 100.0 * fraction);
  row(5, "float_minutes_without", floats);
  row(5, "float_minutes_with", floats / factor);
  row(5, "other_minutes", without - floats);
}

/* Exercise: the fewest processors that reach `share` percent of what Amdahl's
 * law would give on infinitely many. In whole numbers: half of
 * 1 / (1 - 0.9) is 5.000000000000001 in doubles, which 9 processors miss. */
static long processors_for(long percent, long share)
{
  long work = percent * share, each = (100 - percent) * (100 - share);
  return (work + each - 1) / each;
}

static void print_processors(void)
{
  printf("percent,share_percent,processors\n");
  for (int i = 0; i < N_PERCENTS; i++)
    for (int share = 50; share <= 90; share += 40)
      printf("%g,%d,%ld\n", percents[i], share,
             processors_for((long)percents[i], share));
}

// begin parts
/* Exercise: a program of several parts, each with its share of the time and
 * its own factor. */
static double speedup_of_parts(const double *share, const double *factor,
                               int n_parts)
{
  double time = 0.0;
  for (int i = 0; i < n_parts; i++)
    time += share[i] / factor[i];
  return 1.0 / time;
}
// end parts

static const double part_share[] = {0.5, 0.3, 0.2};
static const double part_factor[] = {20.0, 5.0, 1.0};

static void print_parts(void)
{
  double first[] = {20.0, 1.0, 1.0}, second[] = {INFINITY, 5.0, 1.0};
  double third[] = {20.0, INFINITY, 1.0};
  printf("version,speedup\n");
  printf("first,%.4f\n", speedup_of_parts(part_share, first, 3));
  printf("both,%.4f\n", speedup_of_parts(part_share, part_factor, 3));
  printf("first_free,%.4f\n", speedup_of_parts(part_share, second, 3));
  printf("second_free,%.4f\n", speedup_of_parts(part_share, third, 3));
}

/* ---- the check: count the work, unit by unit ------------------------- */

static int n_bad;

static void expect(const char *what, double expected, double got)
{
  if (fabs(got - expected) <= 1e-9 * fabs(expected))
    return;
  fprintf(stderr, "speedup: error: %s: expected %.6g, got %.6g\n", what,
          expected, got);
  n_bad++;
}

/* Hands out 1000 units of time, some of which are done n at a time. */
static double time_of_units(int parallel_units, int n)
{
  double time = 0.0;
  int free_processors = 0;
  for (int unit = 0; unit < 1000; unit++) {
    if (unit >= parallel_units) {
      time += 1.0;
      continue;
    }
    if (free_processors == 0) {
      free_processors = n;
      time += 1.0;
    }
    free_processors--;
  }
  return time;
}

static int check(void)
{
  for (int units = 0; units <= 1000; units += 40)
    for (int n = 1; n <= 40; n *= 2) {
      if (units % n != 0)
        continue;
      expect("Amdahl, by units", 1000.0 / time_of_units(units, n),
             amdahl(units / 1000.0, n));
      /* The same units on n processors, seen from there. */
      double time = time_of_units(units, n);
      expect("Gustafson, by units", 1000.0 / time,
             gustafson((units / (double)n) / time, n));
      double both[] = {units / 1000.0, 1.0 - units / 1000.0};
      double factors[] = {n, 1.0};
      expect("two parts", amdahl(both[0], n),
             speedup_of_parts(both, factors, 2));
      if (n > 1)
        expect("the fraction back", units / 1000.0,
               fraction_for(amdahl(units / 1000.0, n), n));
    }
  expect("problem 2", 1.5625, amdahl(0.4, 10.0));
  expect("problem 3", 1.0 / 0.28, amdahl(0.9, 5.0));
  expect("problem 4", 10.0 / 19.0, fraction_for(2.0, 20.0));
  expect("problem 4, half", 18.0 / 19.0, fraction_for(10.0, 20.0));
  expect("problem 5", 0.75, fraction_for(2.5, 5.0));
  expect("no end", 20.0, amdahl(0.95, INFINITY));
  /* The law in whole numbers, times 100: n * 100 / ((100 - p) * n + p). */
  for (long p = 1; p < 100; p++)
    for (long share = 1; share < 100; share++) {
      long n = 1;
      while (100 * n * (100 - p) < share * ((100 - p) * n + p))
        n++;
      expect("processors", (double)n, (double)processors_for(p, share));
    }
  static const long half[N_PERCENTS] = {1, 3, 9, 19, 99};
  for (int i = 0; i < N_PERCENTS; i++) {
    long p = (long)percents[i];
    expect("half of the most", (double)half[i], (double)processors_for(p, 50));
    expect("nine tenths of it", 9.0 * (double)half[i],
           (double)processors_for(p, 90));
  }
  return n_bad;
}

/* ---- main ------------------------------------------------------------ */

static const char usage[] =
  "  (none)              draw both laws and print the five answers\n"
  "  --check             check the formulas against units of work\n"
  "  --csv=laws|prefixes|devices|percents|problems|processors|parts\n"
  "  --draw              draw both laws\n"
  "  --serial-hours H    problem 1's part that stays on the CPU (default 50)\n"
  "  --help              this text\n";

int main(int argc, char **argv)
{
  const char *csv = NULL;
  double serial_hours = 50.0;
  int only_draw = 0;
  if (check() > 0)
    return EXIT_FAILURE;
  for (int i = 1; i < argc; i++) {
    char *end = argv[i];
    if (strncmp(argv[i], "--csv=", 6) == 0)
      csv = argv[i] + 6;
    else if (strcmp(argv[i], "--check") == 0)
      return puts("the formulas are right") < 0;
    else if (strcmp(argv[i], "--draw") == 0)
      only_draw = 1;
    else if (strcmp(argv[i], "--serial-hours") == 0 && i + 1 < argc)
      serial_hours = strtod(argv[++i], &end);
    else
      end = NULL;
    if (strcmp(argv[i], "--help") == 0)
      return printf("usage: %s [option …]\n%s", argv[0], usage) < 0;
    if (!end || serial_hours < 0.0) {
      fprintf(stderr, "%s: error: what is '%s'?\n%s", argv[0], argv[i],
              usage);
      return 2;
    }
  }
  if (csv && strcmp(csv, "laws") == 0) {
    print_laws();
  } else if (csv && strcmp(csv, "prefixes") == 0) {
    print_prefixes();
  } else if (csv && strcmp(csv, "devices") == 0) {
    printf("device,serial_hours,parallel_hours,factor,total_hours,speedup\n");
    print_devices(serial_hours);
  } else if (csv && strcmp(csv, "percents") == 0) {
    print_percents(20.0);
  } else if (csv && strcmp(csv, "problems") == 0) {
    printf("problem,quantity,value\n");
    print_problems();
  } else if (csv && strcmp(csv, "processors") == 0) {
    print_processors();
  } else if (csv && strcmp(csv, "parts") == 0) {
    print_parts();
  } else if (csv) {
    fprintf(stderr, "%s: error: no table '%s'\n%s", argv[0], csv, usage);
    return 2;
  } else {
    draw_both();
    if (!only_draw) {
      print_devices(serial_hours);
      print_problems();
    }
  }
  return EXIT_SUCCESS;
}
