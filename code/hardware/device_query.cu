/* Everything that CUDA says about the devices here: each field of
 * cudaDeviceProp and each attribute, in groups, with its meaning.
 *
 *   nvcc -I code code/hardware/device_query.cu -o device_query
 *   ./device_query
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/cuda_check.h"
#include "common/options.h"

typedef struct {
  const char *group, *name, *unit, *meaning;
  int is_public;
  int numbers;              /* 0: a text; -1: bytes */
  size_t offset, bytes;     /* in cudaDeviceProp; 0 bytes: no field */
  int n_attributes;
  enum cudaDeviceAttr attributes[3];
} property;

static const property properties[] = {
#define PROPERTY(group, field, numbers, unit, is_public, meaning, ...)      \
  {group, #field, unit, meaning, is_public, numbers,                        \
   offsetof(cudaDeviceProp, field), sizeof(((cudaDeviceProp *)0)->field),   \
   ATTRIBUTES(__VA_ARGS__)},
#define ATTRIBUTE(group, name, unit, is_public, meaning)                    \
  {group, #name, unit, meaning, is_public, 1, 0, 0, 1, {ATTRIBUTE_OF(name)}},
#define ATTRIBUTE_OF(name) cudaDevAttr##name
#define cudaDevAttrNone cudaDevAttrMax
#define COUNT_OF(_1, _2, _3, n, ...) n
#define ATTRIBUTES_1(a) 1, {ATTRIBUTE_OF(a)}
#define ATTRIBUTES_2(a, b) 2, {ATTRIBUTE_OF(a), ATTRIBUTE_OF(b)}
#define ATTRIBUTES_3(a, b, c) \
  3, {ATTRIBUTE_OF(a), ATTRIBUTE_OF(b), ATTRIBUTE_OF(c)}
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define ATTRIBUTES(...)                                                     \
  JOIN(ATTRIBUTES_, COUNT_OF(__VA_ARGS__, 3, 2, 1, 0))(__VA_ARGS__)
#include "hardware/properties.def"
};
enum { N_PROPERTIES = sizeof properties / sizeof properties[0] };

/* ---- values ---------------------------------------------------------- */

/* Number i of a field: all fields that are numbers have 4 or 8 bytes. */
static long long field_number(const property *p, const cudaDeviceProp *of,
                              int i)
{
  size_t bytes = p->bytes / (size_t)p->numbers;
  const char *at = (const char *)of + p->offset + bytes * (size_t)i;
  int small;
  size_t large;
  if (bytes == sizeof small) {
    memcpy(&small, at, sizeof small);
    return small;
  }
  memcpy(&large, at, sizeof large);
  return (long long)large;
}

/* One attribute of a device; -1 if the driver does not know it. */
static long long attribute_number(enum cudaDeviceAttr attribute, int device)
{
  int value;
  if (cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess)
    return value;
  cudaGetLastError();
  return -1;
}

/* The value as a text: numbers with an x between them. */
static void print_value(char *text, size_t size, const property *p,
                        const cudaDeviceProp *of, int device)
{
  size_t at = 0;
  if (p->bytes == 0) {
    snprintf(text, size, "%lld", attribute_number(p->attributes[0], device));
  } else if (p->numbers == 0) {
    snprintf(text, size, "%s", (const char *)of + p->offset);
  } else if (p->numbers < 0) {
    const unsigned char *bytes = (const unsigned char *)of + p->offset;
    for (size_t i = 0; i < p->bytes; i++)
      at += (size_t)snprintf(text + at, size - at, "%02x", bytes[i]);
  } else {
    for (int i = 0; i < p->numbers; i++)
      at += (size_t)snprintf(text + at, size - at, "%s%lld",
                             i > 0 ? " x " : "", field_number(p, of, i));
  }
}

/* ---- check: a field and its attributes say the same ------------------- */

static int check_property(const property *p, const cudaDeviceProp *of,
                          int device)
{
  int n_bad = 0;
  for (int i = 0; i < p->n_attributes && p->bytes > 0; i++) {
    if (p->attributes[i] == cudaDevAttrNone)
      continue;
    long long field = field_number(p, of, i);
    long long attribute = attribute_number(p->attributes[i], device);
    if (attribute == field || attribute == -1)
      continue;
    fprintf(stderr, "device_query: error: %s: the field says %lld, the "
            "attribute %lld: wrong\n", p->name, field, attribute);
    n_bad++;
  }
  return n_bad;
}

static void print_versions(void)
{
  int driver, runtime;
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  printf("CUDA of the driver: %d.%d, of this program: %d.%d\n",
         driver / 1000, driver % 1000 / 10, runtime / 1000,
         runtime % 1000 / 10);
}

static void print_device(const options *o, int device,
                         const cudaDeviceProp *of)
{
  char text[320];
  const char *group = "";
  if (!o->csv)
    printf("\nDevice %d: %s\n", device, of->name);
  for (int i = 0; i < N_PROPERTIES; i++) {
    const property *p = &properties[i];
    print_value(text, sizeof text, p, of, device);
    if (!options_wants(o, p->group) || (o->csv && !p->is_public))
      continue;
    if (o->csv) {
      printf("%d,%s,%s,%s,%s\n", device, p->group, p->name, text, p->unit);
      continue;
    }
    if (strcmp(group, p->group) != 0)
      printf("\n  %s\n", group = p->group);
    printf("    %s: %s%s%s\n        %s\n", p->name, text,
           *p->unit ? " " : "", p->unit, p->meaning);
  }
}

static const struct {
  const char *name, *idea;
} groups[] = {
  {"name", "what it is"},
  {"grid", "what a launch may ask for"},
  {"multiprocessor", "what each multiprocessor has"},
  {"memory", "its memory and caches"},
  {"host", "what it shares with the host"},
  {"place", "where it sits"},
  {"textures", "how large textures and surfaces may be"},
  {"moved", "was a field until CUDA 12"},
  {"attributes", "never was a field"},
};

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what CUDA says about the devices",
                            "query", "");
  options_versions(&o, groups, sizeof groups[0],
                   sizeof groups / sizeof groups[0]);
  int n_devices, n_bad = 0;
  CUDA_CHECK(cudaGetDeviceCount(&n_devices));
  if (o.csv)
    printf("device,group,name,value,unit\n");
  else if (!o.check)
    print_versions();
  for (int device = 0; device < n_devices; device++) {
    cudaDeviceProp of;
    CUDA_CHECK(cudaGetDeviceProperties(&of, device));
    for (int i = 0; i < N_PROPERTIES; i++)
      n_bad += check_property(&properties[i], &of, device);
    if (!o.check)
      print_device(&o, device, &of);
  }
  if (n_bad > 0)
    return EXIT_FAILURE;
  if (o.check)
    printf("fields and attributes say the same of %d device(s)\n",
           n_devices);
  return EXIT_SUCCESS;
}
