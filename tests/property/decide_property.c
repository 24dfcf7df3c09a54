// SPDX-License-Identifier: Apache-2.0
// Random queries against exhaustive enumeration: symbols with small ranges, assumptions and a query as text, answered
// through decide_line and checked by an evaluator of its own over trees of its own. Where every symbol is bounded the
// enumeration is the truth; otherwise it is a window, and only what an answer claims is checked.
// Each is asked again with symbols and assumptions in the other order, which must not change the answer.
//   PROPERTY_CASES  how many (default 20000; with CI=true 200000)   PROPERTY_SEED  the first seed (default 1)
//   PROPERTY_Z3  how many queries for z3, where it is installed, 100 ms a check (default 0; with CI=true 2000)
// Prints the share of definite truths that were decided; the last line is `N passed, N failed`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/api/decide/decide.h"
#include "tests/support/case_memory.h"
#include "tests/support/random_case.h"
#include "tests/support/volume.h"

enum { ALL = (1 << CASE_ASSUME) - 1 };

// --- the simplified text, read by a parser of the test's own

typedef struct reader {
  const char *at;
  const int *env;
  bool undefined, failed;
} reader;

static long read_sum(reader *r);

static void skip(reader *r) {
  while (*r->at == ' ') r->at++;
}

static long read_call(reader *r, const char *name, size_t length) {
  long x = read_sum(r);
  skip(r);
  while (*r->at == ',') {
    r->at++;
    long y = read_sum(r);
    skip(r);
    if (length == 3 && memcmp(name, "min", 3) == 0) {
      x = x < y ? x : y;
    } else if (length == 3 && memcmp(name, "max", 3) == 0) {
      x = x > y ? x : y;
    } else if (y == 0) {
      r->undefined = true;
    } else if (length == 8) {
      x = case_floor_div(x, y);
    } else if (length == 7) {
      x = -case_floor_div(-x, y);
    } else {
      x = x - y * case_floor_div(x, y);
    }
  }
  if (*r->at++ != ')') r->failed = true;
  return x;
}

static long read_factor(reader *r) {
  skip(r);
  if (*r->at == '-') {
    r->at++;
    return -read_factor(r);
  }
  if (*r->at == '(') {
    r->at++;
    long x = read_sum(r);
    skip(r);
    if (*r->at++ != ')') r->failed = true;
    return x;
  }
  if (*r->at >= '0' && *r->at <= '9') return strtol(r->at, (char **)&r->at, 10);
  const char *name = r->at;
  while (*r->at >= 'a' && *r->at <= 'z') r->at++;
  size_t length = (size_t)(r->at - name);
  if (*r->at == '(' && length >= 3) {
    r->at++;
    return read_call(r, name, length);
  }
  if (length != 1 || *name > 'c') {
    r->failed = true;
    return 0;
  }
  return r->env[*name - 'a'];
}

static long read_product(reader *r) {
  long x = read_factor(r);
  for (skip(r); *r->at == '*' && !r->failed; skip(r)) {
    r->at++;
    x *= read_factor(r);
  }
  return x;
}

static long read_sum(reader *r) {
  long x = read_product(r);
  for (skip(r); (*r->at == '+' || *r->at == '-') && !r->failed; skip(r)) {
    bool plus = *r->at++ == '+';
    long y = read_product(r);
    x = plus ? x + y : x - y;
  }
  return x;
}

// --- checking

typedef struct tally {
  long passed, failed, definite, decided, tight, bounds, turned;
} tally;

static const char *field(const char *reply, const char *name) {
  const char *at = strstr(reply, name);
  return at ? at + strlen(name) : NULL;
}

static const char *check_query(const truth *t, const char *reply, tally *sum) {
  const char *answer = field(reply, "\"answer\": \"");
  if (!answer) return "no answer";
  bool definite = t->complete && (t->any_true || t->any_false) && !(t->any_true && t->any_false);
  sum->definite += definite;
  sum->decided += definite && answer[0] != 'u';
  if (answer[0] == 't' && t->any_false) return "answered true, and it is false at a point";
  if (answer[0] == 'f' && t->any_true) return "answered false, and it is true at a point";
  if (strstr(reply, "contingent") && definite) return "witnesses for what is definite";
  return NULL;
}

static const char *check_bounds(const truth *t, const char *reply, tally *sum) {
  const char *min = field(reply, "\"min\": "), *max = field(reply, "\"max\": ");
  if (!min || !max) return "no bounds";
  if (t->points && t->complete) {
    sum->bounds++;
    sum->tight += min[0] != 'n' && max[0] != 'n' && strtol(min, NULL, 10) == t->least &&
                  strtol(max, NULL, 10) == t->most;
  }
  if (t->points && min[0] != 'n' && strtol(min, NULL, 10) > t->least)
    return "the minimum is too large";
  if (t->points && max[0] != 'n' && strtol(max, NULL, 10) < t->most)
    return "the maximum is too small";
  return NULL;
}

static const char *check_simplified(const query_case *q, const truth *t,
                                    int (*points)[CASE_SYMBOLS], const char *reply) {
  const char *text = field(reply, "\"simplified\": \"");
  if (!text) return "nothing simplified";
  for (int i = 0; i < t->points; i++) {
    long want;
    case_eval(q, q->left[q->assume], points[i], &want);
    reader r = {text, points[i], false, false};
    long have = read_sum(&r);
    if (r.failed || *r.at != '"') return "the simplified text cannot be read";
    if (r.undefined || have != want) return "simplified to another value";
  }
  return NULL;
}

static bool constant_division(const char *reply) {
  return strstr(reply, "\"error\"") && strstr(reply, "SYNTAX");
}

// The part of a reply that no order of the assumptions may change; witnesses may differ.
static size_t answer_length(const char *reply) {
  const char *end = strstr(reply, ", \"witnesses\"");
  return end ? (size_t)(end - reply) : strlen(reply);
}

static bool same_backward(const query_case *q, const char *reply, shape_arena *scratch,
                          shape_strbuf *out) {
  char line[8 * CASE_TEXT];
  case_print(q, true, false, ALL, line, sizeof line);
  out->length = 0;
  decide_line(scratch, &(decide_options){.steps = 400000}, line, strlen(line), out);
  const char *other = strbuf_text(out);
  size_t length = answer_length(reply);
  return length == answer_length(other) && memcmp(reply, other, length) == 0;
}

static void run_case(uint64_t seed, shape_arena *scratch, shape_strbuf *out, tally *sum) {
  query_case q;
  char line[8 * CASE_TEXT];
  int points[CASE_POINTS][CASE_SYMBOLS];
  case_make(&q, seed);
  case_print(&q, false, false, ALL, line, sizeof line);
  truth t = case_enumerate(&q, ALL, points);
  out->length = 0;
  decide_line(scratch, &(decide_options){.steps = 400000}, line, strlen(line), out);
  const char *reply = strbuf_text(out), *wrong = NULL;
  bool conflict = strstr(reply, "\"conflict\": true") != NULL;
  if (constant_division(reply)) {
    sum->passed++;
    return;
  }
  if (conflict) {
    wrong = t.any ? "claims a conflict, and there is a solution" : NULL;
  } else if (q.kind == 0) {
    wrong = check_query(&t, reply, sum);
  } else if (q.kind == 1) {
    wrong = check_bounds(&t, reply, sum);
  } else {
    wrong = check_simplified(&q, &t, points, reply);
  }
  if (!wrong && (q.assume > 1 || q.symbols > 1)) {
    char first[CASE_TEXT];
    snprintf(first, sizeof first, "%s", reply);
    if (!same_backward(&q, first, scratch, out)) wrong = "the order moved the answer";
    sum->turned++;
    reply = strbuf_text(out);
  }
  sum->passed += !wrong;
  sum->failed += wrong != NULL;
  if (wrong && sum->failed <= 10)
    printf("seed %llu: %s\n  %s\n  %s", (unsigned long long)seed, wrong, line, reply);
}

// --- against z3

// Division by 0 is outside the domain: each divisor gets an assertion of its own.
static void smt_expr(const query_case *q, int at, FILE *to) {
  const node *n = &q->nodes[at];
  if (n->op == 'c') {
    fprintf(to, n->value < 0 ? "(- %d)" : "%d", abs(n->value));
    return;
  }
  if (n->op == 's') {
    fprintf(to, "%c", 'a' + n->value);
    return;
  }
  static const char *const NAMES[] = {"fdiv", "fmod", "cdiv", "imin", "imax"};
  const char *special = strchr("/%CmM", n->op);
  if (special) {
    fprintf(to, "(%s ", NAMES[special - strchr("/%CmM", '/')]);
  } else {
    fprintf(to, "(%c ", n->op);
  }
  smt_expr(q, n->left, to);
  fputc(' ', to);
  smt_expr(q, n->right, to);
  fputc(')', to);
}

static void smt_domain(const query_case *q, int at, FILE *to) {
  const node *n = &q->nodes[at];
  if (n->op == 'c' || n->op == 's') return;
  smt_domain(q, n->left, to);
  smt_domain(q, n->right, to);
  if (!strchr("/%C", n->op)) return;
  fputs("(assert (distinct 0 ", to);
  smt_expr(q, n->right, to);
  fputs("))\n", to);
}

static void smt_predicate(const query_case *q, int i, const char *wrap, FILE *to) {
  static const char *const OPS[] = {"=", "distinct", "<", "<=", ">", ">=", "="};
  smt_domain(q, q->left[i], to);
  smt_domain(q, q->right[i], to);
  if (q->rel[i] == 6) {
    fputs("(assert (distinct 0 ", to);
    smt_expr(q, q->right[i], to);
    fputs("))\n", to);
  }
  fprintf(to, "(assert (%s (%s ", wrap, OPS[q->rel[i]]);
  if (q->rel[i] == 6) fputs("0 (fmod ", to);
  smt_expr(q, q->left[i], to);
  fputc(' ', to);
  smt_expr(q, q->right[i], to);
  fputs(q->rel[i] == 6 ? "))))\n" : ")))\n", to);
}

static void smt_case(const query_case *q, FILE *to) {
  fputs("(push)\n", to);
  for (int i = 0; i < q->symbols; i++) {
    fprintf(to, "(declare-const %c Int)\n", 'a' + i);
    if (!q->open_lo[i]) fprintf(to, "(assert (>= %c (- %d)))\n", 'a' + i, -q->lo[i]);
    if (!q->open_hi[i]) fprintf(to, "(assert (<= %c (- %d)))\n", 'a' + i, -q->hi[i]);
    if (q->gap[i])
      fprintf(to, "(assert (or (< %c (- %d)) (> %c (- %d))))\n", 'a' + i, -q->gap_lo[i], 'a' + i,
              -q->gap_hi[i]);
    if (q->step[i] > 1) fprintf(to, "(assert (= 0 (mod %c %d)))\n", 'a' + i, q->step[i]);
  }
  for (int i = 0; i < q->assume; i++) smt_predicate(q, i, "and", to);
  fputs("(check-sat)\n(push)\n", to);
  smt_predicate(q, q->assume, "not", to);
  fputs("(check-sat)\n(pop)\n(push)\n", to);
  smt_predicate(q, q->assume, "and", to);
  fputs("(check-sat)\n(pop)\n(pop)\n", to);
}

static const char SMT_PRELUDE[] =
    "(define-fun fdiv ((x Int) (y Int)) Int (ite (> y 0) (div x y) (div (- x) (- y))))\n"
    "(define-fun fmod ((x Int) (y Int)) Int (- x (* y (fdiv x y))))\n"
    "(define-fun cdiv ((x Int) (y Int)) Int (- (fdiv (- x) y)))\n"
    "(define-fun imin ((x Int) (y Int)) Int (ite (< x y) x y))\n"
    "(define-fun imax ((x Int) (y Int)) Int (ite (> x y) x y))\n";

// Reads z3's three verdicts for each query and compares them with the answers.
static void compare(FILE *from, uint64_t first, uint64_t cases, shape_arena *scratch,
                    shape_strbuf *out, tally *sum) {
  long proven = 0, ours = 0, compared = 0;
  for (uint64_t i = 0; cases > 0; i++) {
    query_case q;
    char line[8 * CASE_TEXT], verdict[3][64];
    case_make(&q, first + i);
    if (q.kind != 0) continue;
    cases--;
    for (int k = 0; k < 3; k++) {
      do {
        if (!fgets(verdict[k], sizeof verdict[k], from)) goto cleanup;
      } while (strncmp(verdict[k], "sat", 3) && strncmp(verdict[k], "uns", 3) &&
               strncmp(verdict[k], "unk", 3) && strncmp(verdict[k], "tim", 3));
    }
    case_print(&q, false, false, ALL, line, sizeof line);
    out->length = 0;
    decide_line(scratch, &(decide_options){.steps = 400000}, line, strlen(line), out);
    const char *reply = strbuf_text(out), *answer = field(reply, "\"answer\": \"");
    if (!answer) continue;
    bool conflict = strstr(reply, "\"conflict\": true") != NULL;
    int against = conflict ? 0 : answer[0] == 't' ? 1 : answer[0] == 'f' ? 2 : -1;
    bool wrong = against >= 0 && strncmp(verdict[against], "sat", 3) == 0;
    bool definite = !strncmp(verdict[0], "sat", 3) &&
                    (!strncmp(verdict[1], "uns", 3) != !strncmp(verdict[2], "uns", 3));
    proven += definite;
    ours += definite && answer[0] != 'u';
    compared++;
    sum->passed += !wrong;
    sum->failed += wrong;
    if (wrong)
      printf("seed %llu: z3 has a point\n  %s\n  %s", (unsigned long long)(first + i), line, reply);
  }
cleanup:
  printf("z3: %ld queries compared, %ld definite ones proven by it, %ld of them decided\n",
         compared, proven, ours);
}

static void run_z3(uint64_t first, uint64_t cases, shape_arena *scratch, shape_strbuf *out,
                   tally *sum) {
  char path[] = "decide_property.XXXXXX", command[128];
  int descriptor = mkstemp(path);
  FILE *to = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!to) return;
  fputs(SMT_PRELUDE, to);
  uint64_t left = cases;
  for (uint64_t i = 0; left > 0; i++) {
    query_case q;
    case_make(&q, first + i);
    if (q.kind != 0) continue;
    smt_case(&q, to);
    left--;
  }
  fclose(to);
  snprintf(command, sizeof command, "z3 -t:100 %s 2>/dev/null", path);
  FILE *from = popen(command, "r");
  if (from) {
    compare(from, first, cases, scratch, out, sum);
    pclose(from);
  }
  remove(path);
}

int main(void) {
  volume v = volume_of(200000, 20000);
  case_memory memory;
  case_memory_open(&memory);
  tally sum = {0};
  for (uint64_t i = 0; i < v.cases; i++) run_case(v.first + i, &memory.scratch, &memory.out, &sum);
  printf("definite queries decided: %ld of %ld; bounds tight: %ld of %ld; asked again in "
         "another order: %ld\n",
         sum.decided, sum.definite, sum.tight, sum.bounds, sum.turned);
  uint64_t queries = volume_setting("PROPERTY_Z3", v.ci ? 2000 : 0);
  if (queries) run_z3(v.first, queries, &memory.scratch, &memory.out, &sum);
  case_memory_close(&memory);
  printf("%ld passed, %ld failed\n", sum.passed, sum.failed);
  return sum.failed != 0;
}
