// SPDX-License-Identifier: Apache-2.0
#include "clients/c/writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *room(params_writer *w, size_t more) {
  if (w->status != SHAPE_CLIENT_OK) return NULL;
  if (w->size - w->length < more) {
    size_t size = 2 * (w->length + more) + 64;
    char *data = realloc(w->data, size);
    if (!data) {
      w->status = SHAPE_CLIENT_MEMORY;
      return NULL;
    }
    w->data = data;
    w->size = size;
  }
  return w->data + w->length;
}

static void put(params_writer *w, const char *text, size_t length) {
  char *to = room(w, length);
  if (!to) return;
  memcpy(to, text, length);
  w->length += length;
}

// An item: after a comma unless it is the first one, or the value of a key.
static void item(params_writer *w, const char *text, size_t length) {
  if (w->comma) put(w, ", ", 2);
  put(w, text, length);
  w->comma = true;
}

void params_begin(params_writer *w, char bracket) {
  assert(bracket == '{' || bracket == '[');
  item(w, &bracket, 1);
  w->comma = false;
}

void params_end(params_writer *w, char bracket) {
  assert(bracket == '}' || bracket == ']');
  put(w, &bracket, 1);
  w->comma = true;
}

void params_string(params_writer *w, const char *text, size_t length) {
  size_t quoted = shape_json_quote(text, length, NULL, 0) + 1;
  item(w, "", 0);
  char *to = room(w, quoted);
  if (to) w->length += shape_json_quote(text, length, to, quoted);
}

void params_text(params_writer *w, const char *text) {
  if (text) {
    params_string(w, text, strlen(text));
  } else {
    params_null(w);
  }
}

void params_key(params_writer *w, const char *key) {
  params_text(w, key);
  put(w, ": ", 2);
  w->comma = false;
}

void params_int(params_writer *w, int64_t n) {
  char digits[24];
  item(w, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, n));
}

// JSON has no spelling of what is not a number: the protocol takes words for them.
void params_double(params_writer *w, double x) {
  char digits[40];
  if (!isfinite(x)) {
    params_text(w, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    return;
  }
  snprintf(digits, sizeof digits, "%.17g", x);
  for (char *c = digits; *c; c++) {
    if (*c == ',') *c = '.';  // of the program's locale
  }
  item(w, digits, strlen(digits));
}

void params_bool(params_writer *w, bool b) { item(w, b ? "true" : "false", b ? 4 : 5); }

void params_null(params_writer *w) { item(w, "null", 4); }

void params_items(params_writer *w, const char *text, size_t length) {
  if (length) item(w, text, length);
}

void params_free(params_writer *w) { free(w->data); }

shape_json params_of(const params_writer *w) { return (shape_json){w->data, w->length}; }
