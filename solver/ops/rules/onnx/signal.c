// SPDX-License-Identifier: Apache-2.0
// ONNX signals: DFT, STFT, MelWeightMatrix, window functions.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// A size that a scalar operand holds, or TERM_NONE.
static term_id size_of_scalar(rule_context *c, uint32_t operand) {
  uint32_t count;
  if (!onnx_has(c, operand)) return TERM_NONE;
  const term_id *e = rule_size_elements(c, operand, &count);
  if (!e || count != 1) return TERM_NONE;
  return store_canon(c->store, elements_as_sizes(c, e, 1, "a length is >= 0")[0]);
}

static term_id half_plus_one(rule_context *c, term_id size) {
  return term_add(c->terms, term_floordiv(c->terms, size, rule_int_term(c, 2)), TERM_ONE);
}

// ONNX: DFT (20: the axis is an operand): the last axis holds 1 (real) or 2 (complex) numbers.
rule_status rule_onnx_dft(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  bool dynamic = c->row->param == FORM_DYNAMIC, inverse = onnx_int(c, "inverse", 0) != 0,
       onesided = onnx_int(c, "onesided", 0) != 0;
  int64_t given = dynamic ? -2 : onnx_int(c, "axis", 1), parts;
  uint32_t axis;
  if (!in->ranked) return onnx_unknown(c);
  if (in->rank < 2) {
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", in->rank);
    return onnx_unknown(c);
  }
  if (dynamic && onnx_has(c, 2) && !onnx_scalar_int(c, 2, &given)) {
    term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
    bool same = !onnx_has(c, 1) && !onesided;
    for (uint32_t i = 0; i + 1 < in->rank; i++)
      dims[i] = same ? in->dims[i] : onnx_kept_size(c, 0, in->rank, i);
    dims[in->rank - 1] = rule_int_term(c, inverse && onesided ? 1 : 2);
    rule_set_dims(c, 0, dims, in->rank);
    return RULE_AGAIN;
  }
  if (!onnx_axis(c, given, in->rank, &axis)) return onnx_unknown(c);
  if (axis + 1 == in->rank) {
    rule_error(c, "axis", "axis must not be the last one, which has the parts of a number");
    return onnx_unknown(c);
  }
  bool known = onnx_constant_int(c, in->dims[in->rank - 1], &parts);
  bool back = inverse && onesided;  // from half a spectrum to real numbers
  if (known &&
      ((parts != 1 && parts != 2) || (back && parts != 2) || (onesided && !inverse && parts != 1)))
    rule_error(c, "size", "the last axis has dim %lld", (long long)parts);
  term_id *dims = onnx_copy_dims(c, in), length = size_of_scalar(c, 1);
  if (onnx_has(c, 1) && length == TERM_NONE) {
    length = onnx_kept_size(c, 0, in->rank, axis);
    dims[axis] = length;
  } else if (back) {
    term_id all = term_scale(c->terms, term_sub(c->terms, dims[axis], TERM_ONE), NUM(2));
    dims[axis] = length == TERM_NONE ? all : length;
    rule_require(c, predicate_make(REL_GE, dims[axis], TERM_ZERO), "the result's dim is >= 0");
  } else {
    if (length == TERM_NONE) length = store_canon(c->store, dims[axis]);
    dims[axis] = onesided ? half_plus_one(c, length) : length;
  }
  dims[in->rank - 1] = rule_int_term(c, back ? 1 : 2);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: STFT: [batch, frames, bins, 2].
rule_status rule_onnx_stft(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (in->ranked && (in->rank < 2 || in->rank > 3)) {
    rule_error(c, "rank", "the signal has rank %u, 3 is needed", in->rank);
    return onnx_unknown(c);
  }
  if (!in->ranked) rule_assume_rank(c, 0, 3);
  in = rule_operand(c, 0);
  term_id step = size_of_scalar(c, 1), length = size_of_scalar(c, 3);
  const value_info *window = rule_operand(c, 2);
  if (onnx_has(c, 2) && window->ranked && onnx_rank(c, 2, 1)) {
    if (length == TERM_NONE && !onnx_has(c, 3))
      length = store_canon(c->store, window->dims[0]);
    else if (length != TERM_NONE)
      rule_require_eq(c, length, window->dims[0], "the window has the length of a frame");
  }
  term_id dims[4] = {in->dims[0], TERM_NONE, TERM_NONE, rule_int_term(c, 2)};
  if (length != TERM_NONE) {
    bool onesided = onnx_int(c, "onesided", 1) != 0;
    dims[2] = onesided ? half_plus_one(c, length) : length;
    if (step != TERM_NONE && math_is_positive(c, step)) {
      term_id room = term_sub(c->terms, in->dims[1], length);
      dims[1] = term_add(c->terms, term_floordiv(c->terms, room, step), TERM_ONE);
      rule_require(c, predicate_make(REL_GE, dims[1], TERM_ZERO), "a frame fits");
    }
  }
  for (uint32_t i = 1; i < 3; i++) {
    if (dims[i] == TERM_NONE) dims[i] = onnx_kept_size(c, 0, 4, i);
  }
  rule_set_dims(c, 0, dims, 4);
  return RULE_DONE;
}

// ONNX: MelWeightMatrix: [dft_length / 2 + 1, num_mel_bins].
rule_status rule_onnx_mel_matrix(rule_context *c) {
  term_id bins = size_of_scalar(c, 0), length = size_of_scalar(c, 1);
  term_id dims[2] = {length == TERM_NONE ? onnx_kept_size(c, 0, 2, 0) : half_plus_one(c, length),
                     bins == TERM_NONE ? onnx_kept_size(c, 0, 2, 1) : bins};
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// ONNX: HannWindow, HammingWindow, BlackmanWindow.
rule_status rule_onnx_window_function(rule_context *c) {
  term_id size = size_of_scalar(c, 0);
  if (size == TERM_NONE) size = onnx_kept_size(c, 0, 1, 0);
  rule_set_dims(c, 0, &size, 1);
  return RULE_DONE;
}
