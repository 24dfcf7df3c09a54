// SPDX-License-Identifier: Apache-2.0
// Answers about programs: as they are, or rendered with a status; and errors in place of them.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

Test(program_answer, a_rendered_answer_has_a_status) {
  static const replied ROWS[] = {
      {"{" ADD ", 'options': {'render': 'text'}}", "{'status': 'ok', 'errors': 0, 'message': ''"},
      {"{" MISMATCH ", 'options': {'render': 'text'}}", "'status': 'ok', 'errors': 1"},
      {"{" ADD ", 'options': {'render': 'text', 'entry': 'other'}}", "other"},
      {"{" ADD ", 'options': {'memory': 1}}", "'limit': 'max-memory'"},
  };
  expect_table("analyze", ROWS);
}

// Where the options do not go with the program it is an error of the protocol.
Test(program_answer, a_request_that_cannot_be_is_an_error) {
  static const replied ROWS[] = {
      {"{" GRAPH "}", "'code': 'invalid'"},
      {"{" GRAPH "}", "'path': 'params.options'"},
      {"{" GRAPH ", 'options': {'emit': 'json'}}", "'status': 'ok'"},
  };
  expect_table("refine", ROWS);
}

// Bytes that are no UTF-8 are no MLIR, and the reply is UTF-8.
Test(program_answer, names_of_any_bytes_are_rendered) {
  methods m;
  methods_open(&m);
  // "func.func @\"m\xff\"() { return }"
  expect_reply(
      &m, "analyze",
      "{'blob': 'ZnVuYy5mdW5jIEAibf8iKCkgeyByZXR1cm4gfQ==', 'options': {'render': 'text'}}",
      "is no UTF-8 [format]");
  methods_close(&m);
}

Test(program_answer, a_request_that_is_cancelled_has_no_answer) {
  methods m;
  methods_open(&m);
  m.stop = SHAPE_CANCELLED;
  expect_reply(&m, "analyze", "{" ADD ", 'options': {'render': 'text'}}", "'code': 'cancelled'");
  m.stop = SHAPE_DEADLINE;
  expect_reply(&m, "refine", "{" ADD "}", "'code': 'deadline'");
  methods_close(&m);
}
