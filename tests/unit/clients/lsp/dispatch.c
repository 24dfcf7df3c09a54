// SPDX-License-Identifier: Apache-2.0
// What the server keeps of a text for those after it.
#include <criterion/criterion.h>
#include <stdio.h>

#include "clients/lsp/call.h"

static const char PROGRAM[] = "func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\\n"
                              "  %0 = stablehlo.abs %x : tensor<?x4xf32>\\n"
                              "  %1 = stablehlo.abs %0 : tensor<?x4xf32>\\n"
                              "  %2 = stablehlo.abs %1 : tensor<?x4xf32>\\n"
                              "  %3 = stablehlo.abs %2 : tensor<?x4xf32>\\n"
                              "  return %3 : tensor<?x4xf32>\\n"
                              "}\\n";

static void send(void *data, const char *text, size_t length) {
  (void)data;
  (void)text;
  (void)length;
}

// Handles a message, and does what the server does when no other one comes.
static void say(lsp_server *s, const char *method, const char *params) {
  char text[4096];
  int id = strcmp(method, "initialize") == 0;
  snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",%s\"method\":\"%s\",\"params\":%s}",
           id ? "\"id\":1," : "", method, params);
  cJSON *message = cJSON_Parse(text);
  cr_assert(message, "%s", text);
  lsp_server_handle(s, message);
  cJSON_Delete(message);
  while (lsp_server_idle(s)) continue;
}

static void change(lsp_server *s, int version, const char *range, const char *text) {
  char params[4096];
  snprintf(params, sizeof params,
           "{\"textDocument\":{\"uri\":\"file:///a.mlir\",\"version\":%d},"
           "\"contentChanges\":[{%s\"text\":\"%s\"}]}",
           version, range, text);
  say(s, "textDocument/didChange", params);
}

// In front of the type of %3.
static void type_blank(lsp_server *s, int version) {
  change(s, version,
         "\"range\":{\"start\":{\"line\":4,\"character\":25},"
         "\"end\":{\"line\":4,\"character\":25}},",
         " ");
}

Test(lsp_dispatch, a_text_from_which_nothing_can_be_read_is_followed_by_others) {
  const lsp_host host = {.send = send};
  lsp_server *s = lsp_server_new(&host);
  cr_assert(s);
  say(s, "initialize", "{\"capabilities\":{}}");
  say(s, "initialized", "{}");
  say(s, "textDocument/didOpen",
      "{\"textDocument\":{\"uri\":\"file:///a.mlir\",\"languageId\":\"mlir\",\"version\":1,"
      "\"text\":\"\"}}");
  cr_assert_eq(s->document_count, 1u);
  const lsp_document *d = s->documents[0];
  cr_expect_null(d->earlier, "it has no statements");
  change(s, 2, "", PROGRAM);
  cr_expect(d->earlier);
  type_blank(s, 3);
  cr_assert(d->model);
  cr_expect_eq(d->model->earlier, d->earlier);
  change(s, 4, "", "");
  change(s, 5, "", PROGRAM);
  type_blank(s, 6);
  cr_assert(d->model);
  cr_expect(d->earlier && d->model->earlier == d->earlier);
  lsp_server_free(s);
}
