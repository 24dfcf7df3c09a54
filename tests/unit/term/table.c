// SPDX-License-Identifier: Apache-2.0
// The table of terms: sharing, reading, walking, substitution, order, limits and failures.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/term/build.h"
#include "solver/term/print.h"
#include "tests/unit/term/sample.h"
#include "tests/unit/world.h"

static void setup_in(world *w, size_t limit) { world_open(w, limit, UINT64_MAX / 2, 8); }
static void setup(world *w) { setup_in(w, 0); }

Test(table, equal_terms_share_one_node) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id a = term_add(t, w.symbols[0], w.symbols[1]), b = term_add(t, w.symbols[1], w.symbols[0]);
  cr_assert_eq(a, b);
  uint32_t before = t->count;
  for (int i = 0; i < 100; i++) {
    term_add(t, term_scale(t, w.symbols[0], NUM(1)), w.symbols[1]);
    term_sum_of(t, (term_id[3]){w.symbols[1], TERM_ZERO, w.symbols[0]}, 3);
  }
  cr_assert_eq(t->count, before, "a hit makes no node");
  cr_assert_eq(term_product_of(t, (term_id[3]){w.symbols[2], w.symbols[0], w.symbols[1]}, 3),
               term_mul(t, w.symbols[0], term_mul(t, w.symbols[1], w.symbols[2])));
  arena_destroy(&w.arena);
}

Test(table, products_are_found_where_they_were_made) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id a = w.symbols[0], b = w.symbols[1], made = term_mul(t, a, b);
  uint32_t before = t->count;
  cr_expect_eq(term_find_product(t, a, b), made);
  cr_expect_eq(term_find_product(t, b, a), made);
  cr_expect_eq(term_find_product(t, TERM_ONE, b), b);
  cr_expect_eq(term_find_product(t, a, TERM_ONE), a);
  cr_expect_eq(term_find_product(t, made, a), TERM_NONE);
  cr_expect_eq(term_find_product(t, w.symbols[2], a), TERM_NONE);
  cr_expect_eq(t->count, before, "what is sought is not made");
  term_id cube = term_mul(t, made, a);
  cr_expect_eq(term_find_product(t, a, made), cube);
  arena_destroy(&w.arena);
}

// min(a + b, 2*c), floordiv(a*b*b - 1, c), and what they are made of, with other terms before and between them.
static void hashes_after(uint64_t out[2], bool reversed) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id a = w.symbols[0], b = w.symbols[1], c = w.symbols[2];
  if (reversed) {
    term_min(t, term_scale(t, c, NUM(2)), term_add_const(t, term_mul(t, c, c), NUM(3)));
    term_mul(t, b, term_pow(t, a, 3));
  }
  term_id quotient = TERM_NONE, least = TERM_NONE;
  for (int i = 0; i < 2; i++) {
    if (reversed == (i == 0)) {
      least = term_min(t, term_add(t, a, b), term_scale(t, c, NUM(2)));
    } else {
      quotient = term_floordiv(t, term_add_const(t, term_mul(t, a, term_pow(t, b, 2)), NUM(-1)), c);
    }
  }
  out[0] = term_hash(t, least);
  out[1] = term_hash(t, quotient);
  cr_expect_eq(term_hash(t, least), out[0], "the same when asked again");
  arena_destroy(&w.arena);
}

Test(table, hashes_of_structures_do_not_depend_on_indices) {
  uint64_t one[2], other[2];
  hashes_after(one, false);
  hashes_after(other, true);
  cr_expect_eq(one[0], other[0]);
  cr_expect_eq(one[1], other[1]);
  cr_expect_neq(one[0], one[1]);
}

// A witness of a query is in another arena: its numbers go with the query.
typedef struct elsewhere {
  shape_arena arena;
  shape_budget budget;
  arena_mark begin;
} elsewhere;

static num large_number(elsewhere *e) {
  return num_mul(&e->budget, NUM(INT64_MAX), NUM(INT64_MAX));
}

static num large_elsewhere(elsewhere *e) {
  arena_init(&e->arena, 0);
  budget_init(&e->budget, &e->arena, UINT64_MAX / 2, NULL);
  e->begin = arena_get_mark(&e->arena);
  return large_number(e);
}

// The same number anew, where the limbs of the first one are overwritten.
static num large_again(elsewhere *e) {
  arena_rewind(&e->arena, e->begin);
  memset(arena_alloc(&e->arena, 256), 0xff, 256);
  return large_number(e);
}

Test(table, constants_of_another_arena_are_kept) {
  world w;
  elsewhere e;
  setup(&w);
  term_id first = term_const(&w.terms, large_elsewhere(&e));
  cr_expect_eq(term_const(&w.terms, large_again(&e)), first);
  arena_destroy(&e.arena);
  arena_destroy(&w.arena);
}

Test(table, coefficients_of_another_arena_are_kept) {
  world w;
  elsewhere e;
  setup(&w);
  num large = large_elsewhere(&e);
  term_id sum = term_add_const(&w.terms, term_scale(&w.terms, term_symbol(&w.terms), large), large);
  large = large_again(&e);
  const term_part *parts;
  term_part room;
  cr_assert_eq(term_parts(&w.terms, sum, &parts, &room), 2);
  cr_expect(num_equal(parts[0].coefficient, large));
  cr_expect(num_equal(parts[1].coefficient, large));
  arena_destroy(&e.arena);
  arena_destroy(&w.arena);
}

Test(table, parts_can_be_read) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  const term_part *parts;
  const term_power *powers;
  term_part room;
  term_power power_room;
  cr_assert_eq(term_parts(t, TERM_ZERO, &parts, &room), 0);
  cr_assert(term_parts(t, w.symbols[3], &parts, &room) == 1 && parts[0].monomial == w.symbols[3]);
  term_id sum = term_add_const(t, term_scale(t, term_pow(t, w.symbols[0], 3), NUM(6)), NUM(-9));
  cr_assert_eq(term_parts(t, sum, &parts, &room), 2);
  cr_assert(parts[0].monomial == TERM_ONE && num_is(parts[0].coefficient, -9));
  cr_assert(term_powers(t, parts[1].monomial, &powers, &power_room) == 1 &&
            powers[0].exponent == 3);
  cr_assert_eq(term_powers(t, TERM_ONE, &powers, &power_room), 0);
  cr_assert(num_is(term_content(t, sum), 3) && num_is(term_constant_part(t, sum), -9));
  cr_assert_eq(term_get(t, sum)->degree, 3);
  int64_t value;
  cr_assert(!term_int_value(t, sum, &value) && term_int_value(t, term_int(t, 5), &value) &&
            value == 5);
  arena_destroy(&w.arena);
}

Test(table, exact_division) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id q, a = term_add(t, w.symbols[0], w.symbols[1]),
             b = term_sub(t, term_scale(t, w.symbols[2], NUM(3)), w.symbols[0]);
  cr_assert(term_divide_exact(t, term_mul(t, a, b), a, &q) && q == b);
  cr_assert(term_divide_exact(t, term_mul(t, a, b), b, &q) && q == a);
  cr_assert_not(term_divide_exact(t, term_add(t, term_mul(t, a, b), TERM_ONE), a, &q));
  cr_assert_not(term_divide_exact(t, a, term_int(t, 2), &q));
  cr_assert(term_divide_exact(t, TERM_ZERO, a, &q) && q == TERM_ZERO);
  term_id c = term_mul(t, term_mul(t, a, w.symbols[5]), term_int(t, 4));
  cr_assert_eq(term_common_factor(t, c), term_scale(t, w.symbols[5], NUM(4)));
  cr_assert(term_divide_exact(t, c, term_common_factor(t, c), &q) && q == a);
  arena_destroy(&w.arena);
}

Test(table, large_products_stay_factored_and_commute) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id p[3];
  for (int i = 0; i < 3; i++) {
    p[i] = TERM_ZERO;
    for (int j = 0; j < 12; j++) p[i] = term_add(t, p[i], term_symbol(t));
  }
  term_id q = term_mul(t, p[0], p[1]);
  cr_assert_eq(term_kind_of(t, q), TERM_PRODUCT);
  cr_assert_eq(term_mul(t, p[1], p[0]), q);
  cr_assert_eq(term_mul(t, q, p[2]), term_mul(t, p[0], term_mul(t, p[2], p[1])));
  cr_assert_eq(term_mul(t, term_neg(t, p[0]), term_scale(t, p[1], NUM(6))),
               term_scale(t, q, NUM(-6)));
  cr_assert_eq(term_kind_of(t, term_mul(t, w.symbols[0], p[0])), TERM_SUM,
               "one monomial always multiplies out");
  arena_destroy(&w.arena);
}

typedef struct mapping {
  world *w;
  term_id from, to;
  int calls;
} mapping;

static term_id replace(void *data, term_id atom) {
  mapping *m = data;
  m->calls++;
  return atom == m->from ? m->to : atom;
}

static term_id swap(void *data, term_id atom) {
  world *w = data;
  return atom == w->symbols[0] ? w->symbols[1] : atom == w->symbols[1] ? w->symbols[0] : atom;
}

Test(table, substitution_makes_canonical) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id half = term_floordiv(t, w.symbols[0], term_int(t, 2));
  term_id expr = term_add(t, term_mul(t, half, w.symbols[1]), term_min(t, half, w.symbols[2]));
  mapping m = {&w, w.symbols[0], term_scale(t, w.symbols[3], NUM(4)), 0};
  term_id twice = term_scale(t, w.symbols[3], NUM(2));
  term_id want = term_add(t, term_mul(t, twice, w.symbols[1]), term_min(t, twice, w.symbols[2]));
  cr_assert_eq(term_substitute(t, expr, replace, &m, NULL), want);
  shape_imap memo = {0};
  cr_assert_eq(term_substitute(t, expr, replace, &m, &memo), want);
  m.calls = 0;
  cr_assert_eq(term_substitute(t, term_add(t, expr, half), replace, &m, &memo),
               term_add(t, want, twice));
  cr_assert_eq(m.calls, 0, "everything was in the memo");
  m = (mapping){&w, half, w.symbols[5], 0};
  cr_assert_eq(term_substitute(t, half, replace, &m, NULL), w.symbols[5]);
  term_id crossed = term_sub(t, term_floordiv(t, w.symbols[0], w.symbols[1]), w.symbols[0]);
  cr_assert_eq(term_substitute(t, crossed, swap, &w, NULL),
               term_sub(t, term_floordiv(t, w.symbols[1], w.symbols[0]), w.symbols[1]),
               "all at once");
  arena_destroy(&w.arena);
}

// Substituting constants for symbols is evaluation.
static term_id to_value(void *data, term_id atom) {
  world *w = data;
  for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
    if (w->symbols[i] == atom) return w->symbols[4 + i];
  }
  return atom;
}

Test(table, substitution_by_constants_evaluates) {
  for (uint64_t seed = 1; seed <= 4000; seed++) {
    world w;
    setup(&w);
    uint64_t state = seed;
    sample s = {.count = 0};
    s.root = sample_make(&s, &state, 3, false);
    term_id id = sample_term(&s, s.root, &w.terms, w.symbols);
    for (int i = 0; i < 10; i++) {
      int point[SAMPLE_SYMBOLS];
      wide want;
      for (int j = 0; j < SAMPLE_SYMBOLS; j++) {
        point[j] = (int)(sample_random(&state) % 11) - 4;
        w.symbols[4 + j] = term_int(&w.terms, point[j]);
      }
      if (!sample_eval(&s, s.root, point, &want) || want > INT64_MAX || want < INT64_MIN) continue;
      int64_t got;
      term_id value = term_substitute(&w.terms, id, to_value, &w, NULL);
      cr_assert(term_int_value(&w.terms, value, &got), "seed %llu", (unsigned long long)seed);
      cr_assert(got == (int64_t)want, "seed %llu: %lld", (unsigned long long)seed, (long long)got);
    }
    arena_destroy(&w.arena);
  }
}

static void count_atom(void *data, term_id atom) {
  (void)atom;
  ++*(int *)data;
}

// A chain of a hundred thousand atoms, each in the next, twice: neither the C stack nor time may
// grow with it.
Test(table, long_chains_and_dags_are_walked) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id x = w.symbols[0];
  for (int i = 0; i < 100000; i++)
    x = term_floordiv(t, term_add(t, term_mul(t, x, x), w.symbols[1]), w.symbols[2]);
  int atoms = 0;
  term_visit_atoms(t, x, count_atom, &atoms);
  cr_assert_eq(atoms, 100003);
  term_id *symbols;
  cr_assert_eq(term_symbols(t, x, &w.arena, &symbols), 3);
  cr_expect_eq(symbols[0] + symbols[1] + symbols[2], w.symbols[0] + w.symbols[1] + w.symbols[2]);
  cr_expect_eq(term_symbols(t, TERM_ONE, &w.arena, &symbols), 0);
  atoms = 0;
  term_visit_symbols(t, w.symbols[3], term_sub(t, x, w.symbols[3]), count_atom, &atoms);
  cr_expect_eq(atoms, 4, "each once");
  cr_expect(term_mentions(t, x, w.symbols[2]) && term_mentions(t, x, x));
  cr_expect_not(term_mentions(t, x, w.symbols[3]), "its bit is that of many atoms");
  mapping m = {&w, w.symbols[0], w.symbols[3], 0};
  term_id y = term_substitute(t, x, replace, &m, NULL);
  cr_assert_neq(y, x);
  cr_assert_neq(term_order(t, x, y), 0);
  cr_assert_eq(term_order(t, x, y), -term_order(t, y, x));
  shape_strbuf buf;
  strbuf_init(&buf, &w.arena);
  term_print_plain(t, &buf, x);
  cr_assert(buf.length < 10 << 20, "the text is cut");
  arena_destroy(&w.arena);
}

static int order_of_samples(uint64_t a, uint64_t b, bool a_first) {
  world w;
  setup(&w);
  term_id ids[2];
  for (int i = 0; i < 2; i++) {
    uint64_t state = (i == 0) == a_first ? a : b;
    sample s = {.count = 0};
    s.root = sample_make(&s, &state, 3, true);
    ids[i] = sample_term(&s, s.root, &w.terms, w.symbols);
  }
  int order = term_order(&w.terms, ids[0], ids[1]);
  cr_assert_eq(order, -term_order(&w.terms, ids[1], ids[0]));
  cr_assert_eq(order == 0, ids[0] == ids[1]);
  arena_destroy(&w.arena);
  return a_first ? order : -order;
}

Test(table, order_does_not_depend_on_age) {
  for (uint64_t i = 0; i < 3000; i++) {
    cr_assert_eq(order_of_samples(i, i + 7919, true), order_of_samples(i, i + 7919, false), "%llu",
                 (unsigned long long)i);
  }
}

Test(table, order_is_transitive) {
  world w;
  setup(&w);
  enum { COUNT = 120 };
  term_id ids[COUNT];
  for (int i = 0; i < COUNT; i++) {
    uint64_t state = (uint64_t)i + 77;
    sample s = {.count = 0};
    s.root = sample_make(&s, &state, 3, i % 2);
    ids[i] = sample_term(&s, s.root, &w.terms, w.symbols);
  }
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      for (int k = 0; k < COUNT; k++) {
        bool chain =
            term_order(&w.terms, ids[i], ids[j]) <= 0 && term_order(&w.terms, ids[j], ids[k]) <= 0;
        cr_assert(!chain || term_order(&w.terms, ids[i], ids[k]) <= 0);
      }
    }
  }
  arena_destroy(&w.arena);
}

typedef struct build {
  world *w;
  uint64_t seed;
  term_id result;
} build;

static void build_sample(void *data) {
  build *b = data;
  uint64_t state = b->seed;
  sample s = {.count = 0};
  s.root = sample_make(&s, &state, 5, false);
  b->result = sample_term(&s, s.root, &b->w->terms, b->w->symbols);
}

// A request that fails in the middle leaves a table that gives the same terms as before.
Test(table, failures_leave_the_table_usable) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    world w;
    setup(&w);
    build b = {&w, seed, TERM_NONE};
    w.arena.fault = (shape_fault){.fail_at = 1 + seed % 3};
    shape_status status = arena_protect(&w.arena, build_sample, &b);
    cr_assert(status == SHAPE_OK || status == SHAPE_MEMORY);
    term_table_recover(&w.terms);
    w.arena.fault = (shape_fault){0};
    build_sample(&b);
    term_id first = b.result;
    build_sample(&b);
    cr_assert_eq(first, b.result);
    arena_destroy(&w.arena);
  }
}

static void power_tower(void *data) {
  world *w = data;
  term_id x = w->symbols[0];
  for (int i = 0; i < 10; i++) x = term_pow(&w->terms, x, 64);
}

static void huge_coefficient(void *data) {
  world *w = data;
  term_id x = term_add(&w->terms, w->symbols[0], term_int(&w->terms, 3));
  for (int i = 0; i < 40; i++)
    x = term_add(&w->terms, term_scale(&w->terms, x, num_pow(&w->budget, NUM(7), 1000)), x);
}

Test(table, growth_is_capped) {
  world w;
  setup(&w);
  cr_assert_eq(arena_protect(&w.arena, power_tower, &w), SHAPE_BITS);
  cr_assert_eq(arena_protect(&w.arena, huge_coefficient, &w), SHAPE_BITS);
  term_table_recover(&w.terms);
  term_id sum = term_add(&w.terms, w.symbols[0], TERM_ONE);
  cr_assert_neq(term_pow(&w.terms, sum, 64), TERM_NONE);
  arena_destroy(&w.arena);
}

Test(table, unknown_functions_are_congruent) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id f = term_apply(t, 3, w.symbols, 2), g = term_apply(t, 4, w.symbols, 2);
  cr_assert(f != g && f == term_apply(t, 3, w.symbols, 2) && term_apply(t, 3, NULL, 0) != f);
  mapping m = {&w, w.symbols[0], w.symbols[1], 0};
  term_id same[2] = {w.symbols[1], w.symbols[1]};
  cr_assert_eq(term_substitute(t, f, replace, &m, NULL), term_apply(t, 3, same, 2));
  arena_destroy(&w.arena);
}

Test(table, extremes_expand_to_their_choices) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id most = term_add(t, term_max(t, w.symbols[0], w.symbols[1]), w.symbols[2]), out[2];
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, most, &parts, &room), at = 0;
  bool is_max;
  while (at < count && term_kind_of(t, parts[at].monomial) != TERM_MIN) at++;
  cr_assert_eq(term_expand_min(t, most, at, out, &is_max), 2);
  cr_assert(is_max);
  term_id a = term_add(t, w.symbols[0], w.symbols[2]), b = term_add(t, w.symbols[1], w.symbols[2]);
  cr_assert((out[0] == a && out[1] == b) || (out[0] == b && out[1] == a));
  interval range =
      term_static_range(t, term_sub(t, term_max(t, w.symbols[0], w.symbols[1]), w.symbols[0]));
  cr_assert(interval_is_nonnegative(range));
  arena_destroy(&w.arena);
}

// --- what debug builds ask

static void expect_violation(term_table *t, const char *violation) {
  const char *found = term_table_check(t);
  cr_expect(found && strcmp(found, violation) == 0, "%s: %s", violation, found ? found : "nothing");
}

Test(table, check_sees_what_is_wrong) {
  world w;
  setup(&w);
  term_table *t = &w.terms;
  term_id product = term_mul(t, w.symbols[0], w.symbols[1]),
          sum = term_add(t, product, w.symbols[2]);
  term_id quotient = term_floordiv(t, sum, w.symbols[3]);
  cr_assert_null(term_table_check(t), "%s", term_table_check(t));

  term_part *parts = t->nodes[sum].as.parts, part = parts[0];
  parts[0] = parts[1];
  expect_violation(t, "the parts of a sum are not in order");
  parts[0].coefficient = NUM(0);
  expect_violation(t, "a part of a sum is 0");
  parts[0].monomial = sum;
  expect_violation(t, "a part of a sum is no older term");
  parts[0] = part;

  term_power *powers = t->nodes[product].as.powers, power = powers[0];
  powers[0].exponent = 0;
  expect_violation(t, "a power of a product is 1");
  powers[0] = powers[1];
  expect_violation(t, "the powers of a product are not in order");
  powers[0] = power;

  term_id argument = t->nodes[quotient].as.args[0];
  t->nodes[quotient].as.args[0] = quotient;
  expect_violation(t, "an argument is no older term");
  t->nodes[quotient].as.args[0] = argument;

  // Some of these hashes belong to another bucket.
  uint64_t hash = t->nodes[sum].hash;
  bool seen = false;
  for (uint64_t i = 1; i <= 64; i++) {
    t->nodes[sum].hash = hash_mix(hash + i);
    seen |= term_table_check(t) != NULL;
  }
  cr_expect(seen);
  t->nodes[sum].hash = hash;
  t->symbol_count--;
  expect_violation(t, "a symbol was never made");
  t->symbol_count++;
  t->count--;
  cr_expect_not_null(term_table_check(t));
  t->count++;
  cr_assert_null(term_table_check(t), "%s", term_table_check(t));
  arena_destroy(&w.arena);
}
