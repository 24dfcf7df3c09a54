// SPDX-License-Identifier: Apache-2.0
#include "solver/decide/order.h"

#include <assert.h>

#include "solver/base/sort.h"
#include "solver/term/limits.h"

// One term of the query; children precede what holds them.
typedef struct entry {
  term_id id;
  uint64_t hash;      // of its structure over the colours of the symbols
  uint64_t position;  // of where it is
} entry;

typedef struct survey {
  const query *q;
  shape_arena *arena;
  const term_table *from;
  entry *entries;
  uint32_t count, capacity;
  shape_imap index;   // of entries, by term
  uint32_t *symbols;  // entries of symbols, in order of their numbers at first
  uint32_t symbol_count, symbol_capacity;
  uint64_t *colour;  // by position in `symbols`
} survey;

static bool is_less(const void *keys, uint32_t a, uint32_t b) {
  const uint64_t *key = keys;
  return key[a] < key[b];
}

// The items by key, those of equal keys as given.
static uint32_t *order_of(shape_arena *arena, const uint64_t *keys, uint32_t count) {
  uint32_t *order = arena_alloc(arena, (count + 1) * sizeof *order);
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  sort_indices(arena, order, count, is_less, keys);
  return order;
}

// --- what there is

static uint32_t child_count(const term_node *node) {
  return node->kind == TERM_CONST || node->kind == TERM_SYMBOL ? 0 : node->count;
}

// The child and what ties it to its parent: a coefficient, an exponent, a position among arguments.
static term_id child_of(const term_node *node, uint32_t i, uint64_t *tie) {
  assert(i < node->count);
  switch (node->kind) {
  case TERM_SUM: *tie = num_hash(node->as.parts[i].coefficient); return node->as.parts[i].monomial;
  case TERM_PRODUCT: *tie = node->as.powers[i].exponent; return node->as.powers[i].atom;
  case TERM_MIN:
  case TERM_MAX: *tie = 1; return node->as.args[i];
  default: *tie = i + 1; return node->as.args[i];
  }
}

static bool commutes(const term_node *node) {
  return node->kind == TERM_SUM || node->kind == TERM_PRODUCT || node->kind == TERM_MIN ||
         node->kind == TERM_MAX;
}

static uint32_t entry_of(const survey *v, term_id id) {
  uint32_t at = UINT32_MAX;
  imap_get(&v->index, id, &at);
  assert(at < v->count);
  return at;
}

static bool list_term(survey *v, term_id id, uint32_t depth) {
  uint32_t known;
  if (imap_get(&v->index, id, &known)) return true;
  if (depth > ORDER_DEPTH) return false;
  const term_node *node = term_get(v->from, id);
  for (uint32_t i = 0; i < child_count(node); i++) {
    uint64_t tie;
    if (!list_term(v, child_of(node, i, &tie), depth + 1)) return false;
  }
  v->entries = arena_grow(v->arena, v->entries, v->count, (size_t)v->count + 1, &v->capacity,
                          sizeof *v->entries);
  assert(v->count < v->capacity);
  v->entries[v->count] = (entry){.id = id};
  imap_put(&v->index, v->arena, id, v->count);
  if (node->kind == TERM_SYMBOL) {
    v->symbols = arena_grow(v->arena, v->symbols, v->symbol_count, (size_t)v->symbol_count + 1,
                            &v->symbol_capacity, sizeof *v->symbols);
    v->symbols[v->symbol_count++] = v->count;
  }
  v->count++;
  return true;
}

static bool list_all(survey *v, term_id left, term_id right) {
  const query *q = v->q;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    if (!list_term(v, q->symbols[i].symbol, 0)) return false;
  }
  for (uint32_t i = 0; i < q->premise_count; i++) {
    if (!list_term(v, q->premises[i].left, 0) || !list_term(v, q->premises[i].right, 0))
      return false;
  }
  return list_term(v, left, 0) && list_term(v, right, 0);
}

// --- colours

static uint64_t end_hash(bool known, num value) {
  return known ? hash_pair(1, num_hash(value)) : hash_mix(2);
}

static void first_colours(survey *v) {
  const query *q = v->q;
  v->colour = arena_alloc(v->arena, (v->symbol_count + 1) * sizeof *v->colour);
  assert(q->symbol_count <= v->symbol_count);
  for (uint32_t i = 0; i < v->symbol_count; i++) v->colour[i] = hash_mix(3);
  for (uint32_t i = 0; i < q->symbol_count; i++) {  // listed first, so i is their position
    interval r = q->symbols[i].range;
    uint64_t ends = hash_pair(end_hash(r.has_lo, r.lo), end_hash(r.has_hi, r.hi));
    v->colour[i] = hash_pair(ends, num_hash(q->symbols[i].multiple_of));
  }
}

static void hash_entries(survey *v) {
  for (uint32_t i = 0; i < v->symbol_count; i++)
    v->entries[v->symbols[i]].hash = hash_mix(v->colour[i]);
  for (uint32_t i = 0; i < v->count; i++) {
    const term_node *node = term_get(v->from, v->entries[i].id);
    if (node->kind == TERM_SYMBOL) continue;
    uint64_t hash = hash_mix(0x51ab + (uint64_t)node->kind);
    if (node->kind == TERM_CONST) hash = hash_pair(hash, num_hash(node->as.value));
    if (node->kind == TERM_APPLY) hash = hash_pair(hash, node->as.args[-1]);
    for (uint32_t k = 0; k < child_count(node); k++) {
      uint64_t tie;
      uint64_t child = v->entries[entry_of(v, child_of(node, k, &tie))].hash;
      hash += hash_pair(child, tie);
    }
    v->entries[i].hash = hash_mix(hash);
  }
}

static uint64_t premise_hash(const survey *v, predicate p) {
  uint64_t left = v->entries[entry_of(v, p.left)].hash;
  return hash_pair(hash_pair(left, p.rel + 1), v->entries[entry_of(v, p.right)].hash);
}

static void add_position(survey *v, term_id id, uint64_t position) {
  v->entries[entry_of(v, id)].position += hash_mix(position);
}

// Hashes of where each term is, from the premises and the query down.
static void hash_positions(survey *v, term_id left, term_id right) {
  for (uint32_t i = 0; i < v->count; i++) v->entries[i].position = 0;
  for (uint32_t i = 0; i < v->q->premise_count; i++) {
    uint64_t hash = premise_hash(v, v->q->premises[i]);
    add_position(v, v->q->premises[i].left, hash + 1);
    add_position(v, v->q->premises[i].right, hash + 2);
  }
  uint64_t asked = premise_hash(v, predicate_make(REL_EQ, left, right));
  add_position(v, left, hash_mix(asked) + 3);
  add_position(v, right, hash_mix(asked) + 4);
  for (uint32_t i = v->count; i-- > 0;) {
    const term_node *node = term_get(v->from, v->entries[i].id);
    for (uint32_t k = 0; k < child_count(node); k++) {
      uint64_t tie;
      term_id child = child_of(node, k, &tie);
      add_position(v, child, hash_pair(hash_pair(v->entries[i].position, tie), v->entries[i].hash));
    }
  }
}

// The symbols by colour, refined until no more of them are distinguished.
static uint32_t *order_symbols(survey *v, term_id left, term_id right) {
  uint32_t *order = NULL, before = 0;
  first_colours(v);
  for (uint32_t round = 0; round < ORDER_ROUNDS; round++) {
    uint32_t classes = v->symbol_count > 0;
    order = order_of(v->arena, v->colour, v->symbol_count);
    for (uint32_t i = 1; i < v->symbol_count; i++)
      classes += v->colour[order[i]] != v->colour[order[i - 1]];
    if (classes == v->symbol_count || (round > 1 && classes == before)) break;
    before = classes;
    hash_entries(v);
    hash_positions(v, left, right);
    for (uint32_t i = 0; i < v->symbol_count; i++)
      v->colour[i] = hash_pair(v->colour[i], v->entries[v->symbols[i]].position);
  }
  return order;
}

// --- building anew

typedef struct builder {
  const survey *v;  // NULL on the way back: parts stay in their order
  const term_table *from;
  term_table *to;
  shape_arena *arena;
  shape_imap memo;
  const term_id *symbols;  // by symbol number in `from`, on the way back
  uint32_t symbol_count;
} builder;

static bool build(builder *b, term_id id, term_id *out);

// The limbs of large numbers live where the table's own do.
static num own(builder *b, num x) { return x.big ? num_add(b->to->budget, x, NUM(0)) : x; }

// The children built, in the order of their hashes where it does not matter; items[i] says which one children[i] is.
static bool build_children(builder *b, const term_node *node, term_id *children, uint32_t *items) {
  uint32_t count = child_count(node);
  uint64_t tie;
  for (uint32_t i = 0; i < count; i++) items[i] = i;
  if (b->v && commutes(node)) {
    uint64_t *keys = arena_alloc(b->arena, (count + 1) * sizeof *keys);
    for (uint32_t i = 0; i < count; i++)
      keys[i] = b->v->entries[entry_of(b->v, child_of(node, i, &tie))].hash;
    sort_indices(b->arena, items, count, is_less, keys);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!build(b, child_of(node, items[i], &tie), &children[i])) return false;
  }
  return true;
}

static term_id join_parts(builder *b, const term_node *node, const term_id *c,
                          const uint32_t *items) {
  term_part *parts = arena_alloc(b->arena, node->count * sizeof *parts);
  for (uint32_t i = 0; i < node->count; i++)
    parts[i] = (term_part){own(b, node->as.parts[items[i]].coefficient), c[i]};
  return term_sum(b->to, parts, node->count);
}

static term_id join_powers(builder *b, const term_node *node, const term_id *c,
                           const uint32_t *items) {
  term_id product = TERM_ONE;
  for (uint32_t i = 0; i < node->count; i++) {
    term_id power = term_pow(b->to, c[i], node->as.powers[items[i]].exponent);
    product = term_mul(b->to, product, power);
  }
  return product;
}

static bool join_args(builder *b, const term_node *node, const term_id *c, term_id *out) {
  term_table *t = b->to;
  switch (node->kind) {
  case TERM_FLOORDIV:
    if (c[1] == TERM_ZERO) return false;  // outside every domain
    *out = term_floordiv(t, c[0], c[1]);
    return true;
  case TERM_MIN: *out = term_min_of(t, c, node->count); return true;
  case TERM_MAX: *out = term_max_of(t, c, node->count); return true;
  case TERM_BCAST: *out = term_bcast(t, c[0], c[1]); return true;
  case TERM_SELECT: *out = term_select(t, c[0], c[1], c[2]); return true;
  case TERM_IS_ZERO: *out = term_is_zero(t, c[0]); return true;
  case TERM_IS_NEG: *out = term_is_neg(t, c[0]); return true;
  case TERM_APPLY: *out = term_apply(t, node->as.args[-1], c, node->count); return true;
  case TERM_BIGMUL: *out = c[0]; return true;
  default: return false;
  }
}

static bool build(builder *b, term_id id, term_id *out) {
  if (imap_get(&b->memo, id, out)) return true;
  term_node node = *term_get(b->from, id);
  if (node.kind == TERM_CONST) {
    *out = term_const(b->to, own(b, node.as.value));
  } else if (node.kind == TERM_SYMBOL) {
    if (b->v || node.as.symbol >= b->symbol_count) return false;  // those known are in the memo
    *out = b->symbols[node.as.symbol];
  } else {
    term_id *children = arena_alloc(b->arena, (node.count + 1) * sizeof *children);
    uint32_t *items = arena_alloc(b->arena, (node.count + 1) * sizeof *items);
    if (!build_children(b, &node, children, items)) return false;
    if (node.kind == TERM_SUM) {
      *out = join_parts(b, &node, children, items);
    } else if (node.kind == TERM_PRODUCT) {
      *out = join_powers(b, &node, children, items);
    } else if (!join_args(b, &node, children, out)) {
      return false;
    }
  }
  imap_put(&b->memo, b->arena, id, *out);
  return true;
}

static void build_symbols(query_order *o, builder *b, const survey *v, const uint32_t *order) {
  const query *q = v->q;
  query_symbol *symbols = arena_alloc(b->arena, (q->symbol_count + 1) * sizeof *symbols);
  uint32_t *rank = arena_alloc(b->arena, (q->symbol_count + 1) * sizeof *rank), count = 0;
  term_id *back = arena_alloc(b->arena, (v->symbol_count + 1) * sizeof *back);
  for (uint32_t i = 0; i < v->symbol_count; i++) {
    uint32_t at = order[i];
    term_id old = v->entries[v->symbols[at]].id, made = term_symbol(b->to);
    back[i] = old;
    imap_put(&b->memo, b->arena, old, made);
    if (at >= q->symbol_count) continue;
    rank[at] = count;
    symbols[count++] = (query_symbol){made, q->symbols[at].range, q->symbols[at].multiple_of};
  }
  assert(count == q->symbol_count);
  o->q.symbols = symbols;
  o->rank = rank;
  o->symbols = back;
  o->symbol_count = v->symbol_count;
}

static bool build_premises(query_order *o, builder *b, survey *v, const uint32_t *order) {
  const query *q = v->q;
  predicate *premises = arena_alloc(b->arena, (q->premise_count + 1) * sizeof *premises);
  uint64_t *keys = arena_alloc(b->arena, (q->premise_count + 1) * sizeof *keys);
  for (uint32_t i = 0; i < v->symbol_count; i++) v->colour[order[i]] = i;
  hash_entries(v);
  for (uint32_t i = 0; i < q->premise_count; i++) keys[i] = premise_hash(v, q->premises[i]);
  const uint32_t *by_hash = order_of(b->arena, keys, q->premise_count);
  for (uint32_t i = 0; i < q->premise_count; i++) {
    predicate p = q->premises[by_hash[i]];
    premises[i].rel = p.rel;
    if (!build(b, p.left, &premises[i].left) || !build(b, p.right, &premises[i].right))
      return false;
  }
  o->q.premises = premises;
  return true;
}

bool query_order_make(query_order *o, const query *q, term_id left, term_id right) {
  if (q->in_order) return false;
  survey v = {.q = q, .arena = q->arena, .from = q->terms};
  if (!list_all(&v, left, right)) return false;
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    if (i >= v.symbol_count || v.symbols[i] != i)
      return false;  // a symbol that is listed twice, or none
  }
  uint32_t *order = order_symbols(&v, left, right);
  o->q = *q;
  o->given = q;
  o->q.terms = &o->table;
  o->q.in_order = true;
  term_table_init(&o->table, q->arena, q->budget);
  builder b = {.v = &v, .from = q->terms, .to = &o->table, .arena = q->arena};
  build_symbols(o, &b, &v, order);
  return build_premises(o, &b, &v, order) && build(&b, left, &o->left) &&
         build(&b, right, &o->right);
}

term_id query_order_back(const query_order *o, term_id t) {
  builder b = {.from = &o->table,
               .to = o->given->terms,
               .arena = o->q.arena,
               .symbols = o->symbols,
               .symbol_count = o->symbol_count};
  term_id out;
  return build(&b, t, &out) ? out : TERM_NONE;
}

const num *query_order_point(const query_order *o, const num *values) {
  num *to = arena_alloc(o->q.arena, (o->q.symbol_count + 1) * sizeof *to);
  for (uint32_t i = 0; i < o->q.symbol_count; i++) {
    assert(o->rank[i] < o->q.symbol_count);
    to[o->rank[i]] = values[i];
  }
  return to;
}

const num *query_order_values(const query_order *o, const num *values) {
  if (!values) return NULL;
  num *to = arena_alloc(o->q.arena, (o->q.symbol_count + 1) * sizeof *to);
  for (uint32_t i = 0; i < o->q.symbol_count; i++) {
    assert(o->rank[i] < o->q.symbol_count);
    to[i] = values[o->rank[i]];
  }
  return to;
}
