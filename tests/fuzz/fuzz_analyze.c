// SPDX-License-Identifier: Apache-2.0
// Any bytes as a program: an answer that is JSON, and the same one when asked again.
#include <stdlib.h>
#include <string.h>

#include "proto/json/read.h"
#include "solver/emit/emitter.h"
#include "tests/fuzz/support/collect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static collected answer(const uint8_t *data, size_t size, emit_choice choice) {
  collected c = {0};
  analysis_reply reply;
  analysis_request request = {.name = "fuzz",
                              .text = (const char *)data,
                              .length = size,
                              .limits = {.memory = (size_t)256 << 20, .steps = 200000}};
  emit_analyze(&request, choice, collect, &c, &reply);
  return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  collected first = answer(data, size, emit_as_json(NULL)),
            again = answer(data, size, emit_as_json(NULL));
  if (first.length != again.length || memcmp(first.text, again.text, first.length) != 0) abort();
  shape_arena arena;
  arena_init(&arena, 0);
  json_limits limits = {0, JSON_DEPTH_MAX};
  cJSON *tree;
  json_error error;
  if (!json_parse(&arena, &limits, first.text, first.length, &tree, &error)) abort();
  cJSON_Delete(tree);
  arena_destroy(&arena);
  collected text = answer(data, size, emit_as_text(NULL));
  free(first.text);
  free(again.text);
  free(text.text);
  return 0;
}
