// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/formats/torch/reading.h"

Test(torch_hop, map_sees_slices_and_stacks_results) {
  const char *answer = torch_answer(PROGRAM(
      NAMED("x") ", " NAMED("w"), NAMED("y"),
      NODE(
          "higher_order.map_impl",
          BODY(GRAPH(
              NAMED("a") ", " NAMED("w"), NAMED("b"),
              NODE("aten.mv.default", ARGUMENT(NAMED("w")) ", " ARGUMENT(NAMED("a")), NAMED("b")),
              TENSOR("a", SYMBOL("s1")) ", " TENSOR(
                  "w",
                  "{'as_int': 6}, " SYMBOL(
                      "s1")) ", " TENSOR("b",
                                         SYMBOL(
                                             "u9")))) ", " ARGUMENT("{'as_tensors': [{'name': "
                                                                    "'x'}]}") ", " ARGUMENT("{'as_"
                                                                                            "tensor"
                                                                                            "s': "
                                                                                            "[{'"
                                                                                            "name':"
                                                                                            " 'w'}]"
                                                                                            "}"),
          NAMED("y")),
      TENSOR("x", SYMBOL("s0") ", " SYMBOL("s1")) ", " TENSOR(
          "w", "{'as_int': 6}, " SYMBOL("s1")) ", " TENSOR("y", SYMBOL("u0") ", " SYMBOL("u1"))));
  cr_expect(strstr(answer, "\"y\": {\"type\": \"float32\", \"dims\": [\"s0\", 6]}"), "%s", answer);
}

#define VALUES(result)                                                                             \
  TENSOR("a", SYMBOL("s0") ", {'as_int': 4}")                                                      \
  ", " TENSOR("b", SYMBOL("s1") ", {'as_int': 4}") ", " TENSOR("c", result)
#define OF_BOTH(target) NODE(target, ARGUMENT(NAMED("a")) ", " ARGUMENT(NAMED("b")), NAMED("c"))
#define BRANCH(target)                                                                             \
  BODY(GRAPH(NAMED("a") ", " NAMED("b"), NAMED("c"), OF_BOTH(target),                              \
             VALUES(SYMBOL("u1") ", {'as_int': 4}")))
#define COND(operands, outputs)                                                                    \
  PROGRAM(NAMED("p") ", " NAMED("a") ", " NAMED("b"), NAMED("c"),                                  \
          NODE("higher_order.cond",                                                                \
               ARGUMENT(NAMED("p")) ", " BRANCH("aten.add.Tensor") ", " BRANCH(                    \
                   "aten.mm.default") ", " ARGUMENT(operands),                                     \
               outputs),                                                                           \
          "'p': {'dtype': 12, 'sizes': []}, " VALUES(SYMBOL("u0") ", {'as_int': 4}"))

Test(torch_hop, a_requirement_of_a_branch_is_one_where_it_runs) {
  const char *answer = torch_answer(
      COND("{'as_tensors': [{'name': 'a'}, {'name': 'b'}]}", "{'as_tensors': [{'name': 'c'}]}"));
  cr_expect(strstr(answer, "\"status\": \"ok\""), "%s", answer);
  cr_expect(strstr(answer, "\"constraints\": []"), "%s", answer);
  cr_expect(strstr(answer, "torch.prim.If@c.1"), "%s", answer);
  cr_expect(strstr(answer, "\"guards\": [{"), "%s", answer);
}

Test(torch_hop, other_numbers_of_operands_are_passed_over) {
  const char *answer = torch_answer(COND("{'as_tensors': [{'name': 'a'}]}", NAMED("c")));
  cr_expect(strstr(answer, "torch.higher_order.cond: no rule"), "%s", answer);
}

#define ONCE(name, before)                                                                         \
  PROGRAM(                                                                                         \
      NAMED("a") ", " NAMED("b"), NAMED("c"),                                                      \
      NODE("higher_order." name,                                                                   \
           before BRANCH("aten.mm.default") ", " ARGUMENT(NAMED("a")) ", " ARGUMENT(NAMED("b")),   \
           "{'as_tensors': [{'name': 'c'}]}"),                                                     \
      VALUES(SYMBOL("u0") ", {'as_int': 4}"))

Test(torch_hop, graphs_that_run_once) {
  static const char *const TEXTS[] = {
      ONCE("wrap_with_set_grad_enabled", ARGUMENT("{'as_bool': false}") ", "),
      ONCE("wrap_with_autocast",
           ARGUMENT("{'as_string': 'cpu'}") ", " ARGUMENT("{'as_none': true}") ", " ARGUMENT(
               "{'as_bool': true}") ", " ARGUMENT("{'as_bool': true}") ", "),
      ONCE("tag_activation_checkpoint", "")};
  for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    const char *answer = torch_answer(TEXTS[i]);
    cr_expect(strstr(answer, "\"c\": {\"type\": \"float32\", \"dims\": [\"s0\", 4]}"), "%s",
              answer);
    cr_expect(strstr(answer, "\"argument_dims\": [[\"s0\", 4], [4, 4]]"), "%s", answer);
  }
}

#define LISTED(name) "{'as_tensors': [{'name': '" name "'}]}"
#define NONE_LISTED  "{'as_tensors': []}"
#define RANK0        "'p': {'dtype': 12, 'sizes': []}"
#define TEST_OF_LOOP                                                                               \
  BODY(GRAPH(NAMED("a") ", " NAMED("b"), NAMED("p"),                                               \
             NODE("aten.any.default", ARGUMENT(NAMED("a")), NAMED("p")),                           \
             VALUES(SYMBOL("u5")) ", " RANK0))
#define WHILE(target, dims)                                                                         \
  PROGRAM(                                                                                          \
      NAMED("a") ", " NAMED("b"), NAMED("c"),                                                       \
      NODE(                                                                                         \
          "higher_order.while_loop",                                                                \
          TEST_OF_LOOP ", " BODY(GRAPH(                                                             \
              NAMED("a") ", " NAMED("b"), NAMED("c"),                                               \
              NODE(target, ARGUMENT(OPERANDS), NAMED("c")),                                         \
              VALUES(SYMBOL(                                                                        \
                  "u6") ", {'as_int': 4}"))) ", " ARGUMENT(LISTED("a")) ", " ARGUMENT(LISTED("b")), \
          LISTED("c")),                                                                             \
      VALUES(SYMBOL("u0") ", {'as_int': 4}"))

Test(torch_hop, while_loop_keeps_what_each_trip_keeps) {
#define OPERANDS NAMED("a")
  const char *answer = torch_answer(WHILE("aten.relu.default", ));
  cr_expect(strstr(answer, "\"c\": {\"type\": \"float32\", \"dims\": [\"s0\", 4]}"), "%s", answer);
  cr_expect(!strstr(answer, "unknown-operation"), "%s", answer);
#undef OPERANDS
}

Test(torch_hop, while_loop_makes_new_what_a_trip_changes) {
#define OPERANDS "{'as_tensors': [{'name': 'a'}, {'name': 'b'}]}"
  const char *answer = torch_answer(WHILE("aten.cat.default", ));
  cr_expect(strstr(answer, "\"status\": \"ok\""), "%s", answer);
  cr_expect(!strstr(answer, "\"c\": {\"type\": \"float32\", \"dims\": [\"s0\", 4]}"), "%s", answer);
  cr_expect(strstr(answer, "\"c\": {\"type\": \"float32\", \"dims\": [\"S0\", 4]}"), "%s", answer);
#undef OPERANDS
}

// scan(graph, [a], [b], ...): the carried row is added to each slice.
#define SCAN(rest, sizes)                                                                          \
  PROGRAM(NAMED("a") ", " NAMED("b"), NAMED("c") ", " NAMED("d"),                                  \
          NODE("higher_order.scan",                                                                \
               BODY(GRAPH(NAMED("a") ", " NAMED("b"), NAMED("c") ", " NAMED("d"),                  \
                          NODE("aten.add.Tensor", ARGUMENT(NAMED("a")) ", " ARGUMENT(NAMED("b")),  \
                               NAMED("c")) ", " NODE("aten.sum.default", ARGUMENT(NAMED("b")),     \
                                                     NAMED("d")),                                  \
                          ROW("a") ", " ROW("b") ", " ROW("c") ", " TENSOR(                        \
                              "d", ""))) ", " ARGUMENT(LISTED("a")) ", " ARGUMENT(LISTED("b"))     \
                   rest,                                                                           \
               "{'as_tensors': [{'name': 'c'}, {'name': 'd'}]}"),                                  \
          TENSOR("a", sizes) ", " TENSOR("b", SYMBOL("s1") ", " sizes) ", " TENSOR(                \
              "c", sizes) ", " TENSOR("d", SYMBOL("u9")))
#define ROW(name) TENSOR(name, "{'as_int': 4}")

Test(torch_hop, scan_takes_slices_and_stacks_what_trips_make) {
  const char *answer = torch_answer(SCAN(", " ARGUMENT(NONE_LISTED), "{'as_int': 4}"));
  cr_expect(strstr(answer, "\"c\": {\"type\": \"float32\", \"dims\": [4]}"), "%s", answer);
  cr_expect(strstr(answer, "\"d\": {\"type\": \"float32\", \"dims\": [\"s1\"]}"), "%s", answer);
  answer = torch_answer(SCAN(
      ", " ARGUMENT("{'as_int': 0}") ", " ARGUMENT("{'as_bool': true}") ", " ARGUMENT(NONE_LISTED),
      "{'as_int': 4}"));
  cr_expect(strstr(answer, "\"d\": {\"type\": \"float32\", \"dims\": [\"s1\"]}"), "%s", answer);
  cr_expect(!strstr(answer, "unknown-operation"), "%s", answer);
}

Test(torch_hop, scan_along_another_axis_is_passed_over) {
  const char *answer = torch_answer(SCAN(
      ", " ARGUMENT("{'as_int': 1}") ", " ARGUMENT("{'as_bool': false}") ", " ARGUMENT(NONE_LISTED),
      "{'as_int': 4}"));
  cr_expect(strstr(answer, "torch.higher_order.scan: no rule"), "%s", answer);
}
