// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_case.h"

#include <stdio.h>
#include <string.h>

#include "solver/base/imap.h"

static uint64_t next(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  return hash_mix(*state);
}
static int below(uint64_t *state, int n) { return (int)(next(state) % (uint64_t)n); }

// --- making

static int add(query_case *q, node n) {
  q->nodes[q->count] = n;
  return q->count++;
}

static int make_expr(query_case *q, uint64_t *r, int depth) {
  if (depth == 0 || q->count > CASE_NODES - 12 || below(r, 4) == 0) {
    if (below(r, 3) == 0)
      return add(q, (node){'c', below(r, 2) ? below(r, 5) : below(r, 13) - 4, 0, 0});
    return add(q, (node){'s', below(r, q->symbols), 0, 0});
  }
  static const char OPS[] = "++--***//%%mMC";
  char op = OPS[below(r, sizeof OPS - 1)];
  int left = make_expr(q, r, depth - 1), right;
  if ((op == '/' || op == '%' || op == 'C') && below(r, 3)) {
    int d = below(r, 6) + 2;
    right = add(q, (node){'c', below(r, 6) ? d : -d, 0, 0});
  } else {
    right = make_expr(q, r, depth - 1);
  }
  return add(q, (node){op, 0, left, right});
}

static void make_case(query_case *q, uint64_t seed) {
  uint64_t state = seed * 0x2545f4914f6cdd1du, *r = &state;
  memset(q, 0, sizeof *q);
  q->symbols = 1 + below(r, CASE_SYMBOLS);
  int shape = below(r, 4);
  for (int i = 0; i < q->symbols; i++) {
    q->lo[i] = shape == 0 ? below(r, 9) - 5 : below(r, 3);
    q->hi[i] = q->lo[i] + below(r, 7);
    q->step[i] = below(r, 8) == 0 ? 2 + below(r, 3) : 1;
    q->open_hi[i] = below(r, 3) == 0;
    q->open_lo[i] = q->open_hi[i] && below(r, 4) == 0;
    if (q->open_hi[i]) q->hi[i] = q->lo[i] + CASE_WINDOW;
    if (q->open_lo[i]) q->lo[i] = -CASE_WINDOW;
  }
  q->assume = below(r, CASE_ASSUME);
  q->kind = below(r, 5);
  if (q->kind > 2) q->kind = 0;
  for (int i = 0; i <= q->assume; i++) {
    int depth = 1 + below(r, i == q->assume ? 3 : 2);
    q->rel[i] = below(r, 7);
    q->left[i] = make_expr(q, r, depth);
    q->right[i] =
        below(r, 2) ? make_expr(q, r, depth - 1) : add(q, (node){'c', below(r, 9) - 1, 0, 0});
  }
}

void case_make(query_case *q, uint64_t seed) {
  make_case(q, seed);
  uint64_t r = seed ^ 0x6a09e667f3bcc909u;
  for (int i = 0; i < q->symbols; i++) {
    int inner = q->hi[i] - q->lo[i] - 1;
    q->gap[i] = inner > 0 && below(&r, 6) == 0;
    if (!q->gap[i]) continue;
    q->gap_lo[i] = q->lo[i] + 1 + below(&r, inner);
    q->gap_hi[i] = q->gap_lo[i] + below(&r, q->hi[i] - q->gap_lo[i]);
  }
}

static const char *const RELS[] = {"==", "!=", "<", "<=", ">", ">=", "divisible"};

int case_print_expr(const query_case *q, int at, char *to) {
  const node *n = &q->nodes[at];
  char a[CASE_TEXT], b[CASE_TEXT];
  if (n->op == 'c') return sprintf(to, n->value < 0 ? "(%d)" : "%d", n->value);
  if (n->op == 's') return sprintf(to, "%c", 'a' + n->value);
  case_print_expr(q, n->left, a);
  case_print_expr(q, n->right, b);
  switch (n->op) {
  case '/': return snprintf(to, CASE_TEXT, "floordiv(%.1900s, %.1900s)", a, b);
  case '%': return snprintf(to, CASE_TEXT, "mod(%.1900s, %.1900s)", a, b);
  case 'C': return snprintf(to, CASE_TEXT, "ceildiv(%.1900s, %.1900s)", a, b);
  case 'm': return snprintf(to, CASE_TEXT, "min(%.1900s, %.1900s)", a, b);
  case 'M': return snprintf(to, CASE_TEXT, "max(%.1900s, %.1900s)", a, b);
  default: return snprintf(to, CASE_TEXT, "(%.1900s %c %.1900s)", a, n->op, b);
  }
}

void case_print_predicate(const query_case *q, int i, char *to) {
  char a[CASE_TEXT], b[CASE_TEXT];
  case_print_expr(q, q->left[i], a);
  case_print_expr(q, q->right[i], b);
  snprintf(to, 2 * CASE_TEXT,
           q->rel[i] == 6 ? "divisible(%.4000s, %s%.4000s)" : "%.4000s %s %.4000s", a,
           q->rel[i] == 6 ? "" : RELS[q->rel[i]], b);
}

void case_print(const query_case *q, bool backward, bool explain, unsigned only, char *line,
                size_t size) {
  char text[2 * CASE_TEXT];
  size_t n = (size_t)snprintf(line, size, "{\"id\": 1, %s\"symbols\": {",
                              explain ? "\"explain\": true, " : "");
  for (int k = 0; k < q->symbols; k++) {
    int i = backward ? q->symbols - 1 - k : k;
    char lo[16] = "null", hi[16] = "null";
    if (!q->open_lo[i]) snprintf(lo, sizeof lo, "%d", q->lo[i]);
    if (!q->open_hi[i]) snprintf(hi, sizeof hi, "%d", q->hi[i]);
    n += (size_t)snprintf(line + n, size - n,
                          "%s\"%c\": {\"min\": %s, \"max\": %s, \"multiple_of\": %d", k ? ", " : "",
                          'a' + i, lo, hi, q->step[i]);
    if (q->gap[i]) {
      n += (size_t)snprintf(line + n, size - n, ", \"ranges\": [[%s, %d], [%d, %s]]", lo,
                            q->gap_lo[i] - 1, q->gap_hi[i] + 1, hi);
    }
    n += (size_t)snprintf(line + n, size - n, "}");
  }
  n += (size_t)snprintf(line + n, size - n, "}, \"assume\": [");
  for (int k = 0, given = 0; k < q->assume; k++) {
    int i = backward ? q->assume - 1 - k : k;
    if (!(only >> i & 1)) continue;
    case_print_predicate(q, i, text);
    n += (size_t)snprintf(line + n, size - n, "%s\"%s\"", given++ ? ", " : "", text);
  }
  if (q->kind == 0) {
    case_print_predicate(q, q->assume, text);
  } else {
    case_print_expr(q, q->left[q->assume], text);
  }
  static const char *const KINDS[] = {"query", "bounds", "simplify"};
  snprintf(line + n, size - n, "], \"%s\": \"%s\"}", KINDS[q->kind], text);
}

// --- evaluating: false where a divisor is 0

long case_floor_div(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

bool case_eval(const query_case *q, int at, const int *env, long *out) {
  const node *n = &q->nodes[at];
  long a, b;
  if (n->op == 'c') return *out = n->value, true;
  if (n->op == 's') return *out = env[n->value], true;
  if (!case_eval(q, n->left, env, &a) || !case_eval(q, n->right, env, &b)) return false;
  switch (n->op) {
  case '+': *out = a + b; break;
  case '-': *out = a - b; break;
  case '*': *out = a * b; break;
  case 'm': *out = a < b ? a : b; break;
  case 'M': *out = a > b ? a : b; break;
  default:
    if (b == 0) return false;
    *out = n->op == 'C' ? -case_floor_div(-a, b) : case_floor_div(a, b);
    if (n->op == '%') *out = a - b * *out;
  }
  return true;
}

bool case_eval_predicate(const query_case *q, int i, const int *env, bool *out) {
  long a, b;
  if (!case_eval(q, q->left[i], env, &a) || !case_eval(q, q->right[i], env, &b)) return false;
  if (q->rel[i] == 6) {
    if (b == 0) return false;
    *out = a % b == 0;
    return true;
  }
  bool by_relation[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  *out = by_relation[q->rel[i]];
  return true;
}

truth case_enumerate(const query_case *q, unsigned only, int (*points)[CASE_SYMBOLS]) {
  truth t = {.complete = true};
  int env[CASE_SYMBOLS];
  for (int i = 0; i < q->symbols; i++) {
    env[i] = q->lo[i];
    if (q->open_lo[i] || q->open_hi[i]) t.complete = false;
  }
  for (;;) {
    bool ok = true, holds = false;
    for (int i = 0; i < q->symbols && ok; i++) {
      bool between = q->gap[i] && env[i] >= q->gap_lo[i] && env[i] <= q->gap_hi[i];
      ok = env[i] % q->step[i] == 0 && !between;
    }
    for (int i = 0; i < q->assume && ok; i++) {
      if (only >> i & 1) ok = case_eval_predicate(q, i, env, &holds) && holds;
    }
    if (ok) {
      t.any = true;
      long value;
      if (q->kind == 0) {
        if (case_eval_predicate(q, q->assume, env, &holds)) {
          t.any_true |= holds;
          t.any_false |= !holds;
        }
      } else if (case_eval(q, q->left[q->assume], env, &value)) {
        if (t.points == 0 || value < t.least) t.least = value;
        if (t.points == 0 || value > t.most) t.most = value;
        if (points) memcpy(points[t.points], env, sizeof env);
        t.points++;
      }
    }
    int k = 0;
    while (k < q->symbols && ++env[k] > q->hi[k]) {
      env[k] = q->lo[k];
      k++;
    }
    if (k == q->symbols) return t;
  }
}
