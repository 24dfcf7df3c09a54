// SPDX-License-Identifier: Apache-2.0
// Reading attributes: every spelling of a list of integers reads the same.
#include <assert.h>
#include <string.h>

#include "solver/graph/graph.h"

static inline bool has_name(const shape_graph *g, name_id id, const char *name, size_t length) {
  return id != NAME_NONE && intern_length(&g->names, id) == length &&
         text_equals(intern_text(&g->names, id), name, length);
}

attr_id graph_attr_find(const shape_graph *g, op_id op, const char *name, size_t length) {
  for (uint32_t i = 0; i < g->ops[op].attr_count; i++) {
    assert(g->ops[op].attrs + i < g->attributes.entry_count);
    attr_entry entry = g->attributes.entries[g->ops[op].attrs + i];
    if (has_name(g, entry.name, name, length)) return entry.value;
  }
  return ATTR_NONE;
}

attr_id graph_attr_find_entry(const shape_graph *g, attr_id dict, const char *name, size_t length) {
  uint32_t count;
  const attr_entry *entries = attr_entries(graph_attr_get(g, dict), &count);
  for (uint32_t i = 0; i < count; i++) {
    if (has_name(g, entries[i].name, name, length)) return entries[i].value;
  }
  return ATTR_NONE;
}

static bool same_parts(const shape_graph *g, const graph_attr *a, const graph_attr *b) {
  uint32_t count, entry_count;
  const attr_id *x = attr_items(a, &count), *y = attr_items(b, &count);
  const attr_entry *p = attr_entries(a, &entry_count), *q = attr_entries(b, &entry_count);
  for (uint32_t i = 0; i < count; i++) {
    if (!graph_attr_same(g, x[i], y[i])) return false;
  }
  for (uint32_t i = 0; i < entry_count; i++) {
    if (p[i].name != q[i].name || !graph_attr_same(g, p[i].value, q[i].value)) return false;
  }
  return true;
}

static bool same_numbers(const graph_attr *a, const graph_attr *b) {
  uint32_t count, float_count;
  const int64_t *x = attr_held_ints(a, &count), *y = attr_held_ints(b, &count);
  const double *p = attr_held_floats(a, &float_count), *q = attr_held_floats(b, &float_count);
  if (count && x != y && memcmp(x, y, count * sizeof *x) != 0) return false;
  return !float_count || p == q || memcmp(p, q, float_count * sizeof *p) == 0;
}

bool graph_attr_same(const shape_graph *g, attr_id x, attr_id y) {
  if (x == y) return true;
  const graph_attr *a = graph_attr_get(g, x), *b = graph_attr_get(g, y);
  if (!a || !b || a->kind != b->kind || a->splat != b->splat || a->holds != b->holds ||
      a->count != b->count || a->type != b->type || a->text != b->text || a->kind == ATTR_OPAQUE)
    return false;
  return attr_has_numbers(a) ? same_numbers(a, b) : same_parts(g, a, b);
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
  assert(product <= UINT32_MAX);
  *count = (uint32_t)product;
  return product <= DENSE_TRACKED;
}

static bool read_array(const shape_graph *g, const graph_attr *attr, const int64_t **values,
                       uint32_t *count) {
  const attr_id *items = attr_items(attr, count);
  int64_t *copy = arena_alloc(g->arena, *count * sizeof *copy);
  for (uint32_t i = 0; i < *count; i++) {
    const graph_attr *item = graph_attr_get(g, items[i]);
    if (!item || (item->kind != ATTR_INT && item->kind != ATTR_BOOL)) return false;
    copy[i] = attr_one_int(item);
  }
  *values = copy;
  return true;
}

static bool read_splat(const shape_graph *g, const graph_attr *attr, const int64_t **values,
                       uint32_t *count) {
  int64_t value;
  if (!element_count(g, attr->type, count) || !attr_int_at(attr, 0, &value)) return false;
  int64_t *copy = arena_alloc(g->arena, *count * sizeof *copy);
  for (uint32_t i = 0; i < *count; i++) copy[i] = value;
  *values = copy;
  return true;
}

bool graph_attr_ints(const shape_graph *g, attr_id id, const int64_t **values, uint32_t *count) {
  const graph_attr *attr = graph_attr_get(g, id);
  if (!attr) return false;
  bool read = true;
  if (attr->kind == ATTR_ARRAY) {
    read = read_array(g, attr, values, count);
  } else if (attr->holds != HOLDS_INTS) {
    return false;
  } else if (attr->splat) {
    read = read_splat(g, attr, values, count);
  } else {
    *values = attr_held_ints(attr, count);
  }
  if (!read) *count = 0;
  return read;
}

bool graph_attr_int(const shape_graph *g, attr_id id, int64_t *value) {
  const graph_attr *attr = graph_attr_get(g, id);
  if (!attr || attr->count != 1) return false;
  uint32_t elements;
  if (attr->splat && (!element_count(g, attr->type, &elements) || elements != 1)) return false;
  return attr_int_at(attr, 0, value);
}

bool graph_attr_is_whole(const shape_graph *g, const graph_attr *attr) {
  const graph_type *type = attr->type == TYPE_NONE ? NULL : type_get(&g->types, attr->type);
  shape_dtype dtype = type ? (shape_dtype)type->dtype : DTYPE_OTHER;
  bool one = attr->count == 1;
  if (attr->splat && (attr->kind != ATTR_DENSE || attr->count > 1)) return false;
  switch ((attr_kind)attr->kind) {
  case ATTR_BOOL:
  case ATTR_INT: return one && attr->holds == HOLDS_INTS;
  case ATTR_FLOAT: return one && attr->holds == HOLDS_FLOATS;
  case ATTR_ARRAY: return attr->holds == HOLDS_ITEMS;
  case ATTR_DICT: return attr->holds == HOLDS_ENTRIES;
  case ATTR_INTS: return attr->holds == HOLDS_INTS;
  case ATTR_DENSE:
    return attr->holds == HOLDS_INTS     ? dtype_is_integer(dtype)
           : attr->holds == HOLDS_FLOATS ? dtype_is_float(dtype)
                                         : attr->holds == HOLDS_NOTHING && !attr->count;
  default: return attr->holds == HOLDS_NOTHING && !attr->count;
  }
}

const char *graph_attr_text(const shape_graph *g, attr_id id) {
  if (id == ATTR_NONE) return NULL;
  const graph_attr *attr = &g->attributes.items[id];
  bool has_text = attr->kind == ATTR_STRING || attr->kind == ATTR_ENUM || attr->kind == ATTR_SYMBOL;
  return has_text && attr->text != NAME_NONE ? intern_text(&g->names, attr->text) : NULL;
}
