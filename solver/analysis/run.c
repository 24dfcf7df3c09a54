// SPDX-License-Identifier: Apache-2.0
#include "solver/analysis/run.h"

#include <assert.h>
#include <stdlib.h>

#include "solver/base/trace_line.h"
#include "solver/decide/store_query.h"
#include "solver/report/report.h"
#include "solver/term/parse.h"

struct shape_run {
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
  const char *text;
  size_t length;
  uint64_t steps;
  const shape_trace *trace;  // asked for; opened under protection
  shape_report *report;
};

// What the smallest programs need in all: one request to malloc for them, where memory is not scarce.
enum { FIRST_BLOCK = 1 << 16, LIMIT_OF_BLOCK = 1 << 20 };

shape_run *shape_run_new(const char *text, size_t length, const run_limits *limits) {
  shape_run *p = malloc(sizeof *p);
  if (!p) return NULL;
  // Not calloc, which is slower for a small block than malloc (glibc).
  *p = (shape_run){.text = text,
                   .length = length,
                   .steps = limits && limits->steps ? limits->steps : SHAPE_STEPS_DEFAULT};
  arena_init(&p->arena, limits && limits->memory ? limits->memory : ARENA_LIMIT_DEFAULT);
  if (p->arena.limit >= LIMIT_OF_BLOCK) p->arena.block_size = FIRST_BLOCK;
  p->arena.fault.fail_at = limits ? limits->fail_at : 0;
  p->arena.stop = limits ? limits->stop : NULL;
  p->arena.poll = limits ? limits->poll : NULL;
  p->arena.poll_data = limits ? limits->poll_data : NULL;
  budget_init(&p->budget, &p->arena, p->steps, limits ? limits->stop : NULL);
  if (limits && limits->bits) p->budget.max_bits = limits->bits;
  if (limits && limits->elements) p->budget.max_elements = limits->elements;
  p->budget.abandon_at = limits ? limits->abandon_at : 0;
  p->budget.progress = limits ? limits->progress : NULL;
  p->trace = limits ? limits->trace : NULL;
  return p;
}

void shape_run_free(shape_run *p) {
  if (!p) return;
  arena_destroy(&p->arena);
  free(p);
}

typedef struct protected_call {
  shape_run *program;
  void (*body)(shape_run *program, void *data);
  void *data;
} protected_call;

static void run_protected(void *data) {
  protected_call *call = data;
  call->body(call->program, call->data);
}

shape_status shape_run_protect(shape_run *p, void (*body)(shape_run *program, void *data),
                               void *data) {
  protected_call call = {p, body, data};
  return arena_protect(&p->arena, run_protected, &call);
}

// Steps are counted from the beginning.
static void phase(shape_run *p, const char *name) {
  if (!trace_wants(&p->budget, TRACE_phase)) return;
  trace_say(&p->budget, TRACE_phase, "%s ended at step %llu", name,
            (unsigned long long)p->budget.steps_used);
}

typedef struct read_call {
  graph_format format;
  run_reader *reader;
  void *data;
  shape_status status;
} read_call;

static void read_body(shape_run *p, void *data) {
  read_call *call = data;
  assert(!p->graph.arena && call->format < GRAPH_FORMATS_END);
  trace_open(&p->budget, p->trace);
  graph_init(&p->graph, &p->arena, call->format, p->text, p->length);
  p->graph.budget = &p->budget;
  uint64_t steps = budget_begin_reading(&p->budget, p->length);
  call->status = call->reader(&p->graph, &p->budget, call->data);
  budget_end_reading(&p->budget, steps);
  phase(p, "read");
}

shape_status shape_run_read(shape_run *p, graph_format format, run_reader *reader, void *data) {
  if (p->length > UINT32_MAX - 16) return SHAPE_SIZE;  // locations are 32-bit offsets
  read_call call = {format, reader, data, SHAPE_OK};
  shape_status status = shape_run_protect(p, read_body, &call);
  return status != SHAPE_OK ? status : call.status;
}

// What the caller assumes is listed with what the rules do, and what a reader says is checked before the program runs.
static void list_assumptions(shape_run *p, const run_options *o) {
  shape_report *r = p->report;
  const graph_declared *d = &p->graph.declared;
  uint32_t count = r->assumption_count;
  if (!r->infer || (!o->assumption_count && !d->assumption_count)) return;
  const char **all = arena_alloc(
      &p->arena, ((size_t)count + d->assumption_count + o->assumption_count) * sizeof *all);
  if (count) memcpy(all, r->assumptions, count * sizeof *all);
  for (uint32_t i = 0; i < d->assumption_count; i++) {
    if (d->assumptions[i].why && !d->assumptions[i].found) all[count++] = d->assumptions[i].text;
  }
  for (uint32_t i = 0; i < o->assumption_count; i++) all[count++] = o->assumptions[i];
  r->assumptions = all;
  r->assumption_count = count;
}

static const infer_binding *bindings_of(shape_run *p, const run_binding *names, uint32_t count) {
  infer_binding *list = arena_alloc(&p->arena, (count + 1) * sizeof *list);
  for (uint32_t i = 0; i < count; i++) {
    list[i] = (infer_binding){names[i].name, (uint32_t)names[i].name_length, names[i].value};
  }
  return list;
}

static void analyze_body(shape_run *p, void *data) {
  static const run_options none = {0};
  const run_options *o = data ? data : &none;
  assert(p->graph.arena && !p->report);
  infer_options options = {.argument_types = o->argument_types,
                           .argument_count = o->argument_count,
                           .binding_count = o->binding_count,
                           .assumption_count = o->assumption_count,
                           .entry = o->entry,
                           .steps = p->steps,
                           .understood = o->understood};
  graph_assumption *assumptions =
      arena_alloc(&p->arena, (o->assumption_count + 1) * sizeof *assumptions);
  for (uint32_t i = 0; i < o->assumption_count; i++) {
    const char *text = o->assumptions[i];
    assumptions[i] =
        (graph_assumption){.text = text, .length = (uint32_t)strlen(text), .span = SPAN_NONE};
  }
  options.bindings = bindings_of(p, o->bindings, o->binding_count);
  options.bounds = bindings_of(p, o->bounds, o->bound_count);
  options.bound_count = o->bound_count;
  options.find_bounds = o->find_bounds;
  options.whole_regions = o->whole_regions;
  options.strict = o->strict;
  options.alone = o->alone;
  options.assumptions = assumptions;
  // What could be read of a text with syntax errors is no program: its dims would only add false errors.
  infer_result *infer = p->graph.diags.errors ? NULL : infer_run(&p->graph, &p->budget, &options);
  diag_list *diags = &p->graph.diags;
  phase(p, "analysis");
  for (uint32_t i = 0; o->warnings_are_errors && i < diags->count; i++) {
    if (diags->items[i].severity != DIAG_WARNING) continue;
    diags->items[i].severity = DIAG_ERROR;
    diags->errors++;
  }
  p->report = report_make(&p->graph, infer, &p->budget);
  list_assumptions(p, o);
  if (o->must_be_refinable) report_require_refinable(p->report);
  phase(p, "report");
  if (o->certify) report_certify(p->report);
}

shape_status shape_run_analyze(shape_run *p, const run_options *options) {
  return shape_run_protect(p, analyze_body, (void *)options);
}

uint32_t shape_run_errors(const shape_run *p) { return p->graph.diags.errors; }
uint32_t shape_run_diagnostics(const shape_run *p) { return p->report ? p->report->diag_count : 0; }

const char *shape_run_diagnostic(const shape_run *p, uint32_t index, uint32_t *line,
                                 uint32_t *column) {
  assert(index < shape_run_diagnostics(p));
  const diag *d = p->report->diags[index];
  source_position at = span_is_none(d->span) ? (source_position){1, 1}
                                             : graph_position_unprotected(&p->graph, d->span);
  *line = at.line;
  *column = at.column;
  return d->message;
}

uint32_t shape_run_symbols(const shape_run *p) { return p->report ? p->report->symbol_count : 0; }

const char *shape_run_symbol(const shape_run *p, uint32_t index, size_t *length) {
  assert(index < shape_run_symbols(p));
  const report_symbol *s = &p->report->symbols[index];
  if (length) *length = s->name.length;
  return s->name.text;
}

typedef struct ask_call {
  const char *text, *error;
  shape_answer answer;
} ask_call;

static term_id symbol_of_name(void *data, const char *name, size_t length) {
  const shape_report *r = data;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    report_text known = r->symbols[i].name;
    if (known.length == length && memcmp(known.text, name, length) == 0) return r->symbols[i].term;
  }
  return TERM_NONE;
}

static void ask_body(shape_run *p, void *data) {
  ask_call *call = data;
  infer_result *infer = p->report->infer;
  term_parser parser = {.terms = infer->terms, .symbol = symbol_of_name, .data = p->report};
  predicate q;
  if (!term_parse_predicate(&parser, call->text, strlen(call->text), &q.rel, &q.left, &q.right)) {
    call->error = parser.error;
    return;
  }
  call->answer = store_ask(infer->store, q).answer;
}

shape_answer shape_run_ask(shape_run *p, const char *text, const char **error) {
  ask_call call = {text, NULL, SHAPE_UNKNOWN};
  if (!p->report || !p->report->infer) {
    call.error = "the program was not analysed";
  } else {
    shape_status status = shape_run_protect(p, ask_body, &call);
    if (status != SHAPE_OK) call.error = shape_status_message(status);
  }
  if (error) *error = call.error;
  return call.answer;
}

struct shape_graph *shape_run_graph(shape_run *p) {
  return &p->graph;
}
struct shape_report *shape_run_report(shape_run *p) {
  return p->report;
}
struct shape_budget *shape_run_budget(shape_run *p) {
  return &p->budget;
}
