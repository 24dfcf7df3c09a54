// SPDX-License-Identifier: Apache-2.0
// Values of Python while a graph is read, and the names that they have.
#include <assert.h>
#include <string.h>

#include "solver/formats/fx/fx.h"
#include "solver/ops/registry.h"
#include "solver/ops/rules/torch/torch.h"

fx_value fx_make(fx_kind kind) {
  return (fx_value){
      .kind = (uint8_t)kind, .dtype = DTYPE_NONE, .value = VALUE_NONE, .root = ID_NONE};
}

fx_value fx_int(int64_t number) {
  fx_value v = fx_make(FX_INT);
  v.constant = true;
  v.number = number;
  return v;
}

fx_value fx_truth(bool value) {
  fx_value v = fx_int(value);
  v.truth = true;
  return v;
}

fx_value fx_list(const fx_value *items, uint32_t count) {
  fx_value v = fx_make(FX_LIST);
  v.items = items;
  v.count = count;
  return v;
}

fx_value fx_of(fx_reader *r, fx_kind kind, value_id value, shape_dtype dtype) {
  assert(value == VALUE_NONE || value < r->build.g->value_count);
  fx_value v = fx_make(kind);
  type_table *types = &r->build.g->types;
  v.value = value;
  v.root = r->roots++;
  if (kind == FX_TENSOR || kind == FX_SEQUENCE) v.dtype = (uint8_t)dtype;
  if (value == VALUE_NONE || r->build.g->values[value].type != TYPE_NONE) return v;
  type_id *type = &r->build.g->values[value].type;
  if (kind == FX_INT) *type = type_scalar(types, DTYPE_I64);
  if (kind == FX_NUMBER) *type = type_scalar(types, DTYPE_F64);
  if (kind == FX_TENSOR) *type = type_unranked(types, dtype == DTYPE_NONE ? DTYPE_OTHER : dtype);
  return v;
}

fx_value fx_fresh(fx_reader *r, fx_kind kind) {
  return fx_of(r, kind, build_op(&r->build, "torch.fx.value", NULL, 0, NULL, 1), DTYPE_NONE);
}

fx_value fx_unsure(fx_reader *r, const fx_value *of) {
  value_id operand = fx_operand(r, of);
  fx_value out =
      fx_of(r, FX_TENSOR, build_op(&r->build, "torch.fx.unsure", &operand, 1, NULL, 1), DTYPE_NONE);
  out.dtype = of->dtype;
  return out;
}

fx_value *fx_copy(fx_reader *r, const fx_value *items, uint32_t count, uint32_t more) {
  assert(items || !count);
  fx_value *made = arena_alloc(r->build.g->arena, ((size_t)count + more + 1) * sizeof *made);
  if (count) memcpy(made, items, count * sizeof *made);
  if (r->build.g->budget) budget_take(r->build.g->budget, count + 1);
  return made;
}

static value_id list_operand(fx_reader *r, const fx_value *v) {
  assert(v->kind == FX_LIST && (v->items || !v->count));
  value_id *values = arena_alloc(r->build.g->arena, ((size_t)v->count + 1) * sizeof *values);
  for (uint32_t i = 0; i < v->count; i++) values[i] = fx_operand(r, &v->items[i]);
  return build_list(&r->build, values, v->count);
}

// A constant whose literal is in the statement of the entry that is read has the span of it: generalize writes it anew.
static value_id int_operand(fx_reader *r, const fx_value *v) {
  torch_builder *b = &r->build;
  source_span statement = b->span;
  bool own = r->scope && r->scope->is_main && v->literal.begin > statement.begin &&
             v->literal.end <= (uint32_t)(r->at - r->begin);
  if (v->truth) return build_bool(b, v->number != 0);
  if (own) b->span = v->literal;
  value_id made = build_int(b, v->number);
  b->span = statement;
  return made;
}

value_id fx_operand(fx_reader *r, const fx_value *v) {
  assert(v->kind <= FX_MODULE);
  torch_builder *b = &r->build;
  if (v->value != VALUE_NONE) return v->value;
  switch (v->kind) {
  case FX_INT: return int_operand(r, v);
  case FX_NUMBER: return v->constant ? build_real(b, v->real) : fx_fresh(r, FX_NUMBER).value;
  case FX_NONE: return build_none(b);
  case FX_TEXT: return build_text(b, v->text, v->length);
  case FX_LIST: return list_operand(r, v);
  case FX_UNKNOWN:
  case FX_TENSOR: return fx_fresh(r, FX_UNKNOWN).value;
  default: return build_other(b);
  }
}

value_id fx_operand_int(fx_reader *r, const fx_value *v) {
  // Integers of tensors that may have changed in place since are not followed.
  if (v->kind == FX_TENSOR && r->mutated) return fx_fresh(r, FX_INT).value;
  if (v->kind == FX_LIST) {
    fx_value *items = fx_copy(r, v->items, v->count, 0);
    for (uint32_t i = 0; i < v->count; i++) {
      if (items[i].kind == FX_TENSOR && r->mutated) items[i] = fx_fresh(r, FX_UNKNOWN);
    }
    fx_value list = fx_list(items, v->count);
    return list_operand(r, &list);
  }
  return fx_operand(r, v);
}

bool fx_is_int(const fx_value *v, int64_t *out) {
  *out = v->number;
  return v->kind == FX_INT && v->constant;
}

// --- names

bool fx_get(const fx_reader *r, const char *name, uint32_t length, fx_value *out) {
  assert(r->scope);
  uint32_t at;
  name_id id = intern_find(&r->build.g->names, name, length);
  if (id == NAME_NONE || !imap_get(&r->scope->names, id, &at)) return false;
  *out = r->scope->bound[at];
  return true;
}

static void bind(fx_reader *r, name_id id, const fx_value *v) {
  assert(r->scope && r->scope->count <= r->scope->capacity);
  fx_scope *s = r->scope;
  shape_arena *arena = r->build.g->arena;
  uint32_t at;
  if (!imap_get(&s->names, id, &at)) {
    if (s->count == s->capacity) {
      uint32_t capacity = s->capacity ? 2 * s->capacity : 64;
      fx_value *bound = arena_alloc(arena, capacity * sizeof *bound);
      name_id *names = arena_alloc(arena, capacity * sizeof *names);
      if (s->count) {
        memcpy(bound, s->bound, s->count * sizeof *bound);
        memcpy(names, s->names_of, s->count * sizeof *names);
      }
      s->bound = bound;
      s->names_of = names;
      s->capacity = capacity;
    }
    at = s->count++;
    imap_put(&s->names, arena, id, at);
  }
  s->bound[at] = *v;
  s->names_of[at] = id;
}

// The value gets its Python name; one that has a name already gets another value for this one.
static fx_value named(fx_reader *r, name_id id, const fx_value *v) {
  assert(v->value == VALUE_NONE || v->value < r->build.g->value_count);
  fx_value out = *v;
  shape_graph *g = r->build.g;
  bool has =
      v->kind == FX_TENSOR || v->kind == FX_INT || v->kind == FX_NUMBER || v->kind == FX_UNKNOWN;
  if (!has) return out;
  if (v->kind == FX_UNKNOWN && v->value == VALUE_NONE) {
    out = fx_fresh(r, FX_UNKNOWN);
  } else if (v->value == VALUE_NONE) {
    out.value = fx_operand(r, v);
  }
  if (g->values[out.value].name == NAME_NONE) g->values[out.value].name = id;
  if (g->values[out.value].name == id) return out;
  value_id alias = build_op(&r->build, "torch.derefine", &out.value, 1, NULL, 1);
  g->values[alias].type = g->values[out.value].type;
  if (type_is_tensor(&g->types, g->values[alias].type))
    g->values[alias].type = type_unranked(&g->types, (shape_dtype)out.dtype);
  g->values[alias].name = id;
  out.value = alias;
  return out;
}

void fx_set(fx_reader *r, const char *name, uint32_t length, const fx_value *v) {
  name_id id = intern_add(&r->build.g->names, name, length);
  fx_value kept = r->scope->is_main ? named(r, id, v) : *v;
  bind(r, id, &kept);
}

// A tensor that is changed in place: all that have its root are it, and those with its origin may be.
typedef struct changed {
  uint32_t root;
  value_id origin;
  uint8_t dtype;
} changed;

// The tensor that a value may be itself: that of operators which may return their operand, such as `to` of the type that
// it has. The rules that keep dims are shared with operators that never do; they count as such.
static value_id origin_of(fx_reader *r, value_id v) {
  const shape_graph *g = r->build.g;
  while (v != VALUE_NONE && !g->values[v].is_argument) {
    const graph_op *op = &g->ops[g->values[v].def];
    const op_row *row =
        registry_find(intern_text(&g->names, op->name), intern_length(&g->names, op->name), 0);
    bool may = row && (row->rule == rule_torch_same || row->rule == rule_torch_like ||
                       row->rule == rule_torch_flatten || row->rule == rule_torch_atleast);
    if (!may || !op->operand_count) break;
    if (g->budget) budget_take(g->budget, 1);
    v = graph_operand(g, g->values[v].def, 0);
  }
  return v;
}

static bool may_be(fx_reader *r, const fx_value *v, const changed *of) {
  if (v->value == VALUE_NONE || of->origin == VALUE_NONE) return false;
  if (v->dtype != of->dtype && v->dtype != DTYPE_NONE && of->dtype != DTYPE_NONE) return false;
  return origin_of(r, v->value) == of->origin;
}

// The value with the tensors that are changed exchanged, in lists too.
static fx_value exchanged(fx_reader *r, const fx_value *v, const changed *of, const fx_value *now) {
  fx_value out = *v;
  if (v->kind == FX_TENSOR && v->root == of->root) {
    out = *now;
    out.root = of->root;
  } else if (v->kind == FX_TENSOR && may_be(r, v, of)) {
    out = fx_fresh(r, FX_UNKNOWN);
  }
  if (v->kind != FX_LIST) return out;
  fx_value *items = NULL;
  for (uint32_t i = 0; i < v->count; i++) {
    fx_value one = exchanged(r, &v->items[i], of, now);
    bool same = one.value == v->items[i].value && one.items == v->items[i].items;
    if (!same && !items) items = fx_copy(r, v->items, v->count, 0);
    if (items) items[i] = one;
  }
  if (items) out.items = items;
  return out;
}

void fx_changed(fx_reader *r, const fx_value *old, const fx_value *now) {
  if (old->kind != FX_TENSOR) return;
  if (!dtype_is_float((shape_dtype)old->dtype) && !dtype_is_complex((shape_dtype)old->dtype))
    r->mutated = true;
  if (!now) return;
  const changed of = {old->root, origin_of(r, old->value), (uint8_t)old->dtype};
  if (r->hop.caller && of.origin != VALUE_NONE && of.origin < r->hop.first_own) {
    fx_fail(r, r->at, "a graph of a higher-order operator changes the dims of an operand in place");
    return;
  }
  for (fx_scope *s = r->scope; s && s != r->hop.caller; s = s->outer) {
    if (r->build.g->budget) budget_take(r->build.g->budget, s->count + 1);
    for (uint32_t i = 0; i < s->count; i++) s->bound[i] = exchanged(r, &s->bound[i], &of, now);
  }
}
