// SPDX-License-Identifier: Apache-2.0
// A text that is open in the editor. It outlives requests, so it is malloc'ed. A text has at most LSP_TEXT_MAX bytes.
#ifndef SHAPE_CLIENTS_LSP_DOCUMENT_H
#define SHAPE_CLIENTS_LSP_DOCUMENT_H

#include "clients/lsp/position.h"

#define LSP_TEXT_MAX ((uint32_t)1 << 30)

typedef struct lsp_text {
  char *data;
  uint32_t length, capacity;
  lsp_lines lines;
} lsp_text;

// False when there is no memory, or the text would be too long; it is then as before.
bool lsp_text_set(lsp_text *text, const char *data, size_t length);
// Bytes [begin, end), begin <= end <= length, become `data`.
bool lsp_text_replace(lsp_text *text, uint32_t begin, uint32_t end, const char *data,
                      size_t length);
void lsp_text_free(lsp_text *text);

#endif
