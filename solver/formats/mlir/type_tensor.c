// SPDX-License-Identifier: Apache-2.0
// What is inside tensor<...>: dims, element type, encoding. Encodings that say something of the dims are read:
// bounds (StableHLO spec, "Bounded dynamism") and symbols (BladeDISC's shape constraint IR).
#include <assert.h>

#include "solver/formats/mlir/parser.h"

// One size list: `4x?x` up to the element type. Dims are kept on a small array that grows in the arena.
typedef struct size_list {
  int64_t few[16];
  int64_t *sizes;
  uint32_t count, capacity;
} size_list;

static void clear(size_list *list) {
  list->sizes = list->few;
  list->count = list->capacity = 0;
}

static void add_size(mlir_parser *p, size_list *list, int64_t size) {
  assert(list->sizes != list->few || list->count <= 16);
  if (list->count == 16 && list->sizes == list->few) {
    list->sizes = arena_grow(p->g->arena, NULL, 0, 64, &list->capacity, sizeof *list->sizes);
    memcpy(list->sizes, list->few, sizeof list->few);
  } else if (list->sizes != list->few) {
    list->sizes = arena_grow(p->g->arena, list->sizes, list->count, (size_t)list->count + 1,
                             &list->capacity, sizeof *list->sizes);
  }
  list->sizes[list->count++] = size;
}

static bool one_size(mlir_parser *p, int64_t *out) {
  if (mlir_accept(p, '?')) {
    *out = DIM_DYNAMIC;
    return true;
  }
  // Not mlir_int: 0x4 is the size 0 and an `x` here.
  const char *from = p->at;
  uint64_t value = 0;
  while (p->at < p->end && mlir_is_digit(*p->at)) {
    value = value > (uint64_t)INT64_MAX / 10 ? UINT64_MAX / 2 + 1
                                             : value * 10 + (unsigned)(*p->at - '0');
    p->at++;
  }
  if (value > INT64_MAX) {
    return mlir_wrong(p, from, p->at, "the dim does not fit in 64 bits");
  }
  *out = (int64_t)value;
  return true;
}

static bool sizes(mlir_parser *p, size_list *list) {
  for (;;) {
    char c = mlir_peek(p);
    if (c != '?' && !mlir_is_digit(c)) return true;
    int64_t size;
    if (!one_size(p, &size)) return false;
    add_size(p, list, size);
    if (mlir_peek(p) != 'x') return mlir_expected(p, "'x' in the dims of the type");
    p->at++;
  }
}

// 5, ?, ... until `close`
static bool bounds(mlir_parser *p, char close, size_list *list) {
  while (!mlir_accept(p, close)) {
    if (list->count && !mlir_expect(p, ',')) return false;
    char c = mlir_peek(p);
    int64_t bound;
    if (c == '-') {  // how some writers spell that there is none
      if (!mlir_int(p, &bound)) return false;
      bound = DIM_DYNAMIC;
    } else if (c != '?' && !mlir_is_digit(c)) {
      return mlir_expected(p, "a bound or '?'");
    } else if (!one_size(p, &bound)) {
      return false;
    }
    add_size(p, list, bound);
  }
  return true;
}

static bool check_rank(mlir_parser *p, const char *from, const char *what, uint32_t count,
                       uint32_t rank) {
  if (count == rank) return true;
  return mlir_wrong(p, from, p->at, "the encoding has %u %s, but the type has %u dims", count, what,
                    rank);
}

// StableHLO spec, "Bounded dynamism": only an unknown size has a bound.
static bool check_bounds(mlir_parser *p, const char *from, const graph_type *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] == DIM_DYNAMIC || type->bounds[i] == DIM_DYNAMIC) continue;
    return mlir_wrong(p, from, p->at, "static dimension %u cannot have a bound", i);
  }
  return true;
}

// [@S0, unit, @C4]: each `?` becomes its symbol; an entry for a static size names a constant that the size already says,
// and `unit` is no symbol.
static bool symbol_sizes(mlir_parser *p, int64_t *dims, uint32_t rank) {
  const char *from = p->at++;  // '['
  uint32_t count = 0;
  while (!mlir_accept(p, ']')) {
    if (count && !mlir_expect(p, ',')) return false;
    const char *at = (mlir_skip(p), p->at);
    name_id name;
    if (mlir_accept_word(p, "unit")) {
      count++;
      continue;
    }
    if (!mlir_symbol_name(p, &name)) return false;
    if (count < rank && dims[count] == DIM_DYNAMIC) {
      dims[count] = dim_of_symbol(mlir_symbol(p, name, at));
    }
    count++;
  }
  return check_rank(p, from, "symbols", count, rank);
}

// #stablehlo.bounds<5, ?> and #stablehlo.type_extensions<bounds = [5, ?]>; false in *known for any other.
static bool bounds_encoding(mlir_parser *p, size_list *list, bool *known) {
  const char *from = p->at++;  // '#'
  mlir_word name;
  *known = false;
  if (!mlir_word_here(p, &name)) {
    p->at = from;
    return true;
  }
  bool plain = mlir_word_is(name, "stablehlo.bounds") || mlir_word_is(name, "mhlo.bounds");
  bool extended =
      mlir_word_is(name, "stablehlo.type_extensions") || mlir_word_is(name, "mhlo.type_extensions");
  if ((!plain && !extended) || mlir_peek(p) != '<') {
    p->at = from;
    return true;
  }
  *known = true;
  p->at++;
  if (plain) return bounds(p, '>', list);
  return mlir_expect_word(p, "bounds") && mlir_expect(p, '=') && mlir_expect(p, '[') &&
         bounds(p, ']', list) && mlir_expect(p, '>');
}

static bool encoding(mlir_parser *p, graph_type *type, int64_t *dims, size_list *limits) {
  const char *from = (mlir_skip(p), p->at);
  char c = mlir_peek(p);
  if (c == '[' && type->kind == TYPE_TENSOR) {
    const char *after = p->at + 1;
    while (after < p->end && (*after == ' ' || *after == '\n')) after++;
    bool unit = p->end - after > 4 && memcmp(after, "unit", 4) == 0;
    if (after < p->end && (*after == '@' || *after == ']' || unit))
      return symbol_sizes(p, dims, type->rank);
  }
  if (c == '#') {
    bool known;
    if (!bounds_encoding(p, limits, &known)) return false;
    if (known) {
      type->has_bounds = true;
      type->bounds = limits->sizes;
      return check_rank(p, from, "bounds", limits->count, type->rank) &&
             check_bounds(p, from, type);
    }
  }
  attr_id other;
  if (!mlir_attr(p, &other)) return false;
  type->encoding = mlir_canonical(p, from, p->at);
  return true;
}

// The element type's fields; anything but a scalar is kept as text.
static bool element(mlir_parser *p, graph_type *type) {
  const char *from = (mlir_skip(p), p->at);
  type_id id;
  if (!mlir_type(p, &id)) return false;
  const graph_type *scalar = type_get(&p->g->types, id);
  if (scalar->kind == TYPE_SCALAR) {
    type->dtype = scalar->dtype;
    type->text = scalar->text;
    type->params = scalar->params;
    type->param_count = scalar->param_count;
  } else {
    type->dtype = DTYPE_OTHER;
    type->text = mlir_canonical(p, from, p->at);
  }
  return true;
}

// `4x?xf32` or `*xf32`: what the bodies of all containers begin with.
static bool dims_and_element(mlir_parser *p, graph_type *type, size_list *dims) {
  clear(dims);
  if (mlir_accept(p, '*')) {
    type->kind = TYPE_UNRANKED;
    if (mlir_peek(p) != 'x') return mlir_expected(p, "'x'");
    p->at++;
  } else if (!sizes(p, dims)) {
    return false;
  }
  if (!element(p, type)) return false;
  type->dims = dims->sizes;
  type->rank = dims->count;
  return true;
}

bool mlir_tensor_body(mlir_parser *p, type_id *out) {
  graph_type type = {.kind = TYPE_TENSOR, .text = NAME_NONE, .encoding = NAME_NONE};
  size_list dims, limits;
  clear(&limits);
  if (!dims_and_element(p, &type, &dims)) return false;
  if (mlir_accept(p, ',') && !encoding(p, &type, dims.sizes, &limits)) return false;
  if (!mlir_expect(p, '>')) return false;
  *out = type_intern(&p->g->types, &type);
  return true;
}

// At '<' of memref<4x?xf32, strided<[?, 1]>, 1> or vector<4xf32>: a layout and a memory space are kept as text.
bool mlir_container_body(mlir_parser *p, type_container container, type_id *out) {
  graph_type type = {.kind = TYPE_TENSOR,
                     .container = (uint8_t)container,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE};
  size_list dims;
  mlir_parser scan = *p;  // where the type ends
  if (!mlir_skip_balanced(&scan)) return false;
  const char *close = scan.at - 1;
  p->at++;
  if (mlir_peek(p) == '>') return mlir_expected(p, "a type");
  if (!dims_and_element(p, &type, &dims)) return false;
  if (mlir_accept(p, ',')) {
    const char *from = (mlir_skip(p), p->at);
    if (from >= close) return mlir_expected(p, "a layout or a memory space");
    type.encoding = mlir_canonical(p, from, close);
    p->at = close;
  }
  if (!mlir_expect(p, '>')) return false;
  *out = type_intern(&p->g->types, &type);
  return true;
}
