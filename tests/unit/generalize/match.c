// SPDX-License-Identifier: Apache-2.0
// Which dims of a reshape's result are which dims of its operand.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/generalize/work.h"
#include "solver/term/parse.h"
#include "solver/term/print.h"
#include "tests/unit/world.h"

// a = 2, b = 33, c = 48, n = 1, and so on: what a letter is at the original dims.
static int64_t number_of(char letter) {
  switch (letter) {
  case 'n': return 1;
  case 'a': return 2;
  case 'b': return 33;
  case 'c': return 48;
  default: return 5;
  }
}

typedef struct letters {
  world *w;
  term_id terms[26];
} letters;

static term_id letter(void *data, const char *name, size_t length) {
  letters *l = data;
  if (length != 1 || *name < 'a' || *name > 'z') return TERM_NONE;
  return l->terms[*name - 'a'];
}

static term_id number_at(void *data, term_id atom) {
  letters *l = data;
  for (int i = 0; i < 26; i++) {
    if (l->terms[i] == atom) return term_int(&l->w->terms, number_of((char)('a' + i)));
  }
  return atom;
}

static bool value_at(void *data, term_id term, int64_t *out) {
  letters *l = data;
  term_id found = term_substitute(&l->w->terms, term, number_at, l, NULL);
  return term_int_value(&l->w->terms, found, out);
}

static uint32_t parse(letters *l, const char *text, match_dim *out) {
  term_parser parser = {.terms = &l->w->terms, .symbol = letter, .data = l};
  uint32_t count = 0;
  char copy[128], *rest = copy;
  cr_assert_lt(strlen(text), sizeof copy);
  strcpy(copy, text);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL; count++) {
    out[count] = (match_dim){.term = TERM_NONE};
    cr_assert(term_parse_expr(&parser, word, strlen(word), &out[count].term), "%s", word);
    cr_assert(value_at(l, out[count].term, &out[count].number));
  }
  return count;
}

// to: numbers; want: what they are.
// hole: the dim that is written as -1.
static void expect_with(const char *from, const char *to, uint32_t hole, const char *want) {
  world w;
  world_open_store(&w, 100000, 0, 0);
  letters l = {.w = &w};
  for (int i = 0; i < 26; i++) l.terms[i] = term_symbol(&w.terms);
  match_dim dims[16], results[16], wanted[16];
  uint32_t count = parse(&l, from, dims), result_count = parse(&l, to, results);
  uint32_t want_count = parse(&l, want, wanted);
  cr_assert_eq(result_count, want_count);
  for (uint32_t i = 0; i < result_count; i++) {
    results[i].term = TERM_NONE;
    results[i].takes_rest = i == hole;
  }
  match_reshape(&w.terms, dims, count, results, result_count, value_at, &l);
  for (uint32_t i = 0; i < result_count; i++)
    cr_expect_eq(results[i].term, wanted[i].term, "%s to %s: dim %u is not as in %s", from, to, i,
                 want);
  arena_destroy(&w.arena);
}

typedef struct reshaped {
  const char *from, *to, *want;
} reshaped;

static void expect_rows(const reshaped *rows, size_t count) {
  for (size_t i = 0; i < count; i++) expect_with(rows[i].from, rows[i].to, ID_NONE, rows[i].want);
}
#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

Test(match, equal_dims_are_taken_from_the_left) {
  static const reshaped ROWS[] = {{"a b 64", "2 33 64", "a b 64"},
                                  {"a b 64", "2 33 4 16", "a b 4 16"},
                                  {"a b 4 16", "2 33 64", "a b 64"},
                                  {"a b", "2 33 1", "a b 1"}};
  EXPECT_ROWS(ROWS);
}

Test(match, dims_are_multiplied_where_they_become_one) {
  static const reshaped ROWS[] = {
      {"a b 8", "66 8", "a*b 8"}, {"2*a b 8", "4 264", "2*a 8*b"}, {"a b c", "3168", "a*b*c"}};
  EXPECT_ROWS(ROWS);
}

Test(match, a_dim_is_taken_apart) {
  static const reshaped ROWS[] = {{"a*b 8", "2 33 8", "a b 8"},
                                  {"a c 32", "6 16 32", "floordiv(a*c,16) 16 32"},
                                  {"3*a*b", "33 6", "b 3*a"}};
  EXPECT_ROWS(ROWS);
}

Test(match, what_is_left_is_where_it_is_written) {
  expect_with("c", "12 4", 1, "12 floordiv(c,12)");
  expect_with("c", "12 4", ID_NONE, "floordiv(c,4) 4");
  expect_with("4*a", "2 2 2", 2, "a 2 2");
}

// A dim of 1 that is no number is part of what is next to it, or the elements would not stay.
Test(match, ones) {
  static const reshaped ROWS[] = {{"n b 8", "1 33 8", "n b 8"}, {"n b 8", "33 8", "n*b 8"},
                                  {"a b n", "2 33", "a b*n"},   {"1 b", "33", "b"},
                                  {"8*a", "16 1", "8*a 1"},     {"8*a", "1 16", "1 8*a"}};
  EXPECT_ROWS(ROWS);
}

Test(match, what_is_not_a_product_stays_a_number) {
  static const reshaped ROWS[] = {{"8 4", "32", "32"}, {"", "1 1", "1 1"}};
  EXPECT_ROWS(ROWS);
}
