// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/absent.h"

#include <string.h>

#include "solver/ops/registry.h"

static const op_row *row_of(const shape_graph *g, op_id op) {
  if (g->ops[op].name == NAME_NONE) return NULL;
  const char *name = graph_op_name(g, op);
  return registry_find(name, strlen(name), 0);
}

bool op_is_unknown(const shape_graph *g, op_id op) {
  assert(op < g->op_count);
  return g->ops[op].unread || !row_of(g, op);
}

bool op_takes_absent(const shape_graph *g, op_id op) {
  assert(op < g->op_count);
  const op_row *row = g->ops[op].unread ? NULL : row_of(g, op);
  const char *name = row ? graph_op_name(g, op) : "";
  size_t length = strlen(name);
  // Optional arguments of PyTorch's operators are absent where a call leaves them out.
  return !row || row->since || registry_is_onnx(name, length) || registry_is_torch(name, length);
}

uint32_t op_first_absent(const shape_graph *g, op_id op) {
  uint32_t i = 0;
  while (i < g->ops[op].operand_count && graph_operand(g, op, i) != VALUE_NONE) i++;
  return i;
}

const char *absent_operands_check(const shape_graph *g) {
  // By op: it is in a region of an unknown one. An outer operation has a smaller id than those in its regions.
  uint8_t *inside = arena_zalloc(g->arena, (size_t)g->op_count + 1);
  for (op_id op = 0; op < g->op_count; op++) {
    region_id region = g->blocks[g->ops[op].parent].region;
    op_id around = region == ID_NONE ? ID_NONE : g->regions[region].op;
    if (around != ID_NONE) inside[op] = inside[around] || op_is_unknown(g, around);
    uint32_t absent = op_first_absent(g, op);
    if (absent == g->ops[op].operand_count || inside[op] || op_takes_absent(g, op)) continue;
    shape_strbuf buf;
    strbuf_init(&buf, g->arena);
    strbuf_printf(&buf, "operand #%u of %s (operation %u) is absent", absent, graph_op_name(g, op),
                  op);
    return strbuf_text(&buf);
  }
  return NULL;
}
