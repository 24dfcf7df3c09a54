// SPDX-License-Identifier: Apache-2.0
// Asks the decision procedure, has the checker confirm where that is wanted, and writes the reply.
#include <assert.h>
#include <string.h>

#include "solver/api/decide/request.h"
#include "solver/certify/check.h"
#include "solver/term/spell.h"

// --- writing

static void write_name(void *data, shape_strbuf *out, uint32_t symbol) {
  request *r = data;
  if (symbol < r->of.count) {
    term_print_name(out, r->of.items[symbol].name.data, r->of.items[symbol].name.length);
  } else {
    strbuf_printf(out, "_%u", symbol);
  }
}

static void write_point(request *r, const num *values) {
  const char *open = r->options->readable ? "" : "{", *is = r->options->readable ? " = " : ": ";
  assert(values);
  strbuf_puts(r->out, open);
  for (uint32_t i = 0; i < r->of.count; i++) {
    uint32_t at = r->of.order ? r->of.order[i] : i;
    assert(at < r->of.count);
    const text *name = &r->of.items[at].name;
    if (i) PUT(r->out, ", ");
    if (r->options->readable) {
      strbuf_add(r->out, name->data, name->length);
    } else {
      reply_string(r->out, name->data, name->length);
    }
    strbuf_puts(r->out, is);
    num_print(r->out, values[at]);
  }
  if (!r->options->readable) strbuf_putc(r->out, '}');
}

static void write_end(request *r, bool conflict) {
  if (conflict) {
    PUT(r->out, ", \"conflict\": true}\n");
  } else {
    PUT(r->out, ", \"conflict\": false}\n");
  }
}

static const char *reason_text(unknown_reason why) {
  static const char *const TEXTS[] = {[UNKNOWN_NOT] = "incomplete",
                                      [UNKNOWN_CONTINGENT] = "contingent",
                                      [UNKNOWN_BUDGET] = "budget",
                                      [UNKNOWN_INCOMPLETE] = "incomplete",
                                      [UNKNOWN_UNCONFIRMED] = "unconfirmed"};
  assert((size_t)why < sizeof TEXTS / sizeof *TEXTS && TEXTS[why]);
  return TEXTS[why];
}

void reply_predicate(request *r, shape_strbuf *to, predicate p) {
  static const char *const SIGNS[] = {"==", "!=", "<", "<=", ">", ">="};
  term_namer namer = {.symbol = write_name, .data = r};
  assert(p.rel == REL_DIVISIBLE || (size_t)p.rel < sizeof SIGNS / sizeof *SIGNS);
  if (p.rel == REL_DIVISIBLE) PUT(to, "mod(");
  term_print(&r->terms, to, p.left, &namer);
  if (p.rel == REL_DIVISIBLE) {
    PUT(to, ", ");
    term_print(&r->terms, to, p.right, &namer);
    PUT(to, ") == 0");
    return;
  }
  strbuf_printf(to, " %s ", SIGNS[p.rel]);
  term_print(&r->terms, to, p.right, &namer);
}

// Did the premises conflict because of the domain of the query only?
static bool own_conflict(request *r, query *q, uint32_t own) {
  assert(own <= q->premise_count);
  if (q->premise_count == own) return true;
  query part = *q;
  part.premise_count = own;
  return query_ask(&part, predicate_make(REL_EQ, TERM_ZERO, TERM_ZERO)).conflict || r->conflict;
}

static void write_conflict_readable(request *r, query *q, uint32_t own) {
  because b = because_of(r, q, own, NULL);
  strbuf_add(r->out, r->query.data, r->query.length);
  PUT(r->out, ": the assumptions contradict each other\n");
  because_write(r, &b, "  because ", NULL);
  r->outcome = DECIDE_REFUTED;
}

// --- the checker

// Counts a claim; false where it is not to be made.
static bool certified(request *r, check_result result) {
  decide_counts *counts = r->options->counts;
  if (counts) {
    counts->claims++;
    counts->confirmed += result == CHECK_CONFIRMED;
    counts->contradicted += result == CHECK_WRONG;
    assert(counts->confirmed + counts->contradicted <= counts->claims);
  }
  return result == CHECK_CONFIRMED;
}

// A conflict of the assumptions, without where the query is defined.
static check_result check_own_conflict(const request *r, const query *q, uint32_t own) {
  assert(own <= q->premise_count);
  query part = *q;
  part.premise_count = own;
  return r->conflict ? CHECK_CONFIRMED : check_conflict(&part, NULL);
}

// --- queries

static void write_query_readable(request *r, query *q, const query_result *result,
                                 const predicate *goal, const because *why) {
  shape_strbuf *out = r->out;
  strbuf_add(out, r->query.data, r->query.length);
  if (result->answer != SHAPE_UNKNOWN) {
    strbuf_puts(out, result->answer == SHAPE_YES ? ": true\n" : ": false\n");
    because_write(r, why, "  because ", NULL);
    return;
  }
  strbuf_printf(out, ": unknown (%s)\n", reason_text(result->reason));
  if (result->witness_true) {
    PUT(out, "  it holds at          ");
    write_point(r, result->witness_true);
    PUT(out, "\n");
  }
  if (result->witness_false) {
    PUT(out, "  it does not hold at  ");
    write_point(r, result->witness_false);
    PUT(out, "\n");
  }
  suggestions_write(r, q, goal);
}

static void write_query_json(request *r, query *q, const query_result *result,
                             const predicate *goal, const because *why) {
  reply_begin(r);
  if (result->conflict) {
    PUT(r->out, ", \"answer\": \"unknown\", \"reason\": \"conflict\"");
    because_write(r, why, "  because ", NULL);
  } else if (result->answer != SHAPE_UNKNOWN) {
    strbuf_puts(r->out,
                result->answer == SHAPE_YES ? ", \"answer\": \"true\"" : ", \"answer\": \"false\"");
    because_write(r, why, "  because ", NULL);
  } else {
    PUT(r->out, ", \"answer\": \"unknown\", \"reason\": \"");
    strbuf_puts(r->out, reason_text(result->reason));
    PUT(r->out, "\"");
    if (result->witness_true && result->witness_false) {
      PUT(r->out, ", \"witnesses\": {\"true\": ");
      write_point(r, result->witness_true);
      PUT(r->out, ", \"false\": ");
      write_point(r, result->witness_false);
      PUT(r->out, "}");
    }
    suggestions_write(r, q, goal);
  }
  write_end(r, result->conflict);
}

static void certify_query(request *r, query *q, uint32_t own, predicate goal,
                          query_result *result) {
  bool claims = result->conflict || result->answer != SHAPE_UNKNOWN ||
                (result->witness_true && result->witness_false);
  if (!claims) return;
  check_result c = result->conflict ? check_own_conflict(r, q, own) : check_answer(q, goal, result);
  if (!certified(r, c))
    *result = (query_result){.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_UNCONFIRMED};
}

void answer_query(request *r, query *q, uint32_t own, predicate goal) {
  assert(own <= q->premise_count);
  query_result result = {.answer = SHAPE_UNKNOWN, .conflict = r->conflict};
  if (!r->conflict) {
    result = query_ask(q, goal);
    check_debug_answer(q, goal, &result);
  }
  if (result.conflict && !r->conflict && !own_conflict(r, q, own)) {
    result = (query_result){.answer = SHAPE_YES};  // at no point of the domain
  }
  if (r->options->certify) certify_query(r, q, own, goal, &result);
  if (!result.conflict && result.answer == SHAPE_NO) r->outcome = DECIDE_REFUTED;
  if (!result.conflict && result.answer == SHAPE_UNKNOWN && result.reason == UNKNOWN_BUDGET)
    r->outcome = DECIDE_BUDGET;
  if (result.conflict && r->options->readable) {
    write_conflict_readable(r, q, own);
    return;
  }
  because why = {.found = false};
  if (result.conflict || result.answer != SHAPE_UNKNOWN)
    why = because_of(r, q, own, result.conflict ? NULL : &goal);
  if (r->options->readable) {
    write_query_readable(r, q, &result, &goal, &why);
  } else {
    write_query_json(r, q, &result, &goal, &why);
  }
}

// --- bounds

// Steps that are spent stay spent.
static bool is_spent(const request *r) { return budget_left(&r->budget) == 0; }

typedef struct bound_reply {
  interval range;
  bool conflict, unconfirmed, spent;
  bool low_attained, high_attained;  // under --certify: at a point that was evaluated
  because low, high;
} bound_reply;

static predicate low_claim(request *r, term_id t, const interval *range) {
  return predicate_make(REL_GE, t, term_const(&r->terms, range->lo));
}

static predicate high_claim(request *r, term_id t, const interval *range) {
  return predicate_make(REL_LE, t, term_const(&r->terms, range->hi));
}

// The procedure gives a point; the checker evaluates it.
static bool attained(request *r, query *q, term_id t, num value) {
  predicate there = predicate_make(REL_EQ, t, term_const(&r->terms, value));
  query_result found = query_ask(q, there);
  return check_attained(q, t, value, found.witness_true);
}

static void certify_bounds(request *r, query *q, uint32_t own, term_id t, bound_reply *b) {
  if (b->conflict) {
    b->conflict = certified(r, check_own_conflict(r, q, own));
    b->unconfirmed = !b->conflict;
    return;
  }
  if (b->range.has_lo) {
    b->range.has_lo = certified(r, check_implied(q, low_claim(r, t, &b->range), NULL));
    b->unconfirmed |= !b->range.has_lo;
    b->low_attained = b->range.has_lo && attained(r, q, t, b->range.lo);
  }
  if (b->range.has_hi) {
    b->range.has_hi = certified(r, check_implied(q, high_claim(r, t, &b->range), NULL));
    b->unconfirmed |= !b->range.has_hi;
    b->high_attained = b->range.has_hi && attained(r, q, t, b->range.hi);
  }
}

static void write_limit(request *r, bool known, num value, const char *otherwise) {
  if (known) {
    num_print(r->out, value);
  } else {
    strbuf_puts(r->out, otherwise);
  }
}

static void write_bounds_readable(request *r, const bound_reply *b) {
  strbuf_add(r->out, r->query.data, r->query.length);
  PUT(r->out, ": from ");
  write_limit(r, b->range.has_lo, b->range.lo, "-infinity");
  PUT(r->out, " to ");
  write_limit(r, b->range.has_hi, b->range.hi, "infinity");
  strbuf_puts(r->out, b->unconfirmed ? " (unconfirmed ends are left out)\n" : "\n");
  if (because_same(r, &b->low, &b->high)) {
    because_write(r, &b->low, "  because ", NULL);
    return;
  }
  because_write(r, &b->low, "  at least ", &b->range.lo);
  because_write(r, &b->high, "  at most ", &b->range.hi);
}

static void write_bounds_json(request *r, const bound_reply *b) {
  assert((!b->low_attained || b->range.has_lo) && (!b->high_attained || b->range.has_hi));
  reply_begin(r);
  PUT(r->out, ", \"min\": ");
  write_limit(r, b->range.has_lo, b->range.lo, "null");
  PUT(r->out, ", \"max\": ");
  write_limit(r, b->range.has_hi, b->range.hi, "null");
  if (b->unconfirmed) {
    PUT(r->out, ", \"reason\": \"unconfirmed\"");
  } else if (b->spent) {
    PUT(r->out, ", \"reason\": \"budget\"");
  }
  if (r->options->certify && !b->conflict) {
    strbuf_printf(r->out, ", \"attained\": {\"min\": %s, \"max\": %s}",
                  b->low_attained ? "true" : "false", b->high_attained ? "true" : "false");
  }
  if (b->conflict && b->low.found) because_write(r, &b->low, "  because ", NULL);
  if (!b->conflict && (b->low.found || b->high.found)) {
    PUT(r->out, ", \"because\": {");
    if (b->low.found) {
      PUT(r->out, "\"min\": ");
      because_list(r, &b->low);
    }
    if (b->low.found && b->high.found) PUT(r->out, ", ");
    if (b->high.found) {
      PUT(r->out, "\"max\": ");
      because_list(r, &b->high);
    }
    PUT(r->out, "}");
    if (b->low.whole || b->high.whole) PUT(r->out, ", \"reduced\": false");
  }
  write_end(r, b->conflict);
}

void answer_bounds(request *r, query *q, uint32_t own, term_id t) {
  bound_reply b = {.range = interval_all(), .conflict = r->conflict};
  bool possible = b.conflict || query_bounds(q, t, &b.range);
  b.spent = is_spent(r);
  if (!b.conflict) check_debug_bounds(q, t, possible, b.range);
  if (!possible) {
    b.conflict = own_conflict(r, q, own);
    b.range = interval_all();
  }
  if (r->options->certify) certify_bounds(r, q, own, t, &b);
  if (b.conflict && r->options->readable) {
    write_conflict_readable(r, q, own);
    return;
  }
  b.low.kept = b.high.kept = arena_zalloc(r->arena, r->given.count + 1u);
  predicate low = low_claim(r, t, &b.range), high = high_claim(r, t, &b.range);
  if (b.conflict) {
    b.low = because_of(r, q, own, NULL);
  } else {
    if (b.range.has_lo) b.low = because_of(r, q, own, &low);
    if (b.range.has_hi) b.high = because_of(r, q, own, &high);
  }
  if (r->options->readable) {
    write_bounds_readable(r, &b);
  } else {
    write_bounds_json(r, &b);
  }
}

// --- simplification

// The least text that is found for the answer, which is what was asked where nothing is smaller.
static void print_simple(request *r, query *q, shape_strbuf *to, const query_simple *found) {
  term_namer namer = {.symbol = write_name, .data = r};
  speller m = {.terms = &r->terms, .arena = r->arena};
  uint32_t size = spell_text_size(r->query.data, r->query.length);
  const term_spelling *smaller = query_spell(q, &m, found, size);
  if (smaller) {
    spell_print(&m, to, smaller, &namer);
  } else {
    strbuf_add(to, r->query.data, r->query.length);
  }
}

// The text of the reply is read back and compared with the query. False: it stays as it was asked.
static bool certify_form(request *r, query *q, term_id t, const shape_strbuf *form, reading *read) {
  bool reads = request_read(r, (text){form->data, form->length}, read);
  check_result c = CHECK_OPEN;
  if (reads) c = check_equal(q, t, read->t, read->divisors, read->divisor_count);
  return certified(r, c);
}

void answer_simplify(request *r, query *q, uint32_t own, term_id t) {
  bool conflict = r->conflict, confirmed = true;
  query_simple found = {.term = t};
  if (!conflict) {
    found = query_simplify(q, t, &(simplify_options){.spell = query_spellings});
    if (!found.conflict) check_debug_equal(q, t, found.term);
    conflict = found.conflict && own_conflict(r, q, own);
  }
  term_id simple = found.term;
  bool spent = !conflict && is_spent(r);
  shape_strbuf form;
  strbuf_init(&form, r->arena);
  if (spent) {
    strbuf_add(&form, r->query.data, r->query.length);
    simple = t;
    r->outcome = DECIDE_BUDGET;
  } else {
    print_simple(r, q, &form, &found);
  }
  reading read = {.t = TERM_NONE};
  if (r->options->certify) {
    if (conflict) conflict = confirmed = certified(r, check_own_conflict(r, q, own));
    if (!conflict && confirmed) confirmed = certify_form(r, q, t, &form, &read);
    if (!confirmed) {
      form.length = 0;
      strbuf_add(&form, r->query.data, r->query.length);
    }
  }
  because why = {.found = false};
  predicate equal = predicate_make(REL_EQ, t, simple);
  if (conflict) {
    why = because_of(r, q, own, NULL);
  } else if (confirmed && r->explain && request_read(r, (text){form.data, form.length}, &read)) {
    equal.right = read.t;
    why = because_of(r, q, own, &equal);
  }
  if (r->options->readable) {
    strbuf_add(r->out, r->query.data, r->query.length);
    PUT(r->out, ": ");
    strbuf_add(r->out, form.data, form.length);
    strbuf_puts(r->out, conflict     ? "\n  the assumptions contradict each other\n"
                        : !confirmed ? " (a simpler form is unconfirmed)\n"
                        : spent      ? " (the budget is spent)\n"
                                     : "\n");
    because_write(r, &why, "  because ", NULL);
    if (conflict) r->outcome = DECIDE_REFUTED;
    return;
  }
  reply_begin(r);
  PUT(r->out, ", \"simplified\": ");
  reply_string(r->out, form.data, form.length);
  if (!confirmed) {
    PUT(r->out, ", \"reason\": \"unconfirmed\"");
  } else if (spent) {
    PUT(r->out, ", \"reason\": \"budget\"");
  }
  because_write(r, &why, "  because ", NULL);
  write_end(r, conflict);
}
