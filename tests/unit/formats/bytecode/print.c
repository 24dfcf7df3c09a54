// SPDX-License-Identifier: Apache-2.0
// The text of bytecode, and the byte that a character of it comes from.
#include "tests/unit/formats/bytecode/reading.h"

// Each statement begins where its operation does, also where types were put in later.
Test(bytecode_print, a_character_comes_from_its_operation) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, false);
  uint32_t op = add_op(&s.w, "stablehlo", "abs", true);
  put_unary(&s, &body, op, UINT32_MAX, 2);  // its operand is defined by the next one
  size_t second = body.length;
  put_unary(&s, &body, op, UINT32_MAX, 0);
  put_return(&s, &body, 1);
  bytes file = end_sample(&s, &body, 3, 3, false);
  printed *p = open_print(&file, false);
  cr_assert(p->ok, "%s", p->error.message);
  const char *abs = strstr(p->text.text, "%1 = "), *next = strstr(p->text.text, "%2 = ");
  cr_assert(abs && next);
  uint32_t from = bytecode_byte_of(&p->text, (uint32_t)(abs - p->text.text));
  uint32_t to = bytecode_byte_of(&p->text, (uint32_t)(next - p->text.text));
  cr_expect_eq(to - from, second);
  cr_expect_eq(memcmp(file.at + from, body.at, body.length), 0);
  const char *type = strstr(next, "tensor<");
  cr_expect_eq(bytecode_byte_of(&p->text, (uint32_t)(type - p->text.text)), to);
  close_print(p);
}

Test(bytecode_print, what_is_invalid_has_no_text) {
  bytes file = unary(6, "stablehlo", "tanh", 0, 1);
  file.length--;
  printed *p = open_print(&file, true);
  cr_expect(!p->ok && p->text.length == 0 && !*p->text.text);
  cr_expect_leq(p->error.offset, file.length);
  close_print(p);
}

// Its length is that of the text; locations are part of a whole one alone.
Test(bytecode_print, the_text_ends_in_a_byte_0) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, false);
  s.loc = add_attr(&s.w, "builtin", FIELDS(11, A_STRING, 3, 4));
  put_return(&s, &body, 0);
  bytes file = end_sample(&s, &body, 1, 1, false);
  for (int whole = 0; whole < 2; whole++) {
    printed *p = open_print(&file, whole);
    cr_expect(p->ok && strlen(p->text.text) == p->text.length);
    cr_expect_eq(strstr(p->text.text, "loc(") != NULL, whole);
    close_print(p);
  }
}
