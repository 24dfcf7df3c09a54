// SPDX-License-Identifier: Apache-2.0
// Texts that are made of models: shaped:///models/a.onnx is what is known of that file, with its operations. Read-only: LSP
// 3.18, workspace/textDocumentContent.
#include <stdlib.h>
#include <string.h>

#include "clients/lsp/call.h"

typedef struct model_file {
  char *data;  // malloc'ed; NULL: it cannot be read
  size_t length;
} model_file;

// The path, or that below a folder of the workspace.
static model_file read_model(const lsp_server *s, const char *path, shape_arena *arena) {
  model_file file = {NULL, 0};
  if (!s->host.read) return file;
  file.data = s->host.read(s->host.data, path, &file.length);
  for (uint32_t i = 0; !file.data && i < s->folders.count; i++) {
    shape_strbuf below;
    strbuf_init(&below, arena);
    strbuf_printf(&below, "%s%s", s->folders.paths[i], path);
    file.data = s->host.read(s->host.data, strbuf_text(&below), &file.length);
  }
  return file;
}

bool lsp_text_document_content(lsp_call *call) {
  static const char SCHEME[] = "shaped:";
  const char *uri = lsp_text_member(call->params, "uri");
  bool ours = uri && strncmp(uri, SCHEME, sizeof SCHEME - 1) == 0;
  char *path = ours ? lsp_path_of(uri + sizeof SCHEME - 1) : NULL;
  if (!path) return lsp_fail(call, LSP_INVALID_PARAMS, "params.uri is not a shaped:///path");
  model_file file = read_model(call->server, path, call->arena);
  free(path);
  if (!file.data) return lsp_fail(call, LSP_REQUEST_FAILED, "the file cannot be read");
  lsp_document model = {.text = {.data = file.data, .length = (uint32_t)file.length}};
  shape_strbuf text;
  call->document = &model;
  bool written =
      file.length <= LSP_TEXT_MAX && lsp_written(call, &(lsp_format){.name = "details"}, &text);
  call->document = NULL;
  free(file.data);
  if (!written)
    return call->code != LSP_INTERNAL_ERROR
               ? false
               : lsp_fail(call, LSP_REQUEST_FAILED, "the file is too large");
  json_begin_object(call->w);
  lsp_put_text(call->w, "text", (report_text){text.data ? text.data : "", text.length});
  json_end_object(call->w);
  return true;
}
