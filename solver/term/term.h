// SPDX-License-Identifier: Apache-2.0
// Integer expressions as hash-consed canonical polynomials.
//
// A term is a 32-bit index into a table. Two terms that are equal as polynomials over their atoms
// have the same index:
//   CONST c | atom | PRODUCT a1^e1 ... ak^ek (atoms in order of index, total degree >= 2)
//   SUM c0 + c1*m1 + ... (monomials m, atoms or products, in order of index; at least two parts or
//   a coefficient that is not 1; no coefficient is 0)
// Atoms are made canonical when they are built, by identities that hold at every integer point of
// their domain (see normal.c, divide.c and extremum.c): floordiv by a constant takes out
// whole multiples and common factors, min/max are flat, sorted, without what is known larger by a
// constant, and so on.
//
// Terms know no facts (the store does). The table only grows; indices never leave their job.
// Not thread-safe.
// Products of sums expand to at most TERM_MAX_MONOMIALS monomials; beyond that each sum p is the
// atom BIGMUL(p), of value p, where it is a factor.
// Cost: hashing is O(size of the node); sum and product are O(size of the result).
#ifndef SHAPE_TERM_TERM_H
#define SHAPE_TERM_TERM_H

#include <assert.h>

#include "solver/base/imap.h"
#include "solver/base/intern.h"
#include "solver/num/interval.h"
#include "solver/num/num.h"

typedef uint32_t term_id;
#define TERM_NONE UINT32_MAX  // no term: unknown, or not computed
enum { TERM_ZERO = 0, TERM_ONE = 1, TERM_MAX_MONOMIALS = 64 };
enum { TERM_SMALL = 16 };  // constants up to this magnitude are found without a hash

typedef enum term_kind {
#define X(name, text, atom) TERM_##name,
#include "solver/term/kinds.def"
#undef X
  TERM_KIND_COUNT
} term_kind;

// A part of a SUM: coefficient * monomial. The constant part has monomial TERM_ONE and comes first.
typedef struct term_part {
  num coefficient;
  term_id monomial;
} term_part;

// A part of a PRODUCT: atom ^ exponent.
typedef struct term_power {
  term_id atom;
  uint32_t exponent;
} term_power;

typedef struct term_node {
  uint8_t kind;
  uint8_t depth;    // of nested atoms, saturating; bounds recursion
  uint16_t degree;  // total degree, saturating
  uint32_t count;   // of parts, powers or arguments
  union {
    num value;  // CONST
    struct {
      union {
        term_part *parts;    // SUM
        term_power *powers;  // PRODUCT
        term_id *args;    // other atoms; APPLY: args, and `function` in front of them as args[-1]
        uint32_t symbol;  // SYMBOL: its number, counted from 0
      };
      uint32_t kinds;   // of the atoms in it, its own included: see term_kinds
      uint32_t weight;  // of its text, saturating: see term_weight
    };
  } as;
  uint64_t hash;  // where it is looked for: depends on the seed and on indices (see term_hash)
  uint64_t
      mask;  // one bit for each symbol and each other atom in it, its own included; bits may coincide
} term_node;

// When a symbol was made, for a caller that makes some out of order (solver/session): the later of two has the larger
// phase, then the later position, then the larger serial.
typedef struct term_age {
  uint32_t phase, position, serial;
} term_age;

typedef struct term_ages {
  term_age *of;  // by symbol number
  uint32_t count, capacity;
  term_age next;  // of the next symbol that is made; its serial counts up
  // Positions of one phase in their order, which may be given anew as long as it stays the same. NULL: by number.
  uint64_t (*position)(const void *data, term_age age);
  const void *data;
} term_ages;

typedef struct term_scratch term_scratch;  // see build.h
typedef struct term_cached term_cached;
typedef struct term_bounded term_bounded;  // see range.c
typedef struct term_slope term_slope;      // see slope.c
typedef struct term_folded term_folded;    // see fold.c
typedef struct term_cost term_cost;        // see fold.c

// Hashes of the first `count` terms by their structure: the same in each run. They depend on the numbers of symbols, never
// on indices.
typedef struct term_hashes {
  uint64_t *of;
  uint32_t count, capacity;
  bool compared;  // did term_order compare some? Numbers of symbols decided, not ages
} term_hashes;

// What was found of recent terms, so that no answer depends on it; NULL where there were too few terms.
typedef struct term_recent {
  term_bounded *bounded;  // static ranges
  term_slope *slopes;
  term_folded *folded;  // sums as they print
  uint32_t folded_count;
  term_cost *costs;  // of the text of atoms
} term_recent;

typedef struct term_table {
  shape_arena *arena;
  shape_budget *budget;
  term_node *nodes;
  uint32_t count, capacity;
  uint32_t room;  // of terms that need no array to grow
  uint32_t symbol_count;
  uint32_t
      *buckets;  // by hash: the newest term there, or TERM_NONE; a power of two, at least `count`
  uint32_t bucket_count;
  uint32_t *chain;  // the next older term of the same bucket
  uint32_t chain_capacity;
  term_id small[2 * TERM_SMALL + 1];      // of -TERM_SMALL to TERM_SMALL; 0: not made yet
  term_scratch *scratch, *scratch_first;  // working memory of the builders
  term_cached *cache;                     // of recent results of builders
  uint32_t cache_shift;                   // 64 - log2 of its slots
  term_recent recent;
  uint32_t *visited;  // stamps of term_visit_atoms and term_substitute
  uint32_t visited_capacity, stamp;
  term_ages *ages;      // of symbols; NULL: they are as old as their numbers say
  term_hashes *hashes;  // of structures, which few comparisons need
} term_table;

void term_table_init(term_table *table, shape_arena *arena, shape_budget *budget);
// To be called when arena_protect returned a failure and the table is to be used further.
void term_table_recover(term_table *table);
// What is wrong with the table: terms that are not canonical, or that hash-consing would not find. NULL: nothing. O(size);
// debug builds ask each time when the table doubles.
const char *term_table_check(const term_table *table);

static inline const term_node *term_get(const term_table *t, term_id id) {
  assert(id < t->count);
  return &t->nodes[id];
}
static inline term_kind term_kind_of(const term_table *t, term_id id) {
  assert(id < t->count);
  return (term_kind)t->nodes[id].kind;
}
// The kinds of the atoms in a term, those inside atoms included: bits of KIND_BIT. O(1).
#define KIND_BIT(kind) (1u << (kind))
static inline uint32_t term_kinds(const term_table *t, term_id id) {
  const term_node *node = &t->nodes[id];
  return node->kind == TERM_CONST ? 0 : node->as.kinds;
}
static inline uint64_t term_mask(const term_table *t, term_id id) { return t->nodes[id].mask; }
// The bit of one atom in masks.
static inline uint64_t term_atom_bit(const term_table *t, term_id id) {
  return t->nodes[id].kind == TERM_SYMBOL ? t->nodes[id].mask : 1ull << (hash_mix(id + 77) >> 58);
}
bool term_is_atom(const term_table *t, term_id id);
uint64_t term_hash(const term_table *t,
                   term_id id);  // of its structure; all older terms get theirs
// True when it is a constant; true when it is one that fits.
bool term_const_value(const term_table *t, term_id id, num *value);
bool term_int_value(const term_table *t, term_id id, int64_t *value);

// --- making terms: each returns the canonical term
term_id term_symbol(term_table *t);            // a new symbol
term_id term_const(term_table *t, num value);  // limbs are copied: `value` may be of any arena
term_id term_int(term_table *t, int64_t value);
term_id term_add(term_table *t, term_id a, term_id b);
term_id term_sub(term_table *t, term_id a, term_id b);
term_id term_neg(term_table *t, term_id a);
term_id term_mul(term_table *t, term_id a, term_id b);
// The product of two monomials where it was made before; TERM_NONE: it was not.
term_id term_find_product(term_table *t, term_id a, term_id b);
term_id term_scale(term_table *t, term_id a, num k);
term_id term_pow(term_table *t, term_id a, uint32_t exponent);
term_id term_linear(term_table *t, term_id a, num x, term_id b, num y, num c);  // x*a + y*b + c
// a - b - 1: it is >= 0 where a > b.
static inline term_id term_above(term_table *t, term_id a, term_id b) {
  return term_linear(t, a, NUM(1), b, NUM(-1), NUM(-1));
}
// Parts in any order, repeats allowed.
term_id term_sum(term_table *t, const term_part *parts, uint32_t count);
// The same where each monomial is ONE, an atom or a product, as those of term_parts are; `parts` is overwritten.
term_id term_sum_loose(term_table *t, term_part *parts, uint32_t count);
// Each coefficient divided by k, which is not 0, rounded down.
term_id term_floor_parts(term_table *t, term_id a, num k);
term_id term_sum_of(term_table *t, const term_id *terms, uint32_t count);
term_id term_product_of(term_table *t, const term_id *terms, uint32_t count);
term_id term_floordiv(term_table *t, term_id a, term_id b);
term_id term_ceildiv(term_table *t, term_id a, term_id b);
term_id term_mod(term_table *t, term_id a, term_id b);
term_id term_min(term_table *t, term_id a, term_id b);
term_id term_max(term_table *t, term_id a, term_id b);
term_id term_min_of(term_table *t, const term_id *args, uint32_t count);
term_id term_max_of(term_table *t, const term_id *args, uint32_t count);
term_id term_bcast(term_table *t, term_id a, term_id b);
term_id term_select(term_table *t, term_id c, term_id a, term_id b);
// 0/1-valued predicates, built from IS_ZERO and IS_NEG of the difference.
term_id term_is_zero(term_table *t, term_id a);  // 1 where a == 0, else 0
term_id term_is_neg(term_table *t, term_id a);   // 1 where a < 0, else 0
term_id term_eq(term_table *t, term_id a, term_id b);
term_id term_lt(term_table *t, term_id a, term_id b);
term_id term_le(term_table *t, term_id a, term_id b);
term_id term_not(term_table *t, term_id c);  // 1 - c
term_id term_apply(term_table *t, name_id function, const term_id *args, uint32_t count);
// The atom of the same kind (and function) with other arguments; makes it canonical again.
term_id term_rebuild(term_table *t, term_id atom, const term_id *args);

// --- reading terms
// The parts of any term as a sum: none for 0, one for another constant or a monomial. Those of a
// sum stay where they are; `room` holds a single one.
static inline uint32_t term_parts(const term_table *t, term_id id, const term_part **parts,
                                  term_part *room) {
  const term_node *node = &t->nodes[id];
  if (node->kind == TERM_SUM) {
    *parts = node->as.parts;
    return node->count;
  }
  *parts = room;
  *room =
      node->kind == TERM_CONST ? (term_part){node->as.value, TERM_ONE} : (term_part){NUM(1), id};
  return id != TERM_ZERO;
}
// The powers of a monomial (atom or product); none for 1.
static inline uint32_t term_powers(const term_table *t, term_id id, const term_power **powers,
                                   term_power *room) {
  const term_node *node = &t->nodes[id];
  if (node->kind == TERM_PRODUCT) {
    *powers = node->as.powers;
    return node->count;
  }
  *powers = room;
  *room = (term_power){id, 1};
  return id != TERM_ONE;
}
// What term_parts gives for x*a + y*b + c, without making that term, or the first `most` parts of it; x and y are not 0.
// `room` is for one part more than a and b have, and for a constant part.
const term_part *term_linear_parts(term_table *t, term_id a, num x, term_id b, num y, num c,
                                   uint32_t most, term_part *room, uint32_t *count);
num term_constant_part(const term_table *t, term_id id);
static inline bool term_is_indicator(term_kind kind) {
  return kind == TERM_IS_ZERO || kind == TERM_IS_NEG;
}
// How many names, numbers and functions the text of the term has, powers written out and long numbers counted by their
// length; a larger number than fits is the largest that does. A term is a DAG and its text a tree, which may be larger by
// any factor. O(1).
uint32_t term_weight(const term_table *t, term_id id);
static inline bool term_outweighs(const term_table *t, term_id id, uint32_t limit) {
  return term_weight(t, id) > limit;
}
// The gcd of the coefficients, constant part included; 0 for 0.
num term_content(term_table *t, term_id id);
// Exact polynomial quotient: true, and *q with a == q*b, when there is one with integer
// coefficients. b != 0.
bool term_divide_exact(term_table *t, term_id a, term_id b, term_id *q);
// Greatest common monomial-and-content factor of a (never 0): a == factor * rest.
term_id term_common_factor(term_table *t, term_id a);
// What holds at every point whatever the symbols are: exact for constants, [0, 1] for indicators,
// [0, m) for x - m*floordiv(x, m), and so on; most terms hold a bare symbol and have no bounds.
interval term_static_range(term_table *t, term_id id);
// If the part `at` of `id` (see term_parts) is k*MIN(..), the whole term is the smallest (k > 0) or
// largest (k < 0) of the terms that this writes to `out`, one for each argument of the MIN. Bounds
// of max(a, b), which is kept as a + b - min(a, b), are exact only when taken this way.
uint32_t term_expand_min(term_table *t, term_id id, uint32_t at, term_id *out, bool *is_max);
// Calls visit on every distinct atom in `id`, arguments before what holds them.
void term_visit_atoms(term_table *t, term_id id, void (*visit)(void *data, term_id atom),
                      void *data);
// On every distinct symbol of a and b, in the order in which those of a, then those of b are visited.
void term_visit_symbols(term_table *t, term_id a, term_id b,
                        void (*visit)(void *data, term_id symbol), void *data);
// The atoms that are symbols, in an array of the arena that is the caller's.
uint32_t term_symbols(term_table *t, term_id id, shape_arena *arena, term_id **symbols);
// Whether is(data, atom) holds of one of them; false for TERM_NONE.
bool term_any_atom(term_table *t, term_id id, bool (*is)(void *data, term_id atom), void *data);
// Whether an atom is one of them. Each atom whose mask leaves that open is visited once.
bool term_mentions(term_table *t, term_id id, term_id atom);
// The term with each atom replaced by map(data, atom) (return the atom itself to keep it),
// arguments first; every step makes the result canonical. An atom whose arguments changed is built
// anew, and map is called with the result when that is an atom. What map returns is not mapped
// again. Memo: imap from term to term, may be NULL; the caller clears it when map changes.
term_id term_substitute(term_table *t, term_id id, term_id (*map)(void *data, term_id atom),
                        void *data, shape_imap *memo);
// A total order that depends on structure and on the ages of symbols only, which are their numbers where nothing else is
// said (never on the order in which terms were made); but deep atoms and sets are compared by hashes of numbers.
int term_order(const term_table *t, term_id a, term_id b);
int term_age_order(const term_table *t, uint32_t a, uint32_t b);  // of two symbols that have ages
// Which of two symbols is the older: negative where it is the first.
static inline int term_symbol_order(const term_table *t, uint32_t a, uint32_t b) {
  return t->ages && a != b ? term_age_order(t, a, b) : (a > b) - (a < b);
}
// Makes a symbol that is given again (see store_log) as old as a new one would be.
void term_symbol_again(term_table *t, uint32_t symbol);
// The next symbols are made directly after this one.
void term_age_behind(term_table *t, uint32_t symbol);

#endif
