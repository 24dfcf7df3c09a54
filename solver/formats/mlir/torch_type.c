// SPDX-License-Identifier: Apache-2.0
// Types of torch-mlir (TorchTypes.cpp): value tensors and tensors are tensors, numbers are scalars, and what holds
// others is kept as text, for its values say what is in it.
#include <assert.h>

#include "solver/formats/mlir/parser.h"
#include "solver/graph/torch_names.h"
#include "solver/formats/mlir/pretty.h"

// [2,?]
static bool torch_dims(mlir_parser *p, int64_t **dims, uint32_t *count) {
  uint32_t capacity = 0;
  *dims = NULL, *count = 0;
  if (mlir_accept(p, ']')) return true;
  do {
    int64_t dim = DIM_DYNAMIC;
    mlir_step(p);
    if (!mlir_accept(p, '?')) {
      const char *from = (mlir_skip(p), p->at);
      if (!mlir_int(p, &dim)) return false;
      if (dim == -1) dim = DIM_DYNAMIC;  // how some printers write it
      if (dim < 0 && dim != DIM_DYNAMIC)
        return mlir_wrong(p, from, p->at, "expected a dim of at least 0");
    }
    *dims = arena_grow(p->g->arena, *dims, *count, (size_t)*count + 1, &capacity, sizeof **dims);
    (*dims)[(*count)++] = dim;
  } while (mlir_accept(p, ','));
  return mlir_expect(p, ']');
}

// An element type; what is no element type of MLIR (unk, !torch.qint8, !torch.str) is kept as text.
static bool torch_element(mlir_parser *p, graph_type *type) {
  const char *from = (mlir_skip(p), p->at);
  mlir_word word;
  if (mlir_word_here(p, &word) && mlir_word_is(word, "unk")) {
    type->dtype = DTYPE_OTHER;
    type->text = intern_add(&p->g->names, word.text, word.length);
    return true;
  }
  p->at = from;
  type_id id;
  if (!mlir_type(p, &id)) return false;
  const graph_type *scalar = type_get(&p->g->types, id);
  bool is_scalar = scalar->kind == TYPE_SCALAR;
  type->dtype = is_scalar ? scalar->dtype : (uint8_t)DTYPE_OTHER;
  type->text = is_scalar ? scalar->text : mlir_canonical(p, from, p->at);
  if (!is_scalar && mlir_word_is((mlir_word){from, (uint32_t)(p->at - from)}, "!torch.str"))
    type->dtype = DTYPE_STRING;
  return true;
}

static bool torch_tensor(mlir_parser *p, torch_kind kind, type_id *out) {
  assert(kind != TORCH_NOT);
  graph_type type = {.kind = TYPE_UNRANKED,
                     .dtype = DTYPE_OTHER,
                     .torch = (uint8_t)kind,
                     .text = intern_add(&p->g->names, "unk", 3),
                     .encoding = NAME_NONE};
  if (mlir_char(p, 0) == '<') {
    int64_t *dims = NULL;
    p->at++;
    if (mlir_accept(p, '[')) {
      type.kind = TYPE_TENSOR;
      if (!torch_dims(p, &dims, &type.rank)) return false;
      type.dims = dims;
    } else if (!mlir_accept(p, '*')) {
      return mlir_expected(p, "'[' or '*'");
    }
    if (!mlir_expect(p, ',') || !torch_element(p, &type)) return false;
    if (mlir_accept(p, ',')) {  // a sparse encoding
      attr_id other;
      const char *from = (mlir_skip(p), p->at);
      if (!mlir_attr(p, &other)) return false;
      type.encoding = mlir_canonical(p, from, p->at);
    }
    if (!mlir_expect(p, '>')) return false;
  }
  *out = type_intern(&p->g->types, &type);
  return true;
}

bool mlir_torch_type(mlir_parser *p, const char *from, mlir_word name, type_id *out) {
  assert(from < p->at && name.length);
  static const struct {
    const char *name;
    shape_dtype dtype;
  } SCALARS[] = {{"torch.int", DTYPE_I64}, {"torch.bool", DTYPE_I1}, {"torch.float", DTYPE_F64}};
  if (mlir_word_is(name, "torch.vtensor")) return torch_tensor(p, TORCH_VTENSOR, out);
  if (mlir_word_is(name, "torch.tensor")) return torch_tensor(p, TORCH_TENSOR, out);
  graph_type type = {.kind = TYPE_OPAQUE, .text = NAME_NONE, .encoding = NAME_NONE};
  for (unsigned i = 0; i < sizeof SCALARS / sizeof *SCALARS; i++) {
    if (!mlir_word_is(name, SCALARS[i].name)) continue;
    type.kind = TYPE_SCALAR;
    type.dtype = (uint8_t)SCALARS[i].dtype;
  }
  if (mlir_char(p, 0) == '<' && !mlir_skip_balanced(p)) return false;
  type.text = intern_add(&p->g->names, from, (size_t)(p->at - from));  // as torch-mlir prints it
  *out = type_intern(&p->g->types, &type);
  return true;
}

type_id mlir_torch_scalar(mlir_parser *p, const char *name) {
  graph_type type = {.kind = TYPE_OPAQUE, .text = NAME_NONE, .encoding = NAME_NONE};
  static const struct {
    const char *name, *text;
    uint8_t kind, dtype;
  } ROWS[] = {{"int", "!torch.int", TYPE_SCALAR, DTYPE_I64},
              {"bool", "!torch.bool", TYPE_SCALAR, DTYPE_I1},
              {"float", "!torch.float", TYPE_SCALAR, DTYPE_F64},
              {"none", "!torch.none", TYPE_OPAQUE, 0},
              {"str", "!torch.str", TYPE_OPAQUE, 0},
              {"device", "!torch.Device", TYPE_OPAQUE, 0},
              {"number", "!torch.number", TYPE_OPAQUE, 0}};
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, name) != 0) continue;
    type.kind = ROWS[i].kind;
    type.dtype = ROWS[i].dtype;
    type.text = intern_add(&p->g->names, ROWS[i].text, strlen(ROWS[i].text));
    return type_intern(&p->g->types, &type);
  }
  return TYPE_NONE;
}

// --- symbols

static bool is_name(const char *text, uint32_t length) {
  bool fine = length > 0 && mlir_is_letter(text[0]);
  for (uint32_t i = 0; i < length; i++)
    fine = fine && mlir_char_is(text[i], CHAR_LETTER | CHAR_DIGIT);
  return fine;
}

// The range of a symbol; a maximum of the largest integers is none.
static void set_range(mlir_parser *p, op_id op, graph_symbol *symbol) {
  int64_t min = 0, max = INT64_MAX;
  const shape_graph *g = p->g;
  if (!graph_attr_int(g, graph_attr_named(g, op, "min_val"), &min)) min = INT64_MIN;
  if (!graph_attr_int(g, graph_attr_named(g, op, "max_val"), &max) || max >= INT64_MAX - 1)
    max = INT64_MAX;
  if (min <= INT64_MIN + 1) min = INT64_MIN;
  if (min > max) return;
  symbol->is_value = min < 0;
  symbol->min = min;
  symbol->max = max;
}

// torch.symbolic_int "s0" {min_val = 2, max_val = 8}; a name such as "2*s0" is an expression over other symbols. Names of
// another function are other symbols: here they get the function's number after a point.
void mlir_torch_declare(mlir_parser *p, op_id op) {
  shape_graph *g = p->g;
  assert(op < g->op_count);
  if (strcmp(graph_op_name(g, op), "torch.symbolic_int") != 0) return;
  attr_id id = graph_attr_named(g, op, "value");
  const graph_attr *attr = graph_attr_get(g, id);
  if (!attr || attr->kind != ATTR_STRING) return;
  name_id name = attr->text;
  const char *text = intern_text(&g->names, name);
  if (!is_name(text, intern_length(&g->names, name))) return;
  if (graph_find_symbol(g, name) != ID_NONE) {
    source_span known = g->declared.symbols[graph_find_symbol(g, name)].span;
    bool inside = p->func != ID_NONE && known.begin >= g->funcs[p->func].span.begin;
    if (inside) return;
    char own[TORCH_NAME_ROOM];
    int length = torch_own_name(own, text, p->func);
    if (length < 0) return;
    name = intern_add(&g->names, own, (size_t)length);
    if (graph_find_symbol(g, name) != ID_NONE) return;
  }
  uint32_t symbol = graph_add_symbol(g, name, g->ops[op].span);
  g->declared.symbols[symbol].by_operation = true;
  set_range(p, op, &g->declared.symbols[symbol]);
}
