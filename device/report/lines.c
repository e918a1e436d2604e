/* A sorted array of totals, one for each source line. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

static int compare(const struct line_totals *row, const char *file,
                   unsigned line)
{
  int order = strcmp(row->file, file);
  return order != 0 ? order : (row->line > line) - (row->line < line);
}

static bool insert_line(struct line_table *table, size_t index,
                        const char *file, unsigned line)
{
  if (table->n_rows == table->capacity) {
    size_t n = table->capacity ? 2 * table->capacity : 64;
    struct line_totals *rows = host_try_grow(table->rows, n, sizeof *rows);
    if (rows == NULL)
      return false;
    table->rows = rows;
    table->capacity = n;
  }
  char *copy = host_try_copy(file);
  if (copy == NULL)
    return false;
  struct line_totals *row = &table->rows[index];
  memmove(row + 1, row, (table->n_rows - index) * sizeof *row);
  *row = (struct line_totals){ .file = copy, .line = line };
  table->n_rows++;
  return true;
}

static struct totals *find_line(struct line_table *table, const char *file,
                                unsigned line)
{
  size_t low = 0, high = table->n_rows;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(&table->rows[middle], file, line);
    if (order == 0)
      return &table->rows[middle].totals;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return insert_line(table, low, file, line) ? &table->rows[low].totals : NULL;
}

bool line_table_add(struct line_table *table,
                    const struct launch_counts *counts)
{
  for (size_t i = 0; i < counts->n_records; i++) {
    const struct instruction_record *record = &counts->records[i];
    const char *file = record->source.file;
    if (record->counts.warps == 0)
      continue;
    struct totals *totals =
        find_line(table, file != NULL ? file : "", record->source.line);
    if (totals == NULL)
      return false;
    totals_add_record(totals, record);
  }
  return true;
}

void line_table_free(struct line_table *table)
{
  for (size_t i = 0; i < table->n_rows; i++)
    free(table->rows[i].file);
  free(table->rows);
  *table = (struct line_table){ 0 };
}
