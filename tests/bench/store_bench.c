// SPDX-License-Identifier: Apache-2.0
// What a fact costs, for chains of facts in three orders and for facts that are known already. Prints ns per fact for
// a size and ten times that size, so that growth is seen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solver/decide/store_query.h"
#include "solver/facts/store.h"

typedef struct bench {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  shape_store *store;
  term_id *x;
  uint32_t *order;
  uint32_t count;
} bench;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

enum { FORWARD, BACKWARD, SHUFFLED };
static const char *const order_names[] = {"forward", "backward", "shuffled"};

static void start(bench *b, uint32_t count, int order) {
  memset(b, 0, sizeof *b);
  arena_init(&b->arena, 0);
  budget_init(&b->budget, &b->arena, UINT64_MAX, NULL);
  term_table_init(&b->terms, &b->arena, &b->budget);
  b->store = store_new(&b->arena, &b->terms, &b->budget);
  b->count = count;
  b->x = malloc((count + 1) * sizeof *b->x);
  b->order = malloc(count * sizeof *b->order);
  symbol_info info = {interval_at_least(NUM(0)), NUM(1), SYMBOL_OPAQUE};
  for (uint32_t i = 0; i <= count; i++) b->x[i] = store_symbol(b->store, info);
  for (uint32_t i = 0; i < count; i++) b->order[i] = order == BACKWARD ? count - 1 - i : i;
  uint64_t random = 88172645463325252u;
  for (uint32_t i = count; order == SHUFFLED && i > 1; i--) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    uint32_t k = (uint32_t)(random % i), t = b->order[k];
    b->order[k] = b->order[i - 1];
    b->order[i - 1] = t;
  }
}

static void stop(bench *b) {
  free(b->x);
  free(b->order);
  arena_destroy(&b->arena);
}

typedef predicate link_maker(bench *b, uint32_t i);

static predicate equal_next(bench *b, uint32_t i) {
  return predicate_make(REL_EQ, b->x[i], b->x[i + 1]);
}
static predicate plus_one(bench *b, uint32_t i) {
  return predicate_make(REL_EQ, b->x[i + 1], term_add(&b->terms, b->x[i], TERM_ONE));
}
static predicate at_most_next(bench *b, uint32_t i) {
  return predicate_make(REL_LE, b->x[i], b->x[i + 1]);
}
static predicate less_than_next(bench *b, uint32_t i) {
  return predicate_make(REL_LT, b->x[i], b->x[i + 1]);
}
static predicate product_next(bench *b, uint32_t i) {
  term_id p = term_mul(&b->terms, b->x[i], b->x[0]);
  return predicate_make(REL_EQ, p, term_mul(&b->terms, b->x[i + 1], b->x[0]));
}
static predicate twice_next(bench *b, uint32_t i) {
  if (i % 8) return equal_next(b, i);
  return predicate_make(REL_EQ, term_scale(&b->terms, b->x[i], NUM(2)),
                        term_scale(&b->terms, b->x[i + 1], NUM(3)));
}
static predicate divisible(bench *b, uint32_t i) {
  return predicate_make(REL_DIVISIBLE, b->x[i], term_int(&b->terms, 4 + i % 3));
}
static predicate half_of(bench *b, uint32_t i) {
  term_id half = term_floordiv(&b->terms, b->x[i / 2], term_int(&b->terms, 2));
  return predicate_make(REL_EQ, half, i % 2 ? b->x[i + 1] : b->x[i]);
}
static predicate sum_of(bench *b, uint32_t i) {
  term_id sum = term_add(&b->terms, b->x[i], b->x[i / 2]);
  return predicate_make(REL_EQ, sum, b->x[i + 1]);
}

static void run(const char *name, link_maker *make, uint32_t count, int order) {
  bench b;
  start(&b, count, order);
  reason why = {.kind = REASON_ASSUMPTION};
  predicate *facts = malloc(count * sizeof *facts);
  for (uint32_t i = 0; i < count; i++) facts[i] = make(&b, b.order[i]);
  double t0 = now();
  for (uint32_t i = 0; i < count; i++) store_add(b.store, facts[i], why);
  double t1 = now();
  uint32_t known = 0;
  for (uint32_t i = 0; i < count; i++) known += store_add(b.store, facts[i], why) == ADD_KNOWN;
  double t2 = now();
  for (uint32_t i = 0; i < count; i++) known += store_add(b.store, facts[i], why) == ADD_KNOWN;
  double t3 = now();
  printf("%-16s %-9s %8u facts  new %8.0f ns  known %6.0f ns  again %5.0f ns  %4.0f bytes  %s\n",
         name, order_names[order], count, (t1 - t0) / count, (t2 - t1) / count, (t3 - t2) / count,
         (double)b.arena.peak / count, known == 2 * count ? "" : "(not all known)");
  fflush(stdout);
  free(facts);
  stop(&b);
}

static void run_scopes(uint32_t count) {
  bench b;
  start(&b, count, FORWARD);
  reason why = {.kind = REASON_ASSUMPTION};
  for (uint32_t i = 0; i < count; i++) store_add(b.store, equal_next(&b, i / 2 * 2), why);
  double t0 = now();
  for (uint32_t i = 0; i < 1000; i++) {
    store_push(b.store, 1);
    for (uint32_t k = 0; k < 10; k++)
      store_add(b.store, equal_next(&b, (i * 20 + 2 * k + 1) % count), why);
    store_pop(b.store);
  }
  double t1 = now();
  printf("%-16s %-9s %8u facts  a scope with 10 facts %8.0f ns\n", "scopes", "", count,
         (t1 - t0) / 1000);
  stop(&b);
}

// Components of ten symbols with a bound, an order, a divisibility and a product among them. One assumption about a
// component is pushed, a full query asked that needs it, and popped; its cost is not to depend on how many components
// there are. Each round takes another component, so that no answer is kept.
static void run_assumptions(uint32_t count) {
  enum { WIDTH = 10, ROUNDS = 2000 };
  bench b;
  start(&b, count, FORWARD);
  reason why = {.kind = REASON_ASSUMPTION};
  for (uint32_t i = 0; i + 1 < count; i++) {
    term_id x = b.x[i], y = b.x[i + 1];
    if (i % WIDTH == WIDTH - 1) continue;
    predicate p = i % WIDTH == 0   ? predicate_make(REL_DIVISIBLE, x, term_int(&b.terms, 4))
                  : i % WIDTH == 1 ? predicate_make(REL_LE, term_mul(&b.terms, x, y), b.x[i + 2])
                                   : predicate_make(REL_LE, x, y);
    store_add(b.store, p, why);
  }
  uint32_t components = count / WIDTH, proven = 0, facts = store_fact_count(b.store);
  uint64_t before = b.budget.steps_used;
  double t0 = now();
  for (uint32_t i = 0; i < ROUNDS; i++) {
    term_id *x = &b.x[(uint64_t)i * 7919 % components * WIDTH];
    store_push(b.store, 1);
    store_add(b.store, predicate_make(REL_GE, x[3], term_int(&b.terms, 5 + i % 7)), why);
    proven +=
        store_ask(b.store, predicate_make(REL_GE, x[8], term_int(&b.terms, 5))).answer == SHAPE_YES;
    store_pop(b.store);
  }
  double t1 = now();
  printf("%-16s %-9s %8u facts  push, assume, ask, pop %6.0f ns  %5.1f steps%s\n", "assumptions",
         "", facts, (t1 - t0) / ROUNDS, (double)(b.budget.steps_used - before) / ROUNDS,
         proven == ROUNDS ? "" : "  (not all proven)");
  stop(&b);
}

int main(int argc, char **argv) {
  uint32_t largest = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
  static const struct {
    const char *name;
    link_maker *make;
  } kinds[] = {{"x == y", equal_next},    {"y == x + 1", plus_one},     {"x <= y", at_most_next},
               {"x < y", less_than_next}, {"x*z == y*z", product_next}, {"2*x == 3*y", twice_next},
               {"m | x", divisible},      {"x/2 == y", half_of},        {"x + y == z", sum_of}};
  for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (argc > 2 && strcmp(argv[2], kinds[i].name) != 0) continue;
    for (int order = FORWARD; order <= SHUFFLED; order++) {
      run(kinds[i].name, kinds[i].make, largest / 10, order);
      run(kinds[i].name, kinds[i].make, largest, order);
    }
  }
  run_scopes(largest / 10);
  run_scopes(largest);
  for (uint32_t facts = largest / 100; facts <= largest; facts *= 10)
    run_assumptions(facts + facts / 9);
  return 0;
}
