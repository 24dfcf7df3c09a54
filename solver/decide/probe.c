// SPDX-License-Identifier: Apache-2.0
#include "solver/decide/probe.h"

#include <assert.h>
#include <string.h>

#include "solver/term/limits.h"

typedef struct link {
  uint32_t node;
  int64_t k;  // coefficient or exponent
} link;

typedef struct node {
  uint8_t kind;
  bool known;             // its value, in the epoch; CONST: always
  uint32_t epoch;         // of the value
  uint32_t first, count;  // of links
  uint32_t height;        // of what is in it
  int64_t value;          // CONST: always
  uint32_t variable;
  uint64_t mask;  // of variables, by number modulo 64
} node;

typedef struct probe_dim {
  int64_t value, lo, hi, step;  // multiples of step in [lo, hi]
} probe_dim;

typedef struct claim {
  relation rel;
  uint32_t left, right;
  uint64_t mask;
  bool surveyed;  // the rest is known
  uint32_t variable_count, constant_count;
  uint32_t variables[PROBE_VARIABLES];  // the first ones in it
  int64_t constants[PROBE_CONSTANTS];   // that it speaks of
} claim;

// Since epoch `base` no variables moved but those of `moved`; once there are more than PROBE_VARIABLES, a new base begins.
typedef struct point_age {
  uint32_t epoch, base;
  uint32_t moved_count;
  uint64_t moved;  // mask
} point_age;

struct probe {
  shape_arena *arena;
  const term_table *terms;
  shape_budget *budget;
  probe_symbol *symbol;
  void *data;
  shape_imap index;  // of nodes, by term
  node *nodes;
  uint32_t node_count, node_capacity;
  link *links;
  uint32_t link_count, link_capacity;
  probe_dim *variables;
  uint32_t variable_count, variable_capacity;
  claim *claims;
  uint32_t claim_count, claim_capacity;
  uint32_t *seen;  // by node, stamps
  uint32_t seen_capacity, stamp;
  point_age age;
  uint32_t tries;  // left
};

probe *probe_new(shape_arena *arena, const term_table *terms, shape_budget *budget,
                 probe_symbol *symbol, void *data) {
  probe *p = arena_zalloc(arena, sizeof *p);
  p->arena = arena;
  p->terms = terms;
  p->budget = budget;
  p->symbol = symbol;
  p->data = data;
  p->age.epoch = p->age.base = 1;
  return p;
}

// --- what there is

static uint64_t bit_of(uint32_t variable) { return UINT64_C(1) << (variable % 64); }

static int64_t aligned(const probe_dim *v, int64_t value) {
  if (value < v->lo) value = v->lo;
  if (value > v->hi) value = v->hi;
  if (v->step <= 1) return value;
  int64_t rest = value % v->step;
  if (rest < 0) rest += v->step;
  value -= rest;
  return value < v->lo ? value + v->step : value;
}

// Values stay far from the ends of int64, so that they are added to without care.
static const int64_t FAR = INT64_C(1) << 40;

static bool add_variable(probe *p, term_id symbol, uint32_t *out) {
  query_symbol s = p->symbol(p->data, symbol);
  probe_dim v = {.lo = -FAR, .hi = FAR, .step = 1};
  if (s.range.has_lo && !num_to_int(s.range.lo, &v.lo)) {
    if (num_sign(s.range.lo) > 0) return false;
    v.lo = -FAR;
  }
  if (v.lo > FAR) return false;
  if (v.lo < -FAR) v.lo = -FAR;  // an integer of 64 bits
  if (s.range.has_hi && !num_to_int(s.range.hi, &v.hi)) {
    if (num_sign(s.range.hi) < 0) return false;
    v.hi = FAR;
  }
  if (v.hi > FAR) v.hi = FAR;
  if (v.hi < v.lo) return false;
  if (!num_to_int(s.multiple_of, &v.step) || v.step > FAR || v.step < -FAR) return false;
  if (v.step < 0) v.step = -v.step;
  v.value = aligned(&v, v.lo > 1 ? v.lo : v.step > 1 ? v.step : 1);
  if (v.value > v.hi || v.value < v.lo) return false;
  p->variables = arena_grow(p->arena, p->variables, p->variable_count,
                            (size_t)p->variable_count + 1, &p->variable_capacity, sizeof v);
  *out = p->variable_count;
  p->variables[p->variable_count++] = v;
  return true;
}

static uint32_t add_term(probe *p, term_id term);

// The children of a node, added; false: one has no value.
static bool add_children(probe *p, const term_node *from, node *to) {
  uint32_t count = from->count;
  link room[4], *own = count <= sizeof room / sizeof *room
                           ? room
                           : arena_alloc(p->arena, count * sizeof *own);
  for (uint32_t i = 0; i < count; i++) {
    own[i].k = 1;
    term_id child = from->as.args[i];
    if (from->kind == TERM_SUM) {
      child = from->as.parts[i].monomial;
      if (!num_to_int(from->as.parts[i].coefficient, &own[i].k)) return false;
    } else if (from->kind == TERM_PRODUCT) {
      child = from->as.powers[i].atom;
      own[i].k = from->as.powers[i].exponent;
    }
    own[i].node = add_term(p, child);
    if (own[i].node == PROBE_NONE) return false;
    const node *made = &p->nodes[own[i].node];
    to->mask |= made->mask;
    if (made->height >= to->height) to->height = made->height + 1;
  }
  if (to->height > PROBE_DEPTH) return false;
  p->links = arena_grow(p->arena, p->links, p->link_count, (size_t)p->link_count + count,
                        &p->link_capacity, sizeof *p->links);
  to->first = p->link_count;
  to->count = count;
  assert(p->link_count + count <= p->link_capacity);
  memcpy(p->links + p->link_count, own, count * sizeof *own);
  p->link_count += count;
  return true;
}

static bool make_node(probe *p, term_id term, node *to) {
  const term_node *from = term_get(p->terms, term);
  *to = (node){.kind = from->kind, .known = from->kind == TERM_CONST};
  switch ((term_kind)from->kind) {
  case TERM_CONST: return num_to_int(from->as.value, &to->value);
  case TERM_SYMBOL:
    if (!add_variable(p, term, &to->variable)) return false;
    to->mask = bit_of(to->variable);
    return true;
  case TERM_APPLY: return false;
  case TERM_BIGMUL:
    if (from->count != 1) return false;
    break;
  default: break;
  }
  return from->depth <= PROBE_DEPTH + 1 && from->count && add_children(p, from, to);
}

// Recursion goes as deep as atoms are nested, with a sum and a product between two of them.
static uint32_t add_term(probe *p, term_id term) {
  uint32_t at = PROBE_NONE;
  node made;
  if (imap_get(&p->index, term, &at)) return at;
  if (make_node(p, term, &made)) {
    p->nodes = arena_grow(p->arena, p->nodes, p->node_count, (size_t)p->node_count + 1,
                          &p->node_capacity, sizeof made);
    at = p->node_count++;
    p->nodes[at] = made;
  }
  imap_put(&p->index, p->arena, term, at);
  return at;
}

uint32_t probe_term(probe *p, term_id term) { return add_term(p, term); }

static void note_constant(claim *c, int64_t value) {
  assert(c->constant_count <= PROBE_CONSTANTS);
  if (value < 0) value = value == INT64_MIN ? 0 : -value;
  if (value < 2 || value > FAR || c->constant_count == PROBE_CONSTANTS) return;
  for (uint32_t i = 0; i < c->constant_count; i++) {
    if (c->constants[i] == value) return;
  }
  c->constants[c->constant_count++] = value;
}

static void survey(probe *p, claim *c, uint32_t at) {
  const node *n = &p->nodes[at];
  if (p->seen[at] == p->stamp) return;
  p->seen[at] = p->stamp;
  if (n->kind == TERM_CONST) note_constant(c, n->value);
  if (n->kind == TERM_SYMBOL && c->variable_count < PROBE_VARIABLES)
    c->variables[c->variable_count++] = n->variable;
  for (uint32_t i = 0; i < n->count; i++) {
    const link *l = &p->links[n->first + i];
    survey(p, c, l->node);
    if (n->kind == TERM_SUM) note_constant(c, l->k);
  }
}

// What the claim speaks of is listed when its symbols are to be moved.
static const claim *surveyed(probe *p, uint32_t of) {
  assert(of < p->claim_count);
  claim *c = &p->claims[of];
  if (c->surveyed) return c;
  uint32_t before = p->seen_capacity;
  p->seen =
      arena_grow(p->arena, p->seen, before, p->node_count, &p->seen_capacity, sizeof *p->seen);
  memset(p->seen + before, 0, (p->seen_capacity - before) * sizeof *p->seen);
  p->stamp++;
  survey(p, c, c->left);
  survey(p, c, c->right);
  c->surveyed = true;
  return c;
}

uint32_t probe_claim(probe *p, predicate of) {
  claim c = {.rel = of.rel, .left = probe_term(p, of.left)};
  c.right = probe_term(p, of.right);
  if (c.left == PROBE_NONE || c.right == PROBE_NONE) return PROBE_NONE;
  c.mask = p->nodes[c.left].mask | p->nodes[c.right].mask;
  p->claims = arena_grow(p->arena, p->claims, p->claim_count, (size_t)p->claim_count + 1,
                         &p->claim_capacity, sizeof c);
  p->claims[p->claim_count] = c;
  return p->claim_count++;
}

// --- evaluation

static bool value_anew(probe *p, node *n, int64_t *out);

// Mostly it is known, or that of a symbol: only then is there a call.
static inline bool value_of(probe *p, uint32_t at, int64_t *out) {
  assert(at < p->node_count);
  node *n = &p->nodes[at];
  if (n->kind == TERM_SYMBOL) {
    *out = p->variables[n->variable].value;
    return true;
  }
  if (n->kind != TERM_CONST && n->epoch != p->age.epoch) {
    if (n->epoch < p->age.base || n->mask & p->age.moved) return value_anew(p, n, out);
    n->epoch = p->age.epoch;
  }
  *out = n->value;
  return n->known;
}

static int64_t floordiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

static bool sum_of(probe *p, const node *n, int64_t *out) {
  int64_t sum = 0, x;
  for (uint32_t i = 0; i < n->count; i++) {
    const link *l = &p->links[n->first + i];
    if (!value_of(p, l->node, &x) || __builtin_mul_overflow(x, l->k, &x) ||
        __builtin_add_overflow(sum, x, &sum))
      return false;
  }
  *out = sum;
  return true;
}

static bool product_of(probe *p, const node *n, int64_t *out) {
  int64_t product = 1, x;
  for (uint32_t i = 0; i < n->count; i++) {
    const link *l = &p->links[n->first + i];
    if (!value_of(p, l->node, &x)) return false;
    if (x == -1 || x == 0 || x == 1) {
      product *= x < 0 && l->k % 2 == 0 ? 1 : x;
      continue;
    }
    for (int64_t k = 0; k < l->k && product != 0; k++) {
      if (__builtin_mul_overflow(product, x, &product)) return false;
    }
  }
  *out = product;
  return true;
}

static bool extremum_of(probe *p, const node *n, int64_t *out) {
  int64_t x;
  for (uint32_t i = 0; i < n->count; i++) {
    if (!value_of(p, p->links[n->first + i].node, &x)) return false;
    if (i == 0 || (n->kind == TERM_MIN ? x < *out : x > *out)) *out = x;
  }
  return true;
}

static bool evaluate(probe *p, const node *n, int64_t *out) {
  int64_t a, b;
  switch ((term_kind)n->kind) {
  case TERM_SUM: return sum_of(p, n, out);
  case TERM_PRODUCT: return product_of(p, n, out);
  case TERM_MIN:
  case TERM_MAX: return extremum_of(p, n, out);
  default: break;
  }
  const link *l = &p->links[n->first];
  if (!value_of(p, l[0].node, &a)) return false;
  switch ((term_kind)n->kind) {
  case TERM_FLOORDIV:
    if (!value_of(p, l[1].node, &b) || b == 0 || (b == -1 && a == INT64_MIN)) return false;
    *out = floordiv(a, b);
    return true;
  case TERM_BCAST:
    if (!value_of(p, l[1].node, &b)) return false;
    *out = a == 1 ? b : a;
    return true;
  case TERM_SELECT: return value_of(p, l[a == 0 ? 2 : 1].node, out);
  case TERM_IS_ZERO: *out = a == 0; return true;
  case TERM_IS_NEG: *out = a < 0; return true;
  case TERM_BIGMUL: *out = a; return true;
  default: return false;
  }
}

static bool value_anew(probe *p, node *n, int64_t *out) {
  int64_t value = 0;
  assert(n->kind != TERM_CONST && n->kind != TERM_SYMBOL);
  n->known = evaluate(p, n, &value);
  n->epoch = p->age.epoch;
  *out = n->value = value;
  return n->known;
}

bool probe_value(probe *p, uint32_t term, int64_t *out) {
  return term != PROBE_NONE && value_of(p, term, out);
}

bool probe_holds(probe *p, uint32_t of, bool *out) {
  int64_t a, b;
  if (of == PROBE_NONE) return false;
  assert(of < p->claim_count);
  const claim *c = &p->claims[of];
  if (!value_of(p, c->left, &a) || !value_of(p, c->right, &b)) return false;
  switch (c->rel) {
  case REL_EQ: *out = a == b; return true;
  case REL_NE: *out = a != b; return true;
  case REL_LT: *out = a < b; return true;
  case REL_LE: *out = a <= b; return true;
  case REL_GT: *out = a > b; return true;
  case REL_GE: *out = a >= b; return true;
  default: break;
  }
  if (b == 0 || b == -1) return false;
  *out = a % b == 0;
  return true;
}

static bool is(probe *p, uint32_t of, bool truth) {
  bool holds;
  return probe_holds(p, of, &holds) && holds == truth;
}

// What was evaluated before is void.
static void start_epochs(probe *p) {
  p->age.base = ++p->age.epoch;
  p->age.moved = p->age.moved_count = 0;
}

// Values of terms that hold no variable that moved since they were made stay.
static void move(probe *p, uint32_t to, int64_t value) {
  assert(to < p->variable_count && value >= p->variables[to].lo && value <= p->variables[to].hi);
  p->variables[to].value = value;
  p->age.epoch++;
  if (p->age.moved & bit_of(to)) return;
  p->age.moved |= bit_of(to);
  if (++p->age.moved_count > PROBE_VARIABLES) start_epochs(p);
}

// --- values to try

typedef struct choices {
  const probe_dim *v;
  uint32_t count;
  int64_t values[PROBE_VALUES];
} choices;

static void add_value(choices *to, int64_t value) {
  assert(to->count <= PROBE_VALUES);
  if (to->count == PROBE_VALUES) return;
  value = aligned(to->v, value);
  if (value == to->v->value || value < to->v->lo || value > to->v->hi) return;
  for (uint32_t i = 0; i < to->count; i++) {
    if (to->values[i] == value) return;
  }
  to->values[to->count++] = value;
}

// left - right
static bool gap_of(probe *p, const claim *c, int64_t *out) {
  int64_t a, b;
  return value_of(p, c->left, &a) && value_of(p, c->right, &b) &&
         !__builtin_sub_overflow(a, b, out);
}

// Where the gap, taken as linear, is 0, and the values next to it.
static void add_root(probe *p, const claim *c, uint32_t at, choices *to) {
  probe_dim *v = &p->variables[at];
  int64_t here, there, was = v->value, next = was + (v->step > 1 ? v->step : 1), slope, root;
  if (!gap_of(p, c, &here)) return;
  if (next > v->hi) next = was - (next - was);
  if (next < v->lo) return;
  move(p, at, next);
  bool known = gap_of(p, c, &there);
  move(p, at, was);
  if (!known || __builtin_sub_overflow(there, here, &slope) || slope == 0) return;
  if (here > FAR || here < -FAR || __builtin_mul_overflow(here, next - was, &root)) return;
  if (slope == -1 && root == INT64_MIN) return;
  root = floordiv(root, slope);
  if (root > FAR || root < -FAR) return;
  for (int64_t d = -1; d <= 1; d++) add_value(to, was - root + d);
}

static void list_choices(probe *p, const claim *c, uint32_t at, choices *to) {
  const probe_dim *v = &p->variables[at];
  *to = (choices){.v = v};
  add_root(p, c, at, to);
  static const int64_t SMALL[] = {0, 1, 2, 3};
  for (uint32_t i = 0; i < sizeof SMALL / sizeof *SMALL; i++) add_value(to, SMALL[i]);
  add_value(to, v->value + 1);
  add_value(to, v->value - 1);
  add_value(to, INT64_C(1) << 20);
  for (uint32_t i = 0; i < c->variable_count; i++)
    add_value(to, p->variables[c->variables[i]].value);
  for (uint32_t i = 0; i < c->constant_count; i++) {
    for (int64_t d = -1; d <= 1; d++) add_value(to, c->constants[i] + d);
  }
  add_value(to, v->value * 2);
  add_value(to, v->lo);
  add_value(to, v->hi);
}

// --- search

typedef struct trial {
  probe *p;
  uint32_t self;  // is to be false; PROBE_NONE: nothing is
  const uint32_t *held;
  uint32_t count;
  uint32_t fixed;  // a variable that stays; PROBE_NONE: none does
  uint64_t moved;  // mask of the variables that were moved since all that is held was true
} trial;

static bool spend(probe *p) {
  if (p->tries == 0 || !budget_spend(p->budget, 1)) return false;
  p->tries--;
  return true;
}

// The first of those held that is not true, `count`: none. *failing: how many are not.
static uint32_t first_failing(const trial *t, uint32_t *failing) {
  uint32_t first = t->count;
  *failing = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    if (!(t->p->claims[t->held[i]].mask & t->moved) || is(t->p, t->held[i], true)) continue;
    if (!*failing) first = i;
    ++*failing;
  }
  return first;
}

typedef struct undo {
  uint32_t variable;
  int64_t value;
} undo;

typedef struct moves {
  undo items[PROBE_VARIABLES + PROBE_REPAIRS];
  uint32_t count;
} moves;

static void take_back(probe *p, moves *m) {
  assert(m->count <= PROBE_VARIABLES + PROBE_REPAIRS);
  while (m->count) {
    undo u = m->items[--m->count];
    move(p, u.variable, u.value);
  }
}

static bool is_moved(const moves *m, uint32_t from, uint32_t variable) {
  for (uint32_t i = from; i < m->count; i++) {
    if (m->items[i].variable == variable) return true;
  }
  return false;
}

// Makes a claim that is held true, without more of the others failing. As many may fail where the symbol is moved for the
// first time since the move `from`: so equalities are followed from one to the next, and no circle is.
static bool repair(trial *t, uint32_t which, uint32_t failing, uint32_t from, moves *done) {
  probe *p = t->p;
  choices to;
  const claim *c = surveyed(p, t->held[which]);
  for (uint32_t i = 0; i < c->variable_count; i++) {
    uint32_t at = c->variables[i], most = failing - is_moved(done, from, at);
    int64_t before = p->variables[at].value;
    uint64_t moved = t->moved;
    if (at == t->fixed) continue;
    t->moved |= bit_of(at);
    list_choices(p, c, at, &to);
    for (uint32_t k = 0; k < to.count && spend(p); k++) {
      uint32_t left;
      move(p, at, to.values[k]);
      if (!is(p, t->held[which], true)) continue;
      if (t->self != PROBE_NONE && !is(p, t->self, false)) continue;
      first_failing(t, &left);
      if (left > most) continue;
      done->items[done->count++] = (undo){at, before};
      return true;
    }
    move(p, at, before);
    t->moved = moved;
  }
  return false;
}

// Moves symbols until all that is held is true, self false. False: given up.
static bool settle(trial *t, moves *done) {
  uint32_t left, first = first_failing(t, &left), from = done->count;
  assert(from <= PROBE_VARIABLES && (t->self == PROBE_NONE || is(t->p, t->self, false)));
  for (uint32_t i = 0; left && i < PROBE_REPAIRS; i++) {
    if (!repair(t, first, left, from, done)) return false;
    first = first_failing(t, &left);
  }
  return left == 0;
}

// All that is held is true at the point. It stays there.
static bool refute_near(probe *p, uint32_t self, const uint32_t *held, uint32_t count) {
  if (is(p, self, false)) return true;
  const claim *c = surveyed(p, self);
  for (uint32_t i = 0; i < c->variable_count; i++) {
    uint32_t at = c->variables[i];
    int64_t before = p->variables[at].value;
    choices to;
    list_choices(p, c, at, &to);
    bool found = false;
    for (uint32_t k = 0; k < to.count && !found && spend(p); k++) {
      move(p, at, to.values[k]);
      if (!is(p, self, false)) continue;
      trial against = {p, self, held, count, at, bit_of(at)};
      moves done = {.count = 0};
      found = settle(&against, &done);
      assert(!found || is(p, self, false));
      take_back(p, &done);
    }
    move(p, at, before);
    if (found) return true;
  }
  return false;
}

static int64_t scattered(const claim *c, const probe_dim *v, uint32_t i, uint32_t attempt) {
  uint64_t random = hash_pair(attempt, i + 1);
  int64_t from = v->lo > -FAR ? v->lo : v->hi < FAR ? v->hi : 0, by = (int64_t)(random >> 32);
  if (random % 4 == 0 && c->constant_count)
    return aligned(v, c->constants[by % c->constant_count] + by / 64 % 3 - 1);
  by = by % (attempt % 3 == 0 ? 4 : attempt % 3 == 1 ? 50 : 4000) * v->step;
  return aligned(v, v->lo > -FAR || (v->hi == FAR && random % 8 < 4) ? from + by : from - by);
}

// The same near a point where the symbols of `self` have other values, and all that is held is true.
static bool refute_far(probe *p, uint32_t self, const uint32_t *held, uint32_t count,
                       uint32_t attempt) {
  const claim *c = surveyed(p, self);
  trial t = {p, PROBE_NONE, held, count, PROBE_NONE, c->mask};
  moves done = {.count = 0};
  for (uint32_t i = 0; i < c->variable_count; i++) {
    uint32_t at = c->variables[i];
    done.items[done.count++] = (undo){at, p->variables[at].value};
    move(p, at, scattered(c, &p->variables[at], i, attempt));
  }
  bool found = settle(&t, &done) && refute_near(p, self, held, count);
  take_back(p, &done);
  return found;
}

// What a broadcast is equal to where that is not 1.
static const node *first_dim(const probe *p, uint32_t at) {
  while (p->nodes[at].kind == TERM_BCAST) at = p->links[p->nodes[at].first].node;
  return &p->nodes[at];
}

// Where the dims that two broadcasts begin with are unequal and not 1, the broadcasts are unequal; where all others are 1, most
// other claims about broadcasts hold. The point need not be one of what is held, and each claim is evaluated at most once.
static bool refute_broadcasts(probe *p, uint32_t self, const uint32_t *held, uint32_t count) {
  const claim *c = &p->claims[self];
  const node *a = first_dim(p, c->left), *b = first_dim(p, c->right);
  if (p->nodes[c->left].kind != TERM_BCAST || p->nodes[c->right].kind != TERM_BCAST ||
      a->kind != TERM_SYMBOL || b->kind != TERM_SYMBOL || a == b)
    return false;
  trial t = {p, self, held, count, PROBE_NONE, UINT64_MAX};
  uint32_t left;
  int64_t before[2] = {p->variables[a->variable].value, p->variables[b->variable].value};
  move(p, a->variable, aligned(&p->variables[a->variable], before[0] + 1));
  move(p, b->variable, aligned(&p->variables[b->variable], before[1] + 2));
  bool found = spend(p) && is(p, self, false) && first_failing(&t, &left) == count;
  move(p, a->variable, before[0]);
  move(p, b->variable, before[1]);
  return found;
}

bool probe_refutes(probe *p, uint32_t self, const uint32_t *held, uint32_t count) {
  if (self == PROBE_NONE) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (held[i] == PROBE_NONE) return false;
  }
  p->tries = PROBE_TRIES;
  if (refute_broadcasts(p, self, held, count)) return true;
  trial base = {p, PROBE_NONE, held, count, PROBE_NONE, UINT64_MAX};
  moves done = {.count = 0};
  if (!settle(&base, &done)) return false;
  assert(base.count == count);
  bool found = refute_near(p, self, held, count);
  for (uint32_t i = 0; i < PROBE_LEAPS && !found; i++) found = refute_far(p, self, held, count, i);
  return found;
}

void probe_scatter(probe *p, uint32_t of, uint32_t attempt) {
  const claim *c = surveyed(p, of);
  for (uint32_t i = 0; i < p->variable_count; i++)
    p->variables[i].value = scattered(c, &p->variables[i], i, attempt);
  start_epochs(p);
}
