// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/explain.h"

#include <assert.h>

#include "solver/decide/store_query.h"
#include "solver/emit/encode.h"
#include "solver/infer/where.h"
#include "solver/report/named.h"
#include "solver/report/checks.h"
#include "solver/term/parse.h"
#include "solver/term/print.h"

// --- names

static term_id argument_term(const shape_report *r, const char *name, size_t length) {
  argument_name found;
  if (!report_argument_name(r, name, length, &found)) return TERM_NONE;
  assert(r->infer->frame_count);
  const infer_frame *entry = &r->infer->frames[0];
  const value_info *v =
      &entry->values[r->functions[0].arguments + found.argument - entry->value_base];
  if (found.element)
    return v->elements && found.index < v->element_count ? v->elements[found.index] : TERM_NONE;
  return v->ranked && found.index < v->rank ? v->dims[found.index] : TERM_NONE;
}

// A predicate and the region where its values are; of regions that are not inside one another nothing is known at once.
typedef struct asked_names {
  shape_report *report;
  uint32_t scope;
  bool apart;
} asked_names;

static term_id symbol_of_name(void *data, const char *name, size_t length) {
  asked_names *asked = data;
  const shape_report *r = asked->report;
  uint32_t scope;
  if (*name == '%') {
    term_id t = infer_address_term(r->infer, name, length, &scope);
    if (t == TERM_NONE || infer_scope_within(r->infer, asked->scope, scope)) return t;
    asked->apart |= !infer_scope_within(r->infer, scope, asked->scope);
    asked->scope = scope;
    return t;
  }
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_text known = r->symbols[i].name;
    if (known.length == length && memcmp(known.text, name, length) == 0) return r->symbols[i].term;
  }
  return argument_term(r, name, length);
}

// Symbols as the argument that they come from: a fact that made two dims one must show them as two.
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
    const infer_frame *entry = &infer->frames[0];
    const report_function *f = r->function_count ? &r->functions[0] : NULL;
    bool in_range = f && o->argument < f->argument_count;
    if (in_range && entry->values[f->arguments + o->argument - entry->value_base].element_count > 1)
      strbuf_printf(out, "[%u]", o->axis);
  } else if (o && o->kind == ORIGIN_DECLARED && o->graph_symbol < r->graph->declared.symbol_count) {
    strbuf_puts(out,
                intern_text(&r->graph->names, r->graph->declared.symbols[o->graph_symbol].name));
  } else {
    strbuf_printf(out, "_%u", symbol);
  }
}

static report_text fact_text(shape_report *r, predicate p) {
  shape_strbuf out;
  origin_namer namer = {r};
  const term_namer names = {.symbol = name_symbol, .functions = &r->graph->names, .data = &namer};
  strbuf_init(&out, r->graph->arena);
  predicate_print(r->infer->terms, &out, p, &names);
  const char *text = strbuf_text(&out);
  return (report_text){text, out.length};
}

static bool is_data(void *data, term_id atom) {
  const infer_result *infer = data;
  const term_node *node = term_get(infer->terms, atom);
  return node->kind == TERM_SYMBOL && node->as.symbol < infer->origin_count &&
         infer->origins[node->as.symbol].kind == ORIGIN_OPAQUE;
}

static bool rests_on_data(const shape_report *r, predicate p) {
  term_table *t = r->infer->terms;
  return term_any_atom(t, p.left, is_data, r->infer) ||
         term_any_atom(t, p.right, is_data, r->infer);
}

// Dims at which the predicate is false, where the facts have some.
static void find_run(shape_report *r, predicate p, explanation *out) {
  report_witness *run = arena_alloc(r->graph->arena, sizeof *run);
  if (report_find_witness(r, p, run)) out->run = run;
}

// What holds where the predicate does not; divisibility has no such.
static bool opposite(predicate p, predicate *out) {
  if (p.rel == REL_DIVISIBLE) return false;
  *out = predicate_make(relation_not(p.rel), p.left, p.right);
  return true;
}

static void add_steps(shape_report *r, predicate p, explanation *out) {
  shape_store *store = r->infer->store;
  fact_id facts[EXPLAIN_MAX];
  uint32_t count = 0;
  if (!store_explain(store, p, facts, EXPLAIN_MAX, &count)) return;
  for (uint32_t i = 0; i < count && i < EXPLAIN_MAX; i++) {
    const fact *f = store_fact(store, facts[i]);
    assert(out->count < EXPLAIN_MAX);
    out->steps[out->count].why = report_reason(r, &f->why);
    out->steps[out->count++].fact = fact_text(r, f->p);
  }
}

static void answer_asked(shape_report *report, predicate p, bool inside, explanation *out) {
  store_answer answer = store_ask(report->infer->store, p);
  out->answer = answer.answer;
  out->budget = answer.budget;
  out->claim = fact_text(report, p);
  out->data = rests_on_data(report, p);
  if (answer.answer != SHAPE_YES && !inside) find_run(report, p, out);
  predicate shown = p;
  if (answer.answer == SHAPE_UNKNOWN || (answer.answer == SHAPE_NO && !opposite(p, &shown))) return;
  add_steps(report, shown, out);
}

void report_explain(shape_report *report, const char *text, explanation *out) {
  memset(out, 0, sizeof *out);
  out->answer = SHAPE_UNKNOWN;
  if (!report->infer) {
    out->error = "the program has errors and was not analysed";
    return;
  }
  asked_names asked = {.report = report};
  term_parser parser = {.terms = report->infer->terms, .symbol = symbol_of_name, .data = &asked};
  predicate p;
  if (!term_parse_predicate(&parser, text, strlen(text), &p.rel, &p.left, &p.right)) {
    out->error = parser.error;
    out->error_at = parser.error_at;
    out->unknown = (report_text){parser.unknown, (uint32_t)parser.unknown_length};
    return;
  }
  bool inside = infer_scope_enter(report->infer, asked.apart ? 0 : asked.scope);
  answer_asked(report, p, inside || asked.apart, out);
  if (inside) store_pop(report->infer->store);
  assert(out->count <= EXPLAIN_MAX);
}

// --- text

static bool is_plural(uint32_t n) { return n != 1; }

static void put_location(const shape_report *r, shape_strbuf *out, const report_because *why,
                         const render_options *options) {
  strbuf_puts(out, "   ");
  if (span_is_none(why->span)) {
    strbuf_printf(out, "%s\n", why->message);
    return;
  }
  if (graph_is_text(r->graph)) {
    source_position at = graph_position(r->graph, why->span);
    strbuf_printf(out, "%s:%u:%u: ", options->name, at.line, at.column);
  } else {
    render_where(r, out, why);
  }
  if (why->rule) strbuf_printf(out, "%s: ", why->rule);
  strbuf_printf(out, "%s\n", why->message);
  render_source(r, out, why->span, options);
}

// = [2, -1]: what a vector or a matrix holds in the run, where all of it is known.
static void put_elements(const shape_report *r, const report_witness *run, const value_info *v,
                         shape_strbuf *out) {
  int64_t value;
  if (!v->ranked || !v->rank || !v->elements || !v->element_count) return;
  for (uint32_t i = 0; i < v->element_count; i++) {
    if (!report_witness_value(r, run, v->elements[i], &value)) return;
  }
  for (uint32_t i = 0; i < v->element_count; i++) {
    report_witness_value(r, run, v->elements[i], &value);
    strbuf_printf(out, "%s%lld", i ? ", " : " = [", (long long)value);
  }
  strbuf_putc(out, ']');
}

// The arguments of a run, as the types that they have there.
static void put_run(const shape_report *r, const report_witness *run, shape_strbuf *out) {
  const infer_frame *entry = &r->infer->frames[0];
  const report_function *f = &r->functions[0];
  assert(r->function_count && r->infer->frame_count);
  int64_t value;
  for (uint32_t i = 0; i < f->argument_count; i++) {
    const value_info *v = &entry->values[f->arguments + i - entry->value_base];
    uint32_t length;
    const char *name = argument_name_of(
        r->graph, (argument_list){NULL, f->arguments, f->argument_count}, i, &length);
    if (name) {
      strbuf_printf(out, "   %.*s: ", (int)length, name);
    } else {
      strbuf_printf(out, "   argument %u: ", i);
    }
    for (uint32_t k = 0; v->ranked && k < v->rank; k++) {
      if (k) strbuf_puts(out, " x ");
      if (report_witness_value(r, run, v->dims[k], &value)) {
        strbuf_int(out, value);
      } else {
        strbuf_putc(out, '?');
      }
    }
    if (!v->ranked) strbuf_puts(out, "any");
    put_elements(r, run, v, out);
    if (v->ranked && !v->rank) {
      bool known = v->elements && v->element_count == 1 &&
                   report_witness_value(r, run, v->elements[0], &value);
      strbuf_puts(out, known ? "the number " : "any number");
      if (known) strbuf_int(out, value);
    }
    strbuf_putc(out, '\n');
  }
}

static const char *verdict(const explanation *e) {
  if (e->answer == SHAPE_YES) return "always holds";
  if (e->answer == SHAPE_UNKNOWN) return "is not known to hold";
  return e->count || !e->confirmed ? "never holds" : "does not always hold";
}

static void put_unknown(const explanation *e, shape_strbuf *out) {
  assert(e->answer == SHAPE_UNKNOWN && !e->confirmed);
  if (e->budget) {
    strbuf_puts(out, "the budget is spent; --steps gives more\n");
  } else if (e->data) {
    strbuf_puts(out, "it uses a dim that no argument determines, so no run can be shown\n");
  } else if (e->run) {
    strbuf_puts(out,
                "nothing implies it, and the run that would refute it could not be confirmed\n");
  } else {
    strbuf_puts(out,
                "nothing implies it, and no dims of the arguments were found that refute it\n");
  }
}

void explain_render(const shape_report *r, const char *that, const explanation *e,
                    const render_options *options, shape_strbuf *out) {
  if (e->error) {
    strbuf_printf(out, "'%s': %s (at character %zu)\n", that, e->error, e->error_at + 1);
    return;
  }
  render_safe(out, that, strlen(that));
  strbuf_printf(out, "  %s\n", verdict(e));
  if (e->answer == SHAPE_YES && !e->count) strbuf_puts(out, "whatever the program says\n");
  if (e->answer == SHAPE_UNKNOWN) put_unknown(e, out);
  if (e->count) {
    strbuf_printf(out, "because of %u fact%s, none of which can be left out:\n", e->count,
                  is_plural(e->count) ? "s" : "");
  }
  for (uint32_t i = 0; i < e->count; i++) {
    strbuf_printf(out, "%u. ", i + 1);
    render_dims(r, out, e->steps[i].fact.text);
    strbuf_putc(out, '\n');
    put_location(r, out, &e->steps[i].why, options);
  }
  if (e->confirmed) {
    strbuf_puts(out, "a run without a shape error at which it does not hold:\n");
    put_run(r, e->run, out);
  }
}

static const char *unknown_reason(const explanation *e) {
  return e->budget ? "budget" : e->data ? "data" : e->run ? "unconfirmed" : "no-run";
}

static void encode_run(const report_witness *run, json_writer *w) {
  json_key_object(w, "run");
  for (uint32_t i = 0; i < run->count; i++) {
    json_key_string(w, run->items[i].name);
    json_int(w, run->items[i].value);
  }
  json_end_object(w);
}

void explain_encode(const shape_report *r, const char *that, const explanation *e, json_writer *w) {
  static const char *const ANSWERS[] = {
      [SHAPE_NO] = "no", [SHAPE_YES] = "yes", [SHAPE_UNKNOWN] = "unknown"};
  assert((size_t)e->answer < sizeof ANSWERS / sizeof *ANSWERS);
  assert(!e->error || (!e->count && !e->confirmed));
  json_begin_object(w);
  json_put_string(w, "that", that);
  json_put_string(w, "answer", ANSWERS[e->answer]);
  if (e->error) {
    json_put_string(w, "error", e->error);
    json_put_int(w, "at", (int64_t)e->error_at);
  } else {
    json_key(w, "claim");
    json_text(w, e->claim.text, e->claim.length);
    if (e->answer == SHAPE_UNKNOWN) {
      json_put_string(w, "reason", unknown_reason(e));
    }
    if (e->confirmed) encode_run(e->run, w);
  }
  json_key_array(w, "because");
  for (uint32_t i = 0; i < e->count; i++) {
    json_begin_object(w);
    json_key(w, "fact");
    json_text(w, e->steps[i].fact.text, e->steps[i].fact.length);
    encode_reason(r->graph, w, &e->steps[i].why);
    json_end_object(w);
  }
  json_end_array(w);
  json_end_object(w);
}
