/* The text report: totals of each kernel, then the lines to look at first. */
#include "text.h"

#include <inttypes.h>

#include "findings.h"

#define WORST 3
#define SECTOR_BYTES 32.0

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

static void put_heading(FILE *out, const struct kernel_totals *k)
{
  fprintf(out,
          "\nkernel %s\n  %" PRIu64 " launch%s, %sgrid %u x %u x %u, "
          "block %u x %u x %u\n\n",
          k->name, k->n_launches, k->n_launches == 1 ? "" : "es",
          k->shapes_differ ? "last " : "", k->grid[0], k->grid[1], k->grid[2],
          k->block[0], k->block[1], k->block[2]);
}

static void put_instructions(FILE *out, const struct totals *t)
{
  fprintf(out, "  %-24s %14" PRIu64 "   %.1f of 32 lanes active\n",
          "warp instructions", t->warp_instructions,
          ratio((double)t->thread_instructions, (double)t->warp_instructions));
  fprintf(out, "  %-24s %14" PRIu64 "\n", "thread instructions",
          t->thread_instructions);
}

static void put_global(FILE *out, const char *name, uint64_t requests,
                       uint64_t sectors, uint64_t bytes)
{
  if (requests == 0)
    return;
  fprintf(out, "  %-24s %14" PRIu64 "   %.2f sectors per request", name,
          requests, ratio((double)sectors, (double)requests));
  if (bytes > 0)
    fprintf(out, ", ideal %.2f",
            ratio((double)bytes / SECTOR_BYTES, (double)requests));
  fputc('\n', out);
}

static void put_shared(FILE *out, const char *name, uint64_t requests,
                       uint64_t wavefronts, uint64_t conflicts)
{
  if (requests == 0)
    return;
  fprintf(out,
          "  %-24s %14" PRIu64 "   %.2f wavefronts per request, ideal "
          "%.2f\n",
          name, requests, ratio((double)wavefronts, (double)requests),
          ratio((double)(wavefronts - conflicts), (double)requests));
}

static void put_count(FILE *out, const char *name, uint64_t n)
{
  if (n > 0)
    fprintf(out, "  %-24s %14" PRIu64 "\n", name, n);
}

static void put_totals(FILE *out, const struct totals *t)
{
  put_instructions(out, t);
  put_global(out, "global load requests", t->ld_requests, t->ld_sectors,
             t->ld_bytes);
  put_global(out, "global store requests", t->st_requests, t->st_sectors,
             t->st_bytes);
  put_global(out, "global atomic requests", t->atomic_requests,
             t->atomic_sectors, 0);
  put_shared(out, "shared load requests", t->shared_ld_requests,
             t->shared_ld_wavefronts, t->shared_ld_conflicts);
  put_shared(out, "shared store requests", t->shared_st_requests,
             t->shared_st_wavefronts, t->shared_st_conflicts);
  put_count(out, "local load requests", t->local_ld_requests);
  put_count(out, "local store requests", t->local_st_requests);
  if (t->constant_ld_requests > 0)
    fprintf(
        out,
        "  %-24s %14" PRIu64 "   %.2f words per request, ideal "
        "1.00\n",
        "constant load requests", t->constant_ld_requests,
        ratio((double)t->constant_ld_words, (double)t->constant_ld_requests));
  put_count(out, "texture fetch requests", t->texture_requests);
  put_count(out, "surface requests", t->surface_requests);
  put_global(out, "bulk loads", t->copy_ld_requests, t->copy_ld_sectors, 0);
  put_global(out, "bulk stores", t->copy_st_requests, t->copy_st_sectors, 0);
  put_count(out, "matrix instructions", t->matrix_instructions);
  if (t->branches > 0)
    fprintf(out, "  %-24s %14" PRIu64 "   %.1f %% split their warp\n",
            "branches", t->branches,
            100.0 * ratio((double)t->divergent_branches, (double)t->branches));
  put_count(out, "barriers (warps)", t->barriers);
  put_count(out, "FP32 operations", t->flop_f32);
  put_count(out, "FP64 operations", t->flop_f64);
  put_count(out, "matrix operations", t->matrix_operations);
}

static void put_findings(FILE *out, const struct line_table *lines)
{
  struct finding findings[WORST];
  size_t n = findings_rank(lines, findings, WORST);
  if (n == 0) {
    fputs("\n  No line stands out: accesses are coalesced, free of bank "
          "conflicts, and no\n  warp splits much.\n",
          out);
    return;
  }
  fputs("\n  Look here first:\n", out);
  for (size_t i = 0; i < n; i++)
    finding_print(out, &findings[i], i + 1);
}

void text_report(FILE *out, const struct kernel_totals *kernels)
{
  fputs("Software device: counts of what the kernels did. They are exact for "
        "PTX; a GPU's\ncompiler may merge or drop instructions. No times: "
        "this is no GPU.\n",
        out);
  if (kernels == NULL)
    fputs("\nNo kernel was launched.\n", out);
  for (const struct kernel_totals *k = kernels; k != NULL; k = k->next) {
    put_heading(out, k);
    put_totals(out, &k->totals);
    put_findings(out, &k->lines);
  }
}
