// SPDX-License-Identifier: Apache-2.0
// Symbols of BladeDISC's shape constraint IR: `disc_shape.SymbolicDim` declares them, encodings such as [@S0, @S1] use
// them, before or behind the declaration. Names belong to one part of the file.
#include "proto/mlir/parser.h"

uint32_t mlir_symbol(mlir_parser *p, name_id name, const char *at) {
  uint32_t symbol;
  if (imap_get(&p->symbols, name, &symbol)) return symbol;
  // A type on its own means the symbols that the program has.
  if (p->capture && (symbol = graph_find_symbol(p->g, name)) != ID_NONE) return symbol;
  symbol = graph_add_symbol(p->g, name, mlir_span(p, at, p->at));
  imap_put(&p->symbols, p->g->arena, name, symbol);
  return symbol;
}

static bool flag(const mlir_parser *p, op_id op, const char *name) {
  int64_t value;
  return graph_attr_int(p->g, graph_attr_named(p->g, op, name), &value) && value != 0;
}

// The fields of SymbolicDimOp (BladeDISC, disc_shape_ops.td): value is INT64_MIN for a size that is not known; the
// flags say what is known of it all the same.
void mlir_declare_symbolic_dim(mlir_parser *p, op_id op) {
  shape_graph *g = p->g;
  attr_id name = graph_attr_named(g, op, "sym_name");
  const graph_attr *attr = graph_attr_get(g, name);
  if (!attr || (attr->kind != ATTR_STRING && attr->kind != ATTR_SYMBOL)) return;
  uint32_t id = mlir_symbol(p, attr->text, p->text + attr->span.begin);
  graph_symbol *symbol = &g->symbols[id];
  symbol->span = g->ops[op].span;
  int64_t value = INT64_MIN;
  if (!graph_attr_int(g, graph_attr_named(g, op, "value"), &value)) value = INT64_MIN;
  if (flag(p, op, "knownNegativeOne")) value = -1;
  if (value != INT64_MIN) {
    symbol->min = symbol->max = value;
    return;
  }
  bool not_zero = flag(p, op, "knownNonSizeZero"), not_one = flag(p, op, "knownNonSizeOne");
  symbol->min = not_zero ? (not_one ? 2 : 1) : 0;
  if (not_one && !not_zero) {
    int64_t *ranges = arena_alloc(g->arena, 4 * sizeof *ranges);
    ranges[0] = ranges[1] = 0;
    ranges[2] = 2;
    ranges[3] = INT64_MAX;
    symbol->ranges = ranges;
    symbol->range_count = 2;
  }
}
