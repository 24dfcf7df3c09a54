// SPDX-License-Identifier: Apache-2.0
// The solved form: following definitions to canonical terms. See core.h for the invariants.
//
// canon() rebuilds a term from its canonical parts, so atoms whose arguments became equal become the same atom: this is
// congruence closure by hash-consing (Downey, Sethi and Tarjan 1980), with the proof of each step kept beside the memo
// (Nieuwenhuis and Oliveras 2005).
#include <assert.h>

#include "solver/facts/core.h"
#include "solver/facts/narrate.h"

// What a reduction rests on.
typedef struct reduction {
  proof_id proof;
  bool uses_atom;
} reduction;

static term_id reduce(shape_store *s, term_id t, reduction *why);

static bool is_current_again(const shape_store *s, term_info *info) {
  if (info->uses_atom && info->stamp < s->changes.atoms_undone) return false;
  if (!reach_spares(&s->changes.defined, info->stamp, info->canon)) return false;
  info->stamp = s->changes.defs;
  return true;
}

// No definition since the memo was last seen to be canonical is of an atom in it.
static inline bool is_current(const shape_store *s, term_info *info) {
  if (info->canon == TERM_NONE) return false;
  return info->stamp == s->changes.defs || is_current_again(s, info);
}

// The memo may be followed further (it may have more to reduce); not so when it used what was taken back.
static bool is_usable(shape_store *s, term_id t, const term_info *info) {
  if (info->canon == TERM_NONE || (info->uses_atom && info->stamp < s->changes.atoms_undone))
    return false;
  return info->stamp >= s->changes.forgotten || !forgot_part_of(s, t, info->stamp);
}

static void set_memo(shape_store *s, term_id t, term_id canon, reduction why) {
  assert(canon < s->terms->count);
  term_info *info = store_info(s, t);
  if (info->canon != canon || info->proof != why.proof) trail_memo(s, t);
  info->canon = canon;
  info->proof = why.proof;
  info->stamp = s->changes.defs;
  info->uses_atom = why.uses_atom;
}

static void add_reason(shape_store *s, reduction *why, proof_id proof, bool uses_atom) {
  why->proof = proof_join(s, why->proof, proof);
  why->uses_atom |= uses_atom;
}

bool canon_divides(const term_table *terms, term_id product, term_id t) {
  const term_node *a = term_get(terms, product), *b = term_get(terms, t);
  assert(a->kind == TERM_PRODUCT && b->kind == TERM_PRODUCT);
  uint32_t k = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    term_power power = a->as.powers[i];
    while (k < b->count && b->as.powers[k].atom != power.atom) k++;
    if (k == b->count || b->as.powers[k].exponent < power.exponent) return false;
  }
  return true;
}

// A defined product that divides the product t, or TERM_NONE.
static term_id find_rule(shape_store *s, term_id t) {
  assert(term_kind_of(s->terms, t) == TERM_PRODUCT);
  if (store_info(s, t)->def != TERM_NONE) return t;
  uint32_t count = term_get(s->terms, t)->count;
  for (uint32_t i = 0; i < count; i++) {
    term_id atom = term_get(s->terms, t)->as.powers[i].atom;
    uint32_t cell = store_info(s, atom)->rules & WATCH_END;
    for (uint32_t n = 0; cell != WATCH_END && n < FACTS_RULES_TRIED;
         n++, cell = s->watches.cells[cell].next) {
      term_id rule = s->watches.cells[cell].item;
      if (store_info(s, rule)->def != TERM_NONE && canon_divides(s->terms, rule, t)) return rule;
    }
  }
  return TERM_NONE;
}

static bool is_irreducible(shape_store *s, term_id t, bool products) {
  const term_node *node = term_get(s->terms, t);
  switch (node->kind) {
  case TERM_CONST: return true;
  case TERM_SUM:
    for (uint32_t i = 0; i < node->count; i++) {
      if (!is_irreducible(s, node->as.parts[i].monomial, products)) return false;
    }
    return true;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node->count; i++) {
      if (!is_irreducible(s, node->as.powers[i].atom, true)) return false;
    }
    return !products || find_rule(s, t) == TERM_NONE;
  default: break;
  }
  term_info *info = store_info(s, t);
  if (info->def != TERM_NONE) return false;
  if (node->kind == TERM_SYMBOL || (info->canon == t && is_current(s, info))) return true;
  for (uint32_t i = 0; i < node->count; i++) {
    if (!is_irreducible(s, node->as.args[i], true)) return false;
  }
  info = store_info(s, t);
  if (info->canon == t) info->stamp = s->changes.defs;
  return true;
}

bool canon_is_irreducible(shape_store *s, term_id t) { return is_irreducible(s, t, true); }
bool canon_has_canonical_atoms(shape_store *s, term_id t) { return is_irreducible(s, t, false); }

static void push_part(shape_store *s, num coefficient, term_id monomial) {
  STORE_GROW(s, s->stacks.parts, s->stacks.part_count, s->stacks.part_count + 1u,
             s->stacks.part_capacity);
  s->stacks.parts[s->stacks.part_count++] = (term_part){coefficient, monomial};
}

// Is it canonical, and for no reason? Most parts of sums are.
static inline bool stays(shape_store *s, term_id t) {
  const term_info *info = store_info(s, t);
  return info->canon == t && info->stamp == s->changes.defs && info->proof == PROOF_NONE &&
         !info->uses_atom;
}

static term_id reduce_sum(shape_store *s, term_id t, reduction *why) {
  uint32_t bottom = s->stacks.part_count, same = 0;
  const term_part *own = term_get(s->terms, t)->as.parts;  // stay where they are
  uint32_t count = term_get(s->terms, t)->count;
  while (same < count && (own[same].monomial == TERM_ONE || stays(s, own[same].monomial))) same++;
  if (same == count) return t;
  bool changed = false;
  // There is room also where all parts become 0, so that the sum below is of no parts, not of no memory.
  STORE_GROW(s, s->stacks.parts, s->stacks.part_count, s->stacks.part_count + count,
             s->stacks.part_capacity);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = own[i];
    bool is_same = i < same || part.monomial == TERM_ONE;
    term_id r = is_same ? part.monomial : reduce(s, part.monomial, why);
    if (r == part.monomial) {
      push_part(s, part.coefficient, r);
      continue;
    }
    changed = true;
    const term_part *parts;
    term_part room;
    uint32_t n = term_parts(s->terms, r, &parts, &room);
    for (uint32_t k = 0; k < n; k++) {
      push_part(s, num_mul(s->budget, part.coefficient, parts[k].coefficient), parts[k].monomial);
    }
  }
  if (changed) t = term_sum(s->terms, s->stacks.parts + bottom, s->stacks.part_count - bottom);
  s->stacks.part_count = bottom;
  return t;
}

static term_id reduce_product(shape_store *s, term_id t, reduction *why) {
  uint32_t count = term_get(s->terms, t)->count;
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    term_id atom = term_get(s->terms, t)->as.powers[i].atom;
    changed |= reduce(s, atom, why) != atom;
  }
  if (!changed) return t;
  term_id result = TERM_ONE;
  reduction seen = {PROOF_NONE, false};
  for (uint32_t i = 0; i < count; i++) {
    term_power power = term_get(s->terms, t)->as.powers[i];
    term_id factor = term_pow(s->terms, reduce(s, power.atom, &seen), power.exponent);
    result = term_mul(s->terms, result, factor);
  }
  return result;
}

static term_id reduce_arguments(shape_store *s, term_id t, reduction *why) {
  uint32_t bottom = s->stacks.arg_count;
  uint32_t count = term_get(s->terms, t)->count;
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    term_id arg = term_get(s->terms, t)->as.args[i];
    bool is_free =
        term_kind_of(s->terms, arg) == TERM_SYMBOL && store_info(s, arg)->def == TERM_NONE;
    term_id r = is_free ? arg : reduce(s, arg, why);
    changed |= r != arg;
    STORE_GROW(s, s->stacks.args, s->stacks.arg_count, s->stacks.arg_count + 1u,
               s->stacks.arg_capacity);
    s->stacks.args[s->stacks.arg_count++] = r;
  }
  // A divisor that is known to be 0 leaves the atom without a point; it stays as it was written.
  bool no_domain =
      term_kind_of(s->terms, t) == TERM_FLOORDIV && s->stacks.args[bottom + 1] == TERM_ZERO;
  if (changed && !no_domain) t = term_rebuild(s->terms, t, s->stacks.args + bottom);
  s->stacks.arg_count = bottom;
  return t;
}

// One step: the parts of t made canonical, or, where they are, a definition applied. t itself when there is no step.
static term_id step(shape_store *s, term_id t, reduction *why) {
  term_id r = t;
  term_kind kind = term_kind_of(s->terms, t);
  switch (kind) {
  case TERM_CONST: return t;
  case TERM_SUM: return reduce_sum(s, t, why);
  case TERM_PRODUCT: r = reduce_product(s, t, why); break;
  case TERM_SYMBOL: break;
  default: r = reduce_arguments(s, t, why); break;
  }
  if (r != t) return r;
  term_id rule = kind == TERM_PRODUCT ? find_rule(s, t) : t, rest = TERM_ONE;
  if (rule == TERM_NONE) return t;
  const term_info *info = store_info(s, rule);
  if (info->def == TERM_NONE) return t;
  term_id def = info->def;
  add_reason(s, why, info->def_proof, kind != TERM_SYMBOL);
  if (rule != t && !term_divide_exact(s->terms, t, rule, &rest)) return t;
  return term_mul(s->terms, def, rest);
}

static void push_step(shape_store *s, term_id t, reduction why) {
  STORE_GROW(s, s->stacks.steps, s->stacks.step_count, s->stacks.step_count + 1u,
             s->stacks.step_capacity);
  s->stacks.steps[s->stacks.step_count++] = (reduction_step){t, why.proof, why.uses_atom};
}

// Steps until nothing changes, and remembers the end for each term on the way. A loop, because equations between products
// form chains as long as the program.
static term_id follow(shape_store *s, term_id t, reduction *tail) {
  uint32_t bottom = s->stacks.step_count;
  // Definitions have an order, but a normal form may bring back what one replaced: where is_zero(a) is a, select(a, x, y) is
  // select(is_zero(a), y, x). `seen` is a term on the way, of a later step each time the way has doubled.
  term_id seen = t;
  uint32_t renewed = 1;
  *tail = (reduction){PROOF_NONE, false};
  for (;;) {
    term_info *info = store_info(s, t);
    if (is_current(s, info)) {
      *tail = (reduction){info->proof, info->uses_atom};
      t = info->canon;
      break;
    }
    reduction why = {PROOF_NONE, false};
    term_id next;
    if (is_usable(s, t, info) && info->canon != t) {
      why = (reduction){info->proof, info->uses_atom};
      next = info->canon;
    } else {
      next = step(s, t, &why);
    }
    if (next == t || next == seen || s->stacks.step_count - bottom >= FACTS_REDUCE_STEPS) {
      set_memo(s, t, t, *tail);
      break;
    }
    push_step(s, t, why);
    t = next;
    if (s->stacks.step_count - bottom == renewed) {
      seen = t;
      renewed *= 2;
    }
    if (canon_is_irreducible(s, t)) break;
  }
  while (s->stacks.step_count > bottom) {
    reduction_step last = s->stacks.steps[--s->stacks.step_count];
    add_reason(s, tail, last.proof, last.uses_atom);
    set_memo(s, last.term, t, *tail);
  }
  return t;
}

// Symbols in t that are defined and whose memo is stale go on the chain stack; true when there are any.
static void push_if_stale(shape_store *s, void *data, term_id atom) {
  (void)data;
  if (term_kind_of(s->terms, atom) != TERM_SYMBOL) return;
  term_info *info = store_info(s, atom);
  if (info->def == TERM_NONE || is_current(s, info)) return;
  STORE_GROW(s, s->stacks.chain, s->stacks.chain_count, s->stacks.chain_count + 1u,
             s->stacks.chain_capacity);
  s->stacks.chain[s->stacks.chain_count++] = atom;
}

static void push_stale_of(shape_store *s, term_id t);

// Brings the symbols on the chain stack above `bottom` up to date, definitions first, without recursion: definitions
// form chains as long as the program.
static void resolve_chain(shape_store *s, uint32_t bottom) {
  while (s->stacks.chain_count > bottom) {
    term_id x = s->stacks.chain[s->stacks.chain_count - 1];
    term_info *info = store_info(s, x);
    if (is_current(s, info)) {
      s->stacks.chain_count--;
      continue;
    }
    reduction why = {info->def_proof, false};
    term_id from = info->def;
    if (is_usable(s, x, info) && info->canon != x) {
      why = (reduction){info->proof, info->uses_atom};
      from = info->canon;
    }
    uint32_t before = s->stacks.chain_count;
    push_stale_of(s, from);
    if (s->stacks.chain_count > before) continue;
    term_id canon = reduce(s, from, &why);
    set_memo(s, x, canon, why);
    s->stacks.chain_count--;
  }
}

// The symbols in t are either undefined or current when this is called, so it recurses over the nesting of t only.
static term_id reduce(shape_store *s, term_id t, reduction *why) {
  term_info *info = store_info(s, t);
  bool is_symbol = term_kind_of(s->terms, t) == TERM_SYMBOL;
  if (is_symbol && info->def == TERM_NONE) return t;
  if (is_current(s, info)) {
    add_reason(s, why, info->proof, info->uses_atom);
    return info->canon;
  }
  if (s->depth >= FACTS_REDUCE_DEPTH || term_get(s->terms, t)->depth >= FACTS_TERM_DEPTH) return t;
  if (is_symbol) {
    uint32_t bottom = s->stacks.chain_count;
    push_if_stale(s, NULL, t);
    resolve_chain(s, bottom);
    info = store_info(s, t);
    assert(is_current(s, info));
    add_reason(s, why, info->proof, info->uses_atom);
    return info->canon;
  }
  s->depth++;
  reduction own;
  term_id canon = follow(s, t, &own);
  s->depth--;
  assert(s->depth < FACTS_REDUCE_DEPTH);
  add_reason(s, why, own.proof, own.uses_atom);
  return canon;
}

static term_id canon_slow(shape_store *s, term_id t) {
  term_kind kind = term_kind_of(s->terms, t);
  term_info *info = store_info(s, t);
  if (kind == TERM_CONST) return t;
  if (kind == TERM_SYMBOL && info->def == TERM_NONE) {
    set_memo(s, t, t, (reduction){PROOF_NONE, false});
    return t;
  }
  if (is_current(s, info)) return info->canon;
  uint32_t bottom = s->stacks.chain_count;
  if (s->changes.symbols_defined) push_stale_of(s, t);
  resolve_chain(s, bottom);
  reduction why = {PROOF_NONE, false};
  return reduce(s, t, &why);
}

term_id store_canon(shape_store *s, term_id t) {
  assert(t < s->terms->count);
  log_asked(s, t);
  const term_info *info = store_info(s, t);
  if (info->canon != TERM_NONE && info->stamp == s->changes.defs) return info->canon;
  return canon_slow(s, t);
}

bool store_is_settled(shape_store *s, term_id a, term_id b) {
  assert(a < s->terms->count && b < s->terms->count);
  if (s->log || trace_wants(s->budget, TRACE_fact)) return false;
  term_info *left = store_info(s, a);
  if (!is_current(s, left)) return false;
  term_id canon = left->canon;
  term_info *right = store_info(s, b);
  return is_current(s, right) && right->canon == canon;
}

term_id canon_with_proof(shape_store *s, term_id t, proof_id *proof) {
  term_id canon = store_canon(s, t);
  term_info *info = store_info(s, t);
  if (is_current(s, info)) *proof = proof_join(s, *proof, info->proof);
  return canon;
}

// --- walks

typedef struct atom_walk {
  uint32_t mark;
  term_id least;  // smaller ones are left out: a term has a larger id than what is in it
  bool stale;     // and those whose canonical form is known
  void (*visit)(shape_store *s, void *data, term_id atom);  // may be NULL
  void *data;
} atom_walk;

static void walk(shape_store *s, const atom_walk *w, term_id t) {
  const term_node *node = term_get(s->terms, t);
  if (t < w->least) return;
  switch (node->kind) {
  case TERM_CONST: return;
  case TERM_SUM:
    for (uint32_t i = 0; i < node->count; i++) walk(s, w, node->as.parts[i].monomial);
    return;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node->count; i++) walk(s, w, node->as.powers[i].atom);
    return;
  default: break;
  }
  term_info *info = store_info(s, t);
  if (info->mark == w->mark) return;
  info->mark = w->mark;
  if (w->stale && is_current(s, info)) return;
  if (node->kind != TERM_SYMBOL) {
    for (uint32_t i = 0; i < node->count; i++) walk(s, w, node->as.args[i]);
  }
  if (w->visit) w->visit(s, w->data, t);
}

void canon_each_atom(shape_store *s, term_id t,
                     void (*visit)(shape_store *s, void *data, term_id atom), void *data) {
  walk(s, &(atom_walk){.mark = ++s->mark, .visit = visit, .data = data}, t);
}

static void push_stale_of(shape_store *s, term_id t) {
  walk(s, &(atom_walk){.mark = ++s->mark, .stale = true, .visit = push_if_stale}, t);
}

static void mark_inner_of(shape_store *s, const atom_walk *w, term_id monomial) {
  const term_node *node = term_get(s->terms, monomial);
  if (node->kind == TERM_PRODUCT) {
    walk(s, w, monomial);
  } else if (node->kind != TERM_SYMBOL && node->kind != TERM_CONST) {
    for (uint32_t i = 0; i < node->count; i++) walk(s, w, node->as.args[i]);
  }
}

uint32_t canon_mark_inner(shape_store *s, term_id t) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(s->terms, t, &parts, &room);
  atom_walk w = {.mark = ++s->mark, .least = TERM_NONE};
  for (uint32_t i = 0; i < count; i++) {
    if (term_is_atom(s->terms, parts[i].monomial) && parts[i].monomial < w.least)
      w.least = parts[i].monomial;
  }
  for (uint32_t i = 0; i < count; i++) mark_inner_of(s, &w, parts[i].monomial);
  return w.mark;
}

bool canon_is_marked(shape_store *s, term_id t, uint32_t mark) {
  return store_info(s, t)->mark == mark;
}
