// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/wrapped.h"

#include <assert.h>

#include "solver/report/render.h"

enum { WIDTH = 79 };

void emit_wrapped(shape_strbuf *out, const char *text, size_t length, uint32_t column) {
  uint32_t at = column;
  assert(column < WIDTH);
  for (size_t i = 0; i < length;) {
    size_t end = i;
    while (end < length && text[end] != ' ') end++;
    if (at > column && at + (end - i) + 1 > WIDTH) {
      strbuf_putc(out, '\n');
      for (uint32_t k = 0; k < column; k++) strbuf_putc(out, ' ');
      at = column;
    } else if (at > column) {
      strbuf_putc(out, ' ');
      at++;
    }
    render_safe(out, text + i, end - i);
    at += (uint32_t)(end - i);
    i = end + (end < length);
  }
}
