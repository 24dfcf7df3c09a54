// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/explain_at.h"

#include <assert.h>

// --- text

// With the names that the source gives arguments, as other texts for people have.
static void put_text(const shape_report *r, shape_strbuf *out, report_text text) {
  render_dims(r, out, text.length ? arena_strndup(out->arena, text.text, text.length) : "");
}

static void put_step(const shape_report *r, const at_step *step, uint32_t number,
                     const render_options *options, shape_strbuf *out) {
  source_position at = graph_position(r->graph, step->span);
  strbuf_printf(out, "%u. ", number);
  put_text(r, out, step->fact);
  strbuf_printf(out, "\n   %s:%u:%u: ", options->name, at.line, at.column);
  if (step->message) {
    strbuf_printf(out, "%s: ", step->rule ? step->rule : "");
    render_safe(out, step->message, strlen(step->message));
  } else {
    strbuf_puts(out, step->source ? step->source : "the operation makes it");
  }
  strbuf_putc(out, '\n');
  render_source(r, out, step->span, options);
}

static void put_verdict(const shape_report *r, const at_size *s, shape_strbuf *out) {
  put_text(r, out, s->what);
  if (s->kind == AT_UNKNOWN) {
    strbuf_puts(out, " is not known: it is not computed, or is not the same at all calls\n");
    return;
  }
  strbuf_puts(out, " is ");
  put_text(r, out, s->size);
  switch (s->kind) {
  case AT_ARGUMENT: strbuf_puts(out, ": the caller decides it\n"); break;
  case AT_DECLARED: strbuf_puts(out, ": its type says so\n"); break;
  case AT_DATA: strbuf_puts(out, ", which no argument decides: it depends on data\n"); break;
  default: strbuf_putc(out, '\n');
  }
}

void explain_at_render(const shape_report *r, const at_explanation *e,
                       const render_options *options, shape_strbuf *out) {
  for (uint32_t i = 0; i < e->count; i++) {
    const at_size *s = &e->sizes[i];
    if (i) strbuf_putc(out, '\n');
    put_verdict(r, s, out);
    if (s->count && s->reduced) {
      strbuf_printf(out, "because of %u operation%s, none of which can be left out:\n", s->count,
                    s->count == 1 ? "" : "s");
    } else if (s->count) {
      strbuf_printf(out, "because of some of these %u operations (too many to try without each):\n",
                    s->count);
    } else if (s->kind == AT_DERIVED) {
      strbuf_puts(out, "because declarations say so\n");
    }
    for (uint32_t k = 0; k < s->count; k++) put_step(r, &s->steps[k], k + 1, options, out);
  }
}

// --- JSON

static void put_location(const shape_report *r, source_span span, json_writer *w) {
  source_position begin = graph_position(r->graph, span);
  source_position end = graph_position(r->graph, (source_span){span.end, span.end});
  json_put_int(w, "line", begin.line);
  json_put_int(w, "column", begin.column);
  json_put_int(w, "end_line", end.line);
  json_put_int(w, "end_column", end.column);
}

static void put_string(json_writer *w, const char *key, const char *text) {
  if (!text) return;
  json_key_string(w, key);
  json_string(w, text);
}

static void encode_step(const shape_report *r, const at_step *step, json_writer *w) {
  json_begin_object(w);
  json_key(w, "fact");
  json_text(w, step->fact.text, step->fact.length);
  put_location(r, step->span, w);
  put_string(w, "rule", step->rule);
  put_string(w, "source", step->source);
  put_string(w, "message", step->message);
  json_end_object(w);
}

static void encode_size(const shape_report *r, const at_size *s, json_writer *w) {
  static const char *const KINDS[] = {[AT_DERIVED] = "derived",
                                      [AT_ARGUMENT] = "argument",
                                      [AT_DECLARED] = "declared",
                                      [AT_DATA] = "data",
                                      [AT_UNKNOWN] = "unknown"};
  assert((size_t)s->kind < sizeof KINDS / sizeof *KINDS);
  assert(!s->count || s->kind != AT_UNKNOWN);
  json_begin_object(w);
  json_key(w, "what");
  json_text(w, s->what.text, s->what.length);
  json_key_string(w, s->element ? "element" : "axis");
  json_int(w, s->index);
  json_put_string(w, "kind", KINDS[s->kind]);
  if (s->kind != AT_UNKNOWN) {
    json_key(w, "dim");
    json_text(w, s->size.text, s->size.length);
  }
  json_put_bool(w, "irreducible", s->reduced);
  json_key_array(w, "because");
  for (uint32_t k = 0; k < s->count; k++) encode_step(r, &s->steps[k], w);
  json_end_array(w);
  json_end_object(w);
}

void explain_at_encode(const shape_report *r, const at_explanation *e, json_writer *w) {
  shape_strbuf name;
  strbuf_init(&name, r->graph->arena);
  cell_print_value(r->graph, &name, e->value);
  json_begin_object(w);
  json_key(w, "value");
  json_text(w, name.data, name.length);
  put_location(r, e->span, w);
  json_key_array(w, "dims");
  for (uint32_t i = 0; i < e->count; i++) encode_size(r, &e->sizes[i], w);
  json_end_array(w);
  json_end_object(w);
}
