// SPDX-License-Identifier: Apache-2.0
// Attributes that say nothing about dims, where the dialect's verifier inspects them: accuracies, constants' types,
// hints of broadcasts; layouts, aliases and configurations of custom calls.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/verify/verify.h"

// The tolerances of a result are 0 unless its mode is TOLERANCE.
bool verify_accuracy(rule_context *c) {
  static const char *const names[] = {"atol", "rtol", "ulps"};
  attr_id dict = rule_attr(c, "result_accuracy");
  if (dict == ATTR_NONE || c->graph->attributes.items[dict].kind != ATTR_DICT) return true;
  const char *mode = graph_attr_text(c->graph, graph_attr_entry(c->graph, dict, "mode"));
  if (!mode || strcmp(mode, "TOLERANCE") == 0) return true;
  for (uint32_t i = 0; i < 3; i++) {
    const graph_attr *a = graph_attr_get(c->graph, graph_attr_entry(c->graph, dict, names[i]));
    if (!a) continue;
    bool zero =
        a->kind == ATTR_FLOAT ? attr_one_float(a) == 0 : a->kind != ATTR_INT || !attr_one_int(a);
    if (zero) continue;
    rule_error(c, "attribute", "result_accuracy has the mode %s and %s is not 0", mode, names[i]);
    return false;
  }
  return true;
}

// StableHLO spec, constant (C1): the value has the type of the result; that of a quantized one is its storage.
bool verify_constant(rule_context *c) {
  const graph_attr *value = graph_attr_get(c->graph, rule_attr(c, "value"));
  type_id result = verify_result_type(c, 0);
  quant_type q;
  shape_dtype storage;
  if (!value || value->kind != ATTR_DENSE || value->type == TYPE_NONE || result == TYPE_NONE)
    return true;
  bool fine = verify_shapes_compatible(c, value->type, result);
  if (verify_read_quant(c, result, &q)) {
    shape_dtype have = (shape_dtype)type_get(&c->graph->types, value->type)->dtype;
    fine =
        fine && (have == DTYPE_QUANTIZED || !verify_storage_dtype(&q, &storage) || have == storage);
  } else {
    fine = fine && type_same_element(&c->graph->types, value->type, result);
  }
  if (!fine)
    rule_error(c, "element-type", "the value is %s, the result is %s",
               verify_type_text(c, value->type), verify_type_text(c, result));
  return fine;
}

// StableHLO spec, dynamic_broadcast_in_dim (C8, C9): axes that expand and axes that do not.
bool verify_expansion_hints(rule_context *c) {
  axis_list grow = verify_read_axes(c, "known_expanding_dimensions"),
            keep = verify_read_axes(c, "known_nonexpanding_dimensions");
  const graph_type *t = rule_operand_type(c, 0);
  int64_t rank = t && t->kind == TYPE_TENSOR ? t->rank : VALUE_MAX_RANK;
  return verify_in_range(c, "known_expanding_dimensions", grow, rank) &&
         verify_in_range(c, "known_nonexpanding_dimensions", keep, rank) &&
         verify_distinct(c, "known_expanding_dimensions", grow) &&
         verify_distinct(c, "known_nonexpanding_dimensions", keep) &&
         verify_disjoint(c, "known_expanding_dimensions", grow, "known_nonexpanding_dimensions",
                         keep);
}

// --- custom_call

// One layout: a permutation of the axes; none of what is no tensor.
static bool check_layout(rule_context *c, const char *what, uint32_t index, attr_id layout,
                         type_id type) {
  const int64_t *order;
  uint32_t count;
  if (type == TYPE_NONE || !graph_attr_ints(c->graph, layout, &order, &count)) return true;
  const graph_type *t = type_get(&c->graph->types, type);
  uint32_t rank = t->kind == TYPE_TENSOR ? t->rank : 0;
  axis_list list = {order, count};
  if (t->kind == TYPE_UNRANKED) return true;
  if (count != rank) {
    rule_error(c, "attribute", "%s #%u has %u axes, it is for %s", what, index, count,
               verify_type_text(c, type));
    return false;
  }
  return verify_in_range(c, what, list, rank) && verify_distinct(c, what, list);
}

static bool check_layouts(rule_context *c, const char *what, const type_id *types, uint32_t count) {
  assert(types || !count);
  attr_id id = rule_attr(c, what);
  if (id == ATTR_NONE || c->graph->attributes.items[id].kind != ATTR_ARRAY) return true;
  const graph_attr *a = &c->graph->attributes.items[id];
  if (a->count != count) {
    rule_error(c, "attribute", "%s has %u elements, %u are needed", what, a->count, count);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (types[i] != TYPE_NONE && type_get(&c->graph->types, types[i])->kind == TYPE_TUPLE) {
      rule_error(c, "attribute", "%s is given, #%u is a tuple", what, i);
      return false;
    }
    if (!check_layout(c, what, i, attr_item_at(a, i), types[i])) return false;
  }
  return true;
}

static bool check_all_layouts(rule_context *c) {
  bool operands = rule_attr(c, "operand_layouts") != ATTR_NONE,
       results = rule_attr(c, "result_layouts") != ATTR_NONE;
  if (operands != results) {
    rule_error(c, "attribute", "layouts are given for the %s alone",
               operands ? "operands" : "results");
    return false;
  }
  if (!operands) return true;
  uint32_t count = rule_operand_count(c), result_count = rule_result_count(c);
  type_id *types = arena_alloc(c->arena, ((size_t)count + result_count + 1) * sizeof(type_id));
  for (uint32_t i = 0; i < count; i++) types[i] = verify_operand_type(c, i);
  for (uint32_t i = 0; i < result_count; i++) types[count + i] = verify_result_type(c, i);
  const type_id *of_results = types + count;
  const graph_type *t = result_count == 1 ? rule_result_type(c, 0) : NULL;
  if (t && t->kind == TYPE_TUPLE) {  // a tuple is its elements
    of_results = t->params;
    result_count = t->param_count;
  }
  assert(of_results || !result_count);
  return check_layouts(c, "operand_layouts", types, count) &&
         check_layouts(c, "result_layouts", of_results, result_count);
}

// Follows indices into tuples; TYPE_NONE (reported) where one leads nowhere.
static type_id follow(rule_context *c, const char *what, type_id type, axis_list path) {
  for (uint32_t i = 0; i < path.count && type != TYPE_NONE; i++) {
    const graph_type *t = type_get(&c->graph->types, type);
    if (t->kind == TYPE_TUPLE && path.axes[i] >= 0 && path.axes[i] < (int64_t)t->param_count) {
      type = t->params[path.axes[i]];
      continue;
    }
    rule_error(c, "attribute", "%s of output_operand_aliases has %lld, which is no element of %s",
               what, (long long)path.axes[i], verify_type_text(c, type));
    return TYPE_NONE;
  }
  return type;
}

static bool check_alias(rule_context *c, attr_id alias) {
  int64_t operand = 0;
  axis_list out = verify_dict_axes(c, alias, "output_tuple_indices"),
            in = verify_dict_axes(c, alias, "operand_tuple_indices");
  verify_dict_int(c, alias, "operand_index", &operand);
  if (operand < 0 || operand >= (int64_t)rule_operand_count(c)) {
    rule_error(c, "attribute",
               "operand_index of output_operand_aliases is %lld, there are %u operands",
               (long long)operand, rule_operand_count(c));
    return false;
  }
  type_id from = follow(c, "operand_tuple_indices", verify_operand_type(c, (uint32_t)operand), in),
          to;
  if (rule_result_count(c) == 1) {
    to = follow(c, "output_tuple_indices", verify_result_type(c, 0), out);
  } else if (out.count && out.axes[0] >= 0 && out.axes[0] < (int64_t)rule_result_count(c)) {
    axis_list rest = {out.axes + 1, out.count - 1};
    to = follow(c, "output_tuple_indices", verify_result_type(c, (uint32_t)out.axes[0]), rest);
  } else {
    rule_error(c, "attribute",
               "output_tuple_indices of output_operand_aliases names none of the %u results",
               rule_result_count(c));
    return false;
  }
  if (from == TYPE_NONE || to == TYPE_NONE) return false;
  if (verify_types_compatible(c, from, to)) return true;
  rule_error(c, "attribute", "output_operand_aliases puts %s into %s", verify_type_text(c, to),
             verify_type_text(c, from));
  return false;
}

enum { API_TYPED_FFI = 4 };

// StableHLO dynamism: a list of i64.
static bool check_shape_indices(rule_context *c) {
  const graph_attr *a = graph_attr_get(c->graph, rule_attr(c, "indices_of_shape_operands"));
  if (!a || a->kind != ATTR_DENSE || a->type == TYPE_NONE) return true;
  const graph_type *t = type_get(&c->graph->types, a->type);
  if (t->kind == TYPE_TENSOR && t->rank == 1 && t->dtype == DTYPE_I64) return true;
  rule_error(c, "attribute", "indices_of_shape_operands is %s, a list of i64 is needed",
             verify_type_text(c, a->type));
  return false;
}

bool verify_custom_call(rule_context *c) {
  bool fine = check_all_layouts(c);
  fine = check_shape_indices(c) && fine;
  const graph_attr *aliases = graph_attr_get(c->graph, rule_attr(c, "output_operand_aliases"));
  for (uint32_t i = 0; aliases && aliases->kind == ATTR_ARRAY && i < aliases->count; i++) {
    attr_id alias = attr_item_at(aliases, i);
    const graph_attr *item = graph_attr_get(c->graph, alias);
    if (item && item->kind == ATTR_DICT) fine = check_alias(c, alias) && fine;
  }
  const graph_attr *config = graph_attr_get(c->graph, rule_attr(c, "backend_config"));
  int64_t version = 1;
  rule_int(c, "api_version", &version);
  if (!config || (config->kind != ATTR_DICT && config->kind != ATTR_STRING)) return fine;
  if ((version == API_TYPED_FFI) == (config->kind == ATTR_DICT)) return fine;
  rule_error(c, "attribute", "backend_config is a %s, api_version %lld needs a %s",
             config->kind == ATTR_DICT ? "dictionary" : "string", (long long)version,
             config->kind == ATTR_DICT ? "string" : "dictionary");
  return false;
}
