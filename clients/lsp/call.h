// SPDX-License-Identifier: Apache-2.0
// What the parts of the language server share; private to clients/lsp.
//
// A method is a function from a call to a result: it writes the result of a request to call->w and returns true, or
// returns false with call->code and call->message. It runs under the protection of the arena, that of the model's program
// where it needs a model, so it holds nothing outside of it but what belongs to the server.
#ifndef SHAPE_CLIENTS_LSP_CALL_H
#define SHAPE_CLIENTS_LSP_CALL_H

#include "clients/lsp/document.h"
#include "clients/lsp/model.h"
#include "clients/lsp/server.h"
#include "clients/lsp/syntax/syntax.h"
#include "proto/json/write.h"

typedef struct lsp_document {
  char *uri;
  lsp_text text;
  bool python;  // an FX graph as Python text: its values have hints, hovers and diagnostics
  int64_t version;
  lsp_model *model;      // of the text as it is; NULL: not made yet
  lsp_earlier *earlier;  // NULL: none yet, or none that can be used
  bool
      is_read;  // `earlier` is of the text that the model was made of, or nothing can be read from that
  bool
      was_read;  // once: texts from which nothing can be read are read for it only when there is time
  syn_index *syntax;  // in its own arena; NULL: not made yet
  shape_arena syntax_arena;
  syn_damage damage;  // of the text since `syntax` was made
  shape_status
      failed;  // the text cannot be analysed within the budget; OK: it can, or it was not tried
  bool stale;  // its diagnostics are not those of the text
  uint32_t revision;  // how often that came about
} lsp_document;

// What the client can do.
typedef struct lsp_client {
  bool configuration;       // workspace/configuration
  bool progress;            // window.workDoneProgress
  bool apply_edit;          // workspace.applyEdit
  bool versioned_edits;     // workspace.workspaceEdit.documentChanges
  bool refresh_hints;       // workspace.inlayHint.refreshSupport
  bool refresh_lenses;      // workspace.codeLens.refreshSupport
  bool refresh_tokens;      // workspace.semanticTokens.refreshSupport
  bool related;             // textDocument.publishDiagnostics.relatedInformation
  bool versions;            // textDocument.publishDiagnostics.versionSupport
  bool markdown;            // hovers and tooltips
  bool nested_symbols;      // textDocument.documentSymbol.hierarchicalDocumentSymbolSupport
  bool lazy_hint_location;  // of inlayHint.resolveSupport
  bool lazy_action_edit;    // of codeAction.resolveSupport
  bool action_literals;     // textDocument.codeAction.codeActionLiteralSupport
  bool snippets;            // textDocument.completion.completionItem.snippetSupport
  bool
      label_offsets;  // textDocument.signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport
  bool pulls;                // textDocument.diagnostic
  bool refresh_diagnostics;  // workspace.diagnostics.refreshSupport
  char show_symbols
      [64];  // initializationOptions.commands.showSymbols: what a lens runs; empty: nothing
  char specialise[64];   // initializationOptions.commands.specialise: asks for dims; empty: none
  char name_symbol[64];  // initializationOptions.commands.nameSymbol: asks for a name; empty: none
} lsp_client;

// Folders of the workspace.
enum { LSP_FOLDERS_MAX = 64 };
typedef struct lsp_folders {
  char *paths[LSP_FOLDERS_MAX];  // malloc'ed
  uint32_t count;
} lsp_folders;

typedef enum lsp_state { LSP_NEW, LSP_RUNNING, LSP_SHUT_DOWN, LSP_EXITED } lsp_state;

struct lsp_server {
  lsp_host host;
  lsp_state state;
  bool clean_exit;
  lsp_encoding encoding;
  lsp_client client;
  lsp_settings settings;
  lsp_folders folders;
  lsp_document **documents;  // malloc'ed
  uint32_t document_count, document_capacity;
  shape_arena arena;      // of requests without a model
  int64_t last_request;   // ids of the server's own requests
  int64_t configuration;  // the one that waits for settings; 0: none
};

typedef struct lsp_call {
  lsp_server *server;
  const cJSON *params;     // may be NULL
  lsp_document *document;  // where it is needed
  lsp_model *model;
  const syn_index *syntax;
  shape_arena *arena;  // forgotten after the call
  json_writer *w;
  int code;
  const char *message;
} lsp_call;

typedef bool lsp_function(lsp_call *call);

#define X(method, function, kind, needs, capability) lsp_function lsp_##function;
#include "clients/lsp/methods.def"
#undef X

bool lsp_fail(lsp_call *call, int code, const char *message);  // always false

// --- dispatch.c
lsp_document *lsp_find_document(lsp_server *server, const char *uri);
// The text that is open under the URI and its syntax, for a call that has none yet. False: it is not open, or there is no
// memory.
bool lsp_need_syntax(lsp_call *call, const char *uri);
// What is known of the text is not known of the text that it is now.
void lsp_forget_model(lsp_document *document);
void lsp_forget_syntax(lsp_document *document);
// Of an edit that is about to be made; `first`: of a message, and the syntax may follow those before it.
void lsp_edit_syntax(lsp_document *document, source_span span, uint32_t inserted, bool first);
// A whole message of the server's own: notification, or request with an id that is returned. `params` writes them.
typedef void lsp_params_writer(json_writer *w, void *data);
void lsp_notify(lsp_server *server, const char *method, lsp_params_writer *params, void *data);
// A message of MessageType `type` for the user.
typedef enum lsp_message_type { LSP_ERROR = 1, LSP_WARNING = 2 } lsp_message_type;
void lsp_notify_text(lsp_server *server, const char *method, lsp_message_type type,
                     const char *text);
int64_t lsp_ask(lsp_server *server, const char *method, lsp_params_writer *params, void *data);
void lsp_settings_changed(lsp_server *server);

// --- diagnostics.c
void lsp_write_diagnostics(lsp_server *server, lsp_document *document, json_writer *w);  // params

// --- workspace.c
// The path of a URI, after its scheme, malloc'ed. NULL: it has none.
char *lsp_path_of(const char *rest);
void lsp_read_folders(lsp_server *server, const cJSON *params);  // of initialize
void lsp_free_folders(lsp_folders *folders);

// --- names.c
// The name at params.position, where the text defines it, or SYN_NONE; false after failing the call.
bool lsp_read_name(lsp_call *call, uint32_t *name);
source_span lsp_definition_span(const syn_index *syntax, uint32_t name);
void lsp_highlight_name(lsp_call *call, uint32_t name);  // items of an array

// --- completion.c
// The function that an operation calls: the occurrence that defines it, or SYN_NONE.
uint32_t lsp_called(const syn_index *syntax, uint32_t op);
// The occurrence that defines argument `index` of a function; SYN_NONE: it has none.
uint32_t lsp_argument(const syn_index *syntax, uint32_t op, uint32_t index);

// --- completion_types.c
// The types that the operation should have, as its text writes them, in the span of those that it has. False: they are not
// known, or the text would have errors with them.
bool lsp_right_types(lsp_call *call, uint32_t op, text_edits *edits);

// --- json.c: reading
const cJSON *lsp_member(const cJSON *object, const char *key);
const cJSON *lsp_member_at(const cJSON *object, const char *path);  // "a.b.c"
const char *lsp_text_member(const cJSON *object, const char *key);  // NULL: no text
bool lsp_range_read(const lsp_call *call, const cJSON *node, source_span *out);
bool lsp_offset_read(const lsp_call *call, uint32_t *out);  // params.position
bool lsp_offset_of_node(const lsp_call *call, const cJSON *position, uint32_t *out);

// --- json.c: writing
void lsp_put_position(lsp_server *server, lsp_document *document, json_writer *w, uint32_t offset);
void lsp_put_range(lsp_server *server, lsp_document *document, json_writer *w, source_span span);
// The URI of a file. A path that is not absolute is one beside the document.
void lsp_put_uri(shape_strbuf *out, const lsp_document *document, report_text path);
// A location in a file of the model: its line and column there.
void lsp_put_source(lsp_document *document, json_writer *w, const report_location *at);
void lsp_put_location(lsp_server *server, lsp_document *document, json_writer *w, source_span span);
void lsp_put_pair(json_writer *w, const char *key, const char *text);
void lsp_put_text(json_writer *w, const char *key, report_text text);
void lsp_put_markup(const lsp_server *server, json_writer *w, shape_strbuf *text);
// Edits of a document as a WorkspaceEdit.
void lsp_put_workspace_edit(lsp_call *call, json_writer *w, const text_edits *edits);
void lsp_put_edits(lsp_call *call, json_writer *w, const text_edits *edits);
// The members of an object of the client's, all but one. False after failing the call.
bool lsp_put_members(lsp_call *call, const cJSON *object, const char *without);

// --- informs.c
// Whether dims of the values, which have one name, are news to who reads the text.
bool lsp_hint_informs(lsp_call *call, value_id first, uint32_t count);

// --- explain.c: what is known, as Markdown
// A line for each size of a value: `S0` 0.., a multiple of 4 ...
void lsp_put_dims(const lsp_shape *shape, shape_strbuf *out);  // [S0, 4]; "?": no rank
void lsp_describe_value(lsp_call *call, value_id value, shape_strbuf *out);
void lsp_describe_symbol(lsp_call *call, const lsp_symbol *symbol, shape_strbuf *out);
// Text of the program inside of Markdown.
void lsp_put_code(shape_strbuf *out, const char *text, size_t length);

// [line 3](uri#L3,1), or line 3.
void lsp_put_link(lsp_call *call, source_span span, shape_strbuf *out);
bool lsp_mentions(report_text text, report_text name);  // as a word

// --- rewrite.c: what a new analysis writes
// A format of the library, see shape_analysis_emit_with.
typedef struct lsp_format {
  const char *name;
  const char *const *bindings;
  uint32_t binding_count;
  const char *const *symbols;
  uint32_t symbol_count;
  bool suggested;         // under what the answer suggests to assume
  uint32_t line, column;  // see shape_emit_options
} lsp_format;
// The text that is open, analysed again under the settings and the bindings. False after failing the call.
bool lsp_written(lsp_call *call, const lsp_format *format, shape_strbuf *out);

// --- rewrite.c: edits of the program
// False, and the call says why, where the text cannot be rewritten as it is. Edits do not overlap.
// Refined types of values, and of those that must have the same types; first VALUE_NONE: of all values.
bool lsp_edit_types(lsp_call *call, value_id first, uint32_t count, text_edits *edits);
// Assertions at the entry; with `suggested` those under what the answer suggests to assume, which is asserted as well.
bool lsp_edit_guards(lsp_call *call, bool suggested, text_edits *edits);
// Assertions of what the operation at the byte requires, in front of it.
bool lsp_edit_guard(lsp_call *call, uint32_t at, text_edits *edits);
// False after failing the call: the text has errors.
bool lsp_is_ready(lsp_call *call);
// --- name_dim.c
bool lsp_can_name(const lsp_model *model, const lsp_symbol *symbol);
bool lsp_name_is_taken(const lsp_model *model, const char *name);  // by a symbol or a function
// The name where the argument is declared whose dim the symbol is.
bool lsp_edit_name(lsp_call *call, const char *symbol, const char *name, text_edits *edits);
bool lsp_edit_specialise(lsp_call *call, const char *const *bindings, uint32_t count,
                         text_edits *edits);

#endif
