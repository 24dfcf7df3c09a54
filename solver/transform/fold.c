// SPDX-License-Identifier: Apache-2.0
#include "solver/transform/fold.h"

#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"

typedef struct folding {
  shape_graph *graph;
  op_id op;
  const type_id *types;
  const constant_value *values;
  const graph_type *result;
  shape_dtype dtype;  // of the result
  uint32_t count;     // of its elements
  int64_t *items;     // to fill
} folding;

typedef bool fold_function(folding *f, int which);

bool fold_count(const shape_graph *g, type_id id, uint32_t *count) {
  const graph_type *type = id == TYPE_NONE ? NULL : type_get(&g->types, id);
  if (!type || (type->kind != TYPE_TENSOR && type->kind != TYPE_SCALAR)) return false;
  if (type->dtype >= DTYPE_QUANTIZED || !dtype_is_integer((shape_dtype)type->dtype)) return false;
  uint64_t n = 1;
  for (uint32_t i = 0; type->kind == TYPE_TENSOR && i < type->rank; i++) {
    if (!dim_is_static(type->dims[i]) || (uint64_t)type->dims[i] > CONSTANT_MAX) return false;
    n *= (uint64_t)type->dims[i];
    if (n > CONSTANT_MAX) return false;
  }
  *count = (uint32_t)n;
  return true;
}

// --- integers of a type

bool fold_fits(shape_dtype dtype, int64_t value) {
  assert(dtype_is_integer(dtype));
  uint32_t bits = dtype_bits(dtype);
  if (dtype == DTYPE_I1) return value == 0 || value == 1;
  if (!bits || bits >= 64) return dtype_is_signed(dtype) || dtype == DTYPE_INDEX || value >= 0;
  if (!dtype_is_signed(dtype)) return value >= 0 && value < (int64_t)1 << bits;
  return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
}

static const constant_value *operand(const folding *f, uint32_t i) {
  assert(graph_operand(f->graph, f->op, i) < f->graph->value_count);
  return &f->values[graph_operand(f->graph, f->op, i)];
}

static const graph_type *operand_type(const folding *f, uint32_t i) {
  return type_get(&f->graph->types, f->types[graph_operand(f->graph, f->op, i)]);
}

enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, MAXIMUM, MINIMUM, AND, OR, XOR };

static bool compute(int which, int64_t a, int64_t b, int64_t *out) {
  switch (which) {
  case ADD: return !__builtin_add_overflow(a, b, out);
  case SUBTRACT: return !__builtin_sub_overflow(a, b, out);
  case MULTIPLY: return !__builtin_mul_overflow(a, b, out);
  case DIVIDE:
  case REMAINDER:
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    *out = which == DIVIDE ? a / b : a % b;
    return true;
  case MAXIMUM: *out = a > b ? a : b; return true;
  case MINIMUM: *out = a < b ? a : b; return true;
  case AND: *out = a & b; return true;
  case OR: *out = a | b; return true;
  default: *out = a ^ b; return true;
  }
}

static bool binary(folding *f, int which) {
  assert(f->graph->ops[f->op].operand_count == 2);
  const constant_value *a = operand(f, 0), *b = operand(f, 1);
  if (a->count != f->count || b->count != f->count) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    if (!compute(which, a->items[i], b->items[i], &f->items[i])) return false;
  }
  return true;
}

enum { ABS, NEGATE, SIGN, NOT, SAME };

static bool unary(folding *f, int which) {
  assert(f->graph->ops[f->op].operand_count == 1);
  const constant_value *a = operand(f, 0);
  if (a->count != f->count) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    int64_t x = a->items[i];
    if (x == INT64_MIN) return false;
    switch (which) {
    case ABS: f->items[i] = x < 0 ? -x : x; break;
    case NEGATE: f->items[i] = -x; break;
    case SIGN: f->items[i] = (x > 0) - (x < 0); break;
    case NOT:
      if (f->dtype != DTYPE_I1) return false;
      f->items[i] = !x;
      break;
    default: f->items[i] = f->dtype == DTYPE_I1 ? x != 0 : x; break;
    }
  }
  return true;
}

static bool compare(folding *f, int which) {
  (void)which;
  static const char *const NAMES[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  assert(f->graph->ops[f->op].operand_count == 2);
  const constant_value *a = operand(f, 0), *b = operand(f, 1);
  const char *direction =
      graph_attr_text(f->graph, graph_attr_named(f->graph, f->op, "comparison_direction"));
  unsigned k = 0;
  while (k < 6 && (!direction || strcmp(direction, NAMES[k]) != 0)) k++;
  if (k == 6 || a->count != f->count || b->count != f->count) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    int64_t x = a->items[i], y = b->items[i];
    bool holds[] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
    f->items[i] = holds[k];
  }
  return true;
}

// select(predicate, a, b) and clamp(low, x, high); the first and last may be scalars.
static bool choose(folding *f, int which) {
  assert(f->graph->ops[f->op].operand_count == 3);
  const constant_value *a = operand(f, 0), *b = operand(f, 1), *c = operand(f, 2);
  if (b->count != f->count || (a->count != f->count && a->count != 1)) return false;
  if (c->count != f->count && (which == 0 || c->count != 1)) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    int64_t x = a->items[a->count == 1 ? 0 : i], z = c->items[c->count == 1 ? 0 : i];
    if (which == 0) {
      f->items[i] = x ? b->items[i] : z;
    } else {
      int64_t y = b->items[i] > x ? b->items[i] : x;
      f->items[i] = y < z ? y : z;
    }
  }
  return true;
}

static bool concatenate(folding *f, int which) {
  (void)which;
  uint32_t n = 0;
  if (f->result->rank != 1) return false;
  for (uint32_t k = 0; k < f->graph->ops[f->op].operand_count; k++) {
    const constant_value *part = operand(f, k);
    if (part->count > f->count - n) return false;
    if (part->count) memcpy(f->items + n, part->items, part->count * sizeof *f->items);
    n += part->count;
  }
  assert(n <= f->count);
  return n == f->count;
}

static bool slice(folding *f, int which) {
  (void)which;
  const int64_t *start, *stride;
  uint32_t n, m;
  const constant_value *a = operand(f, 0);
  if (f->result->rank != 1 || operand_type(f, 0)->rank != 1) return false;
  if (!graph_attr_ints(f->graph, graph_attr_named(f->graph, f->op, "start_indices"), &start, &n) ||
      !graph_attr_ints(f->graph, graph_attr_named(f->graph, f->op, "strides"), &stride, &m)) {
    return false;
  }
  if (n != 1 || m != 1 || start[0] < 0 || stride[0] < 1 || stride[0] > CONSTANT_MAX) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    uint64_t at = (uint64_t)start[0] + (uint64_t)i * (uint64_t)stride[0];
    if (at >= a->count) return false;
    f->items[i] = a->items[at];
  }
  return true;
}

static bool splat(folding *f, int which) {
  (void)which;
  const constant_value *a = operand(f, 0);
  if (a->count != 1 &&
      !(f->result->rank == 1 && operand_type(f, 0)->rank == 1 && a->count == f->count)) {
    return false;
  }
  for (uint32_t i = 0; i < f->count; i++) f->items[i] = a->items[a->count == 1 ? 0 : i];
  return true;
}

static bool literal(folding *f, int which) {
  (void)which;
  const graph_attr *attr = graph_attr_get(f->graph, graph_attr_named(f->graph, f->op, "value"));
  if (!attr || (attr->kind != ATTR_DENSE && attr->kind != ATTR_INT && attr->kind != ATTR_BOOL))
    return false;
  uint32_t count;
  const int64_t *ints = attr_held_ints(attr, &count);
  bool one = attr->kind != ATTR_DENSE || attr->splat;
  if (attr->holds != HOLDS_INTS || (!one && count != f->count)) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    int64_t x = ints[one ? 0 : i];
    f->items[i] = f->dtype == DTYPE_I1 ? x != 0 : x;
  }
  return true;
}

static bool known_size(const folding *f, int64_t axis, int64_t *size) {
  value_id value = graph_operand(f->graph, f->op, 0);
  assert(value < f->graph->value_count);
  const graph_type *type =
      f->types[value] == TYPE_NONE ? NULL : type_get(&f->graph->types, f->types[value]);
  if (!type || type->kind != TYPE_TENSOR || axis < 0 || axis >= (int64_t)type->rank) return false;
  *size = type->dims[axis];
  return dim_is_static(*size);
}

static bool size_of(folding *f, int which) {
  (void)which;
  int64_t axis;
  return graph_attr_int(f->graph, graph_attr_named(f->graph, f->op, "dimension"), &axis) &&
         f->count == 1 && known_size(f, axis, &f->items[0]);
}

static bool tensor_dim(folding *f, int which) {
  (void)which;
  assert(f->graph->ops[f->op].operand_count == 2);
  const constant_value *axis = operand(f, 1);
  return axis->items && axis->count == 1 && f->count == 1 &&
         known_size(f, axis->items[0], &f->items[0]);
}

static bool shape_of(folding *f, int which) {
  (void)which;
  for (uint32_t i = 0; i < f->count; i++) {
    if (!known_size(f, i, &f->items[i])) return false;
  }
  return true;
}

static bool from_elements(folding *f, int which) {
  (void)which;
  if (f->graph->ops[f->op].operand_count != f->count) return false;
  for (uint32_t i = 0; i < f->count; i++) {
    if (operand(f, i)->count != 1) return false;
    f->items[i] = operand(f, i)->items[0];
  }
  return true;
}

// Of StableHLO (and MHLO, by the same names): what upstream's shape folder knows, and a few more; then what shape
// legalisation meets. `reads`: the operands' elements matter; 2: those after the first.
typedef struct fold_row {
  const char *name;
  fold_function *function;
  int8_t which, operands, reads;  // operands -1: any number
} fold_row;

static const fold_row ROWS[] = {
    {"hlo.constant", literal, 0, 0, 1},
    {"hlo.get_dimension_size", size_of, 0, 1, 0},
    {"hlo.add", binary, ADD, 2, 1},
    {"hlo.subtract", binary, SUBTRACT, 2, 1},
    {"hlo.multiply", binary, MULTIPLY, 2, 1},
    {"hlo.divide", binary, DIVIDE, 2, 1},
    {"hlo.remainder", binary, REMAINDER, 2, 1},
    {"hlo.maximum", binary, MAXIMUM, 2, 1},
    {"hlo.minimum", binary, MINIMUM, 2, 1},
    {"hlo.and", binary, AND, 2, 1},
    {"hlo.or", binary, OR, 2, 1},
    {"hlo.xor", binary, XOR, 2, 1},
    {"hlo.abs", unary, ABS, 1, 1},
    {"hlo.negate", unary, NEGATE, 1, 1},
    {"hlo.sign", unary, SIGN, 1, 1},
    {"hlo.not", unary, NOT, 1, 1},
    {"hlo.convert", unary, SAME, 1, 1},
    {"hlo.reshape", unary, SAME, 1, 1},
    {"hlo.compare", compare, 0, 2, 1},
    {"hlo.select", choose, 0, 3, 1},
    {"hlo.clamp", choose, 1, 3, 1},
    {"hlo.concatenate", concatenate, 0, -1, 1},
    {"hlo.slice", slice, 0, 1, 1},
    {"hlo.broadcast_in_dim", splat, 0, 1, 1},
    {"hlo.dynamic_reshape", unary, SAME, 2, 1},
    {"hlo.dynamic_broadcast_in_dim", splat, 0, 2, 1},
    {"arith.constant", literal, 0, 0, 1},
    {"arith.index_cast", unary, SAME, 1, 1},
    {"arith.addi", binary, ADD, 2, 1},
    {"arith.subi", binary, SUBTRACT, 2, 1},
    {"arith.muli", binary, MULTIPLY, 2, 1},
    {"tensor.dim", tensor_dim, 0, 2, 2},
    {"tensor.from_elements", from_elements, 0, -1, 1},
    {"shape.shape_of", shape_of, 0, 1, 0},
};

static const fold_row *row_of(const shape_graph *g, op_id op) {
  uint32_t traits = traits_of(g, op);
  const char *rest = graph_op_name(g, op);  // rows have "hlo." for "stablehlo." and "mhlo."
  if (traits & TRAIT_HLO) rest += traits & TRAIT_MHLO ? sizeof "m" - 1 : sizeof "stable" - 1;
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, rest) == 0) return &ROWS[i];
  }
  return NULL;
}

static fold_outcome operands_ready(const folding *f, const fold_row *row) {
  const graph_op *o = &f->graph->ops[f->op];
  fold_outcome outcome = FOLD_DONE;
  for (uint32_t i = 0; i < o->operand_count; i++) {
    value_id value = graph_operand(f->graph, f->op, i);
    if (value == VALUE_NONE) return FOLD_VARIES;
    if (!row->reads || (row->reads == 2 && i == 0)) continue;
    if (f->values[value].varies) return FOLD_VARIES;
    if (!f->values[value].items) outcome = FOLD_WAITS;
  }
  return outcome;
}

fold_outcome fold_op(shape_graph *g, op_id op, const type_id *types, const constant_value *values,
                     constant_value *out) {
  assert(op < g->op_count);
  const graph_op *o = &g->ops[op];
  const fold_row *row = row_of(g, op);
  if (!row || o->result_count != 1 ||
      (row->operands >= 0 && o->operand_count != (uint32_t)row->operands)) {
    return FOLD_VARIES;
  }
  folding f = {.graph = g, .op = op, .types = types, .values = values};
  if (!fold_count(g, types[o->results], &f.count)) return FOLD_VARIES;
  f.result = type_get(&g->types, types[o->results]);
  f.dtype = (shape_dtype)f.result->dtype;
  fold_outcome ready = operands_ready(&f, row);
  if (ready != FOLD_DONE) return ready;
  f.items = arena_alloc(g->arena, (f.count + 1) * sizeof *f.items);
  if (!row->function(&f, row->which)) return FOLD_VARIES;
  for (uint32_t i = 0; i < f.count; i++) {
    if (!fold_fits(f.dtype, f.items[i])) return FOLD_VARIES;
  }
  *out = (constant_value){f.items, f.count, false};
  return FOLD_DONE;
}
