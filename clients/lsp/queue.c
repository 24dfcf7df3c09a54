// SPDX-License-Identifier: Apache-2.0
#include "clients/lsp/queue.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solver/shape.h"

bool queue_init(message_queue *q) {
  memset(q, 0, sizeof *q);
  if (pthread_mutex_init(&q->lock, NULL) != 0) return false;
  if (pthread_cond_init(&q->changed, NULL) == 0) return true;
  pthread_mutex_destroy(&q->lock);
  return false;
}

static void free_item(queue_item *item) {
  cJSON_Delete(item->message);
  free(item);
}

static const cJSON *member(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

static bool is_method(const cJSON *message, const char *name) {
  const cJSON *method = member(message, "method");
  return cJSON_IsString(method) && strcmp(method->valuestring, name) == 0;
}

static const char *uri_of(const cJSON *message) {
  const cJSON *uri = member(member(member(message, "params"), "textDocument"), "uri");
  return cJSON_IsString(uri) ? uri->valuestring : NULL;
}

static bool has_id(const cJSON *message, const cJSON *id) {
  const cJSON *known = member(message, "id");
  return known && id && member(message, "method") && cJSON_Compare(known, id, true);
}

static bool outdates(const cJSON *message, const char *uri) {
  const char *edited = uri_of(message);
  return uri && edited && strcmp(edited, uri) == 0 &&
         (is_method(message, "textDocument/didChange") ||
          is_method(message, "textDocument/didClose") ||
          is_method(message, "textDocument/didOpen"));
}

static void cancel(message_queue *q, const cJSON *id) {
  if (q->running && has_id(q->running, id)) atomic_store(&q->stop, SHAPE_CANCELLED);
  for (queue_item *i = q->first; i; i = i->next) i->cancelled |= has_id(i->message, id);
}

bool queue_put(message_queue *q, cJSON *message, const char *problem) {
  if (message && is_method(message, "$/cancelRequest")) {
    pthread_mutex_lock(&q->lock);
    cancel(q, member(member(message, "params"), "id"));
    pthread_mutex_unlock(&q->lock);
    cJSON_Delete(message);
    return true;
  }
  queue_item *item = calloc(1, sizeof *item);
  if (!item) return false;
  item->message = message;
  item->problem = problem;
  pthread_mutex_lock(&q->lock);
  if (q->last) {
    q->last->next = item;
  } else {
    q->first = item;
  }
  q->last = item;
  if (message && outdates(message, q->analysing)) atomic_store(&q->stop, SHAPE_DEADLINE);
  pthread_cond_signal(&q->changed);
  pthread_mutex_unlock(&q->lock);
  return true;
}

void queue_end(message_queue *q) {
  pthread_mutex_lock(&q->lock);
  q->ended = true;
  pthread_cond_signal(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

queue_item *queue_take(message_queue *q, bool now, bool *ended) {
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->ended && !now) pthread_cond_wait(&q->changed, &q->lock);
  queue_item *item = q->first;
  *ended = !item && q->ended;
  if (item) {
    q->first = item->next;
    if (!q->first) q->last = NULL;
    q->running = item->message;
    atomic_store(&q->stop, SHAPE_OK);
  }
  pthread_mutex_unlock(&q->lock);
  return item;
}

void queue_done(message_queue *q, queue_item *item) {
  pthread_mutex_lock(&q->lock);
  q->running = NULL;
  pthread_mutex_unlock(&q->lock);
  free_item(item);
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void queue_analysing(message_queue *q, const char *uri) {
  pthread_mutex_lock(&q->lock);
  free(q->analysing);
  q->analysing = NULL;
  if (uri) {
    size_t size = strlen(uri) + 1;
    q->analysing = malloc(size);
    if (q->analysing) memcpy(q->analysing, uri, size);
    q->analysis++;
    q->begun_ms = now_ms();
    for (const queue_item *i = q->first; i; i = i->next) {
      if (i->message && outdates(i->message, uri)) atomic_store(&q->stop, SHAPE_DEADLINE);
    }
  }
  pthread_mutex_unlock(&q->lock);
}
