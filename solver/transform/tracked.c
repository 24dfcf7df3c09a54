// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/tracked.h"

#include <assert.h>

#include "solver/ops/traits.h"
#include "solver/report/cell.h"
#include "solver/transform/fold.h"

enum { ROUNDS_MAX = 16 };

typedef struct tracking {
  const infer_result *infer;
  shape_graph *graph;
  const type_id *types;
  const fixed_argument *fixed;
  uint32_t fixed_count;
  constant_value *found;  // by value
  shape_imap numbers;     // memo of term_substitute
  bool *tainted;          // by value
  bool *holds_tainted;    // by operation: something in its regions is
  bool any, changed;
} tracking;

static bool fixed_item(const tracking *t, value_id value, int64_t *item) {
  for (uint32_t i = 0; i < t->fixed_count; i++) {
    if (t->fixed[i].value != value) continue;
    *item = t->fixed[i].item;
    return true;
  }
  return false;
}

// A symbol as the number that the text states for it.
static term_id number_of(void *data, term_id atom) {
  const tracking *t = data;
  const term_node *node = term_get(t->infer->terms, atom);
  shape_cell cell;
  int64_t item;
  if (node->kind != TERM_SYMBOL || !cell_of_symbol(t->infer, node->as.symbol, &cell) ||
      cell.value == VALUE_NONE)
    return atom;
  if (cell.element)
    return fixed_item(t, cell.value, &item) ? term_int(t->infer->terms, item) : atom;
  type_id id = t->types[cell.value];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&t->graph->types, id);
  bool states = type && type->kind == TYPE_TENSOR && cell.index < type->rank &&
                dim_is_static(type->dims[cell.index]);
  return states ? term_int(t->infer->terms, type->dims[cell.index]) : atom;
}

typedef enum outcome { VARIES, CONSTANT, OUT_OF_RANGE } outcome;

// Of a value in one frame.
static outcome evaluate(tracking *t, const value_info *v, shape_dtype dtype, int64_t *items) {
  const term_id *elements = v->stated ? v->stated : v->elements;
  for (uint32_t i = 0; i < v->element_count; i++) {
    num value;
    if (elements[i] == TERM_NONE) return VARIES;
    term_id term = term_substitute(t->infer->terms, elements[i], number_of, t, &t->numbers);
    if (!term_const_value(t->infer->terms, term, &value)) return VARIES;
    if (!num_to_int(value, &items[i]) || !fold_fits(dtype, items[i])) return OUT_OF_RANGE;
  }
  return CONSTANT;
}

static const value_info *info_of(const infer_frame *f, value_id value) {
  const value_info *v = &f->values[value - f->value_base];
  bool known = value >= f->value_base && value < f->value_end && v->visited && !v->in_conflict;
  return known && v->ranked && v->elements ? v : NULL;
}

static bool is_same(const constant_value *a, const constant_value *b) {
  assert(a->items && b->items);
  for (uint32_t i = 0; i < a->count && a->count == b->count; i++) {
    if (a->items[i] != b->items[i]) return false;
  }
  return a->count == b->count;
}

// Whether a region runs once at most wherever its function runs: the analysis follows a loop through one iteration, in
// which values are what they are nowhere else.
static bool runs_once(const shape_graph *g, region_id region) {
  for (op_id op = g->regions[region].op; op != ID_NONE;
       op = g->regions[region = g->blocks[g->ops[op].parent].region].op) {
    if (!op_has(g, op, TRAIT_BRANCHES) && !op_has(g, op, TRAIT_YIELDS)) return false;
  }
  return true;
}

// The same of the calls that lead to a frame.
static bool frame_runs_once(const tracking *t, const infer_frame *f) {
  for (; f->caller != ID_NONE; f = &t->infer->frames[f->parent]) {
    assert(f->parent < t->infer->frame_count);
    if (!runs_once(t->graph, t->graph->blocks[t->graph->ops[f->caller].parent].region))
      return false;
  }
  return true;
}

static region_id region_of(const shape_graph *g, value_id value) {
  const graph_value *v = &g->values[value];
  return g->blocks[v->is_argument ? v->def : g->ops[v->def].parent].region;
}

// What the value is in a frame, beside what it is in those before.
static void take(tracking *t, const infer_frame *f, value_id value) {
  uint32_t count;
  constant_value *is = &t->found[value], now = {NULL, 0, true};
  const value_info *v = info_of(f, value);
  if (is->varies || !fold_count(t->graph, t->types[value], &count)) return;
  if (v && v->element_count == count) {
    shape_dtype dtype = (shape_dtype)type_get(&t->graph->types, t->types[value])->dtype;
    int64_t *items = arena_alloc(t->graph->arena, (count + 1) * sizeof *items);
    outcome is_now = evaluate(t, v, dtype, items);
    if (is_now == CONSTANT) now = (constant_value){items, count, false};
    if (is_now == OUT_OF_RANGE) t->any = t->tainted[value] = true;
  }
  *is = now.varies || (is->items && !is_same(is, &now)) ? (constant_value){NULL, 0, true} : now;
}

// --- what is out of range taints what is computed from it

static void taint(tracking *t, value_id first, uint32_t count) {
  assert(first + count <= t->graph->value_count);
  for (uint32_t i = 0; i < count; i++) {
    t->changed |= !t->tainted[first + i];
    t->tainted[first + i] = true;
  }
}

static void taint_arguments(tracking *t, region_id first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const graph_region *region = &t->graph->regions[first + i];
    for (uint32_t b = 0; b < region->block_count; b++) {
      const graph_block *block = &t->graph->blocks[region->first_block + b];
      taint(t, block->arguments, block->argument_count);
    }
  }
}

// An operation computes from its operands and from what is in its regions, which it hands on; a call from what is in
// other functions, and hands on to them. Which of them a call means is not asked.
static void spread(tracking *t, op_id op) {
  assert(op < t->graph->op_count);
  const shape_graph *g = t->graph;
  const graph_op *o = &g->ops[op];
  bool calls = op_has(g, op, TRAIT_CALL) || op_has(g, op, TRAIT_COMPOSITE), given = false;
  for (uint32_t i = 0; i < o->operand_count && !given; i++) {
    value_id value = graph_operand(g, op, i);
    given = value != VALUE_NONE && t->tainted[value];
  }
  for (uint32_t i = 0; i < o->result_count && !given; i++) given = t->tainted[o->results + i];
  if (!given && !calls && !t->holds_tainted[op]) return;
  taint(t, o->results, o->result_count);
  taint_arguments(t, o->regions, o->region_count);
  op_id outer = g->regions[g->blocks[o->parent].region].op;
  if (outer != ID_NONE) {
    t->changed |= !t->holds_tainted[outer];
    t->holds_tainted[outer] = true;
  }
  for (func_id f = 0; calls && given && f < g->func_count; f++) {
    if (f != t->infer->entry && g->funcs[f].body != ID_NONE)
      taint_arguments(t, g->funcs[f].body, 1);
  }
}

// False: it did not settle, so nothing is known.
static bool spread_all(tracking *t) {
  t->changed = t->any;
  for (uint32_t round = 0; t->changed && round < ROUNDS_MAX; round++) {
    t->changed = false;
    for (op_id op = 0; op < t->graph->op_count; op++) spread(t, op);
  }
  return !t->changed;
}

void tracked_constants(const shape_report *report, const type_id *types, const bool *roots,
                       const fixed_argument *fixed, uint32_t fixed_count, constant_value *out) {
  shape_graph *g = report->graph;
  const infer_result *infer = report->infer;
  tracking t = {.infer = infer,
                .graph = g,
                .types = types,
                .fixed = fixed,
                .fixed_count = fixed_count,
                .found = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *t.found),
                .tainted = arena_zalloc(g->arena, g->value_count + 1),
                .holds_tainted = arena_zalloc(g->arena, g->op_count + 1)};
  bool *once = arena_alloc(g->arena, g->region_count + 1);
  for (region_id region = 0; region < g->region_count; region++)
    once[region] = runs_once(g, region);
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    const infer_frame *f = &infer->frames[i];
    // A public function has other callers, too.
    bool known = (!roots[f->func] || f->func == infer->entry) && frame_runs_once(&t, f);
    for (value_id v = f->value_base; v < f->value_end; v++) {
      if (known && once[region_of(g, v)]) {
        take(&t, f, v);
      } else {
        t.found[v] = (constant_value){NULL, 0, true};
      }
    }
  }
  if (!spread_all(&t)) return;
  for (value_id v = 0; v < g->value_count; v++) {
    if (t.found[v].items && !t.tainted[v]) out[v] = t.found[v];
  }
}
