// SPDX-License-Identifier: Apache-2.0
// Names of any bytes are read back as they were, wherever they are in a text.
#include <criterion/criterion.h>

#include "solver/term/parse.h"
#include "solver/term/print.h"
#include "tests/unit/world.h"

enum { NAMES = 6, LONGEST = 12, ROUNDS = 4000 };

typedef struct named {
  world w;
  char name[NAMES][LONGEST];
  size_t length[NAMES];
} named;

static uint64_t draw(uint64_t *state, uint64_t below) {
  *state += 0x9e3779b97f4a7c15u;
  return hash_mix(*state) % below;
}

// Every pair of bytes that a reader might take for something else comes up.
static void make_name(named *w, int at, uint64_t *state) {
  static const char BYTES[] = "\"\\()+-*/%^,<>=!. \t\n\r{}'0a9Z_\xc3\xa9\x01\x7f\xff";
  static const char *const WORDS[] = {"",     "min",    "mod",  "divisible", "is_zero", "\\",
                                      "\"",   "\\\\",   "\\\"", "\"\"",      "a\\",     "\\n",
                                      "a\"b", "a == b", "x)",   "select(",   "0",       ".a"};
  if (draw(state, 4) == 0) {
    const char *word = WORDS[draw(state, sizeof WORDS / sizeof *WORDS)];
    w->length[at] = strlen(word);
    memcpy(w->name[at], word, w->length[at]);
    return;
  }
  w->length[at] = draw(state, LONGEST);
  for (size_t i = 0; i < w->length[at]; i++) w->name[at][i] = BYTES[draw(state, sizeof BYTES - 1)];
}

static bool is_named(const named *w, int at, const char *name, size_t length) {
  return w->length[at] == length && (!length || memcmp(w->name[at], name, length) == 0);
}

static term_id find(void *data, const char *name, size_t length) {
  named *w = data;
  for (int i = 0; i < NAMES; i++) {
    if (is_named(w, i, name, length)) return w->w.symbols[i];
  }
  return TERM_NONE;
}

static void write_name(void *data, shape_strbuf *out, uint32_t symbol) {
  named *w = data;
  term_print_name(out, w->name[symbol], w->length[symbol]);
}

static term_id some_term(named *w, uint64_t *state) {
  term_table *t = &w->w.terms;
  term_id id = w->w.symbols[draw(state, NAMES)];
  for (int i = 0; i < 3; i++) {
    term_id other = w->w.symbols[draw(state, NAMES)];
    switch (draw(state, 6)) {
    case 0: id = term_add(t, id, other); break;
    case 1: id = term_sub(t, other, id); break;
    case 2: id = term_mul(t, id, other); break;
    case 3: id = term_min(t, id, other); break;
    case 4: id = term_mod(t, id, other); break;
    default: id = term_floordiv(t, term_add(t, id, other), term_int(t, 3)); break;
    }
  }
  return id;
}

Test(names, any_bytes_read_back) {
  uint64_t state = 20261121;
  for (int round = 0; round < ROUNDS; round++) {
    named w;
    world_open(&w.w, 0, UINT64_MAX / 2, NAMES);
    for (int i = 0; i < NAMES; i++) {
      do make_name(&w, i, &state);
      while (i && find(&w, w.name[i], w.length[i]) != w.w.symbols[i]);
    }
    term_id id = some_term(&w, &state), back = TERM_NONE;
    shape_strbuf text;
    strbuf_init(&text, &w.w.arena);
    term_print(&w.w.terms, &text, id, &(term_namer){.symbol = write_name, .data = &w});
    term_parser parser = {.terms = &w.w.terms, .symbol = find, .data = &w};
    cr_assert(term_parse_expr(&parser, strbuf_text(&text), text.length, &back),
              "round %d: %s: %s at %zu", round, strbuf_text(&text), parser.error, parser.error_at);
    cr_assert_eq(back, id, "round %d: %s is read as another term", round, strbuf_text(&text));
    arena_destroy(&w.w.arena);
  }
}

Test(names, a_backslash_before_other_bytes_stands_for_itself) {
  named w = {.length = {3, 1, 2}, .name = {"a\\b", "\\", "\\\\"}};
  for (int i = 3; i < NAMES; i++) w.length[i] = 1, w.name[i][0] = (char)i;
  world_open(&w.w, 0, UINT64_MAX / 2, NAMES);
  term_parser parser = {.terms = &w.w.terms, .symbol = find, .data = &w};
  static const struct {
    const char *text;
    int symbol;
  } ROWS[] = {{"\"a\\b\"", 0}, {"\"a\\\\b\"", 0}, {"\"\\\\\"", 1}, {"\"\\\\\\\\\"", 2}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    term_id id = TERM_NONE;
    cr_expect(term_parse_expr(&parser, ROWS[i].text, strlen(ROWS[i].text), &id), "%s: %s",
              ROWS[i].text, parser.error);
    cr_expect_eq(id, w.w.symbols[ROWS[i].symbol], "%s", ROWS[i].text);
  }
  static const char *const OPEN[] = {"\"", "\"a", "\"a\\\"", "\"\\", "1 + \"\\\\\\\""};
  for (size_t i = 0; i < sizeof OPEN / sizeof *OPEN; i++) {
    term_id id;
    cr_expect_not(term_parse_expr(&parser, OPEN[i], strlen(OPEN[i]), &id), "%s", OPEN[i]);
    cr_expect_str_eq(parser.error, "expected '\"', found the end of the text", "%s", OPEN[i]);
    cr_expect_eq(parser.error_at, strlen(OPEN[i]), "%s at %zu", OPEN[i], parser.error_at);
  }
  arena_destroy(&w.w.arena);
}
