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

#elif defined __aarch64__

/* As above, of 32 bytes each. x16 and x17 are for such code between a call and
 * its function; the others that hold arguments are x0 to x8 and q0 to q7. */
enum { STUB_BYTES = 32, FIRST_HALF_BYTES = 12 };

__asm__(".text\n"
        ".macro linked_stub\n"
        "  adrp x16, linked_targets+8*linked_index\n"
        "  ldr x16, [x16, #:lo12:linked_targets+8*linked_index]\n"
        "  br x16\n"
        "  mov x17, #linked_index\n"
        "  b linked_resolve\n"
        "  .p2align 5\n"
        "  .set linked_index, linked_index+1\n"
        ".endm\n"
        ".set linked_index, 0\n"
        ".p2align 5\n"
        "linked_resolve:\n"
        "  stp x29, x30, [sp, #-224]!\n"
        "  mov x29, sp\n"
        "  stp x0, x1, [sp, #16]\n"
        "  stp x2, x3, [sp, #32]\n"
        "  stp x4, x5, [sp, #48]\n"
        "  stp x6, x7, [sp, #64]\n"
        "  stp x8, x17, [sp, #80]\n"
        "  stp q0, q1, [sp, #96]\n"
        "  stp q2, q3, [sp, #128]\n"
        "  stp q4, q5, [sp, #160]\n"
        "  stp q6, q7, [sp, #192]\n"
        "  bl linked_resolve_all\n"
        "  ldp x0, x1, [sp, #16]\n"
        "  ldp x2, x3, [sp, #32]\n"
        "  ldp x4, x5, [sp, #48]\n"
        "  ldp x6, x7, [sp, #64]\n"
        "  ldp x8, x17, [sp, #80]\n"
        "  ldp q0, q1, [sp, #96]\n"
        "  ldp q2, q3, [sp, #128]\n"
        "  ldp q4, q5, [sp, #160]\n"
        "  ldp q6, q7, [sp, #192]\n"
        "  ldp x29, x30, [sp], #224\n"
        "  adrp x16, linked_targets\n"
        "  add x16, x16, #:lo12:linked_targets\n"
        "  ldr x16, [x16, x17, lsl #3]\n" /* x17: the number */
        "  br x16\n"
        ".p2align 5\n"
        "linked_stubs:\n"
#define EXPORT(name) "linked_stub\n"
#include "../runtime/exports.def"
);

#endif

#if defined __x86_64__ || defined __aarch64__

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
