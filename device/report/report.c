/* Adds launches to the files and reports that were asked for, and writes them
 * when the process ends. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../check/demangle.h"
#include "../support/host_memory.h"
#include "access.h"
#include "csv.h"
#include "file.h"
#include "launch.h"
#include "text.h"
#include "trace.h"

#define NAME_BYTES 512

static const char *const totals_variables[TOTALS_FILES] = {
  [TOTALS_COUNTS] = "SOFTDEVICE_COUNTS",
  [TOTALS_CACHES] = "SOFTDEVICE_CACHES",
  [TOTALS_ATOMICS] = "SOFTDEVICE_ATOMICS",
  [TOTALS_TENSOR] = "SOFTDEVICE_TENSOR",
};
static struct report_file text, totals_files[TOTALS_FILES], lines_file,
    accesses, traces;
static struct kernel_totals *kernels; /* in order of first launch */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_files(void)
{
  report_file_open(&text, "SOFTDEVICE_REPORT");
  for (unsigned i = 0; i < TOTALS_FILES; i++) {
    report_file_open(&totals_files[i], totals_variables[i]);
    if (totals_files[i].stream != NULL)
      csv_launches_head(totals_files[i].stream, i);
  }
  report_file_open(&lines_file, "SOFTDEVICE_LINES");
  report_file_open(&accesses, "SOFTDEVICE_ACCESS_MAP");
  report_file_open(&traces, "SOFTDEVICE_TRACE");
  if (lines_file.stream != NULL)
    csv_lines_head(lines_file.stream);
  if (accesses.stream != NULL)
    access_head(accesses.stream);
  if (traces.stream != NULL)
    trace_head(traces.stream);
}

void report_begin(const struct report_launch *id, struct launch *launch)
{
  static char name[NAME_BYTES]; /* used by the sinks while the launch runs */
  pthread_once(&once, open_files);
  demangle(id->kernel, name, sizeof name);
  launch_note(id, name, launch);
  access_begin(accesses.stream, id, name, launch);
  trace_begin(traces.stream, id, name, launch);
}

static struct kernel_totals *find_kernel(const char *name)
{
  struct kernel_totals **link = &kernels;
  while (*link != NULL && strcmp((*link)->name, name) != 0)
    link = &(*link)->next;
  if (*link == NULL && (*link = host_try_new(1, sizeof **link)) != NULL &&
      ((*link)->name = host_try_copy(name)) == NULL) {
    free(*link);
    *link = NULL;
  }
  return *link;
}

static void add_to_text(const struct report_launch *id, const char *name,
                        const struct totals *totals,
                        const struct launch_counts *counts)
{
  struct kernel_totals *k = find_kernel(name);
  if (k == NULL)
    return;
  k->shapes_differ |=
      k->n_launches > 0 && (memcmp(k->grid, id->grid, sizeof k->grid) != 0 ||
                            memcmp(k->block, id->block, sizeof k->block) != 0);
  memcpy(k->grid, id->grid, sizeof k->grid);
  memcpy(k->block, id->block, sizeof k->block);
  k->n_launches++;
  totals_add(&k->totals, totals);
  line_table_add(&k->lines, counts);
}

static void write_lines(const struct report_launch *id, const char *name,
                        const struct launch_counts *counts)
{
  struct line_table lines = { 0 };
  line_table_add(&lines, counts);
  csv_lines_rows(lines_file.stream, id, name, &lines);
  line_table_free(&lines);
}

static bool wants_totals(void)
{
  bool wants = text.stream != NULL;
  for (unsigned i = 0; i < TOTALS_FILES; i++)
    wants |= totals_files[i].stream != NULL;
  return wants;
}

void report_add(const struct report_launch *id,
                const struct launch_counts *counts)
{
  char name[NAME_BYTES];
  struct totals totals = { 0 };
  launch_note_end();
  demangle(id->kernel, name, sizeof name);
  if (wants_totals())
    for (size_t i = 0; i < counts->n_records; i++)
      totals_add_record(&totals, &counts->records[i]);
  for (unsigned i = 0; i < TOTALS_FILES; i++)
    if (totals_files[i].stream != NULL)
      csv_launches_row(totals_files[i].stream, i, id, name, &totals);
  if (lines_file.stream != NULL)
    write_lines(id, name, counts);
  if (text.stream != NULL)
    add_to_text(id, name, &totals, counts);
}

static void free_kernels(void)
{
  for (struct kernel_totals *k = kernels, *next; k != NULL; k = next) {
    next = k->next;
    line_table_free(&k->lines);
    free(k->name);
    free(k);
  }
  kernels = NULL;
}

static void flush(struct report_file *file)
{
  if (file->stream != NULL)
    fflush(file->stream);
}

void report_flush(void)
{
  flush(&text);
  for (unsigned i = 0; i < TOTALS_FILES; i++)
    flush(&totals_files[i]);
  flush(&lines_file);
  flush(&accesses);
  flush(&traces);
}

void report_finish(void)
{
  pthread_once(&once, open_files);
  for (unsigned i = 0; i < TOTALS_FILES; i++)
    report_file_finish(&totals_files[i]);
  report_file_finish(&lines_file);
  report_file_finish(&accesses);
  report_file_finish(&traces);
  launch_note_finish();
  /* Last: a reader of stderr may be gone, as after `| head`. */
  if (text.stream != NULL)
    text_report(text.stream, kernels);
  report_file_finish(&text);
  free_kernels();
}
