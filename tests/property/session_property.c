// SPDX-License-Identifier: Apache-2.0
// Random edits of open sessions, of every kind. Beside each session there is a model of its program that knows nothing of
// it, a list of operations as text. Checked:
//   - what edits say changed, put together, is what a fresh analysis says of every value (session_verify), at random
//     times, so that updates follow updates;
//   - the report of the session is that of a fresh analysis of the model, byte for byte, at the end of each sequence;
//   - what is answered about dims, at the end and after each push, is what a fresh session of the model answers whose
//     program has the pushed assumptions;
//   - edits that would leave no program are refused, and leave everything as it was.
// Arguments: number of sequences (1000), seed (1).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/api/session_program.h"
#include "solver/emit/emitter.h"
#include "tests/support/session_find.h"

enum { MAX_OPS = 80, TEXT = 512, OPERANDS = 4, ARGS = 7, MORE = 4, STEPS = 12 };
typedef enum kind {
  X,
  SCALAR,
  ONE,
  TWO,
  ROW,
  FLOAT,
  KINDS
} kind;  // of values: rank 2, i32, 1xi32, 2xi32, rank 1, f32

typedef struct model_op {
  op_id id;
  value_id value;
  kind result;
  char name[40], type[64], attributes[192], regions[256];
  char result_name[24];
  uint32_t operands[OPERANDS];  // values
  uint32_t operand_count;
} model_op;

// Arguments that came later.
typedef struct model_argument {
  value_id value;
  kind kind;
  char name[24], type[64];
} model_argument;

typedef struct model {
  session_core *session;
  model_op ops[MAX_OPS];  // in order
  uint32_t count, fresh;
  char assumptions[8][32];
  uint32_t assumption_count;
  model_argument more[MORE];
  uint32_t more_count;
  uint32_t order[ARGS + MORE],
      argument_count;  // the arguments; ARGS and more: of those that came later
  char types[ARGS][64];
  char symbols[2][96];  // rows of B and C, or empty
  bool two;             // there is C, and B is declared at first
  bool reversed;        // C comes before B
  char pushed[4][32];
  uint32_t pushed_count;
  bool plain;         // no operations that keep what they take from being solved again alone
  uint64_t given[2];  // edits of what is assumed, pushes and pops: all, by updates
  value_id arguments[ARGS];
  const char *extra[4];  // more assumptions, for a text of it
  uint32_t extra_count;
  uint32_t sequence, step;
  uint64_t random;
} model;

static const char *const ARG_NAMES[ARGS] = {"a", "b", "c", "d", "n", "p", "e"};
static const char *const ARG_TYPES[ARGS] = {
    "\"tensor<?x?xf32>\"", "\"tensor<?x?xf32>\"",
    "\"tensor<?x8xf32>\"", "{\"dtype\":\"f32\",\"dims\":[\"B\",8]}",
    "\"tensor<i32>\"",     "\"tensor<i1>\"",
    "\"tensor<f32>\""};

static uint32_t pick(model *m, uint32_t below) {
  m->random = m->random * 6364136223846793005u + 1442695040888963407u;
  return below ? (uint32_t)((m->random >> 33) % below) : 0;
}

static _Noreturn void wrong(const model *m, const char *what, const char *detail) {
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  session_write_program(m->session, &text);
  fprintf(stderr, "%s\nsequence %u, step %u: %s: %s\n", strbuf_text(&text), m->sequence, m->step,
          what, detail);
  exit(1);
}

// --- the model as text

static const char *value_name(const model *m, uint32_t value) {
  if (value < ARGS) return ARG_NAMES[value];
  for (uint32_t i = 0; i < m->more_count; i++) {
    if (m->more[i].value == value) return m->more[i].name;
  }
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->ops[i].value == value) return m->ops[i].result_name;
  }
  return "?";
}

static void op_text(const model *m, const model_op *o, char *out, size_t size) {
  int n = snprintf(out, size, "[\"%s\",[", o->name);
  for (uint32_t i = 0; i < o->operand_count; i++)
    n += snprintf(out + n, size - (size_t)n, "%s\"%s\"", i ? "," : "",
                  value_name(m, o->operands[i]));
  n += snprintf(out + n, size - (size_t)n, "],[\"%s\",%s],{%s}", o->result_name, o->type,
                o->attributes);
  snprintf(out + n, size - (size_t)n, *o->regions ? ",[%s]]" : "]", o->regions);
}

static void model_text(const model *m, shape_strbuf *out) {
  char text[1024];
  const char *first = m->symbols[m->reversed], *second = m->symbols[!m->reversed];
  strbuf_puts(out, "{");
  if (*first || *second)
    strbuf_printf(out, "\"symbols\":[%s%s%s],", first, *first && *second ? "," : "", second);
  strbuf_puts(out, "\"constraints\":[");
  for (uint32_t i = 0; i < m->assumption_count; i++)
    strbuf_printf(out, "%s\"%s\"", i ? "," : "", m->assumptions[i]);
  for (uint32_t i = 0; i < m->extra_count; i++)
    strbuf_printf(out, "%s\"%s\"", i || m->assumption_count ? "," : "", m->extra[i]);
  strbuf_puts(out, "],\"functions\":[{\"name\":\"main\",\"arguments\":[");
  for (uint32_t i = 0; i < m->argument_count; i++) {
    uint32_t at = m->order[i];
    bool later = at >= ARGS;
    strbuf_printf(out, "%s\"%s\",%s", i ? "," : "", later ? m->more[at - ARGS].name : ARG_NAMES[at],
                  later ? m->more[at - ARGS].type : m->types[at]);
  }
  strbuf_puts(out, "],\"results\":[\"tensor<?x?xf32>\"],\"ops\":[");
  for (uint32_t i = 0; i < m->count; i++) {
    op_text(m, &m->ops[i], text, sizeof text);
    strbuf_printf(out, "%s,", text);
  }
  strbuf_puts(
      out, "[\"func.return\",[\"a\"]]]},{\"name\":\"f\",\"private\":true,\"arguments\":[\"q\","
           "\"tensor<?x?xf32>\"],\"results\":[\"tensor<?x?xf32>\"],\"ops\":["
           "[\"stablehlo.transpose\",[\"q\"],[\"r\",\"tensor<?x?xf32>\"],{\"permutation\":[1,0]}],"
           "[\"func.return\",[\"r\"]]]}]}");
}

// --- random operations

static kind kind_of(const model *m, uint32_t value) {
  if (value < ARGS) return value < 4 ? X : value == 4 ? SCALAR : value == 6 ? FLOAT : KINDS;
  for (uint32_t i = 0; i < m->more_count; i++) {
    if (m->more[i].value == value) return m->more[i].kind;
  }
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->ops[i].value == value) return m->ops[i].result;
  }
  return KINDS;
}

// A value of the kind that is there before position `at`; false when there is none.
static bool pick_value(model *m, kind k, uint32_t at, uint32_t *out) {
  uint32_t seen = 0;
  for (uint32_t v = 0; v < ARGS; v++) {
    if (kind_of(m, v) == k && !pick(m, ++seen)) *out = v;
  }
  for (uint32_t i = 0; i < m->more_count; i++) {
    if (m->more[i].kind == k && !pick(m, ++seen)) *out = m->more[i].value;
  }
  for (uint32_t i = 0; i < at; i++) {
    if (m->ops[i].result == k && !pick(m, ++seen)) *out = m->ops[i].value;
  }
  return seen != 0;
}

static const char *matrix_type(model *m) {
  static const char *const TYPES[] = {"\"tensor<?x8xf32>\"",
                                      "\"tensor<4x?xf32>\"",
                                      "\"tensor<4x8xf32>\"",
                                      "{\"dtype\":\"f32\",\"dims\":[\"B\",null]}",
                                      "{\"dtype\":\"f32\",\"dims\":[\"C\",null]}",
                                      "{\"dtype\":\"f32\",\"dims\":[null,\"C\"]}",
                                      "{\"dtype\":\"f32\",\"dims\":[\"C\",\"B\"]}"};
  return pick(m, m->two ? 5 : 8) ? "\"tensor<?x?xf32>\"" : TYPES[pick(m, m->two ? 7 : 4)];
}

typedef struct form {
  const char *name;
  kind result;
  kind operands[OPERANDS];
  uint32_t operand_count;
  const char *attributes;  // %u: 0 or 1
} form;

static const form FORMS[] = {
    {"stablehlo.add", X, {X, X}, 2, ""},
    {"stablehlo.abs", X, {X}, 1, ""},
    {"stablehlo.abs", X, {X}, 1, ""},
    {"stablehlo.negate", X, {X}, 1, ""},
    {"stablehlo.transpose", X, {X}, 1, "\"permutation\":[1,0]"},
    {"stablehlo.dot_general",
     X,
     {X, X},
     2,
     "\"dot_dimension_numbers\":{\"#stablehlo.dot\":{\"lhs_contracting_dimensions\":[1],"
     "\"rhs_contracting_dimensions\":[0]}}"},
    {"stablehlo.concatenate", X, {X, X}, 2, "\"dimension\":%u"},
    {"stablehlo.get_dimension_size", SCALAR, {X}, 1, "\"dimension\":%u"},
    {"stablehlo.add", SCALAR, {SCALAR, SCALAR}, 2, ""},
    {"stablehlo.multiply", SCALAR, {SCALAR, SCALAR}, 2, ""},
    {"stablehlo.popcnt", SCALAR, {SCALAR}, 1, ""},
    {"stablehlo.convert", SCALAR, {FLOAT}, 1, ""},
    {"stablehlo.convert", SCALAR, {FLOAT}, 1, ""},
    {"stablehlo.reshape", ONE, {SCALAR}, 1, ""},
    {"stablehlo.constant", ONE, {X}, 0, "\"value\":{\"dense\":%u,\"type\":\"tensor<1xi32>\"}"},
    {"stablehlo.concatenate", TWO, {ONE, ONE}, 2, "\"dimension\":0"},
    {"stablehlo.dynamic_reshape", X, {X, TWO}, 2, ""},
    {"stablehlo.real_dynamic_slice", X, {X, TWO, TWO, TWO}, 4, ""},
    {"stablehlo.dynamic_iota", X, {TWO}, 1, "\"iota_dimension\":%u"},
    {"stablehlo.dynamic_broadcast_in_dim", X, {ROW, TWO}, 2, "\"broadcast_dimensions\":[%u]"},
    {"stablehlo.reduce", ROW, {X, KINDS}, 1, "\"dimensions\":[%u]"},
    {"func.call", X, {X}, 1, "\"callee\":\"f\""},
    {"my.unknown", X, {X}, 1, ""},
    {"stablehlo.if", X, {KINDS}, 0, ""},
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS, SPECIAL_FORMS = 4 };

static const char *const TYPES[KINDS] = {"",
                                         "\"tensor<i32>\"",
                                         "\"tensor<1xi32>\"",
                                         "\"tensor<2xi32>\"",
                                         "\"tensor<?xf32>\"",
                                         "\"tensor<f32>\""};

// `want`: KINDS for any. Operands are from before position `at`.
static bool make_op(model *m, kind want, uint32_t at, model_op *o) {
  for (uint32_t tries = 0; tries < 200; tries++) {
    const form *f = &FORMS[pick(m, m->plain ? FORM_COUNT - SPECIAL_FORMS : FORM_COUNT)];
    if (want != KINDS && f->result != want) continue;
    memset(o, 0, sizeof *o);
    o->result = f->result;
    o->operand_count = f->operand_count;
    bool good = true;
    for (uint32_t i = 0; i < f->operand_count && good; i++)
      good = pick_value(m, f->operands[i], at, &o->operands[i]);
    if (!good) continue;
    snprintf(o->name, sizeof o->name, "%s", f->name);
    snprintf(o->attributes, sizeof o->attributes, f->attributes, pick(m, 2));
    snprintf(o->type, sizeof o->type, "%s", f->result == X ? matrix_type(m) : TYPES[f->result]);
    m->fresh++;
    snprintf(o->result_name, sizeof o->result_name, "t%u", m->fresh);
    if (!strcmp(f->name, "stablehlo.reduce")) {
      // The initial value is a constant that the operation has no operand for here: one is made of `a`'s element type.
      snprintf(o->name, sizeof o->name, "my.reduce");
    } else if (!strcmp(f->name, "stablehlo.if")) {
      o->operands[o->operand_count++] = 5;
      snprintf(o->regions, sizeof o->regions,
               "[[],[\"stablehlo.abs\",[\"a\"],[\"u%u\",\"tensor<?x?xf32>\"]],[\"stablehlo."
               "return\",[\"u%u\"]]],"
               "[[],[\"stablehlo.return\",[\"%s\"]]]",
               m->fresh, m->fresh, ARG_NAMES[pick(m, 3)]);
    }
    return true;
  }
  return false;
}

// --- edits, on both

static bool apply(model *m, const session_edit *e, session_changes *out) {
  session_failure failure;
  if (session_edit_all(m->session, e, 1, session_read_fragment, out, &failure)) return true;
  wrong(m, "an edit was refused", failure.message);
}

static op_id op_at(const model *m, uint32_t at, op_id terminator) {
  return at < m->count ? m->ops[at].id : terminator;
}

static op_id terminator_of(const model *m) {
  const shape_graph *g = session_graph(m->session);
  return g->blocks[g->regions[g->funcs[0].body].first_block].last;
}

static void insert(model *m) {
  model_op o;
  char text[1024];
  session_changes changes;
  uint32_t at = pick(m, m->count + 1);
  if (m->count == MAX_OPS || !make_op(m, KINDS, at, &o)) return;
  op_text(m, &o, text, sizeof text);
  session_edit e = {.kind = EDIT_INSERT,
                    .op = op_at(m, at, terminator_of(m)),
                    .text = text,
                    .length = strlen(text)};
  apply(m, &e, &changes);
  o.id = changes.inserted[0];
  o.value = session_graph(m->session)->ops[o.id].results;
  memmove(&m->ops[at + 1], &m->ops[at], (m->count - at) * sizeof *m->ops);
  m->ops[at] = o;
  m->count++;
}

static bool is_used(const model *m, uint32_t value) {
  for (uint32_t i = 0; i < m->count; i++) {
    for (uint32_t k = 0; k < m->ops[i].operand_count; k++) {
      if (m->ops[i].operands[k] == value) return true;
    }
  }
  return false;
}

static void remove_one(model *m) {
  session_changes changes;
  session_failure failure;
  if (!m->count) return;
  uint32_t at = pick(m, m->count);
  session_edit e = {.kind = EDIT_REMOVE, .op = m->ops[at].id};
  if (is_used(m, m->ops[at].value)) {
    if (session_edit_all(m->session, &e, 1, session_read_fragment, &changes, &failure))
      wrong(m, "an operation that is used was removed", "");
    return;
  }
  apply(m, &e, &changes);
  memmove(&m->ops[at], &m->ops[at + 1], (m->count - at - 1) * sizeof *m->ops);
  m->count--;
}

static void insert_argument(model *m) {
  session_changes changes;
  if (m->more_count == MORE) return;
  uint32_t at = pick(m, m->argument_count + 1);
  model_argument *new = &m->more[m->more_count];
  snprintf(new->name, sizeof new->name, "g%u", ++m->fresh);
  new->kind = pick(m, 4) ? X : pick(m, 2) ? TWO : SCALAR;
  snprintf(new->type, sizeof new->type, "%s", new->kind == X ? matrix_type(m) : TYPES[new->kind]);
  session_edit e = {.kind = EDIT_INSERT_ARGUMENT,
                    .value = VALUE_NONE,
                    .text = new->type,
                    .length = strlen(new->type),
                    .name = new->name,
                    .name_length = strlen(new->name)};
  if (at < m->argument_count) {
    uint32_t beside = m->order[at];
    e.value = beside < ARGS ? m->arguments[beside] : m->more[beside - ARGS].value;
  }
  apply(m, &e, &changes);
  new->value = changes.arguments[0];
  memmove(&m->order[at + 1], &m->order[at], (m->argument_count - at) * sizeof *m->order);
  m->order[at] = ARGS + m->more_count++;
  m->argument_count++;
}

static void remove_argument(model *m) {
  session_changes changes;
  session_failure failure;
  if (!m->more_count) return;
  uint32_t which = pick(m, m->more_count), kept = 0;
  session_edit e = {.kind = EDIT_REMOVE_ARGUMENT, .value = m->more[which].value};
  if (is_used(m, m->more[which].value)) {
    if (session_edit_all(m->session, &e, 1, session_read_fragment, &changes, &failure))
      wrong(m, "an argument that is used was removed", "");
    return;
  }
  apply(m, &e, &changes);
  for (uint32_t i = 0; i < m->argument_count; i++) {
    uint32_t at = m->order[i];
    if (at != ARGS + which) m->order[kept++] = at > ARGS + which ? at - 1 : at;
  }
  m->argument_count = kept;
  memmove(&m->more[which], &m->more[which + 1], (m->more_count - which - 1) * sizeof *m->more);
  m->more_count--;
}

static void replace(model *m) {
  model_op o;
  char text[1024];
  session_changes changes;
  if (!m->count) return;
  uint32_t at = pick(m, m->count);
  model_op *old = &m->ops[at];
  if (!make_op(m, old->result, at, &o)) return;
  op_text(m, &o, text, sizeof text);
  session_edit e = {.kind = EDIT_REPLACE, .op = old->id, .text = text, .length = strlen(text)};
  apply(m, &e, &changes);
  o.id = old->id;
  o.value = old->value;
  memcpy(o.result_name, old->result_name, sizeof o.result_name);
  *old = o;
}

static void retype(model *m) {
  session_changes changes;
  if (!m->count) return;
  model_op *o = &m->ops[pick(m, m->count)];
  if (o->result != X) return;
  snprintf(o->type, sizeof o->type, "%s", matrix_type(m));
  session_edit e = {
      .kind = EDIT_RETYPE, .value = o->value, .text = o->type, .length = strlen(o->type)};
  apply(m, &e, &changes);
}

static void retype_argument(model *m) {
  session_changes changes;
  uint32_t at = m->order[pick(m, m->argument_count)];
  bool later = at >= ARGS;
  if (later ? m->more[at - ARGS].kind != X : at > (m->two ? 3 : 2)) return;
  char *type = later ? m->more[at - ARGS].type : m->types[at];
  snprintf(type, sizeof m->types[0], "%s", matrix_type(m));
  session_edit e = {.kind = EDIT_RETYPE,
                    .value = later ? m->more[at - ARGS].value : m->arguments[at],
                    .text = type,
                    .length = strlen(type)};
  apply(m, &e, &changes);
}

static void rewire(model *m) {
  session_changes changes;
  uint32_t with;
  if (!m->count) return;
  uint32_t at = pick(m, m->count);
  model_op *o = &m->ops[at];
  if (!pick_value(m, o->result, at, &with)) return;
  session_edit e = {.kind = EDIT_REWIRE, .value = o->value, .with = with};
  apply(m, &e, &changes);
  for (uint32_t i = 0; i < m->count; i++) {
    for (uint32_t k = 0; k < m->ops[i].operand_count; k++) {
      if (m->ops[i].operands[k] == o->value) m->ops[i].operands[k] = with;
    }
  }
}

// Mostly of dims of arguments; some say nothing new, some contradict others.
static void random_predicate(model *m, char text[32]) {
  static const char *const TEXTS[] = {
      "%s %% 8 == 0", "%s == 8",  "%s >= 4",       "%s <= 3", "%s == %s",           "%s <= %s",
      "%s == 2 * %s", "%s != 3",  "%s * %s == 12", "%s < %s", "%s + %s >= 5",       "%s >= 0",
      "%s %% 4 == 1", "%s == %s", "%s == %s",      "%s >= 1", "floordiv(%s,2) == 3"};
  static const char *const NAMES[] = {"B",      "arg0.0", "arg0.1", "arg1.0",
                                      "arg1.1", "arg2.0", "arg3.0", "arg4"};
  const char *a = NAMES[pick(m, 8)], *b = NAMES[pick(m, 8)];
  if (m->two && !pick(m, 8)) b = "C";
  snprintf(text, 32, TEXTS[pick(m, 17)], a, b);
}

static void count_given(model *m, const session_changes *changes) {
  m->given[0]++;
  m->given[1] += !changes->whole;
}

static void assume(model *m) {
  session_changes changes;
  if (m->assumption_count && pick(m, 2)) {
    uint32_t at = pick(m, m->assumption_count);
    session_edit e = {
        .kind = EDIT_RETRACT, .text = m->assumptions[at], .length = strlen(m->assumptions[at])};
    // The last of equal texts goes.
    for (uint32_t i = at; i < m->assumption_count; i++) {
      if (!strcmp(m->assumptions[i], m->assumptions[at])) at = i;
    }
    apply(m, &e, &changes);
    for (; at + 1 < m->assumption_count; at++)
      memcpy(m->assumptions[at], m->assumptions[at + 1], sizeof *m->assumptions);
    m->assumption_count--;
    count_given(m, &changes);
  } else if (m->assumption_count < 8) {
    char *text = m->assumptions[m->assumption_count++];
    random_predicate(m, text);
    session_edit e = {.kind = EDIT_ASSUME, .text = text, .length = strlen(text)};
    apply(m, &e, &changes);
    count_given(m, &changes);
  }
}

static void declaration(model *m, uint32_t which) {
  static const uint32_t DIVISORS[] = {1, 1, 2, 3, 8};
  uint32_t least = pick(m, 3), divisor = DIVISORS[pick(m, 5)];
  uint32_t most = pick(m, 4) ? 3 + pick(m, 20) : least;
  // A declaration that no number fulfils is refused.
  if (most / divisor * divisor < least) most = divisor * ((least + divisor - 1) / divisor);
  snprintf(m->symbols[which], sizeof m->symbols[which],
           "{\"name\":\"%s\",\"min\":%u,\"max\":%u,\"divisible_by\":%u}", which ? "C" : "B", least,
           most, divisor);
}

static void symbol(model *m) {
  session_changes changes;
  uint32_t which = m->two && pick(m, 2);
  char *row = m->symbols[which];
  if (*row && !pick(m, 3)) {
    session_edit e = {.kind = EDIT_REMOVE_SYMBOL, .text = which ? "C" : "B", .length = 1};
    apply(m, &e, &changes);
    *row = 0;
  } else {
    declaration(m, which);
    session_edit e = {.kind = EDIT_SYMBOL, .text = row, .length = strlen(row)};
    apply(m, &e, &changes);
  }
}

static void push_or_pop(model *m) {
  session_changes changes;
  session_failure failure;
  bool good;
  if (m->pushed_count && pick(m, 2)) {
    good = session_pop(m->session, &changes, &failure);
    m->pushed_count--;
  } else if (m->pushed_count < 4) {
    char *text = m->pushed[m->pushed_count++];
    random_predicate(m, text);
    graph_assumption a = {.text = text, .length = (uint32_t)strlen(text), .span = SPAN_NONE};
    good = session_push(m->session, &a, 1, &changes, &failure);
  } else {
    return;
  }
  if (!good) wrong(m, "push or pop failed", failure.message);
  count_given(m, &changes);
}

static void edit(model *m) {
  uint32_t choice = pick(m, 56);
  if (choice < 14)
    insert(m);
  else if (choice < 18)
    remove_one(m);
  else if (choice < 24)
    replace(m);
  else if (choice < 26)
    retype(m);
  else if (choice < 30)
    rewire(m);
  else if (choice < 36)
    assume(m);
  else if (choice < 40)
    symbol(m);
  else if (choice < 43)
    insert_argument(m);
  else if (choice < 46)
    remove_argument(m);
  else if (choice < 49)
    retype_argument(m);
  else
    push_or_pop(m);
}

// --- checking

static void append(void *to, const char *data, size_t length) { strbuf_add(to, data, length); }

static void report(model *m, const char *text, size_t length, shape_strbuf *out) {
  const char *assumptions[4];
  for (uint32_t i = 0; i < m->pushed_count; i++) assumptions[i] = m->pushed[i];
  analysis_request request = {.name = "program",
                              .text = text,
                              .length = length,
                              .assumptions = assumptions,
                              .assumption_count = m->pushed_count};
  analysis_reply reply;
  emit_analyze(&request, emit_as_json(NULL), append, out, &reply);
  if (reply.status != SHAPE_OK) wrong(m, "no report", reply.message);
}

static void check_report(model *m, shape_arena *arena) {
  shape_strbuf theirs, ours, canonical, a, b;
  strbuf_init(&theirs, arena);
  strbuf_init(&ours, arena);
  strbuf_init(&canonical, arena);
  strbuf_init(&a, arena);
  strbuf_init(&b, arena);
  session_write_program(m->session, &theirs);
  model_text(m, &ours);
  // The model's own spelling is not that of the encoder; positions count bytes.
  session_limits limits = {0};
  session_core *fresh = session_new(&limits);
  session_source source = {.text = ours.data, .length = ours.length};
  session_start start = {.read = session_read_program, .data = &source};
  session_failure failure;
  if (!session_open(fresh, &start, &failure)) wrong(m, "the model is no program", failure.message);
  session_write_program(fresh, &canonical);
  session_free(fresh);
  report(m, theirs.data, theirs.length, &a);
  report(m, canonical.data, canonical.length, &b);
  if (a.length != b.length || memcmp(a.data, b.data, a.length) != 0) {
    strbuf_text(&theirs), strbuf_text(&canonical);
    fprintf(stderr, "%s\n%s\n", theirs.data, canonical.data);
    wrong(m, "the reports differ", "");
  }
}

// --- queries

// A fresh session of the model, with what was pushed among the assumptions of its program.
static session_core *fresh_session(model *m, shape_arena *arena) {
  static const session_limits limits = {0};
  shape_strbuf text;
  model with = *m;
  strbuf_init(&text, arena);
  for (uint32_t i = 0; i < m->pushed_count; i++) {
    with.extra[with.extra_count++] = m->pushed[i];
  }
  model_text(&with, &text);
  session_core *fresh = session_new(&limits);
  session_source source = {.text = text.data, .length = text.length};
  session_start start = {.read = session_read_program, .data = &source};
  session_failure failure;
  if (!session_open(fresh, &start, &failure)) wrong(m, "the model is no program", failure.message);
  return fresh;
}

// A size of some value, by its id in either session; false where it has none.
static bool random_size(model *m, session_core *fresh, char mine[32], char theirs[32]) {
  uint32_t at = pick(m, ARGS + m->count);
  bool argument = at < ARGS;
  const char *name = argument ? ARG_NAMES[at] : m->ops[at - ARGS].result_name;
  kind k = argument ? kind_of(m, at) : m->ops[at - ARGS].result;
  if (k != X && k != ROW) return false;
  value_id v = argument ? m->arguments[at] : m->ops[at - ARGS].value;
  value_id w = session_find_value(fresh, "main", name);
  unsigned axis = k == X
  ? pick(m, 2) : 0;
  if (w == VALUE_NONE) wrong(m, "the fresh session has no such value", name);
  snprintf(mine, 32, "v%u.%u", v, axis);
  snprintf(theirs, 32, "v%u.%u", w, axis);
  return true;
}

static bool same_bounds(interval a, interval b) {
  return a.has_lo == b.has_lo && a.has_hi == b.has_hi && (!a.has_lo || num_equal(a.lo, b.lo)) &&
         (!a.has_hi || num_equal(a.hi, b.hi));
}

static void ask_both(model *m, session_core *fresh) {
  static const char *const FORMS_OF[] = {"%s == %s",     "%s <= %s", "%s >= 1",
                                         "%s %% 4 == 0", "%s == 8",  "2 * %s == %s"};
  char a[2][32], b[2][32], text[2][96];
  session_reply reply[2];
  session_failure failure[2];
  bool good[2];
  if (!random_size(m, fresh, a[0], a[1]) || !random_size(m, fresh, b[0], b[1])) return;
  uint32_t which = pick(m, 7);
  session_query_kind asked = which == 6 ? ASK_BOUNDS : ASK_HOLDS;
  for (int i = 0; i < 2; i++) {
    if (which == 6) {
      snprintf(text[i], sizeof text[i], "%s", a[i]);
    } else {
      snprintf(text[i], sizeof text[i], FORMS_OF[which], a[i], b[i]);
    }
    good[i] = session_ask(i ? fresh : m->session, asked, text[i], strlen(text[i]), &reply[i],
                          &failure[i]);
  }
  if (good[0] != good[1]) wrong(m, "only one of the sessions answers", text[0]);
  if (!good[0]) return;
  if (reply[0].conflict != reply[1].conflict)
    wrong(m, "only one of the sessions conflicts", text[0]);
  if (asked == ASK_HOLDS ? reply[0].answer.answer != reply[1].answer.answer
                         : !same_bounds(reply[0].bounds, reply[1].bounds))
    wrong(m, "the answers differ", text[0]);
}

static void check_answers(model *m, shape_arena *arena) {
  session_core *fresh = fresh_session(m, arena);
  for (int i = 0; i < 12; i++) ask_both(m, fresh);
  session_free(fresh);
}

// Values have no ids before the session is open: those of the operations that it opens with count down from here.
enum { FIRST_IDS = 1000000 };

static void begin(model *m) {
  for (uint32_t i = 0; i < ARGS; i++) m->order[m->argument_count++] = i;
  for (uint32_t i = 0; i < ARGS; i++) snprintf(m->types[i], sizeof m->types[i], "%s", ARG_TYPES[i]);
  m->plain = pick(m, 2);
  m->two = pick(m, 2);
  if (m->two) {
    declaration(m, 0);
    declaration(m, 1);
    m->reversed = pick(m, 2);
  }
  for (uint32_t i = pick(m, 3) ? pick(m, 16) : 0; i; i--) {
    model_op *o = &m->ops[m->count];
    if (!make_op(m, KINDS, m->count, o)) continue;
    o->value = FIRST_IDS - m->count++;
  }
}

static void learn_ids(model *m) {
  const shape_graph *g = session_graph(m->session);
  for (uint32_t i = 0; i < ARGS; i++)
    m->arguments[i] = session_find_value(m->session, "main", ARG_NAMES[i]);
  for (uint32_t i = 0; i < m->count; i++) {
    model_op *o = &m->ops[i];
    value_id v = session_find_value(m->session, "main", o->result_name);
    for (uint32_t k = 0; k < m->count; k++) {
      for (uint32_t n = 0; n < m->ops[k].operand_count; n++) {
        if (m->ops[k].operands[n] == o->value) m->ops[k].operands[n] = v;
      }
    }
    o->value = v;
    o->id = g->values[v].def;
  }
}

static void run_sequence(model *m, uint64_t totals[4]) {
  static const session_limits limits = {0};
  const char *where;
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  begin(m);
  model_text(m, &text);
  m->session = session_new(&limits);
  session_source source = {.text = text.data, .length = text.length};
  session_start start = {.read = session_read_program, .data = &source};
  session_failure failure;
  if (!session_open(m->session, &start, &failure)) wrong(m, "not opened", failure.message);
  learn_ids(m);
  for (m->step = 0; m->step < STEPS; m->step++) {
    uint32_t depth = m->pushed_count;
    edit(m);
    if (m->pushed_count > depth) check_answers(m, &arena);
    if (!pick(m, 4) && !session_verify(m->session, &where))
      wrong(m, "what is kept is not what is fresh", where);
  }
  if (!session_verify(m->session, &where)) wrong(m, "what is kept is not what is fresh", where);
  check_report(m, &arena);
  check_answers(m, &arena);
  session_stats stats = session_get_stats(m->session);
  totals[0] += stats.incremental;
  totals[1] += stats.whole - 1;  // opening it is no edit
  totals[2] += m->given[0];
  totals[3] += m->given[1];
  session_free(m->session);
  arena_destroy(&arena);
}

int main(int argc, char **argv) {
  uint32_t sequences = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
  uint64_t seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1, totals[4] = {0};
  for (uint32_t i = 0; i < sequences; i++) {
    model *m = calloc(1, sizeof *m);
    m->sequence = i;
    m->random = seed * 1000003 + i;
    run_sequence(m, totals);
    free(m);
  }
  printf("session_property: %u sequences, %llu edits by updates, %llu by whole analyses; of "
         "these %llu of "
         "assumptions, %llu by updates\n",
         sequences, (unsigned long long)totals[0], (unsigned long long)totals[1],
         (unsigned long long)totals[2], (unsigned long long)totals[3]);
  // The first sequence that goes wrong ends the run.
  bool good = totals[0] && totals[3];
  printf("%u passed, %d failed\n", sequences - !good, !good);
  return good ? 0 : 1;
}
