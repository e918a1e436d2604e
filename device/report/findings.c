/* Scores each source line by the passes that it wastes, sorts them, and
 * explains the worst ones. */
#include "findings.h"

#include <inttypes.h>
#include <string.h>

#include "../check/source.h"

#define SECTOR_BYTES 32.0
#define WARP_LANES 32.0

/* Less than these is not worth a reader's time. */
#define WASTEFUL 1.25         /* achieved over ideal sectors */
#define MOSTLY_IDLE 24.0      /* average lanes active */
#define NOTEWORTHY_SHARE 0.05 /* of a line's branches */

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* Sectors beyond those that the lanes' bytes fill. */
static double excess(uint64_t sectors, uint64_t bytes)
{
  double ideal = (double)bytes / SECTOR_BYTES;
  double n = (double)sectors;
  return bytes > 0 && n > WASTEFUL * ideal ? n - ideal : 0;
}

static double divergence(const struct totals *t)
{
  double share = ratio((double)t->divergent_branches, (double)t->branches);
  return share >= NOTEWORTHY_SHARE ? 2.0 * (double)t->divergent_branches : 0;
}

static double idle(const struct totals *t)
{
  double lanes =
      ratio((double)t->thread_instructions, (double)t->warp_instructions);
  double full = (double)t->thread_instructions / WARP_LANES;
  return lanes < MOSTLY_IDLE ? (double)t->warp_instructions - full : 0;
}

static double score(enum finding_kind kind, const struct totals *t)
{
  switch (kind) {
  case FINDING_LOAD_SECTORS: return excess(t->ld_sectors, t->ld_bytes);
  case FINDING_STORE_SECTORS: return excess(t->st_sectors, t->st_bytes);
  case FINDING_LOAD_CONFLICTS: return (double)t->shared_ld_conflicts;
  case FINDING_STORE_CONFLICTS: return (double)t->shared_st_conflicts;
  case FINDING_DIVERGENCE: return divergence(t);
  case FINDING_IDLE_LANES: return idle(t);
  case FINDING_LOCAL_MEMORY:
    return (double)(t->local_ld_requests + t->local_st_requests);
  }
  return 0;
}

/* Keeps `findings` sorted, worst first. */
static size_t insert(struct finding *findings, size_t n, size_t limit,
                     struct finding finding)
{
  size_t i = n;
  while (i > 0 && findings[i - 1].score < finding.score)
    i--;
  if (i == limit)
    return n;
  size_t moved = (n < limit ? n : limit - 1) - i;
  memmove(&findings[i + 1], &findings[i], moved * sizeof finding);
  findings[i] = finding;
  return n < limit ? n + 1 : limit;
}

size_t findings_rank(const struct line_table *lines, struct finding *findings,
                     size_t limit)
{
  size_t n = 0;
  for (size_t i = 0; i < lines->n_rows; i++)
    for (int kind = 0; kind <= FINDING_LOCAL_MEMORY; kind++) {
      struct finding f = { (enum finding_kind)kind, &lines->rows[i], 0 };
      f.score = score(f.kind, &f.line->totals);
      if (f.score > 0)
        n = insert(findings, n, limit, f);
    }
  return n;
}

static void explain_sectors(FILE *out, const char *verb, uint64_t requests,
                            uint64_t sectors, uint64_t bytes)
{
  double ideal = ratio((double)bytes / SECTOR_BYTES, (double)requests);
  fprintf(out,
          "     %.1f sectors per %s request, ideal %.1f: %.1f %% of the bytes "
          "moved are used.\n"
          "     The lanes of a warp %s addresses that are far apart or off a "
          "32-byte boundary;\n     let neighbouring lanes use neighbouring "
          "elements.\n",
          ratio((double)sectors, (double)requests), verb, ideal,
          100.0 * ratio((double)bytes / SECTOR_BYTES, (double)sectors),
          strcmp(verb, "load") == 0 ? "read" : "write");
}

static void explain_conflicts(FILE *out, const char *verb, uint64_t requests,
                              uint64_t wavefronts, uint64_t conflicts)
{
  fprintf(out,
          "     %.1f wavefronts per shared %s, ideal %.1f: bank conflicts.\n"
          "     Lanes of one warp use different words of the same bank, which "
          "are served one\n     after the other; pad the rows of the tile or "
          "permute its columns.\n",
          ratio((double)wavefronts, (double)requests), verb,
          ratio((double)(wavefronts - conflicts), (double)requests));
}

static void explain_divergence(FILE *out, const struct totals *t)
{
  fprintf(out,
          "     %" PRIu64 " of %" PRIu64 " branches split their warp.\n"
          "     Both sides run one after the other, each with the other's "
          "lanes idle; branch on\n     something that is the same for a whole "
          "warp.\n",
          t->divergent_branches, t->branches);
}

static void explain_idle(FILE *out, const struct totals *t)
{
  fprintf(out,
          "     %.1f of 32 lanes active on average.\n"
          "     A warp takes the same time for one lane as for 32; give the "
          "idle ones work.\n",
          ratio((double)t->thread_instructions, (double)t->warp_instructions));
}

static void explain_local(FILE *out, const struct totals *t)
{
  fprintf(out,
          "     %" PRIu64 " local loads, %" PRIu64 " local stores.\n"
          "     A thread's array with an index known only at run time, or a "
          "variable whose address\n     is taken, lies in memory; a GPU's "
          "compiler may still keep it in registers.\n",
          t->local_ld_requests, t->local_st_requests);
}

static void explain_finding(FILE *out, const struct finding *finding)
{
  const struct totals *t = &finding->line->totals;
  switch (finding->kind) {
  case FINDING_LOAD_SECTORS:
    explain_sectors(out, "load", t->ld_requests, t->ld_sectors, t->ld_bytes);
    break;
  case FINDING_STORE_SECTORS:
    explain_sectors(out, "store", t->st_requests, t->st_sectors, t->st_bytes);
    break;
  case FINDING_LOAD_CONFLICTS:
    explain_conflicts(out, "load", t->shared_ld_requests,
                      t->shared_ld_wavefronts, t->shared_ld_conflicts);
    break;
  case FINDING_STORE_CONFLICTS:
    explain_conflicts(out, "store", t->shared_st_requests,
                      t->shared_st_wavefronts, t->shared_st_conflicts);
    break;
  case FINDING_DIVERGENCE: explain_divergence(out, t); break;
  case FINDING_IDLE_LANES: explain_idle(out, t); break;
  case FINDING_LOCAL_MEMORY: explain_local(out, t); break;
  }
}

void finding_print(FILE *out, const struct finding *finding, size_t rank)
{
  const struct line_totals *line = finding->line;
  char text[160];
  if (line->line == 0)
    fprintf(out, "  %zu. line unknown: compile with `nvcc -lineinfo`\n", rank);
  else
    fprintf(out, "  %zu. %s:%u\n", rank, source_name(line->file), line->line);
  if (source_text(line->file, line->line, text, sizeof text))
    fprintf(out, "       %s\n", text + strspn(text, " \t"));
  explain_finding(out, finding);
}
