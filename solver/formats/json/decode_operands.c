// SPDX-License-Identifier: Apache-2.0
// What operations may have for operands.
#include <assert.h>

#include "solver/ops/absent.h"
#include "solver/formats/json/decoder.h"

void decode_check_operands(graph_decoder *d, op_id op, uint32_t errors) {
  assert(op < d->g->op_count);
  const shape_graph *g = d->g;
  if (g->diags.errors != errors || d->in_unknown) return;
  uint32_t absent = op_first_absent(g, op);
  if (absent == g->ops[op].operand_count || op_takes_absent(g, op)) return;
  decode_error(d, g->ops[op].span, "operand", "operand #%u of %s is null: a value is needed",
               absent, graph_op_name(g, op));
}
