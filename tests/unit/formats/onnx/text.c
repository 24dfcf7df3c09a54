// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/text.h"

#include <criterion/criterion.h>
#include <string.h>

Test(onnx_text, comments_are_white_space) {
  static const char TEXT[] = " # a ] }\n\t# b\n x\v";
  text_reader r = text_open(TEXT, strlen(TEXT), NULL, NULL, NULL);
  cr_expect_eq(text_peek(&r), 'x');
  cr_expect_not(text_accept(&r, 'y'));
  cr_expect(text_accept(&r, 'x'));
  cr_expect_eq(text_peek(&r), 0);
  cr_expect_not(text_accept(&r, 0));
  cr_expect_eq(r.at, r.end);
}

Test(onnx_text, errors_have_a_position) {
  text_error error;
  text_reader r = text_open("ab", 2, NULL, NULL, &error);
  r.at++;
  cr_expect_not(text_fail(&r, "expected a name"));
  cr_expect_str_eq(error.message, "expected a name");
  cr_expect_eq(error.at, 1);
  cr_expect(text_is((text_word){r.at, 1}, "b"));
  cr_expect_not(text_is((text_word){r.at, 1}, "bc"));
}
