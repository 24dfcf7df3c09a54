// SPDX-License-Identifier: Apache-2.0
// custom_call: the targets that say something about shapes (StableHLO dynamism: indices_of_shape_operands,
// shape_assertion, shape_refinement_operand_wrapper; sharding wrappers of JAX and GSPMD).
#include <string.h>

#include "solver/ops/rules/common/rules.h"

// The assertion's message with its operands put in: "{0}" is the first operand after the condition.
static const char *assertion_message(rule_context *c) {
  const char *format = rule_text(c, "error_message");
  shape_strbuf out;
  if (!format) return "shape assertion";
  strbuf_init(&out, c->arena);
  for (const char *p = format; *p; p++) {
    uint32_t index = 0, count;
    const char *q = p + 1;
    if (*p == '{') {
      while (*q >= '0' && *q <= '9' && index < 1000) index = index * 10 + (uint32_t)(*q++ - '0');
    }
    if (*p != '{' || q == p + 1 || *q != '}') {
      strbuf_putc(&out, *p);
      continue;
    }
    const term_id *e =
        index + 1 < rule_operand_count(c) ? rule_elements(c, index + 1, &count) : NULL;
    strbuf_puts(&out, e && count == 1 && e[0] != TERM_NONE
                          ? rule_print(c, store_canon(c->store, e[0]))
                          : "?");
    p = q;
  }
  return strbuf_text(&out);
}

// Requires that operand 0 is true; after the operation that is a fact.
static rule_status asserted(rule_context *c, const char *message) {
  uint32_t count;
  int64_t value;
  const term_id *e = rule_elements(c, 0, &count);
  if (!e || count != 1 || e[0] == TERM_NONE) {
    rule_unchecked(c, "the asserted condition is true", "the condition is computed from data");
    return RULE_DONE;
  }
  if (term_int_value(c->terms, store_canon(c->store, e[0]), &value)) {
    if (!value && !c->conditional) {
      rule_error(c, "shape-assertion", "%s", message);
    } else if (!value) {
      rule_fails(c, "shape-assertion", message);
    }
    return RULE_DONE;
  }
  return rule_require_bool(c, e[0], true, message) ? RULE_AGAIN : RULE_DONE;
}

static rule_status shape_assertion(rule_context *c) {
  if (rule_operand_count(c) == 0 || rule_operand_dtype(c, 0) != DTYPE_I1 ||
      !rule_assume_rank(c, 0, 0)) {
    rule_error(c, "shape-assertion", "a shape_assertion takes a scalar i1 first");
    return RULE_DONE;
  }
  for (uint32_t i = 1; i < rule_operand_count(c); i++) {
    shape_dtype t = rule_operand_dtype(c, i);
    if ((t == DTYPE_I32 || t == DTYPE_I64) && rule_assume_rank(c, i, 0)) continue;
    rule_error(c, "shape-assertion", "operand #%u of a shape_assertion is no scalar i32 or i64", i);
  }
  return asserted(c, assertion_message(c));
}

// MLIR cf dialect, assert: the run ends where its operand is false.
rule_status rule_assert(rule_context *c) {
  const char *message = rule_text(c, "msg");
  return asserted(c, message && *message ? message : "assertion");
}

// How many tensors a type has, the elements of tuples counted one by one.
static uint32_t tensor_count(const rule_context *c, const graph_type *t) {
  if (!t || t->kind != TYPE_TUPLE) return 1;
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->param_count; i++)
    count +=
        t->params[i] == TYPE_NONE ? 1 : tensor_count(c, type_get(&c->graph->types, t->params[i]));
  return count;
}

// The elements of a shape operand as dims; NULL after an error, or when their number is not known.
static const term_id *shape_operand(rule_context *c, int64_t index, uint32_t *rank) {
  if (index < 0 || index >= (int64_t)rule_operand_count(c)) {
    rule_error(c, "attribute", "indices_of_shape_operands holds %lld, there are %u operands",
               (long long)index, rule_operand_count(c));
    return NULL;
  }
  const value_info *shape = rule_operand(c, (uint32_t)index);
  if ((shape->ranked && shape->rank != 1) ||
      !dtype_is_integer(rule_operand_dtype(c, (uint32_t)index))) {
    rule_error(c, "rank", "operand #%lld holds a shape and is no 1-D tensor of integers",
               (long long)index);
    return NULL;
  }
  const term_id *e = rule_size_elements(c, (uint32_t)index, rank);
  return e ? elements_as_sizes(c, e, *rank, "a dim is >= 0") : NULL;
}

// The dims of a tuple's elements, which take their indices one after the other.
static void tuple_shapes(rule_context *c, const graph_type *t, const int64_t **indices,
                         value_info *out) {
  value_info *parts = arena_zalloc(c->arena, ((size_t)t->param_count + 1) * sizeof(value_info));
  *out = (value_info){.visited = true};
  value_set_parts(c->arena, out, parts, t->param_count);
  for (uint32_t i = 0; i < t->param_count; i++) {
    const graph_type *part =
        t->params[i] == TYPE_NONE ? NULL : type_get(&c->graph->types, t->params[i]);
    if (part && part->kind == TYPE_TUPLE) {
      tuple_shapes(c, part, indices, &parts[i]);
      continue;
    }
    uint32_t rank;
    const term_id *sizes = shape_operand(c, *(*indices)++, &rank);
    parts[i].visited = true;
    if (!sizes || (part && part->kind == TYPE_TENSOR && part->rank != rank)) continue;
    for (uint32_t k = 0; part && part->kind == TYPE_TENSOR && k < rank; k++) {
      term_id declared = rule_declared_size(c, part->dims[k]);
      if (declared != TERM_NONE)
        rule_require_eq(c, sizes[k], declared, "the result has its declared type");
    }
    parts[i].dims = sizes;
    parts[i].rank = rank;
    parts[i].ranked = true;
  }
}

// Result shapes given by operands: one index per tensor among the results.
static bool shapes_from_operands(rule_context *c) {
  const int64_t *indices;
  uint32_t count, tensors = 0, results = rule_result_count(c);
  if (!rule_ints(c, "indices_of_shape_operands", &indices, &count)) return false;
  for (uint32_t i = 0; i < results; i++) tensors += tensor_count(c, rule_result_type(c, i));
  if (count != tensors) {
    rule_error(c, "attribute-length", "indices_of_shape_operands has %u entries for %u results",
               count, tensors);
    return false;
  }
  for (uint32_t i = 0; i < results; i++) {
    const graph_type *t = rule_result_type(c, i);
    if (t && t->kind == TYPE_TUPLE) {
      value_info parts;
      tuple_shapes(c, t, &indices, &parts);
      rule_set_value(c, i, &parts);
      continue;
    }
    uint32_t rank;
    const term_id *sizes = shape_operand(c, *indices++, &rank);
    if (sizes) rule_set_dims(c, i, sizes, rank);
  }
  return true;
}

static bool is_wrapper(const char *target) {
  return !strcmp(target, "stablehlo.shape_refinement_operand_wrapper") ||
         !strcmp(target, "shape_refinement_operand_wrapper");
}

// Targets whose result is their first operand.
static bool passes_operand(const char *target) {
  return is_wrapper(target) || !strcmp(target, "Sharding") ||
         !strcmp(target, "annotate_device_placement") || !strcmp(target, "LayoutConstraint") ||
         !strcmp(target, "MoveToHost") || !strcmp(target, "MoveToDevice");
}

bool custom_call_says_nothing(const shape_graph *g, op_id op) {
  const char *target = graph_attr_text(g, graph_attr_named(g, op, "call_target_name"));
  return graph_attr_named(g, op, "indices_of_shape_operands") == ATTR_NONE &&
         dynamic_call_of(g, op) == DYNAMIC_CALL_NONE && !(target && passes_operand(target));
}

rule_status rule_custom_call(rule_context *c) {
  const char *target = rule_text(c, "call_target_name");
  if (!target) target = "";
  if (!strcmp(target, "shape_assertion")) {
    rule_status status = shape_assertion(c);
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return status;
  }
  if (passes_operand(target) && rule_result_count(c) == 1 && rule_operand_count(c) >= 1) {
    rule_set_value(c, 0, rule_operand(c, 0));
    if (is_wrapper(target)) shapes_from_operands(c);
    return RULE_DONE;
  }
  if (!shapes_from_operands(c)) rule_dynamic_call(c);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_DONE;
}
