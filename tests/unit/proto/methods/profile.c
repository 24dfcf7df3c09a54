// SPDX-License-Identifier: Apache-2.0
// Profiles: the state that is kept.
#include "proto/methods/profile.h"

#include <criterion/criterion.h>
#include <string.h>

static json_slice slice(const char *text) { return (json_slice){text, strlen(text)}; }

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
