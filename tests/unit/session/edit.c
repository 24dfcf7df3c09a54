// SPDX-License-Identifier: Apache-2.0
// Edits that are refused, and what they leave: the session says what it said before, and names are as free as before.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/session/fixture.h"

// Operations 0: x = if p {u = abs(a)} else {a}, 1: abs u, 2: return u, 3: return a, 4: the end.
static session_core *opened(void) { return session_of(BRANCHES); }

static bool edit(session_core *s, session_edit *edits, uint32_t count, session_changes *out,
                 session_failure *failure) {
  for (uint32_t i = 0; i < count; i++) {
    if (edits[i].text) edits[i].length = strlen(edits[i].text);
    if (edits[i].name) edits[i].name_length = strlen(edits[i].name);
  }
  *failure = (session_failure){.edit = ID_NONE};
  return session_edit_all(s, edits, count, session_read_fragment, out, failure);
}

// The operation and the argument that it brings.
typedef struct brought {
  op_id op;
  value_id argument;
} brought;

static brought done(session_core *s, session_edit e) {
  session_changes out;
  session_failure failure;
  cr_assert(edit(s, &e, 1, &out, &failure), "%s: %s", e.text, failure.message);
  brought new = {out.inserted[0], out.arguments[0]};
  expect_fresh(s);
  return new;
}

static void refused(session_core *s, session_edit e, const char *why) {
  session_changes out;
  session_failure failure;
  uint64_t version = session_version(s);
  cr_expect_not(edit(s, &e, 1, &out, &failure), "%s", e.text ? e.text : why);
  cr_expect(strstr(failure.message, why), "%s", failure.message);
  cr_expect_eq(session_version(s), version);
  expect_fresh(s);
}

static op_id last_op(const session_core *s) {
  const shape_graph *g = session_graph(s);
  const graph_region *body = &g->regions[g->funcs[0].body];
  return g->blocks[body->first_block].last;
}

static op_id first_op(const session_core *s) {
  const shape_graph *g = session_graph(s);
  return g->blocks[g->regions[g->funcs[0].body].first_block].first;
}

#define ABS(name) "[\"stablehlo.abs\",[\"a\"],[\"" name "\"," WIDE "]]"
#define IF(inner)                                                                                  \
  "[\"stablehlo.if\",[\"p\"],[\"y\"," WIDE "],{},[[[],[\"stablehlo.abs\",[\"a\"],[\"" inner        \
  "\"," WIDE "]],[\"stablehlo.return\",[\"" inner "\"]]],[[],[\"stablehlo.abs\",[\"a\"],[\"" inner \
  "\"," WIDE "]],[\"stablehlo.return\",[\"" inner "\"]]]]]"

Test(session_edit, what_is_not_there_is_refused) {
  session_core *s = opened();
  op_id first = first_op(s), end = last_op(s);
  refused(s, (session_edit){.kind = EDIT_REMOVE, .op = 99}, "there is no operation 99");
  refused(s, (session_edit){.kind = EDIT_REMOVE, .op = ID_NONE}, "there is no operation");
  refused(s, (session_edit){.kind = EDIT_REMOVE, .op = end}, "a block keeps its terminator");
  refused(s, (session_edit){.kind = EDIT_REMOVE, .op = first}, "still uses value");
  refused(s, (session_edit){.kind = EDIT_REWIRE, .value = 0, .with = 99}, "there is no value 99");
  refused(s, (session_edit){.kind = EDIT_RETYPE, .value = VALUE_NONE, .text = WIDE},
          "there is no value");
  refused(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = 1}, "uses value 1");
  refused(s, (session_edit){.kind = EDIT_INSERT, .op = end, .after = true, .text = ABS("t")},
          "no operation may follow a terminator");
  refused(s, (session_edit){.kind = EDIT_INSERT, .op = end, .text = ABS("x")},
          "\"x\" is defined already");
  refused(s, (session_edit){.kind = EDIT_INSERT, .op = end, .text = ABS("u")},
          "\"u\" is defined already");
  refused(s, (session_edit){.kind = EDIT_INSERT, .op = end, .text = ABS("#1")},
          "do not begin with '#'");
  refused(s,
          (session_edit){.kind = EDIT_INSERT,
                         .op = first,
                         .text = "[\"stablehlo.abs\",[\"x\"],[\"t\"," WIDE "]]"},
          "not defined there");
  refused(s, (session_edit){.kind = EDIT_KINDS}, "no such edit");
  session_free(s);
}

// Not two, and not none.
Test(session_edit, a_block_has_one_terminator) {
  session_core *s = opened();
  op_id first = first_op(s), end = last_op(s);
  refused(s, (session_edit){.kind = EDIT_INSERT, .op = first, .text = "[\"func.return\",[\"a\"]]"},
          "terminator");
  refused(s, (session_edit){.kind = EDIT_REPLACE, .op = end, .text = "[\"my.end\",[\"x\"]]"},
          "terminator");
  session_free(s);
}

// Also those that two regions of one operation define.
Test(session_edit, names_are_free_again) {
  session_core *s = opened();
  session_changes out;
  session_failure failure;
  for (int round = 0; round < 2; round++) {
    session_edit edits[] = {
        {.kind = EDIT_INSERT, .op = last_op(s), .text = round ? IF("w") : ABS("w")},
        {.kind = EDIT_REMOVE, .op = 99}};
    cr_assert_not(edit(s, edits, 2, &out, &failure));
    cr_expect_eq(failure.edit, 1);
    expect_fresh(s);
  }
  op_id made = done(s, (session_edit){.kind = EDIT_INSERT, .op = last_op(s), .text = ABS("w")}).op;
  done(s, (session_edit){.kind = EDIT_REMOVE, .op = made});
  made = done(s, (session_edit){.kind = EDIT_INSERT, .op = last_op(s), .text = IF("w")}).op;
  done(s, (session_edit){.kind = EDIT_REMOVE, .op = made});
  done(s, (session_edit){.kind = EDIT_INSERT, .op = last_op(s), .text = ABS("w")});
  session_free(s);
}

// Hundreds of operations between the same two: the numbers of their order run out, and are given anew.
Test(session_edit, any_number_of_operations_go_between_two) {
  session_core *s = opened();
  op_id at = last_op(s);
  char text[128];
  for (unsigned i = 0; i < 200; i++) {
    snprintf(text, sizeof text, "[\"stablehlo.abs\",[\"a\"],[\"t%u\"," WIDE "]]", i);
    session_edit e = {.kind = EDIT_INSERT, .op = at, .text = text};
    session_changes out;
    session_failure failure;
    cr_assert(edit(s, &e, 1, &out, &failure), "%s", failure.message);
    at = out.inserted[0];
  }
  expect_fresh(s);
  const shape_graph *g = session_graph(s);
  unsigned count = 0;
  for (op_id op = at; op != last_op(s); op = g->ops[op].next) {
    count++;
    if (g->ops[op].next != ID_NONE)
      cr_assert_lt(s->doc.ops[op].order, s->doc.ops[g->ops[op].next].order);
  }
  cr_expect_eq(count, 200);
  session_free(s);
}

Test(session_edit, arguments_come_and_go) {
  session_core *s = opened();
  value_id made =
      done(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = WIDE, .name = "n"})
          .argument;
  refused(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = WIDE, .name = "n"},
          "defined already");
  refused(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = WIDE, .name = "x"},
          "defined already");
  refused(s, (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 2, .text = WIDE, .name = "m"},
          "not beside an argument");
  refused(
      s,
      (session_edit){.kind = EDIT_INSERT_ARGUMENT, .value = 0, .text = "\"tensor<\"", .name = "m"},
      "not a type");
  op_id user = done(s, (session_edit){.kind = EDIT_INSERT,
                                      .op = last_op(s),
                                      .text = "[\"stablehlo.abs\",[\"n\"],[\"t\"," WIDE "]]"})
                   .op;
  refused(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = made}, "uses value");
  done(s, (session_edit){.kind = EDIT_REMOVE, .op = user});
  done(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = made});
  refused(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = made}, "there is no value");
  done(s, (session_edit){
              .kind = EDIT_INSERT_ARGUMENT, .value = VALUE_NONE, .text = WIDE, .name = "n"});
  session_free(s);
}
