/* A host program that dereferences a device pointer dies by SIGSEGV, as it
 * does with a GPU. Here a message says why first. */
#define _GNU_SOURCE 1 /* sigaction */
#include "host_fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "../check/host_access.h"
#include "../memory/memory.h"
#include "exclusive.h"
#include "interrupted.h"

static void put_text(const char *text, int n)
{
  if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0)
    _exit(1);
}

static const char *advice(const struct allocation *found, bool freed)
{
  if (freed)
    return "It was freed before.";
  if (found->kind == MEMORY_DEVICE || found->kind == MEMORY_VARIABLE ||
      found->kind == MEMORY_MAPPED)
    return "Only kernels can reach that memory; copy it with cudaMemcpy.";
  return "";
}

static void report_host_fault(uint64_t address)
{
  struct allocation found;
  char text[320];
  bool freed;
  if (!memory_nearest(address, &found, &freed) ||
      address - found.address >= found.bytes)
    return;
  int n = snprintf(
      text, sizeof text,
      "softdevice: the host program used a device pointer: 0x%llx, %llu "
      "bytes into %sallocation %llu of %zu bytes.\n  %s\n",
      (unsigned long long)address,
      (unsigned long long)(address - found.address), freed ? "freed " : "",
      (unsigned long long)found.serial, found.bytes, advice(&found, freed));
  put_text(text, n);
}

/* The access is tried again on return: in a page that is open now, or it kills
 * as ever. */
static void on_fault(int number, siginfo_t *info, void *context)
{
  uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
  struct interrupted access = interrupted_by(context);

  if (exclusive_fault(address, access.pc, access.stores)) {
    signal(number, SIG_DFL);
    return;
  }
  /* Was the page only closed to the host, by a check? */
  if (access.pc != NULL && host_access_fault(address, access.pc, access.stores))
    return;
  signal(number, SIG_DFL);
  report_host_fault(address);
}

static void install(void)
{
  struct sigaction old,
      ours = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
  sigemptyset(&ours.sa_mask);
  /* A handler of the program's own comes first. */
  if (sigaction(SIGSEGV, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
    sigaction(SIGSEGV, &ours, NULL);
}

void host_fault_watch(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

bool host_fault_is_watched(void)
{
#if defined __x86_64__ || defined __aarch64__
  struct sigaction now;

  return sigaction(SIGSEGV, NULL, &now) == 0 &&
         (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault;
#else
  return false;
#endif
}
