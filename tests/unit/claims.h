// SPDX-License-Identifier: Apache-2.0
// Tables of claims: predicates that are assumed, one that is asked, and the answer. Symbols are a, b and c, dims >= 0.
#ifndef TESTS_UNIT_CLAIMS_H
#define TESTS_UNIT_CLAIMS_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "solver/certify/check.h"
#include "solver/facts/core.h"
#include "tests/unit/world.h"

enum { CLAIM_PREMISES = 5 };

// Read from a line "premise; premise |- query: answer". The answer is yes, no, unknown, or conflict: the last premise
// contradicts those before it.
typedef struct claim {
  char assume[160], ask[80], want[16];
} claim;

typedef struct claim_names {
  const term_id *symbols;
} claim_names;

static inline term_id claim_symbol(void *data, const char *name, size_t length) {
  const claim_names *n = data;
  return length == 1 && *name >= 'a' && *name <= 'c' ? n->symbols[*name - 'a'] : TERM_NONE;
}

static inline predicate claim_read(term_table *terms, const term_id *symbols, const char *text) {
  claim_names names = {symbols};
  term_parser parser = {.terms = terms, .symbol = claim_symbol, .data = &names};
  predicate p;
  cr_assert(term_parse_predicate(&parser, text, strlen(text), &p.rel, &p.left, &p.right), "%s: %s",
            text, parser.error);
  return p;
}

static inline term_id claim_term(term_table *terms, const term_id *symbols, const char *text) {
  claim_names names = {symbols};
  term_parser parser = {.terms = terms, .symbol = claim_symbol, .data = &names};
  term_id t;
  cr_assert(term_parse_expr(&parser, text, strlen(text), &t), "%s: %s", text, parser.error);
  return t;
}

// The claim of the line at *at, which moves to the next; false at the end.
static inline bool claim_next(const char **at, claim *out) {
  static const char TURNSTILE[] = "|- ";
  if (!**at) return false;
  const char *end = strchr(*at, '\n'), *mark = strstr(*at, TURNSTILE);
  cr_assert(end && mark && mark < end, "%s", *at);
  const char *ask = mark + sizeof TURNSTILE - 1, *colon = end;
  while (colon > ask && *colon != ':') colon--;
  snprintf(out->assume, sizeof out->assume, "%.*s", (int)(mark - *at), *at);
  snprintf(out->ask, sizeof out->ask, "%.*s", (int)(colon - ask), ask);
  snprintf(out->want, sizeof out->want, "%.*s", (int)(end - colon - 2), colon + 2);
  *at = end + 1;
  return true;
}

static inline const char *claim_answer(shape_answer answer) {
  return answer == SHAPE_YES ? "yes" : answer == SHAPE_NO ? "no" : "unknown";
}

// The predicates of a text, in their order; returns how many.
static inline uint32_t claim_premises(term_table *terms, const term_id *symbols, const char *text,
                                      predicate out[CLAIM_PREMISES]) {
  char one[128];
  uint32_t count = 0;
  while (*(text += strspn(text, " "))) {
    size_t length = strcspn(text, ";");
    cr_assert(count < CLAIM_PREMISES && length < sizeof one);
    memcpy(one, text, length);
    one[length] = 0;
    out[count++] = claim_read(terms, symbols, one);
    text += length + (text[length] == ';');
  }
  return count;
}

static const reason claim_reason = {.kind = REASON_OP, .what = "test"};

// A store in which these predicates are facts 0, 1, ...
static inline void claim_store(world *w, const char *const *facts, uint32_t count) {
  world_open_store(w, WORLD_STEPS, 3, 0);
  for (uint32_t i = 0; i < count; i++)
    cr_assert_eq(store_add(w->store, claim_read(&w->terms, w->symbols, facts[i]), claim_reason),
                 ADD_NEW, "%s", facts[i]);
}

// And the predicate that contradicts them, which was added in vain.
static inline predicate claim_conflict(world *w, const char *const *facts, uint32_t count,
                                       const char *wrong) {
  claim_store(w, facts, count);
  predicate p = claim_read(&w->terms, w->symbols, wrong);
  cr_assert_eq(store_add(w->store, p, claim_reason), ADD_CONFLICT, "%s", wrong);
  return p;
}

// By the store alone, cheaply: its invariants hold after each fact, a conflict leaves it as it was, and what is popped is
// not known any more.
static inline void expect_cheap(const char *lines) {
  for (claim c; claim_next(&lines, &c);) {
    world w;
    world_open_store(&w, WORLD_STEPS, 3, 0);
    predicate asked = claim_read(&w.terms, w.symbols, c.ask), premises[CLAIM_PREMISES];
    uint32_t count = claim_premises(&w.terms, w.symbols, c.assume, premises);
    shape_answer before = store_holds(w.store, asked);
    bool conflicts = strcmp(c.want, "conflict") == 0;
    store_push(w.store, 1);
    for (uint32_t k = 0; k < count; k++) {
      bool conflict = store_add(w.store, premises[k], claim_reason) == ADD_CONFLICT;
      cr_expect_eq(conflict, conflicts && k + 1 == count, "%s: premise %u", c.assume, k);
    }
    const char *wrong = store_check(w.store);
    cr_expect_null(wrong, "%s: %s", c.assume, wrong);
    const char *answer = claim_answer(store_holds(w.store, asked));
    if (!conflicts) cr_expect_str_eq(answer, c.want, "%s|- %s: %s", c.assume, c.ask, answer);
    store_pop(w.store);
    cr_expect_eq(store_holds(w.store, asked), before, "%s is still known", c.ask);
    arena_destroy(&w.arena);
  }
}

// A query under the premises of a claim; returns what is asked.
static inline predicate claim_open(asked_world *w, const claim *c) {
  asked_world_open(w, WORLD_STEPS);
  const term_id symbols[] = {w->symbols[0].symbol, w->symbols[1].symbol, w->symbols[2].symbol};
  w->q.premise_count = claim_premises(&w->terms, symbols, c->assume, w->premises);
  return claim_read(&w->terms, symbols, c->ask);
}

// By the decision procedure; what it claims is confirmed by the independent checker.
static inline void expect_decided(const char *lines) {
  for (claim c; claim_next(&lines, &c);) {
    asked_world w;
    predicate asked = claim_open(&w, &c);
    query_result r = query_ask(&w.q, asked);
    const char *answer = r.conflict ? "conflict" : claim_answer(r.answer);
    cr_expect_str_eq(answer, c.want, "%s|- %s: %s", c.assume, c.ask, answer);
    cr_expect_neq(check_answer(&w.q, asked, &r), CHECK_WRONG, "%s", c.ask);
    arena_destroy(&w.arena);
  }
}

// The checker alone: it confirms the answer of the line, and that the premises conflict, and never the opposite.
static inline void expect_confirmed(const char *lines) {
  for (claim c; claim_next(&lines, &c);) {
    asked_world w;
    predicate asked = claim_open(&w, &c);
    bool yes = strcmp(c.want, "yes") == 0;
    const query_result is = {.answer = yes ? SHAPE_YES : SHAPE_NO,
                             .conflict = strcmp(c.want, "conflict") == 0};
    const query_result other = {.answer = yes ? SHAPE_NO : SHAPE_YES};
    cr_expect_eq(check_answer(&w.q, asked, &is), CHECK_CONFIRMED, "%s|- %s", c.assume, c.ask);
    if (!is.conflict)
      cr_expect_neq(check_answer(&w.q, asked, &other), CHECK_CONFIRMED, "%s|- %s", c.assume, c.ask);
    arena_destroy(&w.arena);
  }
}

#endif
