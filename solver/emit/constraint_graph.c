// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/constraint_graph.h"

#include <assert.h>

#include "solver/base/intern.h"

typedef struct builder {
  constraint_graph *graph;
  shape_report *report;
  shape_arena *arena;
  shape_intern names, exprs;
  uint32_t *by_name;  // name_id -> index in report->symbols
  uint32_t *at;       // index in report->symbols -> in graph->symbols; ID_NONE: not there
  uint32_t *queue;    // symbols whose definitions are still to be read
  uint32_t queue_count;
  shape_imap by_expr;  // id in exprs -> index of the constraint that has it
} builder;

static uint32_t symbol_index(builder *b, uint32_t symbol) {
  assert(symbol < b->report->symbol_count);
  if (b->at[symbol] == ID_NONE) {
    b->at[symbol] = b->graph->symbol_count;
    assert(b->graph->symbol_count < b->report->symbol_count);
    b->graph->symbols[b->graph->symbol_count++] = &b->report->symbols[symbol];
    b->queue[b->queue_count++] = symbol;
  }
  return b->at[symbol];
}

// --- which symbols a text speaks of

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_word_part(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.'; }

static void add_end(builder *b, cg_ends *ends, const char *name, uint32_t length, bool target) {
  name_id id = intern_find(&b->names, name, length);
  if (id == NAME_NONE || b->by_name[id] == ID_NONE) return;
  assert(b->by_name[id] < b->report->symbol_count);
  uint32_t symbol = symbol_index(b, b->by_name[id]);
  for (uint32_t i = 0; i < ends->count; i++) {
    if (ends->items[i].symbol == symbol) return;
  }
  ends->items = arena_grow(b->arena, ends->items, ends->count, (size_t)ends->count + 1,
                           &ends->capacity, sizeof *ends->items);
  ends->items[ends->count++] = (cg_end){symbol, target};
}

// A quoted name begins at text[at]; returns where it ends, after the quote.
static uint32_t add_quoted(builder *b, cg_ends *ends, report_text text, uint32_t at, bool target) {
  assert(at < text.length && text.text[at] == '"');
  char *name = arena_alloc(b->arena, text.length + 1);
  uint32_t length = 0;
  for (at++; at < text.length && text.text[at] != '"'; at++) {
    if (text.text[at] == '\\' && at + 1 < text.length) at++;
    name[length++] = text.text[at];
  }
  add_end(b, ends, name, length, target);
  return at + 1;
}

static void add_ends(builder *b, cg_ends *ends, report_text text, bool target) {
  for (uint32_t i = 0; i < text.length;) {
    uint32_t begin = i;
    if (text.text[i] == '"') {
      i = add_quoted(b, ends, text, i, target);
    } else if (is_letter(text.text[i])) {
      while (i < text.length && is_word_part(text.text[i])) i++;
      add_end(b, ends, text.text + begin, i - begin, target);
    } else if (is_word_part(text.text[i])) {
      while (i < text.length && is_word_part(text.text[i])) i++;
    } else {
      i++;
    }
  }
}

// --- facts

static cg_fact *add_fact(builder *b) {
  constraint_graph *g = b->graph;
  g->facts = arena_grow(b->arena, g->facts, g->fact_count, (size_t)g->fact_count + 1,
                        &g->fact_capacity, sizeof *g->facts);
  memset(&g->facts[g->fact_count], 0, sizeof *g->facts);
  return &g->facts[g->fact_count++];
}

static bool has_direction(constraint_kind kind, bool lhs) {
  switch (kind) {
  case CONSTRAINT_LT:
  case CONSTRAINT_LE: return !lhs;
  case CONSTRAINT_MUL_EQ:
  case CONSTRAINT_AFFINE_EQ: return lhs;
  default: return false;
  }
}

// A guard of the entry's own scope that is a constraint too becomes one fact with both roles.
static void add_constraint(builder *b, const report_constraint *c, unsigned role) {
  name_id text = intern_add(&b->exprs, c->expr.text, c->expr.length);
  uint32_t known;
  if (role != CG_SCOPED && imap_get(&b->by_expr, text, &known)) {
    assert(known < b->graph->fact_count);
    b->graph->facts[known].roles |= role;
    return;
  }
  if (role != CG_SCOPED) imap_put(&b->by_expr, b->arena, text, b->graph->fact_count);
  cg_fact *f = add_fact(b);
  *f = (cg_fact){
      .roles = role, .kind = constraint_kind_name(c->kind), .expr = c->expr, .constraint = c};
  bool is_product = c->kind == CONSTRAINT_MUL_EQ || c->kind == CONSTRAINT_AFFINE_EQ;
  for (uint32_t i = 0; i < c->lhs_count; i++)
    add_ends(b, &f->ends, c->lhs[i],
             has_direction(c->kind, true) && is_product && c->lhs_count == 1);
  for (uint32_t i = 0; i < c->rhs_count; i++)
    add_ends(b, &f->ends, c->rhs[i], has_direction(c->kind, false));
  if (f->ends.count == 1) f->ends.items[0].target = false;
}

// Facts of functions that the entry does not call are no part of its graph.
static bool is_below_entry(const shape_report *r, uint32_t scope) {
  const infer_result *infer = r->infer;
  while (scope < infer->scope_count && scope != 0) scope = infer->scopes[scope].parent;
  return scope == 0;
}

static void add_constraints(builder *b) {
  const shape_report *r = b->report;
  for (uint32_t i = 0; i < r->constraints.count; i++)
    add_constraint(b, &r->constraints.items[i], CG_CONSTRAINT);
  for (uint32_t i = 0; i < r->guards.count; i++) {
    // Those of inner scopes are drawn as what is required there.
    if (!r->guards.items[i].scope_id) add_constraint(b, &r->guards.items[i], CG_GUARD);
  }
  for (uint32_t i = 0; i < r->scoped.count; i++) {
    if (is_below_entry(r, r->scoped.items[i].scope_id))
      add_constraint(b, &r->scoped.items[i], CG_SCOPED);
  }
}

static void add_definition(builder *b, uint32_t symbol) {
  assert(symbol < b->report->symbol_count);
  const report_symbol *s = &b->report->symbols[symbol];
  shape_strbuf text;
  if (!s->definition.text) return;
  strbuf_init(&text, b->arena);
  strbuf_add(&text, s->name.text, s->name.length);
  strbuf_puts(&text, " == ");
  strbuf_add(&text, s->definition.text, s->definition.length);
  cg_fact *f = add_fact(b);
  *f = (cg_fact){
      .roles = CG_DEFINITION, .kind = "definition", .expr = {text.data, text.length}, .defined = s};
  add_end(b, &f->ends, s->name.text, s->name.length, true);
  add_ends(b, &f->ends, s->definition, false);
}

// --- arguments and results

static void add_value(builder *b, bool result, uint32_t index, uint32_t shape, value_id id) {
  assert(shape < b->report->shape_count);
  const shape_report *r = b->report;
  const report_shape *s = &r->shapes[shape];
  cg_value *v = &b->graph->values[b->graph->value_count++];
  *v = (cg_value){.result = result, .index = index, .span = SPAN_NONE};
  if (id != ID_NONE) {
    const graph_value *value = &r->graph->values[id];
    v->span = (source_span){value->at, value->at};
    v->name.text = graph_value_text(r->graph, id, &v->name.length);
  }
  shape_strbuf type, dims;
  strbuf_init(&type, b->arena);
  strbuf_init(&dims, b->arena);
  if (s->type != TYPE_NONE) type_print(&r->graph->types, &type, s->type);
  v->type = (report_text){type.data, type.length};
  num number;
  bool open = false;
  for (uint32_t i = 0; s->ranked && i < s->rank; i++) {
    strbuf_puts(&dims, i ? ", " : "[");
    report_text text = {"?", 1};
    if (s->dims[i] != TERM_NONE) text = report_term(b->report, s->dims[i]);
    strbuf_add(&dims, text.text, text.length);
    open |= s->dims[i] == TERM_NONE || !report_constant(r, s->dims[i], &number);
    if (s->dims[i] != TERM_NONE) add_ends(b, &v->ends, text, result);
  }
  strbuf_putc(&dims, ']');
  if (open) v->dims = (report_text){dims.data, dims.length};
}

// Elements that the program fixes, of a value without dims to show: "= 4*S0".
static void add_elements(builder *b, const report_elements *elements) {
  cg_value *v = &b->graph->values[b->graph->value_count - 1];
  num number;
  bool open = false;
  shape_strbuf text;
  if (!elements || !elements->items || !elements->count || elements->count > 8 || v->dims.length)
    return;
  strbuf_init(&text, b->arena);
  strbuf_puts(&text, elements->count > 1 ? "= [" : "= ");
  for (uint32_t i = 0; i < elements->count; i++) {
    term_id item = elements->items[i];
    report_text one = item == TERM_NONE ? (report_text){"?", 1} : report_term(b->report, item);
    if (i) strbuf_puts(&text, ", ");
    strbuf_add(&text, one.text, one.length);
    open |= item != TERM_NONE && !report_constant(b->report, item, &number);
    if (item != TERM_NONE) add_ends(b, &v->ends, one, false);
  }
  if (elements->count > 1) strbuf_putc(&text, ']');
  if (open) v->dims = (report_text){text.data, text.length};
}

static void add_values(builder *b) {
  const shape_report *r = b->report;
  if (!r->function_count) return;
  const report_function *f = &r->functions[0];
  b->graph->values =
      arena_alloc(b->arena, ((size_t)f->argument_count + f->result_count + 1) * sizeof(cg_value));
  for (uint32_t i = 0; i < f->argument_count; i++) {
    add_value(b, false, i, r->value_shapes[f->arguments + i], f->arguments + i);
    add_elements(b, f->argument_values ? &f->argument_values[i] : NULL);
  }
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE) continue;
    add_value(b, true, i, f->result_shapes[i], ID_NONE);
    add_elements(b, f->result_values ? &f->result_values[i] : NULL);
  }
}

// --- a part of the graph

static bool touches(const cg_ends *ends, const uint8_t *wanted) {
  for (uint32_t i = 0; i < ends->count; i++) {
    if (wanted[ends->items[i].symbol]) return true;
  }
  return false;
}

static void renumber(cg_ends *ends, const uint32_t *to) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ends->count; i++) {
    cg_end end = ends->items[i];
    if (to[end.symbol] == ID_NONE) continue;
    ends->items[kept++] = (cg_end){to[end.symbol], end.target};
  }
  ends->count = kept;
}

// Keeps the wanted symbols, what speaks of one of them, and the symbols that such facts speak of.
static void keep_part(builder *b, const uint8_t *wanted) {
  constraint_graph *g = b->graph;
  uint8_t *kept = arena_zalloc(b->arena, (size_t)g->symbol_count + 1);
  uint32_t *to = arena_alloc(b->arena, ((size_t)g->symbol_count + 1) * sizeof *to);
  uint32_t facts = 0, values = 0, symbols = 0;
  memcpy(kept, wanted, g->symbol_count);
  for (uint32_t i = 0; i < g->fact_count; i++) {
    if (!touches(&g->facts[i].ends, wanted)) continue;
    g->facts[facts++] = g->facts[i];
    for (uint32_t k = 0; k < g->facts[i].ends.count; k++)
      kept[g->facts[i].ends.items[k].symbol] = 1;
  }
  for (uint32_t i = 0; i < g->value_count; i++) {
    if (touches(&g->values[i].ends, wanted)) g->values[values++] = g->values[i];
  }
  for (uint32_t i = 0; i < g->symbol_count; i++) {
    to[i] = kept[i] ? symbols : ID_NONE;
    if (kept[i]) g->symbols[symbols++] = g->symbols[i];
  }
  g->symbol_count = symbols;
  g->fact_count = facts;
  g->value_count = values;
  for (uint32_t i = 0; i < facts; i++) renumber(&g->facts[i].ends, to);
  for (uint32_t i = 0; i < values; i++) renumber(&g->values[i].ends, to);
}

static bool keep_only(builder *b, const char *const *only, uint32_t count, const char **missing) {
  uint8_t *wanted = arena_zalloc(b->arena, (size_t)b->graph->symbol_count + 1);
  for (uint32_t i = 0; i < count; i++) {
    name_id id = intern_find(&b->names, only[i], strlen(only[i]));
    uint32_t symbol = id == NAME_NONE ? ID_NONE : b->by_name[id];
    if (symbol == ID_NONE || b->at[symbol] == ID_NONE) {
      if (missing) *missing = only[i];
      return false;
    }
    wanted[b->at[symbol]] = 1;
  }
  keep_part(b, wanted);
  return true;
}

// --- the whole

static void index_names(builder *b) {
  const shape_report *r = b->report;
  intern_init(&b->names, b->arena);
  intern_init(&b->exprs, b->arena);
  for (uint32_t i = 0; i < r->symbol_count; i++)
    intern_add(&b->names, r->symbols[i].name.text, r->symbols[i].name.length);
  b->by_name = arena_alloc(b->arena, ((size_t)b->names.count + 1) * sizeof *b->by_name);
  for (uint32_t i = 0; i < b->names.count; i++) b->by_name[i] = ID_NONE;
  for (uint32_t i = r->symbol_count; i-- > 0;)
    b->by_name[intern_find(&b->names, r->symbols[i].name.text, r->symbols[i].name.length)] = i;
}

bool constraint_graph_make(shape_report *r, const char *const *only, uint32_t only_count,
                           constraint_graph *g, const char **missing) {
  builder b = {.graph = g, .report = r, .arena = r->graph->arena};
  size_t room = (size_t)r->symbol_count + 1;
  *g = (constraint_graph){.report = r, .symbols = arena_alloc(b.arena, room * sizeof *g->symbols)};
  b.at = arena_alloc(b.arena, room * sizeof *b.at);
  b.queue = arena_alloc(b.arena, room * sizeof *b.queue);
  for (uint32_t i = 0; i < r->symbol_count; i++) b.at[i] = ID_NONE;
  index_names(&b);
  if (r->function_count) g->function = report_function_name(r, r->functions[0].id);
  add_values(&b);
  add_constraints(&b);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    if (r->function_count == 1 || r->symbols[i].origin == FROM_DECLARATION) symbol_index(&b, i);
  }
  // A definition may bring further symbols, which then are at the end of the queue.
  for (uint32_t i = 0; i < b.queue_count; i++) add_definition(&b, b.queue[i]);
  return !only_count || keep_only(&b, only, only_count, missing);
}
