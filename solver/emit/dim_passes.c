// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/dim_passes.h"

#include <assert.h>
#include <string.h>

#include "solver/emit/dim_writer.h"
#include "solver/emit/legalize_shape.h"
#include "solver/formats/mlir/write.h"
#include "solver/ops/traits.h"

// --- what is known

static block_id block_of(const shape_graph *g, value_id value) {
  assert(value < g->value_count);
  const graph_value *v = &g->values[value];
  return v->is_argument ? v->def : g->ops[v->def].parent;
}

static bool is_argument(const dims *d, value_id value) {
  return value != VALUE_NONE && d->graph->values[value].is_argument;
}

// tensor.dim of a dim that is known: its term; TERM_NONE otherwise.
static term_id dim_of(const dims *d, op_id op, uint32_t *axis) {
  const shape_graph *g = d->graph;
  int64_t at;
  if (!dims_is_named(d, op, "tensor.dim") || g->ops[op].operand_count != 2) return TERM_NONE;
  const value_info *v = dims_info(d, graph_operand(g, op, 0)),
                   *index = dims_info(d, graph_operand(g, op, 1));
  if (!v || !index || !index->elements || index->element_count != 1) return TERM_NONE;
  if (block_of(g, graph_operand(g, op, 0)) != d->block) return TERM_NONE;
  if (index->elements[0] == TERM_NONE ||
      !term_int_value(d->infer->terms, index->elements[0], &at) || at < 0 || at >= v->rank)
    return TERM_NONE;
  *axis = (uint32_t)at;
  return v->dims[at];
}

// --- terms as arithmetic on dims of arguments

static uint32_t put_number(void *to, num x) {
  dims *d = to;
  int64_t value = 0;
  d->failed |= !num_to_int(x, &value);
  return dims_constant(d, value);
}

static uint32_t put_step(void *to, bool product, uint32_t a, uint32_t b) {
  return dims_binary(to, product ? "muli" : "addi", a, b);
}

// A dim of an argument, by its term.
static bool find_dim(const dims *d, term_id term, value_id *value, uint32_t *axis) {
  const graph_block *body = &d->graph->blocks[d->block];
  for (uint32_t i = 0; i < body->argument_count; i++) {
    *value = body->arguments + i;
    const value_info *v = dims_info(d, *value);
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
  if (!number && find_dim(d, term, &value, &axis)) return dims_dim(d, value, axis);
  return instructions_put(&d->computed, term);
}

static uint32_t put_atom(void *to, term_id atom) {
  dims *d = to;
  const term_node node = *term_get(d->infer->terms, atom);
  const term_id *args = node.as.args;
  int64_t divisor;
  value_id value;
  uint32_t axis;
  if (find_dim(d, atom, &value, &axis)) return dims_dim(d, value, axis);
  bool divides = node.kind == TERM_FLOORDIV && term_int_value(d->infer->terms, args[1], &divisor) &&
                 divisor > 0;
  if (divides) {
    uint32_t by = dims_constant(d, divisor);
    return dims_binary(d, "floordivsi", instructions_put(&d->computed, args[0]), by);
  }
  if (node.kind == TERM_BCAST) {
    uint32_t b = instructions_put(&d->computed, args[1]);
    return dims_broadcast(d, instructions_put(&d->computed, args[0]), b);
  }
  d->failed = true;
  return 0;
}

// --- edits

static void begin(dims *d, op_id op, shape_strbuf *text) {
  dims_begin(d, op, text);
  d->computed = (instructions){.terms = d->infer->terms,
                               .arena = d->graph->arena,
                               .number = put_number,
                               .atom = put_atom,
                               .step = put_step,
                               .writer = d};
}

// An index that is there already, under the name of the result.
static void result_is(dims *d, uint32_t value) {
  assert(d->failed || value < d->next);
  uint32_t zero = dims_constant(d, 0);
  dims_result(d, "arith.addi %%%s%u, %%%s%u : index", d->stem, value, d->stem, zero);
}

// --- materialize-dims

static void materialize(dims *d, op_id op) {
  const shape_graph *g = d->graph;
  assert(g->ops[op].parent == d->block);
  value_id from = graph_operand(g, op, 0), made = g->ops[op].results;
  uint32_t axis, count;
  shape_strbuf text;
  if (is_argument(d, from) || !dims_has_named_result(d, op)) return;
  begin(d, op, &text);
  if (dims_is_named(d, op, "tensor.dim")) {
    term_id term = dim_of(d, op, &axis);
    if (term == TERM_NONE) return;
    result_is(d, put_term(d, term));
    dims_replace(d);
    return;
  }
  const value_info *v = dims_info(d, from);
  if (!dims_is_named(d, op, "shape.shape_of") || !v || block_of(g, from) != d->block) return;
  if (!dims_index_count(d, made, &count) || count != v->rank || !count) return;
  uint32_t *values = arena_alloc(g->arena, count * sizeof *values);
  for (uint32_t i = 0; i < count && !d->failed; i++) {
    d->failed = v->dims[i] == TERM_NONE;
    if (!d->failed) values[i] = put_term(d, v->dims[i]);
  }
  if (d->failed) return;
  dims_result_elements(d, values, count);
  dims_replace(d);
}

// --- scalarize-shapes

static void scalarize_broadcast(dims *d, op_id op, uint32_t count) {
  const shape_graph *g = d->graph;
  const graph_op *o = &g->ops[op];
  uint32_t *values = arena_alloc(g->arena, (count + 1) * sizeof *values), length;
  if (dims_may_end(d, op)) return;  // the run
  for (uint32_t k = 0; k < o->operand_count; k++) {
    if (!dims_index_count(d, graph_operand(g, op, k), &length) || length > count) return;
  }
  for (uint32_t i = 0; i < count; i++) {
    bool first = true;
    for (uint32_t k = 0; k < o->operand_count; k++) {
      dims_index_count(d, graph_operand(g, op, k), &length);
      if (i + length < count) continue;
      uint32_t e = dims_element(d, graph_operand(g, op, k), i + length - count);
      values[i] = first ? e : dims_broadcast(d, values[i], e);
      first = false;
    }
    if (first) values[i] = dims_constant(d, 1);
  }
  dims_result_elements(d, values, count);
  dims_replace(d);
}

static void scalarize(dims *d, op_id op) {
  const shape_graph *g = d->graph;
  uint32_t count;
  shape_strbuf text;
  if (!dims_has_named_result(d, op) || !g->ops[op].operand_count) return;
  value_id from = graph_operand(g, op, 0), made = g->ops[op].results;
  begin(d, op, &text);
  assert(g->ops[op].parent == d->block);
  if (dims_is_named(d, op, "shape.num_elements") && dims_index_count(d, from, &count) &&
      graph_value_type(g, made) && graph_value_type(g, made)->kind == TYPE_SCALAR) {
    uint32_t product = dims_constant(d, 1);
    for (uint32_t i = 0; i < count; i++)
      product = dims_binary(d, "muli", product, dims_element(d, from, i));
    result_is(d, product);
    dims_replace(d);
    return;
  }
  if (!dims_index_count(d, made, &count) || !count) return;
  if (dims_is_named(d, op, "shape.broadcast")) scalarize_broadcast(d, op, count);
  const graph_type *type = dims_is_named(d, op, "shape.shape_of") ? dims_tensor_of(d, from) : NULL;
  if (!type || type->rank != count) return;
  uint32_t *values = arena_alloc(g->arena, count * sizeof *values);
  for (uint32_t i = 0; i < count; i++) values[i] = dims_dim(d, from, i);
  dims_result_elements(d, values, count);
  dims_replace(d);
}

// --- merge-dims

static void merge(dims *d) {
  const shape_graph *g = d->graph;
  shape_imap first = {0};
  uint32_t axis;
  for (op_id op = g->blocks[d->block].first; op != ID_NONE; op = g->ops[op].next) {
    term_id term = dim_of(d, op, &axis);
    value_id before;
    if (term == TERM_NONE || !dims_has_named_result(d, op)) continue;
    value_id made = g->ops[op].results;
    if (!imap_get(&first, term, &before)) {
      imap_put(&first, g->arena, term, made);
      continue;
    }
    if (!dims_is_placed(d, made) || !mlir_op_end(d->uses, op)) continue;
    dims_use_instead(d, made, dims_value_text(d, before));
    dims_remove_line(d, op);
  }
}

// --- tie-shape

static bool is_tied(const dims *d, value_id value) {
  const graph_type *type = dims_tensor_of(d, value);
  bool dynamic = false;
  for (uint32_t i = 0; type && i < type->rank; i++) dynamic |= !dim_is_static(type->dims[i]);
  const graph_value *v = &d->graph->values[value];
  bool tie = !v->is_argument && dims_is_named(d, v->def, "disc_shape.tie_shape");
  return dynamic && !tie && type->rank <= VALUE_MAX_RANK && !type->has_bounds &&
         dims_is_placed(d, value);
}

// After the operation that makes the value, or in front of the first where it is an argument.
static void tie(dims *d, value_id value) {
  uint32_t operands[VALUE_MAX_RANK];
  const graph_type *type = dims_tensor_of(d, value);
  assert(type->rank <= VALUE_MAX_RANK);
  const char *name = dims_value_text(d, value), *text = dims_type_text(d, value);
  for (uint32_t i = 0; i < type->rank; i++)
    operands[i] =
        dim_is_static(type->dims[i]) ? dims_constant(d, type->dims[i]) : dims_dim(d, value, i);
  uint32_t tied = d->next++;
  strbuf_printf(d->out, "%%%s%u = \"disc_shape.tie_shape\"(%s", d->stem, tied, name);
  for (uint32_t i = 0; i < type->rank; i++) strbuf_printf(d->out, ", %%%s%u", d->stem, operands[i]);
  strbuf_printf(d->out, ") : (%s", text);
  for (uint32_t i = 0; i < type->rank; i++) strbuf_puts(d->out, ", index");
  strbuf_printf(d->out, ") -> %s", text);
  dims_new_line(d);
  shape_strbuf tied_name;
  strbuf_init(&tied_name, d->graph->arena);
  strbuf_printf(&tied_name, "%%%s%u", d->stem, tied);
  dims_use_instead(d, value, strbuf_text(&tied_name));
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
  if (!dims_has_named_result(d, op)) return;
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
  dims_replace(d);
}

// --- all of them

static const bool *understood_functions(const dims *d) {
  const shape_graph *g = d->graph;
  bool *understood = arena_alloc(g->arena, g->func_count + 1);
  memset(understood, 1, g->func_count + 1);
  for (op_id op = 0; op < g->op_count; op++) {
    region_id region = g->blocks[g->ops[op].parent].region;
    if (mlir_op_hides_uses(d->uses, op)) understood[g->regions[region].func] = false;
  }
  return understood;
}

static void rewrite_function(dims *d, dims_pass pass) {
  const shape_graph *g = d->graph;
  if (pass == DIMS_MERGE) merge(d);
  if (pass == DIMS_TIE) tie_all(d);
  for (op_id op = g->blocks[d->block].first; op != ID_NONE; op = g->ops[op].next) {
    if (pass == DIMS_MATERIALIZE) materialize(d, op);
    if (pass == DIMS_SCALARIZE) scalarize(d, op);
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
                   text_edits *edits, const char **why) {
  shape_graph *g = report->graph;
  const infer_result *infer = report->infer;
  if (!infer || infer->entry == ID_NONE) return ID_NONE;
  dims d = {.report = report, .infer = infer, .graph = g, .uses = uses, .edits = edits};
  d.stem = dims_find_stem(g);
  d.replaced = arena_zalloc(g->arena, g->op_count + 1);
  dims_index_uses(&d);
  legalize_shape legal;
  if (pass == DIMS_LEGALIZE) legalize_shape_init(&legal, &d);
  const bool *understood = understood_functions(&d);
  const uint32_t *frames = only_frames(infer, g);
  for (func_id f = 0; f < g->func_count; f++) {
    const graph_region *body = g->funcs[f].body == ID_NONE ? NULL : &g->regions[g->funcs[f].body];
    if (!body || !body->block_count) continue;
    if (!understood[f] && pass != DIMS_LEGALIZE) continue;
    assert(frames[f] == ID_NONE || infer->frames[frames[f]].func == f);
    d.block = body->first_block;
    d.frame = frames[f] == ID_NONE ? NULL : &infer->frames[frames[f]];
    // A public function has other callers than the one that is analysed.
    if (d.frame && d.frame->caller != ID_NONE && !g->funcs[f].is_private) d.frame = NULL;
    if (pass == DIMS_LEGALIZE) {
      legalize_shape_function(&legal, f, understood[f]);
    } else {
      rewrite_function(&d, pass);
    }
  }
  return pass == DIMS_LEGALIZE ? legalize_shape_end(&legal, why) : ID_NONE;
}
