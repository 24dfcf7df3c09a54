// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/torch/build.h"

#include <assert.h>
#include <math.h>
#include <string.h>

value_id build_op(torch_builder *b, const char *op, const value_id *operands, uint32_t count,
                  const attr_entry *attr, uint32_t results) {
  assert(op && (operands || !count));
  shape_graph *g = b->g;
  op_id id = graph_add_op(g, intern_add(&g->names, op, strlen(op)), b->block, b->span);
  g->ops[id].name_span = graph_is_text(g) ? b->span : SPAN_NONE;  // else the name of a node
  graph_set_operands(g, id, operands, count);
  if (attr) graph_set_attrs(g, id, attr, 1);
  if (g->budget) budget_take(g->budget, 1 + count);
  value_id first = results ? graph_add_results(g, id, results) : VALUE_NONE;
  for (uint32_t i = 0; i < results; i++) g->values[first + i].at = UINT32_MAX;
  return first;
}

static value_id constant(torch_builder *b, const char *op, const graph_attr *attr, type_id type) {
  shape_graph *g = b->g;
  attr_entry entry = {NAME_NONE, ATTR_NONE};
  if (attr) entry = (attr_entry){intern_add(&g->names, "value", 5), graph_add_attr(g, attr)};
  value_id made = build_op(b, op, NULL, 0, attr ? &entry : NULL, 1);
  g->values[made].type = type;
  return made;
}

static value_id integer(torch_builder *b, int64_t value, const char *op, attr_kind kind) {
  int64_t *kept = arena_alloc(b->g->arena, sizeof *kept);
  *kept = value;
  type_id type = type_scalar(&b->g->types, DTYPE_I64);
  graph_attr attr = {
      .kind = (uint8_t)kind, .type = TYPE_NONE, .text = NAME_NONE, .span = SPAN_NONE};
  if (kind == ATTR_INT) attr.type = type;
  attr_set_ints(&attr, kept, 1);
  return constant(b, op, &attr, type);
}

attr_entry build_scanned(shape_graph *g, uint32_t count) {
  int64_t *value = arena_alloc(g->arena, sizeof *value);
  *value = count;
  graph_attr attr = {.kind = ATTR_INT,
                     .type = type_scalar(&g->types, DTYPE_I64),
                     .text = NAME_NONE,
                     .span = SPAN_NONE};
  attr_set_ints(&attr, value, 1);
  return (attr_entry){intern_add(&g->names, "num_scan_inputs", 15), graph_add_attr(g, &attr)};
}

value_id build_int(torch_builder *b, int64_t value) {
  return integer(b, value, "torch.constant.int", ATTR_INT);
}

value_id build_bool(torch_builder *b, bool value) {
  return integer(b, value, "torch.constant.bool", ATTR_BOOL);
}

value_id build_real(torch_builder *b, double value) {
  type_id type = type_scalar(&b->g->types, DTYPE_F64);
  if (!isfinite(value)) return constant(b, "torch.constant.float", NULL, type);
  double *kept = arena_alloc(b->g->arena, sizeof *kept);
  *kept = value;
  graph_attr attr = {.kind = ATTR_FLOAT, .type = TYPE_NONE, .text = NAME_NONE, .span = SPAN_NONE};
  attr_set_floats(&attr, kept, 1);
  return constant(b, "torch.constant.float", &attr, type);
}

value_id build_text(torch_builder *b, const char *text, size_t length) {
  graph_attr attr = {.kind = ATTR_STRING, .type = TYPE_NONE, .span = SPAN_NONE};
  attr.text = intern_add(&b->g->names, text, length);
  return constant(b, "torch.constant.str", &attr, TYPE_NONE);
}

value_id build_none(torch_builder *b) {
  return constant(b, "torch.constant.none", NULL, TYPE_NONE);
}

value_id build_other(torch_builder *b) {
  return constant(b, "torch.constant.device", NULL, TYPE_NONE);
}

value_id build_list(torch_builder *b, const value_id *values, uint32_t count) {
  return build_op(b, "torch.prim.ListConstruct", values, count, NULL, 1);
}

void build_bind(torch_builder *b, value_id value, const char *const *texts, uint32_t count) {
  assert(value < b->g->value_count && texts);
  shape_graph *g = b->g;
  attr_id *items = arena_alloc(g->arena, ((size_t)count + 1) * sizeof *items);
  for (uint32_t i = 0; i < count; i++) {
    graph_attr attr = {.kind = ATTR_STRING, .type = TYPE_NONE, .span = SPAN_NONE};
    attr.text = intern_add(&g->names, texts[i], strlen(texts[i]));
    items[i] = graph_add_attr(g, &attr);
  }
  graph_attr list = {.kind = ATTR_ARRAY, .type = TYPE_NONE, .text = NAME_NONE, .span = SPAN_NONE};
  attr_set_items(&list, items, count);
  attr_entry entry = {intern_add(&g->names, "value", 5), graph_add_attr(g, &list)};
  build_op(b, "torch.export.bind", &value, 1, &entry, 0);
}

static bool is_name_char(char c) {
  return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || (c >= '0' && c <= '9');
}

static bool is_function(const char *name, size_t length) {
  static const char *const FUNCTIONS[] = {"floordiv", "ceildiv", "mod", "min", "max"};
  for (unsigned i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
    if (strlen(FUNCTIONS[i]) == length && memcmp(FUNCTIONS[i], name, length) == 0) return true;
  }
  return false;
}

bool build_knows(shape_graph *g, const char *text, bool declare) {
  for (const char *p = text; *p;) {
    if (!is_name_char(*p) || (*p >= '0' && *p <= '9')) {
      p++;
      continue;
    }
    const char *from = p;
    while (is_name_char(*p)) p++;
    size_t length = (size_t)(p - from);
    if (is_function(from, length)) continue;
    name_id name = intern_add(&g->names, from, length);
    if (graph_find_symbol(g, name) != ID_NONE) continue;
    if (!declare) return false;
    graph_add_symbol(g, name, SPAN_NONE);
  }
  return true;
}
