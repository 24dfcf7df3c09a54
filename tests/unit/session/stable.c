// SPDX-License-Identifier: Apache-2.0
// Names that last: symbols keep theirs however often things are analysed, equal shapes have one key.
#include "tests/unit/session/fixture.h"

enum { A, B, X, Y };

Test(session_stable, equal_shapes_have_one_key) {
  session_core *s = session_of(SUM);
  shape_key key = session_value_shape(s, A);
  for (value_id v = A; v <= Y; v++) {
    cr_assert_eq(session_value_shape(s, v), key, "value %u", v);
    cr_assert_eq(stable_shape(s, v), key);
  }
  const session_shape *shape = session_shape_of(s, key);
  cr_assert(shape->ranked && shape->rank == 2);
  cr_assert_str_eq(shape->type, "tensor<?x?xf32>");
  cr_assert_str_eq(shape->dims[1], "S1");
  session_free(s);
}

Test(session_stable, a_new_run_gives_the_same_names) {
  session_core *s = session_of(SUM);
  const char *before = session_dim(s, "y", 0);
  for (int i = 0; i < 3; i++) run_whole(s);
  expect_fresh(s);
  cr_assert_eq(session_dim(s, "y", 0), before);  // the very text
  cr_assert_eq(session_get_stats(s).symbols, 2);
  session_free(s);
}

// S0 is taken by a declaration, which has it as its own.
Test(session_stable, names_that_are_declared_are_not_given) {
  session_core *s = session_of(
      "{\"symbols\":[{\"name\":\"S0\"},{\"name\":\"my dim\"}],\"functions\":[{\"name\":\"main\","
      "\"arguments\":[\"a\",{\"dtype\":\"f32\",\"dims\":[null,\"S0\",\"my dim\"]}],\"ops\":["
      "[\"func.return\",[\"a\"]]]}]}");
  cr_assert_str_eq(session_dim(s, "a", 0), "S1");
  cr_assert_str_eq(session_dim(s, "a", 1), "S0");
  cr_assert_str_eq(session_dim(s, "a", 2), "\"my dim\"");
  cr_assert_neq(stable_find(s, "my dim", 6), ID_NONE);
  cr_assert_neq(stable_find(s, "S0", 2), stable_find(s, "S1", 2));
  session_free(s);
}

Test(session_stable, a_name_is_found_while_its_origin_is_there) {
  session_core *s =
      session_of("func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
                 "  return %b : tensor<?xf32>\n}\n");
  uint32_t first = stable_find(s, "S0", 2);
  cr_assert_neq(first, ID_NONE);
  cr_assert_eq(stable_find(s, "S2", 2), ID_NONE);
  cr_assert_eq(stable_find(s, "", 0), ID_NONE);
  session_done(s, (session_edit){.kind = EDIT_REMOVE_ARGUMENT, .value = A});
  cr_assert_eq(stable_find(s, "S0", 2), ID_NONE);
  cr_assert_str_eq(session_dim(s, "b", 0), "S1");
  cr_assert_neq(stable_find(s, "S1", 2), ID_NONE);
  session_free(s);
}

Test(session_stable, terms_have_one_text) {
  session_core *s = session_of(SUM);
  shape_store *store = s->run.infer->store;
  term_table *t = s->run.infer->terms;
  cr_assert_null(stable_text(s, TERM_NONE));
  cr_assert_eq(stable_term(s, TERM_NONE), TERM_NONE);
  term_id sum =
      term_add(t, term_mul(t, term_int(t, 2), store_symbol_term(store, 1)), term_int(t, -1));
  const char *text = stable_text(s, stable_term(s, store_canon(store, sum)));
  cr_assert_str_eq(text, "2*S1 - 1");
  cr_assert_eq(stable_text(s, stable_term(s, store_canon(store, sum))), text);
  session_free(s);
}

// A function that is called twice has the shapes that both calls agree on.
Test(session_stable, frames_of_one_function_say_what_they_agree_on) {
  session_core *s =
      session_of("func.func private @f(%c: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
                 "  %d = stablehlo.abs %c : tensor<?x?xf32>\n  return %d : tensor<?x?xf32>\n}\n"
                 "func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> tensor<?x?xf32> {\n"
                 "  %p = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<?x?xf32>\n"
                 "  %q = stablehlo.convert %b : (tensor<2x5xf32>) -> tensor<?x?xf32>\n"
                 "  %x = call @f(%p) : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
                 "  %y = call @f(%q) : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
                 "  return %x : tensor<?x?xf32>\n}\n");
  value_id d = session_find_value(s, "f", "d");
  cr_assert_neq(d, VALUE_NONE);
  const session_shape *shape = session_shape_of(s, session_value_shape(s, d));
  cr_assert_str_eq(shape->type, "tensor<2x?xf32>");
  cr_assert_str_eq(shape->dims[0], "2");
  cr_assert_null(shape->dims[1]);
  cr_assert_str_eq(session_dim(s, "x", 1), "3");
  cr_assert_str_eq(session_dim(s, "y", 1), "5");
  session_free(s);
}

// In the middle of a call one more may be there: it is gone before the next.
Test(session_stable, what_is_not_whole_is_taken_back) {
  session_core *s = session_of(SUM);
  uint32_t symbols = s->names.symbols.count, shapes = s->names.shape_count;
  intern_add(&s->names.symbols.keys, "half", 4);
  intern_add(&s->names.shape_keys, "half", 4);
  stable_recover(s);
  cr_assert_eq(s->names.symbols.keys.count, symbols);
  cr_assert_eq(s->names.shape_keys.count, shapes);
  expect_fresh(s);
  session_free(s);
}
