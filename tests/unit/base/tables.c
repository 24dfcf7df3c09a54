// SPDX-License-Identifier: Apache-2.0
// imap, intern, strbuf and budget.
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>

#include "solver/base/budget.h"
#include "solver/base/imap.h"
#include "solver/base/intern.h"
#include "solver/base/strbuf.h"

Test(imap, holds_what_was_put) {
  shape_arena arena;
  arena_init(&arena, 0);
  shape_imap map = {0};
  uint32_t value;
  cr_assert_not(imap_get(&map, 0, &value));
  for (uint64_t i = 0; i < 20000; i++) imap_put(&map, &arena, i * i * 977, (uint32_t)i);
  for (uint64_t i = 0; i < 20000; i++) {
    cr_assert(imap_get(&map, i * i * 977, &value));
    cr_assert_eq(value, (uint32_t)i);
  }
  cr_assert_eq(map.count, 20000);
  cr_assert(map.count <= map.capacity - map.capacity / 4 + 1);
  cr_assert_not(imap_get(&map, 5, &value));
  imap_put(&map, &arena, 0, 77);
  cr_assert(imap_get(&map, 0, &value) && value == 77 && map.count == 20000);
  imap_clear(&map);
  cr_assert(!imap_get(&map, 0, &value) && map.count == 0);
  arena_destroy(&arena);
}

Test(intern, equal_strings_have_equal_ids) {
  shape_arena arena;
  shape_intern names;
  char text[32];
  arena_init(&arena, 0);
  intern_init(&names, &arena);
  for (int i = 0; i < 5000; i++) {
    int length = snprintf(text, sizeof text, "name%d", i);
    cr_assert_eq(intern_find(&names, text, (size_t)length), NAME_NONE);
    cr_assert_eq(intern_add(&names, text, (size_t)length), (name_id)i);
  }
  for (int i = 0; i < 5000; i++) {
    int length = snprintf(text, sizeof text, "name%d", i);
    cr_assert_eq(intern_add(&names, text, (size_t)length), (name_id)i);
    cr_assert_eq(intern_find(&names, text, (size_t)length), (name_id)i);
    cr_assert_str_eq(intern_text(&names, (name_id)i), text);
  }
  name_id bytes = intern_add(&names, "a\0b", 3), empty = intern_add(&names, "", 0);
  cr_assert(bytes != intern_add(&names, "a\0c", 3) && bytes != intern_add(&names, "a", 1));
  cr_assert(intern_length(&names, bytes) == 3 && intern_length(&names, empty) == 0);
  cr_assert_eq(intern_add(&names, NULL, 0), empty);
  arena_destroy(&arena);
}

// The last texts go, and come again; a table that shares them has all, and goes its own way.
Test(intern, texts_are_forgotten_and_shared) {
  shape_arena arena, second;
  shape_intern names, others;
  char text[32];
  arena_init(&arena, 0);
  arena_init(&second, 0);
  intern_init(&names, &arena);
  intern_truncate(&names, 0);
  for (uint32_t round = 0; round < 6; round++) {
    uint32_t keep = 300 * round % 700;
    for (uint32_t i = 0; i < 700; i++)
      cr_assert_eq(intern_add(&names, text, (size_t)snprintf(text, sizeof text, "%u", i)), i);
    intern_truncate(&names, keep);
    cr_assert_eq(names.count, keep);
    for (uint32_t i = 0; i < 700; i++) {
      size_t length = (size_t)snprintf(text, sizeof text, "%u", i);
      cr_assert_eq(intern_find(&names, text, length), i < keep ? i : NAME_NONE);
    }
  }
  intern_init(&others, &second);
  intern_share(&others, &names);
  cr_assert_eq(others.count, names.count);
  cr_assert_eq(intern_add(&others, "7", 1), 7u);
  cr_assert_eq(intern_add(&others, "another", 7), names.count);
  cr_assert_eq(intern_find(&names, "another", 7), NAME_NONE);
  shape_intern none, last;
  intern_init(&none, &arena);
  intern_init(&last, &second);
  intern_share(&last, &none);
  cr_assert_eq(intern_find(&last, "", 0), NAME_NONE);
  cr_assert_eq(intern_add(&last, "", 0), 0u);
  arena_destroy(&arena);
  arena_destroy(&second);
}

Test(intern, room_from_the_start) {
  for (uint32_t room = 0; room < 100; room += 7) {
    shape_arena arena;
    shape_intern names;
    arena_init(&arena, 0);
    intern_init(&names, &arena);
    intern_reserve(&names, room);
    uint32_t slots = names.slot_count;
    char text[32];
    for (uint32_t i = 0; i < 200; i++) {
      int length = snprintf(text, sizeof text, "%u", i);
      cr_assert_eq(intern_find(&names, text, (size_t)length), NAME_NONE);
      cr_assert_eq(intern_add(&names, text, (size_t)length), i);
      cr_assert(i >= room || names.slot_count == slots, "%u of %u", i, room);
    }
    cr_assert_eq(intern_find(&names, "199", 3), 199u);
    arena_destroy(&arena);
  }
}

// Of all lengths, with a difference at each position.
Test(text, equals) {
  char a[80], b[80];
  for (size_t length = 0; length < sizeof a; length++) {
    for (size_t i = 0; i < length; i++) a[i] = b[i] = (char)(i * 37 + length);
    cr_assert(text_equals(a, b, length), "%zu", length);
    for (size_t i = 0; i < length; i++) {
      b[i] ^= 1;
      cr_assert_not(text_equals(a, b, length), "%zu of %zu", i, length);
      b[i] ^= 1;
    }
  }
}

Test(strbuf, integers_are_those_of_printf) {
  shape_arena arena;
  arena_init(&arena, 0);
  for (int i = 0; i < 4000; i++) {
    char want[32];
    shape_strbuf buf;
    strbuf_init(&buf, &arena);
    int64_t value = i < 2000 ? i - 1000 : (int64_t)(hash_mix((uint64_t)i) >> (i % 64));
    if (i == 3999) value = INT64_MIN;
    snprintf(want, sizeof want, "%lld", (long long)value);
    strbuf_int(&buf, value);
    cr_assert_str_eq(strbuf_text(&buf), want);
  }
  arena_destroy(&arena);
}

static void collect(void *to, const char *data, size_t length) {
  shape_strbuf *all = to;
  cr_assert(length <= 1 << 20);
  strbuf_add(all, data, length);
}

Test(strbuf, grows_and_formats) {
  shape_arena arena;
  shape_strbuf buf;
  arena_init(&arena, 0);
  strbuf_init(&buf, &arena);
  strbuf_puts(&buf, "x=");
  strbuf_int(&buf, INT64_MIN);
  strbuf_putc(&buf, ' ');
  strbuf_int(&buf, 0);
  strbuf_printf(&buf, " %s %05d", "and", 42);
  cr_assert_str_eq(strbuf_text(&buf), "x=-9223372036854775808 0 and 00042");
  for (int i = 0; i < 100000; i++) strbuf_putc(&buf, 'y');
  cr_assert_eq(buf.length, 34 + 100000);
  arena_destroy(&arena);
}

Test(strbuf, sink_gets_everything_and_memory_stays_small) {
  shape_arena arena, other;
  shape_strbuf buf, all;
  arena_init(&arena, 1 << 19);
  arena_init(&other, 0);
  strbuf_init(&all, &other);
  strbuf_init_sink(&buf, &arena, collect, &all);
  for (int i = 0; i < 300000; i++) strbuf_printf(&buf, "%06d,", i);
  strbuf_flush(&buf);
  cr_assert_eq(all.length, 300000 * 7);
  cr_assert(memcmp(all.data + 7 * 123456, "123456,", 7) == 0);
  arena_destroy(&arena);
  arena_destroy(&other);
}

static void spend_many(void *data) {
  for (int i = 0; i < 10000; i++) budget_spend(data, 1);
}

Test(budget, steps_run_out_and_stay_out) {
  shape_arena arena;
  shape_budget budget;
  arena_init(&arena, 0);
  budget_init(&budget, &arena, 10, NULL);
  cr_assert(budget_spend(&budget, 4) && budget_spend(&budget, 6));
  cr_assert_not(budget_spend(&budget, 1));
  budget_init(&budget, &arena, 10, NULL);
  cr_assert_not(budget_spend(&budget, 11));
  cr_assert_not(budget_spend(&budget, 1));
  cr_assert_eq(budget.steps_used, 12);
  arena_destroy(&arena);
}

Test(budget, flag_ends_the_job) {
  shape_arena arena;
  shape_budget budget;
  atomic_int stop = SHAPE_OK;
  arena_init(&arena, 0);
  budget_init(&budget, &arena, UINT64_MAX, &stop);
  cr_assert_eq(arena_protect(&arena, spend_many, &budget), SHAPE_OK);
  atomic_store(&stop, SHAPE_CANCELLED);
  cr_assert_eq(arena_protect(&arena, spend_many, &budget), SHAPE_CANCELLED);
  arena_destroy(&arena);
}

// Texts whose words differ in bits that a multiplication hands on unchanged, and the next word takes back: a hash without
// a seed, or one whose state can be undone, has one value for all of them.
Test(intern, texts_are_not_made_for_one_hash) {
  enum { PAIRS = 12, COUNT = 1 << PAIRS };
  shape_arena arena;
  shape_intern names;
  arena_init(&arena, 0);
  intern_init(&names, &arena);
  for (uint32_t k = 0; k < COUNT; k++) {
    char text[16 * PAIRS];
    memset(text, 'a', sizeof text);
    for (uint32_t i = 0; i < PAIRS; i++) {
      if (!(k >> i & 1)) continue;
      text[16 * i + 7] ^= (char)0x80;   // the highest bit of a word
      text[16 * i + 15] ^= (char)0x80;  // in the next one, that bit
      text[16 * i + 11] ^= (char)0x80;  // and where a shift by half a word brings it
    }
    cr_assert_eq(intern_add(&names, text, sizeof text), k);
  }
  shape_imap hashes = {0};
  for (uint32_t k = 0; k < COUNT; k++) imap_put(&hashes, &arena, names.entries[k].hash, k);
  cr_assert_geq(hashes.count, COUNT - 3u);
  arena_destroy(&arena);
}

Test(intern, ids_do_not_depend_on_the_seed) {
  shape_arena one, other;
  shape_intern a, b;
  char text[32];
  arena_init(&one, 0);
  arena_init(&other, 0);
  cr_assert_eq(one.seed, other.seed);
  cr_assert_neq(one.seed, 0);
  other.seed = 12345;
  intern_init(&a, &one);
  intern_init(&b, &other);
  for (int i = 0; i < 3000; i++) {
    int length = snprintf(text, sizeof text, "%x", i * i % 1999);
    cr_assert_eq(intern_add(&a, text, (size_t)length), intern_add(&b, text, (size_t)length));
  }
  arena_destroy(&one);
  arena_destroy(&other);
}
