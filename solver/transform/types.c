// SPDX-License-Identifier: Apache-2.0
// Which type every value gets: classes of values, and the join of what is known of their members.
#include "solver/transform/types.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/traits.h"

static uint32_t find(const refined_types *r, uint32_t node) {
  assert(node < r->node_count);
  uint32_t *parent = r->class_of;
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

uint32_t refined_class(const refined_types *types, uint32_t node) { return find(types, node); }

static void join(refined_types *r, uint32_t a, uint32_t b) {
  if (a == VALUE_NONE || b == VALUE_NONE) return;
  a = find(r, a), b = find(r, b);
  // The smaller index is the root, so that classes do not depend on the order of joins.
  uint32_t root = a < b ? a : b;
  r->class_of[a] = r->class_of[b] = root;
  r->pinned[root] = r->pinned[a] || r->pinned[b];
}

static void pin(refined_types *r, uint32_t node) {
  if (node != VALUE_NONE) r->pinned[find(r, node)] = true;
}

static void pin_results(refined_types *r, op_id op) {
  const graph_op *o = &r->graph->ops[op];
  for (uint32_t i = 0; i < o->result_count; i++) pin(r, o->results + i);
}

static void pin_op(refined_types *r, op_id op) {
  const graph_op *o = &r->graph->ops[op];
  for (uint32_t i = 0; i < o->operand_count; i++) pin(r, graph_operand(r->graph, op, i));
  pin_results(r, op);
}

static type_id declared(const refined_types *r, uint32_t node) {
  const shape_graph *g = r->graph;
  if (node < g->value_count) return g->values[node].type;
  // The last function whose first node is not after this one; those without results share theirs with the next.
  func_id func =
      sorted_before(r->first_node, g->func_count, sizeof *r->first_node, 0, (uint64_t)node + 1) - 1;
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  assert(type->split + (node - r->first_node[func]) < type->param_count);
  return type->params[type->split + (node - r->first_node[func])];
}

static uint32_t result_count(const shape_graph *g, func_id func) {
  if (g->funcs[func].type == TYPE_NONE) return 0;
  const graph_type *type = type_get(&g->types, g->funcs[func].type);
  return type->kind == TYPE_FUNCTION ? type->param_count - type->split : 0;
}

static block_id entry_block(const shape_graph *g, func_id func) {
  region_id body = g->funcs[func].body;
  if (body == ID_NONE || !g->regions[body].block_count) return ID_NONE;
  return g->regions[body].first_block;
}

static void pin_function(refined_types *r, func_id func) {
  const shape_graph *g = r->graph;
  block_id entry = entry_block(g, func);
  for (uint32_t i = 0; entry != ID_NONE && i < g->blocks[entry].argument_count; i++) {
    pin(r, g->blocks[entry].arguments + i);
  }
  for (uint32_t i = 0; i < result_count(g, func); i++) pin(r, r->first_node[func] + i);
}

// --- what must be the same

static func_id enclosing(const shape_graph *g, op_id op) {
  block_id block = g->ops[op].parent;
  region_id region = block == ID_NONE ? ID_NONE : g->blocks[block].region;
  return region == ID_NONE ? ID_NONE : g->regions[region].func;
}

static func_id function_named(const refined_types *r, op_id op, attr_id attr) {
  const shape_graph *g = r->graph;
  func_id caller = enclosing(g, op);
  const char *name = graph_attr_text(g, attr);
  if (caller == ID_NONE || caller >= g->func_count || !name) return ID_NONE;
  return graph_find_func(g, g->funcs[caller].module, name, strlen(name));
}

static void join_call(refined_types *r, op_id op, attr_id attr) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  func_id func = function_named(r, op, attr);
  block_id entry = func == ID_NONE ? ID_NONE : entry_block(g, func);
  if (entry == ID_NONE || g->blocks[entry].argument_count != o->operand_count ||
      result_count(g, func) != o->result_count) {
    pin_op(r, op);
    if (func != ID_NONE) pin_function(r, func);
    return;
  }
  for (uint32_t i = 0; i < o->operand_count; i++) {
    join(r, graph_operand(g, op, i), g->blocks[entry].arguments + i);
  }
  for (uint32_t i = 0; i < o->result_count; i++) join(r, o->results + i, r->first_node[func] + i);
}

static void join_return(refined_types *r, op_id op) {
  const shape_graph *g = r->graph;
  func_id func = enclosing(g, op);
  if (func == ID_NONE || func >= g->func_count) return;
  uint32_t count = g->ops[op].operand_count;
  if (count != result_count(g, func)) {
    pin_op(r, op);
    pin_function(r, func);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    // A result of a function has a type also where its operand is missing.
    if (graph_operand(g, op, i) == VALUE_NONE) {
      pin(r, r->first_node[func] + i);
    } else {
      join(r, graph_operand(g, op, i), r->first_node[func] + i);
    }
  }
}

// Results with the operands, and with the arguments of every block of the operation's regions.
static void join_carried(refined_types *r, op_id op, bool arguments) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->result_count && i < o->operand_count; i++) {
    join(r, o->results + i, graph_operand(g, op, i));
  }
  for (uint32_t k = 0; arguments && k < o->region_count; k++) {
    const graph_region *region = &g->regions[o->regions + k];
    if (!region->block_count) continue;
    const graph_block *block = &g->blocks[region->first_block];
    for (uint32_t i = 0; i < block->argument_count && i < o->operand_count; i++) {
      join(r, graph_operand(g, op, i), block->arguments + i);
    }
  }
}

// Results with what the regions yield.
static void join_yielded(refined_types *r, op_id op) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t k = 0; k < o->region_count; k++) {
    const graph_region *region = &g->regions[o->regions + k];
    for (uint32_t b = 0; b < region->block_count; b++) {
      op_id last = graph_terminator(g, region->first_block + b);
      for (uint32_t i = 0; last != ID_NONE && i < o->result_count; i++) {
        join(r, o->results + i, graph_operand(g, last, i));
      }
    }
  }
}

static void pin_arguments(refined_types *r, block_id block) {
  const graph_block *b = &r->graph->blocks[block];
  for (uint32_t i = 0; i < b->argument_count; i++) pin(r, b->arguments + i);
}

// Arguments of blocks with what branches hand them.
static void join_successors(refined_types *r, op_id op) {
  const shape_graph *g = r->graph;
  uint32_t count;
  const graph_successor *rows = graph_successors(g, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    assert(rows[i].block < g->regions[g->blocks[g->ops[op].parent].region].block_count);
    block_id block = g->regions[g->blocks[g->ops[op].parent].region].first_block + rows[i].block;
    const graph_block *b = &g->blocks[block];
    if (rows[i].count != b->argument_count) {
      pin_op(r, op);
      pin_arguments(r, block);
      continue;
    }
    assert(rows[i].first + b->argument_count <= g->ops[op].operand_count);
    for (uint32_t k = 0; k < b->argument_count; k++) {
      join(r, graph_operand(g, op, rows[i].first + k), b->arguments + k);
    }
  }
}

// How a block is reached is not always known: its syntax may hide it.
static void pin_blocks(refined_types *r, const mlir_uses *uses) {
  const shape_graph *g = r->graph;
  for (region_id id = 0; id < g->region_count; id++) {
    const graph_region *region = &g->regions[id];
    bool hidden = false;
    for (uint32_t i = 0; region->block_count > 1 && i < region->block_count; i++) {
      op_id end = graph_terminator(g, region->first_block + i);
      hidden |= end == ID_NONE || (uses && mlir_op_is_opaque(uses, end));
    }
    for (uint32_t i = 1; hidden && i < region->block_count; i++) {
      pin_arguments(r, region->first_block + i);
    }
  }
}

static bool is_shaped(const shape_graph *g, value_id value) {
  const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(g, value);
  return type && (type->kind == TYPE_UNRANKED || (type->kind == TYPE_TENSOR && type->rank));
}

// arith and math ask for the very same type.
static void join_all(refined_types *r, op_id op) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  uint32_t first = VALUE_NONE;
  for (uint32_t i = 0; i < o->operand_count + o->result_count; i++) {
    uint32_t value =
        i < o->operand_count ? graph_operand(g, op, i) : o->results + (i - o->operand_count);
    if (!is_shaped(g, value)) continue;
    if (first == VALUE_NONE) first = value;
    join(r, first, value);
  }
}

static bool has_other_types(const shape_graph *g, op_id op) {
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->operand_count + o->result_count; i++) {
    uint32_t value =
        i < o->operand_count ? graph_operand(g, op, i) : o->results + (i - o->operand_count);
    const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(g, value);
    if (type && type->kind != TYPE_TENSOR && type->kind != TYPE_UNRANKED &&
        type->kind != TYPE_SCALAR && type->kind != TYPE_SHAPE && type->kind != TYPE_SIZE) {
      return true;
    }
  }
  return false;
}

// A function that something else refers to keeps its signature.
static void pin_referred(refined_types *r, op_id op) {
  const shape_graph *g = r->graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->attr_count; i++) {
    attr_id id = g->attributes.entries[o->attrs + i].value;
    const graph_attr *attr = graph_attr_get(g, id);
    if (!attr || (attr->kind != ATTR_SYMBOL && attr->kind != ATTR_ARRAY)) continue;
    uint32_t count = attr->kind == ATTR_ARRAY ? attr->count : 1;
    for (uint32_t k = 0; k < count; k++) {
      attr_id item = attr->kind == ATTR_ARRAY ? attr_item_at(attr, k) : id;
      if (item == ATTR_NONE || g->attributes.items[item].kind != ATTR_SYMBOL) continue;
      func_id func = function_named(r, op, item);
      if (func != ID_NONE) pin_function(r, func);
    }
  }
}

static void constrain(refined_types *r, op_id op) {
  const shape_graph *g = r->graph;
  uint32_t traits = traits_of(g, op);
  if (traits & TRAIT_CALL) {
    join_call(r, op, graph_attr_named(g, op, "callee"));
    return;
  }
  if (traits & TRAIT_RETURN) {
    join_return(r, op);
    return;
  }
  if (!(traits & TRAIT_ANY_TYPES) && has_other_types(g, op)) pin_op(r, op);
  join_successors(r, op);
  if (traits & TRAIT_COMPOSITE) {
    join_call(r, op, graph_attr_named(g, op, "decomposition"));
    return;
  }
  pin_referred(r, op);
  if (traits & (TRAIT_CARRIES | TRAIT_PASSES)) join_carried(r, op, traits & TRAIT_CARRIES);
  if (traits & TRAIT_YIELDS) join_yielded(r, op);
  if (traits & TRAIT_ONE_TYPE) join_all(r, op);
  if (traits & TRAIT_EXACT) pin_op(r, op);
  // Another type would take for true what the program requires of the results, and no check of it would be left.
  if ((traits & TRAIT_CUSTOM_CALL) && custom_call_says_nothing(g, op)) pin_results(r, op);
}

// --- the type of a class

static bool has_symbols(const graph_type *type) {
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (dim_is_symbol(type->dims[i])) return true;
  }
  return false;
}

// What the report says, in the words of the declaration where it says no more.
static type_id known_type(refined_types *r, value_id value, type_id is) {
  assert(value < r->graph->value_count);
  const shape_report *report = r->report;
  type_table *types = &r->graph->types;
  type_id id = report->shapes[report->value_shapes[value]].type;
  if (id == is || id == TYPE_NONE || is == TYPE_NONE) return is;
  const graph_type *was = type_get(types, is), *now = type_get(types, id);
  if (was->kind != TYPE_TENSOR && was->kind != TYPE_UNRANKED) return is;
  if (was->container != CONTAINER_TENSOR)
    return is;  // a layout has strides that depend on the dims
  if (now->kind != TYPE_TENSOR || !type_same_element(types, is, id)) return is;
  if (was->kind == TYPE_TENSOR && was->rank != now->rank) return is;
  int64_t *dims = arena_alloc(r->graph->arena, 2 * (now->rank + 1) * sizeof *dims);
  int64_t *bounds = dims + now->rank;
  bool bounded = false;
  for (uint32_t i = 0; i < now->rank; i++) {
    int64_t old = was->kind == TYPE_TENSOR ? was->dims[i] : DIM_DYNAMIC;
    dims[i] = dim_is_static(now->dims[i]) ? now->dims[i] : old;
    bounds[i] = DIM_DYNAMIC;
    if (dim_is_static(dims[i])) continue;
    if (now->has_bounds) bounds[i] = now->bounds[i];
    if (bounds[i] == DIM_DYNAMIC && was->kind == TYPE_TENSOR && was->has_bounds) {
      bounds[i] = was->bounds[i];
    }
    bounded |= bounds[i] != DIM_DYNAMIC;
  }
  // Bounds are an encoding; a type has one, and names of dims are one, too.
  if (was->encoding != NAME_NONE || has_symbols(was)) bounded = false;
  return type_with_dims(types, is, dims, bounded ? bounds : NULL, now->rank);
}

// The most refined type that covers both; both refine `is`.
static type_id cover(refined_types *r, type_id a, type_id b, type_id is) {
  type_table *types = &r->graph->types;
  if (a == b) return a;
  const graph_type *x = type_get(types, a), *y = type_get(types, b), *was = type_get(types, is);
  if (x->kind != TYPE_TENSOR || y->kind != TYPE_TENSOR || x->rank != y->rank) return is;
  int64_t *dims = arena_alloc(r->graph->arena, 2 * (x->rank + 1) * sizeof *dims);
  int64_t *bounds = dims + x->rank;
  bool bounded = false;
  for (uint32_t i = 0; i < x->rank; i++) {
    int64_t old = was->kind == TYPE_TENSOR ? was->dims[i] : DIM_DYNAMIC;
    dims[i] = x->dims[i] == y->dims[i] ? x->dims[i] : old;
    int64_t p = dim_is_static(x->dims[i]) ? x->dims[i] : x->has_bounds ? x->bounds[i] : DIM_DYNAMIC;
    int64_t q = dim_is_static(y->dims[i]) ? y->dims[i] : y->has_bounds ? y->bounds[i] : DIM_DYNAMIC;
    // A bound comes from bounds: two dims that differ are none.
    bool any = (x->has_bounds && x->bounds[i] != DIM_DYNAMIC) ||
               (y->has_bounds && y->bounds[i] != DIM_DYNAMIC);
    bounds[i] = !any || p == DIM_DYNAMIC || q == DIM_DYNAMIC ? DIM_DYNAMIC : p > q ? p : q;
    if (bounds[i] == DIM_DYNAMIC && was->kind == TYPE_TENSOR && was->has_bounds) {
      bounds[i] = was->bounds[i];
    }
    if (dim_is_static(dims[i])) bounds[i] = DIM_DYNAMIC;
    bounded |= bounds[i] != DIM_DYNAMIC;
  }
  return type_with_dims(types, is, dims, bounded ? bounds : NULL, x->rank);
}

// The report speaks of arguments and results of operations; arguments of regions take what their class has.
static bool *reported_values(const refined_types *r) {
  const shape_graph *g = r->graph;
  bool *reported = arena_zalloc(g->arena, g->value_count + 1);
  for (uint32_t i = 0; i < r->report->function_count; i++) {
    const report_function *f = &r->report->functions[i];
    if (f->argument_count) memset(reported + f->arguments, 1, f->argument_count);
    for (op_id op = f->first_op; op < f->end_op; op++) {
      const graph_op *o = &g->ops[op];
      if (o->result_count) memset(reported + o->results, 1, o->result_count);
    }
  }
  return reported;
}

static void settle(refined_types *r) {
  const shape_graph *g = r->graph;
  const bool *reported = reported_values(r);
  for (uint32_t node = 0; node < r->node_count; node++) {
    uint32_t root = find(r, node);
    type_id is = declared(r, node);
    assert(root <= node);
    if (is == TYPE_NONE || declared(r, root) != is) r->pinned[root] = true;
    if (r->pinned[root] || node >= g->value_count || !reported[node]) continue;
    type_id known = known_type(r, node, is);
    r->types[root] = r->types[root] == TYPE_NONE ? known : cover(r, r->types[root], known, is);
  }
}

refined_types *refine_types(const shape_report *report, const mlir_uses *uses) {
  shape_graph *g = report->graph;
  refined_types *r = arena_zalloc(g->arena, sizeof *r);
  r->graph = g;
  r->report = report;
  r->first_node = arena_alloc(g->arena, (g->func_count + 1) * sizeof *r->first_node);
  uint32_t count = g->value_count;
  for (func_id f = 0; f < g->func_count; f++) {
    r->first_node[f] = count;
    count += result_count(g, f);
  }
  r->node_count = count;
  r->class_of = arena_alloc(g->arena, (count + 1) * sizeof *r->class_of);
  r->types = arena_alloc(g->arena, (count + 1) * sizeof *r->types);
  r->pinned = arena_zalloc(g->arena, (count + 1) * sizeof *r->pinned);
  for (uint32_t i = 0; i < count; i++) {
    r->class_of[i] = i;
    r->types[i] = TYPE_NONE;
  }
  for (op_id op = 0; op < g->op_count; op++) {
    arena_poll_at(g->arena, op);
    constrain(r, op);
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].is_declaration) pin_function(r, f);
  }
  for (uint32_t i = 0; uses && i < uses->count; i++) {
    if (uses->items[i].kind == MLIR_USE_PINNED) pin_op(r, uses->items[i].subject);
    if (uses->items[i].kind == MLIR_USE_PINNED_RESULTS) pin_results(r, uses->items[i].subject);
  }
  pin_blocks(r, uses);
  settle(r);
  refine_branches(r);
  return r;
}

static type_id without_bounds(const refined_types *r, type_id id) {
  if (id == TYPE_NONE || !type_get(&r->graph->types, id)->has_bounds) return id;
  const graph_type type = *type_get(&r->graph->types, id);
  return type_with_dims(&r->graph->types, id, type.dims, NULL, type.rank);
}

static type_id refined_node(const refined_types *r, uint32_t node) {
  uint32_t root = find(r, node);
  bool keeps = r->pinned[root] || r->types[root] == TYPE_NONE;
  type_id type = keeps ? declared(r, node) : r->types[root];
  return r->unbounded ? without_bounds(r, type) : type;
}

void refine_nothing(refined_types *types) {
  for (uint32_t i = 0; i < types->node_count; i++) types->types[i] = TYPE_NONE;
}

type_id refined_value(const refined_types *r, value_id value) { return refined_node(r, value); }

type_id refined_result(const refined_types *r, func_id func, uint32_t index) {
  return refined_node(r, r->first_node[func] + index);
}

type_id refined_function(const refined_types *r, func_id func) {
  shape_graph *g = r->graph;
  block_id entry = entry_block(g, func);
  graph_type type = *type_get(&g->types, g->funcs[func].type);
  assert(type.kind == TYPE_FUNCTION && type.split <= type.param_count);
  if (entry == ID_NONE || g->blocks[entry].argument_count != type.split) return g->funcs[func].type;
  type_id *params = arena_alloc(g->arena, (type.param_count + 1) * sizeof *params);
  for (uint32_t i = 0; i < type.param_count; i++) {
    params[i] = i < type.split ? refined_value(r, g->blocks[entry].arguments + i)
                               : refined_result(r, func, i - type.split);
  }
  type.params = params;
  return type_intern(&g->types, &type);
}
