// SPDX-License-Identifier: Apache-2.0
// Explanations of random queries: what `because` names is enough, and every member is needed. Each claim (true, false,
// conflict, each end of a bound, each simplification) is asked again under the assumptions that are named, where it must
// hold, and without each one of them, where it must no longer follow; where every symbol is bounded, enumeration must find a
// point that speaks against it. Of these, 2 in 1,000 may fail: the procedure is not complete, and what it misses of one
// text it may see in another. Each suggestion is assumed in turn, and the query must then be true.
//   PROPERTY_CASES  how many (default 4000; with CI=true 15000)   PROPERTY_SEED  the first seed (default 1)
// Prints how many explanations and members were tried; the last line is `N passed, N failed`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/api/decide/decide.h"
#include "tests/support/case_memory.h"
#include "tests/support/random_case.h"
#include "tests/support/volume.h"

enum { ALL = (1 << CASE_ASSUME) - 1, LINE = 8 * CASE_TEXT };

typedef struct tally {
  long passed, failed, claims, empty, whole, members, again, points, open, derived, suggestions;
} tally;

typedef struct asker {
  const query_case *c;
  shape_arena *scratch;
  shape_strbuf *out;
  tally *sum;
} asker;

// One thing that a reply claims: this text has this answer (true, false or conflict).
typedef struct claim {
  char text[4 * CASE_TEXT];
  char answer;  // t, f, c; u: unknown
  unsigned mask;
  bool is_bound, is_low;
  long bound;
} claim;

static const char *field(const char *reply, const char *name) {
  const char *at = strstr(reply, name);
  return at ? at + strlen(name) : NULL;
}

static const char *reply_to(asker *a, const char *line) {
  a->out->length = 0;
  decide_line(a->scratch, &(decide_options){.steps = 400000}, line, strlen(line), a->out);
  return strbuf_text(a->out);
}

static char answer_of(const char *reply) {
  if (strstr(reply, "\"conflict\": true")) return 'c';
  const char *answer = field(reply, "\"answer\": \"");
  return answer ? answer[0] : 'e';
}

// The answer to a text under some of the assumptions, and one more (or NULL).
static char ask(asker *a, unsigned mask, const char *more, const char *text) {
  char line[LINE], rest[LINE];
  case_print(a->c, false, false, mask, line, sizeof line);
  // The line ends in `], "query": "..."}`, or bounds or simplify: what follows the assumptions is made anew.
  char *end = line + strlen(line);
  while (end > line && memcmp(end, "], \"", 4) != 0) end--;
  bool first = end[-1] == '[';
  snprintf(rest, sizeof rest, "%s%s%s%s], \"query\": \"%s\"}", more && !first ? ", " : "",
           more ? "\"" : "", more ? more : "", more ? "\"" : "", text);
  snprintf(end, sizeof line - (size_t)(end - line), "%s", rest);
  return answer_of(reply_to(a, line));
}

// "[0, 2]" as a mask.
static unsigned read_mask(const char *list) {
  unsigned mask = 0;
  for (const char *c = list + 1; *c && *c != ']'; c++) {
    if (*c >= '0' && *c <= '9') mask |= 1u << (*c - '0');
  }
  return mask;
}

// Does a point under these assumptions speak against the claim? The enumeration is complete.
static bool has_counterexample(const asker *a, const claim *k, unsigned mask) {
  truth t = case_enumerate(a->c, mask, NULL);
  if (k->is_bound) return t.points && (k->is_low ? t.least < k->bound : t.most > k->bound);
  if (k->answer == 'c') return t.any;
  return k->answer == 't' ? t.any_false : t.any_true;
}

static bool is_complete(const query_case *c) {
  bool complete = true;
  for (int i = 0; i < c->symbols; i++) complete &= !c->open_lo[i] && !c->open_hi[i];
  return complete;
}

// Whatever is asked follows from a conflict; of bounds and simplifications it need not have been noticed.
static bool follows(asker *a, const claim *k, unsigned mask) {
  char answer = ask(a, mask, NULL, k->text);
  return answer == k->answer || (answer == 'c' && a->c->kind != 0);
}

// Now and then the checker derives a claim from less than the procedure needs. No point may contradict it then.
static bool is_enough(asker *a, const claim *k) {
  if (follows(a, k, k->mask)) return true;
  if (strstr(strbuf_text(a->out), "contingent")) return false;
  a->sum->derived++;
  return (a->c->kind == 2 && k->answer == 't') || !has_counterexample(a, k, k->mask);
}

static const char *try_claim(asker *a, const claim *k) {
  bool simplified = !k->is_bound && a->c->kind != 0 && k->answer != 'c';
  a->sum->claims++;
  a->sum->empty += k->mask == 0;
  if (!is_enough(a, k)) return "what is named is not enough";
  for (int i = 0; i < CASE_ASSUME; i++) {
    unsigned less = k->mask & ~(1u << i);
    if (less == k->mask) continue;
    a->sum->members++;
    // The same query in other surroundings: the procedure may see now what it did not see then.
    if (follows(a, k, less)) a->sum->again++;
    if (simplified || !is_complete(a->c)) continue;
    a->sum->points++;
    if (has_counterexample(a, k, less)) continue;
    // Without the member it follows, but the procedure does not know: it must not claim points then.
    a->sum->open++;
    ask(a, less, NULL, k->text);
    if (strstr(strbuf_text(a->out), "contingent")) return "witnesses for what is definite";
  }
  return NULL;
}

// --- replies

static const char *try_query(asker *a, const char *reply) {
  claim k = {.answer = answer_of(reply)};
  const char *because = field(reply, "\"because\": ");
  case_print_predicate(a->c, a->c->assume, k.text);
  if (k.answer == 'u') return NULL;
  if (!because) return "no reasons";
  k.mask = read_mask(because);
  return try_claim(a, &k);
}

static const char *try_bounds(asker *a, const char *reply) {
  const char *wrong = NULL;
  for (int high = 0; high < 2 && !wrong; high++) {
    const char *value = field(reply, high ? "\"max\": " : "\"min\": ");
    const char *because = field(reply, "\"because\": {");
    because = because ? field(because, high ? "\"max\": " : "\"min\": ") : NULL;
    if (!value || *value == 'n') continue;
    if (!because) return "no reasons";
    claim k = {.answer = 't', .is_bound = true, .is_low = !high};
    char expr[CASE_TEXT];
    k.bound = strtol(value, NULL, 10);
    k.mask = read_mask(because);
    case_print_expr(a->c, a->c->left[a->c->assume], expr);
    snprintf(k.text, sizeof k.text, "%s %s %ld", expr, high ? "<=" : ">=", k.bound);
    wrong = try_claim(a, &k);
  }
  return wrong;
}

static const char *try_simplified(asker *a, const char *reply) {
  claim k = {.answer = 't'};
  const char *form = field(reply, "\"simplified\": \""), *because = field(reply, "\"because\": ");
  char expr[CASE_TEXT];
  if (!form || !because) return "no reasons";
  k.mask = read_mask(because);
  case_print_expr(a->c, a->c->left[a->c->assume], expr);
  snprintf(k.text, sizeof k.text, "%s == %.*s", expr, (int)strcspn(form, "\""), form);
  return try_claim(a, &k);
}

static const char *try_conflict(asker *a, const char *reply) {
  claim k = {.answer = 'c', .text = "0 == 0"};
  const char *because = field(reply, "\"because\": ");
  // Ranges that hold no value need no assumption, and have no reasons.
  if (!because) return is_complete(a->c) && has_counterexample(a, &k, 0) ? "no reasons" : NULL;
  k.mask = read_mask(because);
  return try_claim(a, &k);
}

static const char *try_suggestions(asker *a, const char *reply) {
  char text[2 * CASE_TEXT], suggestion[CASE_TEXT];
  const char *at = field(reply, "\"suggestions\": [");
  case_print_predicate(a->c, a->c->assume, text);
  while (at && *at == '"') {
    snprintf(suggestion, sizeof suggestion, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
    at += strlen(suggestion) + 2;
    at += strspn(at, ", ");
    a->sum->suggestions++;
    if (strcmp(suggestion, text) == 0) return "the query is suggested";
    if (ask(a, ALL, suggestion, text) != 't') return "a suggestion does not settle the query";
  }
  return NULL;
}

// All assumptions are named, and it is said so.
static void sum_whole(asker *a) {
  a->sum->claims++;
  a->sum->whole++;
}

static void run_case(uint64_t seed, asker *a) {
  query_case c;
  char line[LINE], reply[LINE];
  case_make(&c, seed);
  a->c = &c;
  case_print(&c, false, true, ALL, line, sizeof line);
  snprintf(reply, sizeof reply, "%s", reply_to(a, line));
  const char *wrong = NULL;
  if (strstr(reply, "\"error\"")) {
    a->sum->passed++;  // a division by the constant 0
    return;
  }
  if (strstr(reply, "\"reduced\": false")) {
    sum_whole(a);
  } else if (answer_of(reply) == 'c') {
    wrong = try_conflict(a, reply);
  } else if (c.kind == 0) {
    wrong = try_query(a, reply);
    if (!wrong) wrong = try_suggestions(a, reply);
  } else if (c.kind == 1) {
    wrong = try_bounds(a, reply);
  } else {
    wrong = try_simplified(a, reply);
  }
  a->sum->passed += !wrong;
  a->sum->failed += wrong != NULL;
  if (wrong && a->sum->failed <= 10)
    printf("seed %llu: %s\n  %s\n  %s", (unsigned long long)seed, wrong, line, reply);
}

// More than 2 in 1,000, and more than chance makes of few.
static bool is_too_much(const char *what, long count, long of) {
  bool much = count > 2 && 500 * count > of;
  if (much) printf("too many are %s\n", what);
  return much;
}

int main(void) {
  volume v = volume_of(15000, 4000);
  case_memory memory;
  case_memory_open(&memory);
  tally sum = {0};
  asker a = {.scratch = &memory.scratch, .out = &memory.out, .sum = &sum};
  for (uint64_t i = 0; i < v.cases; i++) run_case(v.first + i, &a);
  printf(
      "explanations: %ld, %ld of them empty, %ld not reduced, %ld derived by the checker alone\n",
      sum.claims, sum.empty, sum.whole, sum.derived);
  printf(
      "members left out: %ld, found needless later: %ld; by enumeration too: %ld, needless: %ld\n",
      sum.members, sum.again, sum.points, sum.open);
  printf("suggestions: %ld\n", sum.suggestions);
  sum.failed += is_too_much("not reduced", sum.whole, sum.claims) +
                is_too_much("derived by the checker alone", sum.derived, sum.claims) +
                is_too_much("needless later", sum.again, sum.members) +
                is_too_much("needless by enumeration", sum.open, sum.points);
  case_memory_close(&memory);
  printf("%ld passed, %ld failed\n", sum.passed, sum.failed);
  return sum.failed != 0;
}
