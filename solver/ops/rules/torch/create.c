// SPDX-License-Identifier: Apache-2.0
// Operators that make tensors: of a shape, of a range, of a number of elements.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static const char AT_LEAST[] = "a dim is >= 0";

static term_id counted(rule_context *c, const char *name, uint32_t rank, uint32_t axis) {
  term_id n = torch_int(c, name);
  if (n != TERM_NONE) {
    rule_require(c, predicate_make(REL_GE, n, TERM_ZERO), AT_LEAST);
    return n;
  }
  rule_unchecked(c, AT_LEAST, TORCH_NOT_KNOWN);
  return rule_unknown_size(c, 0, rank, axis);
}

static rule_status of_shape(rule_context *c) {
  torch_ints sizes;
  if (!torch_list(c, "size", &sizes)) return torch_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)sizes.count + 1) * sizeof *dims);
  for (uint32_t i = 0; i < sizes.count; i++) {
    dims[i] = sizes.items[i];
    if (dims[i] == TERM_NONE) {
      dims[i] = rule_unknown_size(c, 0, sizes.count, i);
      rule_unchecked(c, AT_LEAST, TORCH_NOT_KNOWN);
    } else {
      rule_require(c, predicate_make(REL_GE, dims[i], TERM_ZERO), AT_LEAST);
    }
  }
  rule_set_dims(c, 0, dims, sizes.count);
  // A scalar that is filled with an integer keeps it.
  const value_info *fill = torch_arg(c, "fill_value");
  if (!sizes.count && fill->elements && fill->element_count == 1 &&
      dtype_is_integer(rule_result_dtype(c, 0)))
    rule_set_elements(c, 0, fill->elements, 1);
  return RULE_DONE;
}

// The elements of a triangle of a matrix: where the numbers are constants.
static rule_status triangle(rule_context *c) {
  int64_t row, col, offset;
  term_id dims[2] = {rule_int_term(c, 2), TERM_NONE};
  bool known = torch_const(c, "row", 0, &row) && torch_const(c, "col", 0, &col) &&
               torch_const(c, "offset", 0, &offset) && row >= 0 && col >= 0 && row < 1 << 16 &&
               col < 1 << 16 && offset < 1 << 20 && offset > -(1 << 20);
  int64_t below = 0;
  for (int64_t i = 0; known && i < row; i++) {
    int64_t n =
        i + offset + (c->row->param == CREATE_TRI);  // of a row, below the diagonal and on it
    below += n < 0 ? 0 : n > col ? col : n;
  }
  if (!known) {
    dims[1] = rule_unknown_size(c, 0, 2, 1);
  } else {
    dims[1] = rule_int_term(c, c->row->param == CREATE_TRI ? below : row * col - below);
  }
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

rule_status rule_torch_create(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  term_id dims[2];
  switch (c->row->param) {
  case CREATE_SIZE: return of_shape(c);
  case CREATE_TRI:
  case CREATE_TRIU: return triangle(c);
  case CREATE_N:
    dims[0] = counted(c, "n", 1, 0);
    rule_set_dims(c, 0, dims, 1);
    return RULE_DONE;
  default: break;
  }
  dims[0] = dims[1] = counted(c, "n", 2, 0);
  if (torch_at(c, "m") != UINT32_MAX) dims[1] = counted(c, "m", 2, 1);
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// --- arange

// As doubles: all three are constants.
static bool real_range(rule_context *c, term_id *out) {
  double start = 0, end, step = 1;
  if (!torch_real(c, "end", &end) || (torch_has(c, "start") && !torch_real(c, "start", &start)) ||
      (torch_has(c, "step") && !torch_real(c, "step", &step)))
    return false;
  if (step == 0) {
    rule_error(c, "attribute", "the step is 0");
    return false;
  }
  double count = (end - start) / step;
  if (!(count >= 0)) {
    rule_error(c, "attribute", "the bounds are not in the direction of the step");
    return false;
  }
  if (count > 9e15) return false;
  int64_t whole = (int64_t)count;
  *out = rule_int_term(c, whole + ((double)whole < count));
  return true;
}

static bool int_range(rule_context *c, term_id *out) {
  term_id end = torch_int(c, "end");
  term_id start = torch_has(c, "start") ? torch_int(c, "start") : TERM_ZERO;
  term_id step = torch_has(c, "step") ? torch_int(c, "step") : TERM_ONE;
  if (end == TERM_NONE || start == TERM_NONE || step == TERM_NONE) return false;
  rule_require(c, predicate_make(REL_NE, step, TERM_ZERO), "the step is not 0");
  term_id span = term_sub(c->terms, end, start);
  if (math_is_positive(c, step)) {
    rule_require(c, predicate_make(REL_GE, span, TERM_ZERO), "the end is not before the start");
    span = store_canon(c->store, span);
    *out = step == TERM_ONE ? span : term_ceildiv(c->terms, span, step);
    return true;
  }
  term_id back = term_neg(c->terms, step);
  if (!math_is_positive(c, back)) return false;
  span = term_neg(c->terms, span);
  rule_require(c, predicate_make(REL_GE, span, TERM_ZERO), "the end is not after the start");
  *out = term_ceildiv(c->terms, store_canon(c->store, span), back);
  return true;
}

// The numbers of a short range of constants.
static void range_elements(rule_context *c) {
  int64_t start, step, count;
  const value_info *out = onnx_result(c, 0);
  if (!torch_const(c, "start", 0, &start) || !torch_const(c, "step", 1, &step) || !out->ranked ||
      out->rank != 1 || !torch_constant(c, out->dims[0], &count) || count > VALUE_FRESH_ELEMENTS ||
      !dtype_is_integer(rule_result_dtype(c, 0)))
    return;
  term_id made[VALUE_FRESH_ELEMENTS];
  for (int64_t i = 0; i < count; i++) {
    int64_t value;
    if (__builtin_mul_overflow(i, step, &value) || __builtin_add_overflow(value, start, &value))
      return;
    made[i] = rule_int_term(c, value);
  }
  rule_set_elements(c, 0, made, (uint32_t)count);
}

rule_status rule_torch_arange(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  term_id count = TERM_NONE;
  bool exact = int_range(c, &count), known = exact || real_range(c, &count);
  if (!known) {
    count = rule_unknown_size(c, 0, 1, 0);
    rule_unchecked(c, "the bounds are in the direction of the step", TORCH_NOT_KNOWN);
  }
  rule_set_dims(c, 0, &count, 1);
  if (exact) range_elements(c);
  return known ? RULE_DONE : RULE_AGAIN;
}

rule_status rule_torch_multinomial(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  bool known = true, again = torch_flag(c, "replacement", false, &known);
  if (!torch_min_rank(c, x, 1)) return torch_unknown(c);
  if (x->rank > 2) {
    rule_error(c, "rank", "the operand has rank %u, 1 or 2 is needed", x->rank);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, x, 0), n = torch_int(c, "num_samples");
  if (n == TERM_NONE) {
    rule_unchecked(c, "there are as many samples", TORCH_NOT_KNOWN);
    n = rule_unknown_size(c, 0, x->rank, x->rank - 1);
  } else {
    rule_require(c, predicate_make(REL_GE, n, TERM_ONE), "there is a sample");
    if (known && !again)
      rule_require(c, predicate_make(REL_LE, n, dims[x->rank - 1]), "there are as many samples");
  }
  dims[x->rank - 1] = n;
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// histc: [bins]; bincount (param 1): [fresh], at least minlength.
rule_status rule_torch_histc(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  term_id dim = TERM_NONE, n;
  if (c->row->param) {
    dim = rule_unknown_size(c, 0, 1, 0);
    rule_set_dims(c, 0, &dim, 1);
    n = torch_has(c, "minlength") ? torch_int(c, "minlength") : TERM_ZERO;
    if (n != TERM_NONE) rule_fact(c, predicate_make(REL_GE, dim, n), "at least minlength");
    return torch_rank(c, "self", 1) ? RULE_DONE : torch_unknown(c);
  }
  n = torch_has(c, "bins") ? torch_int(c, "bins") : rule_int_term(c, 100);
  if (n == TERM_NONE) n = rule_unknown_size(c, 0, 1, 0);
  rule_require(c, predicate_make(REL_GE, n, TERM_ONE), "there is a bin");
  rule_set_dims(c, 0, &n, 1);
  return RULE_DONE;
}
