// SPDX-License-Identifier: Apache-2.0
// shape-lsp: one thread reads, this one answers.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/lsp/files.h"
#include "clients/lsp/options.h"
#include "clients/lsp/server.h"
#include "clients/lsp/stdio.h"
#include "solver/shape.h"

typedef struct program {
  message_queue queue;
  stdio_channel channel;
  daemon_link link;
} program;

static void send_text(void *data, const char *text, size_t length) {
  stdio_send(&((program *)data)->channel, text, length);
}

static void busy(void *data, const char *uri) { queue_analysing(&((program *)data)->queue, uri); }

static const char *ask(void *data, struct shape_arena *arena, const char *params,
                       size_t params_length, size_t *length, const char **error) {
  return daemon_analyze(&((program *)data)->link, arena, params, params_length, length, error);
}

static void *read_messages(void *data) {
  stdio_read(&((program *)data)->channel);
  return NULL;
}

// Answers until `exit`, or the end of the input. What is left to do is done while nothing waits.
static int answer(program *p, lsp_server *server) {
  for (;;) {
    bool ended = false;
    queue_item *item = queue_take(&p->queue, true, &ended);
    if (!item && !ended && lsp_server_idle(server)) continue;
    if (!item && !ended) item = queue_take(&p->queue, false, &ended);
    if (!item && ended) return 1;
    if (!item) continue;
    if (!item->message) {
      lsp_server_refuse(server, NULL, LSP_PARSE_ERROR, item->problem);
    } else if (item->cancelled) {
      lsp_server_refuse(server, item->message, LSP_CANCELLED, "the request was cancelled");
    } else {
      lsp_server_handle(server, item->message);
    }
    queue_done(&p->queue, item);
    atomic_store(&p->channel.wants_progress, lsp_server_wants_progress(server));
    int status = lsp_server_exit(server);
    if (status >= 0) return status;
  }
}

static int serve(program *p, const lsp_options *options) {
  lsp_host host = {.data = p,
                   .send = send_text,
                   .stop = &p->queue.stop,
                   .steps = &p->queue.steps,
                   .busy = busy,
                   .files = files_each,
                   .read = files_read,
                   .ask = options->connect ? ask : NULL};
  lsp_server *server = lsp_server_new(&host);
  pthread_t reader;
  if (!server || pthread_create(&reader, NULL, read_messages, p) != 0) {
    fprintf(stderr, "shape-lsp: no memory for a thread\n");
    lsp_server_free(server);
    return 1;
  }
  int status = answer(p, server);
  fflush(stdout);
  lsp_server_free(server);
  // The reader may wait for an editor that never closes its end: it ends with the process.
  exit(status);
}

// What the index of a text takes is needed again at the next key: it is not given back in between.
static void keep_memory(void) {
  enum { LARGE_BYTES = 32 << 20, KEPT_BYTES = 64 << 20 };
  mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

int main(int argc, char **argv) {
  program p = {0};
  keep_memory();
  lsp_options options;
  int status = options_parse(argc, argv, &options);
  if (status == 0 && fflush(stdout) != 0) {
    fprintf(stderr, "shape-lsp: cannot write standard output\n");
    return 3;
  }
  if (status >= 0) return status;
  if (!queue_init(&p.queue) || !stdio_init(&p.channel, &p.queue)) return 1;
  p.link.address = options.connect;
  p.channel.show_after_ms = options.progress_after;
  if (options.log) {
    p.channel.log = fopen(options.log, "a");
    if (!p.channel.log) {
      fprintf(stderr, "shape-lsp: %s cannot be written\n", options.log);
      return 3;
    }
  }
  if (isatty(STDIN_FILENO)) {
    fprintf(stderr,
            "shape-lsp: the language server, for editors to start: it reads messages of LSP\n"
            "from standard input. clients/lsp/README.md has settings for some; ^D ends it.\n");
  }
  return serve(&p, &options);
}
