// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/ops/rules.h"

#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/mlir.h"
#include "solver/report/report.h"
#include "solver/analysis/run.h"

static shape_status read_mlir(struct shape_graph *graph, struct shape_budget *budget, void *data) {
  (void)budget;
  (void)data;
  return mlir_read(graph);
}

typedef struct run {
  char text[32768];
  shape_run *program;
  shape_graph *graph;
  shape_report *report;
  op_id op;  // the last one of the function that has a result
} run;

static void open_run(run *r, const char *arguments, const char *body) {
  int length =
      snprintf(r->text, sizeof(r->text), "func.func @main(%s) {\n%s\nreturn\n}\n", arguments, body);
  cr_assert(length > 0 && (size_t)length < sizeof(r->text));
  r->program = shape_run_new(r->text, (size_t)length, NULL);
  cr_assert_eq(shape_run_read(r->program, GRAPH_MLIR, read_mlir, NULL), SHAPE_OK);
  cr_assert_eq(shape_run_analyze(r->program, NULL), SHAPE_OK);
  r->graph = shape_run_graph(r->program);
  r->report = shape_run_report(r->program);
  r->op = ID_NONE;
  region_id top = r->graph->funcs[0].body;
  for (op_id i = 0; i < r->graph->op_count; i++) {
    if (r->graph->ops[i].result_count && r->graph->blocks[r->graph->ops[i].parent].region == top)
      r->op = i;
  }
}

static void expect_clean(const run *r, const char *body) {
  uint32_t line, column;
  for (uint32_t i = 0; i < r->graph->diags.count; i++) {
    const diag *d = &r->graph->diags.items[i];
    if (d->severity != DIAG_ERROR) continue;
    cr_expect(false, "%s\n  error: %s", body, shape_run_diagnostic(r->program, 0, &line, &column));
    return;
  }
}

static void add_text(char *out, size_t size, const char *text, size_t length) {
  size_t used = strlen(out);
  cr_assert(used + length + 1 < size);
  memcpy(out + used, text, length);
  out[used + length] = 0;
}

static void add_terms(run *r, char *out, size_t size, const term_id *terms, uint32_t count) {
  add_text(out, size, "[", 1);
  for (uint32_t i = 0; i < count; i++) {
    if (i) add_text(out, size, ", ", 2);
    report_text text =
        terms[i] == TERM_NONE ? (report_text){"?", 1} : report_term(r->report, terms[i]);
    add_text(out, size, text.text, text.length);
  }
  add_text(out, size, "]", 1);
}

// What a run says, as a text.
typedef void print_run(run *r, char *out, size_t size);

static void expect_print(const char *arguments, const char *body, print_run *print,
                         const char *want) {
  static run r;
  static char out[1 << 16];
  *out = 0;
  open_run(&r, arguments, body);
  expect_clean(&r, body);
  print(&r, out, sizeof out);
  cr_expect_str_eq(out, want, "%s\n  has %s, not %s", body, out, want);
  shape_run_free(r.program);
}

static void print_values(run *r, char *out, size_t size, value_id first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const report_shape *s = &r->report->shapes[r->report->value_shapes[first + i]];
    if (i) add_text(out, size, " ", 1);
    if (!s->ranked) {
      add_text(out, size, "*", 1);
    } else {
      add_terms(r, out, size, s->dims, s->rank);
    }
  }
}

static void print_results(run *r, char *out, size_t size) {
  cr_assert_neq(r->op, ID_NONE);
  print_values(r, out, size, graph_result(r->graph, r->op, 0), r->graph->ops[r->op].result_count);
}

void expect_sizes(const char *arguments, const char *body, const char *sizes) {
  expect_print(arguments, body, print_results, sizes);
}

static void print_arguments(run *r, char *out, size_t size) {
  const report_function *f = &r->report->functions[0];
  print_values(r, out, size, f->arguments, f->argument_count);
}

void expect_arguments(const char *arguments, const char *body, const char *sizes) {
  expect_print(arguments, body, print_arguments, sizes);
}

static void print_elements(run *r, char *out, size_t size) {
  const infer_frame *f = &r->report->infer->frames[0];
  const value_info *v = &f->values[graph_result(r->graph, r->op, 0) - f->value_base];
  if (!v->elements) {
    add_text(out, size, "-", 1);
    return;
  }
  term_id *canon = arena_alloc(r->graph->arena, (v->element_count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < v->element_count; i++)
    canon[i] = v->elements[i] == TERM_NONE ? TERM_NONE
                                           : store_canon(r->report->infer->store, v->elements[i]);
  add_terms(r, out, size, canon, v->element_count);
}

void expect_elements(const char *arguments, const char *body, const char *elements) {
  expect_print(arguments, body, print_elements, elements);
}

void rules_expect_each(expect_rule *expect, const rule_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) expect(cases[i].arguments, cases[i].body, cases[i].want);
}

void expect_error(const char *arguments, const char *body, const char *code) {
  static run r;
  open_run(&r, arguments, body);
  if (!code) {
    expect_clean(&r, body);
  } else {
    bool found = false;
    const char *other = "nothing";
    for (uint32_t i = 0; i < r.graph->diags.count; i++) {
      const diag *d = &r.graph->diags.items[i];
      if (d->severity != DIAG_ERROR) continue;
      found = found || strcmp(d->code, code) == 0;
      other = d->message;
    }
    cr_expect(found, "%s\n  has no error %s, but %s", body, code, other);
  }
  shape_run_free(r.program);
}

static void expect_answer(const char *arguments, const char *body, const char *asked,
                          shape_answer want) {
  static run r;
  const char *error = NULL;
  open_run(&r, arguments, body);
  expect_clean(&r, body);
  shape_answer answer = shape_run_ask(r.program, asked, &error);
  cr_expect_null(error, "%s: %s", asked, error);
  cr_expect_eq(answer, want, "%s\n  %s: %d", body, asked, answer);
  shape_run_free(r.program);
}

void expect_fact(const char *arguments, const char *body, const char *asked) {
  expect_answer(arguments, body, asked, SHAPE_YES);
}

void expect_open(const char *arguments, const char *body, const char *asked) {
  expect_answer(arguments, body, asked, SHAPE_UNKNOWN);
}

static void print_guards(run *r, char *out, size_t size) {
  for (uint32_t i = 0; i < r->report->guards.count; i++) {
    report_text text = r->report->guards.items[i].expr;
    if (i) add_text(out, size, "; ", 2);
    add_text(out, size, text.text, text.length);
  }
}

void expect_guards(const char *arguments, const char *body, const char *guards) {
  expect_print(arguments, body, print_guards, guards);
}

static void print_unchecked(run *r, char *out, size_t size) {
  for (uint32_t i = 0; i < r->report->unchecked_count; i++) {
    const report_unchecked *row = &r->report->unchecked[i];
    if (i) add_text(out, size, "; ", 2);
    add_text(out, size, row->requirement, strlen(row->requirement));
    add_text(out, size, ": ", 2);
    add_text(out, size, row->reason, strlen(row->reason));
  }
}

void expect_unchecked(const char *arguments, const char *body, const char *rows) {
  expect_print(arguments, body, print_unchecked, rows);
}
