// SPDX-License-Identifier: Apache-2.0
// From unbounded dynamism to bounded (bounded dynamism RFC, P4 and after); unbounded.c has the way back.
//
// real_dynamic_slice with strides 1 of a static operand, whose result has bounds: where it starts at 0, the operand cut to
// the bounds, else a dynamic_slice of the bounds' dims out of the operand padded by them, so that the start is never
// clamped; then its dims are set to limit - start. Of an operand with bounds it starts at 0 and cuts no axis that is static:
// then the dims of the operand are set.
// dynamic_pad of a static operand, whose result has bounds and whose lower and interior paddings are numbers: a pad to the
// bounds, of which the dims are set.
//
// A set_dimension_size of a static operand to a number is a slice of it.
//
// A real_dynamic_slice whose limit is its start and a constant is a dynamic_slice of that size (StableHLO,
// StablehloCanonicalizeDynamism.cpp). Only a run that leaves the operand, which the first does not define, sees a difference:
// the other clamps.
#include <assert.h>
#include <string.h>

#include "solver/transform/conversion.h"

static bool is_stablehlo(const shape_graph *g, op_id op, op_trait trait) {
  uint32_t traits = traits_of(g, op);
  return (traits & TRAIT_STABLEHLO) && (traits & (uint32_t)trait);
}

static bool all_are(const constant_value *list, int64_t item) {
  for (uint32_t i = 0; list && i < list->count; i++) {
    if (list->items[i] != item) return false;
  }
  return list != NULL;
}

static void write_sized(conversion *c, const graph_type *like, const int64_t *sizes) {
  type_id type = type_tensor(&c->r->graph->types, (shape_dtype)like->dtype, sizes, like->rank);
  mlir_write_type(&c->w, type);
}

static void write_list(shape_strbuf *out, const char *word, const int64_t *items, uint32_t count) {
  strbuf_printf(out, "%s[", word);
  for (uint32_t i = 0; i < count; i++)
    strbuf_printf(out, "%s%lld", i ? ", " : "", items ? (long long)items[i] : 0LL);
  strbuf_putc(out, ']');
}

static shape_dtype element_type(const refine_rewrite *r, value_id list) {
  return (shape_dtype)conversion_tensor(r, list)->dtype;
}

// What a number up to `largest` is compared with elements of a list in: of the type of the list, it may be no number.
static shape_dtype compared_in(shape_dtype own, int64_t largest) {
  bool fits = dtype_bits(own) == 64 || (own == DTYPE_I32 && largest <= INT32_MAX);
  return own == DTYPE_INDEX || fits ? own : DTYPE_I64;
}

// One element of an index tensor as a scalar of type `as`: %base NAME axis.
static void write_element(conversion *c, const char *name, value_id list, uint32_t axis,
                          shape_dtype as) {
  shape_strbuf *out = c->w.out;
  const graph_type *type = conversion_tensor(c->r, list);
  assert(type && type->rank == 1);
  const char *element = dtype_name((shape_dtype)type->dtype);
  strbuf_printf(out, "%%%s%sat%u = stablehlo.slice ", c->base, name, axis);
  mlir_write_value(&c->w, list);
  strbuf_printf(out, " [%u:%u] : (", axis, axis + 1);
  mlir_write_value_type(&c->w, list);
  strbuf_printf(out, ") -> tensor<1x%s>", element);
  conversion_next_line(c);
  bool convert = (shape_dtype)type->dtype != as;
  strbuf_printf(out, "%%%s%s%s%u = stablehlo.reshape %%%s%sat%u : (tensor<1x%s>) -> tensor<%s>",
                c->base, name, convert ? "wide" : "", axis, c->base, name, axis, element, element);
  conversion_next_line(c);
  if (!convert) return;
  strbuf_printf(out, "%%%s%s%u = stablehlo.convert %%%s%swide%u : (tensor<%s>) -> tensor<%s>",
                c->base, name, axis, c->base, name, axis, element, dtype_name(as));
  conversion_next_line(c);
}

// A number: %base NAME axis.
static void write_number(conversion *c, const char *name, uint32_t axis, int64_t number,
                         const char *index) {
  strbuf_printf(c->w.out, "%%%s%s%u = stablehlo.constant dense<%lld> : tensor<%s>", c->base, name,
                axis, (long long)number, index);
  conversion_next_line(c);
}

// Of %base padded, the window that begins at %base start axis, of type `index`: %base window.
static void write_started(conversion *c, const graph_type *type, const int64_t *padded,
                          const int64_t *sizes, const char *index) {
  shape_strbuf *out = c->w.out;
  strbuf_printf(out, "%%%swindow = stablehlo.dynamic_slice %%%spadded", c->base, c->base);
  for (uint32_t i = 0; i < type->rank; i++) strbuf_printf(out, ", %%%sstart%u", c->base, i);
  write_list(out, ", sizes = ", sizes, type->rank);
  strbuf_puts(out, " : (");
  write_sized(c, type, padded);
  for (uint32_t i = 0; i < type->rank; i++) strbuf_printf(out, ", tensor<%s>", index);
  strbuf_puts(out, ") -> ");
  write_sized(c, type, sizes);
  conversion_next_line(c);
}

// The window of `sizes` that begins at the start: %base window.
static void write_window(conversion *c, const int64_t *sizes, bool from_zero) {
  shape_strbuf *out = c->w.out;
  value_id operand = graph_operand(c->r->graph, c->op, 0),
           start = graph_operand(c->r->graph, c->op, 1);
  const graph_type type = *conversion_tensor(c->r, operand);
  uint32_t rank = type.rank;
  if (from_zero) {
    strbuf_printf(out, "%%%swindow = stablehlo.slice ", c->base);
    mlir_write_value(&c->w, operand);
    strbuf_puts(out, " [");
    for (uint32_t i = 0; i < rank; i++)
      strbuf_printf(out, "%s0:%lld", i ? ", " : "", (long long)sizes[i]);
    strbuf_puts(out, "] : (");
    mlir_write_value_type(&c->w, operand);
    strbuf_puts(out, ") -> ");
    write_sized(c, &type, sizes);
    conversion_next_line(c);
    return;
  }
  int64_t *padded = arena_alloc(c->r->graph->arena, (rank + 1) * sizeof *padded);
  for (uint32_t i = 0; i < rank; i++) padded[i] = type.dims[i] + sizes[i];
  const char *element = dtype_name((shape_dtype)type.dtype);
  strbuf_printf(out, "%%%szero = stablehlo.constant dense<%s> : tensor<%s>", c->base,
                type.dtype == DTYPE_I1                    ? "false"
                : dtype_is_float((shape_dtype)type.dtype) ? "0.0"
                                                          : "0",
                element);
  conversion_next_line(c);
  strbuf_printf(out, "%%%spadded = stablehlo.pad ", c->base);
  mlir_write_value(&c->w, operand);
  strbuf_printf(out, ", %%%szero", c->base);
  write_list(out, ", low = ", NULL, rank);
  write_list(out, ", high = ", sizes, rank);
  write_list(out, ", interior = ", NULL, rank);
  strbuf_puts(out, " : (");
  mlir_write_value_type(&c->w, operand);
  strbuf_printf(out, ", tensor<%s>) -> ", element);
  write_sized(c, &type, padded);
  conversion_next_line(c);
  shape_dtype index = element_type(c->r, start);
  for (uint32_t i = 0; i < rank; i++) write_element(c, "start", start, i, index);
  write_started(c, &type, padded, sizes, dtype_name(index));
}

// How many elements an axis of the result has: %base length axis, of i32.
typedef struct axis_lengths {
  enum { LENGTH_LIMIT, LENGTH_DIFFERENCE, LENGTH_SUM } kind;
  value_id list;          // the limits; of LENGTH_SUM the upper paddings
  shape_dtype index;      // what it is computed in, as %base low axis is
  const int64_t *known;   // LENGTH_SUM: what is added to them
  bool moves;             // LENGTH_SUM: and so is %base low axis
  const int64_t *within;  // what the sum is asserted to be within; NULL: nothing
} axis_lengths;

// %base VALUE axis is asserted to be at least or at most a number, which is %base NAME axis.
static void write_within(conversion *c, const char *value, const char *direction, const char *name,
                         uint32_t axis, int64_t number, const char *index) {
  shape_strbuf *out = c->w.out;
  write_number(c, name, axis, number, index);
  strbuf_printf(out,
                "%%%sfits%s%u = stablehlo.compare %s, %%%s%s%u, %%%s%s%u : (tensor<%s>, "
                "tensor<%s>) -> tensor<i1>",
                c->base, name, axis, direction, c->base, value, axis, c->base, name, axis, index,
                index);
  conversion_next_line(c);
  strbuf_printf(out,
                "stablehlo.custom_call @shape_assertion(%%%sfits%s%u) {error_message = \"a dim is "
                "within its bound\", has_side_effect = true} : (tensor<i1>) -> ()",
                c->base, name, axis);
  conversion_next_line(c);
}

// Paddings of 64 bits whose sum wraps around to a dim are both far above it or both far below. Of others that add up to
// one, neither holds.
static void write_unwrapped(conversion *c, uint32_t axis, const char *index) {
  const char *names[] = {"smaller", "greater"};
  for (uint32_t i = 0; i < 2; i++) {
    strbuf_printf(c->w.out, "%%%s%s%u = stablehlo.%s %%%slow%u, %%%shigh%u : tensor<%s>", c->base,
                  names[i], axis, i ? "maximum" : "minimum", c->base, axis, c->base, axis, index);
    conversion_next_line(c);
  }
  write_within(c, names[0], "LE", "above", axis, UINT32_MAX, index);
  write_within(c, names[1], "GE", "below", axis, -(int64_t)UINT32_MAX, index);
}

static void write_length(conversion *c, const axis_lengths *lengths, uint32_t axis) {
  shape_strbuf *out = c->w.out;
  assert(lengths->list != VALUE_NONE && conversion_tensor(c->r, lengths->list));
  if (lengths->kind == LENGTH_LIMIT) {
    write_element(c, "length", lengths->list, axis, DTYPE_I32);
    return;
  }
  const char *index = dtype_name(lengths->index);
  const char *wide = lengths->index != DTYPE_I32 ? "wide" : "";
  bool sum = lengths->kind == LENGTH_SUM;
  write_element(c, sum ? "high" : "limit", lengths->list, axis, lengths->index);
  if (sum) write_number(c, lengths->moves ? "inside" : "known", axis, lengths->known[axis], index);
  if (sum && lengths->moves) {
    strbuf_printf(out, "%%%sknown%u = stablehlo.add %%%slow%u, %%%sinside%u : tensor<%s>", c->base,
                  axis, c->base, axis, c->base, axis, index);
    conversion_next_line(c);
  }
  strbuf_printf(out, "%%%slength%s%u = stablehlo.%s %%%s%s%u, %%%s%s%u : tensor<%s>", c->base, wide,
                axis, sum ? "add" : "subtract", c->base, sum ? "high" : "limit", axis, c->base,
                sum ? "known" : "start", axis, index);
  conversion_next_line(c);
  if (lengths->within) {
    if (lengths->moves && element_type(c->r, lengths->list) == lengths->index)
      write_unwrapped(c, axis, index);
    write_within(c, "lengthwide", "GE", "least", axis, 0, index);
    write_within(c, "lengthwide", "LE", "largest", axis, lengths->within[axis], index);
  }
  if (!*wide) return;
  strbuf_printf(out,
                "%%%slength%u = stablehlo.convert %%%slengthwide%u : (tensor<%s>) -> tensor<i32>",
                c->base, axis, c->base, axis, index);
  conversion_next_line(c);
}

static type_id sized_type(conversion *c, type_id like, const int64_t *dims, const int64_t *bounds,
                          uint32_t rank) {
  bool any = false;
  for (uint32_t i = 0; i < rank; i++) any |= dim_is_static(bounds[i]);
  return type_with_dims(&c->r->graph->types, like, dims, any ? bounds : NULL, rank);
}

// set_dimension_size of each axis of the result that is dynamic, the last of which makes it; of `first`, whose dims and
// bounds are given, or where that is NULL of the operand.
static void write_set_sizes(conversion *c, const graph_type *result, const char *first,
                            int64_t *dims, int64_t *bounds, const axis_lengths *lengths) {
  shape_graph *g = c->r->graph;
  shape_strbuf *out = c->w.out;
  type_id like = c->r->value_types[g->ops[c->op].results];
  type_id before = sized_type(c, like, dims, bounds, result->rank);
  uint32_t left = 0, made = 0;
  for (uint32_t i = 0; i < result->rank; i++) left += !dim_is_static(result->dims[i]);
  for (uint32_t i = 0; i < result->rank; i++) {
    if (dim_is_static(result->dims[i])) continue;
    write_length(c, lengths, i);
    if (dim_is_static(dims[i])) bounds[i] = dims[i];
    dims[i] = DIM_DYNAMIC;
    type_id after = sized_type(c, like, dims, bounds, result->rank);
    if (--left) {
      strbuf_printf(out, "%%%sset%u", c->base, made + 1);
    } else {
      conversion_put_result(c);
    }
    strbuf_puts(out, " = stablehlo.set_dimension_size ");
    if (made) {
      strbuf_printf(out, "%%%sset%u", c->base, made);
    } else if (first) {
      strbuf_printf(out, "%%%s%s", c->base, first);
    } else {
      mlir_write_value(&c->w, graph_operand(g, c->op, 0));
    }
    strbuf_printf(out, ", %%%slength%u, dim = %u : (", c->base, i, i);
    mlir_write_type(&c->w, before);
    strbuf_puts(out, ", tensor<i32>) -> ");
    mlir_write_type(&c->w, left ? after : like);
    if (left) conversion_next_line(c);
    before = after;
    made++;
  }
}

static int64_t *copy_dims(conversion *c, const int64_t *dims, uint32_t rank) {
  int64_t *copy = arena_alloc(c->r->graph->arena, (rank + 1) * sizeof *copy);
  for (uint32_t i = 0; i < rank; i++) copy[i] = dims ? dims[i] : DIM_DYNAMIC;
  return copy;
}

// The dims of the result as numbers, bounds where they are dynamic. False: it has no bounds, or nothing is dynamic.
static bool sizes_of(const refine_rewrite *r, const graph_type *result, int64_t **sizes) {
  bool any = false, all = true;
  if (!result || !result->has_bounds) return false;
  *sizes = arena_alloc(r->graph->arena, (result->rank + 1) * sizeof **sizes);
  for (uint32_t i = 0; i < result->rank; i++) {
    bool fixed = dim_is_static(result->dims[i]);
    (*sizes)[i] = fixed ? result->dims[i] : result->bounds[i];
    any |= !fixed;
    all &= dim_is_static((*sizes)[i]);
  }
  return any && all;
}

// An element of a list that is one number wherever the function runs.
static bool element_of(const refine_rewrite *r, value_id list, uint32_t at, int64_t *number) {
  const infer_result *infer = r->types->report->infer;
  bool any = false;
  for (uint32_t i = 0; i < infer->frame_count; i++) {
    const infer_frame *f = &infer->frames[i];
    int64_t is;
    if (list < f->value_base || list >= f->value_end) continue;
    const value_info *v = &f->values[list - f->value_base];
    if (!v->visited || !v->elements || at >= v->element_count || v->elements[at] == TERM_NONE ||
        !term_int_value(infer->terms, v->elements[at], &is) || (any && is != *number))
      return false;
    *number = is;
    any = true;
  }
  return any;
}

static bool element_is(const refine_rewrite *r, value_id list, uint32_t at, int64_t number) {
  int64_t is;
  return element_of(r, list, at, &is) && is == number;
}

static bool has_plain_elements(const graph_type *type) {
  return type->dtype < DTYPE_QUANTIZED && !dtype_is_complex((shape_dtype)type->dtype);
}

// Whether every dim that is set is an i32, and what the window is cut from has dims.
static bool fit_sizes(const graph_type *type, const graph_type *result, const int64_t *sizes,
                      bool from_zero) {
  assert(type->rank == result->rank);
  for (uint32_t i = 0; i < result->rank; i++) {
    int64_t padded;
    if (!dim_is_static(result->dims[i]) && sizes[i] > INT32_MAX) return false;
    if (from_zero || !dim_is_static(type->dims[i])) continue;
    if (__builtin_add_overflow(type->dims[i], sizes[i], &padded)) return false;
  }
  return true;
}

// Of an operand with bounds: what it starts with, of axes that are dynamic.
static bool cuts_dynamic_axes(const graph_type *type, const graph_type *result) {
  assert(type->rank == result->rank);
  for (uint32_t i = 0; i < type->rank; i++) {
    bool dynamic = !dim_is_static(type->dims[i]);
    if (dynamic && !(type->has_bounds && dim_is_static(type->bounds[i]))) return false;
    if (dim_is_static(result->dims[i]) && result->dims[i] != type->dims[i]) return false;
  }
  return true;
}

// What a slice of an operand of known dims requires, and the window and the dims that are set do not: assertions.
typedef struct slice_checks {
  conversion *c;
  const char *element;  // of starts and limits
  uint32_t count;       // so far
} slice_checks;

static void write_check(slice_checks *t, const char *direction, const char *a, const char *b,
                        uint32_t axis) {
  const char *base = t->c->base;
  strbuf_printf(t->c->w.out,
                "%%%stest%u = stablehlo.compare %s, %%%s%s%u, %%%s%s%u : (tensor<%s>, tensor<%s>) "
                "-> tensor<i1>",
                base, t->count, direction, base, a, axis, base, b, axis, t->element, t->element);
  conversion_next_line(t->c);
  strbuf_printf(
      t->c->w.out,
      "stablehlo.custom_call @shape_assertion(%%%stest%u) {error_message = \"a slice ends "
      "within its operand\", has_side_effect = true} : (tensor<i1>) -> ()",
      base, t->count++);
  conversion_next_line(t->c);
}

// 0 <= start <= limit <= dim; with a size that the type says, start <= dim - size and limit == start + size.
static void write_checks(conversion *c, const graph_type *type, const graph_type *result,
                         bool from_zero) {
  value_id start = graph_operand(c->r->graph, c->op, 1),
           limit = graph_operand(c->r->graph, c->op, 2);
  shape_dtype own = element_type(c->r, limit);
  slice_checks t = {.c = c};
  assert(type->rank == result->rank);
  for (uint32_t i = 0; i < type->rank; i++) {
    int64_t size = result->dims[i];
    // A limit of 32 bits becomes the dim, which is checked to be within the window.
    if (from_zero && own == DTYPE_I32 && !dim_is_static(size)) continue;
    shape_dtype index = compared_in(own, type->dims[i]);
    t.element = dtype_name(index);
    write_element(c, "from", start, i, index);
    write_element(c, "to", limit, i, index);
    write_number(c, "none", i, 0, t.element);
    write_check(&t, "GE", "from", "none", i);
    write_number(c, "last", i, type->dims[i] - (dim_is_static(size) ? size : 0), t.element);
    if (dim_is_static(size)) {
      write_number(c, "size", i, size, t.element);
      write_check(&t, "LE", "from", "last", i);
      strbuf_printf(c->w.out, "%%%send%u = stablehlo.add %%%sfrom%u, %%%ssize%u : tensor<%s>",
                    c->base, i, c->base, i, c->base, i, t.element);
      conversion_next_line(c);
      write_check(&t, "EQ", "to", "end", i);
    } else {
      write_check(&t, "LE", "from", "to", i);
      write_check(&t, "LE", "to", "last", i);
    }
  }
}

static bool to_set_sizes(refine_rewrite *r, op_id op) {
  shape_graph *g = r->graph;
  value_id operand = graph_operand(g, op, 0), limit = graph_operand(g, op, 2);
  if (!conversion_has_named_result(g, op)) return false;
  const graph_type *type = conversion_tensor(r, operand),
                   *result = conversion_tensor(r, g->ops[op].results);
  bool from_zero = all_are(rewrite_constant(r, graph_operand(g, op, 1)), 0), fixed = true;
  const graph_type *from = conversion_tensor(r, graph_operand(g, op, 1)),
                   *to = conversion_tensor(r, limit);
  int64_t *sizes;
  if (!type || !result || type->rank != result->rank) return false;
  if (!from || !to || from->dtype != to->dtype) return false;
  if (!all_are(rewrite_constant(r, graph_operand(g, op, 3)), 1)) return false;
  if (!has_plain_elements(type) || !sizes_of(r, result, &sizes)) return false;
  if (!fit_sizes(type, result, sizes, from_zero)) return false;
  for (uint32_t i = 0; i < type->rank; i++) fixed &= dim_is_static(type->dims[i]);
  for (uint32_t i = 0; i < type->rank && fixed; i++) {
    if (sizes[i] > type->dims[i]) return false;
  }
  // A size that is set may grow an axis that is dynamic: nothing would say that the slice ends within it.
  const uint8_t *unproven = r->types->report->unproven;
  if (!fixed && (!from_zero || (unproven && unproven[op]) || !cuts_dynamic_axes(type, result)))
    return false;
  shape_strbuf text;
  const graph_type shape = *result, whole = *type;
  conversion c = conversion_begin(r, op, &text);
  const axis_lengths lengths = {.kind = from_zero ? LENGTH_LIMIT : LENGTH_DIFFERENCE,
                                .list = limit,
                                .index = element_type(r, limit)};
  int64_t *dims = copy_dims(&c, fixed ? sizes : whole.dims, whole.rank),
          *bounds = copy_dims(&c, !fixed && whole.has_bounds ? whole.bounds : NULL, whole.rank);
  if (fixed && unproven && unproven[op]) write_checks(&c, &whole, &shape, from_zero);
  if (fixed) write_window(&c, sizes, from_zero);
  write_set_sizes(&c, &shape, fixed ? "window" : NULL, dims, bounds, &lengths);
  conversion_end(&c);
  return true;
}

// A pad by numbers: %base NAME.
static void write_pad(conversion *c, const char *name, const graph_type *type, const int64_t *low,
                      const int64_t *high, const int64_t *interior, const int64_t *sizes) {
  shape_strbuf *out = c->w.out;
  assert(low && high && interior);
  value_id operand = graph_operand(c->r->graph, c->op, 0),
           value = graph_operand(c->r->graph, c->op, 1);
  strbuf_printf(out, "%%%s%s = stablehlo.pad ", c->base, name);
  mlir_write_value(&c->w, operand);
  strbuf_puts(out, ", ");
  mlir_write_value(&c->w, value);
  write_list(out, ", low = ", low, type->rank);
  write_list(out, ", high = ", high, type->rank);
  write_list(out, ", interior = ", interior, type->rank);
  strbuf_puts(out, " : (");
  mlir_write_value_type(&c->w, operand);
  strbuf_puts(out, ", ");
  mlir_write_value_type(&c->w, value);
  strbuf_puts(out, ") -> ");
  write_sized(c, type, sizes);
  conversion_next_line(c);
}

// Lower paddings that are no numbers: of what is padded by the bounds on both sides, the window that begins that far
// before the operand. One that would begin outside is all padding, as is the one at the end, which it becomes.
static void write_moved(conversion *c, const graph_type *type, const int64_t *sizes,
                        const int64_t *known, const int64_t *interior, shape_dtype type_of_low) {
  shape_strbuf *out = c->w.out;
  value_id low = graph_operand(c->r->graph, c->op, 2);
  const char *index = dtype_name(type_of_low);
  assert(conversion_tensor(c->r, low)->rank == 1);
  int64_t *padded = copy_dims(c, known, type->rank);
  for (uint32_t i = 0; i < type->rank; i++) padded[i] += 2 * sizes[i];
  write_pad(c, "padded", type, sizes, sizes, interior, padded);
  for (uint32_t i = 0; i < type->rank; i++) {
    write_element(c, "low", low, i, type_of_low);
    write_number(c, "bound", i, sizes[i], index);
    strbuf_printf(out, "%%%sstart%u = stablehlo.subtract %%%sbound%u, %%%slow%u : tensor<%s>",
                  c->base, i, c->base, i, c->base, i, index);
    conversion_next_line(c);
  }
  write_started(c, type, padded, sizes, index);
}

// low + (size - 1) * (interior + 1) + 1 where the operand has elements: what is before the upper padding. `low` NULL: 0.
static bool before_padding(const graph_type *type, const constant_value *low,
                           const constant_value *interior, int64_t *known) {
  for (uint32_t i = 0; i < type->rank; i++) {
    int64_t size = type->dims[i], step, wide;
    if (!dim_is_static(size) || interior->items[i] < 0) return false;
    if (__builtin_add_overflow(interior->items[i], 1, &step) ||
        __builtin_mul_overflow(size ? size - 1 : 0, step, &wide) ||
        __builtin_add_overflow(wide, size ? 1 : 0, &wide) ||
        __builtin_add_overflow(wide, low ? low->items[i] : 0, &known[i]) || known[i] > INT32_MAX ||
        known[i] < -INT32_MAX)
      return false;
  }
  return true;
}

// Whether each dim has a number that it is within, and an axis has the dim of its type, which is checked no more.
static bool is_within(const refine_rewrite *r, op_id op, const graph_type *result,
                      const int64_t *sizes, const int64_t *known, bool moves) {
  value_id low = graph_operand(r->graph, op, 2), high = graph_operand(r->graph, op, 3);
  for (uint32_t i = 0; i < result->rank; i++) {
    int64_t before = 0;
    if (sizes[i] > (moves ? INT32_MAX / 4 : INT32_MAX)) return false;
    if (moves && known[i] > INT32_MAX / 2) return false;
    if (!dim_is_static(result->dims[i])) continue;
    if (moves && !element_of(r, low, i, &before)) return false;
    if (before > INT32_MAX || before < -INT32_MAX) return false;
    if (!element_is(r, high, i, sizes[i] - known[i] - before)) return false;
  }
  return true;
}

static bool to_padded(refine_rewrite *r, op_id op) {
  shape_graph *g = r->graph;
  if (!conversion_has_named_result(g, op) || g->ops[op].operand_count != 5) return false;
  value_id high = graph_operand(g, op, 3);
  const graph_type *type = conversion_tensor(r, graph_operand(g, op, 0)),
                   *list = conversion_tensor(r, high),
                   *lows = conversion_tensor(r, graph_operand(g, op, 2)),
                   *result = conversion_tensor(r, g->ops[op].results);
  const constant_value *low = rewrite_constant(r, graph_operand(g, op, 2)),
                       *interior = rewrite_constant(r, graph_operand(g, op, 4));
  int64_t *sizes;
  if (!type || !list || !lows || !interior || !result || type->rank != result->rank) return false;
  if ((low && low->count != type->rank) || interior->count != type->rank || list->rank != 1)
    return false;
  if (lows->rank != 1 || lows->dtype != list->dtype) return false;
  if (list->dtype == DTYPE_INDEX || !sizes_of(r, result, &sizes)) return false;
  const uint8_t *unproven = r->types->report->unproven;
  // A sum of 32 bits that is within the bound is it where it wraps around in between, one of fewer is not.
  bool checked = unproven && unproven[op];
  shape_dtype own = element_type(r, high);
  if (checked && own == DTYPE_UI64) return false;
  bool narrow = own != DTYPE_UI64 && (own != DTYPE_I32 || checked);
  shape_dtype index = narrow ? DTYPE_I64 : own;
  shape_strbuf text;
  const graph_type shape = *result, whole = *type;
  conversion c = conversion_begin(r, op, &text);
  int64_t *known = copy_dims(&c, NULL, whole.rank);
  if (!before_padding(&whole, low, interior, known)) return false;
  if (!is_within(r, op, &shape, sizes, known, !low)) return false;
  if (low) {
    int64_t *above = copy_dims(&c, sizes, whole.rank);
    for (uint32_t i = 0; i < whole.rank; i++) above[i] -= known[i];
    write_pad(&c, "window", &whole, low->items, above, interior->items, sizes);
  } else {
    write_moved(&c, &whole, sizes, known, interior->items, index);
  }
  const axis_lengths lengths = {LENGTH_SUM, high, index, known, !low, checked ? sizes : NULL};
  write_set_sizes(&c, &shape, "window", copy_dims(&c, sizes, whole.rank),
                  copy_dims(&c, NULL, whole.rank), &lengths);
  conversion_end(&c);
  return true;
}

// --- windows of known size

// limit == start + size, as an addition with a constant.
static const constant_value *size_behind(const refine_rewrite *r, value_id start, value_id limit) {
  const shape_graph *g = r->graph;
  if (limit == VALUE_NONE || g->values[limit].is_argument) return NULL;
  op_id op = g->values[limit].def;
  if (!is_stablehlo(g, op, TRAIT_ADD) || g->ops[op].operand_count != 2) return NULL;
  for (uint32_t i = 0; i < 2; i++) {
    if (graph_operand(g, op, i) == start) return rewrite_constant(r, graph_operand(g, op, 1 - i));
  }
  return NULL;
}

static bool to_dynamic_slice(refine_rewrite *r, op_id op) {
  shape_graph *g = r->graph;
  value_id operand = graph_operand(g, op, 0), start = graph_operand(g, op, 1);
  if (!conversion_has_named_result(g, op) || start == VALUE_NONE) return false;
  const graph_type *type = conversion_tensor(r, operand),
                   *result = conversion_tensor(r, g->ops[op].results);
  const constant_value *sizes = size_behind(r, start, graph_operand(g, op, 2));
  if (!type || !result || !sizes || !conversion_tensor(r, start) || sizes->count != result->rank)
    return false;
  if (!all_are(rewrite_constant(r, graph_operand(g, op, 3)), 1)) return false;
  for (uint32_t i = 0; i < result->rank; i++) {
    if (sizes->items[i] != result->dims[i]) return false;
  }
  shape_strbuf text;
  conversion c = conversion_begin(r, op, &text);
  c.one_line = true;
  uint32_t rank = result->rank;
  shape_dtype index_type = element_type(r, start);
  for (uint32_t i = 0; i < rank; i++) write_element(&c, "start", start, i, index_type);
  conversion_put_result(&c);
  strbuf_puts(&text, " = stablehlo.dynamic_slice ");
  mlir_write_value(&c.w, operand);
  for (uint32_t i = 0; i < rank; i++) strbuf_printf(&text, ", %%%sstart%u", c.base, i);
  write_list(&text, ", sizes = ", sizes->items, rank);
  strbuf_puts(&text, " : (");
  mlir_write_value_type(&c.w, operand);
  for (uint32_t i = 0; i < rank; i++) strbuf_printf(&text, ", tensor<%s>", dtype_name(index_type));
  strbuf_puts(&text, ") -> ");
  mlir_write_value_type(&c.w, g->ops[op].results);
  conversion_end(&c);
  g->ops[op].operand_count = 2;
  return true;
}

// set_dimension_size of numbers cuts its operand.
static bool to_plain_slice(refine_rewrite *r, op_id op) {
  shape_graph *g = r->graph;
  value_id operand = graph_operand(g, op, 0);
  const graph_type *type = conversion_tensor(r, operand),
                   *result = conversion_tensor(r, g->ops[op].results);
  const constant_value *size = rewrite_constant(r, graph_operand(g, op, 1));
  int64_t axis;
  if (!conversion_has_named_result(g, op) || !type || !result || type->rank != result->rank ||
      !size || size->count != 1)
    return false;
  if (!graph_attr_int(g, graph_attr_named(g, op, "dimension"), &axis) || axis < 0 ||
      axis >= type->rank || result->dims[axis] != size->items[0])
    return false;
  for (uint32_t i = 0; i < type->rank; i++) {
    bool fits = i == axis ? result->dims[i] <= type->dims[i] : result->dims[i] == type->dims[i];
    if (!dim_is_static(type->dims[i]) || !dim_is_static(result->dims[i]) || !fits) return false;
  }
  shape_strbuf text;
  conversion c = conversion_begin(r, op, &text);
  conversion_put_result(&c);
  strbuf_puts(&text, " = stablehlo.slice ");
  mlir_write_value(&c.w, operand);
  strbuf_puts(&text, " [");
  for (uint32_t i = 0; i < type->rank; i++)
    strbuf_printf(&text, "%s0:%lld", i ? ", " : "", (long long)result->dims[i]);
  strbuf_puts(&text, "] : (");
  mlir_write_value_type(&c.w, operand);
  strbuf_puts(&text, ") -> ");
  mlir_write_value_type(&c.w, g->ops[op].results);
  conversion_end(&c);
  g->ops[op].operand_count = 1;
  return true;
}

void rewrite_windows(refine_rewrite *r) {
  for (op_id op = 0; op < r->graph->op_count; op++) {
    if (r->removed[op] || r->edit_of[op] || rewrite_keeps(r, op)) continue;
    if (is_stablehlo(r->graph, op, TRAIT_SETS_SIZE) && mlir_op_end(r->uses, op))
      to_plain_slice(r, op);
    if (!is_stablehlo(r->graph, op, TRAIT_WINDOW)) continue;
    if (mlir_op_end(r->uses, op)) to_dynamic_slice(r, op);
  }
}

uint32_t rewrite_dynamism(refine_rewrite *r, bool bounded, op_id *refused) {
  const shape_graph *g = r->graph;
  op_trait from = bounded ? TRAIT_WINDOW : TRAIT_SETS_SIZE;
  uint32_t count = 0;
  *refused = ID_NONE;
  for (op_id op = 0; op < g->op_count; op++) {
    if (r->removed[op] || r->edit_of[op] || rewrite_keeps(r, op)) continue;
    bool pad = bounded && is_stablehlo(g, op, TRAIT_PADS);
    if (!pad && !is_stablehlo(g, op, from)) continue;
    bool done = mlir_op_end(r->uses, op);
    if (done)
      done = pad ? to_padded(r, op) : bounded ? to_set_sizes(r, op) : rewrite_to_unbounded(r, op);
    count += done;
    assert(!done || r->edit_of[op]);
    if (!done && !pad && *refused == ID_NONE) *refused = op;
  }
  return count;
}
