/* Compares findings, and writes the list of those that have one cause: sorted
 * by lines, each pair of lines once, whichever of them came first. */
#define _POSIX_C_SOURCE 200809L /* flockfile */
#include "cause.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "demangle.h"
#include "source.h"

enum { LISTED = 20, KERNEL_NAME = 512 };

/* ---- comparing -------- */

bool same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_line(const struct source_line *a, const struct source_line *b)
{
  return a->line == b->line && same_text(a->file, b->file);
}

/* Code that was inlined at two places is at two places. */
static bool same_lines(const struct source_line *a, const struct source_line *b)
{
  while (a != NULL && b != NULL && same_line(a, b)) {
    a = a->caller;
    b = b->caller;
  }
  return a == NULL && b == NULL;
}

bool same_place(const struct finding_side *a, const struct finding_side *b)
{
  return same_lines(&a->source, &b->source) &&
         (a->source.line != 0 || a->ptx_line == b->ptx_line);
}

/* The line of the kernel itself. */
static const struct source_line *outermost(const struct source_line *line)
{
  while (line->caller != NULL)
    line = line->caller;
  return line;
}

/* The same lines of the source, in another instance of a template, or inlined
 * once more in the same kernel. */
static bool is_copy(const struct finding *a, const struct finding *b)
{
  if (!same_text(a->title, b->title) || a->here.source.line == 0)
    return false;
  if (!same_text(a->kernel, b->kernel))
    return same_place(&a->here, &b->here) && same_place(&a->there, &b->there);
  return same_line(&a->here.source, &b->here.source) &&
         same_line(&a->there.source, &b->there.source);
}

static bool meets(const struct finding_side *a, const struct finding_side *b)
{
  return a->source.line != 0 &&
         same_line(outermost(&a->source), outermost(&b->source));
}

static bool share_a_line(const struct finding *a, const struct finding *b)
{
  return meets(&a->here, &b->here) || meets(&a->here, &b->there) ||
         meets(&a->there, &b->here) || meets(&a->there, &b->there);
}

static bool have_one_cause(const struct finding *a, const struct finding *b)
{
  if (a->check != b->check || a->kernel == NULL || b->kernel == NULL)
    return false;
  if (is_copy(a, b))
    return true;
  return a->cause != NULL && same_text(a->cause, b->cause) &&
         same_text(a->kernel, b->kernel) &&
         (a->object == b->object ||
          (a->check == CHECK_RACE && share_a_line(a, b)));
}

struct cause *cause_of(struct cause *causes, const struct known *all,
                       const struct finding *finding)
{
  for (struct cause *cause = causes; cause != NULL; cause = cause->next)
    for (const struct known *k = all; k != NULL; k = k->next)
      if (k->cause == cause && have_one_cause(&k->finding, finding))
        return cause;
  return NULL;
}

/* ---- the list -------- */

enum { KINDS = 4 };

/* Two lines of one kernel, or one. */
struct pair {
  const struct finding_side *upper, *lower; /* lower: NULL: one line */
  const struct finding *finding;
  const char *kinds[KINDS]; /* titles; NULL: no more */
  uint64_t times;
};

static int compare_lines(const struct source_line *a,
                         const struct source_line *b)
{
  for (; a != NULL && b != NULL; a = a->caller, b = b->caller) {
    int files =
        strcmp(a->file == NULL ? "" : a->file, b->file == NULL ? "" : b->file);

    if (files != 0)
      return files;
    if (a->line != b->line)
      return a->line < b->line ? -1 : 1;
  }
  return (a != NULL) - (b != NULL);
}

static int compare_sides(const struct finding_side *a,
                         const struct finding_side *b)
{
  int lines;

  if (a == NULL || b == NULL)
    return (a != NULL) - (b != NULL);
  lines = compare_lines(&a->source, &b->source);
  if (lines != 0 || a->source.line != 0)
    return lines;
  return (a->ptx_line > b->ptx_line) - (a->ptx_line < b->ptx_line);
}

static int compare_pairs(const void *a, const void *b)
{
  const struct pair *x = a, *y = b;
  int order = strcmp(x->finding->kernel, y->finding->kernel);

  if (order == 0)
    order = compare_sides(x->upper, y->upper);
  return order != 0 ? order : compare_sides(x->lower, y->lower);
}

/* That lanes race where warps do need not be said. */
static void add_kind(struct pair *pair, const struct finding *finding)
{
  const char *title = finding->title;

  if (finding->weak && !pair->finding->weak)
    return;
  if (pair->finding->weak && !finding->weak) {
    pair->finding = finding;
    pair->kinds[0] = title;
    return;
  }
  for (int i = 0; i < KINDS; i++)
    if (pair->kinds[i] == NULL || same_text(pair->kinds[i], title)) {
      pair->kinds[i] = title;
      return;
    }
}

static struct pair pair_of(const struct known *known)
{
  const struct finding *f = &known->finding;
  struct pair pair = { .upper = &f->here,
                       .lower = f->there.did == NULL ? NULL : &f->there,
                       .finding = f,
                       .kinds = { f->title },
                       .times = known->times };

  if (pair.lower != NULL && compare_sides(pair.upper, pair.lower) > 0) {
    pair.upper = &f->there;
    pair.lower = &f->here;
  }
  return pair;
}

/* `before`: the side whose file need not be named again; or NULL. The line at
 * which this one was inlined is named, unless `told` names it. */
static void print_side(FILE *out, const struct finding_side *side,
                       const struct finding_side *before,
                       const struct finding *told)
{
  const struct source_line *line = &side->source, *top = outermost(line);

  if (line->line == 0)
    fprintf(out, "PTX line %u", side->ptx_line);
  else if (before != NULL && same_text(line->file, before->source.file))
    fprintf(out, ":%u", line->line);
  else
    fprintf(out, "%s:%u", source_name(line->file), line->line);
  if (top != line && !meets(side, &told->here) && !meets(side, &told->there))
    fprintf(out, " (inlined at %s:%u)", source_name(top->file), top->line);
}

static void print_sides(FILE *out, const struct pair *pair,
                        const struct finding *told)
{
  print_side(out, pair->upper, NULL, told);
  if (pair->lower == NULL)
    return;
  if (compare_sides(pair->upper, pair->lower) == 0) {
    fputs(" with itself", out);
    return;
  }
  fputs(" and ", out);
  print_side(out, pair->lower, pair->upper, told);
}

/* "race between warps in shared memory": "between warps". */
static void print_kinds(FILE *out, const struct pair *pair,
                        const struct finding *first)
{
  char kernel[KERNEL_NAME];

  for (int i = 0; i < KINDS && pair->kinds[i] != NULL; i++) {
    const char *title = pair->kinds[i], *end = strstr(title, " in ");

    if (same_text(title, first->title))
      continue;
    if (strncmp(title, "race ", 5) == 0 && end != NULL)
      fprintf(out, ", %.*s", (int)(end - title - 5), title + 5);
    else
      fprintf(out, ", %s", title);
  }
  if (!same_text(pair->finding->kernel, first->kernel)) {
    demangle(pair->finding->kernel, kernel, sizeof kernel);
    fprintf(out, ", in kernel %s", kernel);
  }
}

/* Those that come again are added to the ones before them. */
static size_t merge(struct pair *pairs, size_t n)
{
  size_t different = 0;

  if (n != 0)
    qsort(pairs, n, sizeof *pairs, compare_pairs);
  for (size_t i = 0; i < n; i++)
    if (different > 0 && compare_pairs(&pairs[different - 1], &pairs[i]) == 0) {
      add_kind(&pairs[different - 1], pairs[i].finding);
      pairs[different - 1].times += pairs[i].times;
    } else {
      pairs[different++] = pairs[i];
    }
  return different;
}

static void print_pairs(FILE *out, const struct pair *pairs, size_t n,
                        const struct pair *told)
{
  fprintf(out, "softdevice: %zu more with the same cause as \"%s\",\n", n,
          told->finding->title);
  fputs("  told at ", out);
  if (told->lower != NULL && compare_sides(told->upper, told->lower) == 0)
    print_side(out, told->upper, NULL, told->finding);
  else
    print_sides(out, told, told->finding);
  fputs(":\n", out);
  for (size_t i = 0; i < n && i < LISTED; i++) {
    fputs("    ", out);
    print_sides(out, &pairs[i], told->finding);
    print_kinds(out, &pairs[i], told->finding);
    fprintf(out, ", seen %" PRIu64 " time%s\n", pairs[i].times,
            pairs[i].times == 1 ? "" : "s");
  }
  if (n > LISTED)
    fprintf(out, "    and %zu more: --findings FILE has all of them\n",
            n - LISTED);
}

void cause_list(FILE *out, struct known *all, struct cause *cause)
{
  struct pair told = pair_of(cause->first), *pairs = NULL;
  const char *advice = NULL;
  size_t n = 0;

  for (struct known *k = all; k != NULL; k = k->next) {
    const struct finding *f = &k->finding;

    if (k->cause != cause || k->listed)
      continue;
    k->listed = true;
    pairs = host_grow(pairs, n + 1, sizeof *pairs);
    pairs[n] = pair_of(k);
    if (compare_pairs(&pairs[n], &told) == 0 &&
        (f->weak || same_text(f->title, told.finding->title)))
      continue; /* the other way round, or what need not be said */
    n++;
    if (f->check == CHECK_RACE && !f->weak &&
        !same_text(f->detail, told.finding->detail))
      advice = f->detail;
  }
  cause->grown = false;
  n = merge(pairs, n);
  if (n != 0) {
    flockfile(out);
    print_pairs(out, pairs, n, &told);
    if (advice != NULL)
      fprintf(out, "  %s\n", advice);
    funlockfile(out);
  }
  free(pairs);
}
