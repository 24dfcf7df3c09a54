// SPDX-License-Identifier: Apache-2.0
// The layout of a text: each operation on one line, indented by the regions around it, one space or none between tokens.
//
// Only white space changes. What is written depends on the tokens alone, but for what white space says to people: blank
// lines between operations stay, a comment stays on its line or on that of the operation before, and line ends stay what
// they are (\n or \r\n). Formatting twice is formatting once. Tokens stay the same whatever the text is.
#ifndef SHAPE_CLIENTS_LSP_FORMAT_H
#define SHAPE_CLIENTS_LSP_FORMAT_H

#include "clients/lsp/syntax/syntax.h"

typedef struct syn_edit {
  uint32_t begin, end;
  const char *text;  // in the index's arena or static
  uint32_t length;
} syn_edit;

typedef struct syn_layout {
  uint32_t indent;  // spaces for each region
  bool tabs;        // or one tab
} syn_layout;

// Edits in the order of the text, which do not touch each other and lie on as few lines as can be. O(tokens).
uint32_t syn_format(const syn_index *index, shape_arena *arena, syn_layout layout,
                    syn_edit **edits);

#endif
