// SPDX-License-Identifier: Apache-2.0
// Expressions in dim_param: a symbol whose definition is the expression, in the grammar of term/parse.h, over symbols of
// the names in it. Structured ones are read as the text that says the same.
#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/dim_param.h"
#include "solver/formats/onnx/reader.h"
#include "solver/term/print.h"

// The terms of one model's expressions, and their names: the n-th symbol is names[n].
typedef struct onnx_dim_terms {
  term_table terms;
  shape_graph *graph;
  shape_imap term_by_name;
  name_id *names;
  uint32_t count, capacity;
} onnx_dim_terms;

static term_id named(void *data, const char *text, size_t length) {
  onnx_dim_terms *d = data;
  uint32_t term;
  name_id name = intern_add(&d->graph->names, text, length);
  if (imap_get(&d->term_by_name, name, &term)) return term;
  term = term_symbol(&d->terms);
  assert(term_get(&d->terms, term)->as.symbol == d->count);
  d->names = arena_grow(d->graph->arena, d->names, d->count, (size_t)d->count + 1, &d->capacity,
                        sizeof *d->names);
  d->names[d->count++] = name;
  imap_put(&d->term_by_name, d->graph->arena, name, term);
  return term;
}

static void print_name(void *data, shape_strbuf *out, uint32_t symbol) {
  const onnx_dim_terms *d = data;
  assert(symbol < d->count);
  name_id name = d->names[symbol];
  term_print_name(out, intern_text(&d->graph->names, name), intern_length(&d->graph->names, name));
}

static const char *printed(onnx_dim_terms *d, term_id term) {
  const term_namer namer = {.symbol = print_name, .data = d};
  shape_strbuf out;
  strbuf_init(&out, d->graph->arena);
  term_print(&d->terms, &out, term, &namer);
  return strbuf_text(&out);
}

// Of an input, its type says so; of another value, a run has to fulfil it.
static void state(onnx_dim_terms *d, term_id term, const char *relation, const char *why,
                  bool required, source_span span) {
  shape_strbuf out;
  assert(term != TERM_ZERO && term != TERM_NONE);
  strbuf_init(&out, d->graph->arena);
  strbuf_printf(&out, "%s %s 0", printed(d, term), relation);
  graph_assumption a = {.span = span, .found = true, .required = required, .why = why};
  a.text = strbuf_text(&out);
  a.length = (uint32_t)out.length;
  graph_add_assumption(d->graph, a);
}

// Whether something is taken away in an expression, so that it may be below 0.
static bool has_difference(const term_table *terms, term_id term) {
  const term_node *node = term_get(terms, term);
  for (uint32_t i = 0; node->kind == TERM_SUM && i < node->count; i++)
    if (num_sign(node->as.parts[i].coefficient) < 0) return true;
  return false;
}

static void declare_symbols(onnx_dim_terms *d, term_id of, source_span span) {
  shape_graph *g = d->graph;
  term_id *symbols;
  uint32_t count = term_symbols(&d->terms, of, g->arena, &symbols);
  for (uint32_t i = 0; i < count; i++) {
    name_id name = d->names[term_get(&d->terms, symbols[i])->as.symbol];
    if (graph_find_symbol(g, name) == ID_NONE) graph_add_symbol(g, name, span);
  }
}

bool onnx_dim_expression(onnx_reader *r, wire_span text, source_span span, int64_t *dim) {
  dim_param found;
  shape_graph *g = r->graph;
  const char *from = (const char *)text.data;
  if (r->options && r->options->opaque_names) return false;
  if (!dim_param_is_candidate(from, text.size)) return false;
  onnx_step(r, (uint32_t)text.size);
  if (!r->dims) {
    r->dims = arena_zalloc(g->arena, sizeof *r->dims);
    r->dims->graph = g;
    term_table_init(&r->dims->terms, g->arena, g->budget);
  }
  onnx_dim_terms *d = r->dims;
  if (!dim_param_read(&d->terms, from, text.size, named, d, &found)) return false;
  bool is_integer = found.remainder == TERM_ZERO;
  if (!is_integer && term_kind_of(&d->terms, found.remainder) == TERM_CONST) return false;
  bool is_number = term_kind_of(&d->terms, found.value) == TERM_CONST;
  if (is_number && (!term_int_value(&d->terms, found.value, dim) || *dim < 0)) return false;
  declare_symbols(d, found.value, span);
  if (!is_integer) {
    declare_symbols(d, found.remainder, span);
    state(d, found.remainder, "==", "the declared dim is an integer", !r->in_signature, span);
  }
  if (is_number) return true;
  if (r->in_signature && has_difference(&d->terms, found.value))
    state(d, found.value, ">=", "the declared dim is >= 0", false, span);
  uint32_t symbol = graph_add_symbol(g, onnx_name(r, text), span);
  g->declared.symbols[symbol].definition = printed(d, found.value);
  *dim = dim_of_symbol(symbol);
  return true;
}

// --- structured dims

enum { APPLICATIONS_DEEP = 32, APPLICATION_TEXT = 4096 };

static bool put_application(onnx_reader *r, shape_strbuf *out, wire_span message, uint32_t depth);

static bool is_word(wire_span text) {
  for (size_t i = 0; i < text.size; i++) {
    uint8_t c = text.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i && ((c >= '0' && c <= '9') || c == '.'))) return false;
  }
  return text.size > 0;
}

static bool put_argument(onnx_reader *r, shape_strbuf *out, wire_span dim, uint32_t depth) {
  wire_field f;
  if (wire_find(dim, DIM_VALUE, &f)) {
    strbuf_int(out, (int64_t)f.value);
    return true;
  }
  if (wire_find(dim, DIM_PARAM, &f)) {
    if (is_word(f.bytes)) strbuf_add(out, (const char *)f.bytes.data, f.bytes.size);
    return is_word(f.bytes);
  }
  return wire_find(dim, DIM_APPLICATION, &f) && f.type == WIRE_BYTES &&
         put_application(r, out, f.bytes, depth + 1);
}

static bool put_application(onnx_reader *r, shape_strbuf *out, wire_span message, uint32_t depth) {
  wire_field f;
  assert(depth <= APPLICATIONS_DEEP);
  onnx_step(r, 1);
  if (wire_find(message, APPLICATION_DOMAIN, &f) && f.type == WIRE_BYTES && f.bytes.size) {
    if (!is_word(f.bytes)) return false;
    strbuf_add(out, (const char *)f.bytes.data, f.bytes.size);
    strbuf_putc(out, '.');
  }
  if (!wire_find(message, APPLICATION_NAME, &f) || f.type != WIRE_BYTES || !is_word(f.bytes))
    return false;
  strbuf_add(out, (const char *)f.bytes.data, f.bytes.size);
  wire_reader arguments = wire_open(message);
  bool first = true;
  while (wire_next_of(&arguments, APPLICATION_ARGUMENT, &f)) {
    if (f.type != WIRE_BYTES) continue;
    strbuf_puts(out, first ? "(" : ", ");
    first = false;
    if (depth >= APPLICATIONS_DEEP || out->length > APPLICATION_TEXT ||
        !put_argument(r, out, f.bytes, depth))
      return false;
  }
  strbuf_puts(out, first ? "()" : ")");
  return true;
}

bool onnx_dim_application(onnx_reader *r, wire_span message, wire_span *text) {
  shape_strbuf out;
  strbuf_init(&out, r->graph->arena);
  if (!put_application(r, &out, message, 0)) return false;
  *text = (wire_span){(const uint8_t *)strbuf_text(&out), out.length};
  return true;
}
