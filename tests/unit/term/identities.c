// SPDX-License-Identifier: Apache-2.0
// Canonical terms have the value of the expressions that they were made of, and their text reads
// back as themselves.
#include <criterion/criterion.h>
#include <stdio.h>

#include "solver/term/build.h"
#include "solver/term/parse.h"
#include "solver/term/print.h"
#include "tests/unit/term/sample.h"
#include "tests/unit/world.h"

enum { BATCH = 200, POINTS = 24 };

typedef struct bench {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  term_id symbols[SAMPLE_SYMBOLS];
  bool has_zero_divisor, has_condition;
} bench;

static void setup(bench *b) {
  arena_init(&b->arena, 0);
  budget_init(&b->budget, &b->arena, UINT64_MAX / 2, NULL);
  term_table_init(&b->terms, &b->arena, &b->budget);
  for (int i = 0; i < SAMPLE_SYMBOLS; i++) b->symbols[i] = term_symbol(&b->terms);
}

static const char *text_of(bench *b, term_id id) {
  shape_strbuf buf;
  strbuf_init(&buf, &b->arena);
  term_print_plain(&b->terms, &buf, id);
  return strbuf_text(&buf);
}

static void name_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  (void)data;
  strbuf_printf(out, "s%u", symbol);
}

// As in answers of ONNX models.
static const char *text_with_min_and_max(bench *b, term_id id) {
  term_namer namer = {.symbol = name_symbol, .plain = true};
  shape_strbuf buf;
  strbuf_init(&buf, &b->arena);
  term_print(&b->terms, &buf, id, &namer);
  const char *text = strbuf_text(&buf);
  cr_assert(!strstr(text, "is_") && !strstr(text, "select"), "%s", text);
  return text;
}

static void check_point(bench *b, const sample *s, term_id id, const int *point, uint64_t seed) {
  wide want, got;
  bool zero = false;
  if (!sample_eval(s, s->root, point, &want)) return;
  if (!sample_eval_term(&b->terms, id, point, &got, &zero)) return;
  cr_assert(!zero && want == got, "seed %llu: %s is %lld and not %lld%s at (%d, %d, %d)",
            (unsigned long long)seed, text_of(b, id), (long long)got, (long long)want,
            zero ? " (divisor 0)" : "", point[0], point[1], point[2]);
}

static void check_values(bench *b, const sample *s, term_id id, uint64_t seed, bool exhaustive) {
  uint64_t state = seed ^ 0xabcdef;
  int point[SAMPLE_SYMBOLS] = {0};
  for (int i = 0; i < POINTS; i++) {
    int span = i % 2 ? 11 : 201;
    for (int j = 0; j < SAMPLE_SYMBOLS; j++) {
      point[j] = (int)(sample_random(&state) % (uint64_t)span) - (i % 2 ? 4 : 100);
    }
    check_point(b, s, id, point, seed);
  }
  for (int x = -4; exhaustive && x <= 6; x++) {
    for (int y = -4; y <= 6; y++) {
      for (int z = -4; z <= 6; z++) check_point(b, s, id, (int[SAMPLE_SYMBOLS]){x, y, z, 0}, seed);
    }
  }
}

// Random expressions of the given depth, each with the seed that makes it.
typedef struct sampled {
  bench *b;
  const sample *s;
  term_id id;
  uint64_t seed;
} sampled;

static void each_sample(uint64_t first, int count, int depth, bool linear,
                        void (*check)(const sampled *x)) {
  for (int batch = 0; batch < count; batch += BATCH) {
    bench b;
    setup(&b);
    for (int i = batch; i < batch + BATCH; i++) {
      uint64_t seed = first + (uint64_t)i, state = seed;
      sample s = {.count = 0};
      s.root = sample_make(&s, &state, depth, linear);
      check(&(sampled){&b, &s, sample_term(&s, s.root, &b.terms, b.symbols), seed});
    }
    arena_destroy(&b.arena);
  }
}

static void check_sample(const sampled *x) {
  check_values(x->b, x->s, x->id, x->seed, x->seed % 8 == 0);
}

Test(identities, shallow_expressions) { each_sample(1000000, 20000, 2, false, check_sample); }
Test(identities, linear_expressions) { each_sample(2000000, 20000, 4, true, check_sample); }
Test(identities, deep_expressions) { each_sample(3000000, 10000, 4, false, check_sample); }

static term_id symbol_named(void *data, const char *name, size_t length) {
  bench *b = data;
  return length == 2 && name[0] == 's' ? b->symbols[name[1] - '0'] : TERM_NONE;
}

// floordiv by the constant 0 has no value anywhere, and the parser refuses it.
static void look_for_zero(void *data, term_id atom) {
  bench *b = data;
  const term_node *node = term_get(&b->terms, atom);
  b->has_zero_divisor |= node->kind == TERM_FLOORDIV && node->as.args[1] == TERM_ZERO;
}

static bool is_defined_somewhere(bench *b, term_id id) {
  b->has_zero_divisor = false;
  term_visit_atoms(&b->terms, id, look_for_zero, b);
  return !b->has_zero_divisor;
}

static void look_for_condition(void *data, term_id atom) {
  bench *b = data;
  term_kind kind = term_kind_of(&b->terms, atom);
  b->has_condition |= kind == TERM_IS_ZERO || kind == TERM_IS_NEG || kind == TERM_SELECT;
}

static bool has_condition(bench *b, term_id id) {
  b->has_condition = false;
  term_visit_atoms(&b->terms, id, look_for_condition, b);
  return b->has_condition;
}

// Choices are printed by what their conditions say of each other, and read as select: such texts keep the value.
static void round_trip(const sampled *x) {
  bench *b = x->b;
  term_id back;
  if (!is_defined_somewhere(b, x->id)) return;
  const char *text = text_of(b, x->id);
  term_parser parser = {.terms = &b->terms, .symbol = symbol_named, .data = b};
  cr_assert(term_parse_expr(&parser, text, strlen(text), &back), "seed %llu: %s: %s at %zu",
            (unsigned long long)x->seed, text, parser.error, parser.error_at);
  if (back != x->id) check_values(b, x->s, back, x->seed, true);
  cr_assert(back == x->id || has_condition(b, x->id), "seed %llu: %s reads back as %s",
            (unsigned long long)x->seed, text, text_of(b, back));
}

// c1*c2*(a - b) + c1*(b - d) + d and the like, with conditions that say much of each other.
static term_id random_choice(bench *b, uint64_t *state, int depth) {
  term_table *t = &b->terms;
  uint64_t r = sample_random(state);
  term_id x = b->symbols[r % 2], shift = term_int(t, (int64_t)(r >> 8 & 7) - 4);
  if (!depth) return term_add(t, term_scale(t, x, NUM((int64_t)(r >> 16 & 3) - 1)), shift);
  term_id tested = term_add(t, r >> 20 & 1 ? x : term_neg(t, x), shift);
  term_id c = r >> 24 & 1 ? term_is_zero(t, tested) : term_is_neg(t, tested);
  if (r >> 28 & 1) c = term_not(t, c);
  term_id then = random_choice(b, state, depth - 1), other = random_choice(b, state, depth - 1);
  return term_add(t, other, term_mul(t, c, term_sub(t, then, other)));
}

static void round_trip_of_choices(uint64_t first, int count,
                                  const char *(*text_in)(bench *b, term_id id)) {
  bench b;
  setup(&b);
  for (int i = 0; i < count; i++) {
    uint64_t state = first + (uint64_t)i;
    term_id id = random_choice(&b, &state, 1 + i % 3), back;
    const char *text = text_in(&b, id);
    term_parser parser = {.terms = &b.terms, .symbol = symbol_named, .data = &b};
    cr_assert(term_parse_expr(&parser, text, strlen(text), &back), "%s: %s", text, parser.error);
    for (int p = 0; p < 13 * 13; p++) {
      int point[SAMPLE_SYMBOLS] = {p / 13 - 6, p % 13 - 6};
      wide is, read;
      bool zero = false;
      cr_assert(sample_eval_term(&b.terms, id, point, &is, &zero) &&
                sample_eval_term(&b.terms, back, point, &read, &zero));
      cr_assert(is == read, "%d: %s at %d, %d", i, text, point[0], point[1]);
    }
  }
  arena_destroy(&b.arena);
}

Test(identities, text_of_shallow_expressions_reads_back) {
  each_sample(4000000, 10000, 2, false, round_trip);
}
Test(identities, text_of_choices_has_their_value) {
  round_trip_of_choices(6000000, 20000, text_of);
}
Test(identities, text_of_choices_with_min_and_max_has_their_value) {
  round_trip_of_choices(7000000, 5000, text_with_min_and_max);
}
Test(identities, text_of_linear_expressions_reads_back) {
  each_sample(5000000, 10000, 3, true, round_trip);
}

// Chains hold each argument once, up to one that is never 1, however they are put together.
Test(identities, of_chains_of_bcast) {
  enum { SYMBOLS = 12, MOST = 14, ROUNDS = 3000 };
  uint64_t state = 9;
  world w;
  world_open(&w, 0, WORLD_STEPS, SYMBOLS);
  term_table *t = &w.terms;
  for (int round = 0; round < ROUNDS; round++) {
    term_id parts[MOST], expected = TERM_ONE, made[MOST];
    int count = 2 + (int)(sample_random(&state) % (MOST - 2));
    for (int i = 0; i < count; i++) {
      term_id x = w.symbols[sample_random(&state) % SYMBOLS];
      uint64_t kind = sample_random(&state) % 16;
      parts[i] = kind == 0   ? term_add(t, term_scale(t, x, NUM(2)), TERM_ZERO)
                 : kind == 1 ? TERM_ONE
                 : kind == 2 ? term_int(t, 7)
                             : x;
      made[i] = parts[i];
    }
    term_id last[MOST];
    int kept = 0;
    bool closed = false;
    for (int i = 0; i < count && !closed; i++) {
      bool seen = parts[i] == TERM_ONE;
      for (int k = 0; k < kept; k++) seen |= last[k] == parts[i];
      if (seen) continue;
      last[kept++] = parts[i];
      closed = term_kind_of(t, parts[i]) != TERM_SYMBOL;  // 2*x and 7
    }
    for (int k = kept; k-- > 0;) {
      bool alone = k == kept - 1;
      expected =
          alone ? last[k] : term_intern_atom(t, TERM_BCAST, (term_id[2]){last[k], expected}, 2);
    }
    for (int left = count; left > 1; left--) {  // two neighbours become one
      int at = (int)(sample_random(&state) % (uint64_t)(left - 1));
      made[at] = term_bcast(t, made[at], made[at + 1]);
      for (int i = at + 1; i + 1 < left; i++) made[i] = made[i + 1];
    }
    cr_assert_eq(made[0], expected);
  }
  arena_destroy(&w.arena);
}
