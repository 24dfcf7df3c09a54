// SPDX-License-Identifier: Apache-2.0
// Which operations may have operands that are absent (VALUE_NONE): operators of ONNX and PyTorch, operations that nothing
// is known of, and all in their regions. Any other operation takes values, which rules, writers and the walk over the
// graph rely on.
#ifndef SHAPE_OPS_ABSENT_H
#define SHAPE_OPS_ABSENT_H

#include "solver/graph/graph.h"

// Of no table, or in a syntax that was not understood: no rule applies to it.
bool op_is_unknown(const shape_graph *g, op_id op);
// Whatever is around it.
bool op_takes_absent(const shape_graph *g, op_id op);
// The first operand that is absent, or the number of operands.
uint32_t op_first_absent(const shape_graph *g, op_id op);
// NULL when every operand that is absent may be, else what is wrong (in the graph's arena). O(operations + operands). For
// debug builds, where a graph leaves a reader without an error.
const char *absent_operands_check(const shape_graph *g);

#endif
