// SPDX-License-Identifier: Apache-2.0
#include "solver/term/bits.h"

#include <assert.h>
#include <string.h>

enum { DEEPEST = 200, ALL_BITS = 0xff };  // deeper terms are walked without recursion

typedef struct walk {
  term_bits *b;
  void *data;
  uint8_t bits;
} walk;

static void take_atom(void *data, term_id atom) {
  walk *w = data;
  w->bits &= w->b->of(w->data, atom);
}

// 0: not known.
static uint8_t kept_of(const term_bits *b, term_id id) { return id < b->count ? b->kept[id] : 0; }

// As most parts have theirs, there is no call for those.
static inline uint8_t bits_of_part(term_table *t, term_bits *b, term_id id, void *data) {
  uint8_t kept = kept_of(b, id);
  return kept ? kept : term_bits_of(t, b, id, data);
}

static uint8_t bits_of_node(term_table *t, term_bits *b, term_id id, void *data) {
  const term_node node = *term_get(t, id);  // new terms may move it, not what it points to
  uint8_t bits = ALL_BITS;
  if (node.kind == TERM_SUM) {
    for (uint32_t i = 0; i < node.count; i++)
      bits &= bits_of_part(t, b, node.as.parts[i].monomial, data);
    return bits;
  }
  if (node.kind == TERM_PRODUCT) {
    for (uint32_t i = 0; i < node.count; i++)
      bits &= bits_of_part(t, b, node.as.powers[i].atom, data);
    return bits;
  }
  for (uint32_t i = 0; node.kind != TERM_SYMBOL && i < node.count; i++)
    bits &= bits_of_part(t, b, node.as.args[i], data);
  return bits & b->of(data, id);
}

static void keep(const term_table *t, term_bits *b, term_id id, uint8_t bits) {
  if (id >= b->count) {
    uint32_t before = b->count;
    b->kept = arena_grow(b->arena, b->kept, before, t->count, &b->count, sizeof *b->kept);
    memset(b->kept + before, 0, b->count - before);
  }
  b->kept[id] = bits;
}

uint8_t term_bits_of(term_table *t, term_bits *b, term_id id, void *data) {
  const term_node *node = term_get(t, id);
  if (node->kind == TERM_CONST) return ALL_BITS;
  if (kept_of(b, id)) return kept_of(b, id);
  walk w = {b, data, ALL_BITS};
  if (node->depth < DEEPEST) {
    w.bits = bits_of_node(t, b, id, data);
  } else {
    term_visit_atoms(t, id, take_atom, &w);
  }
  if (w.bits & TERM_BITS_FINAL) keep(t, b, id, w.bits);
  return w.bits;
}
