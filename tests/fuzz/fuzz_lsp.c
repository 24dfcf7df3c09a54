// SPDX-License-Identifier: Apache-2.0
// The language server: each line of the input is a message, or where it is no JSON, the text of a program that is opened.
// After the messages every feature is asked for at a position that the input decides.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/server.h"

static void send_nowhere(void *data, const char *text, size_t length) {
  cJSON *tree = cJSON_ParseWithLength(text, length);
  if (!tree) abort();
  (void)data;
  cJSON_Delete(tree);
}

static void handle(lsp_server *server, const char *text, size_t length) {
  cJSON *message = cJSON_ParseWithLength(text, length);
  if (message) lsp_server_handle(server, message);
  cJSON_Delete(message);
}

static void open_text(lsp_server *server, const char *text, size_t length) {
  cJSON *message = cJSON_CreateObject(), *params = cJSON_AddObjectToObject(message, "params");
  cJSON *document = cJSON_AddObjectToObject(params, "textDocument");
  char *copy = malloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  cJSON_AddStringToObject(message, "method", "textDocument/didOpen");
  cJSON_AddStringToObject(document, "uri", "a");
  cJSON_AddStringToObject(document, "text", copy);
  lsp_server_handle(server, message);
  cJSON_Delete(message);
  free(copy);
}

static void ask_all(lsp_server *server, unsigned line, unsigned character) {
  static const char *const METHODS[] = {
#define X(method, function, kind, needs, capability) method,
#include "clients/lsp/methods.def"
#undef X
  };
  char text[512];
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    if (strncmp(METHODS[i], "textDocument/", 13) != 0 && strncmp(METHODS[i], "shaped/", 7) != 0)
      continue;
    int n = snprintf(
        text, sizeof text,
        "{\"id\": %zu, \"method\": \"%s\", \"params\": {\"textDocument\": {\"uri\": \"a\"}, "
        "\"position\": {\"line\": %u, \"character\": %u}, \"context\": {}, \"range\": "
        "{\"start\": {\"line\": %u, \"character\": 0}, \"end\": {\"line\": 99, "
        "\"character\": %u}}}}",
        i, METHODS[i], line, character, line, character);
    handle(server, text, (size_t)n);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char BEGIN[] =
      "{\"id\": 1, \"method\": \"initialize\", \"params\": {\"capabilities\": {\"workspace\": "
      "{\"applyEdit\": true}, \"textDocument\": {\"codeAction\": {\"codeActionLiteralSupport\": "
      "{}}}}}}";
  if (size < 2) return 0;
  lsp_host host = {.send = send_nowhere};
  lsp_server *server = lsp_server_new(&host);
  if (!server) return 0;
  const char *at = (const char *)data + 2, *end = (const char *)data + size;
  handle(server, BEGIN, sizeof BEGIN - 1);
  while (at < end && *at == '{') {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *next = newline ? newline : end;
    handle(server, at, (size_t)(next - at));
    at = newline ? newline + 1 : end;
  }
  if (at < end) open_text(server, at, (size_t)(end - at));
  ask_all(server, data[0] % 32, data[1] % 128);
  while (lsp_server_idle(server)) {}
  lsp_server_free(server);
  return 0;
}
