// SPDX-License-Identifier: Apache-2.0
// LMHLO: operations of MHLO on buffers. The last operand is the buffer that is written; its dims are there before, so all
// that the operation says of its result is required.
#include <assert.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"
#include "solver/ops/rules/verify/verify.h"

// LMHLO, elementwise operations: buffers that are read and the one that is written, from `param` on, have one shape.
rule_status rule_buffers(rule_context *c) {
  uint32_t first = c->row->param;
  for (uint32_t i = first + 1; i < rule_operand_count(c); i++) {
    if (!rule_operand(c, first)->ranked || !rule_operand(c, i)->ranked) continue;
    rule_require_same_shape(c, first, i, "the buffers have one shape");
  }
  return RULE_DONE;
}

// LMHLO, sort: as many buffers are written as are read.
rule_status rule_sort_buffers(rule_context *c) {
  if (rule_operand_count(c) % 2)
    rule_error(c, "operands", "%u buffers: as many are written as are read", rule_operand_count(c));
  sort_axis_inside(c);
  return rule_buffers(c);
}

// LMHLO, map: the region is one of scalars.
rule_status rule_map_buffers(rule_context *c) {
  map_axes_all(c);
  return rule_buffers(c);
}

// The row of the operation of MHLO that has the name.
static const op_row *twin_row(const rule_context *c) {
  const char *name = strchr(c->row->name, '.');
  shape_strbuf text;
  assert(name);
  strbuf_init(&text, c->arena);
  strbuf_printf(&text, "mhlo%s", name);
  return registry_find(strbuf_text(&text), text.length, 0);
}

// Whether it takes that many operands, and has one result.
static bool is_twin(const op_row *row, uint32_t operands) {
  return row && operands >= (uint32_t)row->min_operands &&
         (row->max_operands < 0 || operands <= (uint32_t)row->max_operands) &&
         (row->results < 0 || row->results == 1);
}

// Vectors in buffers: the rule of the twin reads elements, of which there are none, and no lengths.
static void require_entries(rule_context *c, uint32_t first, const value_info *shaped) {
  static const char ENTRIES[] = "a vector has an entry for each axis";
  for (uint32_t i = first; i + 1 < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    if (!v->ranked || !shaped->ranked) {
      rule_unchecked(c, ENTRIES, "a rank is not known");
    } else if (v->rank == 1) {  // else reported with the signature
      rule_require_eq(c, v->dims[0], rule_int_term(c, shaped->rank), ENTRIES);
    }
  }
}

// The rule of the twin runs on the operation with the buffer as its result. What the buffer is known to be stays: the rule may run where only some runs come.
rule_status rule_twin(rule_context *c) {
  static const char FITS[] = "the buffer has the dims of the result";
  shape_graph *g = c->graph;
  graph_op as = g->ops[c->op];
  const op_row *own = c->row, *row = twin_row(c);
  bool shared, one = own->param != TWIN_REDUCES || as.operand_count == 3;
  value_id made = graph_operand(g, c->op, as.operand_count - 1);
  as.operand_count--;
  as.results = made;
  as.result_count = 1;
  if (!one || made == VALUE_NONE || !is_twin(row, as.operand_count) ||
      !rule_value(c, made)->ranked) {
    rule_unchecked(c, FITS, one ? "its rank is not known" : "there are several");
    return RULE_DONE;
  }
  value_info *info = &c->values[made - c->value_base];
  const value_info before = *info;
  graph_show(g, c->op, &as);
  c->row = row;
  c->buffers = true;
  if (!c->again) verify_signature(c, false, &shared);
  rule_status status = row->rule(c);
  c->buffers = false;
  c->row = own;
  *info = before;
  graph_show_own(g);
  if (own->param >= TWIN_VECTORS)
    require_entries(c, own->param - TWIN_VECTORS,
                    row->rule == rule_gather ? rule_operand(c, 0) : info);
  if (own->param >= TWIN_DATA) rule_unchecked(c, FITS, "the dims are computed from data");
  return status;
}
