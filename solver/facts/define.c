// SPDX-License-Identifier: Apache-2.0
// Giving an atom its definition, and what that moves: its own bounds, the forms that hold it, the definitions of other
// atoms that hold it.
//
// Moving everything at once keeps all in canonical form, but would be quadratic where a long list moves again and again.
// So moves are paid from the store's credit; when that is spent, the list stays where it is, after a link from the
// symbols of the definition. Such stale forms are not found by cheap queries any more, and still by full ones.
#include <assert.h>

#include "solver/facts/core.h"

// Puts a cell first in a list of the atom.
static inline void push_cell(shape_store *s, uint32_t *first, watch_cell cell) {
  if (s->watches.count >= WATCH_END) arena_fail(s->arena, SHAPE_MEMORY);
  STORE_GROW(s, s->watches.cells, s->watches.count, s->watches.count + 1u, s->watches.capacity);
  assert(term_is_atom(s->terms, cell.atom));
  assert(cell.item < (cell.kind == WATCH_FORM ? s->forms.count : s->terms->count));
  cell.next = *first & WATCH_END;
  s->watches.cells[s->watches.count] = cell;
  *first = s->watches.count++;
}

typedef struct watching {
  uint32_t mark;  // of atoms that were met
  uint32_t item;
  watch_kind kind;
  term_id but;  // no list of this atom
} watching;

// False where the atom was met before.
static inline bool watch_atom(shape_store *s, const watching *w, term_id atom) {
  term_info *info = &s->infos[atom];
  if (info->mark == w->mark) return false;
  info->mark = w->mark;
  if (atom != w->but)
    push_cell(s, &info->watch, (watch_cell){.item = w->item, .kind = w->kind, .atom = atom});
  return true;
}

// There is a record of each atom in t. Symbols and last arguments need no call: most terms are chains of those.
static void watch_from(shape_store *s, const watching *w, term_id t) {
  for (;;) {
    const term_node *node = term_get(s->terms, t);
    if (node->kind == TERM_SUM) {
      for (uint32_t i = 0; i < node->count; i++) watch_from(s, w, node->as.parts[i].monomial);
      return;
    }
    if (node->kind == TERM_PRODUCT) {
      for (uint32_t i = 0; i < node->count; i++) watch_from(s, w, node->as.powers[i].atom);
      return;
    }
    if (node->kind == TERM_CONST) return;
    if (!watch_atom(s, w, t) || node->kind == TERM_SYMBOL || !node->count) return;
    for (uint32_t i = 0; i + 1 < node->count; i++) {
      term_id arg = node->as.args[i];
      if (term_kind_of(s->terms, arg) == TERM_SYMBOL) {
        watch_atom(s, w, arg);
      } else {
        watch_from(s, w, arg);
      }
    }
    t = node->as.args[node->count - 1];
  }
}

void store_watch_atoms(shape_store *s, term_id t, term_id but, uint32_t item, watch_kind kind) {
  store_info(s, t);  // and of what is in it, whose ids are smaller
  watch_from(s, &(watching){++s->mark, item, kind, but}, t);
}

static void watch_definition(shape_store *s, term_id atom, term_id def) {
  const watching w = {++s->mark, atom, WATCH_ATOM, atom};
  store_info(s, atom > def ? atom : def);
  watch_from(s, &w, atom);
  watch_from(s, &w, def);
}

// Takes back the definition of an atom that is no symbol.
static bool take_back(shape_store *s, term_id atom, term_id *def, proof_id *proof) {
  term_info *info = store_info(s, atom);
  if (info->def == TERM_NONE) return false;
  *def = info->def;
  *proof = info->def_proof;
  trail_atom(s, atom);
  info->def = TERM_NONE;
  info->def_proof = PROOF_NONE;
  s->changes.atoms_undone = ++s->changes.defs;
  return true;
}

static void move_item(shape_store *s, watch_cell watched) {
  term_id def;
  proof_id proof;
  if (watched.kind == WATCH_ATOM) {
    if (take_back(s, watched.item, &def, &proof)) {
      store_post(s, EVENT_EQ, term_sub(s->terms, watched.item, def), proof);
    }
  } else if (watched.kind == WATCH_FORM && s->forms.items[watched.item].live) {
    form_release(s, watched.item);
  }
}

// A definition that can not be moved becomes a form, as it is, so that nothing follows it any more (see core.h).
static void park_item(shape_store *s, watch_cell watched) {
  term_id def;
  proof_id proof;
  num k, offset;
  if (watched.kind == WATCH_FORM && s->forms.items[watched.item].rule != TERM_NONE) {
    canon_release_product(s, s->forms.items[watched.item].rule);
    trail_form(s, watched.item);
    s->forms.items[watched.item].rule = TERM_NONE;
  }
  if (watched.kind != WATCH_ATOM || !take_back(s, watched.item, &def, &proof)) return;
  term_id base = form_split(s, term_sub(s->terms, watched.item, def), &k, &offset);
  if (!num_divides(s->budget, k, offset)) return;
  uint32_t form = form_make(s, base);
  trail_form(s, form);
  num value = num_neg(s->budget, num_floordiv(s->budget, offset, k));
  s->forms.items[form].range = interval_point(value);
  form_moved(s, form);
  s->forms.items[form].lo_proof = s->forms.items[form].hi_proof = proof;
}

static void move_watchers(shape_store *s, term_id atom, term_id term, uint32_t cell) {
  bool left_behind = false;
  for (; cell != WATCH_END; cell = s->watches.cells[cell].next) {
    assert(cell < s->watches.count);
    watch_cell watched = s->watches.cells[cell];
    if (watched.kind == WATCH_LINK) {
      left_behind = true;
    } else if (s->bus.credit) {
      s->bus.credit--;
      move_item(s, watched);
    } else {
      park_item(s, watched);
      left_behind = true;
    }
  }
  if (left_behind) store_watch_atoms(s, term, TERM_NONE, atom, WATCH_LINK);
}

// --- products

static void find_atom(shape_store *s, void *data, term_id atom) {
  if (term_kind_of(s->terms, atom) != TERM_SYMBOL) *(bool *)data = false;
}

// Symbols only: rewriting with such rules ends by the order of monomials alone.
static bool is_plain(shape_store *s, term_id t) {
  bool plain = true;
  canon_each_atom(s, t, find_atom, &plain);
  return plain;
}

// What the new rule for `product` reduces is to be made again.
static bool is_stale(shape_store *s, watch_cell watched, term_id product, bool plain) {
  if (watched.kind == WATCH_ATOM) {
    const term_info *info = store_info(s, watched.item);
    if (info->def == TERM_NONE) return false;
    term_id def = info->def;
    if (!canon_is_irreducible(s, def)) return true;
    uint32_t count = term_get(s->terms, watched.item)->count;
    for (uint32_t i = 0; i < count; i++) {
      term_id arg = term_get(s->terms, watched.item)->as.args[i];
      if (!canon_is_irreducible(s, arg)) return true;
    }
    return false;
  }
  const store_form *form = &s->forms.items[watched.item];
  if (watched.kind != WATCH_FORM || !form->live || form->rule == product) return false;
  if (form->rule == TERM_NONE) return !canon_is_irreducible(s, form->term);
  if (canon_divides(s->terms, product, form->rule)) return true;
  if (plain && is_plain(s, form->term)) return false;
  return !canon_is_irreducible(s, store_info(s, form->rule)->def);
}

void canon_define_product(shape_store *s, term_id product, term_id term, uint32_t form,
                          proof_id proof) {
  assert(form < s->forms.count && s->forms.items[form].live &&
         store_info(s, product)->def == TERM_NONE);
  trail_form(s, form);
  s->forms.items[form].rule = product;
  trail_atom(s, product);
  term_info *info = store_info(s, product);
  info->def = term;
  info->def_proof = proof;
  // Kept at its youngest atom: fewest products and forms hold that one.
  const term_node *node = term_get(s->terms, product);
  term_id home = node->as.powers[node->count - 1].atom;
  reach_add(&s->changes.defined, ++s->changes.defs, home);
  s->changes.version++;
  info = store_info(s, home);
  push_cell(s, &info->rules, (watch_cell){.item = product, .kind = WATCH_RULE, .atom = home});
  uint32_t cell = info->watch & WATCH_END;
  bool plain = is_plain(s, s->forms.items[form].term);
  for (; cell != WATCH_END; cell = s->watches.cells[cell].next) {
    watch_cell watched = s->watches.cells[cell];
    if (!is_stale(s, watched, product, plain)) continue;
    if (s->bus.credit) {
      s->bus.credit--;
      move_item(s, watched);
    } else {
      park_item(s, watched);
    }
  }
  if (form_find(s, product) != NONE && form_find(s, product) != form) {
    form_release(s, form_find(s, product));
  }
}

void canon_release_product(shape_store *s, term_id product) {
  term_id def;
  proof_id proof;
  take_back(s, product, &def, &proof);
}

// --- symbols and other atoms

// What is known of a symbol by declaration must hold of the term that defines it.
static void post_declared(shape_store *s, term_id symbol, term_id term, proof_id proof) {
  assert(term_kind_of(s->terms, symbol) == TERM_SYMBOL);
  symbol_info info = store_symbol_record(s, term_get(s->terms, symbol)->as.symbol)->info;
  interval known = range_of(s, term, WANT_BOTH, NULL);
  bool low_known = known.has_lo && info.range.has_lo && num_compare(known.lo, info.range.lo) >= 0;
  bool high_known = known.has_hi && info.range.has_hi && num_compare(known.hi, info.range.hi) <= 0;
  if (info.range.has_lo && !low_known) {
    term_id d = term_sub(s->terms, term, term_const(s->terms, info.range.lo));
    store_post(s, EVENT_GE, d, proof);
  }
  if (info.range.has_hi && !high_known) {
    term_id d = term_sub(s->terms, term_const(s->terms, info.range.hi), term);
    store_post(s, EVENT_GE, d, proof);
  }
}

void canon_define(shape_store *s, term_id atom, term_id term, proof_id proof) {
  assert(store_info(s, atom)->def == TERM_NONE);
  assert(term_is_atom(s->terms, atom) && atom != term);
  bool is_symbol = term_kind_of(s->terms, atom) == TERM_SYMBOL;
  term_info *info = store_info(s, atom);
  uint32_t form = info->form;
  uint32_t cell = info->watch & WATCH_END;
  trail_atom(s, atom);
  info->def = term;
  info->def_proof = proof;
  reach_add(&s->changes.defined, ++s->changes.defs, atom);
  s->changes.version++;
  s->changes.symbols_defined |= is_symbol;
  if (!is_symbol) watch_definition(s, atom, term);
  if (form != NONE && s->forms.items[form].live) {
    form_release(s, form);
  } else if (is_symbol) {
    post_declared(s, atom, term, proof);
  }
  move_watchers(s, atom, term, cell);
}
