// SPDX-License-Identifier: Apache-2.0
// ONNX operators that move elements: Transpose, Concat, Split, Slice, Pad, Gather.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// Elements of the result by position: at(data, index) is the position in the operand, or -1 where nothing is known.
typedef int64_t position_of(const void *data, const int64_t *index);

static void move_elements(rule_context *c, position_of *at, const void *data) {
  assert(rule_result_count(c));
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t shape[ELEMENTS_MAX_RANK], index[ELEMENTS_MAX_RANK] = {0};
  uint32_t total;
  if (!in->elements || !elements_shape(c, out, shape, &total)) return;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof *elements);
  for (uint32_t i = 0; i < total; i++) {
    int64_t from = at(data, index);
    elements[i] = from < 0 || from >= in->element_count ? TERM_NONE : in->elements[from];
    elements_next(index, shape, out->rank);
  }
  rule_set_elements(c, 0, elements, total);
}

typedef struct permuted {
  uint32_t rank;
  const uint32_t *order;
  int64_t strides[ELEMENTS_MAX_RANK];
} permuted;

static int64_t permuted_position(const void *data, const int64_t *index) {
  const permuted *p = data;
  int64_t at = 0;
  for (uint32_t i = 0; i < p->rank; i++) at += index[i] * p->strides[p->order[i]];
  return at;
}

// ONNX: Transpose: axes reversed where perm is absent.
rule_status rule_onnx_transpose(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *given;
  uint32_t count;
  bool has = rule_ints(c, "perm", &given, &count);
  if (!in->ranked && has) rule_assume_rank(c, 0, count);
  in = rule_operand(c, 0);
  if (!in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  uint32_t *order = arena_alloc(c->arena, (in->rank + 1) * sizeof *order);
  uint8_t *set = arena_zalloc(c->arena, in->rank + 1);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  if (has && count != in->rank) {
    rule_error(c, "attribute-length", "perm has %u entries for an operand of rank %u", count,
               in->rank);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (has && !onnx_axis_set(c, given, count, in->rank, set)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  for (uint32_t i = 0; i < in->rank; i++) {
    order[i] = has ? (uint32_t)(given[i] < 0 ? given[i] + in->rank : given[i]) : in->rank - 1 - i;
    dims[i] = in->dims[order[i]];
  }
  rule_set_dims(c, 0, dims, in->rank);
  permuted p = {.rank = in->rank, .order = order};
  int64_t own[ELEMENTS_MAX_RANK];
  uint32_t total;
  if (in->elements && elements_shape(c, in, own, &total)) {
    elements_strides(own, in->rank, p.strides);
    move_elements(c, permuted_position, &p);
  }
  return RULE_DONE;
}

// Elements of a Concat of vectors (shape computations join vectors only).
static void concat_vectors(rule_context *c) {
  uint64_t total = 0;
  if (!dtype_is_integer(rule_result_dtype(c, 0))) return;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    int64_t size;
    const value_info *v = rule_operand(c, i);
    if (!v->ranked || v->rank != 1 ||
        !term_int_value(c->terms, store_canon(c->store, v->dims[0]), &size) || size < 0)
      return;
    total += (uint64_t)size;
    if (total > VALUE_MAX_ELEMENTS) return;
  }
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof *elements);
  uint32_t used = 0;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    int64_t size;
    term_int_value(c->terms, store_canon(c->store, v->dims[0]), &size);
    for (int64_t k = 0; k < size; k++) {
      bool known = v->elements && v->element_count == size;
      elements[used++] = known ? v->elements[k] : TERM_NONE;
    }
  }
  assert(used == total);
  rule_set_elements(c, 0, elements, used);
}

// ONNX: Concat: dims add up along the axis and agree along all others.
rule_status rule_onnx_concat(rule_context *c) {
  uint32_t count = rule_operand_count(c), rank = 0, axis;
  bool ranked = false;
  for (uint32_t i = 0; i < count && !ranked; i++) {
    ranked = rule_operand(c, i)->ranked;
    rank = rule_operand(c, i)->rank;
  }
  // Before version 4 the axis had a default.
  if (c->graph->onnx_opset >= 4 && rule_attr(c, "axis") == ATTR_NONE)
    rule_error(c, "attribute", "axis is missing: this version needs it");
  if (!ranked || !onnx_axis(c, onnx_int(c, "axis", 1), rank, &axis)) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof *dims);
  term_id *along = arena_alloc(c->arena, (count + 1) * sizeof *along);
  for (uint32_t i = 0; i < count; i++) {
    if (!rule_assume_rank(c, i, rank)) {
      rule_error(c, "rank", "operand #%u has rank %u, another has rank %u", i,
                 rule_operand(c, i)->rank, rank);
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    const value_info *v = rule_operand(c, i);
    along[i] = v->dims[axis];
    for (uint32_t k = 0; k < rank; k++) {
      if (i == 0) dims[k] = v->dims[k];
      if (i && k != axis)
        rule_require_eq(c, dims[k], v->dims[k], "the operands agree along every other axis");
    }
  }
  dims[axis] = term_sum_of(c->terms, along, count);
  rule_set_dims(c, 0, dims, rank);
  concat_vectors(c);
  return RULE_DONE;
}

typedef struct stretch {
  uint32_t rank;
  int64_t start[ELEMENTS_MAX_RANK], step[ELEMENTS_MAX_RANK], strides[ELEMENTS_MAX_RANK];
} stretch;

static int64_t stretch_position(const void *data, const int64_t *index) {
  const stretch *s = data;
  int64_t at = 0;
  for (uint32_t i = 0; i < s->rank; i++)
    at += (s->start[i] + index[i] * s->step[i]) * s->strides[i];
  return at;
}

// One axis of a Slice. ONNX: Slice (10): negative starts and ends count from the end, then both are clamped: to
// 0..size for a positive step, to 0..size-1 and -1..size-1 for a negative one.
typedef struct slice_axis {
  term_id start, end, size;
} slice_axis;

static term_id from_end(rule_context *c, term_id value, term_id size) {
  assert(value != TERM_NONE && size != TERM_NONE);
  term_id shifted = term_add(c->terms, value, size);
  if (math_is_nonnegative(c, value)) return value;
  if (store_known(c->store, predicate_make(REL_LT, value, TERM_ZERO))) return shifted;
  term_id negative = math_compare(c, COMPARE_LT, value, TERM_ZERO);
  return negative == TERM_NONE ? TERM_NONE : math_select(c, negative, shifted, value);
}

enum { BOUND_STEPS = 6, BOUND_BITS = 1024 };

// Whether a <= b follows when each quotient is put at its bound: x/m - (m-1)/m <= floordiv(x, m) <= x/m. That a padded
// size, rounded up to whole windows, holds what was padded needs this.
static bool not_above(rule_context *c, term_id a, term_id b) {
  term_id d = store_canon(c->store, term_sub(c->terms, a, b));
  shape_budget *budget = c->terms->budget;
  num scale = NUM(1);
  for (uint32_t step = 0; step < BOUND_STEPS; step++) {
    const term_part *parts;
    term_part room, found = {.monomial = TERM_NONE};
    num m = NUM(0);
    uint32_t count = term_parts(c->terms, d, &parts, &room);
    for (uint32_t i = 0; i < count && found.monomial == TERM_NONE; i++) {
      const term_node *node = term_get(c->terms, parts[i].monomial);
      if (node->kind == TERM_FLOORDIV && term_const_value(c->terms, node->as.args[1], &m) &&
          num_sign(m) > 0)
        found = parts[i];
    }
    if (found.monomial == TERM_NONE) break;
    if (num_bits(scale) + num_bits(m) > BOUND_BITS) return false;
    scale = num_mul(budget, scale, m);
    term_id x = term_get(c->terms, found.monomial)->as.args[0];
    term_id part = term_scale(c->terms, found.monomial, found.coefficient);
    if (num_sign(found.coefficient) < 0)
      x = term_sub(c->terms, x, term_const(c->terms, num_sub(budget, m, NUM(1))));
    x = term_scale(c->terms, x, found.coefficient);
    d = term_add(c->terms, term_scale(c->terms, term_sub(c->terms, d, part), m), x);
  }
  interval range = store_range(c->store, d);
  return range.has_hi && num_compare(range.hi, scale) < 0;
}

static term_id clamped(rule_context *c, term_id value, term_id low, term_id high) {
  if (value == TERM_NONE) return TERM_NONE;
  value = math_max(c, value, low);
  return value != high && not_above(c, value, high) ? value : math_min(c, value, high);
}

static bool slice_one(rule_context *c, term_id size, term_id start, term_id end, int64_t step,
                      slice_axis *out) {
  assert(step != 0);
  term_id last = term_sub(c->terms, size, TERM_ONE), minus = term_int(c->terms, -1);
  int64_t limit;
  if (step > 0) {
    out->start = clamped(c, from_end(c, start, size), TERM_ZERO, size);
    // "To the end" is written as a huge number.
    bool all = term_int_value(c->terms, end, &limit) && limit >= INT32_MAX;
    out->end = all ? size : clamped(c, from_end(c, end, size), TERM_ZERO, size);
  } else {
    out->start = clamped(c, from_end(c, start, size), TERM_ZERO, last);
    bool all = term_int_value(c->terms, end, &limit) && limit <= -INT32_MAX;
    out->end = all ? minus : clamped(c, from_end(c, end, size), minus, last);
  }
  if (out->start == TERM_NONE || out->end == TERM_NONE) return false;
  term_id way = step > 0 ? term_sub(c->terms, out->end, out->start)
                         : term_sub(c->terms, out->start, out->end);
  int64_t pace = step > 0 ? step : step == INT64_MIN ? INT64_MAX : -step;
  term_id count = term_ceildiv(c->terms, way, term_int(c->terms, pace));
  out->size = math_max(c, store_canon(c->store, count), TERM_ZERO);
  return true;
}

typedef struct slice_plan {
  const term_id *starts, *ends;
  const int64_t *axes, *steps;  // NULL: the first axes, step 1; a step of 0: it is not known
  uint32_t count;
} slice_plan;

static const term_id *attribute_terms(rule_context *c, const char *name, uint32_t *count) {
  const int64_t *values;
  if (!rule_ints(c, name, &values, count)) return NULL;
  term_id *out = arena_alloc(c->arena, (*count + 1) * sizeof *out);
  for (uint32_t i = 0; i < *count; i++) out[i] = rule_int_term(c, values[i]);
  return out;
}

// Starts, ends, axes and steps have one entry for each axis that is cut.
static bool same_length(rule_context *c, const char *name, uint32_t count, uint32_t starts) {
  if (count == starts) return true;
  rule_error(c, "attribute-length", "there are %u %s for %u starts", count, name, starts);
  return false;
}

// `open`: an element that is not known may be there, as 0; else it makes the answer false.
static bool constants_of(rule_context *c, uint32_t operand, const char *name, uint32_t count,
                         bool open, const int64_t **out) {
  uint32_t n;
  *out = NULL;
  if (!onnx_has(c, operand)) return true;
  const term_id *e = rule_elements(c, operand, &n);
  if (!e || !same_length(c, name, n, count)) return false;
  int64_t *values = arena_alloc(c->arena, (n + 1) * sizeof *values);
  for (uint32_t i = 0; i < n; i++) {
    bool known =
        e[i] != TERM_NONE && term_int_value(c->terms, store_canon(c->store, e[i]), &values[i]);
    if (known && open && !values[i]) rule_error(c, "attribute", "entry %u of %s is 0", i, name);
    if (!known && !open) return false;
    if (!known) values[i] = 0;
  }
  *out = values;
  return true;
}

// False when an axis is not a constant: then any axis may be cut.
static bool read_slice(rule_context *c, slice_plan *plan) {
  uint32_t ends;
  *plan = (slice_plan){0};
  if (c->row->param == FORM_STATIC) {
    plan->starts = attribute_terms(c, "starts", &plan->count);
    plan->ends = attribute_terms(c, "ends", &ends);
    uint32_t axes = plan->count;
    if (rule_attr(c, "axes") != ATTR_NONE && !rule_ints(c, "axes", &plan->axes, &axes))
      return false;
    return plan->starts && plan->ends && same_length(c, "ends", ends, plan->count) &&
           same_length(c, "axes", axes, plan->count);
  }
  plan->starts = rule_size_elements(c, 1, &plan->count);
  plan->ends = rule_size_elements(c, 2, &ends);
  return plan->starts && plan->ends && same_length(c, "ends", ends, plan->count) &&
         constants_of(c, 3, "axes", plan->count, false, &plan->axes) &&
         constants_of(c, 4, "steps", plan->count, true, &plan->steps);
}

// What starts, ends, axes and steps require beyond what read_slice found: they are operands and not all constants.
static void require_slice(rule_context *c, uint32_t rank) {
  static const char LENGTH[] = "starts, ends, axes and steps have one length";
  term_id length = onnx_vector_length(c, 1);
  for (uint32_t i = 2; i <= 4; i++) {
    int64_t a, b;
    term_id other = onnx_has(c, i) ? onnx_vector_length(c, i) : length;
    bool reported = length != TERM_NONE && other != TERM_NONE &&
                    term_int_value(c->terms, length, &a) && term_int_value(c->terms, other, &b);
    if (!reported && length != TERM_NONE && other != TERM_NONE)
      rule_require_eq(c, length, other, LENGTH);
  }
  if (length != TERM_NONE)
    rule_require(c, predicate_make(REL_LE, length, rule_int_term(c, rank)),
                 "there is an axis for each start");
  const int64_t *axes;
  uint32_t count;
  if (onnx_has(c, 3) && !onnx_axes(c, 3, &axes, &count)) onnx_require_axes(c, 3, rank);
  if (onnx_has(c, 4)) onnx_require_not_zero(c, 4, "a step is not 0");
}

// A size that was cut to an unknown degree: at most what it was.
static term_id cut_size(rule_context *c, uint32_t axis, term_id size) {
  const value_info *old = rule_value(c, graph_result(c->graph, c->op, 0));
  if (old->visited && old->ranked && axis < old->rank) return old->dims[axis];
  term_id fresh = rule_fresh_size(c);
  rule_fact(c, predicate_make(REL_LE, fresh, size), "a slice is not longer than its operand");
  return fresh;
}

rule_status rule_onnx_slice(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  slice_plan plan;
  if (!in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  bool known = read_slice(c, &plan), all = true;
  for (uint32_t k = 0; known && plan.steps && k < plan.count; k++) all = all && plan.steps[k];
  if ((!known || !all) && c->row->param == FORM_DYNAMIC) require_slice(c, in->rank);
  all = true;
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  uint8_t *cut_once = arena_zalloc(c->arena, in->rank + 1);
  stretch positions = {.rank = in->rank};
  bool constant = known && in->rank <= ELEMENTS_MAX_RANK;
  for (uint32_t i = 0; i < in->rank; i++) {
    dims[i] = known ? in->dims[i] : cut_size(c, i, in->dims[i]);
    if (i < ELEMENTS_MAX_RANK) positions.step[i] = 1;
  }
  for (uint32_t k = 0; known && k < plan.count; k++) {
    uint32_t axis;
    slice_axis cut = {0};
    int64_t step = plan.steps ? plan.steps[k] : 1;
    if (!onnx_axis(c, plan.axes ? plan.axes[k] : k, in->rank, &axis)) {
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    if (cut_once[axis]++) rule_error(c, "axis", "axis %u is given twice", axis);
    term_id start = plan.starts[k], end = plan.ends[k],
            size = store_canon(c->store, in->dims[axis]);
    bool fine = step && start != TERM_NONE && end != TERM_NONE;
    if (fine) {
      end = store_canon(c->store, end);
      fine = slice_one(c, size, store_canon(c->store, start), end, step, &cut);
    }
    dims[axis] = fine ? cut.size : cut_size(c, axis, size);
    all = all && fine;
    if (axis < ELEMENTS_MAX_RANK) positions.step[axis] = step;
    constant = constant && fine && axis < ELEMENTS_MAX_RANK && step > -INT32_MAX &&
               step < INT32_MAX &&
               term_int_value(c->terms, store_canon(c->store, cut.start), &positions.start[axis]);
  }
  rule_set_dims(c, 0, dims, in->rank);
  int64_t own[ELEMENTS_MAX_RANK];
  uint32_t total;
  if (constant && in->elements && elements_shape(c, in, own, &total)) {
    elements_strides(own, in->rank, positions.strides);
    move_elements(c, stretch_position, &positions);
  }
  return known && all ? RULE_DONE : RULE_AGAIN;
}

// Elements of a Gather along axis 0 of a vector with constant indices: Shape, then Gather.
static void gather_vector(rule_context *c) {
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  int64_t index;
  if (!in->elements || in->rank != 1 || !at->elements) return;
  term_id *elements = arena_alloc(c->arena, (at->element_count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < at->element_count; i++) {
    elements[i] = TERM_NONE;
    if (at->elements[i] == TERM_NONE ||
        !term_int_value(c->terms, store_canon(c->store, at->elements[i]), &index))
      continue;
    if (index < 0) index += in->element_count;
    if (index >= 0 && index < in->element_count) elements[i] = in->elements[index];
  }
  rule_set_elements(c, 0, elements, at->element_count);
}

// ONNX: Gather: data.shape[:axis] + indices.shape + data.shape[axis+1:].
rule_status rule_onnx_gather(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *at = rule_operand(c, 1);
  uint32_t axis, used = 0;
  if (!in->ranked || !at->ranked || !onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  uint32_t rank = in->rank - 1 + at->rank;
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < axis; i++) dims[used++] = in->dims[i];
  for (uint32_t i = 0; i < at->rank; i++) dims[used++] = at->dims[i];
  for (uint32_t i = axis + 1; i < in->rank; i++) dims[used++] = in->dims[i];
  assert(used == rank);
  rule_set_dims(c, 0, dims, rank);
  onnx_require_indices(c, at, 0, 1, in->dims[axis], "an index is within the axis");
  gather_vector(c);
  return RULE_DONE;
}

// Dims of the parts from the operand or attribute `split`; NULL when they are not said.
static const term_id *split_sizes(rule_context *c, uint32_t *count) {
  if (c->row->param == FORM_DYNAMIC) return onnx_has(c, 1) ? rule_size_elements(c, 1, count) : NULL;
  return rule_attr(c, "split") == ATTR_NONE ? NULL : attribute_terms(c, "split", count);
}

// ONNX: Split (18): the dims or the number of parts, one of the two. Exporters leave both out: runtimes then take the number
// of results.
static void check_split_form(rule_context *c, uint32_t parts) {
  if (rule_attr(c, "num_outputs") != ATTR_NONE && onnx_has(c, 1))
    rule_error(c, "attribute", "split and num_outputs are both given: leave one out");
  int64_t count = onnx_int(c, "num_outputs", parts);
  if (count != parts)
    rule_error(c, "attribute", "num_outputs is %lld, there are %u results", (long long)count,
               parts);
}

// ONNX: Split (2: equal parts; 18: num_outputs, the last part may be smaller).
rule_status rule_onnx_split(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  uint32_t axis, parts = rule_result_count(c), count = 0;
  if (!in->ranked || !parts || !onnx_axis(c, onnx_int(c, "axis", 0), in->rank, &axis)) {
    for (uint32_t i = 0; i < parts; i++) rule_set_unknown(c, i);
    return RULE_AGAIN;
  }
  assert(axis < in->rank);
  term_id size = in->dims[axis], n = rule_int_term(c, parts), each = TERM_NONE;
  const term_id *sizes = split_sizes(c, &count);
  // A split that is not known: any dims that make up the axis.
  if (!sizes && c->row->param == FORM_DYNAMIC && onnx_has(c, 1)) {
    term_id *fresh = arena_alloc(c->arena, (parts + 1) * sizeof *fresh);
    for (uint32_t i = 0; i < parts; i++) {
      const value_info *old = rule_value(c, graph_result(c->graph, c->op, i));
      bool again = old->visited && old->ranked && old->rank == in->rank;
      fresh[i] = again ? old->dims[axis] : rule_fresh_size(c);
    }
    sizes = fresh;
    count = parts;
    onnx_require_length(c, 1, n, "there is a dim for each part");
    rule_unchecked(c, "the parts make up the operand", ONNX_NO_VALUES);
  }
  bool uneven = c->row->since >= 18 && !onnx_has(c, 1);
  if (c->row->since >= 18) check_split_form(c, parts);
  if (sizes && count != parts) {
    rule_error(c, "attribute-length", "split has %u entries for %u results", count, parts);
    sizes = NULL;
  }
  if (sizes) {
    sizes = elements_as_sizes(c, sizes, count, "a part's dim is >= 0");
    rule_require_eq(c, term_sum_of(c->terms, sizes, count), size, "the parts make up the operand");
  } else if (uneven) {
    each = term_ceildiv(c->terms, size, n);
    term_id last = term_sub(c->terms, size, term_scale(c->terms, each, NUM((int64_t)parts - 1)));
    rule_require(c, predicate_make(REL_GE, last, TERM_ZERO), "the last part's dim is >= 0");
  } else {
    rule_require(c, predicate_make(REL_DIVISIBLE, size, n), "the axis splits into equal parts");
    each = term_floordiv(c->terms, store_canon(c->store, size), n);
  }
  for (uint32_t i = 0; i < parts; i++) {
    term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
    for (uint32_t k = 0; k < in->rank; k++) dims[k] = in->dims[k];
    dims[axis] = sizes ? sizes[i] : each;
    if (!sizes && uneven && i + 1 == parts)
      dims[axis] = term_sub(c->terms, size, term_scale(c->terms, each, NUM((int64_t)parts - 1)));
    rule_set_dims(c, i, dims, in->rank);
  }
  return RULE_DONE;
}

// Pads that are not known, or not to which axes they belong.
static void require_pads(rule_context *c, bool chosen) {
  const value_info *in = rule_operand(c, 0);
  term_id axes = chosen       ? onnx_vector_length(c, 3)
                 : in->ranked ? rule_int_term(c, in->rank)
                              : TERM_NONE;
  const value_info *pads = rule_operand(c, 1);
  bool row = pads->ranked && pads->rank == 2;  // one row, as com.microsoft takes them too
  term_id both = axes == TERM_NONE ? TERM_NONE : term_scale(c->terms, axes, NUM(2));
  if (row && both != TERM_NONE)
    rule_require_eq(c, pads->dims[1], both, "there are two pads for each axis");
  else if (both != TERM_NONE)
    onnx_require_length(c, 1, both, "there are two pads for each axis");
  if (chosen && in->ranked) onnx_require_axes(c, 3, in->rank);
  rule_unchecked(c, "a padded dim is >= 0", ONNX_NO_VALUES);
}

// Modes that repeat elements need one where something is added.
static void require_repeated(rule_context *c, term_id size, term_id low, term_id high) {
  static const char SOME[] = "there is an element to repeat";
  const predicate some = predicate_make(REL_GE, size, TERM_ONE);
  if (onnx_text_is(c, "mode", "constant", "constant")) return;
  shape_answer no_low = store_holds(c->store, predicate_make(REL_LE, low, TERM_ZERO)),
               no_high = store_holds(c->store, predicate_make(REL_LE, high, TERM_ZERO));
  if (no_low == SHAPE_NO || no_high == SHAPE_NO)
    rule_require(c, some, SOME);
  else if ((no_low != SHAPE_YES || no_high != SHAPE_YES) &&
           store_holds(c->store, some) != SHAPE_YES)
    rule_unchecked(c, SOME, ONNX_NO_VALUES);
}

// ONNX: Pad (11: pads is an operand; 18: axes). Each axis: low + size + high.
rule_status rule_onnx_pad(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *axes = NULL;
  uint32_t count;
  const term_id *pads;
  if (c->row->param == FORM_STATIC) {
    pads = attribute_terms(c, rule_attr(c, "pads") == ATTR_NONE ? "paddings" : "pads", &count);
  } else {
    pads = rule_size_elements(c, 1, &count);
  }
  if (pads && !in->ranked && !onnx_has(c, 3)) rule_assume_rank(c, 0, count / 2);
  in = rule_operand(c, 0);
  uint32_t axis_count = in->rank;
  bool chosen = onnx_has(c, 3);
  if (!in->ranked || !pads || (chosen && !onnx_axes(c, 3, &axes, &axis_count))) {
    require_pads(c, chosen);
    if (!in->ranked) return onnx_unknown(c);
    term_id *kept = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof *kept);
    for (uint32_t i = 0; i < in->rank; i++) kept[i] = onnx_kept_size(c, 0, in->rank, i);
    rule_set_dims(c, 0, kept, in->rank);
    return RULE_AGAIN;
  }
  if (count != 2 * axis_count) {
    rule_error(c, "attribute-length", "pads has %u entries for %u axes", count, axis_count);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = in->dims[i];
  for (uint32_t k = 0; k < axis_count; k++) {
    uint32_t axis;
    if (!onnx_axis(c, axes ? axes[k] : k, in->rank, &axis)) continue;
    term_id low = pads[k], high = pads[axis_count + k];
    if (low == TERM_NONE || high == TERM_NONE) {
      dims[axis] = rule_fresh_size(c);
      rule_unchecked(c, "a padded dim is >= 0", ONNX_NO_VALUES);
      continue;
    }
    require_repeated(c, in->dims[axis], low, high);
    dims[axis] = term_add(c->terms, in->dims[axis], term_add(c->terms, low, high));
    rule_require(c, predicate_make(REL_GE, dims[axis], TERM_ZERO), "a padded dim is >= 0");
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}
