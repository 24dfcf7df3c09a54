// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <string.h>

#include "solver/api/session.h"

// --- what changed

static bool take_shape(const shape_session *s, shape_key key, shape_session_shape *out) {
  const session_shape *shape = session_shape_of(s->core, key);
  *out = (shape_session_shape){0};
  if (!shape) return false;
  assert(shape->type && (!shape->ranked || !shape->rank || shape->dims));
  *out = (shape_session_shape){shape->type, shape->ranked, shape->ranked ? shape->rank : 0,
                               shape->ranked ? shape->dims : NULL};
  return true;
}

bool shape_session_changed(const shape_session *s, uint32_t index, shape_change *out) {
  if (index >= s->changes.value_count) return false;
  const session_change *c = &s->changes.values[index];
  out->value = c->value;
  out->was_there = take_shape(s, c->before, &out->before);
  out->is_there = take_shape(s, c->after, &out->after);
  return true;
}

static bool take_diagnostic(session_diags diags, uint32_t index, shape_session_diagnostic *out) {
  if (index >= diags.count) return false;
  const session_diag *d = &diags.items[index];
  assert(d->code && d->message);
  *out = (shape_session_diagnostic){d->op, (shape_severity)d->severity, d->code, d->message};
  return true;
}

bool shape_session_appeared(const shape_session *s, uint32_t index, shape_session_diagnostic *out) {
  return take_diagnostic(s->changes.appeared, index, out);
}

bool shape_session_vanished(const shape_session *s, uint32_t index, shape_session_diagnostic *out) {
  return take_diagnostic(s->changes.vanished, index, out);
}

bool shape_session_inserted(const shape_session *s, uint32_t index, shape_inserted *out) {
  if (index >= s->changes.inserted_count) return false;
  assert(s->changes.inserted && s->changes.arguments);
  *out = (shape_inserted){s->changes.inserted[index], s->changes.arguments[index], 0};
  // A later edit of the same call may have removed it.
  if (out->op != SHAPE_NO_ID && !session_has_op(s->core, out->op)) out->op = SHAPE_NO_ID;
  if (out->value != SHAPE_NO_ID && !session_has_value(s->core, out->value))
    out->value = SHAPE_NO_ID;
  if (out->op != SHAPE_NO_ID) {
    const graph_op *op = &session_graph(s->core)->ops[out->op];
    assert(out->value == SHAPE_NO_ID);
    out->value_count = op->result_count;
    out->value = op->result_count ? op->results : SHAPE_NO_ID;
  } else {
    out->value_count = out->value != SHAPE_NO_ID;
  }
  return true;
}

// --- what there is

bool shape_session_shape_of(const shape_session *s, shape_value value, shape_session_shape *out) {
  bool there = s->open && session_has_value(s->core, value);
  return take_shape(s, there ? session_value_shape(s->core, value) : SHAPE_NONE, out) || there;
}

shape_value shape_session_find(const shape_session *s, const char *function, const char *name) {
  const shape_graph *g = session_graph(s->core);
  shape_value found = SHAPE_NO_ID;
  for (uint32_t from = 0; s->open; from = found + 1) {
    found = program_find(g, function, name, from);
    if (found == SHAPE_NO_ID || session_has_value(s->core, found)) break;
  }
  return found;
}

shape_op shape_session_op_of(const shape_session *s, shape_value value) {
  if (!s->open || !session_has_value(s->core, value)) return SHAPE_NO_ID;
  const graph_value *v = &session_graph(s->core)->values[value];
  return v->is_argument ? SHAPE_NO_ID : v->def;
}

shape_status shape_session_address(shape_session *s, const char *address, shape_dim *out) {
  *out = (shape_dim){SHAPE_NO_ID, SHAPE_NO_ID};
  if (!session_begin(s)) return s->error.status;
  const char *error = session_address(s->core, address, strlen(address), &out->value, &out->axis);
  if (!error) return SHAPE_OK;
  api_fail(&s->error, SHAPE_INVALID, "'%.100s': %s", address, error);
  return SHAPE_INVALID;
}

shape_op shape_session_address_op(const shape_session *s, const char *address) {
  return s->open ? session_address_op(s->core, address, strlen(address)) : SHAPE_NO_ID;
}

uint32_t shape_session_value_count(const shape_session *s) {
  return s->open ? session_graph(s->core)->value_count : 0;
}

typedef struct name_call {
  shape_session *session;
  shape_value value;
  shape_session_name *out;
} name_call;

// How many results before it share its name.
static uint32_t rank_of_name(const shape_graph *g, value_id v, const char *name, uint32_t length) {
  uint32_t before = 0, known;
  assert(v < g->value_count);
  for (uint32_t i = graph_value_index(g, v); i-- > 0 && !g->values[v].is_argument; before++) {
    const char *text = graph_value_text(g, v - before - 1, &known);
    if (known != length || memcmp(text, name, length) != 0) break;
  }
  return before;
}

static void write_name(void *data) {
  name_call *x = data;
  const shape_graph *g = session_graph(x->session->core);
  assert(x->value < g->value_count && session_has_value(x->session->core, x->value));
  const graph_value *v = &g->values[x->value];
  shape_strbuf text;
  uint32_t length;
  const char *name = graph_value_text(g, x->value, &length);
  strbuf_init(&text, &x->session->texts);
  strbuf_putc(&text, '%');
  strbuf_add(&text, name, length);
  uint32_t result = length ? rank_of_name(g, x->value, name, length) : 0;
  if (result) strbuf_printf(&text, "#%u", result);
  if (length) x->out->name = strbuf_text(&text);
  x->out->op = v->is_argument ? SHAPE_NO_ID : v->def;
  if (x->out->op != SHAPE_NO_ID) {
    attr_id tag = graph_attr_named(g, v->def, "shaped.tag");
    if (tag != ATTR_NONE) x->out->tag = graph_attr_text(g, tag);
  }
  source_span span = {v->at, v->at};
  if (!v->is_argument) span = g->ops[v->def].span;
  bool inserted = !v->is_argument && span.begin == span.end;
  if (inserted || span_is_none(span) || span.begin >= g->source.length) return;
  source_position at = graph_position_unprotected(g, span);
  x->out->line = at.line;
  x->out->column = at.column;
}

bool shape_session_name_of(shape_session *s, shape_value value, shape_session_name *out) {
  name_call x = {s, value, out};
  *out = (shape_session_name){.op = SHAPE_NO_ID};
  if (!s->open || !session_has_value(s->core, value)) return false;
  return session_with_texts(s, write_name, &x) == SHAPE_OK;
}

shape_session_stats shape_session_get_stats(const shape_session *s) {
  session_stats stats = session_get_stats(s->core);
  return (shape_session_stats){.version = session_version(s->core),
                               .depth = session_depth(s->core),
                               .ops = stats.ops,
                               .edits = stats.edits,
                               .visited = stats.visited,
                               .updates = stats.incremental,
                               .whole = stats.whole,
                               .bytes = sizeof *s + s->texts.bytes + session_bytes(s->core)};
}

// --- queries

static shape_status ask(shape_session *s, session_query_kind kind, const char *text,
                        session_reply *reply) {
  session_failure failure;
  if (!session_begin(s)) return s->error.status;
  if (session_ask(s->core, kind, text, strlen(text), reply, &failure)) return SHAPE_OK;
  return session_fail(s, &failure);
}

shape_status shape_session_prove_text(shape_session *s, const char *text, shape_answer *answer) {
  session_reply reply;
  *answer = SHAPE_UNKNOWN;
  shape_status status = ask(s, ASK_HOLDS, text, &reply);
  if (status == SHAPE_OK) *answer = reply.conflict ? SHAPE_CONTRADICTION : reply.answer.answer;
  return status;
}

typedef struct why_call {
  shape_session *session;
  const session_reply *reply;
  shape_session_reason *out;
} why_call;

static void write_reasons(void *data) {
  why_call *x = data;
  uint32_t count = x->reply->reason_count;
  assert(count <= SESSION_REASONS_MAX && (x->reply->reasons || !count));
  x->out = arena_alloc(&x->session->texts, (count + 1) * sizeof *x->out);
  for (uint32_t i = 0; i < count; i++) {
    const session_reason *r = &x->reply->reasons[i];
    assert(r->message);
    x->out[i] = (shape_session_reason){r->op == ID_NONE ? SHAPE_NO_ID : r->op, r->rule, r->message};
  }
}

shape_status shape_session_why_text(shape_session *s, const char *text, shape_answer *answer,
                                    const shape_session_reason **reasons, uint32_t *count) {
  session_reply reply;
  *answer = SHAPE_UNKNOWN;
  *reasons = NULL;
  *count = 0;
  shape_status status = ask(s, ASK_WHY, text, &reply);
  if (status != SHAPE_OK) return status;
  *answer = reply.conflict ? SHAPE_CONTRADICTION : reply.answer.answer;
  why_call x = {s, &reply, NULL};
  status = session_with_texts(s, write_reasons, &x);
  if (status != SHAPE_OK) return status;
  *reasons = x.out;
  *count = reply.reason_count;
  return SHAPE_OK;
}

typedef struct bounds_call {
  shape_session *session;
  interval range;
  shape_exact_bounds *out;
} bounds_call;

static const char *number_text(shape_arena *arena, num value) {
  shape_strbuf text;
  strbuf_init(&text, arena);
  num_print(&text, value);
  return strbuf_text(&text);
}

static void write_bounds(void *data) {
  bounds_call *x = data;
  shape_arena *arena = &x->session->texts;
  if (x->range.has_lo) x->out->min = number_text(arena, x->range.lo);
  if (x->range.has_hi) x->out->max = number_text(arena, x->range.hi);
}

shape_status shape_session_bounds_text(shape_session *s, const char *expression,
                                       shape_exact_bounds *bounds) {
  session_reply reply;
  *bounds = (shape_exact_bounds){0};
  shape_status status = ask(s, ASK_BOUNDS, expression, &reply);
  if (status != SHAPE_OK) return status;
  bounds->contradiction = reply.conflict;
  if (reply.conflict) return SHAPE_OK;
  bounds_call x = {s, reply.bounds, bounds};
  return session_with_texts(s, write_bounds, &x);
}

shape_status shape_session_simplify_text(shape_session *s, const char *expression,
                                         const char **simple) {
  session_reply reply;
  *simple = NULL;
  shape_status status = ask(s, ASK_SIMPLIFY, expression, &reply);
  if (status == SHAPE_OK) *simple = reply.text;
  return status;
}

typedef struct pair_call {
  shape_session *session;
  shape_value a, b;
  uint32_t axis, ranks[2];
  bool elements;
  const char *text;
} pair_call;

// The axes are equal; or the products of all dims.
static void write_predicate(void *data) {
  pair_call *x = data;
  shape_strbuf text;
  strbuf_init(&text, &x->session->texts);
  if (x->elements) {
    for (uint32_t k = 0; k < x->ranks[0]; k++) strbuf_printf(&text, "v%u.%u*", x->a, k);
    strbuf_puts(&text, "1 == 1");
    for (uint32_t k = 0; k < x->ranks[1]; k++) strbuf_printf(&text, "*v%u.%u", x->b, k);
  } else {
    strbuf_printf(&text, "v%u.%u == v%u.%u", x->a, x->axis, x->b, x->axis);
  }
  x->text = strbuf_text(&text);
}

// One predicate after the other. A dim that is not known has no name: what speaks of it is not known either.
static shape_status compare(pair_call *x, shape_answer *answer) {
  shape_session *s = x->session;
  uint32_t count = x->elements ? 1 : x->ranks[0];
  for (uint32_t i = 0; *answer != SHAPE_NO && i < count; i++) {
    session_reply reply;
    session_failure failure;
    shape_answer one = SHAPE_UNKNOWN;
    x->axis = i;
    shape_status status = session_with_texts(s, write_predicate, x);
    if (status != SHAPE_OK) return status;
    if (session_ask(s->core, ASK_HOLDS, x->text, strlen(x->text), &reply, &failure)) {
      one = reply.answer.answer;
    } else if (failure.status != SHAPE_INVALID) {
      return session_fail(s, &failure);
    }
    if (one == SHAPE_NO || *answer == SHAPE_YES) *answer = one;
  }
  return SHAPE_OK;
}

static shape_status compare_values(shape_session *s, shape_value a, shape_value b, bool elements,
                                   shape_answer *answer) {
  shape_session_shape shapes[2];
  *answer = SHAPE_UNKNOWN;
  if (!session_begin(s)) return s->error.status;
  if (!shape_session_shape_of(s, a, &shapes[0]) || !shape_session_shape_of(s, b, &shapes[1])) {
    api_fail(&s->error, SHAPE_INVALID, "there is no such value");
    return SHAPE_INVALID;
  }
  if (!shapes[0].ranked || !shapes[1].ranked) return SHAPE_OK;
  bool differ = !elements && shapes[0].rank != shapes[1].rank;
  *answer = differ ? SHAPE_NO : SHAPE_YES;
  pair_call x = {s, a, b, 0, {shapes[0].rank, shapes[1].rank}, elements, NULL};
  return compare(&x, answer);
}

shape_status shape_session_same_shape(shape_session *s, shape_value a, shape_value b,
                                      shape_answer *answer) {
  return compare_values(s, a, b, false, answer);
}

shape_status shape_session_same_element_count(shape_session *s, shape_value a, shape_value b,
                                              shape_answer *answer) {
  return compare_values(s, a, b, true, answer);
}

// --- the program as it is

typedef struct write_call {
  shape_session *session;
  shape_strbuf text;
} write_call;

static void write_text(void *data) {
  write_call *x = data;
  strbuf_init(&x->text, &x->session->texts);
  session_write_program(x->session->core, &x->text);
}

shape_status shape_session_write(shape_session *s, shape_write *write, void *to) {
  write_call x = {.session = s};
  if (!session_begin(s)) return s->error.status;
  shape_status status = session_with_texts(s, write_text, &x);
  if (status == SHAPE_OK) write(to, x.text.data, x.text.length);
  return status;
}

static void take_options(void *data) {
  shape_session *s = data;
  uint32_t count, binding_count;
  const graph_assumption *pushed = session_pushed(s->core, &count);
  const char **assumptions = arena_alloc(&s->texts, ((size_t)count + 1) * sizeof *assumptions);
  for (uint32_t i = 0; i < count; i++)
    assumptions[i] = arena_strndup(&s->texts, pushed[i].text, pushed[i].length);
  const infer_binding *bound = session_bindings(s->core, &binding_count);
  shape_binding *bindings = arena_alloc(&s->texts, ((size_t)binding_count + 1) * sizeof *bindings);
  for (uint32_t i = 0; i < binding_count; i++) {
    const char *name = arena_strndup(&s->texts, bound[i].name, bound[i].name_length);
    bindings[i] = (shape_binding){name, bound[i].value};
  }
  s->options = SHAPE_STRUCT(shape_options);
  s->options.entry = session_get_stats(s->core).entry;
  s->options.bindings = bindings;
  s->options.binding_count = binding_count;
  s->options.assumptions = assumptions;
  s->options.assumption_count = count;
}

const shape_options *shape_session_options(shape_session *s) {
  if (!session_begin(s)) return NULL;
  return session_with_texts(s, take_options, s) == SHAPE_OK ? &s->options : NULL;
}
