/* System calls by themselves. See early.h. */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */
#include "early.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined __x86_64__ || defined __aarch64__

static long call(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef __x86_64__
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#else
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
#endif
}

const unsigned char *early_map(const char *path, size_t *bytes)
{
  struct stat is;
  long file =
      call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (file < 0)
    return NULL;
  long mapped = -1;
  if (call(SYS_fstat, file, (long)&is, 0, 0, 0, 0) == 0 && is.st_size > 0)
    mapped = call(SYS_mmap, 0, is.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  call(SYS_close, file, 0, 0, 0, 0, 0);
  /* Errors are the last numbers before 0, where no mapping begins. */
  if (mapped < 0 && mapped > -4096)
    return NULL;
  *bytes = (size_t)is.st_size;
  return (const unsigned char *)mapped;
}

void early_unmap(const unsigned char *file, size_t bytes)
{
  call(SYS_munmap, (long)file, (long)bytes, 0, 0, 0, 0);
}

static bool protect(uintptr_t begin, size_t bytes, int permissions)
{
  return call(SYS_mprotect, (long)begin, (long)bytes, permissions, 0, 0, 0) ==
         0;
}

bool early_program(char *path, size_t n)
{
  long length = call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
                     (long)path, (long)n - 1, 0, 0);
  if (length > 0) {
    path[length] = '\0';
    return true;
  }
  /* Without /proc: what was executed, from the folder in which it was. */
  return early_copy(path, n, (const char *)getauxval(AT_EXECFN));
}

#else

const unsigned char *early_map(const char *path, size_t *bytes)
{
  (void)path, (void)bytes;
  return NULL;
}

void early_unmap(const unsigned char *file, size_t bytes)
{
  (void)file, (void)bytes;
}

static bool protect(uintptr_t begin, size_t bytes, int permissions)
{
  (void)begin, (void)bytes, (void)permissions;
  return false;
}

bool early_program(char *path, size_t n)
{
  (void)path, (void)n;
  return false;
}

#endif

bool early_let_write(uintptr_t begin, size_t bytes)
{
  return protect(begin, bytes, PROT_READ | PROT_WRITE);
}

bool early_let_execute(uintptr_t begin, size_t bytes)
{
  /* arm64 reads instructions past its cache of data. */
  __builtin___clear_cache((char *)begin, (char *)begin + bytes);
  return protect(begin, bytes, PROT_READ | PROT_EXEC);
}

bool early_equal(const char *a, const char *b)
{
  for (; *a != '\0' && *a == *b; a++)
    b++;
  return *a == *b;
}

size_t early_length(const char *text)
{
  size_t n = 0;
  while (text[n] != '\0')
    n++;
  return n;
}

const char *early_last_slash(const char *path)
{
  const char *slash = NULL;
  for (; *path != '\0'; path++)
    if (*path == '/')
      slash = path;
  return slash;
}

bool early_copy(char *to, size_t n, const char *text)
{
  size_t length = early_length(text);
  if (length >= n)
    return false;
  for (size_t i = 0; i <= length; i++)
    to[i] = text[i];
  return true;
}
