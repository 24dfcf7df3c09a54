// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/dim_writer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/write.h"

bool dims_is_named(const dims *d, op_id op, const char *name) {
  return strcmp(graph_op_name(d->graph, op), name) == 0;
}

const char *dims_find_stem(shape_graph *g) {
  for (uint32_t k = 0;; k++) {
    char text[24];
    int length = snprintf(text, sizeof text, k ? "dims%u_" : "dims_", k);
    bool taken = false;
    for (value_id v = 0; v < g->value_count && !taken; v++) {
      uint32_t other;
      const char *name = graph_value_text(g, v, &other);
      taken = other >= (uint32_t)length && memcmp(name, text, (size_t)length) == 0;
    }
    if (!taken) return arena_strndup(g->arena, text, (size_t)length);
  }
}

static void put_value(dims *d, shape_strbuf *out, value_id value) {
  if (d->names && d->names[value]) {
    strbuf_puts(out, d->names[value]);
    return;
  }
  mlir_writer w;
  mlir_writer_init(&w, d->graph, d->uses, NULL, out);
  mlir_write_value(&w, value);
}

static void put_type(dims *d, shape_strbuf *out, value_id value) {
  mlir_writer w;
  mlir_writer_init(&w, d->graph, d->uses, NULL, out);
  mlir_write_value_type(&w, value);
}

const char *dims_value_text(dims *d, value_id value) {
  shape_strbuf text;
  strbuf_init(&text, d->graph->arena);
  put_value(d, &text, value);
  return strbuf_text(&text);
}

const char *dims_type_text(dims *d, value_id value) {
  shape_strbuf text;
  strbuf_init(&text, d->graph->arena);
  put_type(d, &text, value);
  return strbuf_text(&text);
}

const char *dims_indent(const dims *d) {
  const char *text = d->graph->source.text;
  uint32_t at = d->graph->ops[d->op].span.begin, begin = at;
  while (begin && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) begin--;
  return arena_strndup(d->graph->arena, text + begin, at - begin);
}

void dims_new_line(dims *d) { strbuf_printf(d->out, "\n%s", dims_indent(d)); }

uint32_t dims_line(dims *d, const char *format, ...) {
  va_list args;
  strbuf_printf(d->out, "%%%s%u = ", d->stem, d->next);
  va_start(args, format);
  strbuf_vprintf(d->out, format, args);
  va_end(args);
  dims_new_line(d);
  return d->next++;
}

uint32_t dims_constant(dims *d, int64_t value) {
  return dims_line(d, "arith.constant %lld : index", (long long)value);
}

uint32_t dims_binary(dims *d, const char *name, uint32_t a, uint32_t b) {
  assert(d->failed || (a < d->next && b < d->next));
  return dims_line(d, "arith.%s %%%s%u, %%%s%u : index", name, d->stem, a, d->stem, b);
}

uint32_t dims_equal(dims *d, uint32_t a, uint32_t b) {
  assert(d->failed || (a < d->next && b < d->next));
  return dims_line(d, "arith.cmpi eq, %%%s%u, %%%s%u : index", d->stem, a, d->stem, b);
}

uint32_t dims_both(dims *d, const char *name, uint32_t a, uint32_t b) {
  assert(d->failed || (a < d->next && b < d->next));
  return dims_line(d, "arith.%s %%%s%u, %%%s%u : i1", name, d->stem, a, d->stem, b);
}

uint32_t dims_dim(dims *d, value_id value, uint32_t axis) {
  assert(value < d->graph->value_count && axis < VALUE_MAX_RANK);
  uint32_t index = dims_constant(d, axis);
  return dims_line(d, "tensor.dim %s, %%%s%u : %s", dims_value_text(d, value), d->stem, index,
                   dims_type_text(d, value));
}

uint32_t dims_broadcast(dims *d, uint32_t a, uint32_t b) {
  uint32_t test = dims_equal(d, a, dims_constant(d, 1));
  return dims_line(d, "arith.select %%%s%u, %%%s%u, %%%s%u : index", d->stem, test, d->stem, b,
                   d->stem, a);
}

void dims_begin(dims *d, op_id op, shape_strbuf *text) {
  assert(op < d->graph->op_count);
  strbuf_init(text, d->graph->arena);
  d->op = op;
  d->out = text;
  d->failed = false;
}

void dims_replace(dims *d) {
  const shape_graph *g = d->graph;
  assert(d->op < g->op_count);
  source_span span = {g->ops[d->op].span.begin, mlir_op_end(d->uses, d->op)};
  if (d->failed || !span.end) return;
  edits_add(d->edits, &g->source, span, arena_strndup(g->arena, d->out->data, d->out->length),
            d->out->length);
  d->replaced[d->op] = true;
}

bool dims_may_end(const dims *d, op_id op) {
  const graph_op *o = &d->graph->ops[op];
  if (!o->result_count || !dims_info(d, o->results)) return true;
  return d->report->unproven && d->report->unproven[op];
}

bool dims_has_named_result(const dims *d, op_id op) {
  uint32_t length = 0;
  if (d->graph->ops[op].result_count == 1)
    graph_value_text(d->graph, d->graph->ops[op].results, &length);
  return length > 0;
}

void dims_result(dims *d, const char *format, ...) {
  va_list args;
  put_value(d, d->out, d->graph->ops[d->op].results);
  strbuf_puts(d->out, " = ");
  va_start(args, format);
  strbuf_vprintf(d->out, format, args);
  va_end(args);
}

void dims_result_elements(dims *d, const uint32_t *values, uint32_t count) {
  dims_result(d, "tensor.from_elements");
  for (uint32_t i = 0; i < count; i++)
    strbuf_printf(d->out, "%s%%%s%u", i ? ", " : " ", d->stem, values[i]);
  strbuf_puts(d->out, " : ");
  put_type(d, d->out, d->graph->ops[d->op].results);
}

bool dims_index_count(const dims *d, value_id value, uint32_t *count) {
  const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(d->graph, value);
  if (!type || type->kind != TYPE_TENSOR || type->rank != 1 || type->dtype != DTYPE_INDEX ||
      !dim_is_static(type->dims[0]) || type->dims[0] > VALUE_MAX_RANK)
    return false;
  *count = (uint32_t)type->dims[0];
  return true;
}

const graph_type *dims_tensor_of(const dims *d, value_id value) {
  const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(d->graph, value);
  bool plain = type && type->kind == TYPE_TENSOR && type->container == CONTAINER_TENSOR &&
               type->torch == TORCH_NOT;
  return plain ? type : NULL;
}

uint32_t dims_element(dims *d, value_id vector, uint32_t at) {
  uint32_t index = dims_constant(d, at);
  return dims_line(d, "tensor.extract %s[%%%s%u] : %s", dims_value_text(d, vector), d->stem, index,
                   dims_type_text(d, vector));
}

uint32_t dims_fits(dims *d, uint32_t a, uint32_t b) {
  uint32_t one = dims_constant(d, 1), values[3][2] = {{a, b}, {a, one}, {b, one}}, tests[3];
  for (uint32_t i = 0; i < 3; i++) tests[i] = dims_equal(d, values[i][0], values[i][1]);
  return dims_both(d, "ori", dims_both(d, "ori", tests[0], tests[1]), tests[2]);
}

void dims_assert(dims *d, const char *holds, const char *message, uint32_t length) {
  uint32_t test = dims_line(d, "tensor.from_elements %s : tensor<i1>", holds);
  mlir_writer w;
  mlir_writer_init(&w, d->graph, d->uses, NULL, d->out);
  strbuf_printf(d->out, "stablehlo.custom_call @shape_assertion(%%%s%u) {error_message = ", d->stem,
                test);
  mlir_write_quoted(&w, message, length);
  strbuf_puts(d->out, ", has_side_effect = true} : (tensor<i1>) -> ()");
  dims_new_line(d);
}

const value_info *dims_info(const dims *d, value_id value) {
  const infer_frame *f = d->frame;
  if (!f || value == VALUE_NONE || value < f->value_base || value >= f->value_end) return NULL;
  const value_info *v = &f->values[value - f->value_base];
  return v->visited && v->ranked && !v->in_conflict ? v : NULL;
}

void dims_index_uses(dims *d) {
  const shape_graph *g = d->graph;
  d->first_use = arena_alloc(g->arena, (g->value_count + 1) * sizeof *d->first_use);
  d->next_use = arena_alloc(g->arena, (g->operand_count + 1) * sizeof *d->next_use);
  for (value_id v = 0; v < g->value_count; v++) d->first_use[v] = ID_NONE;
  for (uint32_t i = g->operand_count; i-- > 0;) {
    value_id value = g->operands[i];
    if (value == VALUE_NONE) continue;
    d->next_use[i] = d->first_use[value];
    d->first_use[value] = i;
  }
}

void dims_use_instead(dims *d, value_id value, const char *name) {
  assert(*name == '%');
  const source_text *source = &d->graph->source;
  for (uint32_t i = d->first_use[value]; i != ID_NONE; i = d->next_use[i]) {
    source_span span = edit_value_span(source, d->uses->operands[i]);
    edits_add(d->edits, source, span, name, (uint32_t)strlen(name));
  }
}

bool dims_is_placed(const dims *d, value_id value) {
  for (uint32_t i = d->first_use[value]; i != ID_NONE; i = d->next_use[i]) {
    if (i >= d->uses->operand_count || d->uses->operands[i] == UINT32_MAX) return false;
  }
  return true;
}

void dims_remove_line(dims *d, op_id op) {
  const source_text *source = &d->graph->source;
  source_span span = d->graph->ops[op].span, line = span;
  while (line.begin && source->text[line.begin - 1] == ' ') line.begin--;
  while (line.end < source->length && source->text[line.end] == ' ') line.end++;
  bool alone = (!line.begin || source->text[line.begin - 1] == '\n') && line.end < source->length &&
               source->text[line.end] == '\n';
  line.end++;
  edits_add(d->edits, source, alone ? line : span, "", 0);
}
