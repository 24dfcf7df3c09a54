// SPDX-License-Identifier: Apache-2.0
// What is no tensor: constants, lists, integers and their arithmetic (Python's, on mathematical integers), dims, casts.
#include <assert.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// --- constants

static rule_status literal(rule_context *c) {
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, "value"));
  const graph_type *t =
      attr && attr->type != TYPE_NONE ? type_get(&c->graph->types, attr->type) : NULL;
  const int64_t *values;
  uint32_t count;
  if (!t || t->kind != TYPE_TENSOR) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)t->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = t->dims[i] < 0 ? TERM_NONE : rule_int_term(c, t->dims[i]);
    if (dims[i] == TERM_NONE) dims[i] = rule_unknown_size(c, 0, t->rank, i);
  }
  rule_set_dims(c, 0, dims, t->rank);
  if (!dtype_is_integer((shape_dtype)t->dtype) ||
      !graph_attr_ints(c->graph, rule_attr(c, "value"), &values, &count) ||
      count > VALUE_MAX_ELEMENTS || !elements_afford(c, count))
    return RULE_DONE;
  term_id *elements = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < count; i++)
    elements[i] = rule_element_term(c, (shape_dtype)t->dtype, values[i]);
  rule_set_elements(c, 0, elements, count);
  return RULE_DONE;
}

rule_status rule_torch_constant(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  int64_t value;
  if (c->row->param == CONSTANT_LITERAL) return literal(c);
  if (c->row->param == CONSTANT_NONE) {
    value_info none = {.visited = true, .is_none = true};
    rule_set_value(c, 0, &none);
  } else if (c->row->param == CONSTANT_NUMBER &&
             graph_attr_int(c->graph, rule_attr(c, "value"), &value)) {
    torch_set_int(c, 0, rule_int_term(c, value));
  } else {
    rule_set_unknown(c, 0);
  }
  return RULE_DONE;
}

// --- lists

rule_status rule_torch_list(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count = rule_operand_count(c);
  value_info *parts = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *parts);
  bool known = true;
  for (uint32_t i = 0; i < count; i++) {
    parts[i] = *rule_operand(c, i);
    known &= parts[i].ranked || parts[i].is_none || value_parts(&parts[i]);
  }
  torch_set_list(c, 0, parts, count);
  return known ? RULE_DONE : RULE_AGAIN;
}

// Part `index` of operand 0, which has `count` parts (0: that is not known). False where it is not known.
static bool part_of(rule_context *c, int64_t index, uint32_t count, value_info *out) {
  const value_info *list = rule_operand(c, 0);
  if (value_parts(list)) {
    int64_t length = value_part_count(list), at = index < 0 ? index + length : index;
    if (at < 0 || at >= length) {
      rule_error(c, "index", "index %lld is not one of a list of %lld", (long long)index,
                 (long long)length);
      return false;
    }
    *out = value_parts(list)[at];
    return true;
  }
  op_id def = torch_definition(c, 0);
  return def != ID_NONE && index >= 0 && index < UINT32_MAX &&
         torch_split_part(c, def, (uint32_t)index, count, out);
}

rule_status rule_torch_unpack(rule_context *c) {
  uint32_t count = rule_result_count(c);
  const value_info *list = rule_operand(c, 0);
  bool known = true;
  if (value_parts(list) && value_part_count(list) != count) {
    rule_error(c, "list-length", "the list has %u elements, %u are unpacked",
               value_part_count(list), count);
    return torch_unknown(c);
  }
  for (uint32_t i = 0; i < count; i++) {
    value_info part;
    if (part_of(c, i, count, &part)) {
      rule_set_value(c, i, &part);
    } else {
      rule_set_unknown(c, i);
      known = false;
    }
  }
  return known ? RULE_DONE : RULE_AGAIN;
}

// aten.__getitem__.t, prim.TupleIndex
rule_status rule_torch_item(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  value_info part;
  int64_t index;
  if (torch_const(c, "idx", 0, &index) && part_of(c, index, 0, &part)) {
    rule_set_value(c, 0, &part);
    return RULE_DONE;
  }
  rule_set_unknown(c, 0);
  return RULE_AGAIN;
}

static int64_t clamp(int64_t value, int64_t length) {
  if (value < 0) value += length;
  return value < 0 ? 0 : value > length ? length : value;
}

// Operators that change the list that is their first operand.
static const char *const CHANGES_LIST[] = {
    "torch.aten.append.t", "torch.aten.insert.t",  "torch.aten.extend.t", "torch.aten._set_item.t",
    "torch.aten.pop.t",    "torch.aten.reverse.t", "torch.aten.clear.t",  "torch.aten.Delete.t"};

static bool is_list_type(const shape_graph *g, value_id v) {
  const graph_type *t = graph_value_type(g, v);
  return !t || (t->kind != TYPE_TENSOR && t->kind != TYPE_SCALAR);
}

static bool makes_list(const shape_graph *g, op_id op) {
  name_id name = g->ops[op].name;
  const op_row *row =
      registry_find(intern_text(&g->names, name), intern_length(&g->names, name), 0);
  return row && row->rule == rule_torch_list;
}

// A list that is changed may be read before and after, and in a loop after each trip: what it holds is not followed. One
// that is reached otherwise than by the name of the operation that makes it may be any list of the program.
static void mark_lists(shape_graph *g) {
  for (unsigned i = 0; i < sizeof CHANGES_LIST / sizeof *CHANGES_LIST; i++) {
    name_id name = intern_find(&g->names, CHANGES_LIST[i], strlen(CHANGES_LIST[i]));
    for (op_id op = 0; name != NAME_NONE && op < g->op_count; op++) {
      if (g->ops[op].name != name) continue;
      value_id list = graph_operand(g, op, 0);
      bool own =
          list != VALUE_NONE && !g->values[list].is_argument && makes_list(g, g->values[list].def);
      if (own) g->values[list].changes = true;
      for (value_id v = 0; !own && v < g->value_count; v++)
        g->values[v].changes = is_list_type(g, v);
      if (g->ops[op].result_count) g->values[g->ops[op].results].changes = true;
      if (!own) return;
    }
  }
}

void torch_set_list(rule_context *c, uint32_t result, const value_info *parts, uint32_t count) {
  value_info list = {.visited = true};
  if (!c->log->lists_marked) mark_lists(c->graph);
  c->log->lists_marked = true;
  if (!c->graph->values[graph_result(c->graph, c->op, result)].changes)
    value_set_parts(c->arena, &list, parts, count);
  rule_set_value(c, result, &list);
}

// aten.slice.t, add.t, mul.left_t, append.t: lists as Python has them.
rule_status rule_torch_list_op(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  enum { MOST = 4096 };
  uint32_t count, more = 0, made = 0;
  int64_t start, end, step, times = 1;
  const value_info *a = torch_parts(c, "a", &count), *b = torch_parts(c, "b", &more);
  bool is_slice = torch_at(c, "start") != UINT32_MAX, is_append = torch_at(c, "el") != UINT32_MAX;
  bool fine = a && torch_const(c, "start", 0, &start) && torch_const(c, "end", INT64_MAX, &end) &&
              torch_const(c, "step", 1, &step) && step >= 1 && torch_const(c, "n", 1, &times);
  fine = fine && (torch_at(c, "b") == UINT32_MAX || b);
  if (times < 0) times = 0;
  if (!fine || times > MOST || (uint64_t)count * (uint64_t)times + more >= MOST)
    return torch_unknown(c);
  value_info *parts =
      arena_alloc(c->arena, ((size_t)count * (size_t)times + more + 2) * sizeof *parts);
  start = clamp(start, count);
  end = is_slice ? clamp(end, count) : (int64_t)count;
  for (int64_t k = 0; k < times; k++) {
    for (int64_t i = is_slice ? start : 0; i < end; i += step) {
      parts[made++] = a[i];
      if (step > end - i) break;
    }
  }
  for (uint32_t i = 0; i < more; i++) parts[made++] = b[i];
  if (is_append) parts[made++] = *torch_arg(c, "el");
  torch_set_list(c, 0, parts, made);
  return RULE_DONE;
}

// --- dims as integers

static rule_status one_dim(rule_context *c, const value_info *in) {
  uint32_t axis;
  if (!torch_min_rank(c, in, 1) || !torch_axis(c, "dim", 0, in->rank, &axis))
    return torch_unknown(c);
  torch_set_int(c, 0, in->dims[axis]);
  return RULE_DONE;
}

static rule_status all_dims(rule_context *c, const value_info *in) {
  value_info *parts = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof *parts);
  for (uint32_t i = 0; i < in->rank; i++) parts[i] = torch_int_value(c, in->dims[i]);
  torch_set_list(c, 0, parts, in->rank);
  return RULE_DONE;
}

rule_status rule_torch_size(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  if (c->row->param == SIZE_LENGTH && value_parts(in)) {
    torch_set_int(c, 0, rule_int_term(c, value_part_count(in)));
    return RULE_DONE;
  }
  if (!in->ranked) return torch_unknown(c);
  switch (c->row->param) {
  case SIZE_LIST: return torch_has(c, "dim") ? one_dim(c, in) : all_dims(c, in);
  case SIZE_RANK: torch_set_int(c, 0, rule_int_term(c, in->rank)); return RULE_DONE;
  case SIZE_NUMEL: torch_set_int(c, 0, torch_numel(c, in)); return RULE_DONE;
  default: return one_dim(c, in);
  }
}

// --- values that stay as they are

static bool keeps_integers(rule_context *c) {
  shape_dtype from = rule_operand_dtype(c, 0), to = rule_result_dtype(c, 0);
  if (from == DTYPE_OTHER && to == DTYPE_OTHER) return true;
  return dtype_is_integer(from) && dtype_is_integer(to) && dtype_bits(to) >= dtype_bits(from);
}

// Dims and integers of the first operand.
rule_status rule_torch_same(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->visited) return torch_unknown(c);
  if (!in->ranked && !value_parts(in) && !in->is_none) {
    rule_set_unknown(c, 0);
    return RULE_AGAIN;
  }
  if (in->ranked && !keeps_integers(c)) {
    rule_set_dims_like(c, 0, in);
  } else {
    rule_set_value(c, 0, in);
  }
  return RULE_DONE;
}

// All results have the dims of the first operand.
rule_status rule_torch_like(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims_like(c, i, in);
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}

rule_status rule_torch_fresh(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_DONE;
}

// Something that the reader does not follow: what it requires is not known.
rule_status rule_torch_unsure(rule_context *c) { return torch_unknown(c), RULE_DONE; }

// aten.item and its kin: a tensor of one element. param: a boolean is made of it.
rule_status rule_torch_to_scalar(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  for (uint32_t i = 0; in->ranked && i < in->rank; i++)
    rule_require_eq(c, in->dims[i], TERM_ONE, "the tensor has one element");
  bool keeps =
      dtype_is_integer(rule_operand_dtype(c, 0)) || rule_operand_dtype(c, 0) == DTYPE_OTHER;
  bool known = keeps && in->elements && in->element_count == 1;
  term_id value = known ? in->elements[0] : TERM_NONE;
  if (known && c->row->param && rule_operand_dtype(c, 0) != DTYPE_I1)
    value = math_compare(c, COMPARE_NE, value, TERM_ZERO);
  torch_set_int(c, 0, value);
  return RULE_DONE;
}

rule_status rule_torch_from_scalar(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = rule_operand(c, 0);
  shape_dtype to = rule_result_dtype(c, 0);
  rule_set_dims(c, 0, NULL, 0);
  if (in->elements && in->element_count == 1 && (dtype_is_integer(to) || to == DTYPE_OTHER))
    rule_set_elements(c, 0, in->elements, 1);
  return RULE_DONE;
}

// aten.__is__, __isnot__ with None (param 1: negated).
rule_status rule_torch_is(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  bool known = a->visited && b->visited && (a->is_none || b->is_none);
  bool same = a->is_none && b->is_none;
  torch_set_int(c, 0, known ? rule_int_term(c, same != (c->row->param != 0)) : TERM_NONE);
  return RULE_DONE;
}
