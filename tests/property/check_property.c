// SPDX-License-Identifier: Apache-2.0
// The independent checker is asked to confirm claims that are mostly wrong: every relation between random expressions under
// random assumptions, their negations, conflicts where there are points, and bounds that are moved by one or more. What
// enumeration contradicts must not be derived, by derivation alone (the evaluation of points is left out). What a derivation
// says that it used must be enough: the claim holds wherever those assumptions do.
//   PROPERTY_CASES  how many (default 4000; with CI=true 10000)   PROPERTY_SEED  the first seed (default 1)
//   PROPERTY_STEPS  of each derivation (default 12000)
// Prints how many wrong claims were refused and how many true ones confirmed; the last line is `N passed, N failed`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/certify/check.h"
#include "solver/term/parse.h"
#include "tests/support/random_case.h"
#include "tests/support/volume.h"

enum { ALL = (1 << CASE_ASSUME) - 1, MAX_PREMISES = 64 };

typedef struct tally {
  long passed, failed, refused, confirmed, open, used;
} tally;

typedef struct claimed {
  const query_case *c;
  shape_arena *arena;
  shape_budget budget;
  term_table terms;
  query_symbol symbols[CASE_SYMBOLS];
  predicate premises[MAX_PREMISES];
  int owner[MAX_PREMISES];  // which assumption a premise came with; CASE_ASSUME: the query
  int now;
  query q;
  uint64_t steps;
} claimed;

static term_id find_symbol(void *data, const char *name, size_t length) {
  claimed *w = data;
  return length == 1 && *name >= 'a' && *name < 'a' + w->c->symbols ? w->symbols[*name - 'a'].symbol
                                                                    : TERM_NONE;
}

static void add_premise(claimed *w, predicate p) {
  if (w->q.premise_count == MAX_PREMISES) return;
  w->owner[w->q.premise_count] = w->now;
  w->premises[w->q.premise_count++] = p;
}

static void add_divisor(void *data, term_id divisor) {
  add_premise(data, predicate_make(REL_NE, divisor, TERM_ZERO));
}

static bool read(claimed *w, int i, predicate *out) {
  char text[2 * CASE_TEXT];
  term_parser parser = {
      .terms = &w->terms, .symbol = find_symbol, .divisor = add_divisor, .data = w};
  w->now = i == w->c->assume ? CASE_ASSUME : i;
  if (w->c->kind == 0 || i < w->c->assume) {
    case_print_predicate(w->c, i, text);
    return term_parse_predicate(&parser, text, strlen(text), &out->rel, &out->left, &out->right);
  }
  case_print_expr(w->c, w->c->left[i], text);
  return term_parse_expr(&parser, text, strlen(text), &out->left);
}

// False where a text divides by the constant 0.
static bool set_up(claimed *w, predicate *asked) {
  budget_init(&w->budget, w->arena, 0, NULL);
  term_table_init(&w->terms, w->arena, &w->budget);
  w->q = (query){.arena = w->arena,
                 .terms = &w->terms,
                 .budget = &w->budget,
                 .symbols = w->symbols,
                 .symbol_count = (uint32_t)w->c->symbols,
                 .premises = w->premises};
  for (int i = 0; i < w->c->symbols; i++) {
    interval range = interval_of(w->c->lo[i], w->c->hi[i]);
    range.has_lo = !w->c->open_lo[i];
    range.has_hi = !w->c->open_hi[i];
    w->symbols[i] = (query_symbol){term_symbol(&w->terms), range, NUM(w->c->step[i])};
  }
  for (int i = 0; i <= w->c->assume; i++) {
    predicate p;
    if (!read(w, i, &p)) return false;
    if (i == w->c->assume) {
      *asked = p;
    } else {
      w->now = i;
      add_premise(w, p);
    }
  }
  return true;
}

// The assumptions that a derivation used; that the query is defined counts always.
static unsigned mask_of(const claimed *w, const uint8_t *used) {
  unsigned mask = 0;
  for (uint32_t i = 0; i < w->q.premise_count; i++) {
    if (used[i] && w->owner[i] < CASE_ASSUME) mask |= 1u << w->owner[i];
  }
  return mask;
}

typedef enum wanted { WANT_NO_FALSE, WANT_NO_TRUE, WANT_NO_POINT } wanted;

static bool contradicted(const truth *t, wanted what) {
  // That the query is defined is one of the premises.
  return (what != WANT_NO_FALSE && t->any_true) || (what != WANT_NO_TRUE && t->any_false);
}

// What a derivation claims must hold at the points of all assumptions, and at those of the ones that it used.
static const char *try_claim(claimed *w, const truth *t, const predicate *against, wanted what,
                             tally *sum) {
  uint8_t used[MAX_PREMISES];
  bool done = check_derive(&w->q, against, w->steps, used);
  bool wrong = contradicted(t, what);
  sum->refused += wrong && !done;
  sum->confirmed += !wrong && done;
  sum->open += !wrong && !done;
  if (!done) return NULL;
  if (wrong) return "a wrong claim was confirmed";
  truth less = case_enumerate(w->c, mask_of(w, used), NULL);
  sum->used++;
  return contradicted(&less, what) ? "what was used is not enough" : NULL;
}

static const char *try_query(claimed *w, predicate asked, const truth *t, tally *sum) {
  predicate no = check_negation(&w->terms, asked);
  const char *wrong = try_claim(w, t, &no, WANT_NO_FALSE, sum);
  if (!wrong) wrong = try_claim(w, t, &asked, WANT_NO_TRUE, sum);
  return wrong ? wrong : try_claim(w, t, NULL, WANT_NO_POINT, sum);
}

static const char *try_bounds(claimed *w, term_id e, const truth *t, tally *sum) {
  if (t->points == 0) return NULL;
  for (long by = -1; by <= 2; by++) {
    predicate low = predicate_make(REL_LT, e, term_int(&w->terms, t->least + by));
    predicate high = predicate_make(REL_GT, e, term_int(&w->terms, t->most - by));
    bool done[2] = {check_derive(&w->q, &low, w->steps, NULL),
                    check_derive(&w->q, &high, w->steps, NULL)};
    for (int i = 0; i < 2; i++) {
      if (by > 0 && done[i]) return "a bound that points exceed was confirmed";
      sum->refused += by > 0;
      sum->confirmed += by <= 0 && done[i];
      sum->open += by <= 0 && !done[i] && t->complete;
    }
  }
  return NULL;
}

static void run_case(uint64_t seed, uint64_t steps, shape_arena *arena, tally *sum) {
  query_case c;
  predicate asked = {REL_EQ, TERM_ZERO, TERM_ZERO};
  case_make(&c, seed);
  truth t = case_enumerate(&c, ALL, NULL);
  arena_mark mark = arena_get_mark(arena);
  claimed w = {.c = &c, .arena = arena, .steps = steps};
  const char *wrong = NULL;
  if (set_up(&w, &asked)) {
    wrong = c.kind == 0 ? try_query(&w, asked, &t, sum) : try_bounds(&w, asked.left, &t, sum);
  }
  sum->passed += !wrong;
  sum->failed += wrong != NULL;
  if (wrong && sum->failed <= 10) {
    char line[8 * CASE_TEXT];
    case_print(&c, false, false, ALL, line, sizeof line);
    printf("seed %llu: %s\n  %s\n", (unsigned long long)seed, wrong, line);
  }
  arena_rewind(arena, mark);
}

typedef struct run {
  uint64_t first, cases, steps;
  shape_arena *arena;
  tally sum;
} run;

static void run_all(void *data) {
  run *r = data;
  for (uint64_t i = 0; i < r->cases; i++) run_case(r->first + i, r->steps, r->arena, &r->sum);
}

int main(void) {
  bool ci = volume_is_ci();
  shape_arena arena;
  arena_init(&arena, (size_t)1 << 28);
  arena.block_size = 1 << 20;
  run r = {.first = volume_setting("PROPERTY_SEED", 1),
           .cases = volume_setting("PROPERTY_CASES", ci ? 10000 : 4000),
           .steps = volume_setting("PROPERTY_STEPS", 12000),
           .arena = &arena};
  printf("seeds %llu to %llu\n", (unsigned long long)r.first,
         (unsigned long long)(r.first + r.cases - 1));
  shape_status status = arena_protect(&arena, run_all, &r);
  if (status != SHAPE_OK) {
    printf("ended with %s\n", shape_status_name(status));
    r.sum.failed++;
  }
  printf("wrong claims refused: %ld; true ones confirmed: %ld, not confirmed: %ld; used sets "
         "tried: %ld\n",
         r.sum.refused, r.sum.confirmed, r.sum.open, r.sum.used);
  arena_destroy(&arena);
  printf("%ld passed, %ld failed\n", r.sum.passed, r.sum.failed);
  return r.sum.failed != 0;
}
