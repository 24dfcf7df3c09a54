// SPDX-License-Identifier: Apache-2.0
// Clamps (see simplify.h).
//
// A sum of minima is linear wherever one argument of each is the least: there it is a piece, the rest of the sum with these
// arguments in place of the minima. max(min(a, b), c) over pieces that has the value of the term at all samples is proven
// equal piece by piece: where the piece p is the term, neither c > p, nor a > p and b > p, nor c < p and a < p, and so on,
// has a solution. Each of these is a problem without minima.
#include <assert.h>

#include "solver/decide/simplify.h"
#include "solver/term/spell.h"

typedef struct piece {
  term_id value;
  literal region[CLAMP_ROWS];  // where the term is that
  uint32_t rows;
  uint32_t size;  // of its text
  num at[SIMPLIFY_SAMPLES];
} piece;

typedef struct clamp {
  simplifier *x;
  piece *pieces;
  uint32_t count;
  bool fits;  // all pieces were made
} clamp;

// The pieces of a sum: one minimum is chosen in each step. TERM_NONE, where none is left, ends it.
static term_id next_minimum(const term_table *t, term_id id, num *k) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    *k = parts[i].coefficient;
    if (term_kind_of(t, parts[i].monomial) == TERM_MIN) return parts[i].monomial;
  }
  return TERM_NONE;
}

static void add_piece(clamp *c, term_id value, const piece *from) {
  if (c->count == CLAMP_PIECES) {
    c->fits = false;
    return;
  }
  assert(from->rows <= CLAMP_ROWS);
  piece *p = &c->pieces[c->count++];
  *p = *from;
  p->value = value;
}

static void make_pieces(clamp *c, term_id id, const piece *so_far, uint32_t depth) {
  qsolver *s = c->x->s;
  num k;
  term_id atom = next_minimum(s->t, id, &k);
  if (atom == TERM_NONE) {
    add_piece(c, id, so_far);
    return;
  }
  uint32_t count = term_get(s->t, atom)->count;
  if (depth == CLAMP_DEPTH || so_far->rows + count - 1 > CLAMP_ROWS) c->fits = false;
  for (uint32_t i = 0; i < count && c->fits; i++) {
    piece next = *so_far;
    term_id chosen = term_get(s->t, atom)->as.args[i];
    for (uint32_t j = 0; j < count; j++) {
      if (j == i) continue;
      term_id above = term_sub(s->t, term_get(s->t, atom)->as.args[j], chosen);
      next.region[next.rows++] = (literal){above, LITERAL_GE};
    }
    term_id less = term_sub(s->t, id, term_scale(s->t, atom, k));
    make_pieces(c, term_add(s->t, less, term_scale(s->t, chosen, k)), &next, depth + 1);
  }
}

static bool evaluate(clamp *c, piece *p) {
  for (uint32_t i = 0; i < c->x->sample_count; i++) {
    if (!simplify_value(c->x, i, p->value, &p->at[i])) return false;
  }
  return true;
}

static num clamped(bool min_outside, num a, num b, num e) {
  return min_outside ? num_min(num_max(a, b), e) : num_max(num_min(a, b), e);
}

static bool fits(const clamp *c, bool min_outside, const piece *a, const piece *b, const piece *e) {
  for (uint32_t i = 0; i < c->x->sample_count; i++) {
    if (!num_equal(clamped(min_outside, a->at[i], b->at[i], e->at[i]), c->x->value[i]))
      return false;
  }
  return true;
}

// In the region of p: neither of the terms (or the one, where b is TERM_NONE) exceeds p, upwards or downwards.
static bool never_beyond(const clamp *c, const piece *p, bool above, term_id a, term_id b) {
  qsolver *s = c->x->s;
  literal rows[CLAMP_ROWS + 2];
  uint32_t count = p->rows;
  term_id beyond[2] = {a, b};
  for (uint32_t i = 0; i < p->rows; i++) rows[i] = p->region[i];
  for (uint32_t i = 0; i < 2 && beyond[i] != TERM_NONE; i++) {
    term_id gap =
        above ? term_above(s->t, beyond[i], p->value) : term_above(s->t, p->value, beyond[i]);
    num v;
    if (term_const_value(s->t, gap, &v) && num_sign(v) < 0) return true;
    rows[count++] = (literal){gap, LITERAL_GE};
  }
  return simplify_refuted(c->x, rows, count);
}

// max(min(a, b), e) is above p where e is, or both a and b are; it is below where e is, and a or b is. min(max(a, b), e) is
// the same mirrored.
static bool proven(const clamp *c, const piece *regions, uint32_t count, const query_spelling *o) {
  bool up = !o->min_outside;
  for (uint32_t i = 0; i < count; i++) {
    const piece *p = &regions[i];
    if (!never_beyond(c, p, up, o->c, TERM_NONE) || !never_beyond(c, p, up, o->a, o->b) ||
        !never_beyond(c, p, !up, o->a, o->c) || !never_beyond(c, p, !up, o->b, o->c))
      return false;
  }
  return true;
}

// Pieces of one value are one candidate.
static uint32_t distinct(const clamp *c, piece *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    bool known = false;
    for (uint32_t j = 0; j < count; j++) known |= out[j].value == c->pieces[i].value;
    if (!known) out[count++] = c->pieces[i];
  }
  return count;
}

typedef struct found_clamps {
  query_spelling of[CLAMP_PROOFS];
  uint32_t size[CLAMP_PROOFS], count;
} found_clamps;

// Keeps the smallest, in the order of their sizes.
static void keep(found_clamps *f, query_spelling o, uint32_t size) {
  if (f->count == CLAMP_PROOFS && f->size[f->count - 1] <= size) return;
  if (f->count < CLAMP_PROOFS) f->count++;
  uint32_t at = f->count - 1;
  assert(o.found && at < CLAMP_PROOFS);
  for (; at && f->size[at - 1] > size; at--) {
    f->of[at] = f->of[at - 1];
    f->size[at] = f->size[at - 1];
  }
  f->of[at] = o;
  f->size[at] = size;
}

static void find_clamps(const clamp *c, const piece *of, uint32_t count, uint32_t below,
                        found_clamps *f) {
  for (uint32_t k = 0; k < 2 * count; k++) {
    bool min_outside = k & 1;
    const piece *e = &of[k / 2];
    for (uint32_t i = 0; i < count; i++) {
      for (uint32_t j = 0; j < i; j++) {
        uint32_t size = of[i].size + of[j].size + e->size + 2;
        if (&of[i] == e || &of[j] == e || size >= below) continue;
        budget_take(c->x->s->budget, 1);
        if (!fits(c, min_outside, &of[i], &of[j], e)) continue;
        keep(f, (query_spelling){true, min_outside, of[i].value, of[j].value, e->value}, size);
      }
    }
  }
}

// The shortest clamp that is equal to the best term, of the linear pieces of which that is made.
static void find_clamp(simplifier *x, query_spelling *out) {
  qsolver *s = x->s;
  speller m = {.terms = s->t, .arena = s->arena};
  clamp c = {.x = x, .fits = true};
  piece whole = {.rows = 0};
  if (x->sample_count < 3) return;
  uint32_t below = spell_of(&m, x->best)->size;
  c.pieces = arena_alloc(s->arena, CLAMP_PIECES * sizeof *c.pieces);
  make_pieces(&c, x->best, &whole, 0);
  if (!c.fits || c.count < 3) return;
  piece *of = arena_alloc(s->arena, c.count * sizeof *of);
  uint32_t count = distinct(&c, of);
  for (uint32_t i = 0; i < count; i++) {
    of[i].size = spell_of(&m, of[i].value)->size;
    if (!evaluate(&c, &of[i])) return;
  }
  found_clamps f = {.count = 0};
  find_clamps(&c, of, count, below, &f);
  x->proofs_left += CLAMP_PROOFS * 4 * CLAMP_PIECES;
  for (uint32_t i = 0; i < f.count && !out->found; i++) {
    if (proven(&c, c.pieces, c.count, &f.of[i])) *out = f.of[i];
  }
}

void query_spellings(simplifier *x, query_simple *found) {
  if (x->best_size > 3) find_clamp(x, &found->spelling);
  found->min_size = simplify_min_size(x);
}
