// SPDX-License-Identifier: Apache-2.0
// A language server (LSP 3.17) for the shapes in MLIR programs. No I/O: messages come as trees and leave as text.
//
// A text is analysed as a whole, and only when a request needs it or the server is idle: what is known of an
// earlier text is dropped with the first edit, so an answer is always about the text that the client has now. Of the last
// text without errors the operations are kept, and only what an edit changes is read again (formats/mlir/uses.h). Texts
// with syntax errors are analysed as far as recover.h says.
// Not thread-safe: one thread calls the functions, the host's stop flag may be set by another one.
#ifndef SHAPE_CLIENTS_LSP_SERVER_H
#define SHAPE_CLIENTS_LSP_SERVER_H

#include <cjson/cJSON.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape_arena;

// A file of a folder: its path and text, which are the caller's.
typedef void lsp_take_file(void *to, const char *path, const char *text, size_t length);

typedef struct lsp_host {
  void *data;
  // Takes one whole message to the client, without its frame.
  void (*send)(void *data, const char *text, size_t length);
  // A shape_status other than SHAPE_OK, stored there by another thread, ends the analysis that runs: SHAPE_CANCELLED when
  // the client cancelled the request, SHAPE_DEADLINE when the text is not what it was. The server sets it back to OK.
  atomic_int *stop;
  atomic_uint_least64_t *steps;  // of the analysis that runs; may be NULL
  // Called before and after an analysis, with the URI of the text.
  void (*busy)(void *data, const char *uri);  // NULL uri: it is over; may be NULL
  // The answer of a daemon's `analyze` to these parameters, in the arena; NULL: there is none, and *error (static or in
  // the arena) says why. The function is NULL where texts are analysed in this process.
  const char *(*ask)(void *data, struct shape_arena *arena, const char *params,
                     size_t params_length, size_t *length, const char **error);
  // Passes on each .mlir file below a folder. NULL: there are no files.
  void (*files)(void *data, const char *folder, lsp_take_file *take, void *to);
  // The bytes of a file, malloc'ed; NULL: it cannot be read. The function may be NULL.
  char *(*read)(void *data, const char *path, size_t *length);
} lsp_host;

typedef struct lsp_server lsp_server;

enum {
  LSP_PARSE_ERROR = -32700,
  LSP_INVALID_REQUEST = -32600,
  LSP_METHOD_NOT_FOUND = -32601,
  LSP_INVALID_PARAMS = -32602,
  LSP_INTERNAL_ERROR = -32603,
  LSP_NOT_INITIALIZED = -32002,
  LSP_REQUEST_FAILED = -32803,
  LSP_CONTENT_MODIFIED = -32801,
  LSP_CANCELLED = -32800
};

lsp_server *lsp_server_new(const lsp_host *host);  // NULL: no memory
void lsp_server_free(lsp_server *server);
// Handles one message: a request, a notification, or the answer to a request of the server's.
void lsp_server_handle(lsp_server *server, const cJSON *message);
// Answers a request, or nothing where it is a notification, without executing it.
void lsp_server_refuse(lsp_server *server, const cJSON *message, int code, const char *why);
// Publishes diagnostics of one text that changed since, or reads its names; false: there is none.
bool lsp_server_idle(lsp_server *server);
// After `exit`: the exit status of the process, 1 without a `shutdown` before. -1: go on.
int lsp_server_exit(const lsp_server *server);
// Whether the client shows progress that a server begins.
bool lsp_server_wants_progress(const lsp_server *server);

#endif
