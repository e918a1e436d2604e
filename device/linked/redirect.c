/* For programs and libraries into which the CUDA runtime is linked, as nvcc does
 * by default.
 *
 * These have the runtime's functions in them and never ask for a libcudart.so.
 * The runtime in them asks the driver for tables that have no documentation, so
 * that the driver API is no way in. But its functions can be found: what was not
 * stripped has their names in its symbol table. This library is preloaded and
 * initialised before all others. It overwrites the first instructions of each of
 * the functions with a jump to a stub (stubs.h), in the program and in every
 * library that it begins with, before anything of them runs.
 *
 * Only what has code of kernels is looked at, and only what has all functions of
 * CUDA 13's runtime is changed. For the others, softdevice_linked_refused says
 * why not. Nothing here calls the C library, which may not be ready: early.h has
 * what is needed. */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "early.h"
#include "stubs.h"

/* A jump to any address, which changes no register that a call uses, with the
 * address after it. */
static const unsigned char jump[] = {
#ifdef __aarch64__
  0x50, 0x00, 0x00, 0x58, /* ldr x16, .+8 */
  0x00, 0x02, 0x1f, 0xd6, /* br x16 */
#else
  0xff, 0x25, 0, 0, 0, 0, /* jmp *0(%rip) */
#endif
};

enum { JUMP_BYTES = sizeof jump + sizeof(uint64_t) };

/* The program or a library, loaded at `base`, and its file. */
struct object {
  const char *name;
  uintptr_t base;
  const unsigned char *file;
  size_t bytes;
};

/* Why an object could not be redirected. */
enum { MAX_REFUSALS = 16 };

static struct refusal {
  char name[128];
  const char *why;
} refusals[MAX_REFUSALS];

static size_t n_refusals;

static const char *name_without_folder(const char *path)
{
  const char *slash = early_last_slash(path);
  return slash != NULL ? slash + 1 : path;
}

/* Of the object with that file name; NULL: none of this library's. */
__attribute__((visibility("default"))) const char *
softdevice_linked_refused(const char *name)
{
  for (size_t i = 0; i < n_refusals; i++)
    if (early_equal(refusals[i].name, name))
      return refusals[i].why;
  return NULL;
}

static void refuse(const struct object *in, const char *why)
{
  const char *name = name_without_folder(in->name);
  if (n_refusals < MAX_REFUSALS &&
      early_copy(refusals[n_refusals].name, sizeof refusals->name, name))
    refusals[n_refusals++].why = why;
}

/* `bytes` bytes of the file from `offset` on; NULL if it ends before. */
static const void *at(const struct object *in, uint64_t offset, uint64_t bytes)
{
  return offset <= in->bytes && bytes <= in->bytes - offset ? in->file + offset
                                                            : NULL;
}

static bool is_elf(const unsigned char *begin)
{
  return begin[0] == ELFMAG0 && begin[1] == ELFMAG1 && begin[2] == ELFMAG2 &&
         begin[3] == ELFMAG3;
}

static const ElfW(Shdr) * sections_of(const struct object *in, size_t *n)
{
  const ElfW(Ehdr) *head = at(in, 0, sizeof *head);
  if (head == NULL || !is_elf(head->e_ident) ||
      head->e_shentsize != sizeof(ElfW(Shdr)))
    return NULL;
  *n = head->e_shnum;
  return at(in, head->e_shoff, *n * sizeof(ElfW(Shdr)));
}

static bool is_named(const struct object *in, const ElfW(Shdr) * sections,
                     size_t n, const ElfW(Shdr) * section, const char *name)
{
  const ElfW(Ehdr) *head = (const void *)in->file;
  if (head->e_shstrndx >= n)
    return false;
  const char *found =
      at(in, sections[head->e_shstrndx].sh_offset + section->sh_name,
         early_length(name) + 1);
  return found != NULL && early_equal(found, name);
}

/* Symbols with their names: those of a symbol table that is whole. */
struct symbols {
  const ElfW(Sym) * first;
  size_t n;
  const char *text; /* ends with a zero */
  size_t text_bytes;
};

static bool symbols_of(const struct object *in, unsigned kind,
                       struct symbols *out)
{
  size_t n = 0;
  const ElfW(Shdr) *sections = sections_of(in, &n);
  for (size_t i = 0; i < n; i++) {
    const ElfW(Shdr) *s = &sections[i];
    if (s->sh_type != kind || s->sh_link >= n)
      continue;
    out->first = at(in, s->sh_offset, s->sh_size);
    out->n = s->sh_size / sizeof *out->first;
    out->text_bytes = sections[s->sh_link].sh_size;
    out->text = at(in, sections[s->sh_link].sh_offset, out->text_bytes);
    return out->first != NULL && out->text != NULL && out->text_bytes > 0 &&
           out->text[out->text_bytes - 1] == '\0';
  }
  return false;
}

static const char *name_of(const struct symbols *in, const ElfW(Sym) * symbol)
{
  return symbol->st_name < in->text_bytes ? in->text + symbol->st_name : "";
}

/* Does the object hold code of kernels? */
static bool has_kernels(const struct object *in)
{
  size_t n = 0;
  const ElfW(Shdr) *sections = sections_of(in, &n);
  if (sections == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    if (is_named(in, sections, n, &sections[i], ".nv_fatbin"))
      return true;
  return false;
}

/* Does the loader bring it a runtime, as with `nvcc --cudart=shared`? */
static bool asks_for_runtime(const struct object *in)
{
  struct symbols dynamic;
  if (!symbols_of(in, SHT_DYNSYM, &dynamic))
    return false;
  for (size_t i = 0; i < dynamic.n; i++)
    if (dynamic.first[i].st_shndx == SHN_UNDEF &&
        early_equal(name_of(&dynamic, &dynamic.first[i]),
                    "__cudaRegisterFatBinary"))
      return true;
  return false;
}

/* Most names are not: they are left out early. */
static bool is_cuda(const char *name)
{
  while (*name == '_')
    name++;
  return name[0] == 'c' && name[1] == 'u' && name[2] == 'd' && name[3] == 'a';
}

/* Where the object has each function of the runtime: offsets from its base. */
static bool find_functions(const struct object *in, ElfW(Addr) * offsets)
{
  struct symbols all;
  size_t n_found = 0;
  if (!symbols_of(in, SHT_SYMTAB, &all)) {
    refuse(in, "was stripped of its symbol table");
    return false;
  }
  for (size_t j = 0; j < N_LINKED; j++)
    offsets[j] = 0;
  for (size_t i = 0; i < all.n; i++) {
    const ElfW(Sym) *s = &all.first[i];
    const char *name = name_of(&all, s);
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF ||
        !is_cuda(name))
      continue;
    for (size_t j = 0; j < N_LINKED; j++)
      if (offsets[j] == 0 && early_equal(name, linked_names[j])) {
        offsets[j] = s->st_value;
        n_found++;
      }
  }
  if (n_found == 0)
    refuse(in, "names no function of the CUDA runtime in its symbol table");
  else if (n_found < N_LINKED)
    refuse(in, "has another version of the CUDA runtime linked in than 13");
  return n_found == N_LINKED;
}

/* No other function may begin where a jump is to stand. */
static bool jumps_fit(const struct object *in, const ElfW(Addr) * offsets)
{
  struct symbols all;
  if (!symbols_of(in, SHT_SYMTAB, &all))
    return false;
  for (size_t i = 0; i < all.n; i++) {
    const ElfW(Sym) *s = &all.first[i];
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF)
      continue;
    for (size_t j = 0; j < N_LINKED; j++)
      if (s->st_value > offsets[j] && s->st_value - offsets[j] < JUMP_BYTES) {
        refuse(in, "has too little space in a function of the CUDA runtime");
        return false;
      }
  }
  return true;
}

/* The pages from the first function to the last. */
struct pages {
  uintptr_t begin;
  size_t bytes;
};

static struct pages pages_of(const struct object *in,
                             const ElfW(Addr) * offsets)
{
  uintptr_t page = (uintptr_t)getauxval(AT_PAGESZ);
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (size_t j = 0; j < N_LINKED; j++) {
    uintptr_t first = in->base + offsets[j];
    begin = first < begin ? first : begin;
    end = first + JUMP_BYTES > end ? first + JUMP_BYTES : end;
  }
  begin &= ~(page - 1);
  return (struct pages){ begin, end - begin };
}

static void write_jumps(const struct object *in, const ElfW(Addr) * offsets)
{
  for (size_t j = 0; j < N_LINKED; j++) {
    volatile unsigned char *to =
        (volatile unsigned char *)(in->base + offsets[j]);
    uintptr_t stub = (uintptr_t)linked_stub(j);
    for (size_t i = 0; i < sizeof jump; i++)
      *to++ = jump[i];
    for (size_t i = 0; i < sizeof stub; i++)
      *to++ = (unsigned char)(stub >> 8 * i);
  }
}

static void redirect(const struct object *in)
{
  ElfW(Addr) offsets[N_LINKED];
  if (!has_kernels(in) || asks_for_runtime(in) ||
      !find_functions(in, offsets) || !jumps_fit(in, offsets))
    return;
  struct pages pages = pages_of(in, offsets);
  linked_stubs_begin();
  if (!early_let_write(pages.begin, pages.bytes)) {
    refuse(in, "is in memory that the system doesn't let change");
    return;
  }
  write_jumps(in, offsets);
  early_let_execute(pages.begin, pages.bytes);
}

static void look_at(const struct link_map *loaded)
{
  char program[4096];
  struct object object = { .name = loaded->l_name, .base = loaded->l_addr };
  if (loaded->l_name[0] == '\0') {
    if (!early_program(program, sizeof program))
      return;
    object.name = program;
  }
  object.file = early_map(object.name, &object.bytes);
  if (object.file == NULL)
    return;
  redirect(&object);
  early_unmap(object.file, object.bytes);
}

/* The loader's own list, which needs no call. */
__attribute__((constructor)) static void redirect_all(void)
{
  for (const struct link_map *l = _r_debug.r_map; l != NULL; l = l->l_next)
    look_at(l);
}
