/* Gives each variable of a module its address: global, constant, shared, local
 * or parameter memory. */
#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "../memory/memory.h"
#include "../ptx/scope.h"
#include "../support/host_memory.h"

static uint64_t align(uint64_t at, uint64_t alignment)
{
  return alignment <= 1 ? at : (at + alignment - 1) & ~(alignment - 1);
}

/* Limits of the hardware (Programming Guide, compute capabilities), and what
 * shared memory no device will have. */
#define MOST_LOCAL (UINT64_C(512) << 10)
#define MOST_SHARED (UINT64_C(1) << 20)

/* Locals, call arguments, parameters and results of one activation. */
static const char *place_locals(struct function *function)
{
  const struct ptx_function *ptx = function->ptx;
  uint64_t at = 0, parameters = 0;

  for (struct ptx_variable *v = ptx->variables; v != NULL; v = v->next) {
    if (v->space == PTX_SPACE_PARAMETER && v->is_parameter && ptx->is_entry) {
      parameters = align(parameters, v->alignment);
      v->place = parameters;
      parameters += v->bytes;
      if (v->bytes > MOST_LOCAL)
        return "parameters too large";
    } else if (v->space == PTX_SPACE_LOCAL || v->space == PTX_SPACE_PARAMETER) {
      at = align(at, v->alignment < 8 ? 8 : v->alignment);
      v->place = at;
      at += v->bytes;
      if (v->bytes > MOST_LOCAL || at > MOST_LOCAL)
        return "its local variables take more than the 512 KB of local memory "
               "that a thread has";
    }
    if (parameters > MOST_LOCAL)
      return "parameters too large";
  }
  function->local_bytes = (uint32_t)align(at, 16);
  return NULL;
}

/* A kernel's own shared variables come after those that all kernels share
 * (declared in the module or in a device function). */
static const char *place_shared(struct ptx_variable *first, uint32_t *at)
{
  for (struct ptx_variable *v = first; v != NULL; v = v->next) {
    if (v->space != PTX_SPACE_SHARED || (v->is_extern && v->bytes == 0))
      continue;
    v->place = align(*at, v->alignment);
    if (v->bytes > MOST_SHARED || v->place + v->bytes > MOST_SHARED)
      return "more than 1 MB of shared memory";
    *at = (uint32_t)(v->place + v->bytes);
  }
  return NULL;
}

/* One module-level shared variable is used by one kernel as a rule; giving
 * each kernel room for all of them would spoil its occupancy. */
static bool uses_shared(const struct ptx_function *ptx,
                        const struct ptx_variable *variable)
{
  for (size_t i = 0; i < ptx->n_instructions; i++)
    for (size_t k = 0; k < ptx->instructions[i].n_operands; k++) {
      const struct ptx_operand *o = &ptx->instructions[i].operands[k];

      if (o->kind == OPERAND_ADDRESS && o->base != NULL)
        o = o->base;
      if (o->kind == OPERAND_SYMBOL && strcmp(o->name, variable->name) == 0)
        return true;
    }
  return false;
}

static bool has_calls(const struct ptx_function *ptx)
{
  for (size_t i = 0; i < ptx->n_instructions; i++)
    if (strncmp(ptx->instructions[i].opcode, "call", 4) == 0)
      return true;
  return false;
}

static bool uses_reserved(const struct ptx_function *ptx)
{
  static const char start[] = "%reserved_smem_offset";

  for (size_t i = 0; i < ptx->n_instructions; i++)
    for (size_t k = 0; k < ptx->instructions[i].n_operands; k++) {
      const struct ptx_operand *o = &ptx->instructions[i].operands[k];

      if (o->kind == OPERAND_SPECIAL &&
          strncmp(o->name, start, sizeof start - 1) == 0)
        return true;
    }
  return false;
}

/* What a kernel's own code says, or when it calls, all of the program's. */
static void describe_dynamic(struct program *program, struct function *kernel,
                             bool calls)
{
  uint32_t alignment = 16;

  for (struct ptx_variable *v = program->module->variables; v; v = v->next)
    if (v->space == PTX_SPACE_SHARED && v->is_extern && v->bytes == 0 &&
        v->alignment > alignment && (calls || uses_shared(kernel->ptx, v)))
      alignment = (uint32_t)v->alignment;
  kernel->dynamic_alignment = alignment;
  kernel->reserves_shared = uses_reserved(kernel->ptx);
  for (size_t i = 0; calls && i < program->n_functions; i++)
    if (!program->functions[i]->ptx->is_entry)
      kernel->reserves_shared |= uses_reserved(program->functions[i]->ptx);
}

static const char *place_all_shared(struct program *program)
{
  uint32_t common = 0;
  const char *problem = place_shared(program->module->variables, &common);

  for (size_t i = 0; i < program->n_functions && problem == NULL; i++)
    if (!program->functions[i]->ptx->is_entry)
      problem = place_shared(program->functions[i]->ptx->variables, &common);
  program->common_shared_bytes = common;
  for (size_t i = 0; i < program->n_functions && problem == NULL; i++) {
    struct function *function = program->functions[i];
    uint32_t at = 0;
    bool calls;

    if (!function->ptx->is_entry)
      continue;
    calls = has_calls(function->ptx);
    for (struct ptx_variable *v = program->module->variables; v; v = v->next)
      if (v->space == PTX_SPACE_SHARED && v->bytes > 0 &&
          uses_shared(function->ptx, v) && v->place + v->bytes > at)
        at = (uint32_t)(v->place + v->bytes);
    if (calls)
      at = common;
    problem = place_shared(function->ptx->variables, &at);
    function->static_shared_bytes = at;
    describe_dynamic(program, function, calls);
  }
  return problem;
}

static const struct ptx_variable *nearer(const struct ptx_variable *nearest,
                                         const struct ptx_variable *v,
                                         uint64_t at)
{
  if (v->space != PTX_SPACE_SHARED || v->bytes == 0)
    return nearest;
  return nearest == NULL ||
                 place_distance(v->place, v->bytes, at) <
                     place_distance(nearest->place, nearest->bytes, at)
             ? v
             : nearest;
}

const struct ptx_variable *place_nearest_shared(const struct function *kernel,
                                                uint64_t at)
{
  const struct program *program = kernel->program;
  bool calls = has_calls(kernel->ptx);
  const struct ptx_variable *nearest = NULL, *v;

  for (v = kernel->ptx->variables; v != NULL; v = v->next)
    nearest = nearer(nearest, v, at);
  for (v = program->module->variables; v != NULL; v = v->next)
    if (calls || uses_shared(kernel->ptx, v))
      nearest = nearer(nearest, v, at);
  for (size_t i = 0; calls && i < program->n_functions; i++)
    if (!program->functions[i]->ptx->is_entry)
      for (v = program->functions[i]->ptx->variables; v != NULL; v = v->next)
        nearest = nearer(nearest, v, at);
  return nearest;
}

uint64_t place_distance(uint64_t place, uint64_t bytes, uint64_t at)
{
  if (at < place)
    return place - at;
  return at - place < bytes ? 0 : at - place - bytes + 1;
}

uint32_t place_shared_bytes(const struct function *kernel)
{
  return kernel->static_shared_bytes;
}

uint32_t place_dynamic_shared(const struct function *kernel)
{
  return (uint32_t)align(kernel->static_shared_bytes,
                         kernel->dynamic_alignment);
}

bool place_is_lent(const struct ptx_variable *variable)
{
  return variable->placed != NULL;
}

/* Gives the variable the place that another program has for it. */
static bool borrow(struct ptx_variable *v, const struct program *beside)
{
  struct program_variable found;
  struct allocation row;

  if (!v->is_managed || beside == NULL ||
      !program_find_variable(beside, v->name, &found) || !found.managed ||
      !memory_find(found.address, &row) || row.kind != MEMORY_MANAGED)
    return false;
  v->place = found.address;
  v->placed = (void *)(uintptr_t)beside;
  return true;
}

static const char *allocate_variable(struct program *program,
                                     const struct program *beside,
                                     struct ptx_variable *v)
{
  uint64_t bytes = v->bytes == 0 ? 1 : v->bytes;
  void *view;

  if (v->is_extern)
    return "an .extern variable that no linked program defines";
  if (borrow(v, beside))
    return NULL;
  v->place = memory_allocate(bytes, v->alignment < 256 ? 256 : v->alignment,
                             v->is_managed ? MEMORY_MANAGED : MEMORY_VARIABLE,
                             program->device, v->name);
  if (v->place == 0)
    return "no device memory left for a variable";
  view = memory_view(v->place, bytes);
  memset(view, 0, bytes);
  if (v->space == PTX_SPACE_CONSTANT)
    program->constant_bytes += (uint32_t)bytes;
  return NULL;
}

static bool symbol_value(const struct program *program,
                         const struct ptx_initial *initial, uint64_t *value)
{
  const struct ptx_symbol *symbol = ptx_scope_find(
      program->module->scope, initial->symbol, strlen(initial->symbol));

  if (symbol == NULL)
    return false;
  if (symbol->kind == SYMBOL_VARIABLE) {
    *value = symbol->variable->place;
    if (initial->generic && symbol->variable->space == PTX_SPACE_SHARED)
      *value += SHARED_WINDOW;
    return true;
  }
  if (symbol->kind != SYMBOL_FUNCTION)
    return false;
  *value = FUNCTION_WINDOW +
           ((const struct function *)symbol->function->decoded)->index * 16;
  return true;
}

/* Writes what the variable begins with to `to`, which is cleared. */
static const char *put_initials(const struct program *program,
                                const struct ptx_variable *v, uint8_t *to)
{
  for (size_t i = 0; i < v->n_initials; i++) {
    const struct ptx_initial *initial = &v->initials[i];
    uint64_t value = initial->value;

    if (initial->symbol != NULL) {
      if (!symbol_value(program, initial, &value))
        return "initial value with the address of an unknown symbol";
      value = (value + (initial->shift ? 0 : initial->value)) >> initial->shift;
    }
    if (initial->bytes > 8 || initial->bytes > v->bytes ||
        initial->offset > v->bytes - initial->bytes)
      return "more initial values than the variable has room for";
    memcpy(to + initial->offset, &value, initial->bytes);
  }
  return NULL;
}

static const char *initialise(struct program *program, struct ptx_variable *v)
{
  if (v->n_initials == 0 || place_is_lent(v))
    return NULL;
  return put_initials(program, v, memory_view(v->place, v->bytes));
}

bool place_is_initial(const struct program *program,
                      const struct ptx_variable *v)
{
  uint8_t *initial = host_new(v->bytes + 1, 1);
  const void *now = memory_look(v->place, v->bytes);
  bool is_same =
      v->bytes == 0 || (put_initials(program, v, initial) == NULL &&
                        now != NULL && memcmp(initial, now, v->bytes) == 0);

  free(initial);
  return is_same;
}

const char *place_program(struct program *program, const struct program *beside,
                          const struct ptx_function **function)
{
  const char *problem = NULL;
  struct ptx_variable *v;

  *function = NULL;
  for (size_t i = 0; i < program->n_functions && problem == NULL; i++) {
    problem = place_locals(program->functions[i]);
    if (problem != NULL)
      *function = program->functions[i]->ptx;
  }
  if (problem == NULL)
    problem = place_all_shared(program);
  for (v = program->module->variables; v != NULL && problem == NULL;
       v = v->next)
    if (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONSTANT)
      problem = allocate_variable(program, beside, v);
  for (size_t i = 0; i < program->n_functions && problem == NULL; i++)
    for (v = program->functions[i]->ptx->variables; v != NULL && !problem;
         v = v->next)
      if (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONSTANT)
        if ((problem = allocate_variable(program, beside, v)) == NULL)
          problem = initialise(program, v);
  for (v = program->module->variables; v != NULL && problem == NULL;
       v = v->next)
    if (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONSTANT)
      problem = initialise(program, v);
  return problem;
}
