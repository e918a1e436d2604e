/* Shared by the parser's files only. */
#ifndef DEVICE_PTX_PARSER_H
#define DEVICE_PTX_PARSER_H

#include "lexer.h"
#include "module.h"
#include "scope.h"

enum { LOCS = 256 };

struct ptx_parser {
  struct ptx_lexer lexer;
  struct ptx_token token; /* the next one, not yet taken */
  struct ptx_module *module;
  struct ptx_arena *arena;
  struct ptx_scope *scope;       /* innermost */
  struct ptx_function *function; /* being parsed, or NULL */
  struct ptx_variable **variables_end;
  struct ptx_function **functions_end;
  struct ptx_loc *loc;        /* the last one of the function, or NULL */
  struct ptx_loc *locs[LOCS]; /* all of them, by place */
  unsigned operand_depth;     /* lists within lists */
  unsigned n_registers;       /* of all functions together */
  struct ptx_error *error;
  bool failed; /* `error` is set */
};

/* Says what is wrong at the next token; the first message is kept. From then
 * on the text is at its end, so that every loop over tokens comes to its own
 * end without being told. Callers return where they would otherwise go on with
 * something that is not there. */
void ptx_fail(struct ptx_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ptx_take(struct ptx_parser *parser); /* on to the next token */
bool ptx_at(const struct ptx_parser *parser, char punctuation);
bool ptx_accept(struct ptx_parser *parser, char punctuation);
void ptx_expect(struct ptx_parser *parser, char punctuation);
bool ptx_at_directive(const struct ptx_parser *parser, const char *name);
bool ptx_accept_directive(struct ptx_parser *parser, const char *name);
uint64_t ptx_take_integer(struct ptx_parser *parser); /* with its sign */
char *ptx_take_name(struct ptx_parser *parser);

/* Variable declarations, from the space's directive to `;` or, for a
 * parameter, to `,` or `)`. */
struct linkage {
  bool is_extern, is_managed;
};
bool ptx_at_space(const struct ptx_parser *parser);
void ptx_parse_variables(struct ptx_parser *parser, struct linkage linkage);
struct ptx_variable *ptx_parse_parameter(struct ptx_parser *parser);

/* A statement that begins with an opcode or a guard. */
void ptx_parse_instruction(struct ptx_parser *parser);
void ptx_parse_operand(struct ptx_parser *parser, struct ptx_operand *operand);

/* From `.entry` or `.func` to the end of its body or to `;`. */
void ptx_parse_function(struct ptx_parser *parser, bool is_entry,
                        struct linkage linkage);
void ptx_parse_loc(struct ptx_parser *parser);
void ptx_skip_section(struct ptx_parser *parser);

#endif
