// SPDX-License-Identifier: Apache-2.0
// Forgetting: random facts about two groups of symbols, one group forgotten and stated anew, with other facts. Afterwards
// the store answers as one that never knew the first facts, and as all points of a box say.
#include <criterion/criterion.h>
#include <stdio.h>

#include "solver/decide/store_query.h"
#include "solver/facts/core.h"
#include "solver/term/parse.h"
#include "tests/unit/world.h"

enum { GROUP = 3, SYMBOLS = 2 * GROUP, FACTS = 64, MAX_SYMBOLS = 512, BOX = 6, ROUNDS = 300 };

static term_id find_symbol(void *data, const char *name, size_t length) {
  const world *w = data;
  return length == 1 && *name >= 'a' && *name < 'a' + SYMBOLS ? w->symbols[*name - 'a'] : TERM_NONE;
}

static predicate read_text(world *w, const char *text) {
  term_parser parser = {.terms = &w->terms, .symbol = find_symbol, .data = w};
  predicate p;
  cr_assert(term_parse_predicate(&parser, text, strlen(text), &p.rel, &p.left, &p.right), "%s",
            text);
  return p;
}

static add_result add(world *w, const char *text) {
  reason why = {.kind = REASON_OP, .what = "test"};
  return store_add(w->store, read_text(w, text), why);
}

// --- random statements over one group, as texts and as what they say

typedef struct statement {
  int kind, at[3];
  int64_t k, m;
  bool is_new;  // when it was stated
  char text[64];
} statement;

static uint32_t pick(uint64_t *state, uint32_t bound) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % bound;
}

// x, y and z are symbols, k and m numbers of one digit.
static void write_statement(statement *t, const char *form) {
  size_t i = 0;
  for (; form[i]; i++) {
    char c = form[i];
    t->text[i] = c >= 'x' && c <= 'z' ? (char)('a' + t->at[c - 'x'])
                 : c == 'k'           ? (char)('0' + t->k)
                 : c == 'm'           ? (char)('0' + t->m)
                                      : c;
  }
  t->text[i] = 0;
}

static statement random_statement(uint64_t *state, int group) {
  static const char *const FORMS[] = {"x == y",         "x == k*y", "k*x == m*y", "divisible(x, m)",
                                      "x + k <= y + 2", "x*y == z", "x <= k"};
  statement t = {.kind = (int)pick(state, 7), .k = 1 + pick(state, 4), .m = 2 + pick(state, 3)};
  for (int i = 0; i < 3; i++) t.at[i] = group * GROUP + (int)pick(state, GROUP);
  write_statement(&t, FORMS[t.kind]);
  return t;
}

static bool is_true(const statement *t, const int64_t point[SYMBOLS]) {
  int64_t x = point[t->at[0]], y = point[t->at[1]], z = point[t->at[2]];
  switch (t->kind) {
  case 0: return x == y;
  case 1: return x == t->k * y;
  case 2: return t->k * x == t->m * y;
  case 3: return x % t->m == 0;
  case 4: return x + t->k <= y + 2;
  case 5: return x * y == z;
  default: return x <= t->k;
  }
}

// --- which symbols and facts are a group's

typedef struct grouping {
  uint8_t of[MAX_SYMBOLS], found;  // a bit for each group
} grouping;

typedef struct walk {
  world *w;
  grouping *g;
} walk;

static void see_atom(void *data, term_id atom) {
  walk *x = data;
  const term_node *node = term_get(&x->w->terms, atom);
  if (node->kind == TERM_SYMBOL) x->g->found |= x->g->of[node->as.symbol];
}

static uint8_t groups_of(world *w, grouping *g, term_id t) {
  walk x = {w, g};
  g->found = 0;
  term_visit_atoms(&w->terms, t, see_atom, &x);
  return g->found;
}

static void group_symbols(world *w, grouping *g) {
  memset(g, 0, sizeof *g);
  cr_assert_lt(w->terms.symbol_count, MAX_SYMBOLS);
  for (int i = 0; i < SYMBOLS; i++)
    g->of[term_get(&w->terms, w->symbols[i])->as.symbol] = (uint8_t)(1 << i / GROUP);
  for (uint32_t i = 0; i < w->terms.symbol_count; i++) {
    term_id meaning;
    num divisor;
    if (store_fresh_meaning(w->store, i, &meaning, &divisor)) g->of[i] = groups_of(w, g, meaning);
  }
}

static bool forget_group(world *w, int group) {
  grouping g;
  uint32_t symbols[MAX_SYMBOLS], facts[2 * FACTS], symbol_count = 0, fact_count = 0;
  group_symbols(w, &g);
  for (uint32_t i = 0; i < w->terms.symbol_count; i++) {
    if (g.of[i] & 1 << group) symbols[symbol_count++] = i;
  }
  for (fact_id i = 0; i < store_fact_count(w->store); i++) {
    predicate p = store_fact(w->store, i)->p;
    uint8_t groups = groups_of(w, &g, p.left) | groups_of(w, &g, p.right);
    if (groups & 1 << group) facts[fact_count++] = i;
  }
  return store_forget(w->store, symbols, symbol_count, facts, fact_count);
}

// --- the box

// Whether p is true at some, and at all, points of the box where the facts of its group are.
static void look_around(const statement *facts, uint32_t count, int group, const statement *p,
                        bool *some, bool *all) {
  int64_t point[SYMBOLS] = {0};
  *some = false;
  *all = true;
  for (int at = 0; at < BOX * BOX * BOX; at++) {
    for (int i = 0, rest = at; i < GROUP; i++, rest /= BOX) point[group * GROUP + i] = rest % BOX;
    bool within = true;
    for (uint32_t i = 0; i < count && within; i++)
      within = facts[i].at[0] / GROUP != group || is_true(&facts[i], point);
    if (!within) continue;
    *some |= is_true(p, point);
    *all &= is_true(p, point);
  }
}

// --- the test

typedef struct book {
  statement facts[FACTS];
  uint32_t count;
} book;

// States some facts, and asks in between, so that there are memos to be wrong.
static void state(world *w, book *known, uint64_t *random, int groups) {
  for (uint32_t i = 2 + pick(random, 5); i; i--) {
    statement t = random_statement(random, (int)pick(random, (uint32_t)groups));
    add_result result = add(w, t.text);
    t.is_new = result == ADD_NEW;
    if (result != ADD_CONFLICT) known->facts[known->count++] = t;
    statement q = random_statement(random, (int)pick(random, 2));
    predicate p = read_text(w, q.text);
    store_canon(w->store, p.left);
    store_ask(w->store, p);
  }
}

static void drop_group(book *known, int group) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < known->count; i++) {
    if (known->facts[i].at[0] / GROUP != group) known->facts[kept++] = known->facts[i];
  }
  known->count = kept;
}

static uint32_t count_new(const book *known) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < known->count; i++) count += known->facts[i].is_new;
  return count;
}

static void compare(world *w, const book *known, uint64_t *random, uint64_t seed) {
  world fresh;
  world_open_store(&fresh, WORLD_STEPS, SYMBOLS, 0);
  for (uint32_t i = 0; i < known->count; i++) add(&fresh, known->facts[i].text);
  for (int i = 0; i < 12; i++) {
    int group = (int)pick(random, 2);
    statement q = random_statement(random, group);
    bool some, all;
    shape_answer mine = store_ask(w->store, read_text(w, q.text)).answer;
    shape_answer theirs = store_ask(fresh.store, read_text(&fresh, q.text)).answer;
    look_around(known->facts, known->count, group, &q, &some, &all);
    cr_assert_eq(mine, theirs, "seed %llu: %s: %d, fresh %d", (unsigned long long)seed, q.text,
                 mine, theirs);
    cr_assert(mine != SHAPE_YES || all, "seed %llu: %s is not always so", (unsigned long long)seed,
              q.text);
    cr_assert(mine != SHAPE_NO || !some, "seed %llu: %s can be", (unsigned long long)seed, q.text);
  }
  arena_destroy(&fresh.arena);
}

Test(forget, leaves_what_the_other_facts_say) {
  uint32_t forgotten = 0;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    world w;
    book known = {.count = 0};
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15);
    world_open_store(&w, WORLD_STEPS, SYMBOLS, 0);
    state(&w, &known, &random, 2);
    for (int turn = 0; turn < 3; turn++) {
      int group = (int)pick(&random, 2);
      if (forget_group(&w, group)) {
        forgotten++;
        drop_group(&known, group);
        cr_assert_eq(w.store->facts.live_count, count_new(&known));
      }
      state(&w, &known, &random, 2);
      compare(&w, &known, &random, seed);
    }
    arena_destroy(&w.arena);
  }
  cr_assert_gt(forgotten, ROUNDS);
}

Test(forget, refuses_where_a_fact_that_is_kept_ties_the_symbols_to_others) {
  world w;
  world_open_store(&w, WORLD_STEPS, SYMBOLS, 0);
  cr_assert_eq(add(&w, "a + 1 <= d"), ADD_NEW);
  cr_assert_eq(add(&w, "a <= 3"), ADD_NEW);
  uint32_t symbol = term_get(&w.terms, w.symbols[0])->as.symbol;
  fact_id bound = 1;
  cr_expect_not(store_forget(w.store, &symbol, 1, &bound, 1));
  cr_expect_eq(store_ask(w.store, read_text(&w, "a <= 3")).answer, SHAPE_YES);
  cr_expect_eq(store_ask(w.store, read_text(&w, "1 <= d")).answer, SHAPE_YES);
  arena_destroy(&w.arena);
}
