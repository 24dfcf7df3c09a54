// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "proto/json/read.h"

typedef struct document {
  shape_arena arena;
  shape_budget budget;
  json_error error;
  cJSON *tree;
  json_reader reader;
  json_at root;
} document;

// A member that is there.
static bool need(json_reader *r, const json_at *object, const char *key, json_at *out) {
  return json_get(r, object, key, out) && out->node;
}

static void document_open(document *d, const char *text) {
  arena_init(&d->arena, 0);
  budget_init(&d->budget, &d->arena, 1000000, NULL);
  cr_assert(json_parse(&d->arena, NULL, text, strlen(text), &d->tree, &d->error), "%s",
            d->error.message);
  json_reader_init(&d->reader, &d->budget, &d->error);
  d->root = json_root("params", d->tree);
}

static void document_close(document *d) {
  cJSON_Delete(d->tree);
  arena_destroy(&d->arena);
}

Test(read, names_the_path_of_a_wrong_type) {
  document d;
  document_open(&d, "{\"graph\": {\"ops\": [{\"operands\": []}, {\"operands\": \"x\"}]}}");
  json_at graph, ops, op, operands, item;
  cr_assert(need(&d.reader, &d.root, "graph", &graph));
  cr_assert(need(&d.reader, &graph, "ops", &ops));
  cr_assert(json_first(&d.reader, &ops, &op));
  cr_assert(json_next(&op));
  cr_assert(need(&d.reader, &op, "operands", &operands));
  cr_expect(!json_first(&d.reader, &operands, &item));
  cr_expect_str_eq(d.error.message, "params.graph.ops[1].operands: expected array, found string");
  cr_expect_eq(d.error.status, SHAPE_INVALID);
  // The first error stays.
  cr_expect(!need(&d.reader, &d.root, "missing", &graph));
  cr_expect_str_eq(d.error.message, "params.graph.ops[1].operands: expected array, found string");
  document_close(&d);
}

Test(read, tells_what_is_missing) {
  document d;
  document_open(&d, "{\"a\": {}}");
  json_at a, b;
  cr_assert(need(&d.reader, &d.root, "a", &a));
  cr_expect(json_get(&d.reader, &a, "b", &b));
  cr_expect(!json_present(&b));
  document_close(&d);
}

Test(read, reads_integers_in_both_spellings) {
  document d;
  document_open(&d, "[12, \"12\", 9007199254740993, \"-5\", 1e3]");
  json_at item;
  int64_t want[] = {12, 12, 9007199254740993, -5, 1000};
  bool more = json_first(&d.reader, &d.root, &item);
  for (int i = 0; more; i++, more = json_next(&item)) {
    int64_t got = 0;
    cr_expect(json_get_int(&d.reader, &item, INT64_MIN, INT64_MAX, &got));
    cr_expect_eq(got, want[i]);
  }
  document_close(&d);
}

Test(read, refuses_what_is_no_integer) {
  static const char *const texts[] = {"[1.5]",  "[\"x\"]", "[\"\"]",   "[true]",
                                      "[null]", "[1e300]", "[\"1 \"]", "[{}]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    document d;
    document_open(&d, texts[i]);
    json_at item;
    int64_t value;
    cr_assert(json_first(&d.reader, &d.root, &item));
    cr_expect(!json_get_int(&d.reader, &item, INT64_MIN, INT64_MAX, &value), "%s", texts[i]);
    cr_expect(strncmp(d.error.message, "params[0]: expected integer, found ", 35) == 0, "%s",
              d.error.message);
    document_close(&d);
  }
  document d;
  document_open(&d, "[7]");
  json_at item;
  int64_t value;
  cr_assert(json_first(&d.reader, &d.root, &item));
  cr_expect(!json_get_int(&d.reader, &item, 0, 6, &value));
  cr_expect_str_eq(d.error.message, "params[0]: is not between 0 and 6");
  document_close(&d);
}

Test(read, frees_nothing_twice_when_validation_fails) {
  shape_arena arena;
  arena_init(&arena, 0);
  cJSON *tree;
  json_error error;
  cr_expect(!json_parse(&arena, NULL, "{", 1, &tree, &error));
  cr_expect_null(tree);
  cr_expect_eq(error.status, SHAPE_SYNTAX);
  arena_destroy(&arena);
}

Test(read, says_that_memory_ran_out) {
  shape_arena arena;
  arena_init(&arena, 0);
  arena.fault.fail_at = 1;
  cJSON *tree;
  json_error error;
  cr_expect(!json_parse(&arena, NULL, "{\"a\": 1}", 8, &tree, &error));
  cr_expect_eq(error.status, SHAPE_MEMORY);
  arena_destroy(&arena);
}
