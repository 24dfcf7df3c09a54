// SPDX-License-Identifier: Apache-2.0
// Spellings: what is written has the value of the term, and the size that its text has.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/term/parse.h"
#include "solver/term/spell.h"

typedef struct world {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  term_id symbols[4];  // s0, s1, ...
  speller m;
} world;

static void open_world(world *w) {
  arena_init(&w->arena, 0);
  budget_init(&w->budget, &w->arena, 1 << 24, NULL);
  term_table_init(&w->terms, &w->arena, &w->budget);
  for (uint32_t i = 0; i < 4; i++) w->symbols[i] = term_symbol(&w->terms);
  w->m = (speller){.terms = &w->terms, .arena = &w->arena};
}

static term_id find_symbol(void *data, const char *name, size_t length) {
  world *w = data;
  return length == 2 && name[0] == 's' ? w->symbols[(name[1] - '0') & 3] : TERM_NONE;
}

static term_id read_term(world *w, const char *text) {
  term_id id = TERM_NONE;
  term_parser p = {.terms = &w->terms, .symbol = find_symbol, .data = w};
  cr_assert(term_parse_expr(&p, text, strlen(text), &id), "%s: %s", text, p.error);
  return id;
}

static const char *text_of(world *w, const term_spelling *f) {
  shape_strbuf out;
  strbuf_init(&out, &w->arena);
  spell_print(&w->m, &out, f, NULL);
  cr_expect(spell_text_size(out.data, out.length) == f->size, "%s has not size %u", out.data,
            f->size);
  return strbuf_text(&out);
}

static void expect_short(const char *from, const char *to) {
  world w;
  open_world(&w);
  const term_spelling *f = spell_shorten(&w.m, read_term(&w, from), 0);
  cr_expect_str_eq(text_of(&w, f), to);
  arena_destroy(&w.arena);
}

Test(spell, the_printer_s_words) {
  static const char *const TEXTS[] = {"0",
                                      "-7",
                                      "s0",
                                      "2*s0*s1 - 3",
                                      "floordiv(s0 + s1, 3)",
                                      "mod(s0, 4)*s1",
                                      "ceildiv(s0, 2) - 5",
                                      "max(s0, s1, 7)",
                                      "bcast(s0, s1) + 1",
                                      "s0^40"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    world w;
    open_world(&w);
    shape_strbuf plain;
    strbuf_init(&plain, &w.arena);
    term_id id = read_term(&w, TEXTS[i]);
    const term_spelling *f = spell_of(&w.m, id);
    term_print_plain(&w.terms, &plain, id);
    cr_expect_str_eq(text_of(&w, f), strbuf_text(&plain));
    cr_expect(spell_term(&w.m, f) == id, "%s", TEXTS[i]);
    arena_destroy(&w.arena);
  }
}

Test(spell, sizes_of_text) {
  cr_expect(spell_text_size("", 0) == 0);
  cr_expect(spell_text_size("-x", 2) == 1);
  cr_expect(spell_text_size("-(-x) - -3", 10) == 3);
  cr_expect(spell_text_size("max(a, b*2)//c", 14) == 7);
  cr_expect(spell_text_size("\"a - \\\"b\" % 2", 13) == 3);
}

Test(spell, factors_in_front_of_parentheses) {
  expect_short("s0*s1 + s0*s2", "(s1 + s2)*s0");
  expect_short("2*s1 - 2*s0", "2*(s1 - s0)");
  expect_short("s0*s2 - s1*s2 + s3", "(s0 - s1)*s2 + s3");
}

Test(spell, parts_move_into_calls) {
  expect_short("s0 - floordiv(s0 + s1, 2)", "ceildiv(s0 - s1, 2)");
  expect_short("min(s0 + s1, s2) - s0 + s3", "min(s2 - s0, s1) + s3");
  expect_short("floordiv(min(12*s0 + s1, s2), 4) - 3*s0", "floordiv(min(s2 - 12*s0, s1), 4)");
  expect_short("floordiv(s0 + 21, 20)", "floordiv(s0 + 21, 20)");
}

Test(spell, calls_join) {
  expect_short("max(floordiv(s0, 4) + 2, floordiv(s1, 4))", "floordiv(max(s0 + 8, s1), 4)");
  expect_short("2*floordiv(s0, 3) - 40*floordiv(s0, 60)", "2*mod(floordiv(s0, 3), 20)");
  expect_short("floordiv(s0, 3) + floordiv(s0 + 1, 3)", "s0 - ceildiv(s0, 3)");
  expect_short("floordiv(s0 - s1, 3) - floordiv(s0, 3)", "floordiv(mod(s0, 3) - s1, 3)");
  expect_short("min(min(s0, s1), s2 + s3) - s2", "min(s3, min(s0, s1) - s2)");
}

// --- against evaluation

static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// The value of a printed expression, read without the library: + - * and calls.
typedef struct text_reader {
  const char *at;
  const int64_t *value;
} text_reader;

static int64_t read_sum(text_reader *r);

static int64_t read_factor(text_reader *r) {
  while (*r->at == ' ') r->at++;
  if (*r->at == '-') {
    r->at++;
    return -read_factor(r);
  }
  if (*r->at >= '0' && *r->at <= '9') {
    int64_t v = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++) v = 10 * v + (*r->at - '0');
    return v;
  }
  if (*r->at == 's') {
    int64_t v = r->value[r->at[1] - '0'];
    r->at += 2;
    return v;
  }
  char kind = r->at[0], second = kind == 'm' ? r->at[1] : 0;
  while (*r->at != '(') r->at++;
  r->at++;
  int64_t v = read_sum(r);
  while (*r->at == ',') {
    r->at++;
    int64_t next = read_sum(r);
    if (kind == 'f') v = floor_of(v, next);
    if (kind == 'c') v = -floor_of(-v, next);
    if (second == 'o') v -= next * floor_of(v, next);
    if (second == 'i') v = v < next ? v : next;
    if (second == 'a') v = v > next ? v : next;
  }
  cr_assert(*r->at == ')');
  r->at++;
  return v;
}

static int64_t read_product(text_reader *r) {
  int64_t v = read_factor(r);
  while (*r->at == '*') {
    r->at++;
    v *= read_factor(r);
  }
  return v;
}

static int64_t read_sum(text_reader *r) {
  int64_t v = read_product(r);
  while (r->at[0] == ' ' && (r->at[1] == '+' || r->at[1] == '-')) {
    bool minus = r->at[1] == '-';
    r->at += 3;
    int64_t next = read_product(r);
    v += minus ? -next : next;
  }
  return v;
}

static uint32_t pick(uint64_t *random, uint32_t below) {
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*random >> 33) % below;
}

static term_id random_term(world *w, uint64_t *random, uint32_t depth) {
  term_table *t = &w->terms;
  if (!depth || pick(random, 6) == 0) return w->symbols[pick(random, 3)];
  term_id a = random_term(w, random, depth - 1);
  term_id d = term_int(t, 2 + (int64_t)pick(random, 4));
  switch (pick(random, 8)) {
  case 0: return term_add(t, a, term_int(t, (int64_t)pick(random, 17) - 8));
  case 1: return term_floordiv(t, a, d);
  case 2: return term_neg(t, term_floordiv(t, a, d));
  case 3: return term_mod(t, a, d);
  case 4: return term_min(t, a, random_term(w, random, depth - 1));
  case 5: return term_max(t, a, random_term(w, random, depth - 1));
  case 6: return term_sub(t, a, random_term(w, random, depth - 1));
  default: return term_mul(t, a, term_int(t, (int64_t)pick(random, 9) - 4));
  }
}

Test(spell, the_search_ends_at_the_size_given) {
  world w;
  open_world(&w);
  term_id id = read_term(&w, "s0*s1 + s0*s2 + min(s1, 2)");
  const term_spelling *f = spell_shorten(&w.m, id, 0);
  uint32_t plain = spell_of(&w.m, id)->size;
  cr_assert(f->size < plain);
  cr_expect(spell_shorten(&w.m, id, f->size)->size == f->size);
  cr_expect(spell_shorten(&w.m, id, plain)->size == plain);
  arena_destroy(&w.arena);
}

Test(spell, shorter_text_has_the_same_value) {
  uint64_t random = 1;
  for (uint32_t i = 0; i < 3000; i++) {
    world w;
    open_world(&w);
    term_id id = random_term(&w, &random, 5);
    const term_spelling *f = spell_shorten(&w.m, id, 0);
    cr_expect(f->size <= spell_of(&w.m, id)->size);
    shape_strbuf plain;
    strbuf_init(&plain, &w.arena);
    term_print_plain(&w.terms, &plain, id);
    const char *shorter = text_of(&w, f), *longer = strbuf_text(&plain);
    for (uint32_t k = 0; k < 40; k++) {
      int64_t at[4] = {(int64_t)pick(&random, 61) - 30, (int64_t)pick(&random, 61) - 30,
                       (int64_t)pick(&random, 61) - 30, 0};
      text_reader x = {shorter, at}, y = {longer, at};
      int64_t v = read_sum(&x), want = read_sum(&y);
      cr_assert(v == want, "%s is %ld, %s is %ld at s0=%ld s1=%ld s2=%ld", shorter, (long)v, longer,
                (long)want, (long)at[0], (long)at[1], (long)at[2]);
    }
    arena_destroy(&w.arena);
  }
}
