/* For programs into which the CUDA runtime is linked, as nvcc does by default.
 *
 * Such a program has the runtime's functions in it and never asks for a
 * libcudart.so. The runtime in it asks the driver for tables that have no
 * documentation, so that the driver API is no way in. But its functions can be
 * found: unless the program was stripped, its symbol table has their names.
 * This library is preloaded. Before anything of the program runs, it overwrites
 * the first instructions of each with a jump to the function of that name in
 * the device's libcudart.so.13, which is in the same folder.
 *
 * Shared libraries are left alone, because their constructors have announced
 * their kernels to the runtime in them before this one's runs. Only a program
 * with kernels is looked at, and only one that has all functions of CUDA 13's
 * runtime is changed. For others, softdevice_linked_refused says why not. */
#define _GNU_SOURCE 1 /* dladdr */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[] = {
#define EXPORT(name) #name,
#include "../runtime/exports.def"
};

enum { N_NAMES = sizeof names / sizeof *names };

/* A jump to any address, which changes no register that a call uses. */
#if defined __x86_64__
static const unsigned char jump[] = { 0xff, 0x25, 0, 0, 0, 0 }; /* jmp [rip] */
#elif defined __aarch64__
static const unsigned char jump[] = { 0x50, 0,    0,    0x58, /* ldr x16, .+8 */
                                      0,    0x02, 0x1f, 0xd6 }; /* br x16 */
#else
static const unsigned char jump[] = { 0 };
#endif

enum { JUMP_BYTES = sizeof jump + sizeof(uint64_t) };

/* The program, loaded at `base`, and its file. */
struct object {
  const char *name;
  uintptr_t base;
  const unsigned char *file;
  size_t bytes;
};

/* Why the program could not be redirected, if it needed to be. */
static char refusal[400];

__attribute__((visibility("default"))) const char *
softdevice_linked_refused(void)
{
  return refusal[0] != '\0' ? refusal : NULL;
}

static void refuse(const struct object *in, const char *why)
{
  const char *slash = strrchr(in->name, '/');
  if (refusal[0] == '\0')
    snprintf(refusal, sizeof refusal, "%.255s %s",
             slash != NULL ? slash + 1 : in->name, why);
}

/* `bytes` bytes of the file from `offset` on; NULL if it ends before. */
static const void *at(const struct object *in, uint64_t offset, uint64_t bytes)
{
  return offset <= in->bytes && bytes <= in->bytes - offset ? in->file + offset
                                                            : NULL;
}

static const ElfW(Shdr) * sections_of(const struct object *in, size_t *n)
{
  const ElfW(Ehdr) *head = at(in, 0, sizeof *head);
  if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
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
         strlen(name) + 1);
  return found != NULL && strcmp(found, name) == 0;
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
        strcmp(name_of(&dynamic, &dynamic.first[i]),
               "__cudaRegisterFatBinary") == 0)
      return true;
  return false;
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
  memset(offsets, 0, N_NAMES * sizeof *offsets);
  for (size_t i = 0; i < all.n; i++) {
    const ElfW(Sym) *s = &all.first[i];
    const char *name = name_of(&all, s);
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF ||
        strncmp(name + strspn(name, "_"), "cuda", 4) != 0)
      continue;
    for (size_t j = 0; j < N_NAMES; j++)
      if (offsets[j] == 0 && strcmp(name, names[j]) == 0) {
        offsets[j] = s->st_value;
        n_found++;
      }
  }
  if (n_found == 0)
    refuse(in, "names no function of the CUDA runtime in its symbol table");
  else if (n_found < N_NAMES)
    refuse(in, "has another version of the CUDA runtime linked in than 13");
  return n_found == N_NAMES;
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
    for (size_t j = 0; j < N_NAMES; j++)
      if (s->st_value > offsets[j] && s->st_value - offsets[j] < JUMP_BYTES) {
        refuse(in, "has too little space in a function of the CUDA runtime");
        return false;
      }
  }
  return true;
}

/* The pages from the first function to the last, with these permissions. */
static bool protect(const struct object *in, const ElfW(Addr) * offsets,
                    int permissions)
{
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (size_t j = 0; j < N_NAMES; j++) {
    uintptr_t first = in->base + offsets[j];
    begin = first < begin ? first : begin;
    end = first + JUMP_BYTES > end ? first + JUMP_BYTES : end;
  }
  begin &= ~(page - 1);
  return mprotect((void *)begin, end - begin, permissions) == 0;
}

/* The device's functions, from the library in the same folder. */
static void *targets[N_NAMES];

static bool find_targets(const struct object *in)
{
  Dl_info here;
  char path[4096];
  if (dladdr(names, &here) == 0 || here.dli_fname == NULL)
    return false;
  const char *slash = strrchr(here.dli_fname, '/');
  int folder = slash != NULL ? (int)(slash - here.dli_fname) + 1 : 0;
  int n = snprintf(path, sizeof path, "%.*slibcudart.so.13", folder,
                   here.dli_fname);
  void *library = n > 0 && (size_t)n < sizeof path
                      ? dlopen(path, RTLD_NOW | RTLD_GLOBAL)
                      : NULL;
  if (library == NULL) {
    refuse(in, "finds no libcudart.so.13 beside libsoftdevice-linked.so");
    return false;
  }
  for (size_t j = 0; j < N_NAMES; j++)
    if ((targets[j] = dlsym(library, names[j])) == NULL) {
      refuse(in, "finds another libcudart.so.13 than the software device's");
      return false;
    }
  return true;
}

static void write_jumps(const struct object *in, const ElfW(Addr) * offsets)
{
  for (size_t j = 0; j < N_NAMES; j++) {
    unsigned char *to = (unsigned char *)(in->base + offsets[j]);
    memcpy(to, jump, sizeof jump);
    memcpy(to + sizeof jump, &targets[j], sizeof targets[j]);
    __builtin___clear_cache((char *)to, (char *)to + JUMP_BYTES);
  }
}

static void redirect(const struct object *in)
{
  ElfW(Addr) offsets[N_NAMES];
  if (!has_kernels(in) || asks_for_runtime(in) || !find_functions(in, offsets))
    return;
  if (sizeof jump == 1) {
    refuse(in, "can only be redirected on x86-64 and arm64");
    return;
  }
  if (!jumps_fit(in, offsets) || !find_targets(in))
    return;
  if (!protect(in, offsets, PROT_READ | PROT_WRITE)) {
    refuse(in, "is in memory that the system doesn't let change");
    return;
  }
  write_jumps(in, offsets);
  protect(in, offsets, PROT_READ | PROT_EXEC);
}

/* The address that the program was loaded at: what the loader says of its
 * program headers, less what the file says. */
static bool find_base(struct object *program)
{
  const ElfW(Ehdr) *head = at(program, 0, sizeof *head);
  const ElfW(Phdr) *parts =
      head == NULL || head->e_phentsize != sizeof *parts
          ? NULL
          : at(program, head->e_phoff, head->e_phnum * sizeof *parts);
  for (size_t i = 0; parts != NULL && i < head->e_phnum; i++)
    if (parts[i].p_type == PT_PHDR) {
      program->base = getauxval(AT_PHDR) - parts[i].p_vaddr;
      return true;
    }
  return false;
}

/* Where /proc is not mounted, the program is the file that was executed, from
 * the folder in which it was. */
static int open_program(char *name, size_t bytes)
{
  ssize_t n = readlink("/proc/self/exe", name, bytes - 1);
  if (n > 0) {
    name[n] = '\0';
    return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  }
  snprintf(name, bytes, "%s", (const char *)getauxval(AT_EXECFN));
  return open(name, O_RDONLY | O_CLOEXEC);
}

__attribute__((constructor)) static void redirect_program(void)
{
  char name[4096];
  struct object program = { .name = name };
  struct stat is;
  int file = open_program(name, sizeof name);
  if (file < 0)
    return;
  if (fstat(file, &is) == 0 && is.st_size > 0) {
    program.bytes = (size_t)is.st_size;
    void *mapped = mmap(NULL, program.bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) {
      program.file = mapped;
      if (find_base(&program))
        redirect(&program);
      munmap(mapped, program.bytes);
    }
  }
  close(file);
}
