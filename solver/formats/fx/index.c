// SPDX-License-Identifier: Apache-2.0
// x[...]: items of lists, dims of shapes, and slices of tensors as torch/csrc/autograd/python_variable_indexing.cpp
// (applySlicing) has them: numbers, slices, None and Ellipsis one after the other, then all tensors at once.
#include <assert.h>
#include <string.h>

#include "solver/formats/fx/fx.h"

static bool slice_part(fx_reader *r, fx_value *out) {
  char c = fx_peek(r);
  *out = fx_make(FX_NONE);
  return c == ':' || c == ']' || c == ',' || fx_expression(r, out);
}

static bool one_index(fx_reader *r, fx_value *out) {
  fx_value parts[3];
  if (!slice_part(r, &parts[0])) return false;
  if (!fx_take(r, ":")) {
    *out = parts[0];
    return true;
  }
  parts[2] = fx_make(FX_NONE);
  if (!slice_part(r, &parts[1])) return false;
  if (fx_take(r, ":") && !slice_part(r, &parts[2])) return false;
  *out = fx_make(FX_SLICE);
  out->items = fx_copy(r, parts, 3, 0);
  out->count = 3;
  return true;
}

bool fx_subscript(fx_reader *r, fx_value *out) {
  fx_value *items = NULL, one;
  uint32_t count = 0, room = 0;
  if (fx_peek(r) == ']') return fx_fail(r, r->at, "expected an index");
  if (!one_index(r, out)) return false;
  if (fx_peek(r) != ',') return true;
  one = *out;
  for (;;) {
    if (count == room) items = fx_copy(r, items, count, room = 2 * room + 6);
    items[count++] = one;
    if (!fx_take(r, ",") || fx_peek(r) == ']') break;
    if (!one_index(r, &one)) return false;
  }
  *out = fx_list(items, count);
  out->tuple = true;
  return true;
}

static value_id emit(fx_reader *r, const char *op, value_id a, value_id b, value_id c, value_id d,
                     value_id e) {
  value_id operands[5] = {a, b, c, d, e};
  uint32_t count = 0;
  while (count < 5 && operands[count] != VALUE_NONE) count++;
  return build_op(&r->build, op, operands, count, NULL, 1);
}

// --- lists

static fx_value part_of(fx_reader *r, const fx_value *of, const fx_value *index) {
  assert(of->kind == FX_SEQUENCE || of->kind == FX_SIZES);
  // Operands are made one after the other: compilers differ in the order of the arguments of a call.
  value_id list = fx_operand(r, of), at = fx_operand(r, index);
  value_id item = emit(r, "torch.aten.__getitem__.t", list, at, VALUE_NONE, VALUE_NONE, VALUE_NONE);
  if (of->kind == FX_SEQUENCE) return fx_of(r, FX_TENSOR, item, (shape_dtype)of->dtype);
  return fx_of(r, FX_INT, item, DTYPE_NONE);
}

static int64_t clamp(int64_t value, int64_t length) {
  if (value < 0) value += length;
  return value < 0 ? 0 : value > length ? length : value;
}

static fx_value list_slice(fx_reader *r, const fx_value *of, const fx_value *slice) {
  assert(of->kind == FX_LIST && slice->kind == FX_SLICE && slice->count == 3);
  int64_t start = 0, stop = of->count, step = 1;
  const fx_value *p = slice->items;
  bool fine = (p[0].kind == FX_NONE || fx_is_int(&p[0], &start)) &&
              (p[1].kind == FX_NONE || fx_is_int(&p[1], &stop)) &&
              (p[2].kind == FX_NONE || fx_is_int(&p[2], &step)) && step > 0;
  if (!fine) return fx_make(FX_UNKNOWN);
  start = clamp(start, of->count);
  stop = clamp(stop, of->count);
  fx_value *items = fx_copy(r, NULL, 0, of->count);
  uint32_t count = 0;
  for (int64_t i = start; i < stop; i += step) {
    items[count++] = of->items[i];
    if (step > stop - i) break;
  }
  return fx_list(items, count);
}

static fx_value list_item(fx_reader *r, const fx_value *of, const fx_value *index) {
  assert(of->kind == FX_LIST);
  int64_t at;
  if (index->kind == FX_SLICE) return list_slice(r, of, index);
  if (!fx_is_int(index, &at)) return fx_make(FX_UNKNOWN);
  if (at < 0) at += of->count;
  if (at >= 0 && at < of->count) return of->items[at];
  fx_fail(r, r->at, "index %lld is not one of a list of %u", (long long)index->number, of->count);
  return fx_make(FX_UNKNOWN);
}

static fx_value sizes_item(fx_reader *r, const fx_value *of, const fx_value *index) {
  if (index->kind == FX_INT) return part_of(r, of, index);
  if (index->kind != FX_SLICE || of->kind == FX_SEQUENCE) return fx_make(FX_UNKNOWN);
  value_id list = fx_operand(r, of), begin = fx_operand(r, &index->items[0]);
  value_id end = fx_operand(r, &index->items[1]), step = fx_operand(r, &index->items[2]);
  value_id made = emit(r, "torch.aten.slice.t", list, begin, end, step, VALUE_NONE);
  return fx_of(r, FX_SIZES, made, DTYPE_NONE);
}

// --- tensors

enum { INDICES_MAX = 64 };

typedef struct tensor_index {
  fx_reader *r;
  const fx_value *of, *items;
  uint32_t count;
  value_id value;
  int64_t dim;  // the next axis; after an Ellipsis, counted from the end
  bool from_end;
  bool unsure;                    // nothing is said of the result
  fx_value tensors[INDICES_MAX];  // by axis; None where there is none
  uint32_t tensor_count;
  bool has_tensors;
} tensor_index;

static bool is_full(const fx_value *v) {
  int64_t start = 0, step = 1;
  return v->kind == FX_SLICE && v->items[1].kind == FX_NONE &&
         (v->items[0].kind == FX_NONE || (fx_is_int(&v->items[0], &start) && !start)) &&
         (v->items[2].kind == FX_NONE || (fx_is_int(&v->items[2], &step) && step == 1));
}

static bool may_be_mask(const fx_value *v) {
  if (v->kind == FX_LIST) return v->count && v->items[0].truth;
  return v->kind == FX_TENSOR && (!dtype_is_integer((shape_dtype)v->dtype) ||
                                  v->dtype == DTYPE_I1 || v->dtype == DTYPE_UI8);
}

static void take_tensor(tensor_index *x, const fx_value *index, bool rest_is_full) {
  assert(x->tensor_count <= INDICES_MAX);
  // A mask consumes as many axes as it has, which is not known here.
  if (x->from_end || x->dim >= INDICES_MAX || (may_be_mask(index) && !rest_is_full)) {
    x->unsure = true;
    return;
  }
  while (x->tensor_count <= x->dim) x->tensors[x->tensor_count++] = fx_make(FX_NONE);
  x->tensors[x->dim++] = *index;
  x->has_tensors = true;
}

// x[True] is a new axis of 1, x[False] one of 0: an index on an axis that is made for it.
static void take_truth(fx_reader *r, tensor_index *x, const fx_value *v) {
  assert(v->kind == FX_INT && v->truth);
  if (!v->constant || x->from_end || x->dim >= INDICES_MAX) {
    x->unsure = true;
    return;
  }
  fx_value at = fx_int(x->dim), index = fx_fresh(r, FX_TENSOR);
  int64_t dim = v->number != 0;
  x->value = emit(r, "torch.aten.unsqueeze", x->value, fx_operand(r, &at), VALUE_NONE, VALUE_NONE,
                  VALUE_NONE);
  index.dtype = DTYPE_I64;
  r->build.g->values[index.value].type = type_tensor(&r->build.g->types, DTYPE_I64, &dim, 1);
  take_tensor(x, &index, true);
}

// A list of integers, or of booleans: versions take other lists for tuples, or for tensors.
static bool is_flat(const fx_value *v) {
  assert(v->kind == FX_LIST);
  for (uint32_t i = 0; i < v->count; i++) {
    if (v->items[i].kind != FX_INT || v->items[i].truth != v->items[0].truth) return false;
  }
  return true;
}

static void take_slice(tensor_index *x, const fx_value *v) {
  fx_value dim = fx_int(x->dim);
  value_id axis = fx_operand(x->r, &dim), begin = fx_operand_int(x->r, &v->items[0]);
  value_id end = fx_operand_int(x->r, &v->items[1]), step = fx_operand_int(x->r, &v->items[2]);
  x->value = emit(x->r, "torch.aten.slice.Tensor", x->value, axis, begin, end, step);
}

static void take_number(tensor_index *x, const fx_value *v) {
  fx_value dim = fx_int(x->dim);
  value_id axis = fx_operand(x->r, &dim), at = fx_operand(x->r, v);
  x->value = emit(x->r, "torch.aten.select.int", x->value, axis, at, VALUE_NONE, VALUE_NONE);
}

static void take_index(tensor_index *x, const fx_value *v, bool rest_is_full) {
  assert(v >= x->items && v < x->items + x->count);
  fx_reader *r = x->r;
  fx_value at;
  switch (v->kind) {
  case FX_NONE:
    at = fx_int(x->from_end ? x->dim - 1 : x->dim++);
    x->value = emit(r, "torch.aten.unsqueeze", x->value, fx_operand(r, &at), VALUE_NONE, VALUE_NONE,
                    VALUE_NONE);
    break;
  case FX_SLICE:
    if (!is_full(v)) take_slice(x, v);
    x->dim++;
    break;
  case FX_INT:
    if (v->truth) {
      take_truth(r, x, v);
      break;
    }
    take_number(x, v);
    if (x->from_end) x->dim++;
    break;
  case FX_ELLIPSIS: {
    uint32_t after = 0;
    for (const fx_value *p = v + 1; p < x->items + x->count; p++) {
      bool plain = p->kind == FX_SLICE || (p->kind == FX_INT && !p->truth);
      x->unsure |= !plain && p->kind != FX_NONE;  // a tensor takes as many axes as it has
      after += plain;
    }
    x->from_end = true;
    x->dim = -(int64_t)after;
    break;
  }
  case FX_LIST:
    if (!is_flat(v)) {
      x->unsure = true;
      break;
    }
    take_tensor(x, v, rest_is_full);
    break;
  case FX_TENSOR: take_tensor(x, v, rest_is_full); break;
  default: x->unsure = true;
  }
}

// A list as an index is a tensor of its integers.
static value_id index_operand(fx_reader *r, const fx_value *v) {
  if (v->kind != FX_LIST) return fx_operand(r, v);
  value_id list = fx_operand(r, v);
  value_id made = build_op(&r->build, "torch.aten.tensor", &list, 1, NULL, 1);
  int64_t dim = v->count;
  // A list of True and False is a mask.
  shape_dtype dtype = v->count && v->items[0].truth ? DTYPE_I1 : DTYPE_I64;
  r->build.g->values[made].type = type_tensor(&r->build.g->types, dtype, &dim, 1);
  return made;
}

static fx_value apply_tensors(tensor_index *x) {
  assert(x->has_tensors && x->tensor_count);
  fx_reader *r = x->r;
  uint32_t first = UINT32_MAX, last = 0, used = 0;
  value_id values[INDICES_MAX];
  for (uint32_t i = 0; i < x->tensor_count; i++) {
    if (x->tensors[i].kind == FX_NONE) continue;
    if (first == UINT32_MAX) first = i;
    last = i;
    used++;
  }
  // Tensors of rank 0 are numbers, which matters where others are not beside them.
  if (used > 1 && last - first + 1 != used) return fx_unsure(r, x->of);
  for (uint32_t i = 0; i < x->tensor_count; i++) values[i] = index_operand(r, &x->tensors[i]);
  value_id list = build_list(&r->build, values, x->tensor_count);
  value_id made =
      emit(r, "torch.aten.index.Tensor", x->value, list, VALUE_NONE, VALUE_NONE, VALUE_NONE);
  return fx_of(r, FX_TENSOR, made, (shape_dtype)x->of->dtype);
}

// Slices of whole axes are no operations, but the tensor has the axes: a slice of the last one says so.
static void check_rank(tensor_index *x) {
  assert(x->count <= INDICES_MAX);
  bool any = false;
  int64_t axes = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    const fx_value *v = &x->items[i];
    if (v->kind != FX_SLICE && v->kind != FX_ELLIPSIS && v->kind != FX_NONE &&
        (v->kind != FX_INT || v->truth))
      return;
    any |= v->kind == FX_ELLIPSIS || (is_full(v) && i + 1 == x->count);
    axes += v->kind == FX_SLICE || v->kind == FX_INT;
  }
  if (!any || !axes) return;
  fx_value last = fx_int(axes - 1);
  emit(x->r, "torch.aten.slice.Tensor", x->value, fx_operand(x->r, &last), VALUE_NONE, VALUE_NONE,
       VALUE_NONE);
}

static fx_value tensor_item(fx_reader *r, const fx_value *of, const fx_value *index) {
  assert(of->kind == FX_TENSOR);
  tensor_index x = {.r = r, .of = of, .items = index, .count = 1, .value = fx_operand(r, of)};
  if (index->kind == FX_LIST && index->tuple) {  // x[[0, 1]] is one index
    x.items = index->items;
    x.count = index->count;
    if (x.count > INDICES_MAX) return fx_unsure(r, of);
  }
  check_rank(&x);
  for (uint32_t i = 0; i < x.count && !x.unsure; i++) {
    bool rest = true;
    for (uint32_t k = i + 1; k < x.count; k++)
      rest &= is_full(&x.items[k]) || x.items[k].kind == FX_ELLIPSIS;
    take_index(&x, &x.items[i], rest);
  }
  if (x.unsure) return fx_unsure(r, of);
  if (x.has_tensors) return apply_tensors(&x);
  return fx_of(r, FX_TENSOR, x.value, (shape_dtype)of->dtype);
}

fx_value fx_item(fx_reader *r, const fx_value *of, const fx_value *index) {
  assert(of && index);
  switch (of->kind) {
  case FX_LIST: return list_item(r, of, index);
  case FX_SIZES:
  case FX_SEQUENCE: return sizes_item(r, of, index);
  case FX_TENSOR: return tensor_item(r, of, index);
  default: return fx_make(FX_UNKNOWN);
  }
}

// x[False] = y does nothing, whatever y is.
static bool is_nothing(const fx_value *index) {
  bool none = index->kind == FX_INT && index->truth && index->constant && !index->number;
  for (uint32_t i = 0; index->tuple && i < index->count && !none; i++)
    none = is_nothing(&index->items[i]);
  return none;
}

void fx_set_item(fx_reader *r, const fx_value *of, const fx_value *index, const fx_value *to) {
  assert(of && index && to);
  fx_changed(r, of, NULL);
  if (of->kind != FX_TENSOR || is_nothing(index)) return;
  fx_value part = tensor_item(r, of, index);
  value_id operands[2] = {fx_operand(r, &part), fx_operand(r, to)};
  if (to->kind == FX_TENSOR) build_op(&r->build, "torch.fx.setitem", operands, 2, NULL, 1);
}
