// SPDX-License-Identifier: Apache-2.0
// The table of emitters: what holds for every row.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/emit/emitter.h"
#include "tests/unit/collected.h"

static const char VALID[] =
    "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
    "  %0 = stablehlo.add %x, %y : tensor<?xf32>\n"
    "  return %0 : tensor<?xf32>\n}\n";
static const char CONFLICT[] =
    "func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {\n"
    "  %0 = \"stablehlo.add\"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n}\n";
static const char JSON[] =
    "{\"functions\": [{\"name\": \"main\", \"arguments\": [], \"results\": [], \"body\": []}]}";

static collected written(const char *text, emit_choice choice, size_t memory,
                         analysis_reply *reply) {
  collected c = {NULL, 0};
  analysis_request request = {
      .name = "x", .text = text, .length = strlen(text), .limits = {.memory = memory}};
  emit_analyze(&request, choice, collect, &c, reply);
  return c;
}

// What a row cannot do without: everything else has its defaults.
static emit_choice choice_of(const emitter *row) {
  static const why_options why = {.that = "arg0.0 == arg1.0"};
  static const at_options at = {.line = 2, .column = 4};
  static const program_options program = {.target = "1.0.0"};
  emit_choice choice = {row, NULL};
  if (row->family == EMIT_EXPLAIN) choice.options = &why;
  if (row->family == EMIT_AT) choice.options = &at;
  if (row == emit_as_vhlo(NULL).emitter) choice.options = &program;
  return choice;
}

Test(emitters, each_is_found_by_its_family_and_form) {
  for (unsigned i = 0; i < EMITTER_COUNT; i++)
    cr_expect_eq(emitter_find(EMITTERS[i].family, EMITTERS[i].form), &EMITTERS[i], "%s",
                 EMITTERS[i].form);
  cr_expect_null(emitter_find(EMIT_PROGRAM, "svg"));
  cr_expect_null(emitter_find(EMIT_PROGRAM, ""));
  cr_expect_eq(emit_as_guards_c(NULL).emitter, emitter_find(EMIT_PROGRAM, "guards-c"));
}

Test(emitters, each_writes_the_same_twice) {
  for (unsigned i = 0; i < EMITTER_COUNT; i++) {
    const emitter *row = &EMITTERS[i];
    analysis_reply reply, again;
    collected one = written(VALID, choice_of(row), 0, &reply),
              two = written(VALID, choice_of(row), 0, &again);
    cr_expect_eq(reply.status, again.status);
    cr_expect_eq(one.length, two.length, "%s", row->form);
    cr_expect(!one.length || memcmp(one.text, two.text, one.length) == 0, "%s", row->form);
    // Without a layout there is no picture, and the program is no ONNX model.
    bool refuses = (row->flags & EMIT_ONNX) || row == emit_as_svg(NULL).emitter ||
                   row == emit_as_html(NULL).emitter;
    cr_expect_eq(reply.status, refuses ? SHAPE_INVALID : SHAPE_OK, "%s: %s", row->form,
                 reply.message);
    cr_expect_eq(!one.length, refuses, "%s", row->form);
    free(one.text);
    free(two.text);
  }
}

typedef void check_written(const emitter *row, const collected *c, const analysis_reply *reply);

// Checks what each emitter writes of a program.
static void each_written(const char *program, uint64_t memory, check_written *check) {
  for (unsigned i = 0; i < EMITTER_COUNT; i++) {
    analysis_reply reply;
    collected c = written(program, choice_of(&EMITTERS[i]), memory, &reply);
    check(&EMITTERS[i], &c, &reply);
    free(c.text);
  }
}

static void check_conflict(const emitter *row, const collected *c, const analysis_reply *reply) {
  bool refuses = row->flags & (EMIT_REFUSES_ERRORS | EMIT_ONNX);
  cr_expect_eq(reply->status, refuses ? SHAPE_INVALID : SHAPE_OK, "%s", row->form);
  cr_expect_eq(!c->length, refuses, "%s", row->form);
  if (refuses) return;
  cr_expect_eq(reply->errors, 1, "%s", row->form);
  if (row->flags & EMIT_VALID) cr_expect(strstr(c->text, "x:2:"), "%s: %s", row->form, c->text);
}

Test(emitters, errors_come_instead_of_what_needs_a_valid_program) {
  each_written(CONFLICT, 0, check_conflict);
}

static void check_json(const emitter *row, const collected *c, const analysis_reply *reply) {
  (void)c;
  if (row->flags & EMIT_MLIR) cr_expect_eq(reply->status, SHAPE_INVALID, "%s", row->form);
}

Test(emitters, formats_are_held) { each_written(JSON, 0, check_json); }

static void check_memory(const emitter *row, const collected *c, const analysis_reply *reply) {
  cr_expect_eq(reply->status, SHAPE_MEMORY, "%s", row->form);
  cr_assert(c->length, "%s", row->form);
  cr_expect_eq(*c->text == '{', (row->flags & EMIT_FAILS_AS_JSON) != 0, "%s: %s", row->form,
               c->text);
}

Test(emitters, without_memory_an_answer_says_so) { each_written(VALID, 4096, check_memory); }

Test(emitters, spans_are_read_where_an_opened_analysis_has_none) {
  analysis_request request = {.name = "x", .text = VALID, .length = strlen(VALID)};
  analysis_reply reply = {0};
  analysis a;
  collected late = {NULL, 0}, whole;
  cr_assert(analysis_open(&a, &request, false, &reply));
  emit_analysis(&a, emit_as_mlir(NULL), collect, &late);
  analysis_close(&a);
  cr_expect_eq(reply.status, SHAPE_OK);
  whole = written(VALID, emit_as_mlir(NULL), 0, &reply);
  cr_assert_eq(late.length, whole.length);
  cr_expect_eq(memcmp(late.text, whole.text, whole.length), 0);
  free(late.text);
  free(whole.text);
}

Test(emitters, an_explanation_says_its_answer) {
  shape_answer answer = SHAPE_UNKNOWN;
  analysis_reply reply;
  why_options why = {.that = "arg0.0 == arg1.0", .answer = &answer};
  collected c = written(VALID, emit_as_why(&why), 0, &reply);
  cr_expect_eq(answer, SHAPE_YES, "%s", c.text);
  free(c.text);
  why.that = "arg0.0 == arg1.0 + 1";
  c = written(VALID, emit_as_why_json(&why), 0, &reply);
  cr_expect_eq(answer, SHAPE_NO, "%s", c.text);
  free(c.text);
  c = written(CONFLICT, emit_as_why(&why), 0, &reply);
  cr_expect_eq(answer, SHAPE_NO);
  free(c.text);
  why.that = NULL;
  c = written(VALID, emit_as_why(&why), 0, &reply);
  cr_expect_eq(reply.status, SHAPE_INVALID);
  free(c.text);
}

// Of one analysis each form says what it says of a new one, whatever was written before.
Test(emitters, none_changes_what_a_later_one_writes) {
  static const char TEXT[] =
      "func.func @main(%x: tensor<?xf32>, %y: tensor<7xf32>) -> tensor<?xf32> {\n"
      "  %0 = \"stablehlo.add\"(%x, %y) : (tensor<?xf32>, tensor<7xf32>) -> tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n}\n";
  for (unsigned i = 0; i < EMITTER_COUNT; i++) {
    for (unsigned k = 0; k < EMITTER_COUNT; k++) {
      analysis_reply reply = {0};
      collected first = {NULL, 0}, second = {NULL, 0};
      analysis_request request = {.name = "x", .text = TEXT, .length = sizeof TEXT - 1};
      analysis a;
      cr_assert(analysis_open(&a, &request, true, &reply));
      emit_analysis(&a, choice_of(&EMITTERS[i]), collect, &first);
      reply = (analysis_reply){0};  // of a form that this program has not
      emit_analysis(&a, choice_of(&EMITTERS[k]), collect, &second);
      analysis_close(&a);
      collected alone = written(TEXT, choice_of(&EMITTERS[k]), 0, &reply);
      cr_expect_eq(second.length, alone.length, "%s after %s", EMITTERS[k].form, EMITTERS[i].form);
      cr_expect(second.length != alone.length || !alone.length ||
                    memcmp(second.text, alone.text, alone.length) == 0,
                "%s after %s", EMITTERS[k].form, EMITTERS[i].form);
      free(first.text);
      free(second.text);
      free(alone.text);
    }
  }
}

// However full the buffer of the declarations is when their last line is added: an indent of each width is one.
Test(emitters, declarations_keep_to_their_buffer) {
  static const char HEAD[] = "func.func @main(%x: tensor<?xf32>) {";
  for (int indent = 0; indent < 300; indent++) {
    char text[1024], line[512];
    snprintf(text, sizeof text, "module {\n%*s%s\n  return\n}\n}\n", indent, "", HEAD);
    snprintf(line, sizeof line, "\n%*sfunc.func @main(", indent, "");
    analysis_reply reply;
    collected c = written(text, emit_as_disc_shape(NULL), 0, &reply);
    cr_assert_eq(reply.status, SHAPE_OK, "%d", indent);
    cr_expect_not_null(strstr(c.text, line), "%d", indent);
    collected again = written(c.text, emit_as_disc_shape(NULL), 0, &reply);
    cr_expect_eq(reply.errors, 0, "%d", indent);
    free(c.text);
    free(again.text);
  }
}
