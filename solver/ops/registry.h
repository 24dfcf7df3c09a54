// SPDX-License-Identifier: Apache-2.0
// The tables of operations, looked up by name. Names of MHLO are StableHLO's; vhlo and versioned names are not here.
#ifndef SHAPE_OPS_REGISTRY_H
#define SHAPE_OPS_REGISTRY_H

#include "solver/ops/op.h"

// The row of an operation, or NULL when the registry does not know it. opset: that of ONNX which the program imports, or 0,
// the newest; it chooses among the versions of operations of ONNX's own domain.
const op_row *registry_find(const char *name, size_t length, uint32_t opset);
// Whether an operation's name is one of ONNX, whatever its domain; the registry need not know it.
bool registry_is_onnx(const char *name, size_t length);
bool registry_is_torch(const char *name, size_t length);
uint32_t registry_count(void);
const op_row *registry_row(uint32_t index);  // in order of the tables

#endif
