// SPDX-License-Identifier: Apache-2.0
// Edits of the program: each is read, applied and remembered, so that a group which leaves the program ill-formed is
// taken back as a whole.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/session/state.h"

bool edit_fail(session_failure *failure, shape_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  failure->status = status;
  vsnprintf(failure->message, sizeof failure->message, format, args);
  va_end(args);
  return false;
}

static undo_step *undo(session_core *s, undo_kind kind, uint32_t id) {
  return transaction_step(&s->change, &s->arena, kind, id);
}

// --- fragments

typedef struct import {
  value_id own, fragment;
} import;

typedef struct fragment {
  session_core *s;
  shape_graph graph;
  func_id func;
  import *imports;
  uint32_t import_count, import_capacity;
  graph_copier back;  // from the program to the fragment: types of what it uses
} fragment;

static bool read_id(const char *text, size_t length, uint32_t *id) {
  uint64_t value = 0;
  if (length < 2 || length > 10 || *text != '#') return false;
  for (size_t i = 1; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + (uint64_t)(text[i] - '0');
  }
  *id = (uint32_t)value;
  return true;
}

// A value of the program is in the fragment as the argument of a block of its own.
static value_id import_value(void *data, const char *name, size_t length) {
  fragment *f = data;
  session_core *s = f->s;
  value_id own;
  if (!read_id(name, length, &own))
    own = document_find(&s->doc, f->func, intern_find(&s->doc.graph.names, name, length));
  uint32_t axis;
  if (own == VALUE_NONE && length && *name == '%' &&
      (session_address(s, name, length, &own, &axis) || axis != ID_NONE))
    return VALUE_NONE;
  if (own >= s->doc.graph.value_count || !s->doc.values[own].there) return VALUE_NONE;
  for (uint32_t i = 0; i < f->import_count; i++) {
    if (f->imports[i].own == own) return f->imports[i].fragment;
  }
  value_id made = graph_add_block_arguments(&f->graph, graph_add_block(&f->graph, ID_NONE), 1);
  f->graph.values[made].type = copy_type(&f->back, s->doc.graph.values[own].type);
  SESSION_GROW(&s->scratch, f->imports, f->import_count, f->import_count + 1u, f->import_capacity);
  f->imports[f->import_count++] = (import){own, made};
  return made;
}

static bool types_fit(const session_core *s, const type_table *types, session_failure *failure) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < types->count; i++) {
    const graph_type *t = type_get(types, i);
    if (t->kind == TYPE_TENSOR && t->rank > most) most = t->rank;
  }
  if (!s->rank_max || most <= s->rank_max) return true;
  failure->rank = most;
  return edit_fail(failure, SHAPE_SIZE, "a tensor has too many axes");
}

static bool read_fragment(session_core *s, fragment *f, const session_edit *e, func_id func,
                          session_fragment_reader *read, session_failure *failure) {
  *f = (fragment){.s = s, .func = func};
  graph_init(&f->graph, &s->scratch, GRAPH_JSON, e->text, e->length);
  copier_init(&f->back, &s->doc.graph, &f->graph, &s->scratch);
  read(&f->graph, &s->budget, e->kind, import_value, f);
  const diag_list *diags = &f->graph.diags;
  if (!diags->errors) return types_fit(s, &f->graph.types, failure);
  return edit_fail(failure, SHAPE_INVALID, "%s",
                   diags->count ? diags->items[0].message : "the text is not understood");
}

static void copier_of(session_core *s, fragment *f, graph_copier *c) {
  copier_init(c, &f->graph, &s->doc.graph, &s->scratch);
  c->deep = true;  // the fragment ends with the call
  for (uint32_t i = 0; i < f->import_count; i++)
    copy_set(c, &c->values, f->imports[i].fragment, f->imports[i].own);
}

// A name in a type that is not declared is a symbol by that use: it has no row of its own.
static void settle_symbols(session_core *s, uint32_t before) {
  if (s->doc.graph.declared.symbol_count == before) return;
  assert(before < s->doc.graph.declared.symbol_count);
  document_room(&s->doc);  // of rows that are gone
}

static op_id read_op(session_core *s, const session_edit *e, func_id func,
                     session_fragment_reader *read, session_failure *failure) {
  fragment *f = arena_alloc(&s->scratch, sizeof *f);
  if (!read_fragment(s, f, e, func, read, failure)) return ID_NONE;
  const shape_graph *g = &f->graph;
  block_id block = g->func_count && g->funcs[0].body != ID_NONE
                       ? g->regions[g->funcs[0].body].first_block
                       : ID_NONE;
  op_id first = block == ID_NONE ? ID_NONE : g->blocks[block].first;
  if (first == ID_NONE || g->ops[first].next != ID_NONE) {
    edit_fail(failure, SHAPE_INVALID, "expected one operation");
    return ID_NONE;
  }
  uint32_t symbols = s->doc.graph.declared.symbol_count;
  graph_copier c;
  copier_of(s, f, &c);
  op_id made = copy_op(&c, first, ID_NONE, func);
  settle_symbols(s, symbols);
  document_room(&s->doc);
  return made;
}

// --- the kinds

static bool is_terminator(const session_core *s, op_id op) {
  const shape_intern *names = &s->doc.graph.names;
  name_id name = s->doc.graph.ops[op].name;
  const op_row *row = registry_find(intern_text(names, name), intern_length(names, name), 0);
  return row && row->structure == OP_RETURN;
}

static bool need_op(const session_core *s, op_id op, session_failure *failure) {
  if (session_has_op(s, op)) return true;
  return edit_fail(failure, SHAPE_INVALID, "there is no operation %u", op);
}

static bool need_value(const session_core *s, value_id v, session_failure *failure) {
  if (session_has_value(s, v)) return true;
  return edit_fail(failure, SHAPE_INVALID, "there is no value %u", v);
}

// Whether it is in the entry's own scope; the blocks of a body with several have theirs.
static bool is_followed(const session_core *s, op_id op) {
  const graph_region *r =
      &s->doc.graph.regions[s->doc.graph.blocks[s->doc.graph.ops[op].parent].region];
  return s->run.valid && r->op == ID_NONE && r->func == s->run.infer->entry && r->block_count == 1;
}

static void touch(session_core *s, op_id op) {
  if (!is_followed(s, op)) s->change.structural = true;
  transaction_touch(&s->change, &s->doc, op);
}

// Names of values are free when they are used by nothing in the function, whatever its scopes are: so no text of the
// program defines one twice.
static bool name_is_free(session_core *s, value_id v, func_id func, session_failure *failure) {
  shape_intern *names = &s->doc.graph.names;
  name_id name = s->doc.graph.values[v].name;
  if (name == NAME_NONE || !intern_length(names, name)) {
    char own[24];
    int n = snprintf(own, sizeof own, "%%v%u", v);
    s->doc.graph.values[v].name = name = intern_add(names, own, (size_t)n);
  } else if (*intern_text(names, name) == '#') {
    return edit_fail(failure, SHAPE_INVALID, "names of values do not begin with '#'");
  }
  if (!document_name_taken(&s->doc, func, name)) return true;
  return edit_fail(failure, SHAPE_INVALID, "value \"%.60s\" is defined already",
                   intern_text(names, name));
}

static bool names_are_free(session_core *s, op_id op, bool results, func_id func,
                           session_failure *failure) {
  const graph_op o = s->doc.graph.ops[op];
  for (uint32_t i = 0; results && i < o.result_count; i++) {
    if (!name_is_free(s, o.results + i, func, failure)) return false;
  }
  for (uint32_t r = 0; r < o.region_count; r++) {
    const graph_region region = s->doc.graph.regions[o.regions + r];
    for (uint32_t b = 0; b < region.block_count; b++) {
      const graph_block block = s->doc.graph.blocks[region.first_block + b];
      for (uint32_t i = 0; i < block.argument_count; i++) {
        if (!name_is_free(s, block.arguments + i, func, failure)) return false;
      }
      for (op_id in = block.first; in != ID_NONE; in = s->doc.graph.ops[in].next) {
        if (!names_are_free(s, in, true, func, failure)) return false;
      }
    }
  }
  return true;
}

static bool insert(session_core *s, const session_edit *e, session_fragment_reader *read,
                   op_id *inserted, session_failure *failure) {
  if (!need_op(s, e->op, failure)) return false;
  if (e->after && s->doc.graph.ops[e->op].next == ID_NONE && is_terminator(s, e->op))
    return edit_fail(failure, SHAPE_INVALID, "no operation may follow a terminator");
  func_id func = document_func(&s->doc, e->op);
  op_id op = read_op(s, e, func, read, failure);
  if (op == ID_NONE || !names_are_free(s, op, true, func, failure)) return false;
  bool at_end = e->after && s->doc.graph.ops[e->op].next == ID_NONE;
  if (is_terminator(s, op) && !at_end)
    return edit_fail(failure, SHAPE_INVALID, "no operation may follow a terminator");
  undo(s, UNDO_INSERT, op);
  document_link(&s->doc, op, e->op, e->after);
  touch(s, op);
  *inserted = op;
  return true;
}

static bool remove_op(session_core *s, const session_edit *e, session_failure *failure) {
  if (!need_op(s, e->op, failure)) return false;
  if (s->doc.graph.ops[e->op].next == ID_NONE && is_terminator(s, e->op))
    return edit_fail(failure, SHAPE_INVALID, "a block keeps its terminator");
  if (!is_followed(s, e->op)) s->change.structural = true;
  id_list_add(&s->change.removed, &s->arena, e->op);
  undo(s, UNDO_REMOVE, e->op);
  document_unlink(&s->doc, e->op);
  return true;
}

// The operation keeps its id and its results; everything else is that of the new one.
static bool replace(session_core *s, const session_edit *e, session_fragment_reader *read,
                    session_failure *failure) {
  shape_graph *g = &s->doc.graph;
  if (!need_op(s, e->op, failure)) return false;
  op_id made = read_op(s, e, document_func(&s->doc, e->op), read, failure);
  if (made == ID_NONE) return false;
  graph_op old = g->ops[e->op], new = g->ops[made];
  uint32_t successors;
  if (graph_successors(g, e->op, &successors))
    return edit_fail(failure, SHAPE_INVALID, "an operation that names blocks is not replaced");
  if (new.result_count != old.result_count)
    return edit_fail(failure, SHAPE_INVALID, "a replacement has as many results: %u, not %u",
                     old.result_count, new.result_count);
  bool was_terminator = old.next == ID_NONE && is_terminator(s, e->op);
  bool is_one = is_terminator(s, made);
  if (was_terminator != is_one)
    return edit_fail(failure, SHAPE_INVALID, "a terminator is replaced by a terminator");
  for (uint32_t i = 0; i < old.result_count; i++) {
    undo(s, UNDO_VALUE, old.results + i)->value = g->values[old.results + i];
    g->values[old.results + i].type = g->values[new.results + i].type;
  }
  undo(s, UNDO_REPLACE, e->op)->op = old;
  if (old.region_count || new.region_count) s->change.structural = true;
  document_unuse(&s->doc, e->op);
  if (!names_are_free(s, made, false, document_func(&s->doc, e->op), failure)) return false;
  new.results = old.results;
  new.parent = old.parent;
  new.next = old.next;
  g->ops[e->op] = new;
  for (uint32_t i = 0; i < new.region_count; i++) g->regions[new.regions + i].op = e->op;
  document_use(&s->doc, e->op);
  touch(s, e->op);
  return true;
}

// --- arguments

static func_id func_of_argument(const session_core *s, value_id v) {
  const graph_value *value = &s->doc.graph.values[v];
  if (!value->is_argument) return ID_NONE;
  const graph_region *r = &s->doc.graph.regions[s->doc.graph.blocks[value->def].region];
  return r->op == ID_NONE && s->doc.graph.funcs[r->func].body != ID_NONE &&
                 r->first_block == value->def
             ? r->func
             : ID_NONE;
}

// What came, went or has another type. Those of other functions are inspected by their calls.
static void note_argument(session_core *s, func_id func, value_id v) {
  if (!s->run.valid || func != s->run.infer->entry) s->change.structural = true;
  id_list_add(&s->change.moved, &s->arena, v);
}

static bool retype(session_core *s, const session_edit *e, session_fragment_reader *read,
                   session_failure *failure) {
  fragment *f = arena_alloc(&s->scratch, sizeof *f);
  if (!need_value(s, e->value, failure)) return false;
  if (!read_fragment(s, f, e, 0, read, failure)) return false;
  graph_value *v = &s->doc.graph.values[e->value];
  uint32_t symbols = s->doc.graph.declared.symbol_count;
  graph_copier c;
  copier_of(s, f, &c);
  undo(s, UNDO_VALUE, e->value)->value = *v;
  v->type = copy_type(&c, f->graph.values[0].type);
  settle_symbols(s, symbols);
  func_id func = func_of_argument(s, e->value);
  if (func != ID_NONE) {
    document_arguments(&s->doc,
                       func);  // from which the function's type is made, once they are a list
    note_argument(s, func, e->value);
  } else if (v->is_argument) {
    s->change.structural = true;
  } else {
    touch(s, v->def);
  }
  return true;
}

static bool insert_argument(session_core *s, const session_edit *e, session_fragment_reader *read,
                            value_id *made, session_failure *failure) {
  shape_graph *g = &s->doc.graph;
  session_edit type = *e;
  type.kind = EDIT_RETYPE;
  if (e->value != VALUE_NONE && !need_value(s, e->value, failure)) return false;
  func_id func = e->value == VALUE_NONE ? s->run.infer->entry : func_of_argument(s, e->value);
  if (func == ID_NONE) return edit_fail(failure, SHAPE_INVALID, "not beside an argument");
  fragment *f = arena_alloc(&s->scratch, sizeof *f);
  if (!read_fragment(s, f, &type, func, read, failure)) return false;
  const copy_arguments *list = document_arguments(&s->doc, func);
  uint32_t at = 0, symbols = g->declared.symbol_count;
  while (at < list->count && list->ids[at] != e->value) at++;
  if (at < list->count && e->after) at++;
  block_id block = g->regions[g->funcs[func].body].first_block;
  assert(at <= list->count);
  graph_block kept = g->blocks[block];
  value_id v = graph_add_block_arguments(g, block, 1);
  g->blocks[block] = kept;  // whose arguments stay one range; the list has the others
  graph_copier c;
  copier_of(s, f, &c);
  g->values[v].type = copy_type(&c, f->graph.values[0].type);
  g->values[v].name = e->name_length ? intern_add(&g->names, e->name, e->name_length) : NAME_NONE;
  settle_symbols(s, symbols);
  document_room(&s->doc);
  if (!name_is_free(s, v, func, failure)) return false;
  document_room_for_argument(&s->doc, func);
  undo_step *u = undo(s, UNDO_ARGUMENT_IN, v);
  u->was = func;
  u->at = at;
  document_put_argument(&s->doc, func, at, v);
  note_argument(s, func, v);
  *made = v;
  return true;
}

static bool remove_argument(session_core *s, const session_edit *e, session_failure *failure) {
  if (!need_value(s, e->value, failure)) return false;
  func_id func = func_of_argument(s, e->value);
  if (func == ID_NONE)
    return edit_fail(failure, SHAPE_INVALID, "value %u is no argument of a function", e->value);
  if (s->doc.values[e->value].use_count)
    return edit_fail(failure, SHAPE_INVALID, "operation %u uses value %u",
                     s->doc.uses[s->doc.values[e->value].first_use].op, e->value);
  const copy_arguments *list = document_arguments(&s->doc, func);
  uint32_t at = 0;
  while (list->ids[at] != e->value) at++;
  assert(at < list->count);
  undo_step *u = undo(s, UNDO_ARGUMENT_OUT, e->value);
  u->was = func;
  u->at = at;
  document_drop_argument(&s->doc, func, at);
  note_argument(s, func, e->value);
  return true;
}

static bool rewire(session_core *s, const session_edit *e, session_failure *failure) {
  if (!need_value(s, e->value, failure) || !need_value(s, e->with, failure)) return false;
  if (e->value == e->with) return true;
  uint32_t next;
  for (uint32_t slot = s->doc.values[e->value].first_use; slot != ID_NONE; slot = next) {
    next = s->doc.uses[slot].next;
    undo(s, UNDO_OPERAND, slot)->was = e->value;
    touch(s, s->doc.uses[slot].op);
    document_set_operand(&s->doc, slot, e->with);
  }
  return true;
}

static void note_declared(session_core *s, uint32_t row) {
  id_list_add(&s->change.declared, &s->arena, row);
}

static bool set_symbol(session_core *s, const session_edit *e, session_fragment_reader *read,
                       session_failure *failure) {
  fragment *f = arena_alloc(&s->scratch, sizeof *f);
  shape_graph *g = &s->doc.graph;
  if (!read_fragment(s, f, e, 0, read, failure)) return false;
  if (f->graph.declared.symbol_count != 1)
    return edit_fail(failure, SHAPE_INVALID, "expected one symbol");
  const shape_intern *names = &f->graph.names;
  name_id in_fragment = f->graph.declared.symbols[0].name;
  name_id name =
      intern_add(&g->names, intern_text(names, in_fragment), intern_length(names, in_fragment));
  uint32_t row = graph_find_symbol(g, name);
  bool is_new = row == ID_NONE;
  if (is_new) row = graph_add_symbol(g, name, SPAN_NONE);
  document_room(&s->doc);
  undo_step *u = undo(s, UNDO_SYMBOL, row);
  u->symbol = g->declared.symbols[row];
  u->was = is_new || s->doc.symbol_gone[row];
  graph_copier c;
  copier_of(s, f, &c);
  copy_symbol_row(&c, 0, row);
  s->doc.symbol_gone[row] = 0;
  note_declared(s, row);
  return true;
}

// Where a type still names it, it is declared by that: as any size.
static bool remove_symbol(session_core *s, const session_edit *e, session_failure *failure) {
  shape_graph *g = &s->doc.graph;
  name_id name = intern_find(&g->names, e->text, e->length);
  uint32_t row = name == NAME_NONE ? ID_NONE : graph_find_symbol(g, name);
  if (row == ID_NONE || s->doc.symbol_gone[row])
    return edit_fail(failure, SHAPE_INVALID, "there is no symbol \"%.*s\"",
                     (int)(e->length < 60 ? e->length : 60), e->text);
  undo_step *u = undo(s, UNDO_SYMBOL, row);
  u->symbol = g->declared.symbols[row];
  u->was = 0;
  s->doc.symbol_gone[row] = 1;
  note_declared(s, row);
  return true;
}

static bool assume(session_core *s, const session_edit *e) {
  shape_graph *g = &s->doc.graph;
  uint32_t row = graph_add_assumption(
      g, (graph_assumption){.text = arena_strndup(&s->arena, e->text, e->length),
                            .length = (uint32_t)e->length,
                            .span = SPAN_NONE});
  document_room(&s->doc);
  undo(s, UNDO_ASSUMPTION, row)->was = 1;
  s->doc.assumption_gone[row] = 0;
  id_list_add(&s->change.assumed, &s->arena, row);
  return true;
}

static bool retract(session_core *s, const session_edit *e, session_failure *failure) {
  const shape_graph *g = &s->doc.graph;
  for (uint32_t i = g->declared.assumption_count; i-- > 0;) {
    const graph_assumption *a = &g->declared.assumptions[i];
    if (s->doc.assumption_gone[i] || a->length != e->length ||
        memcmp(a->text, e->text, e->length) != 0)
      continue;
    undo(s, UNDO_ASSUMPTION, i)->was = 0;
    s->doc.assumption_gone[i] = 1;
    id_list_add(&s->change.retracted, &s->arena, i);
    return true;
  }
  return edit_fail(failure, SHAPE_INVALID, "there is no such assumption");
}

bool edit_apply(session_core *s, const session_edit *e, session_fragment_reader *read,
                op_id *inserted, value_id *argument, session_failure *failure) {
  switch (e->kind) {
  case EDIT_INSERT: return insert(s, e, read, inserted, failure);
  case EDIT_REMOVE: return remove_op(s, e, failure);
  case EDIT_REPLACE: return replace(s, e, read, failure);
  case EDIT_RETYPE: return retype(s, e, read, failure);
  case EDIT_REWIRE: return rewire(s, e, failure);
  case EDIT_SYMBOL: return set_symbol(s, e, read, failure);
  case EDIT_REMOVE_SYMBOL: return remove_symbol(s, e, failure);
  case EDIT_INSERT_ARGUMENT: return insert_argument(s, e, read, argument, failure);
  case EDIT_REMOVE_ARGUMENT: return remove_argument(s, e, failure);
  case EDIT_ASSUME: return assume(s, e);
  case EDIT_RETRACT: return retract(s, e, failure);
  case EDIT_KINDS: break;
  }
  return edit_fail(failure, SHAPE_INVALID, "no such edit");
}

// --- is it still a program?

static bool operands_fit(const session_core *s, op_id op, op_id outer, session_failure *failure) {
  const shape_graph *g = &s->doc.graph;
  const graph_op *o = &g->ops[op];
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id v = g->operands[o->operands + i];
    if (v == VALUE_NONE || document_dominates(&s->doc, v, op)) continue;
    return edit_fail(failure, SHAPE_INVALID,
                     "operation %u uses value %u, which is not defined there", outer, v);
  }
  for (uint32_t r = 0; r < o->region_count; r++) {
    const graph_region *region = &g->regions[o->regions + r];
    for (uint32_t b = 0; b < region->block_count; b++) {
      op_id in = g->blocks[region->first_block + b].first;
      for (; in != ID_NONE; in = g->ops[in].next) {
        if (!operands_fit(s, in, outer, failure)) return false;
      }
    }
  }
  return true;
}

bool edit_validate(session_core *s, session_failure *failure) {
  for (uint32_t i = 0; i < s->change.removed.count; i++) {
    const graph_op *o = &s->doc.graph.ops[s->change.removed.ids[i]];
    for (uint32_t k = 0; k < o->result_count; k++) {
      const doc_value *v = &s->doc.values[o->results + k];
      if (!v->use_count) continue;
      return edit_fail(failure, SHAPE_INVALID,
                       "operation %u is removed, but %u still uses value %u",
                       s->change.removed.ids[i], s->doc.uses[v->first_use].op, o->results + k);
    }
  }
  for (uint32_t i = 0; i < s->change.touched.count; i++) {
    op_id op = s->change.touched.ids[i];
    if (s->doc.ops[op].there && !operands_fit(s, op, op, failure)) return false;
  }
  return true;
}
