// SPDX-License-Identifier: Apache-2.0
// num against GMP's mpz on random operands around the edges of int64 and far beyond.
#include "solver/num/num.h"

#include <criterion/criterion.h>
#include <gmp.h>
#include <stdlib.h>

#include "solver/base/imap.h"
#include "tests/unit/world.h"

static void setup(world *w, uint64_t seed) {
  world_open(w, 0, 0, 0);
  w->state = seed;
}

static uint64_t next(world *w) { return hash_mix(w->state += 0x9e3779b97f4a7c15u); }

static void random_mpz(world *w, mpz_t out) {
  static const int64_t EDGES[] = {
      0, 1, -1, 2, -2, 7, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1};
  mpz_set_si(out, EDGES[next(w) % 10]);
  uint64_t kind = next(w) % 4;
  if (kind == 1) mpz_set_si(out, (int64_t)(next(w) % 2001) - 1000);
  if (kind < 2) return;
  for (uint64_t limbs = next(w) % (kind == 2 ? 2 : 12); limbs; limbs--) {
    mpz_mul_2exp(out, out, 64);
    uint64_t limb = next(w) % 8 ? next(w) : (next(w) % 2 ? UINT64_MAX : 0);
    mpz_add_ui(out, out, limb);
  }
  if (next(w) % 2) mpz_neg(out, out);
  if (next(w) % 4 == 0) mpz_mul_2exp(out, out, next(w) % 130);
}

static num to_num(world *w, const mpz_t x) {
  char *text = mpz_get_str(NULL, 10, x);
  num result;
  cr_assert(num_parse(&w->budget, text, strlen(text), &result));
  free(text);
  return result;
}

// mpz_fits_slong_p takes numbers of one limb alone, and limbs may have 32 bits.
static bool fits(const mpz_t x) {
  size_t bits = mpz_sizeinbase(x, 2);
  return bits < 64 || (bits == 64 && mpz_sgn(x) < 0 && mpz_scan1(x, 0) == 63);
}

static void check(world *w, num got, const mpz_t want, const char *what) {
  shape_strbuf buf;
  strbuf_init(&buf, &w->arena);
  num_print(&buf, got);
  char *text = mpz_get_str(NULL, 10, want);
  cr_assert_str_eq(strbuf_text(&buf), text, "%s", what);
  free(text);
  cr_assert_eq(!got.big, fits(want), "%s: one representation", what);
}

typedef struct operation {
  const char *what;
  num (*ours)(shape_budget *b, num x, num y);
  void (*theirs)(mpz_t to, const mpz_t x, const mpz_t y);
} operation;

static void check_all(world *w, const operation *operations, size_t count, num x, num y,
                      const mpz_t mx, const mpz_t my) {
  mpz_t m;
  mpz_init(m);
  for (size_t i = 0; i < count; i++) {
    operations[i].theirs(m, mx, my);
    check(w, operations[i].ours(&w->budget, x, y), m, operations[i].what);
  }
  mpz_clear(m);
}

static void check_arithmetic(world *w, num x, num y, const mpz_t mx, const mpz_t my) {
  shape_budget *b = &w->budget;
  mpz_t m;
  mpz_init(m);
  static const operation OPERATIONS[] = {{"add", num_add, mpz_add},
                                         {"sub", num_sub, mpz_sub},
                                         {"mul", num_mul, mpz_mul},
                                         {"gcd", num_gcd, mpz_gcd},
                                         {"lcm", num_lcm, mpz_lcm}};
  check_all(w, OPERATIONS, sizeof OPERATIONS / sizeof *OPERATIONS, x, y, mx, my);
  mpz_neg(m, mx);
  check(w, num_neg(b, x), m, "neg");
  mpz_abs(m, mx);
  check(w, num_abs(b, x), m, "abs");
  mpz_pow_ui(m, mx, 5);
  check(w, num_pow(b, x, 5), m, "pow");
  int order = mpz_cmp(mx, my);
  cr_assert_eq(num_compare(x, y), (order > 0) - (order < 0));
  cr_assert_eq(num_equal(x, y), order == 0);
  cr_assert_eq(num_sign(x), mpz_sgn(mx));
  cr_assert_eq(num_bits(x), mpz_sgn(mx) ? mpz_sizeinbase(mx, 2) : 0);
  check(w, num_min(x, y), order <= 0 ? mx : my, "min");
  check(w, num_max(x, y), order >= 0 ? mx : my, "max");
  mpz_clear(m);
}

static void check_division(world *w, num x, num y, const mpz_t mx, const mpz_t my) {
  static const operation OPERATIONS[] = {{"floordiv", num_floordiv, mpz_fdiv_q},
                                         {"mod", num_mod, mpz_fdiv_r},
                                         {"ceildiv", num_ceildiv, mpz_cdiv_q},
                                         {"truncdiv", num_truncdiv, mpz_tdiv_q}};
  check_all(w, OPERATIONS, sizeof OPERATIONS / sizeof *OPERATIONS, x, y, mx, my);
  cr_assert_eq(num_divides(&w->budget, y, x), mpz_divisible_p(mx, my) != 0);
}

static void check_gcd_ext(world *w, num x, num y) {
  shape_budget *b = &w->budget;
  num s, t, g = num_gcd_ext(b, x, y, &s, &t);
  cr_assert(num_equal(g, num_gcd(b, x, y)));
  cr_assert(num_equal(g, num_add(b, num_mul(b, s, x), num_mul(b, t, y))));
}

static void check_root(world *w, num x, uint32_t k) {
  shape_budget *b = &w->budget;
  num root = num_iroot(b, x, k);
  cr_assert(num_compare(num_pow(b, root, k), x) <= 0);
  cr_assert(num_compare(num_pow(b, num_add(b, root, NUM(1)), k), x) > 0);
}

Test(num, agrees_with_mpz) {
  world w;
  mpz_t mx, my;
  mpz_init(mx);
  mpz_init(my);
  for (uint64_t seed = 0; seed < 200; seed++) {
    setup(&w, seed);
    for (int i = 0; i < 50; i++) {
      random_mpz(&w, mx);
      random_mpz(&w, my);
      num x = to_num(&w, mx), y = to_num(&w, my);
      check_arithmetic(&w, x, y, mx, my);
      if (mpz_sgn(my)) check_division(&w, x, y, mx, my);
      check_gcd_ext(&w, x, y);
      num a = num_abs(&w.budget, x);
      for (uint32_t k = 1; k < 70; k = 2 * k + 1) check_root(&w, a, k);
      check_root(&w, a, 2);
      cr_assert_eq(num_hash(x), num_hash(to_num(&w, mx)));
    }
    arena_destroy(&w.arena);
  }
  mpz_clear(mx);
  mpz_clear(my);
}

Test(num, reads_digits_only) {
  world w;
  num x;
  setup(&w, 0);
  static const char *const INVALID[] = {
      "", "-", "+1", "1 ", " 1", "0x10", "--1", "1e3", "12345678901234567890a"};
  for (size_t i = 0; i < sizeof INVALID / sizeof *INVALID; i++) {
    cr_assert_not(num_parse(&w.budget, INVALID[i], strlen(INVALID[i]), &x), "%s", INVALID[i]);
  }
  cr_assert(num_parse(&w.budget, "-000", 4, &x) && num_is_zero(x));
  cr_assert(num_parse(&w.budget, "-9223372036854775808", 20, &x) && num_is(x, INT64_MIN));
  cr_assert(num_parse(&w.budget, "000000000000000000000000012", 27, &x) && num_is(x, 12));
  cr_assert(num_parse(&w.budget, "9223372036854775808", 19, &x) && x.big);
  cr_assert(num_equal(x, num_from_uint(&w.budget, (uint64_t)1 << 63)));
  arena_destroy(&w.arena);
}

static void parse_digits(void *data) {
  world *w = data;
  size_t length = w->state;
  char *digits = arena_alloc(&w->arena, length);
  memset(digits, '7', length);
  num x;
  cr_assert(num_parse(&w->budget, digits, length, &x));
  shape_strbuf buf;
  strbuf_init(&buf, &w->arena);
  num_print(&buf, x);
  cr_assert_eq(buf.length, length);
  cr_assert(memcmp(buf.data, digits, length) == 0);
}

static void square_until_too_long(void *data) {
  world *w = data;
  num x = NUM(3);
  for (int i = 0; i < 64; i++) x = num_mul(&w->budget, x, x);
}

static void add_until_too_long(void *data) {
  world *w = data;
  num x = num_pow(&w->budget, NUM(2), 65000);
  for (int i = 0; i < 1000; i++) x = num_add(&w->budget, x, x);
}

static void large_power(void *data) { num_pow(&((world *)data)->budget, NUM(-2), UINT32_MAX); }

Test(num, bits_are_capped) {
  world w;
  setup(&w, 10000);
  cr_assert_eq(arena_protect(&w.arena, parse_digits, &w), SHAPE_OK);
  w.state = 19000;
  cr_assert_eq(arena_protect(&w.arena, parse_digits, &w), SHAPE_OK);
  w.state = 20000;
  cr_assert_eq(arena_protect(&w.arena, parse_digits, &w), SHAPE_BITS);
  w.state = 100000000;
  cr_assert_eq(arena_protect(&w.arena, parse_digits, &w), SHAPE_BITS);
  cr_assert_eq(arena_protect(&w.arena, square_until_too_long, &w), SHAPE_BITS);
  cr_assert_eq(arena_protect(&w.arena, add_until_too_long, &w), SHAPE_BITS);
  cr_assert_eq(arena_protect(&w.arena, large_power, &w), SHAPE_BITS);
  cr_assert(num_is(num_pow(&w.budget, NUM(-1), UINT32_MAX), -1));
  cr_assert(num_is_zero(num_pow(&w.budget, NUM(0), 7)));
  arena_destroy(&w.arena);
}
