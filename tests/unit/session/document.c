// SPDX-License-Identifier: Apache-2.0
// The program of a session as lists: operations taken out and put back, uses, names, arguments, dominance.
#include "solver/session/document.h"

#include "tests/unit/session/fixture.h"

enum { ADD, ABS, RETURN };
enum { A, B, X, Y };

static void expect_order(const session_document *d, const op_id *ops, uint32_t count) {
  const graph_block *block = &d->graph.blocks[d->graph.ops[ops[0]].parent];
  op_id at = block->first, previous = ID_NONE;
  uint64_t order = 0;
  for (uint32_t i = 0; i < count; i++) {
    cr_assert_eq(at, ops[i], "operation %u", i);
    cr_assert_eq(d->ops[at].previous, previous);
    cr_assert_gt(d->ops[at].order, order);
    order = d->ops[at].order;
    previous = at;
    at = d->graph.ops[at].next;
  }
  cr_assert(at == ID_NONE && block->last == previous);
}

Test(session_document, an_operation_goes_and_comes_back) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  const op_id all[] = {ADD, ABS, RETURN}, less[] = {ADD, RETURN}, other[] = {ABS, ADD, RETURN};
  cr_assert(document_in_step(d));
  cr_assert_eq(d->values[B].use_count, 2);
  document_unlink(d, ABS);
  expect_order(d, less, 2);
  cr_assert(!d->ops[ABS].there && d->op_count == 2);
  cr_assert(d->values[B].use_count == 1 && !d->values[Y].there);
  document_relink(d, ABS);
  expect_order(d, all, 3);
  cr_assert(d->values[B].use_count == 2 && d->values[Y].there && d->op_count == 3);
  document_unlink(d, ADD);
  document_link(d, ADD, ABS, true);
  expect_order(d, other, 3);
  document_unlink(d, ADD);
  document_link(d, ADD, ABS, false);
  expect_order(d, all, 3);
  session_free(s);
}

// The gap is halved each time, so that it is used up after 32 moves, and orders are given anew.
Test(session_document, orders_are_given_anew_where_a_gap_is_used_up) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  op_id ops[] = {ADD, ABS, RETURN};
  for (int i = 0; i < 200; i++) {
    op_id moved = ops[i % 2 ? 0 : 1];
    document_unlink(d, moved);
    document_link(d, moved, RETURN, false);
    expect_order(d, (const op_id[]){moved == ADD ? ABS : ADD, moved, RETURN}, 3);
  }
  session_free(s);
}

Test(session_document, an_operand_is_exchanged) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  uint32_t slot = d->graph.ops[ADD].operands;
  document_set_operand(d, slot, B);
  cr_assert(d->values[A].use_count == 0 && d->values[A].first_use == ID_NONE);
  cr_assert_eq(d->values[B].use_count, 3);
  document_set_operand(d, slot, VALUE_NONE);
  cr_assert_eq(d->values[B].use_count, 2);
  document_set_operand(d, slot, A);
  cr_assert(d->values[A].use_count == 1 && d->values[A].first_use == slot);
  session_free(s);
}

static name_id name_of(const session_core *s, const char *text) {
  return intern_find(&s->doc.graph.names, text, strlen(text));
}

// In two regions of one operation a name may mean two values: then it means none.
Test(session_document, a_name_is_found_where_one_value_has_it) {
  session_core *s = session_of(
      "func.func @main(%p: i1, %a: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %x = \"stablehlo.if\"(%p) ({\n    %u = stablehlo.abs %a : tensor<?xf32>\n"
      "    stablehlo.return %u : tensor<?xf32>\n  }, {\n    %u = stablehlo.negate %a : "
      "tensor<?xf32>\n    stablehlo.return %u : tensor<?xf32>\n  }) : (i1) -> tensor<?xf32>\n"
      "  return %x : tensor<?xf32>\n}\n");
  session_document *d = &s->doc;
  name_id u = name_of(s, "u");
  cr_assert_neq(u, NAME_NONE);
  cr_assert_eq(document_find(d, 0, u), VALUE_NONE);
  cr_assert(document_name_taken(d, 0, u));
  value_id x = document_find(d, 0, name_of(s, "x"));
  cr_assert(x != VALUE_NONE && !d->graph.values[x].is_argument);
  op_id first = d->graph.values[x].def;
  document_unlink(d, first);
  cr_assert_not(document_name_taken(d, 0, u));
  cr_assert_eq(document_find(d, 0, name_of(s, "x")), VALUE_NONE);
  document_relink(d, first);
  cr_assert(document_name_taken(d, 0, u));
  cr_assert_eq(document_find(d, 0, name_of(s, "x")), x);
  cr_assert_eq(document_find(d, 0, NAME_NONE), VALUE_NONE);
  session_free(s);
}

Test(session_document, an_operand_is_dominated_by_what_is_before_and_around) {
  session_core *s = session_of(BRANCHES);
  const session_document *d = &s->doc;
  value_id a = session_find_value(s, "main", "a"), x = session_find_value(s, "main", "x");
  value_id u = session_find_value(s, "main", "u");
  op_id outer = d->graph.values[x].def, inner = d->graph.values[u].def;
  op_id end = d->graph.ops[outer].next, inner_end = d->graph.ops[inner].next;
  cr_assert_eq(document_func(d, inner), 0);
  const struct {
    value_id value;
    op_id op;
    bool want;
  } cases[] = {{a, outer, true}, {a, inner, true},      {u, inner_end, true}, {u, inner, false},
               {u, end, false},  {x, inner_end, false}, {x, end, true},       {x, outer, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_eq(document_dominates(d, cases[i].value, cases[i].op), cases[i].want, "%zu", i);
  session_free(s);
}

Test(session_document, arguments_are_a_list_of_its_own) {
  session_core *s = session_of(SUM);
  session_document *d = &s->doc;
  const copy_arguments *list = document_arguments(d, 0);
  cr_assert(list->count == 2 && list->ids[0] == A && list->ids[1] == B);
  document_drop_argument(d, 0, 0);
  cr_assert(list->count == 1 && list->ids[0] == B && !d->values[A].there);
  cr_assert_eq(session_find_value(s, "main", "a"), VALUE_NONE);
  document_room_for_argument(d, 0);
  document_put_argument(d, 0, 1, A);
  cr_assert(list->count == 2 && list->ids[0] == B && list->ids[1] == A);
  cr_assert_eq(session_find_value(s, "main", "a"), A);
  cr_assert_eq(document_arguments(d, 0), list);
  session_free(s);
}
