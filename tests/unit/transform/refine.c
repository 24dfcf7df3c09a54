// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/transform/refine.h"

#include <stdio.h>

#include "solver/transform/tracked.h"
#include "tests/unit/collected.h"

enum { TEXT_MAX = 4096 };

char *refine_text(const refine_case *c) {
  collected out = {calloc(1, 1), 0};
  analysis_reply reply;
  analysis_request request = {.name = "x",
                              .text = c->program,
                              .length = strlen(c->program),
                              .argument_types = c->argument_types,
                              .bindings = &c->binding,
                              .binding_count = c->binding ? 1 : 0,
                              .find_bounds = program_finds_bounds(&c->options)};
  emit_analyze(&request, emit_as_mlir(&c->options), collect, &out, &reply);
  return out.text;
}

void expect_refined(const refine_case *c, const char *part, const char *absent) {
  char *text = refine_text(c);
  if (part) cr_expect(strstr(text, part), "no '%s' in:\n%s", part, text);
  if (absent) cr_expect_not(strstr(text, absent), "'%s' in:\n%s", absent, text);
  free(text);
}

void refined_open(refined_program *c, const char *program, const char *argument_types) {
  memset(c, 0, sizeof *c);
  c->request = (analysis_request){
      .name = "x", .text = program, .length = strlen(program), .argument_types = argument_types};
  cr_assert(analysis_open(&c->a, &c->request, true, &c->reply), "%s", c->reply.message);
  cr_assert(!c->reply.errors, "%s", program);
  c->types = refine_types(shape_run_report(c->a.program), &c->a.uses);
}

void refined_close(refined_program *c) { analysis_close(&c->a); }

const char *refined_type_of(refined_program *c, const char *name) {
  static char text[128];
  shape_graph *g = c->types->graph;
  text[0] = 0;
  for (value_id v = 0; v < g->value_count; v++) {
    uint32_t length;
    const char *known = graph_value_text(g, v, &length);
    if (length != strlen(name) || memcmp(known, name, length) != 0) continue;
    shape_strbuf out;
    strbuf_init(&out, g->arena);
    type_print(&g->types, &out, refined_value(c->types, v));
    snprintf(text, sizeof text, "%s", strbuf_text(&out));
  }
  return text;
}

const char *refine_returned(const char *program, int64_t first_argument) {
  static char out[TEXT_MAX];
  refined_program c;
  refined_open(&c, program, NULL);
  shape_graph *g = c.types->graph;
  type_id *types = arena_alloc(g->arena, (g->value_count + 1) * sizeof *types);
  for (value_id v = 0; v < g->value_count; v++) types[v] = g->values[v].type;
  block_id body = g->regions[g->funcs[0].body].first_block;
  fixed_argument fixed = {g->blocks[body].arguments, &first_argument, 1};
  const constant_value *values = tracked_constants(shape_run_report(c.a.program), types, &fixed,
                                                   g->blocks[body].argument_count ? 1 : 0);
  op_id last = graph_terminator(g, body);
  const constant_value *value = &values[graph_operand(g, last, 0)];
  size_t length = (size_t)snprintf(out, sizeof out, "%s", value->items ? "" : "varies");
  for (uint32_t i = 0; value->items && i < value->count; i++)
    length += (size_t)snprintf(out + length, sizeof out - length, "%s%lld", i ? " " : "",
                               (long long)value->items[i]);
  refined_close(&c);
  return out;
}
