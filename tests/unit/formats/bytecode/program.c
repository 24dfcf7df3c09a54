// SPDX-License-Identifier: Apache-2.0
// Operations, regions and values: what a program cannot be.
#include "tests/unit/formats/bytecode/reading.h"

// Main with a body of one operation whose bytes these are.
static void expect_body(bytes op, unsigned ops, unsigned values, const char *error) {
  sample s;
  begin_sample(&s, 6, false);
  bytes file = end_sample(&s, &op, ops, values, false);
  expect_error(&file, 0, file.length, error);
}

Test(bytecode_program, parts_of_an_operation_are_there) {
  sample s;
  begin_sample(&s, 6, false);
  bytes op = FIELDS(s.ret);
  put_byte(&op, 0x80);
  expect_body(op, 1, 1, "expected an operation with the parts of");
  op = FIELDS(99);
  expect_body(op, 1, 1, "index 99");
  op = FIELDS(s.ret);
  put_byte(&op, 0);
  put(&op, 99);
  expect_body(op, 1, 1, "index 99");
  op = FIELDS(s.ret);
  put_byte(&op, MASK_OPERANDS);
  put(&op, s.loc);
  put(&op, 50);
  expect_body(op, 1, 1, "50");
  expect_body((bytes){.length = 0}, 1, 1, "byte ");
  expect_body((bytes){.length = 0}, 9000, 1, "9000 operations are announced");
}

// As many values as the region says.
Test(bytecode_program, values_are_those_that_are_announced) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, false);
  uint32_t op = add_op(&s.w, "stablehlo", "abs", true);
  put_unary(&s, &body, op, UINT32_MAX, 0);
  put_return(&s, &body, 0);
  bytes file = end_sample(&s, &body, 2, 1, false);
  expect_error(&file, 0, file.length,
               "expected the 1 values that the region announces, found more");
}

Test(bytecode_program, a_value_is_known_by_its_number) {
  bytes file = unary(6, "stablehlo", "tanh", 0, 0);
  expect_text(&file, "\"func.return\"(%arg0) : (tensor<?xf32>) -> ()");
  file = unary(6, "stablehlo", "tanh", 0, 2);
  expect_error(&file, 0, file.length, "index 2 of 2 values");
}
