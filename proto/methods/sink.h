// SPDX-License-Identifier: Apache-2.0
// Takes what the library writes. It owns memory while it calls this, so a full arena, or a request that is
// cancelled, is not left from here.
#ifndef SHAPE_PROTO_METHODS_SINK_H
#define SHAPE_PROTO_METHODS_SINK_H

#include "proto/json/write.h"

typedef struct text_sink {
  shape_strbuf *out;
  const char *data;
  size_t length;
  shape_status status;  // why something was not added, first of all: what is in `out` is not whole
} text_sink;

void sink_write(void *to, const char *data, size_t length);  // a shape_write; to: a text_sink
// For what is put together there: body(data) in the protection of the arena of `out`.
void sink_add(text_sink *sink, void (*body)(void *data), void *data);

// Ends the request, once nothing is held that its end would leave, as the arena would have where something was not added.
void sink_end(const text_sink *sink);

#endif
