/* LLVM's text into tokens. */
#ifndef DEVICE_IR_LEXER_H
#define DEVICE_IR_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"

enum ir_token_kind {
  IR_TOKEN_END,
  IR_TOKEN_WORD,   /* define, i32, DILocation */
  IR_TOKEN_LABEL,  /* a name or number and its colon; `text` without it */
  IR_TOKEN_LOCAL,  /* %name; `text` without the sign, as are the next ones */
  IR_TOKEN_GLOBAL, /* @name */
  IR_TOKEN_ATTRIBUTES, /* #3 */
  IR_TOKEN_METADATA,   /* !3, !name; "" for a ! alone */
  IR_TOKEN_COMDAT,     /* $name */
  IR_TOKEN_SUMMARY,    /* ^3 */
  IR_TOKEN_STRING,     /* "…", escapes untouched */
  IR_TOKEN_BYTES,      /* c"…" */
  IR_TOKEN_NUMBER,     /* integer, decimal or hexadecimal, sign included */
  IR_TOKEN_PUNCTUATION
};

struct ir_lexer {
  const char *at, *end;
  unsigned line;
  /* The token that comes next. */
  enum ir_token_kind kind;
  struct ir_text text;
  char punctuation;  /* '.' stands for "..." */
  const char *token; /* where it begins */
  unsigned token_line;
  unsigned previous_line; /* where the token before it ends */
};

/* Stops at its first token. `line`: the number of the text's first line. */
void ir_lexer_start(struct ir *ir, struct ir_lexer *lexer, const char *text,
                    size_t bytes, unsigned line);
void ir_next(struct ir *ir);
void ir_skip_line(struct ir *ir); /* the next token begins another line */

/* Of the module's lexer: is the next token so? The functions with `take` go on
 * if it is, those with `expect` stop if it isn't. */
bool ir_at(struct ir *ir, char punctuation);
bool ir_at_word(struct ir *ir, const char *word);
bool ir_take_word(struct ir *ir, const char *word);
bool ir_take_mark(struct ir *ir, char punctuation);
void ir_expect(struct ir *ir, char punctuation);
void ir_expect_word(struct ir *ir, const char *word);
uint64_t ir_expect_number(struct ir *ir);
/* A name's or a string's text, escapes resolved, in the module's memory. */
struct ir_text ir_unescaped(struct ir *ir, struct ir_text text);
_Noreturn void ir_stop_token(struct ir *ir, const char *expected);

#endif
