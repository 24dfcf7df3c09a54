// SPDX-License-Identifier: Apache-2.0
// A graph, from whatever format, in the JSON form of PROTOCOL.md, "The graph": what graph_json_decode reads, in its
// short form (operations as arrays). Decoding it gives the same program again; locations of the source are not kept.
#ifndef SHAPE_FORMATS_JSON_ENCODE_H
#define SHAPE_FORMATS_JSON_ENCODE_H

#include "solver/graph/graph.h"

void graph_json_encode(const shape_graph *graph, shape_strbuf *out);

#endif
