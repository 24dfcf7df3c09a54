// SPDX-License-Identifier: Apache-2.0
// Operators that give a list of parts of an axis. How many there are may follow from who takes them apart only, so a
// part is computed where it is taken (torch_split_part), and the list itself has parts where their number is known.
#include <assert.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

enum { SPLIT_MAX = 4096 };

static const char FITS[] = "the parts are as many as are taken";

// A part of an axis of the operand that has `size`; TERM_NONE: the axis goes.
static void make_part(rule_context *c, const value_info *in, uint32_t axis, term_id size,
                      value_info *out) {
  term_id *dims = torch_dims(c, in, 0);
  uint32_t rank = in->rank;
  if (size == TERM_NONE) {
    torch_drop_axis(in, axis, dims);
    rank--;
  } else {
    dims[axis] = rule_bounded(c, size);
  }
  *out = (value_info){.dims = dims, .rank = rank, .ranked = true, .visited = true};
}

// The dim of each part but the last of split (even) and chunk; TERM_NONE where it is not known.
static term_id even_size(rule_context *c, term_id all) {
  if (c->row->param == SPLIT_EVEN) {
    term_id size = torch_int(c, "split_size");
    if (size == TERM_NONE) return TERM_NONE;
    rule_require(c, predicate_make(REL_GE, size, math_min(c, all, TERM_ONE)),
                 "the dim of a part is at least 1, or 0 of an empty axis");
    return math_is_positive(c, size) ? store_canon(c->store, size) : TERM_NONE;
  }
  term_id chunks = torch_int(c, "chunks");
  if (chunks == TERM_NONE) return TERM_NONE;
  rule_require(c, predicate_make(REL_GE, chunks, TERM_ONE), "there is at least one chunk");
  if (!math_is_positive(c, chunks)) return TERM_NONE;
  return term_ceildiv(c->terms, store_canon(c->store, all), chunks);
}

// Part `index` of `count` of split and chunk. An empty axis is one part of split, and `chunks` of chunk.
static bool even_part(rule_context *c, term_id all, uint32_t index, uint32_t count, term_id *out) {
  term_id size = even_size(c, all), rest, least = TERM_ONE;
  int64_t chunks;
  if (size == TERM_NONE) return false;
  rest = term_sub(c->terms, all, term_mul(c->terms, size, rule_int_term(c, index)));
  bool last = count && index + 1 == count, is_chunk = c->row->param == SPLIT_CHUNK;
  if (is_chunk && !count && torch_const(c, "chunks", 1, &chunks))
    last = chunks == 1 + (int64_t)index;
  if (is_chunk) least = math_min(c, all, TERM_ONE);
  if (index) rule_require(c, predicate_make(REL_GE, rest, least), FITS);
  if (last && count) rule_require(c, predicate_make(REL_LE, rest, size), FITS);
  *out = last ? rest : count ? size : math_min(c, size, rest);
  return true;
}

static bool listed_part(rule_context *c, term_id all, uint32_t index, uint32_t count,
                        term_id *out) {
  torch_ints sizes;
  if (!torch_list(c, "split_sizes", &sizes)) return false;
  if (index >= sizes.count || (count && count != sizes.count)) {
    rule_error(c, "list-length", "%u parts are taken of %u", count ? count : index + 1,
               sizes.count);
    return false;
  }
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < sizes.count; i++) {
    if (sizes.items[i] == TERM_NONE) {
      rule_unchecked(c, "the parts fill the axis", TORCH_NOT_KNOWN);
      *out = sizes.items[index];
      return *out != TERM_NONE;
    }
    rule_require(c, predicate_make(REL_GE, sizes.items[i], TERM_ZERO),
                 "the dim of a part is at least 0");
    sum = term_add(c->terms, sum, sizes.items[i]);
  }
  rule_require_eq(c, sum, all, "the parts fill the axis");
  *out = sizes.items[index];
  return true;
}

// tensor_split: c parts, the first `size mod c` of them one larger; or between indices.
static bool section_part(rule_context *c, term_id all, uint32_t index, term_id *out) {
  torch_ints at;
  int64_t sections;
  all = store_canon(c->store, all);
  if (torch_at(c, "indices") != UINT32_MAX) {
    if (!torch_list(c, "indices", &at) || index > at.count) return false;
    term_id from = index ? at.items[index - 1] : TERM_ZERO,
            to = index < at.count ? at.items[index] : all;
    if (from == TERM_NONE || to == TERM_NONE || !math_is_nonnegative(c, from) ||
        !math_is_nonnegative(c, to))
      return false;
    term_id end = math_min(c, to, all), begin = math_min(c, from, all);
    *out = math_max(c, term_sub(c->terms, end, begin), TERM_ZERO);
    return true;
  }
  term_id given = torch_int(c, "sections");
  if (given != TERM_NONE)
    rule_require(c, predicate_make(REL_GE, given, TERM_ONE), "there is at least one section");
  if (!torch_const(c, "sections", 1, &sections) || sections < 1 || (int64_t)index >= sections)
    return false;
  // ceil((all - index) / sections), which is 0 at least.
  term_id left = term_sub(c->terms, all, rule_int_term(c, index));
  *out = math_max(c, term_ceildiv(c->terms, left, rule_int_term(c, sections)), TERM_ZERO);
  return true;
}

static bool part_here(rule_context *c, uint32_t index, uint32_t count, value_info *out) {
  const value_info *in = torch_arg(c, "self");
  uint32_t axis;
  term_id size = TERM_NONE;
  if (!torch_min_rank(c, in, 1) || !torch_axis(c, "dim", 0, in->rank, &axis)) return false;
  term_id all = in->dims[axis];
  switch (c->row->param) {
  case SPLIT_UNBIND:
    if (count) rule_require_eq(c, all, rule_int_term(c, count), FITS);
    if (!count) rule_require(c, predicate_make(REL_GT, all, rule_int_term(c, index)), FITS);
    break;
  case SPLIT_SIZES:
    if (!listed_part(c, all, index, count, &size)) return false;
    break;
  case SPLIT_SECTIONS:
    if (!section_part(c, all, index, &size)) return false;
    break;
  default:
    if (!even_part(c, all, index, count, &size)) return false;
    break;
  }
  make_part(c, in, axis, size, out);
  return true;
}

bool torch_split_part(rule_context *c, op_id op, uint32_t index, uint32_t count, value_info *out) {
  const char *name = graph_op_name(c->graph, op);
  const op_row *row = registry_find(name, strlen(name), 0);
  if (!row || row->rule != rule_torch_split || !c->graph->ops[op].result_count ||
      c->graph->ops[op].results < c->value_base)
    return false;
  rule_context inner = *c;
  inner.op = op;
  inner.row = row;
  return part_here(&inner, index, count, out);
}

// How many parts there are; 0 where that is not known.
static uint32_t part_count(rule_context *c) {
  const value_info *in = torch_arg(c, "self");
  torch_ints sizes;
  uint32_t axis;
  int64_t number, all, size;
  if (c->row->param == SPLIT_SIZES)
    return torch_list(c, "split_sizes", &sizes) && sizes.count < SPLIT_MAX ? sizes.count : 0;
  if (c->row->param == SPLIT_SECTIONS) {
    if (torch_list(c, "indices", &sizes)) return sizes.count < SPLIT_MAX ? sizes.count + 1 : 0;
    return torch_const(c, "sections", 0, &number) && number < SPLIT_MAX && number > 0
               ? (uint32_t)number
               : 0;
  }
  if (!torch_min_rank(c, in, 1) || !torch_axis(c, "dim", 0, in->rank, &axis)) return 0;
  if (c->row->param == SPLIT_UNBIND)
    return torch_constant(c, in->dims[axis], &number) && number < SPLIT_MAX ? (uint32_t)number : 0;
  term_id each = even_size(c, in->dims[axis]);
  if (torch_constant(c, in->dims[axis], &all) && torch_constant(c, each, &size) && size > 0) {
    number = all ? (all - 1) / size + 1 : 1;
    return number < SPLIT_MAX ? (uint32_t)number : 0;
  }
  // One where the axis is empty, else as many as are needed: known where the quotient is.
  if (each == TERM_NONE || !math_is_positive(c, each)) return 0;
  term_id quotient = term_ceildiv(c->terms, store_canon(c->store, in->dims[axis]), each);
  return torch_constant(c, quotient, &number) && number > 0 && number < SPLIT_MAX ? (uint32_t)number
                                                                                  : 0;
}

// split.Tensor, split_with_sizes, chunk, unbind, tensor_split.
rule_status rule_torch_split(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count = part_count(c);
  if (!count) {
    value_info part;  // what the operator requires, whichever part is taken
    bool none = c->row->param == SPLIT_UNBIND || c->row->param == SPLIT_SIZES;
    if (!none && !part_here(c, 0, 0, &part)) return torch_unknown(c);
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  value_info *parts = arena_zalloc(c->arena, (size_t)count * sizeof *parts);
  for (uint32_t i = 0; i < count; i++) {
    if (!part_here(c, i, count, &parts[i])) return torch_unknown(c);
  }
  torch_set_list(c, 0, parts, count);
  return RULE_DONE;
}
