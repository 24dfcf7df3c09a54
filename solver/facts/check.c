// SPDX-License-Identifier: Apache-2.0
// What holds of a store whenever nothing is being added to it; for debug builds and tests.
#include "solver/facts/core.h"

static bool within(store_mark a, store_mark b) {
  return a.trail <= b.trail && a.forms <= b.forms && a.saved_forms <= b.saved_forms &&
         a.watches <= b.watches && a.excluded <= b.excluded && a.proofs <= b.proofs &&
         a.live_facts <= b.live_facts;
}

static const char *check_scopes(const shape_store *s) {
  const store_mark now = trail_mark(s);
  for (uint32_t i = 0; i < s->scopes.count; i++) {
    if (!within(s->scopes.items[i].mark,
                i + 1 < s->scopes.count ? s->scopes.items[i + 1].mark : now))
      return "a scope began with more than there is now";
  }
  for (uint32_t i = 0; i < s->facts.live_count; i++) {
    if (s->facts.live[i] >= s->facts.count)
      return "an open scope holds a fact that was never added";
    if (i && s->facts.live[i - 1] >= s->facts.live[i])
      return "the facts of open scopes are not in order";
  }
  return NULL;
}

static const char *check_trail(const shape_store *s) {
  for (uint32_t i = 0; i < s->trail.count; i++) {
    const trail_entry *entry = &s->trail.entries[i];
    bool form = entry->kind == TRAIL_FORM;
    if (entry->id >= (form ? s->forms.count : s->info_capacity))
      return "the trail leads to nothing";
    if (form && entry->old[0] >= s->trail.form_count) return "the trail lost the form that it kept";
  }
  return NULL;
}

static const char *check_form(const shape_store *s, uint32_t index) {
  const store_form *form = &s->forms.items[index];
  if (form->term >= s->terms->count) return "a form has no term";
  if (form->live && (form->term >= s->info_capacity || s->infos[form->term].form != index))
    return "the term of a form is that of another one";
  if (form->queued) return "a form waits to be propagated";
  if (form->live && form->range.has_lo && form->range.has_hi &&
      num_compare(form->range.lo, form->range.hi) > 0)
    return "the range of a form is empty";
  uint32_t left = s->excluded.count;
  for (uint32_t cell = form->excluded; cell != NONE; cell = s->excluded.cells[cell].next) {
    if (cell >= s->excluded.count || !left--) return "the excluded values of a form do not end";
  }
  return NULL;
}

static const char *check_watches(const shape_store *s) {
  for (uint32_t i = 0; i < s->watches.count; i++) {
    const watch_cell *cell = &s->watches.cells[i];
    if (cell->next != WATCH_END && cell->next >= s->watches.count)
      return "a list of watches does not end";
    if (cell->item >= (cell->kind == WATCH_FORM ? s->forms.count : s->terms->count))
      return "a watch is for nothing";
  }
  return NULL;
}

static const char *check_info(const shape_store *s, term_id t) {
  const term_info *info = &s->infos[t];
  if (info->canon != TERM_NONE && info->canon >= s->terms->count)
    return "a canonical term does not exist";
  if (info->canon != TERM_NONE && info->stamp > s->changes.defs) return "a memo is of the future";
  if (info->def != TERM_NONE && info->def >= s->terms->count) return "a definition does not exist";
  if (info->form != NONE && info->form >= s->forms.count) return "a term has a form that is gone";
  return NULL;
}

const char *store_check(const shape_store *s) {
  const char *violation = check_scopes(s);
  if (!violation) violation = check_trail(s);
  if (!violation) violation = check_watches(s);
  if (!violation && s->bus.dirty_head != s->bus.dirty_count)
    violation = "forms wait to be propagated";
  for (uint32_t i = 0; !violation && i < s->forms.count; i++) violation = check_form(s, i);
  for (uint32_t i = 0; !violation && i < s->proofs.count; i++) {
    const proof_node *node = &s->proofs.nodes[i];
    if (node->b == PROOF_LEAF ? node->a >= s->facts.count : node->a >= i || node->b >= i)
      violation = "a proof rests on a newer one";
  }
  uint32_t terms = s->terms->count < s->info_capacity ? s->terms->count : s->info_capacity;
  for (term_id t = 0; !violation && t < terms; t++) violation = check_info(s, t);
  return violation;
}
