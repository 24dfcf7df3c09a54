// SPDX-License-Identifier: Apache-2.0
// The structural order of terms.
//
// Monomials: by degree, then by the exponent of the greatest atom in which they differ (graded
// lexicographic, an admissible order, so that division by a polynomial terminates). Sums: by the
// coefficient of the greatest monomial in which they differ. Atoms: symbols first by age, then
// by kind, depth, and arguments.
//
// Comparing arguments recurses, and on a DAG that could cost exponential time; so only atoms of a
// small depth are compared that way, the others by their structural hash, and by recursion only
// when hashes collide. Atoms of equal depth are compared by the same rule, which keeps the order
// transitive.
#include <assert.h>

#include "solver/term/build.h"

enum { ORDER_DEPTH = 4 };

// --- hashes of structures

static uint64_t kind_hash(term_kind kind) { return hash_mix(0x5ab1e + (uint64_t)kind); }

// To be mixed further.
static uint64_t hash_num(num x) { return x.big ? num_hash(x) : (uint64_t)x.small; }

static uint64_t args_hash(const term_node *node, const uint64_t *of) {
  term_kind kind = (term_kind)node->kind;
  uint64_t hash = kind_hash(kind) + (kind == TERM_APPLY ? hash_mix(node->as.args[-1]) : 0);
  for (uint32_t i = 0; i < node->count; i++) {
    uint64_t arg = of[node->as.args[i]];
    hash = kind == TERM_MIN ? hash + hash_mix(arg + 1) : hash_pair(hash, arg);
  }
  return hash_mix(hash);
}

// Hashes of sums, products and MIN add up the hashes of their parts: the order of parts is that of
// indices, and the hash is not to depend on it.
static uint64_t structure_hash(const term_node *node, const uint64_t *of) {
  uint64_t hash = kind_hash((term_kind)node->kind);
  switch ((term_kind)node->kind) {
  case TERM_CONST: return hash_pair(hash, hash_num(node->as.value));
  case TERM_SYMBOL: return hash_pair(hash, node->as.symbol);
  case TERM_SUM:
    for (uint32_t i = 0; i < node->count; i++) {
      const term_part *part = &node->as.parts[i];
      hash += hash_pair(of[part->monomial], hash_num(part->coefficient));
    }
    return hash_mix(hash);
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node->count; i++)
      hash += hash_pair(of[node->as.powers[i].atom], node->as.powers[i].exponent);
    return hash_mix(hash);
  default: return args_hash(node, of);
  }
}

// A term is made of older ones: those before it go first.
uint64_t term_hash(const term_table *t, term_id id) {
  term_hashes *hashes = t->hashes;
  assert(id < t->count && hashes->count <= t->count);
  if (id >= hashes->count) {
    hashes->of = arena_grow(t->arena, hashes->of, hashes->count, (size_t)id + 1, &hashes->capacity,
                            sizeof *hashes->of);
    for (; hashes->count <= id; hashes->count++)
      hashes->of[hashes->count] = structure_hash(&t->nodes[hashes->count], hashes->of);
  }
  return hashes->of[id];
}

// --- order

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static uint64_t position_of(const term_ages *ages, term_age age) {
  return ages->position ? ages->position(ages->data, age) : age.position;
}

int term_age_order(const term_table *t, uint32_t a, uint32_t b) {
  const term_ages *ages = t->ages;
  assert(a != b && a < ages->count && b < ages->count);
  term_age x = ages->of[a], y = ages->of[b];
  if (x.phase != y.phase) return compare_u64(x.phase, y.phase);
  if (x.position != y.position) return compare_u64(position_of(ages, x), position_of(ages, y));
  return x.serial != y.serial ? compare_u64(x.serial, y.serial) : compare_u64(a, b);
}

void term_symbol_again(term_table *t, uint32_t symbol) {
  if (!t->ages) return;
  assert(symbol < t->ages->count);
  t->ages->of[symbol] = t->ages->next;
  t->ages->next.serial++;
}

void term_age_behind(term_table *t, uint32_t symbol) {
  if (!t->ages) return;
  assert(symbol < t->ages->count);
  t->ages->next = t->ages->of[symbol];
  t->ages->next.serial++;
}

static int order_args(const term_table *t, const term_node *x, const term_node *y) {
  assert(x->kind == y->kind && x->count == y->count);
  if (x->kind == TERM_APPLY && x->as.args[-1] != y->as.args[-1])
    return compare_u64(x->as.args[-1], y->as.args[-1]);
  for (uint32_t i = 0; i < x->count; i++) {
    if (x->as.args[i] != y->as.args[i]) return term_order(t, x->as.args[i], y->as.args[i]);
  }
  return 0;
}

// The arguments of MIN are in order of index; as a set they are compared by hash.
static int order_atoms(const term_table *t, term_id a, term_id b) {
  const term_node *x = term_get(t, a), *y = term_get(t, b);
  assert(term_is_atom(t, a) && term_is_atom(t, b));
  if (x->kind != y->kind) return compare_u64(x->kind, y->kind);
  if (x->kind == TERM_SYMBOL) return term_symbol_order(t, x->as.symbol, y->as.symbol);
  if (x->depth != y->depth) return compare_u64(x->depth, y->depth);
  if (x->count != y->count) return compare_u64(x->count, y->count);
  if (x->depth > ORDER_DEPTH || x->kind == TERM_MIN) {
    uint64_t left = term_hash(t, a), right = term_hash(t, b);
    if (left != right) {
      t->hashes->compared = true;
      return compare_u64(left, right);
    }
  }
  return order_args(t, x, y);
}

static int order_others(const term_table *t, term_id a, term_id b) {
  if (a == b) return 0;
  uint32_t ad = a == TERM_ONE ? 0 : term_get(t, a)->degree,
           bd = b == TERM_ONE ? 0 : term_get(t, b)->degree;
  if (ad != bd) return compare_u64(ad, bd);
  if (ad <= 1)
    return order_atoms(t, b, a);  // S0 before S1: the smaller number is the greater monomial
  const term_power *as, *bs;
  term_power ar, br;
  uint32_t an = term_powers(t, a, &as, &ar), bn = term_powers(t, b, &bs, &br), i = 0, j = 0;
  term_id top = TERM_NONE;
  int result = 0;
  while (i < an || j < bn) {
    bool left = i < an && (j == bn || as[i].atom <= bs[j].atom),
         right = j < bn && (i == an || bs[j].atom <= as[i].atom);
    term_id atom = left ? as[i].atom : bs[j].atom;
    uint32_t x = left ? as[i++].exponent : 0, y = right ? bs[j++].exponent : 0;
    if (x == y || (top != TERM_NONE && order_atoms(t, top, atom) < 0)) continue;
    top = atom;
    result = compare_u64(x, y);
  }
  return result;
}

static inline int order_monomials(const term_table *t, term_id a, term_id b) {
  const term_node *x = term_get(t, a), *y = term_get(t, b);
  if (x->kind == TERM_SYMBOL && y->kind == TERM_SYMBOL)  // as most
    return term_symbol_order(t, y->as.symbol, x->as.symbol);
  return order_others(t, a, b);
}

static bool is_monomial(const term_table *t, term_id id) {
  term_kind kind = term_kind_of(t, id);
  return kind != TERM_SUM && kind != TERM_CONST;
}

// What term_order finds for two that are one part each.
static int order_alone(const term_table *t, term_id a, term_id b) {
  bool later = order_monomials(t, a < b ? b : a, a < b ? a : b) >= 0;
  return later == (a > b) ? 1 : -1;
}

int term_order(const term_table *t, term_id a, term_id b) {
  if (a == b) return 0;
  if (is_monomial(t, a) && is_monomial(t, b)) return order_alone(t, a, b);
  const term_part *as, *bs;
  term_part ar, br;
  uint32_t an = term_parts(t, a, &as, &ar), bn = term_parts(t, b, &bs, &br), i = 0, j = 0;
  term_id top = TERM_NONE;
  int result = 0;
  while (i < an || j < bn) {
    bool left = i < an && (j == bn || as[i].monomial <= bs[j].monomial);
    bool right = j < bn && (i == an || bs[j].monomial <= as[i].monomial);
    term_id monomial = left ? as[i].monomial : bs[j].monomial;
    num x = left ? as[i++].coefficient : NUM(0), y = right ? bs[j++].coefficient : NUM(0);
    int sign = num_compare(x, y);
    if (!sign || (top != TERM_NONE && order_monomials(t, monomial, top) < 0)) continue;
    top = monomial;
    result = sign;
  }
  return result;
}

static bool find_lead(const term_table *t, term_id id, bool with_constant, term_part *lead) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  bool found = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!with_constant && parts[i].monomial == TERM_ONE) continue;
    if (found && order_monomials(t, parts[i].monomial, lead->monomial) < 0) continue;
    *lead = parts[i];
    found = true;
  }
  return found;
}

term_part term_lead(const term_table *t, term_id id) {
  term_part lead = {NUM(0), TERM_ONE};
  assert(id != TERM_ZERO);
  find_lead(t, id, true, &lead);
  return lead;
}

bool term_lead_variable(const term_table *t, term_id id, term_part *lead) {
  return find_lead(t, id, false, lead);
}
