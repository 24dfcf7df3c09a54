// SPDX-License-Identifier: Apache-2.0
// What sessions answer: dims, shapes, changes.
#include <criterion/criterion.h>

#include "proto/methods/session_method.h"
#include "tests/unit/proto/methods/session.h"

static void write_dims(const char *const *dims, size_t count, shape_strbuf *out) {
  json_writer w;
  json_writer_init(&w, out);
  json_begin_array(&w);
  for (size_t i = 0; i < count; i++) session_write_size(&w, dims[i]);
  json_end_array(&w);
}

// A number of which a reader of JSON may lose digits is a text.
Test(session_reply, dims_are_numbers_where_these_are_exact) {
  static const char *const DIMS[] = {"0", "999999999999999", "1000000000000000", "-1", "2*S0", ""};
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  write_dims(DIMS, sizeof DIMS / sizeof *DIMS, &out);
  cr_expect_str_eq(strbuf_text(&out),
                   "[0, 999999999999999, \"1000000000000000\", \"-1\", \"2*S0\", \"\"]");
  arena_destroy(&arena);
}

Test(session_reply, shapes_have_dims_where_they_have_a_rank) {
  const char *dims[] = {"S0", "4"};
  const shape_session_shape ranked = {
      .type = "tensor<?x4xf32>", .ranked = true, .rank = 2, .dims = dims};
  const shape_session_shape scalar = {.type = "tensor<f32>", .ranked = true};
  const shape_session_shape unranked = {.type = "tensor<*xf32>"};
  const struct {
    const shape_session_shape *shape;
    const char *text;
  } ROWS[] = {{&ranked, "{\"type\": \"tensor<?x4xf32>\", \"dims\": [\"S0\", 4]}"},
              {&scalar, "{\"type\": \"tensor<f32>\", \"dims\": []}"},
              {&unranked, "{\"type\": \"tensor<*xf32>\", \"dims\": null}"},
              {NULL, "null"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    shape_arena arena;
    shape_strbuf out;
    json_writer w;
    arena_init(&arena, 0);
    strbuf_init(&out, &arena);
    json_writer_init(&w, &out);
    session_write_shape(&w, ROWS[i].shape);
    cr_expect_str_eq(strbuf_text(&out), ROWS[i].text, "row %zu", i);
    arena_destroy(&arena);
  }
}

Test(session_reply, an_edit_says_what_it_changed) {
  methods m;
  open_one(&m);
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'retype': 0, 'with': 'tensor<8x4xf32>'}]}",
               "'values': [{'value': 0, 'before': {'type': 'tensor<?x4xf32>', 'dims': ['S0', 4]}, "
               "'after': {'type': 'tensor<8x4xf32>', 'dims': [8, 4]}}");
  expect_reply(&m, "session/edit",
               "{" ID ", 'edits': [{'insert': ['stablehlo.abs', ['a'], ['t', 'tensor<8x4xf32>']], "
               "'after': 0}, {'assume': 'arg1.0 >= 1'}]}",
               "'inserted': [{'op': 3, 'values': [4]}, null]");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'retype': 1, 'with': 'tensor<9x4xf32>'}]}",
               "'appeared': [{'severity': 'error', 'code': 'shape-mismatch', 'op': ");
  expect_reply(&m, "session/edit", "{" ID ", 'edits': [{'retype': 1, 'with': 'tensor<8x4xf32>'}]}",
               "'vanished': [{'severity': 'error', 'code': 'shape-mismatch', 'op': ");
  methods_close(&m);
}

// Text of shapes that were written before is copied.
Test(session_reply, values_that_change_alike_say_so_each) {
#define TALL "'after': {'type': 'tensor<?x4xf32>', 'dims': ['S0', 4]}}"
#define WIDE "'after': {'type': 'tensor<4x?xf32>', 'dims': [4, 'S0']}}"
  methods m;
  open_one(&m);
  expect_reply(&m, "session/edit",
               "{" ID ", 'edits': ["
               "{'insert': ['stablehlo.abs', ['a'], ['t', 'tensor<?x4xf32>']], 'after': 1}, "
               "{'insert': ['stablehlo.transpose', ['t'], ['u', 'tensor<4x?xf32>'], "
               "{'permutation': [1, 0]}], 'after': 3}, "
               "{'insert': ['stablehlo.tanh', ['t'], ['v', 'tensor<?x4xf32>']], 'after': 4}, "
               "{'insert': ['stablehlo.tanh', ['u'], ['w', 'tensor<4x?xf32>']], 'after': 5}]}",
               "'values': [{'value': 4, 'before': null, " TALL
               ", {'value': 5, 'before': null, " WIDE ", {'value': 6, 'before': null, " TALL
               ", {'value': 7, 'before': null, " WIDE "], 'appeared': []");
  methods_close(&m);
}
