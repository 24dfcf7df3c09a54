// SPDX-License-Identifier: Apache-2.0
// Loop, Scan and SequenceMap of ONNX, and the loops of PyTorch that are like them: one body that runs a number of times,
// on values that it carries and on slices.
//
// As for while, a size that comes back otherwise than it came in is widened until nothing changes. What the body makes
// on every trip (scan outputs) is stacked as many times as the loop runs.
#include <assert.h>

#include "solver/infer/state.h"
#include "solver/ops/traits.h"
#include "solver/ops/rules/onnx/onnx.h"

enum { ONNX_UNROLL = 64, ONNX_UNROLL_VISITS = 4000 };

typedef struct onnx_loop {
  loop l;
  uint32_t
      leading;  // arguments of the body in front of the carried values: 2 for Loop (count, condition), 1 for prim.Loop
  uint32_t first;      // operand that is the first carried value
  uint32_t extra;      // slices after the carried values
  uint32_t stacked;    // results after the carried ones
  value_info *slices;  // extra of them
  term_id trips;       // TERM_NONE: not known
  term_id batch;       // Scan 8: the size in front of everything; else TERM_NONE
  uint32_t results;    // of the body
  type_id *grown;      // what the elements of each carried sequence are, or TYPE_NONE
} onnx_loop;

static bool read_loop(infer_state *s, rule_context *c, onnx_loop *x) {
  const graph_op *o = &s->g->ops[c->op];
  if (o->region_count != 1 || o->operand_count < 2) return false;
  *x = (onnx_loop){.leading = 2, .first = 2, .trips = TERM_NONE, .batch = TERM_NONE};
  bool prim = c->row->parameters != NULL;  // torch.prim.Loop
  if (prim) x->leading = 1;
  x->l.body = o->regions;
  x->l.count = o->operand_count - 2;
  if (prim ? o->result_count != x->l.count : o->result_count < x->l.count) {
    if (prim) return false;  // the rule says so
    rule_error(c, "result-count", "the loop carries %u values and has %u results", x->l.count,
               o->result_count);
    return false;
  }
  x->stacked = o->result_count - x->l.count;
  x->results = 1 + o->result_count;
  return true;
}

// A tensor without one axis.
static value_info without_axis(infer_state *s, const value_info *v, uint32_t axis) {
  value_info out = {.visited = true};
  if (!v->ranked || axis >= v->rank) return out;
  term_id *dims = arena_alloc(s->arena, (v->rank + 1) * sizeof *dims);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < v->rank; i++) {
    if (i != axis) dims[rank++] = v->dims[i];
  }
  assert(rank + 1 == v->rank);
  out.dims = dims;
  out.rank = rank;
  out.ranked = true;
  return out;
}

static bool scan_slices(infer_state *s, rule_context *c, onnx_loop *x, bool batched) {
  const int64_t *axes = NULL;
  uint32_t count = 0;
  if (rule_attr(c, "scan_input_axes") != ATTR_NONE &&
      (!rule_ints(c, "scan_input_axes", &axes, &count) || count != x->extra)) {
    rule_error(c, "attribute-length", "scan_input_axes does not fit the number of scan inputs");
    return false;
  }
  x->slices = arena_zalloc(s->arena, ((size_t)x->extra + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < x->extra; i++) {
    value_info v = *rule_operand(c, x->first + x->l.count + i);
    uint32_t axis = 0;
    if (batched && v.ranked && v.rank) {
      x->batch = v.dims[0];
      v = without_axis(s, &v, 0);
    }
    if (!v.ranked) {
      rule_unchecked(c, "scan inputs have the same length", "a rank is not known");
      continue;
    }
    if (!onnx_axis(c, axes ? axes[i] : 0, v.rank, &axis)) return false;
    if (x->trips == TERM_NONE) {
      x->trips = v.dims[axis];
    } else {
      rule_require_eq(c, x->trips, v.dims[axis], "scan inputs have the same length");
    }
    x->slices[i] = without_axis(s, &v, axis);
  }
  return true;
}

// ONNX: Scan (8: a batch axis and optional lengths in front; 9).
static bool read_scan(infer_state *s, rule_context *c, onnx_loop *x) {
  const graph_op *o = &s->g->ops[c->op];
  bool batched = c->row->since == 8;
  int64_t scans = onnx_int(c, "num_scan_inputs", 0);
  if (o->region_count != 1) return false;
  *x = (onnx_loop){.first = batched ? 1 : 0, .trips = TERM_NONE, .batch = TERM_NONE};
  x->l.body = o->regions;
  if (scans < 1 || o->operand_count < x->first || scans > o->operand_count - x->first) {
    rule_error(c, "attribute", "num_scan_inputs is %lld", (long long)scans);
    return false;
  }
  x->extra = (uint32_t)scans;
  x->l.count = o->operand_count - x->first - x->extra;
  if (o->result_count < x->l.count) {
    rule_error(c, "result-count", "the scan carries %u values and has %u results", x->l.count,
               o->result_count);
    return false;
  }
  x->stacked = o->result_count - x->l.count;
  x->results = o->result_count;
  return scan_slices(s, c, x, batched);
}

static const graph_block *body_block(infer_state *s, const onnx_loop *x) {
  const graph_region *r = &s->g->regions[x->l.body];
  return r->block_count ? &s->g->blocks[r->first_block] : NULL;
}

static void give_type(infer_state *s, value_id v, type_id type) {
  if (s->g->values[v].type == TYPE_NONE) s->g->values[v].type = type;
}

// The element type alone: dims of a tensor may differ from trip to trip.
static type_id loose_type(infer_state *s, type_id id) {
  if (id == TYPE_NONE || type_get(&s->g->types, id)->kind != TYPE_TENSOR) return id;
  return type_unranked(&s->g->types, (shape_dtype)type_get(&s->g->types, id)->dtype);
}

// The same of the elements of a sequence or an optional.
static type_id loose_inside(infer_state *s, rule_context *c, type_id id) {
  type_id element = onnx_element_type(c, id);
  if (element == TYPE_NONE) return loose_type(s, id);
  return onnx_wrap_type(c, type_get(&s->g->types, id)->kind, loose_inside(s, c, element));
}

// Arguments of the body take the element types of what they are given.
static void type_arguments(infer_state *s, rule_context *c, const onnx_loop *x) {
  const graph_block *b = body_block(s, x);
  for (uint32_t i = 0; b && i < b->argument_count; i++) {
    if (i < x->leading) {
      give_type(s, b->arguments + i, type_tensor(&s->g->types, i ? DTYPE_I1 : DTYPE_I64, NULL, 0));
      continue;
    }
    value_id v = graph_operand(s->g, c->op, x->first + i - x->leading);
    if (v != VALUE_NONE) give_type(s, b->arguments + i, loose_inside(s, c, s->g->values[v].type));
  }
}

static value_info scalar_value(infer_state *s, term_id element) {
  value_info v = {.ranked = true, .visited = true};
  if (element == TERM_NONE) return v;
  term_id *items = arena_alloc(s->arena, sizeof *items);
  *items = element;
  v.elements = items;
  v.element_count = 1;
  return v;
}

// All arguments of the body: `trip` TERM_NONE is any trip.
static value_info *arguments_of(infer_state *s, const onnx_loop *x, const value_info *carried,
                                term_id trip) {
  uint32_t count = x->leading + x->l.count + x->extra;
  assert(!x->extra || x->slices);
  value_info *args = arena_zalloc(s->arena, ((size_t)count + 1) * sizeof *args);
  if (x->leading) {
    if (trip == TERM_NONE) {
      s->log.fresh++;
      trip = store_symbol(s->store, (symbol_info){.range = interval_at_least(NUM(0)),
                                                  .multiple_of = NUM(1),
                                                  .rank = SYMBOL_OPAQUE});
    }
    args[0] = scalar_value(s, trip);
    if (x->leading > 1)
      args[1] = scalar_value(s, TERM_ONE);  // it runs only where the condition held
  }
  for (uint32_t i = 0; i < x->l.count; i++) args[x->leading + i] = carried[i];
  for (uint32_t i = 0; i < x->extra; i++) args[x->leading + x->l.count + i] = x->slices[i];
  return args;
}

static const value_info *run_body(infer_state *s, const onnx_loop *x, const value_info *carried,
                                  term_id trip) {
  loop_run(s, x->l.body, arguments_of(s, x, carried, trip), x->leading + x->l.count + x->extra);
  return loop_results(s, x->l.body, x->results);
}

static bool is_number(infer_state *s, term_id t, int64_t *value) {
  return t != TERM_NONE && term_int_value(s->terms, store_canon(s->store, t), value);
}

// Whether it is known to be this truth value.
static bool is_known(infer_state *s, const value_info *v, bool truth) {
  int64_t value;
  return v->elements && v->element_count == 1 && is_number(s, v->elements[0], &value) &&
         (value != 0) == truth;
}

static bool is_true(infer_state *s, const value_info *v) { return is_known(s, v, true); }

// A loop with a constant number of trips is run; false where its condition is not known or it is too long.
static bool unroll(infer_state *s, const onnx_loop *x, const value_info *start,
                   const value_info **end) {
  int64_t trips;
  if (x->trips == TERM_NONE || !term_int_value(s->terms, store_canon(s->store, x->trips), &trips) ||
      trips > ONNX_UNROLL)
    return false;
  uint64_t limit = s->visits + ONNX_UNROLL_VISITS;
  region_scope outer = trial_enter(s);
  *end = start;
  int64_t trip = 0;
  for (; trip < trips && s->visits < limit; trip++) {
    const value_info *back = run_body(s, x, *end, term_int(s->terms, trip));
    if (!back || (x->leading && !is_true(s, back))) break;
    *end = back + (x->leading ? 1 : 0);
  }
  trial_leave(s, outer);
  return trip == trips;
}

typedef struct made_since {
  const term_table *terms;
  uint32_t first;
} made_since;

static bool is_made_since(void *data, term_id atom) {
  const made_since *made = data;
  const term_node *node = term_get(made->terms, atom);
  return node->kind == TERM_SYMBOL && node->as.symbol >= made->first;
}

// A size inside the body that is the same on every trip, or a fresh one.
static term_id outer_size(infer_state *s, rule_context *c, term_id size, uint32_t first_symbol) {
  made_since made = {s->terms, first_symbol};
  bool inner = size == TERM_NONE || term_any_atom(s->terms, size, is_made_since, &made);
  return inner ? rule_fresh_size(c) : size;
}

static const char SAME_ON_TRIPS[] = "what trips return to be stacked has one shape";

static void set_stacked(infer_state *s, rule_context *c, const onnx_loop *x, const value_info *made,
                        term_id trips, uint32_t first_symbol) {
  const int64_t *axes = NULL;
  uint32_t given = 0;
  if (rule_attr(c, "scan_output_axes") != ATTR_NONE)
    rule_ints(c, "scan_output_axes", &axes, &given);
  for (uint32_t i = 0; i < x->stacked; i++) {
    const value_info *v = made ? &made[i] : NULL;
    uint32_t result = x->l.count + i, axis = 0, lead = x->batch == TERM_NONE ? 0 : 1, from = 0;
    if (!v || !v->ranked) {
      rule_unchecked(c, SAME_ON_TRIPS, "a rank is not known");
      rule_set_unknown(c, result);
      continue;
    }
    uint32_t rank = v->rank + 1;
    if (axes && i < given && !onnx_axis(c, axes[i], rank, &axis)) continue;
    term_id *dims = arena_alloc(s->arena, ((size_t)rank + 2) * sizeof *dims);
    if (lead) dims[0] = x->batch;
    for (uint32_t k = 0; k < rank; k++) {
      dims[lead + k] = k == axis ? trips : outer_size(s, c, v->dims[from], first_symbol);
      if (k != axis && dims[lead + k] != v->dims[from++])
        rule_unchecked(c, SAME_ON_TRIPS, "a dim is made inside the body");
    }
    assert(from + 1 == rank);
    rule_set_dims(c, result, dims, rank + lead);
  }
}

enum { CHOICES_DEEP = 8 };

// Whether `v` is the sequence `from` with insertions, whichever branches run: *all becomes what holds of their elements too.
static bool is_grown_from(infer_state *s, rule_context *c, value_id v, value_id from, unsigned deep,
                          type_id *all) {
  const shape_graph *g = s->g;
  while (v != VALUE_NONE && v != from) {
    budget_take(g->budget, 1);
    if (g->values[v].is_argument) return false;
    op_id op = g->values[v].def;
    const graph_op *o = &g->ops[op];
    const op_row *row = walk_row(s, op);
    if (row && row->structure == OP_IF && deep < CHOICES_DEEP) {
      uint32_t at = graph_value_index(g, v), count;
      for (uint32_t k = 0; k < o->region_count; k++) {
        const value_id *results = region_results(s, o->regions + k, &count);
        if (!results || at >= count || !is_grown_from(s, c, results[at], from, deep + 1, all))
          return false;
      }
      return o->region_count > 0;
    }
    bool inserts = op_has(g, op, TRAIT_INSERTS) && o->operand_count >= 2;
    if (!inserts && !op_has(g, op, TRAIT_IDENTITY)) return false;
    if (inserts) {
      type_id added = onnx_type_of_value(c, graph_operand(g, op, 1));
      if (added == TYPE_NONE) return false;
      *all = onnx_join_types(c, *all, added);
    }
    v = graph_operand(g, op, 0);
  }
  return v != VALUE_NONE;
}

static bool is_empty(rule_context *c, value_id v) {
  return value_length(rule_value(c, v)) == TERM_ZERO;
}

// What the elements of a carried sequence are, where each trip inserts some: these, and those that it starts with. TYPE_NONE
// where something else is done to it.
static type_id grown_elements(infer_state *s, rule_context *c, const onnx_loop *x, uint32_t i) {
  const graph_block *b = body_block(s, x);
  uint32_t count, at = x->leading + i, skip = x->leading ? 1 : 0;
  const value_id *results = region_results(s, x->l.body, &count);
  value_id start = graph_operand(s->g, c->op, x->first + i);
  type_id all = start == VALUE_NONE ? TYPE_NONE : onnx_element_type(c, onnx_value_type(c, start));
  if (all == TYPE_NONE || !b || at >= b->argument_count || !results || i + skip >= count)
    return TYPE_NONE;
  if (is_empty(c, start)) all = TYPE_NONE;
  bool grown = is_grown_from(s, c, results[i + skip], b->arguments + at, 0, &all);
  return grown ? all : TYPE_NONE;
}

// Results take the element types of what the body returns.
static void type_results(infer_state *s, rule_context *c, const onnx_loop *x) {
  uint32_t count, skip = x->leading ? 1 : 0;
  const value_id *results = region_results(s, x->l.body, &count);
  for (uint32_t i = 0; results && i < rule_result_count(c) && i + skip < count; i++) {
    type_id type = onnx_value_type(c, results[i + skip]);
    if (i < x->l.count && x->grown && x->grown[i] != TYPE_NONE) {
      type = onnx_wrap_type(c, TYPE_SEQUENCE, x->grown[i]);
    } else if (i < x->l.count) {  // it is what it starts as, or what a trip makes
      type_id start = onnx_value_type(c, graph_operand(s->g, c->op, x->first + i));
      if (start == TYPE_NONE && onnx_element_type(c, type) != TYPE_NONE) continue;
      type = onnx_join_types(c, type, start);
    }
    onnx_set_type(c, i, loose_type(s, type));
  }
}

// How often the body runs: M, where the condition cannot end the loop before.
static void find_trips(infer_state *s, rule_context *c, onnx_loop *x, bool always) {
  uint32_t count;
  if (!x->leading) return;
  const term_id *limit = onnx_has(c, 0) ? rule_size_elements(c, 0, &count) : NULL;
  bool has = limit && count == 1 && limit[0] != TERM_NONE;
  bool enters = !onnx_has(c, 1) || is_true(s, rule_operand(c, 1));
  x->trips = onnx_has(c, 1) && is_known(s, rule_operand(c, 1), false) ? TERM_ZERO : TERM_NONE;
  if (!has || x->trips != TERM_NONE) return;
  term_id most = store_canon(s->store, limit[0]);
  if (!interval_is_nonnegative(store_range(s->store, most)))
    most = term_max(s->terms, most, TERM_ZERO);
  if (enters && always) x->trips = most;
}

static value_info *carried_start(infer_state *s, rule_context *c, const onnx_loop *x) {
  value_info *out =
      values_canonical(s, &s->g->operands[s->g->ops[c->op].operands + x->first], x->l.count);
  for (uint32_t i = 0; i < x->l.count; i++) {
    if (x->batch != TERM_NONE) out[i] = without_axis(s, &out[i], 0);
    out[i].visited = true;
    out[i].counted = false;  // a trip may make a sequence longer or shorter
  }
  return out;
}

// ONNX: Scan: a state has the same shape on every trip. What the body returns is required to have the shape that it got.
static void keep_state_shapes(rule_context *c, const value_info *carried, const value_info *back,
                              uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = &carried[i], *w = &back[i];
    if (!v->ranked || !w->ranked) {
      rule_unchecked(c, "a state keeps its shape", "a rank is not known");
      continue;
    }
    if (v->rank != w->rank) {
      rule_error(c, "rank", "state %u has rank %u, the body returns rank %u", i, v->rank, w->rank);
      continue;
    }
    for (uint32_t d = 0; d < v->rank; d++)
      rule_require_eq(c, w->dims[d], v->dims[d], "a state keeps its shape");
  }
}

// What the body returned on a trial trip, under what it requires; for Scan also with the shapes that its states keep.
static const value_info *trip_results(infer_state *s, rule_context *c, onnx_loop *x) {
  const value_info *back = loop_results(s, x->l.body, x->results);
  if (x->leading || !back) return back;
  rule_context inside = *c;
  inside.quiet = inside.conditional = true;
  keep_state_shapes(&inside, x->l.carried, back, x->l.count);
  value_info *kept = values_canonical(s, region_results(s, x->l.body, &(uint32_t){0}), x->results);
  for (uint32_t i = 0; i < x->l.count; i++) {
    if (!kept[i].ranked) kept[i] = x->l.carried[i];
  }
  return kept;
}

// One trial trip; true when what is carried came back otherwise. *always: the condition stays true.
static bool trip_once(infer_state *s, rule_context *c, onnx_loop *x, const value_info **made,
                      bool *always) {
  region_scope outer = trial_enter(s);
  const value_info *back = run_body(s, x, x->l.carried, TERM_NONE);
  walk_again(s, outer.pending, false);
  back = trip_results(s, c, x);
  uint32_t skip = x->leading ? 1 : 0;
  bool changed = loop_mark(s, &x->l, back ? back + skip : NULL);
  for (uint32_t i = 0; i < x->l.count; i++) {  // a rank that changes is not followed
    value_info *v = &x->l.carried[i];
    if (v->ranked && (!back || !back[i + skip].ranked || back[i + skip].rank != v->rank)) {
      *v = (value_info){.visited = true};
      x->l.wide_dims[i] = x->l.wide_elements[i] = NULL;
      changed = true;
    }
  }
  x->grown = arena_zalloc(s->arena, ((size_t)x->l.count + 1) * sizeof *x->grown);
  for (uint32_t i = 0; i < x->l.count; i++)
    x->grown[i] = changed ? TYPE_NONE : grown_elements(s, c, x, i);
  *made = back ? back + skip + x->l.count : NULL;
  *always = !skip || (back && is_true(s, back));
  trial_leave(s, outer);
  return changed;
}

static void run_loop(infer_state *s, rule_context *c, onnx_loop *x) {
  const value_info *start = carried_start(s, c, x), *end = NULL, *made = NULL;
  uint32_t first_symbol = s->terms->symbol_count, n = x->l.count;
  bool always = false, spent = s->visits > s->visit_limit;
  x->l.wide_dims = arena_zalloc(s->arena, ((size_t)n + 1) * sizeof(bool *));
  x->l.wide_elements = arena_zalloc(s->arena, ((size_t)n + 1) * sizeof(bool *));
  x->l.carried = arena_alloc(s->arena, ((size_t)n + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < n; i++) x->l.carried[i] = start[i];
  type_arguments(s, c, x);
  if (spent) {
    loop_mark_all(s, &x->l);
    x->l.carried = loop_widened(s, c, &x->l);
  }
  for (uint32_t round = 0; !spent && trip_once(s, c, x, &made, &always); round++) {
    if (round + 1 >= INFER_MAX_ROUNDS) loop_mark_all(s, &x->l);
    x->l.carried = loop_widened(s, c, &x->l);
    if (round + 1 >= INFER_MAX_ROUNDS) break;
  }
  uint32_t returned;
  if (!spent && region_results(s, x->l.body, &returned) && returned != x->results)
    rule_error_in(c, region_end(s, x->l.body), "region",
                  "the body returns %u values, %u are needed", returned, x->results);
  find_trips(s, c, x, always);
  type_results(s, c, x);
  bool exact = !spent && !x->extra && unroll(s, x, start, &end);
  if (!exact) end = loop_widened(s, c, &x->l);
  for (uint32_t i = 0; i < n; i++) {
    value_info v = end[i];
    if (x->batch != TERM_NONE && v.ranked) {
      term_id *dims = arena_alloc(s->arena, ((size_t)v.rank + 1) * sizeof *dims);
      dims[0] = x->batch;
      for (uint32_t d = 0; d < v.rank; d++) dims[d + 1] = v.dims[d];
      v.dims = dims;
      v.rank++;
      value_set_elements(&v, NULL, 0);
    }
    rule_set_value(c, i, &v);
  }
  term_id trips = x->trips == TERM_NONE ? rule_fresh_size(c) : x->trips;
  set_stacked(s, c, x, made, trips, first_symbol);
}

// A SequenceMap runs as often as its first operand is long. The other sequences should have that length; the loop that
// the specification defines it by reads as many elements of them and leaves the rest.
static term_id map_length(rule_context *c) {
  static const char WHAT[] = "the other sequences have an element for each of the first";
  assert(rule_operand_count(c) >= 1);
  term_id first = value_length(rule_operand(c, 0));
  for (uint32_t i = 1; i < rule_operand_count(c); i++) {
    value_id v = graph_operand(c->graph, c->op, i);
    if (onnx_element_type(c, onnx_value_type(c, v)) == TYPE_NONE) continue;
    term_id length = value_length(rule_value(c, v));
    if (first == TERM_NONE || length == TERM_NONE)
      rule_unchecked(c, WHAT, "a length is not known");
    else
      onnx_require_of_length(c, predicate_make(REL_GE, length, first), WHAT);
  }
  return first;
}

// ONNX: SequenceMap: the body runs on the elements; results are sequences of what it returns.
static void run_map(infer_state *s, rule_context *c) {
  const graph_op *o = &s->g->ops[c->op];
  if (o->region_count != 1) return;
  region_id body = o->regions;
  value_info *args = arena_zalloc(s->arena, (o->operand_count + 1) * sizeof *args);
  const graph_region *r = &s->g->regions[body];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id v = graph_operand(s->g, c->op, i);
    type_id type = onnx_value_type(c, v), element = onnx_element_type(c, type);
    bool sequence = element != TYPE_NONE;
    if (r->block_count && i < s->g->blocks[r->first_block].argument_count)
      give_type(s, s->g->blocks[r->first_block].arguments + i,
                loose_inside(s, c, sequence ? element : type));
    if (!sequence)
      args[i] = *rule_value(c, v);
    else
      onnx_value_of_type(c, element, &args[i]);
  }
  term_id length = map_length(c);
  region_scope outer = trial_enter(s);
  loop_run(s, body, args, s->g->ops[c->op].operand_count);
  uint32_t count;
  const value_id *results = region_results(s, body, &count);
  for (uint32_t i = 0; results && i < count && i < rule_result_count(c); i++)
    onnx_set_type(c, i, onnx_wrap_type(c, TYPE_SEQUENCE, onnx_type_of_value(c, results[i])));
  trial_leave(s, outer);
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    rule_set_unknown(c, i);
    rule_set_length(c, i, length);
  }
  if (!s->quiet)
    defer(s, (deferred_op){.frame = s->frame,
                           .op = c->op,
                           .done = ID_NONE,
                           .carried = args,
                           .carried_count = s->g->ops[c->op].operand_count});
}

void structure_onnx_loop(infer_state *s, rule_context *c) {
  onnx_loop x;
  if (c->row->structure == OP_ONNX_MAP) {
    run_map(s, c);
    return;
  }
  bool fine = c->row->structure == OP_ONNX_SCAN ? read_scan(s, c, &x) : read_loop(s, c, &x);
  if (!fine) return;
  run_loop(s, c, &x);
  if (s->quiet) return;
  int64_t trips;
  bool dead = is_number(s, x.trips, &trips) && trips <= 0;
  defer(s, (deferred_op){.frame = s->frame,
                         .op = c->op,
                         .done = ID_NONE,
                         .dead = dead,
                         .carried = arguments_of(s, &x, x.l.carried, TERM_NONE),
                         .carried_count = x.leading + x.l.count + x.extra});
}

void onnx_loop_final(infer_state *s, const deferred_op *entry) {
  region_id body = s->g->ops[entry->op].regions;
  const op_row *row = walk_row(s, entry->op);
  region_scope outer = scope_enter(s, entry->op, 0, entry->dead);
  loop_run(s, body, entry->carried, entry->carried_count);
  if (row->structure == OP_ONNX_SCAN) {
    rule_context c = walk_context(s, entry->op, row);
    uint32_t states = entry->carried_count - (uint32_t)onnx_int(&c, "num_scan_inputs", 0);
    assert(states <= entry->carried_count);
    const value_info *back = loop_results(s, body, rule_result_count(&c));
    if (back) keep_state_shapes(&c, entry->carried, back, states);
  }
  region_leave(s, outer, body);
}

// The type of a result of branch `b`; of a sequence or an optional, what holds of the elements in all branches: an empty one
// has none.
static type_id branches_type(infer_state *s, rule_context *c, uint32_t b, uint32_t result,
                             type_id type) {
  const graph_op *o = &s->g->ops[c->op];
  type_id all = TYPE_NONE;
  if (onnx_element_type(c, type) == TYPE_NONE) return type;
  for (uint32_t k = 0; k < o->region_count; k++) {
    uint32_t count;
    const value_id *results = region_results(s, o->regions + k, &count);
    if (!results || result >= count || is_empty(c, results[result])) continue;
    all = onnx_join_types(c, all, k == b ? type : onnx_value_type(c, results[result]));
  }
  return all == TYPE_NONE ? type : all;
}

void structure_onnx_types(infer_state *s, rule_context *c) {
  const graph_op *o = &s->g->ops[c->op];
  for (uint32_t b = 0; b < o->region_count; b++) {
    uint32_t count;
    const value_id *results = region_results(s, s->g->ops[c->op].regions + b, &count);
    for (uint32_t i = 0; results && i < count && i < rule_result_count(c); i++) {
      type_id type = branches_type(s, c, b, i, loose_type(s, onnx_value_type(c, results[i])));
      onnx_set_type(c, i, type);
      // Another branch may give another element type, which is an error.
      if (type != TYPE_NONE && type_is_tensor(&s->g->types, type))
        onnx_set_dtype(c, i, (shape_dtype)type_get(&s->g->types, type)->dtype);
    }
  }
}
