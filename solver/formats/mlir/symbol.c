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

// --- what a declaration says

typedef struct declaration {
  mlir_parser *p;
  op_id op;
  graph_symbol *symbol;
  bool wrong;  // an error was reported
} declaration;

static attr_id named(const declaration *d, const char *name) {
  return graph_attr_named(d->p->g, d->op, name);
}

static void wrong(declaration *d, attr_id at, const char *what) {
  const graph_attr *attr = graph_attr_get(d->p->g, at);
  d->wrong = true;
  diag_add(&d->p->g->diags, DIAG_ERROR, "symbol", attr ? attr->span : d->symbol->span,
           "%s, of symbol \"%s\"", what, intern_text(&d->p->g->names, d->symbol->name));
}

static bool flag(const declaration *d, const char *name) {
  const graph_attr *attr = graph_attr_get(d->p->g, named(d, name));
  int64_t value;
  if (attr && attr->kind == ATTR_UNIT) return true;
  return graph_attr_int(d->p->g, named(d, name), &value) && value != 0;
}

// Integers of an attribute that is there; NULL after reporting.
static const int64_t *ints(declaration *d, attr_id at, const char *what, uint32_t *count) {
  const int64_t *values;
  const graph_attr *attr = graph_attr_get(d->p->g, at);
  *count = 0;
  if (at == ATTR_NONE) return NULL;
  if (graph_attr_ints(d->p->g, at, &values, count)) return *count ? values : NULL;
  *count = 0;
  uint32_t n = 0;
  if (attr) attr_items(attr, &n);
  bool empty = attr && attr->kind == ATTR_ARRAY && n == 0;
  if (!empty) wrong(d, at, what);
  return NULL;
}

typedef struct range_list {
  int64_t *ends;  // pairs
  uint32_t count, capacity;
} range_list;

static void add_range(declaration *d, range_list *list, int64_t low, int64_t high) {
  list->ends = arena_grow(d->p->g->arena, list->ends, 2 * (size_t)list->count,
                          2 * (size_t)list->count + 2, &list->capacity, sizeof *list->ends);
  list->ends[2 * list->count] = low;
  list->ends[2 * list->count++ + 1] = high;
}

static int by_low_end(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

// In order, and disjoint.
static void order_ranges(range_list *list) {
  assert(list->count > 0);
  qsort(list->ends, list->count, 2 * sizeof *list->ends, by_low_end);
  uint32_t last = 0;
  for (uint32_t i = 1; i < list->count; i++) {
    int64_t low = list->ends[2 * i], high = list->ends[2 * i + 1];
    if (low > list->ends[2 * last + 1]) {
      last++;
      list->ends[2 * last] = low;
      list->ends[2 * last + 1] = high;
    } else if (high > list->ends[2 * last + 1]) {
      list->ends[2 * last + 1] = high;
    }
  }
  list->count = last + 1;
}

// Pairs of ends: one list, or a list of pairs, which may be nested again.
static void read_pairs(declaration *d, attr_id at, range_list *list, uint32_t depth) {
  static const char what[] = "ranges are pairs of integers, [[least, most], ...]";
  const int64_t *flat;
  uint32_t n;
  const graph_attr *attr = graph_attr_get(d->p->g, at);
  const attr_id *items = attr ? attr_items(attr, &n) : NULL;
  const graph_attr *first = items && n ? graph_attr_get(d->p->g, items[0]) : NULL;
  if (first && first->kind == ATTR_ARRAY && depth < MLIR_DEPTH) {
    for (uint32_t i = 0; i < n; i++) read_pairs(d, items[i], list, depth + 1);
    return;
  }
  flat = ints(d, at, what, &n);
  if (n % 2) wrong(d, at, what);
  for (uint32_t i = 0; i + 1 < n; i += 2) {
    if (flat[i] > flat[i + 1]) {
      wrong(d, at, "a range ends before it begins");
    } else {
      add_range(d, list, flat[i], flat[i + 1]);
    }
  }
}

// What is in both: lists are in order and disjoint, and so is the result.
static range_list meet(declaration *d, const range_list *a, const range_list *b) {
  range_list both = {0};
  for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
    const int64_t *x = a->ends + 2 * i, *y = b->ends + 2 * k;
    int64_t low = x[0] > y[0] ? x[0] : y[0], high = x[1] < y[1] ? x[1] : y[1];
    if (low <= high) add_range(d, &both, low, high);
    if (x[1] < y[1]) {
      i++;
    } else {
      k++;
    }
  }
  return both;
}

static void meet_range(declaration *d, range_list *of, int64_t low, int64_t high) {
  range_list one = {0};
  if (low <= high) add_range(d, &one, low, high);
  *of = meet(d, of, &one);
}

// The fields of SymbolicDimOp (BladeDISC, disc_shape_ops.td): value is INT64_MIN for a size that is not known; the
// flags say what is known of it all the same.
static range_list fields(declaration *d) {
  range_list all = {0};
  int64_t value = INT64_MIN;
  if (!graph_attr_int(d->p->g, named(d, "value"), &value)) value = INT64_MIN;
  bool minus_one = flag(d, "knownNegativeOne") || value == -1;
  d->symbol->is_value = flag(d, "is_value") || minus_one;  // -1: what a reshape infers, never a dim
  add_range(d, &all, d->symbol->is_value ? INT64_MIN : 0, INT64_MAX);
  if (value != INT64_MIN) meet_range(d, &all, value, value);
  if (minus_one) meet_range(d, &all, -1, -1);
  if (flag(d, "knownNonNegative")) meet_range(d, &all, 0, INT64_MAX);
  for (int64_t k = 0; k < 2; k++) {
    if (!flag(d, k ? "knownNonSizeOne" : "knownNonSizeZero")) continue;
    range_list others = {0};
    add_range(d, &others, INT64_MIN, k - 1);
    add_range(d, &others, k + 1, INT64_MAX);
    all = meet(d, &all, &others);
  }
  return all;
}

// What the design document has and BladeDISC's own operation has not: ranges as pairs, likely values, a divisor; and
// that the symbol is the value of a tensor, which may be negative, a size that an operation makes, or an expression.
static void read_declaration(declaration *d) {
  static const char *const RANGES[] = {"ranges", "range_list"};
  graph_symbol *symbol = d->symbol;
  int64_t divisor;
  range_list all = fields(d);
  for (uint32_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
    range_list given = {0};
    read_pairs(d, named(d, RANGES[i]), &given, 0);
    if (!given.count) continue;
    order_ranges(&given);
    all = meet(d, &all, &given);
  }
  symbol->definition = graph_attr_text(d->p->g, named(d, "definition"));
  symbol->rank = flag(d, "is_computed") ? SYMBOL_OPAQUE
                 : symbol->is_value     ? SYMBOL_ARGUMENT_VALUE
                                        : SYMBOL_NAMED;
  symbol->min = all.count ? all.ends[0] : 1;
  symbol->max = all.count ? all.ends[2 * all.count - 1] : 0;
  symbol->ranges = all.count > 1 ? all.ends : NULL;
  symbol->range_count = all.count > 1 ? all.count : 0;
  symbol->likely =
      ints(d, named(d, "likely_values"), "likely values are integers", &symbol->likely_count);
  attr_id divisible = named(d, "divisible_by");
  if (divisible == ATTR_NONE) return;
  if (graph_attr_int(d->p->g, divisible, &divisor) && divisor > 0) {
    symbol->multiple_of = divisor;
  } else {
    wrong(d, divisible, "a divisor is an integer of at least 1");
  }
}

// Facts in words that are not known are lost: a note says so.
static void note_unknown(const declaration *d) {
  static const char *const KNOWN[] = {
      "sym_name",         "value",    "knownNonNegative", "knownNegativeOne",     "knownNonSizeOne",
      "knownNonSizeZero", "ranges",   "range_list",       "likely_values",        "divisible_by",
      "definition",       "is_value", "is_computed",      "symbolic_shape_graph", "sym_visibility"};
  const shape_graph *g = d->p->g;
  const attr_entry *entries = graph_attr_entries(g, g->ops[d->op].attrs);
  for (uint32_t i = 0; i < g->ops[d->op].attr_count; i++) {
    const char *name = intern_text(&g->names, entries[i].name);
    uint32_t k = 0;
    while (k < sizeof KNOWN / sizeof *KNOWN && strcmp(name, KNOWN[k])) k++;
    if (k < sizeof KNOWN / sizeof *KNOWN || strchr(name, '.')) continue;
    diag_add(&d->p->g->diags, DIAG_NOTE, "symbol", g->ops[d->op].span,
             "the attribute '%s' of a symbol is not known: what it says is not used", name);
  }
}

void mlir_declare_symbolic_dim(mlir_parser *p, op_id op) {
  shape_graph *g = p->g;
  attr_id name = graph_attr_named(g, op, "sym_name");
  const graph_attr *attr = graph_attr_get(g, name);
  if (!attr || (attr->kind != ATTR_STRING && attr->kind != ATTR_SYMBOL)) {
    diag_add(&g->diags, DIAG_ERROR, "symbol", g->ops[op].span, "a symbol needs a name");
    return;
  }
  uint32_t id = mlir_symbol(p, attr->text, p->text + attr->span.begin);
  graph_symbol *symbol = &g->declared.symbols[id];
  // Another declaration may have said something else: the last one counts.
  *symbol = (graph_symbol){.name = symbol->name, .multiple_of = 1, .span = g->ops[op].span};
  declaration d = {.p = p, .op = op, .symbol = symbol};
  read_declaration(&d);
  note_unknown(&d);
  if (!d.wrong && graph_symbol_is_possible(symbol)) {
    graph_note_unlikely(g, symbol);
    return;
  }
  if (!d.wrong) {
    diag_add(&g->diags, DIAG_ERROR, "symbol", symbol->span,
             "no %s has the value, the ranges and the divisor that are declared for symbol \"%s\"",
             symbol->is_value ? "number" : "dim", intern_text(&g->names, symbol->name));
  }
  *symbol = (graph_symbol){.name = symbol->name,
                           .max = INT64_MAX,
                           .multiple_of = 1,
                           .span = symbol->span,
                           .rank = symbol->rank};
}
