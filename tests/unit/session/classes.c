// SPDX-License-Identifier: Apache-2.0
// The dependency index: classes of symbols, and who asked about them or stated something of them.
#include "tests/unit/session/fixture.h"

enum { A0, A1, B0, B1 };  // symbols of SUM

static uint32_t cells_of(const session_core *s, uint32_t at) {
  uint32_t count = 0;
  for (; at != ID_NONE; at = s->run.index.cells[at].next) count++;
  return count;
}

static bool asked(session_core *s, op_id op, uint32_t symbol) {
  bool found = false;
  for (uint32_t at = class_symbol(s, symbol)->askers; at != ID_NONE;
       at = s->run.index.askers[at].of_symbol)
    found |= s->run.index.askers[at].op == op;
  return found;
}

// The sum states that the dims of a and b are equal, axis by axis.
Test(session_classes, what_a_predicate_is_over_is_one_class) {
  session_core *s = session_of(SUM);
  cr_assert_eq(class_of(s, A0), class_of(s, B0));
  cr_assert_eq(class_of(s, A1), class_of(s, B1));
  cr_assert_neq(class_of(s, A0), class_of(s, A1));
  const run_symbol *root = class_symbol(s, class_of(s, A0));
  cr_assert_eq(root->size, 2);
  cr_assert_eq(root->last, 0);
  cr_assert_eq(cells_of(s, root->facts), 1);
  cr_assert_eq(cells_of(s, class_op(s, 0)->stated), 2);
  cr_assert_eq(cells_of(s, class_op(s, 1)->stated), 0);
  cr_assert(asked(s, 0, A0) && asked(s, 0, B1) && !asked(s, 2, A0));
  session_free(s);
}

Test(session_classes, a_union_has_the_members_and_the_facts_of_both) {
  session_core *s = session_of(SUM);
  uint32_t a = class_of(s, A0), b = class_of(s, A1);
  cr_assert_eq(class_join(s, a, a), a);
  uint32_t root = class_join(s, a, b), members = 0;
  cr_assert_eq(class_of(s, B0), root);
  cr_assert_eq(class_of(s, B1), root);
  cr_assert_eq(class_symbol(s, root)->size, 4);
  uint32_t symbol = root;
  do {
    members |= 1u << symbol;
    symbol = class_symbol(s, symbol)->next;
  } while (symbol != root);
  cr_assert_eq(members, 15);
  cr_assert_eq(cells_of(s, class_symbol(s, root)->facts), 2);
  class_add_fact(s, root, 7);
  cr_assert_eq(cells_of(s, class_symbol(s, root)->facts), 3);
  session_free(s);
}

static void note(void *data, uint32_t symbol) { *(uint32_t *)data |= 1u << symbol; }

Test(session_classes, symbols_of_a_term) {
  session_core *s = session_of(SUM);
  term_table *t = s->run.infer->terms;
  term_id a = store_symbol_term(s->run.infer->store, A0);
  term_id b = store_symbol_term(s->run.infer->store, B1);
  const struct {
    term_id term;
    uint32_t want;
  } cases[] = {{TERM_NONE, 0},
               {term_int(t, 0), 0},
               {a, 1u << A0},
               {term_add(t, a, term_mul(t, term_int(t, -3), b)), 1u << A0 | 1u << B1},
               {term_mod(t, term_mul(t, a, b), term_int(t, 4)), 1u << A0 | 1u << B1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t seen = 0;
    cr_expect_not(class_each_symbol(s, cases[i].term, note, &seen));
    cr_expect_eq(seen, cases[i].want, "%zu: %x", i, seen);
  }
  session_free(s);
}

Test(session_classes, an_asker_is_noted_once) {
  session_core *s = session_of(SUM);
  uint32_t before = s->run.index.asker_count;
  cr_assert_not(asked(s, 2, A0));
  class_note_asker(s, 2, A0);
  class_note_asker(s, 2, A0);
  cr_assert_eq(s->run.index.asker_count, before + 1);
  cr_assert(asked(s, 2, A0));
  session_free(s);
}

Test(session_classes, what_a_visit_made_replaces_what_it_made_before) {
  session_core *s = session_of(SUM);
  const uint32_t made[] = {B0, B1};
  class_note_made(s, 1, made, 2);
  cr_assert(class_op(s, 1)->made_count == 2 && class_op(s, 1)->made[1] == B1);
  class_note_made(s, 1, NULL, 0);
  cr_assert_eq(class_op(s, 1)->made_count, 0);
  session_free(s);
}

Test(session_classes, what_is_fixed_is_every_symbol_of_the_dims) {
  session_core *s = session_of(SUM);
  term_table *t = s->run.infer->terms;
  const term_id dims[] = {term_int(t, 4),
                          term_add(t, store_symbol_term(s->run.infer->store, B1), term_int(t, 1))};
  cr_assert_not(class_symbol(s, B1)->fixed);
  class_fix(s, dims, 2);
  cr_assert(class_symbol(s, B1)->fixed && !class_symbol(s, A1)->fixed);
  session_free(s);
}
