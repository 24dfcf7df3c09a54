// SPDX-License-Identifier: Apache-2.0
// initialize: what a client has to know before it asks for anything. It is not a handshake; no method needs it first.
#include "proto/methods/method.h"

#include <string.h>

#include "solver/shape.h"

// The dialects of the registry: names up to the first dot, each once. Rows of a dialect are together.
static void write_dialects(method_call *call, json_writer *w) {
  const char **seen = NULL;
  uint32_t count = 0, capacity = 0;
  json_begin_array(w);
  shape_operation op;
  for (uint32_t i = 0; shape_operation_at(i, &op); i++) {
    const char *name = op.name;
    size_t length = strcspn(name, ".");
    bool known = false;
    for (uint32_t k = count; k > 0 && !known; k--) {
      known = strncmp(seen[k - 1], name, length) == 0 && strcspn(seen[k - 1], ".") == length;
    }
    if (known) continue;
    seen = arena_grow(call->arena, seen, count, (size_t)count + 1, &capacity, sizeof *seen);
    seen[count++] = name;
    json_text(w, name, length);
  }
  json_end_array(w);
}

bool method_initialize(method_call *call) {
  json_writer w;
  json_writer_init(&w, call->out);
  json_begin_object(&w);
  json_put_string(&w, "protocolVersion", METHOD_PROTOCOL_VERSION);
  json_key(&w, "server");
  json_begin_object(&w);
  json_put_string(&w, "name", "shaped");
  json_put_string(&w, "version", SHAPE_VERSION);
  json_end_object(&w);
  json_key(&w, "methods");
  json_begin_array(&w);
  for (uint32_t i = 0; i < METHOD_COUNT; i++) json_string(&w, method_at(i)->name);
  json_end_array(&w);
  json_key(&w, "formats");
  json_begin_array(&w);
  shape_input_format format;
  for (uint32_t i = 0; shape_input_at(i, &format); i++) json_string(&w, format.name);
  json_end_array(&w);
  json_key(&w, "dialects");
  write_dialects(call, &w);
  json_key(&w, "limits");
  json_begin_object(&w);
  if (call->host && call->host->write_limits) call->host->write_limits(call->host->data, &w);
  json_end_object(&w);
  json_end_object(&w);
  return true;
}
