// SPDX-License-Identifier: Apache-2.0
// Products, and what contracts axes: mm and its kin by a pattern of letters, matmul, linear, einsum, tensordot, attention.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static const char CONTRACTED[] = "the contracted dims are equal";

rule_status rule_torch_matmul(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  return onnx_multiply(c, rule_operand(c, 0), rule_operand(c, 1)) ? RULE_DONE : torch_unknown(c);
}

// By letters, one for each axis: the same letter is the same dim. An operand in front of '+' broadcasts to the result.
static const char *const PATTERNS[] = {[PATTERN_MM] = "ab,bc->ac",
                                       [PATTERN_BMM] = "abc,acd->abd",
                                       [PATTERN_MV] = "ab,b->a",
                                       [PATTERN_DOT] = "a,a->",
                                       [PATTERN_OUTER] = "a,b->ab",
                                       [PATTERN_ADDMM] = "+ab,bc->ac",
                                       [PATTERN_BADDBMM] = "+abc,acd->abd",
                                       [PATTERN_ADDBMM] = "+abc,acd->bd",
                                       [PATTERN_ADDMV] = "+ab,b->a",
                                       [PATTERN_ADDR] = "+a,b->ab"};

// Dims of an operand's letters into `letters`; false where its rank is not known, or after an error.
static bool read_letters(rule_context *c, uint32_t operand, const char *from, const char *to,
                         term_id *letters) {
  if (!onnx_rank(c, operand, (uint32_t)(to - from))) return false;
  const value_info *v = rule_operand(c, operand);
  for (const char *p = from; p < to; p++) {
    term_id *dim = &letters[*p - 'a'];
    if (*dim == TERM_NONE) {
      *dim = v->dims[p - from];
    } else {
      rule_require_eq(c, *dim, v->dims[p - from], CONTRACTED);
    }
  }
  return true;
}

rule_status rule_torch_pattern(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  enum { LETTERS = 8 };
  term_id letters[LETTERS], dims[LETTERS];
  const char *p = PATTERNS[c->row->param];
  uint32_t operand = 0, rank = 0;
  bool adds = *p == '+', known = true;
  for (uint32_t i = 0; i < LETTERS; i++) letters[i] = TERM_NONE;
  if (adds) {
    p++;
    operand++;
  }
  while (*p != '-') {
    const char *end = p;
    while (*end != ',' && *end != '-') end++;
    known = read_letters(c, operand++, p, end, letters) && known;
    p = *end == ',' ? end + 1 : end;
  }
  if (!known) return torch_unknown(c);
  for (p += 2; *p; p++) dims[rank++] = letters[*p - 'a'];
  if (adds)
    onnx_require_broadcasts(c, rule_operand(c, 0), dims, rank,
                            "the operand broadcasts to the product");
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// linear: x without its last axis, and the rows of the weights.
rule_status rule_torch_linear(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "input"), *w = torch_arg(c, "weight");
  if (!torch_min_rank(c, x, 1) || !torch_min_rank(c, w, 1)) return torch_unknown(c);
  if (w->rank > 2) {
    rule_error(c, "rank", "the weights have rank %u, at most 2 is needed", w->rank);
    return torch_unknown(c);
  }
  rule_require_eq(c, x->dims[x->rank - 1], w->dims[w->rank - 1], CONTRACTED);
  term_id *dims = torch_dims(c, x, 0);
  uint32_t rank = x->rank - 1;
  if (w->rank == 2) dims[rank++] = w->dims[0];
  if (torch_has(c, "bias"))
    onnx_require_broadcasts(c, torch_arg(c, "bias"), dims, rank,
                            "the bias broadcasts to the product");
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

rule_status rule_torch_bilinear(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = torch_arg(c, "input1"), *b = torch_arg(c, "input2");
  if (!torch_rank(c, "weight", 3) || !torch_min_rank(c, a, 1) || !b->ranked)
    return torch_unknown(c);
  const value_info *w = torch_arg(c, "weight");
  if (b->rank != a->rank) {
    rule_error(c, "rank", "the operands have ranks %u and %u", a->rank, b->rank);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, a, 0);
  for (uint32_t i = 0; i + 1 < a->rank; i++)
    rule_require_eq(c, a->dims[i], b->dims[i], "the batch dims are equal");
  rule_require_eq(c, a->dims[a->rank - 1], w->dims[1], CONTRACTED);
  rule_require_eq(c, b->dims[b->rank - 1], w->dims[2], CONTRACTED);
  dims[a->rank - 1] = w->dims[0];
  rule_set_dims(c, 0, dims, a->rank);
  return RULE_DONE;
}

rule_status rule_torch_einsum(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count;
  const value_info *parts = torch_parts(c, "tensors", &count);
  const char *equation = torch_text(c, "equation");
  if (!parts || !equation) return torch_unknown(c);
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].ranked) return torch_unknown(c);
  }
  return onnx_einsum(c, equation, parts, count);
}

rule_status rule_torch_inner(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (!a->ranked || !b->ranked) return torch_unknown(c);
  term_id *dims = torch_dims(c, a, b->rank);
  uint32_t rank = 0;
  if (!a->rank || !b->rank) {  // a product with a scalar
    rule_set_dims_like(c, 0, a->rank ? a : b);
    return RULE_DONE;
  }
  rule_require_eq(c, a->dims[a->rank - 1], b->dims[b->rank - 1], CONTRACTED);
  for (uint32_t i = 0; i + 1 < a->rank; i++) dims[rank++] = a->dims[i];
  for (uint32_t i = 0; i + 1 < b->rank; i++) dims[rank++] = b->dims[i];
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

rule_status rule_torch_tensordot(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  torch_ints left, right;
  uint32_t rank = 0, x, y;
  int64_t p, q;
  if (!a->ranked || !b->ranked || !torch_list(c, "dims_self", &left) ||
      !torch_list(c, "dims_other", &right))
    return torch_unknown(c);
  if (left.count != right.count) {
    rule_error(c, "axis", "%u axes are contracted with %u", left.count, right.count);
    return torch_unknown(c);
  }
  uint8_t *in_a = arena_zalloc(c->arena, (size_t)a->rank + 1);
  uint8_t *in_b = arena_zalloc(c->arena, (size_t)b->rank + 1);
  for (uint32_t i = 0; i < left.count; i++) {
    if (!torch_constant(c, left.items[i], &p) || !torch_constant(c, right.items[i], &q) ||
        !torch_wrap(c, p, a->rank, &x) || !torch_wrap(c, q, b->rank, &y))
      return torch_unknown(c);
    if (!a->rank || !b->rank) continue;
    value_info one = {.dims = &a->dims[x], .rank = 1, .ranked = true};
    value_info other = {.dims = &b->dims[y], .rank = 1, .ranked = true};
    const value_info *both[2] = {&one, &other};
    value_info ignored;
    torch_broadcast(c, both, 2, &ignored);  // a dim of 1 is summed with any other
    in_a[x] = in_b[y] = 1;
  }
  term_id *dims = torch_dims(c, a, b->rank);
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!in_a[i]) dims[rank++] = a->dims[i];
  }
  for (uint32_t i = 0; i < b->rank; i++) {
    if (!in_b[i]) dims[rank++] = b->dims[i];
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

rule_status rule_torch_kron(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (!a->ranked || !b->ranked) return torch_unknown(c);
  uint32_t rank = a->rank > b->rank ? a->rank : b->rank;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < rank; i++) {
    term_id x = i + a->rank < rank ? TERM_ONE : a->dims[i + a->rank - rank];
    term_id y = i + b->rank < rank ? TERM_ONE : b->dims[i + b->rank - rank];
    dims[i] = term_mul(c->terms, x, y);
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

// Vectors of 3 along one axis of both, which have one rank; the other axes broadcast.
rule_status rule_torch_cross(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1), *both[2] = {a, b};
  value_info out;
  uint32_t axis;
  if (!torch_broadcast(c, both, 2, &out) || !torch_min_rank(c, &out, 1)) return torch_unknown(c);
  if (a->rank != b->rank) {
    rule_error(c, "rank", "other has rank %u, self has %u", b->rank, a->rank);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, &out, 0);
  if (!torch_has(c, "dim") && !c->row->param) {  // the first axis of 3
    rule_unchecked(c, "an axis has the dim 3", TORCH_NOT_KNOWN);
  } else if (torch_axis(c, "dim", -1, out.rank, &axis)) {
    dims[axis] = rule_int_term(c, 3);
    for (uint32_t i = 0; i < 2; i++)
      rule_require_eq(c, both[i]->dims[axis], dims[axis], "the axis has the dim 3");
  } else {
    return torch_unknown(c);
  }
  rule_set_dims(c, 0, dims, out.rank);
  return RULE_DONE;
}

// cdist [.., p, m], [.., r, m]; pdist (param 1) of one operand.
rule_status rule_torch_cdist(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  if (c->row->param) {
    if (!torch_rank(c, "self", 2)) return torch_unknown(c);
    term_id n = torch_arg(c, "self")->dims[0];
    term_id pairs = term_mul(c->terms, n, term_sub(c->terms, n, TERM_ONE));
    pairs = term_floordiv(c->terms, pairs, rule_int_term(c, 2));
    rule_set_dims(c, 0, &pairs, 1);
    return RULE_DONE;
  }
  if (!torch_min_rank(c, a, 2) || !torch_min_rank(c, b, 2)) return torch_unknown(c);
  value_info left = {.dims = a->dims, .rank = a->rank - 2, .ranked = true}, right = left, out;
  right.dims = b->dims;
  right.rank = b->rank - 2;
  const value_info *both[2] = {&left, &right};
  rule_require_eq(c, a->dims[a->rank - 1], b->dims[b->rank - 1], "vectors have one length");
  if (!torch_broadcast(c, both, 2, &out)) return torch_unknown(c);
  term_id *dims = torch_dims(c, &out, 2);
  dims[out.rank] = a->dims[a->rank - 2];
  dims[out.rank + 1] = b->dims[b->rank - 2];
  rule_set_dims(c, 0, dims, out.rank + 2);
  return RULE_DONE;
}

// cosine_similarity (axis `dim`), pairwise_distance (the last): both broadcast, and the axis goes.
rule_status rule_torch_distance(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *both[2] = {rule_operand(c, 0), rule_operand(c, 1)};
  value_info out;
  uint32_t axis;
  bool known = true, keep = torch_flag(c, "keepdim", false, &known);
  if (!torch_broadcast(c, both, 2, &out) || !torch_min_rank(c, &out, 1) || !known ||
      !torch_axis(c, "dim", c->row->param ? -1 : 1, out.rank, &axis))
    return torch_unknown(c);
  term_id *dims = torch_dims(c, &out, 0);
  if (keep) {
    dims[axis] = TERM_ONE;
  } else {
    torch_drop_axis(&out, axis, dims);
  }
  rule_set_dims(c, 0, dims, out.rank - !keep);
  return RULE_DONE;
}

// Square matrices in the last two axes. param: the axes that go.
rule_status rule_torch_square(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  if (!torch_min_rank(c, in, 2)) return torch_unknown(c);
  rule_require_eq(c, in->dims[in->rank - 1], in->dims[in->rank - 2], "the matrices are square");
  for (uint32_t i = 0; i < rule_result_count(c); i++)
    rule_set_dims(c, i, in->dims, in->rank - (i ? 1 : c->row->param));
  return RULE_DONE;
}
