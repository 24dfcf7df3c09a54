// SPDX-License-Identifier: Apache-2.0
// What rules state: facts, requirements, diagnostics, assumptions.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/decide/store_query.h"
#include "solver/ops/op.h"
#include "solver/ops/required.h"

static reason reason_of(const rule_context *c, const char *what, bool required) {
  return (reason){.kind = REASON_OP,
                  .required = required,
                  .subject = c->op,
                  .frame = c->frame,
                  .rule = c->row ? c->row->rule_name : NULL,
                  .what = what};
}

// One diagnostic per operation and message, however often and in however many calls its rule runs. A message is its text,
// not its address: whether equal literals of two files are one is for the linker to say.
static bool first_report(rule_context *c, const char *message, uint64_t numbers) {
  uint64_t key = hash_pair(hash_pair(c->op, numbers), hash_bytes(message, strlen(message)));
  uint32_t seen;
  if (key == IMAP_NONE || imap_get(&c->log->reported, key, &seen)) return false;
  imap_put(&c->log->reported, c->arena, key, 1);
  return true;
}

static source_span op_span(const rule_context *c) { return c->graph->ops[c->op].span; }

// The function that a call names: func.call, or composite through `decomposition`.
static const char *called_name(const rule_context *c, op_id call) {
  attr_id id = graph_attr_named(c->graph, call, "callee");
  if (id == ATTR_NONE) id = graph_attr_named(c->graph, call, "decomposition");
  const char *name = id == ATTR_NONE ? NULL : graph_attr_text(c->graph, id);
  return name ? name : "";
}

// The operation fails wherever it runs, and it may not run. Kept apart from the diagnostics, which have a limit.
static void note_failure(rule_context *c, op_id op, const char *message) {
  rule_log *log = c->log;
  log->failures =
      arena_grow(c->arena, log->failures, log->failure_count, (size_t)log->failure_count + 1,
                 &log->failure_capacity, sizeof *log->failures);
  assert(log->failure_count < log->failure_capacity);
  log->failures[log->failure_count++] = (failure_row){op, message};
}

diag *rule_blame(rule_context *c, diag_severity severity, const char *code, uint64_t numbers,
                 const char *key, const char *format, ...) {
  bool own = c->blamed == ID_NONE;
  if (c->quiet || !first_report(c, key, own ? numbers : hash_pair(numbers, c->blamed))) return NULL;
  shape_strbuf text;
  strbuf_init(&text, c->arena);
  if (!own)
    strbuf_printf(&text, "%s @%s: ", graph_op_name(c->graph, c->blamed), called_name(c, c->blamed));
  const char *name = graph_op_name(c->graph, c->op);
  graph_print_op(c->graph, c->op, &text);
  strbuf_puts(&text, ": ");
  va_list args;
  va_start(args, format);
  strbuf_vprintf(&text, format, args);
  va_end(args);
  op_id op = own ? c->op : c->blamed;
  if (severity == DIAG_WARNING) note_failure(c, op, strbuf_text(&text));
  diag_list *diags = &c->graph->diags;
  diag *d = diag_add(diags, severity, code, c->graph->ops[op].span, "%s", strbuf_text(&text));
  if (own) return d;
  if (d) d->inner = op_span(c);
  diag_relate(diags, d, op_span(c), "%s in this call", name);
  return d;
}

static void state_fact(rule_context *c, predicate p, const char *what) {
  if (p.rel == REL_EQ && p.left == p.right) return;
  if (store_add(c->store, p, reason_of(c, what, false)) != ADD_CONFLICT) return;
  c->log->conflicts++;
  rule_report_conflict(c, p, what);
}

void rule_fact(rule_context *c, predicate p, const char *what) {
  if (c->buffers) {
    rule_require(c, p, what);
  } else {
    state_fact(c, p, what);
  }
}

static bool known(rule_context *c) {
  if (!c->quiet && !c->again) c->log->proven++;
  return true;
}

bool rule_require(rule_context *c, predicate p, const char *what) {
  restatement simple = {.count = 0, .always = false};
  restate_quotient(c->terms, &p);
  if (store_restate(c->store, p, &simple)) p = simple.p;
  if (simple.always) {  // no run has to be checked for it
    state_fact(c, p, what);
    return known(c);
  }
  add_result result = store_add(c->store, p, reason_of(c, what, true));
  if (result == ADD_KNOWN) return known(c);
  for (uint32_t i = 0; i < simple.count && result == ADD_NEW; i++)
    state_fact(c, simple.settled[i], what);
  if (result == ADD_NEW) return true;
  c->log->conflicts++;
  rule_report_conflict(c, p, what);
  return false;
}

bool rule_require_eq(rule_context *c, term_id a, term_id b, const char *what) {
  if (a == b || store_is_settled(c->store, a, b)) return known(c);
  return rule_require(c, predicate_make(REL_EQ, a, b), what);
}

bool rule_proves_equal(rule_context *c, term_id a, term_id b) {
  term_table *t = c->terms;
  a = store_canon(c->store, a);
  b = store_canon(c->store, b);
  if (a == b) return true;
  if (!((term_kinds(t, a) | term_kinds(t, b)) & KIND_BIT(TERM_MIN))) return false;
  return store_ask_briefly(c->store, predicate_make(REL_EQ, a, b)).answer == SHAPE_YES;
}

bool rule_require_same_shape(rule_context *c, uint32_t a, uint32_t b, const char *what) {
  const value_info *x = rule_operand(c, a), *y = rule_operand(c, b);
  if (x->ranked && y->ranked && x->rank == y->rank && x->dims == y->dims) return known(c);
  if (x->ranked && !y->ranked) {
    rule_assume_rank(c, b, x->rank);
  } else if (y->ranked && !x->ranked) {
    rule_assume_rank(c, a, y->rank);
  }
  x = rule_operand(c, a);
  y = rule_operand(c, b);
  if (!x->ranked || !y->ranked) return true;
  if (x->rank != y->rank) {
    rule_error(c, "rank", "%s: operand #%u has rank %u, operand #%u has rank %u", what, a, x->rank,
               b, y->rank);
    return false;
  }
  bool fine = true;
  for (uint32_t i = 0; i < x->rank; i++) {
    if (x->dims[i] == y->dims[i]) {
      known(c);
    } else {
      fine = rule_require_eq(c, x->dims[i], y->dims[i], what) && fine;
    }
  }
  return fine;
}

// --- requirements without a predicate

static uint64_t unchecked_key(const rule_context *c) { return (uint64_t)c->frame << 32 | c->op; }

void rule_unchecked_begin(rule_context *c) {
  const rule_log *log = c->log;
  uint32_t i;
  if (c->quiet || c->judged || !log->unchecked_count ||
      !imap_get(&log->unchecked_of, unchecked_key(c), &i))
    return;
  for (; i != ID_NONE; i = log->unchecked[i].next) log->unchecked[i].stated = true;
}

void rule_unchecked(rule_context *c, const char *requirement, const char *why) {
  rule_log *log = c->log;
  uint32_t first = ID_NONE;
  if (c->quiet || c->judged) return;
  imap_get(&log->unchecked_of, unchecked_key(c), &first);
  for (uint32_t i = first; i != ID_NONE; i = log->unchecked[i].next) {
    unchecked_row *row = &log->unchecked[i];
    if (strcmp(row->requirement, requirement) != 0) continue;
    row->reason = why;
    row->scope = c->scope;
    row->stated = false;
    return;
  }
  log->unchecked =
      arena_grow(c->arena, log->unchecked, log->unchecked_count, (size_t)log->unchecked_count + 1,
                 &log->unchecked_capacity, sizeof *log->unchecked);
  log->unchecked[log->unchecked_count] =
      (unchecked_row){c->op, c->frame, c->scope, requirement, why, first, false};
  imap_put(&log->unchecked_of, c->arena, unchecked_key(c), log->unchecked_count++);
}

// --- truth values

// A product of truth values holds when each factor does; 1 - t holds when t does not. Anything else is compared with
// the number itself.
static bool state_bool(rule_context *c, term_id t, bool truth, bool required, const char *what) {
  const term_node *node = term_get(c->terms, t);
  predicate p = predicate_make(REL_EQ, t, truth ? TERM_ONE : TERM_ZERO);
  term_id negated = term_not(c->terms, t);
  term_kind kind = term_kind_of(c->terms, t), negated_kind = term_kind_of(c->terms, negated);
  if (kind != TERM_IS_ZERO && kind != TERM_IS_NEG &&
      (negated_kind == TERM_IS_ZERO || negated_kind == TERM_IS_NEG))
    return state_bool(c, negated, !truth, required, what);
  node = term_get(c->terms, t);
  if (kind == TERM_IS_ZERO) {
    p = predicate_make(truth ? REL_EQ : REL_NE, node->as.args[0], TERM_ZERO);
  } else if (kind == TERM_IS_NEG) {
    p = predicate_make(truth ? REL_LT : REL_GE, node->as.args[0], TERM_ZERO);
  } else if (kind == TERM_PRODUCT && truth) {
    term_power room, *copy;
    const term_power *powers;
    uint32_t count = term_powers(c->terms, t, &powers, &room);
    copy = arena_alloc(c->arena, count * sizeof(term_power));
    memcpy(copy, powers, count * sizeof(term_power));
    bool fine = true;
    for (uint32_t i = 0; i < count; i++) {
      term_kind factor = term_kind_of(c->terms, copy[i].atom);
      if (factor == TERM_IS_ZERO || factor == TERM_IS_NEG) {
        fine = state_bool(c, copy[i].atom, true, required, what) && fine;
      }
    }
    if (!fine) return false;
  }
  if (required) return rule_require(c, p, what);
  rule_fact(c, p, what);
  return true;
}

bool rule_require_bool(rule_context *c, term_id condition, bool truth, const char *what) {
  return condition == TERM_NONE || state_bool(c, condition, truth, true, what);
}

void rule_fact_bool(rule_context *c, term_id condition, bool truth, const char *what) {
  if (condition != TERM_NONE) state_bool(c, condition, truth, c->buffers, what);
}

// --- diagnostics

const char *rule_print(rule_context *c, term_id t) {
  if (t == TERM_NONE) return "?";
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  if (c->namer) {
    term_print(c->terms, &out, t, c->namer);
  } else {
    term_print_plain(c->terms, &out, t);
  }
  return strbuf_text(&out);
}

const char *rule_print_dims(rule_context *c, const value_info *v) {
  if (!v->ranked) return "*";
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  for (uint32_t i = 0; i < v->rank; i++) {
    if (i) strbuf_puts(&out, ", ");
    strbuf_puts(&out, rule_print(c, store_canon(c->store, v->dims[i])));
  }
  return strbuf_text(&out);
}

enum { CONFLICT_FACTS = 16, CONFLICT_OPERANDS = 4 };

static void relate_fact(rule_context *c, diag *d, const fact *f) {
  source_span span;
  switch (f->why.kind) {
  case REASON_OP:
    if (f->why.subject >= c->graph->op_count) return;
    span = c->graph->ops[f->why.subject].span;
    break;
  case REASON_TYPE:
    if (f->why.subject >= c->graph->value_count) return;
    span.begin = span.end = c->graph->values[f->why.subject].at;
    break;
  case REASON_SYMBOL:
    if (f->why.subject >= c->graph->declared.symbol_count) return;
    span = c->graph->declared.symbols[f->why.subject].span;
    break;
  default: return;
  }
  diag_relate(&c->graph->diags, d, span, "%s %s %s%s%s", rule_print(c, f->p.left),
              relation_text(f->p.rel), rule_print(c, f->p.right), f->why.what ? ": " : "",
              f->why.what ? f->why.what : "");
}

static bool has_size(const value_info *v, term_id size) {
  assert(v->ranked || !v->rank);
  for (uint32_t i = 0; i < v->rank; i++) {
    if (v->dims[i] == size) return true;
  }
  return false;
}

// An operand is shown where the conflict is between dims of two, and it has one of them; or else in any case.
static bool is_party(const rule_context *c, predicate p, uint32_t operand, bool between_two) {
  const value_info *v = rule_operand(c, operand);
  return v->ranked && v->rank && (!between_two || has_size(v, p.left) || has_size(v, p.right));
}

static bool is_between_two(const rule_context *c, predicate p) {
  uint32_t left = 0, right = 0;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    left += v->ranked && has_size(v, p.left);
    right += v->ranked && has_size(v, p.right);
  }
  return left && right;
}

// A model's name of a value, quoted; in text the location says which value it is.
static const char *operand_name(const rule_context *c, value_id v) {
  uint32_t length;
  const char *name = graph_value_text(c->graph, v, &length);
  if (graph_is_text(c->graph) || !length) return "";
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  strbuf_printf(&out, " \"%.*s\"", (int)length, name);
  return strbuf_text(&out);
}

// Where the operands come from: a conflict that no fact explains lies in how they were made.
static void relate_operands(rule_context *c, diag *d, predicate p) {
  const shape_graph *g = c->graph;
  bool between_two = is_between_two(c, p);
  uint32_t shown = 0;
  for (uint32_t i = 0; i < rule_operand_count(c) && shown < CONFLICT_OPERANDS; i++) {
    value_id v = graph_operand(g, c->op, i);
    if (!is_party(c, p, i, between_two)) continue;
    const value_info *info = rule_value(c, v);
    shown++;
    source_span span = {g->values[v].at, g->values[v].at};
    if (!g->values[v].is_argument) span = g->ops[g->values[v].def].span;
    diag_relate(&c->graph->diags, d, span, "operand #%u%s has the shape [%s]", i,
                operand_name(c, v), rule_print_dims(c, info));
  }
}

// What is known of a term that is not written out: its canonical form, or its bounds; "" where neither says more.
static const char *known_text(rule_context *c, term_id t) {
  term_id now = store_canon(c->store, t);
  if (now != t) return rule_print(c, now);
  interval range = store_range(c->store, t);
  bool low = range.has_lo && num_sign(range.lo) > 0;
  if (term_kind_of(c->terms, t) == TERM_CONST || (!low && !range.has_hi)) return "";
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  if (low) strbuf_printf(&out, "at least %s", rule_print(c, term_const(c->terms, range.lo)));
  if (range.has_hi)
    strbuf_printf(&out, "%sat most %s", low ? ", " : "",
                  rule_print(c, term_const(c->terms, range.hi)));
  return strbuf_text(&out);
}

// The one dim of an operand that a term is; false where there is none, or more than one.
static bool find_dim(const rule_context *c, term_id t, uint32_t *operand, uint32_t *axis) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    for (uint32_t k = 0; v->ranked && k < v->rank; k++) {
      if (v->dims[k] != t) continue;
      found++;
      *operand = i;
      *axis = k;
    }
  }
  return found == 1;
}

// A term, what else is known of it, and of which operand it is a dim.
static void put_found(rule_context *c, shape_strbuf *out, term_id t, bool with_operand) {
  uint32_t operand, axis;
  const char *known = known_text(c, t);
  bool is_dim = with_operand && find_dim(c, t, &operand, &axis);
  strbuf_puts(out, rule_print(c, t));
  if (*known || is_dim) strbuf_printf(out, " (%s%s", known, *known && is_dim ? ", " : "");
  if (is_dim) {
    const char *name = operand_name(c, graph_operand(c->graph, c->op, operand));
    strbuf_printf(out, "dim %u of", axis);
    if (*name) {
      strbuf_puts(out, name);
    } else {
      strbuf_printf(out, " operand #%u", operand);
    }
  }
  if (*known || is_dim) strbuf_putc(out, ')');
}

static const char *expected_text(relation rel) {
  switch (rel) {
  case REL_EQ: return " and ";
  case REL_NE: return ", expected another value than ";
  case REL_LT: return ", expected less than ";
  case REL_LE: return ", expected at most ";
  case REL_GT: return ", expected more than ";
  case REL_GE: return ", expected at least ";
  case REL_DIVISIBLE: return ", expected a multiple of ";
  }
  return " and ";
}

// What must be, and what was found.
static const char *conflict_text(rule_context *c, predicate p, const char *what) {
  uint32_t left, right, axis;
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  // Of what is computed (a padding, a shape) a number may be a dim by chance.
  bool dims = p.rel == REL_EQ && is_between_two(c, p) && find_dim(c, p.left, &left, &axis) &&
              find_dim(c, p.right, &right, &axis) && left != right &&
              rule_operand_dtype(c, left) == rule_operand_dtype(c, right);
  required_put(&out, what);
  strbuf_puts(&out, ": found ");
  put_found(c, &out, p.left, dims);
  strbuf_puts(&out, expected_text(p.rel));
  put_found(c, &out, p.right, dims);
  return strbuf_text(&out);
}

static source_span about_span(const rule_context *c) {
  return c->about ? c->about->span : SPAN_NONE;
}

void rule_report_conflict(rule_context *c, predicate p, const char *what) {
  num value;
  bool constants =
      term_const_value(c->terms, p.left, &value) && term_const_value(c->terms, p.right, &value);
  // Numbers in conflict are reported of each axis; of symbols, which calls give other names, only the first is.
  uint64_t numbers = constants ? hash_pair(p.left, p.right) : 0;
  if (c->quiet) return;
  bool excused = c->by_condition || (c->conditional && !constants);
  diag_severity severity = excused ? DIAG_WARNING : DIAG_ERROR;
  diag *d =
      rule_blame(c, severity, "shape-mismatch", numbers, what, "%s%s", conflict_text(c, p, what),
                 severity == DIAG_WARNING ? "; this region cannot run" : "");
  if (!d) return;
  d->part = about_span(c);
  fact_id facts[CONFLICT_FACTS];
  bool truncated = false;
  uint32_t count =
      constants ? 0 : store_conflict_core(c->store, p, facts, CONFLICT_FACTS, &truncated);
  for (uint32_t i = 0; i < count; i++) relate_fact(c, d, store_fact(c->store, facts[i]));
  relate_operands(c, d, p);
}

static void report_part(rule_context *c, source_span part, diag_severity severity, bool fails,
                        const char *code, const char *format, va_list args) {
  if (c->quiet || !first_report(c, format, 0)) return;
  shape_strbuf text;
  strbuf_init(&text, c->arena);
  graph_print_op(c->graph, c->op, &text);
  strbuf_puts(&text, ": ");
  strbuf_vprintf(&text, format, args);
  if (fails) strbuf_puts(&text, "; this region cannot run");
  if (fails) note_failure(c, c->op, strbuf_text(&text));
  diag *d = diag_add(&c->graph->diags, severity, code, op_span(c), "%s", strbuf_text(&text));
  if (d) d->part = part;
}

static void report(rule_context *c, diag_severity severity, bool fails, const char *code,
                   const char *format, va_list args) {
  report_part(c, about_span(c), severity, fails, code, format, args);
}

void rule_error_in(rule_context *c, block_id block, const char *code, const char *format, ...) {
  va_list args;
  op_id last = block == ID_NONE ? ID_NONE : graph_terminator(c->graph, block);
  bool returns = last != ID_NONE && !c->graph->ops[last].result_count;
  source_span part = returns ? c->graph->ops[last].span : SPAN_NONE;
  va_start(args, format);
  c->log->conflicts++;
  report_part(c, part, c->by_condition ? DIAG_WARNING : DIAG_ERROR, c->by_condition, code, format,
              args);
  va_end(args);
}

void rule_error(rule_context *c, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  c->log->conflicts++;
  report(c, c->by_condition ? DIAG_WARNING : DIAG_ERROR, c->by_condition, code, format, args);
  va_end(args);
}

void rule_warning(rule_context *c, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(c, DIAG_WARNING, false, code, format, args);
  va_end(args);
}

void rule_note(rule_context *c, const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(c, DIAG_NOTE, false, code, format, args);
  va_end(args);
}

void rule_fails(rule_context *c, const char *code, const char *message) {
  if (c->quiet || !first_report(c, message, 0)) return;
  shape_strbuf text;
  strbuf_init(&text, c->arena);
  graph_print_op(c->graph, c->op, &text);
  strbuf_printf(&text, ": %s", message);
  note_failure(c, c->op, strbuf_text(&text));
  diag_add(&c->graph->diags, DIAG_NOTE, code, op_span(c), "%s", strbuf_text(&text));
}

void rule_assumes(rule_context *c, const char *what) {
  rule_log *log = c->log;
  for (uint32_t i = 0; i < log->assumption_count; i++) {
    if (strcmp(log->assumptions[i], what) == 0) return;
  }
  log->assumptions =
      arena_grow(c->arena, log->assumptions, log->assumption_count, log->assumption_count + 1,
                 &log->assumption_capacity, sizeof(*log->assumptions));
  assert(log->assumption_count < log->assumption_capacity);
  log->assumptions[log->assumption_count++] = what;
}
