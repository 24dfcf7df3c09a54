// SPDX-License-Identifier: Apache-2.0
#include "solver/api/decide/decide.h"

#include <assert.h>
#include <string.h>

#include "solver/api/decide/request.h"
#include "solver/formats/json/write.h"
#include "solver/base/sort.h"
#include "solver/base/trace_line.h"
#include "solver/base/utf8.h"

enum { LONGEST_NAME_TOLD = 60, SCRATCH_BLOCK = 1 << 20 };

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

// --- terms

bool text_same_beyond(text x, text y) {
  return memcmp(x.data + TEXT_KEY, y.data + TEXT_KEY, x.length - TEXT_KEY) == 0;
}

// The first of `count` symbols, which are in order, whose name is not before that one, as far as keys say.
static uint32_t first_of_key(const declared *items, uint32_t count, uint64_t key) {
  uint32_t low = 0;
  for (uint32_t half; (half = count / 2); count -= half)
    low = items[low + half - 1].key < key ? low + half : low;
  return low + (count && items[low].key < key);
}

// Texts often name the symbol that was found last again, or the next one.
static __attribute__((noinline)) term_id find_among_many(request *r, text name, uint64_t key) {
  const declared *items = r->of.items;
  for (uint32_t i = r->of.found; i < r->of.count && i <= r->of.found + 1; i++) {
    if (declared_is(&items[i], name, key)) return r->parts.symbols[r->of.found = i].symbol;
  }
  uint32_t low = first_of_key(items, r->of.count, key), high = low, count = r->of.count;
  if (low < count && items[low].key == key && !declared_is(&items[low], name, key)) {
    high = key == UINT64_MAX ? count : first_of_key(items, count, key + 1);
    while (low < high) {  // those of one key
      uint32_t middle = low + (high - low) / 2;
      bool before = text_less_beyond(items[middle].name, name);
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
  }
  if (low == count || !declared_is(&items[low], name, key)) return TERM_NONE;
  return r->parts.symbols[r->of.found = low].symbol;
}

static term_id find_symbol(void *data, const char *name, size_t length) {
  request *r = data;
  text sought = {name, length};
  uint64_t key = text_key(sought);
  uint32_t i = 0, count = r->of.count;
  if (count > MANY_NAMES) return find_among_many(r, sought, key);
  while (i < count && !declared_is(&r->of.items[i], sought, key)) i++;
  return i < count ? r->parts.symbols[i].symbol : TERM_NONE;
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

static inline bool is_before(text x, uint64_t x_key, text y, uint64_t y_key) {
  return x_key != y_key ? x_key < y_key : text_less_beyond(x, y);
}

static bool is_declared_before(const void *data, uint32_t a, uint32_t b) {
  const declared *x = data;
  return is_before(x[a].name, x[a].key, x[b].name, x[b].key);
}

static bool is_text_before(const void *data, uint32_t a, uint32_t b) {
  const text *x = data;
  return is_before(x[a], text_key(x[a]), x[b], text_key(x[b]));
}

// NULL where the items are in order; else their indices in order.
static inline uint32_t *order_of(shape_arena *arena, uint32_t count, sort_before *before,
                                 const void *items) {
  uint32_t i = 1;
  while (i < count && !before(items, i, i - 1)) i++;
  if (i >= count) return NULL;
  uint32_t *order = arena_alloc(arena, count * sizeof *order);
  for (i = 0; i < count; i++) order[i] = i;
  sort_indices(arena, order, count, before, items);
  return order;
}

// Orders the symbols by name: the order of their declarations is to change no answer.
static void sort_symbols(request *r) {
  uint32_t count = r->of.count;
  const uint32_t *order = order_of(r->arena, count, is_declared_before, r->of.items);
  if (!order) return;
  declared *symbols = arena_alloc(r->arena, count * sizeof *symbols);
  r->of.order = arena_alloc(r->arena, count * sizeof *r->of.order);
  for (uint32_t i = 0; i < count; i++) {
    symbols[i] = r->of.items[order[i]];
    r->of.order[order[i]] = i;
  }
  r->of.items = symbols;
}

// In the order of their texts.
static const uint32_t *order_assumptions(request *r) {
  return r->given.order = order_of(r->arena, r->given.count, is_text_before, r->given.items);
}

static void declare_symbols(request *r) {
  sort_symbols(r);
  assert(r->of.count <= r->of.capacity);
  r->parts.symbols = arena_alloc(r->arena, (r->of.count + 1) * sizeof *r->parts.symbols);
  for (uint32_t i = 0; i < r->of.count; i++) {
    declared *d = &r->of.items[i];
    if (i && declared_is(d, d[-1].name, d[-1].key)) {
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

static bool parse_failed(request *r, const term_parser *parser, const char *field, uint32_t index) {
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
  if (parser->unknown) {
    size_t length = utf8_cut(parser->unknown, parser->unknown_length, LONGEST_NAME_TOLD);
    strbuf_printf(&message, " '%.*s'", (int)length, parser->unknown);
  }
  reply_error(r, "SYNTAX", strbuf_text(&message), strbuf_text(&path), parser->error_at);
  return false;
}

// In the order of their texts, so that the order in which they are given changes no answer. The first error is reported
// that is first in the request.
static bool parse_assumptions(request *r, term_parser *parser) {
  uint32_t count = r->given.count, wrong = UINT32_MAX;
  const uint32_t *order = order_assumptions(r);
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
  return parse_failed(r, parser, "assume", wrong);
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

// What rows of symbols say that their names denote.
static bool add_definitions(request *r, const term_parser *parser) {
  term_parser own = *parser;
  for (uint32_t i = 0; i < r->of.count; i++) {
    text is = r->of.items[i].definition;
    term_id value;
    if (!is.length) continue;
    if (!term_parse_expr(&own, is.data, is.length, &value))
      return parse_failed(r, &own, "symbols", UINT32_MAX);
    add_premise(r, predicate_make(REL_EQ, r->parts.symbols[i].symbol, value));
  }
  return true;
}

static void answer(request *r) {
  term_parser parser = {
      .terms = &r->terms, .symbol = find_symbol, .divisor = add_divisor, .data = r};
  add_gaps(r);
  if (!add_definitions(r, &parser) || !parse_assumptions(r, &parser)) return;
  uint32_t own = r->parts.premise_count;
  r->parts.own_links = r->parts.link_count;
  r->parts.owner = QUERY_ALWAYS;
  predicate p = {REL_EQ, TERM_ZERO, TERM_ZERO};
  bool ok =
      r->kind == ASK_QUERY
          ? term_parse_predicate(&parser, r->query.data, r->query.length, &p.rel, &p.left, &p.right)
          : term_parse_expr(&parser, r->query.data, r->query.length, &p.left);
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
  if (r->options->spent) budget_count(&r->budget, *r->options->spent);
  trace_open(&r->budget, r->options->trace);
  scan_init(&r->scan, r->arena, r->line, r->line_length);
  if (request_parse(r)) {
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
