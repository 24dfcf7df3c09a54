// SPDX-License-Identifier: Apache-2.0
// What was written, analysed as any program is. Where an operation leaves dims several ways to be legal (numpy's
// broadcasting: equal, or one of them 1), they are tied in the way that holds at the original dims; a guard that does
// not hold there gives the dims that it speaks of their numbers back.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/generalize/state.h"
#include "solver/report/cell.h"

static shape_report *report_of(const generalization *g) {
  return shape_run_report(g->model_analysis.program);
}

// --- ties

typedef struct tying {
  generalization *g;
  const report_constraint *guard;  // NULL: none
  bool found;
} tying;

static bool is_no_argument(void *data, term_id atom) {
  const infer_result *infer = data;
  const term_node *node = term_get(infer->terms, atom);
  if (node->kind != TERM_SYMBOL) return false;
  const infer_origin *o =
      node->as.symbol < infer->origin_count ? &infer->origins[node->as.symbol] : NULL;
  return !o || o->kind != ORIGIN_ARGUMENT_SIZE || o->frame != 0;
}

// In the grammar of assumptions, over arg0.1.
static const char *tie_text(generalization *g, relation rel, term_id left, term_id right) {
  const infer_result *infer = report_of(g)->infer;
  shape_strbuf out;
  strbuf_init(&out, &g->arena);
  report_text text = cell_predicate_text(infer, predicate_make(rel, left, right));
  if (rel == REL_DIVISIBLE) {
    report_text a = cell_term_text(infer, left), b = cell_term_text(infer, right);
    strbuf_printf(&out, "divisible(%.*s, %.*s)", (int)a.length, a.text, (int)b.length, b.text);
  } else {
    strbuf_add(&out, text.text, text.length);
  }
  return strbuf_text(&out);
}

static void tie(tying *x, relation rel, term_id left, term_id right) {
  generalization *g = x->g;
  infer_result *infer = report_of(g)->infer;
  if (term_any_atom(infer->terms, left, is_no_argument, infer) ||
      term_any_atom(infer->terms, right, is_no_argument, infer))
    return;
  const char *text = tie_text(g, rel, left, right);
  for (uint32_t i = 0; i < g->tied_count; i++) {
    if (strcmp(g->tied[i].predicate, text) == 0) return;
  }
  const report_because *why = x->guard && x->guard->because_count ? &x->guard->because[0] : NULL;
  g->tied = arena_grow(&g->arena, g->tied, g->tied_count, (size_t)g->tied_count + 1,
                       &g->tied_capacity, sizeof *g->tied);
  assert(g->tied_count < g->tied_capacity);
  g->tied[g->tied_count++] = (tied_dims){
      text, why ? locate_reason(g, why) : (model_location){0},
      why && why->message ? arena_strndup(&g->arena, why->message, strlen(why->message)) : ""};
  x->found = true;
}

static void tie_broadcast(tying *x, term_id a, term_id b) {
  int64_t at_a, at_b;
  if (!value_at_origin(x->g->origin, a, &at_a) || !value_at_origin(x->g->origin, b, &at_b)) return;
  if (at_a == at_b) {
    tie(x, REL_EQ, a, b);
  } else if (at_a == 1 || at_b == 1) {
    tie(x, REL_EQ, at_a == 1 ? a : b, TERM_ONE);
  }
}

// A dim that is not 0 at the original dims, where 0 would mean something else (ONNX: Reshape copies a dim).
static void tie_positive(tying *x, term_id a) {
  int64_t value;
  if (value_at_origin(x->g->origin, a, &value) && value >= 1) tie(x, REL_GE, a, TERM_ONE);
}

// q*(a - c*floordiv(a, c)) == 0: a is a multiple of c, as it is at the original dims.
static void tie_quotient(tying *x, term_id atom) {
  shape_report *r = report_of(x->g);
  term_table *t = r->infer->terms;
  const term_node node = *term_get(t, atom);
  int64_t a, c;
  term_id quotient;
  const predicate p = x->guard->p;
  if (p.rel != REL_EQ || !term_int_value(t, node.as.args[1], &c) || c < 1) return;
  term_id a_side = store_express(r->infer->store, p.left);
  term_id left = term_sub(t, a_side, store_express(r->infer->store, p.right));
  term_id rest = term_sub(t, node.as.args[0], term_scale(t, atom, NUM(c)));
  if (rest == TERM_ZERO || !term_divide_exact(t, left, rest, &quotient)) return;
  if (value_at_origin(x->g->origin, node.as.args[0], &a) && a % c == 0)
    tie(x, REL_DIVISIBLE, node.as.args[0], node.as.args[1]);
}

static void tie_atom(void *data, term_id atom) {
  tying *x = data;
  const term_node node = *term_get(report_of(x->g)->infer->terms, atom);
  const term_id *args = node.as.args;
  if (node.kind == TERM_BCAST) tie_broadcast(x, args[0], args[1]);
  if (node.kind == TERM_MIN && node.count == 2 && (args[0] == TERM_ONE || args[1] == TERM_ONE))
    tie_positive(x, args[0] == TERM_ONE ? args[1] : args[0]);
  if (node.kind == TERM_IS_ZERO) tie_positive(x, args[0]);
  if (node.kind == TERM_FLOORDIV) tie_quotient(x, atom);
}

static void tie_all_of(tying *x, term_id side) {
  const infer_result *infer = report_of(x->g)->infer;
  term_visit_atoms(infer->terms, store_express(infer->store, side), tie_atom, x);
}

static bool tie_all(generalization *g) {
  shape_report *r = report_of(g);
  tying x = {.g = g};
  for (uint32_t i = 0; i < r->guards.count; i++) {
    x.guard = &r->guards.items[i];
    tie_all_of(&x, x.guard->p.left);
    tie_all_of(&x, x.guard->p.right);
  }
  return x.found;
}

// --- guards that are false at the original dims

static bool compare(relation rel, int64_t a, int64_t b) {
  if (rel == REL_DIVISIBLE) return b != 0 && a % b == 0;
  return relation_holds(rel, (a > b) - (a < b));
}

static bool holds_at_origin(generalization *g, predicate p) {
  int64_t a, b;
  return value_at_origin(g->origin, p.left, &a) && value_at_origin(g->origin, p.right, &b) &&
         compare(p.rel, a, b);
}

typedef struct fixing {
  generalization *g;
  fixed_dim row;
  bool found;
} fixing;

static void fix_dim(generalization *g, uint32_t argument, uint32_t axis, fixed_dim row) {
  assert(original_is_freed(&g->from, argument, axis));
  row.argument = argument;
  row.axis = axis;
  g->freed[argument][axis] = false;
  g->fixed = arena_grow(&g->arena, g->fixed, g->fixed_count, (size_t)g->fixed_count + 1,
                        &g->fixed_capacity, sizeof *g->fixed);
  g->fixed[g->fixed_count++] = row;
}

static void fix_symbol(void *data, term_id atom) {
  fixing *x = data;
  const infer_result *infer = report_of(x->g)->infer;
  if (term_kind_of(infer->terms, atom) != TERM_SYMBOL || is_no_argument((void *)infer, atom))
    return;
  const infer_origin *o = &infer->origins[term_get(infer->terms, atom)->as.symbol];
  if (!original_is_freed(&x->g->from, o->argument, o->axis)) return;
  fix_dim(x->g, o->argument, o->axis, x->row);
  x->found = true;
}

static bool speaks_of_arguments(const infer_result *infer, predicate p) {
  return !term_any_atom(infer->terms, p.left, is_no_argument, (void *)infer) &&
         !term_any_atom(infer->terms, p.right, is_no_argument, (void *)infer);
}

static bool fix_false(generalization *g) {
  shape_report *r = report_of(g);
  fixing x = {.g = g};
  for (uint32_t i = 0; i < r->guards.count; i++) {
    const report_constraint *c = &r->guards.items[i];
    if (!speaks_of_arguments(r->infer, c->p) || holds_at_origin(g, c->p)) continue;
    if (c->because_count) {
      x.row.at = locate_reason(g, &c->because[0]);
      const char *message = c->because[0].message;
      x.row.message = arena_strndup(&g->arena, message, strlen(message));
    }
    term_visit_atoms(r->infer->terms, c->p.left, fix_symbol, &x);
    term_visit_atoms(r->infer->terms, c->p.right, fix_symbol, &x);
  }
  return x.found;
}

// --- what the program is at the original dims

// Dims that both know are the same.
static bool is_value_same(generalization *g, value_id v, value_id old) {
  shape_report *r = report_of(g);
  int64_t was, now;
  if (v == VALUE_NONE || old == VALUE_NONE) return true;
  const report_shape *s = &r->shapes[r->value_shapes[v]];
  for (uint32_t i = 0; s->ranked && i < s->rank; i++) {
    was = original_dim(&g->from, old, i);
    if (was >= 0 && value_at_origin(g->origin, s->dims[i], &now) && now != was) return false;
  }
  return true;
}

// What was written is the program that was read where its dims are those that it had.
static bool is_same_at_origin(generalization *g) {
  const report_function *written = &report_of(g)->functions[0];
  const report_function *old = &shape_run_report(g->from.a.program)->functions[0];
  assert(written->argument_count == old->argument_count &&
         written->result_count == old->result_count);
  for (uint32_t i = 0; i < old->argument_count; i++) {
    if (!is_value_same(g, written->arguments + i, old->arguments + i)) return false;
  }
  for (uint32_t i = 0; written->results && old->results && i < old->result_count; i++) {
    if (!is_value_same(g, written->results[i], old->results[i])) return false;
  }
  return true;
}

// --- errors: the last free dim gets its number back

static bool fix_last(generalization *g, const char *message) {
  const shape_report *r = report_of(g);
  fixed_dim row = {.message = message};
  for (uint32_t i = 0; r && i < r->diag_count; i++) {
    if (r->diags[i]->severity != DIAG_ERROR) continue;
    row.message = arena_strndup(&g->arena, r->diags[i]->message, strlen(r->diags[i]->message));
    row.at = locate_reason(g, &(report_because){.span = r->diags[i]->span});
    break;
  }
  for (uint32_t k = g->from.argument_count; k-- > 0;) {
    const graph_type *t =
        graph_value_type(shape_run_graph(g->from.a.program), g->from.arguments + k);
    for (uint32_t i = t && t->kind == TYPE_TENSOR ? t->rank : 0; i-- > 0;) {
      if (!g->freed[k][i] || original_argument_dim(&g->from, k, i) < 0) continue;
      fix_dim(g, k, i, row);
      return true;
    }
  }
  return false;
}

// --- the whole

void generalize_assumptions(generalization *g, analysis_request *q) {
  const char **texts = arena_alloc(&g->arena, (g->tied_count + 1) * sizeof *texts);
  for (uint32_t i = 0; i < g->tied_count; i++) texts[i] = g->tied[i].predicate;
  q->assumptions = texts;
  q->assumption_count = g->tied_count;
}

static bool analyze_model(generalization *g) {
  analysis_request *q = &g->request_of_model;
  *q = *g->request->program;
  generalize_assumptions(g, q);
  if (g->writable) {
    q->text = g->model.text.data;
    q->length = g->model.text.length;
    q->format = (graph_format)shape_run_graph(g->from.a.program)->format;  // of what was written
    q->recognised = true;
    q->validated = false;
  }
  // What its text says of dims was not written yet, or cannot be.
  if (!g->writable || shape_run_graph(g->from.a.program)->format == GRAPH_FX) {
    g->loose_of_model = (loosening){.from = &g->from};
    q->mode.prepare = loosen;
    q->mode.prepare_data = &g->loose_of_model;
  }
  g->model_reply = (analysis_reply){0};
  bool spans = generalize_has_spans(shape_run_graph(g->from.a.program));
  bool ok = analysis_open(&g->model_analysis, q, spans, &g->model_reply);
  g->open = true;
  if (!ok) *g->reply = g->model_reply;
  return ok;
}

typedef struct look_call {
  generalization *g;
  bool tied, fixed, kept, refused;
} look_call;

// Its literals stay what they are; where that was no help, one more dim does.
static void give_up(look_call *call) {
  generalization *g = call->g;
  call->kept = g->writable && !g->keeps_literals;
  g->keeps_literals |= call->kept;
  if (call->kept) return;
  call->fixed = fix_last(g, "with this dim free the results have other dims at the original ones");
  call->refused = !call->fixed;
}

static void look(shape_run *p, void *data) {
  (void)p;
  look_call *call = data;
  generalization *g = call->g;
  if (!analysis_is_valid(&g->model_analysis)) {
    call->fixed = fix_last(g, "with this dim free the program has an error");
    call->refused = !call->fixed;
    return;
  }
  g->origin = origin_values_make(report_of(g), &g->from);
  call->tied = tie_all(g);
  if (!call->tied) call->fixed = fix_false(g);
  if (!call->tied && !call->fixed && !is_same_at_origin(g)) give_up(call);
}

bool generalize_conclude(generalization *g, bool *again) {
  look_call call = {.g = g};
  if (!analyze_model(g)) return false;
  g->reply->status = shape_run_protect(g->model_analysis.program, look, &call);
  assert(!(call.tied && call.fixed));
  *again = call.tied || call.fixed || call.kept;
  if (call.refused && g->reply->status == SHAPE_OK) {
    g->reply->status = SHAPE_INTERNAL;
    snprintf(g->reply->message, sizeof g->reply->message,
             "the program that was written has errors, though no dim of it is free");
  }
  return g->reply->status == SHAPE_OK;
}
