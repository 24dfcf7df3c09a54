// SPDX-License-Identifier: Apache-2.0
// uniform_quantize, uniform_dequantize, bitcast_convert: other elements, and of another width another last axis.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

static bool tensor_types(rule_context *c, type_id *in, type_id *out) {
  *in = verify_operand_type(c, 0);
  *out = verify_result_type(c, 0);
  return *in != TYPE_NONE && *out != TYPE_NONE && type_is_tensor(&c->graph->types, *in) &&
         type_is_tensor(&c->graph->types, *out);
}

rule_status rule_uniform_quantize(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  type_id in, out;
  // The expressed types agree (uniform_quantize (C2), uniform_dequantize (C2)).
  if (tensor_types(c, &in, &out)) {
    quant_type a, b;
    shape_dtype x = rule_operand_dtype(c, 0), y = rule_result_dtype(c, 0);
    bool known = true;
    if (verify_read_quant(c, in, &a)) known = dtype_from_name(a.expressed, a.expressed_length, &x);
    if (verify_read_quant(c, out, &b))
      known = dtype_from_name(b.expressed, b.expressed_length, &y) && known;
    if (known && x != y)
      rule_error(c, "element-type",
                 "the operand is %s, the result is %s: the types that they express differ",
                 verify_type_text(c, in), verify_type_text(c, out));
  }
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// --- bitcast_convert (C1, C2)

// Bits of one element; 0 when they are not known.
static int64_t bits_of(const rule_context *c, type_id type, shape_dtype dtype) {
  quant_type q;
  if (!verify_read_quant(c, type, &q)) return dtype_bits(dtype);
  int64_t bits = 0;
  for (uint32_t i = 0; i < q.storage_length && q.storage[i] != '<'; i++) {
    if (q.storage[i] >= '0' && q.storage[i] <= '9') bits = bits * 10 + (q.storage[i] - '0');
    if (bits > 64) return 0;
  }
  return bits;
}

// Constants of the same width: the bits stay, the sign may be read otherwise.
static void same_width_elements(rule_context *c) {
  uint32_t count;
  const term_id *in = rule_elements(c, 0, &count);
  shape_dtype from = rule_operand_dtype(c, 0), to = rule_result_dtype(c, 0);
  interval range;
  if (!in || !dtype_is_integer(from) || !math_range(c->budget, to, &range)) return;
  term_id *out = arena_alloc(c->arena, ((size_t)count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) {
    num value;
    out[i] = TERM_NONE;
    if (in[i] == TERM_NONE) continue;
    if (dtype_is_signed(from) == dtype_is_signed(to)) {
      out[i] = in[i];
    } else if (term_const_value(c->terms, in[i], &value)) {
      out[i] = term_const(c->terms, math_wrap(c, to, value));
    }
  }
  rule_set_elements(c, 0, out, count);
}

rule_status rule_bitcast_convert(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  type_id in, out;
  const value_info *v = rule_operand(c, 0);
  if (!tensor_types(c, &in, &out)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  shape_dtype from = rule_operand_dtype(c, 0), to = rule_result_dtype(c, 0);
  int64_t a = bits_of(c, in, from), b = bits_of(c, out, to);
  if (dtype_is_complex(from) != dtype_is_complex(to)) {  // (C2)
    rule_error(c, "element-type",
               "the operand is %s, the result is %s: both must be complex, or none",
               verify_type_text(c, in), verify_type_text(c, out));
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (!a || !b || !v->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (a == b) {
    rule_set_dims_like(c, 0, v);
    same_width_elements(c);
    return RULE_DONE;
  }
  int64_t wide = a > b ? a : b, narrow = a > b ? b : a;
  if (wide % narrow != 0) {
    rule_error(c, "element-type", "elements of %lld bits do not make up elements of %lld bits",
               (long long)narrow, (long long)wide);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id ratio = rule_int_term(c, wide / narrow);
  if (a > b) {
    term_id *dims = arena_alloc(c->arena, ((size_t)v->rank + 1) * sizeof(term_id));
    for (uint32_t i = 0; i < v->rank; i++) dims[i] = v->dims[i];
    dims[v->rank] = ratio;
    rule_set_dims(c, 0, dims, v->rank + 1);
  } else if (v->rank == 0) {
    rule_error(c, "rank", "the operand is %s, it has no axis whose elements make up one of %s",
               verify_type_text(c, in), verify_type_text(c, out));
    rule_set_unknown(c, 0);
  } else {
    rule_require_eq(c, v->dims[v->rank - 1], ratio,
                    "the last axis has the bits of one element of the result");
    rule_set_dims(c, 0, v->dims, v->rank - 1);
  }
  return RULE_DONE;
}
