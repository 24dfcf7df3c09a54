// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/sink.h"

static void append(void *data) {
  const text_sink *sink = data;
  strbuf_add(sink->out, sink->data, sink->length);
}

void sink_add(text_sink *sink, void (*body)(void *data), void *data) {
  if (sink->status == SHAPE_OK) sink->status = arena_protect(sink->out->arena, body, data);
}

void sink_write(void *to, const char *data, size_t length) {
  text_sink *sink = to;
  sink->data = data;
  sink->length = length;
  sink_add(sink, append, sink);
}

void sink_end(const text_sink *sink) {
  if (sink->status != SHAPE_OK) arena_fail(sink->out->arena, sink->status);
}
