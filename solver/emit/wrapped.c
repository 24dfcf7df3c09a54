// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/wrapped.h"

#include "solver/report/render.h"

enum { WIDTH = 79, INDENT_MAX = WIDTH / 2 };

void emit_wrapped(shape_strbuf *out, const char *text, size_t length, uint32_t column) {
  uint32_t at = column, indent = column < INDENT_MAX ? column : INDENT_MAX;
  bool begins = true;  // nothing is in the line yet but what is in front of the text
  for (size_t i = 0; i < length;) {
    size_t end = i;
    while (end < length && text[end] != ' ') end++;
    if (!begins && at + (end - i) + 1 > WIDTH) {
      strbuf_putc(out, '\n');
      for (uint32_t k = 0; k < indent; k++) strbuf_putc(out, ' ');
      at = indent;
    } else if (!begins) {
      strbuf_putc(out, ' ');
      at++;
    }
    begins = begins && end == i;
    render_safe(out, text + i, end - i);
    at += (uint32_t)(end - i);
    i = end + (end < length);
  }
}
