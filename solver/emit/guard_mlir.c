// SPDX-License-Identifier: Apache-2.0
// MLIR: dims as tensor<i64>, each computed once, and an assertion for each check.
#include <assert.h>
#include <stdio.h>

#include "solver/ops/traits.h"
#include "solver/emit/guard_code.h"
#include "solver/emit/instructions.h"
#include "solver/formats/mlir/edit.h"

typedef struct writer {
  shape_report *report;
  const shape_graph *graph;
  const report_checks *checks;
  term_table *terms;
  shape_strbuf *out;
  report_text indent;
  char prefix[32];        // of new names
  uint32_t next;          // number of the next
  instructions computed;  // the terms so far
  shape_imap operands;    // check_operand -> number
  const char *dialect;
  bool *readable;  // by binding: see find_readable
} writer;

static uint32_t line(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "%guard4 = " and what follows; returns 4.
static uint32_t line(writer *w, const char *format, ...) {
  va_list args;
  strbuf_add(w->out, w->indent.text, w->indent.length);
  strbuf_printf(w->out, "%%%s%u = ", w->prefix, w->next);
  va_start(args, format);
  strbuf_vprintf(w->out, format, args);
  va_end(args);
  strbuf_putc(w->out, '\n');
  return w->next++;
}

static uint32_t binary(writer *w, const char *op, uint32_t a, uint32_t b, const char *type) {
  return line(w, "%s.%s %%%s%u, %%%s%u : %s", w->dialect, op, w->prefix, a, w->prefix, b, type);
}

static uint32_t compare(writer *w, const char *direction, uint32_t a, uint32_t b) {
  return line(w, "%s.compare %s, %%%s%u, %%%s%u, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>",
              w->dialect, direction, w->prefix, a, w->prefix, b);
}

static uint32_t choose(writer *w, uint32_t test, uint32_t yes, uint32_t no) {
  return line(w, "%s.select %%%s%u, %%%s%u, %%%s%u : tensor<i1>, tensor<i64>", w->dialect,
              w->prefix, test, w->prefix, yes, w->prefix, no);
}

static uint32_t widen(writer *w, uint32_t x, const char *from) {
  return line(w, "%s.convert %%%s%u : (%s) -> tensor<i64>", w->dialect, w->prefix, x, from);
}

static uint32_t put(writer *w, term_id id) { return instructions_put(&w->computed, id); }

static uint32_t make_num(void *data, num x) {
  writer *w = data;
  int64_t value;
  if (!num_to_int(x, &value)) value = INT64_MIN;  // is_writable has seen to it that there is none
  return line(w, "%s.constant dense<%lld> : tensor<i64>", w->dialect, (long long)value);
}

static uint32_t make_step(void *data, bool product, uint32_t a, uint32_t b) {
  return binary(data, product ? "multiply" : "add", a, b, "tensor<i64>");
}

static uint32_t put_num(writer *w, num x) { return put(w, term_const(w->terms, x)); }

// --- arguments

static const graph_type *argument_type(const writer *w, uint32_t argument) {
  return graph_value_type(w->graph, w->report->functions[0].arguments + argument);
}

// Types whose integers an i64 holds; operations of StableHLO take no values of torch.
static bool is_readable(const writer *w, check_operand p) {
  const graph_type *type = argument_type(w, p.argument);
  if (!type || type->kind != TYPE_TENSOR || type->torch != TORCH_NOT) return false;
  if (!p.value) return true;
  shape_dtype dtype = (shape_dtype)type->dtype;
  return dtype_is_integer(dtype) && dtype != DTYPE_UI64 && dtype != DTYPE_INDEX && type->rank <= 1;
}

static uint32_t put_element(writer *w, check_operand p, const char *name, const char *type) {
  const graph_type *t = argument_type(w, p.argument);
  const char *element = dtype_name((shape_dtype)t->dtype);
  bool is_i64 = t->dtype == DTYPE_I64;
  if (t->rank == 0) {
    return is_i64 ? line(w, "%s.reshape %%%s : (%s) -> tensor<i64>", w->dialect, name, type)
                  : line(w, "%s.convert %%%s : (%s) -> tensor<i64>", w->dialect, name, type);
  }
  uint32_t one = line(w, "%s.slice %%%s [%u:%u] : (%s) -> tensor<1x%s>", w->dialect, name, p.axis,
                      p.axis + 1, type, element);
  uint32_t scalar = line(w, "%s.reshape %%%s%u : (tensor<1x%s>) -> tensor<%s>", w->dialect,
                         w->prefix, one, element, element);
  char from[40];
  snprintf(from, sizeof from, "tensor<%s>", element);
  return is_i64 ? scalar : widen(w, scalar, from);
}

// get_dimension_size takes tensors of numbers, tensor.dim any.
static uint32_t put_dim(writer *w, check_operand p, const char *name, const char *type) {
  shape_dtype dtype = (shape_dtype)argument_type(w, p.argument)->dtype;
  if ((dtype_is_integer(dtype) && dtype != DTYPE_INDEX) || dtype_is_float(dtype) ||
      dtype_is_complex(dtype)) {
    uint32_t size = line(w, "%s.get_dimension_size %%%s, dim = %u : (%s) -> tensor<i32>",
                         w->dialect, name, p.axis, type);
    return widen(w, size, "tensor<i32>");
  }
  uint32_t axis = line(w, "arith.constant %u : index", p.axis);
  uint32_t dim = line(w, "tensor.dim %%%s, %%%s%u : %s", name, w->prefix, axis, type);
  uint32_t cast = line(w, "arith.index_cast %%%s%u : index to i64", w->prefix, dim);
  return line(w, "tensor.from_elements %%%s%u : tensor<i64>", w->prefix, cast);
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

static uint32_t put_operand(writer *w, check_operand p) {
  uint64_t key = (uint64_t)p.argument << 33 | (uint64_t)p.axis << 1 | p.value;
  uint32_t known;
  if (imap_get(&w->operands, key, &known)) return known;
  value_id value = w->report->functions[0].arguments + p.argument;
  uint32_t length;
  const char *text = graph_value_text(w->graph, value, &length);
  const char *name = arena_strndup(w->graph->arena, text, length);
  shape_strbuf type;
  strbuf_init(&type, w->graph->arena);
  put_argument_type(w, &type, value, length);
  known = p.value ? put_element(w, p, name, strbuf_text(&type))
                  : put_dim(w, p, name, strbuf_text(&type));
  imap_put(&w->operands, w->graph->arena, key, known);
  return known;
}

// --- terms

static uint32_t put_floordiv(writer *w, uint32_t a, uint32_t b, bool natural) {
  static const char I64[] = "tensor<i64>", I1[] = "tensor<i1>";
  uint32_t q = binary(w, "divide", a, b, I64);
  if (natural) return q;
  uint32_t rest = binary(w, "remainder", a, b, I64), zero = put_num(w, NUM(0));
  uint32_t some = compare(w, "NE", rest, zero);
  uint32_t signs = binary(w, "xor", compare(w, "LT", rest, zero), compare(w, "LT", b, zero), I1);
  uint32_t down = widen(w, binary(w, "and", some, signs, I1), I1);
  return binary(w, "subtract", q, down, I64);
}

static bool is_natural(writer *w, term_id a, term_id b) {
  interval x = store_range(w->report->infer->store, a), y = store_range(w->report->infer->store, b);
  return x.has_lo && num_sign(x.lo) >= 0 && y.has_lo && num_sign(y.lo) > 0;
}

static uint32_t put_symbol(writer *w, term_id id) {
  assert(term_kind_of(w->terms, id) == TERM_SYMBOL);
  uint32_t index = guard_code_binding(w->checks, id);
  term_id dividend;
  num divisor;
  if (index == ID_NONE) {
    if (!report_quotient(w->report, term_get(w->terms, id)->as.symbol, &dividend, &divisor))
      return 0;
    uint32_t a = put(w, dividend);
    return put_floordiv(w, a, put_num(w, divisor), false);
  }
  const check_binding *b = &w->checks->bindings[index];
  if (b->computed) return put(w, b->rest);
  uint32_t operand = put_operand(w, b->operand);
  if (num_is_one(b->factor) && b->rest == TERM_ZERO) return operand;
  uint32_t less = binary(w, "subtract", operand, put(w, b->rest), "tensor<i64>");
  return put_floordiv(w, less, put_num(w, b->factor), false);
}

static uint32_t put_atom(void *data, term_id id) {
  writer *w = data;
  assert(term_is_atom(w->terms, id));
  const term_node node = *term_get(w->terms, id);
  const term_id *args = node.as.args;
  uint32_t a = node.kind == TERM_SYMBOL ? put_symbol(w, id) : put(w, args[0]), b;
  switch ((term_kind)node.kind) {
  case TERM_FLOORDIV: return put_floordiv(w, a, put(w, args[1]), is_natural(w, args[0], args[1]));
  case TERM_MIN:
    for (uint32_t i = 1; i < node.count; i++) {
      b = put(w, args[i]);
      a = binary(w, "minimum", a, b, "tensor<i64>");
    }
    return a;
  case TERM_BCAST:
    b = put(w, args[1]);
    return choose(w, compare(w, "EQ", a, put_num(w, NUM(1))), b, a);
  case TERM_SELECT: {
    uint32_t test = compare(w, "NE", a, put_num(w, NUM(0)));
    b = put(w, args[1]);
    return choose(w, test, b, put(w, args[2]));
  }
  case TERM_IS_ZERO: return widen(w, compare(w, "EQ", a, put_num(w, NUM(0))), "tensor<i1>");
  case TERM_IS_NEG: return widen(w, compare(w, "LT", a, put_num(w, NUM(0))), "tensor<i1>");
  default: return a;
  }
}

// --- what can be written

typedef struct reach {
  const writer *w;
  bool ok;
} reach;

static void check_num(reach *r, num x) {
  int64_t value;
  r->ok &= num_to_int(x, &value);
}

static void check_atom(void *data, term_id atom) {
  reach *r = data;
  const term_node *node = term_get(r->w->terms, atom);
  if (node->kind == TERM_APPLY) r->ok = false;
  if (node->kind != TERM_SYMBOL) return;
  uint32_t index = guard_code_binding(r->w->checks, atom);
  assert(index == ID_NONE || index < r->w->checks->binding_count);
  if (index != ID_NONE) r->ok &= r->w->readable[index];
}

static bool is_writable_term(const writer *w, term_id id) {
  reach r = {w, true};
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(w->terms, id, &parts, &room);
  for (uint32_t i = 0; i < count; i++) check_num(&r, parts[i].coefficient);
  term_visit_atoms(w->terms, id, check_atom, &r);
  return r.ok;
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
  const graph_type *type = argument_type(w, c->operand.argument);
  return type && type->kind == TYPE_TENSOR && c->operand.axis < type->rank &&
         term_int_value(w->terms, c->p.right, &size) && type->dims[c->operand.axis] == size;
}

// --- checks

static uint32_t put_predicate(writer *w, predicate p) {
  static const char *const NAMES[] = {[REL_EQ] = "EQ", [REL_NE] = "NE", [REL_LT] = "LT",
                                      [REL_LE] = "LE", [REL_GT] = "GT", [REL_GE] = "GE"};
  uint32_t a = put(w, p.left), b = put(w, p.right);
  if (p.rel != REL_DIVISIBLE) return compare(w, NAMES[p.rel], a, b);
  return compare(w, "EQ", binary(w, "remainder", a, b, "tensor<i64>"), put_num(w, NUM(0)));
}

static uint32_t put_ranges(writer *w, const report_check *c) {
  uint32_t any = ID_NONE, x = put(w, c->p.left);
  for (uint32_t i = 0; i < c->range_count; i++) {
    uint32_t above = compare(w, "LE", put_num(w, NUM(c->ranges[2 * i])), x);
    uint32_t below = compare(w, "LE", x, put_num(w, NUM(c->ranges[2 * i + 1])));
    uint32_t in = binary(w, "and", above, below, "tensor<i1>");
    any = any == ID_NONE ? in : binary(w, "or", any, in, "tensor<i1>");
  }
  return any;
}

static void put_check(writer *w, const report_check *c) {
  if (is_given(w, c)) return;
  if (!is_writable(w, c)) {
    strbuf_add(w->out, w->indent.text, w->indent.length);
    strbuf_printf(w->out, "// not asserted: %s\n", c->message);
    return;
  }
  uint32_t test;
  if (c->kind == CHECK_OPERAND) {
    uint32_t operand = put_operand(w, c->operand);
    test = compare(w, "EQ", operand, put(w, c->p.right));
  } else {
    test = c->ranges ? put_ranges(w, c) : put_predicate(w, c->p);
  }
  for (uint32_t i = 0; i < c->when_count; i++) {
    predicate p = c->when[i];
    p.rel = check_not(p.rel);
    test = binary(w, "or", put_predicate(w, p), test, "tensor<i1>");
  }
  strbuf_add(w->out, w->indent.text, w->indent.length);
  strbuf_printf(w->out,
                "%s.custom_call @shape_assertion(%%%s%u) {api_version = 2 : i32, error_message = ",
                w->dialect, w->prefix, test);
  shape_strbuf message;
  strbuf_init(&message, w->graph->arena);
  for (const unsigned char *s = (const unsigned char *)c->message; *s; s++) {
    bool plain = *s >= 0x20 && *s < 0x7f && *s != '"' && *s != '\\' && *s != '{';
    strbuf_putc(&message, plain ? (char)*s : '_');
  }
  strbuf_printf(w->out, "\"%s\", has_side_effect = true} : (tensor<i1>) -> ()\n",
                strbuf_text(&message));
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

void guard_code_mlir(shape_report *r, const report_checks *checks, shape_strbuf *out) {
  const shape_graph *g = r->graph;
  const char *text = g->source.text;
  writer w = {.report = r, .graph = g, .checks = checks, .terms = r->infer->terms, .out = out};
  w.computed = (instructions){.terms = w.terms,
                              .arena = g->arena,
                              .number = make_num,
                              .atom = put_atom,
                              .step = make_step,
                              .writer = &w};
  w.dialect = traits_hlo_dialect(g);
  choose_prefix(&w);
  find_readable(&w);
  if (!r->function_count || r->functions[0].id != r->infer->entry) {
    strbuf_add(out, text, g->source.length);
    return;
  }
  region_id body = g->funcs[r->infer->entry].body;
  op_id first = g->blocks[g->regions[body].first_block].first;
  uint32_t at = first == ID_NONE ? g->source.length : g->ops[first].span.begin, from = at;
  while (from && (text[from - 1] == ' ' || text[from - 1] == '\t')) from--;
  bool own_line = !from || text[from - 1] == '\n';
  w.indent = own_line ? (report_text){text + from, at - from} : (report_text){"  ", 2};
  strbuf_add(out, text, own_line ? from : at);
  if (!own_line) strbuf_putc(out, '\n');
  for (uint32_t i = 0; i < checks->check_count; i++) put_check(&w, &checks->checks[i]);
  strbuf_add(out, text + (own_line ? from : at), g->source.length - (own_line ? from : at));
}
