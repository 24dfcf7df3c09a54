// SPDX-License-Identifier: Apache-2.0
// TypeProto to types. dim_value 0 is a real size; an absent dim_value and dim_param "" mean unknown.
#include <assert.h>

#include "solver/formats/onnx/reader.h"

// The symbol of a dim_param, declared at its first use.
static int64_t symbol_size(onnx_reader *r, wire_span text, source_span span) {
  int64_t size;
  name_id name = onnx_name(r, text);
  uint32_t symbol = graph_find_symbol(r->graph, name);
  if (symbol == ID_NONE && onnx_dim_expression(r, text, span, &size)) return size;
  if (symbol == ID_NONE) symbol = graph_add_symbol(r->graph, name, span);
  assert(symbol < r->graph->declared.symbol_count);
  return dim_of_symbol(symbol);
}

static int64_t dimension(onnx_reader *r, wire_span dim) {
  wire_field f;
  if (wire_find(dim, DIM_VALUE, &f)) {
    int64_t size = (int64_t)f.value;
    // Some exporters write -1 (or another negative number) for "not known".
    return size >= 0 ? size : DIM_DYNAMIC;
  }
  if (wire_find(dim, DIM_PARAM, &f) && f.bytes.size)
    return symbol_size(r, f.bytes, onnx_span(r, f.bytes));
  wire_span text;
  if (wire_find(dim, DIM_APPLICATION, &f) && f.type == WIRE_BYTES &&
      onnx_dim_application(r, f.bytes, &text))
    return symbol_size(r, text, onnx_span(r, f.bytes));
  return DIM_DYNAMIC;
}

static type_id tensor_type(onnx_reader *r, wire_span message, bool sparse) {
  wire_field f;
  shape_dtype dtype = DTYPE_OTHER;
  graph_type type = {
      .kind = TYPE_UNRANKED, .sparse = sparse, .text = NAME_NONE, .encoding = NAME_NONE};
  if (wire_find(message, TENSOR_TYPE_ELEM, &f) && f.value && !dtype_from_onnx(f.value, &dtype)) {
    onnx_error(
        r, message,
        "expected an element type that is known, found %llu: it may be of a newer release of ONNX",
        (unsigned long long)f.value);
  }
  if (dtype == DTYPE_OTHER) type.text = intern_add(&r->graph->names, "undefined", 9);
  type.dtype = (uint8_t)dtype;
  if (!wire_find(message, TENSOR_TYPE_SHAPE, &f)) return type_intern(&r->graph->types, &type);
  int64_t *dims = NULL;
  uint32_t capacity = 0;
  wire_reader w = wire_open(f.bytes);
  wire_field dim;
  while (wire_next_of(&w, SHAPE_DIM, &dim)) {
    dims = arena_grow(r->graph->arena, dims, type.rank, (size_t)type.rank + 1, &capacity,
                      sizeof *dims);
    assert(type.rank < capacity);
    dims[type.rank++] = dimension(r, dim.bytes);
  }
  type.kind = TYPE_TENSOR;
  type.dims = dims;
  return type_intern(&r->graph->types, &type);
}

static type_id with_params(onnx_reader *r, type_kind kind, const type_id *params, uint32_t count) {
  assert(count == (kind == TYPE_MAP ? 2 : 1));
  graph_type type = {.kind = (uint8_t)kind,
                     .dtype = DTYPE_NONE,
                     .params = params,
                     .param_count = count,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE};
  return type_intern(&r->graph->types, &type);
}

static type_id element_of(onnx_reader *r, wire_span message, uint32_t number) {
  wire_field f;
  type_id type = wire_find(message, number, &f) ? onnx_type(r, f.bytes) : TYPE_NONE;
  if (type != TYPE_NONE) return type;
  return type_unranked(&r->graph->types, DTYPE_NONE);
}

static type_id map_type(onnx_reader *r, wire_span message) {
  wire_field f;
  shape_dtype key = DTYPE_I64;
  if (wire_find(message, MAP_KEY, &f)) dtype_from_onnx(f.value, &key);
  type_id params[2] = {type_scalar(&r->graph->types, key), element_of(r, message, MAP_VALUE)};
  return with_params(r, TYPE_MAP, params, 2);
}

type_id onnx_type(onnx_reader *r, wire_span message) {
  if (r->depth >= ONNX_MAX_DEPTH) {
    onnx_error(r, message, "expected types to be nested at most %d deep, found more",
               ONNX_MAX_DEPTH);
    return TYPE_NONE;
  }
  wire_reader w = wire_open(message);
  wire_field f;
  type_id type = TYPE_NONE;
  r->depth++;
  while (wire_next(&w, &f)) {
    switch (f.number) {
    case TYPE_PROTO_TENSOR: type = tensor_type(r, f.bytes, false); break;
    case TYPE_PROTO_SPARSE_TENSOR: type = tensor_type(r, f.bytes, true); break;
    case TYPE_PROTO_MAP: type = map_type(r, f.bytes); break;
    case TYPE_PROTO_SEQUENCE:
    case TYPE_PROTO_OPTIONAL: {
      type_id element = element_of(r, f.bytes, ELEMENT_TYPE);
      type = with_params(r, f.number == TYPE_PROTO_SEQUENCE ? TYPE_SEQUENCE : TYPE_OPTIONAL,
                         &element, 1);
      break;
    }
    default: break;  // denotation, opaque
    }
  }
  assert(r->depth);
  r->depth--;
  if (w.malformed) onnx_malformed(r, message, "a type");
  return type;
}
