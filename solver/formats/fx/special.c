// SPDX-License-Identifier: Apache-2.0
// Functions whose meaning is no row of fx.def: what reads dims and integers, casts, literals, and functions of Python.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/fx/fx.h"

static value_id emit1(fx_reader *r, const char *op, value_id a) {
  return build_op(&r->build, op, &a, 1, NULL, 1);
}

static fx_value size_of(fx_reader *r, const fx_value *x, const fx_value *axis) {
  assert(x->kind == FX_TENSOR || x->kind == FX_UNKNOWN || x->kind == FX_INT);
  value_id self = fx_operand(r, x);
  if (!axis || axis->kind == FX_NONE)
    return fx_of(r, FX_SIZES, emit1(r, "torch.aten.size", self), DTYPE_NONE);
  value_id operands[2] = {self, fx_operand_int(r, axis)};
  return fx_of(r, FX_INT, build_op(&r->build, "torch.aten.size.int", operands, 2, NULL, 1),
               DTYPE_NONE);
}

static fx_value cast(fx_reader *r, const fx_value *x, shape_dtype dtype) {
  assert(x->kind == FX_TENSOR || x->kind == FX_UNKNOWN);
  // Numbers beyond the integers are cut off: integers of a float tensor are not followed.
  return fx_of(r, FX_TENSOR, emit1(r, "torch.aten.to.dtype", fx_operand(r, x)), dtype);
}

static fx_value to(fx_reader *r, const fx_call *c) {
  shape_dtype dtype = (shape_dtype)c->args[0].value.dtype;
  for (uint32_t i = 1; i < c->count; i++) {
    const fx_value *v = &c->args[i].value;
    bool named = c->args[i].name && fx_is(c->args[i].name, c->args[i].length, "dtype");
    if (v->kind == FX_DTYPE || v->kind == FX_TENSOR) {
      dtype = (shape_dtype)v->dtype;
    } else if (v->kind == FX_UNKNOWN || v->kind == FX_OTHER || v->kind == FX_PATH || named) {
      // A device, or the element type of something.
      if (v->kind == FX_UNKNOWN || named) dtype = DTYPE_NONE;
    }
  }
  return cast(r, &c->args[0].value, dtype);
}

static fx_value item(fx_reader *r, const fx_value *x) {
  if (x->kind == FX_INT || x->kind == FX_NUMBER) return *x;
  if (x->kind != FX_TENSOR) return fx_make(FX_UNKNOWN);
  bool integer = dtype_is_integer((shape_dtype)x->dtype);
  value_id made = emit1(r, "torch.aten.item", fx_operand(r, x));
  bool fresh = !integer || r->mutated;
  fx_value out =
      fresh ? fx_fresh(r, integer ? FX_INT : FX_NUMBER) : fx_of(r, FX_INT, made, DTYPE_NONE);
  out.truth = x->dtype == DTYPE_I1;
  return out;
}

// --- literals

static bool literal_dims(const fx_value *v, int64_t *dims, uint32_t *rank, uint32_t depth) {
  if (v->kind == FX_INT || v->kind == FX_NUMBER) {
    *rank = depth;
    return true;
  }
  if (v->kind != FX_LIST || depth >= 8) return false;
  dims[depth] = v->count;
  *rank = depth + 1;
  for (uint32_t i = 0; i < v->count; i++) {
    int64_t own[8];
    uint32_t inner;
    if (!literal_dims(&v->items[i], own, &inner, depth + 1)) return false;
    for (uint32_t k = depth + 1; i && k < inner; k++) {
      if (own[k] != dims[k]) return false;
    }
    if (i && inner != *rank) return false;
    for (uint32_t k = depth + 1; k < inner; k++) dims[k] = own[k];
    *rank = inner;
  }
  return true;
}

static bool has_real(const fx_value *v) {
  bool real = v->kind == FX_NUMBER;
  for (uint32_t i = 0; v->kind == FX_LIST && i < v->count; i++) real |= has_real(&v->items[i]);
  return real;
}

static fx_value literal_list(fx_reader *r, const fx_value *data, shape_dtype dtype) {
  assert(data->kind == FX_LIST);
  int64_t dims[8];
  uint32_t rank;
  shape_graph *g = r->build.g;
  if (!literal_dims(data, dims, &rank, 0)) {
    fx_value out = fx_fresh(r, FX_TENSOR);
    out.dtype = (uint8_t)dtype;
    return out;
  }
  int64_t *kept = arena_alloc(g->arena, (data->count + 1) * sizeof *kept);
  bool constant = rank == 1 && dtype_is_integer(dtype);
  for (uint32_t i = 0; i < data->count && constant; i++)
    constant = fx_is_int(&data->items[i], &kept[i]);
  type_id type = type_tensor(&g->types, dtype, dims, rank);
  graph_attr attr = {.kind = ATTR_DENSE, .type = type, .text = NAME_NONE, .span = SPAN_NONE};
  if (constant) attr_set_ints(&attr, kept, data->count);
  attr_entry entry = {intern_add(&g->names, "value", 5), ATTR_NONE};
  if (constant) entry.value = graph_add_attr(g, &attr);
  value_id made = build_op(&r->build, constant ? "torch.tensor.literal" : "torch.fx.value", NULL, 0,
                           constant ? &entry : NULL, 1);
  g->values[made].type = type;
  return fx_of(r, FX_TENSOR, made, dtype);
}

static bool has_truth(const fx_value *v) {
  bool truth = v->truth;
  for (uint32_t i = 0; v->kind == FX_LIST && i < v->count && !truth; i++)
    truth = has_truth(&v->items[i]);
  return truth;
}

static bool has_integer(const fx_value *v) {
  bool found = v->kind == FX_INT && !v->truth;
  for (uint32_t i = 0; v->kind == FX_LIST && i < v->count && !found; i++)
    found = has_integer(&v->items[i]);
  return found;
}

static fx_value literal(fx_reader *r, const fx_call *c) {
  const fx_value *data = &c->args[0].value, *type = fx_argument_of(c, 1, "dtype");
  shape_dtype dtype = has_real(data)                          ? DTYPE_F32
                      : has_truth(data) && !has_integer(data) ? DTYPE_I1
                                                              : DTYPE_I64;
  if (data->kind == FX_TENSOR)
    return fx_of(r, FX_TENSOR, emit1(r, "torch.aten.clone", fx_operand(r, data)),
                 (shape_dtype)data->dtype);
  if (type && type->kind != FX_NONE)
    dtype = type->kind == FX_DTYPE ? (shape_dtype)type->dtype : DTYPE_NONE;
  if (data->kind == FX_LIST) return literal_list(r, data, dtype);
  if (data->kind != FX_INT && data->kind != FX_NUMBER) return fx_fresh(r, FX_UNKNOWN);
  value_id made =
      emit1(r, data->kind == FX_INT ? "torch.aten.tensor.int" : "torch.aten.tensor.float",
            fx_operand(r, data));
  return fx_of(r, FX_TENSOR, made, dtype);
}

// --- functions that are several operators

static fx_value interpolate(fx_reader *r, const fx_call *c) {
  const fx_value *x = fx_argument_of(c, 0, "input"), *size = fx_argument_of(c, 1, "size");
  const fx_value *scale = fx_argument_of(c, 2, "scale_factor");
  fx_value none = fx_make(FX_NONE), list;
  if (!x || x->kind != FX_TENSOR) return fx_fresh(r, FX_UNKNOWN);
  if (!size) size = &none;
  if (!scale) scale = &none;
  if (scale->kind == FX_INT || scale->kind == FX_NUMBER) {
    list = fx_list(scale, 1);
    scale = &list;
  }
  if (size->kind == FX_UNKNOWN || scale->kind == FX_UNKNOWN) return fx_unsure(r, x);
  value_id operands[3] = {fx_operand(r, x), fx_operand_int(r, size), fx_operand(r, scale)};
  return fx_of(r, FX_TENSOR, build_op(&r->build, "torch.fx.interpolate", operands, 3, NULL, 1),
               (shape_dtype)x->dtype);
}

// Its result is that of the projection at its end; the weights of the attention are not followed.
static fx_value multi_head(fx_reader *r, const fx_call *c) {
  const fx_value *query = fx_argument_of(c, 0, "query"),
                 *weights = fx_argument_of(c, 15, "need_weights");
  const fx_value *weight = fx_argument_of(c, 11, "out_proj_weight"),
                 *bias = fx_argument_of(c, 12, "out_proj_bias");
  if (!query || !weight || query->kind != FX_TENSOR || weight->kind != FX_TENSOR)
    return fx_fresh(r, FX_UNKNOWN);
  fx_value none = fx_make(FX_NONE), items[2];
  value_id operands[3] = {fx_operand(r, query), fx_operand(r, weight),
                          fx_operand(r, bias ? bias : &none)};
  items[0] = fx_of(r, FX_TENSOR, build_op(&r->build, "torch.aten.linear", operands, 3, NULL, 1),
                   (shape_dtype)query->dtype);
  // A note says that the rest is not checked.
  value_id other =
      build_op(&r->build, "torch.nn.functional.multi_head_attention_forward", operands, 1, NULL, 1);
  bool no = weights && weights->kind == FX_INT && weights->constant && !weights->number;
  items[1] = no ? fx_make(FX_NONE) : fx_of(r, FX_UNKNOWN, other, DTYPE_NONE);
  return fx_list(fx_copy(r, items, 2, 0), 2);
}

static bool casts(const char *name, uint32_t length, shape_dtype *out) {
  static const struct {
    const char *name;
    shape_dtype dtype;
  } CASTS[] = {{"float", DTYPE_F32},     {"double", DTYPE_F64}, {"half", DTYPE_F16},
               {"bfloat16", DTYPE_BF16}, {"long", DTYPE_I64},   {"int", DTYPE_I32},
               {"short", DTYPE_I16},     {"char", DTYPE_I8},    {"byte", DTYPE_UI8},
               {"bool", DTYPE_I1},       {"cfloat", DTYPE_C64}, {"cdouble", DTYPE_C128}};
  for (unsigned i = 0; i < sizeof CASTS / sizeof *CASTS; i++) {
    if (!fx_is(name, length, CASTS[i].name)) continue;
    *out = CASTS[i].dtype;
    return true;
  }
  return false;
}

// x.__eq__(y), operator.eq
static bool by_operator(fx_reader *r, const fx_call *c, const char *name, uint32_t length,
                        fx_value *out) {
  static const char *const BINARY[] = {"add",  "sub", "mul", "truediv", "floordiv", "mod",    "pow",
                                       "and_", "or_", "xor", "lshift",  "rshift",   "matmul", "eq",
                                       "ne",   "lt",  "le",  "gt",      "ge"};
  static const char *const UNARY[] = {"neg", "pos", "invert", "not_"};
  char plain[16];
  if (length > 1 && *name == 'i' && !fx_is(name, length, "invert")) {  // iadd: in place
    fx_value of = c->args[0].value;
    if (by_operator(r, c, name + 1, length - 1, out)) {
      if (of.kind == FX_TENSOR) {
        *out = fx_call_method(r, "iadd_", (fx_value[]){of, c->args[1].value}, 2);
      }
      return true;
    }
  }
  bool underscore =
      fx_is(name, length, "and") || fx_is(name, length, "or") || fx_is(name, length, "not");
  if (length > 12) return false;
  snprintf(plain, sizeof plain, "%.*s%s", (int)length, name, underscore ? "_" : "");
  for (unsigned i = 0; i < sizeof BINARY / sizeof *BINARY && c->count == 2; i++) {
    if (strcmp(BINARY[i], plain) != 0) continue;
    *out = fx_binary(r, plain, &c->args[0].value, &c->args[1].value);
    return true;
  }
  for (unsigned i = 0; i < sizeof UNARY / sizeof *UNARY && c->count == 1; i++) {
    if (strcmp(UNARY[i], plain) != 0) continue;
    *out = fx_unary(r, plain, &c->args[0].value);
    return true;
  }
  return false;
}

static bool dunder(fx_reader *r, const fx_call *c, const char *name, uint32_t length,
                   fx_value *out) {
  if (length < 6 || memcmp(name, "__", 2) != 0 || memcmp(name + length - 2, "__", 2) != 0)
    return false;
  name += 2;
  length -= 4;
  if (fx_is(name, length, "getitem") && c->count == 2) {
    *out = fx_item(r, &c->args[0].value, &c->args[1].value);
    return true;
  }
  if (fx_is(name, length, "len") && c->count == 1)
    return fx_member(r, &c->args[0].value, "__len__", 7, out);
  return by_operator(r, c, name, length, out);
}

bool fx_special(fx_reader *r, const fx_call *c, const char *name, uint32_t length, fx_value *out) {
  shape_dtype dtype;
  const fx_value *x = c->count ? &c->args[0].value : NULL;
  if (c->is_method && x) {
    bool tensor = x->kind == FX_TENSOR || x->kind == FX_UNKNOWN;
    if (dunder(r, c, name, length, out)) return true;
    if (fx_is(name, length, "item") || fx_is(name, length, "tolist")) {
      *out = fx_is(name, length, "item") ? item(r, x) : fx_make(FX_UNKNOWN);
      return true;
    }
    if (tensor && fx_is(name, length, "size"))
      return *out = size_of(r, x, fx_argument_of(c, 1, "dim")), true;
    if (tensor && (fx_is(name, length, "to") || fx_is(name, length, "type") ||
                   fx_is(name, length, "type_as")))
      return *out = to(r, c), true;
    if (tensor && casts(name, length, &dtype)) return *out = cast(r, x, dtype), true;
    if (fx_is(name, length, "view") && c->count == 2 && c->args[1].value.kind == FX_DTYPE)
      return *out = fx_of(r, FX_TENSOR, emit1(r, "torch.aten.view.dtype", fx_operand(r, x)),
                          (shape_dtype)c->args[1].value.dtype),
             true;
    bool rank = fx_is(name, length, "dim") || fx_is(name, length, "ndimension");
    if (tensor && (rank || fx_is(name, length, "numel") || fx_is(name, length, "nelement"))) {
      value_id made = emit1(r, rank ? "torch.aten.dim" : "torch.aten.numel", fx_operand(r, x));
      return *out = fx_of(r, FX_INT, made, DTYPE_NONE), true;
    }
    return false;
  }
  if (!x) return false;
  if (fx_is(name, length, "tensor") || fx_is(name, length, "as_tensor") ||
      fx_is(name, length, "scalar_tensor"))
    return *out = literal(r, c), true;
  if (fx_is(name, length, "interpolate")) return *out = interpolate(r, c), true;
  if (fx_is(name, length, "multi_head_attention_forward")) return *out = multi_head(r, c), true;
  if (fx_is(name, length, "einsum") && c->count == 2 && c->args[1].value.kind == FX_TENSOR)
    return false;
  if (fx_is(name, length, "sym_float")) return *out = fx_fresh(r, FX_NUMBER), true;
  return false;
}

// --- attributes

static fx_value transposed(fx_reader *r, const fx_value *of, const char *op) {
  return fx_of(r, FX_TENSOR, emit1(r, op, fx_operand(r, of)), (shape_dtype)of->dtype);
}

bool fx_member(fx_reader *r, const fx_value *of, const char *name, uint32_t length, fx_value *out) {
  *out = fx_make(FX_UNKNOWN);
  bool tensor = of->kind == FX_TENSOR || of->kind == FX_UNKNOWN;
  if (fx_is(name, length, "__len__")) {
    if (of->kind == FX_LIST) return *out = fx_int(of->count), true;
    if (of->kind == FX_SIZES)
      *out = fx_of(r, FX_INT, emit1(r, "torch.aten.len.t", fx_operand(r, of)), DTYPE_NONE);
    if (of->kind == FX_TENSOR)
      *out = size_of(r, of, &(fx_value){.kind = FX_INT, .constant = true, .value = VALUE_NONE});
    return true;
  }
  if (of->kind == FX_LIST && of->count && fx_is(name, length, "values"))
    return *out = of->items[0], true;
  if (of->kind == FX_LIST && of->count > 1 && fx_is(name, length, "indices"))
    return *out = of->items[1], true;
  if (of->kind == FX_INT || of->kind == FX_NUMBER) return *out = fx_fresh(r, FX_UNKNOWN), true;
  if (!tensor) return true;
  if (fx_is(name, length, "shape")) return *out = size_of(r, of, NULL), true;
  if (fx_is(name, length, "T")) return *out = transposed(r, of, "torch.aten.numpy_T"), true;
  if (fx_is(name, length, "mT") || fx_is(name, length, "mH"))
    return *out = transposed(r, of, "torch.aten.mT"), true;
  if (fx_is(name, length, "H")) return *out = transposed(r, of, "torch.aten.adjoint"), true;
  if (fx_is(name, length, "data")) {
    *out = *of;
    out->root = r->roots++;
    return true;
  }
  if (fx_is(name, length, "real") || fx_is(name, length, "imag")) {
    fx_value part = transposed(r, of, "torch.aten.detach");
    if (dtype_is_complex((shape_dtype)of->dtype))
      part = cast(r, of, of->dtype == DTYPE_C64 ? DTYPE_F32 : DTYPE_F64);
    return *out = part, true;
  }
  if (fx_is(name, length, "ndim")) {
    *out = fx_of(r, FX_INT, emit1(r, "torch.aten.dim", fx_operand(r, of)), DTYPE_NONE);
    return true;
  }
  if (fx_is(name, length, "dtype") && of->dtype != DTYPE_NONE) {
    *out = fx_make(FX_DTYPE);
    out->dtype = of->dtype;
  } else if (fx_is(name, length, "device") || fx_is(name, length, "layout")) {
    *out = fx_make(FX_OTHER);
  }
  return true;
}

// --- functions of Python

static bool extremum(fx_reader *r, const fx_call *c, bool most, fx_value *out) {
  assert(c->count);
  const fx_value *items = c->args ? &c->args[0].value : NULL;
  fx_value *all = fx_copy(r, NULL, 0, c->count + 1);
  uint32_t count = c->count;
  for (uint32_t i = 0; i < count; i++) all[i] = c->args[i].value;
  if (count == 1 && items->kind == FX_LIST) {
    count = items->count;
    all = fx_copy(r, items->items, count, 0);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (all[i].kind != FX_INT || all[i].truth)
      return *out = fx_make(all[i].kind == FX_NUMBER ? FX_NUMBER : FX_UNKNOWN), true;
  }
  if (!count) return true;
  *out = all[0];
  for (uint32_t i = 1; i < count; i++) {
    value_id operands[2] = {fx_operand(r, out), fx_operand(r, &all[i])};
    value_id made =
        build_op(&r->build, most ? "torch.sym_max" : "torch.sym_min", operands, 2, NULL, 1);
    *out = fx_of(r, FX_INT, made, DTYPE_NONE);
  }
  return true;
}

static bool to_int(fx_reader *r, const fx_value *x, const char *op, fx_value *out) {
  if (x->kind == FX_INT) {
    *out = *x;
    out->truth = false;
    return true;
  }
  if (x->kind == FX_TENSOR) {
    *out = r->mutated
               ? fx_fresh(r, FX_INT)
               : fx_of(r, FX_INT, emit1(r, "torch.aten.Int.Tensor", fx_operand(r, x)), DTYPE_NONE);
  } else if (x->kind == FX_NUMBER) {
    *out = fx_of(r, FX_INT, emit1(r, op, fx_operand(r, x)), DTYPE_NONE);
  } else {
    *out = fx_fresh(r, FX_INT);
  }
  return true;
}

static bool sum_of(fx_reader *r, const fx_value *list, fx_value *out) {
  if (list->kind != FX_LIST && list->kind != FX_SIZES) return *out = fx_make(FX_UNKNOWN), true;
  for (uint32_t i = 0; i < list->count && list->kind == FX_LIST; i++) {
    if (list->items[i].kind != FX_INT) return *out = fx_make(FX_UNKNOWN), true;
  }
  *out = fx_of(r, FX_INT, emit1(r, "torch.sym_sum", fx_operand(r, list)), DTYPE_NONE);
  return true;
}

static bool leaves(const fx_value *v, fx_value *out, uint32_t *count, uint32_t room) {
  assert(*count <= room);
  if (v->kind != FX_LIST) {
    if (*count == room) return false;
    out[(*count)++] = *v;
    return true;
  }
  for (uint32_t i = 0; i < v->count; i++) {
    if (!leaves(&v->items[i], out, count, room)) return false;
  }
  return true;
}

static bool ends(const fx_call *c, const char *tail) {
  size_t length = strlen(tail);
  return c->length >= length && memcmp(c->path + c->length - length, tail, length) == 0;
}

static bool of_trees(fx_reader *r, const fx_call *c, fx_value *out) {
  enum { ROOM = 4096 };
  if (ends(c, "tree_unflatten") && c->count) return *out = c->args[0].value, true;
  if (!ends(c, "tree_flatten_spec") || !c->count) return false;
  uint32_t count = 0;
  fx_value *items = fx_copy(r, NULL, 0, ROOM);
  if (leaves(&c->args[0].value, items, &count, ROOM)) *out = fx_list(items, count);
  return true;
}

static bool is_quiet(const fx_call *c) {
  static const char *const HEADS[] = {"torch._dynamo.",
                                      "torch._functorch.vmap.lazy",
                                      "torch.set_grad_enabled",
                                      "torch._C._set_grad_enabled",
                                      "torch._C._log_api_usage_once",
                                      "torch.amp.autocast_mode.",
                                      "torch._C._functorch._vmap_increment",
                                      "torch._C._functorch._vmap_decrement",
                                      "torch.manual_seed",
                                      "print",
                                      "torch.fx._pytree.",
                                      "torch._functorch.predispatch.lazy",
                                      "torch.autograd.",
                                      "torch._C._autograd.",
                                      "torch.fx.wrap",
                                      "setattr"};
  for (unsigned i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
    if (fx_begins(c->path, c->length, HEADS[i])) return true;
  }
  return false;
}

static bool of_operator(fx_reader *r, const fx_call *c, fx_value *out) {
  const char *point = memchr(c->path, '.', c->length);
  if (!point) return false;
  uint32_t head = (uint32_t)(point - c->path), length = c->length - head - 1;
  if (fx_is(c->path, head, "math")) {
    const fx_value *x = c->count ? &c->args[0].value : NULL;
    bool floor = fx_is(point + 1, length, "floor"), ceil = fx_is(point + 1, length, "ceil");
    if (x && (floor || ceil || fx_is(point + 1, length, "trunc")))
      return to_int(r, x,
                    floor  ? "torch.math.floor"
                    : ceil ? "torch.math.ceil"
                           : "torch.math.trunc",
                    out);
    return *out = fx_fresh(r, FX_NUMBER), true;
  }
  if (!fx_is(c->path, head, "operator") && !fx_is(c->path, head, "_operator")) return false;
  if (fx_is(point + 1, length, "getitem") && c->count == 2)
    return *out = fx_item(r, &c->args[0].value, &c->args[1].value), true;
  if (fx_is(point + 1, length, "setitem") && c->count == 3)
    return fx_set_item(r, &c->args[0].value, &c->args[1].value, &c->args[2].value),
           *out = fx_make(FX_NONE), true;
  return by_operator(r, c, point + 1, length, out);
}

static bool get_attribute(fx_reader *r, const fx_call *c, fx_value *out) {
  assert(c->count >= 2);
  const fx_value *name = &c->args[1].value;
  if (name->kind != FX_TEXT) return *out = fx_make(FX_UNKNOWN), true;
  return fx_member(r, &c->args[0].value, name->text, name->length, out);
}

static fx_value truth_of(fx_reader *r, const fx_value *x) {
  if (x->kind == FX_INT && x->constant) return fx_truth(x->number != 0);
  fx_value out = fx_fresh(r, FX_INT);
  out.truth = true;
  return out;
}

bool fx_builtin(fx_reader *r, const fx_call *c, fx_value *out) {
  const fx_value *x = c->count ? &c->args[0].value : NULL;
  const char *p = c->path;
  uint32_t n = c->length;
  *out = fx_make(FX_UNKNOWN);
  if (is_quiet(c)) return true;
  if (of_operator(r, c, out) || of_trees(r, c, out)) return true;
  if (fx_is(p, n, "torch.device") || fx_is(p, n, "device")) return *out = fx_make(FX_OTHER), true;
  if (!x) return false;
  if (fx_is(p, n, "slice")) {
    fx_value parts[3] = {fx_make(FX_NONE), fx_make(FX_NONE), fx_make(FX_NONE)};
    for (uint32_t i = 0; i < c->count && i < 3; i++)
      parts[c->count == 1 ? 1 : i] = c->args[i].value;
    *out = fx_make(FX_SLICE);
    out->items = fx_copy(r, parts, 3, 0);
    out->count = 3;
    return true;
  }
  if (fx_is(p, n, "getattr") && c->count >= 2) return get_attribute(r, c, out);
  if (fx_is(p, n, "int") || fx_is(p, n, "torch.sym_int")) return to_int(r, x, "torch.sym_int", out);
  if (fx_is(p, n, "float")) return *out = x->kind == FX_NUMBER ? *x : fx_fresh(r, FX_NUMBER), true;
  if (fx_is(p, n, "bool")) return *out = truth_of(r, x), true;
  if (fx_is(p, n, "len")) return fx_member(r, x, "__len__", 7, out);
  if (fx_is(p, n, "sum") || fx_is(p, n, "torch.sym_sum")) return sum_of(r, x, out);
  if (fx_is(p, n, "max") || fx_is(p, n, "min") || fx_is(p, n, "torch.sym_max") ||
      fx_is(p, n, "torch.sym_min"))
    return extremum(r, c, p[n - 1] == 'x', out);
  if (fx_is(p, n, "tuple") || fx_is(p, n, "list") || fx_is(p, n, "torch.Size") ||
      fx_is(p, n, "torch.fx.immutable_collections.immutable_list"))
    return *out = *x, true;
  if (fx_is(p, n, "abs") && x->kind == FX_INT) {
    value_id made = emit1(r, "torch.operator.abs", fx_operand(r, x));
    return *out = fx_of(r, FX_INT, made, DTYPE_NONE), true;
  }
  if (fx_is(p, n, "pow") && c->count == 2)
    return *out = fx_binary(r, "pow", x, &c->args[1].value), true;
  return false;
}
