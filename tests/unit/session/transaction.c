// SPDX-License-Identifier: Apache-2.0
// Steps of an edit that are taken back, in reverse.
#include "solver/session/transaction.h"

#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };
enum { A, B, X, Y };

static undo_step *step(session_core *s, undo_kind kind, uint32_t id) {
  return transaction_step(&s->change, &s->arena, kind, id);
}

static void roll_back(session_core *s) {
  transaction_roll_back(&s->change, &s->doc, &s->pushes);
  cr_assert_eq(s->change.undo_count, 0);
}

Test(session_transaction, lists_and_operations_are_as_before) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  uint32_t slot = d->graph.ops[ADD].operands;
  step(s, UNDO_OPERAND, slot)->was = A;
  document_set_operand(d, slot, B);
  step(s, UNDO_REPLACE, ADD)->op = d->graph.ops[ADD];
  document_unuse(d, ADD);
  d->graph.ops[ADD].name = d->graph.ops[ABS].name;
  document_use(d, ADD);
  step(s, UNDO_REMOVE, ABS);
  document_unlink(d, ABS);
  roll_back(s);
  cr_assert_str_eq(graph_op_name(&d->graph, ADD), "stablehlo.add");
  cr_assert_eq(d->graph.operands[slot], A);
  cr_assert(d->ops[ABS].there && d->graph.ops[ADD].next == ABS);
  cr_assert(d->values[A].use_count == 1 && d->values[B].use_count == 2);
  expect_fresh(s);
  session_free(s);
}

// The last step first: an operation that went, and came back elsewhere.
Test(session_transaction, steps_are_taken_back_in_reverse) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  step(s, UNDO_REMOVE, ABS);
  document_unlink(d, ABS);
  step(s, UNDO_REMOVE, ADD);
  document_unlink(d, ADD);
  roll_back(s);
  cr_assert(d->graph.blocks[d->graph.ops[ADD].parent].first == ADD);
  cr_assert(d->graph.ops[ADD].next == ABS && d->graph.ops[ABS].next == RETURN);
  session_free(s);
}

Test(session_transaction, values_arguments_and_counts_are_as_before) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  type_id was = d->graph.values[Y].type;
  step(s, UNDO_VALUE, Y)->value = d->graph.values[Y];
  d->graph.values[Y].type = TYPE_NONE;
  const copy_arguments *list = document_arguments(d, 0);
  undo_step *out = step(s, UNDO_ARGUMENT_OUT, A);
  out->was = 0;
  out->at = 0;
  document_drop_argument(d, 0, 0);
  step(s, UNDO_LEVELS, 0)->was = 0;
  s->pushes.count = 5;
  s->pushes.level_count = 2;
  roll_back(s);
  cr_assert_eq(d->graph.values[Y].type, was);
  cr_assert(list->count == 2 && list->ids[0] == A && list->ids[1] == B);
  cr_assert(s->pushes.count == 0 && s->pushes.level_count == 0);
  expect_fresh(s);
  session_free(s);
}

Test(session_transaction, what_is_committed_stays) {
  session_core *s = session_of(SUM);
  step(s, UNDO_REMOVE, ABS);
  document_unlink(&s->doc, ABS);
  transaction_commit(&s->change);
  roll_back(s);
  cr_assert_not(s->doc.ops[ABS].there);
  session_free(s);
}

Test(session_transaction, an_operation_is_touched_once_in_a_call) {
  session_core *s = session_of(SUM);
  session_transaction *t = &s->change;
  transaction_begin(t);
  for (int i = 0; i < 3; i++) transaction_touch(t, &s->doc, ADD);
  transaction_touch(t, &s->doc, RETURN);
  cr_assert_eq(t->touched.count, 2);
  transaction_end(t, &s->doc);
  cr_assert_not(s->doc.ops[ADD].flags & TOUCHED);
  transaction_begin(t);
  cr_assert_eq(t->touched.count, 0);
  transaction_touch(t, &s->doc, ADD);
  cr_assert_eq(t->touched.count, 1);
  cr_assert(t->pushed_from == ID_NONE && t->popped_to == ID_NONE && !t->structural);
  session_free(s);
}
