/* Reads a scene line by line, and evaluates its expressions. */
#include "step_scene.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

_Noreturn void scene_refuse(const struct scene *scene, unsigned line,
                            const char *what, const char *detail)
{
  fprintf(stderr, "%s:%u: error: %s%s\n", scene->file, line, what, detail);
  exit(2);
}

/* ---- expressions ---------------------------------------------------------- */

struct expression {
  const struct scene *scene;
  unsigned line;
  const char *whole, *at;
  int64_t i;
};

static int64_t any(struct expression *e);

static _Noreturn void wrong(const struct expression *e, const char *what)
{
  char text[200];

  snprintf(text, sizeof text, "in '%.120s', at '%.20s'", e->whole, e->at);
  scene_refuse(e->scene, e->line, what, text);
}

static void skip(struct expression *e)
{
  while (*e->at == ' ' || *e->at == '\t')
    e->at++;
}

static bool take(struct expression *e, const char *sign)
{
  size_t n = strlen(sign);

  skip(e);
  if (strncmp(e->at, sign, n) != 0)
    return false;
  e->at += n;
  return true;
}

/* Scatters neighbours, the same on every machine. */
static int64_t mix(int64_t x)
{
  uint64_t z = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) + 1;

  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (int64_t)(z >> 40 & 0xffff);
}

static int64_t name_value(struct expression *e)
{
  size_t n = strspn(e->at, "abcdefghijklmnopqrstuvwxyz_0123456789");
  const char *name = e->at;

  e->at += n;
  if (n == 1 && *name == 'i')
    return e->i;
  if (n == 3 && memcmp(name, "mix", 3) == 0 && take(e, "(")) {
    int64_t x = any(e);

    if (!take(e, ")"))
      wrong(e, "')' is missing ");
    return mix(x);
  }
  for (size_t k = 0; k < e->scene->n_knobs; k++) {
    const struct scene_knob *knob = &e->scene->knobs[k];

    if (strlen(knob->name) == n && memcmp(knob->name, name, n) == 0) {
      if (knob->kind == SCENE_VARIANT &&
          !knob->choices[knob->chosen].has_number)
        wrong(e, "a choice of this variant has no number; write it as "
                 "WORD=NUMBER: ");
      return knob->kind == SCENE_BREAK ? knob->is_on : knob->value;
    }
  }
  e->at = name;
  wrong(e, "no knob of that name, and it is not i; knobs come before what uses "
           "them: ");
}

static int64_t primary(struct expression *e)
{
  char *end;
  int64_t value;

  skip(e);
  if (take(e, "(")) {
    value = any(e);
    if (!take(e, ")"))
      wrong(e, "')' is missing ");
    return value;
  }
  if (take(e, "-"))
    return -primary(e);
  if (isdigit((unsigned char)*e->at)) {
    value = strtoll(e->at, &end, 0);
    e->at = end;
    return value;
  }
  if (!islower((unsigned char)*e->at))
    wrong(e, "a number or a knob is expected ");
  return name_value(e);
}

static int64_t divided(struct expression *e, int64_t a, int64_t b, bool rest)
{
  if (b == 0)
    wrong(e, "a division by zero ");
  return rest ? a % b : a / b;
}

static int64_t product(struct expression *e)
{
  int64_t value = primary(e);

  for (;;) {
    if (take(e, "*"))
      value *= primary(e);
    else if (take(e, "/"))
      value = divided(e, value, primary(e), false);
    else if (take(e, "%"))
      value = divided(e, value, primary(e), true);
    else
      return value;
  }
}

static int64_t sum(struct expression *e)
{
  int64_t value = product(e);

  for (;;) {
    if (take(e, "+"))
      value += product(e);
    else if (take(e, "-"))
      value -= product(e);
    else
      return value;
  }
}

static int64_t comparison(struct expression *e)
{
  int64_t value = sum(e);

  if (take(e, "=="))
    return value == sum(e);
  if (take(e, "!="))
    return value != sum(e);
  if (take(e, "<="))
    return value <= sum(e);
  if (take(e, ">="))
    return value >= sum(e);
  if (take(e, "<"))
    return value < sum(e);
  return take(e, ">") ? value > sum(e) : value;
}

static int64_t both(struct expression *e)
{
  int64_t value = comparison(e);

  while (take(e, "&&")) {
    int64_t other = comparison(e);

    value = value != 0 && other != 0;
  }
  return value;
}

static int64_t either(struct expression *e)
{
  int64_t value = both(e);

  while (take(e, "||")) {
    int64_t other = both(e);

    value = value != 0 || other != 0;
  }
  return value;
}

static int64_t any(struct expression *e)
{
  int64_t value = either(e), yes, no;

  if (!take(e, "?"))
    return value;
  yes = any(e);
  if (!take(e, ":"))
    wrong(e, "':' is missing ");
  no = any(e);
  return value != 0 ? yes : no;
}

int64_t scene_value(const struct scene *scene, unsigned line,
                    const char *expression, int64_t i)
{
  struct expression e = { scene, line, expression, expression, i };
  int64_t value = any(&e);

  skip(&e);
  if (*e.at != '\0')
    wrong(&e, "an operator is expected ");
  return value;
}

/* ---- lines ---------------------------------------------------------------- */

struct reader {
  struct scene *scene;
  unsigned line;
  struct scene_knob *knob;     /* that the line belongs to */
  struct scene_choice *choice; /* the same */
};

static _Noreturn void refuse(const struct reader *r, const char *what,
                             const char *detail)
{
  scene_refuse(r->scene, r->line, what, detail);
}

/* Cuts the first word off. */
static char *word_of(char **rest)
{
  char *word = *rest + strspn(*rest, " \t"), *end = word + strcspn(word, " \t");

  if (*word == '\0')
    return NULL;
  *rest = end;
  if (*end != '\0')
    *(*rest)++ = '\0';
  return word;
}

static char *text_of(const struct reader *r, char *rest, const char *usage)
{
  rest += strspn(rest, " \t");
  if (*rest == '\0')
    refuse(r, "this line is written as: ", usage);
  return rest;
}

static int64_t number_of(const struct reader *r, const char *word)
{
  char *end;
  int64_t number = word == NULL ? 0 : strtoll(word, &end, 0);

  if (word == NULL || *word == '\0' || *end != '\0')
    refuse(r, "a number is expected, not ",
           word == NULL ? "the line's end" : word);
  return number;
}

static bool is_name(const char *word)
{
  return word != NULL && islower((unsigned char)*word) &&
         word[strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789")] == '\0' &&
         strcmp(word, "i") != 0 && strcmp(word, "mix") != 0;
}

static struct scene_choice *new_choice(const struct reader *r, char *word)
{
  struct scene_knob *knob = r->knob;
  struct scene_choice *choice;
  char *equals, *end;

  if (word == NULL || knob->n_choices == SCENE_MOST)
    refuse(r, "from one to sixteen choices are expected", "");
  knob->choices =
      host_grow(knob->choices, knob->n_choices + 1, sizeof *knob->choices);
  choice = &knob->choices[knob->n_choices++];
  memset(choice, 0, sizeof *choice);
  choice->word = word;
  equals = strchr(word, '=');
  if (equals != NULL)
    *equals++ = '\0';
  choice->number = strtoll(equals == NULL ? word : equals, &end, 0);
  choice->has_number = *end == '\0';
  if (equals != NULL && !choice->has_number)
    refuse(r, "a number is expected, not ", equals);
  return choice;
}

/* By its word. */
static void choose(const struct reader *r, struct scene_knob *knob,
                   const char *word)
{
  for (size_t i = 0; i < knob->n_choices; i++)
    if (strcmp(knob->choices[i].word, word) == 0) {
      knob->chosen = i;
      knob->value = knob->choices[i].number;
      return;
    }
  refuse(r, "not one of the knob's choices: ", word);
}

static struct scene_knob *new_knob(struct reader *r, enum scene_kind kind,
                                   char *name)
{
  struct scene *scene = r->scene;
  struct scene_knob *knob = &scene->knobs[scene->n_knobs];

  if (scene->n_knobs == SCENE_MOST)
    refuse(r, "at most sixteen knobs", "");
  if (!is_name(name))
    refuse(r,
           "a knob's name is of small letters, digits and _, and neither i "
           "nor mix: ",
           name == NULL ? "" : name);
  for (size_t i = 0; i < scene->n_knobs; i++)
    if (strcmp(scene->knobs[i].name, name) == 0)
      refuse(r, "a second knob of this name: ", name);
  scene->n_knobs++;
  *knob = (struct scene_knob){ .kind = kind, .name = name, .line = r->line };
  r->knob = knob;
  r->choice = NULL;
  return knob;
}

/* Cuts " : LABEL" off. */
static const char *label_of(const struct reader *r, char *rest)
{
  char *label = strstr(rest, " : ");

  if (label == NULL)
    refuse(r, "a knob's line ends with ' : ' and what it is, for the reader",
           "");
  *label = '\0';
  return label + 3 + strspn(label + 3, " ");
}

static void read_range(const struct reader *r, struct scene_knob *knob,
                       char *rest)
{
  const char *to, *step;

  knob->is_range = true;
  knob->low = number_of(r, word_of(&rest));
  to = word_of(&rest);
  if (to == NULL || strcmp(to, "to") != 0)
    refuse(r, "a range is written as: from LOW to HIGH [step N]", "");
  knob->high = number_of(r, word_of(&rest));
  step = word_of(&rest);
  knob->step = step == NULL ? 1 : number_of(r, word_of(&rest));
  if (knob->low > knob->high || knob->step < 1)
    refuse(r, "the range is empty", "");
}

static void set_argument(const struct reader *r, struct scene_knob *knob,
                         const char *value)
{
  if (!knob->is_range) {
    choose(r, knob, value);
    return;
  }
  knob->value = number_of(r, value);
  if (knob->value < knob->low || knob->value > knob->high ||
      (knob->value - knob->low) % knob->step != 0)
    refuse(r, "outside of the knob's range, or between its steps: ", value);
}

static void read_argument(struct reader *r, char *rest)
{
  const char *label = label_of(r, rest);
  struct scene_knob *knob = new_knob(r, SCENE_ARGUMENT, word_of(&rest));
  const char *value = word_of(&rest), *how = word_of(&rest);

  knob->label = label;
  if (how != NULL && strcmp(how, "from") == 0) {
    read_range(r, knob, rest);
  } else if (how != NULL && strcmp(how, "of") == 0) {
    for (char *word = word_of(&rest); word != NULL; word = word_of(&rest))
      if (!new_choice(r, word)->has_number)
        refuse(r,
               "a choice of an argument is a number, or WORD=NUMBER: ", word);
  } else {
    refuse(r,
           "this line is written as: argument NAME DEFAULT of CHOICE… : "
           "LABEL, or with: from LOW to HIGH",
           "");
  }
  set_argument(r, knob, value);
}

static void read_variant(struct reader *r, char *rest)
{
  const char *label = label_of(r, rest);
  struct scene_knob *knob = new_knob(r, SCENE_VARIANT, word_of(&rest));

  knob->label = label;
  knob->wanted = word_of(&rest);
  if (knob->wanted == NULL)
    refuse(r, "this line is written as: variant NAME DEFAULT : LABEL", "");
}

static void read_break(struct reader *r, char *rest)
{
  const char *label = label_of(r, rest);
  char *name = word_of(&rest);
  struct scene_knob *knob = new_knob(r, SCENE_BREAK, name);

  knob->label = label;
  r->choice = new_choice(r, name);
}

static void read_is(struct reader *r, char *rest)
{
  if (r->knob == NULL || r->knob->kind != SCENE_VARIANT)
    refuse(r, "`is` belongs to the variant before it; there is none", "");
  r->choice = new_choice(r, word_of(&rest));
}

static struct scene_edit *edit_of(struct reader *r, const char *key)
{
  struct scene_choice *c = r->choice;
  struct scene_edit *last;

  if (c == NULL)
    refuse(r, key, " belongs to an `is` or a `break` before it; there is none");
  last = c->n_edits == 0 ? NULL : &c->edits[c->n_edits - 1];
  if (last != NULL && last->with == NULL)
    return last;
  if (c->n_edits == SCENE_MOST)
    refuse(r, "at most sixteen edits of one choice", "");
  last = &c->edits[c->n_edits++];
  *last = (struct scene_edit){ 0 };
  return last;
}

/* Spaces within the text count, those around it don't. */
static void read_edit(struct reader *r, const char *key, char *rest)
{
  struct scene_edit *edit = edit_of(r, key);

  rest += strspn(rest, " \t");
  if (strcmp(key, "after") == 0)
    edit->after = rest;
  else if (strcmp(key, "replace") == 0)
    edit->replace = text_of(r, rest, "replace TEXT");
  else if (edit->replace == NULL)
    refuse(r, "`with` comes after `replace`", "");
  else
    edit->with = rest;
}

static void read_define(struct reader *r, char *rest)
{
  struct scene_choice *c = r->choice;

  if (c == NULL || r->knob->kind != SCENE_VARIANT)
    refuse(r, "`define` belongs to an `is` before it; there is none", "");
  if (c->n_defines == SCENE_MOST)
    refuse(r, "at most sixteen macros of one choice", "");
  c->defines[c->n_defines++] = text_of(r, rest, "define NAME[=VALUE]");
}

static void check_type(const struct reader *r, const char *type)
{
  static const char *const types[] = { "u8",  "u16", "u32", "s32",
                                       "u64", "s64", "f32", "f64" };

  for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i], type) == 0)
      return;
  refuse(r, "a type is one of u8 u16 u32 s32 u64 s64 f32 f64, not ",
         type == NULL ? "nothing" : type);
}

static void read_memory(struct reader *r, char *rest, bool is_buffer)
{
  struct scene *scene = r->scene;
  size_t *n = is_buffer ? &scene->n_buffers : &scene->n_variables;
  struct scene_buffer *b = (is_buffer ? scene->buffers : scene->variables) + *n;
  char *values = strstr(rest, " = ");

  if (*n == SCENE_MOST)
    refuse(r, "at most sixteen of them", "");
  *b = (struct scene_buffer){ .line = r->line };
  if (values != NULL) {
    *values = '\0';
    b->values = values + 3;
  }
  b->name = word_of(&rest);
  b->type = word_of(&rest);
  check_type(r, b->type);
  b->count = is_buffer ? word_of(&rest) : "0";
  if (b->count == NULL || word_of(&rest) != NULL)
    refuse(r, "this line is written as: ",
           is_buffer ? "buffer NAME TYPE COUNT [= EXPRESSION]"
                     : "variable NAME TYPE [= EXPRESSION]");
  (*n)++;
}

static void read_note(struct reader *r, const char *key, const char *rest)
{
  struct scene *scene = r->scene;

  if (scene->n_notes == SCENE_WORDS)
    refuse(r, "at most 64 lines for tests", "");
  if (strstr(rest, ": ") == NULL)
    refuse(r, "this line has the knobs, then ' : ': ", key);
  scene->notes[scene->n_notes++] = (struct scene_note){ key, rest, r->line };
}

static void read_launch(struct reader *r, char *rest)
{
  bool in_choice = r->choice != NULL && r->knob->kind == SCENE_VARIANT;
  struct scene_launch *launch =
      in_choice && r->scene->n_buffers + r->scene->n_variables == 0
          ? &r->choice->launch
          : &r->scene->launch;

  launch->line = r->line;
  launch->n = 0;
  for (char *word = word_of(&rest); word != NULL; word = word_of(&rest)) {
    if (launch->n == SCENE_WORDS)
      refuse(r, "too many arguments", "");
    launch->words[launch->n++] = word;
  }
  if (launch->n < 2)
    refuse(r, "this line is written as: launch GRID BLOCK ARGUMENT…", "");
}

static void read_list(struct reader *r, const char **list, size_t *n,
                      const char *text)
{
  if (*n == SCENE_MOST)
    refuse(r, "at most sixteen of them", "");
  list[(*n)++] = text;
}

static void read_flags(struct reader *r, char *rest)
{
  for (char *word = word_of(&rest); word != NULL; word = word_of(&rest))
    read_list(r, r->scene->flags, &r->scene->n_flags, word);
}

/* What a variant's choice may say otherwise than the scene. */
static bool read_own(struct reader *r, const char *key, char *rest)
{
  bool in_choice = r->choice != NULL && r->knob->kind == SCENE_VARIANT;

  if (strcmp(key, "kernel") == 0)
    *(in_choice ? &r->choice->kernel : &r->scene->kernel) =
        text_of(r, rest, "kernel NAME");
  else if (strcmp(key, "listing") == 0)
    *(in_choice ? &r->choice->listing : &r->scene->listing) =
        text_of(r, rest, "listing LABEL");
  else
    return false;
  return true;
}

static void read_line(struct reader *r, char *line)
{
  struct scene *scene = r->scene;
  char *rest = line;
  const char *key = word_of(&rest);

  if (read_own(r, key, rest))
    return;
  if (strcmp(key, "is") == 0)
    read_is(r, rest);
  else if (strcmp(key, "define") == 0)
    read_define(r, rest);
  else if (strcmp(key, "after") == 0 || strcmp(key, "replace") == 0 ||
           strcmp(key, "with") == 0)
    read_edit(r, key, rest);
  else if (strcmp(key, "argument") == 0)
    read_argument(r, rest);
  else if (strcmp(key, "variant") == 0)
    read_variant(r, rest);
  else if (strcmp(key, "break") == 0)
    read_break(r, rest);
  else if (strcmp(key, "source") == 0)
    scene->source = text_of(r, rest, "source FILE");
  else if (strcmp(key, "question") == 0)
    scene->question = text_of(r, rest, "question TEXT");
  else if (strcmp(key, "predict") == 0)
    read_list(r, scene->predict, &scene->n_predict,
              text_of(r, rest, "predict TEXT"));
  else if (strcmp(key, "flags") == 0)
    read_flags(r, rest);
  else if (strcmp(key, "buffer") == 0)
    read_memory(r, rest, true);
  else if (strcmp(key, "variable") == 0)
    read_memory(r, rest, false);
  else if (strcmp(key, "shared") == 0) {
    scene->shared = word_of(&rest);
    check_type(r, scene->shared);
  } else if (strcmp(key, "program") == 0 || strcmp(key, "agrees") == 0 ||
             strcmp(key, "answer") == 0) {
    read_note(r, key, rest);
  } else if (strcmp(key, "launch") == 0)
    read_launch(r, rest);
  else
    refuse(r, "no such line; device/tools/step_scene.h lists what there is: ",
           key);
}

/* ---- the whole ------------------------------------------------------------ */

static void check_knob(struct reader *r, struct scene_knob *knob)
{
  r->line = knob->line;
  if (knob->kind == SCENE_VARIANT) {
    if (knob->n_choices == 0)
      refuse(r, "the variant's choices are missing: a line `is CHOICE` each",
             "");
    choose(r, knob, knob->wanted);
  }
  for (size_t i = 0; i < knob->n_choices; i++) {
    const struct scene_choice *c = &knob->choices[i];

    if (knob->kind == SCENE_BREAK && c->n_edits == 0)
      refuse(r, "a break needs lines `replace` and `with`", "");
    for (size_t k = 0; k < c->n_edits; k++)
      if (c->edits[k].replace == NULL || c->edits[k].with == NULL)
        refuse(r, "an edit needs both `replace` and `with`", "");
  }
}

static void check_expressions(const struct scene *scene)
{
  for (size_t i = 0; i < scene->n_buffers + scene->n_variables; i++) {
    const struct scene_buffer *b =
        i < scene->n_buffers ? &scene->buffers[i]
                             : &scene->variables[i - scene->n_buffers];

    scene_value(scene, b->line, b->count, 0);
    if (b->values != NULL)
      scene_value(scene, b->line, b->values, 0);
  }
}

static void check_scene(struct reader *r)
{
  struct scene *scene = r->scene;

  r->line = 1;
  for (size_t i = 0; i < scene->n_knobs; i++)
    check_knob(r, &scene->knobs[i]);
  r->line = 1;
  if (scene->listing == NULL || scene->source == NULL || scene->kernel == NULL)
    refuse(r, "a scene needs lines `listing`, `source` and `kernel`", "");
  if (scene->question == NULL)
    refuse(r,
           "a line `question` is missing: what is to be found out by "
           "trying?",
           "");
  if (scene->launch.n == 0)
    refuse(r, "a line `launch` is missing", "");
  check_expressions(scene);
}

struct scene *scene_read(const char *file, char *text)
{
  struct scene *scene = host_new(1, sizeof *scene);
  struct reader r = { .scene = scene };

  scene->file = file;
  scene->text = text;
  for (char *at = text; at != NULL && *at != '\0';) {
    char *end = strchr(at, '\n');
    size_t n;

    r.line++;
    if (end != NULL)
      *end = '\0';
    n = strlen(at);
    while (n > 0 && isspace((unsigned char)at[n - 1]))
      at[--n] = '\0';
    at += strspn(at, " \t");
    if (*at != '\0' && *at != '#')
      read_line(&r, at);
    at = end == NULL ? NULL : end + 1;
  }
  check_scene(&r);
  return scene;
}

void scene_free(struct scene *scene)
{
  for (size_t i = 0; i < scene->n_knobs; i++)
    free(scene->knobs[i].choices);
  free(scene->text);
  free(scene);
}

void scene_set(struct scene *scene, const char *setting)
{
  const char *equals = strchr(setting, '=');
  size_t n = equals == NULL ? 0 : (size_t)(equals - setting);
  struct reader r = { .scene = scene };
  bool broken = n == 5 && memcmp(setting, "break", 5) == 0;

  for (size_t i = 0; i < scene->n_knobs && n > 0; i++) {
    struct scene_knob *knob = &scene->knobs[i];

    r.line = knob->line;
    if (broken) {
      knob->is_on |=
          knob->kind == SCENE_BREAK && strcmp(knob->name, equals + 1) == 0;
      if (knob->is_on)
        return;
    } else if (knob->kind != SCENE_BREAK && strlen(knob->name) == n &&
               memcmp(knob->name, setting, n) == 0) {
      if (knob->kind == SCENE_VARIANT)
        choose(&r, knob, equals + 1);
      else
        set_argument(&r, knob, equals + 1);
      return;
    }
  }
  r.line = 1;
  refuse(&r, "no such knob or break: ", setting);
}

const char *scene_kernel(const struct scene *scene)
{
  const char *kernel = scene->kernel;

  for (size_t i = 0; i < scene->n_knobs; i++) {
    const struct scene_knob *knob = &scene->knobs[i];

    if (knob->kind == SCENE_VARIANT &&
        knob->choices[knob->chosen].kernel != NULL)
      kernel = knob->choices[knob->chosen].kernel;
  }
  return kernel;
}

const struct scene_launch *scene_launch(const struct scene *scene)
{
  const struct scene_launch *launch = &scene->launch;

  for (size_t i = 0; i < scene->n_knobs; i++) {
    const struct scene_knob *knob = &scene->knobs[i];

    if (knob->kind == SCENE_VARIANT && knob->choices[knob->chosen].launch.n > 0)
      launch = &knob->choices[knob->chosen].launch;
  }
  return launch;
}

void scene_key(const struct scene *scene, char *key, size_t bytes)
{
  size_t n = 0;

  key[0] = '\0';
  for (int breaks = 0; breaks <= 1; breaks++)
    for (size_t i = 0; i < scene->n_knobs && n < bytes; i++) {
      const struct scene_knob *knob = &scene->knobs[i];
      bool joins = breaks ? knob->is_on : knob->kind == SCENE_VARIANT;

      if (joins)
        n += (size_t)snprintf(key + n, bytes - n, "%s%s", n > 0 ? "." : "",
                              breaks ? knob->name
                                     : knob->choices[knob->chosen].word);
      if (breaks && joins && n == strlen(knob->name)) /* the break alone */
        n = (size_t)snprintf(key, bytes, "plain.%s", knob->name);
    }
  if (n == 0)
    snprintf(key, bytes, "plain");
}

/* ---- as JSON -------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (; text != NULL && *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void put_field(FILE *out, const char *name, const char *text)
{
  if (text == NULL)
    return;
  fprintf(out, ",\"%s\":", name);
  put_text(out, text);
}

void scene_put_knobs(FILE *out, const struct scene *scene)
{
  bool comma = false;

  fputc('{', out);
  for (size_t i = 0; i < scene->n_knobs; i++) {
    const struct scene_knob *knob = &scene->knobs[i];

    if (knob->kind == SCENE_BREAK && !knob->is_on)
      continue;
    fputs(comma ? "," : "", out);
    put_text(out, knob->kind == SCENE_BREAK ? "break" : knob->name);
    fputc(':', out);
    if (knob->kind == SCENE_ARGUMENT && knob->is_range)
      fprintf(out, "%" PRId64, knob->value);
    else if (knob->kind == SCENE_ARGUMENT)
      put_text(out, knob->choices[knob->chosen].word);
    else
      put_text(out, knob->kind == SCENE_BREAK
                        ? knob->name
                        : knob->choices[knob->chosen].word);
    comma = true;
  }
  fputc('}', out);
}

static void put_list(FILE *out, const char *name, const char *const *list,
                     size_t n)
{
  fprintf(out, ",\"%s\":[", name);
  for (size_t i = 0; i < n; i++) {
    fputs(i > 0 ? "," : "", out);
    put_text(out, list[i]);
  }
  fputc(']', out);
}

static void put_choice(FILE *out, const struct scene_choice *c)
{
  fputs("{\"word\":", out);
  put_text(out, c->word);
  put_field(out, "kernel", c->kernel);
  put_field(out, "listing", c->listing);
  put_list(out, "defines", c->defines, c->n_defines);
  fputs(",\"edits\":[", out);
  for (size_t i = 0; i < c->n_edits; i++) {
    fputs(i > 0 ? ",{\"after\":" : "{\"after\":", out);
    put_text(out, c->edits[i].after);
    put_field(out, "replace", c->edits[i].replace);
    put_field(out, "with", c->edits[i].with);
    fputc('}', out);
  }
  fputs("]}", out);
}

static void put_knob(FILE *out, const struct scene_knob *knob)
{
  static const char *const kinds[] = { "argument", "variant", "break" };

  fputs("{\"name\":", out);
  put_text(out, knob->name);
  put_field(out, "label", knob->label);
  put_field(out, "kind", kinds[knob->kind]);
  fprintf(out, ",\"line\":%u", knob->line);
  if (knob->is_range)
    fprintf(out,
            ",\"min\":%" PRId64 ",\"max\":%" PRId64 ",\"step\":%" PRId64
            ",\"default\":%" PRId64 "}",
            knob->low, knob->high, knob->step, knob->value);
  else {
    put_field(out, "default", knob->choices[knob->chosen].word);
    fputs(",\"choices\":[", out);
    for (size_t i = 0; i < knob->n_choices; i++) {
      fputs(i > 0 ? "," : "", out);
      put_choice(out, &knob->choices[i]);
    }
    fputs("]}", out);
  }
}

void scene_describe(FILE *out, const struct scene *scene)
{
  fputs("{\"listing\":", out);
  put_text(out, scene->listing);
  put_field(out, "source", scene->source);
  put_field(out, "kernel", scene->kernel);
  put_field(out, "question", scene->question);
  put_list(out, "predict", scene->predict, scene->n_predict);
  put_list(out, "flags", scene->flags, scene->n_flags);
  fputs(",\"knobs\":[", out);
  for (size_t i = 0; i < scene->n_knobs; i++) {
    fputs(i > 0 ? "," : "", out);
    put_knob(out, &scene->knobs[i]);
  }
  fputs("],\"notes\":[", out);
  for (size_t i = 0; i < scene->n_notes; i++) {
    fprintf(out, "%s{\"line\":%u", i > 0 ? "," : "", scene->notes[i].line);
    put_field(out, "key", scene->notes[i].key);
    put_field(out, "text", scene->notes[i].text);
    fputc('}', out);
  }
  fputs("]}\n", out);
}
