// SPDX-License-Identifier: Apache-2.0
#include "solver/generalize/generalize.h"

#include <stdlib.h>
#include <string.h>

#include "solver/api/program.h"

struct shape_generalization {
  shape_error error;
  shape_error outcome;  // how the generalisation itself ended
  shape_arena texts;    // of the request
  analysis_request program;
  generalize_request request;
  analysis_reply reply;
  generalization *core;  // NULL: it did not get that far
};

typedef struct copy_call {
  shape_generalization *g;
  const shape_generalize_options *from;
} copy_call;

static void copy_names(void *data) {
  const copy_call *call = data;
  uint32_t count = call->from->free_count;
  const char **names = arena_alloc(&call->g->texts, ((size_t)count + 1) * sizeof *names);
  for (uint32_t i = 0; i < count; i++)
    names[i] = arena_strndup(&call->g->texts, call->from->free[i], strlen(call->from->free[i]));
  call->g->request = (generalize_request){&call->g->program, names, count};
}

static void run(shape_generalization *g, shape_program *p, const shape_generalize_options *o) {
  if (!program_has_bytes(p)) {
    g->error = p->error;
    return;
  }
  shape_options options = SHAPE_STRUCT(shape_options);
  options.entry = o->entry;
  options.inputs = o->inputs;
  options.input_texts = o->input_texts;
  options.input_text_count = o->input_text_count;
  shape_status status = program_request(p, &options, &g->texts, &g->program);
  if (status == SHAPE_OK) status = arena_protect(&g->texts, copy_names, &(copy_call){g, o});
  if (status == SHAPE_OK) {
    g->core = generalize(&g->request, &g->reply);
    status = g->reply.status;
  }
  p->excess = g->reply.excess;
  if (status != SHAPE_OK) api_fail_with(&g->error, status, g->reply.message);
}

shape_generalization *shape_program_generalize(shape_program *p,
                                               const shape_generalize_options *given) {
  shape_generalize_options o;
  api_read_struct(&o, sizeof o, given);
  shape_generalization *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  arena_init(&g->texts, p->limits.memory);
  run(g, p, &o);
  g->outcome = g->error;
  return g;
}

void shape_generalization_free(shape_generalization *g) {
  if (!g) return;
  generalize_free(g->core);
  arena_destroy(&g->texts);
  free(g);
}

const shape_error *shape_generalization_error(const shape_generalization *g) { return &g->error; }

uint32_t shape_generalization_error_count(const shape_generalization *g) { return g->reply.errors; }

shape_status shape_generalization_emit(shape_generalization *g, const char *format,
                                       shape_write *write, shape_copy *copy, void *to) {
  static const char *const FORMATS[] = {
      [GENERALIZE_TEXT] = "text", [GENERALIZE_JSON] = "json", [GENERALIZE_MODEL] = "model"};
  uint32_t form = 0;
  while (form <= GENERALIZE_MODEL && strcmp(format, FORMATS[form]) != 0) form++;
  if (form > GENERALIZE_MODEL) {
    api_fail(&g->error, SHAPE_INVALID, "there is no such format");
    return SHAPE_INVALID;
  }
  if (g->core) {
    const generalize_sink sink = {write, copy, to};
    generalize_emit(g->core, (generalize_form)form, &sink);
    if (g->reply.status == SHAPE_OK) return SHAPE_OK;
    api_fail_with(&g->error, g->reply.status, g->reply.message);
  } else {
    g->error = g->outcome;
  }
  return g->error.status;
}
