// SPDX-License-Identifier: Apache-2.0
// Texts that are kept change no text: of random terms, of terms made of them, and of such that are too deep or too large to be written in full.
#include <criterion/criterion.h>

#include "solver/term/print.h"
#include "tests/unit/term/sample.h"
#include "tests/unit/world.h"

enum { POOL = 48, ROUNDS = 100, MADE = 60, DEEP = 230 };

static void write_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  (void)data;
  strbuf_printf(out, "x%u", symbol);
}

static bool write_opaque(void *data, shape_strbuf *out, term_id atom) {
  (void)data;
  strbuf_printf(out, "q%u", atom);
  return true;
}

static void compare(world *w, term_texts *texts, term_id id) {
  shape_strbuf plain, kept;
  term_namer namer = {.symbol = write_symbol, .opaque = write_opaque};
  strbuf_init(&plain, &w->arena);
  term_print(&w->terms, &plain, id, &namer);
  namer.texts = texts;
  strbuf_init(&kept, &w->arena);
  term_print(&w->terms, &kept, id, &namer);
  cr_assert_str_eq(strbuf_text(&kept), strbuf_text(&plain));
  const kept_text *found = term_texts_find(texts, id);
  if (!found) return;
  cr_assert_eq(found->length, plain.length);
  cr_assert(memcmp(found->text, plain.data, plain.length) == 0);
}

static term_id combine(world *w, const term_id *pool, uint64_t *state) {
  term_table *t = &w->terms;
  term_id a = pool[sample_random(state) % POOL], b = pool[sample_random(state) % POOL];
  switch (sample_random(state) % 6) {
  case 0: return term_add(t, a, b);
  case 1: return term_floordiv(t, a, term_int(t, 2 + (int64_t)(sample_random(state) % 3)));
  case 2: return term_min(t, a, b);
  case 3: return term_sub(t, a, term_max(t, b, TERM_ZERO));
  case 4: return term_bcast(t, a, b);
  default: return term_select(t, term_lt(t, a, b), a, b);
  }
}

Test(print, kept_texts_change_nothing) {
  uint64_t state = 5;
  for (int round = 0; round < ROUNDS; round++) {
    world w;
    term_id pool[POOL];
    world_open(&w, 0, WORLD_STEPS, SAMPLE_SYMBOLS);
    term_texts texts = {.arena = &w.arena};
    for (int i = 0; i < POOL; i++) {
      sample s = {.count = 0};
      s.root = sample_make(&s, &state, 3, i % 2);
      pool[i] = sample_term(&s, s.root, &w.terms, w.symbols);
    }
    for (int i = 0; i < MADE; i++) {
      term_id *to = &pool[sample_random(&state) % POOL];
      term_id made = combine(&w, pool, &state);
      if (!term_outweighs(&w.terms, made, 2000)) compare(&w, &texts, *to = made);
    }
    arena_destroy(&w.arena);
  }
}

// From some depth on atoms have no text, and from some number of them on: where that is depends on what they are in.
Test(print, kept_texts_of_deep_and_large_terms) {
  world w;
  world_open(&w, 0, WORLD_STEPS, 2);
  term_texts texts = {.arena = &w.arena};
  term_table *t = &w.terms;
  term_id deep = w.a, large = w.b;
  for (int i = 0; i < DEEP; i++) {
    deep = term_floordiv(t, term_add(t, deep, term_symbol(t)), term_symbol(t));
    compare(&w, &texts, deep);
    compare(&w, &texts, term_add(t, term_min(t, deep, w.b), TERM_ONE));
  }
  for (int i = 0; i < 15; i++) {  // its text doubles
    term_id x = term_symbol(t), y = term_symbol(t);
    large = term_min(t, term_floordiv(t, large, x), term_floordiv(t, term_add(t, large, x), y));
    compare(&w, &texts, large);
  }
  arena_destroy(&w.arena);
}
