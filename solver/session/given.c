// SPDX-License-Identifier: Apache-2.0
// Edits of what an analysis begins with: declared symbols, the entry's arguments, and how both are called in predicates
// that are given.
//
// A declaration says what is known of its symbol before anything else, so the class of a symbol that is declared otherwise
// is solved again. An argument makes its symbols before anything is stated: a new one has no users yet, and users of one
// that has another type are visited. Predicates over names are read again: "arg3.0" may be another size, and a name may
// have come or gone.
//
// A fresh analysis declares the program's rows in their order, then names that only types use, in the order in which they
// do. A row that would come before others than it did gets a symbol of its own, and all that name it in types are visited
// with that: no symbol ever changes its age.
#include <assert.h>
#include <string.h>

#include "solver/session/affected.h"

// --- which types name which rows

typedef void row_visitor(void *data, uint32_t row);

static void each_row(const type_table *types, type_id type, row_visitor *visit, void *data) {
  if (type == TYPE_NONE) return;
  const graph_type *t = type_get(types, type);
  for (uint32_t i = 0; t->dims && i < t->rank; i++) {
    if (dim_is_symbol(t->dims[i])) visit(data, dim_symbol(t->dims[i]));
  }
  for (uint32_t i = 0; i < t->param_count; i++) each_row(types, t->params[i], visit, data);
}

typedef struct row_use {
  session_core *s;
  value_id value;  // of the program; VALUE_NONE: something that no visit reads
  uint32_t row;
  bool found;
} row_use;

static void note_use(void *data, uint32_t row) {
  const row_use *u = data;
  assert(row < u->s->run.rows.count);
  dependency_index *c = &u->s->run.index;
  run_row *r = &u->s->run.rows.items[row];
  if (u->value == VALUE_NONE) {
    r->outside = true;
    return;
  }
  SESSION_GROW(run_arena(u->s), c->cells, c->cell_count, c->cell_count + 1u, c->cell_capacity);
  c->cells[c->cell_count] = (run_cell){u->value, r->uses};
  r->uses = c->cell_count++;
}

static void find_row(void *data, uint32_t row) {
  row_use *u = data;
  u->found |= row == u->row;
}

static block_id entry_block(const session_run *r) {
  return r->graph.regions[r->graph.funcs[r->infer->entry].body].first_block;
}

// Values of the entry's own scope are visited with their operations, or made as arguments.
static void note_value(session_core *s, value_id own) {
  assert(own < s->run.graph.value_count);
  const graph_value *v = &s->run.graph.values[own];
  bool seen = v->is_argument ? v->def == entry_block(&s->run) : run_is_own(s, v->def);
  row_use use = {.s = s, .value = seen ? v->at : VALUE_NONE};
  each_row(&s->run.graph.types, v->type, note_use, &use);
}

static void note_attrs(session_core *s, uint32_t first) {
  row_use use = {.s = s, .value = VALUE_NONE};
  for (uint32_t i = first; i < s->run.graph.attributes.count; i++)
    each_row(&s->run.graph.types, s->run.graph.attributes.items[i].type, note_use, &use);
}

static void add_rows(session_core *s) {
  session_run *r = &s->run;
  uint32_t first = r->rows.count, count = r->graph.declared.symbol_count;
  SESSION_GROW(run_arena(s), r->rows.items, first, count + 1u, r->rows.capacity);
  for (uint32_t i = first; i < count; i++)
    r->rows.items[i] = (run_row){.rank = i, .uses = ID_NONE, .program = ID_NONE, .visible = true};
  r->rows.count = count;
}

static void note_declaration(session_core *s, uint32_t i) {
  const graph_symbol *symbol = &s->doc.graph.declared.symbols[i];
  s->run.rows.defines |= symbol->definition != NULL;
  s->run.rows.gaps |= !s->doc.symbol_gone[i] && symbol->range_count > 1;
}

// Rows of the run's graph that are rows of the program; a name that was undeclared when it was copied has one, too.
static void tell_rows(session_core *s) {
  session_run *r = &s->run;
  for (uint32_t i = 0; i < s->doc.graph.declared.symbol_count; i++) {
    uint32_t row = copy_of(&r->copier.symbols, i);
    if (row == ID_NONE) continue;
    r->rows.items[row].program = i;
    r->rows.items[row].undeclared = s->doc.symbol_gone[i];
    r->rows.undeclared += s->doc.symbol_gone[i];
    note_declaration(s, i);
  }
}

void given_build(session_core *s) {
  session_run *r = &s->run;
  add_rows(s);
  tell_rows(s);
  if (!r->rows.count) return;
  for (value_id v = 0; v < r->graph.value_count; v++) {
    note_value(s, v);
    arena_poll_at(&s->arena, v);
  }
  note_attrs(s, 0);
  row_use use = {.s = s, .value = VALUE_NONE};
  for (func_id f = 0; f < r->graph.func_count; f++) {
    type_id type = r->graph.funcs[f].type;
    if (type == TYPE_NONE) continue;
    const graph_type *t = type_get(&r->graph.types, type);
    for (uint32_t i = f == r->infer->entry ? t->split : 0; i < t->param_count; i++)
      each_row(&r->graph.types, t->params[i], note_use, &use);
  }
}

static bool still_names(const session_core *s, value_id v, uint32_t row) {
  assert(row < s->run.rows.count);
  value_id own = copy_of(&s->run.copier.values, v);
  row_use u = {.row = row};
  if (!s->doc.values[v].there || own == ID_NONE) return false;
  each_row(&s->run.graph.types, s->run.graph.values[own].type, find_row, &u);
  return u.found;
}

// --- into the run's graph

// Names for expressions, for arguments' values, and names that operations look up are not followed.
static bool begins_plainly(const session_core *s) {
  static const char CONSTANT[] = "jax.global_constant";
  const session_run *r = &s->run;
  return !r->rows.defines && !r->names_symbols && !r->odd_arguments &&
         intern_find(&r->graph.names, CONSTANT, sizeof CONSTANT - 1) == NAME_NONE;
}

static void declare_row(session_core *s, uint32_t i) {
  assert(i < s->doc.graph.declared.symbol_count);
  session_run *r = &s->run;
  shape_graph *g = &r->graph;
  uint32_t row = copy_of(&r->copier.symbols, i);
  if (row == ID_NONE && s->doc.symbol_gone[i]) return;
  if (row == ID_NONE) {
    row = graph_add_symbol(g, copy_name(&r->copier, s->doc.graph.declared.symbols[i].name),
                           SPAN_NONE);
    copy_set(&r->copier, &r->copier.symbols, i, row);
    add_rows(s);
    r->rows.items[row].rank = ID_NONE;
    r->rows.items[row].visible = false;
  }
  run_row *x = &r->rows.items[row];
  // Where a symbol stays declared, nothing but itself is another one.
  r->rows.reordered |= x->rank == ID_NONE || x->undeclared || s->doc.symbol_gone[i];
  r->rows.undeclared += s->doc.symbol_gone[i] - x->undeclared;
  note_declaration(s, i);
  x->program = i;
  x->edited = true;
  x->undeclared = s->doc.symbol_gone[i];
  if (x->undeclared) {
    name_id name = g->declared.symbols[row].name;
    g->declared.symbols[row] = (graph_symbol){
        .name = name, .min = 0, .max = INT64_MAX, .multiple_of = 1, .span = SPAN_NONE};
  } else {
    copy_symbol_row(&r->copier, i, row);
  }
}

static bool is_entry_argument(const session_core *s, value_id v) {
  const shape_graph *g = &s->doc.graph;
  const graph_region *r = &g->regions[g->blocks[g->values[v].def].region];
  return g->values[v].is_argument && r->op == ID_NONE && r->func == s->run.infer->entry &&
         r->first_block == g->values[v].def;
}

static bool is_tuple(const session_core *s, value_id v) {
  type_id type = s->doc.graph.values[v].type;
  return type != TYPE_NONE && type_get(&s->doc.graph.types, type)->kind == TYPE_TUPLE;
}

static void list_arguments(session_core *s) {
  session_run *r = &s->run;
  const copy_arguments *list = &s->doc.arguments[r->infer->entry];
  if (!list->ids) return;
  SESSION_GROW(run_arena(s), r->arguments, 0, list->count + 1u, r->argument_capacity);
  for (uint32_t i = 0; i < list->count; i++)
    r->arguments[i] = copy_of(&r->copier.values, list->ids[i]);
  r->infer->arguments = r->arguments;
  r->infer->argument_count = list->count;
}

// Messages of operations may name arguments by their positions.
static bool push_tellers(affected *c) {
  const session_core *s = c->s;
  for (uint32_t i = 0; i < s->run.diags.count; i++) {
    const run_diag *d = &s->run.diags.items[i];
    if (d->subject == DIAG_OF_GIVEN || !strstr(d->message, "arg")) continue;
    op_id own = d->subject == DIAG_OF_OP ? copy_of(&s->run.copier.ops, d->id) : ID_NONE;
    if (own == ID_NONE || !run_is_own(s, own)) return false;
    affected_push(c, d->id);
  }
  return true;
}

bool given_copy(affected *c) {
  session_core *s = c->s;
  session_run *r = &s->run;
  c->first_value = r->graph.value_count;
  c->first_attr = r->graph.attributes.count;
  if (!s->change.declared.count && !s->change.moved.count) return true;
  if (!begins_plainly(s)) return false;
  for (uint32_t i = 0; i < s->change.declared.count; i++) declare_row(s, s->change.declared.ids[i]);
  if (r->rows.defines || r->rows.gaps) return false;
  bool listed = false;  // some came or went
  for (uint32_t i = 0; i < s->change.moved.count; i++) {
    value_id v = s->change.moved.ids[i];
    listed |= !s->doc.values[v].there || copy_of(&r->copier.values, v) == ID_NONE;
    if (!is_entry_argument(s, v) || is_tuple(s, v)) return false;
    affected_note(c, v);
    if (!s->doc.values[v].there) continue;
    if (copy_of(&r->copier.values, v) == ID_NONE) {
      copy_argument(&r->copier, v, entry_block(r));
    } else {
      copy_value_again(&r->copier, v);
    }
  }
  if (listed) {
    if (!push_tellers(c)) return false;
    list_arguments(s);
    ages_order_arguments(s);
  }
  return true;
}

// --- rows: which there are, and in what order

// Where a row is first named, by the entry's arguments and then its operations.
typedef struct first_use {
  bool there, by_op;
  uint64_t position;
} first_use;

static bool comes_first(first_use a, first_use b) {
  return a.by_op != b.by_op ? b.by_op : a.position < b.position;
}

static first_use find_first_use(const session_core *s, uint32_t row) {
  assert(row < s->run.rows.count);
  const session_run *r = &s->run;
  first_use first = {r->rows.items[row].outside, true, UINT64_MAX};
  for (uint32_t cell = r->rows.items[row].uses; cell != ID_NONE; cell = r->index.cells[cell].next) {
    value_id v = r->index.cells[cell].item;
    if (!still_names(s, v, row)) continue;
    const graph_value *value = &s->doc.graph.values[v];
    first_use use = {true, !value->is_argument,
                     value->is_argument ? s->doc.values[v].position : s->doc.ops[value->def].order};
    if (!first.there || comes_first(use, first)) first = use;
  }
  return first;
}

typedef struct row_order {
  uint32_t *rows;  // those that there are, in the order of a fresh analysis
  uint32_t count;
  bool sure;
} row_order;

// Names that only types use come last, in order of their first use.
static void add_undeclared(session_core *s, row_order *order) {
  session_run *r = &s->run;
  uint32_t declared = order->count;
  first_use *uses = arena_alloc(&s->scratch, (r->rows.count + 1) * sizeof *uses);
  bool outside = false;
  for (uint32_t row = 0; row < r->rows.count; row++) {
    if (!r->rows.items[row].undeclared) continue;
    first_use use = find_first_use(s, row);
    if (!use.there) continue;
    uint32_t at = order->count++;
    for (; at > declared && comes_first(use, uses[at - 1]); at--) {
      order->rows[at] = order->rows[at - 1];
      uses[at] = uses[at - 1];
    }
    bool tie = at > declared && !comes_first(uses[at - 1], use);
    order->rows[at] = row;
    uses[at] = use;
    order->sure &= !tie;
    outside |= r->rows.items[row].outside;
  }
  if (outside && order->count > declared + 1) order->sure = false;
}

static row_order order_rows(session_core *s) {
  session_run *r = &s->run;
  row_order order = {arena_alloc(&s->scratch, (r->rows.count + 1) * sizeof *order.rows), 0, true};
  for (uint32_t i = 0; i < s->doc.graph.declared.symbol_count; i++) {
    uint32_t row = s->doc.symbol_gone[i] ? ID_NONE : copy_of(&r->copier.symbols, i);
    if (row != ID_NONE) order.rows[order.count++] = row;
  }
  add_undeclared(s, &order);
  return order;
}

// Whether the symbol of the row at `at` would change its position among those that had symbols.
static bool is_overtaken(const session_core *s, const row_order *order, uint32_t at) {
  assert(at < order->count);
  const run_row *rows = s->run.rows.items, *x = &rows[order->rows[at]];
  for (uint32_t i = 0; i < order->count; i++) {
    const run_row *y = &rows[order->rows[i]];
    if (i == at || y->rank == ID_NONE) continue;
    if ((y->rank < x->rank) != (i < at)) return true;
  }
  return false;
}

// Everything that names the row in a type takes its new symbol.
static bool push_uses(affected *c, uint32_t row) {
  assert(row < c->s->run.rows.count);
  session_core *s = c->s;
  const session_run *r = &s->run;
  if (r->rows.items[row].outside) return false;
  for (uint32_t cell = r->rows.items[row].uses; cell != ID_NONE; cell = r->index.cells[cell].next) {
    value_id v = r->index.cells[cell].item;
    if (!still_names(s, v, row)) continue;
    if (s->doc.graph.values[v].is_argument) {
      SESSION_GROW(&s->scratch, c->arguments, c->argument_count, c->argument_count + 1u,
                   c->argument_capacity);
      c->arguments[c->argument_count++] = v;
    } else {
      affected_push(c, s->doc.graph.values[v].def);
    }
    arena_poll_at(&s->arena, cell);
  }
  return true;
}

static bool settle_row(affected *c, uint32_t row, bool overtaken) {
  assert(row < c->s->run.rows.count);
  session_core *s = c->s;
  session_run *r = &s->run;
  bool had = r->rows.items[row].rank != ID_NONE, changed;
  ages_begin(s, AGE_DECLARED, row);
  uint32_t symbol = infer_declare(r->infer, row, !had || overtaken, &changed);
  class_symbol(s, symbol);
  stable_ordinals_of(s, NULL, 0);
  if (!had) return true;
  return overtaken ? push_uses(c, row) : !changed || resolve_symbol(c, symbol);
}

// A name that is gone is not found.
static bool show_rows(session_core *s) {
  session_run *r = &s->run;
  bool other = false;
  for (uint32_t row = 0; row < r->rows.count; row++) {
    bool shown = r->rows.items[row].shown;
    r->rows.items[row].shown = false;
    if (!shown) r->rows.items[row].rank = ID_NONE;
    if (shown == r->rows.items[row].visible) continue;
    r->rows.items[row].visible = shown;
    imap_put(&r->graph.declared.symbol_by_name, r->graph.arena, r->graph.declared.symbols[row].name,
             shown ? row : ID_NONE);
    other = true;
  }
  return other;
}

// *names: some name means something else than before.
static bool settle_rows(affected *c, bool *names) {
  session_core *s = c->s;
  session_run *r = &s->run;
  row_order order = order_rows(s);
  bool other = false, *overtaken = arena_zalloc(&s->scratch, order.count + 1);
  if (!order.sure) return false;
  for (uint32_t i = 0; i < order.count; i++) {
    const run_row *x = &r->rows.items[order.rows[i]];
    bool looked = x->edited || x->undeclared;
    overtaken[i] = looked && x->rank != ID_NONE && is_overtaken(s, &order, i);
    r->rows.items[order.rows[i]].shown = true;
  }
  for (uint32_t i = 0; i < order.count; i++) {
    run_row *x = &r->rows.items[order.rows[i]];
    bool look = x->edited || x->undeclared;
    if (look && !settle_row(c, order.rows[i], overtaken[i])) return false;
    other |= overtaken[i];
  }
  for (uint32_t i = 0; i < order.count; i++) r->rows.items[order.rows[i]].rank = i;
  for (uint32_t i = 0; i < r->rows.count; i++) r->rows.items[i].edited = false;
  r->rows.reordered = false;
  *names = show_rows(s) || other;
  return true;
}

// Rows that were declared before and are, in the same order.
static bool declare_again(affected *c) {
  session_core *s = c->s;
  session_run *r = &s->run;
  for (uint32_t i = 0; i < s->change.declared.count; i++) {
    uint32_t row = copy_of(&r->copier.symbols, s->change.declared.ids[i]);
    if (row == ID_NONE) continue;  // it came and went
    r->rows.items[row].edited = false;
    if (!settle_row(c, row, false)) return false;
  }
  return true;
}

// --- arguments

// The symbols that the argument had, by axis and element of those that it makes now.
static uint32_t list_reused(session_core *s, value_id own, const value_info *was, uint32_t *out) {
  assert(own < s->run.graph.value_count);
  const session_run *r = &s->run;
  const graph_type *t = graph_value_type(&r->graph, own);
  uint32_t argument = own - r->graph.blocks[entry_block(r)].arguments, count = 0;
  uint32_t axes = t && t->kind == TYPE_TENSOR ? t->rank : 0;
  for (uint32_t i = 0; i < axes + was->element_count; i++) {
    bool axis = i < axes;
    if (axis && t->dims[i] != DIM_DYNAMIC) continue;
    uint32_t at = axis ? i : i - axes;
    term_id term = !axis ? was->elements[at] : at < was->rank ? was->dims[at] : TERM_NONE;
    infer_origin o = {.kind = ORIGIN_FRESH};
    if (term != TERM_NONE && term_kind_of(r->infer->terms, term) == TERM_SYMBOL)
      o = r->infer->origins[term_get(r->infer->terms, term)->as.symbol];
    bool same = o.kind == (axis ? ORIGIN_ARGUMENT_SIZE : ORIGIN_ARGUMENT_VALUE) && !o.frame &&
                o.argument == argument && o.axis == at;
    out[count++] = same ? term_get(r->infer->terms, term)->as.symbol : ID_NONE;
  }
  return count;
}

static bool make_argument(affected *c, value_id v) {
  session_core *s = c->s;
  session_run *r = &s->run;
  value_id own = copy_of(&r->copier.values, v);
  assert(own != ID_NONE);
  value_info *info = &r->infer->frames[0].values[own - r->infer->frames[0].value_base];
  const value_info was = *info;
  const graph_type *t = graph_value_type(&r->graph, own);
  if (s->doc.values[v].late || value_parts(&was) || (t && t->kind == TYPE_TUPLE)) return false;
  uint32_t room = (t ? t->rank : 0) + was.element_count;
  uint32_t *reuse = arena_alloc(&s->scratch, ((size_t)room + 1) * sizeof *reuse), count = 0;
  r->log.store.reuse = reuse;
  r->log.store.reuse_count = list_reused(s, own, &was, reuse);
  r->log.store.count = r->log.store.first = 0;
  ages_begin(s, AGE_ARGUMENT, v);
  store_keep_log(r->infer->store, &r->log.store);
  infer_make_argument(r->infer, own);
  store_keep_log(r->infer->store, NULL);
  for (uint32_t i = 0; i < r->log.store.count; i++)
    count += r->log.store.notes[i].kind == NOTE_MADE;
  uint32_t *made = arena_alloc(&s->scratch, ((size_t)count + 1) * sizeof *made);
  count = 0;
  for (uint32_t i = 0; i < r->log.store.count; i++) {
    store_note note = r->log.store.notes[i];
    if (note.kind != NOTE_MADE) return false;
    made[count++] = note.a;
    class_symbol(s, note.a);
  }
  stable_ordinals_of_argument(s, made, count);
  affected_note(c, v);
  return affected_push_users(c, v);
}

static bool make_arguments(affected *c) {
  session_core *s = c->s;
  for (uint32_t i = 0; i < s->change.moved.count; i++) {
    if (!s->doc.values[s->change.moved.ids[i]].there) continue;
    SESSION_GROW(&s->scratch, c->arguments, c->argument_count, c->argument_count + 1u,
                 c->argument_capacity);
    c->arguments[c->argument_count++] = s->change.moved.ids[i];
  }
  uint32_t count = affected_sort(s, c->arguments, c->argument_count, s->doc.graph.value_count);
  for (uint32_t i = 0; i < count; i++) {
    if (!make_argument(c, c->arguments[i])) return false;
  }
  return true;
}

// --- after the operations were copied, too

static void note_copied(affected *c) {
  session_core *s = c->s;
  session_run *r = &s->run;
  for (value_id v = c->first_value; v < r->graph.value_count; v++) note_value(s, v);
  note_attrs(s, c->first_attr);
  for (uint32_t i = 0; i < s->change.touched.count; i++) {
    const graph_op *o = &s->doc.graph.ops[s->change.touched.ids[i]];
    for (uint32_t k = 0; s->doc.ops[s->change.touched.ids[i]].there && k < o->result_count; k++) {
      value_id own = copy_of(&r->copier.values, o->results + k);
      if (own < c->first_value) note_value(s, own);
    }
  }
  for (uint32_t i = 0; i < s->change.moved.count; i++) {
    value_id own = copy_of(&r->copier.values, s->change.moved.ids[i]);
    if (s->doc.values[s->change.moved.ids[i]].there && own < c->first_value) note_value(s, own);
  }
}

// Names that types of this edit brought along: they are rows of the program without a declaration.
static void note_new_rows(session_core *s) {
  session_run *r = &s->run;
  uint32_t first = r->rows.count;
  add_rows(s);
  for (uint32_t row = first; row < r->rows.count; row++) {
    r->rows.items[row].rank = ID_NONE;
    r->rows.items[row].undeclared = true;
    r->rows.items[row].visible = false;
    r->rows.undeclared++;
  }
}

bool given_settle(affected *c, bool *names) {
  session_core *s = c->s;
  session_run *r = &s->run;
  *names = s->change.moved.count;
  if (!r->graph.declared.symbol_count && !s->change.moved.count) return true;
  note_new_rows(s);
  note_copied(c);
  bool other = false;
  if (r->rows.undeclared || r->rows.reordered) {
    if (!begins_plainly(s) || !settle_rows(c, &other)) return false;
  } else if (!declare_again(c)) {
    return false;
  }
  *names |= other;
  return make_arguments(c);
}
