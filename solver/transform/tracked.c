// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/tracked.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/report/cell.h"

enum { ROUNDS_MAX = 64 };

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
  bool *returns_tainted;  // by function
  func_id *callees;       // by operation, of calls; ID_NONE: it is none
  bool any, changed;
} tracking;

bool constant_count(const shape_graph *g, type_id id, uint32_t *count) {
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&g->types, id);
  if (!type || (type->kind != TYPE_TENSOR && type->kind != TYPE_SCALAR)) return false;
  if (type->dtype >= DTYPE_QUANTIZED || !dtype_is_integer((shape_dtype)type->dtype)) return false;
  uint64_t n = 1;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i]) || (uint64_t)type->dims[i] > CONSTANT_MAX) return false;
    n *= (uint64_t)type->dims[i];
    if (n > CONSTANT_MAX) return false;
  }
  assert(n <= CONSTANT_MAX);
  *count = (uint32_t)n;
  return true;
}

static const fixed_argument *fixed_as(const tracking *t, value_id value) {
  for (uint32_t i = 0; i < t->fixed_count; i++) {
    if (t->fixed[i].value == value) return &t->fixed[i];
  }
  return NULL;
}

// A symbol as the number that the text states for it.
static term_id number_of(void *data, term_id atom) {
  const tracking *t = data;
  const term_node *node = term_get(t->infer->terms, atom);
  shape_cell cell;
  if (node->kind != TERM_SYMBOL || !cell_of_symbol(t->infer, node->as.symbol, &cell) ||
      cell.value == VALUE_NONE)
    return atom;
  if (cell.element) {
    const fixed_argument *fixed = fixed_as(t, cell.value);
    bool is = fixed && cell.index < fixed->count;
    return is ? term_int(t->infer->terms, fixed->items[cell.index]) : atom;
  }
  type_id id = t->types[cell.value];
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&t->graph->types, id);
  bool states = type && type->kind == TYPE_TENSOR && cell.index < type->rank &&
                dim_is_static(type->dims[cell.index]);
  return states ? term_int(t->infer->terms, type->dims[cell.index]) : atom;
}

static bool fits(const tracking *t, shape_dtype dtype, num value) {
  interval range;
  return !math_range(t->graph->budget, dtype, &range) || interval_contains(range, value);
}

typedef enum outcome { VARIES, CONSTANT, OUT_OF_RANGE } outcome;

// Of a value in one frame.
static outcome evaluate(tracking *t, const value_info *v, shape_dtype dtype, int64_t *items) {
  const term_id *elements = value_stated(v);
  for (uint32_t i = 0; i < v->element_count; i++) {
    num value;
    if (elements[i] == TERM_NONE) return VARIES;
    term_id term = term_substitute(t->infer->terms, elements[i], number_of, t, &t->numbers);
    if (!term_const_value(t->infer->terms, term, &value)) return VARIES;
    if (!num_to_int(value, &items[i]) || !fits(t, dtype, value)) return OUT_OF_RANGE;
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

// Whether a region decides if a loop goes on: it is walked once more for what holds when the loop has ended.
static bool is_condition(const shape_graph *g, region_id region) {
  for (op_id op = g->regions[region].op; op != ID_NONE;
       op = g->regions[region = g->blocks[g->ops[op].parent].region].op) {
    const graph_op *o = &g->ops[op];
    if (o->region_count == 2 && region == o->regions && op_has(g, op, TRAIT_LOOP)) return true;
  }
  return false;
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
  if (is->varies || !constant_count(t->graph, t->types[value], &count)) return;
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

static void set(tracking *t, bool *flag) {
  t->changed |= !*flag;
  *flag = true;
}

static func_id function_around(const shape_graph *g, op_id op) {
  return g->regions[g->blocks[g->ops[op].parent].region].func;
}

// The function that a call runs; ID_NONE: the operation is none, or what it calls has no body.
static func_id callee_of(const shape_graph *g, op_id op) {
  bool composite = op_has(g, op, TRAIT_COMPOSITE);
  if (!composite && !op_has(g, op, TRAIT_CALL)) return ID_NONE;
  attr_id attr = graph_attr_named(g, op, composite ? "decomposition" : "callee");
  const char *name = graph_attr_text(g, attr);
  func_id caller = function_around(g, op),
          func = name ? graph_find_func(g, g->funcs[caller].module, name, strlen(name)) : ID_NONE;
  bool body = func != ID_NONE && g->funcs[func].body != ID_NONE &&
              g->regions[g->funcs[func].body].block_count;
  return body ? func : ID_NONE;
}

// To the arguments that it is handed to, and from what is returned.
static void spread_call(tracking *t, op_id op, func_id func) {
  const shape_graph *g = t->graph;
  const graph_op *o = &g->ops[op];
  assert(func < g->func_count && g->funcs[func].body != ID_NONE);
  const graph_block *body = &g->blocks[g->regions[g->funcs[func].body].first_block];
  for (uint32_t i = 0; i < o->operand_count && i < body->argument_count; i++) {
    value_id value = graph_operand(g, op, i);
    if (value != VALUE_NONE && t->tainted[value]) taint(t, body->arguments + i, 1);
  }
  if (t->returns_tainted[func]) taint(t, o->results, o->result_count);
}

// An operation computes from its operands and from what is in its regions, which it hands on.
static void spread(tracking *t, op_id op) {
  assert(op < t->graph->op_count);
  const shape_graph *g = t->graph;
  const graph_op *o = &g->ops[op];
  func_id callee = t->callees[op];
  assert(callee == ID_NONE || callee < g->func_count);
  bool given = t->holds_tainted[op];
  if (callee != ID_NONE) spread_call(t, op, callee);
  for (uint32_t i = 0; callee == ID_NONE && i < o->operand_count && !given; i++) {
    value_id value = graph_operand(g, op, i);
    given = value != VALUE_NONE && t->tainted[value];
  }
  for (uint32_t i = 0; i < o->result_count && !given; i++) given = t->tainted[o->results + i];
  if (!given) return;
  taint(t, o->results, o->result_count);
  taint_arguments(t, o->regions, o->region_count);
  if (op_has(g, op, TRAIT_RETURN)) set(t, &t->returns_tainted[function_around(g, op)]);
  op_id outer = g->regions[g->blocks[o->parent].region].op;
  if (outer != ID_NONE) set(t, &t->holds_tainted[outer]);
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

// A public function has other callers than those that are analysed: they give the integers among its arguments other values.
static void taint_public(tracking *t, const infer_frame *f) {
  const shape_graph *g = t->graph;
  if (f->func == t->infer->entry || g->funcs[f->func].is_private) return;
  assert(f->func < g->func_count);
  const graph_region *body = &g->regions[g->funcs[f->func].body];
  const graph_block *block = body->block_count ? &g->blocks[body->first_block] : NULL;
  for (uint32_t i = 0; block && i < block->argument_count; i++) {
    const value_info *v = info_of(f, block->arguments + i);
    if (!v) continue;
    t->any = t->tainted[block->arguments + i] = true;
  }
}

static void find_callees(tracking *t) {
  const shape_graph *g = t->graph;
  t->callees = arena_alloc(g->arena, (g->op_count + 1) * sizeof *t->callees);
  for (op_id op = 0; op < g->op_count; op++) t->callees[op] = callee_of(g, op);
}

constant_value *tracked_constants(const shape_report *report, const type_id *types,
                                  const fixed_argument *fixed, uint32_t fixed_count) {
  shape_graph *g = report->graph;
  const infer_result *infer = report->infer;
  constant_value *out = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *out);
  tracking t = {.infer = infer,
                .graph = g,
                .types = types,
                .fixed = fixed,
                .fixed_count = fixed_count,
                .found = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *t.found),
                .tainted = arena_zalloc(g->arena, g->value_count + 1),
                .holds_tainted = arena_zalloc(g->arena, g->op_count + 1),
                .returns_tainted = arena_zalloc(g->arena, g->func_count + 1)};
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    const infer_frame *f = &infer->frames[i];
    for (value_id v = f->value_base; v < f->value_end; v++) take(&t, f, v);
    taint_public(&t, f);
  }
  find_callees(&t);
  if (!spread_all(&t)) return out;
  bool *condition = arena_zalloc(g->arena, g->region_count + 1);
  for (region_id region = 0; region < g->region_count; region++)
    condition[region] = is_condition(g, region);
  for (value_id v = 0; v < g->value_count; v++) {
    bool taken = t.found[v].items && !t.tainted[v] && !condition[region_of(g, v)];
    if (taken) out[v] = t.found[v];
  }
  for (uint32_t i = 0; i < fixed_count; i++) {
    assert(fixed[i].value < g->value_count && fixed[i].count <= CONSTANT_MAX);
    out[fixed[i].value] = (constant_value){fixed[i].items, fixed[i].count, false};
  }
  return out;
}
