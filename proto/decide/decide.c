// SPDX-License-Identifier: Apache-2.0
#include "proto/decide/decide.h"

#include <string.h>

#include "proto/decide/scan.h"
#include "solver/base/intern.h"
#include "solver/store/check.h"
#include "solver/store/suggest.h"
#include "solver/store/query.h"
#include "solver/term/parse.h"
#include "solver/term/print.h"

enum { DEFAULT_STEPS = 2000000, HASHED_NAMES = 12 };

typedef enum question_kind { ASK_NOTHING, ASK_QUERY, ASK_SIMPLIFY, ASK_BOUNDS } question_kind;

typedef struct declared {
  text name;
  interval range;
  num multiple_of;
  bool empty;  // no value at all
} declared;

typedef struct request {
  shape_arena *arena;
  shape_budget budget;
  term_table terms;
  scanner scan;
  text id;
  bool has_symbols, has_assume, explain;
  declared *symbols;
  uint32_t symbol_count, symbol_capacity;
  uint32_t *place;     // by order of declaration: where the symbol stands in `symbols`; NULL: there
  shape_intern names;  // ids are indices of symbols; only when there are many
  text *assume;
  uint32_t assume_count, assume_capacity;
  question_kind kind;
  text question;
  // the query
  query_symbol *query_symbols;
  predicate *premises;
  uint32_t premise_count, premise_capacity;
  uint32_t *premise_of;  // by premise: the index of the assumption, or UINT32_MAX; only to explain
  uint32_t premise_of_capacity;
  bool conflict;
  bool asked;         // the question was read without mistakes
  const char *field;  // of an error
  uint32_t field_index;
  const decide_options *options;
  const char *line;
  size_t line_length;
  shape_strbuf *out;
  decide_outcome outcome;
} request;

// --- writing

static void put_string(shape_strbuf *out, const char *data, size_t length) {
  strbuf_putc(out, '"');
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)data[i];
    if (c == '"' || c == '\\') {
      strbuf_putc(out, '\\');
      strbuf_putc(out, (char)c);
    } else if (c < 0x20) {
      strbuf_printf(out, "\\u%04x", c);
    } else {
      strbuf_putc(out, (char)c);
    }
  }
  strbuf_putc(out, '"');
}

#define PUT(out, literal) strbuf_add(out, literal, sizeof(literal) - 1)

static void begin_reply(request *r) {
  PUT(r->out, "{\"id\": ");
  if (r->id.data) {
    strbuf_add(r->out, r->id.data, r->id.length);
  } else {
    PUT(r->out, "null");
  }
}

static void reply_error(request *r, const char *code, const char *message, const char *field,
                        size_t at) {
  r->outcome = DECIDE_ERROR;
  if (r->options->readable) {
    strbuf_printf(r->out, "error: %s", message);
    if (field) strbuf_printf(r->out, ", in %s", field);
    if (at != SIZE_MAX) strbuf_printf(r->out, " at byte %zu", at);
    PUT(r->out, "\n");
    return;
  }
  begin_reply(r);
  strbuf_printf(r->out, ", \"error\": {\"code\": \"%s\", \"message\": ", code);
  put_string(r->out, message, strlen(message));
  if (field) strbuf_printf(r->out, ", \"field\": \"%s\"", field);
  if (at != SIZE_MAX) strbuf_printf(r->out, ", \"at\": %zu", at);
  PUT(r->out, "}}\n");
}

// --- reading

static bool read_bound(request *r, num *out, bool *present) {
  scanner *s = &r->scan;
  text raw;
  char c = scan_peek(s);
  *present = true;
  if (c == '"') {
    if (!scan_string(s, &raw)) return false;
  } else if (c == '-' || (c >= '0' && c <= '9')) {
    if (!scan_number(s, &raw)) return false;
  } else if (scan_skip(s, &raw) && TEXT_IS(raw, "null")) {
    *present = false;
    return true;
  } else {
    return scan_fail(s, "expected an integer or null");
  }
  return num_parse(&r->budget, raw.data, raw.length, out) || scan_fail(s, "expected an integer");
}

static bool read_symbol(request *r, text name) {
  scanner *s = &r->scan;
  for (uint32_t i = 0; r->symbol_count <= HASHED_NAMES && i < r->symbol_count; i++) {
    if (text_is(name, r->symbols[i].name.data, r->symbols[i].name.length))
      return scan_fail(s, "a symbol stands twice");
  }
  r->symbols = arena_grow(r->arena, r->symbols, r->symbol_count, (size_t)r->symbol_count + 1,
                          &r->symbol_capacity, sizeof *r->symbols);
  declared *d = &r->symbols[r->symbol_count];
  *d = (declared){.name = name, .range = interval_all(), .multiple_of = NUM(1)};
  if (!scan_open(s, '{')) return false;
  bool first = true, present;
  text key, ignored;
  while (scan_member(s, &first, &key)) {
    if (TEXT_IS(key, "min")) {
      if (!read_bound(r, &d->range.lo, &d->range.has_lo)) return false;
    } else if (TEXT_IS(key, "max")) {
      if (!read_bound(r, &d->range.hi, &d->range.has_hi)) return false;
    } else if (TEXT_IS(key, "multiple_of")) {
      if (!read_bound(r, &d->multiple_of, &present)) return false;
      if (!present) d->multiple_of = NUM(1);
      if (num_sign(d->multiple_of) <= 0) return scan_fail(s, "multiple_of must be at least 1");
    } else if (!scan_skip(s, &ignored)) {
      return false;
    }
  }
  if (s->error) return false;
  r->symbol_count++;
  return true;
}

static bool read_assume(request *r) {
  scanner *s = &r->scan;
  if (!scan_open(s, '[')) return false;
  bool first = true;
  while (scan_item(s, &first)) {
    r->assume = arena_grow(r->arena, r->assume, r->assume_count, (size_t)r->assume_count + 1,
                           &r->assume_capacity, sizeof *r->assume);
    if (!scan_string(s, &r->assume[r->assume_count])) return false;
    r->assume_count++;
  }
  return !s->error;
}

static bool read_question(request *r, question_kind kind) {
  if (r->kind != ASK_NOTHING)
    return scan_fail(&r->scan, "more than one of query, simplify and bounds");
  r->kind = kind;
  return scan_string(&r->scan, &r->question);
}

static bool read_request(request *r) {
  scanner *s = &r->scan;
  if (!scan_open(s, '{')) return false;
  bool first = true, member = true;
  text key, ignored;
  while (scan_member(s, &first, &key)) {
    if (TEXT_IS(key, "id")) {
      if (r->id.data) return scan_fail(s, "\"id\" stands twice");
      text raw;
      if (!scan_skip(s, &raw)) return false;
      r->id = raw;
    } else if (TEXT_IS(key, "symbols")) {
      if (r->has_symbols) return scan_fail(s, "\"symbols\" stands twice");
      r->has_symbols = true;
      if (!scan_open(s, '{')) return false;
      for (member = true; scan_member(s, &member, &key);) {
        if (!read_symbol(r, key)) return false;
      }
    } else if (TEXT_IS(key, "assume")) {
      if (r->has_assume) return scan_fail(s, "\"assume\" stands twice");
      r->has_assume = true;
      if (!read_assume(r)) return false;
    } else if (TEXT_IS(key, "query")) {
      if (!read_question(r, ASK_QUERY)) return false;
    } else if (TEXT_IS(key, "simplify")) {
      if (!read_question(r, ASK_SIMPLIFY)) return false;
    } else if (TEXT_IS(key, "bounds")) {
      if (!read_question(r, ASK_BOUNDS)) return false;
    } else if (!scan_skip(s, &ignored)) {
      return false;
    } else if (TEXT_IS(key, "explain")) {
      r->explain = TEXT_IS(ignored, "true");
    }
    if (s->error) return false;
  }
  if (s->error || !scan_end(s)) return false;
  return r->kind != ASK_NOTHING || scan_fail(s, "one of query, simplify and bounds is needed");
}

// --- order

static bool text_less(text x, text y) {
  int order = memcmp(x.data, y.data, x.length < y.length ? x.length : y.length);
  return order < 0 || (order == 0 && x.length < y.length);
}

// --- terms

static term_id find_symbol(void *data, const char *name, size_t length) {
  request *r = data;
  if (r->symbol_count <= HASHED_NAMES) {
    for (uint32_t i = 0; i < r->symbol_count; i++) {
      if (text_is(r->symbols[i].name, name, length)) return r->query_symbols[i].symbol;
    }
    return TERM_NONE;
  }
  name_id id = intern_find(&r->names, name, length);
  return id == NAME_NONE ? TERM_NONE : r->query_symbols[id].symbol;
}

// assumption: its index, or UINT32_MAX for what follows from the domain
static void add_premise(request *r, predicate p, uint32_t assumption) {
  if (r->explain) {
    r->premise_of =
        arena_grow(r->arena, r->premise_of, r->premise_count, (size_t)r->premise_count + 1,
                   &r->premise_of_capacity, sizeof *r->premise_of);
    r->premise_of[r->premise_count] = assumption;
  }
  r->premises = arena_grow(r->arena, r->premises, r->premise_count, (size_t)r->premise_count + 1,
                           &r->premise_capacity, sizeof *r->premises);
  r->premises[r->premise_count++] = p;
}

// A divisor that may be 0 somewhere: those points are outside the domain.
static void add_divisor(void *data, term_id divisor) {
  request *r = data;
  term_node node = *term_get(&r->terms, divisor);
  if (node.kind == TERM_SYMBOL && node.as.symbol < r->symbol_count &&
      interval_excludes_zero(r->query_symbols[node.as.symbol].range)) {
    return;
  }
  for (uint32_t i = 0; i < r->premise_count; i++) {
    if (r->premises[i].rel == REL_NE && r->premises[i].left == divisor &&
        r->premises[i].right == TERM_ZERO)
      return;
  }
  add_premise(r, predicate_make(REL_NE, divisor, TERM_ZERO), UINT32_MAX);
}

// Sorts indices of texts by bytes; equal texts stay in order.
static void sort_texts(shape_arena *arena, const text *texts, uint32_t *order, uint32_t count) {
  uint32_t *from = order, *to = arena_alloc(arena, (count + 1) * sizeof *to);
  for (uint32_t width = 1; width < count; width *= 2) {
    for (uint32_t low = 0; low < count; low += 2 * width) {
      uint32_t middle = low + width < count ? low + width : count;
      uint32_t high = middle + width < count ? middle + width : count;
      for (uint32_t i = low, j = middle, k = low; k < high; k++) {
        bool left = j == high || (i < middle && !text_less(texts[from[j]], texts[from[i]]));
        to[k] = from[left ? i++ : j++];
      }
    }
    uint32_t *other = from;
    from = to;
    to = other;
  }
  if (from != order) memcpy(order, from, count * sizeof *order);
}

static bool sorted_texts(const text *texts, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    if (text_less(texts[i], texts[i - 1])) return false;
  }
  return true;
}

// Orders the symbols by name: the order of their declarations is to change no answer.
static void sort_symbols(request *r) {
  uint32_t count = r->symbol_count;
  text *names = arena_alloc(r->arena, (count + 1) * sizeof *names);
  for (uint32_t i = 0; i < count; i++) names[i] = r->symbols[i].name;
  if (sorted_texts(names, count)) return;
  uint32_t *order = arena_alloc(r->arena, count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  sort_texts(r->arena, names, order, count);
  declared *symbols = arena_alloc(r->arena, count * sizeof *symbols);
  r->place = arena_alloc(r->arena, count * sizeof *r->place);
  for (uint32_t i = 0; i < count; i++) {
    symbols[i] = r->symbols[order[i]];
    r->place[order[i]] = i;
  }
  r->symbols = symbols;
}

static void declare_symbols(request *r) {
  sort_symbols(r);
  r->query_symbols = arena_alloc(r->arena, (r->symbol_count + 1) * sizeof *r->query_symbols);
  bool hashed = r->symbol_count > HASHED_NAMES;
  if (hashed) intern_init(&r->names, r->arena);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    declared *d = &r->symbols[i];
    if (hashed && intern_add(&r->names, d->name.data, d->name.length) != i) {
      scan_fail(&r->scan, "a symbol stands twice");
      return;
    }
    if (!num_is_one(d->multiple_of)) {
      if (d->range.has_lo) {
        d->range.lo = num_mul(&r->budget, num_ceildiv(&r->budget, d->range.lo, d->multiple_of),
                              d->multiple_of);
      }
      if (d->range.has_hi) {
        d->range.hi = num_mul(&r->budget, num_floordiv(&r->budget, d->range.hi, d->multiple_of),
                              d->multiple_of);
      }
    }
    if (d->range.has_lo && d->range.has_hi && num_compare(d->range.lo, d->range.hi) > 0)
      r->conflict = true;
    r->query_symbols[i] = (query_symbol){term_symbol(&r->terms), d->range, d->multiple_of};
  }
}

static bool parse_failed(request *r, const term_parser *parser, const char *field, uint32_t index) {
  char name[40];
  shape_strbuf path;
  strbuf_init(&path, r->arena);
  if (index == UINT32_MAX) {
    strbuf_puts(&path, field);
  } else {
    strbuf_printf(&path, "%s[%u]", field, index);
  }
  (void)name;
  reply_error(r, "SYNTAX", parser->error, strbuf_text(&path), parser->error_at);
  return false;
}

// In the order of their texts, so that the order in which they are given changes no answer. The first mistake is told
// that stands first in the request.
static bool parse_assumptions(request *r, term_parser *parser) {
  uint32_t count = r->assume_count, *order = NULL, wrong = UINT32_MAX;
  if (!sorted_texts(r->assume, count)) {
    order = arena_alloc(r->arena, count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    sort_texts(r->arena, r->assume, order, count);
  }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = order ? order[k] : k;
    predicate p;
    if (term_parse_predicate(parser, r->assume[i].data, r->assume[i].length, &p.rel, &p.left,
                             &p.right)) {
      add_premise(r, p, i);
    } else if (i < wrong) {
      wrong = i;
    }
  }
  if (wrong == UINT32_MAX) return true;
  predicate p;
  const text *bad = &r->assume[wrong];
  if (term_parse_predicate(parser, bad->data, bad->length, &p.rel, &p.left, &p.right)) return true;
  return parse_failed(r, parser, "assume", wrong);
}

// --- answering

static void write_name(void *data, shape_strbuf *out, uint32_t symbol) {
  request *r = data;
  if (symbol < r->symbol_count) {
    strbuf_add(out, r->symbols[symbol].name.data, r->symbols[symbol].name.length);
  } else {
    strbuf_printf(out, "_%u", symbol);
  }
}

static void write_point(request *r, const num *values) {
  const char *open = r->options->readable ? "" : "{", *is = r->options->readable ? " = " : ": ";
  strbuf_puts(r->out, open);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    uint32_t at = r->place ? r->place[i] : i;
    const text *name = &r->symbols[at].name;
    if (i) PUT(r->out, ", ");
    if (r->options->readable) {
      strbuf_add(r->out, name->data, name->length);
    } else {
      put_string(r->out, name->data, name->length);
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

// Did the premises conflict because of the domain of the question only?
static bool own_conflict(request *r, query *q, uint32_t own) {
  if (q->premise_count == own) return true;
  query part = *q;
  part.premise_count = own;
  return query_ask(&part, predicate_make(REL_EQ, TERM_ZERO, TERM_ZERO)).conflict || r->conflict;
}

// An irreducible set of the assumptions behind an answer: as indices, or one line each.
static void write_because(request *r, query *q, const predicate *question) {
  if (!r->explain || r->conflict) return;
  uint8_t *keep = arena_zalloc(r->arena, q->premise_count + 1u);
  if (!query_core(q, question, keep)) return;
  uint8_t *kept = arena_zalloc(r->arena, r->assume_count + 1u);  // by assumption
  for (uint32_t i = 0; i < q->premise_count; i++) {
    // Premises beyond the assumptions say that a divisor is not 0.
    uint32_t assumption = r->premise_of ? r->premise_of[i] : i;
    if (keep[i] && assumption < r->assume_count) kept[assumption] = 1;
  }
  bool first = true;
  if (!r->options->readable) PUT(r->out, ", \"because\": [");
  for (uint32_t index = 0; index < r->assume_count; index++) {
    if (!kept[index]) continue;
    if (r->options->readable) {
      PUT(r->out, "  because ");
      strbuf_add(r->out, r->assume[index].data, r->assume[index].length);
      PUT(r->out, "\n");
    } else {
      if (!first) PUT(r->out, ", ");
      strbuf_int(r->out, index);
    }
    first = false;
  }
  if (!r->options->readable) PUT(r->out, "]");
}

static const char *reason_text(unknown_reason why) {
  return why == UNKNOWN_CONTINGENT ? "contingent" : why == UNKNOWN_BUDGET ? "budget" : "incomplete";
}

// At most so many suggestions are made for an open question.
enum { SUGGESTIONS = 3 };

static void print_suggestion(request *r, shape_strbuf *to, predicate p) {
  static const char *const SIGNS[] = {"==", "!=", "<", "<=", ">", ">="};
  term_namer namer = {.symbol = write_name, .data = r};
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

static void write_query_readable(request *r, query *q, const query_result *result,
                                 const predicate *question) {
  shape_strbuf *out = r->out;
  strbuf_add(out, r->question.data, r->question.length);
  if (result->conflict) {
    PUT(out, ": the assumptions contradict each other\n");
    write_because(r, q, NULL);
    return;
  }
  if (result->answer != SHAPE_UNKNOWN) {
    strbuf_puts(out, result->answer == SHAPE_YES ? ": true\n" : ": false\n");
    write_because(r, q, question);
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
  predicate found[SUGGESTIONS];
  uint32_t count = query_suggest(q, *question, found, SUGGESTIONS);
  for (uint32_t i = 0; i < count; i++) {
    PUT(out, "  it would follow if   ");
    print_suggestion(r, out, found[i]);
    PUT(out, "\n");
  }
}

// "suggestions": only where reasons were asked for, as each is solved again.
static void write_suggestions_json(request *r, query *q, const predicate *question) {
  predicate found[SUGGESTIONS];
  if (!r->explain) return;
  uint32_t count = query_suggest(q, *question, found, SUGGESTIONS);
  PUT(r->out, ", \"suggestions\": [");
  for (uint32_t i = 0; i < count; i++) {
    shape_strbuf line;
    strbuf_init(&line, r->arena);
    print_suggestion(r, &line, found[i]);
    if (i) PUT(r->out, ", ");
    put_string(r->out, line.data, line.length);
  }
  PUT(r->out, "]");
}

static void write_query_json(request *r, query *q, const query_result *result,
                             const predicate *question) {
  begin_reply(r);
  if (result->conflict) {
    PUT(r->out, ", \"answer\": \"unknown\", \"reason\": \"conflict\"");
    write_because(r, q, NULL);
  } else if (result->answer != SHAPE_UNKNOWN) {
    strbuf_puts(r->out,
                result->answer == SHAPE_YES ? ", \"answer\": \"true\"" : ", \"answer\": \"false\"");
    write_because(r, q, question);
  } else {
    strbuf_printf(r->out, ", \"answer\": \"unknown\", \"reason\": \"%s\"",
                  reason_text(result->reason));
    if (result->witness_true && result->witness_false) {
      PUT(r->out, ", \"witnesses\": {\"true\": ");
      write_point(r, result->witness_true);
      PUT(r->out, ", \"false\": ");
      write_point(r, result->witness_false);
      PUT(r->out, "}");
    }
    write_suggestions_json(r, q, question);
  }
  write_end(r, result->conflict);
}

static void answer_query(request *r, query *q, uint32_t own, predicate question) {
  query_result result = {.answer = SHAPE_UNKNOWN, .conflict = r->conflict};
  if (!r->conflict) result = query_ask(q, question);
  if (result.conflict && !r->conflict && !own_conflict(r, q, own)) {
    result = (query_result){.answer = SHAPE_YES};  // at no point of the domain
  }
  if (r->options->certify && !r->conflict &&
      check_answer(q, question, &result) != CHECK_CONFIRMED) {
    result = (query_result){.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_INCOMPLETE};
  }
  if (!result.conflict && result.answer == SHAPE_NO) r->outcome = DECIDE_REFUTED;
  if (!result.conflict && result.answer == SHAPE_UNKNOWN && result.reason == UNKNOWN_BUDGET)
    r->outcome = DECIDE_BUDGET;
  if (result.conflict && r->options->readable) r->outcome = DECIDE_REFUTED;
  if (r->options->readable) {
    write_query_readable(r, q, &result, &question);
  } else {
    write_query_json(r, q, &result, &question);
  }
}

static void write_limit(request *r, bool known, num value, const char *otherwise) {
  if (known) {
    num_print(r->out, value);
  } else {
    strbuf_puts(r->out, otherwise);
  }
}

static void answer_bounds(request *r, query *q, uint32_t own, term_id t) {
  interval range = interval_all();
  bool conflict = r->conflict || (!query_bounds(q, t, &range) && own_conflict(r, q, own));
  if (conflict) range = interval_all();
  if (r->options->readable) {
    strbuf_add(r->out, r->question.data, r->question.length);
    if (conflict) {
      PUT(r->out, ": the assumptions contradict each other\n");
      r->outcome = DECIDE_REFUTED;
      return;
    }
    PUT(r->out, ": from ");
    write_limit(r, range.has_lo, range.lo, "-infinity");
    PUT(r->out, " to ");
    write_limit(r, range.has_hi, range.hi, "infinity");
    PUT(r->out, "\n");
    return;
  }
  begin_reply(r);
  PUT(r->out, ", \"min\": ");
  write_limit(r, range.has_lo, range.lo, "null");
  PUT(r->out, ", \"max\": ");
  write_limit(r, range.has_hi, range.hi, "null");
  write_end(r, conflict);
}

static void print_form(request *r, shape_strbuf *to, term_id t, const query_spelling *spelling) {
  term_namer namer = {.symbol = write_name, .data = r};
  if (!spelling->found) {
    term_print(&r->terms, to, t, &namer);
    return;
  }
  strbuf_puts(to, spelling->min_outside ? "min(max(" : "max(min(");
  term_print(&r->terms, to, spelling->a, &namer);
  PUT(to, ", ");
  term_print(&r->terms, to, spelling->b, &namer);
  PUT(to, "), ");
  term_print(&r->terms, to, spelling->c, &namer);
  PUT(to, ")");
}

static void answer_simplify(request *r, query *q, uint32_t own, term_id t) {
  bool conflict = r->conflict;
  query_spelling spelling = {.found = false};
  if (!conflict) {
    t = query_simplify_spelled(q, t, &conflict, &spelling);
    conflict = conflict && own_conflict(r, q, own);
  }
  shape_strbuf form;
  strbuf_init(&form, r->arena);
  print_form(r, &form, t, &spelling);
  if (r->options->readable) {
    strbuf_add(r->out, r->question.data, r->question.length);
    PUT(r->out, ": ");
    strbuf_add(r->out, form.data, form.length);
    strbuf_puts(r->out, conflict ? "\n  the assumptions contradict each other\n" : "\n");
    if (conflict) r->outcome = DECIDE_REFUTED;
    return;
  }
  begin_reply(r);
  PUT(r->out, ", \"simplified\": ");
  put_string(r->out, form.data, form.length);
  write_end(r, conflict);
}

static void answer(request *r) {
  term_parser parser = {
      .terms = &r->terms, .symbol = find_symbol, .divisor = add_divisor, .data = r};
  if (!parse_assumptions(r, &parser)) return;
  uint32_t own = r->premise_count;
  predicate p = {REL_EQ, TERM_ZERO, TERM_ZERO};
  bool ok = r->kind == ASK_QUERY
                ? term_parse_predicate(&parser, r->question.data, r->question.length, &p.rel,
                                       &p.left, &p.right)
                : term_parse_expr(&parser, r->question.data, r->question.length, &p.left);
  if (!ok) {
    parse_failed(r, &parser,
                 r->kind == ASK_QUERY    ? "query"
                 : r->kind == ASK_BOUNDS ? "bounds"
                                         : "simplify",
                 UINT32_MAX);
    return;
  }
  query q = {.arena = r->arena,
             .terms = &r->terms,
             .budget = &r->budget,
             .symbols = r->query_symbols,
             .symbol_count = r->symbol_count,
             .premises = r->premises,
             .premise_count = r->premise_count};
  r->asked = true;
  switch (r->kind) {
  case ASK_QUERY: answer_query(r, &q, own, p); break;
  case ASK_BOUNDS: answer_bounds(r, &q, own, p.left); break;
  default: answer_simplify(r, &q, own, p.left);
  }
}

static void run_request(void *data) {
  request *r = data;
  budget_init(&r->budget, r->arena, r->options->steps ? r->options->steps : DEFAULT_STEPS, NULL);
  scan_init(&r->scan, r->arena, r->line, r->line_length);
  if (read_request(r)) {
    term_table_init(&r->terms, r->arena, &r->budget);
    declare_symbols(r);
  }
  if (r->scan.error) {
    reply_error(r, "SYNTAX", r->scan.error, NULL, r->scan.error_at);
    return;
  }
  answer(r);
}

static void reply_spent(request *r) {
  r->outcome = DECIDE_BUDGET;
  begin_reply(r);
  if (r->kind == ASK_QUERY) {
    PUT(r->out, ", \"answer\": \"unknown\", \"reason\": \"budget\"");
  } else {
    PUT(r->out, ", \"min\": null, \"max\": null, \"reason\": \"budget\"");
  }
  write_end(r, false);
}

decide_outcome decide_line(shape_arena *scratch, const decide_options *options, const char *line,
                           size_t length, shape_strbuf *out) {
  arena_mark mark = arena_get_mark(scratch);
  uint32_t before = out->length;
  request r = {
      .arena = scratch, .options = options, .line = line, .line_length = length, .out = out};
  shape_status status = arena_protect(scratch, run_request, &r);
  if (status != SHAPE_OK) {
    if (out->length >= before) out->length = before;  // what was written of the reply
    bool spent = status == SHAPE_MEMORY || status == SHAPE_BITS;
    if (spent && r.asked && r.kind != ASK_SIMPLIFY && !options->readable) {
      reply_spent(&r);  // bytes and bits are budgets as steps are
    } else {
      reply_error(&r, shape_status_name(status), shape_status_message(status), NULL, SIZE_MAX);
    }
  }
  arena_rewind(scratch, mark);
  return r.outcome;
}
