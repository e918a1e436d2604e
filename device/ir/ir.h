/* From LLVM's intermediate text to PTX: what the NVPTX part of LLVM does,
 * for an LLVM that was built without it. */
#ifndef DEVICE_IR_IR_H
#define DEVICE_IR_IR_H

#include <stddef.h>

struct ir_options {
  const char *file; /* the text's name, for messages */
  /* "sm_90a"; NULL: the one that the text was compiled for. */
  const char *target;
  /* Is told what is wrong, in one line without its end, and doesn't return. */
  void (*stop)(void *of, const char *message);
  void *of;
};

/* `text` is a module in the syntax of LLVM 15 to 22, with opaque pointers.
 * Returns PTX, ended by '\0', for the caller to free. What isn't understood
 * stops, with the instruction's name and its line in the source; what was
 * allocated until then is lost unless the caller's `stop` ends the process or
 * calls ir_forget. */
char *ir_to_ptx(const char *text, size_t bytes,
                const struct ir_options *options);

/* Frees what the last call left when it was stopped. */
void ir_forget(void);

#endif
