// SPDX-License-Identifier: Apache-2.0
// Collective operations: tensors of the processes of a group, gathered, reduced, exchanged.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// The number of processes in a group as a term. replica_groups says it, except that with a channel and without
// use_global_device_ids a group has every partition of its replicas (StableHLO spec, cross_replica_and_partition), and
// the program does not say how many partitions there are: a multiple then.
static term_id group_size(rule_context *c, int64_t size) {
  int64_t channel = 0;
  verify_dict_int(c, rule_attr(c, "channel_handle"), "handle", &channel);
  bool global = rule_attr(c, "use_global_device_ids") != ATTR_NONE;
  if (size > 0 && (global || channel <= 0)) return rule_int_term(c, size);
  term_id partitions = rule_fresh_size(c);
  rule_fact(c, predicate_make(REL_GE, partitions, TERM_ONE), "a group has at least one process");
  return size > 0 ? term_mul(c->terms, partitions, rule_int_term(c, size)) : partitions;
}

// What is refused as a number may not be 0 when the program runs, either.
static bool refuse_zero(rule_context *c, const char *what, term_id size) {
  if (size == TERM_ZERO) {
    rule_error(c, "axis", "%s is 0", what);
    return false;
  }
  rule_require(c, predicate_make(REL_GE, size, TERM_ONE), "the gathered or scattered dim is not 0");
  return true;
}

static bool axis_of(rule_context *c, const char *name, const value_info *v, int64_t *axis) {
  if (!rule_int(c, name, axis) || *axis < 0 || !v->ranked) return false;
  if (*axis < (int64_t)v->rank) return true;
  rule_error(c, "axis", "%s is %lld, the operand has rank %u", name, (long long)*axis, v->rank);
  return false;
}

static void replace_axis(rule_context *c, uint32_t result, const value_info *in, int64_t axis,
                         term_id size) {
  assert(axis >= 0 && axis < (int64_t)in->rank);
  term_id *dims = arena_alloc(c->arena, in->rank * sizeof(term_id));
  memcpy(dims, in->dims, in->rank * sizeof(term_id));
  dims[axis] = size;
  rule_set_dims(c, result, dims, in->rank);
}

static term_id declared_size(rule_context *c, uint32_t result, int64_t axis) {
  assert(axis >= 0);
  const graph_type *t = rule_result_type(c, result);
  if (!t || t->kind != TYPE_TENSOR || axis >= (int64_t)t->rank || !dim_is_static(t->dims[axis]))
    return TERM_NONE;
  return rule_int_term(c, t->dims[axis]);
}

// The result is declared with another multiple of the operand's dim than the group has processes. The specification
// refuses that (C6), the verifier of the dialect takes it, and so do tools.
static bool is_other_multiple(rule_context *c, uint32_t result, int64_t axis, term_id size,
                              term_id all) {
  int64_t one, wanted, says;
  term_id declared = declared_size(c, result, axis);
  if (declared == TERM_NONE || !term_int_value(c->terms, declared, &says) ||
      !term_int_value(c->terms, size, &one) || !term_int_value(c->terms, all, &wanted) ||
      one <= 0 || says == wanted || says % one)
    return false;
  rule_note(
      c, "type-mismatch",
      "the specification asks for %lld along all_gather_dim, %lld for each process of the group; "
      "StableHLO's verifier takes any multiple of that",
      (long long)wanted, (long long)one);
  return true;
}

// all_gather (C1..C6): the axis has the dims of all processes, one after the other.
static void all_gather(rule_context *c) {
  int64_t size = 0, axis;
  verify_replica_groups(c, true, true, 0, &size);
  verify_channel(c, false);
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    const value_info *in = rule_operand(c, i);
    if (!axis_of(c, "all_gather_dim", in, &axis) ||
        !refuse_zero(c, "the operand's dim along all_gather_dim", in->dims[axis])) {
      rule_set_unknown(c, i);
      continue;
    }
    term_id all = term_mul(c->terms, in->dims[axis], group_size(c, size));
    bool other = is_other_multiple(c, i, axis, in->dims[axis], all);
    replace_axis(c, i, in, axis, other ? declared_size(c, i, axis) : all);
  }
}

// A region that combines two values of operand `i`, checked on scalars of its element type.
static void check_computation(rule_context *c, uint32_t operand) {
  type_id type = verify_operand_type(c, operand);
  if (type == TYPE_NONE || !type_is_tensor(&c->graph->types, type)) return;
  type = type_with_dims(&c->graph->types, type, NULL, NULL, 0);
  reducer_spec spec = {.inputs = &type, .inits = &type, .count = 1, .check_results = operand == 0};
  verify_reducer(c, 0, &spec);
}

// reduce_scatter (C1..C9): each process keeps its part of the reduced tensor.
static void reduce_scatter(rule_context *c) {
  int64_t size = 0, axis;
  verify_replica_groups(c, true, true, 0, &size);
  verify_channel(c, true);
  check_computation(c, 0);
  const value_info *in = rule_operand(c, 0);
  if (!axis_of(c, "scatter_dimension", in, &axis)) {
    rule_set_unknown(c, 0);
    return;
  }
  bool fine = refuse_zero(c, "the operand's dim along scatter_dimension", in->dims[axis]);
  term_id declared = declared_size(c, 0, axis), part;
  if (declared != TERM_NONE)
    fine = refuse_zero(c, "the result's dim along scatter_dimension", declared) && fine;
  if (!fine) {
    rule_set_unknown(c, 0);
    return;
  }
  term_id group = group_size(c, size);
  int64_t count;
  if (term_int_value(c->terms, group, &count)) {
    rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[axis], group),
                 "the group divides the scattered dim");
    part = term_floordiv(c->terms, in->dims[axis], group);
  } else {
    part = declared != TERM_NONE ? declared : rule_fresh_size(c);
    if (declared != TERM_NONE)
      rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[axis], declared),
                   "the group divides the scattered dim");
    rule_require_eq(c, in->dims[axis], term_mul(c->terms, part, group),
                    "the parts make up the scattered dim");
  }
  replace_axis(c, 0, in, axis, part);
}

// all_to_all (C1..C9): splits along one axis, concatenates along another.
static void all_to_all(rule_context *c) {
  int64_t count = 0, size, split, concat;
  bool have = rule_int(c, "split_count", &count) && count > 0;
  verify_replica_groups(c, true, true, have ? count : 0, &size);
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    const value_info *in = rule_operand(c, i);
    if (!axis_of(c, "split_dimension", in, &split) ||
        !axis_of(c, "concat_dimension", in, &concat) || !have) {
      rule_set_unknown(c, i);
      continue;
    }
    term_id parts = rule_int_term(c, count);
    term_id *dims = arena_alloc(c->arena, in->rank * sizeof(term_id));
    memcpy(dims, in->dims, in->rank * sizeof(term_id));
    rule_require(c, predicate_make(REL_DIVISIBLE, dims[split], parts),
                 "split_count divides the split dim");
    if (split != concat) {
      dims[split] = term_floordiv(c->terms, dims[split], parts);
      dims[concat] = term_mul(c->terms, dims[concat], parts);
    }
    rule_set_dims(c, i, dims, in->rank);
  }
}

static void keep_sizes(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    if (i < rule_operand_count(c)) {
      rule_set_dims_like(c, i, rule_operand(c, i));
    } else {
      rule_set_unknown(c, i);
    }
  }
}

// Where the process is chosen at run time its number is the last operand, in each group the same (StableHLO dialect,
// has_dynamic_root).
static bool has_root(rule_context *c) {
  bool may = c->row->param == COLLECTIVE_BROADCAST || c->row->param == COLLECTIVE_REDUCE;
  attr_id flag = may ? rule_attr(c, "has_dynamic_root") : ATTR_NONE;
  int64_t value;
  return flag != ATTR_NONE && (!graph_attr_int(c->graph, flag, &value) || value);
}

static uint32_t tensor_count(rule_context *c) {
  uint32_t operands = rule_operand_count(c);
  return operands - (operands && has_root(c));
}

rule_status rule_collective(rule_context *c) {
  int64_t size;
  uint32_t tensors = tensor_count(c);
  if (tensors != rule_result_count(c) && c->row->param != COLLECTIVE_REPLICA_ID &&
      (c->graph->ops[c->op].result_count > 1 || has_root(c)))
    rule_error(c, "operands", "%u operands and %u results", rule_operand_count(c),
               rule_result_count(c));
  switch ((collective_op)c->row->param) {
  case COLLECTIVE_ALL_GATHER: all_gather(c); break;
  case COLLECTIVE_ALL_REDUCE:
  case COLLECTIVE_REDUCE:
    verify_replica_groups(c, true, false, 0, &size);
    if (rule_attr(c, "use_global_device_ids") != ATTR_NONE) verify_channel(c, true);
    if (c->graph->ops[c->op].region_count) {
      for (uint32_t i = 0; i < tensors; i++) check_computation(c, i);
    }
    keep_sizes(c);
    break;
  case COLLECTIVE_ALL_TO_ALL: all_to_all(c); break;
  case COLLECTIVE_REDUCE_SCATTER: reduce_scatter(c); break;
  case COLLECTIVE_BROADCAST:
    verify_replica_groups(c, false, true, 0, &size);
    keep_sizes(c);
    break;
  case COLLECTIVE_PERMUTE:
    verify_source_target_pairs(c);
    keep_sizes(c);
    break;
  case COLLECTIVE_REPLICA_ID: keep_sizes(c); break;
  }
  return RULE_DONE;
}
