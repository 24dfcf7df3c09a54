// SPDX-License-Identifier: Apache-2.0
// What canonical terms look like: pairs of spellings that are one term, and the text that answers
// show.
#include <criterion/criterion.h>
#include <stdio.h>

#include "solver/term/parse.h"
#include "solver/term/print.h"
#include "tests/unit/world.h"

static term_id named(void *data, const char *name, size_t length) {
  world *w = data;
  bool known =
      length == 2 && (name[0] == 's' || name[0] == 'S') && name[1] >= '0' && name[1] <= '9';
  return known ? w->symbols[name[1] - '0'] : TERM_NONE;
}

static void count_divisor(void *data, term_id divisor) {
  (void)divisor;
  ((world *)data)->state++;
}

static term_parser parser_of(world *w) {
  return (term_parser){.terms = &w->terms, .symbol = named, .divisor = count_divisor, .data = w};
}

static term_id read(world *w, const char *text) {
  term_parser parser = parser_of(w);
  term_id id = TERM_NONE;
  cr_assert(term_parse_expr(&parser, text, strlen(text), &id), "%s: %s at %zu", text, parser.error,
            parser.error_at);
  return id;
}

static const char *text_of(world *w, term_id id) {
  shape_strbuf buf;
  strbuf_init(&buf, &w->arena);
  term_print_plain(&w->terms, &buf, id);
  return strbuf_text(&buf);
}

static const char *const SAME[][2] = {
    {"(s0 + 1)*(s0 - 1)", "s0*s0 - 1"},
    {"s0 - s0", "0"},
    {"(s0 + s1)^3", "s0^3 + 3*s0^2*s1 + 3*s0*s1^2 + s1^3"},
    // quotients by a constant
    {"floordiv(s0, -3)", "floordiv(-s0, 3)"},
    {"floordiv(6*s0 + 5, 3)", "2*s0 + 1"},
    {"floordiv(6*s0 + 5, 4)", "floordiv(3*s0 + 2, 2)"},
    {"floordiv(floordiv(s0, 2), 3)", "floordiv(s0, 6)"},
    {"floordiv(floordiv(s0 - 1, 2) + 1, 2)", "floordiv(s0 + 1, 4)"},
    {"floordiv(s0 + 7, 4)", "ceildiv(s0, 4) + 1"},
    {"floordiv(floordiv(s0 - 1, 2), 2) + 1", "ceildiv(ceildiv(s0, 2), 2)"},
    {"ceildiv(ceildiv(ceildiv(s0, 2), 2), 2)", "ceildiv(s0, 8)"},
    {"floordiv(ceildiv(s0, 2), 2)", "floordiv(s0 + 1, 4)"},
    {"ceildiv(ceildiv(s0, 2), 3)", "ceildiv(s0, 6)"},
    {"ceildiv(ceildiv(s0, 3), 2)", "ceildiv(s0, 6)"},
    {"floordiv(s0, 3) + ceildiv(-s0, 3)", "0"},
    {"floordiv(s0 - 2*floordiv(s0, 2), 2)", "0"},
    {"floordiv(2*s1 - floordiv(s0, 2), 4)", "floordiv(4*s1 - s0 + 1, 8)"},
    {"4*floordiv(s0, 4) + mod(s0, 4)", "s0"},
    {"mod(s0 + 8, 4)", "mod(s0, 4)"},
    {"mod(5*s0 + s1, 5)", "mod(s1, 5)"},
    {"mod(mod(s0, 12), 4)", "mod(s0, 4)"},
    {"floordiv(mod(s0, 4), 4)", "0"},
    {"floordiv(8*s1 + mod(s0, 8), 8)", "s1"},
    {"floordiv(4*s1 + mod(s0, 3), 4)", "s1"},
    {"mod(2*s0, 4)", "2*mod(s0, 2)"},
    {"floordiv(mod(s0, 8), 2)", "mod(floordiv(s0, 2), 4)"},
    // quotients by a symbol
    {"floordiv(s0*s1, s1)", "s0"},
    {"floordiv(s0*s1 + s2, s1)", "s0 + floordiv(s2, s1)"},
    {"floordiv(s0*s1*s2, s1*s3)", "floordiv(s0*s2, s3)"},
    {"floordiv(2*s0, 2*s1)", "floordiv(s0, s1)"},
    {"floordiv(s0, -s1)", "floordiv(-s0, s1)"},
    {"floordiv(s0*s0 - 1, s0 + 1)", "s0 - 1"},
    {"floordiv(s2*(s0 + 1), s3*(s0 + 1))", "floordiv(s2, s3)"},
    {"floordiv((s0 + 2)*s1 + s2, s0 + 2)", "s1 + floordiv(s2, s0 + 2)"},
    {"mod(s0*s1, s1)", "0"},
    {"mod(s0 + s1, s1)", "mod(s0, s1)"},
    {"floordiv(floordiv(s0, s1), 2)", "floordiv(s0, 2*s1)"},
    // min and max
    {"min(s0, min(s1, s2))", "min(s2, s1, s0)"},
    {"min(s0, s0 + 1, s1)", "min(s0, s1)"},
    {"max(s0, s0 + 1)", "s0 + 1"},
    {"max(s0, s1)", "-min(-s0, -s1)"},
    {"max(s0, s1) + min(s0, s1)", "s0 + s1"},
    {"min(s0 + 1, s1 + 1)", "min(s0, s1) + 1"},
    {"min(s0 + s2, s1 + s2)", "min(s0, s1) + s2"},
    {"min(6*s0, 4*s1)", "2*min(3*s0, 2*s1)"},
    {"max(0, s0 - s1)", "max(s0, s1) - s1"},
    {"max(s0, max(s1, s2), s3)", "max(s3, s2, s1, s0)"},
    {"min(s0, max(s0, s1))", "s0"},
    {"max(s0, min(s0, s1))", "s0"},
    {"min(mod(s0, 4), 3)", "mod(s0, 4)"},
    {"max(3*min(s0, 1) + 2, 3*min(s1, 1) + 2)", "3*max(min(s0, 1), min(s1, 1)) + 2"},
    // bcast
    {"bcast(s0, s0)", "s0"},
    {"bcast(1, s0)", "s0"},
    {"bcast(s0, 1)", "s0"},
    {"bcast(7, s0)", "7"},
    {"bcast(2*s0, s1)", "2*s0"},
    {"bcast(bcast(s0, s1), s2)", "bcast(s0, bcast(s1, s2))"},
    {"bcast(s0, bcast(s1, s0))", "bcast(s0, s1)"},
    // indicators and select
    {"is_zero(2*s0)", "is_zero(-s0)"},
    {"is_zero(2*s0 + 1)", "0"},
    {"is_zero(s0*s0*s1)", "is_zero(s1*s0)"},
    {"is_zero(s0)*is_zero(s0)", "is_zero(s0)"},
    {"is_zero(is_zero(s0))", "1 - is_zero(s0)"},
    {"is_neg(2*s0 + 1)", "is_neg(s0)"},
    {"is_neg(-s0)", "1 - is_neg(s0 - 1)"},
    {"is_neg(mod(s0, 3))", "0"},
    {"is_neg(mod(s0, 3) - 3)", "1"},
    {"select(1 - is_zero(s0), s1, s2)", "select(is_zero(s0), s2, s1)"},
    {"select(is_zero(s0), s1 + 1, s2 + 1)", "select(is_zero(s0), s1, s2) + 1"},
    {"select(is_zero(s0), 2*s1, 4*s2)", "2*select(is_zero(s0), s1, 2*s2)"},
    {"select(is_zero(s0), 4, 8)", "8 - 4*is_zero(s0)"},
    {"select(s0, s1, s2)", "select(is_zero(s0), s2, s1)"},
    {"floordiv(3*is_zero(s0) + 2, 4)", "is_zero(s0)"},
};

typedef const char *const text_pair[2];

static void each_pair(const text_pair *pairs, size_t count,
                      void check(world *w, const char *first, const char *second)) {
  world w;
  world_open(&w, 0, UINT64_MAX / 2, 10);
  for (size_t i = 0; i < count; i++) check(&w, pairs[i][0], pairs[i][1]);
  arena_destroy(&w.arena);
}

static void check_same(world *w, const char *first, const char *second) {
  term_id a = read(w, first), b = read(w, second);
  cr_expect_eq(a, b, "%s is %s but %s is %s", first, text_of(w, a), second, text_of(w, b));
}

Test(forms, spellings_of_one_term) { each_pair(SAME, sizeof SAME / sizeof *SAME, check_same); }

static void check_apart(world *w, const char *first, const char *second) {
  cr_expect_neq(read(w, first), read(w, second), "%s and %s", first, second);
}

Test(forms, what_must_stay_apart) {
  static const char *const PAIRS[][2] = {
      {"floordiv(floordiv(s0, s1), s2)", "floordiv(s0, s1*s2)"},  // wrong where s2 < 0
      {"floordiv(s0 + 1, s1)", "floordiv(s0, s1)"},
      {"floordiv(2*s0 + 1, 2*s1)", "floordiv(s0, s1)"},  // wrong where s1 < 0
      {"max(s0, 1)", "bcast(s0, 1)"},
      {"bcast(s0, s1)", "bcast(s1, s0)"},
      {"is_zero(s0*s1)", "is_zero(s0)"},
      {"min(s0, s1)", "min(s0, s2)"},
      {"s0*s0", "s0"},
      {"mod(s0, s1)", "s0"},
      {"floordiv(s0, s0 + s1)", "0"},
  };
  each_pair(PAIRS, sizeof PAIRS / sizeof *PAIRS, check_apart);
}

static void check_text(world *w, const char *spelling, const char *want) {
  term_id id = read(w, spelling);
  const char *text = text_of(w, id);
  cr_expect_str_eq(text, want, "%s is written %s and not %s", spelling, text, want);
  cr_expect_eq(read(w, text), id, "%s does not read back", text);
}

Test(forms, text_of_answers) {
  static const char *const ROWS[][2] = {
      {"2 + s1*4", "4*s1 + 2"},
      {"-1 + s0", "s0 - 1"},
      {"0 - s0", "-s0"},
      {"-s0 + s1", "s1 - s0"},
      {"4 - s0", "4 - s0"},
      {"s1*s0", "s0*s1"},
      {"s0^2*3", "3*s0*s0"},
      {"s0 + s0*s1 + 1", "s0*s1 + s0 + 1"},
      {"floordiv(s0, 2)", "floordiv(s0, 2)"},
      {"floordiv(s0 + 1, 3)", "floordiv(s0 + 1, 3)"},
      {"ceildiv(s0, 2)", "ceildiv(s0, 2)"},
      {"floordiv(s0 + 1, 2)", "ceildiv(s0, 2)"},
      {"ceildiv(s0, 4)", "ceildiv(s0, 4)"},
      {"-floordiv(-s0, 7)", "ceildiv(s0, 7)"},
      {"ceildiv(s0, s1)", "ceildiv(s0, s1)"},
      {"mod(s0, 4)", "mod(s0, 4)"},
      {"mod(-s0, 4)", "mod(-s0, 4)"},
      {"s0 + 4 - mod(s0, 4)", "4*floordiv(s0, 4) + 4"},
      {"3*mod(s0 + 1, 5) + s1", "s1 + 3*mod(s0 + 1, 5)"},
      {"mod(s0, s1)", "mod(s0, s1)"},
      {"mod(s0, s1 + 1)", "mod(s0, s1 + 1)"},
      {"s2*mod(s0, 3)", "s2*mod(s0, 3)"},
      {"max(s0, s1)", "max(s0, s1)"},
      {"max(s1, 5, s0)", "max(s0, s1, 5)"},
      {"min(5, s1, s0)", "min(s0, s1, 5)"},
      {"max(s0, 0)", "max(s0, 0)"},
      {"max(s0 - 1, s1)", "max(s0 - 1, s1)"},
      {"2*max(s0, s1) + 3", "2*max(s0, s1) + 3"},
      {"-max(s0, s1)", "-max(s0, s1)"},
      {"bcast(s0, s1)", "bcast(s0, s1)"},
      {"s0*floordiv(s1, 2)", "s0*floordiv(s1, 2)"},
      {"floordiv(s0*s1, 4) + 1", "floordiv(s0*s1, 4) + 1"},
      {"select(is_zero(s0), s1, s2)", "select(is_zero(s0), s1, s2)"},
      {"floordiv(s0 - 3, 2) + 1", "ceildiv(s0, 2) - 1"},
      {"123456789012345678901234567890*s0", "123456789012345678901234567890*s0"},
  };
  each_pair(ROWS, sizeof ROWS / sizeof *ROWS, check_text);
}

static void check_error(world *w, const char *text, bool is_predicate, const char *error,
                        size_t at) {
  term_parser parser = parser_of(w);
  term_id a, b;
  relation kind;
  bool ok = is_predicate ? term_parse_predicate(&parser, text, strlen(text), &kind, &a, &b)
                         : term_parse_expr(&parser, text, strlen(text), &a);
  cr_expect(!ok, "%s is accepted", text);
  if (ok) return;
  cr_expect_str_eq(parser.error, error, "%s: %s", text, parser.error);
  cr_expect_eq(parser.error_at, at, "%s: at %zu", text, parser.error_at);
}

Test(forms, errors_say_what_was_expected) {
  world w;
  world_open(&w, 0, UINT64_MAX / 2, 10);
  check_error(&w, "", false, "expected an expression, found the end of the text", 0);
  check_error(&w, "s0 +", false, "expected an expression, found the end of the text", 4);
  check_error(&w, "(s0", false, "expected ')', found the end of the text", 3);
  check_error(&w, "s0 s1", false, "expected an operator or the end, found 's1'", 3);
  check_error(&w, "s0)", false, "no '(' opens this ')'", 2);
  check_error(&w, "batch + 1", false, "unknown symbol", 0);
  check_error(&w, "s0 * \"my dim\"", false, "unknown symbol", 5);
  check_error(&w, "\"s0", false, "expected '\"', found the end of the text", 3);
  check_error(&w, "floor(s0)", false,
              "unknown function 'floor', there are floordiv, ceildiv, mod, min, max, bcast, "
              "select, is_zero, is_neg",
              0);
  check_error(&w, "floordiv(s0)", false, "floordiv takes 2 arguments, found 1", 0);
  check_error(&w, "min(s0, )", false, "expected an expression, found ')'", 8);
  check_error(&w, "s0 / 2", false, "expected //, which rounds down, found '/'", 3);
  check_error(&w, "floordiv(s0, 0)", false, "division by zero", 13);
  check_error(&w, "s0 // (s1 - s1)", false, "division by zero", 6);
  check_error(&w, "s0 % 0", false, "division by zero", 5);
  check_error(&w, "s0^65", false, "expected an exponent of at most 64, found '65'", 3);
  check_error(&w, "s0^s1", false, "expected a constant exponent, found 's1'", 3);
  check_error(&w, "2x", false, "expected an operator, found 'x'", 1);
  check_error(&w, "s0", true, "expected one of == != < <= > >=, found the end of the text", 2);
  check_error(&w, "s0 = 1", true, "expected ==, found '='", 3);
  check_error(&w, "divisible(s0, 0)", true, "division by zero", 14);
  check_error(&w, "divisible(s0)", true, "divisible takes 2 arguments, found 1", 0);
  arena_destroy(&w.arena);
}

Test(forms, predicates) {
  static const struct {
    const char *text;
    relation relation;
    const char *left, *right;
  } ROWS[] = {
      {"s0 == 4*s1", REL_EQ, "s0", "4*s1"},
      {"s0!=0", REL_NE, "s0", "0"},
      {"s0 <= s1", REL_LE, "s0", "s1"},
      {"s0<s1", REL_LT, "s0", "s1"},
      {"s0 >= 3", REL_GE, "s0", "3"},
      {"s0 > 3", REL_GT, "s0", "3"},
      {"divisible(s0 + 1, 8)", REL_DIVISIBLE, "s0 + 1", "8"},
      {"s0 % 8 == 0", REL_EQ, "mod(s0, 8)", "0"},
  };
  world w;
  world_open(&w, 0, UINT64_MAX / 2, 10);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    term_parser parser = parser_of(&w);
    relation kind;
    term_id left, right;
    cr_assert(
        term_parse_predicate(&parser, ROWS[i].text, strlen(ROWS[i].text), &kind, &left, &right),
        "%s: %s", ROWS[i].text, parser.error);
    cr_assert(kind == ROWS[i].relation && left == read(&w, ROWS[i].left) &&
              right == read(&w, ROWS[i].right));
  }
  w.state = 0;
  read(&w, "floordiv(s0, s1) + s0 % (s2 + 1) + s0 // 3");
  cr_assert_eq(w.state, 2, "constants are not reported");
  arena_destroy(&w.arena);
}

static void read_nested(world *w, int levels, bool accepted) {
  char text[2048];
  size_t at = 0;
  for (int i = 0; i < levels; i++) text[at++] = '(';
  text[at++] = '1';
  for (int i = 0; i < levels; i++) text[at++] = ')';
  term_parser parser = parser_of(w);
  term_id id;
  cr_assert_eq(term_parse_expr(&parser, text, at, &id), accepted);
  if (!accepted) cr_assert_str_eq(parser.error, "nested too deeply");
}

Test(forms, limits_of_text) {
  world w;
  world_open(&w, 0, UINT64_MAX / 2, 10);
  read_nested(&w, 199, true);
  read_nested(&w, 200, false);
  read_nested(&w, 1000, false);
  enum { LONG = 1 << 20 };
  char *text = arena_alloc(&w.arena, LONG + 1);
  term_parser parser = parser_of(&w);
  term_id id;
  memset(text, '-', LONG + 1);
  text[LONG - 1] = '7';
  cr_assert(term_parse_expr(&parser, text, LONG, &id) && id == term_int(&w.terms, -7));
  cr_assert_not(term_parse_expr(&parser, text, LONG + 1, &id));
  for (int i = 0; i < LONG - 1; i += 3) memcpy(text + i, i % 2 ? "s1+" : "s2*", 3);
  memcpy(text + (LONG - 1) / 3 * 3, "1", 1);
  for (int i = (LONG - 1) / 3 * 3 + 1; i < LONG; i++) text[i] = ' ';
  cr_assert(term_parse_expr(&parser, text, LONG, &id));
  arena_destroy(&w.arena);
}

static term_id one_level(world *w, term_id x, int level) {
  term_table *t = &w->terms;
  term_id other = w->symbols[level % 4], number = term_int(t, 2 + level % 3);
  term_id least = term_min(t, term_add(t, x, other), term_scale(t, w->symbols[3], NUM(level)));
  return term_add(t, term_floordiv(t, least, number), term_sub(t, other, number));
}

// Once there are many terms, ranges and folded sums are kept: a text is that of a table that keeps none.
Test(forms, kept_forms_are_those_made_anew) {
  static const char *const TEXTS[] = {
      "ceildiv(min(s0, 2*s1 + 1) + max(s2, 3), 2) + floordiv(s0 + 7, 4)",
      "floordiv(max(0, min(s0 - s1, s2)) + min(s0, s1, 5), 3) - min(s0, s1, 5)",
      "s0 - 4*floordiv(s0, 4) + max(s0 - s1, 0) + mod(s1 + floordiv(s0, 4), 3)",
      "min(max(s0, s1), max(s2, s3), 9) + min(s0, 4) - max(s1, 4) + ceildiv(s2, 5)"};
  world small, large;
  world_open(&small, 0, UINT64_MAX / 2, 10);
  world_open(&large, 0, UINT64_MAX / 2, 10);
  for (int i = 0; i < 2000; i++) {
    term_id square = term_mul(&large.terms, large.symbols[0], large.symbols[0]);
    term_add(&large.terms, square, term_int(&large.terms, 1000 + i));
  }
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
      const char *before = text_of(&small, read(&small, TEXTS[i]));
      cr_expect_str_eq(text_of(&large, read(&large, TEXTS[i])), before);
    }
  }
  // Texts heavier than COST_FUEL.
  term_id x = small.symbols[0], y = large.symbols[0];
  for (int level = 0; level < 40; level++) {
    x = one_level(&small, x, level);
    y = one_level(&large, y, level);
    cr_expect_str_eq(text_of(&large, y), text_of(&small, x));
  }
  arena_destroy(&small.arena);
  arena_destroy(&large.arena);
}
