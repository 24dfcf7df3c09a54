// SPDX-License-Identifier: Apache-2.0
// Changes to a text as spans with their replacement; everything else keeps its bytes.
#ifndef SHAPE_FORMATS_MLIR_EDIT_H
#define SHAPE_FORMATS_MLIR_EDIT_H

#include <stdbool.h>

#include "solver/graph/graph.h"
#include "solver/base/strbuf.h"

typedef struct text_edit {
  source_span span;
  const char *text;  // in the arena
  uint32_t length;
  uint32_t order;  // among the edits made
} text_edit;

typedef struct text_edits {
  shape_arena *arena;
  text_edit *items;
  uint32_t count, capacity;
} text_edits;

// How the lines of a text end: as its first one does, "\n" or "\r\n".
const char *edit_line_end(const source_text *source);
// A replacement by the same text is no edit. Its lines end as those of the source do, however the replacement has them.
void edits_add(text_edits *edits, const source_text *source, source_span span, const char *text,
               uint32_t length);
// The whole text with all edits made, in one pass. Of two that overlap the first one in the text wins.
void edits_apply(text_edits *edits, const source_text *source, shape_strbuf *out);
// Where a byte of the text with all edits comes from: in what an edit wrote, where that edit begins. After edits_apply.
uint32_t edits_source(const text_edits *edits, uint32_t at);
// The name of a symbol as it follows its @: quoted where it is no plain word.
void mlir_put_symbol(shape_strbuf *out, const char *name);
// A type with its symbols as an encoding, as programs with symbols spell it; a symbol without a name is an empty one.
void mlir_put_type(shape_strbuf *out, const shape_graph *g, type_id type);

// The same for a part of the text alone, with edits that lie inside of it.
void edits_apply_part(text_edits *edits, const source_text *source, source_span part,
                      shape_strbuf *out);
// %name or %name#1, at its %.
source_span edit_value_span(const source_text *source, uint32_t at);
// @name or @"name", at its @.
source_span edit_symbol_span(const source_text *source, uint32_t at);

#endif
