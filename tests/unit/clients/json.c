// SPDX-License-Identifier: Apache-2.0
// The client's reader of JSON: members, items and texts, and no read beyond the end whatever the bytes are.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "clients/c/shape_client.h"
#include "tests/unit/pieces.h"

static shape_json json(const char *text) { return (shape_json){text, strlen(text)}; }

static bool is(shape_json got, const char *wanted) { return shape_json_is(got, wanted); }

Test(client_json, members) {
  shape_json object =
      json(" { \"a\" : [1, {\"b\": 2}] , \"b\":\"}\\\"\", \"c\": null, \"a\": 3 } ");
  cr_assert(is(shape_json_member(object, "a"), "[1, {\"b\": 2}]"));
  cr_assert(is(shape_json_member(object, "b"), "\"}\\\"\""));
  cr_assert(is(shape_json_member(object, "c"), "null"));
  cr_assert_eq(shape_json_member(object, "d").length, 0);
  cr_assert_eq(shape_json_member(json("[1]"), "a").length, 0);
  cr_assert_eq(shape_json_member(json("{}"), "a").length, 0);
  cr_assert_eq(shape_json_member(json(""), "a").length, 0);
}

Test(client_json, items) {
  shape_json array = json("[1, \"a,]\", [2, 3] , {\"x\": [4]}, true]");
  static const char *const items[] = {"1", "\"a,]\"", "[2, 3]", "{\"x\": [4]}", "true"};
  for (size_t i = 0; i < 5; i++) cr_assert(is(shape_json_item(array, i), items[i]), "item %zu", i);
  cr_assert_eq(shape_json_item(array, 5).length, 0);
  cr_assert_eq(shape_json_item(json("[ ]"), 0).length, 0);
  shape_json at = {0};
  size_t passed = 0;
  while ((at = shape_json_next(array, at)).length) cr_assert(is(at, items[passed++]));
  cr_assert_eq(passed, 5);
  cr_assert_eq(shape_json_next(json("[ ]"), at).length, 0);
  cr_assert_eq(shape_json_next(json("{\"a\": 1}"), at).length, 0);
}

Test(client_json, texts_are_decoded_and_cut) {
  char out[32];
  shape_json text = json("\"a\\n\\u00e9\\ud83d\\ude00\\/\\\"\"");
  cr_assert_eq(shape_json_string(text, out, sizeof out), 10);
  cr_assert_str_eq(out, "a\n\xc3\xa9\xf0\x9f\x98\x80/\"");
  cr_assert_eq(shape_json_string(text, out, 3), 10);
  cr_assert_str_eq(out, "a\n");
  cr_assert_eq(shape_json_string(json("12"), out, sizeof out), 2);
  cr_assert_str_eq(out, "12");
  cr_assert_eq(shape_json_string(json("\"\""), NULL, 0), 0);
}

Test(client_json, quoting_and_reading_gives_the_text_back) {
  char text[256], quoted[2048], back[256];
  for (int i = 0; i < 256; i++) text[i] = (char)(i ? i : 1);
  size_t length = shape_json_quote(text, sizeof text, quoted, sizeof quoted);
  cr_assert_lt(length, sizeof quoted);
  cr_assert_eq(strlen(quoted), length);
  cr_assert_eq(shape_json_string((shape_json){quoted, length}, back, sizeof back), sizeof text);
  cr_assert_arr_eq(back, text, sizeof text - 1);
}

Test(client_json, errors) {
  shape_client_error error;
  shape_client_read_error(
      json("{\"code\": -32602, \"message\": \"no\", \"data\": {\"code\": \"invalid\","
           " \"path\": \"params.x\", \"retryable\": true}}"),
      &error);
  cr_assert_eq(error.code, -32602);
  cr_assert_str_eq(error.name, "invalid");
  cr_assert_str_eq(error.path, "params.x");
  cr_assert_str_eq(error.message, "no");
  cr_assert(error.retryable);
  shape_client_read_error(json("7"), &error);
  cr_assert_eq(error.code, 0);
  cr_assert_str_eq(error.name, "");
}

// Pieces of JSON in every order and cut at every byte, in a block of just their size: the sanitizer sees a read beyond.
Test(client_json, invalid_text_is_never_overrun) {
  static const char *const pieces[] = {"{",    "}",     "[",     "]",     ",",
                                       ":",    "\"a\"", "\"a\\", "\\u12", "\"\\ud800\\u",
                                       "null", "1",     " ",     "\"",    "\"b\":"};
  uint32_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    char text[128];
    pieces_join(text, pieces, sizeof pieces / sizeof *pieces, 6, &seed);
    size_t length = strlen(text), cut = (seed >> 8) % (length + 1);
    char *exact = malloc(cut + !cut), out[64];
    memcpy(exact, text, cut);
    shape_json j = {exact, cut};
    shape_json member = shape_json_member(j, "a"), item = shape_json_item(j, 1);
    cr_assert(member.length <= cut && item.length <= cut);
    shape_json at = {0};
    for (size_t i = 0; (at = shape_json_next(j, at)).length; i++) {
      cr_assert(i <= cut && at.text >= exact && at.text + at.length <= exact + cut);
    }
    shape_json_string(member, out, sizeof out);
    shape_json_string(j, out, sizeof out);
    free(exact);
  }
}
