// SPDX-License-Identifier: Apache-2.0
// The constraint graph of an analysed program, in the form that a request asks for (ANALYZE_DRAW_*).
#ifndef SHAPE_PROTO_METHODS_DRAW_H
#define SHAPE_PROTO_METHODS_DRAW_H

#include "proto/methods/analyze.h"
#include "solver/base/strbuf.h"

// NULL, or why it could not be drawn; then nothing was written.
const char *draw_graph(struct shape_report *report, const analyze_request *request,
                       shape_strbuf *out);

#endif
