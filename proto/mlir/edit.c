// SPDX-License-Identifier: Apache-2.0
#include "proto/mlir/edit.h"

#include <stdlib.h>
#include <string.h>

void edits_add(text_edits *edits, const source_text *source, source_span span, const char *text,
               uint32_t length) {
  if (span.end - span.begin == length && memcmp(source->text + span.begin, text, length) == 0) {
    return;
  }
  edits->items = arena_grow(edits->arena, edits->items, edits->count, (size_t)edits->count + 1,
                            &edits->capacity, sizeof *edits->items);
  edits->items[edits->count++] = (text_edit){span, text, length};
}

static int by_place(const void *a, const void *b) {
  source_span x = ((const text_edit *)a)->span, y = ((const text_edit *)b)->span;
  if (x.begin != y.begin) return x.begin < y.begin ? -1 : 1;
  return x.end > y.end ? -1 : x.end < y.end;
}

void edits_apply(text_edits *edits, const source_text *source, shape_strbuf *out) {
  if (edits->count) qsort(edits->items, edits->count, sizeof *edits->items, by_place);
  uint32_t at = 0;
  for (uint32_t i = 0; i < edits->count; i++) {
    const text_edit *edit = &edits->items[i];
    if (edit->span.begin < at) continue;
    strbuf_add(out, source->text + at, edit->span.begin - at);
    strbuf_add(out, edit->text, edit->length);
    at = edit->span.end;
  }
  strbuf_add(out, source->text + at, source->length - at);
}
