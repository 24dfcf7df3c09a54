// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "clients/mlir/analysis.h"

// Room for a text of that length and its end.
static bool reserve(shaped_text *t, size_t length) {
  if (length < t->capacity) return true;
  char *grown = realloc(t->data, 2 * length + 64);
  if (!grown) return false;
  t->data = grown;
  t->capacity = 2 * length + 64;
  return true;
}

void shaped_text_write(void *to, const char *data, size_t length) {
  shaped_text *t = to;
  t->failed = t->failed || !reserve(t, t->length + length);
  if (t->failed) return;
  if (length) memcpy(t->data + t->length, data, length);
  t->length += length;
  t->data[t->length] = 0;
}

void shaped_text_add(MlirStringRef piece, void *to) {
  shaped_text_write(to, piece.data, piece.length);
}

void shaped_text_free(shaped_text *t) {
  free(t->data);
  *t = (shaped_text){0};
}
