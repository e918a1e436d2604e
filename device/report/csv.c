/* The columns of the counts files, and a row per launch. */
#include "csv.h"

#include <inttypes.h>

#include "../check/source.h"
#include "file.h"

static void put_column_names(FILE *out)
{
#define COLUMN(name) fputs("," #name, out);
  TOTALS_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

static void put_totals(FILE *out, const struct totals *totals)
{
#define COLUMN(name) fprintf(out, ",%" PRIu64, totals->name);
  TOTALS_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

static void put_launch_names(FILE *out)
{
  fputs("kernel,launch,grid_x,grid_y,grid_z,block_x,block_y,block_z", out);
}

static void put_launch(FILE *out, const struct report_launch *id,
                       const char *kernel)
{
  report_put_field(out, kernel);
  fprintf(out, ",%" PRIu64 ",%u,%u,%u,%u,%u,%u", id->number, id->grid[0],
          id->grid[1], id->grid[2], id->block[0], id->block[1], id->block[2]);
}

void csv_counts_head(FILE *out)
{
  put_launch_names(out);
  put_column_names(out);
}

void csv_counts_row(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct totals *totals)
{
  put_launch(out, id, kernel);
  put_totals(out, totals);
}

void csv_caches_head(FILE *out)
{
  put_launch_names(out);
#define COLUMN(name) fputs("," #name, out);
  CACHE_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

void csv_caches_row(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct totals *totals)
{
  put_launch(out, id, kernel);
#define COLUMN(name) fprintf(out, ",%" PRIu64, totals->name);
  CACHE_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

void csv_atomics_head(FILE *out)
{
  put_launch_names(out);
#define COLUMN(name) fputs("," #name, out);
  ATOMIC_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

void csv_atomics_row(FILE *out, const struct report_launch *id,
                     const char *kernel, const struct totals *totals)
{
  put_launch(out, id, kernel);
#define COLUMN(name) fprintf(out, ",%" PRIu64, totals->name);
  ATOMIC_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

void csv_tensor_head(FILE *out)
{
  put_launch_names(out);
#define COLUMN(name) fputs("," #name, out);
  TENSOR_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

void csv_tensor_row(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct totals *totals)
{
  put_launch(out, id, kernel);
#define COLUMN(name) fprintf(out, ",%" PRIu64, totals->name);
  TENSOR_COLUMNS(COLUMN)
#undef COLUMN
  fputc('\n', out);
}

void csv_lines_head(FILE *out)
{
  fputs("kernel,launch,file,line", out);
  put_column_names(out);
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
    put_totals(out, &row->totals);
  }
}
