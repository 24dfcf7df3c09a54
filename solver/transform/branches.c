// SPDX-License-Identifier: Apache-2.0
// What branches yield must fit together: StableHLO asks that the types of all branches, and those of the results, are
// compatible. A branch that never runs may have a size of its own all the same; it stays `?` in the text then. So with loops.
#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/transform/types.h"

typedef struct yielded {
  refined_types *types;
  op_id op;
  uint32_t result, axis;
  int64_t wanted;  // the size that the text may have there; DIM_DYNAMIC: none yet
} yielded;

static int64_t size_of(const yielded *y, value_id value) {
  type_id id = value == VALUE_NONE ? TYPE_NONE : refined_value(y->types, value);
  if (id == TYPE_NONE) return DIM_DYNAMIC;
  const graph_type *type = type_get(&y->types->graph->types, id);
  bool has =
      type->kind == TYPE_TENSOR && y->axis < type->rank && dim_is_static(type->dims[y->axis]);
  return has ? type->dims[y->axis] : DIM_DYNAMIC;
}

static bool is_free(const yielded *y, value_id value) {
  const graph_type *was = graph_value_type(y->types->graph, value);
  uint32_t root = refined_class(y->types, value);
  bool written = was && was->kind == TYPE_TENSOR && dim_is_static(was->dims[y->axis]);
  return !written && !y->types->pinned[root] && y->types->types[root] != TYPE_NONE;
}

static void widen(const yielded *y, value_id value) {
  type_table *types = &y->types->graph->types;
  uint32_t root = refined_class(y->types, value);
  const graph_type type = *type_get(types, y->types->types[root]);
  assert(y->axis < type.rank);
  int64_t *dims = arena_alloc(y->types->graph->arena, (type.rank + 1) * sizeof *dims);
  memcpy(dims, type.dims, type.rank * sizeof *dims);
  dims[y->axis] = DIM_DYNAMIC;
  y->types->types[root] = type_with_dims(types, y->types->types[root], dims,
                                         type.has_bounds ? type.bounds : NULL, type.rank);
}

// The value that a region yields as this result.
static value_id yields(const yielded *y, uint32_t region) {
  assert(region < y->types->graph->ops[y->op].region_count);
  const shape_graph *g = y->types->graph;
  const graph_region *r = &g->regions[g->ops[y->op].regions + region];
  op_id end = r->block_count ? graph_terminator(g, r->first_block) : ID_NONE;
  return end == ID_NONE ? VALUE_NONE : graph_operand(g, end, y->result);
}

// Dims that cannot change come first, then that of the result, then those of branches in order.
static void choose(yielded *y) {
  const graph_op *o = &y->types->graph->ops[y->op];
  value_id result = o->results + y->result;
  y->wanted = DIM_DYNAMIC;
  for (int free = 0; free < 2; free++) {
    if (y->wanted == DIM_DYNAMIC && is_free(y, result) == free) y->wanted = size_of(y, result);
    for (uint32_t k = 0; k < o->region_count && y->wanted == DIM_DYNAMIC; k++) {
      value_id value = yields(y, k);
      if (value != VALUE_NONE && is_free(y, value) == free) y->wanted = size_of(y, value);
    }
  }
}

static void fit(yielded *y, value_id value) {
  int64_t size = size_of(y, value);
  if (size != DIM_DYNAMIC && size != y->wanted && is_free(y, value)) widen(y, value);
}

// Whether the analysis knows the size to be that number, whatever the text may say.
static bool is_known(const yielded *y, value_id value, int64_t size) {
  const shape_report *r = y->types->report;
  if (value == VALUE_NONE) return false;
  const report_shape *shape = &r->shapes[r->value_shapes[value]];
  num known;
  return shape->ranked && y->axis < shape->rank && shape->dims[y->axis] != TERM_NONE &&
         report_constant(r, shape->dims[y->axis], &known) && num_is(known, size);
}

// A body that never runs may yield another size than the loop carries; what is carried stays `?` then.
static void fit_loop(yielded *y) {
  const graph_op *o = &y->types->graph->ops[y->op];
  value_id result = o->results + y->result, back = yields(y, o->region_count - 1);
  int64_t carried = size_of(y, result);
  if (carried == DIM_DYNAMIC || size_of(y, back) == carried || is_known(y, back, carried)) return;
  if (is_free(y, result)) {
    widen(y, result);
  } else if (size_of(y, back) != DIM_DYNAMIC && is_free(y, back)) {
    widen(y, back);
  }
}

static void fit_branches(yielded *y) {
  const graph_op *o = &y->types->graph->ops[y->op];
  choose(y);
  fit(y, o->results + y->result);
  for (uint32_t k = 0; k < o->region_count; k++) fit(y, yields(y, k));
}

void refine_branches(refined_types *types) {
  const shape_graph *g = types->graph;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    uint32_t traits = o->region_count > 1 ? traits_of(g, op) : TRAIT_NONE;
    bool loop = traits & TRAIT_LOOP;
    if (!loop && !(traits & TRAIT_BRANCHES)) continue;
    for (uint32_t i = 0; i < o->result_count; i++) {
      const graph_type *type = graph_value_type(g, o->results + i);
      for (uint32_t axis = 0; type && type->kind == TYPE_TENSOR && axis < type->rank; axis++) {
        yielded y = {types, op, i, axis, DIM_DYNAMIC};
        (loop ? fit_loop : fit_branches)(&y);
      }
    }
  }
}
