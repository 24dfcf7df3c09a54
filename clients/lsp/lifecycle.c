// SPDX-License-Identifier: Apache-2.0
// initialize, shutdown, and the settings.
#include <stdio.h>
#include <string.h>

#include "clients/lsp/call.h"
#include "solver/shape.h"

// --- what the client can do

static bool flag(const cJSON *capabilities, const char *path) {
  return cJSON_IsTrue(lsp_member_at(capabilities, path));
}

static bool lists(const cJSON *list, const char *text) {
  for (const cJSON *item = cJSON_IsArray(list) ? list->child : NULL; item; item = item->next) {
    if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0) return true;
  }
  return false;
}

static void copy_name(char to[64], const cJSON *commands, const char *key) {
  const char *name = lsp_text_member(commands, key);
  if (name && strlen(name) < 64) snprintf(to, 64, "%s", name);
}

static void read_client(lsp_client *to, const cJSON *params) {
  const cJSON *c = lsp_member(params, "capabilities");
  const cJSON *hint = lsp_member_at(c, "textDocument.inlayHint.resolveSupport.properties");
  const cJSON *action = lsp_member_at(c, "textDocument.codeAction.resolveSupport.properties");
  const cJSON *commands = lsp_member_at(params, "initializationOptions.commands");
  to->configuration = flag(c, "workspace.configuration");
  to->progress = flag(c, "window.workDoneProgress");
  to->apply_edit = flag(c, "workspace.applyEdit");
  to->versioned_edits = flag(c, "workspace.workspaceEdit.documentChanges");
  to->refresh_hints = flag(c, "workspace.inlayHint.refreshSupport");
  to->refresh_lenses = flag(c, "workspace.codeLens.refreshSupport");
  to->refresh_tokens = flag(c, "workspace.semanticTokens.refreshSupport");
  to->related = flag(c, "textDocument.publishDiagnostics.relatedInformation");
  to->versions = flag(c, "textDocument.publishDiagnostics.versionSupport");
  to->markdown = lists(lsp_member_at(c, "textDocument.hover.contentFormat"), "markdown");
  to->nested_symbols = flag(c, "textDocument.documentSymbol.hierarchicalDocumentSymbolSupport");
  to->lazy_hint_location = lists(hint, "label.location");
  to->lazy_action_edit = lists(action, "edit");
  to->action_literals =
      cJSON_IsObject(lsp_member_at(c, "textDocument.codeAction.codeActionLiteralSupport"));
  to->snippets = flag(c, "textDocument.completion.completionItem.snippetSupport");
  to->label_offsets = flag(
      c, "textDocument.signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport");
  to->pulls = cJSON_IsObject(lsp_member_at(c, "textDocument.diagnostic"));
  to->refresh_diagnostics = flag(c, "workspace.diagnostics.refreshSupport");
  copy_name(to->show_symbols, commands, "showSymbols");
  copy_name(to->specialise, commands, "specialise");
  copy_name(to->name_symbol, commands, "nameSymbol");
}

// UTF-8 is what texts are; UTF-16 is what every client must know (LSP 3.17, PositionEncodingKind).
static lsp_encoding choose_encoding(const cJSON *params) {
  const cJSON *list = lsp_member_at(params, "capabilities.general.positionEncodings");
  if (lists(list, "utf-8")) return LSP_UTF8;
  if (lists(list, "utf-16")) return LSP_UTF16;
  return lists(list, "utf-32") ? LSP_UTF32 : LSP_UTF16;
}

bool lsp_initialize(lsp_call *call) {
  static const char *const ENCODINGS[] = {
      [LSP_UTF8] = "utf-8", [LSP_UTF16] = "utf-16", [LSP_UTF32] = "utf-32"};
  static const char *const CAPABILITIES[] = {
#define X(method, function, kind, needs, capability) capability,
#include "clients/lsp/methods.def"
#undef X
  };
  lsp_server *s = call->server;
  json_writer *w = call->w;
  char problem[256];
  read_client(&s->client, call->params);
  lsp_read_folders(s, call->params);
  s->encoding = choose_encoding(call->params);
  const cJSON *options = lsp_member(call->params, "initializationOptions");
  const cJSON *section = lsp_member(options, "shaped");
  settings_take(&s->settings, section ? section : options, problem, sizeof problem);
  s->state = LSP_RUNNING;
  json_begin_object(w);
  json_key_object(w, "capabilities");
  lsp_put_pair(w, "positionEncoding", ENCODINGS[s->encoding]);
  for (size_t i = 0; i < sizeof CAPABILITIES / sizeof *CAPABILITIES; i++) {
    if (!*CAPABILITIES[i]) continue;
    strbuf_puts(w->out, ", ");
    strbuf_puts(w->out, CAPABILITIES[i]);
  }
  json_end_object(w);
  json_key_object(w, "serverInfo");
  lsp_put_pair(w, "name", "shape-lsp");
  lsp_put_pair(w, "version", SHAPE_VERSION);
  json_end_object(w);
  json_end_object(w);
  return true;
}

// --- settings

static void write_items(json_writer *w, void *data) {
  (void)data;
  json_begin_object(w);
  json_key_array(w, "items");
  json_begin_object(w);
  lsp_put_pair(w, "section", "shaped");
  json_end_object(w);
  json_end_array(w);
  json_end_object(w);
}

static void ask_for_settings(lsp_server *s) {
  if (s->client.configuration) {
    s->configuration = lsp_ask(s, "workspace/configuration", write_items, NULL);
  }
}

bool lsp_initialized(lsp_call *call) {
  ask_for_settings(call->server);
  return true;
}

void lsp_settings_changed(lsp_server *s) {
  for (uint32_t i = 0; i < s->document_count; i++) lsp_forget_model(s->documents[i]);
  if (s->client.refresh_hints) lsp_ask(s, "workspace/inlayHint/refresh", NULL, NULL);
  if (s->client.refresh_lenses) lsp_ask(s, "workspace/codeLens/refresh", NULL, NULL);
  if (s->client.refresh_tokens) lsp_ask(s, "workspace/semanticTokens/refresh", NULL, NULL);
  if (s->client.refresh_diagnostics) lsp_ask(s, "workspace/diagnostic/refresh", NULL, NULL);
}

bool lsp_did_change_configuration(lsp_call *call) {
  lsp_server *s = call->server;
  const cJSON *settings = lsp_member(call->params, "settings");
  const cJSON *section = lsp_member(settings, "shaped");
  char problem[256];
  if (s->client.configuration) {
    ask_for_settings(s);
    return true;
  }
  bool changed = settings_take(&s->settings, section ? section : settings, problem, sizeof problem);
  if (*problem) lsp_notify_text(s, "window/logMessage", LSP_WARNING, problem);
  if (changed) lsp_settings_changed(s);
  return true;
}

bool lsp_shutdown(lsp_call *call) {
  call->server->state = LSP_SHUT_DOWN;
  json_null(call->w);
  return true;
}
