// SPDX-License-Identifier: Apache-2.0
// MLIR: each dim is computed once, and there is an assertion for each check. guard_mlir_*.c spell the instructions.
#include <assert.h>
#include <stdio.h>

#include "solver/ops/traits.h"
#include "solver/emit/guard_mlir.h"
#include "solver/formats/mlir/edit.h"

typedef guard_mlir writer;

// "%guard4 = " and what follows; returns 4.
uint32_t guard_line(guard_mlir *w, const char *format, ...) {
  va_list args;
  strbuf_add(w->out, w->indent.text, w->indent.length);
  strbuf_printf(w->out, "%%%s%u = ", w->prefix, w->next);
  va_start(args, format);
  strbuf_vprintf(w->out, format, args);
  va_end(args);
  strbuf_puts(w->out, w->line_end);
  return w->next++;
}

static uint32_t put(writer *w, term_id id) { return instructions_put(&w->computed, id); }

// How large a result may be: bits without the sign; more than 63: it may have left 64 bits. Whether an element of an argument
// is in it, which may be any number: tensors with dims whose product leaves 64 bits do not exist.
typedef struct magnitude {
  uint32_t bits;
  bool of_element;
} magnitude;

static magnitude magnitude_of(const writer *w, uint32_t result) {
  uint32_t known;
  if (!imap_get(&w->bits, result, &known)) return (magnitude){63, false};
  return (magnitude){known >> 1, known & 1};
}

static void set_magnitude(writer *w, uint32_t result, magnitude m) {
  assert(m.bits <= 63);
  imap_put(&w->bits, w->graph->arena, result, m.bits << 1 | m.of_element);
}

// --- products that fit in 64 bits

// The test that a result did not wrap; ID_NONE: it cannot.
static uint32_t fits_of(const writer *w, uint32_t result) {
  uint32_t test;
  return imap_get(&w->fits, result, &test) ? test : ID_NONE;
}

static uint32_t both(writer *w, uint32_t a, uint32_t b) {
  if (a == ID_NONE || a == b) return b;
  return b == ID_NONE ? a : w->dialect->binary(w, GUARD_AND, a, b);
}

static void add_fits(writer *w, uint32_t result, uint32_t test) {
  assert(test == ID_NONE || test < w->next);
  test = both(w, fits_of(w, result), test);
  if (test != ID_NONE) imap_put(&w->fits, w->graph->arena, result, test);
}

// It is at most as large as the largest of its parts, of which this is one.
static void join_magnitude(writer *w, uint32_t result, uint32_t part) {
  magnitude m = magnitude_of(w, part), r = {0, false};
  uint32_t known;
  if (imap_get(&w->bits, result, &known)) r = magnitude_of(w, result);
  set_magnitude(w, result,
                (magnitude){m.bits > r.bits ? m.bits : r.bits, m.of_element || r.of_element});
  add_fits(w, result, fits_of(w, part));
}

static uint32_t make_num(void *data, num x) {
  writer *w = data;
  int64_t value;
  if (!num_to_int(x, &value)) value = INT64_MIN;  // is_writable has seen to it that there is none
  uint32_t made = w->dialect->constant(w, value), bits = value < 0;  // INT64_MIN times -1 wraps
  while (bits < 63 && (value >> bits) != 0 && (value >> bits) != -1) bits++;
  set_magnitude(w, made, (magnitude){bits, false});
  return made;
}

// Tests that the product of a and b did not wrap: it divided by a is b. What wraps could pass a check that it breaks.
// -1 is apart, as INT64_MIN divided by it is not defined; INT64_MIN is refused.
static uint32_t test_product(writer *w, uint32_t product, uint32_t a, uint32_t b) {
  const guard_dialect *d = w->dialect;
  uint32_t one = make_num(w, NUM(1)), zero = make_num(w, NUM(0)), minus = make_num(w, NUM(-1));
  uint32_t is_zero = d->compare(w, REL_EQ, a, zero), is_minus = d->compare(w, REL_EQ, a, minus);
  uint32_t divisor = d->choose(w, d->binary(w, GUARD_OR, is_zero, is_minus), one, a);
  uint32_t same = d->compare(w, REL_EQ, d->binary(w, GUARD_DIV, product, divisor), b);
  uint32_t defined = d->compare(w, REL_NE, b, make_num(w, NUM(INT64_MIN)));
  uint32_t fits = d->binary(w, GUARD_AND, d->binary(w, GUARD_OR, is_minus, same), defined);
  return d->binary(w, GUARD_OR, is_zero, fits);
}

// Tests that the sum of a and b did not wrap: it is at least a just where b is not negative.
static uint32_t test_sum(writer *w, uint32_t sum, uint32_t a, uint32_t b) {
  const guard_dialect *d = w->dialect;
  uint32_t more = d->compare(w, REL_LE, make_num(w, NUM(0)), b),
           less = d->compare(w, REL_LT, sum, a);
  return d->binary(w, GUARD_XOR, more, less);
}

static uint32_t make_step(void *data, bool product, uint32_t a, uint32_t b) {
  writer *w = data;
  uint32_t made = w->dialect->binary(w, product ? GUARD_MUL : GUARD_ADD, a, b);
  magnitude x = magnitude_of(w, a), y = magnitude_of(w, b);
  uint32_t most = (x.bits > y.bits ? x.bits : y.bits) + 1;
  magnitude m = {product ? x.bits + y.bits : most, x.of_element || y.of_element};
  // With 63 bits it may be 2^63: that of -2^32 and -2^31.
  bool may_wrap = m.bits > 63 || (product && m.bits == 63 && x.bits && y.bits);
  add_fits(w, made, fits_of(w, a));
  add_fits(w, made, fits_of(w, b));
  if (m.of_element && may_wrap)
    add_fits(w, made, product ? test_product(w, made, a, b) : test_sum(w, made, a, b));
  m.bits = m.bits > 63 ? 63 : m.bits;
  set_magnitude(w, made, m);
  return made;
}

static uint32_t put_num(writer *w, num x) { return put(w, term_const(w->terms, x)); }

// --- arguments

const graph_type *guard_argument_type(const writer *w, uint32_t argument) {
  return graph_value_type(w->graph, w->report->functions[0].arguments + argument);
}

static bool is_readable(const writer *w, check_operand p) {
  const graph_type *type = guard_argument_type(w, p.argument);
  return type && w->dialect->readable(type, p.value);
}

// Where the text of a type ends that begins with '<' here; `end` where it does not.
static const char *after_brackets(const char *at, const char *end) {
  uint32_t depth = 0;
  for (bool quoted = false; at < end; at++) {
    if (*at == '"') quoted = !quoted;
    if (quoted) {
      at += *at == '\\' && at + 1 < end;
      continue;
    }
    depth += *at == '<';
    if (*at == '>' && --depth == 0) return at + 1;
  }
  return end;
}

// The type as the signature spells it: a name that it gives a number is no part of the type in the graph.
static void put_argument_type(const writer *w, shape_strbuf *out, value_id value, uint32_t name) {
  static const char TENSOR[] = "tensor<";
  const graph_value *v = &w->graph->values[value];
  const char *at = w->graph->source.text + v->at + 1 + name;
  const char *end = w->graph->source.text + w->graph->source.length;
  while (at < end && *at == ' ') at++;
  at += at < end && *at == ':';
  while (at < end && *at == ' ') at++;
  bool spelt = end - at > (ptrdiff_t)sizeof TENSOR && !memcmp(at, TENSOR, sizeof TENSOR - 1);
  const char *to = spelt ? after_brackets(at + sizeof TENSOR - 2, end) : end;
  if (to == end) {
    mlir_put_type(out, w->graph, v->type);
  } else {
    strbuf_add(out, at, (size_t)(to - at));
  }
}

// The name of an argument without its %, and its type, as the function spells them.
static const char *spell_argument(const writer *w, uint32_t argument, shape_strbuf *type) {
  value_id value = w->report->functions[0].arguments + argument;
  uint32_t length;
  if (w->own_text) {
    mlir_put_type(type, w->graph, w->graph->values[value].type);
    shape_strbuf name;
    strbuf_init(&name, w->graph->arena);
    strbuf_printf(&name, "arg%u", argument);
    return strbuf_text(&name);
  }
  const char *text = graph_value_text(w->graph, value, &length);
  put_argument_type(w, type, value, length);
  return arena_strndup(w->graph->arena, text, length);
}

static uint32_t put_operand(writer *w, check_operand p) {
  uint64_t key = (uint64_t)p.argument << 33 | (uint64_t)p.axis << 1 | p.value;
  uint32_t known;
  if (imap_get(&w->operands, key, &known)) return known;
  shape_strbuf type;
  strbuf_init(&type, w->graph->arena);
  const char *name = spell_argument(w, p.argument, &type);
  known = (p.value ? w->dialect->element : w->dialect->dim)(w, p, name, strbuf_text(&type));
  const graph_type *t = guard_argument_type(w, p.argument);
  bool narrow =
      p.value && t && (t->dtype == DTYPE_I32 || t->dtype == DTYPE_I16 || t->dtype == DTYPE_I8);
  set_magnitude(w, known, (magnitude){!p.value ? w->dialect->dim_bits : narrow ? 31 : 63, p.value});
  imap_put(&w->operands, w->graph->arena, key, known);
  return known;
}

// --- terms

static uint32_t put_floordiv(writer *w, uint32_t a, uint32_t b, bool natural) {
  const guard_dialect *d = w->dialect;
  uint32_t q = d->binary(w, GUARD_DIV, a, b);
  if (natural) return q;
  uint32_t rest = d->binary(w, GUARD_REM, a, b), zero = put_num(w, NUM(0));
  uint32_t some = d->compare(w, REL_NE, rest, zero);
  uint32_t signs = d->compare(w, REL_LT, rest, zero);
  signs = d->binary(w, GUARD_XOR, signs, d->compare(w, REL_LT, b, zero));
  return d->binary(w, GUARD_SUB, q, d->truth(w, d->binary(w, GUARD_AND, some, signs)));
}

static bool is_natural(writer *w, term_id a, term_id b) {
  interval x = store_range(w->report->infer->store, a), y = store_range(w->report->infer->store, b);
  return x.has_lo && num_sign(x.lo) >= 0 && y.has_lo && num_sign(y.lo) > 0;
}

static uint32_t put_symbol(writer *w, term_id id) {
  assert(term_kind_of(w->terms, id) == TERM_SYMBOL);
  uint32_t index = report_checks_binding(w->checks, id);
  term_id dividend;
  num divisor;
  if (index == ID_NONE) {
    if (!report_quotient(w->report, term_get(w->terms, id)->as.symbol, &dividend, &divisor))
      return 0;
    uint32_t a = put(w, dividend), q = put_floordiv(w, a, put_num(w, divisor), false);
    join_magnitude(w, q, a);
    return q;
  }
  const check_binding *b = &w->checks->bindings[index];
  if (b->computed) return put(w, b->rest);
  uint32_t operand = put_operand(w, b->operand);
  if (num_is_one(b->factor) && b->rest == TERM_ZERO) return operand;
  uint32_t rest = put(w, b->rest), less = w->dialect->binary(w, GUARD_SUB, operand, rest);
  uint32_t solved = put_floordiv(w, less, put_num(w, b->factor), false);
  set_magnitude(w, solved, (magnitude){63, b->operand.value});
  add_fits(w, solved, fits_of(w, rest));
  return solved;
}

static uint32_t write_atom(writer *w, term_id id) {
  assert(term_is_atom(w->terms, id));
  const guard_dialect *d = w->dialect;
  const term_node node = *term_get(w->terms, id);
  const term_id *args = node.as.args;
  uint32_t a = node.kind == TERM_SYMBOL ? put_symbol(w, id) : put(w, args[0]), b;
  switch ((term_kind)node.kind) {
  case TERM_FLOORDIV: {
    bool natural = is_natural(w, args[0], args[1]);
    return put_floordiv(w, a, put(w, args[1]), natural);
  }
  case TERM_MIN:
    for (uint32_t i = 1; i < node.count; i++) {
      b = put(w, args[i]);
      a = d->binary(w, GUARD_MIN, a, b);
    }
    return a;
  case TERM_BCAST:
    b = put(w, args[1]);
    return d->choose(w, d->compare(w, REL_EQ, a, put_num(w, NUM(1))), b, a);
  case TERM_SELECT: {
    uint32_t test = d->compare(w, REL_NE, a, put_num(w, NUM(0)));
    b = put(w, args[1]);
    return d->choose(w, test, b, put(w, args[2]));
  }
  case TERM_IS_ZERO: return d->truth(w, d->compare(w, REL_EQ, a, put_num(w, NUM(0))));
  case TERM_IS_NEG: return d->truth(w, d->compare(w, REL_LT, a, put_num(w, NUM(0))));
  default: return a;
  }
}

static uint32_t put_atom(void *data, term_id id) {
  writer *w = data;
  const term_node node = *term_get(w->terms, id);
  uint32_t made = write_atom(w, id);
  bool chosen = node.kind == TERM_FLOORDIV || node.kind == TERM_MIN || node.kind == TERM_BCAST ||
                node.kind == TERM_SELECT;
  for (uint32_t i = 0; node.kind != TERM_SYMBOL && i < node.count; i++) {
    uint32_t arg = put(w, node.as.args[i]);
    if (chosen) {
      join_magnitude(w, made, arg);
    } else {
      add_fits(w, made, fits_of(w, arg));
    }
  }
  return made;
}

// --- what can be written

static bool is_out_of_reach(void *data, term_id atom) {
  const writer *w = data;
  const term_node *node = term_get(w->terms, atom);
  if (node->kind != TERM_SYMBOL) return node->kind == TERM_APPLY;
  uint32_t index = report_checks_binding(w->checks, atom);
  assert(index == ID_NONE || index < w->checks->binding_count);
  return index != ID_NONE && !w->readable[index];
}

static bool is_writable_term(const writer *w, term_id id) {
  term_part room;
  int64_t value;
  const term_part *parts;
  uint32_t count = term_parts(w->terms, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (!num_to_int(parts[i].coefficient, &value)) return false;
  }
  return !term_any_atom(w->terms, id, is_out_of_reach, (void *)w);
}

// Whether each binding can be written: what a computed one is made of was bound before it.
static void find_readable(writer *w) {
  uint32_t count = w->checks->binding_count;
  w->readable = arena_zalloc(w->graph->arena, count + 1u);
  for (uint32_t i = 0; i < count; i++) {
    const check_binding *b = &w->checks->bindings[i];
    w->readable[i] = b->computed ? is_writable_term(w, b->rest) : is_readable(w, b->operand);
  }
}

static bool is_writable(const writer *w, const report_check *c) {
  if (c->kind == CHECK_OPERAND) {
    return is_readable(w, c->operand) && is_writable_term(w, c->p.right);
  }
  for (uint32_t i = 0; i < c->when_count; i++) {
    if (!is_writable_term(w, c->when[i].left)) return false;
  }
  return is_writable_term(w, c->p.left) && is_writable_term(w, c->p.right);
}

// The type of the argument gives the size already.
static bool is_given(const writer *w, const report_check *c) {
  int64_t size;
  if (c->kind != CHECK_OPERAND || c->operand.value) return false;
  const graph_type *type = guard_argument_type(w, c->operand.argument);
  return type && type->kind == TYPE_TENSOR && c->operand.axis < type->rank &&
         term_int_value(w->terms, c->p.right, &size) && type->dims[c->operand.axis] == size;
}

// --- checks

// *fits: and the test that nothing in it wrapped.
static uint32_t put_predicate(writer *w, predicate p, uint32_t *fits) {
  const guard_dialect *d = w->dialect;
  uint32_t a = put(w, p.left), b = put(w, p.right);
  *fits = both(w, both(w, *fits, fits_of(w, a)), fits_of(w, b));
  if (p.rel != REL_DIVISIBLE) return d->compare(w, p.rel, a, b);
  return d->compare(w, REL_EQ, d->binary(w, GUARD_REM, a, b), put_num(w, NUM(0)));
}

static uint32_t put_ranges(writer *w, const report_check *c, uint32_t *fits) {
  const guard_dialect *d = w->dialect;
  uint32_t any = ID_NONE, x = put(w, c->p.left);
  *fits = both(w, *fits, fits_of(w, x));
  for (uint32_t i = 0; i < c->range_count; i++) {
    uint32_t above = d->compare(w, REL_LE, put_num(w, NUM(c->ranges[2 * i])), x);
    uint32_t below = d->compare(w, REL_LE, x, put_num(w, NUM(c->ranges[2 * i + 1])));
    uint32_t in = d->binary(w, GUARD_AND, above, below);
    any = any == ID_NONE ? in : d->binary(w, GUARD_OR, any, in);
  }
  return any;
}

static void put_assertion(writer *w, uint32_t test, const char *message) {
  strbuf_add(w->out, w->indent.text, w->indent.length);
  w->dialect->check(w, test, message);
  strbuf_puts(w->out, w->line_end);
}

static void assert_fits(writer *w, uint32_t test) {
  uint32_t ignored;
  if (test == ID_NONE || imap_get(&w->asserted, test, &ignored)) return;
  imap_put(&w->asserted, w->graph->arena, test, 1);
  put_assertion(w, test, "a product or sum of elements of arguments fits in 64 bits");
}

static void put_check(writer *w, const report_check *c) {
  if (is_given(w, c)) return;
  if (!is_writable(w, c)) {
    strbuf_add(w->out, w->indent.text, w->indent.length);
    strbuf_printf(w->out, "// not asserted: %s%s", c->message, w->line_end);
    return;
  }
  uint32_t test, fits = ID_NONE, when_fits = ID_NONE;
  if (c->kind == CHECK_OPERAND) {
    uint32_t operand = put_operand(w, c->operand), right = put(w, c->p.right);
    test = w->dialect->compare(w, REL_EQ, operand, right);
    fits = fits_of(w, right);
  } else {
    test = c->ranges ? put_ranges(w, c, &fits) : put_predicate(w, c->p, &fits);
  }
  for (uint32_t i = 0; i < c->when_count; i++) {
    predicate p = c->when[i];
    p.rel = relation_not(p.rel);
    uint32_t unless = put_predicate(w, p, &when_fits);
    test = w->dialect->binary(w, GUARD_OR, unless, test);
    if (fits != ID_NONE) fits = w->dialect->binary(w, GUARD_OR, unless, fits);
  }
  assert_fits(w, when_fits);
  assert_fits(w, fits);
  shape_strbuf message;
  strbuf_init(&message, w->graph->arena);
  for (const unsigned char *s = (const unsigned char *)c->message; *s; s++) {
    bool plain = *s >= 0x20 && *s < 0x7f && *s != '"' && *s != '\\' && *s != '{';
    strbuf_putc(&message, plain ? (char)*s : '_');
  }
  put_assertion(w, test, strbuf_text(&message));
}

static bool has_text(const source_text *source, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= source->length; i++) {
    if (memcmp(source->text + i, word, length) == 0) return true;
  }
  return false;
}

// A prefix of names that the program does not use.
static void choose_prefix(writer *w) {
  char word[40];
  for (uint32_t i = 0; i < 1000; i++) {
    if (i) {
      snprintf(w->prefix, sizeof w->prefix, "guard_%u_", i);
    } else {
      snprintf(w->prefix, sizeof w->prefix, "guard");
    }
    snprintf(word, sizeof word, "%%%s", w->prefix);
    if (!has_text(&w->graph->source, word)) return;
  }
}

static writer begin(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  writer w = {.report = r,
              .graph = g,
              .checks = checks,
              .terms = r->infer->terms,
              .out = out,
              .line_end = edit_line_end(&g->source)};
  w.computed = (instructions){
      .terms = w.terms, .arena = g->arena, .number = make_num, .atom = put_atom, .step = make_step};
  return w;
}

static void prepare(writer *w) {
  w->computed.writer = w;
  find_readable(w);
}

static void put_checks(writer *w) {
  prepare(w);
  for (uint32_t i = 0; i < w->checks->check_count; i++) put_check(w, &w->checks->checks[i]);
}

static void choose_dialect(writer *w) {
  w->prefix_of_ops = traits_hlo_dialect(w->graph);
  w->dialect = w->prefix_of_ops ? &GUARD_HLO : &GUARD_ARITH;
  choose_prefix(w);
}

// Where lines in front of the byte go: in front of its line, or after a line end that is put there.
static uint32_t lines_before(writer *w, uint32_t at, bool *own_line) {
  const char *text = w->graph->source.text;
  uint32_t from = at;
  assert(at <= w->graph->source.length);
  while (from && (text[from - 1] == ' ' || text[from - 1] == '\t')) from--;
  *own_line = !from || text[from - 1] == '\n';
  w->indent = *own_line ? (report_text){text + from, at - from} : (report_text){"  ", 2};
  return *own_line ? from : at;
}

void guard_code_mlir(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  const char *text = g->source.text;
  writer w = begin(r, checks, out);
  choose_dialect(&w);
  if (!r->function_count || r->functions[0].id != r->infer->entry) {
    strbuf_add(out, text, g->source.length);
    return;
  }
  region_id body = g->funcs[r->infer->entry].body;
  op_id first = g->blocks[g->regions[body].first_block].first;
  bool own_line;
  uint32_t at =
      lines_before(&w, first == ID_NONE ? g->source.length : g->ops[first].span.begin, &own_line);
  strbuf_add(out, text, at);
  if (!own_line) strbuf_puts(out, w.line_end);
  put_checks(&w);
  strbuf_add(out, text + at, g->source.length - at);
}

// --- of one operation

static bool is_of(const writer *w, const report_check *c, op_id op) {
  source_span span = w->graph->ops[op].span;
  if (!c->guard || !c->guard->because_count) return false;
  source_span at = c->guard->because[0].span;
  return !span_is_none(at) && at.begin >= span.begin && at.begin < span.end;
}

// The operation of the entry's own blocks that an operation is or is in; ID_NONE: it is in another function.
static op_id in_entry(const shape_report *r, op_id op) {
  const shape_graph *g = r->graph;
  region_id body = g->funcs[r->infer->entry].body;
  while (op != ID_NONE && g->ops[op].parent != ID_NONE) {
    region_id around = g->blocks[g->ops[op].parent].region;
    if (around == body) return op;
    op = g->regions[around].op;
  }
  return ID_NONE;
}

uint32_t guard_code_before(shape_report *r, op_id op, shape_strbuf *out) {
  assert(op < r->graph->op_count);
  if (!r->function_count || r->functions[0].id != r->infer->entry || op_is_assertion(r->graph, op))
    return ID_NONE;
  op_id outer = in_entry(r, op);
  if (outer == ID_NONE) return ID_NONE;
  const report_checks *checks = report_checks_make(r);
  writer w = begin(r, checks, out);
  bool own_line;
  uint32_t count = 0;
  choose_dialect(&w);
  uint32_t at = lines_before(&w, r->graph->ops[outer].span.begin, &own_line);
  if (!own_line) strbuf_puts(out, w.line_end);
  prepare(&w);
  for (uint32_t i = 0; i < checks->check_count; i++) {
    const report_check *c = &checks->checks[i];
    if (!is_of(&w, c, op)) continue;
    if (!is_writable(&w, c)) return ID_NONE;
    put_check(&w, c);
    count++;
  }
  return count ? at : ID_NONE;
}

void guard_code_function(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  writer w = begin(r, checks, out);
  w.dialect = &GUARD_ARITH;
  w.own_text = true;
  w.line_end = "\n";
  w.indent = (report_text){"  ", 2};
  guard_code_head(r, checks, "// ", "function", out);
  strbuf_puts(out, "func.func @");
  guard_code_entry(r, out);
  strbuf_puts(out, "_guards(");
  bool there = r->function_count && r->functions[0].id == r->infer->entry;
  uint32_t count = there ? r->functions[0].argument_count : 0;
  for (uint32_t i = 0; i < count; i++) {
    strbuf_printf(out, "%s%%arg%u: ", i ? ", " : "", i);
    mlir_put_type(out, g, g->values[r->functions[0].arguments + i].type);
  }
  strbuf_puts(out, ") {\n");
  if (there) put_checks(&w);
  strbuf_puts(out, "  return\n}\n");
}
