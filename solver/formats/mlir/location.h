// SPDX-License-Identifier: Apache-2.0
// Where an operation of MLIR text came from: what its loc(...) says, read from the text on demand.
#ifndef SHAPE_FORMATS_MLIR_LOCATION_H
#define SHAPE_FORMATS_MLIR_LOCATION_H

#include "solver/report/report.h"

// The locations in the loc(...) at the end of a span, inner ones of call sites and fused ones each, aliases resolved: at
// most `room`. Returns how many; texts live in the source. O(length of the span), and of the source for an alias.
uint32_t mlir_source_locations(const shape_graph *graph, source_span span, report_location *out,
                               uint32_t room);

// The loc(...) itself, without what is around it; SPAN_NONE where the span does not end in one.
source_span mlir_location_span(const shape_graph *graph, source_span span);

#endif
