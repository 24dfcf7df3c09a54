// SPDX-License-Identifier: Apache-2.0
// Diagnostics of a run by what they are about, and what of them is new when they are reported.
#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };

static session_edit unknown(session_edit_kind kind, op_id op, const char *text) {
  return (session_edit){.kind = kind, .op = op, .text = text};
}

#define UNKNOWN(name) "[\"my.op\",[\"a\"],[\"" name "\"," WIDE "]]"

// The first operation of a name without a rule has the note, wherever that is now.
Test(session_diagnose, the_note_follows_the_first_of_its_name) {
  session_core *s = session_of(SUM);
  session_changes out = session_done(s, unknown(EDIT_INSERT, RETURN, UNKNOWN("p")));
  op_id later = out.inserted[0];
  cr_assert(out.appeared.count == 1 && out.appeared.items[0].op == later);
  out = session_done(s, unknown(EDIT_INSERT, ADD, UNKNOWN("q")));
  op_id first = out.inserted[0];
  cr_assert(out.appeared.count == 1 && out.appeared.items[0].op == first);
  cr_assert(out.vanished.count == 1 && out.vanished.items[0].op == later);
  out = session_done(s, (session_edit){.kind = EDIT_REMOVE, .op = first});
  cr_assert(out.appeared.count == 1 && out.appeared.items[0].op == later);
  out = session_done(s, (session_edit){.kind = EDIT_REMOVE, .op = later});
  cr_assert(out.appeared.count == 0 && out.vanished.count == 1);
  cr_assert_eq(session_diagnostics(s).count, 0);
  session_free(s);
}

Test(session_diagnose, what_is_dropped_is_that_of_one_subject) {
  session_core *s = session_of(SUM);
  op_id op = session_done(s, unknown(EDIT_INSERT, RETURN, UNKNOWN("p"))).inserted[0];
  name_id name = session_graph(s)->ops[op].name;
  cr_assert_eq(diags_drop(s, DIAG_OF_OP, ABS), NAME_NONE);
  cr_assert_eq(diags_drop(s, DIAG_OF_GIVEN, op), NAME_NONE);
  cr_assert(s->run.diags.count == 1 && !s->run.diags.changed);
  cr_assert_eq(diags_drop(s, DIAG_OF_OP, op), name);
  cr_assert(s->run.diags.count == 0 && s->run.diags.changed);
  session_free(s);
}

// What a visit of one operation says belongs to it, unless it speaks of another.
Test(session_diagnose, what_is_taken_has_its_subject) {
  session_core *s = session_of(SUM);
  diag_list *list = &s->run.graph.diags;
  diag_add(list, DIAG_ERROR, "test", (source_span){ABS, ABS}, "%s", "one");
  cr_assert(diags_take(s, DIAG_OF_OP, ABS));
  cr_assert_eq(list->count, 0);
  diag_add(list, DIAG_ERROR, "test", (source_span){ADD, ADD}, "%s", "two");
  cr_assert_not(diags_take(s, DIAG_OF_OP, ABS));
  diag_add(list, DIAG_ERROR, "test", (source_span){ADD, ADD}, "%s", "three");
  cr_assert(diags_take(s, DIAG_OF_GIVEN, 3));
  cr_assert_eq(s->run.diags.count, 3);
  cr_assert(s->run.diags.items[2].subject == DIAG_OF_GIVEN && s->run.diags.items[2].id == 3);
  cr_assert_eq(diags_drop(s, DIAG_OF_OP, ABS),
               NAME_NONE);  // no note of an operation without a rule
  cr_assert_eq(s->run.diags.count, 1);
  session_free(s);
}

// More than the list keeps are not certain to be all.
Test(session_diagnose, too_many_are_not_taken) {
  session_core *s = session_of(SUM);
  diag_list *list = &s->run.graph.diags;
  uint32_t limit = list->limit;
  for (uint32_t i = 0; i < limit; i++) {
    diag_add(list, DIAG_ERROR, "test", (source_span){ABS, ABS}, "%u", i);
    cr_assert(diags_take(s, DIAG_OF_OP, ABS), "%u", i);
  }
  diag_add(list, DIAG_ERROR, "test", (source_span){ABS, ABS}, "%s", "one more");
  cr_assert_not(diags_take(s, DIAG_OF_OP, ABS));
  session_free(s);
}

// Of the entry in program order, after what was given; what is the same is not said again.
Test(session_diagnose, a_report_says_what_is_new) {
  session_core *s = session_of(SUM);
  diag_list *list = &s->run.graph.diags;
  const op_id ops[] = {ABS, ADD};
  for (int i = 0; i < 2; i++) {
    diag_add(list, DIAG_WARNING, "test", (source_span){ops[i], ops[i]}, "%s", i ? "add" : "abs");
    cr_assert(diags_take(s, DIAG_OF_OP, ops[i]));
  }
  diag_add(list, DIAG_WARNING, "test", SPAN_NONE, "%s", "given");
  cr_assert(diags_take(s, DIAG_OF_GIVEN, 9));
  session_changes out = {0};
  diags_report(s, &out);
  cr_assert(out.appeared.count == 3 && out.vanished.count == 0);
  const session_diag *all = out.appeared.items;
  cr_assert(all[0].op == ID_NONE && all[1].op == ADD && all[2].op == ABS);
  shape_strbuf text;
  strbuf_init(&text, &s->scratch);
  cr_assert_not(diags_differ(s, &text));
  diags_drop(s, DIAG_OF_OP, ADD);
  cr_assert(diags_differ(s, &text));
  cr_assert_str_eq(strbuf_text(&text), "kept: add\n");
  out = (session_changes){0};
  diags_report(s, &out);
  cr_assert(out.appeared.count == 0 && out.vanished.count == 1);
  cr_assert_str_eq(out.vanished.items[0].message, "add");
  out = (session_changes){0};
  diags_report(s, &out);
  cr_assert(out.appeared.count == 0 && out.vanished.count == 0);
  session_free(s);
}
