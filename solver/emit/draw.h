// SPDX-License-Identifier: Apache-2.0
// The constraint graph of an analysed program, in the form that a request asks for (ANALYZE_DRAW_*).
#ifndef SHAPE_EMIT_DRAW_H
#define SHAPE_EMIT_DRAW_H

#include "solver/base/strbuf.h"
#include "solver/emit/analyze.h"

// NULL, or why it could not be drawn; then nothing was written.
const char *draw_graph(struct shape_report *report, const analyze_request *request,
                       shape_strbuf *out);

#endif
