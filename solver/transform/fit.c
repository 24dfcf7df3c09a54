// SPDX-License-Identifier: Apache-2.0
// Types that every operation of the program takes, also where it never runs: there dims may conflict that no run has.
// The types are given to a copy of the graph, which is analysed as a reader of what is written would analyse it: each
// operation by itself, then the whole. What is refused keeps its types: of its results, then of all it has.
#include "solver/transform/fit.h"

#include <assert.h>
#include <string.h>

#include "solver/graph/copy.h"

enum { ROUNDS_MAX = 16 };

typedef struct fitter {
  const fit_request *q;
  shape_graph *graph;
  uint8_t *kept;         // by op_id: 1 the types of its results, 2 all
  shape_arena *scratch;  // of one analysis
  fit_result *out;
} fitter;

bool *fit_kept_values(const shape_graph *g, const uint8_t *kept) {
  bool *keeps = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *keeps);
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    for (uint32_t i = 0; kept[op] && i < o->result_count; i++) keeps[o->results + i] = true;
    for (uint32_t i = 0; kept[op] > 1 && i < o->operand_count; i++) {
      value_id value = graph_operand(g, op, i);
      if (value != VALUE_NONE) keeps[value] = true;
    }
  }
  return keeps;
}

// --- the copy

typedef struct declared_types {
  type_id *values, *funcs;
} declared_types;

static declared_types remember(const shape_graph *g) {
  declared_types was = {arena_alloc(g->arena, (g->value_count + 1) * sizeof *was.values),
                        arena_alloc(g->arena, (g->func_count + 1) * sizeof *was.funcs)};
  for (value_id v = 0; v < g->value_count; v++) was.values[v] = g->values[v].type;
  for (func_id f = 0; f < g->func_count; f++) was.funcs[f] = g->funcs[f].type;
  return was;
}

static void restore(shape_graph *g, const declared_types *was) {
  for (value_id v = 0; v < g->value_count; v++) g->values[v].type = was->values[v];
  for (func_id f = 0; f < g->func_count; f++) g->funcs[f].type = was->funcs[f];
}

// An ONNX model states the types of values one by one.
static void refine_values(const fitter *x) {
  const shape_report *report = x->q->report;
  shape_graph *g = x->graph;
  bool *keeps = fit_kept_values(g, x->kept);
  for (value_id v = 0; v < g->value_count; v++) {
    const report_shape *shape = &report->shapes[report->value_shapes[v]];
    if (!keeps[v] && shape->ranked && shape->type != TYPE_NONE) g->values[v].type = shape->type;
  }
}

static void copy_refined(fitter *x, const refined_types *types, shape_graph *to) {
  graph_copier copier;
  const declared_types was = remember(x->graph);
  if (x->q->format == GRAPH_ONNX) {
    refine_values(x);
  } else {
    refine_graph(types);
  }
  graph_init(to, x->scratch, x->q->format, "", 0);
  copier_init(&copier, x->graph, to, x->scratch);
  copy_program(&copier, NULL, NULL);
  restore(x->graph, &was);
}

// --- what is refused

static void pin(fitter *x, op_id op, mlir_use_kind kind) {
  mlir_uses *u = x->q->uses;
  u->items = arena_grow(x->graph->arena, u->items, u->count, (size_t)u->count + 1, &u->capacity,
                        sizeof *u->items);
  assert(u->count < u->capacity);
  u->items[u->count++] = (mlir_type_use){SPAN_NONE, kind, op, 0};
}

static bool keep(fitter *x, op_id op, uint8_t most) {
  assert(op < x->graph->op_count && most >= 1 && most <= 2);
  if (x->kept[op] >= most) return false;
  x->kept[op] = most == 2 ? 2 : (uint8_t)(x->kept[op] + 1);
  pin(x, op, x->kept[op] == 2 ? MLIR_USE_PINNED : MLIR_USE_PINNED_RESULTS);
  return true;
}

static bool keep_all(fitter *x) {
  bool more = false;
  for (op_id op = 0; op < x->graph->op_count; op++) more |= keep(x, op, 2);
  return more;
}

// One more step for each operation that has an error; the span of a copy is the id of its original.
static bool keep_refused(fitter *x, const diag_list *diags) {
  bool more = false;
  for (uint32_t i = 0; i < diags->count; i++) {
    const diag *d = &diags->items[i];
    if (d->severity != DIAG_ERROR || d->inner.begin >= x->graph->op_count) continue;
    op_id op = d->inner.begin;
    more |= keep(x, op, x->kept[op] ? 2 : 1);
  }
  return more;
}

static void note_refusal(fitter *x, const diag_list *diags) {
  for (uint32_t i = 0; i < diags->count; i++) {
    const diag *d = &diags->items[i];
    if (d->severity != DIAG_ERROR) continue;
    bool known = d->inner.begin < x->graph->op_count;
    x->out->op = known ? d->inner.begin : ID_NONE;
    x->out->refused = arena_strndup(x->graph->arena, d->message, strlen(d->message));
    return;
  }
}

typedef enum verdict { FITS, KEEPS_MORE, REFUSED } verdict;

// How the program with these types is judged: by operation, or as a whole, with the first facts of the graph.
typedef struct view {
  bool alone;
  uint32_t facts;
} view;

static verdict judge(fitter *x, const refined_types *types, view seen, bool last) {
  const fit_request *q = x->q;
  shape_graph copy;
  shape_budget budget;
  verdict result = FITS;
  x->graph->declared.assumption_count = seen.facts;
  copy_refined(x, types, &copy);
  budget_init(&budget, x->scratch, q->steps, q->budget->stop);
  budget.max_bits = q->budget->max_bits;
  budget.max_elements = q->budget->max_elements;
  infer_run(&copy, &budget,
            &(infer_options){.alone = seen.alone, .entry = q->entry, .steps = q->steps});
  budget_count(q->budget, budget.steps_used);
  if (copy.diags.errors) {
    bool more = (!last && keep_refused(x, &copy.diags)) || keep_all(x);
    result = more ? KEEPS_MORE : REFUSED;
    // What an operation by itself refuses with all types kept was so in the source.
    if (!more && !seen.alone) note_refusal(x, &copy.diags);
  }
  arena_destroy(x->scratch);
  return result;
}

// A reader of what is written knows the facts that are in it: of a text, those that its types can state, or fewer.
static fit_result fit(const fit_request *q, uint32_t declared) {
  fit_result out = {.types = refine_types(q->report, q->uses), .op = ID_NONE};
  fitter x = {.q = q, .graph = q->report->graph, .out = &out};
  bool has_regions = x.graph->region_count != x.graph->func_count;
  // What always runs, with the dims of any run, takes the types that the analysis found.
  if (!q->specialised && !has_regions) return out;
  out.kept = x.kept = arena_zalloc(x.graph->arena, x.graph->op_count + 1);
  // The parent knows it as long as it lives, so it is in the parent's memory.
  x.scratch = arena_alloc(x.graph->arena, sizeof *x.scratch);
  arena_init_child(x.scratch, x.graph->arena);
  const uint32_t all = x.graph->declared.assumption_count;
  const view views[] = {{true, all}, {false, all}, {false, declared}};
  const uint32_t first = has_regions ? 0 : 1;
  const uint32_t end = q->format == GRAPH_MLIR && declared < all ? 3 : 2;
  for (uint32_t i = first, round = 1; i < end;) {
    if (judge(&x, out.types, views[i], round >= ROUNDS_MAX) != KEEPS_MORE) {
      i++;
      continue;
    }
    out.types = refine_types(q->report, q->uses);
    round++;
    i = first;
  }
  return out;
}

fit_result fit_types(const fit_request *q) {
  shape_graph *g = q->report->graph;
  const uint32_t count = g->declared.assumption_count;
  if (q->format != GRAPH_ONNX) refine_facts(q->report);
  fit_result out = fit(q, count);
  g->declared.assumption_count = count;
  return out;
}
