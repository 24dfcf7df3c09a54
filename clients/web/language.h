// SPDX-License-Identifier: Apache-2.0
// The language server for workers: messages come and leave as JSON texts, without frames.
#ifndef CLIENTS_WEB_LANGUAGE_H
#define CLIENTS_WEB_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct web_server web_server;

// Takes one message of the server; instance.mjs has it.
extern void web_send(const char *text, size_t length);

web_server *web_server_new(void);  // NULL: no memory
void web_server_free(web_server *s);
// Answers one message. What is no JSON is answered with an error.
void web_server_handle(web_server *s, const char *message);
// Publishes diagnostics of one text that changed since; false: there is none.
bool web_server_idle(web_server *s);

#endif
