// SPDX-License-Identifier: Apache-2.0
// A whole analysis, what edits may rely on after it, and one that is put aside and taken up again.
#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };
enum { A, B, X, Y };

static bool is_sticky(const session_core *s, const char *name) {
  return s->doc.ops[s->doc.graph.values[session_find_value(s, "main", name)].def].flags & STICKY;
}

Test(session_whole, a_plain_program_is_followed) {
  session_core *s = session_of(SUM);
  cr_assert(s->run.valid && s->run.plain && !s->run.names_symbols && !s->run.index.opaque);
  cr_assert_not(is_sticky(s, "x") || is_sticky(s, "y"));
  for (op_id op = ADD; op <= RETURN; op++) cr_assert(run_is_own(s, op));
  cr_assert(run_in_step(s));
  session_free(s);
}

// A call brings a function along, and a reshape may make a dim for the operand that says its shape.
Test(session_whole, what_is_not_visited_alone_is_marked) {
  session_core *s = session_of("func.func private @f(%c: tensor<?xf32>) -> tensor<?xf32> {\n"
                               "  return %c : tensor<?xf32>\n}\n"
                               "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                               "  %x = stablehlo.abs %a : tensor<?xf32>\n"
                               "  %y = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
                               "  return %y : tensor<?xf32>\n}\n");
  cr_assert(is_sticky(s, "y") && !is_sticky(s, "x"));
  cr_assert(s->doc.values[session_find_value(s, "main", "y")].late);
  cr_assert_not(s->doc.values[session_find_value(s, "main", "x")].late);
  value_id c = session_find_value(s, "f", "c");
  cr_assert_not(run_is_own(s, s->doc.uses[s->doc.values[c].first_use].op));
  session_free(s);
}

Test(session_whole, operations_in_regions_are_not_the_scope_s_own) {
  session_core *s = session_of(BRANCHES);
  value_id u = session_find_value(s, "main", "u"), x = session_find_value(s, "main", "x");
  cr_assert_not(run_is_own(s, copy_of(&s->run.copier.ops, s->doc.graph.values[u].def)));
  cr_assert(run_is_own(s, copy_of(&s->run.copier.ops, s->doc.graph.values[x].def)));
  session_free(s);
}

Test(session_whole, what_is_the_same_is_no_change) {
  session_core *s = session_of(SUM);
  change_list list = {0};
  run_whole(s);
  run_compare(s, &list);
  cr_assert_eq(list.count, 0);
  s->doc.values[X].shape = SHAPE_NONE;
  run_compare(s, &list);
  cr_assert(list.count == 1 && list.items[0].value == X);
  cr_assert(list.items[0].before == SHAPE_NONE && list.items[0].after == s->doc.values[A].shape);
  session_free(s);
}

Test(session_whole, room_is_made_for_more_values) {
  session_core *s = session_of(SUM);
  uint32_t room = s->run.value_room;
  const value_info *values = s->run.infer->frames[0].values;
  uint32_t rank = values[A].rank;
  cr_assert_geq(room, 4);
  run_make_room(s);
  cr_assert_eq(s->run.value_room, room);  // there is enough
  s->run.graph.value_count = room + 1;
  run_make_room(s);
  cr_assert_gt(s->run.value_room, room);
  cr_assert_eq(s->run.infer->frames[0].values[A].rank, rank);
  session_free(s);
}

// The version is what it is for: of another program nothing is taken up.
Test(session_whole, what_is_put_aside_is_taken_up_as_it_was) {
  for (int edited = 0; edited < 2; edited++) {
    session_core *s = session_of(SUM);
    change_list push = {0}, pop = {0};
    shape_key was = s->doc.values[X].shape;
    cr_assert_not(run_take_up(s, &pop));  // there is none
    s->doc.ops[ABS].flags |= STICKY;
    s->doc.values[Y].late = true;
    run_put_aside(s);
    cr_assert(s->aside.there && !s->run.valid);
    run_whole(s);
    cr_assert(s->run.valid && !is_sticky(s, "y"));
    push.items = &(session_change) {
      X
      , was, SHAPE_NONE
    };
    push.count = 1;
    s->doc.values[X].shape = SHAPE_NONE;
    run_keep_changes(s, &push);
    s->doc.version += edited ? 2 : 1;
    cr_assert_eq(run_take_up(s, &pop), !edited);
    if (!edited) {
      cr_assert(is_sticky(s, "y") && s->doc.values[Y].late && !s->aside.there);
      cr_assert(pop.count == 1 && pop.items[0].value == X && pop.items[0].after == was);
    }
    run_forget_aside(s);
    cr_assert_not(s->aside.there);
    session_free(s);
  }
}
