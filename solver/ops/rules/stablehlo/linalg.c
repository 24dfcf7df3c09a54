// SPDX-License-Identifier: Apache-2.0
// fft, cholesky, triangular_solve.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// --- fft (C1..C6)

// Element types by kind: FFT and IFFT complex to the same, RFFT float to complex, IRFFT complex to float.
static void check_fft_types(rule_context *c, const char *kind) {
  shape_dtype in = rule_operand_dtype(c, 0), out = rule_result_dtype(c, 0), want = in;
  bool real_in = strcmp(kind, "RFFT") == 0;
  if (in == DTYPE_OTHER || out == DTYPE_OTHER) return;
  if (real_in ? !dtype_is_float(in) : !dtype_is_complex(in)) {
    rule_error(c, "element-type", "%s needs %s elements, the operand is %s", kind,
               real_in ? "real" : "complex", verify_type_text(c, verify_operand_type(c, 0)));
    return;
  }
  if (real_in) want = in == DTYPE_F64 ? DTYPE_C128 : DTYPE_C64;
  if (strcmp(kind, "IRFFT") == 0) want = in == DTYPE_C128 ? DTYPE_F64 : DTYPE_F32;
  if (out != want)
    rule_error(c, "element-type", "%s of %s has elements of %s, the result is %s", kind,
               verify_type_text(c, verify_operand_type(c, 0)), dtype_name(want),
               verify_type_text(c, verify_result_type(c, 0)));
}

// The dims of the transformed axes; dims has those of the operand and gets those of the result.
static void fft_sizes(rule_context *c, const char *kind, axis_list length, const value_info *in,
                      term_id *dims) {
  bool real_in = strcmp(kind, "RFFT") == 0, real_out = strcmp(kind, "IRFFT") == 0;
  if (!real_in && !real_out) return;
  uint32_t first = in->rank - length.count, last = length.count - 1;
  int64_t size = length.axes[last], half = size == 0 ? 0 : size / 2 + 1;
  for (uint32_t i = 0; i < length.count; i++) {
    bool halved = real_out && i == last;
    if (halved && in->dims[first + i] == TERM_ZERO) continue;  // an empty operand is let pass
    rule_require_eq(c, in->dims[first + i], rule_int_term(c, halved ? half : length.axes[i]),
                    halved ? "the last axis has fft_length / 2 + 1 elements"
                           : "the transformed axes have the dims of fft_length");
  }
  dims[in->rank - 1] = rule_int_term(c, real_in ? half : size);
}

rule_status rule_fft(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  axis_list length = verify_read_axes(c, "fft_length");
  const char *kind = rule_text(c, "fft_type");
  const value_info *in = rule_operand(c, 0);
  bool fine = kind != NULL;
  if (kind) check_fft_types(c, kind);
  if (length.count < 1 || length.count > 3) {
    rule_error(c, "attribute", "fft_length has %u elements, 1 to 3 are possible", length.count);
    fine = false;
  } else if (in->ranked && in->rank < length.count) {
    rule_error(c, "rank", "the operand has rank %u, fft_length has %u elements", in->rank,
               length.count);
    fine = false;
  }
  if (!fine || !in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, in->rank * sizeof(term_id));
  memcpy(dims, in->dims, in->rank * sizeof(term_id));
  fft_sizes(c, kind, length, in, dims);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// --- cholesky (C1..C3)

rule_status rule_cholesky(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *a = rule_operand(c, 0);
  rule_set_dims_like(c, 0, a);
  if (!a->ranked) return RULE_DONE;
  if (a->rank < 2) {
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", a->rank);
    return RULE_DONE;
  }
  rule_require_eq(c, a->dims[a->rank - 2], a->dims[a->rank - 1], "the matrices are square");
  return RULE_DONE;
}

// --- triangular_solve (C1..C4)

rule_status rule_triangular_solve(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const char *transpose = rule_text(c, "transpose_a");
  if (transpose && strcmp(transpose, "TRANSPOSE_INVALID") == 0)
    rule_error(c, "attribute", "transpose_a is TRANSPOSE_INVALID");
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  rule_set_dims_like(c, 0, b);
  if (!a->ranked || !b->ranked) return RULE_DONE;
  if (a->rank < 2 || a->rank != b->rank) {
    rule_error(c, "rank", "a has rank %u, b has rank %u: the same of at least 2 needed", a->rank,
               b->rank);
    return RULE_DONE;
  }
  uint32_t rank = a->rank;
  int64_t left = 0;
  rule_int(c, "left_side", &left);
  rule_require_eq(c, a->dims[rank - 2], a->dims[rank - 1], "the matrices of a are square");
  rule_require_eq(c, a->dims[rank - 1], b->dims[left ? rank - 2 : rank - 1],
                  "a and b share an axis");
  for (uint32_t i = 0; i + 2 < rank; i++)
    rule_require_eq(c, a->dims[i], b->dims[i], "the batch dims of a and b are equal");
  return RULE_DONE;
}
