// SPDX-License-Identifier: Apache-2.0
// JSON as a tree.
#include "solver/formats/json/validate.h"
#include "tests/unit/formats/torch/reading.h"

Test(torch_dom, kinds_members_and_texts) {
  torch_reading t;
  torch_reading_open(&t);
  const dom_node *root =
      torch_dom(&t, "{'a': [1, -2.5e3, 'x'], 'b': {'c': null, 'd': true}, 'e': false, 'a': 0}");
  const dom_node *a = dom_member(root, "a"), *b = dom_member(root, "b");
  cr_assert(dom_is(root, DOM_OBJECT) && root->count == 4);
  cr_assert(dom_is(a, DOM_ARRAY) && a->count == 3);  // the first of its name
  cr_expect(a->length == 16 && memcmp(a->text, "[1, -2.5e3, \"x\"]", 16) == 0);
  cr_expect(dom_is(a->first, DOM_NUMBER) && dom_is(a->first->next->next, DOM_STRING));
  cr_expect_null(a->first->next->next->next);
  cr_expect(a->first->next->length == 6 && memcmp(a->first->next->text, "-2.5e3", 6) == 0);
  cr_expect(dom_is(dom_member(b, "c"), DOM_NULL) && dom_member(b, "d")->count == 1);
  cr_expect(dom_is(dom_member(root, "e"), DOM_BOOL) && dom_member(root, "e")->count == 0);
  cr_expect_null(dom_member(root, "f"));
  cr_expect_null(dom_member(a, "a"));
  cr_expect_null(dom_member(NULL, "a"));
  cr_expect_not(dom_is(NULL, DOM_NULL));
  cr_expect(dom_is(torch_dom(&t, "[]"), DOM_ARRAY) && !torch_dom(&t, "{}")->first);
  torch_reading_close(&t);
}

// What json_validate writes as texts is an integer, too.
Test(torch_dom, integers_have_64_bits) {
  static const struct {
    const char *text;
    bool fits;
    int64_t value;
  } cases[] = {{"0", true, 0},
               {"-1", true, -1},
               {"9223372036854775807", true, INT64_MAX},
               {"'9223372036854775807'", true, INT64_MAX},
               {"'-9223372036854775808'", true, INT64_MIN},
               {"'9223372036854775808'", false, 0},
               {"1.5", false, 0},
               {"'x'", false, 0},
               {"''", false, 0},
               {"true", false, 0},
               {"null", false, 0},
               {"[1]", false, 0}};
  torch_reading t;
  torch_reading_open(&t);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t value = 0;
    cr_expect_eq(dom_int(torch_dom(&t, cases[i].text), &value), cases[i].fits, "%s", cases[i].text);
    if (cases[i].fits) cr_expect_eq(value, cases[i].value, "%s", cases[i].text);
  }
  int64_t value;
  cr_expect_not(dom_int(NULL, &value));
  torch_reading_close(&t);
}

Test(torch_dom, kinds_have_names) {
  static const char *const CASES[][2] = {{"null", "null"},  {"true", "a boolean"},
                                         {"3", "a number"}, {"'a'", "a text"},
                                         {"[]", "a list"},  {"{}", "an object"}};
  torch_reading t;
  torch_reading_open(&t);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    cr_expect_str_eq(dom_kind_name(torch_dom(&t, CASES[i][0])), CASES[i][1]);
  cr_expect_str_eq(dom_kind_name(NULL), "nothing");
  torch_reading_close(&t);
}

// Far deeper than any stack would hold.
Test(torch_dom, what_is_nested_too_deep_is_no_tree) {
  enum { FAR = 100000 };
  static char text[2 * FAR + 1];
  shape_arena arena;
  arena_init(&arena, 0);
  for (int depth = JSON_DEPTH_DEFAULT; depth <= FAR; depth += FAR - JSON_DEPTH_DEFAULT) {
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    cr_expect_eq(dom_read(&arena, text, 2 * (size_t)depth) != NULL, depth < FAR, "%d", depth);
  }
  arena_destroy(&arena);
}
