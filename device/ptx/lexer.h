/* PTX text into tokens (PTX ISA chapter 4). */
#ifndef DEVICE_PTX_LEXER_H
#define DEVICE_PTX_LEXER_H

#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
  TOKEN_END,
  TOKEN_NAME,      /* identifier, or opcode with its modifiers: add.s32 */
  TOKEN_DIRECTIVE, /* begins with a dot: .reg */
  TOKEN_INTEGER,
  TOKEN_FLOAT,  /* 0f…, 0d…, or decimal */
  TOKEN_STRING, /* text without the quotes, escapes untouched */
  TOKEN_PUNCTUATION
};

struct ptx_token {
  enum ptx_token_kind kind;
  const char *text;
  size_t length;
  unsigned line;
  uint64_t integer; /* TOKEN_INTEGER; bits of 0f and 0d constants */
  unsigned bits;    /* TOKEN_FLOAT: 32 for 0f, 64 for 0d and decimals */
  char punctuation;
};

struct ptx_lexer {
  const char *at, *end;
  unsigned line;
  const char *error; /* NULL, or what is wrong with the text at `line` */
};

void ptx_lexer_start(struct ptx_lexer *lexer, const char *text, size_t bytes);
void ptx_lexer_next(struct ptx_lexer *lexer, struct ptx_token *token);

#endif
