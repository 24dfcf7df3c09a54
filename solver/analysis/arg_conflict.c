// SPDX-License-Identifier: Apache-2.0
#include "solver/analysis/arg_conflict.h"

#include <assert.h>

#include "solver/report/checks.h"
#include "solver/term/print.h"

typedef struct arg_conflict {
  const type_table *given_types;
  const type_id *given;
  uint32_t given_count;
  const char *message;  // in the second program's arena; NULL: nothing is known
  check_operand operand;
  // while it is looked for
  shape_report *report;
  const report_checks *checks;
  shape_imap values;  // symbol -> its number, as a term
  shape_imap shown;   // symbol -> 1: printed already
  shape_strbuf text;
  uint32_t listed;
} arg_conflict;

// --- numbers

static term_id size_given(const arg_conflict *c, check_operand operand) {
  if (operand.value || operand.argument >= c->given_count) return TERM_NONE;
  const graph_type *type = type_get(c->given_types, c->given[operand.argument]);
  if (type->kind != TYPE_TENSOR || operand.axis >= type->rank ||
      !dim_is_static(type->dims[operand.axis])) {
    return TERM_NONE;
  }
  return term_int(c->report->infer->terms, type->dims[operand.axis]);
}

static term_id value_of(void *data, term_id atom) {
  const arg_conflict *c = data;
  term_id value;
  return imap_get(&c->values, atom, &value) ? value : atom;
}

static bool evaluate(arg_conflict *c, term_id term, term_id *out) {
  num ignored;
  if (term == TERM_NONE) return false;
  *out = term_substitute(c->report->infer->terms, term, value_of, c, NULL);
  return term_const_value(c->report->infer->terms, *out, &ignored);
}

static void bind_symbols(arg_conflict *c) {
  term_table *t = c->report->infer->terms;
  for (uint32_t i = 0; i < c->checks->binding_count; i++) {
    const check_binding *b = &c->checks->bindings[i];
    term_id rest, quotient;
    if (!evaluate(c, b->rest, &rest)) continue;
    if (b->computed) {
      imap_put(&c->values, c->report->graph->arena, b->symbol, rest);
      continue;
    }
    term_id size = size_given(c, b->operand);
    if (size == TERM_NONE) continue;
    term_id factor = term_const(t, b->factor);
    if (!term_divide_exact(t, term_sub(t, size, rest), factor, &quotient)) continue;
    imap_put(&c->values, c->report->graph->arena, b->symbol, quotient);
  }
}

// 1: holds, 0: does not, -1: open.
static int holds(arg_conflict *c, predicate p) {
  term_table *t = c->report->infer->terms;
  term_id left, right;
  num a, b;
  if (!evaluate(c, p.left, &left) || !evaluate(c, p.right, &right)) return -1;
  term_const_value(t, left, &a);
  term_const_value(t, right, &b);
  if (p.rel == REL_DIVISIBLE) return term_mod(t, left, right) == TERM_ZERO;
  return relation_holds(p.rel, num_compare(a, b));
}

static bool is_violated(arg_conflict *c, const report_check *check) {
  assert(!check->when_count || check->when);
  for (uint32_t i = 0; i < check->when_count; i++) {
    if (holds(c, check->when[i]) != 1) return false;
  }
  if (check->ranges) return false;
  if (check->kind == CHECK_HOLDS) return holds(c, check->p) == 0;
  term_id size = size_given(c, check->operand), expected;
  return size != TERM_NONE && evaluate(c, check->p.right, &expected) && size != expected;
}

// --- words

static const check_binding *binding_of(const arg_conflict *c, term_id symbol) {
  for (uint32_t i = 0; i < c->checks->binding_count; i++) {
    if (c->checks->bindings[i].symbol == symbol) return &c->checks->bindings[i];
  }
  return NULL;
}

// A symbol as the argument shows it: arg0.1, or an expression over that.
static void print_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  const arg_conflict *c = data;
  for (uint32_t i = 0; i < c->checks->binding_count; i++) {
    const check_binding *b = &c->checks->bindings[i];
    assert(term_kind_of(c->report->infer->terms, b->symbol) == TERM_SYMBOL);
    if (term_get(c->report->infer->terms, b->symbol)->as.symbol != symbol) continue;
    bool plain = !b->computed && num_is_one(b->factor) && b->rest == TERM_ZERO;
    if (plain) {
      strbuf_printf(out, "arg%u.%u", b->operand.argument, b->operand.axis);
    } else {
      strbuf_add(out, b->name.text, b->name.length);
    }
    return;
  }
  strbuf_puts(out, "?");
}

static void print_term(arg_conflict *c, term_id term) {
  const term_namer namer = {
      .symbol = print_symbol, .functions = &c->report->graph->names, .data = c};
  term_print(c->report->infer->terms, &c->text, term, &namer);
}

static void list_size(arg_conflict *c, check_operand operand) {
  assert(size_given(c, operand) != TERM_NONE);
  strbuf_puts(&c->text, c->listed++ ? ", arg" : "; given are arg");
  strbuf_printf(&c->text, "%u.%u = ", operand.argument, operand.axis);
  print_term(c, size_given(c, operand));
}

static void list_symbol(void *data, term_id atom) {
  arg_conflict *c = data;
  uint32_t ignored;
  const check_binding *b = binding_of(c, atom);
  if (!b || b->computed || imap_get(&c->shown, atom, &ignored) ||
      size_given(c, b->operand) == TERM_NONE)
    return;
  imap_put(&c->shown, c->report->graph->arena, atom, 1);
  if (!c->listed) c->operand = b->operand;
  list_size(c, b->operand);
}

static void print_relation(arg_conflict *c, const report_check *check) {
  static const char *const SIGNS[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  term_id left = check->p.left;
  if (check->p.rel == REL_DIVISIBLE) {
    strbuf_puts(&c->text, "mod(");
    print_term(c, left);
    strbuf_puts(&c->text, ", ");
    print_term(c, check->p.right);
    strbuf_puts(&c->text, ") == 0");
    return;
  }
  assert((size_t)check->p.rel < sizeof SIGNS / sizeof *SIGNS);
  print_term(c, left);
  strbuf_puts(&c->text, SIGNS[check->p.rel]);
  print_term(c, check->p.right);
}

static void describe(arg_conflict *c, const report_check *check) {
  term_table *t = c->report->infer->terms;
  assert(!c->message && !c->listed);
  strbuf_puts(&c->text, "the program needs ");
  if (check->kind == CHECK_OPERAND) {
    strbuf_printf(&c->text, "arg%u.%u == ", check->operand.argument, check->operand.axis);
    print_term(c, check->p.right);
    c->operand = check->operand;

    list_size(c, check->operand);
    term_visit_atoms(t, check->p.right, list_symbol, c);
  } else {
    print_relation(c, check);
    term_visit_atoms(t, check->p.left, list_symbol, c);
    term_visit_atoms(t, check->p.right, list_symbol, c);
  }
  c->message = strbuf_text(&c->text);
}

static void find(shape_run *p, void *data) {
  arg_conflict *c = data;
  c->report = shape_run_report(p);
  assert(c->report && c->report->infer);
  c->checks = report_checks_make(c->report);
  strbuf_init(&c->text, c->report->graph->arena);
  bind_symbols(c);
  for (uint32_t i = 0; i < c->checks->check_count && !c->message; i++) {
    if (is_violated(c, &c->checks->checks[i])) describe(c, &c->checks->checks[i]);
  }
}

// --- where it is said

static source_span operand_span(const shape_graph *g, func_id entry, uint32_t argument,
                                source_span otherwise) {
  assert(entry < g->func_count);
  region_id body = g->funcs[entry].body;
  if (body == ID_NONE || !g->regions[body].block_count) return otherwise;
  const graph_block *block = &g->blocks[g->regions[body].first_block];
  if (argument >= block->argument_count) return otherwise;
  assert(block->arguments + argument < g->value_count);
  uint32_t at = g->values[block->arguments + argument].at;
  return at < g->source.length ? (source_span){at, at + 1} : otherwise;
}

static void relate(shape_run *p, void *data) {
  arg_conflict *c = data;
  shape_graph *g = shape_run_graph(p);
  assert(c->message);
  for (uint32_t i = 0; i < g->diags.count; i++) {
    diag *d = &g->diags.items[i];
    if (d->severity != DIAG_ERROR) continue;
    source_span span = operand_span(g, c->report->infer->entry, c->operand.argument, d->span);
    diag_relate(&g->diags, d, span, "%s", c->message);
    return;
  }
}

void arg_conflict_report(const analysis *a) {
  const shape_report *report = shape_run_report(a->program);
  if (!a->reply->errors || !a->options.argument_types || !report->infer) return;
  analysis_request request = *a->request;
  analysis_reply reply = {0};
  analysis second;
  arg_conflict c = {.given_types = &shape_run_graph(a->program)->types,
                    .given = a->options.argument_types,
                    .given_count = a->options.argument_count};
  request.argument_types = NULL;
  request.mode.suggested = false;
  request.werror = request.refinable = request.certify = request.find_bounds = false;
  bool ok = analysis_open(&second, &request, false, &reply) && analysis_is_valid(&second);
  ok = ok && shape_run_protect(second.program, find, &c) == SHAPE_OK && c.message;
  if (ok) shape_run_protect(a->program, relate, &c);
  analysis_close(&second);
}
