// SPDX-License-Identifier: Apache-2.0
// Pages that are embedded at build time, with markers where data goes.
#ifndef SHAPE_EMIT_PAGE_H
#define SHAPE_EMIT_PAGE_H

#include "solver/base/strbuf.h"

typedef struct page_text {
  const char *text;
  size_t length;
} page_text;

// Copies the page from `at` to a marker, which it has there; returns the offset after it.
size_t page_put_until(shape_strbuf *out, page_text page, size_t at, const char *marker);
// Copies the rest.
void page_put_rest(shape_strbuf *out, page_text page, size_t at);
// A sink for JSON inside of a script element, into the strbuf `to`: `<` must not begin a tag there, and in JSON it only
// occurs in texts, where it may be escaped.
void page_escape(void *to, const char *data, size_t length);

#endif
