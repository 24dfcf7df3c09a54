// SPDX-License-Identifier: Apache-2.0
// From bounded dynamism to unbounded (bounded dynamism RFC, P4).
//
// set_dimension_size %x, %n, dim = d keeps the first n elements of an axis whose size is a number, for n is at most that
// number: a real_dynamic_slice from 0 to n. Where the axis is dynamic already it may grow, and nothing is its equal.
#include <assert.h>
#include <string.h>

#include "solver/transform/conversion.h"

// What the elements of the slice's operands are of: i32, which not every dim of a type fits into.
static const char *index_of(const graph_type *type) {
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dim_is_static(type->dims[i]) && type->dims[i] > INT32_MAX) return "i64";
  }
  return "i32";
}

// The dim of axis `i` of the operand, or what is set, as a vector of one element: %base limit i.
static void write_size(conversion *c, value_id operand, value_id size, uint32_t i,
                       const char *index) {
  shape_strbuf *out = c->w.out, name;
  bool wide = strcmp(index, "i32") != 0;
  strbuf_init(&name, c->r->graph->arena);
  if (size == VALUE_NONE) {
    strbuf_printf(&name, "%%%ssize%u", c->base, i);
    strbuf_printf(out, "%s = stablehlo.get_dimension_size ", strbuf_text(&name));
    mlir_write_value(&c->w, operand);
    strbuf_printf(out, ", dim = %u : (", i);
    mlir_write_value_type(&c->w, operand);
    strbuf_puts(out, ") -> tensor<i32>");
    conversion_next_line(c);
  }
  if (wide) {
    strbuf_printf(out, "%%%swide%u = stablehlo.convert ", c->base, i);
    if (size == VALUE_NONE) {
      strbuf_puts(out, strbuf_text(&name));
    } else {
      mlir_write_value(&c->w, size);
    }
    strbuf_puts(out, " : (tensor<i32>) -> tensor<i64>");
    conversion_next_line(c);
    name.length = 0;
    strbuf_printf(&name, "%%%swide%u", c->base, i);
  }
  strbuf_printf(out, "%%%slimit%u = stablehlo.reshape ", c->base, i);
  if (name.length) {
    strbuf_puts(out, strbuf_text(&name));
  } else {
    mlir_write_value(&c->w, size);
  }
  strbuf_printf(out, " : (tensor<%s>) -> tensor<1x%s>", index, index);
  conversion_next_line(c);
}

static void write_limit(conversion *c, value_id operand, value_id size, int64_t axis,
                        const char *index) {
  shape_strbuf *out = c->w.out;
  const graph_type *type = conversion_tensor(c->r, operand);
  assert(type && axis >= 0 && axis < type->rank);
  for (uint32_t i = 0; i < type->rank; i++) {
    if (dim_is_static(type->dims[i]) && i != axis) {
      strbuf_printf(out, "%%%slimit%u = stablehlo.constant dense<%lld> : tensor<1x%s>", c->base, i,
                    (long long)type->dims[i], index);
      conversion_next_line(c);
    } else {
      write_size(c, operand, i == axis ? size : VALUE_NONE, i, index);
    }
  }
  strbuf_printf(out, "%%%slimit = stablehlo.concatenate ", c->base);
  for (uint32_t i = 0; i < type->rank; i++)
    strbuf_printf(out, "%s%%%slimit%u", i ? ", " : "", c->base, i);
  strbuf_puts(out, ", dim = 0 : (");
  for (uint32_t i = 0; i < type->rank; i++)
    strbuf_printf(out, "%stensor<1x%s>", i ? ", " : "", index);
  strbuf_printf(out, ") -> tensor<%ux%s>", type->rank, index);
  conversion_next_line(c);
}

bool rewrite_to_unbounded(refine_rewrite *r, op_id op) {
  shape_graph *g = r->graph;
  value_id operand = graph_operand(g, op, 0), size = graph_operand(g, op, 1);
  const graph_type *type = conversion_tensor(r, operand), *size_type = conversion_tensor(r, size);
  int64_t axis;
  if (!conversion_has_named_result(g, op) || !type || !size_type || size_type->rank ||
      size_type->dtype != DTYPE_I32)
    return false;
  if (!graph_attr_int(g, graph_attr_named(g, op, "dimension"), &axis) || axis < 0 ||
      axis >= type->rank)
    return false;
  if (!dim_is_static(type->dims[axis])) return false;
  shape_strbuf text;
  conversion c = conversion_begin(r, op, &text);
  uint32_t rank = type->rank;
  const char *index = index_of(type);
  write_limit(&c, operand, size, axis, index);
  strbuf_printf(&text, "%%%sstart = stablehlo.constant dense<0> : tensor<%ux%s>", c.base, rank,
                index);
  conversion_next_line(&c);
  strbuf_printf(&text, "%%%sstrides = stablehlo.constant dense<1> : tensor<%ux%s>", c.base, rank,
                index);
  conversion_next_line(&c);
  conversion_put_result(&c);
  strbuf_puts(&text, " = stablehlo.real_dynamic_slice ");
  mlir_write_value(&c.w, operand);
  strbuf_printf(&text, ", %%%sstart, %%%slimit, %%%sstrides : (", c.base, c.base, c.base);
  mlir_write_value_type(&c.w, operand);
  for (int i = 0; i < 3; i++) strbuf_printf(&text, ", tensor<%ux%s>", rank, index);
  strbuf_puts(&text, ") -> ");
  mlir_write_value_type(&c.w, g->ops[op].results);
  conversion_end(&c);
  return true;
}
