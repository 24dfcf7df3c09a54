// SPDX-License-Identifier: Apache-2.0
#include "solver/api/session_program.h"

#include "solver/formats/formats.h"
#include "solver/formats/json/decode.h"
#include "solver/formats/json/encode.h"
#include "solver/formats/json/form.h"
#include "solver/formats/json/validate.h"

static void fail(shape_graph *g, const char *code, const char *why) {
  diag_add(&g->diags, DIAG_ERROR, code, (source_span){0, 0}, "%s", why);
}

// Edits look values up by name, and their locations move away from the text.
static void decode(shape_graph *g, shape_budget *budget) {
  uint64_t steps = budget_begin_reading(budget, g->source.length);
  graph_json_decode(g, budget);
  budget_end_reading(budget, steps);
  graph_name_values(g);
}

// The text is the graph's own, as the session outlives the program.
static void read_format(shape_graph *g, shape_budget *budget, const session_source *source,
                        graph_format format) {
  const char *own = arena_strndup(g->arena, source->text, source->length);
  graph_init(g, g->arena, format, own, source->length);
  g->budget = budget;
  uint64_t steps = budget_begin_reading(budget, source->length);
  format_read(g, &(format_options){0});
  budget_end_reading(budget, steps);
  if (!g->diags.errors) graph_json_form(g);
}

void session_read_program(shape_graph *g, shape_budget *budget, void *data) {
  session_source *source = data;
  const char *clean;
  size_t length;
  json_error error;
  graph_format format;
  const char *advice;
  if (!format_of(source->text, source->length, &format, &advice)) {
    fail(g, "format", advice);
  } else if (FORMAT_READERS[format]->no_session) {
    source->unsupported = true;
    fail(g, "unsupported", FORMAT_READERS[format]->no_session);
  } else if (format != GRAPH_JSON) {
    read_format(g, budget, source, format);
  } else if (!source->validated && !json_validate(g->arena, NULL, source->text, source->length,
                                                  &clean, &length, &error)) {
    fail(g, "syntax", error.message);
  } else {
    // The session outlives the request: locations and strings point into a text of its own.
    char *own = arena_strndup(g->arena, source->text, source->length);
    graph_init(g, g->arena, GRAPH_JSON, own, source->length);
    decode(g, budget);
  }
  if (!program_within(&source->limits, g, &source->excess)) arena_fail(g->arena, SHAPE_SIZE);
}

void session_read_fragment(shape_graph *g, shape_budget *budget, session_edit_kind kind,
                           session_outer *outer, void *outer_data) {
  graph_fragment part = kind == EDIT_SYMBOL   ? GRAPH_FRAGMENT_SYMBOL
                        : kind == EDIT_RETYPE ? GRAPH_FRAGMENT_TYPE
                                              : GRAPH_FRAGMENT_OP;
  uint64_t steps = budget_begin_reading(budget, g->source.length);
  graph_json_decode_fragment(g, budget, part, outer, outer_data);
  budget_end_reading(budget, steps);
}

void session_write_program(const session_core *session, shape_strbuf *out) {
  shape_graph *g = arena_alloc(out->arena, sizeof *g);
  graph_init(g, out->arena, GRAPH_JSON, "", 0);
  session_program(session, g);
  graph_json_encode(g, out);
}
