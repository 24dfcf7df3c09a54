// SPDX-License-Identifier: Apache-2.0
// Calls: which operator a function of Python is, and which operand each of its arguments.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/ops/registry.h"

enum { PARAMETERS_MAX = 24, NAME_ROOM = 160, ARGUMENTS_MAX = 4096 };

typedef struct fx_row {
  const char *name, *op, *signature;
} fx_row;

// clang-format off
#define X(name, op, signature) {name, op, signature},
static const fx_row ROWS[] = {
#include "solver/formats/fx/fx.def"
};
#undef X
// clang-format on

// --- arguments

bool fx_arguments(fx_reader *r, fx_argument **args, uint32_t *count) {
  fx_argument *made = NULL;
  uint32_t room = 0;
  *count = 0;
  while (fx_peek(r) != ')' && fx_peek(r)) {
    fx_argument one = {.name = NULL};
    const char *from = r->at, *name;
    uint32_t length;
    bool all = fx_take(r, "**"), star = !all && fx_take(r, "*");
    if (!all && !star && fx_name(r, &name, &length)) {
      if (fx_peek(r) == '=' && !(r->end - r->at > 1 && r->at[1] == '=')) {
        r->at++;
        one.name = name;
        one.length = length;
      } else {
        r->at = from;
      }
    }
    if (!fx_expression(r, &one.value)) return false;
    if (all) one.name = "**", one.length = 2;
    uint32_t more = star && one.value.kind == FX_LIST ? one.value.count : 1;
    if (*count + more > ARGUMENTS_MAX) return fx_fail(r, from, "the call has too many arguments");
    if (*count + more > room) {
      room = 2 * (*count + more) + 6;
      fx_argument *grown = arena_alloc(r->build.g->arena, room * sizeof *grown);
      if (*count) memcpy(grown, made, *count * sizeof *grown);
      made = grown;
    }
    for (uint32_t i = 0; star && one.value.kind == FX_LIST && i < more; i++)
      made[(*count)++] = (fx_argument){.value = one.value.items[i]};
    if (star && one.value.kind != FX_LIST) one.value = fx_make(FX_UNKNOWN);
    if (!star || one.value.kind != FX_LIST) made[(*count)++] = one;
    if (!fx_take(r, ",")) break;
  }
  *args = made;
  return true;
}

const fx_value *fx_argument_of(const fx_call *c, uint32_t position, const char *name) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const fx_argument *a = &c->args[i];
    if (a->name ? fx_is(a->name, a->length, name) : at++ == position) return &a->value;
  }
  return NULL;
}

// --- signatures

typedef struct fx_parameter {
  const char *name, *operand;
  uint32_t name_length, operand_length;
  char takes;  // 0: anything
  bool required, rest;
  bool first;  // the function returns the first result of the operator alone
  bool given;
  fx_value value;
} fx_parameter;

typedef struct binding {
  fx_parameter items[PARAMETERS_MAX];
  uint32_t count;
  bool unsure;  // something of an unknown kind decides
} binding;

// "input=self:t! dim:i", or names alone as torch.def has them.
static void read_signature(const char *text, bool plain, binding *b) {
  assert(text && b);
  b->count = 0;
  b->unsure = false;
  while (*text && b->count < PARAMETERS_MAX) {
    fx_parameter *p = &b->items[b->count++];
    size_t length = strcspn(text, "=: ");
    *p = (fx_parameter){.name = text, .operand = text, .name_length = (uint32_t)length};
    p->operand_length = p->name_length;
    text += length;
    if (*text == '=') {
      p->operand = ++text;
      p->operand_length = (uint32_t)strcspn(text, ": ");
      text += p->operand_length;
    }
    if (*text == ':') text++;
    for (; *text && *text != ' '; text++) {
      if (*text == '!') p->required = true;
      if (*text == '*') p->rest = true;
      if (*text == '1') p->first = true;
      if (!strchr("!*1", *text)) p->takes = *text;
    }
    if (*text == ' ') text++;
    if (plain && b->count == 1) p->required = true;
  }
}

static bool fits(char takes, const fx_value *v, bool *unsure) {
  if (v->kind == FX_UNKNOWN) {
    *unsure |= takes != 0;
    return true;
  }
  bool number = v->kind == FX_INT || v->kind == FX_NUMBER;
  switch (takes) {
  case 't': return v->kind == FX_TENSOR;
  case 'i': return number && !v->truth && !(v->kind == FX_NUMBER && v->constant);
  case 'n': return number || v->kind == FX_TENSOR;
  case 'l': return number || v->kind == FX_LIST || v->kind == FX_SIZES || v->kind == FX_NONE;
  case 'L': return v->kind == FX_LIST || v->kind == FX_SEQUENCE;
  case 's': return v->kind == FX_TEXT;
  case 'f': return v->kind == FX_NONE || (v->kind == FX_INT && v->constant && !v->number);
  case 'T': return v->kind == FX_INT && v->constant && v->number;
  default: return true;
  }
}

// What says nothing of dims wherever it is given; element types are taken apart from the others.
static bool is_harmless(const fx_argument *a) {
  static const char *const NAMES[] = {
      "dtype",       "device",    "layout",       "requires_grad", "pin_memory", "memory_format",
      "out",         "generator", "non_blocking", "copy",          "inplace",    "training",
      "_stacklevel", "names",     "low_memory",   "sparse_grad"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (fx_is(a->name, a->length, NAMES[i])) return true;
  }
  return false;
}

static fx_parameter *parameter_named(binding *b, const char *name, uint32_t length) {
  static const char *const ALSO[][2] = {{"input", "self"},
                                        {"axis", "dim"},
                                        {"keepdims", "keepdim"},
                                        {"axes", "dim"},
                                        {"x1", "x1"},
                                        {"self", "input"},
                                        {"mat2", "other"},
                                        {"other", "mat2"},
                                        {"dim0", "axis0"},
                                        {"indices", "index"},
                                        {"dims", "dim"},
                                        {"vec2", "other"},
                                        {"sizes", "shape"},
                                        {"sizes", "repeats"},
                                        {"steps", "n"},
                                        {"window_length", "n"},
                                        {"shape", "size"},
                                        {"num_groups", "group"},
                                        {"upscale_factor", "factor"},
                                        {"downscale_factor", "factor"},
                                        {"exponent", "other"},
                                        {"axis0", "dim0"},
                                        {"axis1", "dim1"},
                                        {"A", "self"},
                                        {"y", "self"},
                                        {"real", "self"},
                                        {"imag", "other"},
                                        {"abs", "self"},
                                        {"angle", "other"},
                                        {"values", "other"},
                                        {"condition", "self"}};
  for (uint32_t i = 0; i < b->count; i++) {
    fx_parameter *p = &b->items[i];
    if (p->name_length == length && memcmp(p->name, name, length) == 0) return p;
  }
  for (unsigned k = 0; k < sizeof ALSO / sizeof *ALSO; k++) {
    if (!fx_is(name, length, ALSO[k][0])) continue;
    for (uint32_t i = 0; i < b->count; i++) {
      if (fx_is(b->items[i].name, b->items[i].name_length, ALSO[k][1])) return &b->items[i];
    }
  }
  return NULL;
}

static void take_rest(fx_reader *r, const fx_call *c, uint32_t from, fx_parameter *p) {
  assert(p->rest && from < c->count);
  uint32_t count = 0, first = 0;
  fx_value *items = fx_copy(r, NULL, 0, c->count);
  for (uint32_t i = from; i < c->count; i++) {
    if (c->args[i].name) continue;
    if (!count) first = i;
    items[count++] = c->args[i].value;
  }
  const fx_value *one = &c->args[first].value;
  bool whole =
      count == 1 && one->kind != FX_INT && one->kind != FX_NUMBER && one->kind != FX_TENSOR;
  if (!count) return;
  p->value = whole ? *one : fx_list(items, count);
  p->given = true;
}

// Puts the arguments of a call where they belong. lenient: those that are too many, or that have other names, do not
// matter to the rule.
static bool bind(fx_reader *r, const fx_call *c, binding *b, bool lenient) {
  assert(b->count <= PARAMETERS_MAX);
  uint32_t at = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const fx_argument *a = &c->args[i];
    fx_parameter *p = NULL;
    if (!a->name) {
      if (at < b->count && b->items[at].rest) {
        if (!b->items[at].given) take_rest(r, c, i, &b->items[at]);
        continue;
      }
      if (at >= b->count && a->value.kind == FX_DTYPE) continue;
      if (at >= b->count && !lenient) return false;
      if (at < b->count) p = &b->items[at++];
    } else {
      p = parameter_named(b, a->name, a->length);
      if (!p && !lenient && !is_harmless(a)) return false;
    }
    if (!p) continue;
    if (p->given) return false;
    p->given = true;
    p->value = a->value;
  }
  for (uint32_t i = 0; i < b->count; i++) {
    fx_parameter *p = &b->items[i];
    if (p->given && p->value.kind == FX_NONE && p->takes != 'f' &&
        !(p->required && p->takes == 'l'))
      p->given = false;
    if (p->required && !p->given) return false;
    if (p->given && !fits(p->takes, &p->value, &b->unsure)) return false;
  }
  return true;
}

// --- results

static const fx_value *first_tensor(const fx_call *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->args[i].value.kind == FX_TENSOR) return &c->args[i].value;
  }
  return NULL;
}

static void promote(const fx_value *v, shape_dtype *all, bool *any) {
  if (v->kind == FX_LIST) {
    for (uint32_t i = 0; i < v->count; i++) promote(&v->items[i], all, any);
  }
  if (v->kind != FX_TENSOR && v->kind != FX_SEQUENCE) return;
  *all = *any ? fx_promote(*all, (shape_dtype)v->dtype) : (shape_dtype)v->dtype;
  *any = true;
}

static shape_dtype created(const op_row *row, const fx_call *c) {
  bool real = false, unsure = false, fill = strstr(row->name, "full") != NULL;
  if (strcmp(row->rule_name, "torch_arange") != 0 && !fill) return DTYPE_F32;
  for (uint32_t i = 0; i < c->count; i++) {
    const fx_value *v = &c->args[i].value;
    bool number = v->kind == FX_NUMBER, fill_value = !fill || i > 0;
    real |= number && v->constant && fill_value;
    unsure |=
        ((number && !v->constant) || v->kind == FX_UNKNOWN || v->kind == FX_TENSOR) && fill_value;
  }
  return real ? DTYPE_F32 : unsure || fill ? DTYPE_NONE : DTYPE_I64;
}

static shape_dtype dtype_of(const fx_row_info *row, const fx_call *c) {
  shape_dtype all = DTYPE_NONE, first = DTYPE_NONE;
  bool any = false;
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->args[i].value.kind == FX_DTYPE) return (shape_dtype)c->args[i].value.dtype;
    // A number of a higher category changes the type that the tensors have.
    bool real = c->args[i].value.kind == FX_NUMBER && !c->args[i].name;
    promote(&c->args[i].value, &all, &any);
    if (real && dtype_is_integer(all)) all = DTYPE_NONE;
    if (c->args[i].name && fx_is(c->args[i].name, c->args[i].length, "dtype") &&
        c->args[i].value.kind != FX_NONE)
      return DTYPE_NONE;
  }
  const fx_value *tensor = first_tensor(c);
  if (tensor) first = (shape_dtype)tensor->dtype;
  if (row->creates) return strstr(row->row->name, ".new_") ? first : created(row->row, c);
  if (row->embeds) {
    const fx_value *weight = fx_argument_of(c, 1, "weight"), *other = &c->args[0].value;
    return weight && weight->kind == FX_TENSOR && dtype_is_float((shape_dtype)weight->dtype)
               ? (shape_dtype)weight->dtype
               : (shape_dtype)other->dtype;
  }
  return fx_result_dtype(row, first, all);
}

enum { OPEN_RESULTS = 9 };  // of an operator that has any number

static fx_value emit(fx_reader *r, const op_row *row, const fx_call *c, const value_id *operands,
                     uint32_t count, bool first_only) {
  assert(row->results >= -1 && count <= PARAMETERS_MAX);
  const fx_row_info *info = fx_info(r, row);
  fx_kind kind = (fx_kind)info->kind;
  shape_dtype dtype = dtype_of(info, c);
  uint32_t results = row->results >= 0 ? (uint32_t)row->results : OPEN_RESULTS;
  bool truth = info->truth;
  if (info->is_assert) results = 0;
  if (info->to_scalar) {
    const fx_value *tensor = first_tensor(c);
    truth |= tensor && tensor->dtype == DTYPE_I1;
    if (tensor && dtype_is_integer((shape_dtype)tensor->dtype)) kind = FX_INT;
    if (kind == FX_INT && r->mutated) {
      fx_value out = fx_fresh(r, FX_INT);
      out.truth = truth;
      return out;
    }
  }
  value_id made = build_op(&r->build, row->name, operands, count, NULL, results);
  if (!results) return fx_make(FX_NONE);
  if (results == 1 || first_only) {
    for (uint32_t i = 1; i < results; i++) fx_of(r, FX_TENSOR, made + i, DTYPE_NONE);
    fx_value out = fx_of(r, kind, made, dtype);
    out.truth = kind == FX_INT && truth;
    return out;
  }
  fx_value *items = fx_copy(r, NULL, 0, results);
  for (uint32_t i = 0; i < results; i++) {
    shape_dtype own = !i || info->alike ? dtype : info->second_is_index ? DTYPE_I64 : DTYPE_NONE;
    items[i] = fx_of(r, FX_TENSOR, made + i, own);
  }
  fx_value out = fx_list(items, results);
  out.tuple = true;
  return out;
}

// --- from signatures to operands

static fx_value reduction_of(const fx_value *v) {
  if (v->kind != FX_TEXT) return *v;
  return fx_is(v->text, v->length, "none")   ? fx_int(0)
         : fx_is(v->text, v->length, "mean") ? fx_int(1)
         : fx_is(v->text, v->length, "sum")  ? fx_int(2)
                                             : fx_make(FX_UNKNOWN);
}

static const fx_parameter *given(const binding *b, const char *name) {
  for (uint32_t i = 0; i < b->count; i++) {
    const fx_parameter *p = &b->items[i];
    if (p->given && fx_is(p->name, p->name_length, name)) return p;
  }
  return NULL;
}

// What losses took before they had `reduction`, and what comes before it (legacy_get_string of torch/nn/_reduction.py).
static void settle_reduction(binding *b) {
  const fx_parameter *average = given(b, "size_average"), *reduce = given(b, "reduce");
  if (!average && !reduce) return;
  bool none = reduce && fits('f', &reduce->value, &b->unsure),
       sum = average && fits('f', &average->value, &b->unsure),
       known = (!reduce || reduce->value.constant) && (!average || average->value.constant);
  for (uint32_t i = 0; i < b->count; i++) {
    fx_parameter *p = &b->items[i];
    if (!fx_is(p->operand, p->operand_length, "reduction")) continue;
    p->given = true;
    p->value = known ? fx_int(none ? 0 : sum ? 2 : 1) : fx_make(FX_UNKNOWN);
  }
}

static uint32_t operands_of(fx_reader *r, const op_row *row, binding *b, value_id *operands) {
  assert(row->parameters);
  uint32_t at = 0, count = 0;
  for (const char *p = row->parameters; p && *p && at < PARAMETERS_MAX; at++) {
    uint32_t length = (uint32_t)strcspn(p, " ");
    operands[at] = VALUE_NONE;
    for (uint32_t i = 0; i < b->count; i++) {
      fx_parameter *q = &b->items[i];
      if (!q->given || q->operand_length != length || memcmp(q->operand, p, length) != 0) continue;
      fx_value v = fx_is(p, length, "reduction") ? reduction_of(&q->value) : q->value;
      bool tensors = q->takes == 't' || q->takes == 'L' || v.kind == FX_TENSOR ||
                     fx_is(p, length, "tensors") || fx_is(p, length, "indices");
      operands[at] =
          tensors && q->takes != 'i' && q->takes != 'l' ? fx_operand(r, &v) : fx_operand_int(r, &v);
      count = at + 1;
    }
    p += length + (p[length] == ' ');
  }
  return count;
}

static fx_value emit_bound(fx_reader *r, const op_row *row, const fx_call *c, binding *b) {
  value_id operands[PARAMETERS_MAX];
  bool first_only = false;
  for (uint32_t i = 0; i < b->count; i++) first_only |= b->items[i].first;
  settle_reduction(b);
  uint32_t count = operands_of(r, row, b, operands);
  return emit(r, row, c, operands, count, first_only);
}

static const op_row *find(const char *name) { return registry_find(name, strlen(name), 0); }

// Whether the rule reads nothing but the first operand.
static bool reads_first(const op_row *row) {
  return strcmp(row->rule_name, "torch_like") == 0 || strcmp(row->rule_name, "torch_same") == 0;
}

static bool by_name(fx_reader *r, const fx_call *c, const char *op, fx_value *out) {
  const op_row *row = find(op);
  binding b;
  if (!row || !row->parameters) return false;
  read_signature(row->parameters, false, &b);
  if (!bind(r, c, &b, true)) return false;
  *out = emit_bound(r, row, c, &b);
  return true;
}

// The row of all overloads that torch.def has of a name, where they share the rule: any of them will do.
static const op_row *of_overloads(const char *name, uint32_t length) {
  static const char *const OVERLOADS[] = {"",
                                          ".Tensor",
                                          ".Scalar",
                                          ".int",
                                          ".dim",
                                          ".self",
                                          ".input",
                                          ".using_ints",
                                          ".dim_IntList",
                                          ".Tensor_Tensor",
                                          ".Tensor_Scalar",
                                          ".correction",
                                          ".dims",
                                          ".self_int",
                                          ".two",
                                          ".intlist",
                                          ".src",
                                          ".value",
                                          ".start",
                                          ".memory_format",
                                          ".Tensor_mode",
                                          ".other",
                                          ".sizes",
                                          ".scalar",
                                          ".p",
                                          ".dx",
                                          ".sections",
                                          ".self_Tensor",
                                          ".decimals",
                                          ".int_Scalar"};
  char op[NAME_ROOM];
  const op_row *chosen = NULL;
  for (unsigned i = 0; i < sizeof OVERLOADS / sizeof *OVERLOADS; i++) {
    if (snprintf(op, sizeof op, "torch.aten.%.*s%s", (int)length, name, OVERLOADS[i]) >= NAME_ROOM)
      return NULL;
    const op_row *row = find(op);
    // Overloads of numbers are no functions of tensors.
    if (!row || strcmp(row->rule_name, "torch_integer") == 0 ||
        strcmp(row->rule_name, "torch_fresh") == 0)
      continue;
    if (chosen && (chosen->rule != row->rule || chosen->param != row->param)) return NULL;
    if (!chosen) chosen = row;
  }
  return chosen && chosen->parameters ? chosen : NULL;
}

static const op_row *chosen_row(fx_reader *r, const char *name, uint32_t length) {
  uint32_t at;
  shape_arena *arena = r->build.g->arena;
  name_id id = intern_add(&r->build.g->names, name, length);
  if (imap_get(&r->rows.chosen_of, id, &at)) return r->rows.chosen[at];
  if (r->rows.chosen_count == r->rows.chosen_room) {
    r->rows.chosen_room = 2 * r->rows.chosen_room + 30;
    const op_row **grown = arena_alloc(arena, r->rows.chosen_room * sizeof *grown);
    if (r->rows.chosen_count) memcpy(grown, r->rows.chosen, r->rows.chosen_count * sizeof *grown);
    r->rows.chosen = grown;
  }
  imap_put(&r->rows.chosen_of, arena, id, r->rows.chosen_count);
  return r->rows.chosen[r->rows.chosen_count++] = of_overloads(name, length);
}

static bool by_operator(fx_reader *r, const fx_call *c, const char *name, uint32_t length,
                        fx_value *out) {
  binding b;
  const op_row *chosen = chosen_row(r, name, length);
  if (!chosen) return false;
  read_signature(chosen->parameters, true, &b);
  if (!bind(r, c, &b, reads_first(chosen))) return false;
  if (reads_first(chosen) && b.items[0].value.kind != FX_TENSOR &&
      b.items[0].value.kind != FX_UNKNOWN)
    return false;
  *out = emit_bound(r, chosen, c, &b);
  return true;
}

// The first row of a name; the rows are sorted.
static unsigned first_row(const char *name) {
  assert(*name);
  unsigned low = 0, high = sizeof ROWS / sizeof *ROWS;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (strcmp(ROWS[middle].name, name) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// *listed: the table has the name.
static bool by_rows(fx_reader *r, const fx_call *c, const char *name, bool *listed, fx_value *out) {
  assert(*name && listed);
  binding b;
  unsigned first = first_row(name), end = first;
  while (end < sizeof ROWS / sizeof *ROWS && strcmp(ROWS[end].name, name) == 0) end++;
  *listed = end > first;
  for (unsigned i = first; i < end; i++) {
    read_signature(ROWS[i].signature, false, &b);
    if (!bind(r, c, &b, false)) continue;
    if (b.unsure && end - first > 1) return false;
    *out = emit_bound(r, find(ROWS[i].op), c, &b);
    return true;
  }
  return false;
}

static bool by_table(fx_reader *r, const fx_call *c, const char *space, const char *name,
                     uint32_t length, fx_value *out) {
  char key[NAME_ROOM];
  bool listed = false, own = false;
  if (length > NAME_ROOM - 32) return false;
  if (*space) {
    snprintf(key, sizeof key, "%s%.*s", space, (int)length, name);
    if (by_rows(r, c, key, &own, out)) return true;
  }
  snprintf(key, sizeof key, "%.*s", (int)length, name);
  if (by_rows(r, c, key, &listed, out)) return true;
  return !own && !listed && by_operator(r, c, name, length, out);
}

// --- calls

// Fresh results, and a note: no rule has the name.
static fx_value unknown(fx_reader *r, const char *name, uint32_t length, const fx_call *c) {
  char op[NAME_ROOM];
  const fx_value *tensor = first_tensor(c);
  value_id operand = tensor ? fx_operand(r, tensor) : VALUE_NONE;
  snprintf(op, sizeof op, "%s%.*s", c->is_method ? "torch.Tensor." : "",
           (int)(length < 120 ? length : 120), name);
  if (find(op)) snprintf(op, sizeof op, "python.%.*s", (int)(length < 120 ? length : 120), name);
  value_id made = build_op(&r->build, op, &operand, tensor != NULL, NULL, 1);
  return fx_of(r, FX_UNKNOWN, made, DTYPE_NONE);
}

static bool changes_dims(const char *name, uint32_t length) {
  static const char *const NAMES[] = {"unsqueeze_", "squeeze_",  "t_",          "transpose_",
                                      "swapaxes_",  "swapdims_", "as_strided_", "resize_",
                                      "resize_as_", "set_"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (fx_is(name, length, NAMES[i])) return true;
  }
  return false;
}

// out=: the tensor has the dims of the result from here on, and keeps its type of elements.
static void written(fx_reader *r, const fx_value *to, fx_value *result) {
  if (!to || to->kind == FX_NONE) return;
  if (to->kind == FX_LIST) {
    for (uint32_t i = 0; i < to->count; i++) {
      fx_value part =
          result->kind == FX_LIST && i < result->count ? result->items[i] : fx_make(FX_UNKNOWN);
      written(r, &to->items[i], &part);
    }
    return;
  }
  if (result->kind == FX_TENSOR) result->dtype = to->kind == FX_TENSOR ? to->dtype : DTYPE_NONE;
  if (to->kind != FX_TENSOR) return;
  fx_changed(r, to, result);
  if (result->kind == FX_TENSOR) result->root = to->root;
}

static void in_place(fx_reader *r, const fx_call *c, const char *name, uint32_t length,
                     fx_value *out) {
  assert(length);
  const fx_value *flag = fx_argument_of(c, UINT32_MAX, "inplace");
  bool ends = length > 1 && name[length - 1] == '_' && name[length - 2] != '_';
  bool given = flag && !(flag->kind == FX_INT && flag->constant && !flag->number);
  written(r, fx_argument_of(c, UINT32_MAX, "out"), out);
  if ((!ends && !given) || !c->count) return;
  const fx_value *self = &c->args[0].value;
  fx_changed(r, self, changes_dims(name, length) ? out : NULL);
  if (self->kind == FX_TENSOR && out->kind == FX_TENSOR) out->root = self->root;
}

static void method(fx_reader *r, const fx_call *c, fx_value *out) {
  assert(c->is_method && c->count);
  const char *name = c->path;
  uint32_t length = c->length;
  const fx_value *self = &c->args[0].value;
  bool of_tensor = self->kind == FX_TENSOR || self->kind == FX_UNKNOWN;
  if (fx_special(r, c, name, length, out)) return;
  if (!of_tensor) {
    *out = unknown(r, name, length, c);
    return;
  }
  bool ends = length > 1 && name[length - 1] == '_' && name[length - 2] != '_';
  if (!by_table(r, c, "T.", name, length, out)) {
    // What works in place keeps the dims of self, but for those that are listed.
    if (ends && changes_dims(name, length) && by_table(r, c, "T.", name, length - 1, out)) {
      // As the operator of the name, under every name of the tensor.
    } else if (ends && !changes_dims(name, length)) {
      value_id operand = fx_operand(r, self);
      *out = fx_of(r, FX_TENSOR, build_op(&r->build, "torch.fx.in_place", &operand, 1, NULL, 1),
                   (shape_dtype)self->dtype);
    } else {
      *out = unknown(r, name, length, c);
    }
  }
  in_place(r, c, name, length, out);
}

typedef struct fx_space {
  const char *head, *space, *prefix;
} fx_space;

// Where PyTorch has its functions: what comes before the name of the operator.
static const fx_space SPACES[] = {{"torch.nn.functional.", "F.", ""},
                                  {"torch._C._nn.", "", ""},
                                  {"torch.functional.", "", ""},
                                  {"torch.special.", "", "special_"},
                                  {"torch._C._special.", "", ""},
                                  {"torch.fft.", "", "fft_"},
                                  {"torch._C._fft.", "", ""},
                                  {"torch.linalg.", "", "linalg_"},
                                  {"torch._C._linalg.", "", ""},
                                  {"torch._VF.", "", ""},
                                  {"torch._C._VariableFunctions.", "", ""},
                                  {"torch._C.", "", ""},
                                  {"torch.", "", ""}};

static bool operator_name(const fx_call *c, char op[NAME_ROOM]) {
  static const char OPS[] = "torch.ops.", DEFAULT[] = ".default";
  if (!fx_begins(c->path, c->length, OPS) || c->length > NAME_ROOM - 16) return false;
  uint32_t length = c->length - (uint32_t)(sizeof OPS - 1);
  const char *text = c->path + sizeof OPS - 1;
  uint32_t tail = sizeof DEFAULT - 1;
  if (length > tail && memcmp(text + length - tail, DEFAULT, tail) == 0) length -= tail;
  snprintf(op, NAME_ROOM, "torch.%.*s", (int)length, text);
  return true;
}

// torch.ops.aten.add: the overload is chosen by the arguments.
static bool by_packet(fx_reader *r, const fx_call *c, const char *op, fx_value *out) {
  static const char ATEN[] = "torch.aten.";
  if (!fx_begins(op, (uint32_t)strlen(op), ATEN)) return false;
  const char *name = op + sizeof ATEN - 1;
  return !strchr(name, '.') && by_table(r, c, "", name, (uint32_t)strlen(name), out);
}

static void function(fx_reader *r, const fx_call *c, fx_value *out) {
  assert(!c->is_method && c->length);
  char op[NAME_ROOM];
  if (fx_higher_order(r, c, out)) return;
  if (operator_name(c, op)) {
    if (!by_name(r, c, op, out) && !by_packet(r, c, op, out))
      *out = unknown(r, op, (uint32_t)strlen(op), c);
    const char *point = strchr(op + (strncmp(op, "torch.aten.", 11) == 0 ? 11 : 0), '.');
    in_place(r, c, op, point ? (uint32_t)(point - op) : (uint32_t)strlen(op), out);
    return;
  }
  if (fx_builtin(r, c, out)) return;
  for (unsigned i = 0; i < sizeof SPACES / sizeof *SPACES; i++) {
    const fx_space *s = &SPACES[i];
    if (!fx_begins(c->path, c->length, s->head)) continue;
    uint32_t skip = (uint32_t)strlen(s->head);
    if (snprintf(op, sizeof op, "%s%.*s", s->prefix, (int)(c->length - skip), c->path + skip) >=
            NAME_ROOM ||
        strchr(op, '.'))
      break;
    uint32_t length = (uint32_t)strlen(op);
    if (fx_special(r, c, op, length, out)) return;
    if (!by_table(r, c, s->space, op, length, out)) break;
    in_place(r, c, op, length, out);
    return;
  }
  snprintf(op, sizeof op, "%.*s", (int)(c->length < 140 ? c->length : 140), c->path);
  if (!fx_begins(c->path, c->length, "torch.") || !find(op) || !by_name(r, c, op, out))
    *out = unknown(r, c->path, c->length, c);
  const char *last = c->path + c->length;
  while (last > c->path && last[-1] != '.') last--;
  if (last < c->path + c->length) in_place(r, c, last, (uint32_t)(c->path + c->length - last), out);
}

fx_value fx_call_method(fx_reader *r, const char *name, const fx_value *args, uint32_t count) {
  fx_argument own[8];
  fx_value out;
  assert(count <= 8);
  for (uint32_t i = 0; i < count; i++) own[i] = (fx_argument){.value = args[i]};
  fx_call c = {.path = name,
               .length = (uint32_t)strlen(name),
               .is_method = true,
               .args = own,
               .count = count};
  method(r, &c, &out);
  return out;
}

bool fx_apply(fx_reader *r, const fx_value *callee, fx_argument *args, uint32_t count,
              fx_value *out) {
  assert(args || !count);
  fx_call c = {.path = callee->text, .length = callee->length, .args = args, .count = count};
  *out = fx_make(FX_UNKNOWN);
  if (callee->kind == FX_METHOD) {
    c.args = arena_alloc(r->build.g->arena, ((size_t)count + 1) * sizeof *c.args);
    c.args[0] = (fx_argument){.value = callee->items[0]};
    if (count) memcpy(c.args + 1, args, count * sizeof *args);
    c.count++;
    c.is_method = true;
    method(r, &c, out);
  } else if (callee->kind == FX_PATH) {
    function(r, &c, out);
  } else if (callee->kind == FX_MODULE) {
    if (!fx_module(r, callee, args, count, out) && !r->failed)
      *out = unknown(r, "torch.fx.call_module", 20, &c);
  }
  return !r->failed;
}
