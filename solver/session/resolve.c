// SPDX-License-Identifier: Apache-2.0
// Solves again what was stated about some symbols, in the order of the program, while everything else stays as it is.
// session.h says why that ends with what a fresh analysis says.
#include <assert.h>
#include <string.h>

#include "solver/session/affected.h"

enum { ROUNDS_MAX = 24 };

static run_symbol *symbols_of(const affected *c) { return c->s->run.index.symbols; }

// That of a symbol's class, until a symbol is seen for the first time: class_of may move the table.
static const run_symbol *class_at(session_core *s, uint32_t symbol) {
  uint32_t root = class_of(s, symbol);
  return &s->run.index.symbols[root];
}

// --- which classes

static void list_class(affected *c, uint32_t root) {
  assert(symbols_of(c)[root].parent == root);
  session_core *s = c->s;
  uint32_t symbol = root;
  do {
    SESSION_GROW(&s->scratch, c->symbols, c->symbol_count, c->symbol_count + 1u,
                 c->symbol_capacity);
    c->symbols[c->symbol_count++] = symbol;
    symbol = symbols_of(c)[symbol].next;
    arena_poll_at(&s->arena, c->symbol_count);
  } while (symbol != root);
}

// The members of a class are solved again from here on. Not where something speaks of one that no visit says.
static bool take_class(affected *c, uint32_t root) {
  assert(!symbols_of(c)[root].solving);
  uint32_t first = c->symbol_count;
  symbols_of(c)[root].solving = true;
  list_class(c, root);
  for (uint32_t i = first; i < c->symbol_count; i++) {
    if (symbols_of(c)[c->symbols[i]].fixed) return false;
  }
  return !symbols_of(c)[root].late;
}

static bool solve_class(affected *c, uint32_t symbol) {
  uint32_t root = class_of(c->s, symbol);
  if (symbols_of(c)[root].solving) return true;
  c->again = true;
  return take_class(c, root);
}

bool resolve_symbol(affected *c, uint32_t symbol) { return solve_class(c, symbol); }

bool resolve_stated(affected *c, op_id op) {
  uint32_t cell = class_op(c->s, op)->stated;
  for (; cell != ID_NONE; cell = c->s->run.index.cells[cell].next) {
    if (!solve_class(c, c->s->run.index.cells[cell].item)) return false;
  }
  return true;
}

// --- what was given

typedef struct joining {
  session_core *s;
  uint32_t root;
} joining;

static void join_symbol(void *data, uint32_t symbol) {
  joining *j = data;
  uint32_t root = class_of(j->s, symbol);
  j->root = j->root == ID_NONE ? root : class_join(j->s, j->root, root);
}

// The one class of all symbols of p; ID_NONE where it has none.
static uint32_t joined(session_core *s, predicate p) {
  joining j = {s, ID_NONE};
  s->run.index.opaque |= class_each_symbol(s, p.left, join_symbol, &j);
  s->run.index.opaque |= class_each_symbol(s, p.right, join_symbol, &j);
  return j.root;
}

static void solve_symbol(void *data, uint32_t symbol) {
  affected *c = data;
  c->fails |= !solve_class(c, symbol);
}

static bool is_settled(const affected *c) { return !c->fails && !c->s->run.index.opaque; }

// The symbols that it is over are solved again, and are of one class from here on; it is stated when they are.
static bool solve_given(affected *c, const run_given *g) {
  session_core *s = c->s;
  const infer_given *given = &g->given;
  if (!given->read) return true;
  class_each_symbol(s, given->p.left, solve_symbol, c);
  class_each_symbol(s, given->p.right, solve_symbol, c);
  if (joined(s, given->p) != ID_NONE || !is_settled(c)) return is_settled(c);
  infer_state_given(s->run.infer, given);  // numbers
  return diags_take(s, DIAG_OF_GIVEN, g->label);
}

// Assumptions of the graph come before those that were pushed.
static bool give(affected *c, const graph_assumption *a, given_kind kind, uint32_t row) {
  session_core *s = c->s;
  dependency_index *all = &s->run.index;
  reason why = {.kind = REASON_ASSUMPTION,
                .required = a->required,
                .subject = ID_NONE,
                .what = infer_assumption_text(a)};
  run_given g = {.kind = kind,
                 .row = row,
                 .label = all->next_label++,
                 .given = {.assumption = *a, .why = why}};
  infer_read_given(s->run.infer, &g.given);
  SESSION_GROW(run_arena(s), all->given, all->given_count, all->given_count + 1u,
               all->given_capacity);
  uint32_t at = all->given_count++;
  for (; at && all->given[at - 1].kind > kind; at--) all->given[at] = all->given[at - 1];
  all->given[at] = g;  // also where it is not followed: resolve_undo takes it back with its label
  return diags_take(s, DIAG_OF_GIVEN, g.label) && solve_given(c, &g);
}

static bool take_given(affected *c, uint32_t at) {
  assert(at < c->s->run.index.given_count);
  dependency_index *all = &c->s->run.index;
  const run_given g = all->given[at];
  uint32_t root = g.given.read ? joined(c->s, g.given.p) : ID_NONE;
  diags_drop(c->s, DIAG_OF_GIVEN, g.label);
  all->given_count--;
  memmove(&all->given[at], &all->given[at + 1], (all->given_count - at) * sizeof *all->given);
  return is_settled(c) && (root == ID_NONE || solve_class(c, root));
}

static bool is_assumed_now(const session_core *s, uint32_t row) {
  for (uint32_t i = 0; i < s->change.assumed.count; i++) {
    if (s->change.assumed.ids[i] == row) return true;
  }
  return false;
}

static bool take_row(affected *c, uint32_t row) {
  const dependency_index *all = &c->s->run.index;
  if (is_assumed_now(c->s, row)) return true;
  for (uint32_t i = 0; i < all->given_count; i++) {
    if (all->given[i].kind == GIVEN_GRAPH && all->given[i].row == row) return take_given(c, i);
  }
  return false;
}

static bool same_predicate(predicate a, predicate b) {
  return a.rel == b.rel && a.left == b.left && a.right == b.right;
}

// Its names are looked up as they are now.
static bool read_again(affected *c, run_given *g) {
  session_core *s = c->s;
  const infer_given was = g->given;
  infer_read_given(s->run.infer, &g->given);
  if (was.read && g->given.read && same_predicate(was.p, g->given.p)) return true;
  diags_drop(s, DIAG_OF_GIVEN, g->label);
  if (!diags_take(s, DIAG_OF_GIVEN, g->label)) return false;
  if (was.read) {
    class_each_symbol(s, was.p.left, solve_symbol, c);
    class_each_symbol(s, was.p.right, solve_symbol, c);
  }
  return is_settled(c) && solve_given(c, g);
}

bool resolve_edits(affected *c, bool names) {
  session_core *s = c->s;
  const dependency_index *all = &s->run.index;
  for (uint32_t i = 0; i < s->change.retracted.count; i++) {
    if (!take_row(c, s->change.retracted.ids[i])) return false;
  }
  for (uint32_t i = 0; names && i < all->given_count; i++) {
    if (!read_again(c, &s->run.index.given[i])) return false;
  }
  for (uint32_t i = 0; i < s->change.assumed.count; i++) {
    uint32_t row = s->change.assumed.ids[i];
    if (s->doc.assumption_gone[row]) continue;
    if (!give(c, &s->doc.graph.declared.assumptions[row], GIVEN_GRAPH, row)) return false;
  }
  for (uint32_t i = s->change.pushed_from; s->change.pushed_from != ID_NONE && i < s->pushes.count;
       i++) {
    if (!give(c, &s->pushes.items[i], GIVEN_PUSHED, i)) return false;
  }
  while (s->change.popped_to != ID_NONE && all->given_count &&
         all->given[all->given_count - 1].kind == GIVEN_PUSHED &&
         all->given[all->given_count - 1].row >= s->change.popped_to) {
    if (!take_given(c, all->given_count - 1)) return false;
  }
  for (uint32_t i = 0; i < s->change.removed.count; i++) {
    if (!s->doc.ops[s->change.removed.ids[i]].there && !resolve_stated(c, s->change.removed.ids[i]))
      return false;
  }
  return true;
}

// --- once more

// Who asked about the symbols is visited again, so all that it stated is solved again too.
static bool queue_askers(affected *c) {
  session_core *s = c->s;
  for (uint32_t i = 0; i < c->symbol_count; i++) {
    uint32_t at = symbols_of(c)[c->symbols[i]].askers;
    for (; at != ID_NONE; at = s->run.index.askers[at].of_symbol) {
      op_id op = s->run.index.askers[at].op;
      if (!s->doc.ops[op].there || (s->doc.ops[op].flags & QUEUED)) continue;
      if (s->doc.ops[op].flags & STICKY) return false;
      affected_push(c, op);
      if (!resolve_stated(c, op)) return false;
      arena_poll_at(&s->arena, at);
    }
  }
  return c->count <= s->run.graph.op_count / 2 + 64;
}

// The members anew, in order: quotients that the store made since follow their dividends.
static void list_members(affected *c) {
  session_core *s = c->s;
  const uint32_t *old = c->symbols, count = c->symbol_count, round = ++s->run.index.rounds;
  c->symbols = NULL;
  c->symbol_count = c->symbol_capacity = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t root = class_of(s, old[i]);
    if (symbols_of(c)[root].round == round) continue;
    symbols_of(c)[root].round = round;
    list_class(c, root);
  }
  c->symbol_count =
      affected_sort(s, c->symbols, c->symbol_count, s->run.infer->terms->symbol_count);
}

static bool forget(affected *c) {
  session_core *s = c->s;
  fact_id *facts = NULL;
  uint32_t count = 0, capacity = 0;
  list_members(c);
  for (uint32_t i = 0; i < c->symbol_count; i++) {
    run_symbol *x = &symbols_of(c)[c->symbols[i]];
    if (x->parent != c->symbols[i]) continue;
    for (uint32_t cell = x->facts; cell != ID_NONE; cell = s->run.index.cells[cell].next) {
      SESSION_GROW(&s->scratch, facts, count, count + 1u, capacity);
      facts[count++] = s->run.index.cells[cell].item;
    }
    x->facts = ID_NONE;
    x->last = ID_NONE;
  }
  s->run.spoiled = true;
  return store_forget(s->run.infer->store, c->symbols, c->symbol_count, facts, count);
}

static void find_solving(void *data, uint32_t symbol) {
  joining *j = data;
  uint32_t root = class_of(j->s, symbol);
  if (j->s->run.index.symbols[root].solving) j->root = root;
}

static bool state_given(affected *c) {
  session_core *s = c->s;
  shape_store *store = s->run.infer->store;
  const dependency_index *all = &s->run.index;
  for (uint32_t i = 0; i < all->given_count; i++) {
    const infer_given *g = &all->given[i].given;
    joining j = {s, ID_NONE};
    if (!g->read) continue;
    class_each_symbol(s, g->p.left, find_solving, &j);
    class_each_symbol(s, g->p.right, find_solving, &j);
    arena_poll_at(&s->arena, i);
    if (j.root == ID_NONE) continue;
    ages_begin(s, AGE_GIVEN + all->given[i].kind, all->given[i].label);
    diags_drop(s, DIAG_OF_GIVEN, all->given[i].label);
    add_result result = infer_state_given(s->run.infer, g);
    if (!diags_take(s, DIAG_OF_GIVEN, all->given[i].label)) return false;
    if (result == ADD_NEW) class_add_fact(s, j.root, store_fact_count(store) - 1);
  }
  return true;
}

bool resolve_again(affected *c) {
  c->again = false;
  if (c->rounds++ >= ROUNDS_MAX || !queue_askers(c)) return false;
  c->again = false;
  return forget(c) && state_given(c);
}

// --- after a visit

typedef struct reading {
  affected *c;
  op_id op;
  bool sure;
  bool changes;   // it stated something new: the classes that it stated of know more from here on
  bool solving;   // one of those that one predicate speaks of is solved again
  uint32_t root;  // of those
} reading;

// What is known of the class must be what was known when a fresh analysis came here.
static void read_asked(void *data, uint32_t symbol) {
  reading *r = data;
  session_core *s = r->c->s;
  const run_symbol *class = class_at(s, symbol);
  bool later = class->last != ID_NONE && s->doc.ops[class->last].order >= s->doc.ops[r->op].order;
  if (!class->solving && (later || class->late)) r->sure = r->sure && solve_class(r->c, symbol);
  class_note_asker(s, r->op, symbol);
}

static void find_any_solving(void *data, uint32_t symbol) {
  reading *r = data;
  r->solving |= class_at(r->c->s, symbol)->solving;
}

// Those that ask later see more than before; those that asked earlier do not.
static void join_later(void *data, uint32_t symbol) {
  reading *r = data;
  affected *c = r->c;
  session_core *s = c->s;
  uint32_t root = class_of(s, symbol);
  if (r->solving && !symbols_of(c)[root].solving) {
    uint32_t first = c->symbol_count;
    r->sure = r->sure && take_class(c, root);
    for (uint32_t i = first; i < c->symbol_count; i++) {
      uint32_t at = symbols_of(c)[c->symbols[i]].askers;
      for (; at != ID_NONE; at = s->run.index.askers[at].of_symbol) {
        op_id op = s->run.index.askers[at].op;
        if (s->doc.ops[op].order > s->doc.ops[r->op].order) affected_push(c, op);
      }
    }
  }
  r->root = r->root == ID_NONE ? root : class_join(s, r->root, root);
}

static void read_stated(reading *r, store_note note) {
  session_core *s = r->c->s;
  r->root = ID_NONE;
  r->solving = r->changes;
  class_each_symbol(s, note.a, find_any_solving, r);
  class_each_symbol(s, note.b, find_any_solving, r);
  class_each_symbol(s, note.a, join_later, r);
  class_each_symbol(s, note.b, join_later, r);
  if (r->root != ID_NONE) class_note_stated(s, r->op, r->root);
}

static void keep_facts(affected *c, fact_id first) {
  session_core *s = c->s;
  const shape_store *store = s->run.infer->store;
  for (fact_id i = first; i < store_fact_count(store); i++) {
    uint32_t root = joined(s, store_fact(store, i)->p);
    if (root != ID_NONE) class_add_fact(s, root, i);
  }
}

// What a visit found that asked the store nothing, stated nothing and made nothing follows from the operands alone.
static void leave_alone(session_core *s, op_id op) {
  run_op *o = class_op(s, op);
  o->stated = ID_NONE;
  o->made = NULL;
  o->made_count = 0;
}

bool resolve_visited(affected *c, op_id op, fact_id first_fact) {
  session_core *s = c->s;
  const store_log *log = &s->run.log.store;
  bool *opaque = &s->run.index.opaque;
  reading r = {.c = c, .op = op, .sure = true};
  r.changes = store_fact_count(s->run.infer->store) != first_fact;
  if (!log->count && !r.changes &&
      s->run.names.ordinal_count == s->run.infer->terms->symbol_count) {
    leave_alone(s, op);
    return !*opaque;
  }
  uint32_t *made = arena_alloc(&s->scratch, ((size_t)log->count + 1) * sizeof *made), count = 0;
  class_op(s, op)->stated = ID_NONE;
  for (uint32_t i = 0; i < log->count; i++) {
    store_note note = log->notes[i];
    if (note.kind == NOTE_MADE) {
      made[count++] = note.a;
      continue;
    }
    *opaque |= class_each_symbol(s, note.a, read_asked, &r);
    if (note.kind == NOTE_STATED) *opaque |= class_each_symbol(s, note.b, read_asked, &r);
  }
  for (uint32_t i = 0; i < log->count; i++) {
    store_note note = log->notes[i];
    if (note.kind == NOTE_STATED && note.a != note.b) read_stated(&r, note);
  }
  keep_facts(c, first_fact);
  stable_ordinals_of(s, made, count);
  class_note_made(s, op, made, count);
  return r.sure && !*opaque;
}

// --- the end

static void note_shapes(affected *c, uint32_t memo) {
  assert(memo < c->s->run.names.shape_memo.count);
  session_core *s = c->s;
  dependency_index *all = &s->run.index;
  s->run.names.memo_keys[memo] = SHAPE_NONE;
  for (uint32_t cell = all->memo_values[memo]; cell != ID_NONE; cell = all->cells[cell].next) {
    if (all->value_memo[all->cells[cell].item] == memo) affected_note(c, all->cells[cell].item);
    arena_poll_at(&s->arena, cell);
  }
}

bool resolve_finish(affected *c) {
  session_core *s = c->s;
  const dependency_index *all = &s->run.index;
  if (s->run.infer->terms->symbol_count) class_symbol(s, s->run.infer->terms->symbol_count - 1);
  ages_begin(s, AGE_END, 0);
  if (store_is_short(s->run.infer->store) || s->run.infer->terms->hashes->compared) return false;
  for (uint32_t i = 0; i < c->symbol_count; i++) {
    uint32_t root = class_of(s, c->symbols[i]);
    symbols_of(c)[root].solving = false;
    uint32_t cell = symbols_of(c)[c->symbols[i]].shapes;
    for (; cell != ID_NONE; cell = all->cells[cell].next) note_shapes(c, all->cells[cell].item);
  }
  return true;
}

void resolve_undo(affected *c) {
  session_core *s = c->s;
  dependency_index *all = &s->run.index;
  for (uint32_t i = 0; i < c->symbol_count; i++) {
    uint32_t root = class_of(s, c->symbols[i]);
    symbols_of(c)[root].solving = false;
  }
  while (s->change.pushed_from != ID_NONE && all->given_count &&
         all->given[all->given_count - 1].kind == GIVEN_PUSHED &&
         all->given[all->given_count - 1].row >= s->change.pushed_from)
    diags_drop(s, DIAG_OF_GIVEN, all->given[--all->given_count].label);
}
