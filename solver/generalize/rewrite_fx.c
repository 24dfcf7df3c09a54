// SPDX-License-Identifier: Apache-2.0
// FX graphs with free dims: literals become variables that the first statements compute, `dim0 = x.size(0)`. What the text
// says of the dims of values is written when they are known (rewrite_fx_types).
#include <assert.h>
#include <string.h>

#include "solver/formats/mlir/edit.h"
#include "solver/generalize/work.h"

typedef struct rewriter {
  const resolving *x;
  shape_graph *graph;
  shape_strbuf *out;  // the first statements
  text_edits edits;
  dim_writer dims;
  const char *prefix;
  source_span indent;
  const char **texts;  // by number: a variable, or a number
  uint32_t count, capacity;
  uint32_t next;  // number of the next variable
} rewriter;

static uint32_t add_text(rewriter *w, const char *text) {
  w->texts = arena_grow(w->graph->arena, w->texts, w->count, (size_t)w->count + 1, &w->capacity,
                        sizeof *w->texts);
  w->texts[w->count] = text;
  return w->count++;
}

// Begins the statement that assigns the next variable; the caller ends it.
static uint32_t add_variable(rewriter *w) {
  shape_strbuf name;
  strbuf_init(&name, w->graph->arena);
  strbuf_printf(&name, "%s%u", w->prefix, w->next++);
  const char *text = strbuf_text(&name);
  strbuf_add(w->out, w->graph->source.text + w->indent.begin, w->indent.end - w->indent.begin);
  strbuf_printf(w->out, "%s = ", text);
  return add_text(w, text);
}

static uint32_t put_number(void *to, int64_t n) {
  rewriter *w = to;
  shape_strbuf text;
  strbuf_init(&text, w->graph->arena);
  strbuf_int(&text, n);
  return add_text(w, strbuf_text(&text));
}

static uint32_t put_argument(void *to, uint32_t argument, uint32_t axis) {
  rewriter *w = to;
  uint32_t length, made = add_variable(w);
  const char *name = graph_value_text(w->graph, w->x->loose->from->arguments + argument, &length);
  assert(length);
  strbuf_printf(w->out, "%.*s.size(%u)\n", (int)length, name, axis);
  return made;
}

static uint32_t put_step(void *to, dim_step step, uint32_t a, uint32_t b) {
  rewriter *w = to;
  const char *left = w->texts[a], *right = w->texts[b];
  uint32_t made = add_variable(w);
  switch (step) {
  case DIM_ADD: strbuf_printf(w->out, "%s + %s\n", left, right); break;
  case DIM_SUBTRACT: strbuf_printf(w->out, "%s - %s\n", left, right); break;
  case DIM_MULTIPLY: strbuf_printf(w->out, "%s * %s\n", left, right); break;
  case DIM_DIVIDE: strbuf_printf(w->out, "%s // %s\n", left, right); break;
  case DIM_MINIMUM: strbuf_printf(w->out, "min(%s, %s)\n", left, right); break;
  case DIM_STEPS: break;
  }
  return made;
}

static const dim_forms FORMS = {
    .number = put_number, .argument = put_argument, .step = put_step, .floors = true};

static void rewrite_site(rewriter *w, const literal_site *s) {
  const shape_graph *g = w->graph;
  uint32_t hole = literal_hole(w->x, s);
  for (uint32_t i = 0; i < s->rank; i++) {
    int64_t number;
    if (s->stays[i] || term_int_value(w->x->terms, s->now[i], &number)) continue;
    term_id term = i == hole ? term_int(w->x->terms, -1) : s->now[i];
    uint32_t made = dim_put(&w->dims, term);
    const char *text = w->texts[made];
    source_span span = g->ops[g->values[graph_operand(g, s->list, i)].def].span;
    assert(span.begin < span.end && span.end <= g->source.length);
    edits_add(&w->edits, &g->source, span, text, (uint32_t)strlen(text));
  }
}

static bool is_used(const shape_graph *g, const char *prefix) {
  size_t length = strlen(prefix);
  const source_text *source = &g->source;
  for (size_t i = 0; i + length < source->length; i++) {
    if (memcmp(source->text + i, prefix, length) == 0 && source->text[i + length] >= '0' &&
        source->text[i + length] <= '9')
      return true;
  }
  return false;
}

text_edits rewrite_fx_text(const resolving *x, shape_strbuf *out) {
  shape_graph *g = x->graph;
  const fx_uses *uses = x->loose->statements;
  shape_strbuf first;
  strbuf_init(&first, g->arena);
  rewriter w = {.x = x, .graph = g, .out = &first, .indent = uses->indent};
  w.edits = (text_edits){.arena = g->arena};
  w.prefix = dim_prefix(g, "dim", is_used);
  dim_writer_init(&w.dims, x, &FORMS, &w);
  assert(g->format == GRAPH_FX);
  for (uint32_t i = 0; i < x->loose->sites.count; i++) {
    if (x->loose->sites.items[i].changed) rewrite_site(&w, &x->loose->sites.items[i]);
  }
  if (first.length)
    edits_add(&w.edits, &g->source, (source_span){uses->body, uses->body}, first.data,
              first.length);
  edits_apply(&w.edits, &g->source, out);
  return w.edits;
}

// --- what the text says of dims

// All dims are numbers.
static bool is_fixed(const shape_report *r, value_id v) {
  const report_shape *s = &r->shapes[r->value_shapes[v]];
  num n;
  for (uint32_t i = 0; s->ranked && i < s->rank; i++) {
    if (s->dims[i] == TERM_NONE || !report_constant(r, s->dims[i], &n)) return false;
  }
  return s->ranked;
}

static bool is_of_name(char c) {
  return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// A plain expression over symbols that no parameter has the name of: an integer is the symbol of its own name.
static bool is_plain(const shape_graph *g, const shape_imap *parameters, report_text dim) {
  for (uint32_t i = 0; i < dim.length; i++) {
    uint32_t from = i, ignored;
    if (dim.text[i] == '(' || dim.text[i] == '"') return false;
    while (i < dim.length && is_of_name(dim.text[i])) i++;
    name_id name = i > from ? intern_find(&g->names, dim.text + from, i - from) : NAME_NONE;
    if (name != NAME_NONE && imap_get(parameters, name, &ignored)) return false;
    if (i > from) i--;
  }
  return true;
}

// The dims of a value as the report names them; "?" where they are not plain. False: they are not known.
static bool put_dims(shape_report *r, const shape_imap *parameters, value_id v, shape_strbuf *out) {
  const report_shape *s = &r->shapes[r->value_shapes[v]];
  const graph_type *t = s->type == TYPE_NONE ? NULL : type_get(&r->graph->types, s->type);
  if (!s->ranked || !t || t->kind != TYPE_TENSOR || t->dtype >= DTYPE_QUANTIZED) return false;
  strbuf_printf(out, ": \"%s[", dtype_name((shape_dtype)t->dtype));
  for (uint32_t i = 0; i < s->rank; i++) {
    if (s->dims[i] == TERM_NONE) return false;
    report_text dim = report_term(r, s->dims[i]);
    bool plain = is_plain(r->graph, parameters, dim);
    if (i) strbuf_puts(out, ", ");
    strbuf_add(out, plain ? dim.text : "?", plain ? dim.length : 1);
  }
  strbuf_puts(out, "]\"");
  return true;
}

void rewrite_fx_types(shape_report *r, const original *from, const fx_uses *uses,
                      shape_strbuf *out) {
  shape_graph *g = r->graph;
  text_edits edits = {.arena = g->arena};
  shape_imap parameters = {0};
  for (uint32_t i = 0; i < from->argument_count; i++)
    imap_put(&parameters, g->arena, g->values[from->arguments + i].name, 1);
  for (uint32_t i = 0; i < uses->count; i++) {
    const fx_annotation *a = &uses->annotations[i];
    bool is_argument =
        a->value >= from->arguments && a->value < from->arguments + from->argument_count;
    shape_strbuf text;
    strbuf_init(&text, g->arena);
    // What the text says of other values would be taken for true.
    if (is_argument ? !put_dims(r, &parameters, a->value, &text) : is_fixed(r, a->value)) continue;
    edits_add(&edits, &g->source, a->span, text.length ? text.data : "", (uint32_t)text.length);
  }
  edits_apply(&edits, &g->source, out);
}
