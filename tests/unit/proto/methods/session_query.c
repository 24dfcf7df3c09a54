// SPDX-License-Identifier: Apache-2.0
// session/query: queries of each kind, and what is none.
#include <criterion/criterion.h>

#include "tests/unit/proto/methods/session.h"

#define QUERIES(list) "{" ID ", 'queries': " list "}"

Test(session_query, queries_of_every_kind) {
  static const replied ROWS[] = {
      {QUERIES("[]"), "'answers': []"},
      {QUERIES("[{'query': 'v0.0 == v1.0'}]"), "[{'answer': 'true'}]"},
      {QUERIES("[{'query': 'v0.0 == 7'}, {'query': 'v0.0 < 0'}]"),
       "[{'answer': 'unknown'}, {'answer': 'false'}]"},
      {QUERIES("[{'bounds': 'v0.0'}]"), "[{'min': 0, 'max': null}]"},
      {QUERIES("[{'simplify': 'v0.1 + 3'}]"), "[{'simplified': 7}]"},
      {QUERIES("[{'simplify': 'v0.0 + v0.0'}]"), "'simplified': '2*"},
      {QUERIES("[{'value': 0}]"), "'shape': {'type': 'tensor<?x4xf32>'"},
      {QUERIES("[{'value': 99}]"), "'code': 'invalid'"},
      {QUERIES("[{'same_shape': [0, 1]}, {'same_elements': [0, 2]}]"),
       "[{'answer': 'true'}, {'answer': 'true'}]"},
      {QUERIES("[{'query': 'unknown == 1'}]"), "'code': 'invalid'"},
      {QUERIES("[{'value': 'x'}]"), "'error': {"},
      {QUERIES("[{'same_shape': [0]}, {'bounds': 'v0.1'}]"), "'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[{'same_shape': [0, 1, [2]]}, {'bounds': 'v0.1'}]"), "'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[{'same_shape': [0, 99]}, {'bounds': 'v0.1'}]"),
       "'there is no such value'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[{'same_elements': 3}, {'bounds': 'v0.1'}]"), "'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[{'same_shape': ['%nope', {'a': 1}]}, {'bounds': 'v0.1'}]"),
       "'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[{'value': '%nope'}, {'bounds': 'v0.1'}]"), "'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[{'value': [1]}, {'bounds': 'v0.1'}]"), "'}}, {'min': 4, 'max': 4}]"},
      {QUERIES("[3]"), "'path': 'params.queries'"},
      {QUERIES("[{}]"), "'path': 'params.queries'"},
      {QUERIES("[{'query': 3}, {'query': 'v0.0 == v1.0'}]"), "'}}, {'answer': 'true'}]"},
      {QUERIES("[{'what': 3}, {'query': 'v0.0 == v1.0'}]"), "'}}, {'answer': 'true'}]"},
      {QUERIES("[{'query': 'v0.0 == 1', 'bounds': 'v0.0'}]"), "'path': 'params.queries'"},
      {"{" ID "}", "'path': 'params.queries'"},
      {"{" ID ", 'because': true, 'queries': [{'query': 'v0.0 == v1.0'}]}",
       "'answer': 'true', 'because': [{'op': "},
      {"{" ID ", 'because': true, 'queries': [{'query': 'v0.0 < 0'}]}",
       "'answer': 'false', 'because': []"},
      {"{" ID ", 'because': true, 'queries': [{'query': 'v0.0 == 7'}]}",
       "'answer': 'unknown', 'because': []"},
      {"{" ID ", 'because': true, 'queries': [{'query': 'v0.0 ='}, {'bounds': 'v0.1'}]}",
       "'message': 'at 6: "},
  };
  methods m;
  open_one(&m);
  expect_replies(&m, "session/query", ROWS);
  methods_close(&m);
}
