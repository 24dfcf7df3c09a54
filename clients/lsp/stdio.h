// SPDX-License-Identifier: Apache-2.0
// Messages over standard input and output, framed by Content-Length headers (LSP 3.17, "Base Protocol").
#ifndef SHAPE_CLIENTS_LSP_STDIO_H
#define SHAPE_CLIENTS_LSP_STDIO_H

#include <stdio.h>

#include "clients/lsp/queue.h"

typedef struct stdio_channel {
  pthread_mutex_t lock;  // of the output
  FILE *log;             // NULL: none
  bool disconnected;     // the output has no reader any more
  message_queue *queue;
  // A server's progress: an analysis that takes long is shown. Only the reader uses these.
  atomic_bool wants_progress;
  int64_t show_after_ms;
  uint64_t asked,
      begun;     // the analyses for which a token was asked for, and whose progress has begun
  bool created;  // the client knows the token
} stdio_channel;

bool stdio_init(stdio_channel *channel, message_queue *queue);
// May be called by any thread.
void stdio_send(stdio_channel *channel, const char *text, size_t length);
// Reads until the end of the input and fills the queue.
void stdio_read(stdio_channel *channel);

#endif
