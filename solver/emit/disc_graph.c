// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/disc_graph.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/emit/instructions.h"
#include "solver/formats/mlir/edit.h"

struct named_product {
  report_text name;
  const struct disc_product *is;
};

typedef struct writer {
  shape_report *report;
  shape_graph *graph;
  term_table *terms;
  disc_names *names;
  report_text indent;
  shape_strbuf *out;
  uint32_t next;          // number of the next value
  instructions computed;  // the terms so far
  struct disc_fact {
    predicate p;
    report_text text;
    bool guard;
  } * facts;
  uint32_t fact_count, fact_capacity;
  shape_imap known;  // predicate -> its index in `facts`
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
  const graph_symbol *before = g->declared.symbols;
  uint32_t added = graph_add_symbol(g, intern_add(&g->names, name, length), SPAN_NONE);
  for (uint32_t i = 0; g->declared.symbols != before && i < r->symbol_count; i++) {
    report_symbol *s = &r->symbols[i];
    if (s->declared) s->declared = g->declared.symbols + (s->declared - before);
  }
  return added;
}

// A hash, never IMAP_NONE.
static uint64_t definition_key(const shape_graph *g, const char *text, size_t length) {
  return hash_text(text, length, g->arena->seed) & ~UINT64_C(1);
}

// A name that an earlier writing gave to the expression.
static uint32_t find_definition(const disc_names *n, report_text text) {
  const shape_graph *g = n->report->graph;
  uint32_t i;
  if (!imap_get(&n->by_definition, definition_key(g, text.text, text.length), &i)) return ID_NONE;
  assert(i < g->declared.symbol_count);
  const char *definition = g->declared.symbols[i].definition;
  bool same = strlen(definition) == text.length && !memcmp(definition, text.text, text.length);
  return same ? i : ID_NONE;
}

static uint32_t named(disc_names *n, const report_symbol *s) {
  shape_graph *g = n->report->graph;
  assert(!s->declared || s->declared < g->declared.symbols + g->declared.symbol_count);
  if (s->declared) return (uint32_t)(s->declared - g->declared.symbols);
  uint32_t symbol = graph_find_symbol(g, intern_add(&g->names, s->name.text, s->name.length));
  return symbol != ID_NONE ? symbol : add_symbol(n->report, s->name.text, s->name.length);
}

// A name of the report that is written as what it means.
static bool only_names(const report_symbol *s) { return !s->declared && s->meaning != TERM_NONE; }

enum { FACTORS_MAX = 32 };  // of a product that tie_product_equal says

static bool is_no_dim(void *data, term_id atom) {
  const infer_result *infer = data;
  const term_node *node = term_get(infer->terms, atom);
  if (node->kind != TERM_SYMBOL) return true;
  const interval *range = &store_symbol_info(infer->store, node->as.symbol)->range;
  return !range->has_lo || num_sign(range->lo) < 0;
}

// Whether a term is a product of two factors at least, dims and at most one number. A number that an argument holds is
// no factor: that the product is a dim would say of it that it is not negative.
static bool is_product(const shape_report *r, term_id id) {
  term_table *t = r->infer->terms;
  term_part part;
  const term_part *parts;
  term_power power;
  const term_power *powers;
  int64_t factor;
  if (term_parts(t, id, &parts, &part) != 1 || parts[0].monomial == TERM_ONE) return false;
  if (!num_to_int(parts[0].coefficient, &factor) || factor < 1) return false;
  uint32_t count = term_powers(t, parts[0].monomial, &powers, &power), all = factor > 1;
  for (uint32_t i = 0; i < count; i++) all += powers[i].exponent;
  return all > 1 && all <= FACTORS_MAX && !term_any_atom(t, id, is_no_dim, r->infer);
}

static void add_product(disc_names *n, struct disc_product p) {
  n->products = arena_grow(n->report->graph->arena, n->products, n->product_count,
                           (size_t)n->product_count + 1, &n->product_capacity, sizeof p);
  if (p.symbol_term != TERM_NONE)
    imap_put(&n->product_of, n->report->graph->arena, p.symbol_term, n->product_count);
  n->products[n->product_count++] = p;
}

static void keep_names(disc_names *n);

void disc_names_init(disc_names *n, shape_report *report) {
  *n = (disc_names){.report = report};
  shape_graph *g = report->graph;
  for (uint32_t i = g->declared.symbol_count; i-- > 0;) {
    const char *definition = g->declared.symbols[i].definition;
    if (definition)
      imap_put(&n->by_definition, g->arena, definition_key(g, definition, strlen(definition)), i);
  }
  for (uint32_t i = 0; i < report->symbol_count; i++) {
    const report_symbol *s = &report->symbols[i];
    uint32_t symbol = named(n, s);
    if (!only_names(s)) imap_put(&n->by_term, g->arena, s->term, symbol);
  }
  keep_names(n);
}

// The symbol that an equation says is something else, which no run may break; NULL: it says nothing like that.
static const report_symbol *meant(const disc_names *n, const report_constraint *c) {
  if (c->required || c->p.rel != REL_EQ) return NULL;
  for (int right = 0; right < 2; right++) {
    term_id own = right ? c->p.right : c->p.left, other = right ? c->p.left : c->p.right;
    const report_symbol *s = report_symbol_of(n->report, own);
    bool atom = term_kind_of(n->report->infer->terms, other) == TERM_SYMBOL;
    if (s && s->declared && !s->declared->definition && s->meaning == other && !atom) return s;
  }
  return NULL;
}

// The names that authors gave to what has become an expression stay in types.
static void keep_names(disc_names *n) {
  shape_arena *arena = n->report->graph->arena;
  for (uint32_t i = 0; i < n->report->constraints.count; i++) {
    const report_symbol *s = meant(n, &n->report->constraints.items[i]);
    uint32_t symbol;
    if (!s || imap_get(&n->by_term, s->meaning, &symbol) ||
        !imap_get(&n->by_term, s->term, &symbol))
      continue;
    imap_put(&n->by_term, arena, s->meaning, symbol);
    if (!is_product(n->report, s->meaning)) continue;
    add_product(n, (struct disc_product){s->meaning, s->term, symbol});
  }
}

static term_id meaning_of(void *data, term_id atom) {
  const disc_names *n = data;
  const report_symbol *s = report_symbol_of(n->report, atom);
  return s && only_names(s) ? s->meaning : atom;
}

static term_id written(disc_names *n, term_id term) {
  enum { ROUNDS = 8 };  // meanings mention older symbols; those of a longer chain stay names
  term_table *t = n->report->infer->terms;
  for (int i = 0; i < ROUNDS; i++) {
    term_id next = term_substitute(t, term, meaning_of, n, &n->meanings);
    if (next == term) break;
    term = next;
  }
  return term;
}

void disc_mention(disc_names *n, uint32_t symbol) {
  assert(symbol < n->report->graph->declared.symbol_count);
  imap_put(&n->used, n->report->graph->arena, symbol, 1);
}

// A new name for an expression; the report's where it has one.
static uint32_t name_expression(disc_names *n, term_id term, term_id meaning) {
  shape_graph *g = n->report->graph;
  uint32_t symbol = find_definition(n, report_term(n->report, meaning));
  const report_symbol *s = report_symbol_of(n->report, term);
  if (symbol == ID_NONE && s) symbol = named(n, s);
  assert(symbol == ID_NONE || symbol < g->declared.symbol_count);
  while (symbol == ID_NONE) {
    char name[1 + TEXT_INT] = "S";
    size_t length = (size_t)(text_put_int(name + 1, n->next++) - name);
    name[length] = 0;
    if (is_free(g, name)) symbol = add_symbol(n->report, name, length);
  }
  n->expressions =
      arena_grow(g->arena, n->expressions, n->expression_count, (size_t)n->expression_count + 1,
                 &n->expression_capacity, sizeof *n->expressions);
  n->expressions[n->expression_count++] = (struct disc_expression){meaning, symbol};
  if (is_product(n->report, meaning))
    add_product(n, (struct disc_product){meaning, TERM_NONE, symbol});
  return symbol;
}

uint32_t disc_symbol(disc_names *n, term_id term) {
  uint32_t symbol;
  shape_arena *arena = n->report->graph->arena;
  if (!imap_get(&n->by_term, term, &symbol)) {
    term_id meaning = written(n, term);
    if (!imap_get(&n->by_term, meaning, &symbol)) {
      symbol = name_expression(n, term, meaning);
      imap_put(&n->by_term, arena, meaning, symbol);
    }
    imap_put(&n->by_term, arena, term, symbol);
  }
  return symbol;
}

static void mention_atom(void *data, term_id atom) {
  uint32_t symbol;
  disc_names *n = data;
  if (imap_get(&n->by_term, atom, &symbol)) disc_mention(n, symbol);
}

static bool is_used(const disc_names *n, uint32_t symbol) {
  uint32_t ignored;
  return imap_get(&n->used, symbol, &ignored);
}

bool disc_is_mentioned(const disc_names *n, const report_symbol *s) {
  uint32_t symbol;
  return imap_get(&n->by_term, s->term, &symbol) && is_used(n, symbol);
}

bool disc_cell(const shape_report *r, const report_symbol *s, shape_cell *out) {
  const shape_graph *g = r->graph;
  const infer_result *infer = r->infer;
  const term_node *node = term_get(infer->terms, s->term);
  if (node->kind != TERM_SYMBOL || s->declared || !r->function_count) return false;
  const report_function *entry = &r->functions[0];
  if (s->argument != ID_NONE) {
    *out = (shape_cell){0, entry->arguments + s->argument, s->axis == ID_NONE ? 0 : s->axis,
                        s->origin == FROM_ARGUMENT_VALUE};
    return s->function == entry->id;
  }
  if (!cell_of_symbol(infer, node->as.symbol, out) || out->frame || out->value == VALUE_NONE)
    return false;
  const graph_value *v = &g->values[out->value];
  block_id first = g->regions[g->funcs[entry->id].body].first_block;
  return !v->is_argument && g->ops[v->def].parent == first;
}

void disc_put_name(const disc_names *n, uint32_t symbol, shape_strbuf *out) {
  const shape_graph *g = n->report->graph;
  mlir_put_symbol(out, intern_text(&g->names, g->declared.symbols[symbol].name));
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
  const graph_symbol *given;  // ranges, or NULL
  const int64_t *likely;
  uint32_t likely_count;
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
  if (d.likely_count) put_ints(w, "likely_values", d.likely, d.likely_count);
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
  declaration d = {INT64_MIN,   0,         INT64_MAX,      1, false, s->origin == FROM_OPAQUE, {0},
                   s->declared, s->likely, s->likely_count};
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
  if (node->kind != TERM_SYMBOL) {  // the grammar cannot spell it
    d.definition = s->definition;
    d.is_computed = false;
  }
  uint32_t symbol = disc_symbol(w->names, s->term);
  put_declaration(w, intern_text(&w->graph->names, w->graph->declared.symbols[symbol].name), d);
}

static void declare_constants(writer *w, const int64_t *sizes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "C%lld", (long long)sizes[i]);
    name_id known = intern_find(&w->graph->names, name, strlen(name));
    if (known != NAME_NONE && graph_find_symbol(w->graph, known) != ID_NONE &&
        !w->graph->declared.symbols[graph_find_symbol(w->graph, known)].definition)
      continue;  // its author declared it
    report_text is = {name + 1, (uint32_t)strlen(name + 1)};
    put_declaration(w, name, (declaration){sizes[i], sizes[i], INT64_MAX, 1, .definition = is});
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

static bool is_no_symbol(void *data, term_id atom) {
  return term_kind_of(data, atom) != TERM_SYMBOL;
}

// Symbols, sums and products only, with coefficients that an index holds.
static bool is_plain(const writer *w, term_id id) {
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(w->terms, id, &parts, &room);
  int64_t ignored;
  for (uint32_t i = 0; i < count; i++) {
    if (!num_to_int(parts[i].coefficient, &ignored)) return false;
  }
  return !term_any_atom(w->terms, id, is_no_symbol, w->terms);
}

// Shorter texts first, so that S2 is before S10.
static int text_order(report_text a, report_text b) {
  if (a.length != b.length) return a.length < b.length ? -1 : 1;
  return a.length ? memcmp(a.text, b.text, a.length) : 0;
}

// The factors of c*a*b by their names; 0 of them where it is a sum, or where they are too many.
static uint32_t factors(writer *w, term_id id, uint32_t *out) {
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
  uint32_t n = term_powers(w->terms, part.monomial, &powers, &power), first = count;
  term_id atoms[FACTORS_MAX];
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < powers[i].exponent; k++) {
      if (count == FACTORS_MAX) return 0;
      uint32_t at = count++;
      report_text name = report_term(w->report, powers[i].atom);
      for (; at > first && text_order(name, report_term(w->report, atoms[at - 1])) < 0; at--)
        atoms[at] = atoms[at - 1];
      atoms[at] = powers[i].atom;
    }
  }
  for (uint32_t i = first; i < count; i++) out[i] = put(w, atoms[i]);
  assert(count <= FACTORS_MAX);
  return count;
}

static void put_tie(writer *w, const char *op, const uint32_t *operands, uint32_t count) {
  assert(count <= 2 * FACTORS_MAX);
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
  uint32_t operands[2 * FACTORS_MAX];
  term_part room;
  const term_part *parts;
  if (term_parts(w->terms, p.left, &parts, &room) != 1) return false;
  if (term_parts(w->terms, p.right, &parts, &room) != 1) return false;
  if (term_kind_of(w->terms, p.left) == TERM_SYMBOL &&
      term_kind_of(w->terms, p.right) == TERM_SYMBOL)
    return false;
  uint32_t left = factors(w, p.left, operands);
  uint32_t right = left ? factors(w, p.right, operands + left) : 0;
  if (!left || !right) return false;
  assert(left <= FACTORS_MAX && right <= FACTORS_MAX);
  put_tie(w, "tie_product_equal", operands, left + right);
  strbuf_printf(w->out, " {%s%soperand_segment_sizes = array<i32: %u, %u>}", guard,
                *guard ? ", " : "", left, right);
  put_types(w, left + right);
  return true;
}

static void put_fact(writer *w, const struct disc_fact *f) {
  static const char *const NAMES[] = {[REL_EQ] = "tie_predicate_eq",
                                      [REL_NE] = "tie_predicate_ne",
                                      [REL_LT] = "tie_predicate_lt",
                                      [REL_LE] = "tie_predicate_le",
                                      [REL_DIVISIBLE] = "tie_predicate_divisible"};
  const predicate p = f->p;
  assert(p.rel != REL_GT && p.rel != REL_GE);
  const char *word = f->guard ? "guard" : "";
  bool plain = is_plain(w, p.left) && is_plain(w, p.right);
  if (plain && p.rel == REL_EQ && put_products(w, p, word)) return;
  if (plain) {
    uint32_t operands[2] = {put(w, p.left), put(w, p.right)};
    put_tie(w, NAMES[p.rel], operands, 2);
    if (f->guard) strbuf_puts(w->out, " {guard}");
    put_types(w, 2);
    return;
  }
  put_tie(w, "tie_predicate", NULL, 0);
  strbuf_printf(w->out, " {%s%spredicate = ", word, f->guard ? ", " : "");
  put_quoted(w, f->text);
  strbuf_putc(w->out, '}');
  put_types(w, 0);
}

static int by_name(const void *a, const void *b) {
  const struct named_product *x = a, *y = b;
  return text_order(x->name, y->name);
}

// Each product that has a name: tie_product_equal(name, factors...), in the order of the names.
static void put_named_products(writer *w) {
  const disc_names *n = w->names;
  struct named_product *list = arena_alloc(w->graph->arena, (n->product_count + 1) * sizeof *list);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->product_count; i++) {
    const struct disc_product *p = &n->products[i];
    name_id name = w->graph->declared.symbols[p->symbol].name;
    if (is_used(n, p->symbol))
      list[count++] = (struct named_product){
          {intern_text(&w->graph->names, name), intern_length(&w->graph->names, name)}, p};
  }
  if (count) qsort(list, count, sizeof *list, by_name);
  for (uint32_t i = 0; i < count; i++) {
    const struct disc_product *p = list[i].is;
    uint32_t operands[1 + FACTORS_MAX];
    operands[0] = begin_value(w);
    strbuf_puts(w->out, "\"disc_shape.dim\"() {name = @");
    disc_put_name(n, p->symbol, w->out);
    strbuf_puts(w->out, "} : () -> index");
    uint32_t factor_count = factors(w, p->term, operands + 1);
    put_tie(w, "tie_product_equal", operands, 1 + factor_count);
    strbuf_printf(w->out, " {operand_segment_sizes = array<i32: 1, %u>}", factor_count);
    put_types(w, 1 + factor_count);
  }
}

// Whether put_named_products says it.
static bool is_named_product(const writer *w, predicate p) {
  for (int right = 0; p.rel == REL_EQ && right < 2; right++) {
    term_id own = right ? p.right : p.left, other = right ? p.left : p.right;
    uint32_t i;
    if (!imap_get(&w->names->product_of, own, &i)) continue;
    const struct disc_product *x = &w->names->products[i];
    if (x->term == other && is_used(w->names, x->symbol)) return true;
  }
  return false;
}

// The range of a product is that of its factors.
static bool is_product_name(const writer *w, const report_symbol *s) {
  uint32_t ignored;
  return imap_get(&w->names->product_of, s->term, &ignored);
}

static uint64_t predicate_key(predicate p) {
  return hash_pair((uint64_t)p.left << 32 | p.right, p.rel) & ~UINT64_C(1);  // never IMAP_NONE
}

// 0 <= S + c, as the end -c of a range, which may be there already.
static predicate as_end(const writer *w, predicate p) {
  int64_t zero, c;
  term_part room;
  const term_part *parts;
  if (p.rel != REL_LE || !term_int_value(w->terms, p.left, &zero) || zero) return p;
  uint32_t count = term_parts(w->terms, p.right, &parts, &room);
  for (uint32_t i = 0; count == 2 && i < 2; i++) {
    const term_part *s = &parts[1 - i];
    bool end = parts[i].monomial == TERM_ONE && num_to_int(parts[i].coefficient, &c);
    bool one = num_is(s->coefficient, 1) && term_kind_of(w->terms, s->monomial) == TERM_SYMBOL;
    if (end && one && c > INT64_MIN)
      return predicate_make(REL_LE, term_int(w->terms, -c), s->monomial);
  }
  return p;
}

// Equations have the shorter side first. What is there already is not added.
static void add_fact(writer *w, predicate p, bool guard) {
  assert(p.rel != REL_GT && p.rel != REL_GE);
  p.left = written(w->names, p.left);
  p.right = written(w->names, p.right);
  p = as_end(w, p);
  bool symmetric = p.rel == REL_EQ || p.rel == REL_NE;
  report_text right = report_term(w->report, p.right);
  if (symmetric && text_order(report_term(w->report, p.left), right) > 0)
    p = predicate_make(p.rel, p.right, p.left);
  uint32_t i;
  const predicate *q = imap_get(&w->known, predicate_key(p), &i) ? &w->facts[i].p : NULL;
  if (q && q->rel == p.rel && q->left == p.left && q->right == p.right) return;
  term_visit_atoms(w->terms, p.left, mention_atom, w->names);
  term_visit_atoms(w->terms, p.right, mention_atom, w->names);
  shape_arena *arena = w->graph->arena;
  imap_put(&w->known, arena, predicate_key(p), w->fact_count);
  w->facts = arena_grow(arena, w->facts, w->fact_count, (size_t)w->fact_count + 1,
                        &w->fact_capacity, sizeof *w->facts);
  w->facts[w->fact_count++] = (struct disc_fact){p, report_predicate(w->report, p), guard};
  assert(w->fact_count <= w->fact_capacity);
}

static bool is_loose(void *data, term_id atom) {
  const writer *w = data;
  shape_cell cell;
  const report_symbol *symbol = report_symbol_of(w->report, atom);
  return symbol && !symbol->declared && term_kind_of(w->terms, atom) == TERM_SYMBOL &&
         !disc_is_mentioned(w->names, symbol) && !disc_cell(w->report, symbol, &cell);
}

// Whether the text says what each symbol is: of another one there is nothing to be known.
static bool is_tied(writer *w, predicate p) {
  return !term_any_atom(w->terms, written(w->names, p.left), is_loose, w) &&
         !term_any_atom(w->terms, written(w->names, p.right), is_loose, w);
}

// What the facts say of a symbol beyond its declaration.
static void add_range(writer *w, const report_symbol *s) {
  const term_node *node = term_get(w->terms, s->term);
  if (node->kind != TERM_SYMBOL) return;
  const symbol_info given = *store_symbol_info(w->report->infer->store, node->as.symbol);
  for (int high = 0; high < 2; high++) {
    bool has = high ? s->range.has_hi : s->range.has_lo;
    bool had = high ? given.range.has_hi : given.range.has_lo;
    num is = high ? s->range.hi : s->range.lo, was = high ? given.range.hi : given.range.lo;
    if (!has || (had && num_compare(is, was) == 0)) continue;
    if (num_is(is, INT64_MAX) || num_is(is, INT64_MIN)) continue;  // what an i64 holds, no fact
    term_id end = term_const(w->terms, is);
    add_fact(w, predicate_make(REL_LE, high ? s->term : end, high ? end : s->term), false);
  }
}

// A declared divisor, as a predicate, too: attributes beyond BladeDISC's own are not what its readers know.
static void add_divisor(writer *w, const report_symbol *s) {
  bool symbol = term_kind_of(w->terms, s->term) == TERM_SYMBOL && s->meaning == TERM_NONE;
  if (symbol && s->declared && s->declared->multiple_of > 1)
    add_fact(w,
             predicate_make(REL_DIVISIBLE, s->term, term_int(w->terms, s->declared->multiple_of)),
             false);
}

// Guards first, then by text: the order does not depend on which operation implies a fact.
static int fact_order(const void *a, const void *b) {
  const struct disc_fact *x = a, *y = b;
  if (x->guard != y->guard) return x->guard ? -1 : 1;
  return text_order(x->text, y->text);
}

static void put_facts(writer *w) {
  shape_report *r = w->report;
  for (uint32_t i = 0; i < r->guards.count; i++) {
    // Of one of a region its operations say it again.
    if (!r->guards.items[i].when_count) add_fact(w, r->guards.items[i].p, true);
  }
  for (uint32_t i = 0; i < r->constraints.count; i++) {
    const predicate p = r->constraints.items[i].p;
    if (is_tied(w, p) && !is_named_product(w, p)) add_fact(w, p, false);
  }
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    if (!disc_is_mentioned(w->names, &r->symbols[i])) continue;
    if (!is_product_name(w, &r->symbols[i])) add_range(w, &r->symbols[i]);
    add_divisor(w, &r->symbols[i]);
  }
  if (w->fact_count) qsort(w->facts, w->fact_count, sizeof *w->facts, fact_order);
  for (uint32_t i = 0; i < w->fact_count; i++) put_fact(w, &w->facts[i]);
}

static void put_function(writer *w, bool is_private) {
  line(w, is_private ? "func.func private @shape_constraint_graph() {"
                     : "func.func @shape_constraint_graph() {");
  put_named_products(w);
  put_facts(w);
  line(w, "  return");
  line(w, "}");
}

// A name that nothing mentions is left out, unless its author gave it here; so is one that the text goes on to declare.
static bool is_declared_here(const disc_names *n, const report_symbol *s) {
  uint32_t ignored;
  if (s->declared && s->declared->by_operation) return false;
  if (only_names(s) || (s->declared && s->declared->definition)) return false;
  return disc_is_mentioned(n, s) ||
         (s->declared && imap_get(&n->redeclared, s->declared->span.begin, &ignored));
}

typedef struct aged_symbol {
  const term_table *terms;
  const report_symbol *symbol;
} aged_symbol;

// Symbols by age, then atoms that the grammar cannot spell, in the order of the report.
static int by_age(const void *a, const void *b) {
  const aged_symbol *x = a, *y = b;
  const term_node *m = term_get(x->terms, x->symbol->term),
                  *n = term_get(x->terms, y->symbol->term);
  if (m->kind == TERM_SYMBOL && n->kind == TERM_SYMBOL)
    return term_symbol_order(x->terms, m->as.symbol, n->as.symbol);
  if (m->kind == TERM_SYMBOL || n->kind == TERM_SYMBOL) return m->kind == TERM_SYMBOL ? -1 : 1;
  return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

// The older first: it is the older one for a reader, too.
static void declare_symbols(writer *w) {
  const shape_report *r = w->report;
  aged_symbol *list = arena_alloc(w->graph->arena, (r->symbol_count + 1) * sizeof *list);
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    if (is_declared_here(w->names, &r->symbols[i]))
      list[count++] = (aged_symbol){w->terms, &r->symbols[i]};
  }
  if (count) qsort(list, count, sizeof *list, by_age);
  for (uint32_t i = 0; i < count; i++) declare_symbol(w, list[i].symbol);
}

static writer writer_of(shape_report *r, disc_names *names, report_text indent, shape_strbuf *out) {
  return (writer){.report = r,
                  .graph = r->graph,
                  .terms = r->infer->terms,
                  .names = names,
                  .indent = indent,
                  .out = out};
}

void disc_put_graph(shape_report *r, disc_names *names, report_text indent, bool is_private,
                    shape_strbuf *out) {
  writer w = writer_of(r, names, indent, out);
  w.computed = (instructions){.terms = w.terms,
                              .arena = r->graph->arena,
                              .number = make_num,
                              .atom = make_symbol,
                              .step = make_step,
                              .writer = &w};
  for (uint32_t i = 0; i < names->expression_count; i++) {
    if (is_used(names, names->expressions[i].symbol))
      term_visit_atoms(w.terms, names->expressions[i].term, mention_atom, names);
  }
  put_function(&w, is_private);
}

// New names: of products, which the graph ties, or of all others, which have a definition.
static void declare_expressions(writer *w, bool products) {
  const disc_names *n = w->names;
  for (uint32_t i = 0; i < n->expression_count; i++) {
    term_id term = n->expressions[i].term;
    int64_t likely[REPORT_LIKELY_MAX];
    if (!is_used(n, n->expressions[i].symbol) || is_product(w->report, term) != products) continue;
    declaration d = {INT64_MIN, 0, INT64_MAX, 1, .likely = likely};
    d.likely_count = report_likely(w->report, term, likely);
    if (!products) d.definition = report_term(w->report, term);
    name_id name = w->graph->declared.symbols[n->expressions[i].symbol].name;
    put_declaration(w, intern_text(&w->graph->names, name), d);
  }
}

void disc_put_declarations(shape_report *r, disc_names *names, report_text indent,
                           const int64_t *sizes, uint32_t size_count, shape_strbuf *out) {
  writer w = writer_of(r, names, indent, out);
  declare_symbols(&w);
  // What a definition says is declared last: a reader has names of products among its symbols.
  declare_expressions(&w, true);
  declare_expressions(&w, false);
  declare_constants(&w, sizes, size_count);
}
