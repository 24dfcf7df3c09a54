// SPDX-License-Identifier: Apache-2.0
// A report as text for people, made to be read in 80 columns.
#ifndef SHAPE_REPORT_RENDER_H
#define SHAPE_REPORT_RENDER_H

#include "solver/report/report.h"

typedef struct render_options {
  const char *name;  // of the input
  bool colour;
} render_options;

void report_render(shape_report *report, shape_strbuf *out, const render_options *options);
// One diagnostic as a compiler prints it: location, message, source line with a caret, related locations.
void render_diag(const shape_report *report, shape_strbuf *out, const diag *d,
                 const render_options *options);
// The line of the source where the span begins, and carets under the span. Nothing for formats that are no text.
void render_source(const shape_report *report, shape_strbuf *out, source_span span,
                   const render_options *options);
// Text of the source or about it, without what a terminal would obey.
void render_safe(shape_strbuf *out, const char *text, size_t length);

#endif
