// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/document.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(lsp_text *text, size_t need) {
  if (need > LSP_TEXT_MAX) return false;
  if (text->data && need <= text->capacity) return true;
  size_t capacity = need + need / 8 + 64;
  char *data = realloc(text->data, capacity);
  if (!data) return false;
  text->data = data;
  text->capacity = (uint32_t)capacity;
  return true;
}

bool lsp_text_set(lsp_text *text, const char *data, size_t length) {
  lsp_text made = {0};
  if (!reserve(&made, length)) return false;
  if (length) memcpy(made.data, data, length);
  made.length = (uint32_t)length;
  if (!lsp_lines_make(&made.lines, made.data, made.length)) {
    free(made.data);
    return false;
  }
  lsp_text_free(text);
  *text = made;
  return true;
}

bool lsp_text_replace(lsp_text *text, uint32_t begin, uint32_t end, const char *data,
                      size_t length) {
  if (length > LSP_TEXT_MAX || !reserve(text, (size_t)text->length - (end - begin) + length)) {
    return false;
  }
  uint32_t inserted = (uint32_t)length;
  memmove(text->data + begin + inserted, text->data + end, text->length - end);
  if (inserted) memcpy(text->data + begin, data, inserted);
  text->length += inserted - (end - begin);
  if (lsp_lines_edit(&text->lines, text->data, text->length, begin, end, inserted)) return true;
  // No room for the lines: an empty text is one that is consistent.
  text->length = 0;
  text->lines.count = 1;
  return false;
}

void lsp_text_free(lsp_text *text) {
  free(text->data);
  lsp_lines_free(&text->lines);
  memset(text, 0, sizeof *text);
}
