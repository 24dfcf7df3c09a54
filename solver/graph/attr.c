// SPDX-License-Identifier: Apache-2.0
// Reading attributes: every spelling of a list of integers reads the same.
#include <string.h>

#include "solver/graph/graph.h"

static bool has_name(const shape_graph *g, name_id id, const char *name, size_t length) {
  return id != NAME_NONE && intern_length(&g->names, id) == length &&
         memcmp(intern_text(&g->names, id), name, length) == 0;
}

attr_id graph_attr_named(const shape_graph *g, op_id op, const char *name) {
  size_t length = strlen(name);
  for (uint32_t i = 0; i < g->ops[op].attr_count; i++) {
    attr_entry entry = g->attr_entries[g->ops[op].attrs + i];
    if (has_name(g, entry.name, name, length)) return entry.value;
  }
  return ATTR_NONE;
}

attr_id graph_attr_entry(const shape_graph *g, attr_id dict, const char *name) {
  if (dict == ATTR_NONE || g->attrs[dict].kind != ATTR_DICT) return ATTR_NONE;
  const graph_attr *attr = &g->attrs[dict];
  size_t length = strlen(name);
  for (uint32_t i = 0; i < attr->count; i++) {
    if (has_name(g, attr->as.entries[i].name, name, length)) return attr->as.entries[i].value;
  }
  return ATTR_NONE;
}

// Number of elements of a static tensor type; false for any other, and for one that does not fit.
static bool element_count(const shape_graph *g, type_id id, uint32_t *count) {
  if (id == TYPE_NONE || type_get(&g->types, id)->kind != TYPE_TENSOR) return false;
  const graph_type *type = type_get(&g->types, id);
  uint64_t product = 1;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (!dim_is_static(type->dims[i])) return false;
    if (type->dims[i] == 0) {
      *count = 0;
      return true;
    }
    if (product > DENSE_TRACKED || (uint64_t)type->dims[i] > DENSE_TRACKED) {
      product = (uint64_t)DENSE_TRACKED + 1;
    } else {
      product *= (uint64_t)type->dims[i];
    }
  }
  *count = (uint32_t)product;
  return product <= DENSE_TRACKED;
}

static bool is_integer_dense(const shape_graph *g, const graph_attr *attr) {
  return attr->kind == ATTR_DENSE && attr->has_data && attr->type != TYPE_NONE &&
         dtype_is_integer((shape_dtype)type_get(&g->types, attr->type)->dtype);
}

static bool read_array(const shape_graph *g, const graph_attr *attr, const int64_t **values,
                       uint32_t *count) {
  for (uint32_t i = 0; i < attr->count; i++) {
    if (attr->as.items[i] == ATTR_NONE) return false;
    uint8_t kind = g->attrs[attr->as.items[i]].kind;
    if (kind != ATTR_INT && kind != ATTR_BOOL) return false;
  }
  int64_t *copy = arena_alloc(g->arena, attr->count * sizeof *copy);
  for (uint32_t i = 0; i < attr->count; i++) copy[i] = g->attrs[attr->as.items[i]].as.ints[0];
  *values = copy;
  *count = attr->count;
  return true;
}

static bool read_splat(const shape_graph *g, const graph_attr *attr, const int64_t **values,
                       uint32_t *count) {
  uint32_t elements;
  if (!element_count(g, attr->type, &elements)) return false;
  int64_t *copy = arena_alloc(g->arena, elements * sizeof *copy);
  for (uint32_t i = 0; i < elements; i++) copy[i] = attr->as.ints[0];
  *values = copy;
  *count = elements;
  return true;
}

bool graph_attr_ints(const shape_graph *g, attr_id id, const int64_t **values, uint32_t *count) {
  if (id == ATTR_NONE) return false;
  const graph_attr *attr = &g->attrs[id];
  switch ((attr_kind)attr->kind) {
  case ATTR_BOOL:
  case ATTR_INT:
    *values = attr->as.ints;
    *count = 1;
    return true;
  case ATTR_INTS:
    *values = attr->as.ints;
    *count = attr->count;
    return true;
  case ATTR_ARRAY: return read_array(g, attr, values, count);
  case ATTR_DENSE:
    if (!is_integer_dense(g, attr)) return false;
    if (attr->splat) return read_splat(g, attr, values, count);
    *values = attr->as.ints;
    *count = attr->count;
    return true;
  default: return false;
  }
}

bool graph_attr_int(const shape_graph *g, attr_id id, int64_t *value) {
  if (id == ATTR_NONE) return false;
  const graph_attr *attr = &g->attrs[id];
  bool one = attr->kind == ATTR_INT || attr->kind == ATTR_BOOL ||
             (attr->kind == ATTR_INTS && attr->count == 1);
  if (attr->kind == ATTR_DENSE && is_integer_dense(g, attr)) {
    uint32_t elements;
    one = attr->splat ? element_count(g, attr->type, &elements) && elements == 1 : attr->count == 1;
  }
  if (one) *value = attr->as.ints[0];
  return one;
}

const char *graph_attr_text(const shape_graph *g, attr_id id) {
  if (id == ATTR_NONE) return NULL;
  const graph_attr *attr = &g->attrs[id];
  bool has_text = attr->kind == ATTR_STRING || attr->kind == ATTR_ENUM || attr->kind == ATTR_SYMBOL;
  return has_text && attr->text != NAME_NONE ? intern_text(&g->names, attr->text) : NULL;
}
