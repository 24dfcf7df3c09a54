// SPDX-License-Identifier: Apache-2.0
// Checks below StableHLO: integers are i64, dims come from tensor.dim and memref.dim, and an assertion is cf.assert.
#include <assert.h>
#include <string.h>

#include "solver/emit/guard_mlir.h"

static uint32_t constant(guard_mlir *w, int64_t value) {
  return guard_line(w, "arith.constant %lld : i64", (long long)value);
}

static uint32_t binary(guard_mlir *w, guard_op op, uint32_t a, uint32_t b) {
  static const char *const NAMES[] = {
      [GUARD_ADD] = "addi",  [GUARD_SUB] = "subi",  [GUARD_MUL] = "muli",
      [GUARD_DIV] = "divsi", [GUARD_REM] = "remsi", [GUARD_MIN] = "minsi",
      [GUARD_AND] = "andi",  [GUARD_OR] = "ori",    [GUARD_XOR] = "xori"};
  assert((size_t)op < sizeof NAMES / sizeof *NAMES);
  return guard_line(w, "arith.%s %%%s%u, %%%s%u : %s", NAMES[op], w->prefix, a, w->prefix, b,
                    op >= GUARD_AND ? "i1" : "i64");
}

static uint32_t compare(guard_mlir *w, relation rel, uint32_t a, uint32_t b) {
  static const char *const NAMES[] = {[REL_EQ] = "eq",  [REL_NE] = "ne",  [REL_LT] = "slt",
                                      [REL_LE] = "sle", [REL_GT] = "sgt", [REL_GE] = "sge"};
  assert((size_t)rel < sizeof NAMES / sizeof *NAMES);
  return guard_line(w, "arith.cmpi %s, %%%s%u, %%%s%u : i64", NAMES[rel], w->prefix, a, w->prefix,
                    b);
}

static uint32_t choose(guard_mlir *w, uint32_t test, uint32_t yes, uint32_t no) {
  return guard_line(w, "arith.select %%%s%u, %%%s%u, %%%s%u : i64", w->prefix, test, w->prefix, yes,
                    w->prefix, no);
}

static uint32_t truth(guard_mlir *w, uint32_t test) {
  return guard_line(w, "arith.extui %%%s%u : i1 to i64", w->prefix, test);
}

// arith takes integers without a sign of their own; what their bits mean as signed numbers is what the analysis tracks.
static bool readable(const graph_type *type, bool value) {
  bool shaped = type->kind == TYPE_TENSOR && type->torch == TORCH_NOT;
  if (!value) return shaped;
  if (!shaped && type->kind != TYPE_SCALAR) return false;
  if (shaped && type->container != CONTAINER_TENSOR) return false;
  shape_dtype dtype = (shape_dtype)type->dtype;
  bool plain = dtype == DTYPE_INDEX || dtype == DTYPE_I64 || dtype == DTYPE_I32 ||
               dtype == DTYPE_I16 || dtype == DTYPE_I8;
  return plain && (!shaped || guard_has_elements(type));
}

static uint32_t element(guard_mlir *w, check_operand p, const char *name, const char *type) {
  const graph_type *t = guard_argument_type(w, p.argument);
  const char *from = dtype_name((shape_dtype)t->dtype);
  if (t->kind == TYPE_TENSOR) {
    uint32_t scalar, index = 0, row, column = guard_position(t, p.axis, &row);
    if (t->rank) index = guard_line(w, "arith.constant %u : index", column);
    if (t->rank == 2) {
      uint32_t first = guard_line(w, "arith.constant %u : index", row);
      scalar = guard_line(w, "tensor.extract %%%s[%%%s%u, %%%s%u] : %s", name, w->prefix, first,
                          w->prefix, index, type);
    } else {
      scalar = t->rank
                   ? guard_line(w, "tensor.extract %%%s[%%%s%u] : %s", name, w->prefix, index, type)
                   : guard_line(w, "tensor.extract %%%s[] : %s", name, type);
    }
    if (t->dtype == DTYPE_I64) return scalar;
    return guard_line(w, "arith.%s %%%s%u : %s to i64",
                      t->dtype == DTYPE_INDEX ? "index_cast" : "extsi", w->prefix, scalar, from);
  }
  if (t->dtype == DTYPE_I64) {
    return guard_line(w, "arith.addi %%%s, %%%s%u : i64", name, w->prefix, constant(w, 0));
  }
  return guard_line(w, "arith.%s %%%s : %s to i64",
                    t->dtype == DTYPE_INDEX ? "index_cast" : "extsi", name, from);
}

static uint32_t dim(guard_mlir *w, check_operand p, const char *name, const char *type) {
  bool is_memref = !strncmp(type, "memref", 6);
  uint32_t axis = guard_line(w, "arith.constant %u : index", p.axis);
  uint32_t size = guard_line(w, "%s.dim %%%s, %%%s%u : %s", is_memref ? "memref" : "tensor", name,
                             w->prefix, axis, type);
  return guard_line(w, "arith.index_cast %%%s%u : index to i64", w->prefix, size);
}

static void check(guard_mlir *w, uint32_t test, const char *message) {
  strbuf_printf(w->out, "cf.assert %%%s%u, \"%s\"", w->prefix, test, message);
}

const guard_dialect GUARD_ARITH = {.constant = constant,
                                   .binary = binary,
                                   .compare = compare,
                                   .choose = choose,
                                   .truth = truth,
                                   .element = element,
                                   .dim = dim,
                                   .readable = readable,
                                   .check = check,
                                   .dim_bits = 63};
