// SPDX-License-Identifier: Apache-2.0
// Destination-passing style of operations that no rule knows: the last operands are the destinations (`outs`), and the
// tensors among the results have their shapes. The attribute `shaped.destinations` says how many they are. Whether an
// operation implements the interface is in the compiler's tables: its own syntax, ins(...) outs(...), says so, and
// operandSegmentSizes alone does not.
#ifndef SHAPE_OPS_DESTINATIONS_H
#define SHAPE_OPS_DESTINATIONS_H

#include "solver/graph/graph.h"

#define DESTINATIONS_ATTR "shaped.destinations"

bool destination_is_tensor(const type_table *types, type_id type);
// Whether the first results have the types of the destinations that are tensors, one for one, and the others are no
// tensors, as DestinationStyleOpInterface requires; false where there is no such result. O(count + result_count).
bool destinations_fit(const type_table *types, const type_id *destinations, uint32_t count,
                      const type_id *results, uint32_t result_count);
// How many operands of an unknown operation are destinations; 0: nothing says so, or the results do not fit.
uint32_t op_destinations(const shape_graph *g, op_id op);

#endif
