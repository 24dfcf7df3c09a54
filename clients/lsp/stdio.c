// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/stdio.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "proto/frame/frame.h"
#include "proto/json/read.h"

enum { MESSAGE_MAX = 1 << 30, TICK_MS = 50 };

bool stdio_init(stdio_channel *c, message_queue *queue) {
  memset(c, 0, sizeof *c);
  c->queue = queue;
  return pthread_mutex_init(&c->lock, NULL) == 0;
}

static void log_message(stdio_channel *c, const char *arrow, const char *text, size_t length) {
  if (!c->log) return;
  fprintf(c->log, "%s ", arrow);
  fwrite(text, 1, length, c->log);
  fputc('\n', c->log);
  fflush(c->log);
}

void stdio_send(stdio_channel *c, const char *text, size_t length) {
  char head[64];
  size_t head_length = frame_head(FRAME_HEADERS, length, head);
  pthread_mutex_lock(&c->lock);
  log_message(c, "<-", text, length);
  if (!c->disconnected) {
    bool ok = fwrite(head, 1, head_length, stdout) == head_length &&
              fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0;
    c->disconnected = !ok;
  }
  pthread_mutex_unlock(&c->lock);
}

// --- texts that JSON can say and our reader of JSON refuses

static int hex4(const char *at) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    char c = at[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// U+0000 becomes U+0001 and half of a surrogate pair U+FFFD: as long in UTF-16, and no program holds either. A message
// with them would otherwise be lost, and with it an edit.
static void mend(char *text, size_t length) {
  for (size_t i = 0; i + 6 <= length;) {
    if (text[i] != '\\') {
      i++;
      continue;
    }
    int code = text[i + 1] == 'u' ? hex4(text + i + 2) : -1;
    if (code < 0) {
      i += 2;
    } else if (code >= 0xd800 && code < 0xdc00 && i + 12 <= length && text[i + 6] == '\\' &&
               text[i + 7] == 'u' && hex4(text + i + 8) >= 0xdc00 && hex4(text + i + 8) < 0xe000) {
      i += 12;
    } else {
      if (code == 0) memcpy(text + i + 2, "0001", 4);
      if (code >= 0xd800 && code < 0xe000) memcpy(text + i + 2, "fffd", 4);
      i += 6;
    }
  }
}

typedef struct validating {
  shape_arena arena;
  const char *text, *clean;
  size_t length, clean_length;
  bool ok;
} validating;

static void validate(void *data) {
  validating *g = data;
  json_error error;
  g->ok = json_validate(&g->arena, NULL, g->text, g->length, &g->clean, &g->clean_length, &error);
}

static cJSON *parse(const char *text, size_t length) {
  validating g = {.length = length};
  cJSON *tree = NULL;
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  mend(copy, length);
  g.text = copy;
  arena_init(&g.arena, 0);
  if (arena_protect(&g.arena, validate, &g) == SHAPE_OK && g.ok) {
    tree = cJSON_ParseWithLength(g.clean, g.clean_length);
  }
  arena_destroy(&g.arena);
  free(copy);
  return tree;
}

// --- progress

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void send_progress(stdio_channel *c, const char *value) {
  char text[256];
  int n = snprintf(text, sizeof text,
                   "{\"jsonrpc\": \"2.0\", \"method\": \"$/progress\", \"params\": "
                   "{\"token\": \"shaped-%llu\", \"value\": %s}}",
                   (unsigned long long)c->asked, value);
  stdio_send(c, text, (size_t)n);
}

static void create_token(stdio_channel *c, uint64_t analysis) {
  char text[256];
  c->asked = analysis;
  c->created = false;
  int n = snprintf(text, sizeof text,
                   "{\"jsonrpc\": \"2.0\", \"id\": \"progress-%llu\", \"method\": "
                   "\"window/workDoneProgress/create\", \"params\": {\"token\": \"shaped-%llu\"}}",
                   (unsigned long long)analysis, (unsigned long long)analysis);
  stdio_send(c, text, (size_t)n);
}

// An analysis that takes long gets a token; once the client has made it, progress is reported until it ends.
static void tick(stdio_channel *c) {
  message_queue *q = c->queue;
  pthread_mutex_lock(&q->lock);
  bool running = q->analysing != NULL;
  uint64_t analysis = q->analysis;
  int64_t since = now_ms() - q->begun_ms;
  pthread_mutex_unlock(&q->lock);
  if (c->begun && (!running || analysis != c->begun)) {
    send_progress(c, "{\"kind\": \"end\"}");
    c->begun = 0;
    c->created = false;
  }
  if (!running || !atomic_load(&c->wants_progress)) return;
  if (c->asked != analysis) {
    if (since >= c->show_after_ms && !c->begun) create_token(c, analysis);
  } else if (c->created && !c->begun) {
    send_progress(c, "{\"kind\": \"begin\", \"title\": \"shaped\", \"message\": \"analysing\"}");
    c->begun = analysis;
  } else if (c->begun) {
    char value[96];
    snprintf(value, sizeof value, "{\"kind\": \"report\", \"message\": \"%llu thousand steps\"}",
             (unsigned long long)(atomic_load(&q->steps) / 1000));
    send_progress(c, value);
  }
}

// The answer to window/workDoneProgress/create; true: it was one.
static bool take_token(stdio_channel *c, const cJSON *message) {
  const cJSON *id =
      cJSON_IsObject(message) ? cJSON_GetObjectItemCaseSensitive(message, "id") : NULL;
  char expected[48];
  if (!cJSON_IsString(id) || strncmp(id->valuestring, "progress-", 9) != 0) return false;
  if (cJSON_GetObjectItemCaseSensitive(message, "method")) return false;
  snprintf(expected, sizeof expected, "progress-%llu", (unsigned long long)c->asked);
  c->created =
      strcmp(id->valuestring, expected) == 0 && !cJSON_GetObjectItemCaseSensitive(message, "error");
  return true;
}

// --- reading

static void take(stdio_channel *c, const char *text, size_t length) {
  log_message(c, "->", text, length);
  cJSON *message = parse(text, length);
  if (message && take_token(c, message)) {
    cJSON_Delete(message);
    tick(c);
    return;
  }
  if (!queue_put(c->queue, message, message ? NULL : "the message is no JSON")) {
    cJSON_Delete(message);
  }
}

// False: the stream has ended.
static bool take_all(stdio_channel *c, frame_reader *reader) {
  const char *text;
  size_t length;
  for (;;) {
    switch (frame_next(reader, &text, &length)) {
    case FRAME_MESSAGE: take(c, text, length); break;
    case FRAME_TOO_LONG: queue_put(c->queue, NULL, "the message is too long"); break;
    case FRAME_INVALID: queue_put(c->queue, NULL, reader->error); return false;
    case FRAME_MORE: return true;
    }
  }
}

void stdio_read(stdio_channel *c) {
  frame_reader reader;
  frame_init(&reader, MESSAGE_MAX);
  for (bool more = true; more;) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    int ready = poll(&in, 1, TICK_MS);
    tick(c);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    size_t room;
    char *to = frame_room(&reader, &room);
    ssize_t n = to ? read(STDIN_FILENO, to, room) : -1;
    if (n < 0 && errno == EINTR && to) continue;
    if (n <= 0) break;
    frame_filled(&reader, (size_t)n);
    more = take_all(c, &reader);
  }
  frame_free(&reader);
  queue_end(c->queue);
}
