// SPDX-License-Identifier: Apache-2.0
// Bits that all atoms have are those that a walk over the atoms finds, also while some of them are not final.
#include <criterion/criterion.h>

#include "solver/term/bits.h"
#include "tests/unit/term/sample.h"
#include "tests/unit/world.h"

enum { ROUNDS = 3000, DEEP = 300 };

typedef struct bit_world {
  world w;
  uint64_t open;  // symbols by number whose bits are not final yet
  uint8_t bits;
} bit_world;

static uint8_t bits_of(void *data, term_id atom) {
  bit_world *b = data;
  const term_node *node = term_get(&b->w.terms, atom);
  if (node->kind != TERM_SYMBOL) return (uint8_t)(0xff ^ (node->kind == TERM_BCAST ? 2 : 0));
  bool open = node->as.symbol < 64 && b->open >> node->as.symbol & 1;
  uint8_t bits = (uint8_t)(hash_mix(node->as.symbol / 3) | 1) & 0x7f;
  return open ? 0x7f : bits | TERM_BITS_FINAL;
}

static void and_bits(void *data, term_id atom) { ((bit_world *)data)->bits &= bits_of(data, atom); }

static void compare(bit_world *b, term_bits *kept, term_id id) {
  b->bits = 0xff;
  term_visit_atoms(&b->w.terms, id, and_bits, b);
  cr_assert_eq(term_bits_of(&b->w.terms, kept, id, b), b->bits);
  cr_assert_eq(term_bits_of(&b->w.terms, kept, id, b), b->bits);
}

Test(bits, are_those_of_all_atoms) {
  uint64_t state = 7;
  bit_world b;
  world_open(&b.w, 0, WORLD_STEPS, SAMPLE_SYMBOLS);
  term_bits kept = {.arena = &b.w.arena, .of = bits_of};
  b.open = 6;
  for (int round = 0; round < ROUNDS; round++) {
    sample s = {.count = 0};
    if (round == ROUNDS / 2) b.open = 4;
    if (round == ROUNDS * 3 / 4) b.open = 0;
    s.root = sample_make(&s, &state, 4, round % 2);
    compare(&b, &kept, sample_term(&s, s.root, &b.w.terms, b.w.symbols));
  }
  arena_destroy(&b.w.arena);
}

Test(bits, of_chains_of_any_depth) {
  bit_world b;
  world_open(&b.w, 0, WORLD_STEPS, 1);
  term_bits kept = {.arena = &b.w.arena, .of = bits_of};
  b.open = 0;
  term_id chain = b.w.a;
  for (int i = 0; i < DEEP; i++) {
    chain = term_floordiv(&b.w.terms, term_add(&b.w.terms, chain, b.w.a), term_symbol(&b.w.terms));
    if (i % 50 == 0) compare(&b, &kept, chain);
  }
  compare(&b, &kept, chain);
  arena_destroy(&b.w.arena);
}
