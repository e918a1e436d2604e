/* The columns of the counts files, and a row per launch. */
#include "csv.h"

#include <inttypes.h>

#include "../check/source.h"
#include "file.h"

static void put_column_names(FILE *out, enum totals_file file)
{
#define COUNTER(of, column, ...)                                               \
  if (file == TOTALS_##of)                                                     \
    fputs("," #column, out);
#include "counts.def"
  fputc('\n', out);
}

static void put_totals(FILE *out, enum totals_file file,
                       const struct totals *totals)
{
#define COUNTER(of, column, ...)                                               \
  if (file == TOTALS_##of)                                                     \
    fprintf(out, ",%" PRIu64, totals->column);
#include "counts.def"
  fputc('\n', out);
}

void csv_launches_head(FILE *out, enum totals_file file)
{
  fputs("kernel,launch,grid_x,grid_y,grid_z,block_x,block_y,block_z", out);
  put_column_names(out, file);
}

void csv_launches_row(FILE *out, enum totals_file file,
                      const struct report_launch *id, const char *kernel,
                      const struct totals *totals)
{
  report_put_field(out, kernel);
  fprintf(out, ",%" PRIu64 ",%u,%u,%u,%u,%u,%u", id->number, id->grid[0],
          id->grid[1], id->grid[2], id->block[0], id->block[1], id->block[2]);
  put_totals(out, file, totals);
}

void csv_lines_head(FILE *out)
{
  fputs("kernel,launch,file,line", out);
  put_column_names(out, TOTALS_COUNTS);
}

void csv_lines_rows(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct line_table *lines)
{
  for (size_t i = 0; i < lines->n_rows; i++) {
    const struct line_totals *row = &lines->rows[i];
    report_put_field(out, kernel);
    fprintf(out, ",%" PRIu64 ",", id->number);
    report_put_field(out, source_name(row->file));
    fprintf(out, ",%u", row->line);
    put_totals(out, TOTALS_COUNTS, &row->totals);
  }
}
