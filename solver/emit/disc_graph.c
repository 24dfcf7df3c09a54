// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/disc_graph.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/emit/instructions.h"
#include "solver/formats/mlir/edit.h"

typedef struct writer {
  shape_report *report;
  shape_graph *graph;
  term_table *terms;
  disc_names *names;
  report_text indent;
  shape_strbuf *out;
  uint32_t next;                   // number of the next value
  instructions computed;           // the terms so far
  shape_imap guards, constraints;  // predicate -> its index in the report's list
} writer;

// --- names

static bool is_free(const shape_graph *g, const char *name) {
  name_id id = intern_find(&g->names, name, strlen(name));
  if (id == NAME_NONE) return true;
  for (func_id f = 0; f < g->func_count; f++) {
    if (g->funcs[f].name == id) return false;
  }
  return graph_find_symbol(g, id) == ID_NONE;
}

// Symbols of the report point into the table of the graph, which may move when it grows.
static uint32_t add_symbol(shape_report *r, const char *name, size_t length) {
  shape_graph *g = r->graph;
  const graph_symbol *before = g->symbols;
  uint32_t added = graph_add_symbol(g, intern_add(&g->names, name, length), SPAN_NONE);
  for (uint32_t i = 0; g->symbols != before && i < r->symbol_count; i++) {
    report_symbol *s = &r->symbols[i];
    if (s->declared) s->declared = g->symbols + (s->declared - before);
  }
  return added;
}

// A hash, never IMAP_NONE.
static uint64_t definition_key(const shape_graph *g, const char *text, size_t length) {
  return hash_text(text, length, g->arena->seed) & ~UINT64_C(1);
}

void disc_names_init(disc_names *n, shape_report *report) {
  *n = (disc_names){.report = report};
  shape_graph *g = report->graph;
  for (uint32_t i = g->symbol_count; i-- > 0;) {
    const char *definition = g->symbols[i].definition;
    if (definition)
      imap_put(&n->by_definition, g->arena, definition_key(g, definition, strlen(definition)), i);
  }
  for (uint32_t i = 0; i < report->symbol_count; i++) {
    report_text name = report->symbols[i].name;
    name_id id = intern_add(&g->names, name.text, name.length);
    uint32_t symbol = graph_find_symbol(g, id);
    if (symbol == ID_NONE) symbol = add_symbol(report, name.text, name.length);
    imap_put(&n->by_term, g->arena, report->symbols[i].term, symbol);
  }
}

// A name that an earlier writing gave to the expression.
static uint32_t old_name(disc_names *n, term_id term) {
  const shape_graph *g = n->report->graph;
  report_text text = report_term(n->report, term);
  uint32_t i;
  if (!imap_get(&n->by_definition, definition_key(g, text.text, text.length), &i)) return ID_NONE;
  assert(i < g->symbol_count);
  const char *definition = g->symbols[i].definition;
  bool same = strlen(definition) == text.length && !memcmp(definition, text.text, text.length);
  return same ? i : ID_NONE;
}

static void mention(disc_names *n, uint32_t symbol) {
  imap_put(&n->used, n->report->graph->arena, symbol, 1);
}

uint32_t disc_symbol(disc_names *n, term_id term) {
  uint32_t symbol;
  char name[24];
  shape_graph *g = n->report->graph;
  if (imap_get(&n->by_term, term, &symbol)) {
    assert(symbol < g->symbol_count);
    mention(n, symbol);
    return symbol;
  }
  symbol = old_name(n, term);
  while (symbol == ID_NONE) {
    snprintf(name, sizeof name, "S%u", n->next++);
    if (is_free(g, name)) symbol = add_symbol(n->report, name, strlen(name));
  }
  imap_put(&n->by_term, g->arena, term, symbol);
  n->expressions =
      arena_grow(g->arena, n->expressions, n->expression_count, (size_t)n->expression_count + 1,
                 &n->expression_capacity, sizeof *n->expressions);
  n->expressions[n->expression_count++] = (struct disc_expression){term, symbol};
  return symbol;
}

static void mention_atom(void *data, term_id atom) {
  uint32_t symbol;
  disc_names *n = data;
  if (imap_get(&n->by_term, atom, &symbol)) mention(n, symbol);
}

static bool is_mentioned(const disc_names *n, const report_symbol *s) {
  uint32_t symbol, ignored;
  return imap_get(&n->by_term, s->term, &symbol) && imap_get(&n->used, symbol, &ignored);
}

void disc_put_name(const disc_names *n, uint32_t symbol, shape_strbuf *out) {
  const shape_graph *g = n->report->graph;
  mlir_put_symbol(out, intern_text(&g->names, g->symbols[symbol].name));
}

// --- declarations

static void line(writer *w, const char *more) {
  strbuf_putc(w->out, '\n');
  strbuf_add(w->out, w->indent.text, w->indent.length);
  strbuf_puts(w->out, more);
}

static void put_ints(writer *w, const char *key, const int64_t *values, uint32_t count) {
  strbuf_printf(w->out, ", %s = array<i64: ", key);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_printf(w->out, "%s%lld", i ? ", " : "", (long long)values[i]);
  }
  strbuf_putc(w->out, '>');
}

static void put_quoted(writer *w, report_text text) {
  strbuf_putc(w->out, '"');
  for (uint32_t i = 0; i < text.length; i++) {
    if (text.text[i] == '"' || text.text[i] == '\\') strbuf_putc(w->out, '\\');
    strbuf_putc(w->out, text.text[i]);
  }
  strbuf_putc(w->out, '"');
}

static int64_t end_of(bool has, num x, int64_t otherwise) {
  int64_t value;
  return has && num_to_int(x, &value) ? value : otherwise;
}

typedef struct declaration {
  int64_t value, low, high, divisor;  // value INT64_MIN: not known
  bool is_value, is_computed;
  report_text definition;     // length 0: none
  const graph_symbol *given;  // ranges and likely values, or NULL
} declaration;

// The fields of BladeDISC's operation in its order, then what only the design document has.
static void put_declaration(writer *w, const char *name, declaration d) {
  bool natural = d.low >= 0;
  line(w, "\"disc_shape.SymbolicDim\"() {knownNegativeOne = false, knownNonNegative = ");
  strbuf_puts(w->out, natural ? "true" : "false");
  strbuf_printf(w->out, ", knownNonSizeOne = %s, knownNonSizeZero = %s",
                d.low > 1 ? "true" : "false", d.low > 0 ? "true" : "false");
  if (d.definition.length) {
    strbuf_puts(w->out, ", definition = ");
    put_quoted(w, d.definition);
  }
  if (d.is_value) strbuf_puts(w->out, ", is_value = true");
  if (d.is_computed) strbuf_puts(w->out, ", is_computed = true");
  if (d.divisor > 1) strbuf_printf(w->out, ", divisible_by = %lld : i64", (long long)d.divisor);
  if (d.given && d.given->likely_count) {
    put_ints(w, "likely_values", d.given->likely, d.given->likely_count);
  }
  if (d.given && d.given->range_count) {
    put_ints(w, "ranges", d.given->ranges, 2 * d.given->range_count);
  } else if (d.value != INT64_MIN) {
    // the value says it
  } else if (d.low > 2 || d.high != INT64_MAX || (d.is_value && d.low != INT64_MIN)) {
    put_ints(w, "ranges", (int64_t[]){d.low, d.high}, 2);
  }
  strbuf_puts(w->out, ", sym_name = \"");
  shape_strbuf quoted;
  strbuf_init(&quoted, w->graph->arena);
  mlir_put_symbol(&quoted, name);
  bool has_quotes = quoted.data[0] == '"';
  strbuf_add(w->out, quoted.data + has_quotes, quoted.length - 2u * has_quotes);
  strbuf_printf(w->out, "\", value = %lld : i64} : () -> ()", (long long)d.value);
}

static void declare_symbol(writer *w, const report_symbol *s) {
  const term_node *node = term_get(w->terms, s->term);
  declaration d = {INT64_MIN, 0, INT64_MAX, 1, false, s->origin == FROM_OPAQUE, {0}, s->declared};
  if (s->declared) {
    d.low = s->declared->min;
    d.high = s->declared->max;
    d.divisor = s->declared->multiple_of;
    if (d.low == d.high) d.value = d.low;
    d.is_value = s->declared->is_value;
    d.is_computed = s->declared->rank >= SYMBOL_OPAQUE;
  } else if (node->kind == TERM_SYMBOL) {
    const symbol_info *info = store_symbol_info(w->report->infer->store, node->as.symbol);
    d.is_value = !info || !info->range.has_lo || num_sign(info->range.lo) < 0;
    d.low = info ? end_of(info->range.has_lo, info->range.lo, INT64_MIN) : INT64_MIN;
    d.high = info ? end_of(info->range.has_hi, info->range.hi, INT64_MAX) : INT64_MAX;
  } else {
    d.is_value = true;
    d.low = INT64_MIN;
  }
  if (!s->declared && s->definition.length) {
    d.definition = s->definition;
    d.is_computed = false;
  }
  uint32_t symbol = disc_symbol(w->names, s->term);
  put_declaration(w, intern_text(&w->graph->names, w->graph->symbols[symbol].name), d);
}

static int by_size(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

static bool has_names(const graph_type *type) {
  for (uint32_t k = 0; type->kind == TYPE_TENSOR && k < type->rank; k++) {
    if (dim_is_symbol(type->dims[k])) return true;
  }
  return false;
}

// The constants that encodings name, in order: @C4, @C12.
static void declare_constants(writer *w) {
  const type_table *types = &w->graph->types;
  int64_t *sizes = NULL;
  uint32_t count = 0, capacity = 0;
  for (uint32_t i = 0; i < types->count; i++) {
    const graph_type *type = type_get(types, i);
    for (uint32_t k = 0; has_names(type) && k < type->rank; k++) {
      if (!dim_is_static(type->dims[k])) continue;
      sizes =
          arena_grow(w->graph->arena, sizes, count, (size_t)count + 1, &capacity, sizeof *sizes);
      sizes[count++] = type->dims[k];
    }
  }
  if (count) qsort(sizes, count, sizeof *sizes, by_size);
  for (uint32_t i = 0; i < count; i++) {
    char name[32];
    if (i && sizes[i] == sizes[i - 1]) continue;
    snprintf(name, sizeof name, "C%lld", (long long)sizes[i]);
    name_id known = intern_find(&w->graph->names, name, strlen(name));
    if (known != NAME_NONE && graph_find_symbol(w->graph, known) != ID_NONE &&
        !w->graph->symbols[graph_find_symbol(w->graph, known)].definition)
      continue;  // its author declared it
    report_text is = {name + 1, (uint32_t)strlen(name + 1)};
    put_declaration(w, name,
                    (declaration){sizes[i], sizes[i], INT64_MAX, 1, false, false, is, NULL});
  }
}

// --- the graph

static uint32_t begin_value(writer *w) {
  line(w, "  %");
  strbuf_printf(w->out, "%u = ", w->next);
  return w->next++;
}

static uint32_t make_num(void *data, num x) {
  writer *w = data;
  uint32_t value = begin_value(w);
  strbuf_puts(w->out, "arith.constant ");
  num_print(w->out, x);
  strbuf_puts(w->out, " : index");
  return value;
}

static uint32_t make_step(void *data, bool product, uint32_t a, uint32_t b) {
  writer *w = data;
  uint32_t value = begin_value(w);
  strbuf_printf(w->out, "arith.%s %%%u, %%%u : index", product ? "muli" : "addi", a, b);
  return value;
}

// is_plain has seen to it that atoms are symbols.
static uint32_t make_symbol(void *data, term_id symbol) {
  writer *w = data;
  uint32_t value = begin_value(w);
  strbuf_puts(w->out, "\"disc_shape.dim\"() {name = @");
  disc_put_name(w->names, disc_symbol(w->names, symbol), w->out);
  strbuf_puts(w->out, "} : () -> index");
  return value;
}

static uint32_t put(writer *w, term_id id) { return instructions_put(&w->computed, id); }

typedef struct shape_search {
  const writer *w;
  bool plain;
} shape_search;

static void check_atom(void *data, term_id atom) {
  shape_search *s = data;
  s->plain &= term_kind_of(s->w->terms, atom) == TERM_SYMBOL;
}

// Symbols, sums and products only, with coefficients that an index holds.
static bool is_plain(const writer *w, term_id id) {
  shape_search s = {w, true};
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(w->terms, id, &parts, &room);
  int64_t ignored;
  for (uint32_t i = 0; i < count; i++) s.plain &= num_to_int(parts[i].coefficient, &ignored);
  term_visit_atoms(w->terms, id, check_atom, &s);
  return s.plain;
}

// The factors of c*a*b; 0 of them where it is a sum.
static uint32_t factors(writer *w, term_id id, uint32_t *out, uint32_t room) {
  term_part one;
  const term_part *parts;
  if (term_parts(w->terms, id, &parts, &one) != 1) return 0;
  term_part part = parts[0];
  uint32_t count = 0;
  if (!num_is_one(part.coefficient) || part.monomial == TERM_ONE) {
    out[count++] = put(w, term_const(w->terms, part.coefficient));
  }
  if (part.monomial == TERM_ONE) return count;
  term_power power;
  const term_power *powers;
  uint32_t n = term_powers(w->terms, part.monomial, &powers, &power);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < powers[i].exponent; k++) {
      if (count == room) return 0;
      out[count++] = put(w, powers[i].atom);
    }
  }
  return count;
}

static void put_tie(writer *w, const char *op, const uint32_t *operands, uint32_t count) {
  line(w, "  \"disc_shape.");
  strbuf_printf(w->out, "%s\"(", op);
  for (uint32_t i = 0; i < count; i++) strbuf_printf(w->out, "%s%%%u", i ? ", " : "", operands[i]);
  strbuf_putc(w->out, ')');
}

static void put_types(writer *w, uint32_t count) {
  strbuf_puts(w->out, " : (");
  for (uint32_t i = 0; i < count; i++) strbuf_puts(w->out, i ? ", index" : "index");
  strbuf_puts(w->out, ") -> ()");
}

// A product that is another: tie_product_equal(lhs..., rhs...).
static bool put_products(writer *w, predicate p, const char *guard) {
  enum { MOST = 32 };
  uint32_t operands[2 * MOST];
  term_part room;
  const term_part *parts;
  if (term_parts(w->terms, p.left, &parts, &room) != 1) return false;
  if (term_parts(w->terms, p.right, &parts, &room) != 1) return false;
  if (term_kind_of(w->terms, p.left) == TERM_SYMBOL &&
      term_kind_of(w->terms, p.right) == TERM_SYMBOL)
    return false;
  uint32_t left = factors(w, p.left, operands, MOST);
  uint32_t right = left ? factors(w, p.right, operands + left, MOST) : 0;
  if (!left || !right) return false;
  put_tie(w, "tie_product_equal", operands, left + right);
  strbuf_printf(w->out, " {%s%soperand_segment_sizes = array<i32: %u, %u>}", guard,
                *guard ? ", " : "", left, right);
  put_types(w, left + right);
  return true;
}

// A predicate between two terms; `text` is how the answer spells it.
static void put_predicate(writer *w, predicate p, report_text text, bool guard) {
  static const char *const NAMES[] = {[REL_EQ] = "tie_predicate_eq",
                                      [REL_NE] = "tie_predicate_ne",
                                      [REL_LT] = "tie_predicate_lt",
                                      [REL_LE] = "tie_predicate_le",
                                      [REL_DIVISIBLE] = "tie_predicate_divisible"};
  const char *word = guard ? "guard" : "";
  bool plain = p.rel != REL_GT && p.rel != REL_GE && is_plain(w, p.left) && is_plain(w, p.right);
  if (plain && p.rel == REL_EQ && put_products(w, p, word)) return;
  if (plain) {
    uint32_t operands[2] = {put(w, p.left), put(w, p.right)};
    put_tie(w, NAMES[p.rel], operands, 2);
    if (guard) strbuf_puts(w->out, " {guard}");
    put_types(w, 2);
    return;
  }
  term_visit_atoms(w->terms, p.left, mention_atom, w->names);
  term_visit_atoms(w->terms, p.right, mention_atom, w->names);
  put_tie(w, "tie_predicate", NULL, 0);
  strbuf_printf(w->out, " {%s%spredicate = ", word, guard ? ", " : "");
  put_quoted(w, text);
  strbuf_putc(w->out, '}');
  put_types(w, 0);
}

static uint64_t predicate_key(predicate p) {
  return hash_pair((uint64_t)p.left << 32 | p.right, p.rel) & ~UINT64_C(1);  // never IMAP_NONE
}

static void index_list(writer *w, shape_imap *map, const report_constraints *list) {
  for (uint32_t i = 0; i < list->count; i++)
    imap_put(map, w->graph->arena, predicate_key(list->items[i].p), i);
}

static bool is_among(const shape_imap *map, const report_constraints *list, predicate p) {
  uint32_t i;
  if (!imap_get(map, predicate_key(p), &i)) return false;
  predicate q = list->items[i].p;
  return q.rel == p.rel && q.left == p.left && q.right == p.right;
}

static bool is_guard(const writer *w, predicate p) {
  return is_among(&w->guards, &w->report->guards, p);
}

// What the facts say of a symbol beyond its declaration.
static void put_range(writer *w, const report_symbol *s) {
  const term_node *node = term_get(w->terms, s->term);
  if (node->kind != TERM_SYMBOL || (!s->declared && s->definition.length)) return;
  const symbol_info given = *store_symbol_info(w->report->infer->store, node->as.symbol);
  shape_strbuf text;
  for (int high = 0; high < 2; high++) {
    bool has = high ? s->range.has_hi : s->range.has_lo;
    bool had = high ? given.range.has_hi : given.range.has_lo;
    num is = high ? s->range.hi : s->range.lo, was = high ? given.range.hi : given.range.lo;
    if (!has || (had && num_compare(is, was) == 0)) continue;
    if (num_is(is, INT64_MAX) || num_is(is, INT64_MIN)) continue;  // what an i64 holds, no fact
    strbuf_init(&text, w->graph->arena);
    report_text name = report_term(w->report, s->term);
    strbuf_add(&text, name.text, name.length);
    strbuf_puts(&text, high ? " <= " : " >= ");
    num_print(&text, is);
    term_id end = term_const(w->terms, is);
    predicate p = predicate_make(REL_LE, high ? s->term : end, high ? end : s->term);
    if (is_guard(w, p) || is_among(&w->constraints, &w->report->constraints, p)) continue;
    put_predicate(w, p, (report_text){text.data, text.length}, false);
  }
}

static void put_facts(writer *w) {
  shape_report *r = w->report;
  index_list(w, &w->guards, &r->guards);
  index_list(w, &w->constraints, &r->constraints);
  for (uint32_t i = 0; i < r->guards.count; i++) {
    if (r->guards.items[i].when_count) continue;  // the operations of the region say it again
    put_predicate(w, r->guards.items[i].p, r->guards.items[i].expr, true);
  }
  for (uint32_t i = 0; i < r->constraints.count; i++) {
    const report_constraint *c = &r->constraints.items[i];
    if (!is_guard(w, c->p)) put_predicate(w, c->p, c->expr, false);
  }
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    if (is_mentioned(w->names, &r->symbols[i])) put_range(w, &r->symbols[i]);
  }
}

static void put_function(writer *w, bool is_private) {
  line(w, is_private ? "func.func private @shape_constraint_graph() {"
                     : "func.func @shape_constraint_graph() {");
  put_facts(w);
  line(w, "  return");
  line(w, "}");
}

// A name that nothing mentions is left out, unless its author gave it.
static bool is_declared_here(const disc_names *n, const report_symbol *s) {
  if (s->declared && s->declared->definition) return false;
  return s->declared || is_mentioned(n, s);
}

void disc_put_graph(shape_report *r, disc_names *names, report_text indent, bool is_private,
                    shape_strbuf *out) {
  shape_strbuf function;
  strbuf_init(&function, r->graph->arena);
  writer w = {.report = r,
              .graph = r->graph,
              .terms = r->infer->terms,
              .names = names,
              .indent = indent,
              .out = &function};
  w.computed = (instructions){.terms = w.terms,
                              .arena = r->graph->arena,
                              .number = make_num,
                              .atom = make_symbol,
                              .step = make_step,
                              .writer = &w};
  for (uint32_t i = 0; i < names->expression_count; i++) {
    term_visit_atoms(w.terms, names->expressions[i].term, mention_atom, names);
  }
  put_function(&w, is_private);
  w.out = out;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    if (is_declared_here(names, &r->symbols[i])) declare_symbol(&w, &r->symbols[i]);
  }
  for (uint32_t i = 0; i < names->expression_count; i++) {
    const graph_symbol *symbol = &r->graph->symbols[names->expressions[i].symbol];
    report_text is = report_term(r, names->expressions[i].term);
    declaration d = {INT64_MIN, 0, INT64_MAX, 1, false, false, is, NULL};
    put_declaration(&w, intern_text(&r->graph->names, symbol->name), d);
  }
  declare_constants(&w);
  strbuf_add(out, function.data, function.length);
}
