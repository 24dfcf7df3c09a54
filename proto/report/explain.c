// SPDX-License-Identifier: Apache-2.0
#include "proto/report/explain.h"

#include "solver/term/parse.h"
#include "solver/term/print.h"

// --- names

// "arg2.1" and "arg2": argument 2 of the entry, its size 1 and its value.
static bool argument_name(const char *name, size_t length, uint32_t *argument, uint32_t *axis) {
  size_t i = 3;
  uint64_t numbers[2] = {0, UINT32_MAX};
  if (length < 4 || memcmp(name, "arg", 3) != 0) return false;
  for (int part = 0; part < 2 && i < length; part++) {
    if (part == 1) {
      if (name[i++] != '.' || i == length) return false;
      numbers[1] = 0;
    }
    size_t first = i;
    for (; i < length && name[i] >= '0' && name[i] <= '9' && i < first + 9; i++) {
      numbers[part] = numbers[part] * 10 + (uint64_t)(name[i] - '0');
    }
    if (i == first) return false;
  }
  *argument = (uint32_t)numbers[0];
  *axis = (uint32_t)numbers[1];
  return i == length;
}

static term_id argument_term(const shape_report *r, uint32_t argument, uint32_t axis) {
  const infer_frame *entry = &r->infer->frames[0];
  const report_function *f = r->function_count ? &r->functions[0] : NULL;
  if (!f || argument >= f->argument_count) return TERM_NONE;
  const value_info *v = &entry->values[f->arguments + argument - entry->value_base];
  if (axis == UINT32_MAX) return v->elements && v->element_count ? v->elements[0] : TERM_NONE;
  return v->ranked && axis < v->rank ? v->dims[axis] : TERM_NONE;
}

static term_id symbol_of_name(void *data, const char *name, size_t length) {
  const shape_report *r = data;
  uint32_t argument, axis;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_text known = r->symbols[i].name;
    if (known.length == length && memcmp(known.text, name, length) == 0) return r->symbols[i].term;
  }
  return argument_name(name, length, &argument, &axis) ? argument_term(r, argument, axis)
                                                       : TERM_NONE;
}

// Symbols as the argument that they come from: a fact that made two sizes one must show them as two.
typedef struct origin_namer {
  const shape_report *report;
} origin_namer;

static void name_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  const shape_report *r = ((const origin_namer *)data)->report;
  const infer_result *infer = r->infer;
  const infer_origin *o = symbol < infer->origin_count ? &infer->origins[symbol] : NULL;
  if (o && o->kind == ORIGIN_ARGUMENT_SIZE && o->frame == 0) {
    strbuf_printf(out, "arg%u.%u", o->argument, o->axis);
  } else if (o && o->kind == ORIGIN_ARGUMENT_VALUE && o->frame == 0) {
    strbuf_printf(out, "arg%u", o->argument);
  } else if (o && o->kind == ORIGIN_DECLARED && o->graph_symbol < r->graph->symbol_count) {
    strbuf_puts(out, intern_text(&r->graph->names, r->graph->symbols[o->graph_symbol].name));
  } else {
    strbuf_printf(out, "_%u", symbol);
  }
}

static const char *relation_text(relation rel) {
  static const char *const TEXT[] = {[REL_EQ] = " == ", [REL_NE] = " != ", [REL_LT] = " < ",
                                     [REL_LE] = " <= ", [REL_GT] = " > ",  [REL_GE] = " >= "};
  return TEXT[rel];
}

static report_text fact_text(shape_report *r, predicate p) {
  shape_strbuf out;
  origin_namer namer = {r};
  const term_namer names = {.symbol = name_symbol, .functions = &r->graph->names, .data = &namer};
  strbuf_init(&out, r->graph->arena);
  if (p.rel == REL_DIVISIBLE) {
    strbuf_puts(&out, "mod(");
    term_print(r->infer->terms, &out, p.left, &names);
    strbuf_puts(&out, ", ");
    term_print(r->infer->terms, &out, p.right, &names);
    strbuf_puts(&out, ") == 0");
  } else {
    term_print(r->infer->terms, &out, p.left, &names);
    strbuf_puts(&out, relation_text(p.rel));
    term_print(r->infer->terms, &out, p.right, &names);
  }
  const char *text = strbuf_text(&out);
  return (report_text){text, out.length};
}

void report_explain(shape_report *report, const char *text, explanation *out) {
  memset(out, 0, sizeof *out);
  out->answer = SHAPE_UNKNOWN;
  if (!report->infer) {
    out->error = "the program has errors and was not analysed";
    return;
  }
  shape_store *store = report->infer->store;
  term_parser parser = {.terms = report->infer->terms, .symbol = symbol_of_name, .data = report};
  predicate p;
  if (!term_parse_predicate(&parser, text, strlen(text), &p.rel, &p.left, &p.right)) {
    out->error = parser.error;
    out->error_at = parser.error_at;
    return;
  }
  store_answer answer = store_ask(store, p);
  out->answer = answer.answer;
  out->budget = answer.budget;
  fact_id facts[EXPLAIN_MOST];
  uint32_t count = 0;
  if (answer.answer != SHAPE_YES || !store_explain(store, p, facts, EXPLAIN_MOST, &count)) return;
  for (uint32_t i = 0; i < count && i < EXPLAIN_MOST; i++) {
    const fact *f = store_fact(store, facts[i]);
    out->steps[out->count].why = report_reason(report, &f->why);
    out->steps[out->count++].fact = fact_text(report, f->p);
  }
}

// --- text

// The first line of the source that a reason stands on, without its indentation.
static report_text source_line(const shape_graph *g, source_span span) {
  const char *begin = g->source.text + span.begin, *end = begin;
  const char *last = g->source.text + g->source.length;
  while (begin > g->source.text && begin[-1] != '\n') begin--;
  while (end < last && *end != '\n') end++;
  while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
  return (report_text){begin, (uint32_t)(end - begin)};
}

void explain_render(const shape_report *r, const char *that, const explanation *e,
                    shape_strbuf *out) {
  enum { WIDTH = 74 };
  if (e->error) {
    strbuf_printf(out, "'%s': %s (at character %zu)\n", that, e->error, e->error_at + 1);
    return;
  }
  static const char *const ANSWERS[] = {[SHAPE_NO] = "never holds",
                                        [SHAPE_YES] = "always holds",
                                        [SHAPE_UNKNOWN] = "is not known to hold"};
  strbuf_printf(out, "%s  %s%s\n", that, ANSWERS[e->answer],
                e->answer == SHAPE_UNKNOWN && e->budget ? " (the budget is spent)" : "");
  if (e->answer == SHAPE_YES && !e->count) strbuf_puts(out, "  whatever the program says\n");
  for (uint32_t i = 0; i < e->count; i++) {
    const report_because *why = &e->steps[i].why;
    strbuf_puts(out, i ? "  and     " : "  because ");
    strbuf_add(out, e->steps[i].fact.text, e->steps[i].fact.length);
    strbuf_putc(out, '\n');
    if (!span_is_none(why->span)) {
      source_position at = graph_position(r->graph, why->span);
      strbuf_printf(out, "          line %u: %s\n", at.line, why->message);
      report_text line = source_line(r->graph, why->span);
      bool cut = line.length > WIDTH - 6;
      strbuf_puts(out, "          | ");
      strbuf_add(out, line.text, cut ? WIDTH - 9 : line.length);
      strbuf_puts(out, cut ? "...\n" : "\n");
    } else {
      strbuf_printf(out, "          %s\n", why->message);
    }
  }
}

void explain_encode(const shape_report *r, const char *that, const explanation *e, json_writer *w) {
  static const char *const ANSWERS[] = {
      [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
  json_begin_object(w);
  json_key(w, "that");
  json_string(w, that);
  json_key(w, "answer");
  json_string(w, ANSWERS[e->answer]);
  if (e->error) {
    json_key(w, "error");
    json_string(w, e->error);
    json_key(w, "at");
    json_int(w, (int64_t)e->error_at);
  } else if (e->answer == SHAPE_UNKNOWN && e->budget) {
    json_key(w, "reason");
    json_string(w, "budget");
  }
  json_key(w, "because");
  json_begin_array(w);
  for (uint32_t i = 0; i < e->count; i++) {
    const report_because *why = &e->steps[i].why;
    json_begin_object(w);
    json_key(w, "fact");
    json_text(w, e->steps[i].fact.text, e->steps[i].fact.length);
    if (!span_is_none(why->span)) {
      source_position at = graph_position(r->graph, why->span);
      json_key(w, "line");
      json_int(w, at.line);
      json_key(w, "column");
      json_int(w, at.column);
    }
    if (why->rule) {
      json_key(w, "rule");
      json_string(w, why->rule);
    }
    json_key(w, "message");
    json_string(w, why->message);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}
