/* Networks: vertices and the edges between them, as a list of neighbours for
 * each vertex. (The data structure is called a graph; so is what CUDA launches.
 * Here, "network" is the first.)
 *
 *   network g = network_power(20, 16, seed);
 *   for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++)
 *     visit(g.neighbours[e]);
 *   network_free(&g);
 *
 * Every edge is listed at both of its ends, none twice, and no vertex is its
 * own neighbour. */
#ifndef CODE_DYNAMIC_NETWORK_H
#define CODE_DYNAMIC_NETWORK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

typedef struct {
  int n;              /* vertices */
  int m;              /* entries of neighbours: twice the edges */
  int *offsets;       /* n + 1 */
  int *neighbours;    /* m */
} network;

typedef struct {
  int n;
  size_t count, room;
  int *from, *to;
} edge_list;

static inline void *network_memory(size_t n_bytes)
{
  void *memory = malloc(n_bytes ? n_bytes : 1);
  if (!memory) {
    fprintf(stderr, "error: no memory for %zu bytes\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

static inline edge_list edges_start(int n, size_t room)
{
  edge_list l = {n, 0, room, NULL, NULL};
  l.from = (int *)network_memory(room * sizeof(int));
  l.to = (int *)network_memory(room * sizeof(int));
  return l;
}

/* Both directions. The list has space for 2 entries per edge. */
static inline void edges_add(edge_list *l, int a, int b)
{
  if (a == b)
    return;
  l->from[l->count] = l->to[l->count + 1] = a;
  l->to[l->count] = l->from[l->count + 1] = b;
  l->count += 2;
}

/* Sorts the entries by `key`, and leaves those with equal keys in order. */
static inline void edges_sort(edge_list *l, const int *key)
{
  size_t *starts = (size_t *)network_memory(((size_t)l->n + 1) *
                                            sizeof *starts);
  edge_list sorted = edges_start(l->n, l->count);
  memset(starts, 0, ((size_t)l->n + 1) * sizeof *starts);
  for (size_t i = 0; i < l->count; i++)
    starts[key[i] + 1]++;
  for (int v = 0; v < l->n; v++)
    starts[v + 1] += starts[v];
  for (size_t i = 0; i < l->count; i++) {
    size_t at = starts[key[i]]++;
    sorted.from[at] = l->from[i];
    sorted.to[at] = l->to[i];
  }
  free(l->from);
  free(l->to);
  free(starts);
  l->from = sorted.from;
  l->to = sorted.to;
}

/* Takes the list over. */
static inline network network_of(edge_list l)
{
  network g = {l.n, 0, NULL, NULL};
  edges_sort(&l, l.to);
  edges_sort(&l, l.from);
  g.offsets = (int *)network_memory(((size_t)l.n + 1) * sizeof(int));
  g.neighbours = l.to;
  memset(g.offsets, 0, ((size_t)l.n + 1) * sizeof(int));
  for (size_t i = 0; i < l.count; i++)
    if (i == 0 || l.from[i] != l.from[i - 1] || l.to[i] != l.to[i - 1]) {
      g.neighbours[g.m++] = l.to[i];       /* g.m never passes i */
      g.offsets[l.from[i] + 1] = g.m;
    }
  for (int v = 0; v < l.n; v++)
    if (g.offsets[v + 1] == 0)
      g.offsets[v + 1] = g.offsets[v];
  free(l.from);
  return g;
}

static inline void network_free(network *g)
{
  free(g->offsets);
  free(g->neighbours);
  memset(g, 0, sizeof *g);
}

static inline int network_degree(const network *g, int v)
{
  return g->offsets[v + 1] - g->offsets[v];
}

static inline int network_largest_degree(const network *g)
{
  int largest = 0;
  for (int v = 0; v < g->n; v++)
    if (network_degree(g, v) > largest)
      largest = network_degree(g, v);
  return largest;
}

/* ---- networks that are made ---- */

/* n · per_vertex edges, each between two vertices chosen at random. */
static inline network network_random(int n, int per_vertex, uint64_t seed)
{
  random_source source = random_from_seed(seed);
  size_t n_edges = (size_t)n * per_vertex;
  edge_list l = edges_start(n, 2 * n_edges);
  for (size_t i = 0; i < n_edges; i++) {
    int a = (int)random_below(&source, (uint64_t)n);
    edges_add(&l, a, (int)random_below(&source, (uint64_t)n));
  }
  return network_of(l);
}

/* side × side vertices, each joined with the four around it. */
static inline network network_grid(int side)
{
  edge_list l = edges_start(side * side, 4 * (size_t)side * side);
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      if (x + 1 < side)
        edges_add(&l, y * side + x, y * side + x + 1);
      if (y + 1 < side)
        edges_add(&l, y * side + x, (y + 1) * side + x);
    }
  return network_of(l);
}

/* A few vertices with very many neighbours, and many with few: R-MAT, with
 * the shares of the Graph 500 benchmark. Each edge chooses a quarter of the
 * matrix, then a quarter of that … and the vertices are renamed at random. */
static inline network network_power(int log_n, int per_vertex, uint64_t seed)
{
  random_source source = random_from_seed(seed);
  int n = 1 << log_n;
  size_t n_edges = (size_t)n * per_vertex;
  edge_list l = edges_start(n, 2 * n_edges);
  int *name = (int *)network_memory((size_t)n * sizeof(int));
  for (int v = 0; v < n; v++) {
    int other = (int)random_below(&source, (uint64_t)v + 1);
    name[v] = name[other];
    name[other] = v;
  }
  for (size_t i = 0; i < n_edges; i++) {
    int a = 0, b = 0;
    for (int bit = 0; bit < log_n; bit++) {
      uint64_t percent = random_below(&source, 100);
      a = 2 * a + (percent >= 76);                       /* 57, 19, 19, 5 */
      b = 2 * b + (percent >= 95 || (percent >= 57 && percent < 76));
    }
    edges_add(&l, name[a], name[b]);
  }
  free(name);
  return network_of(l);
}

/* ---- networks from files: Matrix Market's coordinate format ---- */

typedef struct {
  const char *path;
  FILE *file;
  long line;
  char text[1026];
} matrix_file;

static inline void matrix_refuse(const matrix_file *f, const char *reason)
{
  fflush(stdout);
  fprintf(stderr, "%s:%ld: error: %s\n", f->path, f->line, reason);
  exit(EXIT_FAILURE);
}

/* The next line, without its end; 0 at the end of the file. */
static inline int matrix_line(matrix_file *f)
{
  if (!fgets(f->text, sizeof f->text, f->file))
    return 0;
  f->line++;
  if (!strchr(f->text, '\n') && strlen(f->text) == sizeof f->text - 1)
    matrix_refuse(f, "longer than 1024 characters, which the format forbids");
  f->text[strcspn(f->text, "\r\n")] = '\0';
  return 1;
}

/* The next line that is neither empty nor a comment. */
static inline int matrix_data(matrix_file *f)
{
  while (matrix_line(f))
    if (f->text[0] != '%' && f->text[strspn(f->text, " \t")] != '\0')
      return 1;
  return 0;
}

/* `count` whole numbers at the line's beginning. */
static inline void matrix_numbers(matrix_file *f, int count, long *numbers)
{
  char *at = f->text;
  for (int i = 0; i < count; i++) {
    char *end;
    numbers[i] = strtol(at, &end, 10);
    if (end == at || (*end && !strchr(" \t", *end)))
      matrix_refuse(f, count == 3 ? "here the size is expected: rows, columns "
                                    "and entries"
                                  : "here an entry is expected: its row and "
                                    "its column");
    at = end;
  }
}

static inline void matrix_head(matrix_file *f)
{
  char object[32] = "", format[32] = "", field[32] = "", symmetry[32] = "";
  if (!matrix_line(f) ||
      sscanf(f->text, "%%%%MatrixMarket %31s %31s %31s %31s", object, format,
             field, symmetry) != 4)
    matrix_refuse(f, "not a Matrix Market file: it begins with "
                     "%%MatrixMarket and four words");
  if (strcmp(object, "matrix") != 0 || strcmp(format, "coordinate") != 0)
    matrix_refuse(f, "only 'matrix coordinate' is read: a list of entries");
}

/* An entry in row i and column j, whatever its value, joins vertices i and j
 * in both directions. */
static inline network network_read(const char *path)
{
  matrix_file f = {path, fopen(path, "r"), 0, ""};
  long size[3], entry[2], n_read = 0;
  if (!f.file)
    matrix_refuse(&f, "cannot be opened");
  matrix_head(&f);
  if (!matrix_data(&f))
    matrix_refuse(&f, "ends before the size");
  matrix_numbers(&f, 3, size);
  if (size[0] != size[1])
    matrix_refuse(&f, "a network needs as many rows as columns");
  if (size[0] < 1 || size[0] > 1 << 28 || size[2] < 0 || size[2] > 1 << 29)
    matrix_refuse(&f, "too large: at most 2^28 rows and 2^29 entries");
  edge_list l = edges_start((int)size[0], 2 * (size_t)size[2]);
  for (; matrix_data(&f); n_read++) {
    if (n_read == size[2])
      matrix_refuse(&f, "more entries than the size promised");
    matrix_numbers(&f, 2, entry);
    if (entry[0] < 1 || entry[0] > size[0] || entry[1] < 1 ||
        entry[1] > size[0])
      matrix_refuse(&f, "an entry outside of the matrix; rows and columns "
                        "are counted from 1");
    edges_add(&l, (int)entry[0] - 1, (int)entry[1] - 1);
  }
  if (n_read < size[2])
    matrix_refuse(&f, "fewer entries than the size promised");
  fclose(f.file);
  return network_of(l);
}

/* ---- which one? ---- */

/* Takes `--graph NAME` out of the command line; NULL without it. */
static inline const char *network_option(int *argc, char **argv)
{
  const char *name = NULL;
  int kept = 1;
  for (int i = 1; i < *argc; i++)
    if (strcmp(argv[i], "--graph") == 0) {
      if (i + 1 >= *argc) {
        fprintf(stderr, "%s: error: --graph needs random, grid, power or a "
                "Matrix Market file\n", argv[0]);
        exit(2);
      }
      name = argv[++i];
    } else {
      argv[kept++] = argv[i];
    }
  argv[kept] = NULL;
  *argc = kept;
  return name;
}

/* About 2^log_n vertices. */
static inline network network_by_name(const char *name, int log_n,
                                      uint64_t seed)
{
  if (strcmp(name, "random") == 0)
    return network_random(1 << log_n, 8, seed);
  if (strcmp(name, "grid") == 0)
    return network_grid(1 << (log_n / 2));
  if (strcmp(name, "power") == 0)
    return network_power(log_n, 8, seed);
  return network_read(name);
}

/* A file in the folder of this header. */
static inline const char *network_of_course(const char *name)
{
  static const char here[] = __FILE__;
  static char path[1024];
  const char *slash = strrchr(here, '/');
  snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - here) + 1 : 0,
           here, name);
  return path;
}

#endif
