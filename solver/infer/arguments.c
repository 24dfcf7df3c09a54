// SPDX-License-Identifier: Apache-2.0
// What is known before the first operation: symbols of the program, arguments and their types, what the user gives.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/graph/argument_name.h"
#include "solver/base/nearest.h"
#include "solver/infer/state.h"
#include "solver/infer/where.h"
#include "solver/ops/rules/common/rules.h"

static inline term_id new_symbol(infer_state *s, const symbol_info *info, infer_origin origin) {
  infer_result *r = s->r;
  walk_origins(s, ID_NONE);
  term_id symbol = store_symbol(s->store, *info);
  uint32_t number = term_get(s->terms, symbol)->as.symbol;
  walk_origins(s, ID_NONE);
  assert(number < r->origin_count);
  r->origins[number] = origin;
  return symbol;
}

static term_id symbol_named(void *data, const char *name, size_t length) {
  const infer_state *s = data;
  name_id id = intern_find(&s->g->names, name, length);
  uint32_t symbol = id == NAME_NONE ? ID_NONE : graph_find_symbol(s->g, id);
  assert(symbol == ID_NONE || symbol < s->named.room);
  return symbol == ID_NONE ? TERM_NONE : s->named.symbols[symbol];
}

// A name for an expression is no symbol: it is the expression wherever it is, over names that are declared before.
// One that cannot be read stays a symbol of which nothing is known.
static void definitions_make(infer_state *s) {
  const shape_graph *g = s->g;
  for (uint32_t i = 0; i < g->declared.symbol_count; i++) {
    const char *text = g->declared.symbols[i].definition;
    term_parser parser = {.terms = s->terms, .symbol = symbol_named, .data = s};
    term_id made;
    if (text && term_parse_expr(&parser, text, strlen(text), &made)) s->named.symbols[i] = made;
  }
}

static symbol_info declared_info(const graph_symbol *d) {
  interval range = {.has_lo = d->min != INT64_MIN,
                    .has_hi = d->max != INT64_MAX,
                    .lo = NUM(d->min),
                    .hi = NUM(d->max)};
  if (d->range_count) {  // the hull; the gaps are facts
    range = interval_of(d->ranges[0], d->ranges[1]);
    for (uint32_t k = 1; k < d->range_count; k++)
      range = interval_join(range, interval_of(d->ranges[2 * k], d->ranges[2 * k + 1]));
    if (num_is(range.hi, INT64_MAX)) range.has_hi = false;
    if (num_is(range.lo, INT64_MIN)) range.has_lo = false;
  }
  interval dims;  // not empty: the readers refuse what is not graph_symbol_is_possible
  if (!d->is_value && interval_meet(range, interval_at_least(NUM(0)), &dims)) range = dims;
  return (symbol_info){
      .range = range, .multiple_of = NUM(d->multiple_of ? d->multiple_of : 1), .rank = d->rank};
}

static term_id declared_symbol(infer_state *s, uint32_t row) {
  infer_origin origin = {
      .kind = ORIGIN_DECLARED, .frame = 0, .op = ID_NONE, .argument = ID_NONE, .graph_symbol = row};
  const symbol_info info = declared_info(&s->g->declared.symbols[row]);
  return new_symbol(s, &info, origin);
}

static int by_low_end(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

// A symbol of several ranges is at least the begin of one, or at most the end of those before it: max(x - 16, 4 - x) >= 0
// for 1..4 and 16..32. The store follows that as any fact, so all that take values or ends of the symbol do.
static void add_gaps(infer_state *s, uint32_t row) {
  const graph_symbol *d = &s->g->declared.symbols[row];
  term_table *t = s->terms;
  if (d->range_count < 2) return;
  int64_t *ranges = arena_alloc(s->arena, 2 * (size_t)d->range_count * sizeof *ranges);
  memcpy(ranges, d->ranges, 2 * (size_t)d->range_count * sizeof *ranges);
  qsort(ranges, d->range_count, 2 * sizeof *ranges, by_low_end);
  int64_t end = ranges[1];
  for (uint32_t i = 1; i < d->range_count; i++) {
    const int64_t *next = &ranges[2 * i];
    if (end != INT64_MAX && next[0] > end + 1) {
      term_id x = s->named.symbols[row];
      term_id above = term_sub(t, x, term_int(t, next[0])),
              below = term_sub(t, term_int(t, end), x);
      reason why = {.kind = REASON_SYMBOL, .subject = row, .what = "it lies in one of its ranges"};
      store_add(s->store, predicate_make(REL_GE, term_max(t, above, below), TERM_ZERO), why);
    }
    if (next[1] > end) end = next[1];
  }
}

void symbols_make(infer_state *s) {
  uint32_t count = s->g->declared.symbol_count;
  s->named.symbols = arena_alloc(s->arena, (count + 1) * sizeof(term_id));
  s->named.room = count + 1;
  s->named.symbols[count] = TERM_NONE;
  for (uint32_t i = 0; i < count; i++) s->named.symbols[i] = declared_symbol(s, i);
  definitions_make(s);
  s->context.symbols = s->named.symbols;
  for (uint32_t i = 0; i < count; i++) add_gaps(s, i);
}

uint32_t infer_declare(infer_result *r, uint32_t row, bool anew, bool *changed) {
  infer_state *s = r->state;
  uint32_t known = s->named.room;
  s->named.symbols = arena_grow(s->arena, s->named.symbols, known, (size_t)row + 1, &s->named.room,
                                sizeof *s->named.symbols);
  for (; known < s->named.room; known++) s->named.symbols[known] = TERM_NONE;
  s->context.symbols = s->named.symbols;
  *changed = anew || row >= known || s->named.symbols[row] == TERM_NONE;
  if (*changed) s->named.symbols[row] = declared_symbol(s, row);
  assert(row < s->named.room && term_kind_of(s->terms, s->named.symbols[row]) == TERM_SYMBOL);
  uint32_t number = term_get(s->terms, s->named.symbols[row])->as.symbol;
  symbol_info info = declared_info(&s->g->declared.symbols[row]);
  const symbol_info *old = store_symbol_info(s->store, number);
  if (interval_equal(old->range, info.range) && num_equal(old->multiple_of, info.multiple_of) &&
      old->rank == info.rank)
    return number;
  *changed = true;
  store_declare_again(s->store, number, info);
  return number;
}

static term_id size_symbol(infer_state *s, const graph_type *t, uint32_t axis, uint32_t frame,
                           uint32_t argument) {
  static const symbol_info OF_ARGUMENT = {
      .range = {.has_lo = true}, .multiple_of = {1, NULL}, .rank = SYMBOL_ARGUMENT_SIZE};
  const symbol_info *info = &OF_ARGUMENT;
  symbol_info own;
  bool bounded = t->has_bounds && t->bounds[axis] >= 0;
  assert(axis < t->rank);
  if (bounded || argument == ID_NONE) {
    own = OF_ARGUMENT;
    if (bounded) own.range = interval_of(0, t->bounds[axis]);
    if (argument == ID_NONE) own.rank = SYMBOL_OPAQUE;
    info = &own;
  }
  const infer_origin origin = {.kind = argument != ID_NONE ? ORIGIN_ARGUMENT_SIZE : ORIGIN_OPAQUE,
                               .frame = frame,
                               .argument = argument,
                               .axis = axis,
                               .op = ID_NONE};
  s->log.fresh++;
  return new_symbol(s, info, origin);
}

// JAX names a dimension variable by an attribute of the argument that carries its value.
void names_of_arguments(infer_state *s) {
  shape_graph *g = s->g;
  if (s->r->entry == ID_NONE || !g->funcs[s->r->entry].argument_attrs) return;
  const graph_func *f = &g->funcs[s->r->entry];
  if (!g->regions[f->body].block_count) return;
  const graph_block *b = &g->blocks[g->regions[f->body].first_block];
  s->named.arguments = arena_alloc(s->arena, (b->argument_count + 1) * sizeof(uint32_t));
  s->named.argument_count = b->argument_count;
  for (uint32_t i = 0; i < b->argument_count; i++) {
    s->named.arguments[i] = ID_NONE;
    attr_id attr = f->argument_attrs[i];
    if (attr != ATTR_NONE) attr = graph_attr_entry(g, attr, "jax.global_constant");
    const char *name = attr == ATTR_NONE ? NULL : graph_attr_text(g, attr);
    const graph_type *t = graph_value_type(g, b->arguments + i);
    interval range;
    if (!name || !t || t->kind != TYPE_TENSOR || t->rank ||
        !math_range(s->budget, (shape_dtype)t->dtype, &range))
      continue;
    name_id id = intern_add(&g->names, name, strlen(name));
    uint32_t declared = graph_find_symbol(g, id);
    if (declared !=
        ID_NONE) {  // by a SymbolicDim or an encoding; two values of one name need not be equal
      bool taken = false;
      for (uint32_t k = 0; k < i; k++) taken |= s->named.arguments[k] == declared;
      if (taken) continue;
      s->named.arguments[i] = declared;
      if (g->declared.symbols[declared].is_value) g->declared.symbols[declared].rank = SYMBOL_NAMED;
      continue;
    }
    uint32_t at = g->values[b->arguments + i].at;
    uint32_t symbol = graph_add_symbol(g, id, (source_span){at, at});
    g->declared.symbols[symbol].is_value = true;
    if (!num_to_int(range.lo, &g->declared.symbols[symbol].min))
      g->declared.symbols[symbol].min = INT64_MIN;
    if (!num_to_int(range.hi, &g->declared.symbols[symbol].max))
      g->declared.symbols[symbol].max = INT64_MAX;
    s->named.arguments[i] = symbol;
  }
}

// How many elements of an argument are tracked: of a scalar, a vector, and pairs as paddings are; -1: they are not.
static int64_t tracked_count(const infer_state *s, const value_info *v) {
  int64_t count = 1, inner = 1;
  if (v->rank > 2 || (v->rank && !term_int_value(s->terms, v->dims[0], &count))) return -1;
  if (v->rank == 2 && (!term_int_value(s->terms, v->dims[1], &inner) || inner != 2)) return -1;
  return count > VALUE_FRESH_ELEMENTS / inner ? -1 : count * inner;
}

static void element_symbols(infer_state *s, value_info *v, shape_dtype dtype, uint32_t frame,
                            uint32_t argument) {
  interval range;
  int64_t count = tracked_count(s, v);
  if (count < 0 || !math_range(s->budget, dtype, &range)) return;
  term_id *elements = arena_alloc(s->arena, ((size_t)count + 1) * sizeof(term_id));
  symbol_info info = {.range = range, .multiple_of = NUM(1), .rank = SYMBOL_ARGUMENT_VALUE};
  bool named =
      frame == 0 && argument < s->named.argument_count && s->named.arguments[argument] != ID_NONE;
  if (named) elements[0] = s->named.symbols[s->named.arguments[argument]];
  for (int64_t i = 0; i < count && !named; i++) {
    infer_origin origin = {.kind = ORIGIN_ARGUMENT_VALUE,
                           .frame = frame,
                           .argument = argument,
                           .axis = (uint32_t)i,
                           .op = ID_NONE};
    elements[i] = new_symbol(s, &info, origin);
  }
  s->log.fresh++;
  value_set_elements(v, elements, (uint32_t)count);
}

// argument: its index, or ID_NONE for a block argument inside a function, whose symbols are no argument's.
void value_of_argument(infer_state *s, value_info *v, type_id type, uint32_t frame,
                       uint32_t argument) {
  *v = (value_info){.visited = true};
  if (type == TYPE_NONE) return;
  const graph_type *t = type_get(&s->g->types, type);
  if (t->kind == TYPE_TUPLE) {
    value_info *parts = arena_zalloc(s->arena, (t->param_count + 1) * sizeof(value_info));
    for (uint32_t i = 0; i < t->param_count; i++)
      value_of_argument(s, &parts[i], t->params[i], frame, ID_NONE);
    value_set_parts(s->arena, v, parts, t->param_count);
    return;
  }
  if (t->kind == TYPE_SCALAR || t->kind == TYPE_SIZE) {
    v->ranked = true;
  } else if (t->kind == TYPE_TENSOR) {
    term_id *dims = arena_alloc(s->arena, (t->rank + 1) * sizeof(term_id));
    for (uint32_t i = 0; i < t->rank; i++) {
      dims[i] = rule_declared_size(&s->context, t->dims[i]);
      if (dims[i] == TERM_NONE) dims[i] = size_symbol(s, t, i, frame, argument);
    }
    v->dims = t->rank ? dims : NULL;
    v->rank = t->rank;
    v->ranked = true;
  } else {
    return;
  }
  shape_dtype dtype = t->kind == TYPE_SIZE ? DTYPE_INDEX : (shape_dtype)t->dtype;
  if (argument != ID_NONE && dtype_is_integer(dtype) && type_holds_values(t))
    element_symbols(s, v, dtype, frame, argument);
}

void infer_make_argument(infer_result *r, value_id argument) {
  infer_state *s = r->state;
  const infer_frame *f = &r->frames[0];
  const graph_block *b = &s->g->blocks[s->g->regions[s->g->funcs[f->func].body].first_block];
  assert(argument >= f->value_base);
  s->scope = s->frame = 0;
  value_of_argument(s, &f->values[argument - f->value_base], s->g->values[argument].type, 0,
                    argument - b->arguments);
}

// --- specialisation

static bool specialize_error(infer_state *s, func_id func, uint32_t index, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool specialize_error(infer_state *s, func_id func, uint32_t index, const char *format,
                             ...) {
  va_list args;
  va_start(args, format);
  const char *text = arena_vprintf(s->g->arena, format, args);
  va_end(args);
  diag_add(&s->g->diags, DIAG_ERROR, "argument-types", s->g->funcs[func].span, "argument %u: %s",
           index, text);
  return false;
}

// Whether `to` refines `from`: same element, same rank, same numbers (as stablehlo-refine-arguments checks).
static bool refines(infer_state *s, func_id func, uint32_t index, type_id from, type_id to) {
  const type_table *types = &s->g->types;
  if (from == to || from == TYPE_NONE) return true;
  if (!type_is_tensor(types, from) || !type_is_tensor(types, to))
    return specialize_error(s, func, index, "only tensor types can be refined");
  const graph_type *a = type_get(types, from), *b = type_get(types, to);
  if (!type_same_element(types, from, to))
    return specialize_error(s, func, index, "the given type has elements %s, the program's %s",
                            dtype_name((shape_dtype)b->dtype), dtype_name((shape_dtype)a->dtype));
  if (b->kind == TYPE_UNRANKED)
    return specialize_error(s, func, index, "the given type has no rank: give its dims");
  if (a->kind == TYPE_UNRANKED) return true;
  if (a->rank != b->rank)
    return specialize_error(s, func, index, "the given type has rank %u, the program's %u", b->rank,
                            a->rank);
  for (uint32_t i = 0; i < a->rank; i++) {
    if (a->has_bounds && a->bounds[i] >= 0 && b->dims[i] > a->bounds[i])
      return specialize_error(s, func, index, "dim %u of the given type is %lld, its bound is %lld",
                              i, (long long)b->dims[i], (long long)a->bounds[i]);
    if (!dim_is_static(a->dims[i]) || a->dims[i] == b->dims[i]) continue;
    return dim_is_static(b->dims[i])
               ? specialize_error(s, func, index,
                                  "dim %u of the given type is %lld, the program's %lld", i,
                                  (long long)b->dims[i], (long long)a->dims[i])
               : specialize_error(s, func, index,
                                  "dim %u of the given type is dynamic, the program's %lld", i,
                                  (long long)a->dims[i]);
  }
  return true;
}

// An argument whose declared size is a symbol, specialised to a number.
static void bind_declared(infer_state *s, value_id value, const graph_type *declared,
                          const value_info *v) {
  if (!declared || declared->kind != TYPE_TENSOR || !v->ranked || declared->rank != v->rank) return;
  for (uint32_t d = 0; d < v->rank; d++) {
    term_id size = rule_declared_size(&s->context, declared->dims[d]);
    if (size == TERM_NONE || size == v->dims[d]) continue;
    reason why = {.kind = REASON_BINDING, .subject = value, .what = "the given argument type"};
    if (store_add_eq(s->store, v->dims[d], size, why) == ADD_CONFLICT)
      diag_add(&s->g->diags, DIAG_ERROR, "argument-types", s->g->funcs[s->r->frames[0].func].span,
               "the given argument types contradict one another or the declared dims");
  }
}

void arguments_make(infer_state *s, uint32_t frame, bool entry) {
  infer_frame *f = &s->r->frames[frame];
  func_id func = f->func;
  region_id body = s->g->funcs[func].body;
  if (body == ID_NONE || !s->g->regions[body].block_count) return;
  const graph_block *b = &s->g->blocks[s->g->regions[body].first_block];
  const infer_options *o = s->options;
  bool given = entry && o->argument_types;
  if (given && o->argument_count != b->argument_count) {
    diag_add(&s->g->diags, DIAG_ERROR, "argument-types", s->g->funcs[func].span,
             "%u argument types are given for a function of %u arguments", o->argument_count,
             b->argument_count);
    given = false;
  }
  for (uint32_t i = 0; i < b->argument_count; i++) {
    value_id v = b->arguments + i;
    type_id type = s->g->values[v].type;
    bool use = given && refines(s, func, i, type, o->argument_types[i]);
    assert(v >= f->value_base && v < f->value_end);
    value_info *info = &f->values[v - f->value_base];
    value_of_argument(s, info, use ? o->argument_types[i] : type, frame, i);
    if (use) bind_declared(s, v, graph_value_type(s->g, v), info);
  }
}

// --- assumptions and bindings

typedef struct name_scope {
  infer_state *s;
  uint32_t frame;
} name_scope;

term_id infer_argument_term(const infer_result *r, const shape_graph *g, uint32_t frame,
                            const char *name, size_t length) {
  assert(frame < r->frame_count);
  const infer_frame *f = &r->frames[frame];
  region_id body = g->funcs[f->func].body;
  if (body == ID_NONE || !g->regions[body].block_count) return TERM_NONE;
  const graph_block *b = &g->blocks[g->regions[body].first_block];
  bool own = r->arguments && !frame;
  argument_list list = {own ? r->arguments : NULL, b->arguments,
                        own ? r->argument_count : b->argument_count};
  argument_name found;
  if (!argument_name_find(g, list, name, length, &found)) return TERM_NONE;
  value_id value = own ? r->arguments[found.argument] : b->arguments + found.argument;
  assert(value >= f->value_base && (own || value < f->value_end));
  const value_info *v = &f->values[value - f->value_base];
  if (found.whole) return v->elements && v->element_count == 1 ? v->elements[0] : TERM_NONE;
  if (found.element)
    return v->elements && found.index < v->element_count ? v->elements[found.index] : TERM_NONE;
  return v->ranked && found.index < v->rank ? v->dims[found.index] : TERM_NONE;
}

static term_id name_term(void *data, const char *name, size_t length) {
  name_scope *n = data;
  name_id id = intern_find(&n->s->g->names, name, length);
  uint32_t symbol = id == NAME_NONE ? ID_NONE : graph_find_symbol(n->s->g, id);
  return symbol != ID_NONE ? n->s->named.symbols[symbol]
                           : infer_argument_term(n->s->r, n->s->g, n->frame, name, length);
}

static predicate binding_predicate(infer_state *s, relation rel, term_id t, int64_t value) {
  return predicate_make(rel, t, term_int(s->terms, value));
}

static source_span given_span(const infer_state *s, const infer_given *given) {
  const graph_assumption *a = &given->assumption;
  return a->text && !span_is_none(a->span) ? a->span : s->g->funcs[s->r->entry].span;
}

const char *infer_assumption_text(const graph_assumption *a) {
  if (a->why) return a->why;
  return a->required ? "it is required" : a->found ? "it was found before" : "assumed";
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// "; the nearest symbol is 'seq'", or nothing where the program names none. Of equally near ones the first by its text:
// edits of a session leave rows in another order, and rows of symbols that are gone.
static const char *nearest_symbol(name_scope *scope, const char *name, size_t length) {
  infer_state *s = scope->s;
  const graph_declared *d = &s->g->declared;
  const char **names = arena_alloc(s->arena, ((size_t)d->symbol_count + 1) * sizeof *names);
  size_t count = 0;
  for (uint32_t i = 0; i < d->symbol_count; i++) {
    const char *text = intern_text(&s->g->names, d->symbols[i].name);
    if (name_term(scope, text, strlen(text)) != TERM_NONE) names[count++] = text;
  }
  if (count) qsort(names, count, sizeof *names, by_text);
  const char *nearest = nearest_name(names, count, name, length);
  shape_strbuf out;
  if (!nearest) return "";
  strbuf_init(&out, s->arena);
  strbuf_printf(&out, "; the nearest symbol is '%.60s'", nearest);
  return strbuf_text(&out);
}

static void read_assumption(name_scope *names, infer_given *given) {
  const graph_assumption *a = &given->assumption;
  term_parser parser = {.terms = names->s->terms, .symbol = name_term, .data = names};
  relation rel;
  term_id left, right;
  given->read = term_parse_predicate(&parser, a->text, a->length, &rel, &left, &right);
  if (given->read) {
    given->p = predicate_make(rel, left, right);
    return;
  }
  if (parser.unknown) {
    diag_add(
        &names->s->g->diags, DIAG_ERROR, "assumption", given_span(names->s, given),
        "assumption '%.*s': '%.*s' is no declared symbol, dim (x.1) or integer of an argument%s",
        (int)a->length, a->text, (int)parser.unknown_length, parser.unknown,
        nearest_symbol(names, parser.unknown, parser.unknown_length));
    return;
  }
  diag_add(&names->s->g->diags, DIAG_ERROR, "assumption", given_span(names->s, given),
           "assumption '%.*s', at character %zu: %s", (int)a->length, a->text, parser.error_at + 1,
           parser.error ? parser.error : "not understood");
}

static void read_binding(name_scope *names, relation rel, infer_given *given) {
  const infer_binding *b = &given->binding;
  term_id t = name_term(names, b->name, b->name_length);
  given->read = t != TERM_NONE;
  if (given->read) {
    given->p = binding_predicate(names->s, rel, t, b->value);
    return;
  }
  diag_add(&names->s->g->diags, DIAG_ERROR, "binding", given_span(names->s, given),
           "'%.*s' is no declared symbol, dim (x.1) or integer of an argument%s",
           (int)b->name_length, b->name, nearest_symbol(names, b->name, b->name_length));
}

void infer_read_given(infer_result *r, infer_given *given) {
  name_scope names = {r->state, 0};
  assert(r->entry != ID_NONE);
  if (given->assumption.text) {
    read_assumption(&names, given);
  } else {
    read_binding(&names, REL_EQ, given);
  }
}

add_result infer_state_given(infer_result *r, const infer_given *given) {
  shape_graph *g = r->graph;
  const graph_assumption *a = &given->assumption;
  const infer_binding *b = &given->binding;
  source_span span = given_span(r->state, given);
  assert(given->read);
  add_result result = store_add(r->store, given->p, given->why);
  if (result != ADD_CONFLICT) return result;
  if (a->text) {
    diag_add(&g->diags, DIAG_ERROR, "assumption", span,
             "assumption '%.*s' contradicts what is known", (int)a->length, a->text);
  } else {
    diag_add(&g->diags, DIAG_ERROR, "binding", span, "%.*s %s %lld contradicts what is known",
             (int)b->name_length, b->name,
             given->p.rel == REL_EQ ? "=" : "<=", (long long)b->value);
  }
  return result;
}

static void add_given(infer_state *s, infer_given *given, uint32_t diags) {
  infer_log *log = s->options->log;
  given->symbols = s->terms->symbol_count;
  uint32_t at = log ? log->given_count : 0;
  if (log) {
    log->given =
        arena_grow(s->arena, log->given, at, at + 1, &log->given_capacity, sizeof *log->given);
    log->given[log->given_count++] = *given;
  }
  if (given->read) infer_state_given(s->r, given);
  if (log) log->given[at].diag = s->g->diags.count > diags ? diags : ID_NONE;
}

static void add_assumption(infer_state *s, name_scope *names, const graph_assumption *a,
                           uint32_t index) {
  uint32_t diags = s->g->diags.count;
  infer_given given = {.assumption = *a,
                       .why = {.kind = REASON_ASSUMPTION,
                               .required = a->required,
                               .subject = index,
                               .what = infer_assumption_text(a)}};
  read_assumption(names, &given);
  add_given(s, &given, diags);
}

static void add_binding(infer_state *s, name_scope *names, const infer_binding *b, relation rel) {
  uint32_t diags = s->g->diags.count;
  infer_given given = {.binding = *b,
                       .why = {.kind = REASON_BINDING, .subject = 0, .what = "bound"}};
  read_binding(names, rel, &given);
  add_given(s, &given, diags);
}

void assumptions_add(infer_state *s, uint32_t frame) {
  name_scope names = {s, frame};
  const infer_options *o = s->options;
  for (uint32_t i = 0; i < o->binding_count; i++) add_binding(s, &names, &o->bindings[i], REL_EQ);
  for (uint32_t i = 0; i < o->bound_count; i++) add_binding(s, &names, &o->bounds[i], REL_LE);
  for (uint32_t i = 0; i < s->g->declared.assumption_count; i++)
    add_assumption(s, &names, &s->g->declared.assumptions[i], i);
  for (uint32_t i = 0; i < o->assumption_count; i++)
    add_assumption(s, &names, &o->assumptions[i], s->g->declared.assumption_count + i);
}
