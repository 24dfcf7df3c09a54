// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "clients/lsp/options.h"

static const char *reason_of(daemon_link *link, shape_arena *arena, const char *what) {
  const char *message = link->client ? shape_client_message(link->client) : "out of memory";
  size_t n = strlen(what), length = n + strlen(message);
  char *text = arena_alloc(arena, length + 1);
  memcpy(text, what, n);
  memcpy(text + n, message, length - n + 1);
  return text;
}

static bool connected(daemon_link *link, shape_arena *arena, const char **error) {
  if (link->client) return true;
  shape_client_options options = {.address = link->address};
  if (shape_client_open(&options, &link->client) == SHAPE_CLIENT_OK) return true;
  *error = reason_of(link, arena, "no daemon answers: ");
  shape_client_close(link->client);
  link->client = NULL;
  return false;
}

const char *daemon_analyze(daemon_link *link, shape_arena *arena, const char *params,
                           size_t params_length, size_t *length, const char **error) {
  shape_client_reply reply = {0};
  if (!connected(link, arena, error)) return NULL;
  shape_client_status status =
      shape_client_call(link->client, "analyze", (shape_json){params, params_length}, 0, &reply);
  if (status == SHAPE_CLIENT_OK) {
    *length = reply.result.length;
    return arena_strndup(arena, reply.result.text, reply.result.length);
  }
  if (status == SHAPE_CLIENT_REFUSED) {
    shape_client_error what;
    shape_client_read_error(reply.error, &what);
    *error = arena_strndup(arena, what.message, strlen(what.message));
    return NULL;
  }
  *error = reason_of(link, arena, "the connection to the daemon broke: ");
  shape_client_close(link->client);
  link->client = NULL;
  return NULL;
}
