// SPDX-License-Identifier: Apache-2.0
#include "solver/emit/page.h"

#include <assert.h>
#include <string.h>

size_t page_put_until(shape_strbuf *out, page_text page, size_t at, const char *marker) {
  size_t length = strlen(marker), begin = at;
  assert(at <= page.length);
  while (at + length <= page.length && memcmp(page.text + at, marker, length) != 0) at++;
  assert(at + length <= page.length);
  strbuf_add(out, page.text + begin, at - begin);
  return at + length;
}

void page_put_rest(shape_strbuf *out, page_text page, size_t at) {
  assert(at <= page.length);
  strbuf_add(out, page.text + at, page.length - at);
}

void page_escape(void *to, const char *data, size_t length) {
  shape_strbuf *out = to;
  size_t from = 0;
  for (size_t i = 0; i < length; i++) {
    if (data[i] != '<') continue;
    strbuf_add(out, data + from, i - from);
    strbuf_puts(out, "\\u003c");
    from = i + 1;
  }
  strbuf_add(out, data + from, length - from);
}
