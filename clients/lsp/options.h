// SPDX-License-Identifier: Apache-2.0
// The command line of shape-lsp, and the daemon that it may use.
#ifndef SHAPE_CLIENTS_LSP_OPTIONS_H
#define SHAPE_CLIENTS_LSP_OPTIONS_H

#include "clients/c/shape_client.h"
#include "proto/json/write.h"

typedef struct lsp_options {
  const char *connect;  // NULL: no daemon
  const char *log;      // NULL: no log
  long progress_after;  // milliseconds
} lsp_options;

// The exit status where the program is done, or -1.
int options_parse(int argc, char **argv, lsp_options *out);

// --- daemon.c
typedef struct daemon_link {
  const char *address;
  shape_client *client;  // NULL: not connected
} daemon_link;

// The result of `analyze` with these parameters, in the arena; NULL: *error says why there is none. A daemon that went
// away is looked for again the next time.
const char *daemon_analyze(daemon_link *link, shape_arena *arena, const char *params,
                           size_t params_length, size_t *length, const char **error);

#endif
