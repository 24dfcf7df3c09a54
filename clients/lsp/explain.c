// SPDX-License-Identifier: Apache-2.0
// What is known of a value, a dim or a symbol, as Markdown, and why: links lead to the locations.
#include <string.h>

#include "clients/lsp/call.h"
#include "solver/decide/store_query.h"
#include "solver/emit/explain_at.h"

void lsp_put_code(shape_strbuf *out, const char *text, size_t length) {
  // A span of code ends at as many backticks as it begins with.
  bool ticks = length && memchr(text, '`', length) != NULL;
  strbuf_puts(out, ticks ? "`` " : "`");
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    strbuf_putc(out, c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
  }
  strbuf_puts(out, ticks ? " ``" : "`");
}

static void put_text(shape_strbuf *out, report_text text) {
  lsp_put_code(out, text.text, text.length);
}

// Text about the program, of which nothing is meant as Markdown.
static void put_plain(shape_strbuf *out, const char *text) {
  for (; *text; text++) {
    if (strchr("\\`*_[]<>#|", *text)) strbuf_putc(out, '\\');
    strbuf_putc(out, *text);
  }
}

void lsp_put_link(lsp_call *call, source_span span, shape_strbuf *out) {
  const lsp_document *d = call->document;
  lsp_position location = lsp_position_of(&call->document->text.lines, d->text.data, d->text.length,
                                          call->server->encoding, span.begin);
  if (!call->server->client.markdown) {
    strbuf_printf(out, "line %u", location.line + 1);
    return;
  }
  strbuf_printf(out, "[line %u](", location.line + 1);
  for (const char *c = d->uri; *c; c++) {
    if (*c == '(' || *c == ')' || *c == ' ') {
      strbuf_printf(out, "%%%02X", (unsigned)*c);
    } else {
      strbuf_putc(out, *c);
    }
  }
  strbuf_printf(out, "#L%u,%u)", location.line + 1, location.character + 1);
}

// --- symbols

static void put_argument(const lsp_model *m, const lsp_symbol *s, shape_strbuf *out) {
  const shape_graph *g = m->graph;
  bool value = strcmp(s->origin, "argument_value") == 0;
  if (value && s->axis == ID_NONE) {
    strbuf_puts(out, "the value of ");
  } else {
    strbuf_printf(out, value ? "element %u of " : "dim %u of ", s->axis);
  }
  strbuf_printf(out, "argument %u", s->argument);
  if (s->function < g->func_count && g->funcs[s->function].name != NAME_NONE) {
    name_id name = g->funcs[s->function].name;
    strbuf_puts(out, " of ");
    strbuf_puts(out, "`@");
    strbuf_add(out, intern_text(&g->names, name), intern_length(&g->names, name));
    strbuf_puts(out, "`");
  }
}

void lsp_describe_symbol(lsp_call *call, const lsp_symbol *s, shape_strbuf *out) {
  put_text(out, s->name);
  strbuf_puts(out, ": ");
  if (strncmp(s->origin, "argument", 8) == 0) {
    put_argument(call->model, s, out);
  } else if (strcmp(s->origin, "declared") == 0) {
    strbuf_puts(out, "declared");
  } else {
    strbuf_puts(out, "known at run time");
  }
  source_span location = lsp_model_symbol_location(call->model, s);
  if (!span_is_none(location)) {
    strbuf_puts(out, ", ");
    lsp_put_link(call, location, out);
  }
  if (s->definition.length) {
    strbuf_puts(out, "; is ");
    put_text(out, s->definition);
  }
  strbuf_puts(out, "; range ");
  put_text(out, s->range);
  if (s->divisor.length) {
    strbuf_puts(out, "; divisible by ");
    put_text(out, s->divisor);
  }
  if (s->likely.length) {
    strbuf_puts(out, "; likely ");
    put_text(out, s->likely);
  }
}

// --- reasons

static void put_reason(lsp_call *call, const lsp_reason *why, shape_strbuf *out) {
  if (!span_is_none(why->span)) {
    lsp_put_link(call, why->span, out);
    strbuf_puts(out, " ");
  }
  if (why->rule) {
    put_plain(out, why->rule);
    strbuf_puts(out, ": ");
  }
  put_plain(out, why->message);
}

// What the declared dims of a value became, and by which facts. Only the library in this process can say.
static void put_merges(lsp_call *call, value_id value, shape_strbuf *out) {
  shape_report *r = call->model->report;
  enum { MOST = 8 };
  if (!r) return;
  func_id func = lsp_model_function_of(call->model, value);
  const infer_frame *frame = NULL;
  for (uint32_t i = 0; i < r->infer->frame_count && !frame; i++) {
    if (r->infer->frames[i].func == func) frame = &r->infer->frames[i];
  }
  if (!frame || !frame->values || value < frame->value_base || value >= frame->value_end) return;
  const value_info *info = &frame->values[value - frame->value_base];
  shape_store *store = r->infer->store;
  for (uint32_t i = 0; info->visited && info->ranked && i < info->rank; i++) {
    term_id raw = info->dims[i], canon = store_canon(store, raw);
    fact_id facts[MOST];
    bool truncated = false;
    if (raw == canon) continue;
    uint32_t count =
        store_because(store, predicate_make(REL_EQ, raw, canon), facts, MOST, &truncated);
    for (uint32_t k = 0; k < count; k++) {
      report_because why = report_reason(r, &store_fact(store, facts[k])->why);
      strbuf_printf(out, "\n- dim %u because of ", i);
      put_reason(call, &(lsp_reason){why.span, why.rule, why.message}, out);
    }
  }
}

// --- the operations that determine the dims of a value

// Each step is found by analysing the program without some of its operations, some dozens of times in all.
enum { CHAIN_OPS_MAX = 2000, CHAIN_DIMS_MAX = 8, CHAIN_STEPS_MAX = 16 };

typedef struct chain {
  lsp_call *call;
  shape_strbuf *out;
} chain;

static void put_chain_size(const chain *c, const at_size *s) {
  strbuf_puts(c->out, "\n- ");
  put_plain(c->out, arena_strndup(c->call->arena, s->what.text, s->what.length));
  if (s->kind == AT_UNKNOWN) {
    strbuf_puts(c->out, " is not known");
    return;
  }
  strbuf_puts(c->out, " is ");
  put_text(c->out, s->size);
  if (s->kind == AT_ARGUMENT) strbuf_puts(c->out, ": the caller decides it");
  if (s->kind == AT_DECLARED) strbuf_puts(c->out, ": its type says so");
  if (s->kind == AT_DATA) strbuf_puts(c->out, ", which depends on data");
  for (uint32_t i = 0; i < s->count && i < CHAIN_STEPS_MAX; i++) {
    const at_step *step = &s->steps[i];
    strbuf_printf(c->out, "\n    %u. ", i + 1);
    lsp_put_link(c->call, step->span, c->out);
    strbuf_puts(c->out, " ");
    put_text(c->out, step->fact);
    if (step->rule && step->message) {
      strbuf_puts(c->out, " — ");
      put_plain(c->out, step->rule);
      strbuf_puts(c->out, ": ");
      put_plain(c->out, step->message);
    } else if (step->source) {
      strbuf_puts(c->out, " — ");
      put_plain(c->out, step->source);
    }
  }
  if (s->count > CHAIN_STEPS_MAX) strbuf_puts(c->out, "\n    ...");
}

static void take_chain(void *to, shape_report *report, const at_explanation *e) {
  const chain *c = to;
  (void)report;
  bool any = false;
  for (uint32_t i = 0; e && i < e->count && i < CHAIN_DIMS_MAX; i++) {
    any |= e->sizes[i].count > 0 || e->sizes[i].kind == AT_DATA;
  }
  if (!any) return;
  strbuf_puts(c->out, "\n\nWhy");
  for (uint32_t i = 0; i < e->count && i < CHAIN_DIMS_MAX; i++) {
    if (e->sizes[i].kind != AT_DECLARED) put_chain_size(c, &e->sizes[i]);
  }
}

// False: the program is too large or has errors, or nothing is known; then nothing is written.
static bool put_chain(lsp_call *call, value_id value, shape_strbuf *out) {
  const lsp_model *m = call->model;
  const lsp_settings *s = &call->server->settings;
  uint32_t at = m->graph->values[value].at, before = out->length;
  if (!m->complete || m->graph->op_count > CHAIN_OPS_MAX || at >= m->graph->source.length) {
    return false;
  }
  analysis_request request = {.name = "text",
                              .text = call->document->text.data,
                              .length = call->document->text.length,
                              .entry = *s->entry.text ? s->entry.text : NULL,
                              .assumptions = (const char *const *)s->assume.items,
                              .assumption_count = s->assume.count,
                              .limits = {.stop = call->server->host.stop, .steps = s->steps}};
  chain c = {call, out};
  shape_status status = explain_at_text(&request, at, take_chain, &c);
  if (status == SHAPE_CANCELLED || status == SHAPE_DEADLINE) arena_fail(call->arena, status);
  return out->length > before;
}

bool lsp_mentions(report_text text, report_text name) {
  for (uint32_t at = 0, end; at<text.length; at = end> at ? end : at + 1) {
    end = lsp_word_end(text, at);
    if (end - at == name.length && memcmp(text.text + at, name.text, name.length) == 0) return true;
  }
  return false;
}

// --- values

static void put_range(lsp_call *call, value_id value, uint32_t axis, shape_strbuf *out) {
  shape_report *r = call->model->report;
  num ignored;
  if (!r) return;
  const report_shape *shape = &r->shapes[call->model->shape.of[value]];
  term_id term = axis < shape->rank ? shape->dims[axis] : TERM_NONE;
  if (term == TERM_NONE || report_constant(r, term, &ignored)) return;
  interval range = store_range(r->infer->store, term);
  strbuf_puts(out, ", range `");
  if (range.has_lo) num_print(out, range.lo);
  strbuf_puts(out, "..");
  if (range.has_hi) num_print(out, range.hi);
  strbuf_puts(out, "`");
  residue rest = store_residue(r->infer->store, term);
  if (num_sign(rest.r) == 0 && num_compare(rest.m, NUM(1)) > 0) {
    strbuf_puts(out, ", divisible by `");
    num_print(out, rest.m);
    strbuf_puts(out, "`");
  }
}

static const lsp_symbol *symbol_of(const lsp_model *m, report_text dim) {
  return lsp_model_symbol(m, dim.text, dim.length);
}

static void put_size(lsp_call *call, value_id value, const lsp_shape *shape, uint32_t axis,
                     shape_strbuf *out) {
  report_text dim = shape->dims[axis];
  strbuf_printf(out, "\n- dim %u: ", axis);
  const lsp_symbol *symbol = symbol_of(call->model, dim);
  if (symbol) {
    lsp_describe_symbol(call, symbol, out);
    return;
  }
  put_text(out, dim);
  put_range(call, value, axis, out);
}

// How many bytes the value has, where its elements are whole bytes: 4*S0*768.
static void put_bytes(lsp_call *call, value_id value, const lsp_shape *shape, shape_strbuf *out) {
  const graph_type *type = graph_value_type(call->model->graph, value);
  if (!type || !shape->ranked || (type->kind != TYPE_TENSOR && type->kind != TYPE_UNRANKED)) return;
  uint32_t bits = dtype_bits((shape_dtype)type->dtype);
  if (!bits || bits % 8) return;
  uint64_t factor = bits / 8;
  shape_strbuf rest;
  strbuf_init(&rest, call->arena);
  for (uint32_t i = 0; i < shape->rank; i++) {
    report_text dim = shape->dims[i];
    uint64_t number = 0;
    bool digits = dim.length > 0 && dim.length < 10;
    for (uint32_t k = 0; k < dim.length && digits; k++) {
      digits = dim.text[k] >= '0' && dim.text[k] <= '9';
      number = number * 10 + (uint64_t)(dim.text[k] - '0');
    }
    if (*dim.text == '?') return;
    if (digits) {
      if (number && factor > UINT64_MAX / number) return;
      factor *= number;
      continue;
    }
    bool sum = memchr(dim.text, ' ', dim.length) != NULL;
    strbuf_puts(&rest, sum ? "*(" : "*");
    strbuf_add(&rest, dim.text, dim.length);
    if (sum) strbuf_putc(&rest, ')');
  }
  shape_strbuf text;
  strbuf_init(&text, call->arena);
  strbuf_printf(&text, "%llu", (unsigned long long)factor);
  if (factor && rest.length) strbuf_add(&text, rest.data, rest.length);
  strbuf_puts(out, "\n- bytes: ");
  put_text(out, (report_text){text.data, text.length});
}

static void put_constraints(lsp_call *call, const lsp_shape *shape, const lsp_constraint *list,
                            uint32_t count, const char *title, shape_strbuf *out) {
  enum { MOST = 12 };
  uint32_t shown = 0;
  for (uint32_t i = 0; i < count && shown < MOST; i++) {
    bool about = false;
    for (uint32_t k = 0; k < shape->rank && !about; k++) {
      about = symbol_of(call->model, shape->dims[k]) && lsp_mentions(list[i].expr, shape->dims[k]);
    }
    if (!about) continue;
    if (!shown++) strbuf_printf(out, "\n\n%s", title);
    strbuf_puts(out, "\n- ");
    put_text(out, list[i].expr);
    for (uint32_t k = 0; k < list[i].because_count && k < 4; k++) {
      strbuf_puts(out, k ? "; " : " — ");
      put_reason(call, &list[i].because[k], out);
    }
  }
}

void lsp_describe_value(lsp_call *call, value_id value, shape_strbuf *out) {
  const lsp_model *m = call->model;
  const lsp_shape *shape = lsp_model_shape(call->model, value);
  uint32_t length;
  const char *name = graph_value_text(m->graph, value, &length);
  shape_strbuf head;
  strbuf_init(&head, call->arena);
  strbuf_printf(&head, "%s%.*s", call->document->python ? "" : "%", (int)length, name);
  if (shape && shape->type) strbuf_printf(&head, " : %s", shape->type);
  put_text(out, (report_text){head.data, head.length});
  if (!shape) {
    strbuf_puts(out, "\n\nnothing is known here");
    return;
  }
  strbuf_putc(out, '\n');
  for (uint32_t i = 0; shape->ranked && i < shape->rank; i++) put_size(call, value, shape, i, out);
  put_bytes(call, value, shape, out);
  if (!put_chain(call, value, out)) {
    shape_strbuf merges;
    strbuf_init(&merges, call->arena);
    put_merges(call, value, &merges);
    if (merges.length) {
      strbuf_puts(out, "\n\nWhy");
      strbuf_add(out, merges.data, merges.length);
    }
  }
  if (!shape->ranked) return;
  put_constraints(call, shape, m->facts.constraints, m->facts.constraint_count, "Constraints", out);
  put_constraints(call, shape, m->facts.guards, m->facts.guard_count,
                  "Guards (checked at run time)", out);
}
