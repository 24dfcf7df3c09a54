// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/base/strbuf.h"

// Every length around those that text_put distinguishes; nothing beyond its end is touched.
Test(strbuf, texts_of_every_length) {
  char from[200], to[210];
  for (size_t i = 0; i < sizeof from; i++) from[i] = (char)('!' + i % 90);
  for (size_t length = 0; length <= sizeof from; length++) {
    memset(to, '#', sizeof to);
    cr_expect_eq(text_put(to + 4, from, length), to + 4 + length);
    cr_expect_eq(memcmp(to + 4, from, length), 0, "%zu", length);
    cr_expect_eq(memcmp(to, "####", 4), 0, "%zu", length);
    cr_expect_eq(memcmp(to + 4 + length, "####", 4), 0, "%zu", length);
  }
}

// The same in whole pieces, which need room for TEXT_SLACK more bytes on both sides.
Test(strbuf, texts_in_whole_pieces) {
  char from[100 + TEXT_SLACK], to[4 + 100 + TEXT_SLACK];
  for (size_t i = 0; i < sizeof from; i++) from[i] = (char)('!' + i % 90);
  for (size_t length = 0; length <= 100; length++) {
    memset(to, '#', sizeof to);
    cr_expect_eq(text_put_pieces(to + 4, from, length), to + 4 + length);
    cr_expect_eq(memcmp(to + 4, from, length), 0, "%zu", length);
    cr_expect_eq(memcmp(to, "####", 4), 0, "%zu", length);
  }
}

Test(strbuf, integers) {
  static const int64_t values[] = {0,     9,          10,         99,        100,       101,
                                   12345, -1,         -10,        -100,      INT32_MAX, INT32_MIN,
                                   1000,  1000000000, 9999999999, INT64_MAX, INT64_MIN};
  shape_arena arena;
  arena_init(&arena, 0);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char want[32];
    shape_strbuf buf;
    strbuf_init(&buf, &arena);
    snprintf(want, sizeof want, "x%lld", (long long)values[i]);
    strbuf_putc(&buf, 'x');
    strbuf_int(&buf, values[i]);
    cr_expect_str_eq(strbuf_text(&buf), want);
    cr_expect_leq(buf.length - 1, (uint32_t)TEXT_INT);
  }
  arena_destroy(&arena);
}
