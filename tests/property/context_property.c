// SPDX-License-Identifier: Apache-2.0
// Random sequences of calls on a context (solver/shape.h) next to the list of all points of a box: assume, prove, simplify,
// bounds, model, reasons, checkpoint, rollback, and calls that are cancelled.
//
//   context_property [cases [seed]]      PROPERTY_CONTEXTS=N, or PROPERTY_CASES=N, gives the number of cases too
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"
#include "tests/support/volume.h"

enum { SYMBOLS = 3, LOW = -2, HIGH = 5, SIDE = HIGH - LOW + 1, POINTS = SIDE * SIDE * SIDE };
enum { CALLS = 40, DEPTH = 3, ASSUMED = CALLS, CHECKPOINTS = CALLS, TEXT = 400 };

typedef struct node {
  char kind;  // 'k', 's', or an operator
  int64_t value;
  struct node *a, *b;
} node;

typedef struct fact {
  node *a, *b;
  shape_relation rel;
} fact;

typedef struct trial {
  uint64_t random;
  shape_context *context;
  shape_token *token;
  node nodes[4096];
  uint32_t node_count;
  fact assumed[ASSUMED];
  uint32_t assumed_count;
  uint32_t at_checkpoint[CHECKPOINTS];
  uint32_t checkpoint_count;
  int64_t points[POINTS][SYMBOLS];
  bool failed;
  uint64_t definite, queries, open_in_truth;
} trial;

static const char *const NAMES[SYMBOLS] = {"x", "y", "z w"};

static int64_t pick(trial *w, int64_t low, int64_t high) {
  return volume_pick(&w->random, low, high);
}

static void report(trial *w, const char *what, const char *text) {
  if (!w->failed) printf("FAIL %s: %s\n", what, text);
  w->failed = true;
}

// --- expressions: a tree, its text, its value

static node *grow(trial *w, int depth) {
  static const char OPERATORS[] = "++--**/%cmMb";
  node *n = &w->nodes[w->node_count++];
  int64_t roll = pick(w, 0, 9);
  *n = (node){.kind = roll < 6 || depth == 0 ? 's' : 'k', .value = pick(w, 0, SYMBOLS - 1)};
  if (depth > 0 && roll > 3) {
    n->kind = OPERATORS[pick(w, 0, (int64_t)strlen(OPERATORS) - 1)];
    n->a = grow(w, depth - 1);
    n->b = grow(w, depth - 1);
  } else if (n->kind == 'k') {
    n->value = pick(w, -4, 6);
  }
  return n;
}

static void write_text(const node *n, char *out) {
  static const char *const FUNCTIONS[128] = {['c'] = "ceildiv", ['m'] = "min", ['M'] = "max",
                                             ['b'] = "bcast",   ['%'] = "mod", ['/'] = "floordiv"};
  size_t at = strlen(out);
  if (n->kind == 's') {
    snprintf(out + at, TEXT - at, n->value == 2 ? "\"%s\"" : "%s", NAMES[n->value]);
  } else if (n->kind == 'k') {
    snprintf(out + at, TEXT - at, "(%d)", (int)n->value);
  } else {
    const char *function = FUNCTIONS[(unsigned char)n->kind];
    snprintf(out + at, TEXT - at, "%s(", function ? function : "");
    write_text(n->a, out);
    at = strlen(out);
    snprintf(out + at, TEXT - at, function ? ", " : " %c ", n->kind);
    write_text(n->b, out);
    at = strlen(out);
    snprintf(out + at, TEXT - at, ")");
  }
}

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t value_at(const node *n, const int64_t *x, bool *ok) {
  if (n->kind == 's') return x[n->value];
  if (n->kind == 'k') return n->value;
  int64_t a = value_at(n->a, x, ok), b = value_at(n->b, x, ok);
  if (strchr("/%c", n->kind) && b == 0) {
    *ok = false;
    return 0;
  }
  switch (n->kind) {
  case '+': return a + b;
  case '-': return a - b;
  case '*': return a * b;
  case '/': return floor_div(a, b);
  case 'c': return -floor_div(-a, b);
  case '%': return a - b * floor_div(a, b);
  case 'm': return a < b ? a : b;
  case 'M': return a > b ? a : b;
  default: return a == 1 ? b : a;
  }
}

// 1: it holds; 0: it does not; -1: it is not defined there.
static int holds_at(const fact *f, const int64_t *x) {
  bool ok = true;
  int64_t a = value_at(f->a, x, &ok), b = value_at(f->b, x, &ok);
  if (!ok || (f->rel == SHAPE_DIVISIBLE && b == 0)) return -1;
  switch (f->rel) {
  case SHAPE_EQ: return a == b;
  case SHAPE_NE: return a != b;
  case SHAPE_LT: return a < b;
  case SHAPE_LE: return a <= b;
  case SHAPE_GT: return a > b;
  case SHAPE_GE: return a >= b;
  default: return a % b == 0;
  }
}

static bool is_allowed(const trial *w, const int64_t *x) {
  for (uint32_t i = 0; i < w->assumed_count; i++) {
    if (holds_at(&w->assumed[i], x) != 1) return false;
  }
  return true;
}

// Over the points that are allowed, or those that satisfy the assumptions in a set.
typedef struct tally {
  uint32_t yes, no, undefined;
} tally;

static tally count_points(const trial *w, const fact *f, const shape_reason *set, uint32_t size) {
  tally t = {0, 0, 0};
  for (uint32_t i = 0; i < POINTS; i++) {
    bool in = set || is_allowed(w, w->points[i]);
    for (uint32_t k = 0; set && in && k < size; k++) {
      in = holds_at(&w->assumed[set[k].assumption], w->points[i]) == 1;
    }
    if (!in) continue;
    int held = holds_at(f, w->points[i]);
    t.yes += held == 1;
    t.no += held == 0;
    t.undefined += held < 0;
  }
  return t;
}

// --- calls

static shape_expr expr_of(trial *w, const node *n, char *text) {
  *text = '\0';
  write_text(n, text);
  return shape_context_parse(w->context, text, false);  // SHAPE_NO_EXPR: division by the constant 0
}

static bool random_fact(trial *w, fact *f, shape_expr *a, shape_expr *b, char *text) {
  char other[TEXT];
  *f =
      (fact){grow(w, DEPTH), grow(w, pick(w, 0, 1) ? DEPTH - 1 : 0), (shape_relation)pick(w, 0, 6)};
  *a = expr_of(w, f->a, text);
  *b = expr_of(w, f->b, other);
  size_t at = strlen(text);
  snprintf(text + at, TEXT - at, " rel%d %s", (int)f->rel, other);
  return *a != SHAPE_NO_EXPR && *b != SHAPE_NO_EXPR;
}

static void call_assume(trial *w) {
  fact f;
  char text[TEXT];
  shape_expr a, b;
  shape_answer outcome;
  if (!random_fact(w, &f, &a, &b, text)) return;
  tally t = count_points(w, &f, NULL, 0);
  if (shape_context_assume(w->context, f.rel, a, b, text, &outcome) != SHAPE_OK) return;
  if (outcome == SHAPE_CONTRADICTION) {
    if (t.yes) report(w, "assume is no contradiction", text);
    shape_reason reasons[ASSUMED];
    uint32_t count;
    shape_context_conflict(w->context, reasons, ASSUMED, &count);
    if (count_points(w, &f, reasons, count).yes) report(w, "conflict is not one", text);
    return;
  }
  // What the normal form cancels is not asked for its domain: undefined points may count as implied.
  if (outcome == SHAPE_YES && t.no) report(w, "assume was not implied", text);
  w->assumed[w->assumed_count++] = f;
}

static void call_prove(trial *w) {
  fact f;
  char text[TEXT];
  shape_expr a, b;
  if (!random_fact(w, &f, &a, &b, text)) return;
  tally t = count_points(w, &f, NULL, 0);
  shape_answer answer = shape_context_prove(w->context, f.rel, a, b);
  w->queries++;
  w->definite += answer != SHAPE_UNKNOWN;
  w->open_in_truth += t.yes && t.no;
  if ((answer == SHAPE_YES && t.no) || (answer == SHAPE_NO && t.yes) ||
      (answer == SHAPE_CONTRADICTION && t.yes + t.no + t.undefined))
    report(w, "prove", text);
  shape_reason reasons[ASSUMED];
  uint32_t count;
  if (answer == SHAPE_UNKNOWN ||
      shape_context_reasons(w->context, f.rel, a, b, reasons, ASSUMED, &count) != SHAPE_OK)
    return;
  t = count_points(w, &f, reasons, count);
  if ((answer == SHAPE_YES && t.no) || (answer == SHAPE_NO && t.yes) ||
      (answer == SHAPE_CONTRADICTION && t.yes + t.no))
    report(w, "reasons", text);
}

// The value of a text at a point: in a context whose symbols are numbers.
static bool value_of_text(const char *text, const int64_t *x, int64_t *value) {
  shape_context *c = shape_context_new(NULL);
  for (int i = 0; i < SYMBOLS; i++) shape_context_symbol(c, NAMES[i], x[i], x[i], 1);
  shape_bounds b = {.has_min = false};
  shape_expr e = shape_context_parse(c, text, false);
  if (e != SHAPE_NO_EXPR) shape_context_bounds(c, e, &b);
  *value = b.min;
  bool ok = b.has_min && b.has_max && b.min == b.max;
  shape_context_free(c);
  return ok;
}

static void call_term(trial *w) {
  char text[TEXT], simple[TEXT];
  node *n = grow(w, DEPTH);
  shape_expr e = expr_of(w, n, text);
  if (e == SHAPE_NO_EXPR) return;
  shape_bounds b;
  bool bounded = shape_context_bounds(w->context, e, &b) == SHAPE_OK;
  shape_expr s = shape_context_simplify(w->context, e);
  int64_t divisor = 1, remainder = 0, simple_value;
  shape_context_residue(w->context, e, &divisor, &remainder);
  if (s != SHAPE_NO_EXPR) shape_context_text(w->context, s, simple, sizeof simple);
  uint32_t tried = 0, from = (uint32_t)pick(w, 0, POINTS - 1);
  for (uint32_t i = 0; i < POINTS; i++) {
    const int64_t *x = w->points[(from + i) % POINTS];
    bool ok = true;
    int64_t value = value_at(n, x, &ok);
    if (!ok || !is_allowed(w, x)) continue;
    if (bounded &&
        (b.contradiction || (b.has_min && value < b.min) || (b.has_max && value > b.max)))
      report(w, "bounds", text);
    if (divisor == 0 ? value != remainder : (value - remainder) % divisor != 0)
      report(w, "residue", text);
    if (s != SHAPE_NO_EXPR && s != e && tried++ < 3 && value_of_text(simple, x, &simple_value) &&
        value != simple_value)
      report(w, simple, text);
  }
}

static void call_model(trial *w) {
  shape_expr all[SYMBOLS];
  int64_t values[SYMBOLS];
  for (int i = 0; i < SYMBOLS; i++) all[i] = shape_context_find(w->context, NAMES[i]);
  uint32_t points = 0;
  for (uint32_t i = 0; i < POINTS; i++) points += is_allowed(w, w->points[i]);
  shape_answer answer = shape_context_model(w->context, all, SYMBOLS, values);
  if (answer == SHAPE_CONTRADICTION && points) report(w, "model is there", "");
  if (answer != SHAPE_YES) return;
  for (uint32_t i = 0; i < w->assumed_count; i++) {
    if (holds_at(&w->assumed[i], values) == 0) report(w, "model", "");
  }
  shape_answer consistent = shape_context_consistent(w->context);
  if (consistent == SHAPE_CONTRADICTION && points) report(w, "consistent", "");
}

static void call_scope(trial *w) {
  if (pick(w, 0, 1) && w->checkpoint_count < CHECKPOINTS) {
    if (shape_context_checkpoint(w->context) != w->checkpoint_count) report(w, "checkpoint", "");
    w->at_checkpoint[w->checkpoint_count++] = w->assumed_count;
  } else if (w->checkpoint_count) {
    uint32_t to = (uint32_t)pick(w, 0, w->checkpoint_count - 1);
    if (shape_context_rollback(w->context, to) != SHAPE_OK) report(w, "rollback", "");
    w->assumed_count = w->at_checkpoint[to];
    w->checkpoint_count = to;
  }
  if (shape_context_assumption_count(w->context) != w->assumed_count) report(w, "count", "");
}

// A call that ends in the middle: the next ones find everything as it was.
static void call_cancelled(trial *w) {
  shape_token_cancel(w->token);
  for (int i = 0; i < 20; i++) {
    fact f;
    char text[TEXT];
    shape_expr a, b;
    if (random_fact(w, &f, &a, &b, text)) shape_context_prove(w->context, f.rel, a, b);
    w->node_count = 0;
  }
  shape_token_reset(w->token);
}

static bool run_case(trial *w, uint64_t seed) {
  w->random = seed * 0x9e3779b97f4a7c15ull + 1;
  w->assumed_count = w->checkpoint_count = w->node_count = 0;
  w->failed = false;
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.token = w->token;
  limits.steps = 200000;
  w->context = shape_context_new(&limits);
  for (int i = 0; i < SYMBOLS; i++) shape_context_symbol(w->context, NAMES[i], LOW, HIGH, 1);
  for (int i = 0; i < CALLS && !w->failed; i++) {
    switch (pick(w, 0, 9)) {
    case 0:
    case 1:
    case 2: call_assume(w); break;
    case 3:
    case 4:
    case 5: call_prove(w); break;
    case 6: call_term(w); break;
    case 7: call_model(w); break;
    default: call_scope(w); break;
    }
  }
  if (!w->failed && seed % 8 == 0) {
    w->assumed_count = 0;
    w->node_count = 0;
    if (w->checkpoint_count) shape_context_rollback(w->context, 0);
    w->checkpoint_count = 0;
    if (shape_context_assumption_count(w->context) == 0) {
      call_cancelled(w);
      for (int i = 0; i < 4; i++) call_prove(w);
    }
  }
  shape_context_free(w->context);
  return !w->failed;
}

int main(int argc, char **argv) {
  uint64_t cases = argc > 1
                       ? strtoull(argv[1], NULL, 10)
                       : volume_setting("PROPERTY_CONTEXTS", volume_setting("PROPERTY_CASES", 400));
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, failed = 0;
  trial *w = calloc(1, sizeof *w);
  if (!w) return 1;
  w->token = shape_token_new();
  for (int i = 0; i < POINTS; i++) {
    w->points[i][0] = LOW + i % SIDE;
    w->points[i][1] = LOW + i / SIDE % SIDE;
    w->points[i][2] = LOW + i / SIDE / SIDE;
  }
  for (uint64_t i = 0; i < cases; i++) {
    if (run_case(w, seed + i)) continue;
    printf("  seed %llu\n", (unsigned long long)(seed + i));
    failed++;
  }
  printf("prove: %llu queries, %llu answered, %llu open in truth\n", (unsigned long long)w->queries,
         (unsigned long long)w->definite, (unsigned long long)w->open_in_truth);
  printf("%llu passed, %llu failed\n", (unsigned long long)(cases - failed),
         (unsigned long long)failed);
  shape_token_free(w->token);
  free(w);
  return failed != 0;
}
