// SPDX-License-Identifier: Apache-2.0
// The trail: old values of what changed, put back newest first. Nothing is kept while no scope is open and no fact is
// being added, because then nothing can be taken back.
#include <assert.h>

#include "solver/facts/core.h"

static trail_entry *push(shape_store *s, trail_kind kind, uint32_t id) {
  STORE_GROW(s, s->trail.entries, s->trail.count, s->trail.count + 1u, s->trail.capacity);
  trail_entry *entry = &s->trail.entries[s->trail.count++];
  entry->kind = kind;
  entry->id = id;
  return entry;
}

static bool recording(const shape_store *s) { return s->trail.in_add || s->scopes.count; }

void trail_memo(shape_store *s, term_id t) {
  if (!recording(s)) return;
  trail_entry *entry = push(s, TRAIL_MEMO, t);
  assert(t < s->info_capacity);
  const term_info *info = &s->infos[t];
  entry->old[0] = info->canon;
  entry->old[1] = info->proof;
  entry->old[2] = info->stamp;
  entry->old[3] = info->uses_atom;
}

void trail_atom(shape_store *s, term_id t) {
  if (!recording(s)) return;
  trail_entry *entry = push(s, TRAIL_ATOM, t);
  assert(t < s->info_capacity);
  const term_info *info = &s->infos[t];
  entry->old[0] = info->def;
  entry->old[1] = info->def_proof;
  entry->old[2] = info->form;
}

void trail_form(shape_store *s, uint32_t form) {
  if (!recording(s)) return;
  assert(form < s->forms.count);
  STORE_GROW(s, s->trail.forms, s->trail.form_count, s->trail.form_count + 1u,
             s->trail.form_capacity);
  s->trail.forms[s->trail.form_count] = s->forms.items[form];
  push(s, TRAIL_FORM, form)->old[0] = s->trail.form_count++;
}

store_mark trail_mark(const shape_store *s) {
  return (store_mark){s->trail.count,    s->forms.count,  s->trail.form_count, s->watches.count,
                      s->excluded.count, s->proofs.count, s->facts.live_count};
}

static void undo_entry(shape_store *s, const trail_entry *entry) {
  switch (entry->kind) {
  case TRAIL_MEMO: {
    assert(entry->id < s->info_capacity);
    term_info *info = &s->infos[entry->id];
    info->canon = entry->old[0];
    info->proof = entry->old[1];
    info->stamp = entry->old[2];
    info->uses_atom = entry->old[3];
    break;
  }
  case TRAIL_ATOM: {
    assert(entry->id < s->info_capacity);
    term_info *info = &s->infos[entry->id];
    info->def = entry->old[0];
    info->def_proof = entry->old[1];
    info->form = entry->old[2];
    break;
  }
  case TRAIL_FORM:
    assert(entry->old[0] < s->trail.form_count);
    s->forms.items[entry->id] = s->trail.forms[entry->old[0]];
    s->forms.items[entry->id].queued = false;  // the bus is empty whenever something is undone
    break;
  }
}

static void undo_watches(shape_store *s, uint32_t count) {
  while (s->watches.count > count) {
    watch_cell cell = s->watches.cells[--s->watches.count];
    term_info *info = &s->infos[cell.atom];
    uint32_t *first = cell.kind == WATCH_RULE ? &info->rules : &info->watch;
    assert((*first & WATCH_END) == s->watches.count);
    *first = cell.next;
  }
}

// Stamps of memos only ever lag after `defs`, which therefore moves on and is never put back.
void trail_undo(shape_store *s, store_mark mark) {
  assert(s->bus.dirty_head == s->bus.dirty_count);
  assert(mark.live_facts <= s->facts.live_count);
  assert(mark.excluded <= s->excluded.count && mark.proofs <= s->proofs.count);
  assert(mark.forms <= s->forms.count && mark.watches <= s->watches.count);
  assert(mark.trail <= s->trail.count && mark.saved_forms <= s->trail.form_count);
  if (s->trail.count > mark.trail) {
    reach_add(&s->changes.defined, ++s->changes.defs, 0);
    reach_add(&s->changes.bounded, ++s->changes.bounds, 0);
  }
  while (s->trail.count > mark.trail) undo_entry(s, &s->trail.entries[--s->trail.count]);
  undo_watches(s, mark.watches);
  s->forms.count = mark.forms;
  s->trail.form_count = mark.saved_forms;
  s->excluded.count = mark.excluded;
  s->proofs.count = mark.proofs;
  s->facts.live_count = mark.live_facts;
}
