// SPDX-License-Identifier: Apache-2.0
// custom_call: the targets that say something about shapes (StableHLO dynamism: indices_of_shape_operands,
// shape_assertion, shape_refinement_operand_wrapper; sharding wrappers of JAX and GSPMD).
#include <string.h>

#include "solver/ops/rules/rules.h"

// The assertion's message with its operands put in: "{0}" is the first operand behind the condition.
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
    const term_id *e = index + 1 < rule_operand_count(c) ? rule_elements(c, index + 1, &count) : NULL;
    strbuf_puts(&out, e && count == 1 && e[0] != TERM_NONE ? rule_print(c, store_canon(c->store, e[0])) : "?");
    p = q;
  }
  return strbuf_text(&out);
}

static rule_status shape_assertion(rule_context *c) {
  uint32_t count;
  int64_t value;
  if (rule_operand_count(c) == 0 || rule_operand_dtype(c, 0) != DTYPE_I1 || !rule_assume_rank(c, 0, 0)) {
    rule_error(c, "shape-assertion", "a shape_assertion takes a scalar i1 first");
    return RULE_DONE;
  }
  for (uint32_t i = 1; i < rule_operand_count(c); i++) {
    shape_dtype t = rule_operand_dtype(c, i);
    if ((t == DTYPE_I32 || t == DTYPE_I64) && rule_assume_rank(c, i, 0)) continue;
    rule_error(c, "shape-assertion", "operand #%u of a shape_assertion is no scalar i32 or i64", i);
  }
  const term_id *e = rule_elements(c, 0, &count);
  if (!e || count != 1 || e[0] == TERM_NONE) return RULE_DONE;
  term_id condition = store_canon(c->store, e[0]);
  if (term_int_value(c->terms, condition, &value)) {
    if (!value && !c->conditional) {
      rule_error(c, "shape-assertion", "%s", assertion_message(c));
    } else if (!value) {
      rule_note(c, "shape-assertion", "%s", assertion_message(c));
    }
    return RULE_DONE;
  }
  rule_require_bool(c, e[0], true, assertion_message(c));
  return RULE_AGAIN;
}

// Result shapes given by operands: one index per result.
static bool shapes_from_operands(rule_context *c) {
  const int64_t *indices;
  uint32_t count, extents;
  if (!rule_ints(c, "indices_of_shape_operands", &indices, &count)) return false;
  uint32_t results = rule_result_count(c);
  const graph_type *t = rule_result_type(c, 0);
  bool tuple = results == 1 && t && t->kind == TYPE_TUPLE;
  if (count != (tuple ? t->param_count : results)) {
    rule_error(c, "attribute-length", "indices_of_shape_operands has %u entries for %u results", count, results);
    return false;
  }
  if (tuple) return false;
  for (uint32_t i = 0; i < results; i++) {
    if (indices[i] < 0 || indices[i] >= (int64_t)rule_operand_count(c)) {
      rule_error(c, "attribute", "indices_of_shape_operands holds %lld, there are %u operands",
                 (long long)indices[i], rule_operand_count(c));
      return false;
    }
    const value_info *shape = rule_operand(c, (uint32_t)indices[i]);
    if ((shape->ranked && shape->rank != 1) ||
        !dtype_is_integer(rule_operand_dtype(c, (uint32_t)indices[i]))) {
      rule_error(c, "rank", "operand #%lld holds a shape and is no 1-D tensor of integers", (long long)indices[i]);
      return false;
    }
    const term_id *e = rule_size_elements(c, (uint32_t)indices[i], &extents);
    if (e) rule_set_dims(c, i, elements_as_sizes(c, e, extents, "a size is >= 0"), extents);
  }
  return true;
}

rule_status rule_custom_call(rule_context *c) {
  const char *target = rule_text(c, "call_target_name");
  if (!target) target = "";
  if (!strcmp(target, "shape_assertion")) {
    rule_status status = shape_assertion(c);
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return status;
  }
  bool wrapper = !strcmp(target, "stablehlo.shape_refinement_operand_wrapper") ||
                 !strcmp(target, "shape_refinement_operand_wrapper");
  bool same = wrapper || !strcmp(target, "Sharding") || !strcmp(target, "annotate_device_placement") ||
              !strcmp(target, "LayoutConstraint") || !strcmp(target, "MoveToHost") || !strcmp(target, "MoveToDevice");
  if (same && rule_result_count(c) == 1 && rule_operand_count(c) >= 1) {
    rule_set_value(c, 0, rule_operand(c, 0));
    if (wrapper) shapes_from_operands(c);
    return RULE_DONE;
  }
  shapes_from_operands(c);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_DONE;
}
