// SPDX-License-Identifier: Apache-2.0
// StableHLO and MHLO with free dims: static operations become their dynamic twins.
#include <assert.h>
#include <string.h>

#include "solver/generalize/rewrite.h"

// --- what computes dims, in i64

static uint32_t put_number(void *to, int64_t n) {
  return rewrite_line(to, "%s.constant dense<%lld> : tensor<i64>", ((mlir_rewriter *)to)->dialect,
                      (long long)n);
}

static uint32_t put_step(void *to, dim_step step, uint32_t a, uint32_t b) {
  static const char *const OPS[DIM_STEPS] = {"add", "subtract", "multiply", "divide", "minimum"};
  mlir_rewriter *w = to;
  return rewrite_line(w, "%s.%s %%%s%u, %%%s%u : tensor<i64>", w->dialect, OPS[step], w->prefix, a,
                      w->prefix, b);
}

static uint32_t put_argument(void *to, uint32_t argument, uint32_t axis) {
  mlir_rewriter *w = to;
  value_id v = w->x->loose->from->arguments + argument;
  assert(v < w->graph->value_count);
  mlir_writer m = rewrite_writer(w, w->out);
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = %s.get_dimension_size ", w->prefix, w->next, w->dialect);
  mlir_write_value(&m, v);
  strbuf_printf(w->out, ", dim = %u : (", axis);
  mlir_write_value_type(&m, v);
  strbuf_puts(w->out, ") -> tensor<i32>\n");
  uint32_t size = w->next++;
  return rewrite_line(w, "%s.convert %%%s%u : (tensor<i32>) -> tensor<i64>", w->dialect, w->prefix,
                      size);
}

static uint32_t put_broadcast(void *to, uint32_t a, uint32_t b, uint32_t one) {
  mlir_rewriter *w = to;
  uint32_t test = rewrite_line(
      w, "%s.compare EQ, %%%s%u, %%%s%u, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>",
      w->dialect, w->prefix, a, w->prefix, one);
  return rewrite_line(w, "%s.select %%%s%u, %%%s%u, %%%s%u : tensor<i1>, tensor<i64>", w->dialect,
                      w->prefix, test, w->prefix, b, w->prefix, a);
}

// Division truncates.
static const dim_forms FORMS = {
    .number = put_number, .argument = put_argument, .step = put_step, .broadcast = put_broadcast};

void rewrite_hlo_init(mlir_rewriter *w, const char *name) {
  w->dialect = arena_strndup(w->graph->arena, name, (size_t)(strchr(name, '.') - name));
  dim_writer_init(&w->dims, w->x, &FORMS, w);
}

static uint32_t one_of(mlir_rewriter *w, term_id term) {
  bool fresh;
  uint32_t *slot = imap_slot(&w->ones, w->graph->arena, term, &fresh);
  if (!fresh) return *slot;
  uint32_t scalar = dim_put(&w->dims, term);
  uint32_t made = rewrite_line(w, "%s.reshape %%%s%u : (tensor<i64>) -> tensor<1xi64>", w->dialect,
                               w->prefix, scalar);
  imap_put(&w->ones, w->graph->arena, term, made);
  return made;
}

// The number of the tensor of the dims of a result.
static uint32_t shape_of(mlir_rewriter *w, const literal_site *s) {
  uint64_t key = hash_bytes(s->now, s->rank * sizeof *s->now);
  uint32_t known;
  if (imap_get(&w->shapes, key, &known)) return known;
  assert(s->rank);
  uint32_t *parts = arena_alloc(w->graph->arena, s->rank * sizeof *parts);
  for (uint32_t i = 0; i < s->rank; i++) parts[i] = one_of(w, s->now[i]);
  strbuf_add(w->out, w->indent, w->indent_length);
  strbuf_printf(w->out, "%%%s%u = %s.concatenate ", w->prefix, w->next, w->dialect);
  for (uint32_t i = 0; i < s->rank; i++)
    strbuf_printf(w->out, "%s%%%s%u", i ? ", " : "", w->prefix, parts[i]);
  strbuf_puts(w->out, ", dim = 0 : (");
  for (uint32_t i = 0; i < s->rank; i++)
    strbuf_puts(w->out, i ? ", tensor<1xi64>" : "tensor<1xi64>");
  strbuf_printf(w->out, ") -> tensor<%uxi64>\n", s->rank);
  imap_put(&w->shapes, w->graph->arena, key, w->next);
  return w->next++;
}

// --- the operation that takes them

// How StableHLO prints an attribute that has a position of its own.
static const char *placed_attr(const literal_site *s) {
  if (s->row->kind == LITERAL_BROADCAST) return "broadcast_dimensions";
  return s->row->kind == LITERAL_FILL ? "iota_dimension" : NULL;
}

static void put_placed(const mlir_rewriter *w, const literal_site *s, shape_strbuf *out) {
  const int64_t *items;
  uint32_t count;
  const char *name = placed_attr(s);
  if (!name || !graph_attr_ints(w->graph, graph_attr_named(w->graph, s->op, name), &items, &count))
    return;
  bool list = s->row->kind == LITERAL_BROADCAST;
  strbuf_puts(out, list ? ", dims = [" : ", dim = ");
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(out, ", ");
    strbuf_int(out, items[i]);
  }
  if (list) strbuf_putc(out, ']');
}

static void put_attributes(mlir_rewriter *w, mlir_writer *m, const literal_site *s,
                           const char *without) {
  const graph_op *o = &w->graph->ops[s->op];
  const char *before = " {";
  for (uint32_t i = 0; i < o->attr_count; i++) {
    attr_entry entry = w->graph->attributes.entries[o->attrs + i];
    if (without && strcmp(intern_text(&w->graph->names, entry.name), without) == 0) continue;
    strbuf_puts(m->out, before);
    mlir_write_entry(m, s->op, entry);
    before = ", ";
  }
  if (*before == ',') strbuf_putc(m->out, '}');
}

void rewrite_hlo_site(mlir_rewriter *w, const literal_site *s) {
  shape_graph *g = w->graph;
  const graph_op *o = &g->ops[s->op];
  assert(s->row->dynamic && o->result_count == 1);
  uint32_t shape = shape_of(w, s);
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  mlir_writer m = rewrite_writer(w, &text);
  const char *name = s->row->name;
  size_t dialect = (size_t)(strchr(name, '.') - name);
  bool quoted = g->source.text[o->name_span.begin] == '"' || strncmp(name, "mhlo", dialect) == 0;
  strbuf_printf(&text, quoted ? "\"%.*s.%s\"(" : "%.*s.%s ", (int)dialect, name, s->row->dynamic);
  for (uint32_t i = 0; i < o->operand_count; i++) {
    mlir_write_value(&m, graph_operand(g, s->op, i));
    strbuf_puts(&text, ", ");
  }
  strbuf_printf(&text, "%%%s%u", w->prefix, shape);
  if (quoted) {
    strbuf_putc(&text, ')');
  } else {
    put_placed(w, s, &text);
  }
  put_attributes(w, &m, s, quoted ? NULL : placed_attr(s));
  strbuf_puts(&text, " : (");
  for (uint32_t i = 0; i < o->operand_count; i++) {
    mlir_write_value_type(&m, graph_operand(g, s->op, i));
    strbuf_puts(&text, ", ");
  }
  strbuf_printf(&text, "tensor<%uxi64>) -> ", s->rank);
  mlir_write_value_type(&m, o->results);
  source_span span = {o->name_span.begin, mlir_op_end(w->uses, s->op)};
  edits_add(&w->edits, &g->source, span, text.data, text.length);
}
