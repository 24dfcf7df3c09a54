// SPDX-License-Identifier: Apache-2.0
// Queries put to query_ask and query_bounds directly, twice: as they come, and with the symbols declared, the premises
// given and the terms made in another order. Answers, conflicts and bounds must be the same;
// the reason of an unknown may differ where a witness was found one way only, and is counted.
//   PROPERTY_CASES  how many (default 20000)   PROPERTY_SEED  the first seed (default 1)
// The last line is `N passed, N failed`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/base/imap.h"
#include "solver/decide/query.h"
#include "tests/support/volume.h"

enum { MAX_SYMBOLS = 5, MAX_NODES = 128, MAX_PREMISES = 6, STEPS = 200000 };

// A tree, so that each pass makes its terms in an order of its own.
typedef struct node {
  char op;  // c s + - * / % m M
  int value, left, right;
} node;

typedef struct sample {
  uint64_t random;
  node nodes[MAX_NODES];
  int count, symbols, premises;
  interval range[MAX_SYMBOLS];
  int64_t multiple[MAX_SYMBOLS];
  int rel[MAX_PREMISES + 1], left[MAX_PREMISES + 1], right[MAX_PREMISES + 1];
} sample;

typedef struct outcome {
  query_result result;
  interval bounds;
  bool bounded;
} outcome;

typedef struct posed {
  shape_arena arena;
  shape_budget budget;
  term_table terms;
  query_symbol symbols[MAX_SYMBOLS];
  term_id named[MAX_SYMBOLS];  // by symbol of the sample
  predicate premises[MAX_PREMISES];
  query q;
} posed;

static int below(uint64_t *state, int n) {
  *state += 0x9e3779b97f4a7c15u;
  return (int)(hash_mix(*state) % (uint64_t)n);
}

// --- making

static int make_tree(sample *q, int depth) {
  uint64_t *r = &q->random;
  int at = q->count++;
  if (depth == 0 || q->count > MAX_NODES - 16 || below(r, 4) == 0) {
    bool constant = below(r, 3) == 0;
    q->nodes[at] =
        (node){constant ? 'c' : 's', constant ? below(r, 9) - 3 : below(r, q->symbols), 0, 0};
    return at;
  }
  static const char OPS[] = "++--**/%mM";
  node n = {OPS[below(r, sizeof OPS - 1)], 0, 0, 0};
  n.left = make_tree(q, depth - 1);
  if (n.op == '/' || n.op == '%') {
    n.right = q->count++;
    q->nodes[n.right] = (node){'c', 2 + below(r, 6), 0, 0};
  } else {
    n.right = make_tree(q, depth - 1);
  }
  q->nodes[at] = n;
  return at;
}

static void make_sample(sample *q, uint64_t seed) {
  memset(q, 0, sizeof *q);
  q->random = hash_mix(seed);
  uint64_t *r = &q->random;
  q->symbols = 1 + below(r, MAX_SYMBOLS);
  for (int i = 0; i < q->symbols; i++) {
    int low = below(r, 3), kind = below(r, 4);
    q->range[i] = kind == 0   ? interval_all()
                  : kind == 1 ? interval_of(low, low + below(r, 12))
                              : interval_at_least(NUM(low));
    q->multiple[i] = below(r, 8) == 0 ? 2 + below(r, 3) : 1;
  }
  q->premises = below(r, MAX_PREMISES + 1);
  for (int i = 0; i <= q->premises; i++) {
    q->rel[i] = below(r, REL_DIVISIBLE);
    q->left[i] = make_tree(q, 2);
    q->right[i] = make_tree(q, below(r, 3));
  }
}

static term_id make_term(posed *w, const sample *q, int at, bool turned) {
  node n = q->nodes[at];
  term_table *t = &w->terms;
  if (n.op == 'c') return term_int(t, n.value);
  if (n.op == 's') return w->named[n.value];
  term_id a = TERM_ZERO, b = TERM_ZERO;
  if (turned) b = make_term(w, q, n.right, turned);
  a = make_term(w, q, n.left, turned);
  if (!turned) b = make_term(w, q, n.right, turned);
  switch (n.op) {
  case '+': return term_add(t, a, b);
  case '-': return term_sub(t, a, b);
  case '*': return term_mul(t, a, b);
  case '/': return term_floordiv(t, a, b);
  case '%': return term_mod(t, a, b);
  case 'm': return term_min(t, a, b);
  default: return term_max(t, a, b);
  }
}

static void shuffle(uint64_t *random, int *order, int count, bool turned) {
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; turned && i > 0; i--) {
    int k = below(random, i + 1), held = order[i];
    order[i] = order[k];
    order[k] = held;
  }
}

static void make_world(posed *w, const sample *q, bool turned) {
  int order[MAX_SYMBOLS + MAX_PREMISES];
  uint64_t random = q->random;
  arena_init(&w->arena, 0);
  budget_init(&w->budget, &w->arena, STEPS, NULL);
  term_table_init(&w->terms, &w->arena, &w->budget);
  shuffle(&random, order, q->symbols, turned);
  for (int i = 0; i < q->symbols; i++) {
    w->named[order[i]] = term_symbol(&w->terms);
    w->symbols[i] =
        (query_symbol){w->named[order[i]], q->range[order[i]], NUM(q->multiple[order[i]])};
  }
  shuffle(&random, order, q->premises, turned);
  for (int i = 0; i < q->premises; i++) {
    int k = order[i];
    w->premises[i].rel = (relation)q->rel[k];
    w->premises[i].left = make_term(w, q, q->left[k], turned);
    w->premises[i].right = make_term(w, q, q->right[k], turned);
  }
  w->q = (query){.arena = &w->arena,
                 .terms = &w->terms,
                 .budget = &w->budget,
                 .symbols = w->symbols,
                 .symbol_count = (uint32_t)q->symbols,
                 .premises = w->premises,
                 .premise_count = (uint32_t)q->premises};
}

// --- asking

typedef struct turn {
  const sample *q;
  bool turned;
  posed w;
  outcome out;
} turn;

static void run_side(void *data) {
  turn *t = data;
  posed *w = &t->w;
  const sample *q = t->q;
  term_id left = make_term(w, q, q->left[q->premises], t->turned);
  term_id right = make_term(w, q, q->right[q->premises], t->turned);
  t->out.result = query_ask(&w->q, predicate_make((relation)q->rel[q->premises], left, right));
  budget_allow(&w->budget, STEPS);
  t->out.bounded = query_bounds(&w->q, left, &t->out.bounds);
}

static bool same(const outcome *a, const outcome *b) {
  return a->result.answer == b->result.answer && a->result.conflict == b->result.conflict &&
         a->bounded == b->bounded && (!a->bounded || interval_equal(a->bounds, b->bounds));
}

static void print_outcome(const outcome *o) {
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  if (o->bounds.has_lo) num_print(&text, o->bounds.lo);
  strbuf_puts(&text, "..");
  if (o->bounds.has_hi) num_print(&text, o->bounds.hi);
  printf("  answer %d, conflict %d, reason %d, bounds %s\n", o->result.answer, o->result.conflict,
         o->result.reason, o->bounded ? strbuf_text(&text) : "none");
  arena_destroy(&arena);
}

int main(void) {
  uint64_t cases = volume_setting("PROPERTY_CASES", 20000),
           first = volume_setting("PROPERTY_SEED", 1);
  uint64_t passed = 0, failed = 0, answered = 0, reasons = 0;
  static sample q;
  static turn turns[2];
  for (uint64_t i = 0; i < cases; i++) {
    make_sample(&q, first + i);
    bool ok = true;
    for (int k = 0; k < 2; k++) {
      turns[k] = (turn){.q = &q, .turned = k == 1};
      make_world(&turns[k].w, &q, k == 1);
      ok &= arena_protect(&turns[k].w.arena, run_side, &turns[k]) == SHAPE_OK;
    }
    ok &= same(&turns[0].out, &turns[1].out);
    answered += turns[0].out.result.answer != SHAPE_UNKNOWN;
    reasons += turns[0].out.result.reason != turns[1].out.result.reason;
    passed += ok;
    failed += !ok;
    if (!ok) {
      printf("seed %llu: another answer in another order\n", (unsigned long long)(first + i));
      for (int k = 0; k < 2; k++) print_outcome(&turns[k].out);
    }
    for (int k = 0; k < 2; k++) arena_destroy(&turns[k].w.arena);
  }
  printf("%llu of them answered true or false, %llu unknown for another reason in another order\n",
         (unsigned long long)answered, (unsigned long long)reasons);
  if (reasons > 2 + cases / 1000) failed++;
  printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
  return failed != 0;
}
