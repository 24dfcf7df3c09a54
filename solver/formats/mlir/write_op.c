// SPDX-License-Identifier: Apache-2.0
// Operations, blocks and functions in generic form.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/mlir/location.h"
#include "solver/formats/mlir/write.h"

void mlir_writer_init(mlir_writer *w, shape_graph *graph, const mlir_uses *uses,
                      const type_id *types, shape_strbuf *out) {
  *w = (mlir_writer){.graph = graph, .uses = uses, .types = types, .out = out, .failed = ID_NONE};
}

static void fail(mlir_writer *w, op_id op) {
  if (w->failed == ID_NONE) w->failed = op;
}

// --- types

// The symbols of a type that names its dims; a size that is a number has a symbol with that one value.
static bool symbol_of(const shape_graph *g, int64_t dim, const char **name) {
  if (dim_is_symbol(dim)) {
    assert(dim_symbol(dim) < g->declared.symbol_count);
    const graph_symbol *s = &g->declared.symbols[dim_symbol(dim)];
    *name = intern_text(&g->names, s->name);
    return !s->in_attribute;
  }
  for (uint32_t i = 0; dim_is_static(dim) && i < g->declared.symbol_count; i++) {
    const graph_symbol *s = &g->declared.symbols[i];
    if (s->min != dim || s->max != dim || s->in_attribute) continue;
    *name = intern_text(&g->names, s->name);
    return true;
  }
  return false;
}

void mlir_write_type(mlir_writer *w, type_id id) {
  const shape_graph *g = w->graph;
  const graph_type *type = type_get(&g->types, id);
  bool named = false;
  const char *name;
  type_print(&g->types, w->out, id);
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    named |= dim_is_symbol(type->dims[i]) && symbol_of(g, type->dims[i], &name);
  }
  if (!named) return;
  w->out->length--;  // '>'
  for (uint32_t i = 0; i < type->rank; i++) {
    bool has = symbol_of(g, type->dims[i], &name);
    strbuf_puts(w->out, i ? ", " : ", [");
    strbuf_puts(w->out, has ? "@" : "unit");
    if (has) mlir_put_symbol(w->out, name);
  }
  strbuf_puts(w->out, "]>");
}

static type_id type_of(const mlir_writer *w, value_id value) {
  return w->types ? w->types[value] : w->graph->values[value].type;
}

void mlir_write_value_type(mlir_writer *w, value_id value) {
  if (type_of(w, value) != TYPE_NONE) mlir_write_type(w, type_of(w, value));
}

// --- values

// A name that no value of the program has: `v` and a number.
static void give_name(mlir_writer *w, value_id value) {
  assert(value < w->graph->value_count);
  shape_graph *g = w->graph;
  if (!w->given) {
    w->given = arena_alloc(g->arena, (g->value_count + 1) * sizeof *w->given);
    for (uint32_t i = 0; i < g->value_count; i++) w->given[i] = UINT32_MAX;
  }
  while (w->given[value] == UINT32_MAX) {
    char text[24];
    size_t length = (size_t)snprintf(text, sizeof text, "v%u", w->next_given++);
    if (intern_find(&g->names, text, length) == NAME_NONE) w->given[value] = w->next_given - 1;
  }
}

// Results of one name are side by side; the first of them and how many.
static void group_of(const shape_graph *g, value_id value, value_id *first, uint32_t *count) {
  assert(value < g->value_count);
  const graph_value *v = &g->values[value];
  *first = value;
  *count = 1;
  if (v->is_argument) return;
  const graph_op *op = &g->ops[v->def];
  while (*first > op->results && g->values[*first - 1].at == v->at) --*first;
  *count = value - *first + 1;
  while (*first + *count < op->results + op->result_count &&
         g->values[*first + *count].at == v->at) {
    ++*count;
  }
}

static void write_name(mlir_writer *w, value_id value) {
  uint32_t length;
  const char *text = graph_value_text(w->graph, value, &length);
  strbuf_putc(w->out, '%');
  if (length) {
    strbuf_add(w->out, text, length);
    return;
  }
  give_name(w, value);
  strbuf_printf(w->out, "v%u", w->given[value]);
}

static bool has_name(const mlir_writer *w, value_id value) {
  uint32_t length;
  graph_value_text(w->graph, value, &length);
  return length > 0;
}

void mlir_write_value(mlir_writer *w, value_id value) {
  value_id first;
  uint32_t count;
  write_name(w, value);
  group_of(w->graph, value, &first, &count);
  if (count > 1 && has_name(w, value)) strbuf_printf(w->out, "#%u", value - first);
}

static void write_results(mlir_writer *w, const graph_op *op) {
  for (value_id v = op->results, end = v + op->result_count; v < end;) {
    value_id first;
    uint32_t count;
    group_of(w->graph, v, &first, &count);
    if (!has_name(w, v)) count = 1;
    if (v > op->results) strbuf_puts(w->out, ", ");
    write_name(w, v);
    if (count > 1) strbuf_printf(w->out, ":%u", count);
    v += count;
  }
  if (op->result_count) strbuf_puts(w->out, " = ");
}

// --- operations

static void indent_by(mlir_writer *w, uint32_t indent) {
  strbuf_putc(w->out, '\n');
  for (uint32_t i = 0; i < indent; i++) strbuf_puts(w->out, "  ");
}

void mlir_write_location(mlir_writer *w, source_span span) {
  source_span found = w->located ? mlir_location_span(w->graph, span) : SPAN_NONE;
  if (span_is_none(found)) return;
  strbuf_putc(w->out, ' ');
  strbuf_add(w->out, w->graph->source.text + found.begin, found.end - found.begin);
}

static void find_argument_types(mlir_writer *w) {
  const shape_graph *g = w->graph;
  w->written_end = arena_zalloc(g->arena, (g->value_count + 1) * sizeof *w->written_end);
  for (uint32_t i = 0; i < w->uses->count; i++) {
    const mlir_type_use *use = &w->uses->items[i];
    if (use->kind != MLIR_USE_VALUE || use->subject >= g->value_count) continue;
    const graph_value *v = &g->values[use->subject];
    uint32_t *end = &w->written_end[use->subject];
    if (v->is_argument && !*end && use->span.begin > v->at) *end = use->span.end;
  }
}

// type [{attributes}] [loc(...)]: from the end of the type to the comma or parenthesis after it.
static void write_argument_location(mlir_writer *w, value_id value) {
  const shape_graph *g = w->graph;
  if (!w->located || !w->uses) return;
  if (!w->written_end) find_argument_types(w);
  uint32_t from = w->written_end[value], at = from, depth = 0;
  if (!from) return;
  for (; at < g->source.length; at++) {
    char c = g->source.text[at];
    if (c == '"') {
      for (at++; at < g->source.length && g->source.text[at] != '"'; at++)
        at += g->source.text[at] == '\\';
    } else if (c == '(' || c == '{' || c == '[') {
      depth++;
    } else if (!depth && (c == ',' || c == ')')) {
      break;
    } else if (c == ')' || c == '}' || c == ']') {
      depth--;
    }
  }
  if (at >= g->source.length) return;
  while (at > from && (unsigned char)g->source.text[at - 1] <= ' ') at--;
  mlir_write_location(w, (source_span){from, at});
}

// Blocks are named by their position in the region.
static void write_block(mlir_writer *w, block_id block, uint32_t index, bool label,
                        uint32_t indent) {
  assert(block < w->graph->block_count);
  const graph_block *b = &w->graph->blocks[block];
  if (label) {
    indent_by(w, indent);
    strbuf_printf(w->out, "^bb%u", index);
    for (uint32_t i = 0; i < b->argument_count; i++) {
      strbuf_puts(w->out, i ? ", " : "(");
      write_name(w, b->arguments + i);
      strbuf_puts(w->out, ": ");
      mlir_write_value_type(w, b->arguments + i);
      write_argument_location(w, b->arguments + i);
    }
    strbuf_puts(w->out, b->argument_count ? "):" : ":");
  }
  for (op_id op = b->first; op != ID_NONE; op = w->graph->ops[op].next) {
    indent_by(w, indent + 1);
    mlir_write_op(w, op, indent + 1);
  }
}

void mlir_write_region(mlir_writer *w, region_id region, bool label, uint32_t indent) {
  assert(region < w->graph->region_count);
  const graph_region *r = &w->graph->regions[region];
  strbuf_putc(w->out, '{');
  for (uint32_t i = 0; i < r->block_count; i++) {
    const graph_block *b = &w->graph->blocks[r->first_block + i];
    bool empty = b->first == ID_NONE;  // `{}` is a region without blocks
    write_block(w, r->first_block + i, i, label || i || empty || b->argument_count > 0, indent);
  }
  if (r->block_count) indent_by(w, indent);
  strbuf_putc(w->out, '}');
}

static void write_successors(mlir_writer *w, op_id op) {
  uint32_t count;
  const graph_successor *rows = graph_successors(w->graph, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_printf(w->out, "%s^bb%u", i ? ", " : "[", rows[i].block);
  }
  if (count) strbuf_putc(w->out, ']');
}

static void write_signature(mlir_writer *w, op_id op) {
  const graph_op *o = &w->graph->ops[op];
  strbuf_putc(w->out, '(');
  for (uint32_t i = 0; i < o->operand_count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    mlir_write_value_type(w, graph_operand(w->graph, op, i));
  }
  strbuf_puts(w->out, ") -> ");
  if (o->result_count != 1) strbuf_putc(w->out, '(');
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    mlir_write_value_type(w, o->results + i);
  }
  if (o->result_count != 1) strbuf_putc(w->out, ')');
}

static bool is_writable(const mlir_writer *w, op_id op) {
  const graph_op *o = &w->graph->ops[op];
  if (w->uses && mlir_op_is_partial(w->uses, op)) return false;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    if (graph_operand(w->graph, op, i) == VALUE_NONE) return false;
  }
  for (uint32_t i = 0; i < o->result_count; i++) {
    if (type_of(w, o->results + i) == TYPE_NONE) return false;
  }
  return true;
}

static void write_operands(mlir_writer *w, op_id op) {
  strbuf_putc(w->out, '(');
  for (uint32_t i = 0; i < w->graph->ops[op].operand_count; i++) {
    if (i) strbuf_puts(w->out, ", ");
    mlir_write_value(w, graph_operand(w->graph, op, i));
  }
  strbuf_putc(w->out, ')');
}

static void write_properties(mlir_writer *w, op_id op) {
  uint32_t count = mlir_op_properties(w->uses, op);
  assert(count <= w->graph->ops[op].attr_count);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_puts(w->out, i ? ", " : " <{");
    mlir_write_entry(w, op, w->graph->attributes.entries[w->graph->ops[op].attrs + i]);
  }
  if (count) strbuf_puts(w->out, "}>");
}

// From number `first` on. Two attributes may be left out; NULL: none.
static void write_attrs(mlir_writer *w, op_id op, uint32_t first, const char *without,
                        const char *nor) {
  const shape_graph *g = w->graph;
  const graph_op *o = &g->ops[op];
  const char *before = " {";
  for (uint32_t i = first; i < o->attr_count; i++) {
    attr_entry entry = g->attributes.entries[o->attrs + i];
    const char *name = intern_text(&g->names, entry.name);
    if ((without && strcmp(name, without) == 0) || (nor && strcmp(name, nor) == 0)) continue;
    strbuf_puts(w->out, before);
    mlir_write_entry(w, op, entry);
    before = ", ";
  }
  strbuf_puts(w->out, *before == ',' ? "} : " : " : ");
}

void mlir_write_op(mlir_writer *w, op_id op, uint32_t indent) {
  assert(op < w->graph->op_count);
  const shape_graph *g = w->graph;
  const graph_op *o = &g->ops[op];
  if (!is_writable(w, op)) {
    fail(w, op);
    return;
  }
  write_results(w, o);
  strbuf_printf(w->out, "\"%s\"", graph_op_name(g, op));
  write_operands(w, op);
  write_successors(w, op);
  write_properties(w, op);
  for (uint32_t i = 0; i < o->region_count; i++) {
    strbuf_puts(w->out, i ? ", " : " (");
    mlir_write_region(w, o->regions + i, false, indent);
  }
  if (o->region_count) strbuf_putc(w->out, ')');
  write_attrs(w, op, mlir_op_properties(w->uses, op), NULL, NULL);
  write_signature(w, op);
  mlir_write_location(w, o->span);
}

void mlir_write_custom_call(mlir_writer *w, op_id op, bool quoted, const char *without) {
  static const char TARGET[] = "call_target_name";
  const shape_graph *g = w->graph;
  const char *target = graph_attr_text(g, graph_attr_named(g, op, TARGET));
  bool bare = target && mlir_is_bare_name(target, (uint32_t)strlen(target));
  strbuf_printf(w->out, quoted ? "\"%s\"" : "%s @", graph_op_name(g, op));
  if (!quoted && bare) strbuf_puts(w->out, target);
  if (!quoted && !bare)
    mlir_write_quoted(w, target ? target : "", target ? (uint32_t)strlen(target) : 0);
  write_operands(w, op);
  write_attrs(w, op, 0, without, quoted ? NULL : TARGET);
  write_signature(w, op);
}
