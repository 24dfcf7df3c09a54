// SPDX-License-Identifier: Apache-2.0
// What debug builds ask of a store: it holds while facts come and scopes go, and nothing that is wrong passes.
#include <criterion/criterion.h>

#include "solver/facts/core.h"
#include "tests/unit/world.h"

static void add(world *w, relation rel, term_id left, term_id right) {
  store_add(w->store, predicate_make(rel, left, right),
            (reason){.kind = REASON_OP, .what = "test"});
  cr_assert_null(store_check(w->store), "%s", store_check(w->store));
}

// Facts of all kinds, the last ones in two scopes.
static void fill(world *w) {
  term_table *t = &w->terms;
  const term_id *s = w->symbols;
  add(w, REL_LE, term_add(t, s[0], s[1]), s[2]);
  add(w, REL_NE, s[0], term_int(t, 3));
  add(w, REL_EQ, term_mul(t, s[0], s[1]), term_int(t, 12));
  store_push(w->store, 1);
  add(w, REL_DIVISIBLE, s[3], term_int(t, 4));
  add(w, REL_EQ, term_floordiv(t, s[3], s[1]), s[2]);
  store_push(w->store, 2);
  add(w, REL_EQ, s[0], term_int(t, 2));
}

static void expect_violation(const world *w, const char *violation) {
  const char *found = store_check(w->store);
  cr_expect(found && strcmp(found, violation) == 0, "%s: %s", violation, found ? found : "nothing");
}

Test(store_check, holds_while_scopes_end) {
  world w;
  world_open_store(&w, WORLD_STEPS, 4, 0);
  for (int round = 0; round < 3; round++) {
    fill(&w);
    for (int i = 0; i < 2; i++) {
      store_pop(w.store);
      cr_assert_null(store_check(w.store), "%s", store_check(w.store));
    }
  }
  arena_destroy(&w.arena);
}

Test(store_check, sees_what_is_wrong) {
  world w;
  world_open_store(&w, WORLD_STEPS, 4, 0);
  fill(&w);
  shape_store *s = w.store;
  cr_assert(s->scopes.count == 2 && s->forms.count && s->watches.count && s->trail.count &&
            s->facts.live_count > 1);

  store_mark mark = s->scopes.items[0].mark;
  s->scopes.items[0].mark.trail = s->trail.count + 1;
  expect_violation(&w, "a scope began with more than there is now");
  s->scopes.items[0].mark = mark;

  fact_id first = s->facts.live[0];
  s->facts.live[0] = s->facts.live[1];
  expect_violation(&w, "the facts of open scopes are not in order");
  s->facts.live[0] = s->facts.count;
  expect_violation(&w, "an open scope holds a fact that was never added");
  s->facts.live[0] = first;

  trail_entry entry = s->trail.entries[0];
  s->trail.entries[0] = (trail_entry){.kind = TRAIL_FORM, .id = s->forms.count};
  expect_violation(&w, "the trail leads to nothing");
  s->trail.entries[0] = (trail_entry){.kind = TRAIL_FORM, .old = {s->trail.form_count}};
  expect_violation(&w, "the trail lost the form that it kept");
  s->trail.entries[0] = entry;

  watch_cell cell = s->watches.cells[0];
  s->watches.cells[0].next = s->watches.count;
  expect_violation(&w, "a list of watches does not end");
  s->watches.cells[0] = (watch_cell){.item = s->forms.count, .next = WATCH_END, .kind = WATCH_FORM};
  expect_violation(&w, "a watch is for nothing");
  s->watches.cells[0] = cell;

  uint32_t live = 0;
  while (live < s->forms.count && !s->forms.items[live].live) live++;
  cr_assert_lt(live, s->forms.count);
  store_form form = s->forms.items[live];
  s->forms.items[live].term = s->terms->count;
  expect_violation(&w, "a form has no term");
  s->forms.items[live] = form;
  s->forms.items[live].queued = true;
  expect_violation(&w, "a form waits to be propagated");
  s->forms.items[live] = form;
  s->forms.items[live].range = (interval){NUM(1), NUM(0), true, true};
  expect_violation(&w, "the range of a form is empty");
  s->forms.items[live] = form;
  s->forms.items[live].excluded = s->excluded.count;
  expect_violation(&w, "the excluded values of a form do not end");
  s->forms.items[live] = form;

  s->infos[form.term].form = s->forms.count;
  expect_violation(&w, "the term of a form is that of another one");
  s->infos[form.term].form = live;
  term_id canon = s->infos[form.term].canon;
  s->infos[form.term].canon = s->terms->count;
  expect_violation(&w, "a canonical term does not exist");
  s->infos[form.term].canon = canon;

  s->bus.dirty_count++;
  expect_violation(&w, "forms wait to be propagated");
  s->bus.dirty_count--;
  cr_assert_null(store_check(s), "%s", store_check(s));
  arena_destroy(&w.arena);
}
