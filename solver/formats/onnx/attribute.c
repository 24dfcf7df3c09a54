// SPDX-License-Identifier: Apache-2.0
// AttributeProto to attributes. Old files leave the attribute's type out, so the field that is there says the kind.
#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/reader.h"

typedef struct numbers {
  shape_arena *arena;
  int64_t *ints;
  double *floats;
  attr_id *items;
  uint32_t count, capacity;
} numbers;

static bool add_int(void *data, uint64_t value) {
  numbers *n = data;
  n->ints =
      arena_grow(n->arena, n->ints, n->count, (size_t)n->count + 1, &n->capacity, sizeof *n->ints);
  assert(n->count < n->capacity);
  n->ints[n->count++] = (int64_t)value;
  return true;
}

static double float_value(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, sizeof f);
  return (double)f;
}

static bool add_float(void *data, uint64_t value) {
  numbers *n = data;
  n->floats = arena_grow(n->arena, n->floats, n->count, (size_t)n->count + 1, &n->capacity,
                         sizeof *n->floats);
  assert(n->count < n->capacity);
  n->floats[n->count++] = float_value(value);
  return true;
}

static attr_id text_attr(onnx_reader *r, wire_span text) {
  graph_attr attr = {.kind = ATTR_STRING,
                     .type = TYPE_NONE,
                     .text = onnx_name(r, text),
                     .span = onnx_span(r, text)};
  return graph_add_attr(r->graph, &attr);
}

static void add_string(onnx_reader *r, numbers *n, wire_span text) {
  n->items = arena_grow(n->arena, n->items, n->count, (size_t)n->count + 1, &n->capacity,
                        sizeof *n->items);
  n->items[n->count++] = text_attr(r, text);
}

// Floats as a dense vector, so that scales in an attribute and in a tensor read the same.
static void set_floats(onnx_reader *r, graph_attr *attr, const numbers *n) {
  assert(n->floats || !n->count);
  int64_t dim = n->count;
  attr->kind = ATTR_DENSE;
  attr->type = type_tensor(&r->graph->types, DTYPE_F32, &dim, 1);
  attr_set_floats(attr, n->floats, n->count);
}

typedef struct attribute_parts {
  wire_field name, scalar;
  wire_span reference;  // the name of an attribute around it
  numbers list;
  uint32_t list_kind;  // ATTRIBUTE_FLOATS, _INTS or _STRINGS, or 0
  uint64_t type;       // AttributeProto.AttributeType, or 0
  bool has_scalar;
} attribute_parts;

static bool refuse(onnx_reader *r, const wire_field *list, wire_span message,
                   const attribute_parts *parts) {
  shape_strbuf what;
  strbuf_init(&what, r->graph->arena);
  strbuf_printf(&what, "attribute '%s'", onnx_text(r, parts->name.bytes));
  if (list) {
    onnx_malformed_list(r, list->bytes, list->number == ATTRIBUTE_FLOATS ? 4 : 0,
                        strbuf_text(&what));
  } else {
    onnx_malformed(r, message, strbuf_text(&what));
  }
  return false;
}

// False after a message, and where it refers to an attribute: of a node that has none around it.
static bool collect(onnx_reader *r, wire_span message, attribute_parts *parts) {
  wire_reader w = wire_open(message);
  wire_field f;
  bool fine = true;
  *parts = (attribute_parts){.list = {.arena = r->graph->arena}};
  while (fine && wire_next(&w, &f)) {
    bool listed =
        f.number == ATTRIBUTE_INTS || f.number == ATTRIBUTE_FLOATS || f.number == ATTRIBUTE_STRINGS;
    // An attribute has one list; a file that gives two is left with the last.
    if (listed && parts->list_kind != f.number) parts->list = (numbers){.arena = r->graph->arena};
    switch (f.number) {
    case ATTRIBUTE_NAME: parts->name = f; break;
    case ATTRIBUTE_TYPE: parts->type = f.value; break;
    case ATTRIBUTE_F:
    case ATTRIBUTE_I:
    case ATTRIBUTE_S:
    case ATTRIBUTE_T:
    case ATTRIBUTE_TP:
    case ATTRIBUTE_SPARSE_TENSOR: parts->scalar = f, parts->has_scalar = true; break;
    case ATTRIBUTE_INTS:
      parts->list_kind = f.number, fine = wire_each_number(&f, 0, add_int, &parts->list);
      break;
    case ATTRIBUTE_FLOATS:
      parts->list_kind = f.number, fine = wire_each_number(&f, 4, add_float, &parts->list);
      break;
    case ATTRIBUTE_STRINGS:
      parts->list_kind = f.number, add_string(r, &parts->list, f.bytes);
      break;
    case ATTRIBUTE_G: r->has_graphs = true; break;
    case ATTRIBUTE_REF_NAME: parts->reference = f.bytes; break;
    default: break;
    }
  }
  r->has_graphs |= !fine || w.malformed;  // the rest was not inspected
  wire_field reference;
  if (!fine && wire_find(message, ATTRIBUTE_REF_NAME, &reference))
    parts->reference = reference.bytes;
  if (parts->reference.size) {
    r->has_graphs = true;
    return false;
  }
  return (fine && !w.malformed) || refuse(r, fine ? NULL : &f, message, parts);
}

// An attribute may be an empty list: then only its type says which. Types: 6 FLOATS, 7 INTS, 8 STRINGS.
static uint32_t list_of(const attribute_parts *parts) {
  if (parts->list_kind) return parts->list_kind;
  if (parts->type == 6) return ATTRIBUTE_FLOATS;
  if (parts->type == 7) return ATTRIBUTE_INTS;
  return parts->type == 8 ? ATTRIBUTE_STRINGS : 0;
}

// A scalar that is at its default value may be left out of the bytes: 1 FLOAT, 2 INT, 3 STRING.
static bool default_scalar(onnx_reader *r, const attribute_parts *parts, graph_attr *attr,
                           attr_id *whole) {
  static const double zero = 0;
  static const int64_t none = 0;
  if (parts->type == 1) {
    attr->kind = ATTR_FLOAT, attr_set_floats(attr, &zero, 1);
  } else if (parts->type == 2) {
    attr->kind = ATTR_INT, attr_set_ints(attr, &none, 1);
  } else if (parts->type == 3) {
    *whole = text_attr(r, (wire_span){parts->name.bytes.data, 0});
  } else {
    return false;
  }
  return true;
}

static void set_scalar(onnx_reader *r, const wire_field *f, graph_attr *attr, attr_id *whole) {
  if (f->number == ATTRIBUTE_T) {
    *whole = onnx_tensor(r, f->bytes, NULL);
  } else if (f->number == ATTRIBUTE_SPARSE_TENSOR) {
    *whole = onnx_sparse_tensor(r, f->bytes, NULL);
  } else if (f->number == ATTRIBUTE_S) {
    *whole = text_attr(r, f->bytes);
  } else if (f->number == ATTRIBUTE_TP) {
    attr->kind = ATTR_TYPE;
    attr->type = onnx_type(r, f->bytes);
  } else if (f->number == ATTRIBUTE_F) {
    double *value = arena_alloc(r->graph->arena, sizeof *value);
    *value = float_value(f->value);
    attr->kind = ATTR_FLOAT, attr_set_floats(attr, value, 1);
  } else {
    int64_t *value = arena_alloc(r->graph->arena, sizeof *value);
    *value = (int64_t)f->value;
    attr->kind = ATTR_INT, attr_set_ints(attr, value, 1);
  }
}

bool onnx_attribute(onnx_reader *r, wire_span message, attr_entry *entry) {
  attribute_parts parts;
  if (!collect(r, message, &parts)) return false;
  graph_attr attr = {.type = TYPE_NONE, .text = NAME_NONE, .span = onnx_span(r, message)};
  attr_id whole = ATTR_NONE;
  uint32_t list = list_of(&parts);
  onnx_step(r, 1 + parts.list.count);
  bool is_scalar = false;
  if (parts.has_scalar && !list) {
    set_scalar(r, &parts.scalar, &attr, &whole);
    if (parts.scalar.number == ATTRIBUTE_T && whole == ATTR_NONE) return false;
    is_scalar = true;
  }
  if (list == ATTRIBUTE_FLOATS) {
    set_floats(r, &attr, &parts.list);
  } else if (list) {
    attr.kind = list == ATTRIBUTE_INTS ? ATTR_INTS : ATTR_ARRAY;
    if (list == ATTRIBUTE_INTS) {
      attr_set_ints(&attr, parts.list.ints, parts.list.count);
    } else {
      attr_set_items(&attr, parts.list.items, parts.list.count);
    }
  } else if (!is_scalar && !default_scalar(r, &parts, &attr, &whole)) {
    return false;  // a subgraph, or nothing
  }
  assert(whole == ATTR_NONE || whole < r->graph->attributes.count);
  entry->name = onnx_name(r, parts.name.bytes);
  entry->value = whole != ATTR_NONE ? whole : graph_add_attr(r->graph, &attr);
  return true;
}
