// SPDX-License-Identifier: Apache-2.0
// Checks in StableHLO or MHLO: integers are tensor<i64>, and an assertion is a custom call.
#include <assert.h>
#include <stdio.h>

#include "solver/emit/guard_mlir.h"

static uint32_t constant(guard_mlir *w, int64_t value) {
  return guard_line(w, "%s.constant dense<%lld> : tensor<i64>", w->prefix_of_ops, (long long)value);
}

static uint32_t binary(guard_mlir *w, guard_op op, uint32_t a, uint32_t b) {
  static const char *const NAMES[] = {
      [GUARD_ADD] = "add",    [GUARD_SUB] = "subtract",  [GUARD_MUL] = "multiply",
      [GUARD_DIV] = "divide", [GUARD_REM] = "remainder", [GUARD_MIN] = "minimum",
      [GUARD_AND] = "and",    [GUARD_OR] = "or",         [GUARD_XOR] = "xor"};
  assert((size_t)op < sizeof NAMES / sizeof *NAMES);
  return guard_line(w, "%s.%s %%%s%u, %%%s%u : tensor<%s>", w->prefix_of_ops, NAMES[op], w->prefix,
                    a, w->prefix, b, op >= GUARD_AND ? "i1" : "i64");
}

static uint32_t compare(guard_mlir *w, relation rel, uint32_t a, uint32_t b) {
  static const char *const NAMES[] = {[REL_EQ] = "EQ", [REL_NE] = "NE", [REL_LT] = "LT",
                                      [REL_LE] = "LE", [REL_GT] = "GT", [REL_GE] = "GE"};
  assert((size_t)rel < sizeof NAMES / sizeof *NAMES);
  return guard_line(w,
                    "%s.compare %s, %%%s%u, %%%s%u, SIGNED : (tensor<i64>, tensor<i64>) -> "
                    "tensor<i1>",
                    w->prefix_of_ops, NAMES[rel], w->prefix, a, w->prefix, b);
}

static uint32_t choose(guard_mlir *w, uint32_t test, uint32_t yes, uint32_t no) {
  return guard_line(w, "%s.select %%%s%u, %%%s%u, %%%s%u : tensor<i1>, tensor<i64>",
                    w->prefix_of_ops, w->prefix, test, w->prefix, yes, w->prefix, no);
}

static uint32_t widen(guard_mlir *w, uint32_t x, const char *from) {
  return guard_line(w, "%s.convert %%%s%u : (%s) -> tensor<i64>", w->prefix_of_ops, w->prefix, x,
                    from);
}

static uint32_t truth(guard_mlir *w, uint32_t test) { return widen(w, test, "tensor<i1>"); }

static bool readable(const graph_type *type, bool value) {
  if (type->kind != TYPE_TENSOR || type->torch != TORCH_NOT) return false;
  if (!value) return true;
  if (type->container != CONTAINER_TENSOR) return false;
  shape_dtype dtype = (shape_dtype)type->dtype;
  return dtype_is_integer(dtype) && dtype != DTYPE_UI64 && dtype != DTYPE_INDEX &&
         guard_has_elements(type);
}

static uint32_t element(guard_mlir *w, check_operand p, const char *name, const char *type) {
  const graph_type *t = guard_argument_type(w, p.argument);
  const char *element = dtype_name((shape_dtype)t->dtype), *hlo = w->prefix_of_ops;
  bool is_i64 = t->dtype == DTYPE_I64;
  if (t->rank == 0) {
    return guard_line(w, "%s.%s %%%s : (%s) -> tensor<i64>", hlo, is_i64 ? "reshape" : "convert",
                      name, type);
  }
  uint32_t one, row, column = guard_position(t, p.axis, &row);
  if (t->rank == 2) {
    one = guard_line(w, "%s.slice %%%s [%u:%u, %u:%u] : (%s) -> tensor<1x1x%s>", hlo, name, row,
                     row + 1, column, column + 1, type, element);
  } else {
    one = guard_line(w, "%s.slice %%%s [%u:%u] : (%s) -> tensor<1x%s>", hlo, name, column,
                     column + 1, type, element);
  }
  uint32_t scalar = guard_line(w, "%s.reshape %%%s%u : (tensor<%s%s>) -> tensor<%s>", hlo,
                               w->prefix, one, t->rank == 2 ? "1x1x" : "1x", element, element);
  char from[40];
  snprintf(from, sizeof from, "tensor<%s>", element);
  return is_i64 ? scalar : widen(w, scalar, from);
}

// get_dimension_size takes tensors of numbers, tensor.dim any.
static uint32_t dim(guard_mlir *w, check_operand p, const char *name, const char *type) {
  const graph_type *t = guard_argument_type(w, p.argument);
  shape_dtype dtype = (shape_dtype)t->dtype;
  bool is_number = dtype_is_integer(dtype) || dtype_is_float(dtype) || dtype_is_complex(dtype);
  if (is_number && dtype != DTYPE_INDEX && t->container == CONTAINER_TENSOR) {
    uint32_t size = guard_line(w, "%s.get_dimension_size %%%s, dim = %u : (%s) -> tensor<i32>",
                               w->prefix_of_ops, name, p.axis, type);
    return widen(w, size, "tensor<i32>");
  }
  uint32_t cast = GUARD_ARITH.dim(w, p, name, type);
  return guard_line(w, "tensor.from_elements %%%s%u : tensor<i64>", w->prefix, cast);
}

static void check(guard_mlir *w, uint32_t test, const char *message) {
  strbuf_printf(w->out,
                "%s.custom_call @shape_assertion(%%%s%u) {api_version = 2 : i32, error_message = "
                "\"%s\", has_side_effect = true} : (tensor<i1>) -> ()",
                w->prefix_of_ops, w->prefix, test, message);
}

const guard_dialect GUARD_HLO = {.constant = constant,
                                 .binary = binary,
                                 .compare = compare,
                                 .choose = choose,
                                 .truth = truth,
                                 .element = element,
                                 .dim = dim,
                                 .readable = readable,
                                 .check = check,
                                 .dim_bits = 31};
