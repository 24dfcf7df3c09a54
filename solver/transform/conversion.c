// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/conversion.h"

#include <assert.h>
#include <string.h>

const graph_type *conversion_tensor(const refine_rewrite *r, value_id value) {
  assert(value == VALUE_NONE || value < r->graph->value_count);
  if (value == VALUE_NONE || r->value_types[value] == TYPE_NONE) return NULL;
  const graph_type *type = type_get(&r->graph->types, r->value_types[value]);
  return type->kind == TYPE_TENSOR ? type : NULL;
}

// A stem that no name of the program begins with.
static const char *stem(shape_graph *g, value_id result) {
  assert(result < g->value_count);
  uint32_t length;
  const char *name = graph_value_text(g, result, &length);
  for (uint32_t k = 0;; k++) {
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    strbuf_printf(&text, *name >= '0' && *name <= '9' ? "v%.*s" : "%.*s", (int)length, name);
    if (k) strbuf_printf(&text, "_%u", k);
    strbuf_putc(&text, '_');
    bool taken = false;
    for (value_id v = 0; v < g->value_count && !taken; v++) {
      uint32_t other_length;
      const char *other = graph_value_text(g, v, &other_length);
      taken = other_length >= text.length && memcmp(other, text.data, text.length) == 0;
    }
    if (!taken) return strbuf_text(&text);
  }
}

conversion conversion_begin(refine_rewrite *r, op_id op, shape_strbuf *text) {
  shape_graph *g = r->graph;
  assert(g->ops[op].result_count == 1);
  conversion c = {.r = r, .op = op};
  strbuf_init(text, g->arena);
  mlir_writer_init(&c.w, g, r->uses, r->value_types, text);
  c.base = stem(g, g->ops[op].results);
  uint32_t at = g->ops[op].span.begin;
  assert(at <= g->source.length);
  while (at && (g->source.text[at - 1] == ' ' || g->source.text[at - 1] == '\t')) at--;
  c.indent = g->source.text + at;
  c.indent_length = g->ops[op].span.begin - at;
  return c;
}

void conversion_next_line(conversion *c) {
  if (c->one_line) {
    strbuf_putc(c->w.out, ' ');
    return;
  }
  strbuf_putc(c->w.out, '\n');
  strbuf_add(c->w.out, c->indent, c->indent_length);
}

void conversion_end(conversion *c) {
  const graph_op *o = &c->r->graph->ops[c->op];
  source_span span = {o->span.begin, mlir_op_end(c->r->uses, c->op)};
  assert(span.begin <= span.end && span.end <= c->r->graph->source.length);
  edits_add(c->r->edits, &c->r->graph->source, span, c->w.out->data, c->w.out->length);
  c->r->edit_of[c->op] = c->r->edits->count;
}

void conversion_put_result(conversion *c) {
  strbuf_putc(c->w.out, '%');
  uint32_t length;
  const char *name = graph_value_text(c->r->graph, c->r->graph->ops[c->op].results, &length);
  strbuf_add(c->w.out, name, length);
}

bool conversion_has_named_result(const shape_graph *g, op_id op) {
  uint32_t length = 0;
  if (g->ops[op].result_count == 1) graph_value_text(g, g->ops[op].results, &length);
  return length > 0;
}
