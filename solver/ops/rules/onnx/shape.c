// SPDX-License-Identifier: Apache-2.0
// ONNX operators that read shapes, or make shapes of values: Shape, Size, Reshape, Flatten, Squeeze, Unsqueeze, Expand,
// ConstantOfShape, Range, Tile.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

static term_id product(rule_context *c, const term_id *dims, uint32_t count) {
  return term_product_of(c->terms, dims, count);
}

static const char SAME_ELEMENTS[] = "the number of elements stays the same";

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

// ONNX: Shape (15: start and end count from the end where negative, and are clamped).
rule_status rule_onnx_shape_of(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) {
    term_id size =
        rule_value(c, graph_result(c->graph, c->op, 0))->visited ? TERM_NONE : rule_fresh_size(c);
    if (size != TERM_NONE) rule_set_dims(c, 0, &size, 1);
    return RULE_AGAIN;
  }
  int64_t rank = in->rank, start = onnx_int(c, "start", 0), end = onnx_int(c, "end", rank);
  start = clamp(start < 0 ? start + rank : start, 0, rank);
  end = clamp(end < 0 ? end + rank : end, start, rank);
  term_id count = rule_int_term(c, end - start);
  rule_set_dims(c, 0, &count, 1);
  rule_set_elements(c, 0, in->dims ? in->dims + start : NULL, (uint32_t)(end - start));
  return RULE_DONE;
}

rule_status rule_onnx_size(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  rule_set_dims(c, 0, NULL, 0);
  if (!in->ranked) return RULE_AGAIN;
  term_id size = product(c, in->dims, in->rank);
  rule_set_elements(c, 0, &size, 1);
  return RULE_DONE;
}

// What -1 denotes: the elements over the product of the other dims, which must not be 0. Where each of them is known to be
// positive the product is, though no bound of a sum may say so.
static term_id remaining(rule_context *c, term_id elements, term_id known, bool positive) {
  term_id quotient;
  elements = store_canon(c->store, elements);
  known = store_canon(c->store, known);
  if (known == TERM_ONE) return elements;
  if (!positive && !math_is_positive(c, known)) return TERM_NONE;
  rule_require(c, predicate_make(REL_DIVISIBLE, elements, known),
               "the elements fill the known dims");
  if (term_divide_exact(c->terms, elements, known, &quotient)) return quotient;
  return term_floordiv(c->terms, elements, known);
}

typedef struct reshape_plan {
  const term_id *shape;
  uint32_t count, hole;
  bool zero_copies;  // 0 takes the operand's size on that axis
} reshape_plan;

// What -1 denotes beside dims that copy an axis where they are 0. Where such a size is a factor of the operand, the
// operand is empty there, and so is the result.
static term_id remaining_beside_copies(rule_context *c, const reshape_plan *plan, term_id elements,
                                       const term_id *dims) {
  term_id full = TERM_ONE, quotient = store_canon(c->store, elements);
  for (uint32_t i = 0; i < plan->count; i++) {
    term_id factor = dims[i], wanted = store_canon(c->store, plan->shape[i]);
    if (i == plan->hole) continue;
    if (wanted != TERM_ZERO && factor != wanted) {
      factor = wanted;
      full = term_mul(c->terms, full, math_min(c, wanted, TERM_ONE));
    }
    if (!term_divide_exact(c->terms, quotient, store_canon(c->store, factor), &quotient))
      return TERM_NONE;
  }
  return full == TERM_ONE ? TERM_NONE : term_mul(c->terms, quotient, full);
}

// A requested size that may be 0, where 0 copies the operand's size: wanted + size*(1 - min(wanted, 1)).
static term_id copied_where_zero(rule_context *c, term_id wanted, const value_info *in,
                                 uint32_t axis) {
  if (axis >= in->rank) {
    rule_require(c, predicate_make(REL_GE, wanted, TERM_ONE),
                 "a 0 in the shape copies an axis of the operand");
    return wanted;
  }
  term_id size = store_canon(c->store, in->dims[axis]), factor;
  // A positive multiple of the operand's size is 0 only where that is 0 too.
  if (size == wanted || size == TERM_ZERO) return wanted;
  if (term_divide_exact(c->terms, wanted, size, &factor) && math_is_positive(c, factor))
    return wanted;
  // And where the operand's size is a multiple of it, that is 0 as well.
  if (term_divide_exact(c->terms, size, wanted, &factor)) return wanted;
  // The choice doubles a term; of long ones it is not made.
  if (term_get(c->terms, wanted)->depth > 1) {
    rule_assumes(c, "a computed 0 in the shape of a Reshape does not copy a dim");
    return wanted;
  }
  term_id empty = term_sub(c->terms, TERM_ONE, math_min(c, wanted, TERM_ONE));
  return term_add(c->terms, wanted, term_mul(c->terms, size, empty));
}

// Dims of the result where the requested elements say them; -1 is left as `hole`.
static bool fill_sizes(rule_context *c, const reshape_plan *plan, const value_info *in,
                       term_id *dims) {
  for (uint32_t i = 0; i < plan->count; i++) {
    int64_t value;
    term_id wanted =
        plan->shape[i] == TERM_NONE ? TERM_NONE : store_canon(c->store, plan->shape[i]);
    dims[i] = TERM_NONE;
    if (i == plan->hole || wanted == TERM_NONE) continue;
    if (term_int_value(c->terms, wanted, &value) && value == 0 && plan->zero_copies) {
      if (in->ranked && i >= in->rank) {
        rule_error(c, "axis", "the shape copies axis %u of an operand of rank %u", i, in->rank);
        return false;
      }
      if (in->ranked) dims[i] = in->dims[i];
    } else if (!plan->zero_copies || math_is_positive(c, wanted)) {
      dims[i] = math_is_nonnegative(c, wanted) ? wanted : TERM_NONE;
    } else if (math_is_nonnegative(c, wanted) && in->ranked) {
      dims[i] = copied_where_zero(c, wanted, in, i);
    }
  }
  return true;
}

// A size that may be -1 at run time, or is not known, is a fresh one; the products still agree.
static void set_reshaped(rule_context *c, const reshape_plan *plan, const value_info *in) {
  term_id *dims = arena_alloc(c->arena, (plan->count + 1) * sizeof *dims);
  const value_info *old = rule_value(c, graph_result(c->graph, c->op, 0));
  if (!fill_sizes(c, plan, in, dims)) {
    rule_set_unknown(c, 0);
    return;
  }
  term_id known = TERM_ONE;
  uint32_t missing = 0, at = 0;
  for (uint32_t i = 0; i < plan->count; i++) {
    if (dims[i] == TERM_NONE) {
      if (i != plan->hole) rule_unchecked(c, SAME_ELEMENTS, "an entry of the shape may be -1");
      missing++;
      at = i;
    } else {
      known = term_mul(c->terms, known, dims[i]);
    }
  }
  // A -1 beside a 0 has no value: a run with one ends in an error.
  bool positive = plan->hole != UINT32_MAX;
  for (uint32_t i = 0; plan->hole != UINT32_MAX && missing == 1 && i < plan->count; i++) {
    if (i == plan->hole || math_is_positive(c, dims[i])) continue;
    rule_require(c, predicate_make(REL_GE, dims[i], TERM_ONE), "a dim beside -1 is not 0");
    positive &= math_is_positive(c, dims[i]);
  }
  bool filled = false;  // the products agree
  if (missing == 1 && in->ranked) {
    term_id elements = product(c, in->dims, in->rank);
    if (at == plan->hole) dims[at] = remaining_beside_copies(c, plan, elements, dims);
    filled = dims[at] != TERM_NONE;
    if (!filled) dims[at] = remaining(c, elements, known, positive);
  }
  for (uint32_t i = 0; i < plan->count; i++) {
    if (dims[i] != TERM_NONE) continue;
    bool again = old->visited && old->ranked && old->rank == plan->count;
    dims[i] = again ? old->dims[i] : rule_fresh_size(c);
  }
  rule_set_dims(c, 0, dims, plan->count);
  if (!in->ranked) return;
  const value_info *out = rule_value(c, graph_result(c->graph, c->op, 0));
  term_id a = product(c, in->dims, in->rank), b = product(c, out->dims, out->rank);
  if (a != b && !filled) rule_require(c, predicate_make(REL_EQ, a, b), SAME_ELEMENTS);
}

// ONNX: Reshape (5: the shape is an operand; 14: allowzero).
rule_status rule_onnx_reshape(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *given;
  reshape_plan plan = {.hole = UINT32_MAX, .zero_copies = !onnx_int(c, "allowzero", 0)};
  if (c->row->param == FORM_STATIC) {
    if (!rule_ints(c, "shape", &given, &plan.count)) return RULE_UNKNOWN;
    term_id *shape = arena_alloc(c->arena, (plan.count + 1) * sizeof *shape);
    for (uint32_t i = 0; i < plan.count; i++) shape[i] = rule_int_term(c, given[i]);
    plan.shape = shape;
  } else {
    plan.shape = rule_size_elements(c, 1, &plan.count);
  }
  if (!plan.shape) {
    rule_unchecked(c, SAME_ELEMENTS, ONNX_NO_VALUES);
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  for (uint32_t i = 0; i < plan.count; i++) {
    int64_t value;
    if (plan.shape[i] == TERM_NONE || !term_int_value(c->terms, plan.shape[i], &value) ||
        value >= 0)
      continue;
    if (value != -1 || plan.hole != UINT32_MAX) {
      rule_error(c, "attribute", "the shape holds %lld%s", (long long)value,
                 value == -1 ? " twice" : "");
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    plan.hole = i;
  }
  set_reshaped(c, &plan, in);
  if (in->elements) rule_share_elements(c, 0, in);
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}

// ONNX: Flatten: the axes before `axis` become one, and so do the others.
rule_status rule_onnx_flatten(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t axis;
  if (!in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  int64_t given = onnx_int(c, "axis", 1);
  if (given == in->rank) {
    axis = in->rank;
  } else if (!onnx_axis(c, given, in->rank, &axis)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  const term_id *after = in->rank ? in->dims + axis : NULL;
  term_id dims[2] = {product(c, in->dims, axis), product(c, after, in->rank - axis)};
  rule_set_dims(c, 0, dims, 2);
  if (in->elements) rule_share_elements(c, 0, in);
  return RULE_DONE;
}

bool onnx_axes(rule_context *c, uint32_t operand, const int64_t **axes, uint32_t *count) {
  *count = 0;
  if (!operand || !onnx_has(c, operand)) return !operand && rule_ints(c, "axes", axes, count);
  uint32_t n;
  const term_id *elements = rule_elements(c, operand, &n);
  if (!elements) return false;
  int64_t *values = arena_alloc(c->arena, (n + 1) * sizeof *values);
  for (uint32_t i = 0; i < n; i++) {
    if (elements[i] == TERM_NONE || !term_int_value(c->terms, elements[i], &values[i]))
      return false;
  }
  *axes = values;
  *count = n;
  return true;
}

bool onnx_axis_set(rule_context *c, const int64_t *axes, uint32_t count, uint32_t rank,
                   uint8_t *set) {
  for (uint32_t i = 0; i < rank; i++) set[i] = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t axis;
    if (!onnx_axis(c, axes[i], rank, &axis)) return false;
    if (set[axis]) {
      rule_error(c, "axis", "axis %lld is given twice", (long long)axes[i]);
      return false;
    }
    set[axis] = 1;
  }
  return true;
}

// Squeeze without axes drops every axis of size 1: only where each size is known to be 1 or not is the rank known.
static bool squeezable(rule_context *c, const value_info *in, uint8_t *set) {
  for (uint32_t i = 0; i < in->rank; i++) {
    shape_answer one = store_holds(c->store, predicate_make(REL_EQ, in->dims[i], TERM_ONE));
    if (one == SHAPE_UNKNOWN) return false;
    set[i] = one == SHAPE_YES;
  }
  return true;
}

static const char SQUEEZED[] = "a squeezed axis has dim 1";

// ONNX: Squeeze (13: the axes are an operand).
rule_status rule_onnx_squeeze(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *axes;
  uint32_t count, kept = 0, operand = c->row->param == FORM_DYNAMIC ? 1 : 0;
  bool given = operand ? onnx_has(c, 1) : rule_attr(c, "axes") != ATTR_NONE;
  if (!in->ranked) {
    if (given) rule_unchecked(c, SQUEEZED, ONNX_NO_RANK);
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  uint8_t *set = arena_zalloc(c->arena, in->rank + 1);
  bool known = given ? onnx_axes(c, operand, &axes, &count) : squeezable(c, in, set);
  if (given && !known) {
    onnx_require_axes(c, operand, in->rank);
    rule_unchecked(c, SQUEEZED, ONNX_NO_VALUES);
  }
  if (!known || (given && !onnx_axis_set(c, axes, count, in->rank, set))) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (set[i]) {
      rule_require_eq(c, in->dims[i], TERM_ONE, SQUEEZED);
    } else {
      dims[kept++] = in->dims[i];
    }
  }
  rule_set_dims(c, 0, dims, kept);
  if (in->elements) rule_share_elements(c, 0, in);
  return RULE_DONE;
}

// ONNX: Unsqueeze (13: the axes are an operand). Axes count in the result.
rule_status rule_onnx_unsqueeze(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *axes;
  uint32_t count, from = 0;
  if (!in->ranked || !onnx_axes(c, c->row->param == FORM_DYNAMIC ? 1 : 0, &axes, &count)) {
    int64_t length;
    bool counted = in->ranked && onnx_has(c, 1) &&
                   onnx_constant_int(c, onnx_vector_length(c, 1), &length) &&
                   length <= VALUE_MAX_RANK;
    if (counted) {
      onnx_require_axes(c, 1, in->rank + (uint32_t)length);
    } else if (in->ranked) {
      rule_unchecked(c, "an axis is within the rank", ONNX_NO_LENGTH);
    }
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  uint32_t rank = in->rank + count;
  uint8_t *set = arena_zalloc(c->arena, rank + 1);
  if (rank > VALUE_MAX_RANK || !onnx_axis_set(c, axes, count, rank, set)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) dims[i] = set[i] ? TERM_ONE : in->dims[from++];
  rule_set_dims(c, 0, dims, rank);
  if (in->elements) rule_share_elements(c, 0, in);
  return RULE_DONE;
}

// Dims from operand `operand`, each required to be >= 0; NULL when its length is not known.
static const term_id *sizes_of(rule_context *c, uint32_t operand, uint32_t *count) {
  const term_id *elements = rule_size_elements(c, operand, count);
  return elements ? elements_as_sizes(c, elements, *count, "a dim is >= 0") : NULL;
}

rule_status rule_onnx_expand(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  uint32_t count, rank;
  const term_id *sizes = sizes_of(c, 1, &count);
  value_info wanted = {.dims = sizes, .rank = count, .ranked = true};
  const value_info *shapes[2] = {rule_operand(c, 0), &wanted};
  term_id *dims;
  if (!sizes || !onnx_broadcast_dims(c, shapes, 2, &dims, &rank)) {
    if (!sizes) rule_unchecked(c, "the operand broadcasts to the shape", ONNX_NO_VALUES);
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  rule_set_dims(c, 0, dims, rank);
  const value_info *in = shapes[0], *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t shape[ELEMENTS_MAX_RANK];
  uint32_t total;
  if (!in->elements || in->element_count != 1 || !elements_shape(c, out, shape, &total))
    return RULE_DONE;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof *elements);
  for (uint32_t i = 0; i < total; i++) elements[i] = in->elements[0];
  rule_set_elements(c, 0, elements, total);
  return RULE_DONE;
}

// ONNX: ConstantOfShape: a small result of integers has `value` (default: a float 0) everywhere.
rule_status rule_onnx_constant_of_shape(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  uint32_t count, total;
  const term_id *sizes = sizes_of(c, 0, &count);
  const graph_attr *value = graph_attr_get(c->graph, rule_attr(c, "value"));
  shape_dtype dtype = DTYPE_F32;
  if (value && value->kind == ATTR_DENSE)
    dtype = (shape_dtype)type_get(&c->graph->types, value->type)->dtype;
  onnx_set_dtype(c, 0, dtype);
  shape_dtype given = rule_operand_dtype(c, 0);
  if (given != DTYPE_I64 && given != DTYPE_OTHER && given != DTYPE_NONE)
    rule_error(c, "element-type", "the shape is a tensor of %s, not of i64", dtype_name(given));
  if (!sizes) {
    rule_unchecked(c, "a dim is >= 0", ONNX_NO_VALUES);
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  rule_set_dims(c, 0, sizes, count);
  int64_t shape[ELEMENTS_MAX_RANK];
  int64_t fill;
  if (!attr_int_at(value, 0, &fill) ||
      !elements_shape(c, rule_value(c, graph_result(c->graph, c->op, 0)), shape, &total))
    return RULE_DONE;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof *elements);
  for (uint32_t i = 0; i < total; i++) elements[i] = rule_int_term(c, fill);
  rule_set_elements(c, 0, elements, total);
  return RULE_DONE;
}

static term_id scalar_of(rule_context *c, uint32_t operand) {
  uint32_t count;
  const term_id *e = rule_elements(c, operand, &count);
  return e && count == 1 && e[0] != TERM_NONE ? store_canon(c->store, e[0]) : TERM_NONE;
}

static void require_delta(rule_context *c, term_id delta) {
  static const char WHAT[] = "the delta is not 0";
  if (delta != TERM_NONE && delta != TERM_ZERO)
    rule_require(c, predicate_make(REL_NE, delta, TERM_ZERO), WHAT);
  else if (delta == TERM_NONE && !onnx_float_is_number(c, 2))
    rule_unchecked(c, WHAT, ONNX_NO_VALUES);
}

// ONNX: Range: max(ceil((limit - start) / delta), 0) elements; delta is not 0.
rule_status rule_onnx_range(rule_context *c) {
  term_id start = scalar_of(c, 0), limit = scalar_of(c, 1), delta = scalar_of(c, 2),
          count = TERM_NONE;
  const value_info *old = rule_value(c, graph_result(c->graph, c->op, 0));
  if (delta == TERM_ZERO || onnx_float_is_zero(c, 2))
    rule_error(c, "attribute", "the delta of a Range is 0");
  for (uint32_t i = 0; i < 3; i++)
    onnx_require_one(c, i, "start, limit and delta are one number each");
  require_delta(c, delta);
  if (start != TERM_NONE && limit != TERM_NONE && delta != TERM_NONE) {
    term_id span = term_sub(c->terms, limit, start);
    bool up = math_is_positive(c, delta), down = math_is_positive(c, term_neg(c->terms, delta));
    if (up || down) {
      term_id step = up ? delta : term_neg(c->terms, delta);
      term_id steps = term_ceildiv(c->terms, up ? span : term_neg(c->terms, span), step);
      count = math_max(c, steps, TERM_ZERO);
    }
  }
  bool known = count != TERM_NONE;
  if (dtype_is_float(rule_result_dtype(c, 0))) {
    count = onnx_float_range(c);
    known = false;  // no elements
  }
  if (count == TERM_NONE)
    count = old->visited && old->ranked && old->rank == 1 ? old->dims[0] : rule_fresh_size(c);
  rule_set_dims(c, 0, &count, 1);
  int64_t n;
  if (!known || !term_int_value(c->terms, count, &n) || n > VALUE_MAX_ELEMENTS)
    return known ? RULE_DONE : RULE_AGAIN;
  term_id *elements = arena_alloc(c->arena, ((size_t)n + 1) * sizeof *elements);
  for (int64_t i = 0; i < n; i++)
    elements[i] = term_add(c->terms, start, term_scale(c->terms, delta, NUM(i)));
  rule_set_elements(c, 0, elements, (uint32_t)n);
  return RULE_DONE;
}

// ONNX: Tile (6: repeats is an operand).
rule_status rule_onnx_tile(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t count;
  const term_id *repeats = sizes_of(c, 1, &count);
  if (!repeats || !rule_assume_rank(c, 0, count)) {
    if (repeats)
      rule_error(c, "rank", "repeats has %u entries for an operand of rank %u", count, in->rank);
    if (!repeats && in->ranked)
      onnx_require_length(c, 1, rule_int_term(c, in->rank), "there is a repeat for each axis");
    if (!repeats) rule_unchecked(c, "a dim is >= 0", ONNX_NO_VALUES);
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  in = rule_operand(c, 0);
  term_id *dims = arena_alloc(c->arena, (count + 1) * sizeof *dims);
  for (uint32_t i = 0; i < count; i++) dims[i] = term_mul(c->terms, in->dims[i], repeats[i]);
  rule_set_dims(c, 0, dims, count);
  return RULE_DONE;
}
