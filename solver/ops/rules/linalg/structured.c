// SPDX-License-Identifier: Apache-2.0
// Structured operations of linalg: a loop nest with one affine map for each operand (LinalgInterfaces.td, LinalgOps.td).
//
// An axis whose map result is a loop alone has the extent of that loop; all such axes of one loop are equal. Of any other
// result the largest index is inside of the axis, where no loop has extent 0: with all loops L and the largest index i,
// min(1, L...) * (i + 1) <= N. Results are as the destinations (`outs`), which are operands with maps too.
// Named operations have their maps in linalg_maps.def, by letters.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

typedef struct named_maps {
  const char *name, *maps;
} named_maps;

static const named_maps NAMED[] = {
#define X(name, maps) {name, maps},
#include "solver/ops/rules/linalg/linalg_maps.def"
#undef X
};

enum { OPERANDS_MAX = 64 };

typedef struct structured {
  rule_context *c;
  op_id op;
  uint32_t ins, outs;  // operands, and how many of them come last as destinations
  affine_map maps[OPERANDS_MAX];
  term_id extents[AFFINE_MAX_INPUTS];
  uint32_t loops;
  bool any_rank;  // the map of each operand that is no scalar is the identity
} structured;

static bool count_operands(rule_context *c, op_id op, structured *s) {
  const shape_graph *g = c->graph;
  const graph_op *o = &g->ops[op];
  const int64_t *sizes;
  uint32_t count;
  attr_id segments = graph_attr_named(g, op, "operandSegmentSizes");
  if (segments != ATTR_NONE && graph_attr_ints(g, segments, &sizes, &count) && count == 2 &&
      sizes[0] >= 0 && sizes[1] >= 0 && sizes[0] + sizes[1] == o->operand_count) {
    s->ins = (uint32_t)sizes[0];
    s->outs = (uint32_t)sizes[1];
  } else {
    s->outs = o->result_count && o->result_count <= o->operand_count ? o->result_count : 1;
    if (s->outs > o->operand_count) return false;
    s->ins = o->operand_count - s->outs;
  }
  return s->ins + s->outs <= OPERANDS_MAX;
}

static bool maps_of_attribute(rule_context *c, structured *s, attr_id list) {
  uint32_t count;
  const attr_id *items = attr_items(graph_attr_get(c->graph, list), &count);
  if (!items || count != s->ins + s->outs) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!affine_map_read(c, items[i], &s->maps[i]) || s->maps[i].is_set) return false;
    if (s->maps[i].inputs != s->maps[0].inputs) return false;
  }
  s->loops = s->maps[0].inputs;
  return true;
}

static const char *maps_of_name(const char *name) {
  uint32_t low = 0, high = sizeof NAMED / sizeof *NAMED;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    int order = strcmp(name, NAMED[middle].name);
    if (order == 0) return NAMED[middle].maps;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

// "mk,kn,mn"; `=` is an operation whose operands have one shape.
static bool maps_of_letters(rule_context *c, structured *s, const char *maps) {
  affine_letters letters = {0};
  uint32_t i = 0;
  attr_id strides = graph_attr_named(c->graph, s->op, "strides"),
          dilations = graph_attr_named(c->graph, s->op, "dilations");
  if (strides != ATTR_NONE)
    graph_attr_ints(c->graph, strides, &letters.strides, &letters.stride_count);
  if (dilations != ATTR_NONE)
    graph_attr_ints(c->graph, dilations, &letters.dilations, &letters.dilation_count);
  for (;; maps++, i++) {
    size_t length = strcspn(maps, ",");
    if (i >= s->ins + s->outs ||
        !affine_map_of_letters(c, &letters, maps, (uint32_t)length, &s->maps[i]))
      return false;
    maps += length;
    if (!*maps) break;
  }
  s->loops = letters.count;
  return i + 1 == s->ins + s->outs;
}

static bool find_maps(rule_context *c, structured *s) {
  attr_id list = graph_attr_named(c->graph, s->op, "indexing_maps");
  if (list != ATTR_NONE) return maps_of_attribute(c, s, list);
  const char *maps = maps_of_name(graph_op_name(c->graph, s->op));
  s->any_rank = maps && *maps == '=';
  return s->any_rank || (maps && maps_of_letters(c, s, maps));
}

static const value_info *operand_of(const structured *s, uint32_t i) {
  return rule_value(s->c, graph_operand(s->c->graph, s->op, i));
}

static bool is_scalar(const structured *s, uint32_t i) {
  const graph_type *t = graph_value_type(s->c->graph, graph_operand(s->c->graph, s->op, i));
  return !t || (t->kind != TYPE_TENSOR && t->kind != TYPE_UNRANKED);
}

// Loops take the dims of the axes that they are; `state` says that these are equal too.
static void bind_loops(structured *s, bool state) {
  rule_context *c = s->c;
  for (uint32_t k = 0; k < s->loops; k++) s->extents[k] = TERM_NONE;
  for (uint32_t i = 0; i < s->ins + s->outs; i++) {
    const value_info *v = operand_of(s, i);
    const affine_map *m = &s->maps[i];
    if (!v->ranked || is_scalar(s, i) || v->rank != m->result_count) continue;
    for (uint32_t axis = 0; axis < v->rank; axis++) {
      uint32_t loop = affine_input(m, axis);
      if (loop == ID_NONE || loop >= s->loops) continue;
      if (s->extents[loop] == TERM_NONE) {
        s->extents[loop] = v->dims[axis];
      } else if (state) {
        rule_require_eq(c, s->extents[loop], v->dims[axis],
                        "operands have the extent of the loop that they share");
      }
    }
  }
}

// 1 where every loop runs, else 0: TERM_ONE where that is known.
static term_id all_run(structured *s) {
  rule_context *c = s->c;
  term_id least = TERM_ONE;
  for (uint32_t k = 0; k < s->loops; k++) {
    if (s->extents[k] == TERM_NONE) return TERM_NONE;
    if (!math_is_positive(c, s->extents[k])) least = term_min(c->terms, least, s->extents[k]);
  }
  return least;
}

static const char INSIDE[] = "the largest index of a loop nest is inside of its operands";

static void require_inside(structured *s) {
  rule_context *c = s->c;
  term_id run = TERM_NONE;
  for (uint32_t i = 0; i < s->ins + s->outs; i++) {
    const value_info *v = operand_of(s, i);
    const affine_map *m = &s->maps[i];
    if (!v->ranked || is_scalar(s, i) || v->rank != m->result_count) continue;
    for (uint32_t axis = 0; axis < v->rank; axis++) {
      if (affine_input(m, axis) != ID_NONE) continue;
      term_id last = affine_largest(c, m, axis, s->extents);
      if (run == TERM_NONE) run = all_run(s);
      if (last == TERM_NONE || run == TERM_NONE) {
        rule_unchecked(c, INSIDE, "what the largest index is is not known");
        continue;
      }
      term_id end = term_mul(c->terms, run, term_add(c->terms, last, TERM_ONE));
      rule_require(c, predicate_make(REL_LE, end, v->dims[axis]), INSIDE);
    }
  }
}

static void check_ranks(structured *s) {
  for (uint32_t i = 0; i < s->ins + s->outs; i++) {
    const value_info *v = operand_of(s, i);
    if (v->ranked && !is_scalar(s, i) && v->rank != s->maps[i].result_count)
      rule_error(s->c, "rank", "operand #%u has rank %u, its map has %u results", i, v->rank,
                 s->maps[i].result_count);
  }
}

// Operations whose operands all have the shape of the destinations; scalars are for all elements.
static void require_same(structured *s) {
  uint32_t first = ID_NONE, count = s->ins + s->outs;
  for (uint32_t i = 0; i < count; i++) {
    if (is_scalar(s, i) || !operand_of(s, i)->ranked) continue;
    if (first == ID_NONE)
      first = i;
    else
      rule_require_same_shape(s->c, first, i, "operands and destinations have one shape");
  }
}

static void set_results(structured *s) {
  rule_context *c = s->c;
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    uint32_t from = s->ins + i;
    if (from < rule_operand_count(c)) {
      rule_set_dims_like(c, i, rule_operand(c, from));
    } else {
      rule_set_unknown(c, i);
    }
  }
}

rule_status rule_structured(rule_context *c) {
  structured s = {.c = c, .op = c->op};
  if (!count_operands(c, c->op, &s)) {
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return RULE_DONE;
  }
  if (!find_maps(c, &s)) {
    rule_unchecked(c, "operands agree", "the maps of the operation are not known");
  } else if (s.any_rank) {
    require_same(&s);
  } else {
    check_ranks(&s);
    bind_loops(&s, true);
    require_inside(&s);
  }
  set_results(&s);
  return RULE_DONE;
}

// The extent of a loop of the structured operation `op`, without any fact stated; TERM_NONE: not known.
static term_id structured_extent(rule_context *c, op_id op, uint32_t loop, uint32_t *loops) {
  structured s = {.c = c, .op = op};
  if (!count_operands(c, op, &s) || !find_maps(c, &s)) return TERM_NONE;
  if (s.any_rank) {
    const value_info *v = s.outs ? operand_of(&s, s.ins) : NULL;
    return v && v->ranked && loop < v->rank ? v->dims[loop] : TERM_NONE;
  }
  bind_loops(&s, false);
  *loops = s.loops;
  return loop < s.loops ? s.extents[loop] : TERM_NONE;
}

// linalg.index k is in [0, extent of loop k - 1].
rule_status rule_linalg_index(rule_context *c) {
  int64_t loop = -1;
  linalg_set_scalar(c, 0, TERM_NONE);
  const graph_op *o = &c->graph->ops[c->op];
  op_id outer = c->graph->regions[c->graph->blocks[o->parent].region].op;
  if (!rule_int(c, "dim", &loop) || loop < 0 || outer == ID_NONE) return RULE_DONE;
  uint32_t loops = ID_NONE;
  term_id extent = structured_extent(c, outer, (uint32_t)loop, &loops);
  if (loops != ID_NONE && loop >= (int64_t)loops)
    rule_error(c, "axis", "%lld is no loop of %u", (long long)loop, loops);
  uint32_t count;
  const value_info *v = rule_value(c, graph_result(c->graph, c->op, 0));
  const term_id *e = v->elements;
  count = v->element_count;
  if (!e || count != 1) return RULE_DONE;
  rule_fact(c, predicate_make(REL_GE, e[0], TERM_ZERO), "an index of a loop");
  if (extent != TERM_NONE) rule_fact(c, predicate_make(REL_LT, e[0], extent), "an index of a loop");
  return RULE_DONE;
}

// --- operations whose maps come from a list of axes

static bool two_parts(rule_context *c, const char *name, const int64_t **axes, uint32_t *count) {
  if (rule_operand_count(c) < 2 || !rule_ints(c, name, axes, count)) return false;
  return true;
}

static void results_of_last(rule_context *c) {
  uint32_t first = rule_operand_count(c) - rule_result_count(c);
  for (uint32_t i = 0; i < rule_result_count(c) && rule_result_count(c) <= rule_operand_count(c);
       i++)
    rule_set_dims_like(c, i, rule_operand(c, first + i));
}

static bool has_axis(const int64_t *axes, uint32_t count, uint32_t axis) {
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] == (int64_t)axis) return true;
  }
  return false;
}

// `small` is `large` without the axes of the list.
static void require_without(rule_context *c, const value_info *large, const value_info *small,
                            const int64_t *axes, uint32_t count, const char *what) {
  if (!large->ranked || !small->ranked) return;
  if (small->rank + count != large->rank) {
    rule_error(c, "rank", "ranks %u and %u differ by other than the %u dimensions", large->rank,
               small->rank, count);
    return;
  }
  for (uint32_t axis = 0, k = 0; axis < large->rank && k < small->rank; axis++) {
    if (!has_axis(axes, count, axis)) rule_require_eq(c, large->dims[axis], small->dims[k++], what);
  }
}

static bool axes_fit(rule_context *c, const int64_t *axes, uint32_t count, const value_info *v) {
  for (uint32_t i = 0; v->ranked && i < count; i++) {
    if (axes[i] >= 0 && axes[i] < (int64_t)v->rank && !has_axis(axes, i, (uint32_t)axes[i]))
      continue;
    rule_error(c, "axis", "dimension %lld is no axis of rank %u, or is there twice",
               (long long)axes[i], v->rank);
    return false;
  }
  return true;
}

rule_status rule_linalg_broadcast(rule_context *c) {
  const int64_t *axes;
  uint32_t count;
  if (two_parts(c, "dimensions", &axes, &count) && axes_fit(c, axes, count, rule_operand(c, 1)))
    require_without(c, rule_operand(c, 1), rule_operand(c, 0), axes, count,
                    "a broadcast keeps the dims of its input");
  results_of_last(c);
  return RULE_DONE;
}

rule_status rule_linalg_transpose(rule_context *c) {
  const int64_t *axes;
  uint32_t count;
  const value_info *in = rule_operand(c, 0), *out = rule_operand(c, 1);
  if (two_parts(c, "permutation", &axes, &count) && in->ranked && out->ranked) {
    if (in->rank != count || out->rank != count) {
      rule_error(c, "rank", "a permutation of %u axes for ranks %u and %u", count, in->rank,
                 out->rank);
    } else if (axes_fit(c, axes, count, in)) {
      for (uint32_t i = 0; i < count; i++)
        rule_require_eq(c, out->dims[i], in->dims[axes[i]], "a transposition moves dims");
    }
  }
  results_of_last(c);
  return RULE_DONE;
}

rule_status rule_linalg_reduce(rule_context *c) {
  const int64_t *axes;
  uint32_t count, n = rule_operand_count(c) / 2;
  bool known = rule_ints(c, "dimensions", &axes, &count);
  for (uint32_t i = 0; known && i < n; i++) {
    if (i) rule_require_same_shape(c, 0, i, "the inputs of a reduction have one shape");
    if (i) rule_require_same_shape(c, n, n + i, "the results of a reduction have one shape");
    if (axes_fit(c, axes, count, rule_operand(c, i)))
      require_without(c, rule_operand(c, i), rule_operand(c, n + i), axes, count,
                      "a reduction keeps the other dims");
  }
  results_of_last(c);
  return RULE_DONE;
}
