// SPDX-License-Identifier: Apache-2.0
// What the builders of terms share; private to solver/term/.
//
// A builder puts its candidate together in scratch memory and asks term_intern_*, which copies it
// into the arena only when there is no such term yet. Scratch memory is a stack of chunks that
// never move: take, use, release to a mark.
#ifndef SHAPE_TERM_BUILD_H
#define SHAPE_TERM_BUILD_H

#include <assert.h>

#include "solver/term/term.h"

struct term_scratch {
  term_scratch *next;
  size_t used, capacity;
  _Alignas(16) char data[];
};

typedef struct scratch_mark {
  term_scratch *chunk;
  size_t used;
} scratch_mark;

__attribute__((cold)) void *scratch_take_slow(term_table *t, size_t bytes);

static inline void *scratch_take(term_table *t, size_t bytes) {
  term_scratch *chunk = t->scratch;
  bytes = (bytes + 15) & ~(size_t)15;
  if (bytes > chunk->capacity - chunk->used) return scratch_take_slow(t, bytes);
  void *room = chunk->data + chunk->used;
  chunk->used += bytes;
  return room;
}
static inline scratch_mark scratch_get(const term_table *t) {
  return (scratch_mark){t->scratch, t->scratch->used};
}
static inline void scratch_release(term_table *t, scratch_mark mark) {
  assert(mark.used <= mark.chunk->capacity);
  t->scratch = mark.chunk;
  t->scratch->used = mark.used;
}
static inline term_part *scratch_parts(term_table *t, size_t count) {
  return scratch_take(t, count * sizeof(term_part));
}
static inline term_id *scratch_ids(term_table *t, size_t count) {
  return scratch_take(t, count * sizeof(term_id));
}

// A list or stack of terms in scratch memory.
typedef struct id_list {
  term_id *ids;
  uint32_t count, capacity;
} id_list;

static inline void id_list_push(term_table *t, id_list *list, term_id id) {
  assert(list->count <= list->capacity);
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
    term_id *ids = scratch_ids(t, capacity);
    for (uint32_t i = 0; i < list->count; i++) ids[i] = list->ids[i];
    list->ids = ids;
    list->capacity = capacity;
  }
  list->ids[list->count++] = id;
}

// --- a direct-mapped cache of what builders with two operands returned: programs repeat themselves
struct term_cached {
  term_id a, b, result;
  uint32_t kind;  // a term_kind, plus 1; 0: empty
};
enum { TERM_CACHE_FIRST = 5, TERM_CACHE_BITS = 9, TERM_CACHE_SMALL = 1024 };
void term_cache_open(term_table *t);  // makes it, or makes it larger once there are many terms

static inline term_cached *term_cache_slot(const term_table *t, term_kind kind, term_id a,
                                           term_id b) {
  uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u + (uint64_t)kind * 0xbf58476d1ce4e5b9u;
  return &t->cache[h >> t->cache_shift];
}
static inline bool term_cache_get(const term_table *t, term_kind kind, term_id a, term_id b,
                                  term_id *result) {
  if (!t->cache) return false;
  const term_cached *slot = term_cache_slot(t, kind, a, b);
  if (slot->a != a || slot->b != b || slot->kind != (uint32_t)kind + 1) return false;
  *result = slot->result;
  return true;
}
static inline term_id term_cache_put(term_table *t, term_kind kind, term_id a, term_id b,
                                     term_id result) {
  if (!t->cache || (t->count > TERM_CACHE_SMALL && t->cache_shift != 64 - TERM_CACHE_BITS))
    term_cache_open(t);
  *term_cache_slot(t, kind, a, b) = (term_cached){a, b, result, (uint32_t)kind + 1};
  return result;
}

// --- hash-consing: the content must be canonical already
term_id term_intern_sum(term_table *t, const term_part *parts, uint32_t count);
// The same where it is in the table, else TERM_NONE.
term_id term_known_product(const term_table *t, const term_power *powers, uint32_t count);
term_id term_intern_product(term_table *t, const term_power *powers, uint32_t count);
term_id term_intern_atom(term_table *t, term_kind kind, const term_id *args, uint32_t count);
term_id term_intern_apply(term_table *t, name_id function, const term_id *args, uint32_t count);

// --- sums
// The term of `count` parts sorted by monomial without repeats or zero coefficients.
term_id term_sum_sorted(term_table *t, const term_part *parts, uint32_t count);
term_id term_add_scaled(term_table *t, term_id a, term_id b, num k);  // a + k*b
term_id term_add_const(term_table *t, term_id a, num c);
term_id term_divide_num(term_table *t, term_id a, num k);  // k divides every coefficient
// The smallest coefficient of each monomial in a and b, where a missing one counts as 0.
term_id term_lower_part(term_table *t, term_id a, term_id b);
term_id term_upper_part(term_table *t, term_id a, term_id b);
num term_content_without_constant(term_table *t, term_id a);

// Has a - b no bounds because of a symbol that stays in it, whatever is chosen? The difference is not made.
bool term_differ_freely(term_table *t, term_id a, term_id b);

// --- weights
uint32_t term_num_weight(num x);  // of a coefficient, besides what its monomial weighs
static inline uint32_t weight_add(uint32_t a, uint64_t b) {
  return b > UINT32_MAX - a ? UINT32_MAX : a + (uint32_t)b;
}

// --- slopes
// Whether a large term is seen to have no lower bound; or, where `either` will do, no lower or no upper one. What
// term_static_range finds is then known to have none. False: it may have.
bool term_falls(term_table *t, term_id id, bool either);

// --- monomials
term_id term_monomial_mul(term_table *t, term_id a, term_id b);
term_id term_monomial_div(term_table *t, term_id a, term_id b);  // TERM_NONE: not a multiple
term_id term_monomial_gcd(term_table *t, term_id a, term_id b);

// --- structure
// The part with the largest monomial in term_order (degree first); id is not 0.
term_part term_lead(const term_table *t, term_id id);
// The lead among the parts that are not constant; false when there is none.
bool term_lead_variable(const term_table *t, term_id id, term_part *lead);

#endif
