// SPDX-License-Identifier: Apache-2.0
// Messages between the thread that reads and the one that answers.
//
// The reader inspects each message once, so that a cancelled request never waits for the one that runs: a request that
// still waits is marked, one that runs is ended through the server's stop flag; an edit of the text that is being analysed
// ends that analysis, because it is not needed any more.
#ifndef SHAPE_CLIENTS_LSP_QUEUE_H
#define SHAPE_CLIENTS_LSP_QUEUE_H

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct queue_item {
  cJSON *message;  // NULL: `problem` says why there is none
  const char *problem;
  bool cancelled;
  struct queue_item *next;
} queue_item;

typedef struct message_queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  queue_item *first, *last;
  bool ended;            // no more will come
  const cJSON *running;  // the message that is being answered, or NULL
  char *analysing;       // malloc'ed: the URI of the text that is being analysed, or NULL
  uint64_t analysis;     // counts them, from 1
  int64_t begun_ms;      // when this one began
  atomic_int stop;       // a shape_status: ends what runs
  atomic_uint_least64_t steps;
} message_queue;

bool queue_init(message_queue *queue);
// Takes the message; cancellations are obeyed at once and not queued. False: no memory.
bool queue_put(message_queue *queue, cJSON *message, const char *problem);
void queue_end(message_queue *queue);
// The next item, which becomes the running one; waits for one unless `now`. NULL: none now, or none ever (*ended).
queue_item *queue_take(message_queue *queue, bool now, bool *ended);
void queue_done(message_queue *queue, queue_item *item);  // frees it
// For the server: begins or ends (NULL) the analysis of a text. The flag is set at once where an edit of it waits.
void queue_analysing(message_queue *queue, const char *uri);

#endif
