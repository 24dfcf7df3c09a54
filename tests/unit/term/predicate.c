// SPDX-License-Identifier: Apache-2.0
// Predicates as text are read back as they were, and a relation holds exactly where its opposite does not.
#include "solver/term/predicate.h"

#include <criterion/criterion.h>

#include "tests/unit/world.h"

static void put_letter(void *data, shape_strbuf *out, uint32_t symbol) {
  (void)data;
  strbuf_putc(out, (char)('a' + symbol));
}

static term_id letter(void *data, const char *name, size_t length) {
  const world *w = data;
  return length == 1 && *name >= 'a' && *name <= 'c' ? w->symbols[*name - 'a'] : TERM_NONE;
}

Test(predicate, is_read_back_as_it_was) {
  static const char *const TEXTS[] = {"a == 4*b", "a != b + 1", "a < b",         "a <= 0",
                                      "a > c",    "a >= b*c",   "mod(a, b) == 0"};
  world w;
  world_open(&w, 0, WORLD_STEPS, 3);
  const term_namer names = {.symbol = put_letter};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    predicate p = predicate_make((relation)i, w.a, w.b);
    term_parser parser = {.terms = &w.terms, .symbol = letter, .data = &w};
    if (p.rel != REL_DIVISIBLE)
      cr_assert(
          term_parse_predicate(&parser, TEXTS[i], strlen(TEXTS[i]), &p.rel, &p.left, &p.right));
    cr_expect_eq(p.rel, (relation)i, "%s", TEXTS[i]);
    shape_strbuf out;
    strbuf_init(&out, &w.arena);
    predicate_print(&w.terms, &out, p, &names);
    cr_expect_str_eq(strbuf_text(&out), TEXTS[i]);
  }
  arena_destroy(&w.arena);
}

// Of less, equal and greater.
Test(predicate, relations_hold_of_orders) {
  static const char *const HOLDS[] = {[REL_EQ] = "010", [REL_NE] = "101", [REL_LT] = "100",
                                      [REL_LE] = "110", [REL_GT] = "001", [REL_GE] = "011"};
  for (relation rel = REL_EQ; rel <= REL_GE; rel++) {
    for (int order = -1; order <= 1; order++)
      cr_expect_eq(relation_holds(rel, order), HOLDS[rel][order + 1] == '1', "%s, %d",
                   relation_text(rel), order);
  }
}

Test(predicate, exactly_one_of_a_relation_and_its_opposite_holds) {
  for (relation rel = REL_EQ; rel <= REL_GE; rel++) {
    for (int a = -1; a <= 1; a++)
      cr_expect_neq(relation_holds(rel, a), relation_holds(relation_not(rel), a), "%s of %d and 0",
                    relation_text(rel), a);
  }
}
