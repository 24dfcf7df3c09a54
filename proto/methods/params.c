// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/params.h"

#include <stdio.h>
#include <string.h>

// The value of a path such as "params.options.bind"; 0 bytes: the request has none.
static json_slice value_of(const method_call *call, const char *path) {
  json_slice value = call->params, key;
  for (const char *at = strchr(path, '.'); at && value.length; at = strchr(at, '.')) {
    size_t length = strcspn(++at, ".");
    json_cursor c;
    cursor_init(&c, call->arena, value.text, value.length);
    value.length = 0;
    if (!cursor_enter(&c, '{')) break;
    for (bool first = true; cursor_next_key(&c, first, &key); first = false) {
      json_slice member = params_value(&c);
      if (key.length == length && memcmp(key.text, at, length) == 0) value = member;
    }
  }
  return value;
}

// Of an array an item may be meant: nothing is said of it.
static void put_found(const method_call *call, const char *path, char *out, size_t room) {
  enum { LONGEST = 40 };
  json_slice value = value_of(call, path);
  json_cursor c;
  cursor_init(&c, call->arena, value.text, value.length);
  char kind = value.length ? cursor_peek(&c) : 0;
  if (!kind) {
    snprintf(out, room, ", found nothing");
  } else if (kind == '{' || value.length > LONGEST) {
    snprintf(out, room, ", found %s", cursor_kind(&c));
  } else {
    snprintf(out, room, ", found %.*s", (int)value.length, value.text);
  }
  if (kind == '[') *out = 0;
}

bool params_refuse(method_call *call, const char *path, const char *why) {
  char found[64] = "";
  if (strncmp(why, "expected ", 9) == 0) put_found(call, path, found, sizeof found);
  rpc_fail(call->failure, RPC_INVALID, "%s: %s%s", path, why, found);
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
  cursor_peek(c);
  const char *from = c->at;
  size_t end = call->members ? json_member_end(call->members, (size_t)(from - call->text)) : 0;
  if (!end) return params_value(c);
  c->at = call->text + end;
  return (json_slice){from, (size_t)(c->at - from)};
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
