// SPDX-License-Identifier: Apache-2.0
// Who depends on which symbols: classes of symbols, who asked about them, what was stated of them, whose shapes speak
// of them. Built from the log of a whole analysis, kept up by affected.c. See session.h for what it is relied on for.
// Cost: O(1) amortised for each note and each symbol in its terms.
#include <assert.h>
#include <string.h>

#include "solver/session/state.h"

// --- tables

static void make_symbol_room(session_core *s);

run_symbol *class_symbol(session_core *s, uint32_t symbol) {
  if (symbol >= s->run.index.symbol_count) make_symbol_room(s);
  assert(symbol < s->run.index.symbol_count);
  return &s->run.index.symbols[symbol];
}

void class_make_op_room(session_core *s) {
  dependency_index *c = &s->run.index;
  uint32_t old = c->op_capacity;
  assert(old < s->doc.graph.op_count);
  SESSION_GROW(run_arena(s), c->ops, old, s->doc.graph.op_count, c->op_capacity);
  for (uint32_t i = old; i < c->op_capacity; i++)
    c->ops[i] = (run_op){.asks = ID_NONE, .stated = ID_NONE};
}

static uint32_t add_cell(session_core *s, uint32_t item, uint32_t next) {
  dependency_index *c = &s->run.index;
  SESSION_GROW(run_arena(s), c->cells, c->cell_count, c->cell_count + 1u, c->cell_capacity);
  assert(next == ID_NONE || next < c->cell_count);
  c->cells[c->cell_count] = (run_cell){item, next};
  return c->cell_count++;
}

// --- symbols of terms

typedef struct symbol_walk {
  session_core *s;
  void (*visit)(void *data, uint32_t symbol);
  void *data;
  bool function;
} symbol_walk;

// Of what it is made of, each atom is visited itself.
static bool has_atoms(const term_table *terms, const term_node *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    if (term_mask(terms, node->as.args[i])) return true;
  }
  return false;
}

static void visit_atom(void *data, term_id atom) {
  symbol_walk *w = data;
  const term_node *node = term_get(w->s->run.infer->terms, atom);
  if (node->kind == TERM_APPLY && !has_atoms(w->s->run.infer->terms, node)) w->function = true;
  if (node->kind == TERM_SYMBOL) w->visit(w->data, node->as.symbol);
}

bool class_each_symbol(session_core *s, term_id t, void (*visit)(void *data, uint32_t symbol),
                       void *data) {
  term_table *terms = s->run.infer->terms;
  if (t == TERM_NONE) return false;
  const term_node *node = term_get(terms, t);
  if (node->kind == TERM_CONST) return false;
  if (node->kind == TERM_SYMBOL) {
    visit(data, node->as.symbol);
    return false;
  }
  symbol_walk w = {s, visit, data, false};
  term_visit_atoms(terms, t, visit_atom, &w);
  return w.function;
}

// --- classes

uint32_t class_of(session_core *s, uint32_t symbol) {
  run_symbol *all = (class_symbol(s, symbol), s->run.index.symbols);
  while (all[symbol].parent != symbol) {
    assert(all[all[symbol].parent].size > all[symbol].size);
    all[symbol].parent = all[all[symbol].parent].parent;
    symbol = all[symbol].parent;
  }
  return symbol;
}

static bool is_later(const session_core *s, op_id a, op_id b) {
  return b == ID_NONE || (a != ID_NONE && s->doc.ops[a].order > s->doc.ops[b].order);
}

uint32_t class_join(session_core *s, uint32_t a, uint32_t b) {
  dependency_index *c = &s->run.index;
  if (a == b) return a;
  assert(c->symbols[a].parent == a && c->symbols[b].parent == b);
  if (c->symbols[a].size < c->symbols[b].size) {
    uint32_t other = a;
    a = b;
    b = other;
  }
  run_symbol *into = &c->symbols[a], *from = &c->symbols[b];
  from->parent = a;
  into->size += from->size;
  if (from->facts != ID_NONE) {
    c->cells[from->facts_end].next = into->facts;
    if (into->facts == ID_NONE) into->facts_end = from->facts_end;
    into->facts = from->facts;
  }
  if (is_later(s, from->last, into->last)) into->last = from->last;
  into->solving |= from->solving;
  into->late |= from->late;
  uint32_t next = into->next;
  into->next = from->next;
  from->next = next;
  return a;
}

void class_add_fact(session_core *s, uint32_t root, fact_id id) {
  assert(s->run.index.symbols[root].parent == root);
  uint32_t before = s->run.index.symbols[root].facts;
  uint32_t cell = add_cell(s, id, before);
  s->run.index.symbols[root].facts = cell;
  if (before == ID_NONE) s->run.index.symbols[root].facts_end = cell;
}

typedef struct joining {
  session_core *s;
  uint32_t root;  // ID_NONE: none yet
} joining;

static void join_symbol(void *data, uint32_t symbol) {
  joining *j = data;
  uint32_t root = class_of(j->s, symbol);
  j->root = j->root == ID_NONE ? root : class_join(j->s, j->root, root);
}

// Quotients of the store denote terms, and go with the symbols in those.
static void make_symbol_room(session_core *s) {
  dependency_index *c = &s->run.index;
  const infer_result *infer = s->run.infer;
  uint32_t first = c->symbol_count, count = infer->terms->symbol_count;
  SESSION_GROW(run_arena(s), c->symbols, first, count, c->symbol_capacity);
  for (uint32_t i = first; i < count; i++)
    c->symbols[i] = (run_symbol){.parent = i,
                                 .size = 1,
                                 .next = i,
                                 .askers = ID_NONE,
                                 .shapes = ID_NONE,
                                 .facts = ID_NONE,
                                 .last = ID_NONE};
  c->symbol_count = count;
  for (uint32_t i = first; i < count; i++) {
    term_id meaning;
    num divisor;
    if (!store_fresh_meaning(infer->store, i, &meaning, &divisor)) continue;
    joining j = {s, class_of(s, i)};
    class_each_symbol(s, meaning, join_symbol, &j);
  }
}

// --- notes

void class_note_stated(session_core *s, op_id op, uint32_t root) {
  dependency_index *c = &s->run.index;
  run_symbol *class = &c->symbols[root];
  assert(class->parent == root);
  if (is_later(s, op, class->last)) class->last = op;
  run_op *o = class_op(s, op);
  for (uint32_t cell = o->stated, n = 0; cell != ID_NONE && n < 8;
       cell = c->cells[cell].next, n++) {
    if (class_of(s, c->cells[cell].item) == root) return;
  }
  uint32_t cell = add_cell(s, root, o->stated);
  o->stated = cell;
}

// Most operations ask about few symbols. One that asks about very many has some of them twice.
void class_note_asker(session_core *s, op_id op, uint32_t symbol) {
  enum { LOOKED_AT = 64 };
  dependency_index *c = &s->run.index;
  run_op *o = class_op(s, op);
  run_symbol *x = class_symbol(s, symbol);
  uint32_t at = o->asks;
  for (uint32_t n = 0; at != ID_NONE && n < LOOKED_AT; at = c->askers[at].of_op, n++) {
    if (c->askers[at].symbol == symbol) return;
  }
  SESSION_GROW(run_arena(s), c->askers, c->asker_count, c->asker_count + 1u, c->asker_capacity);
  c->askers[c->asker_count] = (run_asker){op, symbol, x->askers, o->asks};
  x->askers = o->asks = c->asker_count++;
}

void class_note_made(session_core *s, op_id op, const uint32_t *symbols, uint32_t count) {
  run_op *o = class_op(s, op);
  o->made_count = count;
  o->made = NULL;
  if (!count) return;
  o->made = arena_alloc(run_arena(s), count * sizeof *o->made);
  memcpy(o->made, symbols, count * sizeof *o->made);
}

static void fix_symbol(void *data, uint32_t symbol) { class_symbol(data, symbol)->fixed = true; }

typedef struct shape_walk {
  session_core *s;
  uint32_t memo;
} shape_walk;

static void note_shape_symbol(void *data, uint32_t symbol) {
  const shape_walk *w = data;
  uint32_t cell = add_cell(w->s, w->memo, class_symbol(w->s, symbol)->shapes);
  w->s->run.index.symbols[symbol].shapes = cell;
}

void class_note_shape(session_core *s, value_id value, uint32_t memo, const term_id *dims,
                      uint32_t rank, bool fresh, bool fixed) {
  dependency_index *c = &s->run.index;
  uint32_t old = c->value_capacity, olds = c->memo_value_capacity, oldf = c->memo_fixed_capacity;
  SESSION_GROW(run_arena(s), c->value_memo, old, (size_t)value + 1, c->value_capacity);
  for (uint32_t i = old; i < c->value_capacity; i++) c->value_memo[i] = ID_NONE;
  SESSION_GROW(run_arena(s), c->memo_values, olds, (size_t)memo + 1, c->memo_value_capacity);
  for (uint32_t i = olds; i < c->memo_value_capacity; i++) c->memo_values[i] = ID_NONE;
  SESSION_GROW(run_arena(s), c->memo_fixed, oldf, (size_t)memo + 1, c->memo_fixed_capacity);
  if (c->memo_fixed_capacity > oldf) memset(c->memo_fixed + oldf, 0, c->memo_fixed_capacity - oldf);
  if (c->value_memo[value] != memo) {
    c->value_memo[value] = memo;
    c->memo_values[memo] = add_cell(s, value, c->memo_values[memo]);
  }
  if (fixed && !c->memo_fixed[memo]) {
    c->memo_fixed[memo] = 1;
    for (uint32_t i = 0; i < rank; i++) c->opaque |= class_each_symbol(s, dims[i], fix_symbol, s);
  }
  if (!fresh) return;
  shape_walk w = {s, memo};
  for (uint32_t i = 0; i < rank; i++)
    c->opaque |= class_each_symbol(s, dims[i], note_shape_symbol, &w);
}

void class_fix(session_core *s, const term_id *dims, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++)
    s->run.index.opaque |= class_each_symbol(s, dims[i], fix_symbol, s);
}

// --- the log of a whole analysis

typedef struct note_reader {
  session_core *s;
  op_id op;       // of the program: what a visit of it would note again
  bool given;     // nothing was visited yet
  uint32_t root;  // of what is stated
  uint32_t *made;
  uint32_t made_count, made_capacity;
} note_reader;

static void read_symbol(void *data, uint32_t symbol) {
  note_reader *r = data;
  if (r->op != ID_NONE) {
    class_note_asker(r->s, r->op, symbol);
  } else if (!r->given) {
    class_symbol(r->s, symbol)->fixed = true;
  }
}

static void read_note(note_reader *r, store_note note) {
  session_core *s = r->s;
  if (note.kind == NOTE_MADE) {
    if (r->op != ID_NONE) {
      SESSION_GROW(&s->scratch, r->made, r->made_count, r->made_count + 1u, r->made_capacity);
      r->made[r->made_count++] = note.a;
    } else if (!r->given) {
      class_symbol(s, note.a)->fixed = true;
    }
    return;
  }
  s->run.index.opaque |= class_each_symbol(s, note.a, read_symbol, r);
  if (note.kind != NOTE_STATED) return;
  s->run.index.opaque |= class_each_symbol(s, note.b, read_symbol, r);
  if (note.a == note.b) return;
  joining j = {s, ID_NONE};
  class_each_symbol(s, note.a, join_symbol, &j);
  class_each_symbol(s, note.b, join_symbol, &j);
  if (j.root == ID_NONE) return;
  if (r->op != ID_NONE) class_note_stated(s, r->op, j.root);
  bool own = r->op != ID_NONE && !(s->doc.ops[r->op].flags & STICKY);
  if (!own && !r->given) s->run.index.symbols[j.root].late = true;
}

static void read_notes(session_core *s) {
  const infer_log *log = &s->run.log;
  note_reader r = {.s = s, .op = ID_NONE, .given = true};
  for (uint32_t t = 0, n = 0; n < log->store.count; n++) {
    for (; t < log->step_count && log->steps[t].first <= n; t++) {
      op_id op = log->steps[t].op;
      bool own = op != ID_NONE && !log->steps[t].frame && run_is_own(s, op);
      assert(op == ID_NONE || op < s->run.graph.op_count);
      op_id mine = own ? s->run.graph.ops[op].span.begin : ID_NONE;
      if (mine != r.op && r.made_count) {
        class_note_made(s, r.op, r.made, r.made_count);
        r.made_count = 0;
      }
      r.op = mine;
      r.given = false;
    }
    read_note(&r, log->store.notes[n]);
    arena_poll_at(&s->arena, n);
  }
  if (r.made_count) class_note_made(s, r.op, r.made, r.made_count);
}

static void read_facts(session_core *s) {
  const shape_store *store = s->run.infer->store;
  for (fact_id i = 0; i < store_fact_count(store); i++) {
    const fact *f = store_fact(store, i);
    if (f->scope) continue;
    joining j = {s, ID_NONE};
    class_each_symbol(s, f->p.left, join_symbol, &j);
    class_each_symbol(s, f->p.right, join_symbol, &j);
    if (j.root != ID_NONE) class_add_fact(s, j.root, i);
  }
}

static void read_given(session_core *s) {
  dependency_index *c = &s->run.index;
  const infer_log *log = &s->run.log;
  uint32_t graph = s->run.graph.declared.assumption_count, row = 0, passed = 0;
  c->given = arena_alloc(run_arena(s), ((size_t)log->given_count + 1) * sizeof *c->given);
  c->given_count = log->given_count;
  c->given_capacity = log->given_count + 1;
  for (uint32_t i = 0; i < log->given_count; i++) {
    run_given *g = &c->given[i];
    *g = (run_given){log->given[i], GIVEN_BOUND, ID_NONE, c->next_label++};
    uint32_t subject = g->given.why.subject;
    if (g->given.why.kind != REASON_ASSUMPTION) continue;
    g->kind = subject < graph ? GIVEN_GRAPH : GIVEN_PUSHED;
    g->row = subject - graph;
    if (g->kind == GIVEN_PUSHED) continue;
    // The run's graph has the program's assumptions but for those that are gone.
    for (; row < s->doc.graph.declared.assumption_count; row++) {
      if (s->doc.assumption_gone[row]) continue;
      if (passed++ == subject) break;
    }
    assert(row < s->doc.graph.declared.assumption_count);
    g->row = row++;
  }
}

void classes_build(session_core *s) {
  make_symbol_room(s);
  if (s->doc.graph.op_count) class_op(s, s->doc.graph.op_count - 1);
  read_notes(s);
  read_facts(s);
  read_given(s);
}
