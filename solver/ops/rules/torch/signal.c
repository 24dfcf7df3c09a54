// SPDX-License-Identifier: Apache-2.0
// Fourier transforms, complex views, differences; recurrent layers.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// floor(n / 2) + 1
static term_id half(rule_context *c, term_id n) {
  term_id two = rule_int_term(c, 2);
  return term_add(c->terms, term_floordiv(c->terms, store_canon(c->store, n), two), TERM_ONE);
}

// 2 * (n - 1), of the other half
static term_id whole(rule_context *c, term_id n) {
  return term_scale(c->terms, term_sub(c->terms, n, TERM_ONE), NUM(2));
}

// One axis: `n` is its length after padding or cutting, by default the operand's.
rule_status rule_torch_fft(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  uint32_t axis;
  if (!torch_min_rank(c, x, 1) || !torch_axis(c, "dim", -1, x->rank, &axis))
    return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 0), n = torch_int(c, "n");
  bool given = torch_has(c, "n");
  if (given && n == TERM_NONE) return torch_unknown(c);
  if (!given) n = c->row->param == FFT_INVERSE_REAL ? whole(c, dims[axis]) : dims[axis];
  rule_require(c, predicate_make(REL_GE, n, TERM_ONE), "the transform is not empty");
  dims[axis] = c->row->param == FFT_REAL ? half(c, n) : n;
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// Several axes: `s` lengths of the axes `dim` (default: the last two of fft2, all of fftn). The last one is halved.
rule_status rule_torch_fft_all(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  torch_ints axes = {0}, sizes = {0};
  bool has_axes = torch_list(c, "dim", &axes), has_sizes = torch_list(c, "s", &sizes);
  uint32_t how = c->row->param & 3, two = c->row->param & 4 ? 2 : 0, last = 0;
  if (!x->ranked || (torch_has(c, "dim") && !has_axes) || (torch_has(c, "s") && !has_sizes))
    return torch_unknown(c);
  if (!torch_min_rank(c, x, two ? two : 1)) return torch_unknown(c);
  uint32_t count = has_axes ? axes.count : has_sizes ? sizes.count : two ? two : x->rank;
  if (count > x->rank || (has_sizes && sizes.count != count)) {
    rule_error(c, "attribute-length", "%u lengths for %u axes", sizes.count, count);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, x, 0);
  for (uint32_t i = 0; i < count; i++) {
    int64_t axis = (int64_t)i - count;
    if ((has_axes && !torch_constant(c, axes.items[i], &axis)) ||
        !torch_wrap(c, axis, x->rank, &last))
      return torch_unknown(c);
    bool inverse = how == FFT_INVERSE_REAL && i + 1 == count;
    if (has_sizes && sizes.items[i] == TERM_NONE) return torch_unknown(c);
    int64_t kept;
    bool keeps = has_sizes && torch_constant(c, sizes.items[i], &kept) && kept == -1;
    if (has_sizes && !keeps) {
      dims[last] = sizes.items[i];
    } else if (inverse) {
      dims[last] = whole(c, dims[last]);
    }
    rule_require(c, predicate_make(REL_GE, dims[last], TERM_ONE), "the transform is not empty");
  }
  if (count && how == FFT_REAL) dims[last] = half(c, dims[last]);
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// _fft_r2c (onesided halves the last of dim), _fft_c2r (last_dim_size).
rule_status rule_torch_fft_raw(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  torch_ints axes;
  int64_t axis;
  uint32_t at;
  bool known = true, onesided = torch_flag(c, "onesided", true, &known);
  if (!x->ranked || !torch_list(c, "dim", &axes) || !axes.count || !known ||
      !torch_constant(c, axes.items[axes.count - 1], &axis) || !torch_wrap(c, axis, x->rank, &at))
    return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 0);
  for (uint32_t i = 0; i < axes.count && x->rank; i++) {
    uint32_t each;
    if (!torch_constant(c, axes.items[i], &axis) || !torch_wrap(c, axis, x->rank, &each))
      return torch_unknown(c);
  }
  if (torch_has(c, "last_dim_size")) {
    term_id last = torch_int(c, "last_dim_size");
    if (last == TERM_NONE) return torch_unknown(c);
    rule_require(c, predicate_make(REL_GE, last, TERM_ONE), "the transform is not empty");
    dims[at] = last;
  } else if (onesided && x->rank) {
    dims[at] = half(c, dims[at]);
  }
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// view_as_real (param 1), view_as_complex
rule_status rule_torch_complex_view(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  if (!torch_min_rank(c, x, !c->row->param)) return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 1), two = rule_int_term(c, 2);
  if (c->row->param) {
    dims[x->rank] = two;
  } else {
    rule_require_eq(c, x->dims[x->rank - 1], two, "the last axis has both parts");
  }
  rule_set_dims(c, 0, dims, c->row->param ? x->rank + 1 : x->rank - 1);
  return RULE_DONE;
}

rule_status rule_torch_diff(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  uint32_t axis;
  int64_t n;
  if (!torch_min_rank(c, x, 1) || !torch_const(c, "n", 1, &n) ||
      !torch_axis(c, "dim", -1, x->rank, &axis))
    return torch_unknown(c);
  if (n < 0 || n > INT32_MAX) return torch_unknown(c);  // versions differ
  term_id *dims = torch_dims(c, x, 0);
  static const char *const MORE[] = {"prepend", "append"};
  for (unsigned i = 0; i < 2; i++) {
    const value_info *v = torch_arg(c, MORE[i]);
    if (!torch_has(c, MORE[i])) continue;
    if (!v->ranked) return torch_unknown(c);
    term_id size = v->rank == x->rank ? v->dims[axis] : TERM_ONE;
    dims[axis] = term_add(c->terms, dims[axis], size);
  }
  if (n) dims[axis] = math_max(c, term_sub(c->terms, dims[axis], rule_int_term(c, n)), TERM_ZERO);
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// trapezoid: the axis goes.
rule_status rule_torch_trapezoid(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = rule_operand(c, 0);
  uint32_t axis;
  if (!torch_min_rank(c, x, 1) || !torch_axis(c, "dim", -1, x->rank, &axis))
    return torch_unknown(c);
  if (torch_has(c, "x") && torch_is_tensor(c, torch_at(c, "x"))) {
    const value_info *at = torch_arg(c, "x");
    rule_unchecked(c, "the distances broadcast to the operand", TORCH_NOT_KNOWN);
    if (!at->ranked || at->rank != 1) return torch_unknown(c);  // other axes broadcast too
  }
  term_id *dims = torch_dims(c, x, 0);
  torch_drop_axis(x, axis, dims);
  rule_set_dims(c, 0, dims, x->rank - 1);
  return RULE_DONE;
}

// Neither the signal nor the window of stft is complex: the result is onesided by default, and its parts are an axis of it.
static bool is_real(const rule_context *c, bool *known) {
  uint32_t window = torch_at(c, "window");
  shape_dtype types[2] = {rule_operand_dtype(c, 0), DTYPE_F32};
  if (torch_has(c, "window")) types[1] = rule_operand_dtype(c, window);
  for (unsigned i = 0; i < 2; i++) {
    if (dtype_is_complex(types[i])) return false;
    *known = *known && types[i] != DTYPE_OTHER && types[i] != DTYPE_NONE;
  }
  return true;
}

// The signal with n_fft / 2 more at both ends.
static term_id centred(rule_context *c, term_id length, term_id n) {
  static const char FITS[] = "the padding fits";
  const char *mode = torch_has(c, "pad_mode") ? torch_text(c, "pad_mode") : "reflect";
  term_id pad = term_floordiv(c->terms, store_canon(c->store, n), rule_int_term(c, 2));
  if (!mode) {
    rule_unchecked(c, FITS, TORCH_NOT_KNOWN);
  } else if (strcmp(mode, "constant") != 0) {
    relation rel = strcmp(mode, "reflect") == 0 ? REL_LT : REL_LE;
    bool repeats = strcmp(mode, "replicate") == 0;
    rule_require(c, predicate_make(rel, repeats ? TERM_ONE : pad, length), FITS);
  }
  return term_add(c->terms, length, term_scale(c->terms, pad, NUM(2)));
}

// stft x [.., L], n_fft, hop_length, win_length, ..; param 1: centred, but where `center` is false.
rule_status rule_torch_stft(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  term_id n = torch_int(c, "n_fft"), hop = torch_int(c, "hop_length");
  bool known = true, typed = true, real = is_real(c, &typed);
  if (!torch_has(c, "onesided") || !torch_has(c, "return_complex")) known = typed;
  bool onesided = torch_flag(c, "onesided", real, &known);
  bool complex = torch_flag(c, "return_complex", !real, &known);
  bool centres = torch_flag(c, "center", c->row->param, &known);
  if (!torch_has(c, "hop_length") && n != TERM_NONE)
    hop = term_floordiv(c->terms, n, rule_int_term(c, 4));
  if (!torch_min_rank(c, x, 1) || n == TERM_NONE || hop == TERM_NONE || !known)
    return torch_unknown(c);
  if (x->rank > 2) {
    rule_error(c, "rank", "the operand has rank %u, 1 or 2 is needed", x->rank);
    return torch_unknown(c);
  }
  term_id length = x->dims[x->rank - 1], dims[4];
  if (centres) length = centred(c, length, n);
  term_id room = term_sub(c->terms, length, n);
  uint32_t rank = 0;
  rule_require(c, predicate_make(REL_GE, n, TERM_ONE), "n_fft is at least 1");
  rule_require(c, predicate_make(REL_GE, room, TERM_ZERO), "n_fft is within the signal");
  rule_require(c, predicate_make(REL_GE, hop, TERM_ONE), "hop_length is at least 1");
  if (!math_is_positive(c, hop)) return torch_unknown(c);
  if (torch_has(c, "win_length")) {
    term_id win = torch_int(c, "win_length");
    if (win != TERM_NONE)
      rule_require(c, predicate_make(REL_LE, win, n), "the window is within n_fft");
  }
  if (x->rank == 2) dims[rank++] = x->dims[0];
  dims[rank++] = onesided ? half(c, n) : n;
  room = store_canon(c->store, room);
  dims[rank++] = term_add(c->terms, term_floordiv(c->terms, room, hop), TERM_ONE);
  if (!complex) dims[rank++] = rule_int_term(c, 2);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
