// SPDX-License-Identifier: Apache-2.0
// Bounds of linear facts whose constants go up to 2^70, against z3: symbols with ranges and multiples, linear assumptions
// and a linear expression, all random. Each end that is given must be reached and not be passed, an end that is not given
// must be passed at 2^200, and a conflict must be one. An end that is right and not reached, where branching was given up, may
// be one in SELDOM.
//   PROPERTY_Z3_BOUNDS  how many (default 400; with CI=true 4000)   PROPERTY_SEED  the first seed (default 1)
// Without z3 nothing is compared. The last line is `N passed, N failed`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/api/decide/decide.h"
#include "tests/support/case_memory.h"
#include "tests/support/volume.h"

enum { SYMBOLS = 4, PARTS = 4, ASSUME = 5, TEXT = 4096, NUMBER = 48, AT_ONCE = 200, SELDOM = 5000 };

static const char HUGE_NUMBER[] =
    "1606938044258990275541962092341162602522202993782792835301376";  // 2^200

typedef struct linear {
  int count, k[PARTS], symbol[PARTS], rel;
  char c[NUMBER];
} linear;

typedef struct bound_case {
  int symbols, assume;
  char lo[SYMBOLS][NUMBER], hi[SYMBOLS][NUMBER];  // empty: none
  int step[SYMBOLS];
  linear rows[ASSUME], asked;
} bound_case;

static const char *const RELS[] = {"<=", ">=", "==", "<", ">"};

static uint64_t draw(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t x = *state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int below(uint64_t *state, int n) { return (int)(draw(state) % (uint64_t)n); }

static void print_number(__int128 value, char *out) {
  char digits[NUMBER];
  int at = 0;
  bool minus = value < 0;
  if (minus) value = -value;
  do digits[at++] = (char)('0' + (int)(value % 10));
  while ((value /= 10) != 0);
  if (minus) *out++ = '-';
  while (at) *out++ = digits[--at];
  *out = 0;
}

// Near 0, or near a power of two of either sign.
static __int128 constant(uint64_t *state) {
  int around = below(state, 41) - 20;
  if (below(state, 4) == 0) return around;
  __int128 power = (__int128)1 << (10 + below(state, 61));
  return (below(state, 2) ? power : -power) + around;
}

static linear make_linear(uint64_t *state, int symbols) {
  linear l = {.count = 1 + below(state, PARTS)};
  if (l.count > symbols) l.count = symbols;
  int first = below(state, symbols);
  for (int i = 0; i < l.count; i++) {
    int k = below(state, 3) ? 1 : 1 + below(state, 7);
    l.symbol[i] = (first + i) % symbols;
    l.k[i] = below(state, 2) ? k : -k;
  }
  // Mostly of a kind that the origin satisfies, so that most cases have a solution.
  int rel = below(state, 12);
  l.rel = rel < 5 ? 0 : rel < 9 ? 1 : rel - 7;
  __int128 c = constant(state);
  if (below(state, 8) && ((l.rel == 0 && c < 0) || (l.rel == 1 && c > 0))) c = -c;
  print_number(c, l.c);
  return l;
}

static bound_case make_case(uint64_t seed) {
  uint64_t state = seed * 0x2545f4914f6cdd1du;
  bound_case q = {.symbols = 1 + below(&state, SYMBOLS), .assume = below(&state, ASSUME + 1)};
  for (int i = 0; i < q.symbols; i++) {
    __int128 lo = below(&state, 2) ? 0 : constant(&state), wide = constant(&state);
    if (below(&state, 3)) print_number(lo, q.lo[i]);
    if (below(&state, 3) == 0) print_number(lo + (wide < 0 ? -wide : wide), q.hi[i]);
    q.step[i] = below(&state, 4) ? 1 : 2 + below(&state, 11);
  }
  for (int i = 0; i < q.assume; i++) q.rows[i] = make_linear(&state, q.symbols);
  q.asked = make_linear(&state, q.symbols);
  return q;
}

// --- as a request

static char *put_linear(const linear *l, char *to) {
  for (int i = 0; i < l->count; i++)
    to += sprintf(to, "%s%d*%c", i ? " + " : "", l->k[i], 'a' + l->symbol[i]);
  return to;
}

static void print_request(const bound_case *q, char *to) {
  to += sprintf(to, "{\"symbols\": {");
  for (int i = 0; i < q->symbols; i++) {
    to +=
        sprintf(to, "%s\"%c\": {\"min\": %s, \"max\": %s, \"multiple_of\": %d}", i ? ", " : "",
                'a' + i, *q->lo[i] ? q->lo[i] : "null", *q->hi[i] ? q->hi[i] : "null", q->step[i]);
  }
  to += sprintf(to, "}, \"assume\": [");
  for (int i = 0; i < q->assume; i++) {
    to += sprintf(to, "%s\"", i ? ", " : "");
    to = put_linear(&q->rows[i], to);
    to += sprintf(to, " %s %s\"", RELS[q->rows[i].rel], q->rows[i].c);
  }
  to += sprintf(to, "], \"bounds\": \"");
  to = put_linear(&q->asked, to);
  sprintf(to, "\"}");
}

// --- as a script

static void smt_number(const char *number, FILE *to) {
  fprintf(to, *number == '-' ? "(- %s)" : "%s", *number == '-' ? number + 1 : number);
}

static void smt_linear(const linear *l, FILE *to) {
  fputs("(+ 0", to);
  for (int i = 0; i < l->count; i++)
    fprintf(to, l->k[i] < 0 ? " (* (- %d) %c)" : " (* %d %c)", abs(l->k[i]), 'a' + l->symbol[i]);
  fputc(')', to);
}

static void smt_assert(const char *rel, const linear *l, const char *number, FILE *to) {
  fprintf(to, "(assert (%s ", strcmp(rel, "==") ? rel : "=");
  smt_linear(l, to);
  fputc(' ', to);
  smt_number(number, to);
  fputs("))\n", to);
}

static void smt_premises(const bound_case *q, FILE *to) {
  for (int i = 0; i < q->symbols; i++) {
    linear one = {.count = 1, .k = {1}, .symbol = {i}};
    fprintf(to, "(declare-const %c Int)\n", 'a' + i);
    if (*q->lo[i]) smt_assert(">=", &one, q->lo[i], to);
    if (*q->hi[i]) smt_assert("<=", &one, q->hi[i], to);
    if (q->step[i] > 1) fprintf(to, "(assert (= 0 (mod %c %d)))\n", 'a' + i, q->step[i]);
  }
  for (int i = 0; i < q->assume; i++)
    smt_assert(RELS[q->rows[i].rel], &q->rows[i], q->rows[i].c, to);
}

// What z3 must say of a case, in order.
typedef struct claim {
  uint64_t seed;
  bool sat, loose;  // loose: otherwise the bound is right, and not tight
} claim;

typedef struct run {
  claim claims[AT_ONCE * 4];
  int count;
  long agreed, unknown, wrong, loose, cases, conflicts, open;
} run;

static void smt_claim(run *r, uint64_t seed, const linear *l, const char *rel, const char *number,
                      bool sat, bool loose, FILE *to) {
  fputs("(push)\n", to);
  smt_assert(rel, l, number, to);
  fputs("(check-sat)\n(pop)\n", to);
  r->claims[r->count++] = (claim){seed, sat, loose};
}

static void smt_end(run *r, uint64_t seed, const bound_case *q, const char *reply, bool low,
                    FILE *to) {
  const char *at = strstr(reply, low ? "\"min\": " : "\"max\": ");
  char number[TEXT];
  size_t length = 0;
  if (!at) return;
  at += 7;
  if (*at == 'n') {
    sprintf(number, "%s%s", low ? "-" : "", HUGE_NUMBER);
    smt_claim(r, seed, &q->asked, low ? "<=" : ">=", number, true, true, to);
    r->open++;
    return;
  }
  while (at[length] == '-' || (at[length] >= '0' && at[length] <= '9')) {
    number[length] = at[length];
    length++;
  }
  number[length] = 0;
  smt_claim(r, seed, &q->asked, low ? "<" : ">", number, false, false, to);
  smt_claim(r, seed, &q->asked, "==", number, true, true, to);
}

static void answer(uint64_t seed, shape_arena *scratch, shape_strbuf *out, char *line) {
  bound_case q = make_case(seed);
  print_request(&q, line);
  out->length = 0;
  decide_line(scratch, &(decide_options){.steps = 400000}, line, strlen(line), out);
}

static void compare(run *r, FILE *from, shape_arena *scratch, shape_strbuf *out) {
  char verdict[64], line[TEXT];
  for (int i = 0; i < r->count && fgets(verdict, sizeof verdict, from);) {
    bool sat = strncmp(verdict, "sat", 3) == 0, unsat = strncmp(verdict, "uns", 3) == 0;
    if (!sat && !unsat && strncmp(verdict, "unk", 3) && strncmp(verdict, "tim", 3)) continue;
    claim c = r->claims[i++];
    if (!sat && !unsat) {
      r->unknown++;
    } else if (sat == c.sat) {
      r->agreed++;
    } else if ((c.loose ? r->loose++ : r->wrong++) < 20) {
      answer(c.seed, scratch, out, line);
      printf("seed %llu: %s\n  %s\n  %s", (unsigned long long)c.seed,
             c.loose ? "the bound is not reached" : "z3 has a point beyond", line,
             strbuf_text(out));
    }
  }
}

static bool run_some(run *r, uint64_t first, uint64_t count, shape_arena *scratch,
                     shape_strbuf *out) {
  char path[] = "bounds_property.XXXXXX", command[128], line[TEXT];
  int descriptor = mkstemp(path);
  FILE *to = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!to) return false;
  r->count = 0;
  for (uint64_t i = 0; i < count; i++) {
    bound_case q = make_case(first + i);
    answer(first + i, scratch, out, line);
    const char *reply = strbuf_text(out);
    fputs("(push)\n", to);
    smt_premises(&q, to);
    bool conflict = strstr(reply, "\"conflict\": true") != NULL;
    r->conflicts += conflict;
    if (conflict) {
      linear nothing = {.count = 0};
      smt_claim(r, first + i, &nothing, "==", "0", false, false, to);
    } else {
      smt_end(r, first + i, &q, reply, true, to);
      smt_end(r, first + i, &q, reply, false, to);
    }
    fputs("(pop)\n", to);
  }
  fclose(to);
  snprintf(command, sizeof command, "z3 -t:2000 %s 2>/dev/null", path);
  FILE *from = popen(command, "r");
  if (from) {
    compare(r, from, scratch, out);
    pclose(from);
  }
  remove(path);
  r->cases += (long)count;
  return from != NULL;
}

int main(void) {
  uint64_t cases = volume_setting("PROPERTY_Z3_BOUNDS", volume_is_ci() ? 4000 : 400),
           first = volume_setting("PROPERTY_SEED", 1);
  if (system("z3 --version >/dev/null 2>&1") != 0) {
    printf("there is no z3\n0 passed, 0 failed\n");
    return 0;
  }
  case_memory memory;
  case_memory_open(&memory);
  static run r;
  bool ok = true;
  for (uint64_t i = 0; i < cases && ok; i += AT_ONCE)
    ok = run_some(&r, first + i, cases - i < AT_ONCE ? cases - i : AT_ONCE, &memory.scratch,
                  &memory.out);
  case_memory_close(&memory);
  printf("z3: %ld cases, %ld of them conflicts, %ld sides without an end; %ld answers agree, %ld "
         "unknown\n",
         r.cases, r.conflicts, r.open, r.agreed, r.unknown);
  long failed = r.wrong + (r.loose > 1 + r.cases / SELDOM ? r.loose : 0) + !ok;
  printf("%ld passed, %ld failed\n", r.agreed, failed);
  return failed != 0;
}
