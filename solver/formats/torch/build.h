// SPDX-License-Identifier: Apache-2.0
// What readers of PyTorch's programs put into a graph: operations of torch.def in one block, constants and lists as
// operations of their own, and what a program says of the dims of its values (torch.export.bind).
#ifndef SHAPE_FORMATS_TORCH_BUILD_H
#define SHAPE_FORMATS_TORCH_BUILD_H

#include "solver/base/budget.h"
#include "solver/graph/graph.h"

typedef struct torch_builder {
  shape_graph *g;
  block_id block;    // that operations are added to
  source_span span;  // of the statement that they come from; SPAN_NONE in archives
} torch_builder;

// One operation; the first of its results, VALUE_NONE where there are none. attr: one, or NULL. Takes steps. O(operands).
value_id build_op(torch_builder *b, const char *op, const value_id *operands, uint32_t count,
                  const attr_entry *attr, uint32_t results);
// How many of the operands of torch.higher_order.scan, the last ones, are taken apart.
attr_entry build_scanned(shape_graph *g, uint32_t count);
value_id build_int(torch_builder *b, int64_t value);
value_id build_bool(torch_builder *b, bool value);
value_id build_real(torch_builder *b, double value);  // not finite: a number that is not known
value_id build_text(torch_builder *b, const char *text, size_t length);
value_id build_none(torch_builder *b);
value_id build_other(torch_builder *b);  // what says nothing of dims: a device, a layout
value_id build_list(torch_builder *b, const value_id *values, uint32_t count);
// Says that the dims of a value (or an integer, where count is 1) are these expressions; an empty text says nothing.
void build_bind(torch_builder *b, value_id value, const char *const *texts, uint32_t count);
// Whether every name of an expression is that of a symbol; `declare` makes those that are not.
bool build_knows(shape_graph *g, const char *text, bool declare);

// --- sympy.c: an expression as `str` or `srepr` writes it, in the grammar of term/parse.h. False where it has what that
// grammar has not; *too_deep where it is nested too deep.
struct shape_strbuf;
bool sympy_text(const char *text, size_t length, struct shape_strbuf *out, bool *too_deep);

#endif
