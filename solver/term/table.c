// SPDX-License-Identifier: Apache-2.0
// The table: hash-consing, scratch memory, and what terms are made of.
#include "solver/term/term.h"

#include <assert.h>
#include <string.h>

#include "solver/term/build.h"

enum {
  FIRST_TERMS = 64,
  FIRST_CHUNK = 4 * 1024,
  SCRATCH_CHUNK = 16 * 1024,
  MAX_DEPTH = 255,
  MAX_TERMS = INT32_MAX
};

static const bool IS_ATOM[TERM_KIND_COUNT] = {
#define X(name, text, atom) [TERM_##name] = atom,
#include "solver/term/kinds.def"
#undef X
};

// --- scratch memory

static term_scratch *new_chunk(term_table *t, size_t bytes) {
  term_scratch *chunk = arena_alloc(t->arena, sizeof *chunk + bytes);
  *chunk = (term_scratch){.capacity = bytes};
  return chunk;
}

void *scratch_take_slow(term_table *t, size_t bytes) {
  term_scratch *next = t->scratch->next;
  if (!next || next->capacity < bytes) {
    next = new_chunk(t, bytes > SCRATCH_CHUNK ? 2 * bytes : SCRATCH_CHUNK);
    next->next = t->scratch->next;
    t->scratch->next = next;
  }
  next->used = bytes;
  t->scratch = next;
  return next->data;
}

// Small at first: most queries have few terms, and clearing a large one would cost more than it saves.
void term_cache_open(term_table *t) {
  uint32_t bits = t->count > TERM_CACHE_SMALL ? TERM_CACHE_BITS : TERM_CACHE_FIRST;
  t->cache = arena_zalloc(t->arena, sizeof *t->cache << bits);
  t->cache_shift = 64 - bits;
}

void term_table_recover(term_table *t) {
  t->scratch = t->scratch_first;
  t->scratch->used = 0;
}

// --- hash-consing

// Where a term is looked for depends on the seed, so that no input can choose the numbers of one bucket: each part goes
// through a state that does.
static inline uint64_t first_hash(const term_table *t, term_kind kind) {
  return t->arena->seed + (uint64_t)kind;
}
static inline uint64_t add_hash(uint64_t hash, uint64_t value, uint32_t id) {
  return hash_fold(hash ^ value, UINT64_C(0x9e3779b97f4a7c15) ^ id);
}
static inline uint64_t num_word(num x) { return x.big ? num_hash(x) : (uint64_t)x.small; }

static uint64_t hash_const(const term_table *t, num x) {
  return add_hash(first_hash(t, TERM_CONST), num_word(x), 0);
}

static inline uint32_t bucket_of(const term_table *t, uint64_t hash) {
  return (uint32_t)hash & (t->bucket_count - 1);
}

// The first term of the bucket of this hash, or TERM_NONE; the others follow in `chain`.
static term_id first_with(const term_table *t, uint64_t hash) {
  return t->buckets[bucket_of(t, hash)];
}

static void make_buckets(term_table *t, uint32_t count) {
  assert(count && !(count & (count - 1)));
  t->buckets = arena_alloc(t->arena, count * sizeof *t->buckets);
  t->bucket_count = count;
  memset(t->buckets, 0xff, count * sizeof *t->buckets);
}

// Twice the buckets; the newest term of each stays in front.
static void rehash(term_table *t) {
  make_buckets(t, 2 * t->bucket_count);
  for (term_id id = 0; id < t->count; id++) {
    uint32_t *bucket = &t->buckets[bucket_of(t, t->nodes[id].hash)];
    t->chain[id] = *bucket;
    *bucket = id;
  }
#ifdef SHAPE_DEBUG
  assert(!term_table_check(t));
#endif
}

static __attribute__((noinline)) void make_room(term_table *t) {
  if (t->count == MAX_TERMS) arena_fail(t->arena, SHAPE_SIZE);
  size_t need = (size_t)t->count + 1;
  // The arrays grow before anything is stored, so that a failure leaves the table as it was.
  t->nodes = arena_grow(t->arena, t->nodes, t->count, need, &t->capacity, sizeof *t->nodes);
  t->chain = arena_grow(t->arena, t->chain, t->count, need, &t->chain_capacity, sizeof *t->chain);
  if (t->count == t->bucket_count) rehash(t);
  t->room = t->capacity < t->chain_capacity ? t->capacity : t->chain_capacity;
  if (t->bucket_count < t->room) t->room = t->bucket_count;
  if (MAX_TERMS < t->room) t->room = MAX_TERMS;
}

// What the next term is to be written into, before add_node.
static inline term_node *next_node(term_table *t) {
  if (t->count == t->room) make_room(t);
  assert(t->count < t->bucket_count && t->count < t->chain_capacity && t->count < t->capacity);
  return &t->nodes[t->count];
}

static inline term_id add_node(term_table *t, const term_node *node) {
  assert(node == &t->nodes[t->count]);
  uint32_t *bucket = &t->buckets[bucket_of(t, node->hash)];
  t->chain[t->count] = *bucket;
  *bucket = t->count;
  budget_spend(t->budget, 1 + node->count);  // a search checks what is left
  return t->count++;
}

static uint8_t deeper(uint8_t depth) { return depth < MAX_DEPTH ? depth + 1 : MAX_DEPTH; }

static uint16_t clamp_degree(uint64_t degree) {
  return degree < UINT16_MAX ? (uint16_t)degree : UINT16_MAX;
}

static void *keep(term_table *t, const void *data, size_t bytes) {
  void *copy = arena_alloc(t->arena, bytes);
  memcpy(copy, data, bytes);
  return copy;
}

static bool same_parts(const term_node *node, uint64_t hash, const term_part *parts,
                       uint32_t count) {
  if (node->hash != hash || node->kind != TERM_SUM || node->count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (node->as.parts[i].monomial != parts[i].monomial) return false;
    if (!num_equal(node->as.parts[i].coefficient, parts[i].coefficient)) return false;
  }
  return true;
}

static NUM_RARE uint64_t hash_large(const term_table *t, const term_part *parts, uint32_t count) {
  uint64_t hash = first_hash(t, TERM_SUM);
  for (uint32_t i = 0; i < count; i++)
    hash = add_hash(hash, num_word(parts[i].coefficient), parts[i].monomial);
  return hash;
}

// Large coefficients weigh more than their monomials, and have limbs of their own.
static NUM_RARE void keep_large(term_table *t, term_node *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    num *k = &node->as.parts[i].coefficient;
    node->as.weight = weight_add(node->as.weight, term_num_weight(*k));
    if (k->big) *k = num_kept(t->arena, *k);
  }
}

term_id term_intern_sum(term_table *t, const term_part *parts, uint32_t count) {
  assert(count > 1 || (parts[0].monomial != TERM_ONE && !num_is_one(parts[0].coefficient)));
  uint64_t hash = first_hash(t, TERM_SUM);
  uintptr_t limbs = 0;
  int64_t least = 0;
  for (uint32_t i = 0; i < count; i++) {
    assert(!i || parts[i - 1].monomial < parts[i].monomial);
    assert(!num_is_zero(parts[i].coefficient));
    limbs |= (uintptr_t)parts[i].coefficient.big;
    least = parts[i].coefficient.small < least ? parts[i].coefficient.small : least;
    hash = add_hash(hash, (uint64_t)parts[i].coefficient.small, parts[i].monomial);
  }
  bool large = limbs || least == INT64_MIN;
  if (large) hash = hash_large(t, parts, count);
  for (term_id id = first_with(t, hash); id != TERM_NONE; id = t->chain[id]) {
    if (same_parts(&t->nodes[id], hash, parts, count)) return id;
  }
  term_node *node = next_node(t);
  term_part *own = arena_alloc(t->arena, count * sizeof *parts);
  uint64_t mask = 0,
           weight = parts[0].monomial == TERM_ONE;  // which has no kinds, and weighs nothing
  uint32_t kinds = 0, degree = 0, depth = 0;
  for (uint32_t i = 0; i < count; i++) {  // few: no call of memcpy
    const term_node *monomial = &t->nodes[parts[i].monomial];
    assert(parts[i].monomial == TERM_ONE
               ? !monomial->as.kinds && !monomial->as.weight
               : IS_ATOM[monomial->kind] || monomial->kind == TERM_PRODUCT);
    own[i] = parts[i];
    depth = monomial->depth > depth ? monomial->depth : depth;
    degree = monomial->degree > degree ? monomial->degree : degree;
    mask |= monomial->mask;
    kinds |= monomial->as.kinds;
    weight += monomial->as.weight;  // of 32 bits, as is their number
  }
  *node = (term_node){.kind = TERM_SUM,
                      .depth = (uint8_t)depth,
                      .degree = (uint16_t)degree,
                      .count = count,
                      .hash = hash,
                      .mask = mask};
  node->as.parts = own;
  node->as.kinds = kinds;
  node->as.weight = weight_add(0, weight);
  if (large) keep_large(t, node);
  return add_node(t, node);
}

static bool same_powers(const term_node *node, uint64_t hash, const term_power *powers,
                        uint32_t count) {
  if (node->hash != hash || node->kind != TERM_PRODUCT || node->count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (node->as.powers[i].atom != powers[i].atom ||
        node->as.powers[i].exponent != powers[i].exponent)
      return false;
  }
  return true;
}

static uint64_t hash_powers(const term_table *t, const term_power *powers, uint32_t count) {
  uint64_t hash = first_hash(t, TERM_PRODUCT);
  for (uint32_t i = 0; i < count; i++) hash = add_hash(hash, powers[i].exponent, powers[i].atom);
  return hash;
}

term_id term_known_product(const term_table *t, const term_power *powers, uint32_t count) {
  uint64_t hash = hash_powers(t, powers, count);
  term_id id = first_with(t, hash);
  while (id != TERM_NONE && !same_powers(&t->nodes[id], hash, powers, count)) id = t->chain[id];
  return id;
}

term_id term_intern_product(term_table *t, const term_power *powers, uint32_t count) {
  assert(count > 1 || powers[0].exponent > 1);
  uint64_t hash = hash_powers(t, powers, count);
  for (term_id id = first_with(t, hash); id != TERM_NONE; id = t->chain[id]) {
    if (same_powers(&t->nodes[id], hash, powers, count)) return id;
  }
  term_node *node = next_node(t);
  *node = (term_node){.kind = TERM_PRODUCT, .count = count, .hash = hash};
  node->as.powers = keep(t, powers, count * sizeof *powers);
  uint64_t degree = 0;
  uint32_t kinds = 0, weight = 0;
  for (uint32_t i = 0; i < count; i++) {
    assert(powers[i].exponent == 1 || !term_is_indicator((term_kind)t->nodes[powers[i].atom].kind));
    assert(IS_ATOM[t->nodes[powers[i].atom].kind]);
    assert(powers[i].exponent && (!i || powers[i - 1].atom < powers[i].atom));
    uint8_t depth = t->nodes[powers[i].atom].depth;
    if (depth > node->depth) node->depth = depth;
    node->mask |= t->nodes[powers[i].atom].mask;
    kinds |= t->nodes[powers[i].atom].as.kinds;
    weight = weight_add(weight, (uint64_t)powers[i].exponent * t->nodes[powers[i].atom].as.weight);
    degree += powers[i].exponent;
  }
  node->degree = clamp_degree(degree);
  node->as.kinds = kinds;
  node->as.weight = weight;
  return add_node(t, node);
}

static uint64_t args_hash(const term_table *t, term_kind kind, uint32_t function,
                          const term_id *args, uint32_t count) {
  uint64_t hash = add_hash(first_hash(t, kind), function, count);
  for (uint32_t i = 0; i < count; i++) hash = add_hash(hash, args[i], 0);
  return hash;
}

// Depth, mask, kinds and weight of an atom that is to be added, from its arguments.
static void summarise_args(const term_table *t, term_node *node, const term_id *args,
                           uint32_t count) {
  uint8_t depth = 0;
  node->as.kinds = KIND_BIT(node->kind);
  node->as.weight = 1;
  node->mask = 1ull << (hash_mix(t->count + 77) >> 58);  // term_atom_bit of what it will be
  for (uint32_t i = 0; i < count; i++) {
    const term_node *arg = &t->nodes[args[i]];
    assert(args[i] < t->count);
    if (arg->depth > depth) depth = arg->depth;
    node->mask |= arg->mask;
    node->as.kinds |= term_kinds(t, args[i]);
    node->as.weight = weight_add(node->as.weight, term_weight(t, args[i]));
  }
  node->depth = deeper(depth);
}

static bool same_args(const term_node *node, term_kind kind, const term_id *args, uint32_t count) {
  return node->kind == kind && node->count == count &&
         memcmp(node->as.args, args, count * sizeof *args) == 0;
}

term_id term_intern_atom(term_table *t, term_kind kind, const term_id *args, uint32_t count) {
  assert(IS_ATOM[kind] && kind != TERM_SYMBOL && kind != TERM_APPLY);
  uint64_t hash = args_hash(t, kind, 0, args, count);
  for (term_id id = first_with(t, hash); id != TERM_NONE; id = t->chain[id]) {
    if (t->nodes[id].hash == hash && same_args(&t->nodes[id], kind, args, count)) return id;
  }
  term_node *node = next_node(t);
  *node = (term_node){.kind = (uint8_t)kind, .degree = 1, .count = count, .hash = hash};
  node->as.args = keep(t, args, count * sizeof *args);
  summarise_args(t, node, args, count);
  return add_node(t, node);
}

term_id term_intern_apply(term_table *t, name_id function, const term_id *args, uint32_t count) {
  uint64_t hash = args_hash(t, TERM_APPLY, function, args, count);
  for (term_id id = first_with(t, hash); id != TERM_NONE; id = t->chain[id]) {
    const term_node *node = &t->nodes[id];
    if (node->hash == hash && node->kind == TERM_APPLY && node->as.args[-1] == function &&
        same_args(node, TERM_APPLY, args, count))
      return id;
  }
  term_node *node = next_node(t);
  *node = (term_node){.kind = TERM_APPLY, .degree = 1, .count = count, .hash = hash};
  summarise_args(t, node, args, count);
  term_id *copy = arena_alloc(t->arena, ((size_t)count + 1) * sizeof *copy);
  copy[0] = function;
  if (count) memcpy(copy + 1, args, count * sizeof *copy);
  node->as.args = copy + 1;
  return add_node(t, node);
}

// --- leaves

void term_table_init(term_table *t, shape_arena *arena, shape_budget *budget) {
  memset(t, 0, sizeof *t);
  t->arena = arena;
  t->budget = budget;
  t->scratch = t->scratch_first = new_chunk(t, FIRST_CHUNK);
  // Room for the terms of a small query, so that its arrays need not grow step by step.
  t->capacity = t->chain_capacity = FIRST_TERMS;
  t->nodes = arena_alloc(arena, FIRST_TERMS * sizeof *t->nodes);
  t->chain = arena_alloc(arena, FIRST_TERMS * sizeof *t->chain);
  t->hashes = arena_alloc(arena, sizeof *t->hashes);
  *t->hashes = (term_hashes){0};
  make_buckets(t, 2 * FIRST_TERMS);
  t->room = FIRST_TERMS;
  for (int64_t value = TERM_ZERO; value <= TERM_ONE; value++) {
    term_node *node = next_node(t);
    *node = (term_node){.kind = TERM_CONST, .hash = hash_const(t, NUM(value))};
    node->as.value = NUM(value);
    add_node(t, node);
  }
}

term_id term_symbol(term_table *t) {
  term_node *node = next_node(t);
  *node = (term_node){.kind = TERM_SYMBOL,
                      .degree = 1,
                      .depth = 1,
                      .hash = add_hash(first_hash(t, TERM_SYMBOL), t->symbol_count, 0),
                      .mask = 1ull << (t->symbol_count & 63)};
  node->as.symbol = t->symbol_count;
  node->as.kinds = KIND_BIT(TERM_SYMBOL);
  node->as.weight = 1;
  term_id id = add_node(t, node);
  term_ages *ages = t->ages;
  if (ages) {
    ages->of = arena_grow(t->arena, ages->of, ages->count, (size_t)t->symbol_count + 1,
                          &ages->capacity, sizeof *ages->of);
    ages->count = t->symbol_count + 1;
    term_symbol_again(t, t->symbol_count);
  }
  t->symbol_count++;
  return id;
}

static term_id find_const(term_table *t, num value) {
  uint64_t hash = hash_const(t, value);
  for (term_id id = first_with(t, hash); id != TERM_NONE; id = t->chain[id]) {
    if (t->nodes[id].kind == TERM_CONST && num_equal(t->nodes[id].as.value, value)) return id;
  }
  term_node *node = next_node(t);
  *node = (term_node){.kind = TERM_CONST, .hash = hash};
  node->as.value = num_kept(t->arena, value);
  return add_node(t, node);
}

term_id term_const(term_table *t, num value) {
  uint64_t at = (uint64_t)value.small + TERM_SMALL;
  if (value.big || at > 2 * TERM_SMALL) return find_const(t, value);
  if ((uint64_t)value.small <= TERM_ONE) return (term_id)value.small;
  if (!t->small[at]) t->small[at] = find_const(t, value);
  return t->small[at];
}

term_id term_int(term_table *t, int64_t value) { return term_const(t, NUM(value)); }

// --- reading

bool term_is_atom(const term_table *t, term_id id) { return IS_ATOM[t->nodes[id].kind]; }

bool term_const_value(const term_table *t, term_id id, num *value) {
  if (t->nodes[id].kind != TERM_CONST) return false;
  *value = t->nodes[id].as.value;
  return true;
}

bool term_int_value(const term_table *t, term_id id, int64_t *value) {
  return t->nodes[id].kind == TERM_CONST && num_to_int(t->nodes[id].as.value, value);
}

num term_constant_part(const term_table *t, term_id id) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  return count && parts[0].monomial == TERM_ONE ? parts[0].coefficient : NUM(0);
}

// --- debug builds

static const char *check_parts(const term_node *node, const term_table *t, term_id self) {
  if (node->count == 0) return "a sum has no parts";
  for (uint32_t i = 0; i < node->count; i++) {
    const term_part *part = &node->as.parts[i];
    if (part->monomial >= self) return "a part of a sum is no older term";
    if (num_is_zero(part->coefficient)) return "a part of a sum is 0";
    if (i && part[-1].monomial >= part->monomial) return "the parts of a sum are not in order";
    term_kind kind = (term_kind)t->nodes[part->monomial].kind;
    if (kind == TERM_SUM || (kind == TERM_CONST && part->monomial != TERM_ONE))
      return "a part of a sum is no monomial";
  }
  return NULL;
}

static const char *check_powers(const term_node *node, const term_table *t, term_id self) {
  if (node->count == 0) return "a product has no powers";
  for (uint32_t i = 0; i < node->count; i++) {
    const term_power *power = &node->as.powers[i];
    if (power->atom >= self) return "a power of a product is no older term";
    if (!power->exponent) return "a power of a product is 1";
    if (i && power[-1].atom >= power->atom) return "the powers of a product are not in order";
    if (!IS_ATOM[t->nodes[power->atom].kind]) return "a power of a product is of no atom";
  }
  return NULL;
}

static const char *check_node(const term_table *t, term_id id) {
  const term_node *node = &t->nodes[id];
  switch ((term_kind)node->kind) {
  case TERM_CONST: return NULL;
  case TERM_SYMBOL: return node->as.symbol < t->symbol_count ? NULL : "a symbol was never made";
  case TERM_SUM: return check_parts(node, t, id);
  case TERM_PRODUCT: return check_powers(node, t, id);
  default: break;
  }
  if (node->kind >= TERM_KIND_COUNT) return "a term has no kind";
  for (uint32_t i = 0; i < node->count; i++) {
    if (node->as.args[i] >= id) return "an argument is no older term";
  }
  return NULL;
}

const char *term_table_check(const term_table *t) {
  uint32_t found = 0;
  if (t->count > t->capacity || t->count > t->chain_capacity)
    return "terms lie outside of the table";
  if (t->bucket_count & (t->bucket_count - 1)) return "the count of buckets is no power of two";
  if (t->count > t->bucket_count) return "there are fewer buckets than terms";
  for (uint32_t bucket = 0; bucket < t->bucket_count; bucket++) {
    for (term_id id = t->buckets[bucket], newer = t->count; id != TERM_NONE; id = t->chain[id]) {
      if (id >= newer) return "the terms of a bucket are not in order";
      if (bucket_of(t, t->nodes[id].hash) != bucket)
        return "a term is in the bucket of another hash";
      newer = id;
      found++;
    }
  }
  if (found != t->count) return "a term is in no bucket";
  for (term_id id = 0; id < t->count; id++) {
    const char *violation = check_node(t, id);
    if (violation) return violation;
  }
  return NULL;
}
