/* The stubs, and what their first call does. */
#define _GNU_SOURCE 1 /* dladdr */
#include "stubs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const linked_names[N_LINKED] = {
#define EXPORT(name) #name,
#include "../runtime/exports.def"
};

/* Where each stub goes on: at first to its own second half. */
void *linked_targets[N_LINKED];

static void load(void)
{
  Dl_info here = { 0 };
  char path[4096];
  dladdr(linked_names, &here);
  const char *slash =
      here.dli_fname == NULL ? NULL : strrchr(here.dli_fname, '/');
  int folder = slash == NULL ? 0 : (int)(slash - here.dli_fname) + 1;
  snprintf(path, sizeof path, "%.*slibcudart.so.13", folder,
           slash == NULL ? "" : here.dli_fname);
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  for (size_t i = 0; i < N_LINKED; i++) {
    void *target = library == NULL ? NULL : dlsym(library, linked_names[i]);
    if (target == NULL) {
      fprintf(stderr, "softdevice: %s\n", dlerror());
      _exit(2);
    }
    linked_targets[i] = target;
  }
}

void linked_resolve_all(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
}

#ifdef __x86_64__

/* 16 bytes each: a jump to the target, and what the target is at first: the
 * number goes to linked_resolve, which loads the library, leaves all arguments
 * as they were, and goes on to the target that is known now. */
enum { STUB_BYTES = 16, FIRST_HALF_BYTES = 6 };

__asm__(".text\n"
        ".macro linked_stub\n"
        "  jmp *linked_targets+8*linked_index(%rip)\n"
        "  .byte 0x68\n" /* push the next four bytes */
        "  .long linked_index\n"
        "  jmp linked_resolve\n"
        "  .p2align 4\n"
        "  .set linked_index, linked_index+1\n"
        ".endm\n"
        ".set linked_index, 0\n"
        ".p2align 4\n"
        "linked_resolve:\n"
        "  pushq %rax\n"
        "  pushq %rdi\n"
        "  pushq %rsi\n"
        "  pushq %rdx\n"
        "  pushq %rcx\n"
        "  pushq %r8\n"
        "  pushq %r9\n"
        "  subq $128, %rsp\n"
        "  movups %xmm0, (%rsp)\n"
        "  movups %xmm1, 16(%rsp)\n"
        "  movups %xmm2, 32(%rsp)\n"
        "  movups %xmm3, 48(%rsp)\n"
        "  movups %xmm4, 64(%rsp)\n"
        "  movups %xmm5, 80(%rsp)\n"
        "  movups %xmm6, 96(%rsp)\n"
        "  movups %xmm7, 112(%rsp)\n"
        "  pushq %rbp\n"
        "  movq %rsp, %rbp\n"
        "  andq $-16, %rsp\n"
        "  call linked_resolve_all\n"
        "  movq %rbp, %rsp\n"
        "  popq %rbp\n"
        "  movups (%rsp), %xmm0\n"
        "  movups 16(%rsp), %xmm1\n"
        "  movups 32(%rsp), %xmm2\n"
        "  movups 48(%rsp), %xmm3\n"
        "  movups 64(%rsp), %xmm4\n"
        "  movups 80(%rsp), %xmm5\n"
        "  movups 96(%rsp), %xmm6\n"
        "  movups 112(%rsp), %xmm7\n"
        "  addq $128, %rsp\n"
        "  popq %r9\n"
        "  popq %r8\n"
        "  popq %rcx\n"
        "  popq %rdx\n"
        "  popq %rsi\n"
        "  popq %rdi\n"
        "  popq %rax\n"
        "  popq %r11\n" /* the number */
        "  leaq linked_targets(%rip), %r10\n"
        "  jmp *(%r10,%r11,8)\n"
        ".p2align 4\n"
        "linked_stubs:\n"
#define EXPORT(name) "linked_stub\n"
#include "../runtime/exports.def"
);

extern const char linked_stubs[] __attribute__((visibility("hidden")));

void linked_stubs_begin(void)
{
  for (size_t i = 0; i < N_LINKED; i++)
    linked_targets[i] =
        (void *)(linked_stubs + i * STUB_BYTES + FIRST_HALF_BYTES);
}

const void *linked_stub(size_t function)
{
  return linked_stubs + function * STUB_BYTES;
}

#else

void linked_stubs_begin(void) {}

const void *linked_stub(size_t function)
{
  (void)function;
  return NULL;
}

#endif
