// SPDX-License-Identifier: Apache-2.0
// What passes ask of values: each query comes down to predicates over dims, which are asked where the values are. A loop or a
// branch knows more than the rest of the program; what it knows is stated while a query is about its values, unless the
// rest decides the query. Answers are remembered until assumptions come or go.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/api/program.h"
#include "solver/decide/store_query.h"
#include "solver/graph/address.h"
#include "solver/infer/where.h"
#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"
#include "solver/report/report.h"

enum { MEMO = 2048, ASKED_MAX = 64 };

typedef enum memo_kind { MEMO_PREDICATE, MEMO_BOUNDS, MEMO_DISJOINT } memo_kind;

// A predicate, or bounds of its left side, about two values; or whether operations p.left and p.right are disjoint.
typedef struct memo_key {
  predicate p;
  shape_value x, y;  // SHAPE_NO_ID: in no region
  memo_kind kind;
} memo_key;

typedef struct memo_row {
  memo_key key;
  uint32_t changes;  // of the context when it was answered, + 1; 0: free
  shape_answer answer;
  shape_bounds bounds;
} memo_row;

struct asked {
  memo_row memo[MEMO];  // by hash; a later key takes the row of an earlier one
  memo_key last[ASKED_MAX];
  uint32_t count;
  bool decided;   // the last query is; by what `last` lists
  bool recalled;  // it is not listed: it was about slices, and remembered
  shape_op slices[2];
};

void asked_free(shape_analysis *a) {
  free(a->asked);
  a->asked = NULL;
}

void asked_begin(shape_analysis *a) {
  if (!a->asked) a->asked = calloc(1, sizeof *a->asked);
  if (!a->asked) return;
  a->asked->count = 0;
  a->asked->decided = a->asked->recalled = false;
}

static memo_row *row_of(const shape_analysis *a, const memo_key *k) {
  uint64_t hash = ((uint64_t)k->p.left << 32 | k->p.right) * 0x9e3779b97f4a7c15ull;
  hash ^= ((uint64_t)k->x << 32 | k->y) * 0xc2b2ae3d27d4eb4full;
  hash += (uint64_t)k->p.rel * 3 + k->kind;
  return a->asked ? &a->asked->memo[(hash ^ hash >> 29) % MEMO] : NULL;
}

static bool same_key(const memo_key *a, const memo_key *b) {
  return a->p.rel == b->p.rel && a->p.left == b->p.left && a->p.right == b->p.right &&
         a->x == b->x && a->y == b->y && a->kind == b->kind;
}

// What was answered before, and not forgotten; NULL: nothing.
static const memo_row *recall(const shape_analysis *a, const memo_key *key) {
  const memo_row *row = row_of(a, key);
  return row && row->changes == a->context->changes + 1 && same_key(&row->key, key) ? row : NULL;
}

static void keep(const shape_analysis *a, const memo_key *key, shape_answer answer,
                 const shape_bounds *bounds) {
  assert(a->context && (key->kind != MEMO_BOUNDS || answer == SHAPE_UNKNOWN));
  memo_row *row = row_of(a, key);
  if (row) *row = (memo_row){*key, a->context->changes + 1, answer, *bounds};
}

// --- where

// The value, where it is in a region of the entry or in another function.
static shape_value inner_value(const shape_analysis *a, shape_value value) {
  const shape_graph *g = a->report->graph;
  if (value >= g->value_count) return SHAPE_NO_ID;
  const graph_value *v = &g->values[value];
  block_id block = v->is_argument ? v->def : g->ops[v->def].parent;
  const graph_region *r = &g->regions[g->blocks[block].region];
  return r->op == ID_NONE && r->func == a->report->infer->entry ? SHAPE_NO_ID : value;
}

// The region of both values, where one is inside of the other; else nothing but the whole program is known of them at once.
static uint32_t common_scope(const shape_analysis *a, const memo_key *k) {
  const infer_result *infer = a->report->infer;
  uint32_t x = k->x == SHAPE_NO_ID ? 0 : infer_position_of(infer, k->x).scope;
  uint32_t y = k->y == SHAPE_NO_ID ? 0 : infer_position_of(infer, k->y).scope;
  assert(x < infer->scope_count && y < infer->scope_count);
  if (infer_scope_within(infer, x, y)) return x;
  return infer_scope_within(infer, y, x) ? y : 0;
}

typedef struct asking {
  const shape_analysis *analysis;
  const memo_key *key;
  shape_answer answer;
  interval range;
  bool conflict;
  shape_reason *reasons;
  uint32_t room, count;
} asking;

static void ask_here(shape_context *c, asking *x) {
  divisor_list divisors = {.context = c, .arena = &c->scratch};
  predicate p = x->key->p;
  bool spent;
  x->answer = store_holds(c->store, p);
  if (x->answer != SHAPE_UNKNOWN) return;
  divisors_of_predicate(&divisors, p);
  x->answer = context_ask(c, p, &divisors, &spent);
}

// What contradicts inside of a region says that it never runs: nothing is claimed of its values.
static void ask_body(shape_context *c, void *data) {
  asking *x = data;
  ask_here(c, x);
  uint32_t scope = x->answer == SHAPE_UNKNOWN ? common_scope(x->analysis, x->key) : 0;
  if (!infer_scope_enter(x->analysis->report->infer, scope)) return;
  ask_here(c, x);
  if (x->answer == SHAPE_CONTRADICTION) x->answer = SHAPE_UNKNOWN;
  store_pop(c->store);
}

static void bounds_body(shape_context *c, void *data) {
  asking *x = data;
  bool inside = infer_scope_enter(x->analysis->report->infer, common_scope(x->analysis, x->key));
  x->conflict = !store_bounds(c->store, x->key->p.left, &x->range);
  if (inside) store_pop(c->store);
}

// --- answers

static bool run(shape_analysis *a, context_body *body, asking *x) {
  if (context_run(a->context, body, x)) return true;
  api_fail(&a->error, a->context->error.status, "%s", a->context->error.message);
  return false;
}

static shape_answer ask(shape_analysis *a, memo_key key) {
  shape_context *c = shape_analysis_context(a);
  if (!c || key.p.left == TERM_NONE || key.p.right == TERM_NONE) return SHAPE_UNKNOWN;
  key.x = inner_value(a, key.x);
  key.y = inner_value(a, key.y);
  const memo_row *known = recall(a, &key);
  asking x = {.analysis = a, .key = &key, .answer = known ? known->answer : SHAPE_UNKNOWN};
  if (!known && !run(a, ask_body, &x)) return SHAPE_UNKNOWN;
  if (!known) keep(a, &key, x.answer, &(shape_bounds){0});
  shape_answer answer = x.answer;
  struct asked *asked = a->asked;
  if (asked && answer != SHAPE_UNKNOWN && asked->count < ASKED_MAX)
    asked->last[asked->count++] = key;
  return answer;
}

void asked_last(shape_analysis *a) {
  assert(!a->asked || a->asked->count <= ASKED_MAX);
  if (a->asked && a->asked->count) a->asked->last[0] = a->asked->last[a->asked->count - 1];
  if (a->asked && a->asked->count) a->asked->count = 1;
}

shape_answer asked_end(shape_analysis *a, shape_answer answer) {
  if (a->asked) a->asked->decided = answer != SHAPE_UNKNOWN;
  return answer;
}

static memo_key key_of(enum relation rel, shape_value x, term_id a, shape_value y, term_id b) {
  return (memo_key){.p = predicate_make(rel, a, b), .x = x, .y = y};
}

shape_answer asked_equal(shape_analysis *a, shape_value x, term_id left, shape_value y,
                         term_id right) {
  return ask(a, key_of(REL_EQ, x, left, y, right));
}

// --- dims

// As reports have it, which joins what several calls of a function know; integers are those of the only frame.
shape_expr shape_analysis_expr(shape_analysis *a, shape_dim dim) {
  if (!shape_analysis_context(a)) return SHAPE_NO_EXPR;
  if (dim.axis != SHAPE_NO_ID) return shape_analysis_dim(a, dim.value, dim.axis);
  return infer_term_of(infer_position_of(a->report->infer, dim.value).info, ID_NONE);
}

shape_op shape_analysis_op_of(const shape_analysis *a, shape_value value) {
  if (value >= shape_analysis_value_count(a)) return SHAPE_NO_ID;
  const graph_value *v = &a->report->graph->values[value];
  return v->is_argument ? SHAPE_NO_ID : v->def;
}

shape_answer shape_analysis_same_dim(shape_analysis *a, shape_dim x, shape_dim y) {
  asked_begin(a);
  shape_expr left = shape_analysis_expr(a, x), right = shape_analysis_expr(a, y);
  return asked_end(a, asked_equal(a, x.value, left, y.value, right));
}

static shape_answer ask_number(shape_analysis *a, enum relation rel, shape_dim dim,
                               int64_t number) {
  shape_expr e = shape_analysis_expr(a, dim);
  asked_begin(a);
  if (e == SHAPE_NO_EXPR) return SHAPE_UNKNOWN;
  shape_expr right = shape_context_integer(a->context, number);
  return asked_end(a, ask(a, key_of(rel, dim.value, e, SHAPE_NO_ID, right)));
}

shape_answer shape_analysis_divisible(shape_analysis *a, shape_dim dim, int64_t by) {
  if (by != 0) return ask_number(a, REL_DIVISIBLE, dim, by);
  asked_begin(a);
  return SHAPE_NO;
}

shape_answer shape_analysis_at_most(shape_analysis *a, shape_dim dim, int64_t most) {
  return ask_number(a, REL_LE, dim, most);
}

// The product, and one of the innermost values, for the region; SHAPE_NO_EXPR: a factor is not known.
static shape_expr product_of(shape_analysis *a, const shape_dim *dims, uint32_t count,
                             shape_value *value) {
  shape_context *c = shape_analysis_context(a);
  shape_expr product = c ? shape_context_integer(c, 1) : SHAPE_NO_EXPR;
  uint32_t inner = 0;
  for (uint32_t i = 0; i < count && product != SHAPE_NO_EXPR; i++) {
    shape_expr e = shape_analysis_expr(a, dims[i]);
    if (e == SHAPE_NO_EXPR) return e;
    product = shape_context_binary(c, SHAPE_MUL, product, e);
    uint32_t scope = infer_position_of(a->report->infer, dims[i].value).scope;
    if (i && !infer_scope_within(a->report->infer, scope, inner)) continue;
    inner = scope;
    *value = dims[i].value;
  }
  return product;
}

shape_answer shape_analysis_same_product(shape_analysis *a, const shape_dim *x, uint32_t x_count,
                                         const shape_dim *y, uint32_t y_count) {
  shape_value in[2] = {SHAPE_NO_ID, SHAPE_NO_ID};
  shape_expr left = product_of(a, x, x_count, &in[0]), right = product_of(a, y, y_count, &in[1]);
  asked_begin(a);
  return asked_end(a, asked_equal(a, in[0], left, in[1], right));
}

shape_status shape_analysis_affine_bounds(shape_analysis *a, const shape_affine *parts,
                                          uint32_t count, int64_t constant, shape_bounds *bounds) {
  shape_context *c = shape_analysis_context(a);
  memo_key key = {.x = SHAPE_NO_ID, .y = SHAPE_NO_ID, .kind = MEMO_BOUNDS};
  *bounds = (shape_bounds){0};
  asked_begin(a);
  if (!c) return SHAPE_INVALID;
  key.p.left = shape_context_integer(c, constant);
  for (uint32_t i = 0; i < count; i++) {
    shape_expr e = shape_analysis_expr(a, parts[i].dim);
    if (e == SHAPE_NO_EXPR) return SHAPE_OK;  // no end is known
    e = shape_context_binary(c, SHAPE_MUL, e, shape_context_integer(c, parts[i].factor));
    key.p.left = shape_context_binary(c, SHAPE_ADD, key.p.left, e);
    if (count == 1) key.x = parts[i].dim.value;
    if (count == 2) *(i ? &key.y : &key.x) = parts[i].dim.value;
  }
  if (key.p.left == SHAPE_NO_EXPR) {
    a->error = c->error;
    return a->error.status;
  }
  key.x = inner_value(a, key.x);
  key.y = inner_value(a, key.y);
  const memo_row *known = recall(a, &key);
  if (known) {
    *bounds = known->bounds;
    return SHAPE_OK;
  }
  asking x = {.analysis = a, .key = &key};
  if (!run(a, bounds_body, &x)) return a->error.status;
  bounds->contradiction = x.conflict;
  bounds->has_min = !x.conflict && x.range.has_lo && num_to_int(x.range.lo, &bounds->min);
  bounds->has_max = !x.conflict && x.range.has_hi && num_to_int(x.range.hi, &bounds->max);
  keep(a, &key, SHAPE_UNKNOWN, bounds);
  return SHAPE_OK;
}

// --- operations

// A rule's view of an operation that was analysed. False: it has no row, or its function has no frame, or several.
static bool view_op(const shape_analysis *a, shape_context *c, shape_op op, rule_context *out,
                    rule_log *log) {
  const infer_result *infer = a->report->infer;
  const shape_graph *g = infer->graph;
  const char *name = graph_op_name(g, op);
  const op_row *row = registry_find(name, strlen(name), g->onnx_opset);
  value_id v = graph_operand(g, op, 0);
  infer_position position = v == VALUE_NONE ? (infer_position){0} : infer_position_of(infer, v);
  if (!row || !position.info || g->ops[op].unread) return false;
  const infer_frame *f = &infer->frames[position.frame];
  assert(v >= f->value_base && v < f->value_end && position.scope < infer->scope_count);
  *out = (rule_context){.graph = infer->graph,
                        .terms = c->terms,
                        .store = c->store,
                        .budget = c->budget,
                        .arena = c->arena,
                        .values = f->values,
                        .value_base = f->value_base,
                        .frame = position.frame,
                        .scope = position.scope,
                        .row = row,
                        .op = op,
                        .log = log,
                        .quiet = true,
                        .again = true};
  return true;
}

typedef struct viewing {
  const shape_analysis *analysis;
  shape_op op;
  uint32_t variable, rank;
  term_id trips, offsets[ASKED_MAX], sizes[ASKED_MAX], strides[ASKED_MAX];
  bool known;
} viewing;

static void trips_body(shape_context *c, void *data) {
  viewing *x = data;
  rule_log log = {0};
  rule_context view;
  if (!view_op(x->analysis, c, x->op, &view, &log) || view.row->rule != rule_loop ||
      x->variable >= loop_rank(&view))
    return;
  x->trips = loop_trips(&view, loop_range_of(&view, x->variable));
}

// Errors of the program may be in what a rule inspects.
static bool is_sound(shape_analysis *a, shape_op op) {
  return shape_analysis_context(a) && op < shape_analysis_op_count(a) &&
         !shape_analysis_error_count(a);
}

shape_expr shape_analysis_trip_count(shape_analysis *a, shape_op loop, uint32_t variable) {
  viewing x = {.analysis = a, .op = loop, .variable = variable, .trips = TERM_NONE};
  asked_begin(a);
  if (!is_sound(a, loop) || !context_run(a->context, trips_body, &x)) return SHAPE_NO_EXPR;
  return x.trips;
}

static void slice_body(shape_context *c, void *data) {
  viewing *x = data;
  rule_log log = {0};
  rule_context view;
  uint32_t next, sizes = 0, strides = 0;
  if (!view_op(x->analysis, c, x->op, &view, &log)) return;
  bool writes = view.row->rule == rule_insert_slice;
  if (!writes && view.row->rule != rule_subview && view.row->rule != rule_extract_slice) return;
  next = writes ? 2 : 1;
  const term_id *o = linalg_mixed(&view, "static_offsets", &next, &x->rank);
  const term_id *s = o ? linalg_mixed(&view, "static_sizes", &next, &sizes) : NULL;
  const term_id *t = s ? linalg_mixed(&view, "static_strides", &next, &strides) : NULL;
  x->known = t && sizes == x->rank && strides == x->rank && x->rank <= ASKED_MAX;
  if (!x->known) return;
  assert(x->rank <= ASKED_MAX);
  memcpy(x->offsets, o, x->rank * sizeof *o);
  memcpy(x->sizes, s, x->rank * sizeof *s);
  memcpy(x->strides, t, x->rank * sizeof *t);
}

typedef struct slice_pair {
  shape_analysis *analysis;
  viewing a, b;
  shape_value x, y;  // values of their regions
} slice_pair;

// The first index after a slice along an axis, where it has elements.
static term_id end_of(const slice_pair *p, const viewing *v, uint32_t axis) {
  shape_context *c = p->analysis->context;
  assert(axis < v->rank);
  if (v->offsets[axis] == TERM_NONE || v->sizes[axis] == TERM_NONE || v->strides[axis] == TERM_NONE)
    return TERM_NONE;
  shape_expr one = shape_context_integer(c, 1);
  shape_expr last = shape_context_binary(c, SHAPE_SUB, v->sizes[axis], one);
  last = shape_context_binary(c, SHAPE_MUL, last, v->strides[axis]);
  last = shape_context_binary(c, SHAPE_ADD, last, v->offsets[axis]);
  return shape_context_binary(c, SHAPE_ADD, last, one);
}

static bool holds(const slice_pair *p, enum relation rel, term_id a, term_id b) {
  struct asked *asked = p->analysis->asked;
  uint32_t count = asked ? asked->count : 0;
  if (ask(p->analysis, key_of(rel, p->x, a, p->y, b)) == SHAPE_YES) return true;
  if (asked) asked->count = count;
  return false;
}

// Along one axis: one ends before the other begins, or both step over each other.
static bool apart(const slice_pair *p, uint32_t axis) {
  shape_context *c = p->analysis->context;
  const viewing *a = &p->a, *b = &p->b;
  shape_expr zero = shape_context_integer(c, 0);
  assert(a->known && b->known && a->rank == b->rank);
  asked_begin(p->analysis);
  if (!holds(p, REL_GT, a->strides[axis], zero) || !holds(p, REL_GT, b->strides[axis], zero))
    return false;
  if (holds(p, REL_LE, end_of(p, a, axis), b->offsets[axis]) ||
      holds(p, REL_LE, end_of(p, b, axis), a->offsets[axis]))
    return true;
  if (a->offsets[axis] == TERM_NONE || b->offsets[axis] == TERM_NONE ||
      !holds(p, REL_EQ, a->strides[axis], b->strides[axis]))
    return false;
  shape_expr between = shape_context_binary(c, SHAPE_SUB, a->offsets[axis], b->offsets[axis]);
  shape_expr rest = shape_context_binary(c, SHAPE_MOD, between, a->strides[axis]);
  return holds(p, REL_NE, rest, zero);
}

// Along one axis of strides 1: each begins before the other ends, and has elements.
static bool meets(const slice_pair *p, uint32_t axis) {
  shape_context *c = p->analysis->context;
  shape_expr zero = shape_context_integer(c, 0), one = shape_context_integer(c, 1);
  const viewing *a = &p->a, *b = &p->b;
  return holds(p, REL_EQ, a->strides[axis], one) && holds(p, REL_EQ, b->strides[axis], one) &&
         holds(p, REL_GT, a->sizes[axis], zero) && holds(p, REL_GT, b->sizes[axis], zero) &&
         holds(p, REL_LT, a->offsets[axis], end_of(p, b, axis)) &&
         holds(p, REL_LT, b->offsets[axis], end_of(p, a, axis));
}

// A value whose region is that of the operation.
static shape_value value_of_op(const shape_analysis *a, shape_op op) {
  const graph_op *o = &a->report->graph->ops[op];
  return o->result_count ? o->results : SHAPE_NO_ID;
}

static shape_answer compare_slices(shape_analysis *a, shape_op x, shape_op y) {
  slice_pair p = {
      a, {.analysis = a, .op = x}, {.analysis = a, .op = y}, value_of_op(a, x), value_of_op(a, y)};
  asked_begin(a);
  if (!context_run(a->context, slice_body, &p.a) || !context_run(a->context, slice_body, &p.b) ||
      !p.a.known || !p.b.known || p.a.rank != p.b.rank)
    return SHAPE_UNKNOWN;
  for (uint32_t axis = 0; axis < p.a.rank; axis++) {
    if (apart(&p, axis)) return asked_end(a, SHAPE_YES);
  }
  asked_begin(a);
  for (uint32_t axis = 0; axis < p.a.rank; axis++) {
    if (!meets(&p, axis)) return SHAPE_UNKNOWN;
  }
  return asked_end(a, SHAPE_NO);
}

shape_answer shape_analysis_disjoint(shape_analysis *a, shape_op x, shape_op y) {
  asked_begin(a);
  if (!is_sound(a, x) || !is_sound(a, y)) return SHAPE_UNKNOWN;
  const memo_key key = {.p = {.left = x, .right = y}, .kind = MEMO_DISJOINT};
  const memo_row *known = recall(a, &key);
  if (!known) {
    shape_answer answer = compare_slices(a, x, y);
    keep(a, &key, answer, &(shape_bounds){0});
    return answer;
  }
  a->asked->recalled = known->answer != SHAPE_UNKNOWN;
  a->asked->slices[0] = x;
  a->asked->slices[1] = y;
  return known->answer;
}

// --- reasons

static bool is_listed(const shape_reason *reasons, uint32_t count, const shape_reason *r) {
  for (uint32_t i = 0; i < count; i++) {
    const shape_reason *o = &reasons[i];
    bool same_text = o->text == r->text || (o->text && r->text && !strcmp(o->text, r->text));
    if (same_text && o->assumption == r->assumption && o->line == r->line && o->column == r->column)
      return true;
  }
  return false;
}

static void reasons_body(shape_context *c, void *data) {
  asking *x = data;
  if (context_reasons(c, x->key->p, x->reasons, x->room, &x->count)) return;
  uint32_t scope = common_scope(x->analysis, x->key);
  if (!infer_scope_enter(x->analysis->report->infer, scope)) return;
  context_reasons(c, x->key->p, x->reasons, x->room, &x->count);
  store_pop(c->store);
}

shape_status shape_analysis_why(shape_analysis *a, shape_reason *reasons, uint32_t room,
                                uint32_t *count) {
  enum { EACH = 32 };
  shape_reason found[EACH];
  *count = 0;
  if (a->asked && a->asked->recalled) compare_slices(a, a->asked->slices[0], a->asked->slices[1]);
  if (!a->asked || !a->asked->decided) {
    api_fail(&a->error, SHAPE_INVALID, "the last query has no answer that rests on predicates");
    return SHAPE_INVALID;
  }
  for (uint32_t i = 0; i < a->asked->count; i++) {
    asking x = {.analysis = a, .key = &a->asked->last[i], .reasons = found, .room = EACH};
    if (!run(a, reasons_body, &x)) return a->error.status;
    for (uint32_t k = 0; k < x.count && k < EACH; k++) {
      uint32_t kept = *count < room ? *count : room;
      if (is_listed(reasons, kept, &found[k])) continue;
      if (*count < room) reasons[*count] = found[k];
      ++*count;
    }
  }
  return SHAPE_OK;
}
