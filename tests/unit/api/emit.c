// SPDX-License-Identifier: Apache-2.0
// Formats with their options, differences and tables, used as a program outside of the library uses them.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shape.h"

static const char MLIR[] =
    "func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {\n"
    "  %s = stablehlo.add %a, %b : tensor<?x4xf32>\n"
    "  %unused = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
    "  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<?x?xf32>\n"
    "  return %t : tensor<?x?xf32>\n"
    "}\n";
static const char CONFLICT[] =
    "func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<3xf32> {\n"
    "  %s = \"stablehlo.add\"(%a, %b) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>\n"
    "  return %s : tensor<3xf32>\n}\n";

typedef struct text {
  char data[128 << 10];  // a page is the longest
  size_t length;
} text;

static void take(void *to, const char *data, size_t length) {
  text *t = to;
  cr_assert_lt(t->length + length, sizeof t->data);
  memcpy(t->data + t->length, data, length);
  t->length += length;
  t->data[t->length] = '\0';
}

typedef struct subject {
  shape_program *program;
  shape_analysis *analysis;
  text out;
} subject;

static subject opened(const char *mlir, const shape_limits *limits, const shape_options *options) {
  subject s = {.program = shape_program_new(limits)};
  cr_assert_eq(shape_program_load(s.program, mlir, strlen(mlir), "test.mlir"), SHAPE_OK);
  s.analysis = shape_program_analyze(s.program, options);
  cr_assert_not_null(s.analysis);
  return s;
}

static void closed(subject *s) {
  shape_analysis_free(s->analysis);
  shape_program_free(s->program);
}

// What is written is in s->out.
static shape_status emitted(subject *s, const char *format, const shape_emit_options *options) {
  s->out.length = 0;
  s->out.data[0] = '\0';
  return shape_analysis_emit_with(s->analysis, format, options, take, &s->out);
}

Test(emit, formats_are_listed_with_their_families) {
  shape_format f, g;
  uint32_t count = 0;
  while (shape_format_at(count, &f)) {
    cr_assert(shape_format_find(f.family, f.form, &g), "%s", f.name);
    cr_expect_str_eq(g.name, f.name);
    cr_expect(*f.what && !strchr(f.name, '_'), "%s", f.name);
    bool bytes = strcmp(f.name, "onnx") == 0 || strcmp(f.name, "bytecode") == 0 ||
                 strcmp(f.name, "vhlo") == 0;
    cr_expect_eq(f.is_text, !bytes, "%s", f.name);
    for (uint32_t k = 0; k < count; k++) {
      cr_assert(shape_format_at(k, &g));
      cr_expect_str_neq(g.name, f.name);
    }
    count++;
  }
  cr_expect_gt(count, 15);
  cr_assert(shape_format_find(SHAPE_FORMAT_PROGRAM, "json", &f));
  cr_expect_str_eq(f.name, "graph");
  cr_assert(shape_format_find(SHAPE_FORMAT_AT, "json", &f));
  cr_expect_str_eq(f.name, "at-json");
  cr_expect_not(shape_format_find(SHAPE_FORMAT_ANSWER, "svg", &f));
}

Test(emit, every_format_takes_options) {
  subject s = opened(MLIR, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  uint32_t errors = 7;
  o.that = "arg0.0 >= 0";
  o.line = 2;
  o.column = 4;
  o.errors = &errors;
  o.target = "1.0.0";
  shape_format f;
  for (uint32_t i = 0; shape_format_at(i, &f); i++) {
    bool refused = strcmp(f.name, "onnx") == 0 || strcmp(f.name, "violations") == 0 ||
                   strcmp(f.name, "svg") == 0 || strcmp(f.name, "html") == 0 ||
                   strcmp(f.name, "guards-mlir") == 0;  // nothing there needs a check
    shape_status status = emitted(&s, f.name, &o);
    cr_expect_eq(status, refused ? SHAPE_INVALID : SHAPE_OK, "%s: %s", f.name,
                 shape_analysis_error(s.analysis)->message);
    cr_expect_eq(s.out.length > 0, !refused, "%s", f.name);
    cr_expect_eq(errors, 0, "%s", f.name);
  }
  closed(&s);
}

Test(emit, why_answers) {
  subject s = opened(MLIR, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  shape_answer answer = SHAPE_UNKNOWN;
  o.answer = &answer;
  o.that = "arg0.0 == arg1.0";
  cr_expect_eq(emitted(&s, "why", &o), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_YES);
  cr_expect(strstr(s.out.data, "stablehlo.add"), "%s", s.out.data);
  o.that = "arg0.0 < 0";
  cr_expect_eq(emitted(&s, "why-json", &o), SHAPE_OK);
  cr_expect(answer == SHAPE_NO && s.out.data[0] == '{', "%s", s.out.data);
  o.that = "arg0.0 == 7";
  cr_expect_eq(emitted(&s, "why", &o), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_NO, "a run has another value");
  o.that = "arg0.0 == ";
  cr_expect_eq(emitted(&s, "why", &o), SHAPE_INVALID);
  o.that = NULL;
  cr_expect_eq(emitted(&s, "why", &o), SHAPE_INVALID);
  cr_expect_eq(s.out.length, 0);
  closed(&s);
}

// The context of an analysis shares its facts: what is assumed there for a while is in no answer about the program.
Test(emit, nothing_is_written_of_what_is_assumed_for_a_while) {
  subject s =
      opened("func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) { return }\n", NULL, NULL);
  shape_context *c = shape_analysis_context(s.analysis);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  shape_answer answer = SHAPE_UNKNOWN;
  o.that = "arg0.0 == arg1.0";
  o.answer = &answer;
  shape_checkpoint before = shape_context_checkpoint(c);
  cr_assert_eq(shape_context_assume_text(c, "S0 == S1", NULL, NULL), SHAPE_OK);
  cr_expect_eq(shape_analysis_same_shape(s.analysis, 0, 1), SHAPE_YES);
  cr_expect_eq(emitted(&s, "why", &o), SHAPE_INVALID);
  cr_expect(strstr(shape_analysis_error(s.analysis)->message, "roll it back"));
  cr_expect(s.out.length == 0 && answer == SHAPE_NO);
  cr_assert_eq(shape_context_rollback(c, before), SHAPE_OK);
  cr_expect_eq(emitted(&s, "why", &o), SHAPE_OK);
  cr_expect_eq(answer, SHAPE_NO, "%s", s.out.data);  // a run refutes it
  // What a query takes for defined is no fact of the program either.
  cr_expect_eq(shape_context_prove_text(c, "S0 // S1 >= 0"), SHAPE_YES);
  cr_expect_eq(emitted(&s, "smt2", NULL), SHAPE_OK);
  cr_expect(!strstr(s.out.data, "fact_0"), "%s", s.out.data);
  cr_expect_eq(shape_analysis_same_shape(s.analysis, 0, 1), SHAPE_UNKNOWN);
  closed(&s);
}

Test(emit, a_location_is_explained) {
  subject s = opened(MLIR, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  o.line = 4;
  o.column = 4;
  cr_expect_eq(emitted(&s, "at", &o), SHAPE_OK, "%s", shape_analysis_error(s.analysis)->message);
  cr_expect(strstr(s.out.data, "%t"), "%s", s.out.data);
  text before = s.out;
  closed(&s);
  shape_options spans = SHAPE_STRUCT(shape_options);
  spans.keep_spans = true;
  s = opened(MLIR, NULL, &spans);
  cr_expect_eq(emitted(&s, "at", &o), SHAPE_OK);
  cr_expect_str_eq(s.out.data, before.data);
  o.line = 99;
  cr_expect_eq(emitted(&s, "at", &o), SHAPE_INVALID);
  o.line = 0;
  cr_expect_eq(emitted(&s, "at", &o), SHAPE_INVALID);
  cr_expect_eq(s.out.length, 0);
  closed(&s);
}

typedef struct dynamics {
  uint32_t count;
  char first[80];
} dynamics;

static void take_dynamic(void *to, const shape_dynamic *value) {
  dynamics *d = to;
  if (!d->count++) snprintf(d->first, sizeof d->first, "%s: %s", value->what, value->type);
  cr_expect(value->line && value->column && *value->reason);
}

Test(emit, programs_are_transformed) {
  subject s = opened(MLIR, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect(strstr(s.out.data, "tensor<4x?xf32>") && strstr(s.out.data, "%unused"), "%s",
            s.out.data);
  o.generic = true;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect(strstr(s.out.data, "\"stablehlo.add\"("), "%s", s.out.data);
  o.generic = false;
  o.cleanup = true;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect(s.out.length && !strstr(s.out.data, "%unused"), "%s", s.out.data);
  text clean = s.out;
  cr_expect_eq(emitted(&s, "clean-mlir", NULL), SHAPE_OK);
  cr_expect_str_eq(s.out.data, clean.data);
  dynamics found = {0};
  o.dynamic = take_dynamic;
  o.dynamic_to = &found;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect_gt(found.count, 0);
  cr_expect(strstr(found.first, "tensor<"), "%s", found.first);
  closed(&s);
}

// An emission that writes errors leaves none after for the next one.
Test(emit, what_stays_dynamic_is_an_error_where_that_is_asked_for) {
  subject s = opened(MLIR, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  uint32_t errors = 0;
  o.require_static = true;
  o.errors = &errors;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect(errors > 0 && strstr(s.out.data, ": error: "), "%s", s.out.data);
  o.require_static = false;
  cr_expect_eq(emitted(&s, "graph", &o), SHAPE_OK);
  cr_expect(errors == 0 && s.out.data[0] == '{', "%u: %.80s", errors, s.out.data);
  closed(&s);
}

Test(emit, bounds_are_found_where_they_are_asked_for) {
  static const char *const BOUNDS[] = {"arg0.0=8"};
  shape_options options = SHAPE_STRUCT(shape_options);
  options.bound_texts = BOUNDS;
  options.bound_text_count = 1;
  subject s = opened(MLIR, NULL, &options);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect(strstr(s.out.data, "bounds<8, ?>"), "%s", s.out.data);
  o.dynamism = SHAPE_DYNAMISM_BOUNDED;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_INVALID);
  cr_expect_eq(emitted(&s, "graph", &o), SHAPE_OK, "it does not read it");
  o.dynamism = (shape_dynamism)9;
  cr_expect_eq(emitted(&s, "graph", &o), SHAPE_OK);
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_INVALID);
  cr_expect_eq(s.out.length, 0);
  closed(&s);
  options.find_bounds = true;
  s = opened(MLIR, NULL, &options);
  o.dynamism = SHAPE_DYNAMISM_BOUNDED;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  closed(&s);
}

Test(emit, bindings_are_numbers_or_texts) {
  static const char *const TEXTS[] = {"arg0.0=6", "arg1.0=6,arg0.1=4"};
  shape_options options = SHAPE_STRUCT(shape_options);
  options.binding_texts = TEXTS;
  options.binding_text_count = 2;
  subject s = opened(MLIR, NULL, &options);
  cr_expect_eq(emitted(&s, "mlir", NULL), SHAPE_OK);
  cr_expect(strstr(s.out.data, "tensor<4x6xf32>"), "%s", s.out.data);
  closed(&s);
  static const char *const WRONG[] = {"arg0.0"};
  options.binding_texts = WRONG;
  options.binding_text_count = 1;
  s = opened(MLIR, NULL, &options);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_INVALID);
  cr_expect_eq(emitted(&s, "json", NULL), SHAPE_INVALID);
  cr_expect_eq(s.out.length, 0);
  closed(&s);
}

Test(emit, pictures_take_symbols_and_a_layout) {
  subject s = opened(MLIR, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  static const char *const SYMBOLS[] = {"S0"};
  o.symbols = SYMBOLS;
  o.symbol_count = 1;
  cr_expect_eq(emitted(&s, "dot", &o), SHAPE_OK, "%s", shape_analysis_error(s.analysis)->message);
  static const char *const NONE[] = {"other"};
  o.symbols = NONE;
  cr_expect_eq(emitted(&s, "dot", &o), SHAPE_INVALID);
  cr_expect(strstr(shape_analysis_error(s.analysis)->message, "other"));
  closed(&s);
}

Test(emit, a_program_with_errors_is_these_errors) {
  subject s = opened(CONFLICT, NULL, NULL);
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  uint32_t errors = 0;
  o.errors = &errors;
  cr_expect_eq(emitted(&s, "mlir", &o), SHAPE_OK);
  cr_expect(errors == 1 && strncmp(s.out.data, "test.mlir:2:", 12) == 0, "%s", s.out.data);
  cr_expect_eq(emitted(&s, "json", &o), SHAPE_OK);
  cr_expect(errors == 1 && s.out.data[0] == '{', "%s", s.out.data);
  closed(&s);
}

Test(emit, conflicts_of_given_arguments_are_related_to_them) {
  shape_options options = SHAPE_STRUCT(shape_options);
  options.argument_types = "tensor<3x4xf32>, tensor<5x4xf32>";
  subject s = opened(MLIR, NULL, &options);
  cr_expect_eq(shape_analysis_error_count(s.analysis), 1);
  cr_expect_eq(emitted(&s, "text", NULL), SHAPE_OK);
  cr_expect(strstr(s.out.data, "given are b.0 = 5, a.0 = 3"), "%s", s.out.data);
  closed(&s);
}

Test(emit, an_analysis_that_failed_says_so_in_the_form_of_the_format) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.token = shape_token_new();
  shape_token_cancel(limits.token);
  subject s = opened(MLIR, &limits, NULL);
  cr_assert_eq(shape_analysis_error(s.analysis)->status, SHAPE_CANCELLED);
  cr_expect_eq(emitted(&s, "json", NULL), SHAPE_CANCELLED);
  cr_expect(strstr(s.out.data, "\"cancelled\""), "%s", s.out.data);
  cr_expect_eq(emitted(&s, "guards-c", NULL), SHAPE_CANCELLED);
  cr_expect_eq(strncmp(s.out.data, "test.mlir: error: ", 18), 0, "%s", s.out.data);
  closed(&s);
  shape_token_free(limits.token);
}

Test(emit, a_refused_call_does_not_change_how_the_analysis_ended) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  limits.memory = 100;
  subject s = opened(MLIR, &limits, NULL);
  cr_assert_eq(shape_analysis_error(s.analysis)->status, SHAPE_MEMORY);
  cr_expect_eq(emitted(&s, "nonsense", NULL), SHAPE_INVALID);
  cr_expect_eq(emitted(&s, "json", NULL), SHAPE_MEMORY);
  cr_expect(strstr(s.out.data, "\"memory\""), "%s", s.out.data);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_MEMORY);
  closed(&s);
}

Test(emit, analyses_are_traced) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  text lines = {.length = 0};
  cr_expect_eq(shape_trace_tags("op,nothing"), 0);
  limits.trace_tags = shape_trace_tags("op");
  limits.trace = take;
  limits.trace_to = &lines;
  subject s = opened(MLIR, &limits, NULL);
  cr_expect(strstr(lines.data, "op: ") && strstr(lines.data, "stablehlo.add"), "%s", lines.data);
  closed(&s);
}

Test(emit, programs_are_compared) {
  static const char OTHER[] =
      "func.func @main(%a: tensor<?x5xf32>, %b: tensor<?x5xf32>) -> tensor<?x?xf32> {\n"
      "  %s = stablehlo.add %a, %b : tensor<?x5xf32>\n"
      "  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<?x5xf32>) -> tensor<?x?xf32>\n"
      "  return %t : tensor<?x?xf32>\n"
      "}\n";
  const char *const texts[] = {MLIR, OTHER, CONFLICT};
  shape_program *p[4];
  text out = {.length = 0};
  for (int i = 0; i < 3; i++) {
    p[i] = shape_program_new(NULL);
    cr_assert_eq(shape_program_load(p[i], texts[i], strlen(texts[i]), NULL), SHAPE_OK);
  }
  p[3] = shape_program_new(NULL);
  shape_diff d = {9, 9};
  cr_expect_eq(shape_program_diff(p[0], p[0], NULL, "text", take, &out, &d), SHAPE_OK);
  cr_expect(d.errors == 0 && d.differences == 0);
  out.length = 0;
  cr_expect_eq(shape_program_diff(p[0], p[1], NULL, "json", take, &out, &d), SHAPE_OK);
  cr_expect(d.errors == 0 && d.differences > 0 && out.data[0] == '{', "%s", out.data);
  cr_expect_eq(shape_program_diff(p[0], p[2], NULL, "text", take, &out, &d), SHAPE_OK);
  cr_expect_eq(d.errors, 1);
  out.length = 0;
  cr_expect_eq(shape_program_diff(p[0], p[1], NULL, "pdf", take, &out, NULL), SHAPE_INVALID);
  cr_expect_eq(shape_program_diff(p[0], p[3], NULL, "text", take, &out, NULL), SHAPE_INVALID);
  cr_expect_eq(shape_program_error(p[0])->status, SHAPE_INVALID);
  cr_expect_str_eq(shape_program_error(p[0])->message, "the program has no contents");
  cr_expect_eq(out.length, 0);
  for (int i = 0; i < 4; i++) shape_program_free(p[i]);
}

Test(emit, programs_over_a_limit_say_which) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  uint64_t value = 0;
  limits.nodes = 2;
  subject s = opened(MLIR, &limits, NULL);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_SIZE);
  const char *limit = shape_program_limit(s.program, &value);
  cr_assert_not_null(limit);
  cr_expect(strcmp(limit, "max-nodes") == 0 && value == 2, "%s", limit);
  closed(&s);
  limits.nodes = 0;
  limits.rank = 1;
  s = opened(MLIR, &limits, NULL);
  cr_expect_eq(shape_program_diff(s.program, s.program, NULL, "text", take, &s.out, NULL),
               SHAPE_SIZE);
  limit = shape_program_limit(s.program, &value);
  cr_expect(limit && strcmp(limit, "max-rank") == 0 && value == 1);
  closed(&s);
  limits.rank = 2;
  s = opened(MLIR, &limits, NULL);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_OK);
  cr_expect_null(shape_program_limit(s.program, &value));
  closed(&s);
}

Test(emit, other_processes_end_analyses) {
  shape_limits limits = SHAPE_STRUCT(shape_limits);
  const int stop = SHAPE_DEADLINE;
  uint64_t steps = 0;
  limits.stop = &stop;
  subject s = opened(MLIR, &limits, NULL);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_DEADLINE);
  closed(&s);
  limits.stop = NULL;
  limits.progress = &steps;
  s = opened(MLIR, &limits, NULL);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_OK);
  closed(&s);
  limits.fail_at = 3;
  s = opened(MLIR, &limits, NULL);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_MEMORY);
  cr_expect_eq(emitted(&s, "text", NULL), SHAPE_MEMORY);
  cr_expect_gt(s.out.length, 0);
  closed(&s);
}

Test(emit, graphs_whose_json_was_checked_are_loaded) {
  static const char GRAPH[] = "{\"functions\": [{\"name\": \"main\", \"arguments\": [[\"x\", "
                              "\"tensor<?x4xf32>\"]], \"ops\": [], \"returns\": [\"x\"]}]}";
  subject s = {.program = shape_program_new(NULL)};
  cr_assert_eq(shape_program_load_json(s.program, GRAPH, sizeof GRAPH - 1, "g.json"), SHAPE_OK);
  cr_expect_eq(shape_program_load_json(s.program, GRAPH, sizeof GRAPH - 1, NULL), SHAPE_INVALID);
  cr_expect_eq(shape_program_load(s.program, GRAPH, sizeof GRAPH - 1, NULL), SHAPE_INVALID);
  s.analysis = shape_program_analyze(s.program, NULL);
  cr_expect_eq(shape_analysis_error(s.analysis)->status, SHAPE_OK, "%s",
               shape_analysis_error(s.analysis)->message);
  cr_expect_eq(shape_analysis_function_count(s.analysis), 1);
  closed(&s);
}

// Dims of runs give likely values; "violations" lists the runs that the program does not have.
Test(emit, runs_that_were_seen) {
  subject s = opened(MLIR, NULL, NULL);
  const shape_seen_dim fine[] = {{"arg0.0", 6, 7}, {"arg1.0", 6, 7}};
  const shape_seen_dim wrong[] = {{"arg0.0", 6, 7}, {"arg1.0", 6, 8}};
  const shape_seen runs[] = {{fine, 2, 5}, {wrong, 2, 1}};
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  bool violated[2] = {true, false};
  o.seen = runs;
  o.seen_count = 2;
  cr_expect_eq(emitted(&s, "violations", &o), SHAPE_INVALID, "there is no room for the results");
  o.violated = violated;
  cr_expect_eq(emitted(&s, "violations", &o), SHAPE_OK);
  cr_expect(!violated[0] && violated[1] && s.out.data[0] == '[', "%s", s.out.data);
  o.seen_count = 1;
  cr_expect_eq(emitted(&s, "json", &o), SHAPE_OK);
  cr_expect(strstr(s.out.data, "\"likely\""), "%s", s.out.data);
  const shape_seen many = {fine, SHAPE_SEEN_DIMS_MAX + 1, 1};
  o.seen = &many;
  cr_expect_eq(emitted(&s, "json", &o), SHAPE_INVALID);
  closed(&s);
}

// A dim that is made of others has the values that it had in those runs, not all that theirs could make.
Test(emit, likely_values_of_runs_are_written) {
  subject s =
      opened("func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
             "  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) "
             "-> tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n",
             NULL, NULL);
  const shape_seen_dim first[] = {{"arg0.0", 6, 8}, {"arg1.0", 6, 4}},
                       second[] = {{"arg0.0", 6, 2}, {"arg1.0", 6, 2}};
  const shape_seen runs[] = {{first, 2, 3}, {second, 2, 1}};
  shape_emit_options o = SHAPE_STRUCT(shape_emit_options);
  o.seen = runs;
  o.seen_count = 2;
  cr_expect_eq(emitted(&s, "disc-shape", &o), SHAPE_OK);
  cr_expect(strstr(s.out.data, "likely_values = array<i64: 8, 2>"), "%s", s.out.data);
  cr_expect(strstr(s.out.data, "likely_values = array<i64: 12, 4>"), "%s", s.out.data);
  closed(&s);
}

typedef struct parts {
  uint32_t count;
  size_t end;
} parts;

static bool two_parts(void *data, size_t begin, size_t end) {
  parts *p = data;
  cr_expect(begin <= end && end >= p->end);
  p->end = end;
  return ++p->count < 2;
}

Test(tables, formats_of_bytes_are_recognised) {
  static const char MODEL[] = "\x08\x08\x12\x04test:\x0b\x12\x09main_name", BYTECODE[] = "ML\xefR";
  cr_expect_eq(shape_input_of(MLIR, sizeof MLIR - 1), SHAPE_INPUT_MLIR);
  cr_expect_eq(shape_input_of("{\"ops\": []}", 11), SHAPE_INPUT_JSON);
  cr_expect_eq(shape_input_of(MODEL, sizeof MODEL - 1), SHAPE_INPUT_ONNX);
  cr_expect_eq(shape_input_of(BYTECODE, 4), SHAPE_INPUT_BYTECODE);
  cr_expect_eq(shape_input_of("\x1f\x8b\x08", 3), SHAPE_INPUT_COMPRESSED);
  cr_expect_eq(shape_input_of("", 0), SHAPE_INPUT_NONE);
  shape_input_format format;
  for (uint32_t i = 0; shape_input_at(i, &format); i++) {
    cr_expect(format.input != SHAPE_INPUT_NONE && *format.ending == '.' && *format.name);
    bool binary = format.input == SHAPE_INPUT_ONNX || format.input == SHAPE_INPUT_TORCH ||
                  format.input == SHAPE_INPUT_COMPRESSED;
    cr_expect_neq(format.is_text, binary, "%s", format.name);
  }
  cr_expect_not(shape_input_at(UINT32_MAX, &format));
  parts p = {0, 0};
  cr_expect_not(shape_input_scan(MODEL, sizeof MODEL - 1, two_parts, &p));
  cr_expect_eq(p.count, 2);
}

Test(tables, operations_are_listed) {
  shape_operation op;
  bool add = false;
  for (uint32_t i = 0; i < shape_operation_count(); i++) {
    cr_assert(shape_operation_at(i, &op));
    cr_expect(*op.name && *op.rule && *op.source, "%u", i);
    add |= strcmp(op.name, "stablehlo.add") == 0;
  }
  cr_expect(add);
  cr_expect_not(shape_operation_at(shape_operation_count(), &op));
}

Test(tables, codes_are_listed) {
  shape_code row;
  uint32_t i = 0;
  for (char last[32] = ""; shape_code_at(i, &row); i++) {
    cr_expect_lt(strcmp(last, row.code), 0, "%s", row.code);
    cr_expect(*row.cause && *row.remedy, "%s", row.code);
    cr_assert_lt(strlen(row.code), sizeof last);
    strcpy(last, row.code);
  }
  cr_expect_gt(i, 0);
  cr_expect_not(shape_code_at(i, &row));
}
