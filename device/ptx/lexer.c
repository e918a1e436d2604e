/* A hand-written lexer, one token at a time, with line numbers for messages. */
#include "lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void ptx_lexer_start(struct ptx_lexer *lexer, const char *text, size_t bytes)
{
  const char *padding = memchr(text, 0, bytes); /* of a fat binary */

  lexer->at = text;
  lexer->end = padding != NULL ? padding : text + bytes;
  lexer->line = 1;
  lexer->error = NULL;
}

static int peek(const struct ptx_lexer *lexer, size_t ahead)
{
  return (size_t)(lexer->end - lexer->at) > ahead
             ? (unsigned char)lexer->at[ahead]
             : -1;
}

static void skip_block_comment(struct ptx_lexer *lexer)
{
  lexer->at += 2;
  while (peek(lexer, 0) != -1) {
    if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
      lexer->at += 2;
      return;
    }
    lexer->line += *lexer->at++ == '\n';
  }
  lexer->error = "comment without its end";
}

static void skip_space(struct ptx_lexer *lexer)
{
  for (;;) {
    int c = peek(lexer, 0);

    if (c == '\n')
      lexer->line++;
    if (c != -1 && isspace(c)) {
      lexer->at++;
    } else if (c == '/' && peek(lexer, 1) == '/') {
      while (peek(lexer, 0) != -1 && peek(lexer, 0) != '\n')
        lexer->at++;
    } else if (c == '/' && peek(lexer, 1) == '*') {
      skip_block_comment(lexer);
    } else {
      return;
    }
  }
}

static int is_name_start(int c)
{
  return c != -1 && (isalpha(c) || c == '_' || c == '$' || c == '%');
}

static int is_name_part(int c)
{
  return c != -1 && (isalnum(c) || c == '_' || c == '$');
}

/* Takes name characters, and dots or double colons that go on a modifier:
 * `ld.global.L2::128B` is one token. */
static void take_name(struct ptx_lexer *lexer)
{
  lexer->at++;
  for (;;) {
    while (is_name_part(peek(lexer, 0)))
      lexer->at++;
    if (peek(lexer, 0) == '.' && is_name_part(peek(lexer, 1)))
      lexer->at++;
    else if (peek(lexer, 0) == ':' && peek(lexer, 1) == ':' &&
             is_name_part(peek(lexer, 2)))
      lexer->at += 2;
    else
      return;
  }
}

static void take_bits(struct ptx_lexer *lexer, struct ptx_token *token,
                      unsigned digits)
{
  char text[17] = { 0 };
  unsigned n;

  lexer->at += 2;
  for (n = 0; n < digits && peek(lexer, n) != -1 && isxdigit(peek(lexer, n));
       n++)
    text[n] = lexer->at[n];
  if (n < digits)
    lexer->error = "too few hexadecimal digits in a floating-point constant";
  token->kind = TOKEN_FLOAT;
  token->bits = digits * 4;
  token->integer = strtoull(text, NULL, 16);
  lexer->at += n;
}

static void take_decimal_float(struct ptx_lexer *lexer, struct ptx_token *token,
                               size_t length)
{
  char text[64] = { 0 };
  double value;

  if (length >= sizeof text) {
    lexer->error = "number too long";
    length = sizeof text - 1;
  }
  memcpy(text, lexer->at, length);
  value = strtod(text, NULL);
  token->kind = TOKEN_FLOAT;
  token->bits = 64;
  memcpy(&token->integer, &value, sizeof value);
  lexer->at += length;
}

static uint64_t parse_integer(const char *text, size_t length, int *bad)
{
  unsigned base = 10;
  uint64_t value = 0;
  size_t i = 0;

  if (length > 1 && text[0] == '0') {
    base = text[1] == 'x' || text[1] == 'X'   ? 16
           : text[1] == 'b' || text[1] == 'B' ? 2
                                              : 8;
    i = base == 8 ? 1 : 2;
  }
  if (text[length - 1] == 'U' || text[length - 1] == 'u')
    length--;
  for (; i < length; i++) {
    int c = tolower((unsigned char)text[i]);
    unsigned digit =
        isdigit(c) ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);

    if (!isxdigit(c) || digit >= base)
      *bad = 1;
    value = value * base + digit;
  }
  return value;
}

static void take_number(struct ptx_lexer *lexer, struct ptx_token *token)
{
  int marker = tolower(peek(lexer, 1));
  size_t n = 0;
  int is_float = 0, bad = 0;

  if (peek(lexer, 0) == '0' && (marker == 'f' || marker == 'd')) {
    take_bits(lexer, token, marker == 'f' ? 8 : 16);
    return;
  }
  for (;; n++) {
    int c = peek(lexer, n);

    if (c == '.' || ((c == '+' || c == '-') && is_float &&
                     tolower(lexer->at[n - 1]) == 'e'))
      is_float = 1;
    else if (!is_name_part(c))
      break;
    else if (tolower(c) == 'e' && marker != 'x')
      is_float = 1;
  }
  if (is_float) {
    take_decimal_float(lexer, token, n);
    return;
  }
  token->kind = TOKEN_INTEGER;
  token->integer = parse_integer(lexer->at, n, &bad);
  if (bad)
    lexer->error = "malformed number";
  lexer->at += n;
}

static void take_string(struct ptx_lexer *lexer, struct ptx_token *token)
{
  token->kind = TOKEN_STRING;
  token->text = ++lexer->at;
  while (peek(lexer, 0) != '"') {
    if (peek(lexer, 0) == -1 || peek(lexer, 0) == '\n') {
      lexer->error = "string without its closing quote";
      break;
    }
    lexer->at += peek(lexer, 0) == '\\' && peek(lexer, 1) != -1 ? 2 : 1;
  }
  token->length = (size_t)(lexer->at - token->text);
  if (peek(lexer, 0) == '"')
    lexer->at++;
}

void ptx_lexer_next(struct ptx_lexer *lexer, struct ptx_token *token)
{
  int c;

  skip_space(lexer);
  memset(token, 0, sizeof *token);
  token->text = lexer->at;
  token->line = lexer->line;
  c = peek(lexer, 0);
  if (c == -1) {
    token->kind = TOKEN_END;
    return;
  }
  if (c == '"') {
    take_string(lexer, token);
    return;
  }
  if (isdigit(c)) {
    take_number(lexer, token);
  } else if (is_name_start(c)) {
    token->kind = TOKEN_NAME;
    take_name(lexer);
  } else if (c == '.' && is_name_part(peek(lexer, 1))) {
    token->kind = TOKEN_DIRECTIVE; /* .reg.b32 is two of them */
    lexer->at++;
    while (is_name_part(peek(lexer, 0)))
      lexer->at++;
  } else {
    token->kind = TOKEN_PUNCTUATION;
    token->punctuation = (char)c;
    lexer->at++;
  }
  token->length = (size_t)(lexer->at - token->text);
}
