// SPDX-License-Identifier: Apache-2.0
// Operations that read dims, paddings or limits from operands and have a static form: the seven dynamic operations of
// StableHLO and MHLO, and custom calls of others that have no dynamic form of their own.
#ifndef SHAPE_OPS_DYNAMIC_H
#define SHAPE_OPS_DYNAMIC_H

#include "solver/graph/graph.h"

// What the name of an operation says: none of that name is dynamic; its attributes say; or all are, and what they read
// begins with operand number kind - DYNAMIC_FROM.
enum { DYNAMIC_NEVER, DYNAMIC_BY_CALL, DYNAMIC_FROM };
uint32_t op_dynamic_kind(const shape_graph *g, op_id op);

// *first: the first operand that says such numbers; those after it do, too. O(1).
bool op_is_dynamic(const shape_graph *g, op_id op, uint32_t *first);
bool op_is_dynamic_call(const shape_graph *g, op_id op, uint32_t *first);

#endif
