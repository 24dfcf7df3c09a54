// SPDX-License-Identifier: Apache-2.0
// A report as text for people, made to be read in 80 columns: errors and warnings, the signature, what is suggested,
// symbols and their ranges, guards, what is unchecked. On request operations, constraints and other functions, too.
#ifndef SHAPE_REPORT_RENDER_H
#define SHAPE_REPORT_RENDER_H

#include "solver/report/report.h"

typedef struct render_options {
  const char *name;  // of the input
  bool colour, verbose;
} render_options;

void report_render(shape_report *report, shape_strbuf *out, const render_options *options);
// One diagnostic as a compiler prints it: location, message, source line with a caret, related locations.
void render_diag(const shape_report *report, shape_strbuf *out, const diag *d,
                 const render_options *options);
// All of them; those that say the same of several operations once, with where the others are.
void render_diags(const shape_report *report, shape_strbuf *out, const render_options *options);
// The line of the source where the span begins, and carets under the span. Nothing for formats that are no text.
void render_source(const shape_report *report, shape_strbuf *out, source_span span,
                   const render_options *options);
// report_message with dims by the names of arguments alone, also where the report knows that two of them are one.
void render_dims(const shape_report *report, shape_strbuf *out, const char *text);
// The argument whose dim or element a symbol is: its name in the source, else its number; of another function than the
// entry, whose names a reader does not see, with that function.
void render_argument(const shape_report *report, shape_strbuf *out, const report_symbol *symbol);
// "line 5: " or, of a model, "/layer.0/Add: "; nothing where the source says no location.
void render_where(const shape_report *report, shape_strbuf *out, const report_because *why);
// Text of the source or about it, without what a terminal would obey.
void render_safe(shape_strbuf *out, const char *text, size_t length);

#endif
