// SPDX-License-Identifier: Apache-2.0
// The verifier's half: what makes an operation ill-formed whatever its dims are. Shared by all rules.
//
// Every check returns false after it reported an error at the operation; a rule goes on as far as it can, so that all
// errors of an operation come in one run.
#ifndef SHAPE_OPS_RULES_VERIFY_VERIFY_H
#define SHAPE_OPS_RULES_VERIFY_VERIFY_H

#include "solver/ops/op.h"

// --- signature.c: element types, ranks, required attributes, from the op's column `signature` (op.h).
// types_fit: an operation of this name with the same types was well-formed, so that only the rest is inspected.
// *shared: the answer holds for every operation of this name with the same types and the same digests of attributes.
bool verify_signature(rule_context *c, bool types_fit, bool *shared);
// What the checks of most signatures ask of an attribute: its kind, type and text, and the sign of a lone integer.
static inline uint64_t verify_digest(const graph_attr *attr, uint64_t key, uint64_t step) {
  bool lone = attr->kind == ATTR_INT || attr->kind == ATTR_BOOL;
  int64_t value = lone ? attr_one_int(attr) : 0;
  unsigned sign = !lone ? 0 : value < 0 ? 1 : value == 0 ? 2 : 3;
  key = key * step + (attr->kind | sign << 8);
  return key * step + ((uint64_t)attr->type << 32 | attr->text);
}

// --- axes.c: lists of axis numbers (`what` names the attribute)
typedef struct axis_list {
  const int64_t *axes;
  uint32_t count;
} axis_list;

axis_list verify_read_axes(rule_context *c, const char *name);  // empty when absent
axis_list verify_axes(rule_context *c, attr_id attr, const char *name);
// Empty when absent.
static inline axis_list verify_dict_axes(rule_context *c, attr_id dict, const char *name) {
  attr_id list = dict == ATTR_NONE ? ATTR_NONE : graph_attr_entry(c->graph, dict, name);
  return list == ATTR_NONE ? (axis_list){NULL, 0} : verify_axes(c, list, name);
}
bool verify_dict_int(rule_context *c, attr_id dict, const char *name,
                     int64_t *value);  // false: absent
bool verify_in_range(rule_context *c, const char *what, axis_list list,
                     int64_t limit);  // each in [0, limit)
bool verify_distinct_all(rule_context *c, const char *what, axis_list list);
static inline bool verify_distinct(rule_context *c, const char *what, axis_list list) {
  return list.count < 2 || verify_distinct_all(c, what, list);
}
bool verify_sorted(rule_context *c, const char *what, axis_list list);
bool verify_disjoint_all(rule_context *c, const char *what_a, axis_list a, const char *what_b,
                         axis_list b);
static inline bool verify_disjoint(rule_context *c, const char *what_a, axis_list a,
                                   const char *what_b, axis_list b) {
  return !a.count || !b.count || verify_disjoint_all(c, what_a, a, what_b, b);
}
bool verify_length(rule_context *c, const char *what, uint32_t count, uint32_t want);
static inline bool axis_in(axis_list list, int64_t axis) {
  for (uint32_t i = 0; i < list.count; i++) {
    if (list.axes[i] == axis) return true;
  }
  return false;
}

// --- types.c: declared types
const char *verify_type_text(rule_context *c, type_id type);
bool verify_types_compatible(const rule_context *c, type_id a,
                             type_id b);  // shapes fit, element types equal
bool verify_shapes_compatible(const rule_context *c, type_id a, type_id b);         // of tensors
bool verify_promotable(rule_context *c, type_id from, type_id to, bool any_float);  // element types
static inline type_id verify_value_type(const rule_context *c, value_id v) {
  return v == VALUE_NONE ? TYPE_NONE : c->graph->values[v].type;
}
static inline type_id verify_operand_type(const rule_context *c, uint32_t i) {
  return verify_value_type(c, graph_operand(c->graph, c->op, i));
}
static inline type_id verify_result_type(const rule_context *c, uint32_t i) {
  return i < rule_result_count(c) ? verify_value_type(c, graph_result(c->graph, c->op, i))
                                  : TYPE_NONE;
}

// A quantized element type, read from its spelling.
typedef struct quant_type {
  const char *storage, *expressed;  // spellings, not NUL-terminated
  uint32_t storage_length, expressed_length;
  int64_t axis;  // -1: per tensor
  uint32_t scale_count;
} quant_type;
bool verify_read_quant(const rule_context *c, type_id type,
                       quant_type *out);                           // false: not quantized
bool verify_storage_dtype(const quant_type *q, shape_dtype *out);  // i8 in i8<-128:127>
// Storage and expressed types agree, and both are per tensor or both per some axis.
bool verify_quant_alike(const rule_context *c, type_id a, type_id b);
bool verify_elements_compatible(const rule_context *c, type_id a,
                                type_id b);  // also quantized with its expressed type
bool verify_add_quant(rule_context *c);      // StableHLO spec, add (C2..C7)

// --- region.c: computations given as regions
// `inputs` and `inits`: types by index; `axes`: dims that a parameter of the region may keep (DIM_DYNAMIC: any).
typedef struct reducer_spec {
  const type_id *inputs, *inits;
  uint32_t count;
  const int64_t *axes;
  uint32_t axis_count;
  bool check_results;  // element types of the operation's results are those that the region returns
} reducer_spec;
bool verify_reducer(rule_context *c, uint32_t region, const reducer_spec *spec);
// Of an operation whose operands are `count` inputs, then as many initial values, and whose results it makes.
void verify_whole_reducer(rule_context *c, uint32_t region, uint32_t count, const int64_t *axes,
                          uint32_t axis_count);
// Whether the operands are inputs and as many initial values; *count: how many each. Results are as many as inputs.
bool verify_reducer_operands(rule_context *c, uint32_t *count);
// The single block of region `index` of the operation, or ID_NONE (reported).
block_id verify_region_block(rule_context *c, uint32_t index);
// Operands of the block's terminator.
const value_id *verify_block_results(const rule_context *c, block_id block, uint32_t *count);
// A region that compares: `pairs` pairs of scalars of the operands' element types, one i1 (sort, select_and_scatter).
bool verify_comparator(rule_context *c, uint32_t region, uint32_t pairs, const char *what);
// The one operation of a region that applies it to both parameters (`add` of a sum), or NULL.
const op_row *verify_reducer_op(const rule_context *c, uint32_t region);

// --- groups.c: replica groups, channels, source-target pairs
// The size of a group into *size (0: not known).
bool verify_replica_groups(rule_context *c, bool all_used, bool same_size, int64_t expected,
                           int64_t *size);
bool verify_source_target_pairs(rule_context *c);
bool verify_channel(rule_context *c, bool needs_positive);
bool verify_precision(rule_context *c);  // precision_config has at most two elements (C24)

// --- structure.c
bool verify_branches(rule_context *c);   // if, case
bool verify_loop(rule_context *c);       // while
bool verify_composite(rule_context *c);  // its name
bool verify_callee(rule_context *c);     // calls: types of operands and results
bool verify_return(rule_context *c);     // of a function
bool verify_tuple(rule_context *c);      // its elements are the operands
bool verify_part(rule_context *c);       // get_tuple_element: the result is that element
bool verify_passed(rule_context *c);     // results are operands, one by one

// --- attributes.c
bool verify_accuracy(rule_context *c);
bool verify_constant(rule_context *c);
bool verify_expansion_hints(rule_context *c);
bool verify_custom_call(rule_context *c);  // layouts, aliases, backend_config

#endif
