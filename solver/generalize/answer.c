// SPDX-License-Identifier: Apache-2.0
// The answer as JSON (proto/schema/generalize.json) and as text.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/emit/encoder.h"
#include "solver/emit/wrapped.h"
#include "solver/formats/json/write.h"
#include "solver/generalize/state.h"
#include "solver/report/cell.h"
#include "solver/report/people.h"
#include "solver/report/render.h"

static shape_report *report_of(const generalization *g) {
  return shape_run_report(g->model_analysis.program);
}

static const report_shape *shape_of(const shape_report *r, value_id v) {
  assert(v < r->graph->value_count);
  return &r->shapes[r->value_shapes[v]];
}

static const char *element_name(const shape_report *r, type_id id) {
  const graph_type *t = id == TYPE_NONE ? NULL : type_get(&r->graph->types, id);
  if (!t || (t->kind != TYPE_TENSOR && t->kind != TYPE_UNRANKED && t->kind != TYPE_SCALAR))
    return NULL;
  return t->dtype < DTYPE_QUANTIZED ? dtype_name((shape_dtype)t->dtype) : NULL;
}

// --- what counts as a condition

typedef struct condition {
  report_text expr;
  model_location at;
  const char *message;
} condition;

// A symbol that no dim of an argument determines. Those of the store's own are what they denote.
static bool is_data(const generalization *g, term_id atom) {
  const term_node *node = term_get(report_of(g)->infer->terms, atom);
  return node->kind == TERM_SYMBOL && symbol_is_data(g->origin, node->as.symbol);
}

static bool visit_data(void *data, term_id atom) { return is_data(data, atom); }

static bool is_of_data(generalization *g, predicate p) {
  const infer_result *infer = report_of(g)->infer;
  return term_any_atom(infer->terms, store_express(infer->store, p.left), visit_data, g) ||
         term_any_atom(infer->terms, store_express(infer->store, p.right), visit_data, g);
}

// The range or the divisor of the symbol says it.
static bool is_implied(const shape_report *r, predicate p) {
  term_table *t = r->infer->terms;
  num limit;
  bool turned = term_const_value(t, p.left, &limit);
  if (!turned && !term_const_value(t, p.right, &limit)) return false;
  const report_symbol *s = report_symbol_of(r, turned ? p.right : p.left);
  if (!s) return false;
  relation rel = p.rel;
  if (turned)
    rel = rel == REL_LE   ? REL_GE
          : rel == REL_LT ? REL_GT
          : rel == REL_GE ? REL_LE
          : rel == REL_GT ? REL_LT
                          : rel;
  switch (rel) {
  case REL_GE: return s->range.has_lo && num_compare(s->range.lo, limit) >= 0;
  case REL_GT: return s->range.has_lo && num_compare(s->range.lo, limit) > 0;
  case REL_LE: return s->range.has_hi && num_compare(s->range.hi, limit) <= 0;
  case REL_LT: return s->range.has_hi && num_compare(s->range.hi, limit) < 0;
  case REL_DIVISIBLE: {
    int64_t divisor, known;
    return !turned && num_to_int(limit, &divisor) && num_to_int(s->divisible_by, &known) &&
           divisor > 0 && known % divisor == 0;
  }
  default: return false;
  }
}

// --- expressions that were written over dims of arguments

static term_id named_dim(void *data, const char *name, size_t length) {
  const shape_report *r = data;
  uint32_t argument = 0, axis = 0, i = 3;
  const report_function *f = &r->functions[0];
  for (; i < length && name[i] != '.'; i++) argument = argument * 10 + (uint32_t)(name[i] - '0');
  for (i++; i < length; i++) axis = axis * 10 + (uint32_t)(name[i] - '0');
  if (argument >= f->argument_count) return TERM_NONE;
  const report_shape *s = shape_of(r, f->arguments + argument);
  return s->ranked && axis < s->rank ? s->dims[axis] : TERM_NONE;
}

typedef void take_condition(void *to, const condition *c);

// What dims are tied by is seen in the dims and ranges of the answer, as a rule.
static void each_tie(generalization *g, take_condition *take, void *to) {
  shape_report *r = report_of(g);
  for (uint32_t i = 0; i < g->tied_count; i++) {
    const tied_dims *t = &g->tied[i];
    predicate p;
    term_parser parser = {.terms = r->infer->terms, .symbol = named_dim, .data = r};
    if (!term_parse_predicate(&parser, t->predicate, strlen(t->predicate), &p.rel, &p.left,
                              &p.right))
      continue;
    if ((p.rel == REL_EQ && p.left == p.right) || is_implied(r, p)) continue;
    if (p.rel == REL_GE) p = predicate_make(REL_LE, p.right, p.left);
    const condition c = {report_predicate(r, p), t->at, t->message};
    take(to, &c);
  }
}

static void each_condition(generalization *g, bool of_data, take_condition *take, void *to) {
  shape_report *r = report_of(g);
  for (uint32_t i = 0; i < r->guards.count; i++) {
    const report_constraint *guard = &r->guards.items[i];
    if (is_implied(r, guard->p) || is_of_data(g, guard->p) != of_data) continue;
    condition c = {.expr = guard->expr, .message = "an operation requires it"};
    for (uint32_t k = 0; k < guard->because_count && !c.at.op; k++) {
      c.at = locate_reason(g, &guard->because[k]);
      if (c.at.op && guard->because[k].message) c.message = guard->because[k].message;
    }
    take(to, &c);
  }
  if (!of_data) each_tie(g, take, to);
}

static report_text answer_text(shape_report *r, const char *text) {
  term_id term;
  term_parser parser = {.terms = r->infer->terms, .symbol = named_dim, .data = r};
  if (!term_parse_expr(&parser, text, strlen(text), &term))
    return (report_text){text, (uint32_t)strlen(text)};
  return report_term(r, term);
}

// --- JSON

static void put_dim(shape_report *r, json_writer *w, term_id dim) {
  num n;
  if (dim == TERM_NONE) {
    json_null(w);
  } else if (report_constant(r, dim, &n)) {
    json_num(w, n);
  } else {
    report_text text = report_term(r, dim);
    json_text(w, text.text, text.length);
  }
}

static void put_dims(shape_report *r, json_writer *w, const report_shape *s) {
  if (!s->ranked) {
    json_null(w);
    return;
  }
  json_begin_array(w);
  for (uint32_t i = 0; i < s->rank; i++) put_dim(r, w, s->dims[i]);
  json_end_array(w);
}

// What it was, from the analysis of the program as it is; old: its report.
static void put_value(const generalization *g, json_writer *w, const shape_report *old,
                      value_id before, const report_shape *now) {
  shape_report *r = report_of(g);
  const report_shape *was = before == VALUE_NONE ? NULL : shape_of(old, before);
  uint32_t length = 0;
  const char *name = before == VALUE_NONE ? "" : graph_value_text(old->graph, before, &length);
  json_begin_object(w);
  json_key(w, "name");
  json_text(w, name, length);
  json_key(w, "type");
  json_string(w, element_name(r, now->type));
  json_key(w, "was");
  if (was && was->ranked) {
    json_begin_array(w);
    for (uint32_t i = 0; i < was->rank; i++) {
      int64_t dim = original_dim(&g->from, before, i);
      if (dim < 0) {
        json_null(w);
      } else {
        json_int(w, dim);
      }
    }
    json_end_array(w);
  } else {
    json_null(w);
  }
  json_key(w, "dims");
  put_dims(r, w, now);
  json_end_object(w);
}

static void put_values(const generalization *g, json_writer *w) {
  const shape_report *old = shape_run_report(g->from.a.program);
  const shape_report *r = report_of(g);
  const report_function *f = &r->functions[0], *of = &old->functions[0];
  assert(f->argument_count == of->argument_count);
  json_key_array(w, "arguments");
  for (uint32_t i = 0; i < f->argument_count; i++)
    put_value(g, w, old, of->arguments + i, shape_of(r, f->arguments + i));
  json_end_array(w);
  json_key_array(w, "results");
  for (uint32_t i = 0; i < f->result_count; i++)
    put_value(g, w, old, i < of->result_count && of->results ? of->results[i] : VALUE_NONE,
              &r->shapes[f->result_shapes[i]]);
  json_end_array(w);
}

// What a program computes from data is listed where an answer speaks of it.
static bool is_listed(const generalization *g, uint32_t i, const bool *shown) {
  assert(i < report_of(g)->symbol_count);
  return shown[i] || !is_data(g, report_of(g)->symbols[i].term);
}

static void put_symbols(const generalization *g, json_writer *w) {
  shape_report *r = report_of(g);
  const bool *shown = people_symbols(r);
  json_key_array(w, "symbols");
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    int64_t was;
    if (!is_listed(g, i, shown)) continue;
    json_begin_object(w);
    json_key(w, "name");
    json_text(w, s->name.text, s->name.length);
    json_key(w, "was");
    if (value_at_origin(g->origin, s->term, &was)) {
      json_int(w, was);
    } else {
      json_null(w);
    }
    json_key(w, "min");
    json_num_or_null(w, s->range.has_lo, s->range.lo);
    json_key(w, "max");
    json_num_or_null(w, s->range.has_hi, s->range.hi);
    json_key(w, "divisible_by");
    json_num(w, s->divisible_by);
    // One over what the program computes from data would mention symbols that are not listed.
    if (s->definition.text && !is_data(g, s->term)) {
      json_key(w, "def");
      json_text(w, s->definition.text, s->definition.length);
    }
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_location(json_writer *w, const model_location *at) {
  json_key(w, "op");
  json_string(w, at->op);
  json_key(w, "node");
  json_string(w, at->node && *at->node ? at->node : NULL);
  encode_line(w, at->op ? at->line : 0);
}

static void put_condition(void *to, const condition *c) {
  json_writer *w = to;
  json_begin_object(w);
  json_key(w, "expr");
  json_text(w, c->expr.text, c->expr.length);
  put_location(w, &c->at);
  json_key(w, "message");
  json_string(w, c->message);
  json_end_object(w);
}

typedef void take_pin(void *to, const fixed_dim *row, int64_t size);

static void each_pin(generalization *g, take_pin *take, void *to) {
  shape_report *r = report_of(g);
  const report_function *f = &r->functions[0];
  for (uint32_t k = 0; k < f->argument_count; k++) {
    const report_shape *s = shape_of(r, f->arguments + k);
    for (uint32_t i = 0; s->ranked && i < s->rank; i++) {
      num n;
      int64_t size;
      if (s->dims[i] == TERM_NONE || !report_constant(r, s->dims[i], &n) || !num_to_int(n, &size))
        continue;
      const fixed_dim row = pin_of(g, k, i);
      take(to, &row, size);
    }
  }
}

static void put_pin(void *to, const fixed_dim *row, int64_t size) {
  json_writer *w = to;
  json_begin_object(w);
  json_key(w, "argument");
  json_int(w, row->argument);
  json_key(w, "axis");
  json_int(w, row->axis);
  json_key(w, "size");
  json_int(w, size);
  put_location(w, &row->at);
  json_key(w, "message");
  json_string(w, row->message);
  json_end_object(w);
}

static void put_rewritten(const generalization *g, json_writer *w) {
  json_key_array(w, "rewritten");
  for (uint32_t i = 0; i < g->rewritten_count; i++) {
    const rewritten_literal *l = &g->rewritten[i];
    report_text now = answer_text(report_of(g), l->now);
    json_begin_object(w);
    put_location(w, &l->at);
    json_key(w, "operand");
    if (l->operand == LITERAL_TYPE) {
      json_null(w);
    } else {
      json_int(w, l->operand);
    }
    json_key(w, "element");
    json_int(w, l->element);
    json_key(w, "was");
    json_int(w, l->was);
    json_key(w, "now");
    json_text(w, now.text, now.length);
    json_end_object(w);
  }
  json_end_array(w);
}

static void put_open(json_writer *w, const model_location *at, const char *requirement,
                     const char *why) {
  json_begin_object(w);
  put_location(w, at);
  json_key(w, "requirement");
  json_string(w, requirement);
  json_key(w, "reason");
  json_string(w, why);
  json_end_object(w);
}

static void put_data_condition(void *to, const condition *c) {
  put_open(to, &c->at, c->message, "it depends on data");
}

static void put_unchecked(generalization *g, json_writer *w) {
  const shape_report *r = report_of(g);
  json_key_array(w, "unchecked");
  for (uint32_t i = 0; i < r->unchecked_count; i++) {
    const report_unchecked *u = &r->unchecked[i];
    model_location at = u->op == ID_NONE ? (model_location){0} : locate_op(g, u->op);
    put_open(w, &at, u->requirement, u->reason);
  }
  each_condition(g, true, put_data_condition, w);
  json_end_array(w);
}

// Of the analysis itself: those that tie dims are conditions.
static bool is_tie(const generalization *g, const char *assumption) {
  for (uint32_t i = 0; i < g->tied_count; i++) {
    if (strcmp(g->tied[i].predicate, assumption) == 0) return true;
  }
  return false;
}

static void put_assumptions(const generalization *g, json_writer *w) {
  const shape_report *r = report_of(g);
  json_key_array(w, "assumptions");
  for (uint32_t i = 0; i < r->assumption_count; i++) {
    if (!is_tie(g, r->assumptions[i])) json_string(w, r->assumptions[i]);
  }
  json_end_array(w);
}

void generalize_json(generalization *g, shape_strbuf *out) {
  json_writer w;
  json_writer_init(&w, out);
  json_begin_object(&w);
  json_key(&w, "status");
  json_string(&w, "ok");
  put_values(g, &w);
  put_symbols(g, &w);
  json_key(&w, "conditions");
  json_begin_array(&w);
  each_condition(g, false, put_condition, &w);
  json_end_array(&w);
  json_key(&w, "pinned");
  json_begin_array(&w);
  each_pin(g, put_pin, &w);
  json_end_array(&w);
  put_rewritten(g, &w);
  put_unchecked(g, &w);
  put_assumptions(g, &w);
  json_end_object(&w);
  strbuf_putc(out, '\n');
}

// --- text

static void print_dims(shape_report *r, shape_strbuf *out, const report_shape *s) {
  if (!s->ranked) strbuf_puts(out, "any rank");
  for (uint32_t i = 0; s->ranked && i < s->rank; i++) {
    strbuf_puts(out, i ? ", " : "[");
    report_text text = s->dims[i] == TERM_NONE ? (report_text){"?", 1} : report_term(r, s->dims[i]);
    strbuf_add(out, text.text, text.length);
  }
  if (s->ranked) strbuf_puts(out, s->rank ? "]" : "[]");
}

static void print_values(const generalization *g, shape_strbuf *out) {
  const shape_report *old = shape_run_report(g->from.a.program);
  shape_report *r = report_of(g);
  const report_function *f = &r->functions[0];
  for (uint32_t i = 0; i < f->argument_count; i++) {
    uint32_t length;
    const char *name = graph_value_text(old->graph, old->functions[0].arguments + i, &length);
    strbuf_printf(out, "  argument %u  %.*s  ", i, (int)length, name);
    print_dims(r, out, shape_of(r, f->arguments + i));
    strbuf_putc(out, '\n');
  }
  for (uint32_t i = 0; i < f->result_count; i++) {
    strbuf_printf(out, "  result %u  ", i);
    print_dims(r, out, &r->shapes[f->result_shapes[i]]);
    strbuf_putc(out, '\n');
  }
}

static void print_number(shape_strbuf *out, num n) {
  int64_t value;
  if (num_to_int(n, &value)) strbuf_int(out, value);
}

static void print_op(shape_strbuf *out, const model_location *at) {
  assert(at->op && *at->op);
  strbuf_puts(out, at->op);
  if (at->node && *at->node) {
    strbuf_printf(out, " at %s", at->node);
  } else if (at->line) {
    strbuf_printf(out, " in line %u", at->line);
  }
}

static void print_location(shape_strbuf *out, const model_location *at) {
  if (!at->op) return;
  print_op(out, at);
  strbuf_puts(out, ": ");
}

static void print_symbols(const generalization *g, shape_strbuf *out) {
  shape_report *r = report_of(g);
  const bool *shown = people_symbols(r);
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    int64_t was;
    bool named = s->declared || s->argument != ID_NONE;
    if (!shown[i] && (!named || is_data(g, s->term))) continue;
    strbuf_printf(out, "  %.*s  ", (int)s->name.length, s->name.text);
    if (s->range.has_lo) print_number(out, s->range.lo);
    strbuf_puts(out, "..");
    if (s->range.has_hi) print_number(out, s->range.hi);
    if (!num_is_one(s->divisible_by)) {
      strbuf_puts(out, ", a multiple of ");
      print_number(out, s->divisible_by);
    }
    if (value_at_origin(g->origin, s->term, &was)) strbuf_printf(out, ", was %lld", (long long)was);
    if (s->op != ID_NONE && is_data(g, s->term)) {
      model_location at = locate_op(g, s->op);
      strbuf_puts(out, ", computed at run time by ");
      print_op(out, &at);
    }
    strbuf_putc(out, '\n');
  }
}

static void print_condition(void *to, const condition *c) {
  shape_strbuf *out = to;
  strbuf_printf(out, "  %.*s\n    ", (int)c->expr.length, c->expr.text);
  print_location(out, &c->at);
  strbuf_printf(out, "%s\n", c->message);
}

typedef struct pin_list {
  const shape_report *report;
  shape_strbuf *out;
} pin_list;

static void print_pin(void *to, const fixed_dim *row, int64_t size) {
  const pin_list *list = to;
  char dim[32];
  snprintf(dim, sizeof dim, "arg%u.%u", row->argument, row->axis);
  strbuf_puts(list->out, "  ");
  render_dims(list->report, list->out, dim);
  strbuf_printf(list->out, " = %lld\n    ", (long long)size);
  print_location(list->out, &row->at);
  render_dims(list->report, list->out, row->message);
  strbuf_putc(list->out, '\n');
}

static void print_rewritten(const generalization *g, shape_strbuf *out) {
  for (uint32_t i = 0; i < g->rewritten_count; i++) {
    const rewritten_literal *l = &g->rewritten[i];
    report_text now = answer_text(report_of(g), l->now);
    strbuf_puts(out, "  ");
    print_location(out, &l->at);
    strbuf_printf(out, "%lld is %.*s now\n", (long long)l->was, (int)now.length, now.text);
  }
}

static void print_data_condition(void *to, const condition *c) {
  shape_strbuf *out = to;
  strbuf_puts(out, "  ");
  print_location(out, &c->at);
  strbuf_printf(out, "%s (it depends on data)\n", c->message);
}

static bool same_requirement(const report_unchecked *a, const report_unchecked *b) {
  return strcmp(a->requirement, b->requirement) == 0 && strcmp(a->reason, b->reason) == 0;
}

enum { SHOWN_ALIKE = 4, LINE_WIDTH = 80 };

// Operations that have one requirement for one reason are one entry.
static void print_unchecked(generalization *g, shape_strbuf *out) {
  const shape_report *r = report_of(g);
  for (uint32_t i = 0; i < r->unchecked_count; i++) {
    const report_unchecked *u = &r->unchecked[i];
    uint32_t alike = 0;
    bool known = false;
    for (uint32_t k = 0; k < i && !known; k++) known = same_requirement(&r->unchecked[k], u);
    if (known) continue;
    strbuf_printf(out, "  %s (%s)\n    ", u->requirement, u->reason);
    for (uint32_t k = i; k < r->unchecked_count; k++) {
      if (!same_requirement(&r->unchecked[k], u) || ++alike > SHOWN_ALIKE) continue;
      op_id op = r->unchecked[k].op;
      if (alike > 1) strbuf_puts(out, ", ");
      model_location at = op == ID_NONE ? (model_location){0} : locate_op(g, op);
      if (at.op) {
        print_op(out, &at);
      } else {
        strbuf_puts(out, "the entry");
      }
    }
    if (alike > SHOWN_ALIKE) strbuf_printf(out, " and %u more", alike - SHOWN_ALIKE);
    strbuf_putc(out, '\n');
  }
  each_condition(g, true, print_data_condition, out);
}

// Lines of at most 80 columns; what continues one is indented by two columns more.
static void wrap_lines(shape_strbuf *out, const char *text, uint32_t length) {
  for (uint32_t i = 0, end; i < length; i = end + 1) {
    uint32_t indent = 0;
    for (end = i; end < length && text[end] != '\n'; end++) {}
    while (i + indent < end && text[i + indent] == ' ') indent++;
    strbuf_printf(out, "%*s", (int)indent, "");
    uint32_t first = i + indent, hanging = indent + 2;
    if (end - i <= LINE_WIDTH) {
      render_safe(out, text + first, end - first);
    } else {
      emit_wrapped(out, text + first, end - first, hanging);
    }
    strbuf_putc(out, '\n');
  }
}

// A part under its heading, or nothing where it is empty.
static void end_part(shape_strbuf *out, uint32_t before, const char *heading,
                     uint32_t heading_length) {
  assert(out->length >= before);
  (void)heading;
  if (out->length == before + heading_length) out->length = before;
}

static uint32_t begin_part(shape_strbuf *out, const char *heading) {
  uint32_t before = out->length;
  strbuf_puts(out, heading);
  return before;
}

void generalize_text(generalization *g, shape_strbuf *sink) {
  static const char SYMBOLS[] = "\nsymbols\n", CONDITIONS[] = "\nconditions\n",
                    PINNED[] = "\npinned\n", REWRITTEN[] = "\nrewritten\n",
                    UNCHECKED[] = "\nunchecked\n";
  shape_strbuf text, *out = &text;
  strbuf_init(out, report_of(g)->graph->arena);
  print_values(g, out);
  uint32_t before = begin_part(out, SYMBOLS);
  print_symbols(g, out);
  end_part(out, before, SYMBOLS, sizeof SYMBOLS - 1);
  before = begin_part(out, CONDITIONS);
  each_condition(g, false, print_condition, out);
  end_part(out, before, CONDITIONS, sizeof CONDITIONS - 1);
  before = begin_part(out, PINNED);
  each_pin(g, print_pin, &(pin_list){report_of(g), out});
  end_part(out, before, PINNED, sizeof PINNED - 1);
  before = begin_part(out, REWRITTEN);
  print_rewritten(g, out);
  end_part(out, before, REWRITTEN, sizeof REWRITTEN - 1);
  before = begin_part(out, UNCHECKED);
  print_unchecked(g, out);
  end_part(out, before, UNCHECKED, sizeof UNCHECKED - 1);
  wrap_lines(sink, out->data, out->length);
}
