// SPDX-License-Identifier: Apache-2.0
// Any bytes as options and a program: what refine writes can be read back, and has no error that the program had not.
//
// The input: a byte for the form of the output and the flags, a byte for the argument and axis that are bound, one for
// the number, one for a maximum, then the program in any format.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/emit/emitter.h"
#include "tests/fuzz/support/collect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 4, MEMORY = 256 << 20, STEPS = 200000 };

typedef struct form {
  unsigned emitter;
  bool generic, is_program;
} form;

static const form FORMS[8] = {
    {EMITTER_mlir, false, true},           {EMITTER_mlir, true, true},
    {EMITTER_graph, false, true},          {EMITTER_disc_shape, false, true},
    {EMITTER_onnx, false, true},           {EMITTER_guards_mlir, false, true},
    {EMITTER_guards_python, false, false}, {EMITTER_smt2, false, false},
};

static void read_back(const collected *c) {
  collected again = {NULL, 0, NULL};
  analysis_reply reply;
  analysis_request request = {.name = "refined",
                              .text = c->text ? c->text : "",
                              .length = c->length,
                              .limits = {.memory = (size_t)2 * MEMORY, .steps = 10 * STEPS}};
  emit_analyze(&request, emit_as_json(NULL), collect, &again, &reply);
  // It may be larger than the limits allow, but never invalid.
  bool valid = reply.status == SHAPE_OK
                   ? !reply.errors
                   : reply.status == SHAPE_BUDGET || reply.status == SHAPE_MEMORY ||
                         reply.status == SHAPE_SIZE;
  if (!valid) {
    fprintf(stderr, "refine wrote what cannot be read back: %s\n%.*s\n%.*s\n", reply.message,
            (int)c->length, c->text, (int)again.length, again.text);
    abort();
  }
  free(again.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEADER) return 0;
  const form *f = &FORMS[data[0] & 7];
  char bound_name[32], at_most[32];
  snprintf(bound_name, sizeof bound_name, "arg%u.%u=%u", data[1] & 7u, data[1] >> 3 & 3u,
           data[2] & 31u);
  snprintf(at_most, sizeof at_most, "arg%u.%u=%u", data[1] >> 5, data[1] >> 3 & 3u, data[3] & 31u);
  const char *binding = bound_name, *bound = at_most;
  collected c = {NULL, 0, (const char *)data + HEADER};
  analysis_reply reply;
  analysis_request request = {.name = "fuzz",
                              .text = c.input,
                              .length = size - HEADER,
                              .bindings = &binding,
                              .binding_count = data[0] >> 6 & 1,
                              .bounds = &bound,
                              .bound_count = data[0] >> 7 & 1,
                              .limits = {.memory = MEMORY, .steps = STEPS}};
  program_options options = {.generic = f->generic,
                             .cleanup = data[0] & 8,
                             .dynamism = (program_dynamism)((data[0] >> 4 & 3) % 3),
                             .copy = collect_copy};
  request.find_bounds = program_finds_bounds(&options);
  emit_analyze(&request, (emit_choice){&EMITTERS[f->emitter], &options}, collect, &c, &reply);
  if (reply.status == SHAPE_OK && !reply.errors && f->is_program) read_back(&c);
  free(c.text);
  return 0;
}
