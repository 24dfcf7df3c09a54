// SPDX-License-Identifier: Apache-2.0
// The request of an analysis, from the options of the caller.
#include <string.h>

#include "solver/api/program.h"

static const char *copied(shape_arena *arena, const char *text) {
  return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static const char *const *copied_texts(shape_arena *arena, const char *const *given,
                                       uint32_t count) {
  if (!count) return NULL;
  const char **out = arena_alloc(arena, count * sizeof *out);
  for (uint32_t i = 0; i < count; i++) out[i] = copied(arena, given[i]);
  return out;
}

// Bindings as texts: those that are given as numbers, and those that are texts already.
static const char *const *binding_texts(shape_arena *arena, const shape_binding *given,
                                        uint32_t count, const char *const *texts,
                                        uint32_t text_count) {
  if (!count && !text_count) return NULL;
  const char **out = arena_alloc(arena, ((size_t)count + text_count) * sizeof *out);
  for (uint32_t i = 0; i < count; i++) {
    shape_strbuf text;
    strbuf_init(&text, arena);
    strbuf_printf(&text, "%s=%lld", given[i].name, (long long)given[i].value);
    out[i] = strbuf_text(&text);
  }
  for (uint32_t i = 0; i < text_count; i++) out[count + i] = copied(arena, texts[i]);
  return out;
}

_Static_assert(sizeof(atomic_int) == sizeof(int) && _Alignof(atomic_int) == _Alignof(int) &&
                   sizeof(atomic_uint_least64_t) == sizeof(uint64_t),
               "shape_limits names atomics by the types of their values");

typedef struct request_call {
  shape_program *program;
  const shape_options *options;
  shape_arena *texts;
  analysis_request *out;
} request_call;

static void write_request(void *data) {
  const request_call *x = data;
  const shape_options *o = x->options;
  shape_program *p = x->program;
  shape_token *token = p->limits.token;
  *x->out = (analysis_request){
      .name = p->name,
      .text = p->bytes,
      .length = p->length,
      .argument_types = copied(x->texts, o->argument_types),
      .bindings = binding_texts(x->texts, o->bindings, o->binding_count, o->binding_texts,
                                o->binding_text_count),
      .binding_count = o->binding_count + o->binding_text_count,
      .bounds =
          binding_texts(x->texts, o->bounds, o->bound_count, o->bound_texts, o->bound_text_count),
      .bound_count = o->bound_count + o->bound_text_count,
      .assumptions = copied_texts(x->texts, o->assumptions, o->assumption_count),
      .assumption_count = o->assumption_count,
      .entry = copied(x->texts, o->entry),
      .werror = o->warnings_are_errors,
      .refinable = o->refinable,
      .certify = o->certify,
      .find_bounds = o->find_bounds,
      .mode = {.strict = o->strict, .suggested = o->assume_suggested},
      .program = {p->limits.nodes, p->limits.rank},
      .validated = p->validated,
      .recognised = p->recognised,
      .format = p->format,
      .beside = {p->external, p->external_data, copied(x->texts, o->inputs),
                 copied_texts(x->texts, o->input_texts, o->input_text_count), o->input_text_count,
                 o->opaque_names},
      .limits = {.memory = p->limits.memory,
                 .steps = p->limits.steps,
                 .bits = p->limits.bits,
                 .elements = p->limits.elements,
                 .stop = token ? &token->stop : (const atomic_int *)p->limits.stop,
                 .progress = token ? &token->steps : (atomic_uint_least64_t *)p->limits.progress,
                 .abandon_at = p->limits.abandon_at,
                 .fail_at = p->limits.fail_at,
                 .poll = p->limits.poll,
                 .poll_data = p->limits.poll_data,
                 .trace = p->trace.tags && p->trace.write ? &p->trace : NULL}};
}

shape_status program_request(shape_program *p, const shape_options *options, shape_arena *texts,
                             analysis_request *out) {
  request_call call = {p, options, texts, out};
  return arena_protect(texts, write_request, &call);
}
