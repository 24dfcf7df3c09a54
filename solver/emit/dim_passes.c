// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/dim_passes.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solver/emit/instructions.h"
#include "solver/formats/mlir/write.h"
#include "solver/ops/traits.h"

typedef struct dims {
  const shape_report *report;
  const infer_result *infer;
  shape_graph *graph;
  const mlir_uses *uses;
  text_edits *edits;
  block_id block;                  // the body of the function that is written
  const infer_frame *frame;        // its frame; NULL: it has several, which need not agree
  uint32_t *first_use, *next_use;  // by value_id, by index in graph->operands
  // The operation that is written.
  op_id op;
  shape_strbuf *out;
  const char *stem;
  uint32_t next;
  instructions computed;
  bool failed;
  bool *replaced;  // by op_id
} dims;

// --- what is known

static const value_info *info_of(const dims *d, value_id value) {
  const infer_frame *f = d->frame;
  if (!f || value == VALUE_NONE || value < f->value_base || value >= f->value_end) return NULL;
  const value_info *v = &f->values[value - f->value_base];
  return v->visited && v->ranked && !v->in_conflict ? v : NULL;
}

static block_id block_of(const shape_graph *g, value_id value) {
  assert(value < g->value_count);
  const graph_value *v = &g->values[value];
  return v->is_argument ? v->def : g->ops[v->def].parent;
}

static bool is_named(const dims *d, op_id op, const char *name) {
  return strcmp(graph_op_name(d->graph, op), name) == 0;
}

static bool is_argument(const dims *d, value_id value) {
  return value != VALUE_NONE && d->graph->values[value].is_argument;
}

// tensor.dim of a dim that is known: its term; TERM_NONE otherwise.
static term_id dim_of(const dims *d, op_id op, uint32_t *axis) {
  const shape_graph *g = d->graph;
  int64_t at;
  if (!is_named(d, op, "tensor.dim") || g->ops[op].operand_count != 2) return TERM_NONE;
  const value_info *v = info_of(d, graph_operand(g, op, 0)),
                   *index = info_of(d, graph_operand(g, op, 1));
  if (!v || !index || !index->elements || index->element_count != 1) return TERM_NONE;
  if (block_of(g, graph_operand(g, op, 0)) != d->block) return TERM_NONE;
  if (index->elements[0] == TERM_NONE ||
      !term_int_value(d->infer->terms, index->elements[0], &at) || at < 0 || at >= v->rank)
    return TERM_NONE;
  *axis = (uint32_t)at;
  return v->dims[at];
}

// --- text

// A stem that no name of the program begins with.
static const char *find_stem(shape_graph *g) {
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
  mlir_writer w;
  mlir_writer_init(&w, d->graph, d->uses, NULL, out);
  mlir_write_value(&w, value);
}

static void put_type(dims *d, shape_strbuf *out, value_id value) {
  mlir_writer w;
  mlir_writer_init(&w, d->graph, d->uses, NULL, out);
  mlir_write_value_type(&w, value);
}

static const char *value_text(dims *d, value_id value) {
  shape_strbuf text;
  strbuf_init(&text, d->graph->arena);
  put_value(d, &text, value);
  return strbuf_text(&text);
}

static const char *type_text(dims *d, value_id value) {
  shape_strbuf text;
  strbuf_init(&text, d->graph->arena);
  put_type(d, &text, value);
  return strbuf_text(&text);
}

static void put_indent(dims *d, uint32_t at) {
  const char *text = d->graph->source.text;
  uint32_t begin = at;
  while (begin && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) begin--;
  strbuf_add(d->out, text + begin, at - begin);
}

// "%dims_4 = " and what follows, on a line of its own; returns 4.
__attribute__((format(printf, 2, 3))) static uint32_t line(dims *d, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  d->failed |= length < 0 || length >= (int)sizeof text;
  strbuf_printf(d->out, "%%%s%u = %s\n", d->stem, d->next, text);
  put_indent(d, d->graph->ops[d->op].span.begin);
  return d->next++;
}

static uint32_t constant(dims *d, int64_t value) {
  return line(d, "arith.constant %lld : index", (long long)value);
}

static uint32_t binary(dims *d, const char *name, uint32_t a, uint32_t b) {
  return line(d, "arith.%s %%%s%u, %%%s%u : index", name, d->stem, a, d->stem, b);
}

static uint32_t dim_line(dims *d, value_id value, uint32_t axis) {
  assert(value < d->graph->value_count && axis < VALUE_MAX_RANK);
  uint32_t index = constant(d, axis);
  return line(d, "tensor.dim %s, %%%s%u : %s", value_text(d, value), d->stem, index,
              type_text(d, value));
}

// b where a is 1, else a.
static uint32_t broadcast(dims *d, uint32_t a, uint32_t b) {
  uint32_t one = constant(d, 1);
  uint32_t test = line(d, "arith.cmpi eq, %%%s%u, %%%s%u : index", d->stem, a, d->stem, one);
  return line(d, "arith.select %%%s%u, %%%s%u, %%%s%u : index", d->stem, test, d->stem, b, d->stem,
              a);
}

// --- terms as arithmetic on dims of arguments

static uint32_t put_number(void *to, num x) {
  dims *d = to;
  int64_t value = 0;
  d->failed |= !num_to_int(x, &value);
  return constant(d, value);
}

static uint32_t put_step(void *to, bool product, uint32_t a, uint32_t b) {
  return binary(to, product ? "muli" : "addi", a, b);
}

// A dim of an argument, by its term.
static bool find_dim(const dims *d, term_id term, value_id *value, uint32_t *axis) {
  const graph_block *body = &d->graph->blocks[d->block];
  for (uint32_t i = 0; i < body->argument_count; i++) {
    *value = body->arguments + i;
    const value_info *v = info_of(d, *value);
    const graph_type *type = v ? graph_value_type(d->graph, *value) : NULL;
    if (!type || type->kind != TYPE_TENSOR || type->rank != v->rank) continue;
    for (*axis = 0; *axis < v->rank && *axis < VALUE_MAX_RANK; ++*axis) {
      if (v->dims[*axis] == term) return true;
    }
  }
  return false;
}

static uint32_t put_term(dims *d, term_id term) {
  value_id value;
  uint32_t axis;
  bool number = term_kind_of(d->infer->terms, term) == TERM_CONST;
  if (!number && find_dim(d, term, &value, &axis)) return dim_line(d, value, axis);
  return instructions_put(&d->computed, term);
}

static uint32_t put_atom(void *to, term_id atom) {
  dims *d = to;
  const term_node node = *term_get(d->infer->terms, atom);
  const term_id *args = node.as.args;
  int64_t divisor;
  value_id value;
  uint32_t axis;
  if (find_dim(d, atom, &value, &axis)) return dim_line(d, value, axis);
  bool divides = node.kind == TERM_FLOORDIV && term_int_value(d->infer->terms, args[1], &divisor) &&
                 divisor > 0;
  if (divides)
    return binary(d, "floordivsi", instructions_put(&d->computed, args[0]), constant(d, divisor));
  if (node.kind == TERM_BCAST)
    return broadcast(d, instructions_put(&d->computed, args[0]),
                     instructions_put(&d->computed, args[1]));
  d->failed = true;
  return 0;
}

// --- edits

static void begin(dims *d, op_id op, shape_strbuf *text) {
  assert(op < d->graph->op_count);
  strbuf_init(text, d->graph->arena);
  d->op = op;
  d->out = text;
  d->failed = false;
  d->computed = (instructions){.terms = d->infer->terms,
                               .arena = d->graph->arena,
                               .number = put_number,
                               .atom = put_atom,
                               .step = put_step,
                               .writer = d};
}

// What was written instead of the operation. A part that could not be written leaves it as it is.
static void replace(dims *d) {
  const shape_graph *g = d->graph;
  assert(d->op < g->op_count);
  source_span span = {g->ops[d->op].span.begin, mlir_op_end(d->uses, d->op)};
  if (d->failed || !span.end) return;
  edits_add(d->edits, &g->source, span, arena_strndup(g->arena, d->out->data, d->out->length),
            d->out->length);
  d->replaced[d->op] = true;
}

static bool has_named_result(const dims *d, op_id op) {
  uint32_t length = 0;
  if (d->graph->ops[op].result_count == 1)
    graph_value_text(d->graph, d->graph->ops[op].results, &length);
  return length > 0;
}

// The last line: the result under its name.
__attribute__((format(printf, 2, 3))) static void result(dims *d, const char *format, ...) {
  va_list args;
  put_value(d, d->out, d->graph->ops[d->op].results);
  strbuf_puts(d->out, " = ");
  va_start(args, format);
  strbuf_vprintf(d->out, format, args);
  va_end(args);
}

// An index that is there already, under the name of the result.
static void result_is(dims *d, uint32_t value) {
  assert(d->failed || value < d->next);
  uint32_t zero = constant(d, 0);
  result(d, "arith.addi %%%s%u, %%%s%u : index", d->stem, value, d->stem, zero);
}

static void result_elements(dims *d, const uint32_t *values, uint32_t count) {
  result(d, "tensor.from_elements");
  for (uint32_t i = 0; i < count; i++)
    strbuf_printf(d->out, "%s%%%s%u", i ? ", " : " ", d->stem, values[i]);
  strbuf_puts(d->out, " : ");
  put_type(d, d->out, d->graph->ops[d->op].results);
}

// How many elements a tensor of indices has; false: its type does not say.
static bool index_count(const dims *d, value_id value, uint32_t *count) {
  const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(d->graph, value);
  if (!type || type->kind != TYPE_TENSOR || type->rank != 1 || type->dtype != DTYPE_INDEX ||
      !dim_is_static(type->dims[0]) || type->dims[0] > VALUE_MAX_RANK)
    return false;
  *count = (uint32_t)type->dims[0];
  return true;
}

// A tensor of known rank that is no memref.
static const graph_type *tensor_of(const dims *d, value_id value) {
  const graph_type *type = value == VALUE_NONE ? NULL : graph_value_type(d->graph, value);
  bool plain = type && type->kind == TYPE_TENSOR && type->container == CONTAINER_TENSOR &&
               type->torch == TORCH_NOT;
  return plain ? type : NULL;
}

// --- materialize-dims

static void materialize(dims *d, op_id op) {
  const shape_graph *g = d->graph;
  assert(g->ops[op].parent == d->block);
  value_id from = graph_operand(g, op, 0), made = g->ops[op].results;
  uint32_t axis, count;
  shape_strbuf text;
  if (is_argument(d, from) || !has_named_result(d, op)) return;
  begin(d, op, &text);
  if (is_named(d, op, "tensor.dim")) {
    term_id term = dim_of(d, op, &axis);
    if (term == TERM_NONE) return;
    result_is(d, put_term(d, term));
    replace(d);
    return;
  }
  const value_info *v = info_of(d, from);
  if (!is_named(d, op, "shape.shape_of") || !v || block_of(g, from) != d->block) return;
  if (!index_count(d, made, &count) || count != v->rank || !count) return;
  uint32_t *values = arena_alloc(g->arena, count * sizeof *values);
  for (uint32_t i = 0; i < count && !d->failed; i++) {
    d->failed = v->dims[i] == TERM_NONE;
    if (!d->failed) values[i] = put_term(d, v->dims[i]);
  }
  if (d->failed) return;
  result_elements(d, values, count);
  replace(d);
}

// --- scalarize-shapes

static uint32_t element(dims *d, value_id vector, uint32_t at) {
  uint32_t index = constant(d, at);
  return line(d, "tensor.extract %s[%%%s%u] : %s", value_text(d, vector), d->stem, index,
              type_text(d, vector));
}

// The run ends where neither is 1 and they differ.
static void check_broadcast(dims *d, uint32_t a, uint32_t b) {
  uint32_t one = constant(d, 1), values[3][2] = {{a, b}, {a, one}, {b, one}}, tests[3];
  for (uint32_t i = 0; i < 3; i++)
    tests[i] = line(d, "arith.cmpi eq, %%%s%u, %%%s%u : index", d->stem, values[i][0], d->stem,
                    values[i][1]);
  uint32_t any = line(d, "arith.ori %%%s%u, %%%s%u : i1", d->stem, tests[0], d->stem, tests[1]);
  any = line(d, "arith.ori %%%s%u, %%%s%u : i1", d->stem, any, d->stem, tests[2]);
  uint32_t fits = line(d, "tensor.from_elements %%%s%u : tensor<i1>", d->stem, any);
  strbuf_printf(d->out,
                "stablehlo.custom_call @shape_assertion(%%%s%u) {error_message = \"the shapes do "
                "not broadcast\", has_side_effect = true} : (tensor<i1>) -> ()\n",
                d->stem, fits);
  put_indent(d, d->graph->ops[d->op].span.begin);
}

static void scalarize_broadcast(dims *d, op_id op, uint32_t count, bool checks) {
  const shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  const uint8_t *unproven = d->report->unproven;
  bool ends = unproven && unproven[op];  // a run whose shapes do not fit
  if (ends && !checks) return;
  uint32_t *values = arena_alloc(g->arena, (count + 1) * sizeof *values), length;
  for (uint32_t k = 0; k < o->operand_count; k++) {
    if (!index_count(d, graph_operand(g, op, k), &length) || length > count) return;
  }
  for (uint32_t i = 0; i < count; i++) {
    bool first = true;
    for (uint32_t k = 0; k < o->operand_count; k++) {
      index_count(d, graph_operand(g, op, k), &length);
      if (i + length < count) continue;
      uint32_t e = element(d, graph_operand(g, op, k), i + length - count);
      if (ends && !first) check_broadcast(d, values[i], e);
      values[i] = first ? e : broadcast(d, values[i], e);
      first = false;
    }
    if (first) values[i] = constant(d, 1);
  }
  result_elements(d, values, count);
  replace(d);
}

static void scalarize(dims *d, op_id op, bool checks) {
  const shape_graph *g = d->graph;
  uint32_t count;
  shape_strbuf text;
  if (!has_named_result(d, op) || !g->ops[op].operand_count) return;
  value_id from = graph_operand(g, op, 0), made = g->ops[op].results;
  begin(d, op, &text);
  assert(g->ops[op].parent == d->block);
  if (is_named(d, op, "shape.num_elements") && index_count(d, from, &count) &&
      graph_value_type(g, made) && graph_value_type(g, made)->kind == TYPE_SCALAR) {
    uint32_t product = constant(d, 1);
    for (uint32_t i = 0; i < count; i++) product = binary(d, "muli", product, element(d, from, i));
    result_is(d, product);
    replace(d);
    return;
  }
  if (!index_count(d, made, &count) || !count) return;
  if (is_named(d, op, "shape.broadcast")) scalarize_broadcast(d, op, count, checks);
  const graph_type *type = is_named(d, op, "shape.shape_of") ? tensor_of(d, from) : NULL;
  if (!type || type->rank != count) return;
  uint32_t *values = arena_alloc(g->arena, count * sizeof *values);
  for (uint32_t i = 0; i < count; i++) values[i] = dim_line(d, from, i);
  result_elements(d, values, count);
  replace(d);
}

// --- shape-legalize-to-stablehlo

// A dim of a tensor as a tensor<1xi32>.
static uint32_t size_vector(dims *d, value_id value, uint32_t axis) {
  int64_t size = tensor_of(d, value)->dims[axis];
  if (dim_is_static(size))
    return line(d, "stablehlo.constant dense<%lld> : tensor<1xi32>", (long long)size);
  const char *type = type_text(d, value);
  uint32_t scalar = line(d, "stablehlo.get_dimension_size %s, dim = %u : (%s) -> tensor<i32>",
                         value_text(d, value), axis, type);
  return line(d, "stablehlo.reshape %%%s%u : (tensor<i32>) -> tensor<1xi32>", d->stem, scalar);
}

// shape.shape_of of a tensor of `count` axes.
static void legalize_shape_of(dims *d, op_id op, uint32_t count) {
  value_id from = graph_operand(d->graph, op, 0);
  uint32_t parts[VALUE_MAX_RANK];
  shape_strbuf operands, types;
  assert(count && count <= VALUE_MAX_RANK);
  strbuf_init(&operands, d->graph->arena);
  strbuf_init(&types, d->graph->arena);
  for (uint32_t i = 0; i < count; i++) parts[i] = size_vector(d, from, i);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_printf(&operands, "%s%%%s%u", i ? ", " : "", d->stem, parts[i]);
    strbuf_puts(&types, i ? ", tensor<1xi32>" : "tensor<1xi32>");
  }
  uint32_t all = line(d, "stablehlo.concatenate %s, dim = 0 : (%s) -> tensor<%uxi32>",
                      strbuf_text(&operands), strbuf_text(&types), count);
  result(d, "arith.index_cast %%%s%u : tensor<%uxi32> to ", d->stem, all, count);
  put_type(d, d->out, d->graph->ops[op].results);
  replace(d);
}

static void legalize_constant(dims *d, op_id op) {
  const int64_t *items;
  uint32_t count;
  attr_id attr = graph_attr_named(d->graph, op, "shape");
  if (attr == ATTR_NONE || !graph_attr_ints(d->graph, attr, &items, &count)) return;
  result(d, "arith.constant dense<");
  if (count) strbuf_putc(d->out, '[');
  for (uint32_t i = 0; i < count; i++)
    strbuf_printf(d->out, "%s%lld", i ? ", " : "", (long long)items[i]);
  strbuf_puts(d->out, count ? "]> : " : "> : ");
  put_type(d, d->out, d->graph->ops[op].results);
  replace(d);
}

// What the shape dialect computes of indices and of vectors of them, in StableHLO, arith and tensor.
static void legalize(dims *d, op_id op) {
  const shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  uint32_t count;
  shape_strbuf text;
  if (!has_named_result(d, op)) return;
  value_id made = o->results, from = o->operand_count ? graph_operand(g, op, 0) : VALUE_NONE;
  const graph_type *type = graph_value_type(g, made);
  bool scalar = type && type->kind == TYPE_SCALAR && type->dtype == DTYPE_INDEX;
  begin(d, op, &text);
  if (is_named(d, op, "shape.shape_of") && index_count(d, made, &count) && count) {
    const graph_type *tensor = tensor_of(d, from);
    if (tensor && tensor->rank == count) legalize_shape_of(d, op, count);
  } else if (is_named(d, op, "shape.const_shape") && index_count(d, made, &count)) {
    legalize_constant(d, op);
  } else if (is_named(d, op, "shape.rank") && scalar && index_count(d, from, &count)) {
    result(d, "arith.constant %u : index", count);
    replace(d);
  } else if (is_named(d, op, "shape.get_extent") && scalar && o->operand_count == 2 &&
             index_count(d, from, &count)) {
    result(d, "tensor.extract %s[%s] : %s", value_text(d, from),
           value_text(d, graph_operand(g, op, 1)), type_text(d, from));
    replace(d);
  } else if ((is_named(d, op, "shape.add") || is_named(d, op, "shape.mul")) && scalar &&
             o->operand_count == 2) {
    result(d,
           is_named(d, op, "shape.add") ? "arith.addi %s, %s : index" : "arith.muli %s, %s : index",
           value_text(d, from), value_text(d, graph_operand(g, op, 1)));
    replace(d);
  } else {
    scalarize(d, op, true);
  }
}

// An operation of the shape dialect that is in the text still; ID_NONE: there is none.
static op_id find_shape_op(const dims *d) {
  static const char SHAPE[] = "shape.";
  for (op_id op = 0; op < d->graph->op_count; op++) {
    bool is = strncmp(graph_op_name(d->graph, op), SHAPE, sizeof SHAPE - 1) == 0;
    if (is && !d->replaced[op]) return op;
  }
  return ID_NONE;
}

// --- merge-dims

// Operands by the value that they name.
static void index_uses(dims *d) {
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

static void use_instead(dims *d, value_id value, const char *name) {
  assert(*name == '%');
  const source_text *source = &d->graph->source;
  for (uint32_t i = d->first_use[value]; i != ID_NONE; i = d->next_use[i]) {
    source_span span = edit_value_span(source, d->uses->operands[i]);
    edits_add(d->edits, source, span, name, (uint32_t)strlen(name));
  }
}

// Whether all uses of a value have a position in the text.
static bool is_placed(const dims *d, value_id value) {
  for (uint32_t i = d->first_use[value]; i != ID_NONE; i = d->next_use[i]) {
    if (i >= d->uses->operand_count || d->uses->operands[i] == UINT32_MAX) return false;
  }
  return true;
}

// With its line, where nothing else is on it.
static void remove_line(dims *d, op_id op) {
  const source_text *source = &d->graph->source;
  source_span span = d->graph->ops[op].span, line = span;
  while (line.begin && source->text[line.begin - 1] == ' ') line.begin--;
  while (line.end < source->length && source->text[line.end] == ' ') line.end++;
  bool alone = (!line.begin || source->text[line.begin - 1] == '\n') && line.end < source->length &&
               source->text[line.end] == '\n';
  line.end++;
  edits_add(d->edits, source, alone ? line : span, "", 0);
}

static void merge(dims *d) {
  const shape_graph *g = d->graph;
  shape_imap first = {0};
  uint32_t axis;
  for (op_id op = g->blocks[d->block].first; op != ID_NONE; op = g->ops[op].next) {
    term_id term = dim_of(d, op, &axis);
    value_id before;
    if (term == TERM_NONE || !has_named_result(d, op)) continue;
    value_id made = g->ops[op].results;
    if (!imap_get(&first, term, &before)) {
      imap_put(&first, g->arena, term, made);
      continue;
    }
    if (!is_placed(d, made) || !mlir_op_end(d->uses, op)) continue;
    use_instead(d, made, value_text(d, before));
    remove_line(d, op);
  }
}

// --- tie-shape

static bool is_tied(const dims *d, value_id value) {
  const graph_type *type = tensor_of(d, value);
  bool dynamic = false;
  for (uint32_t i = 0; type && i < type->rank; i++) dynamic |= !dim_is_static(type->dims[i]);
  const graph_value *v = &d->graph->values[value];
  bool tie = !v->is_argument && is_named(d, v->def, "disc_shape.tie_shape");
  return dynamic && !tie && type->rank <= VALUE_MAX_RANK && !type->has_bounds &&
         is_placed(d, value);
}

// After the operation that makes the value, or in front of the first where it is an argument.
static void tie(dims *d, value_id value) {
  uint32_t operands[VALUE_MAX_RANK];
  const graph_type *type = tensor_of(d, value);
  assert(type->rank <= VALUE_MAX_RANK);
  const char *name = value_text(d, value), *text = type_text(d, value);
  for (uint32_t i = 0; i < type->rank; i++)
    operands[i] = dim_is_static(type->dims[i]) ? constant(d, type->dims[i]) : dim_line(d, value, i);
  uint32_t tied = d->next++;
  strbuf_printf(d->out, "%%%s%u = \"disc_shape.tie_shape\"(%s", d->stem, tied, name);
  for (uint32_t i = 0; i < type->rank; i++) strbuf_printf(d->out, ", %%%s%u", d->stem, operands[i]);
  strbuf_printf(d->out, ") : (%s", text);
  for (uint32_t i = 0; i < type->rank; i++) strbuf_puts(d->out, ", index");
  strbuf_printf(d->out, ") -> %s\n", text);
  put_indent(d, d->graph->ops[d->op].span.begin);
  shape_strbuf tied_name;
  strbuf_init(&tied_name, d->graph->arena);
  strbuf_printf(&tied_name, "%%%s%u", d->stem, tied);
  use_instead(d, value, strbuf_text(&tied_name));
}

// Ties of what is before an operation are written in front of it.
static void tie_all(dims *d) {
  const shape_graph *g = d->graph;
  const graph_block *body = &g->blocks[d->block];
  value_id from = body->arguments;
  uint32_t count = body->argument_count;
  for (op_id op = body->first; op != ID_NONE; op = g->ops[op].next) {
    shape_strbuf text;
    begin(d, op, &text);
    for (uint32_t i = 0; i < count; i++) {
      if (is_tied(d, from + i)) tie(d, from + i);
    }
    uint32_t at = g->ops[op].span.begin;
    if (text.length)
      edits_add(d->edits, &g->source, (source_span){at, at},
                arena_strndup(g->arena, text.data, text.length), text.length);
    from = g->ops[op].results;
    count = g->ops[op].result_count;
  }
}

// --- broadcast-hints

static void put_hint(dims *d, op_id op, const char *name, const int64_t *axes, uint32_t count) {
  shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  name_id key = intern_add(&g->names, name, strlen(name));
  graph_attr list = {.kind = ATTR_INTS, .type = TYPE_NONE, .text = NAME_NONE};
  attr_set_ints(&list, axes, count);
  attr_entry *entries = arena_alloc(g->arena, (o->attr_count + 1u) * sizeof *entries);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o->attr_count; i++) {
    if (g->attributes.entries[o->attrs + i].name != key)
      entries[kept++] = g->attributes.entries[o->attrs + i];
  }
  if (count) entries[kept++] = (attr_entry){key, graph_add_attr(g, &list)};
  graph_set_attrs(g, op, entries, kept);
}

static void hint(dims *d, op_id op) {
  shape_graph *g = d->graph;
  const int64_t *axes;
  uint32_t count;
  if (g->ops[op].operand_count != 2 || !op_has(g, op, TRAIT_BROADCASTS)) return;
  if (!has_named_result(d, op)) return;
  if (!graph_attr_ints(g, graph_attr_named(g, op, "broadcast_dimensions"), &axes, &count)) return;
  const shape_report *r = d->report;
  const report_shape *in = &r->shapes[r->value_shapes[graph_operand(g, op, 0)]],
                     *out = &r->shapes[r->value_shapes[g->ops[op].results]];
  if (!in->ranked || !out->ranked || in->rank != count) return;
  int64_t *grow = arena_alloc(g->arena, 2 * (count + 1) * sizeof *grow), *keep = grow + count + 1;
  uint32_t grows = 0, keeps = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] < 0 || axes[i] >= out->rank) return;
    term_id from = in->dims[i], to = out->dims[axes[i]];
    if (from == TERM_NONE || to == TERM_NONE) continue;
    interval range = store_range(d->infer->store, to);
    bool more = range.has_lo && num_compare(range.lo, NUM(2)) >= 0;
    if (from == to) {
      keep[keeps++] = i;
    } else if (from == TERM_ONE && more) {
      grow[grows++] = i;
    }
  }
  assert(grows + keeps <= count);
  if (!grows && !keeps) return;
  put_hint(d, op, "known_expanding_dimensions", grow, grows);
  put_hint(d, op, "known_nonexpanding_dimensions", keep, keeps);
  shape_strbuf text;
  begin(d, op, &text);
  mlir_writer w;
  mlir_writer_init(&w, g, d->uses, NULL, &text);
  mlir_write_op(&w, op, 0);
  d->failed = w.failed != ID_NONE;
  replace(d);
}

// --- all of them

static const bool *understood_functions(const dims *d) {
  const shape_graph *g = d->graph;
  bool *understood = arena_alloc(g->arena, g->func_count + 1);
  memset(understood, 1, g->func_count + 1);
  for (op_id op = 0; op < g->op_count; op++) {
    region_id region = g->blocks[g->ops[op].parent].region;
    if (mlir_op_is_opaque(d->uses, op)) understood[g->regions[region].func] = false;
  }
  return understood;
}

static void rewrite_function(dims *d, dims_pass pass) {
  const shape_graph *g = d->graph;
  if (pass == DIMS_MERGE) merge(d);
  if (pass == DIMS_TIE) tie_all(d);
  for (op_id op = g->blocks[d->block].first; op != ID_NONE; op = g->ops[op].next) {
    if (pass == DIMS_MATERIALIZE) materialize(d, op);
    if (pass == DIMS_SCALARIZE) scalarize(d, op, false);
    if (pass == DIMS_LEGALIZE) legalize(d, op);
    if (pass == DIMS_HINTS) hint(d, op);
  }
}

// By func_id: its frame; ID_NONE: it has none, or several.
static uint32_t *only_frames(const infer_result *infer, shape_graph *g) {
  uint32_t *frames = arena_alloc(g->arena, (g->func_count + 1) * sizeof *frames);
  uint32_t *counts = arena_zalloc(g->arena, (g->func_count + 1) * sizeof *counts);
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    func_id func = infer->frames[i].func;
    frames[func] = counts[func]++ ? ID_NONE : i;
  }
  for (func_id f = 0; f < g->func_count; f++) {
    if (!counts[f]) frames[f] = ID_NONE;
  }
  return frames;
}

op_id dims_rewrite(dims_pass pass, const shape_report *report, const mlir_uses *uses,
                   text_edits *edits) {
  shape_graph *g = report->graph;
  const infer_result *infer = report->infer;
  if (!infer || infer->entry == ID_NONE) return ID_NONE;
  dims d = {.report = report, .infer = infer, .graph = g, .uses = uses, .edits = edits};
  d.stem = find_stem(g);
  d.replaced = arena_zalloc(g->arena, g->op_count + 1);
  index_uses(&d);
  const bool *understood = understood_functions(&d);
  const uint32_t *frames = only_frames(infer, g);
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_region *body = g->funcs[f].body == ID_NONE ? NULL : &g->regions[g->funcs[f].body];
    if (!body || !body->block_count || !understood[f]) continue;
    assert(frames[f] == ID_NONE || infer->frames[frames[f]].func == f);
    d.block = body->first_block;
    d.frame = frames[f] == ID_NONE ? NULL : &infer->frames[frames[f]];
    // A public function has other callers than the one that is analysed.
    if (d.frame && d.frame->caller != ID_NONE && !g->funcs[f].is_private) d.frame = NULL;
    rewrite_function(&d, pass);
  }
  return pass == DIMS_LEGALIZE ? find_shape_op(&d) : ID_NONE;
}
