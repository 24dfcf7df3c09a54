// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/legalize_forms.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum { UNKNOWN = UINT32_MAX, NO_LINE = UINT32_MAX };

static const char NO_RANK[] = "the rank of a shape is not known";

// --- values

bool legal_fail(legalize_shape *l, const char *why) {
  l->d->failed = true;
  l->why = why;
  return false;
}

static value_id operand(const legalize_shape *l, uint32_t i) {
  return graph_operand(l->d->graph, l->d->op, i);
}

static const graph_type *type_of(const legalize_shape *l, value_id value) {
  return value == VALUE_NONE ? NULL : graph_value_type(l->d->graph, value);
}

bool legal_is_shape_type(const legalize_shape *l, value_id value) {
  static const char PREFIX[] = "!shape.";
  const graph_type *type = type_of(l, value);
  if (!type) return false;
  if (type->kind == TYPE_SHAPE || type->kind == TYPE_SIZE) return true;
  return type->kind == TYPE_OPAQUE &&
         strncmp(dims_type_text(l->d, value), PREFIX, sizeof PREFIX - 1) == 0;
}

// A shape of a known number of extents, or one of any.
static const char *shape_text(legalize_shape *l, uint32_t count) {
  shape_strbuf text;
  if (count == UNKNOWN) return "tensor<?xindex>";
  strbuf_init(&text, l->d->graph->arena);
  strbuf_printf(&text, "tensor<%uxindex>", count);
  return strbuf_text(&text);
}

bool legal_has_form(const legalize_shape *l, value_id value) {
  const graph_type *type = type_of(l, value);
  return l->understood && type && (type->kind == TYPE_SHAPE || type->kind == TYPE_SIZE);
}

// The type that a value has afterwards.
const char *legal_type_now(legalize_shape *l, value_id value) {
  const graph_type *type = type_of(l, value);
  if (type && type->kind == TYPE_SHAPE)
    return shape_text(l, l->crosses[value] ? UNKNOWN : l->counts[value]);
  if (type && type->kind == TYPE_SIZE) return "index";
  return dims_type_text(l->d, value);
}

bool legal_is_index(const legalize_shape *l, value_id value) {
  const graph_type *type = type_of(l, value);
  return type &&
         (type->kind == TYPE_SIZE || (type->kind == TYPE_SCALAR && type->dtype == DTYPE_INDEX));
}

bool legal_is_extents(const legalize_shape *l, value_id value) {
  const graph_type *type = type_of(l, value);
  return type && (type->kind == TYPE_SHAPE ||
                  (dims_tensor_of(l->d, value) && type->rank == 1 && type->dtype == DTYPE_INDEX));
}

static bool extents(legalize_shape *l, uint32_t i, uint32_t *count) {
  value_id value = operand(l, i);
  if (!legal_is_extents(l, value)) return legal_fail(l, "an operand is no shape");
  *count = l->counts[value];
  return *count != UNKNOWN || legal_fail(l, NO_RANK);
}

// The maximum of the extents of operands.
static bool max_extents(legalize_shape *l, uint32_t *max) {
  uint32_t count;
  *max = 0;
  for (uint32_t i = 0; i < l->d->graph->ops[l->d->op].operand_count; i++) {
    if (!extents(l, i, &count)) return false;
    if (count > *max) *max = count;
  }
  return true;
}

static bool constant_index(const legalize_shape *l, value_id value, int64_t *out) {
  const shape_graph *g = l->d->graph;
  for (;;) {
    if (value == VALUE_NONE || g->values[value].is_argument) return false;
    op_id def = g->values[value].def;
    bool same = dims_is_named(l->d, def, "shape.index_to_size") ||
                dims_is_named(l->d, def, "shape.size_to_index");
    if (!same) {
      if (!dims_is_named(l->d, def, "arith.constant") &&
          !dims_is_named(l->d, def, "shape.const_size"))
        return false;
      attr_id attr = graph_attr_named(g, def, "value");
      return attr != ATTR_NONE && graph_attr_int(g, attr, out);
    }
    value = graph_operand(g, def, 0);
  }
}

// --- lines

static uint32_t extent(legalize_shape *l, uint32_t i, uint32_t at) {
  dims *d = l->d;
  assert(at < l->counts[operand(l, i)]);
  uint32_t index = dims_constant(d, at);
  return dims_line(d, "tensor.extract %s[%%%s%u] : %s", dims_value_text(d, operand(l, i)), d->stem,
                   index, legal_type_now(l, operand(l, i)));
}

bool legal_name_instead(legalize_shape *l, value_id value, const char *name) {
  assert(value < l->d->graph->value_count && *name == '%');
  if (!l->understood) return legal_fail(l, LEGAL_SYNTAX);
  if (!dims_is_placed(l->d, value)) return legal_fail(l, "a use of its result is not in the text");
  l->d->names[value] = name;
  return true;
}

const char *legal_line_text(legalize_shape *l, uint32_t line) {
  shape_strbuf text;
  strbuf_init(&text, l->d->graph->arena);
  strbuf_printf(&text, "%%%s%u", l->d->stem, line);
  return strbuf_text(&text);
}

static void define_line(legalize_shape *l, const char *name, const char *instruction) {
  strbuf_printf(l->d->out, "%s = %s", name, instruction);
  dims_new_line(l->d);
}

// Result i is what an instruction makes that has this type; under its own name where it is the only result.
__attribute__((format(printf, 4, 5))) static bool
define(legalize_shape *l, uint32_t i, const char *type, const char *format, ...) {
  dims *d = l->d;
  assert(i < d->graph->ops[d->op].result_count);
  value_id made = graph_result(d->graph, d->op, i);
  shape_strbuf text;
  va_list args;
  strbuf_init(&text, d->graph->arena);
  va_start(args, format);
  strbuf_vprintf(&text, format, args);
  va_end(args);
  bool own = dims_has_named_result(d, d->op), same = strcmp(type, legal_type_now(l, made)) == 0;
  const char *name = own && same ? dims_value_text(d, made) : legal_line_text(l, d->next++);
  define_line(l, name, strbuf_text(&text));
  if (!same && !legal_is_extents(l, made)) return legal_fail(l, "its result has another type");
  if (!same) {
    text.length = 0;
    strbuf_printf(&text, "tensor.cast %s : %s to %s", name, type, legal_type_now(l, made));
    name = own ? dims_value_text(d, made) : legal_line_text(l, d->next++);
    define_line(l, name, strbuf_text(&text));
  }
  return own || legal_name_instead(l, made, name);
}

// Result i is a value that is there.
static bool define_as(legalize_shape *l, uint32_t i, value_id value) {
  dims *d = l->d;
  value_id made = graph_result(d->graph, d->op, i);
  if (legal_is_extents(l, made) && l->counts[made] == UNKNOWN) l->counts[made] = l->counts[value];
  if (strcmp(legal_type_now(l, value), legal_type_now(l, made)) == 0)
    return legal_name_instead(l, made, dims_value_text(d, value));
  if (!legal_is_extents(l, value) || !legal_is_extents(l, made))
    return legal_fail(l, "its result has another type");
  const char *type = legal_type_now(l, made);
  return define(l, i, type, "tensor.cast %s : %s to %s", dims_value_text(d, value),
                legal_type_now(l, value), type);
}

// Result i is the shape of these extents.
static bool define_extents(legalize_shape *l, uint32_t i, const char *list, uint32_t count) {
  dims *d = l->d;
  value_id made = graph_result(d->graph, d->op, i);
  const char *type = shape_text(l, count);
  if (!legal_is_extents(l, made)) return legal_fail(l, "its result is no shape");
  if (count > VALUE_MAX_RANK) return legal_fail(l, "it has too many extents");
  if (l->counts[made] == UNKNOWN) l->counts[made] = count;
  if (l->counts[made] != count) return legal_fail(l, "its result has another number of extents");
  if (!count) return define(l, i, type, "arith.constant dense<> : %s", type);
  return define(l, i, type, "tensor.from_elements %s : %s", list, type);
}

static bool define_shape(legalize_shape *l, uint32_t i, const uint32_t *values, uint32_t count) {
  shape_strbuf list;
  strbuf_init(&list, l->d->graph->arena);
  for (uint32_t k = 0; k < count; k++)
    strbuf_printf(&list, "%s%%%s%u", k ? ", " : "", l->d->stem, values[k]);
  return define_extents(l, i, strbuf_text(&list), count);
}

static uint32_t both(legalize_shape *l, uint32_t a, uint32_t b) {
  return a == NO_LINE ? b : dims_both(l->d, "andi", a, b);
}

static bool define_test(legalize_shape *l, uint32_t test) {
  if (test == NO_LINE) return define(l, 0, "i1", "arith.constant true");
  return legal_name_instead(l, graph_result(l->d->graph, l->d->op, 0), legal_line_text(l, test));
}

static void assert_line(legalize_shape *l, uint32_t test, const char *message) {
  if (test != NO_LINE)
    dims_assert(l->d, legal_line_text(l, test), message, (uint32_t)strlen(message));
}

// --- values with shapes

// The operation that makes a !shape.value_shape of a value and a shape; ID_NONE: another one, or none.
static op_id with_shape(const legalize_shape *l, value_id value) {
  const shape_graph *g = l->d->graph;
  if (value == VALUE_NONE || g->values[value].is_argument) return ID_NONE;
  op_id def = g->values[value].def;
  bool is = dims_is_named(l->d, def, "shape.with_shape") && g->ops[def].operand_count == 2;
  return is ? def : ID_NONE;
}

// It goes: what takes its result takes the value or the shape instead.
static bool write_with_shape(legalize_shape *l, const char *text) {
  (void)text;
  value_id shape = operand(l, 1);
  return legal_is_extents(l, shape) || legal_fail(l, "an operand is no shape");
}

static bool write_value_of(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  value_id from = operand(l, 0), made = graph_result(d->graph, d->op, 0);
  for (op_id def; (def = with_shape(l, from)) != ID_NONE;) from = graph_operand(d->graph, def, 0);
  const graph_type *type = type_of(l, from);
  bool tensor = type && (type->kind == TYPE_TENSOR || type->kind == TYPE_UNRANKED) &&
                type->container == CONTAINER_TENSOR;
  if (!tensor) return legal_fail(l, "its operand is no tensor");
  const char *had = dims_type_text(d, from), *has = dims_type_text(d, made);
  if (strcmp(had, has) == 0) return legal_name_instead(l, made, dims_value_text(d, from));
  return define(l, 0, has, "tensor.cast %s : %s to %s", dims_value_text(d, from), had, has);
}

// --- shapes

// The shape of a tensor of any rank.
static bool write_generated(legalize_shape *l, value_id from) {
  dims *d = l->d;
  const char *name = dims_value_text(d, from), *type = dims_type_text(d, from),
             *in = dims_indent(d);
  uint32_t rank = dims_line(d, "tensor.rank %s : %s", name, type), axis = d->next++,
           dim = d->next++;
  return define(l, 0, shape_text(l, UNKNOWN),
                "tensor.generate %%%s%u {\n%s^bb0(%%%s%u: index):\n"
                "%s  %%%s%u = tensor.dim %s, %%%s%u : %s\n"
                "%s  tensor.yield %%%s%u : index\n%s} : tensor<?xindex>",
                d->stem, rank, in, d->stem, axis, in, d->stem, dim, name, d->stem, axis, type, in,
                d->stem, dim, in);
}

static bool write_shape_of(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  value_id from = operand(l, 0);
  const graph_type *type = type_of(l, from), *tensor = dims_tensor_of(d, from);
  shape_strbuf operands, types;
  op_id holder = with_shape(l, from);
  if (holder != ID_NONE) return define_as(l, 0, graph_operand(d->graph, holder, 1));
  if (type && type->kind == TYPE_UNRANKED && type->container == CONTAINER_TENSOR)
    return write_generated(l, from);
  if (!tensor || tensor->rank > VALUE_MAX_RANK) return legal_fail(l, "its operand is no tensor");
  if (!tensor->rank) return define_shape(l, 0, NULL, 0);
  bool wide = false;
  for (uint32_t i = 0; i < tensor->rank; i++)
    wide |= dim_is_static(tensor->dims[i]) && tensor->dims[i] > INT32_MAX;
  const char *index = wide ? "i64" : "i32";
  strbuf_init(&operands, d->graph->arena);
  strbuf_init(&types, d->graph->arena);
  for (uint32_t i = 0; i < tensor->rank; i++) {
    uint32_t size;
    if (dim_is_static(tensor->dims[i])) {
      size = dims_line(d, "stablehlo.constant dense<%lld> : tensor<1x%s>",
                       (long long)tensor->dims[i], index);
    } else {
      size = dims_line(d, "stablehlo.get_dimension_size %s, dim = %u : (%s) -> tensor<i32>",
                       dims_value_text(d, from), i, dims_type_text(d, from));
      if (wide)
        size =
            dims_line(d, "stablehlo.convert %%%s%u : (tensor<i32>) -> tensor<i64>", d->stem, size);
      size = dims_line(d, "stablehlo.reshape %%%s%u : (tensor<%s>) -> tensor<1x%s>", d->stem, size,
                       index, index);
    }
    strbuf_printf(&operands, "%s%%%s%u", i ? ", " : "", d->stem, size);
    strbuf_printf(&types, "%stensor<1x%s>", i ? ", " : "", index);
  }
  uint32_t all = dims_line(d, "stablehlo.concatenate %s, dim = 0 : (%s) -> tensor<%ux%s>",
                           strbuf_text(&operands), strbuf_text(&types), tensor->rank, index);
  value_id made = graph_result(d->graph, d->op, 0);
  if (l->counts[made] == UNKNOWN) l->counts[made] = tensor->rank;
  return define(l, 0, shape_text(l, tensor->rank), "arith.index_cast %%%s%u : tensor<%ux%s> to %s",
                d->stem, all, tensor->rank, index, shape_text(l, tensor->rank));
}

static bool write_constant_shape(legalize_shape *l, const char *text) {
  (void)text;
  const int64_t *items;
  uint32_t count, values[VALUE_MAX_RANK];
  attr_id attr = graph_attr_named(l->d->graph, l->d->op, "shape");
  if (attr == ATTR_NONE || !graph_attr_ints(l->d->graph, attr, &items, &count) ||
      count > VALUE_MAX_RANK)
    return legal_fail(l, "its extents are not known");
  for (uint32_t i = 0; i < count; i++) values[i] = dims_constant(l->d, items[i]);
  return define_shape(l, 0, values, count);
}

static bool write_constant_size(legalize_shape *l, const char *text) {
  (void)text;
  int64_t size;
  attr_id attr = graph_attr_named(l->d->graph, l->d->op, "value");
  if (attr == ATTR_NONE || !graph_attr_int(l->d->graph, attr, &size))
    return legal_fail(l, "its value is not known");
  return define(l, 0, "index", "arith.constant %lld : index", (long long)size);
}

static bool write_from_extents(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  uint32_t count = d->graph->ops[d->op].operand_count;
  shape_strbuf list;
  strbuf_init(&list, d->graph->arena);
  for (uint32_t i = 0; i < count; i++) {
    if (!legal_is_index(l, operand(l, i))) return legal_fail(l, "an operand is no size");
    strbuf_printf(&list, "%s%s", i ? ", " : "", dims_value_text(d, operand(l, i)));
  }
  return define_extents(l, 0, strbuf_text(&list), count);
}

// Shapes and indices in their other forms; of shapes that may be any of several, the first.
static bool write_same(legalize_shape *l, const char *text) {
  (void)text;
  value_id from = operand(l, 0);
  if (!legal_is_index(l, from) && !legal_is_extents(l, from))
    return legal_fail(l, "its operand is no shape");
  return define_as(l, 0, from);
}

static bool write_value_as_shape(legalize_shape *l, const char *text) {
  dims *d = l->d;
  value_id from = operand(l, 0), made = graph_result(d->graph, d->op, 0);
  const graph_type *type = dims_tensor_of(d, from);
  if (legal_is_extents(l, from)) return write_same(l, text);
  bool is_signed =
      type && type->rank == 1 && (type->dtype == DTYPE_I32 || type->dtype == DTYPE_I64);
  if (!is_signed) return legal_fail(l, "its operand is no vector of integers");
  uint32_t count = dim_is_static(type->dims[0]) && type->dims[0] <= VALUE_MAX_RANK
                       ? (uint32_t)type->dims[0]
                       : UNKNOWN;
  if (l->counts[made] == UNKNOWN) l->counts[made] = count;
  return define(l, 0, shape_text(l, count), "arith.index_cast %s : %s to %s",
                dims_value_text(d, from), dims_type_text(d, from), shape_text(l, count));
}

static bool write_concat(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t counts[2], values[2 * VALUE_MAX_RANK], total = 0;
  for (uint32_t k = 0; k < 2; k++) {
    if (!extents(l, k, &counts[k])) return false;
    for (uint32_t i = 0; i < counts[k]; i++) values[total++] = extent(l, k, i);
  }
  return define_shape(l, 0, values, total);
}

static bool write_split_at(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t count, values[VALUE_MAX_RANK];
  int64_t at;
  if (!extents(l, 0, &count)) return false;
  if (!constant_index(l, operand(l, 1), &at))
    return legal_fail(l, "where it splits is no constant");
  if (at < 0) at += count;
  if (at < 0 || at > (int64_t)count) return legal_fail(l, "it splits outside of the shape");
  for (uint32_t i = 0; i < count; i++) values[i] = extent(l, 0, i);
  return define_shape(l, 0, values, (uint32_t)at) &&
         define_shape(l, 1, values + at, count - (uint32_t)at);
}

// --- broadcasts and equality

// Operands broadcast: with `fits`, the test that they can be; with `values`, the extents of the result.
static void broadcast_all(legalize_shape *l, uint32_t count, uint32_t *values, uint32_t *fits) {
  dims *d = l->d;
  uint32_t operands = d->graph->ops[d->op].operand_count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t all = NO_LINE;
    for (uint32_t k = 0; k < operands; k++) {
      uint32_t length = l->counts[operand(l, k)];
      assert(length <= count);
      if (i + length < count) continue;
      uint32_t e = extent(l, k, i + length - count);
      if (fits && all != NO_LINE) *fits = both(l, *fits, dims_fits(d, all, e));
      if (all == NO_LINE) {
        all = e;
      } else if (values || k + 1 < operands) {
        all = dims_broadcast(d, all, e);
      }
    }
    if (values) values[i] = all == NO_LINE ? dims_constant(d, 1) : all;
  }
}

static const char BROADCAST[] = "the shapes do not broadcast", EQUAL[] = "the shapes are not equal";

static bool write_broadcast(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t count, values[VALUE_MAX_RANK], fits = NO_LINE;
  if (!max_extents(l, &count)) return false;
  broadcast_all(l, count, values, dims_may_end(l->d, l->d->op) ? &fits : NULL);
  assert_line(l, fits, BROADCAST);
  return define_shape(l, 0, values, count);
}

static bool write_is_broadcastable(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t count, fits = NO_LINE;
  if (!max_extents(l, &count)) return false;
  broadcast_all(l, count, NULL, &fits);
  return define_test(l, fits);
}

static bool write_cstr_broadcastable(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t count, fits = NO_LINE;
  if (!max_extents(l, &count)) return false;
  broadcast_all(l, count, NULL, &fits);
  assert_line(l, fits, BROADCAST);
  return true;
}

// The test that all operands are equal.
static bool all_equal(legalize_shape *l, uint32_t *test) {
  dims *d = l->d;
  uint32_t operands = d->graph->ops[d->op].operand_count, count, other;
  *test = NO_LINE;
  for (uint32_t k = 1; k < operands; k++) {
    if (!extents(l, 0, &count) || !extents(l, k, &other)) return false;
    if (other != count) {
      *test = dims_line(d, "arith.constant false");
      return true;
    }
    for (uint32_t i = 0; i < count; i++) {
      uint32_t a = extent(l, 0, i), b = extent(l, k, i);
      *test = both(l, *test, dims_equal(d, a, b));
    }
  }
  return true;
}

static bool write_shape_eq(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t test;
  return all_equal(l, &test) && define_test(l, test);
}

static bool write_cstr_eq(legalize_shape *l, const char *text) {
  (void)text;
  uint32_t test;
  if (!all_equal(l, &test)) return false;
  assert_line(l, test, EQUAL);
  return true;
}

static bool write_meet(legalize_shape *l, const char *text) {
  dims *d = l->d;
  if (!legal_is_index(l, operand(l, 0)) || !legal_is_index(l, operand(l, 1)))
    return write_cstr_eq(l, text) && define_as(l, 0, operand(l, 0));
  assert_line(l,
              dims_line(d, "arith.cmpi eq, %s, %s : index", dims_value_text(d, operand(l, 0)),
                        dims_value_text(d, operand(l, 1))),
              "the indices are not equal");
  return define_as(l, 0, operand(l, 0));
}

// --- indices

static bool write_binary(legalize_shape *l, const char *text) {
  dims *d = l->d;
  value_id a = operand(l, 0), b = operand(l, 1);
  uint32_t count, other, values[VALUE_MAX_RANK];
  if (legal_is_index(l, a) && legal_is_index(l, b))
    return define(l, 0, "index", "arith.%s %s, %s : index", text, dims_value_text(d, a),
                  dims_value_text(d, b));
  if (!extents(l, 0, &count) || !extents(l, 1, &other)) return false;
  if (count != other) return legal_fail(l, "its operands differ in rank");
  for (uint32_t i = 0; i < count; i++) {
    uint32_t x = extent(l, 0, i), y = extent(l, 1, i);
    values[i] = dims_binary(d, text, x, y);
  }
  return define_shape(l, 0, values, count);
}

static bool write_rank(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  value_id from = operand(l, 0);
  if (!legal_is_extents(l, from)) return legal_fail(l, "its operand is no shape");
  if (l->counts[from] != UNKNOWN)
    return define(l, 0, "index", "arith.constant %u : index", l->counts[from]);
  uint32_t zero = dims_constant(d, 0);
  return define(l, 0, "index", "tensor.dim %s, %%%s%u : tensor<?xindex>", dims_value_text(d, from),
                d->stem, zero);
}

static bool write_extent_of(legalize_shape *l, value_id from) {
  dims *d = l->d;
  if (!legal_is_extents(l, from) || !legal_is_index(l, operand(l, 1)))
    return legal_fail(l, "its operand is no shape");
  return define(l, 0, "index", "tensor.extract %s[%s] : %s", dims_value_text(d, from),
                dims_value_text(d, operand(l, 1)), legal_type_now(l, from));
}

static bool write_get_extent(legalize_shape *l, const char *text) {
  (void)text;
  return write_extent_of(l, operand(l, 0));
}

static bool write_dim(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  value_id from = operand(l, 0);
  const graph_type *type = type_of(l, from);
  op_id holder = with_shape(l, from);
  if (holder != ID_NONE) return write_extent_of(l, graph_operand(d->graph, holder, 1));
  bool tensor = type && (type->kind == TYPE_TENSOR || type->kind == TYPE_UNRANKED) &&
                type->container == CONTAINER_TENSOR && legal_is_index(l, operand(l, 1));
  if (!tensor) return legal_fail(l, "its operand is no tensor");
  return define(l, 0, "index", "tensor.dim %s, %s : %s", dims_value_text(d, from),
                dims_value_text(d, operand(l, 1)), dims_type_text(d, from));
}

// The product of extents of unknown number.
static bool write_product(legalize_shape *l) {
  dims *d = l->d;
  uint32_t values = dims_line(d, "arith.index_cast %s : tensor<?xindex> to tensor<?xi64>",
                              dims_value_text(d, operand(l, 0)));
  uint32_t one = dims_line(d, "stablehlo.constant dense<1> : tensor<i64>");
  uint32_t all =
      dims_line(d,
                "stablehlo.reduce(%%%s%u init: %%%s%u) applies stablehlo.multiply across "
                "dimensions = [0] : (tensor<?xi64>, tensor<i64>) -> tensor<i64>",
                d->stem, values, d->stem, one);
  all = dims_line(d, "tensor.extract %%%s%u[] : tensor<i64>", d->stem, all);
  return define(l, 0, "index", "arith.index_cast %%%s%u : i64 to index", d->stem, all);
}

static bool write_num_elements(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  value_id from = operand(l, 0);
  if (!legal_is_extents(l, from)) return legal_fail(l, "its operand is no shape");
  uint32_t count = l->counts[from];
  if (count == UNKNOWN) return write_product(l);
  if (!count) return define(l, 0, "index", "arith.constant 1 : index");
  uint32_t product = dims_constant(d, 1);
  for (uint32_t i = 0; i + 1 < count; i++) {
    uint32_t e = extent(l, 0, i);
    product = dims_binary(d, "muli", product, e);
  }
  uint32_t last = extent(l, 0, count - 1);
  return define(l, 0, "index", "arith.muli %%%s%u, %%%s%u : index", d->stem, product, d->stem,
                last);
}

// --- witnesses

static bool write_cstr_require(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  const graph_type *type = type_of(l, operand(l, 0));
  if (!type || type->kind != TYPE_SCALAR || type->dtype != DTYPE_I1)
    return legal_fail(l, "its operand is no i1");
  attr_id attr = graph_attr_named(d->graph, d->op, "msg");
  const char *message = attr == ATTR_NONE ? NULL : graph_attr_text(d->graph, attr);
  if (!message) message = "a requirement does not hold";
  dims_assert(d, dims_value_text(d, operand(l, 0)), message, (uint32_t)strlen(message));
  return true;
}

// One that is false ends the run, where anything runs under it.
static bool write_const_witness(legalize_shape *l, const char *text) {
  (void)text;
  dims *d = l->d;
  int64_t passing = 0;
  attr_id attr = graph_attr_named(d->graph, d->op, "passing");
  bool known = attr != ATTR_NONE && graph_attr_int(d->graph, attr, &passing);
  if (!known) return legal_fail(l, "its value is not known");
  bool used = d->first_use[graph_result(d->graph, d->op, 0)] != ID_NONE;
  if (!passing && used)
    assert_line(l, dims_line(d, "arith.constant false"), "the witness is false");
  return true;
}

// What makes the operands has made assertions of them.
static bool write_nothing(legalize_shape *l, const char *text) {
  (void)l, (void)text;
  return true;
}

// --- all of them

typedef struct legal_row {
  const char *name;
  bool (*write)(legalize_shape *l, const char *text);
  const char *text;
  uint32_t operands, results;  // at least, exactly
} legal_row;

static const legal_row ROWS[] = {
    {"shape.add", write_binary, "addi", 2, 1},
    {"shape.any", write_same, NULL, 1, 1},
    {"shape.assuming_all", write_nothing, NULL, 0, 1},
    {"shape.broadcast", write_broadcast, NULL, 0, 1},
    {"shape.concat", write_concat, NULL, 2, 1},
    {"shape.const_shape", write_constant_shape, NULL, 0, 1},
    {"shape.const_size", write_constant_size, NULL, 0, 1},
    {"shape.const_witness", write_const_witness, NULL, 0, 1},
    {"shape.cstr_broadcastable", write_cstr_broadcastable, NULL, 0, 1},
    {"shape.cstr_eq", write_cstr_eq, NULL, 0, 1},
    {"shape.cstr_require", write_cstr_require, NULL, 1, 1},
    {"shape.dim", write_dim, NULL, 2, 1},
    {"shape.div", write_binary, "floordivsi", 2, 1},
    {"shape.from_extent_tensor", write_same, NULL, 1, 1},
    {"shape.from_extents", write_from_extents, NULL, 0, 1},
    {"shape.get_extent", write_get_extent, NULL, 2, 1},
    {"shape.index_to_size", write_same, NULL, 1, 1},
    {"shape.is_broadcastable", write_is_broadcastable, NULL, 0, 1},
    {"shape.max", write_binary, "maxsi", 2, 1},
    {"shape.meet", write_meet, NULL, 2, 1},
    {"shape.min", write_binary, "minsi", 2, 1},
    {"shape.mul", write_binary, "muli", 2, 1},
    {"shape.num_elements", write_num_elements, NULL, 1, 1},
    {"shape.rank", write_rank, NULL, 1, 1},
    {"shape.shape_eq", write_shape_eq, NULL, 0, 1},
    {"shape.shape_of", write_shape_of, NULL, 1, 1},
    {"shape.size_to_index", write_same, NULL, 1, 1},
    {"shape.split_at", write_split_at, NULL, 2, 2},
    {"shape.to_extent_tensor", write_same, NULL, 1, 1},
    {"shape.value_as_shape", write_value_as_shape, NULL, 1, 1},
    {"shape.value_of", write_value_of, NULL, 1, 1},
    {"shape.with_shape", write_with_shape, NULL, 2, 1},
};

static const legal_row *row_of(const char *name) {
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, name) == 0) return &ROWS[i];
  }
  return NULL;
}

bool legal_may_be_false(const char *name) {
  const legal_row *row = row_of(name);
  return row && row->write == write_const_witness;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// The text instead of the operation; without any it goes with its line.
static void finish(legalize_shape *l) {
  dims *d = l->d;
  while (d->out->length && is_blank(d->out->data[d->out->length - 1])) d->out->length--;
  if (d->out->length) {
    dims_replace(d);
    return;
  }
  dims_remove_line(d, d->op);
  d->replaced[d->op] = true;
}

// Operands of the types of the dialect are made by what was written before.
static bool has_operands(legalize_shape *l, op_id op) {
  const shape_graph *g = l->d->graph;
  for (uint32_t i = 0; i < g->ops[op].operand_count; i++) {
    value_id value = graph_operand(g, op, i);
    if (!legal_is_shape_type(l, value) || legal_has_form(l, value)) continue;
    if (g->values[value].is_argument) return legal_fail(l, "an operand of it is an argument");
    if (!l->d->replaced[g->values[value].def]) return legal_fail(l, "an operand of it stays");
  }
  return true;
}

bool legal_write(legalize_shape *l, op_id op) {
  dims *d = l->d;
  assert(op < d->graph->op_count && !d->replaced[op]);
  const graph_op *o = &d->graph->ops[op];
  const legal_row *row = row_of(graph_op_name(d->graph, op));
  shape_strbuf text;
  l->why = NULL;
  if (!row || o->unread || o->operand_count < row->operands || o->result_count != row->results)
    return false;
  dims_begin(d, op, &text);
  for (uint32_t i = 0; !l->understood && i < o->result_count; i++) {
    if (legal_is_shape_type(l, o->results + i)) return legal_fail(l, LEGAL_SYNTAX);
  }
  if (!has_operands(l, op) || !row->write(l, row->text)) return false;
  finish(l);
  return d->replaced[op];
}
