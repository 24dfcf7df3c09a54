// SPDX-License-Identifier: Apache-2.0
// Long texts in lines of 80 columns; private to solver/emit/.
#ifndef SHAPE_EMIT_WRAPPED_H
#define SHAPE_EMIT_WRAPPED_H

#include "solver/base/strbuf.h"

// Breaks at spaces; the first line begins at a column, and so do all others, unless that leaves them no room. Safe for
// terminals (render_safe).
void emit_wrapped(shape_strbuf *out, const char *text, size_t length, uint32_t column);

#endif
