// SPDX-License-Identifier: Apache-2.0
#include "solver/api/decide/decide.h"

#include <assert.h>
#include <string.h>

#include "solver/api/decide/request.h"
#include "solver/formats/json/write.h"
#include "solver/base/trace_line.h"

enum { HASHED_NAMES = 12, LONGEST_NAME_TOLD = 60, SCRATCH_BLOCK = 1 << 20 };

// --- writing

void reply_string(shape_strbuf *out, const char *data, size_t length) {
  json_writer w;
  json_writer_init(&w, out);
  json_text(&w, data, length);
}

void reply_begin(request *r) {
  PUT(r->out, "{\"id\": ");
  if (r->id.data) {
    strbuf_add(r->out, r->id.data, r->id.length);
  } else {
    PUT(r->out, "null");
  }
}

static void reply_error(request *r, const char *code, const char *message, const char *field,
                        size_t at) {
  assert(*message);
  r->outcome = DECIDE_ERROR;
  if (r->options->readable) {
    strbuf_printf(r->out, "error: %s", message);
    if (field) strbuf_printf(r->out, ", in %s", field);
    if (at != SIZE_MAX) strbuf_printf(r->out, " at byte %zu", at);
    PUT(r->out, "\n");
    return;
  }
  reply_begin(r);
  strbuf_printf(r->out, ", \"error\": {\"code\": \"%s\", \"message\": ", code);
  reply_string(r->out, message, strlen(message));
  if (field) strbuf_printf(r->out, ", \"field\": \"%s\"", field);
  if (at != SIZE_MAX) strbuf_printf(r->out, ", \"at\": %zu", at);
  PUT(r->out, "}}\n");
}

// --- texts

// By bytes. Most texts differ in one of the first, so that a call to memcmp would cost more.
static bool text_less(text x, text y) {
  size_t common = x.length < y.length ? x.length : y.length, i = 0;
  while (i < common && x.data[i] == y.data[i]) i++;
  if (i == common) return x.length < y.length;
  return (unsigned char)x.data[i] < (unsigned char)y.data[i];
}

// For names, which are short.
static bool same_name(text x, const char *name, size_t length) {
  if (x.length != length) return false;
  for (size_t i = 0; i < length; i++) {
    if (x.data[i] != name[i]) return false;
  }
  return true;
}

// --- reading

static bool read_bound(request *r, num *out, bool *present) {
  scanner *s = &r->scan;
  text raw;
  int64_t small;
  *present = false;
  if (SCAN_EXACTLY(s, "null")) return true;
  char c = scan_peek(s);
  *present = true;
  if (scan_small(s, &small)) {
    *out = NUM(small);
    return true;
  }
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

static bool read_multiple(request *r, num *out) {
  bool present;
  if (!read_bound(r, out, &present)) return false;
  if (!present) *out = NUM(1);
  return num_sign(*out) > 0 || scan_fail(&r->scan, "multiple_of must be at least 1");
}

// [[1, 4], [16, null]]: disjoint and in order; null is no end, of the first below and of the last above.
static bool read_ranges(request *r, declared *d) {
  scanner *s = &r->scan;
  bool first = true;
  if (!scan_open(s, '[')) return false;
  while (scan_item(s, &first)) {
    bool start = true;
    interval x;
    if (!scan_open(s, '[') || !scan_item(s, &start) || !read_bound(r, &x.lo, &x.has_lo) ||
        !scan_item(s, &start) || !read_bound(r, &x.hi, &x.has_hi) || scan_item(s, &start) ||
        s->error)
      return s->error || scan_fail(s, "a range is [least, most]");
    const interval *last = d->range_count ? &d->ranges[d->range_count - 1] : NULL;
    if ((x.has_lo && x.has_hi && num_compare(x.lo, x.hi) > 0) ||
        (last && (!last->has_hi || !x.has_lo || num_compare(x.lo, last->hi) <= 0)))
      return scan_fail(s, "ranges are disjoint and in order");
    d->ranges = arena_grow(r->arena, d->ranges, d->range_count, (size_t)d->range_count + 1,
                           &d->range_capacity, sizeof *d->ranges);
    d->ranges[d->range_count++] = x;
  }
  return !s->error && (d->range_count || scan_fail(s, "a symbol lies in one range at least"));
}

// The limits are read as Python's json writes them where they are written so, and member by member where not: all 1,674
// queries of the decision corpus are, and small queries take 9 % fewer instructions for it.
static bool read_symbol(request *r, text name) {
  scanner *s = &r->scan;
  for (uint32_t i = 0; r->of.count <= HASHED_NAMES && i < r->of.count; i++) {
    if (same_name(name, r->of.items[i].name.data, r->of.items[i].name.length))
      return scan_fail(s, "a symbol is given twice");
  }
  r->of.items = arena_grow(r->arena, r->of.items, r->of.count, (size_t)r->of.count + 1,
                           &r->of.capacity, sizeof *r->of.items);
  declared *d = &r->of.items[r->of.count];
  *d = (declared){.name = name, .range = interval_all(), .multiple_of = NUM(1)};
  bool first = true;
  text key, ignored;
  scan_peek(s);
  if (SCAN_EXACTLY(s, "{\"min\": ")) {
    first = false;
    if (!read_bound(r, &d->range.lo, &d->range.has_lo)) return false;
    if (SCAN_EXACTLY(s, ", \"max\": ") && !read_bound(r, &d->range.hi, &d->range.has_hi))
      return false;
    if (SCAN_EXACTLY(s, ", \"multiple_of\": ") && !SCAN_EXACTLY(s, "null") &&
        !read_multiple(r, &d->multiple_of))
      return false;
    if (SCAN_EXACTLY(s, "}")) {
      r->of.count++;
      return true;
    }
  } else if (!scan_open(s, '{')) {
    return false;
  }
  while (scan_member(s, &first, &key)) {
    if (TEXT_IS(key, "min")) {
      if (!read_bound(r, &d->range.lo, &d->range.has_lo)) return false;
    } else if (TEXT_IS(key, "max")) {
      if (!read_bound(r, &d->range.hi, &d->range.has_hi)) return false;
    } else if (TEXT_IS(key, "multiple_of")) {
      if (!read_multiple(r, &d->multiple_of)) return false;
    } else if (TEXT_IS(key, "ranges")) {
      if (d->range_count) return scan_fail(s, "\"ranges\" is given twice");
      if (!read_ranges(r, d)) return false;
    } else if (!scan_skip(s, &ignored)) {
      return false;
    }
  }
  if (s->error) return false;
  r->of.count++;
  return true;
}

static bool read_assume(request *r) {
  scanner *s = &r->scan;
  if (!scan_open(s, '[')) return false;
  bool first = true;
  while (scan_item(s, &first)) {
    r->given.items =
        arena_grow(r->arena, r->given.items, r->given.count, (size_t)r->given.count + 1,
                   &r->given.capacity, sizeof *r->given.items);
    if (!scan_string(s, &r->given.items[r->given.count])) return false;
    r->given.count++;
  }
  return !s->error;
}

static bool read_query(request *r, query_kind kind) {
  if (r->kind != ASK_NOTHING)
    return scan_fail(&r->scan, "more than one of query, simplify and bounds");
  r->kind = kind;
  return scan_string(&r->scan, &r->query);
}

static bool read_request(request *r) {
  scanner *s = &r->scan;
  if (!scan_open(s, '{')) return false;
  bool first = true, member = true;
  text key, ignored;
  while (scan_member(s, &first, &key)) {
    if (TEXT_IS(key, "id")) {
      if (r->id.data) return scan_fail(s, "\"id\" is given twice");
      text raw;
      if (!scan_skip(s, &raw)) return false;
      // It comes back as it was written: what is in a list or an object would have to be validated for that.
      if (strchr("[{", raw.data[0])) return scan_fail(s, "\"id\" is a string or a number");
      r->id = raw;
    } else if (TEXT_IS(key, "symbols")) {
      if (r->has_symbols) return scan_fail(s, "\"symbols\" is given twice");
      r->has_symbols = true;
      if (!scan_open(s, '{')) return false;
      for (member = true; scan_member(s, &member, &key);) {
        if (!read_symbol(r, key)) return false;
      }
    } else if (TEXT_IS(key, "assume")) {
      if (r->has_assume) return scan_fail(s, "\"assume\" is given twice");
      r->has_assume = true;
      if (!read_assume(r)) return false;
    } else if (TEXT_IS(key, "query")) {
      if (!read_query(r, ASK_QUERY)) return false;
    } else if (TEXT_IS(key, "simplify")) {
      if (!read_query(r, ASK_SIMPLIFY)) return false;
    } else if (TEXT_IS(key, "bounds")) {
      if (!read_query(r, ASK_BOUNDS)) return false;
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

// --- terms

static term_id find_symbol(void *data, const char *name, size_t length) {
  request *r = data;
  if (r->of.count <= HASHED_NAMES) {
    for (uint32_t i = 0; i < r->of.count; i++) {
      if (same_name(r->of.items[i].name, name, length)) return r->parts.symbols[i].symbol;
    }
    return TERM_NONE;
  }
  name_id id = intern_find(&r->of.names, name, length);
  assert(id == NAME_NONE || id < r->of.count);
  return id == NAME_NONE ? TERM_NONE : r->parts.symbols[id].symbol;
}

static void add_link(request *r, uint32_t premise) {
  assert(premise <= r->parts.premise_count);
  if (!r->explain) return;
  r->parts.links =
      arena_grow(r->arena, r->parts.links, r->parts.link_count, (size_t)r->parts.link_count + 1,
                 &r->parts.link_capacity, sizeof *r->parts.links);
  r->parts.links[r->parts.link_count++] = (query_link){premise, r->parts.owner};
}

static void add_premise(request *r, predicate p) {
  add_link(r, r->parts.premise_count);
  r->parts.premises = arena_grow(r->arena, r->parts.premises, r->parts.premise_count,
                                 (size_t)r->parts.premise_count + 1, &r->parts.premise_capacity,
                                 sizeof *r->parts.premises);
  r->parts.premises[r->parts.premise_count++] = p;
}

// A divisor that may be 0 somewhere: those points are outside the domain.
static void add_divisor(void *data, term_id divisor) {
  request *r = data;
  term_node node = *term_get(&r->terms, divisor);
  if (node.kind == TERM_SYMBOL && node.as.symbol < r->of.count &&
      interval_excludes_zero(r->parts.symbols[node.as.symbol].range)) {
    return;
  }
  for (uint32_t i = 0; i < r->parts.premise_count; i++) {
    if (r->parts.premises[i].rel == REL_NE && r->parts.premises[i].left == divisor &&
        r->parts.premises[i].right == TERM_ZERO) {
      add_link(r, i);
      return;
    }
  }
  add_premise(r, predicate_make(REL_NE, divisor, TERM_ZERO));
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
  uint32_t count = r->of.count;
  text *names = arena_alloc(r->arena, (count + 1) * sizeof *names);
  for (uint32_t i = 0; i < count; i++) names[i] = r->of.items[i].name;
  if (sorted_texts(names, count)) return;
  uint32_t *order = arena_alloc(r->arena, count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  sort_texts(r->arena, names, order, count);
  declared *symbols = arena_alloc(r->arena, count * sizeof *symbols);
  r->of.order = arena_alloc(r->arena, count * sizeof *r->of.order);
  for (uint32_t i = 0; i < count; i++) {
    symbols[i] = r->of.items[order[i]];
    r->of.order[order[i]] = i;
  }
  r->of.items = symbols;
}

static void declare_symbols(request *r) {
  sort_symbols(r);
  assert(r->of.count <= r->of.capacity);
  r->parts.symbols = arena_alloc(r->arena, (r->of.count + 1) * sizeof *r->parts.symbols);
  bool hashed = r->of.count > HASHED_NAMES;
  if (hashed) {
    intern_init(&r->of.names, r->arena);
    uint32_t slots = 32;
    while (slots / 2 < r->of.count) slots *= 2;
    imap_reserve(&r->of.names.by_hash, r->arena, slots);
  }
  for (uint32_t i = 0; i < r->of.count; i++) {
    declared *d = &r->of.items[i];
    if (hashed && intern_add(&r->of.names, d->name.data, d->name.length) != i) {
      scan_fail(&r->scan, "a symbol is given twice");
      return;
    }
    if (d->range_count) {
      const interval *first = d->ranges, *last = &d->ranges[d->range_count - 1];
      interval hull = {first->lo, last->hi, first->has_lo, last->has_hi};
      if (!interval_meet(d->range, hull, &d->range)) r->conflict = true;
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
    r->parts.symbols[i] = (query_symbol){term_symbol(&r->terms), d->range, d->multiple_of};
  }
}

// The name at a location of a text, without quotes.
static text name_at(text source, size_t at) {
  bool quoted = at < source.length && source.data[at] == '"';
  size_t from = at + quoted, to = from;
  while (to < source.length && to - from < LONGEST_NAME_TOLD) {
    char c = source.data[to];
    bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                 c == '_' || c == '.';
    if (quoted ? c == '"' : !plain) break;
    to++;
  }
  assert(from <= to && to <= source.length + 1);
  // No part of a character where it was cut.
  while (to < source.length && to > from && ((unsigned char)source.data[to] & 0xc0) == 0x80) to--;
  return (text){source.data + from, to - from};
}

static bool parse_failed(request *r, const term_parser *parser, text source, const char *field,
                         uint32_t index) {
  shape_strbuf path, message;
  assert(parser->error);
  strbuf_init(&path, r->arena);
  if (index == UINT32_MAX) {
    strbuf_puts(&path, field);
  } else {
    strbuf_printf(&path, "%s[%u]", field, index);
  }
  strbuf_init(&message, r->arena);
  strbuf_puts(&message, parser->error);
  if (strcmp(parser->error, "unknown symbol") == 0) {
    text name = name_at(source, parser->error_at);
    strbuf_printf(&message, " '%.*s'", (int)name.length, name.data);
  }
  reply_error(r, "SYNTAX", strbuf_text(&message), strbuf_text(&path), parser->error_at);
  return false;
}

// In the order of their texts, so that the order in which they are given changes no answer. The first error is reported
// that is first in the request.
static bool parse_assumptions(request *r, term_parser *parser) {
  uint32_t count = r->given.count, *order = NULL, wrong = UINT32_MAX;
  if (!sorted_texts(r->given.items, count)) {
    order = arena_alloc(r->arena, count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    sort_texts(r->arena, r->given.items, order, count);
  }
  r->given.order = order;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = order ? order[k] : k;
    predicate p;
    r->parts.owner = k;
    if (term_parse_predicate(parser, r->given.items[i].data, r->given.items[i].length, &p.rel,
                             &p.left, &p.right)) {
      add_premise(r, p);
    } else if (i < wrong) {
      wrong = i;
    }
  }
  if (wrong == UINT32_MAX) return true;
  predicate p;
  const text *invalid = &r->given.items[wrong];
  if (term_parse_predicate(parser, invalid->data, invalid->length, &p.rel, &p.left, &p.right))
    return true;
  return parse_failed(r, parser, *invalid, "assume", wrong);
}

// --- reading back what is shown

static void collect_divisor(void *data, term_id divisor) {
  reading *x = data;
  request *r = x->r;
  x->divisors = arena_grow(r->arena, x->divisors, x->divisor_count, (size_t)x->divisor_count + 1,
                           &x->divisor_capacity, sizeof *x->divisors);
  x->divisors[x->divisor_count++] = divisor;
}

static term_id find_read_symbol(void *data, const char *name, size_t length) {
  return find_symbol(((reading *)data)->r, name, length);
}

bool request_read(request *r, text source, reading *out) {
  *out = (reading){.r = r};
  term_parser parser = {
      .terms = &r->terms, .symbol = find_read_symbol, .divisor = collect_divisor, .data = out};
  return term_parse_expr(&parser, source.data, source.length, &out->t);
}

// A symbol is at least the begin of a range, or at most the end of the one before it.
static void add_gaps(request *r) {
  term_table *t = &r->terms;
  r->parts.owner = QUERY_ALWAYS;
  for (uint32_t i = 0; i < r->of.count; i++) {
    const declared *d = &r->of.items[i];
    for (uint32_t k = 1; k < d->range_count; k++) {
      term_id x = r->parts.symbols[i].symbol;
      term_id above = term_sub(t, x, term_const(t, d->ranges[k].lo));
      term_id below = term_sub(t, term_const(t, d->ranges[k - 1].hi), x);
      add_premise(r, predicate_make(REL_GE, term_max(t, above, below), TERM_ZERO));
    }
  }
}

static void answer(request *r) {
  term_parser parser = {
      .terms = &r->terms, .symbol = find_symbol, .divisor = add_divisor, .data = r};
  add_gaps(r);
  if (!parse_assumptions(r, &parser)) return;
  uint32_t own = r->parts.premise_count;
  r->parts.own_links = r->parts.link_count;
  r->parts.owner = QUERY_ALWAYS;
  predicate p = {REL_EQ, TERM_ZERO, TERM_ZERO};
  bool ok =
      r->kind == ASK_QUERY
          ? term_parse_predicate(&parser, r->query.data, r->query.length, &p.rel, &p.left, &p.right)
          : term_parse_expr(&parser, r->query.data, r->query.length, &p.left);
  if (!ok) {
    parse_failed(r, &parser, r->query,
                 r->kind == ASK_QUERY    ? "query"
                 : r->kind == ASK_BOUNDS ? "bounds"
                                         : "simplify",
                 UINT32_MAX);
    return;
  }
  query q = {.arena = r->arena,
             .terms = &r->terms,
             .budget = &r->budget,
             .symbols = r->parts.symbols,
             .symbol_count = r->of.count,
             .premises = r->parts.premises,
             .premise_count = r->parts.premise_count,
             .in_order = true};
  r->asked = true;
  if (r->options->trace) narrate_request(r, own);
  switch (r->kind) {
  case ASK_QUERY: answer_query(r, &q, own, p); break;
  case ASK_BOUNDS: answer_bounds(r, &q, own, p.left); break;
  default: answer_simplify(r, &q, own, p.left);
  }
  if (r->options->trace) narrate_end(r);
}

static void run_request(void *data) {
  request *r = data;
  budget_init(&r->budget, r->arena, r->options->steps ? r->options->steps : DECIDE_STEPS,
              r->options->stop);
  if (r->options->bits) r->budget.max_bits = r->options->bits;
  r->budget.progress = r->options->progress;
  if (r->options->spent) r->budget.steps_used = *r->options->spent;
  trace_open(&r->budget, r->options->trace);
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
  reply_begin(r);
  if (r->kind == ASK_QUERY) {
    PUT(r->out, ", \"answer\": \"unknown\", \"reason\": \"budget\"");
  } else if (r->kind == ASK_SIMPLIFY) {
    PUT(r->out, ", \"simplified\": ");
    reply_string(r->out, r->query.data, r->query.length);
    PUT(r->out, ", \"reason\": \"budget\"");
  } else {
    PUT(r->out, ", \"min\": null, \"max\": null, \"reason\": \"budget\"");
  }
  PUT(r->out, ", \"conflict\": false}\n");
}

void decide_scratch_init(shape_arena *scratch, shape_arena *parent, uint64_t memory) {
  size_t limit = memory && memory < DECIDE_MEMORY ? (size_t)memory : DECIDE_MEMORY;
  if (parent) {
    arena_init_child(scratch, parent);
    if (limit < scratch->limit) scratch->limit = limit;
  } else {
    arena_init(scratch, limit);
  }
  scratch->block_size = limit < 2 * SCRATCH_BLOCK ? limit / 2 : SCRATCH_BLOCK;
  arena_alloc(scratch, 1);  // no line gives back the block that this is in
}

decide_outcome decide_line(shape_arena *scratch, const decide_options *options, const char *line,
                           size_t length, shape_strbuf *out) {
  arena_mark mark = arena_get_mark(scratch);
  uint32_t before = out->length;
  request r = {
      .arena = scratch, .options = options, .line = line, .line_length = length, .out = out};
  shape_status status = arena_protect(scratch, run_request, &r);
  if (options->spent) *options->spent = r.budget.steps_used;
  if (status != SHAPE_OK) {
    if (out->length >= before) out->length = before;  // what was written of the reply
    bool spent = status == SHAPE_MEMORY || status == SHAPE_BITS;
    if (spent && r.asked && !options->readable) {
      reply_spent(&r);  // bytes and bits are budgets as steps are
    } else {
      reply_error(&r, shape_status_name(status), shape_status_message(status), NULL, SIZE_MAX);
    }
  }
  arena_rewind(scratch, mark);
  return r.outcome;
}
