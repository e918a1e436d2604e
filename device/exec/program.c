/* Loads a module in three steps: parse, place, decode. The rest of the file
 * answers questions about kernels and variables. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/demangle.h"
#include "../ptx/scope.h"
#include "../support/host_memory.h"
#include "builtin.h"
#include "call_stack.h"
#include "checked.h"
#include "control.h"
#include "decode.h"
#include "liveness.h"
#include "place.h"
#include "program_beside.h"
#include "trace.h"

static struct ptx_symbol *symbol_of(const struct program *program,
                                    const struct ptx_function *ptx)
{
  return ptx_scope_find(program->module->scope, ptx->name, strlen(ptx->name));
}

static void add_function(struct program *program, struct ptx_function *ptx)
{
  struct function *function = ptx_arena_take(&program->arena, sizeof *function);

  function->program = program;
  function->ptx = ptx;
  function->index = (uint32_t)program->n_functions;
  function->is_builtin = !ptx->has_body && builtin_known(ptx->name);
  ptx->decoded = function;
  program->functions[program->n_functions++] = function;
}

/* An .alias may name a declaration whose definition comes later, or be one
 * of an alias: it means what that is in the end. */
static void follow_declarations(struct program *program)
{
  struct ptx_function *ptx;
  bool more = true;

  while (more) {
    more = false;
    for (ptx = program->module->functions; ptx != NULL; ptx = ptx->next)
      if (ptx->decoded == NULL) {
        ptx->decoded = symbol_of(program, ptx)->function->decoded;
        more |= ptx->decoded != NULL;
      }
  }
  for (ptx = program->module->functions; ptx != NULL; ptx = ptx->next)
    if (ptx->decoded == NULL) /* aliases of each other */
      add_function(program, ptx);
}

static void add_functions(struct program *program)
{
  struct ptx_function *ptx;
  size_t n = 0;

  for (ptx = program->module->functions; ptx != NULL; ptx = ptx->next)
    n++;
  program->functions =
      ptx_arena_take(&program->arena, (n + 1) * sizeof(struct function *));
  for (ptx = program->module->functions; ptx != NULL; ptx = ptx->next) {
    struct ptx_symbol *symbol = symbol_of(program, ptx);

    /* A declaration and its definition are one function. */
    if (symbol->kind != SYMBOL_FUNCTION || symbol->function == ptx)
      add_function(program, ptx);
  }
  follow_declarations(program);
}

static void add_kernel(struct program *program, struct function *function)
{
  struct kernel *kernel = ptx_arena_take(&program->arena, sizeof *kernel);
  const struct ptx_function *ptx = function->ptx;
  struct kernel_parameter *parameters = ptx_arena_take(
      &program->arena, (ptx->n_parameters + 1) * sizeof *parameters);

  kernel->function = function;
  kernel->program = program;
  kernel->n_parameters = (unsigned)ptx->n_parameters;
  kernel->parameters = parameters;
  for (size_t i = 0; i < ptx->n_parameters; i++) {
    const struct ptx_variable *v = ptx->parameters[i];

    parameters[i].offset = (uint32_t)v->place;
    parameters[i].bytes = (uint32_t)v->bytes;
    parameters[i].type = ptx_type_name(v->type);
    kernel->parameter_bytes = (uint32_t)(v->place + v->bytes);
  }
  kernel->next = program->kernels;
  program->kernels = kernel;
}

static bool fail(struct program_error *error, const char *what,
                 const char *name)
{
  snprintf(error->message, sizeof error->message, "PTX: %s: %s", name, what);
  return false;
}

static bool prepare(struct program *program, const struct program *beside,
                    struct program_error *error)
{
  const struct ptx_function *where;
  const char *problem;
  char name[200] = "variables";

  add_functions(program);
  problem = place_program(program, beside, &where);
  if (where != NULL)
    demangle(where->name, name, sizeof name);
  if (problem != NULL)
    return fail(error, problem, name);
  for (size_t i = 0; i < program->n_functions; i++) {
    struct function *function = program->functions[i];

    if (!function->ptx->has_body)
      continue;
    problem = decode_function_body(program, function);
    if (problem != NULL)
      return fail(error, problem, function->ptx->name);
    if (function->ptx->is_entry)
      add_kernel(program, function);
  }
  program->breaks = host_new(program->n_records + 1, sizeof *program->breaks);
  call_stack_program(program);
  checked_program(program);
  trace_program(program);
  return true;
}

struct program *program_load(const char *ptx, size_t bytes, int device,
                             struct program_error *error)
{
  return program_load_beside(ptx, bytes, device, NULL, error);
}

static struct ptx_module *parse(const char *ptx, size_t bytes,
                                struct program_error *error)
{
  struct ptx_error syntax = { 0, "" };
  struct ptx_module *module = ptx_parse(ptx, bytes, &syntax);

  if (module == NULL)
    snprintf(error->message, sizeof error->message, "PTX line %u: %s",
             syntax.line, syntax.message);
  return module;
}

bool program_parses(const char *ptx, size_t bytes, struct program_error *error)
{
  struct ptx_module *module = parse(ptx, bytes, error);

  if (module != NULL)
    ptx_module_free(module);
  return module != NULL;
}

struct program *program_load_beside(const char *ptx, size_t bytes, int device,
                                    const struct program *beside,
                                    struct program_error *error)
{
  struct program *program = host_new(1, sizeof *program);
  program->device = device;
  program->module = parse(ptx, bytes, error);
  if (program->module == NULL) {
    free(program);
    return NULL;
  }
  if (!prepare(program, beside, error)) {
    program_free(program);
    return NULL;
  }
  return program;
}

static void release_variables(struct ptx_variable *v)
{
  for (; v != NULL; v = v->next)
    if ((v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONSTANT) &&
        v->place != 0 && !place_is_lent(v))
      memory_release(v->place);
}

void program_free(struct program *program)
{
  if (program == NULL)
    return;
  release_variables(program->module->variables);
  for (size_t i = 0; i < program->n_functions; i++)
    release_variables(program->functions[i]->ptx->variables);
  checked_program_free(program);
  free(program->breaks);
  free(program->records);
  ptx_arena_free(&program->arena);
  ptx_module_free(program->module);
  free(program);
}

const struct kernel *program_kernel(const struct program *program,
                                    const char *name)
{
  const struct kernel *kernel = program->kernels;

  while (kernel != NULL && strcmp(kernel->function->ptx->name, name) != 0)
    kernel = kernel->next;
  return kernel;
}

const struct kernel *program_only_kernel(const struct program *program)
{
  const struct kernel *kernel = program->kernels;

  return kernel != NULL && kernel->next == NULL ? kernel : NULL;
}

void program_limit_registers(struct program *program, unsigned most)
{
  program->max_registers = most;
}

/* The estimates take long for a large kernel, and every launch asks. Threads
 * that ask at the same time find the same. */
static void find_registers(const struct kernel *kernel,
                           struct kernel_info *info)
{
  atomic_uint *known = (atomic_uint *)&kernel->registers;
  uint32_t both = atomic_load_explicit(known, memory_order_relaxed);

  if (both == 0) {
    uint32_t least = liveness_least(kernel->function);
    uint32_t n = liveness_registers(kernel->function);

    both = (n > least ? n : least) | least << 16;
    atomic_store_explicit(known, both, memory_order_relaxed);
  }
  info->registers = both & 0xffff;
  info->least_registers = both >> 16;
}

void kernel_describe(const struct kernel *kernel, struct kernel_info *info)
{
  const struct function *function = kernel->function;
  const unsigned *most = function->ptx->max_threads;

  *info = (struct kernel_info){
    .name = function->ptx->name,
    .n_parameters = kernel->n_parameters,
    .parameters = kernel->parameters,
    .parameter_bytes = kernel->parameter_bytes,
    .static_shared_bytes = place_shared_bytes(function),
    .local_bytes = function->local_bytes,
    .constant_bytes = kernel->program->constant_bytes,
    .max_threads = most[0] == 0 ? 1024 : most[0] * most[1] * most[2],
    .ptx_target = (int)kernel->program->module->target,
    .cluster = { function->ptx->cluster[0], function->ptx->cluster[1],
                 function->ptx->cluster[2] },
  };
  find_registers(kernel, info);
}

bool program_find_variable(const struct program *program, const char *name,
                           struct program_variable *variable)
{
  const struct ptx_symbol *symbol =
      ptx_scope_find(program->module->scope, name, strlen(name));

  if (symbol == NULL || symbol->kind != SYMBOL_VARIABLE ||
      (symbol->variable->space != PTX_SPACE_GLOBAL &&
       symbol->variable->space != PTX_SPACE_CONSTANT))
    return false;
  variable->address = symbol->variable->place;
  variable->bytes = symbol->variable->bytes;
  variable->constant = symbol->variable->space == PTX_SPACE_CONSTANT;
  variable->managed = symbol->variable->is_managed;
  return true;
}

const char *kernel_text(const struct kernel *kernel)
{
  return kernel->program->module->text;
}

void kernel_variables(const struct kernel *kernel, variable_visitor *visit,
                      void *context)
{
  const struct program *program = kernel->program;

  for (struct ptx_variable *v = program->module->variables; v != NULL;
       v = v->next) {
    struct program_variable found;

    if (program_find_variable(program, v->name, &found))
      visit(context, v->name, &found, place_is_initial(program, v));
  }
}

bool program_is_function(uint64_t address)
{
  return address - FUNCTION_WINDOW < WINDOW_BYTES;
}

size_t program_gaps(const struct program *program, program_gap *report,
                    void *context)
{
  size_t n = 0;

  for (size_t f = 0; f < program->n_functions; f++) {
    const struct function *function = program->functions[f];

    for (size_t i = 0; i < function->n_steps; i++) {
      const struct step *s = &function->steps[i];
      const struct ptx_instruction *ptx = program->records[s->record].ptx;

      if (trace_handler(function, s) != control_unsupported)
        continue;
      report(context, function->ptx->name,
             ptx == NULL ? function->ptx->line : ptx->line,
             ptx == NULL ? ".entry" : ptx->opcode, s->extra);
      n++;
    }
  }
  return n;
}
