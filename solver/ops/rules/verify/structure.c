// SPDX-License-Identifier: Apache-2.0
// Regions that are branches and loop bodies, held against the operation that has them; names of composites.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/verify/verify.h"

static block_id only_block(const rule_context *c, uint32_t region) {
  const graph_op *op = &c->graph->ops[c->op];
  if (region >= op->region_count || c->graph->regions[op->regions + region].block_count == 0)
    return ID_NONE;
  assert(op->regions + region < c->graph->region_count);
  return c->graph->regions[op->regions + region].first_block;
}

// StableHLO spec, if (C3), case (C4): all branches return the types of the results.
bool verify_branches(rule_context *c) {
  const graph_op *op = &c->graph->ops[c->op];
  if (c->row->structure == OP_IF && op->region_count != 2) {
    rule_error(c, "region", "there are %u branches, two are needed", op->region_count);
    return false;
  }
  const value_id *first = NULL;
  uint32_t results = rule_result_count(c);
  for (uint32_t i = 0; i < op->region_count; i++) {
    block_id block = only_block(c, i);
    uint32_t given;
    if (block == ID_NONE) continue;
    const value_id *values = verify_block_results(c, block, &given);
    if (given != results) {
      rule_error_in(c, block, "region", "branch #%u returns %u values, there are %u results", i,
                    given, results);
      return false;
    }
    for (uint32_t k = 0; k < given; k++) {
      type_id returned = verify_value_type(c, values[k]), result = verify_result_type(c, k);
      type_id other = first ? verify_value_type(c, first[k]) : TYPE_NONE;
      if (!verify_types_compatible(c, returned, other)) {
        rule_error_in(c, block, "region",
                      "branch #%u returns %s as value #%u, branch #0 returns %s", i,
                      verify_type_text(c, returned), k, verify_type_text(c, other));
        return false;
      }
      if (verify_types_compatible(c, returned, result)) continue;
      rule_error_in(c, block, "region", "branch #%u returns %s as value #%u, the result is %s", i,
                    verify_type_text(c, returned), k, verify_type_text(c, result));
      return false;
    }
    assert(values || !given);
    if (!first) first = values;
  }
  return true;
}

// The values that the block returns; without values, its parameters.
static bool check_carried(rule_context *c, const char *what, block_id block, const value_id *values,
                          uint32_t count) {
  value_id arguments = c->graph->blocks[block].arguments;
  assert(count <= rule_operand_count(c));
  for (uint32_t i = 0; i < count; i++) {
    type_id have = verify_value_type(c, values ? values[i] : arguments + i),
            want = verify_operand_type(c, i);
    if (verify_types_compatible(c, have, want)) continue;
    rule_error_in(c, values ? block : ID_NONE, "region", "%s #%u is %s, operand #%u is %s", what, i,
                  verify_type_text(c, have), i, verify_type_text(c, want));
    return false;
  }
  return true;
}

// StableHLO spec, while (C1..C3): cond takes the operands and returns an i1, body takes and returns them. Counts of
// parameters are the rule's.
bool verify_loop(rule_context *c) {
  block_id cond = only_block(c, 0), body = only_block(c, 1);
  uint32_t given, count = rule_operand_count(c);
  bool fine = true;
  if (cond != ID_NONE) {
    const value_id *values = verify_block_results(c, cond, &given);
    const graph_type *t = given == 1 ? graph_value_type(c->graph, values[0]) : NULL;
    if (given != 1) {
      rule_error_in(c, cond, "region", "the condition returns %u values, one is needed", given);
      fine = false;
    } else if (t && (t->dtype != DTYPE_I1 || (t->kind == TYPE_TENSOR && t->rank != 0) ||
                     t->kind == TYPE_TUPLE)) {
      rule_error_in(c, cond, "region", "the condition returns %s, tensor<i1> is needed",
                    verify_type_text(c, verify_value_type(c, values[0])));
      fine = false;
    }
    const graph_block *b = &c->graph->blocks[cond];
    if (b->argument_count == count)
      fine = check_carried(c, "parameter of the condition", cond, NULL, count) && fine;
  }
  if (body == ID_NONE) return fine;
  const graph_block *b = &c->graph->blocks[body];
  if (b->argument_count == count)
    fine = check_carried(c, "parameter of the body", body, NULL, count) && fine;
  const value_id *values = verify_block_results(c, body, &given);
  if (given == count) return check_carried(c, "result of the body", body, values, count) && fine;
  rule_error_in(c, body, "region", "the body returns %u values, the loop carries %u", given, count);
  return false;
}

// --- what passes through unchanged

bool verify_tuple(rule_context *c) {
  const graph_type *t = rule_result_type(c, 0);
  if (!t || t->kind != TYPE_TUPLE) return true;
  for (uint32_t i = 0; i < t->param_count && i < rule_operand_count(c); i++) {
    type_id operand = verify_operand_type(c, i);
    if (verify_types_compatible(c, operand, t->params[i])) continue;
    rule_error(c, "element-type", "operand #%u is %s, element #%u of the tuple is %s", i,
               verify_type_text(c, operand), i, verify_type_text(c, t->params[i]));
    return false;
  }
  return true;
}

bool verify_part(rule_context *c) {
  const graph_type *t = rule_operand_type(c, 0);
  int64_t index;
  if (!t || t->kind != TYPE_TUPLE || !rule_int(c, "index", &index) || index < 0 ||
      index >= (int64_t)t->param_count)
    return true;  // the rule's to say
  type_id part = t->params[index], result = verify_result_type(c, 0);
  if (verify_types_compatible(c, part, result)) return true;
  rule_error(c, "element-type", "element #%lld of the tuple is %s, the result is %s",
             (long long)index, verify_type_text(c, part), verify_type_text(c, result));
  return false;
}

bool verify_passed(rule_context *c) {
  uint32_t operands = rule_operand_count(c), results = rule_result_count(c);
  if (operands != results) {
    rule_error(c, "operands", "%u operands and %u results", operands, results);
    return false;
  }
  for (uint32_t i = 0; i < results; i++) {
    type_id operand = verify_operand_type(c, i), result = verify_result_type(c, i);
    if (verify_types_compatible(c, operand, result)) continue;
    rule_error(c, "element-type", "operand #%u is %s, result #%u is %s", i,
               verify_type_text(c, operand), i, verify_type_text(c, result));
    return false;
  }
  return true;
}

// func.call and composite (StableHLO spec, composite (C3, C4)): operands and results are those of the function. That
// there is one, and with as many arguments, is infer's to say.
bool verify_callee(rule_context *c) {
  const shape_graph *g = c->graph;
  const char *name = rule_text(c, "callee");
  if (!name) name = rule_text(c, "decomposition");
  const graph_region *region = &g->regions[g->blocks[g->ops[c->op].parent].region];
  if (!name || region->func == ID_NONE) return true;
  func_id callee = graph_find_func(g, g->funcs[region->func].module, name, strlen(name));
  if (callee == ID_NONE || g->funcs[callee].type == TYPE_NONE) return true;
  const graph_type *t = type_get(&g->types, g->funcs[callee].type);
  if (t->kind != TYPE_FUNCTION || t->split != rule_operand_count(c)) return true;
  uint32_t results = t->param_count - t->split;
  if (results != rule_result_count(c)) {
    rule_error(c, "operands", "%u results, @%s has %u", rule_result_count(c), name, results);
    return false;
  }
  for (uint32_t i = 0; i < t->param_count; i++) {
    bool is_result = i >= t->split;
    uint32_t index = is_result ? i - t->split : i;
    type_id have = is_result ? verify_result_type(c, index) : verify_operand_type(c, index);
    if (verify_types_compatible(c, have, t->params[i])) continue;
    rule_error(c, "element-type", "%s #%u is %s, that of @%s is %s",
               is_result ? "result" : "operand", index, verify_type_text(c, have), name,
               verify_type_text(c, t->params[i]));
    return false;
  }
  return true;
}

// func.return: what the function's type says. Dims that only one of the two knows are no error.
bool verify_return(rule_context *c) {
  const shape_graph *g = c->graph;
  const graph_region *region = &g->regions[g->blocks[g->ops[c->op].parent].region];
  if (region->func == ID_NONE || region->op != ID_NONE) return true;
  type_id type = g->funcs[region->func].type;
  if (type == TYPE_NONE) return true;
  const graph_type *t = type_get(&g->types, type);
  uint32_t count = rule_operand_count(c), results = t->param_count - t->split;
  if (t->kind != TYPE_FUNCTION) return true;
  if (count != results) {
    rule_error(c, "operands", "%u values are returned, the function has %u results", count,
               results);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    type_id have = verify_operand_type(c, i), want = t->params[t->split + i];
    if (g->format == GRAPH_ONNX || verify_types_compatible(c, have, want)) continue;
    rule_error(c, "element-type", "value #%u is %s, result #%u of the function is %s", i,
               verify_type_text(c, have), i, verify_type_text(c, want));
    return false;
  }
  return true;
}

static bool is_letter(char x) { return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z'); }
static bool is_name_char(char x) { return is_letter(x) || (x >= '0' && x <= '9') || x == '_'; }

// StableHLO spec, composite (C1): [a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+
bool verify_composite(rule_context *c) {
  const char *name = rule_text(c, "name");
  if (!name) return true;
  const char *s = name;
  bool fine = is_letter(*s);
  uint32_t parts = 0;
  while (is_name_char(*s)) s++;
  for (; fine && *s == '.'; parts++) {
    const char *part = ++s;
    while (is_name_char(*s) || *s == '$') s++;
    fine = s > part;
  }
  if (fine && parts && !*s) return true;
  rule_error(c, "attribute", "name is \"%s\", a name with a dialect is needed, such as \"my.op\"",
             name);
  return false;
}
