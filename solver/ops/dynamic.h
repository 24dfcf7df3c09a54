// SPDX-License-Identifier: Apache-2.0
// Operations that read dims, paddings or limits from operands and have a static form: the seven dynamic operations of
// StableHLO and MHLO, and custom calls of others that have no dynamic form of their own.
#ifndef SHAPE_OPS_DYNAMIC_H
#define SHAPE_OPS_DYNAMIC_H

#include "solver/graph/graph.h"

// *first: the first operand that says such numbers; those after it do, too. O(1).
bool op_is_dynamic(const shape_graph *g, op_id op, uint32_t *first);
bool op_is_dynamic_call(const shape_graph *g, op_id op, uint32_t *first);

#endif
