// SPDX-License-Identifier: Apache-2.0
// Operators of Python, by the kinds of their operands.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/fx/fx.h"

enum { REPEATS_MAX = 4096 };

// torch/csrc/utils: promoteTypes, for the types that programs mix; DTYPE_NONE: not known.
shape_dtype fx_promote(shape_dtype a, shape_dtype b) {
  if (a == b) return a;
  if (a == DTYPE_NONE || b == DTYPE_NONE) return DTYPE_NONE;
  if (a == DTYPE_I1) return b;
  if (b == DTYPE_I1) return a;
  if (dtype_is_integer(a) != dtype_is_integer(b)) return dtype_is_integer(a) ? b : a;
  if (dtype_is_integer(a) && dtype_is_signed(a) && dtype_is_signed(b))
    return dtype_bits(a) > dtype_bits(b) ? a : b;
  bool floats = dtype_is_float(a) && dtype_is_float(b) && dtype_bits(a) != dtype_bits(b);
  return floats ? (dtype_bits(a) > dtype_bits(b) ? a : b) : DTYPE_NONE;
}

bool fx_compares(const char *op) {
  static const char *const NAMES[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (strcmp(op, NAMES[i]) == 0) return true;
  }
  return false;
}

static bool is_number(const fx_value *v) { return v->kind == FX_INT || v->kind == FX_NUMBER; }

static fx_value compared(const char *op, int64_t a, int64_t b) {
  assert(fx_compares(op));
  bool equal = strcmp(op, "eq") == 0 || op[1] == 'e', less = op[0] == 'l', greater = op[0] == 'g';
  if (strcmp(op, "ne") == 0) return fx_truth(a != b);
  return fx_truth((equal && a == b) || (less && a < b) || (greater && a > b));
}

static fx_value integers(fx_reader *r, const char *op, const fx_value *a, const fx_value *b) {
  assert(a->kind == FX_INT && b->kind == FX_INT);
  char name[64];
  if (a->constant && b->constant && fx_compares(op)) return compared(op, a->number, b->number);
  value_id operands[2] = {fx_operand(r, a), fx_operand(r, b)};
  if (strcmp(op, "xor") == 0 || strcmp(op, "matmul") == 0) {
    fx_value other = fx_fresh(r, FX_INT);
    other.truth = a->truth && b->truth;
    return other;
  }
  snprintf(name, sizeof name, "torch.operator.%s", op);
  bool quotient = strcmp(op, "truediv") == 0;
  // A negative exponent gives a float.
  int64_t exponent;
  bool power = strcmp(op, "pow") == 0;
  if (power && (!fx_is_int(b, &exponent) || exponent < 0)) return fx_fresh(r, FX_NUMBER);
  value_id made = build_op(&r->build, name, operands, 2, NULL, 1);
  fx_value out = fx_of(r, quotient ? FX_NUMBER : FX_INT, made, DTYPE_NONE);
  bool bits = strcmp(op, "and_") == 0 || strcmp(op, "or_") == 0;
  out.truth = fx_compares(op) || (bits && a->truth && b->truth);
  return out;
}

static fx_value numbers(fx_reader *r, const char *op, const fx_value *a, const fx_value *b) {
  assert(is_number(a) && is_number(b));
  if (fx_compares(op)) {
    fx_value truth = fx_fresh(r, FX_INT);
    truth.truth = true;
    return truth;
  }
  fx_value out = fx_fresh(r, FX_NUMBER);
  double x = a->kind == FX_INT ? (double)a->number : a->real;
  double y = b->kind == FX_INT ? (double)b->number : b->real;
  if (!a->constant || !b->constant) return out;
  bool add = strcmp(op, "add") == 0, sub = strcmp(op, "sub") == 0, mul = strcmp(op, "mul") == 0;
  if (!add && !sub && !mul) return out;
  out = fx_make(FX_NUMBER);
  out.constant = true;
  out.real = add ? x + y : sub ? x - y : x * y;
  return out;
}

// What Python calls an operator, and what the operator of tensors is.
static const char *tensor_op(const char *op) {
  static const char *const NAMES[][2] = {{"add", "add.Tensor"},
                                         {"sub", "sub.Tensor"},
                                         {"mul", "mul.Tensor"},
                                         {"truediv", "div.Tensor"},
                                         {"floordiv", "floor_divide"},
                                         {"mod", "remainder.Tensor"},
                                         {"pow", "pow.Tensor_Tensor"},
                                         {"and_", "bitwise_and.Tensor"},
                                         {"or_", "bitwise_or.Tensor"},
                                         {"xor", "bitwise_xor.Tensor"},
                                         {"lshift", "__lshift__.Tensor"},
                                         {"rshift", "__rshift__.Tensor"},
                                         {"matmul", "matmul"},
                                         {"eq", "eq.Tensor"},
                                         {"ne", "ne.Tensor"},
                                         {"lt", "lt.Tensor"},
                                         {"le", "le.Tensor"},
                                         {"gt", "gt.Tensor"},
                                         {"ge", "ge.Tensor"}};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (strcmp(NAMES[i][0], op) == 0) return NAMES[i][1];
  }
  return NULL;
}

// The element type of a number beside a tensor: it changes that of the tensor where its category is higher.
static shape_dtype with_number(shape_dtype tensor, const fx_value *number) {
  assert(number->kind != FX_TENSOR);
  if (tensor == DTYPE_NONE || number->kind == FX_UNKNOWN) return DTYPE_NONE;
  if (number->kind == FX_NUMBER) {
    if (dtype_is_float(tensor) || dtype_is_complex(tensor)) return tensor;
    return number->constant ? DTYPE_F32 : DTYPE_NONE;
  }
  return tensor == DTYPE_I1 ? DTYPE_NONE : tensor;
}

static fx_value tensors(fx_reader *r, const char *op, const fx_value *a, const fx_value *b) {
  assert(a->kind == FX_TENSOR || b->kind == FX_TENSOR);
  char name[64];
  const char *of = tensor_op(op);
  if (!of) return fx_fresh(r, FX_UNKNOWN);
  value_id operands[2] = {fx_operand(r, a), fx_operand(r, b)};
  snprintf(name, sizeof name, "torch.aten.%s", of);
  bool both = a->kind == FX_TENSOR && b->kind == FX_TENSOR;
  shape_dtype all = both ? fx_promote((shape_dtype)a->dtype, (shape_dtype)b->dtype)
                    : a->kind == FX_TENSOR ? with_number((shape_dtype)a->dtype, b)
                                           : with_number((shape_dtype)b->dtype, a);
  if (fx_compares(op)) all = DTYPE_I1;
  if (strcmp(op, "truediv") == 0 && dtype_is_integer(all)) all = DTYPE_F32;
  value_id made = build_op(&r->build, name, operands, 2, NULL, 1);
  return fx_of(r, FX_TENSOR, made, all);
}

static bool is_list(const fx_value *v) { return v->kind == FX_LIST || v->kind == FX_SIZES; }

static fx_value joined(fx_reader *r, const fx_value *a, const fx_value *b) {
  assert(is_list(a) && is_list(b));
  if (a->kind == FX_LIST && b->kind == FX_LIST) {
    fx_value *items = fx_copy(r, a->items, a->count, b->count);
    if (b->count) memcpy(items + a->count, b->items, b->count * sizeof *items);
    return fx_list(items, a->count + b->count);
  }
  value_id operands[2] = {fx_operand_int(r, a), fx_operand_int(r, b)};
  return fx_of(r, FX_SIZES, build_op(&r->build, "torch.aten.add.t", operands, 2, NULL, 1),
               DTYPE_NONE);
}

static fx_value repeated(fx_reader *r, const fx_value *list, const fx_value *times) {
  assert(is_list(list));
  int64_t n;
  if (list->kind != FX_LIST || !fx_is_int(times, &n) || n > REPEATS_MAX ||
      (n > 0 && list->count > REPEATS_MAX / n))
    return fx_make(FX_UNKNOWN);
  uint32_t count = n > 0 ? (uint32_t)n * list->count : 0;
  fx_value *items = fx_copy(r, NULL, 0, count);
  for (uint32_t i = 0; i < count; i++) items[i] = list->items[i % list->count];
  return fx_list(items, count);
}

fx_value fx_binary(fx_reader *r, const char *op, const fx_value *a, const fx_value *b) {
  assert(op && a && b);
  if (a->kind == FX_TENSOR || b->kind == FX_TENSOR) {
    const fx_value *other = a->kind == FX_TENSOR ? b : a;
    if (other->kind == FX_TENSOR || is_number(other) || other->kind == FX_UNKNOWN)
      return tensors(r, op, a, b);
    return fx_make(FX_UNKNOWN);
  }
  if (a->kind == FX_INT && b->kind == FX_INT) return integers(r, op, a, b);
  if (is_number(a) && is_number(b)) return numbers(r, op, a, b);
  if (is_list(a) && is_list(b) && strcmp(op, "add") == 0) return joined(r, a, b);
  if (strcmp(op, "mul") == 0 && is_list(a)) return repeated(r, a, b);
  if (strcmp(op, "mul") == 0 && is_list(b)) return repeated(r, b, a);
  return fx_make(FX_UNKNOWN);
}

fx_value fx_logical(fx_reader *r, bool both, const fx_value *a, const fx_value *b) {
  assert(a && b);
  if (a->kind == FX_NONE) return both ? *a : *b;
  if (a->kind == FX_INT && a->constant) return (a->number != 0) == both ? *b : *a;
  bool truths = a->kind == FX_INT && b->kind == FX_INT && a->truth && b->truth;
  return truths ? fx_binary(r, both ? "and_" : "or_", a, b) : fx_make(FX_UNKNOWN);
}

fx_value fx_unary(fx_reader *r, const char *op, const fx_value *a) {
  assert(op && a);
  bool minus = strcmp(op, "neg") == 0, plus = strcmp(op, "pos") == 0;
  bool negation = strcmp(op, "not_") == 0;
  if (plus) {
    fx_value same = *a;
    same.truth = false;
    return same;
  }
  if (minus && a->constant && a->kind == FX_INT && a->number != INT64_MIN)
    return fx_int(-a->number);
  if (negation && a->constant && a->kind == FX_INT) return fx_truth(!a->number);
  if (minus && a->constant && a->kind == FX_NUMBER) {
    fx_value out = *a;
    out.real = -a->real;
    return out;
  }
  if (a->kind == FX_INT && (minus || negation)) {
    value_id operand = fx_operand(r, a);
    const char *name = minus ? "torch.operator.neg" : "torch.operator.not_";
    fx_value out = fx_of(r, FX_INT, build_op(&r->build, name, &operand, 1, NULL, 1), DTYPE_NONE);
    out.truth = negation;
    return out;
  }
  if (a->kind == FX_INT || negation) {
    fx_value out = fx_fresh(r, FX_INT);
    out.truth = negation;
    return out;
  }
  if (a->kind == FX_NUMBER) return fx_fresh(r, FX_NUMBER);
  if (a->kind != FX_TENSOR) return fx_make(FX_UNKNOWN);
  value_id operand = fx_operand(r, a);
  const char *name = minus ? "torch.aten.neg" : "torch.aten.bitwise_not";
  return fx_of(r, FX_TENSOR, build_op(&r->build, name, &operand, 1, NULL, 1),
               (shape_dtype)a->dtype);
}
