// SPDX-License-Identifier: Apache-2.0
// Taking back what is known about some symbols, so that it can be solved again, in place.
//
// What is known about symbols that no fact ties to others is apart: their definitions, the forms and the defined
// atoms over them, the rules of products of them. All of it is found from the watch lists, which hold for every atom
// what is on it. First everything is gathered and inspected; only where no other symbol turns up is it cleared.
// Memos of canonical terms are not looked for: one that is older than this is believed again when no symbol in its term
// was forgotten since (forgot_part_of).
#include <string.h>

#include "solver/base/sorted.h"
#include "solver/facts/core.h"

void store_keep_log(shape_store *s, store_log *log) { s->log = log; }

void log_note(shape_store *s, store_note_kind kind, uint32_t a, uint32_t b) {
  store_log *log = s->log;
  const store_note note = {kind, a, b};
  const store_note *last = log->count > log->first ? &log->notes[log->count - 1] : NULL;
  if (last && last->kind == kind && last->a == a && last->b == b && kind == NOTE_ASKED) return;
  STORE_GROW(s, log->notes, log->count, log->count + 1u, log->capacity);
  log->notes[log->count++] = note;
}

bool store_is_short(const shape_store *s) { return s->bus.is_short || s->named.by_term.count; }

typedef struct forgotten_search {
  uint32_t stamp;
  bool found;
} forgotten_search;

static void find_forgotten(shape_store *s, void *data, term_id atom) {
  forgotten_search *f = data;
  const term_node *node = term_get(s->terms, atom);
  f->found |= node->kind == TERM_SYMBOL && node->as.symbol < s->symbols.count &&
              s->symbols.items[node->as.symbol].forgotten > f->stamp;
}

bool forgot_part_of(shape_store *s, term_id t, uint32_t stamp) {
  forgotten_search f = {stamp, false};
  canon_each_atom(s, t, find_forgotten, &f);
  return f.found;
}

// --- gathering

typedef struct part {
  term_id *atoms;  // reached; a queue
  uint32_t atom_count, atom_capacity;
  term_id *products;  // with definitions
  uint32_t product_count, product_capacity;
  uint32_t *forms;
  uint32_t form_count, form_capacity;
  shape_imap seen;  // atoms; forms above them
  uint32_t mark;    // forgotten counts as this mark while the symbols are separated from others
  bool closed;
} part;

#define PART_GROW(s, array, count, capacity)                                                       \
  ((array) =                                                                                       \
       arena_grow(&(s)->scratch, (array), (count), (count) + 1u, &(capacity), sizeof *(array)))

static bool first_time(shape_store *s, part *p, uint64_t key) {
  uint32_t value;
  if (imap_get(&p->seen, key, &value)) return false;
  imap_put(&p->seen, &s->scratch, key, 1);
  return true;
}

// A symbol that is not to be forgotten, or a function of no symbol, which belongs to no symbol.
static bool is_foreign(shape_store *s, const part *p, const term_node *node) {
  if (node->kind == TERM_SYMBOL)
    return store_symbol_record(s, node->as.symbol)->forgotten != p->mark;
  uint64_t mask = 0;
  for (uint32_t i = 0; i < node->count; i++) mask |= term_mask(s->terms, node->as.args[i]);
  return !mask;
}

static void reach_atom(shape_store *s, void *data, term_id atom) {
  part *p = data;
  if (!first_time(s, p, atom)) return;
  if (is_foreign(s, p, term_get(s->terms, atom))) p->closed = false;
  PART_GROW(s, p->atoms, p->atom_count, p->atom_capacity);
  p->atoms[p->atom_count++] = atom;
}

static void reach_form(shape_store *s, part *p, uint32_t id) {
  if (!s->forms.items[id].live || !first_time(s, p, UINT64_C(1) << 40 | id)) return;
  PART_GROW(s, p->forms, p->form_count, p->form_capacity);
  p->forms[p->form_count++] = id;
  canon_each_atom(s, s->forms.items[id].term, reach_atom, p);
}

static void reach_definition(shape_store *s, part *p, term_id t) {
  term_id def = store_info(s, t)->def;
  if (def != TERM_NONE) canon_each_atom(s, def, reach_atom, p);
}

static void reach_around(shape_store *s, part *p, term_id atom) {
  uint32_t form = store_info(s, atom)->form;
  if (form != NONE) reach_form(s, p, form);
  canon_each_atom(s, atom, reach_atom, p);
  reach_definition(s, p, atom);
  uint32_t cell = store_info(s, atom)->watch & WATCH_END;
  for (; cell != WATCH_END; cell = s->watches.cells[cell].next) {
    watch_cell watched = s->watches.cells[cell];
    if (watched.kind == WATCH_FORM) {
      reach_form(s, p, watched.item);
    } else {
      reach_atom(s, p, watched.item);
    }
  }
  cell = store_info(s, atom)->rules & WATCH_END;
  for (; cell != WATCH_END; cell = s->watches.cells[cell].next) {
    term_id product = s->watches.cells[cell].item;
    if (!first_time(s, p, UINT64_C(1) << 41 | product)) continue;
    PART_GROW(s, p->products, p->product_count, p->product_capacity);
    p->products[p->product_count++] = product;
    canon_each_atom(s, product, reach_atom, p);
    reach_definition(s, p, product);
  }
}

// --- clearing

static void clear_definition(shape_store *s, term_id t) {
  term_info *info = store_info(s, t);
  info->def = TERM_NONE;
  info->def_proof = PROOF_NONE;
}

static void clear_all(shape_store *s, const part *p) {
  for (uint32_t i = 0; i < p->form_count; i++) {
    store_form *form = &s->forms.items[p->forms[i]];
    form->live = false;
    store_info(s, form->term)->form = NONE;
    if (form->rule != TERM_NONE) clear_definition(s, form->rule);
  }
  for (uint32_t i = 0; i < p->product_count; i++) clear_definition(s, p->products[i]);
  for (uint32_t i = 0; i < p->atom_count; i++) {
    clear_definition(s, p->atoms[i]);
    term_info *info = store_info(s, p->atoms[i]);
    info->watch = info->rules = info->form = NONE;
  }
}

// Ids of facts grow along the list. NONE where it is not there.
static uint32_t position_of(const shape_store *s, fact_id id) {
  uint32_t low = sorted_before(s->facts.live, s->facts.live_count, sizeof *s->facts.live, 0, id);
  return low < s->facts.live_count && s->facts.live[low] == id ? low : NONE;
}

static void drop_facts(shape_store *s, const fact_id *facts, uint32_t count) {
  uint32_t *positions = arena_alloc(&s->scratch, ((size_t)count + 1) * sizeof *positions);
  uint32_t first = s->facts.live_count, kept;
  for (uint32_t i = 0; i < count; i++) positions[i] = position_of(s, facts[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (positions[i] == NONE) continue;
    s->facts.live[positions[i]] = FACT_NONE;
    if (positions[i] < first) first = positions[i];
  }
  kept = first;
  for (uint32_t i = first; i < s->facts.live_count; i++) {
    if (s->facts.live[i] != FACT_NONE) s->facts.live[kept++] = s->facts.live[i];
  }
  s->facts.live_count = kept;
}

bool store_forget(shape_store *s, const uint32_t *symbols, uint32_t count, const fact_id *facts,
                  uint32_t fact_count) {
  if (s->scopes.count || s->trail.in_add) return false;
  arena_mark mark = arena_get_mark(&s->scratch);
  part p = {.mark = s->changes.defs + 1, .closed = true};
  // Memos that are current when this begins are not after it, whether it comes to its end or not.
  s->changes.forgotten = ++s->changes.defs;
  reach_add(&s->changes.defined, s->changes.defs, 0);
  reach_add(&s->changes.bounded, ++s->changes.bounds, 0);
  for (uint32_t i = 0; i < count; i++) store_symbol_record(s, symbols[i])->forgotten = p.mark;
  for (uint32_t i = 0; i < count; i++) {
    term_id term = store_symbol_record(s, symbols[i])->term;
    if (term != TERM_NONE) reach_atom(s, &p, term);
  }
  for (uint32_t i = 0; i < p.atom_count && p.closed; i++) reach_around(s, &p, p.atoms[i]);
  if (p.closed) {
    clear_all(s, &p);
    drop_facts(s, facts, fact_count);
    s->changes.version++;
    for (uint32_t i = 0; i < count; i++) {
      if (s->symbols.items[symbols[i]].meaning != TERM_NONE) continue;
      term_age_behind(s->terms, symbols[i]);
      store_redeclare(s, symbols[i]);
    }
  }
  arena_rewind(&s->scratch, mark);
  return p.closed;
}
