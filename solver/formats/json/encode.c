// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/encode.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/facts/store.h"
#include "solver/formats/json/write.h"
#include "solver/graph/dominance.h"

typedef struct encoder {
  const shape_graph *g;
  shape_strbuf *out;
  const uint32_t *positions;  // of the blocks around, by index in their region; NULL: as they are
} encoder;

static void put(encoder *e, const char *text) { strbuf_puts(e->out, text); }

static void put_text(encoder *e, const char *text, size_t length) {
  json_writer w;
  json_writer_init(&w, e->out);
  json_text(&w, text, length);
}

static void put_name(encoder *e, name_id name) {
  put_text(e, intern_text(&e->g->names, name), intern_length(&e->g->names, name));
}

static void comma(encoder *e, bool *first) {
  if (!*first) strbuf_putc(e->out, ',');
  *first = false;
}

// --- types

static bool has_symbols(const shape_graph *g, type_id id) {
  const graph_type *t = type_get(&g->types, id);
  for (uint32_t i = 0; i < t->rank; i++) {
    if (dim_is_symbol(t->dims[i])) return true;
  }
  for (uint32_t i = 0; i < t->param_count; i++) {
    if (t->params[i] != TYPE_NONE && has_symbols(g, t->params[i])) return true;
  }
  return false;
}

static void put_type(encoder *e, type_id id);

static void put_sizes(encoder *e, const int64_t *sizes, uint32_t count) {
  strbuf_putc(e->out, '[');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    if (dim_is_static(sizes[i])) {
      strbuf_int(e->out, sizes[i]);
    } else if (dim_is_symbol(sizes[i])) {
      assert(dim_symbol(sizes[i]) < e->g->declared.symbol_count);
      put_name(e, e->g->declared.symbols[dim_symbol(sizes[i])].name);
    } else {
      put(e, "null");
    }
  }
  strbuf_putc(e->out, ']');
}

// Types that MLIR has a spelling for are texts; symbols as dims and ONNX's own kinds need an object.
static void put_type_object(encoder *e, const graph_type *t) {
  static const char *const KEYS[] = {[TYPE_TUPLE] = "tuple",
                                     [TYPE_SEQUENCE] = "sequence",
                                     [TYPE_OPTIONAL] = "optional",
                                     [TYPE_MAP] = "map",
                                     [TYPE_OPAQUE] = NULL};
  assert(t->kind < sizeof KEYS / sizeof *KEYS);
  const char *key = KEYS[t->kind];
  if (key) {
    bool list = t->kind == TYPE_TUPLE || t->kind == TYPE_MAP;
    strbuf_printf(e->out, "{\"%s\":%s", key, list ? "[" : "");
    for (uint32_t i = 0; i < t->param_count; i++) {
      if (i) strbuf_putc(e->out, ',');
      put_type(e, t->params[i]);
    }
    put(e, list ? "]}" : "}");
    return;
  }
  put(e, "{\"dtype\":\"");
  put(e, dtype_name((shape_dtype)t->dtype));
  strbuf_putc(e->out, '"');
  if (t->kind != TYPE_SCALAR) {
    put(e, ",\"dims\":");
    if (t->kind == TYPE_TENSOR) {
      put_sizes(e, t->dims, t->rank);
    } else {
      put(e, "null");
    }
  }
  if (t->has_bounds) {
    put(e, ",\"bounds\":");
    put_sizes(e, t->bounds, t->rank);
  }
  if (t->encoding != NAME_NONE) {
    put(e, ",\"encoding\":");
    put_name(e, t->encoding);
  }
  strbuf_putc(e->out, '}');
}

static void put_type(encoder *e, type_id id) {
  if (id == TYPE_NONE) {
    put(e, "null");
    return;
  }
  const graph_type *t = type_get(&e->g->types, id);
  bool own = t->kind == TYPE_SEQUENCE || t->kind == TYPE_OPTIONAL || t->kind == TYPE_MAP;
  // The object form is of tensors alone.
  bool plain =
      t->text == NAME_NONE && t->dtype < DTYPE_QUANTIZED && t->container == CONTAINER_TENSOR;
  if (own || (plain && (t->encoding != NAME_NONE || has_symbols(e->g, id)))) {
    put_type_object(e, t);
    return;
  }
  shape_strbuf text;
  strbuf_init(&text, e->g->arena);
  type_print(&e->g->types, &text, id);
  put_text(e, text.data, text.length);
}

// --- attributes

static void put_attr(encoder *e, attr_id id);

static void put_float(encoder *e, double value) {
  char text[40];
  if (isnan(value)) {
    put(e, "\"nan\"");
    return;
  }
  if (isinf(value)) {
    put(e, value < 0 ? "\"-inf\"" : "\"inf\"");
    return;
  }
  // As few digits as say the same.
  for (int digits = 6; digits <= 17; digits += digits == 6 ? 3 : 8) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  put(e, text);
  if (!strpbrk(text, ".e")) put(e, ".0");
}

static void put_dense(encoder *e, const graph_attr *a) {
  assert(a->kind == ATTR_DENSE);
  const graph_type *t = type_get(&e->g->types, a->type);
  put(e, "{\"dense\":");
  if (!attr_has_numbers(a)) {
    put(e, "null");
  } else {
    uint32_t count;
    if (!a->splat) strbuf_putc(e->out, '[');
    const double *floats = attr_held_floats(a, &count);
    for (uint32_t i = 0; i < count; i++) {
      if (i) strbuf_putc(e->out, ',');
      put_float(e, floats[i]);
    }
    const int64_t *ints = attr_held_ints(a, &count);
    for (uint32_t i = 0; i < count; i++) {
      if (i) strbuf_putc(e->out, ',');
      if (t->dtype == DTYPE_UI64) {
        strbuf_printf(e->out, "%llu", (unsigned long long)ints[i]);
      } else {
        // Readers of MLIR have true as -1 where they sign-extend.
        strbuf_int(e->out, t->dtype == DTYPE_I1 ? ints[i] != 0 : ints[i]);
      }
    }
    if (!a->splat) strbuf_putc(e->out, ']');
  }
  put(e, ",\"type\":");
  put_type(e, a->type);
  strbuf_putc(e->out, '}');
}

static void put_entries(encoder *e, const attr_entry *entries, uint32_t count) {
  assert(entries || !count);
  strbuf_putc(e->out, '{');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    put_name(e, entries[i].name);
    strbuf_putc(e->out, ':');
    put_attr(e, entries[i].value);
  }
  strbuf_putc(e->out, '}');
}

// A dictionary that could be taken for one of the forms of PROTOCOL.md.
static bool is_ambiguous(const encoder *e, const graph_attr *a) {
  static const char *const FORMS[] = {"dense",  "int",  "float",  "type",
                                      "symbol", "enum", "opaque", "dict"};
  uint32_t count;
  const attr_entry *entries = attr_entries(a, &count);
  if (count > 2) return false;
  for (uint32_t i = 0; i < count; i++) {
    const char *key = intern_text(&e->g->names, entries[i].name);
    if (*key == '#') return true;
    for (unsigned k = 0; k < sizeof FORMS / sizeof *FORMS; k++) {
      if (strcmp(key, FORMS[k]) == 0) return true;
    }
  }
  return false;
}

static void put_dict(encoder *e, const graph_attr *a) {
  assert(a->kind == ATTR_DICT);
  bool wrap = a->text != NAME_NONE || is_ambiguous(e, a);
  if (a->text != NAME_NONE) {
    put(e, "{\"#");
    strbuf_add(e->out, intern_text(&e->g->names, a->text), intern_length(&e->g->names, a->text));
    put(e, "\":");
  } else if (wrap) {
    put(e, "{\"dict\":");
  }
  uint32_t count;
  const attr_entry *entries = attr_entries(a, &count);
  put_entries(e, entries, count);
  if (wrap) strbuf_putc(e->out, '}');
}

static void put_form(encoder *e, const char *form, const char *text, size_t length) {
  strbuf_printf(e->out, "{\"%s\":", form);
  put_text(e, text, length);
  strbuf_putc(e->out, '}');
}

static void put_items(encoder *e, const graph_attr *a) {
  assert(a->kind == ATTR_ARRAY || a->kind == ATTR_INTS);
  strbuf_putc(e->out, '[');
  uint32_t count;
  const int64_t *ints = attr_held_ints(a, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    strbuf_int(e->out, ints[i]);
  }
  const attr_id *items = attr_items(a, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    put_attr(e, items[i]);
  }
  strbuf_putc(e->out, ']');
}

static void put_opaque(encoder *e, const graph_attr *a) {
  assert(a->kind == ATTR_OPAQUE);
  const shape_graph *g = e->g;
  if (a->text != NAME_NONE) {
    put_form(e, "opaque", intern_text(&g->names, a->text), intern_length(&g->names, a->text));
  } else if (a->span.end <= g->source.length && a->span.begin <= a->span.end) {
    put_form(e, "opaque", g->source.text + a->span.begin, a->span.end - a->span.begin);
  } else {
    put(e, "null");
  }
}

static void put_attr(encoder *e, attr_id id) {
  const graph_attr *a = graph_attr_get(e->g, id);
  if (!a) {
    put(e, "null");
    return;
  }
  const char *text = a->text == NAME_NONE ? "" : intern_text(&e->g->names, a->text);
  size_t length = a->text == NAME_NONE ? 0 : intern_length(&e->g->names, a->text);
  switch ((attr_kind)a->kind) {
  case ATTR_UNIT: put(e, "null"); break;
  case ATTR_BOOL: put(e, attr_one_int(a) ? "true" : "false"); break;
  case ATTR_INT: strbuf_int(e->out, attr_one_int(a)); break;
  case ATTR_FLOAT:
    if (isfinite(attr_one_float(a))) {
      put_float(e, attr_one_float(a));
    } else {
      put(e, "{\"float\":");
      put_float(e, attr_one_float(a));
      strbuf_putc(e->out, '}');
    }
    break;
  case ATTR_STRING: put_text(e, text, length); break;
  case ATTR_TYPE:
    put(e, "{\"type\":");
    put_type(e, a->type);
    strbuf_putc(e->out, '}');
    break;
  case ATTR_ARRAY:
  case ATTR_INTS: put_items(e, a); break;
  case ATTR_DICT: put_dict(e, a); break;
  case ATTR_DENSE: put_dense(e, a); break;
  case ATTR_SYMBOL: put_form(e, "symbol", text, length); break;
  case ATTR_ENUM: put_form(e, "enum", text, length); break;
  case ATTR_OPAQUE: put_opaque(e, a); break;
  }
}

// --- operations

static void put_value(encoder *e, value_id v) {
  assert(v == VALUE_NONE || v < e->g->value_count);
  const shape_graph *g = e->g;
  if (v == VALUE_NONE) {
    put(e, "null");
    return;
  }
  const graph_value *value = &g->values[v];
  uint32_t length;
  const char *name = graph_value_text(g, v, &length);
  if (!length) {
    strbuf_printf(e->out, "\"%%%u\"", v);  // no name of MLIR has a '%'
    return;
  }
  // Results of one operation share a name in MLIR.
  bool shared =
      g->format == GRAPH_MLIR && !value->is_argument && g->ops[value->def].result_count > 1;
  if (!shared) {
    put_text(e, name, length);
    return;
  }
  shape_strbuf text;
  strbuf_init(&text, g->arena);
  strbuf_add(&text, name, length);
  strbuf_printf(&text, "#%u", graph_value_index(g, v));
  put_text(e, text.data, text.length);
}

static void put_slots(encoder *e, value_id first, uint32_t count) {
  assert(!count || (uint64_t)first + count <= e->g->value_count);
  strbuf_putc(e->out, '[');
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    put_value(e, first + i);
    strbuf_putc(e->out, ',');
    put_type(e, e->g->values[first + i].type);
  }
  strbuf_putc(e->out, ']');
}

static void put_op(encoder *e, op_id id);

static void put_block(encoder *e, block_id id) {
  assert(id < e->g->block_count);
  const graph_block *block = &e->g->blocks[id];
  strbuf_putc(e->out, '[');
  put_slots(e, block->arguments, block->argument_count);
  for (op_id op = block->first; op != ID_NONE; op = e->g->ops[op].next) {
    strbuf_putc(e->out, ',');
    put_op(e, op);
  }
  strbuf_putc(e->out, ']');
}

// A value is defined before it is used: each block comes after the one that dominates it.
static void put_blocks(encoder *e, region_id id) {
  const shape_graph *g = e->g;
  uint32_t count = g->regions[id].block_count;
  const uint32_t *outer = e->positions;
  const uint32_t *dominators = graph_dominators(g, id, g->arena, g->budget);
  const uint32_t *order = graph_block_order(dominators, count, g->arena);
  uint32_t *positions = arena_alloc(g->arena, ((size_t)count + 1) * sizeof *positions);
  for (uint32_t i = 0; i < count; i++) positions[order[i]] = i;
  e->positions = positions;
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    put_block(e, g->regions[id].first_block + order[i]);
  }
  e->positions = outer;
}

static void put_region(encoder *e, region_id id) {
  assert(id < e->g->region_count);
  const graph_region *region = &e->g->regions[id];
  if (region->block_count == 1) {
    put_block(e, region->first_block);
    return;
  }
  put(e, "{\"blocks\":[");
  put_blocks(e, id);
  put(e, "]}");
}

static void put_successors(encoder *e, const graph_successor *rows, uint32_t count) {
  assert(rows && count);
  strbuf_putc(e->out, '[');
  for (uint32_t i = 0; i < count; i++) {
    strbuf_printf(e->out, "%s[%u", i ? "," : "",
                  e->positions ? e->positions[rows[i].block] : rows[i].block);
    if (rows[i].count != GRAPH_OPERANDS_UNKNOWN)
      strbuf_printf(e->out, ",%u,%u", rows[i].first, rows[i].count);
    strbuf_putc(e->out, ']');
  }
  strbuf_putc(e->out, ']');
}

// The part that follows one; an operation whose syntax was not understood is an object and names its parts.
static void put_part(encoder *e, const graph_op *op, const char *key) {
  strbuf_putc(e->out, ',');
  if (op->unread) strbuf_printf(e->out, "\"%s\":", key);
}

// [name, operands, results, attributes, regions, successors], without what is empty at the end.
static void put_op(encoder *e, op_id id) {
  assert(id < e->g->op_count);
  const graph_op *op = &e->g->ops[id];
  assert(!op->operand_count || (uint64_t)op->operands + op->operand_count <= e->g->operand_count);
  put(e, op->unread ? "{\"unread\":" : "[");
  put_name(e, op->name);
  uint32_t successors;
  const graph_successor *rows = graph_successors(e->g, id, &successors);
  unsigned parts = successors          ? 5
                   : op->region_count  ? 4
                   : op->attr_count    ? 3
                   : op->result_count  ? 2
                   : op->operand_count ? 1
                                       : 0;
  if (parts >= 1) {
    put_part(e, op, "operands");
    strbuf_putc(e->out, '[');
    for (uint32_t i = 0; i < op->operand_count; i++) {
      if (i) strbuf_putc(e->out, ',');
      put_value(e, e->g->operands[op->operands + i]);
    }
    strbuf_putc(e->out, ']');
  }
  if (parts >= 2) {
    put_part(e, op, "results");
    put_slots(e, op->results, op->result_count);
  }
  if (parts >= 3) {
    put_part(e, op, "attributes");
    put_entries(e, graph_attr_entries(e->g, op->attrs), op->attr_count);
  }
  if (parts >= 4) {
    put_part(e, op, "regions");
    strbuf_putc(e->out, '[');
    for (uint32_t i = 0; i < op->region_count; i++) {
      if (i) strbuf_putc(e->out, ',');
      put_region(e, op->regions + i);
    }
    strbuf_putc(e->out, ']');
  }
  if (successors) {
    put_part(e, op, "successors");
    put_successors(e, rows, successors);
  }
  strbuf_putc(e->out, op->unread ? '}' : ']');
}

// --- functions

static void put_attributes(encoder *e, const attr_id *attrs, uint32_t index) {
  if (!attrs || attrs[index] == ATTR_NONE) return;
  const graph_attr *a = graph_attr_get(e->g, attrs[index]);
  put(e, ",\"attributes\":");
  uint32_t count;
  const attr_entry *entries = attr_entries(a, &count);
  put_entries(e, entries, count);
}

static void put_arguments(encoder *e, const graph_func *f, const graph_type *type) {
  const graph_block *entry = f->body == ID_NONE || !e->g->regions[f->body].block_count
                                 ? NULL
                                 : &e->g->blocks[e->g->regions[f->body].first_block];
  uint32_t count = entry ? entry->argument_count : type ? type->split : 0;
  put(e, ",\"arguments\":[");
  for (uint32_t i = 0; i < count; i++) {
    if (i) strbuf_putc(e->out, ',');
    put(e, "{\"name\":");
    if (entry) {
      put_value(e, entry->arguments + i);
    } else {
      strbuf_printf(e->out, "\"arg%u\"", i);
    }
    put(e, ",\"type\":");
    type_id id = entry ? e->g->values[entry->arguments + i].type : type->params[i];
    // An argument has to have a type: this one says nothing.
    if (id == TYPE_NONE)
      put(e, "\"tensor<*xnone>\"");
    else
      put_type(e, id);
    put_attributes(e, f->argument_attrs, i);
    strbuf_putc(e->out, '}');
  }
  strbuf_putc(e->out, ']');
}

static void put_func(encoder *e, const graph_func *f) {
  const shape_graph *g = e->g;
  const graph_type *type = f->type == TYPE_NONE ? NULL : type_get(&g->types, f->type);
  strbuf_putc(e->out, '{');
  if (f->module) strbuf_printf(e->out, "\"module\":%u,", f->module);
  put(e, "\"name\":");
  if (f->name == NAME_NONE) {
    put(e, "null");
  } else {
    put_name(e, f->name);
  }
  if (f->is_private) put(e, ",\"private\":true");
  put_arguments(e, f, type);
  if (type) {
    put(e, ",\"results\":[");
    for (uint32_t i = type->split; i < type->param_count; i++) {
      uint32_t k = i - type->split;
      bool attributes = f->result_attrs && f->result_attrs[k] != ATTR_NONE;
      if (k) strbuf_putc(e->out, ',');
      if (attributes) put(e, "{\"type\":");
      put_type(e, type->params[i]);
      if (attributes) {
        put_attributes(e, f->result_attrs, k);
        strbuf_putc(e->out, '}');
      }
    }
    strbuf_putc(e->out, ']');
  }
  if (f->attr_count) {
    put(e, ",\"attributes\":");
    put_entries(e, graph_attr_entries(g, f->attrs), f->attr_count);
  }
  if (f->body != ID_NONE && g->regions[f->body].block_count == 1) {
    put(e, ",\"ops\":[");
    bool first = true;
    const graph_block *block = &g->blocks[g->regions[f->body].first_block];
    for (op_id op = block->first; op != ID_NONE; op = g->ops[op].next) {
      comma(e, &first);
      put_op(e, op);
    }
    strbuf_putc(e->out, ']');
  } else if (f->body != ID_NONE) {
    put(e, ",\"blocks\":[");
    put_blocks(e, f->body);
    strbuf_putc(e->out, ']');
  }
  strbuf_putc(e->out, '}');
}

// --- symbols

static void put_symbol(encoder *e, const graph_symbol *s) {
  assert((s->ranges || !s->range_count) && (s->likely || !s->likely_count));
  put(e, "{\"name\":");
  put_name(e, s->name);
  if (s->is_value) put(e, ",\"value\":true");
  if (s->min == INT64_MIN && !s->is_value) put(e, ",\"min\":null");
  if (s->min != INT64_MIN && (s->min || s->is_value)) {
    strbuf_printf(e->out, ",\"min\":%lld", (long long)s->min);
  }
  if (s->max != INT64_MAX) strbuf_printf(e->out, ",\"max\":%lld", (long long)s->max);
  if (s->multiple_of != 1) {
    strbuf_printf(e->out, ",\"divisible_by\":%lld", (long long)s->multiple_of);
  }
  if (s->range_count) {
    put(e, ",\"ranges\":[");
    for (uint32_t i = 0; i < s->range_count; i++) {
      strbuf_printf(e->out, "%s[%lld,", i ? "," : "", (long long)s->ranges[2 * i]);
      if (s->ranges[2 * i + 1] == INT64_MAX) {
        put(e, "null]");
      } else {
        strbuf_printf(e->out, "%lld]", (long long)s->ranges[2 * i + 1]);
      }
    }
    strbuf_putc(e->out, ']');
  }
  if (s->definition) {
    put(e, ",\"def\":");
    put_text(e, s->definition, strlen(s->definition));
  }
  if (s->rank >= SYMBOL_OPAQUE) put(e, ",\"computed\":true");
  if (s->likely_count) {
    put(e, ",\"likely\":[");
    for (uint32_t i = 0; i < s->likely_count; i++) {
      strbuf_printf(e->out, "%s%lld", i ? "," : "", (long long)s->likely[i]);
    }
    strbuf_putc(e->out, ']');
  }
  strbuf_putc(e->out, '}');
}

void graph_json_encode(const shape_graph *graph, shape_strbuf *out) {
  encoder state = {graph, out, NULL}, *e = &state;
  bool first = true;
  put(e, "{");
  if (graph->onnx_opset) strbuf_printf(out, "\"opset\":%u,\n", (unsigned)graph->onnx_opset);
  if (graph->declared.symbol_count) {
    put(e, "\"symbols\":[");
    for (uint32_t i = 0; i < graph->declared.symbol_count; i++) {
      comma(e, &first);
      put_symbol(e, &graph->declared.symbols[i]);
    }
    put(e, "],\n");
  }
  if (graph->declared.assumption_count) {
    put(e, "\"constraints\":[");
    first = true;
    for (uint32_t i = 0; i < graph->declared.assumption_count; i++) {
      const graph_assumption *a = &graph->declared.assumptions[i];
      comma(e, &first);
      if (a->found) put(e, "{\"expr\":");
      put_text(e, a->text, a->length);
      if (a->found) put(e, a->required ? ",\"required\":true}" : "}");
    }
    put(e, "],\n");
  }
  put(e, "\"functions\":[");
  first = true;
  for (uint32_t i = 0; i < graph->func_count; i++) {
    if (!first) put(e, ",\n");
    first = false;
    put_func(e, &graph->funcs[i]);
  }
  put(e, "]}\n");
}
