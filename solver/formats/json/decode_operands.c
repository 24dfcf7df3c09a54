// SPDX-License-Identifier: Apache-2.0
// What operations may have for operands.
#include <assert.h>
#include <string.h>

#include "solver/formats/json/decoder.h"
#include "solver/ops/registry.h"

// Operators of ONNX have operands that may be absent, and so may operations that nothing is known of and what is in their
// regions. Any other operation takes a value, which rules, writers and the walk over the graph rely on.
void decode_check_operands(graph_decoder *d, op_id op, uint32_t errors) {
  assert(op < d->g->op_count);
  const shape_graph *g = d->g;
  if (g->diags.errors != errors) return;
  uint32_t absent = 0;
  while (absent < g->ops[op].operand_count && graph_operand(g, op, absent) != VALUE_NONE) absent++;
  if (absent == g->ops[op].operand_count) return;
  const char *name = graph_op_name(g, op);
  const op_row *row = registry_find(name, strlen(name), 0);
  if (!row || row->since || strncmp(name, "onnx.", 5) == 0 || d->in_unknown) return;
  decode_error(d, g->ops[op].span, "operand", "operand #%u of %s is null: a value is needed",
               absent, name);
}
