// SPDX-License-Identifier: Apache-2.0
#include "clients/web/language.h"

#include <stdlib.h>

#include "clients/lsp/server.h"

struct web_server {
  lsp_server *server;
  atomic_int stop;  // nothing sets it: a worker is ended as a whole
};

static void send_text(void *data, const char *text, size_t length) {
  (void)data;
  web_send(text, length);
}

web_server *web_server_new(void) {
  web_server *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  lsp_host host = {.data = s, .send = send_text, .stop = &s->stop};
  s->server = lsp_server_new(&host);
  if (s->server) return s;
  free(s);
  return NULL;
}

void web_server_free(web_server *s) {
  lsp_server_free(s->server);
  free(s);
}

void web_server_handle(web_server *s, const char *message) {
  cJSON *json = cJSON_Parse(message);
  if (json) {
    lsp_server_handle(s->server, json);
  } else {
    lsp_server_refuse(s->server, NULL, LSP_PARSE_ERROR, "the message is no JSON");
  }
  cJSON_Delete(json);
}

bool web_server_idle(web_server *s) { return lsp_server_idle(s->server); }
