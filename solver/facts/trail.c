// SPDX-License-Identifier: Apache-2.0
// The trail: old values of what changed, put back newest first. Nothing is kept while no scope is open and no fact is
// being added, because then nothing can be taken back.
#include <assert.h>

#include "solver/facts/core.h"

static trail_entry *push(shape_store *s, trail_kind kind, uint32_t id) {
  STORE_GROW(s, s->trail, s->trail_count, s->trail_count + 1u, s->trail_capacity);
  trail_entry *entry = &s->trail[s->trail_count++];
  entry->kind = kind;
  entry->id = id;
  return entry;
}

static bool recording(const shape_store *s) { return s->in_add || s->scope_count; }

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
  entry->old[2] = info->watch;
  entry->old[3] = info->form;
  entry->old[4] = info->rules;
}

void trail_form(shape_store *s, uint32_t form) {
  if (!recording(s)) return;
  assert(form < s->form_count);
  STORE_GROW(s, s->saved_forms, s->saved_count, s->saved_count + 1u, s->saved_capacity);
  s->saved_forms[s->saved_count] = s->forms[form];
  push(s, TRAIL_FORM, form)->old[0] = s->saved_count++;
}

store_mark trail_mark(const shape_store *s) {
  return (store_mark){s->trail_count,    s->form_count,  s->saved_count, s->watch_count,
                      s->excluded_count, s->proof_count, s->live_count};
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
    info->watch = entry->old[2];
    info->form = entry->old[3];
    info->rules = entry->old[4];
    break;
  }
  case TRAIL_FORM:
    assert(entry->old[0] < s->saved_count);
    s->forms[entry->id] = s->saved_forms[entry->old[0]];
    s->forms[entry->id].queued = false;  // the bus is empty whenever something is undone
    break;
  }
}

// Stamps of memos only ever lag after `defs`, which therefore moves on and is never put back.
void trail_undo(shape_store *s, store_mark mark) {
  assert(s->dirty_head == s->dirty_count);
  assert(mark.live_facts <= s->live_count);
  assert(mark.excluded <= s->excluded_count && mark.proofs <= s->proof_count);
  assert(mark.forms <= s->form_count && mark.watches <= s->watch_count);
  assert(mark.trail <= s->trail_count && mark.saved_forms <= s->saved_count);
  if (s->trail_count > mark.trail) s->defs++;
  while (s->trail_count > mark.trail) undo_entry(s, &s->trail[--s->trail_count]);
  s->form_count = mark.forms;
  s->saved_count = mark.saved_forms;
  s->watch_count = mark.watches;
  s->excluded_count = mark.excluded;
  s->proof_count = mark.proofs;
  s->live_count = mark.live_facts;
}
