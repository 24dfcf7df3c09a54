// SPDX-License-Identifier: Apache-2.0
// Operations of the tensor dialect whose lists mix numbers and operands: extract_slice, insert_slice, expand_shape; and
// concat. Lists become the attributes of the generic form, with MLIR's mark where an operand is (TensorOps.td,
// ViewLikeInterface.cpp). What does not read as one of these is passed over like any unknown syntax.
#include "solver/formats/mlir/pretty.h"

// [%i, 2, %k]: pushes the operands; each leaves DIM_DYNAMIC in the list. False: not such a
// list.
static bool mixed_list(mlir_parser *p, mlir_key key) {
  const char *from = (mlir_skip(p), p->at);
  int64_t *values = NULL;
  uint32_t count = 0, capacity = 0;
  if (!mlir_accept(p, '[')) return false;
  while (!mlir_accept(p, ']')) {
    if (count && !mlir_accept(p, ',')) return false;
    values = arena_grow(p->g->arena, values, count, (size_t)count + 1, &capacity, sizeof *values);
    values[count] = DIM_DYNAMIC;
    char c = mlir_peek(p);
    if (c == '%') {
      if (!mlir_push_operand(p)) return false;
    } else if ((!mlir_is_digit(c) && c != '-') || !mlir_int(p, &values[count])) {
      return false;
    }
    count++;
  }
  mlir_push_key(p, key, mlir_make_ints(p, values, count, from));
  return true;
}

static bool slice_lists(mlir_parser *p) {
  return mixed_list(p, KEY_static_offsets) && mixed_list(p, KEY_static_sizes) &&
         mixed_list(p, KEY_static_strides);
}

// [[0, 1], [2]] output_shape [%n, 4]; output_shape is from 2024 on.
static bool expand_lists(mlir_parser *p) {
  attr_id groups;
  if (mlir_peek(p) != '[' || !mlir_attr_bare(p, &groups)) return false;
  mlir_push_key(p, KEY_reassociation, groups);
  return !mlir_accept_word(p, "output_shape") || mixed_list(p, KEY_static_output_shape);
}

// dim(0) %a, %b
static bool concat_operands(mlir_parser *p) {
  int64_t dim;
  const char *from = (mlir_skip(p), p->at);
  if (!mlir_accept_word(p, "dim") || !mlir_accept(p, '(') || !mlir_int(p, &dim) ||
      !mlir_accept(p, ')'))
    return false;
  mlir_push_key(p, KEY_dim, mlir_make_int(p, dim, DTYPE_I64, from));
  do {
    if (mlir_peek(p) != '%' || !mlir_push_operand(p)) return false;
  } while (mlir_accept(p, ','));
  return true;
}

static bool operand_here(mlir_parser *p) { return mlir_peek(p) == '%' && mlir_push_operand(p); }

bool mlir_pretty_tensor(mlir_parser *p, mlir_op *op) {
  const char *name = op->row->name;
  bool known;
  if (strcmp(name, "tensor.concat") == 0) {
    known = concat_operands(p);
  } else if (strcmp(name, "tensor.expand_shape") == 0) {
    known = operand_here(p) && expand_lists(p);
  } else if (strcmp(name, "tensor.insert_slice") == 0) {
    known = operand_here(p) && mlir_accept_word(p, "into") && operand_here(p) && slice_lists(p);
  } else {
    known = operand_here(p) && slice_lists(p);
  }
  (void)known;  // a list that is missing has no attribute, and the rule does without it
  return mlir_opaque_op(p, op);
}
