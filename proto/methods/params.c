// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/params.h"

#include <stdio.h>
#include <string.h>

bool params_refuse(method_call *call, const char *path, const char *why) {
  rpc_fail(call->failure, RPC_INVALID, "%s: %s", path, why);
  snprintf(call->failure->path, sizeof call->failure->path, "%s", path);
  return false;
}

json_slice params_value(json_cursor *c) {
  cursor_peek(c);
  const char *from = c->at;
  cursor_skip(c);
  return (json_slice){from, (size_t)(c->at - from)};
}

json_slice params_member(const method_call *call, json_cursor *c) {
  const json_members *m = &call->members;
  cursor_peek(c);
  const char *from = c->at;
  for (uint32_t i = 0; i < m->count; i++) {
    if (call->text + m->items[i].begin != from) continue;
    c->at = call->text + m->items[i].end;
    return (json_slice){from, m->items[i].end - m->items[i].begin};
  }
  return params_value(c);
}

bool params_open(method_call *call, json_cursor *c) {
  cursor_init(c, call->arena, call->params.text, call->params.length);
  return (call->params.length && cursor_enter(c, '{')) ||
         params_refuse(call, "params", "expected object");
}

bool params_progress(method_call *call, json_slice token) {
  if (!token.length || strchr("[{tfn", token.text[0]) || token.length > RPC_ID_MAX)
    return params_refuse(call, "params.progress_token",
                         "expected a string or a number of at most 256 bytes");
  method_wants_progress(call->control, token);
  return true;
}
