// SPDX-License-Identifier: Apache-2.0
// Types: MLIR spellings, each parsed once, or objects.
#include <assert.h>

#include "solver/formats/json/decoder.h"

#include "solver/formats/mlir/mlir.h"

static type_id type_of_text(graph_decoder *d, json_slice text, source_span span) {
  shape_graph *g = d->g;
  seen_text *seen = decode_seen(d, text);
  if (seen->type != TYPE_NONE) return seen->type;
  name_id name = seen->name;
  d->texts.type_of = decode_table(d, d->texts.type_of, &d->texts.type_cap, name);
  assert(name < d->texts.type_cap);
  if (d->texts.type_of[name] != TYPE_NONE) return seen->type = d->texts.type_of[name];
  type_id type = TYPE_NONE;
  const char *error = NULL;
  size_t error_at = 0;
  const char *spelling = intern_text(&g->names, name);
  if (!mlir_parse_type(g, spelling, text.length, &type, &error, &error_at)) {
    decode_error(d, span, "type", "not a type: %s (at character %zu of \"%.60s\")",
                 error ? error : "syntax error", error_at + 1, spelling);
    return TYPE_NONE;
  }
  assert(type != TYPE_NONE);
  return seen->type = d->texts.type_of[name] = type;
}

static uint32_t decode_symbol_named(graph_decoder *d, json_slice name, source_span span) {
  name_id id = intern_add(&d->g->names, name.text, name.length);
  uint32_t symbol = graph_find_symbol(d->g, id);
  return symbol == ID_NONE ? graph_add_symbol(d->g, id, span) : symbol;
}

// Names that could be in an expression; others are an error more often than a wish, unless they are declared.
static bool is_symbol_name(json_slice s) {
  for (size_t i = 0; i < s.length; i++) {
    char c = s.text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c & 0x80;
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '.'))) return false;
  }
  return s.length > 0;
}

static bool is_declared(graph_decoder *d, json_slice name) {
  name_id id = intern_add(&d->g->names, name.text, name.length);
  return graph_find_symbol(d->g, id) != ID_NONE;
}

// One size: an integer, null or "?" for one that is not known, or the name of a symbol.
static bool decode_dim(graph_decoder *d, bool bound, int64_t *out) {
  static const char WHAT[] = "an integer >= 0, null or the name of a symbol";
  source_span at = decode_here(d);
  *out = DIM_DYNAMIC;
  if (cursor_word(&d->c, "null")) return true;
  json_slice text;
  int64_t value;
  bool fits;
  bool is_text = cursor_peek(&d->c) == '"';
  if (!is_text ? !cursor_number(&d->c, &text) : !cursor_string(&d->c, &text)) {
    decode_expected(d, WHAT);
    return false;
  }
  if (slice_int(text, false, &value, &fits)) {
    if (!fits || value < 0) {
      decode_error(d, decode_span(d, at.begin), "type", "a dim is an integer from 0 to 2^63-1");
      return false;
    }
    *out = value;
    return true;
  }
  if (is_text && slice_is(text, "?")) return true;
  if (!is_text || bound || !(is_symbol_name(text) || is_declared(d, text))) {
    decode_error(d, decode_span(d, at.begin), "type", "expected %s", WHAT);
    return false;
  }
  *out = dim_of_symbol(decode_symbol_named(d, text, decode_span(d, at.begin)));
  return true;
}

typedef struct type_parts {
  bool has_dims, has_rank, has_bounds, wrong;
  shape_dtype dtype;
  bool has_dtype;
  name_id encoding;
  int64_t *dims, *bounds;
  uint32_t rank, bound_count, dim_cap, bound_cap;
  uint8_t kind;     // type_kind of a composed type
  uint32_t params;  // on the decoder's stack
} type_parts;

static void decode_dims(graph_decoder *d, type_parts *p, bool bounds) {
  if (cursor_word(&d->c, "null")) {
    if (!bounds) p->has_dims = true;
    return;
  }
  if (bounds) {
    p->has_bounds = true;
  } else {
    p->has_dims = p->has_rank = true;
  }
  if (!decode_array(d)) {
    p->wrong = true;
    return;
  }
  int64_t **list = bounds ? &p->bounds : &p->dims;
  uint32_t *count = bounds ? &p->bound_count : &p->rank;
  uint32_t *capacity = bounds ? &p->bound_cap : &p->dim_cap;
  while (decode_item(d)) {
    *list = arena_grow(d->g->arena, *list, *count, (size_t)*count + 1, capacity, sizeof **list);
    assert(*count < *capacity);
    if (!decode_dim(d, bounds, &(*list)[*count])) p->wrong = true;
    (*count)++;
  }
}

static void decode_dtype(graph_decoder *d, type_parts *p) {
  source_span at = decode_here(d);
  json_slice name;
  if (!decode_string(d, &name)) {
    p->wrong = true;
    return;
  }
  if (dtype_from_name(name.text, name.length, &p->dtype) ||
      dtype_from_onnx_name(name.text, name.length, &p->dtype)) {
    p->has_dtype = true;
    return;
  }
  // Quantised elements and other spellings of MLIR: take the element from a type made of it.
  decode_error(d, decode_span(d, at.begin), "type", "\"%.*s\" is no element type",
               (int)(name.length < 60 ? name.length : 60), name.text);
  p->wrong = true;
}

static void decode_params(graph_decoder *d, type_parts *p, type_kind kind) {
  p->kind = (uint8_t)kind;
  if (kind == TYPE_SEQUENCE || kind == TYPE_OPTIONAL) {
    type_id type = decode_type(d);
    p->wrong |= type == TYPE_NONE;
    decode_push(d, type);
    return;
  }
  if (!decode_array(d)) {
    p->wrong = true;
    return;
  }
  while (decode_item(d)) {
    type_id type = decode_type(d);
    p->wrong |= type == TYPE_NONE;
    decode_push(d, type);
  }
}

static void decode_type_key(graph_decoder *d, json_slice key, type_parts *p) {
  if (slice_is(key, "dtype")) {
    decode_dtype(d, p);
  } else if (slice_is(key, "dims")) {
    decode_dims(d, p, false);
  } else if (slice_is(key, "bounds")) {
    decode_dims(d, p, true);
  } else if (slice_is(key, "encoding")) {
    if (!decode_name(d, &p->encoding)) p->wrong = true;
  } else if (slice_is(key, "tuple")) {
    decode_params(d, p, TYPE_TUPLE);
  } else if (slice_is(key, "sequence")) {
    decode_params(d, p, TYPE_SEQUENCE);
  } else if (slice_is(key, "optional")) {
    decode_params(d, p, TYPE_OPTIONAL);
  } else if (slice_is(key, "map")) {
    decode_params(d, p, TYPE_MAP);
  } else {
    cursor_skip(&d->c);
  }
}

static type_id type_of_object(graph_decoder *d) {
  uint32_t begin = decode_here(d).begin;
  type_parts p = {.encoding = NAME_NONE, .params = d->stack_count};
  json_slice key;
  if (!decode_object(d)) return TYPE_NONE;
  while (decode_key(d, &key)) decode_type_key(d, key, &p);
  source_span span = decode_span(d, begin);
  assert(d->stack_count >= p.params);
  uint32_t params = d->stack_count - p.params;
  d->stack_count = p.params;
  if (p.wrong) return TYPE_NONE;
  if (p.kind) {
    if (p.kind == TYPE_MAP && params != 2) {
      decode_error(d, span, "type", "a map has two types, of the keys and of the values");
      return TYPE_NONE;
    }
    graph_type composed = {.kind = p.kind,
                           .dtype = DTYPE_OTHER,
                           .param_count = params,
                           .params = d->stack + p.params,
                           .text = NAME_NONE,
                           .encoding = NAME_NONE};
    return type_intern(&d->g->types, &composed);
  }
  if (!p.has_dtype) {
    decode_error(d, span, "type", "a type needs \"dtype\" (or \"tuple\", \"sequence\", ...)");
    return TYPE_NONE;
  }
  if (p.has_bounds && (!p.has_rank || p.bound_count != p.rank)) {
    decode_error(d, span, "type", "\"bounds\" has another length than \"dims\"");
    return TYPE_NONE;
  }
  graph_type type = {.kind = !p.has_dims  ? TYPE_SCALAR
                             : p.has_rank ? TYPE_TENSOR
                                          : TYPE_UNRANKED,
                     .dtype = (uint8_t)p.dtype,
                     .has_bounds = p.has_bounds,
                     .rank = p.rank,
                     .dims = p.dims,
                     .bounds = p.bounds,
                     .text = NAME_NONE,
                     .encoding = p.encoding};
  return type_intern(&d->g->types, &type);
}

type_id decode_type(graph_decoder *d) {
  char first = cursor_peek(&d->c);
  uint32_t begin = cursor_offset(&d->c);
  json_slice text;
  if (cursor_string(&d->c, &text)) return type_of_text(d, text, decode_span(d, begin));
  if (first == '{') return type_of_object(d);
  if (first == '"' || cursor_word(&d->c, "null")) return TYPE_NONE;
  decode_expected(d, "a type (a string or an object)");
  return TYPE_NONE;
}
