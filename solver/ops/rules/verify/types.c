// SPDX-License-Identifier: Apache-2.0
// Declared types held against one another: shapes, element types, quantization.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/verify/verify.h"

const char *verify_type_text(rule_context *c, type_id type) {
  if (type == TYPE_NONE) return "an unknown type";
  shape_strbuf out;
  strbuf_init(&out, c->arena);
  type_print(&c->graph->types, &out, type);
  return strbuf_text(&out);
}

static const graph_type *type_of(const rule_context *c, type_id type) {
  return type == TYPE_NONE ? NULL : type_get(&c->graph->types, type);
}

static bool is_tensor(const graph_type *t) {
  return t && (t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED);
}

// The largest size that a declared dimension admits; INT64_MAX when nothing bounds it.
static int64_t most(const graph_type *t, uint32_t axis) {
  assert(axis < t->rank);
  if (dim_is_static(t->dims[axis])) return t->dims[axis];
  return t->has_bounds && t->bounds[axis] >= 0 ? t->bounds[axis] : INT64_MAX;
}

bool verify_shapes_compatible(const rule_context *c, type_id a, type_id b) {
  const graph_type *x = type_of(c, a), *y = type_of(c, b);
  if (!is_tensor(x) || !is_tensor(y)) return true;
  if (x->kind == TYPE_UNRANKED || y->kind == TYPE_UNRANKED) return true;
  if (x->rank != y->rank) return false;
  for (uint32_t i = 0; i < x->rank; i++) {
    bool x_static = dim_is_static(x->dims[i]), y_static = dim_is_static(y->dims[i]);
    if (x_static && x->dims[i] > most(y, i)) return false;
    if (y_static && y->dims[i] > most(x, i)) return false;
    if (x_static && y_static && x->dims[i] != y->dims[i]) return false;
  }
  return true;
}

// What an argument has of which nothing is known.
static bool says_nothing(const graph_type *t) {
  return t->kind == TYPE_UNRANKED && t->dtype == DTYPE_NONE;
}

static bool same_text(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
  assert((a || !a_length) && (b || !b_length));
  return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

// Storage and expressed types and granularity agree; scales and zero points may differ.
static bool quant_compatible(const rule_context *c, type_id a, type_id b) {
  quant_type x, y;
  if (!verify_read_quant(c, a, &x) || !verify_read_quant(c, b, &y)) return false;
  return same_text(x.storage, x.storage_length, y.storage, y.storage_length) &&
         same_text(x.expressed, x.expressed_length, y.expressed, y.expressed_length) &&
         x.axis == y.axis && (x.axis < 0 || x.scale_count == y.scale_count);
}

bool verify_types_compatible(const rule_context *c, type_id a, type_id b) {
  if (a == b || a == TYPE_NONE || b == TYPE_NONE) return true;
  const graph_type *x = type_of(c, a), *y = type_of(c, b);
  if (says_nothing(x) || says_nothing(y)) return true;
  if (!is_tensor(x) || !is_tensor(y)) {
    // Tuples and futures fit where their parts do; all other types have one id.
    if (x->kind != y->kind || x->param_count != y->param_count || !x->param_count) return false;
    for (uint32_t i = 0; i < x->param_count; i++) {
      if (!verify_types_compatible(c, x->params[i], y->params[i])) return false;
    }
    return true;
  }
  // Scales have many spellings: where they alone differ nothing is said.
  return (type_same_element(&c->graph->types, a, b) || quant_compatible(c, a, b)) &&
         verify_shapes_compatible(c, a, b);
}

// --- quantized element types: !quant.uniform<i8<-128:127>:f32:1, {1.0:17, 2.0}>

static const char *skip_to(const char *at, const char *end, const char *stops) {
  assert(at <= end);
  int depth = 0;
  for (; at < end; at++) {
    if (*at == '<' || *at == '{' || *at == '(') depth++;
    if (depth == 0 && strchr(stops, *at)) break;
    if (*at == '>' || *at == '}' || *at == ')') depth--;
  }
  return at;
}

static int64_t read_int(const char *at, const char *end) {
  int64_t value = 0;
  for (; at < end && *at == ' '; at++) {}
  for (; at < end && *at >= '0' && *at <= '9' && value < 1000000; at++)
    value = value * 10 + (*at - '0');
  return value;
}

bool verify_read_quant(const rule_context *c, type_id type, quant_type *out) {
  const graph_type *t = type_of(c, type);
  if (!t || (!is_tensor(t) && t->kind != TYPE_SCALAR) || t->dtype != DTYPE_QUANTIZED) return false;
  if (t->text == NAME_NONE) return false;
  const char *text = intern_text(&c->graph->names, t->text);
  const char *end = text + intern_length(&c->graph->names, t->text);
  const char *at = memchr(text, '<', (size_t)(end - text));
  if (!at) return false;
  *out = (quant_type){.axis = -1, .storage = ++at};
  at = skip_to(at, end, ":,>");
  out->storage_length = (uint32_t)(at - out->storage);
  if (at < end && *at == ':') {
    out->expressed = ++at;
    at = skip_to(at, end, ":,>");
    out->expressed_length = (uint32_t)(at - out->expressed);
    if (at < end && *at == ':') {
      out->axis = read_int(at + 1, end);
      at = skip_to(at + 1, end, ",>");
    }
  }
  out->scale_count = 1;  // "{1.0:17,...}" and what follows
  for (int depth = 0; at + 1 < end; at++) {
    if (*at == '{') depth++;
    if (*at == '}') depth--;
    if (*at == ',' && depth > 0) out->scale_count++;
  }
  return true;
}

bool verify_quant_alike(const rule_context *c, type_id a, type_id b) {
  quant_type x, y;
  return verify_read_quant(c, a, &x) && verify_read_quant(c, b, &y) &&
         same_text(x.storage, x.storage_length, y.storage, y.storage_length) &&
         same_text(x.expressed, x.expressed_length, y.expressed, y.expressed_length) &&
         (x.axis < 0) == (y.axis < 0);
}

bool verify_elements_compatible(const rule_context *c, type_id a, type_id b) {
  const graph_type *x = type_of(c, a), *y = type_of(c, b);
  if (!x || !y || a == b) return true;
  quant_type p, q;
  bool x_quant = verify_read_quant(c, a, &p), y_quant = verify_read_quant(c, b, &q);
  if (x_quant && y_quant) return quant_compatible(c, a, b);
  if (!x_quant && !y_quant) return type_same_element(&c->graph->types, a, b);
  // A quantized type counts as its expressed type (StableHLO's type inference).
  const quant_type *quant = x_quant ? &p : &q;
  shape_dtype other = (shape_dtype)(x_quant ? y->dtype : x->dtype), expressed;
  return dtype_from_name(quant->expressed, quant->expressed_length, &expressed) &&
         expressed == other;
}

static bool promotable_dtype(shape_dtype from, shape_dtype to, bool any_float) {
  if (from == to) return true;
  if (dtype_is_float(from) && dtype_is_float(to))
    return any_float || dtype_bits(from) <= dtype_bits(to);
  if (dtype_is_integer(from) && dtype_is_integer(to))
    return from != DTYPE_INDEX && to != DTYPE_INDEX && dtype_bits(from) <= dtype_bits(to);
  if (dtype_is_complex(from) && dtype_is_complex(to))
    return any_float || dtype_bits(from) <= dtype_bits(to);
  return false;
}

// Unsigned storage is spelt u8, and ui8.
bool verify_storage_dtype(const quant_type *q, shape_dtype *out) {
  assert(q->storage || !q->storage_length);
  char name[8];
  uint32_t n = 0;
  bool is_unsigned = q->storage_length && q->storage[0] == 'u';
  if (is_unsigned) name[n++] = 'u', name[n++] = 'i';
  uint32_t skip = !is_unsigned ? 0 : q->storage_length > 1 && q->storage[1] == 'i' ? 2 : 1;
  for (uint32_t i = skip; i < q->storage_length && q->storage[i] != '<' && n < sizeof(name) - 1;
       i++)
    name[n++] = q->storage[i];
  return dtype_from_name(name, n, out);
}

bool verify_promotable(rule_context *c, type_id from, type_id to, bool any_float) {
  const graph_type *x = type_of(c, from), *y = type_of(c, to);
  if (!x || !y || from == to) return true;
  quant_type p, q;
  bool x_quant = verify_read_quant(c, from, &p), y_quant = verify_read_quant(c, to, &q);
  if (x_quant != y_quant) return false;
  if (!x_quant) {
    if (x->dtype == DTYPE_OTHER || y->dtype == DTYPE_OTHER)
      return type_same_element(&c->graph->types, from, to);
    return promotable_dtype((shape_dtype)x->dtype, (shape_dtype)y->dtype, any_float);
  }
  // StableHLO spec, is_promotable: quantized types have the same expressed type and promotable storage.
  shape_dtype from_storage, to_storage;
  if (!same_text(p.expressed, p.expressed_length, q.expressed, q.expressed_length)) return false;
  if (!verify_storage_dtype(&p, &from_storage) || !verify_storage_dtype(&q, &to_storage))
    return true;
  return promotable_dtype(from_storage, to_storage, any_float);
}

bool verify_add_quant(rule_context *c) {
  quant_type q[3];
  type_id types[3] = {verify_operand_type(c, 0), verify_operand_type(c, 1),
                      verify_result_type(c, 0)};
  static const char *const names[] = {"operand #0", "operand #1", "the result"};
  uint32_t quantized = 0;
  for (uint32_t i = 0; i < 3; i++) quantized += verify_read_quant(c, types[i], &q[i]);
  if (quantized == 0) return true;
  if (quantized < 3) {  // add (C2)
    rule_error(c, "element-type",
               "operands and result must be all quantized, or all not: %s, %s and %s",
               verify_type_text(c, types[0]), verify_type_text(c, types[1]),
               verify_type_text(c, types[2]));
    return false;
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (!same_text(q[i].storage, q[i].storage_length, q[2].storage, q[2].storage_length) ||
        !same_text(q[i].expressed, q[i].expressed_length, q[2].expressed,
                   q[2].expressed_length)) {  // C3, C4
      rule_error(c, "element-type",
                 "%s is %s and the result is %s: storage or expressed types differ", names[i],
                 verify_type_text(c, types[i]), verify_type_text(c, types[2]));
      return false;
    }
    if (q[i].axis >= 0 && q[i].axis != q[2].axis) {  // C5, C6, C7
      rule_error(c, "element-type",
                 "%s is quantized along axis %lld, the result along %lld (-1: per tensor)",
                 names[i], (long long)q[i].axis, (long long)q[2].axis);
      return false;
    }
  }
  return true;
}
