// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/write.h"
#include "solver/formats/formats.h"

static report_text text_of(const char *text) {
  return text ? (report_text){text, (uint32_t)strlen(text)} : (report_text){"", 0};
}

static report_text buffer_text(shape_strbuf *buf) {
  const char *text = strbuf_text(buf);
  return (report_text){text, buf->length};
}

// --- what the report says

static report_text range_text(shape_arena *arena, interval range) {
  shape_strbuf buf;
  strbuf_init(&buf, arena);
  if (range.has_lo) num_print(&buf, range.lo);
  strbuf_puts(&buf, "..");
  if (range.has_hi) num_print(&buf, range.hi);
  return buffer_text(&buf);
}

static report_text likely_text(shape_arena *arena, const graph_symbol *declared) {
  shape_strbuf buf;
  if (!declared || !declared->likely_count) return text_of(NULL);
  strbuf_init(&buf, arena);
  for (uint32_t i = 0; i < declared->likely_count; i++) {
    if (i) strbuf_puts(&buf, ", ");
    strbuf_int(&buf, declared->likely[i]);
  }
  return buffer_text(&buf);
}

static void take_symbols(lsp_model *m, const shape_report *r) {
  shape_arena *arena = m->graph->arena;
  m->symbols = arena_zalloc(arena, (r->symbol_count + 1) * sizeof *m->symbols);
  m->symbol_count = r->symbol_count;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const report_symbol *s = &r->symbols[i];
    lsp_symbol *to = &m->symbols[i];
    *to = (lsp_symbol){.name = s->name,
                       .origin = report_origin_name(s->origin),
                       .function = s->function,
                       .argument = s->argument,
                       .axis = s->axis,
                       .span = s->span,
                       .range = range_text(arena, s->range),
                       .likely = likely_text(arena, s->declared),
                       .definition = s->definition.text ? s->definition : text_of(NULL)};
    int64_t divisor;
    if (!num_to_int(s->divisible_by, &divisor) || divisor > 1) {
      shape_strbuf buf;
      strbuf_init(&buf, arena);
      num_print(&buf, s->divisible_by);
      to->divisor = buffer_text(&buf);
    }
  }
  lsp_model_index_symbols(m);
}

static lsp_constraint *take_constraints(lsp_model *m, const report_constraints *list,
                                        uint32_t *count) {
  shape_arena *arena = m->graph->arena;
  lsp_constraint *made = arena_zalloc(arena, (list->count + 1) * sizeof *made);
  *count = list->count;
  for (uint32_t i = 0; i < list->count; i++) {
    const report_constraint *c = &list->items[i];
    lsp_reason *because = arena_alloc(arena, (c->because_count + 1) * sizeof *because);
    for (uint32_t k = 0; k < c->because_count; k++) {
      because[k] = (lsp_reason){c->because[k].span, c->because[k].rule, c->because[k].message};
    }
    report_text scope = text_of(c->scope);
    const char *slash = memchr(scope.text, '/', scope.length);
    made[i] = (lsp_constraint){
        .kind = text_of(constraint_kind_name(c->kind)),
        .expr = c->expr,
        .scope = scope,
        .function = {scope.text, slash ? (uint32_t)(slash - scope.text) : scope.length},
        .because = because,
        .because_count = c->because_count};
  }
  return made;
}

static void take_unchecked(lsp_model *m, const shape_report *r) {
  shape_arena *arena = m->graph->arena;
  m->facts.unchecked_count = r->unchecked_count;
  m->facts.unchecked = arena_zalloc(arena, (r->unchecked_count + 1) * sizeof *m->facts.unchecked);
  for (uint32_t i = 0; i < r->unchecked_count; i++) {
    const report_unchecked *row = &r->unchecked[i];
    lsp_reason *why = arena_alloc(arena, sizeof *why);
    source_span at = row->op == ID_NONE ? SPAN_NONE : r->graph->ops[row->op].span;
    *why = (lsp_reason){at, NULL, row->reason};
    m->facts.unchecked[i] =
        (lsp_constraint){.expr = text_of(row->requirement), .because = why, .because_count = 1};
  }
}

// A message with the names that hints and hovers use for dims of arguments.
static const char *message_of(lsp_model *m, const shape_report *r, const char *message) {
  shape_strbuf text;
  strbuf_init(&text, m->graph->arena);
  report_message(r, &text, message);
  return strbuf_text(&text);
}

static void take_diags(lsp_model *m, const shape_report *r) {
  m->diags = arena_alloc(m->graph->arena, (r->diag_count + 1) * sizeof *m->diags);
  for (uint32_t i = 0; i < r->diag_count; i++) {
    const diag *d = r->diags[i];
    if (lsp_recover_is_echo(m->graph, &m->cuts, d)) continue;
    diag_related *related = arena_alloc(m->graph->arena, (d->related_count + 1) * sizeof *related);
    for (uint32_t k = 0; k < d->related_count; k++)
      related[k] = (diag_related){d->related[k].span, message_of(m, r, d->related[k].message)};
    source_span at = span_is_none(d->part) ? d->span : d->part;
    m->diags[m->diag_count++] =
        (lsp_diag){d->severity, d->code,          message_of(m, r, d->message), at,
                   related,     d->related_count, report_locations_of(r, d)};
  }
}

// Only values of which the report speaks: arguments of functions, and results of the operations of their bodies.
static void take_values(lsp_model *m, const shape_report *r) {
  const shape_graph *g = m->graph;
  for (uint32_t i = 0; i < r->function_count; i++) {
    const report_function *f = &r->functions[i];
    uint32_t from = m->cuts.from && !m->cuts.whole ? m->cuts.from[f->id] : UINT32_MAX;
    for (uint32_t k = 0; k < f->argument_count; k++) {
      m->shape.of[f->arguments + k] = r->value_shapes[f->arguments + k];
    }
    for (op_id op = f->first_op; op < f->end_op; op++) {
      const graph_op *o = &g->ops[op];
      if (o->span.end > from) continue;
      for (uint32_t k = 0; k < o->result_count; k++) {
        m->shape.of[o->results + k] = r->value_shapes[o->results + k];
      }
    }
  }
  m->shape.count = r->shape_count;
  m->shape.items = arena_alloc(g->arena, (r->shape_count + 1) * sizeof *m->shape.items);
  m->shape.made = arena_zalloc(g->arena, r->shape_count + 1);
}

static void take_report(lsp_model *m, shape_report *r) {
  take_diags(m, r);
  if (!r->infer) return;
  m->report = r;
  if (m->complete && r->ok) m->own = r;
  for (uint32_t i = 0; i < r->shape_count; i++) m->refines |= r->shapes[i].refined;
  take_values(m, r);
  take_symbols(m, r);
  m->facts.constraints = take_constraints(m, &r->constraints, &m->facts.constraint_count);
  m->facts.guards = take_constraints(m, &r->guards, &m->facts.guard_count);
  m->facts.scoped = take_constraints(m, &r->scoped, &m->facts.scoped_count);
  take_unchecked(m, r);
  report_text *list = arena_alloc(m->graph->arena, (r->assumption_count + 1) * sizeof *list);
  for (uint32_t i = 0; i < r->assumption_count; i++) list[i] = text_of(r->assumptions[i]);
  m->assumptions = list;
  m->assumption_count = r->assumption_count;
  if (r->function_count) m->entry = report_function_name(r, r->functions[0].id);
}

// --- shapes

static bool is_expression(report_text dim) {
  for (uint32_t i = 0; i < dim.length; i++) {
    if (dim.text[i] < '0' || dim.text[i] > '9') return dim.text[i] != '?';
  }
  return false;
}

static bool is_dynamic(const graph_type *type) {
  if (!type) return true;
  if (type->kind == TYPE_UNRANKED) return true;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return true;
  }
  return false;
}

static void make_shape(lsp_model *m, lsp_shape *to, uint32_t index, value_id value) {
  shape_report *r = m->report;
  const report_shape *s = &r->shapes[index];
  shape_arena *arena = m->graph->arena;
  *to = (lsp_shape){.ranked = s->ranked, .rank = s->rank, .determined = s->determined};
  if (s->type != TYPE_NONE) {
    shape_strbuf buf;
    strbuf_init(&buf, arena);
    type_print(&m->graph->types, &buf, s->type);
    to->type = strbuf_text(&buf);
  }
  to->dynamic = is_dynamic(graph_value_type(m->graph, value));
  to->says_more = s->refined;
  if (!s->ranked) return;
  report_text *dims = arena_alloc(arena, (s->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < s->rank; i++) {
    dims[i] = s->dims[i] == TERM_NONE ? text_of("?") : report_term(r, s->dims[i]);
    to->says_more |= is_expression(dims[i]);
  }
  to->dims = dims;
}

const lsp_shape *lsp_model_shape(lsp_model *m, value_id value) {
  if (value >= m->graph->value_count || !m->shape.of) return NULL;
  uint32_t index = m->shape.of[value];
  if (index >= m->shape.count) return NULL;
  if (m->shape.made && !m->shape.made[index]) {
    make_shape(m, &m->shape.items[index], index, value);
    m->shape.made[index] = 1;
  }
  return &m->shape.items[index];
}

void lsp_model_index_symbols(lsp_model *m) {
  uint32_t known;
  for (uint32_t i = 0; i < m->symbol_count; i++) {
    name_id name = intern_add(&m->graph->names, m->symbols[i].name.text, m->symbols[i].name.length);
    if (imap_get(&m->symbol_by_name, name, &known)) continue;
    imap_put(&m->symbol_by_name, m->graph->arena, name, i);
  }
}

const lsp_symbol *lsp_model_symbol(const lsp_model *m, const char *name, size_t length) {
  name_id id = intern_find(&m->graph->names, name, length);
  uint32_t index;
  bool known = id != NAME_NONE && imap_get(&m->symbol_by_name, id, &index);
  return known ? &m->symbols[index] : NULL;
}

bool lsp_model_determined(const lsp_model *m, report_text dim) {
  for (uint32_t at = 0, end; at < dim.length; at = end) {
    if (dim.text[at] == '?') return false;
    end = lsp_word_end(dim, at);
    const lsp_symbol *s = lsp_model_symbol(m, dim.text + at, end - at);
    if (s && s->argument == ID_NONE) return false;
    if (end == at) end++;
  }
  return true;
}

// Names of the grammar of answers: letters beyond ASCII are part of names that users gave.
uint32_t lsp_word_end(report_text text, uint32_t at) {
  for (; at < text.length; at++) {
    char c = text.text[at];
    bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '_' || c == '.' || (c & 0x80);
    if (!word) break;
  }
  return at;
}

// --- building

typedef struct building {
  lsp_model *model;
  const lsp_model_request *request;
  shape_status status;
  bool empty;  // there is no program
} building;

static shape_status read_text(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  building *b = data;
  lsp_earlier *earlier = b->request->earlier;
  if (g->format == GRAPH_MLIR && earlier &&
      mlir_read_edited(g, &b->model->uses, earlier->reading)) {
    b->model->earlier = earlier;
    earlier->holders++;
    return SHAPE_OK;
  }
  if (g->format == GRAPH_MLIR) return mlir_read_uses(g, &b->model->uses);
  // Most texts in Python are not graphs: nothing is said of those.
  graph_format format;
  const char *advice;
  bool graph = format_of(g->source.text, g->source.length, &format, &advice) && format == GRAPH_FX;
  if (graph) format_read(g, &(format_options){.uses = NULL});
  b->empty = !graph;
  return SHAPE_OK;
}

static void prepare(shape_run *p, void *data) {
  lsp_model *m = ((building *)data)->model;
  m->graph = shape_run_graph(p);
  shape_arena *arena = m->graph->arena;
  arena_init_child(&m->scratch, arena);
  m->complete = m->graph->diags.errors == 0;
  m->cuts = lsp_recover(m->graph, &m->uses);
  m->shape.of = arena_alloc(arena, (m->graph->value_count + 1) * sizeof *m->shape.of);
  for (value_id v = 0; v < m->graph->value_count; v++) m->shape.of[v] = ID_NONE;
}

static void take(shape_run *p, void *data) {
  building *b = data;
  shape_report *r = shape_run_report(p);
  shape_run_locate(p);
  if (!r) r = report_make(b->model->graph, NULL, shape_run_budget(p));
  take_report(b->model, r);
}

static void params_of(shape_strbuf *out, const lsp_model_request *q) {
  json_writer w;
  json_writer_init(&w, out);
  json_begin_object(&w);
  json_key(&w, "text");
  json_text(&w, q->text, q->length);
  json_key(&w, "options");
  json_begin_object(&w);
  if (*q->settings->entry.text) {
    json_put_string(&w, "entry", q->settings->entry.text);
  }
  if (q->settings->steps) {
    json_put_int(&w, "steps", (int64_t)q->settings->steps);
  }
  json_key(&w, "assume");
  json_begin_array(&w);
  for (uint32_t i = 0; i < q->settings->assume.count; i++) {
    json_string(&w, q->settings->assume.items[i]);
  }
  json_end_array(&w);
  json_end_object(&w);
  json_end_object(&w);
}

static void ask_daemon(shape_run *p, void *data) {
  (void)p;
  building *b = data;
  lsp_model *m = b->model;
  const lsp_host *host = b->request->host;
  shape_strbuf params;
  size_t length = 0;
  const char *error = "the answer is none that this program knows";
  strbuf_init(&params, m->graph->arena);
  params_of(&params, b->request);
  const char *answer =
      host->ask(host->data, m->graph->arena, params.data, params.length, &length, &error);
  if (answer) m->answer = cJSON_ParseWithLength(answer, length);
  bool taken = answer && lsp_model_take_answer(m, m->answer);
  cJSON_Delete(m->answer);
  m->answer = NULL;
  if (taken) return;
  m->shape.count = m->symbol_count = 0;
  for (value_id v = 0; v < m->graph->value_count; v++) m->shape.of[v] = ID_NONE;
  m->diags = arena_alloc(m->graph->arena, sizeof *m->diags);
  m->diags[0] = (lsp_diag){.severity = DIAG_WARNING, .code = "daemon", .message = error};
  m->diag_count = 1;
}

static shape_status analyse_here(lsp_model *m) {
  const lsp_settings *s = m->settings;
  run_options options = {.entry = *s->entry.text ? s->entry.text : NULL,
                         .assumptions = (const char *const *)s->assume.items,
                         .assumption_count = s->assume.count};
  // What was cut away is where the errors are: what is left is a program.
  diag_list *diags = &m->graph->diags;
  uint32_t errors = diags->errors;
  diags->errors = 0;
  if (diags->limit < diags->count + errors + 100) diags->limit = diags->count + errors + 100;
  shape_status status = shape_run_analyze(m->program, &options);
  diags->errors += errors;
  return status;
}

static shape_status analyse(building *b) {
  lsp_model *m = b->model;
  if (b->request->host->ask && m->complete && !b->request->python) {
    return shape_run_protect(m->program, ask_daemon, b);
  }
  shape_status status = analyse_here(m);
  return status == SHAPE_OK ? shape_run_protect(m->program, take, b) : status;
}

shape_report *lsp_model_report(lsp_model *m) {
  if (!m->own && m->complete && !shape_run_report(m->program)) {
    shape_status status = analyse_here(m);
    if (status != SHAPE_OK) arena_fail(m->graph->arena, status);
    shape_report *r = shape_run_report(m->program);
    m->own = r && r->infer && r->ok ? r : NULL;
  }
  return m->own;
}

lsp_model *lsp_model_new(const lsp_model_request *request, shape_status *status) {
  lsp_model *m = calloc(1, sizeof *m);
  const lsp_host *host = request->host;
  run_limits limits = {
      .stop = host->stop, .progress = host->steps, .steps = request->settings->steps};
  building b = {.model = m, .request = request};
  *status = SHAPE_MEMORY;
  if (!m) return NULL;
  m->settings = request->settings;
  m->program = shape_run_new(request->text, request->length, &limits);
  if (m->program)
    *status = shape_run_read(m->program, request->python ? GRAPH_FX : GRAPH_MLIR, read_text, &b);
  if (*status == SHAPE_OK) *status = shape_run_protect(m->program, prepare, &b);
  if (*status == SHAPE_OK) {
    *status = request->analyse && !b.empty ? analyse(&b) : shape_run_protect(m->program, take, &b);
  }
  if (*status == SHAPE_OK) return m;
  lsp_model_free(m);
  return NULL;
}

void lsp_model_free(lsp_model *m) {
  if (!m) return;
  cJSON_Delete(m->answer);
  shape_run_free(m->program);
  lsp_earlier_free(m->earlier);
  free(m);
}

// --- earlier texts

typedef struct earlier_text {
  lsp_earlier *earlier;
  const char *text;
  uint32_t length;
} earlier_text;

static void read_earlier(void *data) {
  earlier_text *t = data;
  const char *text = arena_strndup(&t->earlier->arena, t->text, t->length);
  t->earlier->reading = mlir_read_earlier(&t->earlier->arena, text, t->length);
}

lsp_earlier *lsp_earlier_new(const char *text, uint32_t length, const atomic_int *stop) {
  earlier_text t = {calloc(1, sizeof *t.earlier), text, length};
  if (!t.earlier) return NULL;
  t.earlier->holders = 1;
  arena_init(&t.earlier->arena, 0);
  t.earlier->arena.stop = stop;
  shape_status status = arena_protect(&t.earlier->arena, read_earlier, &t);
  t.earlier->arena.stop = NULL;
  if (status == SHAPE_OK && t.earlier->reading) return t.earlier;
  lsp_earlier_free(t.earlier);
  return NULL;
}

void lsp_earlier_free(lsp_earlier *earlier) {
  if (!earlier || --earlier->holders) return;
  arena_destroy(&earlier->arena);
  free(earlier);
}

typedef struct protected_body {
  lsp_model *model;
  void (*body)(lsp_model *model, void *data);
  void *data;
} protected_body;

static void run_body(shape_run *p, void *data) {
  (void)p;
  protected_body *call = data;
  arena_mark mark = arena_get_mark(&call->model->scratch);
  call->body(call->model, call->data);
  arena_rewind(&call->model->scratch, mark);
}

shape_status lsp_model_protect(lsp_model *m, void (*body)(lsp_model *model, void *data),
                               void *data) {
  protected_body call = {m, body, data};
  return shape_run_protect(m->program, run_body, &call);
}
