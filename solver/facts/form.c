// SPDX-License-Identifier: Apache-2.0
// Forms: bounds, residues and excluded values of terms that the solved form cannot eliminate. See core.h.
#include <assert.h>

#include "solver/facts/core.h"

// The gcd of the coefficients but the constant's, with the sign of the first of them.
static num signed_content(shape_store *s, term_id t) {
  const term_node *node = term_get(s->terms, t);
  assert(node->kind == TERM_SUM);
  uint32_t first = node->as.parts[0].monomial == TERM_ONE ? 1 : 0;
  num lead = node->as.parts[first].coefficient;
  num g = num_abs(s->budget, lead);
  for (uint32_t i = first + 1; i < node->count && !num_is_one(g); i++) {
    g = num_gcd(s->budget, g, node->as.parts[i].coefficient);
  }
  return num_sign(lead) < 0 ? num_neg(s->budget, g) : g;
}

static term_id make_base(shape_store *s, term_id t, num scale, num offset) {
  if (num_is_one(scale) && num_is_zero(offset)) return t;
  uint32_t bottom = s->stacks.part_count;
  uint32_t count = term_get(s->terms, t)->count;
  STORE_GROW(s, s->stacks.parts, s->stacks.part_count, s->stacks.part_count + count,
             s->stacks.part_capacity);
  for (uint32_t i = 0; i < count; i++) {
    term_part part = term_get(s->terms, t)->as.parts[i];
    if (part.monomial == TERM_ONE) continue;
    assert(num_divides(s->budget, scale, part.coefficient));
    part.coefficient = num_floordiv(s->budget, part.coefficient, scale);
    s->stacks.parts[s->stacks.part_count++] = part;
  }
  term_id base = term_sum(s->terms, s->stacks.parts + bottom, s->stacks.part_count - bottom);
  s->stacks.part_count = bottom;
  return base;
}

term_id form_split(shape_store *s, term_id t, num *scale, num *offset) {
  assert(term_kind_of(s->terms, t) != TERM_CONST);
  if (term_kind_of(s->terms, t) != TERM_SUM) {
    *scale = NUM(1);
    *offset = NUM(0);
    return t;
  }
  *scale = signed_content(s, t);
  *offset = term_constant_part(s->terms, t);
  term_info *info = store_info(s, t);
  assert(!num_is_zero(*scale));
  if (info->base == TERM_NONE) {
    term_id base = make_base(s, t, *scale, *offset);
    store_info(s, t)->base = base;
    return base;
  }
  return info->base;
}

uint32_t form_make(shape_store *s, term_id base) {
  assert(term_kind_of(s->terms, base) != TERM_CONST &&
         num_is_zero(term_constant_part(s->terms, base)));
  term_info *info = store_info(s, base);
  assert(info->form == NONE ||
         (info->form < s->forms.count && s->forms.items[info->form].term == base));
  if (info->form != NONE) return info->form;
  STORE_GROW(s, s->forms.items, s->forms.count, s->forms.count + 1u, s->forms.capacity);
  uint32_t id = s->forms.count++;
  trail_atom(s, base);
  info->form = id;
  store_form *form = &s->forms.items[id];
  *form = (store_form){.term = base,
                       .live = true,
                       .range = interval_all(),
                       .lo_proof = PROOF_NONE,
                       .hi_proof = PROOF_NONE,
                       .res = residue_any(),
                       .res_proof = PROOF_NONE,
                       .excluded = NONE,
                       .rule = TERM_NONE};
  if (term_kind_of(s->terms, base) == TERM_SYMBOL) {
    uint32_t symbol = term_get(s->terms, base)->as.symbol;
    form->range = store_symbol_record(s, symbol)->info.range;
    return id;
  }
  if (!term_is_atom(s->terms, base)) s->forms.sums++;
  store_watch_atoms(s, base, base, id, WATCH_FORM);
  return id;
}

void form_touch(shape_store *s, uint32_t id) {
  assert(id < s->forms.count);
  if (s->forms.items[id].queued || !s->forms.items[id].live) return;
  s->forms.items[id].queued = true;
  STORE_GROW(s, s->bus.dirty, s->bus.dirty_count, s->bus.dirty_count + 1u, s->bus.dirty_capacity);
  s->bus.dirty[s->bus.dirty_count++] = id;
}

void form_moved(shape_store *s, uint32_t id) {
  const term_part *parts;
  term_part room;
  assert(id < s->forms.count);
  uint32_t count = term_parts(s->terms, s->forms.items[id].term, &parts, &room);
  reach_add(&s->changes.bounded, ++s->changes.bounds, parts[count - 1].monomial);
}

bool form_is_excluded(shape_store *s, uint32_t id, num value, proof_id *proof) {
  for (uint32_t cell = s->forms.items[id].excluded; cell != NONE;
       cell = s->excluded.cells[cell].next) {
    assert(cell < s->excluded.count);
    if (!num_equal(s->excluded.cells[cell].value, value)) continue;
    if (proof) *proof = proof_join(s, *proof, s->excluded.cells[cell].proof);
    return true;
  }
  return false;
}

// The nearest value from `from` on, in the direction of step (1 or -1), that the residue and the excluded values allow.
static num next_allowed(shape_store *s, uint32_t id, num from, int step, proof_id *proof) {
  assert(step == 1 || step == -1);
  shape_budget *b = s->budget;
  for (;;) {
    const store_form *form = &s->forms.items[id];
    if (!residue_contains(b, form->res, from)) {
      *proof = proof_join(s, *proof, form->res_proof);
      if (num_is_zero(form->res.m))
        return form->res.r;  // the caller's comparison finds the conflict
      num away = step > 0 ? num_sub(b, form->res.r, from) : num_sub(b, from, form->res.r);
      away = num_mod(b, away, form->res.m);
      from = step > 0 ? num_add(b, from, away) : num_sub(b, from, away);
    }
    if (!form_is_excluded(s, id, from, proof)) return from;
    from = num_add(b, from, NUM(step));
  }
}

static bool check_ends(shape_store *s, uint32_t id) {
  const store_form *form = &s->forms.items[id];
  if (!form->range.has_lo || !form->range.has_hi) return true;
  if (num_compare(form->range.lo, form->range.hi) <= 0) return true;
  store_report_conflict(s, proof_join(s, form->lo_proof, form->hi_proof));
  return false;
}

bool form_bound_low(shape_store *s, uint32_t id, num lo, proof_id proof) {
  assert(id < s->forms.count && s->forms.items[id].live);
  const store_form *old = &s->forms.items[id];
  if (old->range.has_lo && num_compare(old->range.lo, lo) >= 0) return true;
  lo = next_allowed(s, id, lo, 1, &proof);
  trail_form(s, id);
  store_form *form = &s->forms.items[id];
  form->range.has_lo = true;
  form->range.lo = lo;
  form->lo_proof = proof;
  s->changes.version++;
  form_moved(s, id);
  form_touch(s, id);
  return check_ends(s, id);
}

bool form_bound_high(shape_store *s, uint32_t id, num hi, proof_id proof) {
  assert(id < s->forms.count && s->forms.items[id].live);
  const store_form *old = &s->forms.items[id];
  if (old->range.has_hi && num_compare(old->range.hi, hi) <= 0) return true;
  hi = next_allowed(s, id, hi, -1, &proof);
  trail_form(s, id);
  store_form *form = &s->forms.items[id];
  form->range.has_hi = true;
  form->range.hi = hi;
  form->hi_proof = proof;
  s->changes.version++;
  form_moved(s, id);
  form_touch(s, id);
  return check_ends(s, id);
}

// Moves the ends to allowed values after the residue or the excluded values changed.
static bool round_ends(shape_store *s, uint32_t id) {
  store_form *form = &s->forms.items[id];
  if (form->range.has_lo) {
    form->range.lo = next_allowed(s, id, form->range.lo, 1, &form->lo_proof);
  }
  if (form->range.has_hi) {
    form->range.hi = next_allowed(s, id, form->range.hi, -1, &form->hi_proof);
  }
  return check_ends(s, id);
}

bool form_restrict(shape_store *s, uint32_t id, residue res, proof_id proof) {
  assert(id < s->forms.count && s->forms.items[id].live);
  store_form *form = &s->forms.items[id];
  residue met;
  proof_id joined = proof_join(s, form->res_proof, proof);
  if (!residue_meet(s->budget, form->res, res, &met)) {
    store_report_conflict(s, joined);
    return false;
  }
  if (num_equal(met.m, form->res.m) && num_equal(met.r, form->res.r)) return true;
  bool replaced = num_equal(met.m, res.m) && num_equal(met.r, res.r);
  trail_form(s, id);
  form->res = met;
  form->res_proof = replaced ? proof : joined;
  s->changes.version++;
  form_moved(s, id);
  form_touch(s, id);
  return round_ends(s, id);
}

bool form_exclude(shape_store *s, uint32_t id, num value, proof_id proof) {
  assert(id < s->forms.count && s->forms.items[id].live);
  if (form_is_excluded(s, id, value, NULL)) return true;
  STORE_GROW(s, s->excluded.cells, s->excluded.count, s->excluded.count + 1u, s->excluded.capacity);
  trail_form(s, id);
  store_form *form = &s->forms.items[id];
  s->excluded.cells[s->excluded.count] = (excluded_cell){value, proof, form->excluded};
  form->excluded = s->excluded.count++;
  s->changes.version++;
  form_moved(s, id);
  form_touch(s, id);
  return round_ends(s, id);
}

static term_id minus_const(shape_store *s, term_id t, num value) {
  return num_is_zero(value) ? t : term_sub(s->terms, t, term_const(s->terms, value));
}

void form_release(shape_store *s, uint32_t id) {
  assert(id < s->forms.count && s->forms.items[id].live);
  store_form form = s->forms.items[id];
  trail_form(s, id);
  s->forms.items[id].live = false;
  form_moved(s, id);
  if (form.rule != TERM_NONE) canon_release_product(s, form.rule);
  trail_atom(s, form.term);
  assert(store_info(s, form.term)->form == id);
  store_info(s, form.term)->form = NONE;
  if (form.range.has_lo) {
    store_post(s, EVENT_GE, minus_const(s, form.term, form.range.lo), form.lo_proof);
  }
  if (form.range.has_hi) {
    term_id d = term_neg(s->terms, minus_const(s, form.term, form.range.hi));
    store_post(s, EVENT_GE, d, form.hi_proof);
  }
  if (num_is_zero(form.res.m)) {
    store_post(s, EVENT_EQ, minus_const(s, form.term, form.res.r), form.res_proof);
  } else if (!num_is_one(form.res.m)) {
    store_post_divides(s, form.res.m, minus_const(s, form.term, form.res.r), form.res_proof);
  }
  num value;
  term_id def = store_info(s, form.term)->def;
  bool is_number = def != TERM_NONE && term_const_value(s->terms, def, &value);
  for (uint32_t cell = form.excluded; cell != NONE; cell = s->excluded.cells[cell].next) {
    if (is_number && !num_equal(s->excluded.cells[cell].value, value)) continue;  // it holds
    store_post(s, EVENT_NE, minus_const(s, form.term, s->excluded.cells[cell].value),
               s->excluded.cells[cell].proof);
  }
}
