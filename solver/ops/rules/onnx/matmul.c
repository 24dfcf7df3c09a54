// SPDX-License-Identifier: Apache-2.0
// ONNX products: MatMul and its quantised kin, Gemm, Einsum, Det.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// NumPy's matmul of two shapes: vectors count as a row or a column, which the result drops; the axes before broadcast.
bool onnx_multiply(rule_context *c, const value_info *a, const value_info *b) {
  if (!a->ranked || !b->ranked) return false;
  if (!a->rank || !b->rank) {
    rule_error(c, "rank", "a scalar cannot be multiplied as a matrix");
    return false;
  }
  uint32_t a_batch = a->rank > 2 ? a->rank - 2 : 0, b_batch = b->rank > 2 ? b->rank - 2 : 0, rank;
  value_info left = {.dims = a->dims, .rank = a_batch, .ranked = true};
  value_info right = {.dims = b->dims, .rank = b_batch, .ranked = true};
  const value_info *both[2] = {&left, &right};
  term_id *batch;
  rule_require_eq(c, a->dims[a->rank - 1], b->dims[b->rank > 1 ? b->rank - 2 : 0],
                  "the contracted dims are equal");
  if (!onnx_broadcast_dims(c, both, 2, &batch, &rank)) return false;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 3) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) dims[i] = batch[i];
  if (a->rank > 1) dims[rank++] = a->dims[a->rank - 2];
  if (b->rank > 1) dims[rank++] = b->dims[b->rank - 1];
  rule_set_dims(c, 0, dims, rank);
  return true;
}

// ONNX: MatMul, MatMulInteger, QLinearMatMul; param: which operand is the second factor.
rule_status rule_onnx_matmul(rule_context *c) {
  if (onnx_multiply(c, rule_operand(c, 0), rule_operand(c, c->row->param))) return RULE_DONE;
  return onnx_unknown(c);
}

static value_info transposed(rule_context *c, const value_info *v, bool swap) {
  value_info out = *v;
  if (!swap || !v->ranked || v->rank < 2) return out;
  term_id *dims = onnx_copy_dims(c, v);
  dims[v->rank - 2] = v->dims[v->rank - 1];
  dims[v->rank - 1] = v->dims[v->rank - 2];
  out.dims = dims;
  return out;
}

// With the first axis moved after those of the batch.
static value_info batched(rule_context *c, const value_info *v, bool moved) {
  value_info out = *v;
  if (!moved || !v->ranked || v->rank < 3) return out;
  term_id *dims = onnx_copy_dims(c, v);
  for (uint32_t i = 0; i + 2 < v->rank; i++) dims[i] = v->dims[i + 1];
  dims[v->rank - 2] = v->dims[0];
  out.dims = dims;
  return out;
}

// com.microsoft: FusedMatMul.
rule_status rule_onnx_fused_matmul(rule_context *c) {
  value_info a = batched(c, rule_operand(c, 0), onnx_int(c, "transBatchA", 0) != 0);
  value_info b = batched(c, rule_operand(c, 1), onnx_int(c, "transBatchB", 0) != 0);
  a = transposed(c, &a, onnx_int(c, "transA", 0) != 0);
  b = transposed(c, &b, onnx_int(c, "transB", 0) != 0);
  return onnx_multiply(c, &a, &b) ? RULE_DONE : onnx_unknown(c);
}

// ONNX: Gemm: C broadcasts to the product in one direction.
rule_status rule_onnx_gemm(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  if (!onnx_rank(c, 0, 2) || !onnx_rank(c, 1, 2)) return onnx_unknown(c);
  value_info a = transposed(c, rule_operand(c, 0), onnx_int(c, "transA", 0) != 0);
  value_info b = transposed(c, rule_operand(c, 1), onnx_int(c, "transB", 0) != 0);
  rule_require_eq(c, a.dims[1], b.dims[0], "the contracted dims are equal");
  term_id dims[2] = {a.dims[0], b.dims[1]};
  rule_set_dims(c, 0, dims, 2);
  const value_info *bias = rule_operand(c, 2);
  onnx_require_broadcasts(c, bias, dims, 2, "C broadcasts to the product");
  return RULE_DONE;
}

// ONNX: Det: the last two axes are square and go.
rule_status rule_onnx_det(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  if (in->rank < 2) {
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", in->rank);
    return onnx_unknown(c);
  }
  rule_require_eq(c, in->dims[in->rank - 1], in->dims[in->rank - 2], "the matrices are square");
  rule_set_dims(c, 0, in->dims, in->rank - 2);
  return RULE_DONE;
}

// --- Einsum

typedef struct einsum {
  term_id letters[128];
  uint8_t seen[128];  // how often on the left
  term_id *dots;
  uint32_t dot_count;
} einsum;

static bool is_dots(const char *s) { return s[0] == '.' && s[1] == '.' && s[2] == '.'; }
static bool is_letter(char ch) { return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'); }

// Letters of one operand's part; false where it holds something else.
static bool count_letters(rule_context *c, const char *s, const char *end, uint32_t *letters,
                          bool *dots) {
  *letters = 0;
  *dots = false;
  for (; s < end; s++) {
    if (*s == ' ') continue;
    if (is_dots(s) && !*dots) {
      *dots = true;
      s += 2;
    } else if (is_letter(*s)) {
      ++*letters;
    } else {
      rule_error(c, "attribute", "the equation has '%c' where a letter is needed", *s);
      return false;
    }
  }
  return true;
}

static bool einsum_operand(rule_context *c, einsum *e, const value_info *parts, uint32_t operand,
                           const char *s, const char *end) {
  uint32_t letters, axis = 0, rank;
  bool dots;
  if (!count_letters(c, s, end, &letters, &dots)) return false;
  if (!dots && !parts && !onnx_rank(c, operand, letters)) return false;
  const value_info *v = parts ? &parts[operand] : rule_operand(c, operand);
  if (!v->ranked) return false;
  if (v->rank < letters || (!dots && v->rank != letters)) {
    rule_error(c, "rank", "operand #%u has rank %u, the equation names %u axes", operand, v->rank,
               letters);
    return false;
  }
  term_id mine[128];
  for (uint32_t i = 0; i < 128; i++) mine[i] = TERM_NONE;
  for (; s < end; s++) {
    if (*s == ' ') continue;
    if (is_dots(s)) {
      value_info old = {.dims = e->dots, .rank = e->dot_count, .ranked = true};
      value_info now = {
          .dims = v->rank ? v->dims + axis : NULL, .rank = v->rank - letters, .ranked = true};
      const value_info *both[2] = {&old, &now};
      onnx_broadcast_dims(c, both, 2, &e->dots, &rank);
      e->dot_count = rank;
      axis += v->rank - letters;
      s += 2;
      continue;
    }
    term_id *size = &e->letters[(unsigned char)*s], *own = &mine[(unsigned char)*s];
    if (*own != TERM_NONE) {
      rule_require_eq(c, *own, v->dims[axis], "axes of one operand with one letter are equal");
    } else {
      *own = v->dims[axis];
      *size = *size == TERM_NONE ? *own : onnx_broadcast_size(c, *size, *own);
    }
    if (e->seen[(unsigned char)*s] < 2) e->seen[(unsigned char)*s]++;
    axis++;
  }
  return true;
}

static void einsum_result(rule_context *c, const einsum *e, const char *s, bool implicit) {
  uint32_t letters = 0, rank = 0;
  bool dots = true;
  if (!implicit && !count_letters(c, s, s + strlen(s), &letters, &dots)) {
    onnx_unknown(c);
    return;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)letters + e->dot_count + 129) * sizeof *dims);
  for (uint32_t i = 0; implicit && i < e->dot_count; i++) dims[rank++] = e->dots[i];
  // Without an arrow: the letters that occur once, in the order of the alphabet.
  for (unsigned letter = 'A'; implicit && letter <= 'z'; letter++) {
    if (e->seen[letter] == 1) dims[rank++] = e->letters[letter];
  }
  for (; !implicit && *s; s++) {
    if (*s == ' ') continue;
    if (is_dots(s)) {
      for (uint32_t i = 0; i < e->dot_count; i++) dims[rank++] = e->dots[i];
      s += 2;
    } else if (e->letters[(unsigned char)*s] != TERM_NONE) {
      dims[rank++] = e->letters[(unsigned char)*s];
    } else {
      rule_error(c, "attribute", "the equation has '%c' in the result and in no operand", *s);
      onnx_unknown(c);
      return;
    }
  }
  rule_set_dims(c, 0, dims, rank);
}

rule_status onnx_einsum(rule_context *c, const char *equation, const value_info *parts,
                        uint32_t count) {
  const char *s = equation;
  einsum e = {.dots = NULL};
  uint32_t operand = 0;
  bool fine = equation != NULL, more = true;
  for (uint32_t i = 0; i < 128; i++) e.letters[i] = TERM_NONE;
  while (fine && more) {
    const char *end = s;
    while (*end && *end != ',' && !(end[0] == '-' && end[1] == '>')) end++;
    if (operand >= count) {
      rule_error(c, "operand-count", "the equation names more operands than there are");
      return onnx_unknown(c);
    }
    fine = einsum_operand(c, &e, parts, operand++, s, end);
    more = *end == ',';
    s = more ? end + 1 : end;
  }
  if (!fine) return onnx_unknown(c);
  if (operand != count)
    rule_error(c, "operand-count", "the equation names %u operands, there are %u", operand, count);
  einsum_result(c, &e, *s ? s + 2 : s, !*s);
  return RULE_DONE;
}

rule_status rule_onnx_einsum(rule_context *c) {
  return onnx_einsum(c, rule_text(c, "equation"), NULL, rule_operand_count(c));
}
