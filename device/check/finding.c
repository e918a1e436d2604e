/* A list of findings under one lock. A new one is printed at once; one that is
 * already in the list is only counted. */
#define _POSIX_C_SOURCE 200809L /* flockfile */
#include "finding.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/host_memory.h"
#include "demangle.h"
#include "describe.h"
#include "source.h"

enum { SHOWN = 100, KERNEL_NAME = 512 };

struct known {
  struct finding finding; /* the first of its kind; its texts are copies, for
                             their owners may go */
  uint64_t times;
  struct known *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *first, **last = &first;
static size_t n_known;
static finding_listener *listener; /* NULL: findings go to stderr */
static void *listener_context;

void finding_listen(finding_listener *hear, void *context)
{
  listener = hear;
  listener_context = context;
}

static bool same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Code that was inlined at two places is at two places. */
static bool same_line(const struct source_line *a, const struct source_line *b)
{
  while (a != NULL && b != NULL && a->line == b->line &&
         same_text(a->file, b->file)) {
    a = a->caller;
    b = b->caller;
  }
  return a == NULL && b == NULL;
}

static bool same_place(const struct finding_side *a,
                       const struct finding_side *b)
{
  return same_line(&a->source, &b->source) &&
         (a->source.line != 0 || a->ptx_line == b->ptx_line);
}

static bool same(const struct finding *a, const struct finding *b)
{
  return a->check == b->check && same_text(a->title, b->title) &&
         same_text(a->kernel, b->kernel) && same_place(&a->here, &b->here) &&
         same_place(&a->there, &b->there) &&
         (a->kernel != NULL || same_text(a->detail, b->detail));
}

static char *copy_of(const char *text)
{
  return text == NULL ? NULL : host_copy(text);
}

static void own_line(struct source_line *line)
{
  line->file = copy_of(line->file);
  for (int i = 0; i < 2; i++) {
    const struct source_line **next = i == 0 ? &line->caller : &line->inside;
    struct source_line *own;

    if (*next == NULL)
      continue;
    own = host_new(1, sizeof *own);
    *own = **next;
    own_line(own);
    *next = own;
  }
}

static struct known *remember(const struct finding *finding)
{
  struct known *known = host_new(1, sizeof *known);

  known->finding = *finding;
  known->finding.kernel = copy_of(finding->kernel);
  own_line(&known->finding.here.source);
  own_line(&known->finding.there.source);
  *last = known;
  last = &known->next;
  n_known++;
  return known;
}

static void print_who(FILE *out, const struct finding_side *side)
{
  if (side->has_block)
    fprintf(out, "block (%u,%u,%u)", side->block[0], side->block[1],
            side->block[2]);
  if (side->has_thread)
    fprintf(out, "%sthread (%u,%u,%u)", side->has_block ? ", " : "",
            side->thread[0], side->thread[1], side->thread[2]);
}

static void print_side(FILE *out, const struct finding_side *side)
{
  if (side->did != NULL) {
    bool has_who = side->has_block || side->has_thread;

    fprintf(out, "  %s%s", side->did, has_who ? " by " : "");
    print_who(out, side);
    fputc('\n', out);
  }
  if (side->source.line != 0)
    describe_source(out, &side->source);
  else if (side->ptx_line != 0)
    fprintf(out,
            "  at PTX line %u: compile with `nvcc -lineinfo` to see the "
            "source line\n",
            side->ptx_line);
  else if (side->has_thread)
    fputs("  at a line that other lanes' loads have replaced in the record\n",
          out);
}

void finding_describe(FILE *out, const struct finding *finding)
{
  char kernel[KERNEL_NAME];

  flockfile(out);
  fprintf(out, "softdevice: %s: %s\n", check_name(finding->check),
          finding->title);
  print_side(out, &finding->here);
  if (finding->there.did != NULL) {
    fputs(finding->check == CHECK_RACE ? "  nothing orders it with\n"
                                       : "  together with\n",
          out);
    print_side(out, &finding->there);
  }
  if (finding->kernel != NULL) {
    demangle(finding->kernel, kernel, sizeof kernel);
    fprintf(out, "  in kernel %s\n", kernel);
  }
  if (finding->has_address && finding->space == SPACE_GLOBAL)
    describe_global(out, finding->address);
  else if (finding->has_address)
    fprintf(out, "  address 0x%" PRIx64 " of %s memory\n", finding->address,
            describe_space(finding->space));
  if (finding->detail[0] != '\0')
    fprintf(out, "  %s\n", finding->detail);
  funlockfile(out);
}

struct known *finding_add(const struct finding *finding)
{
  struct known *known;

  pthread_mutex_lock(&lock);
  for (known = first; known != NULL; known = known->next)
    if (same(&known->finding, finding))
      break;
  if (known == NULL) {
    known = remember(finding);
    if (listener != NULL)
      listener(listener_context, &known->finding);
    else if (n_known <= SHOWN)
      finding_describe(stderr, &known->finding);
  }
  known->times++;
  pthread_mutex_unlock(&lock);
  return known;
}

void finding_again(struct known *known)
{
  pthread_mutex_lock(&lock);
  known->times++;
  pthread_mutex_unlock(&lock);
}

/* No field may hold a comma or a newline. */
static void put_text(FILE *out, const char *text)
{
  for (; text != NULL && *text != '\0'; text++)
    fputc(*text == ',' || *text == '\n' ? ';' : *text, out);
  fputc(',', out);
}

static void put_side(FILE *out, const struct finding_side *side)
{
  put_text(out,
           side->source.file == NULL ? "" : source_name(side->source.file));
  if (side->source.line != 0)
    fprintf(out, "%u", side->source.line);
  fputc(',', out);
  if (side->has_block)
    fprintf(out, "%u %u %u", side->block[0], side->block[1], side->block[2]);
  fputc(',', out);
  if (side->has_thread)
    fprintf(out, "%u %u %u", side->thread[0], side->thread[1], side->thread[2]);
  fputc(',', out);
}

/* "inside file:line" of the toolkit's headers, or "inlined at file:line …". */
static void put_via(FILE *out, const struct source_line *line)
{
  char *text = NULL;
  size_t n = 0;
  FILE *words = open_memstream(&text, &n);

  if (words == NULL)
    return;
  describe_via(words, line);
  fclose(words);
  for (char *at = text; *at != '\0'; at++)
    if (*at == ',')
      *at = ';';
    else if (*at == '\n')
      *at = at[1] == '\0' ? '\0' : ';';
  fputs(text + strspn(text, " "), out);
  free(text);
}

static void put_row(FILE *out, const struct known *known)
{
  const struct finding *f = &known->finding;
  char kernel[KERNEL_NAME] = "";

  if (f->kernel != NULL)
    demangle(f->kernel, kernel, sizeof kernel);
  put_text(out, check_name(f->check));
  put_text(out, f->title);
  put_text(out, kernel);
  put_side(out, &f->here);
  put_side(out, &f->there);
  put_text(out, f->has_address ? describe_space(f->space) : "");
  if (f->has_address)
    fprintf(out, "0x%" PRIx64, f->address);
  fputc(',', out);
  put_text(out, f->detail);
  fprintf(out, "%" PRIu64 ",", known->times);
  put_via(out, &f->here.source);
  fputc(',', out);
  put_via(out, &f->there.source);
  fputc('\n', out);
}

static void write_file(const char *name)
{
  char beside[4096];
  struct stat found;
  bool to_stderr = strcmp(name, "-") == 0;
  /* A device or a pipe, /dev/null say, is written to, never replaced. */
  bool in_place = stat(name, &found) == 0 && !S_ISREG(found.st_mode);
  FILE *out = stderr;

  if (in_place)
    snprintf(beside, sizeof beside, "%s", name);
  else
    snprintf(beside, sizeof beside, "%s.%ld.part", name, (long)getpid());
  if (!to_stderr && (out = fopen(beside, "w")) == NULL) {
    fprintf(stderr, "softdevice: SOFTDEVICE_FINDINGS: cannot write %s\n",
            beside);
    return;
  }
  fputs("check,title,kernel,file,line,block,thread,other_file,other_line,"
        "other_block,other_thread,space,address,detail,times,via,other_via\n",
        out);
  for (const struct known *known = first; known != NULL; known = known->next)
    put_row(out, known);
  if (!to_stderr &&
      (fclose(out) != 0 || (!in_place && rename(beside, name) != 0)))
    fprintf(stderr, "softdevice: SOFTDEVICE_FINDINGS: cannot write %s\n", name);
}

void findings_at_abort(void)
{
  if (pthread_mutex_trylock(&lock) != 0)
    return;
  pthread_mutex_unlock(&lock);
  findings_finish();
}

int findings_finish(void)
{
  const char *name = getenv("SOFTDEVICE_FINDINGS");
  uint64_t times = 0;

  if (!check_wanted(CHECK_ALL))
    return 0;
  pthread_mutex_lock(&lock);
  for (const struct known *known = first; known != NULL; known = known->next)
    times += known->times;
  if (name != NULL && name[0] != '\0')
    write_file(name);
  if (n_known > SHOWN)
    fprintf(stderr, "softdevice: %zu more findings are not shown\n",
            n_known - SHOWN);
  if (n_known > 0)
    fprintf(stderr,
            "softdevice: checks: %zu finding%s, seen %" PRIu64 " time%s\n",
            n_known, n_known == 1 ? "" : "s", times, times == 1 ? "" : "s");
  pthread_mutex_unlock(&lock);
  return n_known > 0 ? check_status() : 0;
}
