// SPDX-License-Identifier: Apache-2.0
// Names of symbols and texts of terms. A symbol gets its name when it is first printed, so that S0, S1, ... follow the
// order in which a reader meets them; an author's name is never changed and never given to another symbol.
#include <assert.h>
#include <string.h>

#include "solver/report/work.h"

static const infer_origin *origin_of(const shape_report *r, uint32_t symbol) {
  return symbol < r->infer->origin_count ? &r->infer->origins[symbol] : NULL;
}

bool names_is_declared(const shape_report *r, uint32_t symbol) {
  const infer_origin *origin = origin_of(r, symbol);
  return origin && origin->kind == ORIGIN_DECLARED;
}

static report_text fresh_name(shape_report *r) {
  const shape_graph *g = r->graph;
  for (;;) {
    char text[1 + TEXT_INT] = "S";
    size_t length = (size_t)(text_put_int(text + 1, r->work->next_name++) - text);
    name_id id = g->declared.symbol_count ? intern_find(&g->names, text, length) : NAME_NONE;
    if (id != NAME_NONE && graph_find_symbol(g, id) != ID_NONE) continue;
    return (report_text){arena_strndup(r->work->arena, text, length), (uint32_t)length};
  }
}

// The index of a term's entry among the symbols of the report, and 1; 0: it has none.
static inline uint32_t index_of(const shape_report *r, term_id term) {
  const report_work *w = r->work;
  const term_node *node = term_get(r->infer->terms, term);
  uint32_t index;
  if (node->kind == TERM_SYMBOL && node->as.symbol < w->symbol_term_count)
    return w->names.of_symbol[node->as.symbol];
  return imap_get(&w->names.of_atom, term, &index) ? index + 1 : 0;
}

static __attribute__((noinline)) uint32_t make_entry(shape_report *r, term_id term) {
  static const report_symbol NEW = {.origin = FROM_OPAQUE,
                                    .is_word = true,
                                    .function = ID_NONE,
                                    .argument = ID_NONE,
                                    .axis = ID_NONE,
                                    .span = {UINT32_MAX, UINT32_MAX},
                                    .op = ID_NONE,
                                    .divisible_by = {1, NULL},
                                    .meaning = TERM_NONE};
  report_work *w = r->work;
  r->symbols = arena_grow(w->arena, r->symbols, r->symbol_count, (size_t)r->symbol_count + 1,
                          &w->symbol_cap, sizeof *r->symbols);
  assert(r->symbol_count < w->symbol_cap);
  uint32_t index = r->symbol_count++;
  report_symbol *made = &r->symbols[index];
  const term_node *node = term_get(r->infer->terms, term);
  *made = NEW;
  made->term = term;
  if (node->kind == TERM_SYMBOL && names_is_declared(r, node->as.symbol)) {
    made->declared = &r->graph->declared.symbols[origin_of(r, node->as.symbol)->graph_symbol];
    made->name = (report_text){intern_text(&r->graph->names, made->declared->name),
                               intern_length(&r->graph->names, made->declared->name)};
    made->is_word = term_is_word(made->name.text, made->name.length);
  } else {
    made->name = fresh_name(r);
  }
  if (node->kind == TERM_SYMBOL && node->as.symbol < w->symbol_term_count) {
    w->names.of_symbol[node->as.symbol] = index + 1;
  } else {
    imap_put(&w->names.of_atom, w->arena, term, index);
  }
  return index;
}

// The symbol's entry in the report, made when it is asked for the first time. Returns its index.
static inline uint32_t names_index(shape_report *r, term_id term) {
  uint32_t index = index_of(r, term);
  return index ? index - 1 : make_entry(r, term);
}

static term_id term_of_symbol(const shape_report *r, uint32_t number) {
  return number < r->work->symbol_term_count ? r->work->symbol_terms[number] : TERM_NONE;
}

const report_symbol *report_symbol_of(const shape_report *r, term_id term) {
  uint32_t index = r->symbol_count && term != TERM_NONE ? index_of(r, term) : 0;
  return index ? &r->symbols[index - 1] : NULL;
}

const report_symbol *report_symbol_numbered(const shape_report *r, uint32_t number) {
  return report_symbol_of(r, term_of_symbol(r, number));
}

static void put_name(shape_strbuf *out, const report_symbol *s) {
  assert(s->is_word == term_is_word(s->name.text, s->name.length));
  if (s->is_word) {
    strbuf_add(out, s->name.text, s->name.length);
  } else {
    term_print_name(out, s->name.text, s->name.length);
  }
}

static void print_symbol(void *data, shape_strbuf *out, uint32_t number) {
  shape_report *r = data;
  term_id term = term_of_symbol(r, number);
  if (term == TERM_NONE) {  // made by a query after the report
    strbuf_printf(out, "_%u", number);
    return;
  }
  uint32_t index = names_index(r, term);  // may move the symbols
  put_name(out, &r->symbols[index]);
}

static bool print_opaque(void *data, shape_strbuf *out, term_id atom) {
  shape_report *r = data;
  uint32_t index = names_index(r, atom);
  put_name(out, &r->symbols[index]);
  return true;
}

// Finds the terms of all symbols: the table hands out symbols in the order of their numbers.
void names_prepare(shape_report *r) {
  report_work *w = r->work;
  const term_table *t = r->infer->terms;
  w->symbol_term_count = t->symbol_count;
  w->symbol_terms = arena_alloc(w->arena, (t->symbol_count + 1) * sizeof *w->symbol_terms);
  w->names.of_symbol = arena_zalloc(w->arena, (t->symbol_count + 1) * sizeof *w->names.of_symbol);
  for (uint32_t i = 0; i < t->symbol_count; i++) w->symbol_terms[i] = TERM_NONE;
  for (term_id i = 0; i < t->count; i++) {
    const term_node *node = term_get(t, i);
    assert(node->kind != TERM_SYMBOL || node->as.symbol < t->symbol_count);
    if (node->kind == TERM_SYMBOL) w->symbol_terms[node->as.symbol] = i;
  }
}

enum { NATURAL_STEPS = 400 };

static bool are_natural(const shape_report *r, const term_id *args, uint32_t count, int *steps);

// At least 0 whatever a run does: by the ranges that symbols are made with.
static bool is_natural(const shape_report *r, term_id id, int *steps) {
  const term_node *node = term_get(r->infer->terms, id);
  const symbol_info *info;
  term_id meaning;
  if (--*steps < 0) return false;
  switch (node->kind) {
  case TERM_CONST: return num_sign(node->as.value) >= 0;
  case TERM_SYMBOL:
    meaning = store_named(r->infer->store, node->as.symbol);
    if (meaning != TERM_NONE) return is_natural(r, meaning, steps);
    info = store_symbol_info(r->infer->store, node->as.symbol);
    return info && info->range.has_lo && num_sign(info->range.lo) >= 0;
  case TERM_SUM:
    for (uint32_t i = 0; i < node->count; i++) {
      bool natural = num_sign(node->as.parts[i].coefficient) >= 0;
      if (!natural || !is_natural(r, node->as.parts[i].monomial, steps)) return false;
    }
    return true;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node->count; i++) {
      if (!is_natural(r, node->as.powers[i].atom, steps)) return false;
    }
    return true;
  case TERM_MIN: return are_natural(r, node->as.args, node->count, steps);
  default: return term_is_indicator((term_kind)node->kind);
  }
}

static bool are_natural(const shape_report *r, const term_id *args, uint32_t count, int *steps) {
  for (uint32_t i = 0; i < count; i++) {
    if (!is_natural(r, args[i], steps)) return false;
  }
  return true;
}

// min(a, 1000) as a: of a >= 0 both are 0, or neither is.
static term_id without_cap(void *terms, term_id atom) {
  const term_node *node = term_get(terms, atom);
  num cap;
  for (uint32_t i = 0; node->kind == TERM_MIN && node->count == 2 && i < 2; i++) {
    if (term_const_value(terms, node->as.args[i], &cap) && num_sign(cap) > 0)
      return node->as.args[1 - i];
  }
  return atom;
}

// The sum of a, each part of which is at least 0, without the caps of its parts.
static term_id without_caps(term_table *t, term_id a) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, a, &parts, &room);
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) {
    term_parts(t, a, &parts, &room);  // a new term may move them
    term_part part = parts[i];
    sum = term_add(t, sum, term_scale(t, without_cap(t, part.monomial), part.coefficient));
  }
  return sum;
}

// Without words for conditions: is_zero(a) is 1 - min(a, 1) for a >= 0, k - k*is_zero(a) then is k*min(a, 1).
static term_id plain_atom(void *data, term_id atom) {
  const shape_report *r = data;
  term_table *t = r->infer->terms;
  int steps = NATURAL_STEPS;
  assert(term_is_atom(t, atom));
  if (term_kind_of(t, atom) != TERM_IS_ZERO) return atom;
  term_id a = term_get(t, atom)->as.args[0];
  if (!is_natural(r, a, &steps)) return atom;
  return term_sub(t, TERM_ONE, term_min(t, without_caps(t, a), TERM_ONE));
}

static report_text print_text(shape_report *r, term_id term) {
  term_namer namer = {.symbol = print_symbol,
                      .opaque = print_opaque,
                      .plain = GRAPH_FORMATS[r->graph->format].flags & FORMAT_PLAIN_TERMS,
                      .data = r,
                      .texts = &r->work->texts};
  shape_strbuf buf;
  strbuf_init(&buf, r->work->arena);
  uint32_t indicators = KIND_BIT(TERM_IS_ZERO) | KIND_BIT(TERM_IS_NEG);
  if (namer.plain && term_kinds(r->infer->terms, term) & indicators)
    term = term_substitute(r->infer->terms, term, plain_atom, r, NULL);
  term_print(r->infer->terms, &buf, term, &namer);
  return (report_text){strbuf_text(&buf), buf.length};
}

report_text report_term(shape_report *r, term_id term) {
  report_work *w = r->work;
  uint32_t index;
  if (term_kind_of(r->infer->terms, term) == TERM_SYMBOL) {
    index = names_index(r, term);  // may move the symbols
    const report_symbol *s = &r->symbols[index];
    if (s->is_word) return (report_text){s->name.text, s->name.length};
  }
  const kept_text *known = term_texts_find(&w->texts, term);
  if (known && !known->text[known->length]) return (report_text){known->text, known->length};
  report_text text;
  if (known) {  // as a part of a larger one: a text of its own ends with NUL
    text = (report_text){arena_strndup(w->arena, known->text, known->length), known->length};
  } else {
    text = print_text(r, term);
    if (term_texts_find(&w->texts, term)) return text;
  }
  term_texts_add(&w->texts, term, text.text, text.length);
  return text;
}

bool report_constant(const shape_report *r, term_id term, num *value) {
  return term_const_value(r->infer->terms, term, value);
}

// --- where arguments bind symbols

void names_bind(shape_report *r, term_id term, symbol_origin shown) {
  report_work *w = r->work;
  work_origins *o = &w->origin;
  if (term == TERM_NONE || term_kind_of(r->infer->terms, term) != TERM_SYMBOL) return;
  if (names_origin(r, term)) return;
  uint32_t symbol = term_get(r->infer->terms, term)->as.symbol, before = o->of_count;
  if (symbol >= before) {
    uint32_t all = r->infer->terms->symbol_count;
    assert(symbol < all);
    o->of = arena_grow(w->arena, o->of, before, all, &o->of_cap, sizeof *o->of);
    memset(o->of + before, 0, (all - before) * sizeof *o->of);
    o->of_count = all;
  }
  w->origin.items = arena_grow(w->arena, w->origin.items, w->origin.count,
                               (size_t)w->origin.count + 1, &w->origin.cap, sizeof shown);
  assert(w->origin.count < w->origin.cap);
  w->origin.items[w->origin.count++] = shown;
  o->of[symbol] = w->origin.count;
}

static inline const symbol_origin *shown_at(const shape_report *r, uint32_t symbol) {
  const work_origins *o = &r->work->origin;
  uint32_t position = symbol < o->of_count ? o->of[symbol] : 0;
  return position ? &o->items[position - 1] : NULL;
}

const symbol_origin *names_origin(const shape_report *r, term_id symbol) {
  const term_node *node = term_get(r->infer->terms, symbol);
  return node->kind == TERM_SYMBOL ? shown_at(r, node->as.symbol) : NULL;
}

// Whose arguments determine a term: of any function, or of the entry alone too; and whether dims of them do, or numbers
// that a program is exported for (jax.global_constant), so that concrete types of arguments refine it.
enum { BY_ANY = 1, BY_ENTRY = 2, BY_DIMS = 4, BY_ALL = 7 };

static bool is_dim(const shape_report *r, const symbol_origin *shown) {
  const graph_func *f = &r->graph->funcs[shown->function];
  if (!shown->value) return true;
  attr_id attr = f->argument_attrs ? f->argument_attrs[shown->argument] : ATTR_NONE;
  return attr != ATTR_NONE && graph_attr_entry(r->graph, attr, "jax.global_constant") != ATTR_NONE;
}

static uint8_t symbol_by(const shape_report *r, uint32_t symbol) {
  const work_settled *s = &r->work->settled;
  const symbol_origin *shown = shown_at(r, symbol);
  if (shown)
    return (shown->function == r->infer->entry ? BY_ENTRY : 0) | BY_ANY |
           (is_dim(r, shown) ? BY_DIMS : 0);
  uint8_t by = symbol < r->work->symbol_term_count ? s->names[symbol] : 0;
  return by || !refinable_by_rank(r, symbol) ? by : BY_DIMS;
}

// Of a name that is not settled yet this is not final.
static uint8_t atom_determined(void *data, term_id atom) {
  shape_report *r = data;
  const term_node *node = term_get(r->infer->terms, atom);
  if (node->kind == TERM_APPLY) return TERM_BITS_FINAL;
  if (node->kind != TERM_SYMBOL) return UINT8_MAX;
  uint32_t symbol = node->as.symbol;
  bool open = symbol >= r->work->settled.done && !shown_at(r, symbol) &&
              store_named(r->infer->store, symbol) != TERM_NONE;
  return symbol_by(r, symbol) | (open ? 0 : TERM_BITS_FINAL);
}

static inline uint8_t determined_by(shape_report *r, term_id term) {
  const term_node *node = term_get(r->infer->terms, term);
  if (node->kind == TERM_CONST) return BY_ALL;
  return node->kind == TERM_SYMBOL
             ? symbol_by(r, node->as.symbol)  // most dims
             : term_bits_of(r->infer->terms, &r->work->settled.terms, term, r);
}

// Names denote terms over older symbols, so one pass is enough.
static void settle_names(shape_report *r) {
  report_work *w = r->work;
  work_settled *s = &w->settled;
  s->terms = (term_bits){.arena = w->arena, .of = atom_determined};
  s->names = arena_zalloc(w->arena, w->symbol_term_count + 1);
  for (; s->done < w->symbol_term_count; s->done++) {
    term_id meaning = store_named(r->infer->store, s->done);
    if (meaning != TERM_NONE)
      s->names[s->done] = determined_by(r, answer_term(r, meaning)) & (BY_ANY | BY_ENTRY | BY_DIMS);
  }
  s->done = UINT32_MAX;
}

bool names_refinable(shape_report *r, term_id term) {
  if (term == TERM_NONE) return false;
  if (!r->work->settled.names) settle_names(r);
  return determined_by(r, term) & BY_DIMS;
}

bool names_determined(shape_report *r, term_id term, func_id by) {
  if (term == TERM_NONE) return false;
  if (!r->work->settled.names) settle_names(r);
  return determined_by(r, term) & (by == ID_NONE ? BY_ANY : BY_ENTRY);
}

void names_judge(shape_report *r, report_shape *s) {
  uint8_t by = BY_ALL;
  uint32_t kinds = 0;
  assert(s->ranked && (s->dims || !s->rank));
  if (!r->work->settled.names) settle_names(r);
  for (uint32_t i = 0; i < s->rank && by; i++) {
    by &= s->dims[i] == TERM_NONE ? 0 : determined_by(r, s->dims[i]);
    if (by) kinds |= term_kinds(r->infer->terms, s->dims[i]);
  }
  s->determined = s->determined && by & BY_ANY;
  s->refinable = (by & BY_DIMS) != 0;
  s->resolved = by & BY_ENTRY && !(kinds & KIND_BIT(TERM_BCAST));
}

// --- what is said of the symbols

void names_declared(shape_report *r) {
  for (uint32_t i = 0; i < r->infer->origin_count; i++) {
    const infer_origin *o = &r->infer->origins[i];
    term_id term = term_of_symbol(r, i);
    if (o->kind != ORIGIN_DECLARED || term == TERM_NONE) continue;
    if (!r->graph->declared.symbols[o->graph_symbol].definition) names_index(r, term);
  }
}

// An atom without a spelling, in the grammar of answers: conditions are 0 and 1, so they are products and min and max.
static report_text atom_definition(shape_report *r, term_id atom) {
  term_table *t = r->infer->terms;
  const term_node *node = term_get(t, atom);
  const term_id *args = node->as.args;
  term_id made;
  switch ((term_kind)node->kind) {
  case TERM_IS_NEG:
    made = term_max(t, TERM_ZERO, term_min(t, TERM_ONE, term_neg(t, args[0])));
    break;
  case TERM_IS_ZERO:
    made =
        term_max(t, TERM_ZERO, term_sub(t, TERM_ONE, term_max(t, args[0], term_neg(t, args[0]))));
    break;
  case TERM_SELECT:
    made = term_add(t, args[2], term_mul(t, args[0], term_sub(t, args[1], args[2])));
    break;
  case TERM_BIGMUL: {
    shape_strbuf buf;
    strbuf_init(&buf, r->work->arena);
    uint32_t count = node->count;
    for (uint32_t i = 0; i < count; i++) {
      report_text text = report_term(r, args[i]);
      strbuf_puts(&buf, i ? "*(" : "(");
      strbuf_add(&buf, text.text, text.length);
      strbuf_putc(&buf, ')');
    }
    return (report_text){buf.data, buf.length};
  }
  default: return (report_text){NULL, 0};
  }
  return report_term(r, made);
}

static void finish_origin(shape_report *r, report_symbol *s, uint32_t number) {
  const shape_graph *g = r->graph;
  const infer_origin *origin = origin_of(r, number);
  const symbol_origin *shown = names_origin(r, s->term);
  if (shown) {
    s->origin = shown->value ? FROM_ARGUMENT_VALUE : FROM_ARGUMENT_SIZE;
    s->function = shown->function;
    s->argument = shown->argument;
    s->axis = shown->axis;
    assert(shown->function < g->func_count);
    const graph_func *f = &g->funcs[shown->function];
    const graph_block *entry = &g->blocks[g->regions[f->body].first_block];
    assert(shown->argument < entry->argument_count);
    uint32_t at = g->values[entry->arguments + shown->argument].at;
    s->span = (source_span){at, at};
  }
  if (s->declared) {
    s->origin = FROM_DECLARATION;
    s->span = s->declared->span;
  } else if (!shown && origin && origin->kind == ORIGIN_OPAQUE && origin->op < g->op_count) {
    s->span = g->ops[origin->op].span;
    s->op = origin->op;
    if (origin->frame < r->infer->frame_count) s->function = r->infer->frames[origin->frame].func;
  }
}

static void finish_range(shape_report *r, report_symbol *s) {
  shape_store *store = r->infer->store;
  residue m = store_residue(store, s->term);
  num divisor = num_is_zero(m.r) ? m.m : num_gcd(r->work->budget, m.m, m.r);
  if (num_sign(divisor) > 0) s->divisible_by = divisor;
  s->range = store_range(store, s->term);
}

static void finish_symbol(shape_report *r, uint32_t index) {
  assert(index < r->symbol_count);
  shape_store *store = r->infer->store;
  term_table *t = r->infer->terms;
  report_symbol *s = &r->symbols[index];  // moves where a text names further symbols
  const term_id term = s->term;
  finish_range(r, s);
  if (term_kind_of(t, term) != TERM_SYMBOL) {
    report_text definition = atom_definition(r, term);
    r->symbols[index].definition = definition;
    return;
  }
  uint32_t number = term_get(t, term)->as.symbol;
  finish_origin(r, s, number);
  term_id canon = store_canon(store, term), answer = answer_of_canon(r, canon);
  interval both;
  if (canon != term && interval_meet(s->range, store_range(store, canon), &both)) s->range = both;
  term_id dividend;
  num divisor;
  if (answer != term) {
    report_text definition = report_term(r, answer);
    r->symbols[index].meaning = answer;
    r->symbols[index].definition = definition;
  } else if (store_fresh_meaning(store, number, &dividend, &divisor)) {
    // A quotient that no symbol can determine: what it is the quotient of can still be said.
    dividend = answer_term(r, dividend);
    term_id made = term_floordiv(t, dividend, term_const(t, divisor));
    if (term_mentions(t, made, term)) return;
    report_text definition = report_term(r, made);
    r->symbols[index].definition = definition;
    if (definition.length && store_express(store, made) == made) r->symbols[index].meaning = made;
  }
}

void names_finish(shape_report *r) {
  // Definitions may mention further symbols, which then are at the end of the list.
  for (uint32_t i = 0; i < r->symbol_count; i++) finish_symbol(r, i);
}
