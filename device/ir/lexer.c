/* Tokens of LLVM's text, one ahead. */
#include "lexer.h"

#include <ctype.h>
#include <string.h>

#include "module.h"

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' ||
         c == '-';
}

/* A string's end is its next quote: LLVM writes one inside as \22. */
static struct ir_text take_string(struct ir *ir, struct ir_lexer *lexer)
{
  const char *from = ++lexer->at;

  while (lexer->at < lexer->end && *lexer->at != '"') {
    lexer->line += *lexer->at == '\n';
    lexer->at++;
  }
  if (lexer->at == lexer->end)
    ir_stop_at(ir, lexer->token_line, "a string without an end");
  return (struct ir_text){ from, (size_t)(lexer->at++ - from) };
}

/* After a sign: a name, plain or quoted. */
static void take_name(struct ir *ir, struct ir_lexer *lexer)
{
  lexer->at++;
  if (lexer->at < lexer->end && *lexer->at == '"') {
    lexer->text = ir_unescaped(ir, take_string(ir, lexer));
    return;
  }
  const char *from = lexer->at;
  while (lexer->at < lexer->end && is_name(*lexer->at))
    lexer->at++;
  lexer->text = (struct ir_text){ from, (size_t)(lexer->at - from) };
}

static void skip_spaces(struct ir_lexer *lexer)
{
  while (lexer->at < lexer->end) {
    if (*lexer->at == ';')
      while (lexer->at < lexer->end && *lexer->at != '\n')
        lexer->at++;
    else if (isspace((unsigned char)*lexer->at)) {
      lexer->line += *lexer->at == '\n';
      lexer->at++;
    } else
      break;
  }
}

static enum ir_token_kind kind_of_sign(char sign)
{
  switch (sign) {
  case '%': return IR_TOKEN_LOCAL;
  case '@': return IR_TOKEN_GLOBAL;
  case '#': return IR_TOKEN_ATTRIBUTES;
  case '!': return IR_TOKEN_METADATA;
  case '$': return IR_TOKEN_COMDAT;
  case '^': return IR_TOKEN_SUMMARY;
  default: return IR_TOKEN_END;
  }
}

static bool is_colon(const struct ir_lexer *lexer)
{
  return lexer->at < lexer->end && *lexer->at == ':';
}

/* A word, a number, or either of them as a label. */
static void take_word(struct ir_lexer *lexer)
{
  const char *from = lexer->at;
  bool is_number =
      isdigit((unsigned char)*from) || *from == '-' || *from == '+';

  lexer->at++;
  while (lexer->at < lexer->end &&
         (is_name(*lexer->at) || (is_number && *lexer->at == '+')))
    lexer->at++;
  lexer->text = (struct ir_text){ from, (size_t)(lexer->at - from) };
  lexer->kind = is_number ? IR_TOKEN_NUMBER : IR_TOKEN_WORD;
  if (is_colon(lexer)) {
    lexer->at++;
    lexer->kind = IR_TOKEN_LABEL;
  }
}

static void take_punctuation(struct ir *ir, struct ir_lexer *lexer)
{
  char c = *lexer->at;

  lexer->kind = IR_TOKEN_PUNCTUATION;
  lexer->punctuation = c;
  lexer->text = (struct ir_text){ lexer->at, 1 };
  if (c == '.' && lexer->end - lexer->at >= 3 &&
      memcmp(lexer->at, "...", 3) == 0)
    lexer->at += 3;
  else if (c != '\0' && strchr("=,()[]{}<>*|:", c) != NULL)
    lexer->at++;
  else
    ir_stop_at(ir, lexer->line, "a character that has no meaning here: 0x%02x",
               (unsigned)(unsigned char)c);
}

static void next(struct ir *ir, struct ir_lexer *lexer)
{
  lexer->previous_line = lexer->line;
  skip_spaces(lexer);
  lexer->token = lexer->at;
  lexer->token_line = lexer->line;
  lexer->text = (struct ir_text){ lexer->at, 0 };
  lexer->kind = IR_TOKEN_END;
  if (lexer->at == lexer->end)
    return;
  char c = *lexer->at;
  if (kind_of_sign(c) != IR_TOKEN_END) {
    lexer->kind = kind_of_sign(c);
    take_name(ir, lexer);
  } else if (c == '"') {
    lexer->text = take_string(ir, lexer);
    lexer->kind = IR_TOKEN_STRING;
    if (is_colon(lexer)) {
      lexer->at++;
      lexer->text = ir_unescaped(ir, lexer->text);
      lexer->kind = IR_TOKEN_LABEL;
    }
  } else if (c == 'c' && lexer->end - lexer->at > 1 && lexer->at[1] == '"') {
    lexer->at++;
    lexer->text = take_string(ir, lexer);
    lexer->kind = IR_TOKEN_BYTES;
  } else if (isalnum((unsigned char)c) || c == '_' || c == '-' || c == '+' ||
             (c == '.' && lexer->end - lexer->at > 1 && lexer->at[1] != '.'))
    take_word(lexer);
  else
    take_punctuation(ir, lexer);
}

void ir_lexer_start(struct ir *ir, struct ir_lexer *lexer, const char *text,
                    size_t bytes, unsigned line)
{
  *lexer = (struct ir_lexer){ .at = text, .end = text + bytes, .line = line };
  next(ir, lexer);
}

void ir_next(struct ir *ir) { next(ir, &ir->lexer); }

void ir_skip_line(struct ir *ir)
{
  struct ir_lexer *lexer = &ir->lexer;

  lexer->at = lexer->token;
  lexer->line = lexer->token_line;
  while (lexer->at < lexer->end && *lexer->at != '\n')
    lexer->at++;
  next(ir, lexer);
}

bool ir_at(struct ir *ir, char punctuation)
{
  return ir->lexer.kind == IR_TOKEN_PUNCTUATION &&
         ir->lexer.punctuation == punctuation;
}

bool ir_at_word(struct ir *ir, const char *word)
{
  return ir->lexer.kind == IR_TOKEN_WORD && ir_is(ir->lexer.text, word);
}

bool ir_take_word(struct ir *ir, const char *word)
{
  bool is = ir_at_word(ir, word);
  if (is)
    ir_next(ir);
  return is;
}

bool ir_take_mark(struct ir *ir, char punctuation)
{
  bool is = ir_at(ir, punctuation);
  if (is)
    ir_next(ir);
  return is;
}

void ir_expect(struct ir *ir, char punctuation)
{
  char expected[] = { '\'', punctuation, '\'', '\0' };
  if (!ir_take_mark(ir, punctuation))
    ir_stop_token(ir, expected);
}

void ir_expect_word(struct ir *ir, const char *word)
{
  if (!ir_take_word(ir, word))
    ir_stop_token(ir, word);
}

uint64_t ir_expect_number(struct ir *ir)
{
  uint64_t number = 0;

  if (ir->lexer.kind != IR_TOKEN_NUMBER)
    ir_stop_token(ir, "a number");
  for (size_t i = 0; i < ir->lexer.text.n; i++) {
    char c = ir->lexer.text.at[i];
    if (!isdigit((unsigned char)c) || number > UINT64_MAX / 10 - 1)
      ir_stop_token(ir, "a positive integer below 2^64");
    number = 10 * number + (uint64_t)(c - '0');
  }
  ir_next(ir);
  return number;
}

static int digit_of(char c)
{
  if (isdigit((unsigned char)c))
    return c - '0';
  return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

struct ir_text ir_unescaped(struct ir *ir, struct ir_text text)
{
  if (text.n == 0 || memchr(text.at, '\\', text.n) == NULL)
    return text;
  char *out = ir_take(ir, text.n);
  size_t n = 0;
  for (size_t i = 0; i < text.n; i++) {
    if (text.at[i] == '\\' && i + 1 < text.n && text.at[i + 1] == '\\') {
      out[n++] = '\\';
      i++;
    } else if (text.at[i] == '\\' && i + 2 < text.n &&
               digit_of(text.at[i + 1]) >= 0 && digit_of(text.at[i + 2]) >= 0) {
      out[n++] =
          (char)(16 * digit_of(text.at[i + 1]) + digit_of(text.at[i + 2]));
      i += 2;
    } else
      out[n++] = text.at[i];
  }
  return (struct ir_text){ out, n };
}

void ir_stop_token(struct ir *ir, const char *expected)
{
  const char *from = ir->lexer.token;
  size_t n = (size_t)(ir->lexer.at - from);

  if (ir->lexer.kind == IR_TOKEN_END)
    ir_stop_at(ir, ir->lexer.token_line, "the text ends, expected %s",
               expected);
  ir_stop_at(ir, ir->lexer.token_line, "expected %s instead of %.*s%s",
             expected, (int)(n < 60 ? n : 60), from, n < 60 ? "" : "…");
}
