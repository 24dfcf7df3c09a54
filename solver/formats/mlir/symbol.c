// SPDX-License-Identifier: Apache-2.0
// Symbols of BladeDISC's shape constraint IR: `disc_shape.SymbolicDim` declares them, encodings such as [@S0, @S1] use
// them, before or after the declaration. Names belong to one part of the file.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/facts/store.h"
#include "solver/formats/mlir/parser.h"

uint32_t mlir_symbol(mlir_parser *p, name_id name, const char *at) {
  uint32_t symbol;
  if (imap_get(&p->declared.symbols, name, &symbol)) return symbol;
  // A type on its own means the symbols that the program has.
  if (p->errors.capture && (symbol = graph_find_symbol(p->g, name)) != ID_NONE) return symbol;
  symbol = graph_add_symbol(p->g, name, mlir_span(p, at, p->at));
  imap_put(&p->declared.symbols, p->g->arena, name, symbol);
  return symbol;
}

static bool flag(const mlir_parser *p, op_id op, const char *name) {
  int64_t value;
  return graph_attr_int(p->g, graph_attr_named(p->g, op, name), &value) && value != 0;
}

static const int64_t *ints(const mlir_parser *p, op_id op, const char *name, uint32_t *count) {
  const int64_t *values;
  *count = 0;
  if (!graph_attr_ints(p->g, graph_attr_named(p->g, op, name), &values, count)) *count = 0;
  return *count ? values : NULL;
}

// Pairs of ends, as one list or as a list of pairs.
static const int64_t *pairs(const mlir_parser *p, op_id op, const char *name, uint32_t *count) {
  const int64_t *flat = ints(p, op, name, count);
  if (flat) return flat;
  uint32_t n, length;
  const attr_id *items = attr_items(graph_attr_get(p->g, graph_attr_named(p->g, op, name)), &n);
  if (!n || n > UINT32_MAX / 2) return NULL;
  int64_t *made = arena_alloc(p->g->arena, 2 * (size_t)n * sizeof *made);
  for (uint32_t i = 0; i < n; i++) {
    const int64_t *pair;
    if (!graph_attr_ints(p->g, items[i], &pair, &length) || length != 2) return NULL;
    memcpy(made + 2 * (size_t)i, pair, 2 * sizeof *made);
  }
  *count = 2 * n;
  return made;
}

static int by_low_end(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

// Ranges as a graph has them: in order, and disjoint.
static void set_ranges(shape_graph *g, graph_symbol *symbol, const int64_t *pairs, uint32_t count) {
  assert(count > 0);
  int64_t *made = arena_alloc(g->arena, 2 * (size_t)count * sizeof *made);
  memcpy(made, pairs, 2 * (size_t)count * sizeof *made);
  qsort(made, count, 2 * sizeof *made, by_low_end);
  uint32_t last = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (made[2 * i] > made[2 * last + 1]) {
      last++;
      memcpy(made + 2 * (size_t)last, made + 2 * (size_t)i, 2 * sizeof *made);
    } else if (made[2 * i + 1] > made[2 * last + 1]) {
      made[2 * last + 1] = made[2 * i + 1];
    }
  }
  symbol->min = made[0];
  symbol->max = made[2 * last + 1];
  symbol->ranges = last ? made : NULL;
  symbol->range_count = last ? last + 1 : 0;
}

// What the design document has and BladeDISC's own operation has not: ranges as pairs, likely values, a divisor; and
// that the symbol is the value of a tensor, which may be negative, a size that an operation makes, or an expression.
static void read_extensions(const mlir_parser *p, op_id op, graph_symbol *symbol) {
  uint32_t count;
  int64_t divisor;
  const int64_t *ranges = pairs(p, op, "ranges", &count);
  symbol->is_value = flag(p, op, "is_value");
  if (symbol->is_value) symbol->min = INT64_MIN;
  symbol->definition = graph_attr_text(p->g, graph_attr_named(p->g, op, "definition"));
  symbol->rank = flag(p, op, "is_computed") ? SYMBOL_OPAQUE
                 : symbol->is_value         ? SYMBOL_ARGUMENT_VALUE
                                            : SYMBOL_NAMED;
  for (uint32_t i = 0; i + 1 < count; i += 2) {
    if (ranges[i] > ranges[i + 1]) return;
  }
  if (count >= 2 && count % 2 == 0) set_ranges(p->g, symbol, ranges, count / 2);
  symbol->likely = ints(p, op, "likely_values", &symbol->likely_count);
  if (graph_attr_int(p->g, graph_attr_named(p->g, op, "divisible_by"), &divisor) && divisor > 0) {
    symbol->multiple_of = divisor;
  }
}

// The fields of SymbolicDimOp (BladeDISC, disc_shape_ops.td): value is INT64_MIN for a size that is not known; the
// flags say what is known of it all the same.
static void declare(const mlir_parser *p, op_id op, graph_symbol *symbol) {
  shape_graph *g = p->g;
  int64_t value = INT64_MIN;
  if (!graph_attr_int(g, graph_attr_named(g, op, "value"), &value)) value = INT64_MIN;
  if (flag(p, op, "knownNegativeOne")) value = -1;
  if (value != INT64_MIN) {
    symbol->min = symbol->max = value;
    read_extensions(p, op, symbol);
    if (value == -1) symbol->is_value = true;  // what a reshape infers, never a dim
    return;
  }
  symbol->max = INT64_MAX;  // another declaration may have said what it is
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
  read_extensions(p, op, symbol);
}

void mlir_declare_symbolic_dim(mlir_parser *p, op_id op) {
  shape_graph *g = p->g;
  attr_id name = graph_attr_named(g, op, "sym_name");
  const graph_attr *attr = graph_attr_get(g, name);
  if (!attr || (attr->kind != ATTR_STRING && attr->kind != ATTR_SYMBOL)) return;
  uint32_t id = mlir_symbol(p, attr->text, p->text + attr->span.begin);
  graph_symbol *symbol = &g->declared.symbols[id];
  symbol->span = g->ops[op].span;
  declare(p, op, symbol);
  if (graph_symbol_is_possible(symbol)) return;
  diag_add(&g->diags, DIAG_ERROR, "symbol", symbol->span,
           "no %s has the value, the ranges and the divisor that are declared for symbol \"%s\"",
           symbol->is_value ? "number" : "dim", intern_text(&g->names, symbol->name));
  *symbol = (graph_symbol){.name = symbol->name,
                           .max = INT64_MAX,
                           .multiple_of = 1,
                           .span = symbol->span,
                           .rank = symbol->rank};
}
