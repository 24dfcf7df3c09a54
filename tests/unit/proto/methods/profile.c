// SPDX-License-Identifier: Apache-2.0
// Profiles: the state that is kept, and profile/observe.
#include "proto/methods/profile.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/proto/methods/methods.h"

#define PROGRAM                                                                                    \
  "'text': 'func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> "                         \
  "tensor<?x4xf32> { %0 = stablehlo.add %a, %b : tensor<?x4xf32> return %0 : "                     \
  "tensor<?x4xf32> }'"

static json_slice slice(const char *text) { return (json_slice){text, strlen(text)}; }

// --- the state

Test(profile_state, an_empty_text_is_an_empty_state) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  static const char *const TEXTS[] = {"",
                                      "{}",
                                      "[]",
                                      "nonsense",
                                      "{\"points\": 3}",
                                      "{\"symbols\": [3]}",
                                      "{\"points\": [[1]]}",
                                      "{\"points\": [[0, [\"a\", 1]]]}",
                                      "{\"points\": [[1, [\"a\"]]]}",
                                      "{\"points\": [[1, [1, 1]]]}",
                                      "{\"symbols\": [[\"a\"]]}",
                                      "{\"symbols\": [[\"a\", 1, 2, 0, 0, []]]}",
                                      "{\"symbols\": [[\"a\", 1, 2, 3, 4]]}",
                                      "null"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    profile_state *s = profile_read(&arena, slice(TEXTS[i]));
    cr_expect_leq(s->point_count, 1u, "%s", TEXTS[i]);
    cr_expect_leq(s->symbol_count, 1u, "%s", TEXTS[i]);
    strbuf_init(&out, &arena);
    profile_write(s, &out);
    // What is written is read back as it is.
    profile_state *again = profile_read(&arena, (json_slice){out.data, out.length});
    cr_expect_eq(again->point_count, s->point_count, "%s", TEXTS[i]);
    cr_expect_eq(again->symbol_count, s->symbol_count, "%s", TEXTS[i]);
  }
  arena_destroy(&arena);
}

static bool add(shape_arena *arena, profile_state *s, const char *name, int64_t value,
                uint64_t count) {
  shape_seen_dim *dim = arena_alloc(arena, sizeof *dim);
  *dim = (shape_seen_dim){.name = name, .name_length = strlen(name), .value = value};
  return profile_add(s, &(shape_seen){.dims = dim, .dim_count = 1, .count = count});
}

// The rarest value makes room, and what was counted stays counted.
Test(profile_state, bounds_hold_and_nothing_is_lost_from_the_count) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  profile_state *s = profile_read(&arena, slice(""));
  uint64_t sum = 0;
  for (int64_t v = 0; v < 200; v++) {
    cr_assert(add(&arena, s, "S0", v, v == 7 ? 1000 : 1));
    sum += v == 7 ? 1000 : 1;
  }
  cr_expect_eq(s->symbol_count, 1u);
  cr_expect_leq(s->point_count, (uint32_t)PROFILE_POINTS);
  const profile_symbol *p = &s->symbols[0];
  cr_expect(p->least == 0 && p->most == 199 && p->count == sum);
  uint64_t listed = p->other;
  bool seven = false;
  for (uint32_t i = 0; i < p->value_count; i++) {
    listed += p->values[i].count;
    seven |= p->values[i].value == 7 && p->values[i].count >= 1000;
  }
  cr_expect_eq(listed, sum);
  cr_expect(seven, "what is frequent stays");
  strbuf_init(&out, &arena);
  profile_write(s, &out);
  profile_state *again = profile_read(&arena, (json_slice){out.data, out.length});
  cr_expect(again->symbols[0].count == sum && again->symbols[0].most == 199);
  arena_destroy(&arena);
}

Test(profile_state, the_extremes_of_64_bits_survive) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  profile_state *s = profile_read(&arena, slice(""));
  cr_assert(add(&arena, s, "x", INT64_MIN, INT64_MAX) && add(&arena, s, "x", INT64_MAX, INT64_MAX));
  strbuf_init(&out, &arena);
  profile_write(s, &out);
  profile_state *again = profile_read(&arena, (json_slice){out.data, out.length});
  cr_expect(again->symbol_count == 1 && again->symbols[0].least == INT64_MIN &&
            again->symbols[0].most == INT64_MAX);
  arena_destroy(&arena);
}

Test(profile_state, names_beyond_the_room_are_refused) {
  shape_arena arena;
  arena_init(&arena, 0);
  profile_state *s = profile_read(&arena, slice(""));
  for (int i = 0; i < PROFILE_SYMBOLS; i++) {
    char *name = arena_strndup(&arena, "s00", 3);
    name[1] = (char)('A' + i / 10), name[2] = (char)('0' + i % 10);
    cr_assert(add(&arena, s, name, 1, 1));
  }
  cr_expect_not(add(&arena, s, "one more", 1, 1));
  cr_expect_eq(s->symbol_count, (uint32_t)PROFILE_SYMBOLS);
  cr_expect(add(&arena, s, "sA0", 2, 1), "names that are known go on");
  arena_destroy(&arena);
}

// --- the method

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
  expect_reply(&m, "analyze", "{" PROGRAM ", 'options': {'profile': 'p'}}", "'likely': [8, 16]");
  methods_close(&m);
}

Test(profile_observe, what_cannot_be_is_left_out) {
  methods m;
  methods_open(&m);
  expect_reply(&m, "profile/observe",
               "{'profile': 'p', " PROGRAM
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
