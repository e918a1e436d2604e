/* A list of findings under one lock. One that is already in the list is only
 * counted. A new one is printed at once, if its cause is new and it is not weak;
 * otherwise it is listed when the launch is over. */
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
#include "cause.h"
#include "demangle.h"
#include "describe.h"
#include "source.h"

enum { SHOWN = 100, KERNEL_NAME = 512, PATIENCE_TIMES = 1 << 22 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *first, **last = &first;
static struct cause *causes, **last_cause = &causes;
static size_t n_causes;
static finding_listener *listener; /* NULL: findings go to stderr */
static void *listener_context;

void finding_listen(finding_listener *hear, void *context)
{
  listener = hear;
  listener_context = context;
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
  known->finding.here.did = copy_of(finding->here.did);
  known->finding.there.did = copy_of(finding->there.did);
  own_line(&known->finding.here.source);
  own_line(&known->finding.there.source);
  *last = known;
  last = &known->next;
  return known;
}

static struct cause *new_cause(struct known *known)
{
  struct cause *cause = host_new(1, sizeof *cause);

  cause->first = known;
  cause->number = ++n_causes;
  cause->shown = listener == NULL && n_causes <= SHOWN;
  *last_cause = cause;
  last_cause = &cause->next;
  return cause;
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
    describe_other(out, finding->space, finding->address, finding->story);
  if (finding->detail[0] != '\0')
    fprintf(out, "  %s\n", finding->detail);
  funlockfile(out);
}

static void tell(struct cause *cause)
{
  cause->waits = false;
  cause->first->listed = true;
  if (cause->shown)
    finding_describe(stderr, &cause->first->finding);
}

struct known *finding_add(const struct finding *finding)
{
  struct known *known;

  pthread_mutex_lock(&lock);
  for (known = first; known != NULL; known = known->next)
    if (same(&known->finding, finding))
      break;
  if (known == NULL) {
    struct cause *cause = cause_of(causes, first, finding);

    known = remember(finding);
    if (cause == NULL) {
      cause = known->cause = new_cause(known);
      cause->waits = finding->weak;
      if (!finding->weak)
        tell(cause);
    } else {
      known->cause = cause;
      cause->grown = true;
      if (cause->waits && !finding->weak) {
        cause->first = known;
        tell(cause);
      }
    }
    if (listener != NULL)
      listener(listener_context, &known->finding);
  }
  known->times++;
  pthread_mutex_unlock(&lock);
  return known;
}

void finding_again(struct known *known)
{
  pthread_mutex_lock(&lock);
  known->times++;
  /* What is seen on and on may be why the launch does not end. */
  if (known->cause->waits && known->times >= PATIENCE_TIMES)
    tell(known->cause);
  pthread_mutex_unlock(&lock);
}

static void list_grown(void)
{
  for (struct cause *cause = causes; cause != NULL; cause = cause->next)
    if (cause->waits)
      tell(cause);
  for (struct cause *cause = causes; cause != NULL; cause = cause->next)
    if (cause->grown && cause->shown)
      cause_list(stderr, first, cause);
}

void findings_list(void)
{
  pthread_mutex_lock(&lock);
  list_grown();
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
  fprintf(out, ",%zu\n", known->cause->number);
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
        "other_block,other_thread,space,address,detail,times,via,other_via,"
        "finding\n",
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
  list_grown();
  if (n_causes > SHOWN)
    fprintf(stderr, "softdevice: %zu more findings are not shown\n",
            n_causes - SHOWN);
  if (n_causes > 0)
    fprintf(stderr,
            "softdevice: checks: %zu finding%s, seen %" PRIu64 " time%s\n",
            n_causes, n_causes == 1 ? "" : "s", times, times == 1 ? "" : "s");
  pthread_mutex_unlock(&lock);
  return n_causes > 0 ? check_status() : 0;
}
