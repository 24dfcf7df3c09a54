// SPDX-License-Identifier: Apache-2.0
// profile/observe: what is folded, what is left out, and what is refused.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/methods.h"

Test(profile_observe, folds_what_was_seen) {
  methods m;
  methods_open(&m);
  expect_reply(
      &m, "profile/observe",
      "{'profile': 'p', 'observations': [{'dims': {'S0': 8, 'S1': '9'}, 'count': 3}, {'sizes': "
      "{'S0': 16}}]}",
      "{'violated': [], 'accepted': 2, 'dropped': 0, 'symbols': [{'name': 'S0', 'min': 8, 'max': "
      "16, "
      "'count': 4, 'other': 0, 'values': [[8, 3], [16, 1]]}, {'name': 'S1', 'min': 9, 'max': 9, "
      "'count': 3, 'other': 0, 'values': [[9, 3]]}]}");
  // The answer of an analysis has likely values then.
  expect_reply(&m, "analyze", "{" ADD ", 'options': {'profile': 'p'}}", "'likely': [8, 16]");
  methods_close(&m);
}

Test(profile_observe, what_cannot_be_is_left_out) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "profile/observe",
               "{'profile': 'p', " ADD
               ", 'observations': [{'dims': {'arg0.0': 8}}, {'dims': {'arg0.0': -1}}, "
               "{'dims': {'arg0.0': 8, 'arg1.0': 9}}, {'dims': {'unknown': 1}}]}",
               "'accepted': 1, 'dropped': 0");
  expect_reply(&m, "profile/observe",
               "{'profile': 'p', 'text': 'func.func @main(', 'observations': [{'dims': {'a': 1}}]}",
               "");
  methods_close(&m);
}

Test(profile_observe, wrong_parameters_are_named) {
  static const refused ROWS[] = {
      {NULL, "invalid", "params"},
      {"[]", "invalid", "params"},
      {"{}", "invalid", "params.profile"},
      {"{'profile': 3}", "invalid", "params.profile"},
      {"{'profile': ''}", "invalid", "params.profile"},
      {"{'profile': 'p', 'observations': 3}", "invalid", "params.observations"},
      {"{'profile': 'p', 'observations': [3]}", "invalid", "params.observations"},
      {"{'profile': 'p', 'observations': [{}]}", "invalid", "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': {}}]}", "invalid", "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': []}]}", "invalid", "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': {'': 1}}]}", "invalid",
       "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': {'a': 1.5}}]}", "invalid",
       "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': {'a': '9223372036854775808'}}]}", "invalid",
       "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': {'a': 1}, 'sizes': {'b': 1}}]}", "invalid",
       "params.observations.dims"},
      {"{'profile': 'p', 'observations': [{'dims': {'a': 1}, 'count': 0}]}", "invalid",
       "params.observations.count"},
      {"{'profile': 'full', 'observations': [{'dims': {'a': 1}, 'more': [1]}], 'unknown_keys': "
       "'ignore'}",
       "memory", ""},
      {"{'profile': 'p', 'text': 3, 'observations': [{'dims': {'a': 1}}]}", "invalid",
       "params.text"},
  };
  methods m;
  methods_open(&m);
  methods_refuse(&m, "profile/observe", ROWS, sizeof ROWS / sizeof *ROWS);
  methods_close(&m);
}
