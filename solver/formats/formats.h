// SPDX-License-Identifier: Apache-2.0
// The table of formats: the reader of each row of solver/graph/formats.def, and which row some bytes are of.
#ifndef SHAPE_FORMATS_FORMATS_H
#define SHAPE_FORMATS_FORMATS_H

#include "solver/graph/format.h"

extern const format_reader *const FORMAT_READERS[GRAPH_FORMATS_END];

// Reads with the reader of the graph's format. What leaves without an error has no operand that may not be absent (ops/absent.h).
void format_read(struct shape_graph *graph, const format_options *options);

// The format of some bytes, recognised by them alone. False: no format that is read, and *advice says what they are and
// what was expected. Cost: the first few kilobytes, of an archive its directory.
bool format_of(const char *text, size_t length, graph_format *out, const char **advice);

#endif
