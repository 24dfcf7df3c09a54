// SPDX-License-Identifier: Apache-2.0
// The queue of operations that an edit affects, and when an edit is not followed at all.
#include "solver/session/affected.h"

#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };

// A few are sorted, many are marked: both end alike.
Test(session_affected, ids_are_sorted_and_kept_once) {
  enum { MANY = 3000, BOUND = 500 };
  static uint32_t many[MANY];
  session_core *s = session_of(SUM);
  uint32_t few[] = {5, 1, 5, 0, 5, 1}, none[1];
  cr_assert_eq(affected_sort(s, few, 6, 6), 3);
  cr_assert(few[0] == 0 && few[1] == 1 && few[2] == 5);
  cr_assert_eq(affected_sort(s, none, 0, 0), 0);
  for (uint32_t i = 0; i < MANY; i++) many[i] = i * 419 % BOUND;  // 419 has no factor with 500
  cr_assert_eq(affected_sort(s, many, MANY, BOUND), BOUND);
  for (uint32_t i = 0; i < BOUND; i++) cr_assert_eq(many[i], i);
  cr_assert_eq(affected_sort(s, many, BOUND, BOUND), BOUND);  // as it is
  for (uint32_t i = 0; i < BOUND; i++) cr_assert_eq(many[i], i);
  session_free(s);
}

// Not by their ids: what was inserted first in the program has the largest.
Test(session_affected, the_queue_has_each_operation_once_and_the_first_on_top) {
  session_core *s = session_of(SUM);
  session_edit head = {
      .kind = EDIT_INSERT, .op = ADD, .text = "[\"stablehlo.abs\",[\"b\"],[\"z\"," WIDE "]]"};
  op_id first = session_done(s, head).inserted[0];
  head.text = "[\"stablehlo.abs\",[\"b\"],[\"w\"," WIDE "]]";
  op_id gone = session_done(s, head).inserted[0];
  session_done(s, (session_edit){.kind = EDIT_REMOVE, .op = gone});
  affected c = {.s = s};
  const op_id pushed[] = {RETURN, ABS, RETURN, gone, ADD, ABS, first, first};
  for (size_t i = 0; i < sizeof pushed / sizeof *pushed; i++) affected_push(&c, pushed[i]);
  cr_assert_eq(c.count, 4);
  cr_assert_eq(c.heap[0], first);
  cr_assert_not(s->doc.ops[gone].flags & QUEUED);
  session_free(s);
}

// A user in a region is visited with the operation around it, which the queue of a body does not know.
Test(session_affected, users_elsewhere_are_not_pushed) {
  session_core *s = session_of(BRANCHES);
  affected c = {.s = s};
  cr_assert_not(affected_push_users(&c, session_find_value(s, "main", "a")));
  session_free(s);
  s = session_of(SUM);
  c = (affected){.s = s};
  cr_assert(affected_push_users(&c, session_find_value(s, "main", "b")));
  cr_assert(c.count == 2 && c.heap[0] == ADD);
  cr_assert(affected_push_users(&c, session_find_value(s, "main", "x")));  // it has none
  cr_assert_eq(c.count, 2);
  session_free(s);
}

Test(session_affected, what_was_touched_is_visited_and_what_came_out_the_same_ends_there) {
  session_core *s = session_of(SUM);
  change_list out = {0};
  uint32_t visited = 9;
  transaction_begin(&s->change);
  cr_assert(affected_follow(s, &out, &visited));
  cr_assert(visited == 0 && out.count == 0);
  transaction_touch(&s->change, &s->doc, ABS);
  cr_assert(affected_follow(s, &out, &visited));
  cr_assert_eq(visited, 2);  // its user may see other attributes
  cr_assert_eq(out.count, 0);
  session_free(s);
}

Test(session_affected, a_doubt_asks_for_a_whole_analysis) {
  session_core *s = session_of(SUM);
  change_list out = {0};
  uint32_t visited;
  bool *const doubts[] = {&s->change.structural, &s->run.index.opaque, &s->run.rows.gaps};
  for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
    transaction_begin(&s->change);
    *doubts[i] = true;
    cr_assert_not(affected_follow(s, &out, &visited), "%zu", i);
    *doubts[i] = false;
  }
  s->doc.ops[ABS].flags |= STICKY;
  transaction_touch(&s->change, &s->doc, ABS);
  cr_assert_not(affected_follow(s, &out, &visited));
  cr_assert_not(s->doc.ops[ABS].flags & QUEUED);  // nothing is left in the queue
  session_free(s);
}

// What was found of an operation is given to those that repeat it (infer/repeat.h), until that one is edited.
Test(session_affected, operations_repeat_what_an_edited_one_is_now) {
  enum { OPS = 300, LAYER = 3 };
  static const char *const EDITS[] = {
      "[\"stablehlo.transpose\",[\"a\"],[\"z\",\"tensor<?x?xf32>\"],{\"permutation\":[1,0]}]",
      "[\"stablehlo.transpose\",[\"b\"],[\"z\",\"tensor<?x?xf32>\"],{\"permutation\":[0,1]}]",
      "[\"stablehlo.add\",[\"a\",\"b\"],[\"z\",\"tensor<?x?xf32>\"]]",
      "[\"stablehlo.abs\",[\"b\"],[\"z\",\"tensor<8x?xf32>\"]]"};
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  strbuf_puts(&text, "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) {\n"
                     "  %v0 = stablehlo.abs %a : tensor<?x?xf32>\n");
  for (uint32_t i = 1; i < OPS; i++) {
    static const char *const NAMES[LAYER] = {"stablehlo.tanh %v", "stablehlo.abs %v",
                                             "stablehlo.transpose %v"};
    strbuf_printf(&text, "  %%v%u = %s%u", i, NAMES[i % LAYER], i - 1);
    strbuf_puts(&text, i % LAYER == 2 ? ", dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
                                      : " : tensor<?x?xf32>\n");
  }
  strbuf_puts(&text, "  return\n}\n");
  session_core *s = session_of(strbuf_text(&text));
  for (uint32_t i = 0; i < 12; i++) {
    const op_id at = i < 4 ? 0 : (op_id)(i * 7);
    session_done(s, (session_edit){.kind = EDIT_REPLACE, .op = at, .text = EDITS[i % 4]});
    cr_assert_eq(s->stats.incremental, i + 1);
    if (i % 3 == 2) expect_fresh(s);
  }
  session_free(s);
  arena_destroy(&arena);
}
