// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_dump.h"

#include <assert.h>
#include <string.h>

static void dump_attr(const shape_graph *g, shape_strbuf *out, attr_id attr);

static void put_name(const shape_graph *g, shape_strbuf *out, name_id name) {
  if (name == NAME_NONE) return;
  strbuf_add(out, intern_text(&g->names, name), intern_length(&g->names, name));
}

static bool put_symbol(void *data, shape_strbuf *out, uint32_t symbol) {
  const shape_graph *g = data;
  if (!out) return true;
  strbuf_putc(out, '@');
  if (symbol < g->declared.symbol_count) put_name(g, out, g->declared.symbols[symbol].name);
  return true;
}

static void put_type(const shape_graph *g, shape_strbuf *out, type_id type) {
  type_print_encoded(&g->types, out, type, put_symbol, (void *)g);
  if (type == TYPE_NONE || !type_get(&g->types, type)->has_bounds) return;
  const graph_type *t = type_get(&g->types, type);  // bounds are where symbols would
  for (uint32_t i = 0; i < t->rank; i++) {
    if (dim_is_symbol(t->dims[i])) put_symbol((void *)g, out, dim_symbol(t->dims[i]));
  }
}

static void put_dense(const shape_graph *g, shape_strbuf *out, const graph_attr *attr) {
  strbuf_puts(out, attr->splat ? "dense<splat" : "dense<");
  if (!attr_has_numbers(attr)) strbuf_puts(out, " ...");
  uint32_t count;
  const int64_t *ints = attr_held_ints(attr, &count);
  for (uint32_t i = 0; i < count; i++) {
    strbuf_putc(out, ' ');
    strbuf_int(out, ints[i]);
  }
  const double *floats = attr_held_floats(attr, &count);
  for (uint32_t i = 0; i < count; i++) strbuf_printf(out, " %.17g", floats[i]);
  strbuf_puts(out, "> : ");
  put_type(g, out, attr->type);
}

// By name, because the order in which attributes were written means nothing.
static attr_entry *sorted(const shape_graph *g, const attr_entry *entries, uint32_t count) {
  attr_entry *order = arena_alloc(g->arena, count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    const char *name = intern_text(&g->names, entries[i].name);
    while (at && strcmp(intern_text(&g->names, order[at - 1].name), name) > 0) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = entries[i];
  }
  return order;
}

static void put_entries(const shape_graph *g, shape_strbuf *out, const attr_entry *entries,
                        uint32_t count) {
  const attr_entry *order = sorted(g, entries, count);
  strbuf_putc(out, '{');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(out, ", ");
    put_name(g, out, order[i].name);
    strbuf_puts(out, " = ");
    dump_attr(g, out, order[i].value);
  }
  strbuf_putc(out, '}');
}

// Lists of integers print alike in all their spellings, because the rules read them alike.
static void put_ints(shape_strbuf *out, const int64_t *values, uint32_t count) {
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_puts(out, ", ");
    strbuf_int(out, values[i]);
  }
  strbuf_putc(out, ']');
}

static void put_array(const shape_graph *g, shape_strbuf *out, const graph_attr *attr, attr_id id) {
  const int64_t *values;
  uint32_t count;
  if (graph_attr_ints(g, id, &values, &count)) {
    put_ints(out, values, count);
    return;
  }
  strbuf_putc(out, '[');
  for (uint32_t i = 0; i < attr->count; i++) {
    if (i) strbuf_puts(out, ", ");
    dump_attr(g, out, attr_item_at(attr, i));
  }
  strbuf_putc(out, ']');
}

static void dump_attr(const shape_graph *g, shape_strbuf *out, attr_id id) {
  if (id == ATTR_NONE) {
    strbuf_puts(out, "<<none>>");
    return;
  }
  const graph_attr *attr = &g->attributes.items[id];
  const attr_entry *entries;
  const int64_t *ints;
  uint32_t count;
  switch ((attr_kind)attr->kind) {
  case ATTR_UNIT: strbuf_puts(out, "unit"); break;
  case ATTR_BOOL: strbuf_puts(out, attr_one_int(attr) ? "true" : "false"); break;
  case ATTR_INT: strbuf_int(out, attr_one_int(attr)); break;
  case ATTR_FLOAT: strbuf_printf(out, "%.17g", attr_one_float(attr)); break;
  case ATTR_STRING:
    strbuf_putc(out, '"');
    put_name(g, out, attr->text);
    strbuf_putc(out, '"');
    break;
  case ATTR_TYPE: put_type(g, out, attr->type); break;
  case ATTR_ARRAY: put_array(g, out, attr, id); break;
  case ATTR_DICT:
    if (attr->text != NAME_NONE) {
      strbuf_putc(out, '#');
      put_name(g, out, attr->text);
    }
    entries = attr_entries(attr, &count);
    put_entries(g, out, entries, count);
    break;
  case ATTR_INTS:
    ints = attr_held_ints(attr, &count);
    put_ints(out, ints, count);
    break;
  case ATTR_DENSE: put_dense(g, out, attr); break;
  case ATTR_SYMBOL:
    strbuf_putc(out, '@');
    put_name(g, out, attr->text);
    break;
  case ATTR_ENUM: put_name(g, out, attr->text); break;
  case ATTR_OPAQUE:
    strbuf_puts(out, "opaque ");
    assert(attr->span.begin <= attr->span.end && attr->span.end <= g->source.length);
    strbuf_add(out, g->source.text + attr->span.begin, attr->span.end - attr->span.begin);
    break;
  }
}

static void put_value(const shape_graph *g, shape_strbuf *out, value_id value, bool with_type) {
  if (value == VALUE_NONE) {
    strbuf_puts(out, "<<none>>");
    return;
  }
  strbuf_printf(out, "%%%u", value);
  if (!with_type) return;
  strbuf_puts(out, ": ");
  put_type(g, out, g->values[value].type);
}

static void indent(shape_strbuf *out, uint32_t depth) {
  for (uint32_t i = 0; i < depth; i++) strbuf_puts(out, "  ");
}

static void put_region(const shape_graph *g, shape_strbuf *out, region_id region, uint32_t depth);

static void put_op(const shape_graph *g, shape_strbuf *out, op_id id, uint32_t depth) {
  assert(id < g->op_count);
  const graph_op *op = &g->ops[id];
  indent(out, depth);
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i) strbuf_puts(out, ", ");
    put_value(g, out, op->results + i, true);
  }
  if (op->result_count) strbuf_puts(out, " = ");
  put_name(g, out, op->name);
  strbuf_putc(out, '(');
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (i) strbuf_puts(out, ", ");
    put_value(g, out, g->operands[op->operands + i], false);
  }
  strbuf_putc(out, ')');
  if (op->attr_count) {
    strbuf_putc(out, ' ');
    put_entries(g, out, graph_attr_entries(g, op->attrs), op->attr_count);
  }
  for (uint32_t i = 0; i < op->region_count; i++) put_region(g, out, op->regions + i, depth);
  strbuf_putc(out, '\n');
}

// The depth is that of the program, which readers bound.
static void put_region(const shape_graph *g, shape_strbuf *out, region_id id, uint32_t depth) {
  const graph_region *region = &g->regions[id];
  strbuf_puts(out, " {\n");
  for (uint32_t i = 0; i < region->block_count; i++) {
    const graph_block *block = &g->blocks[region->first_block + i];
    indent(out, depth);
    strbuf_printf(out, "^bb%u(", i);
    for (uint32_t k = 0; k < block->argument_count; k++) {
      if (k) strbuf_puts(out, ", ");
      put_value(g, out, block->arguments + k, true);
    }
    strbuf_puts(out, "):\n");
    for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) {
      put_op(g, out, op, depth + 1);
    }
  }
  indent(out, depth);
  strbuf_putc(out, '}');
}

static void put_attr_list(const shape_graph *g, shape_strbuf *out, const char *what,
                          const attr_id *attrs, uint32_t count) {
  for (uint32_t i = 0; attrs && i < count; i++) {
    if (attrs[i] == ATTR_NONE || !graph_attr_get(g, attrs[i])->count) continue;
    strbuf_printf(out, " %s%u", what, i);
    dump_attr(g, out, attrs[i]);
  }
}

static void put_func(const shape_graph *g, shape_strbuf *out, const graph_func *func) {
  strbuf_printf(out, "func %u:@", func->module);
  put_name(g, out, func->name);
  if (func->is_private) strbuf_puts(out, " private");
  if (func->is_declaration) strbuf_puts(out, " declaration");
  if (func->type != TYPE_NONE) {
    strbuf_putc(out, ' ');
    put_type(g, out, func->type);
    const graph_type *type = type_get(&g->types, func->type);
    assert(type->split <= type->param_count);
    put_attr_list(g, out, "arg", func->argument_attrs, type->split);
    put_attr_list(g, out, "result", func->result_attrs, type->param_count - type->split);
  }
  if (func->attr_count) {
    strbuf_putc(out, ' ');
    put_entries(g, out, graph_attr_entries(g, func->attrs), func->attr_count);
  }
  if (func->body != ID_NONE) put_region(g, out, func->body, 0);
  strbuf_putc(out, '\n');
}

void graph_dump(const shape_graph *g, shape_strbuf *out) {
  for (uint32_t i = 0; i < g->declared.symbol_count; i++) {
    const graph_symbol *symbol = &g->declared.symbols[i];
    strbuf_puts(out, "symbol @");
    put_name(g, out, symbol->name);
    strbuf_puts(out, " in ");
    strbuf_int(out, symbol->min);
    strbuf_puts(out, "..");
    strbuf_int(out, symbol->max);
    strbuf_putc(out, '\n');
  }
  for (uint32_t i = 0; i < g->func_count; i++) put_func(g, out, &g->funcs[i]);
}
