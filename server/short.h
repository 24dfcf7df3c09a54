// SPDX-License-Identifier: Apache-2.0
// A thread that ends what the event loop answers itself where it takes longer than expected. Steps bound that work, but
// not all of it: reading expands functions, and answers are written. A request that is ended so gives no reply; a worker
// answers it, with the same bytes.
#ifndef SERVER_SHORT_H
#define SERVER_SHORT_H

#include <uv.h>

#include "proto/methods/method.h"

typedef struct short_watch {
  method_control control;  // of the request that the loop answers
  atomic_uint serial;      // odd while it answers one
  atomic_bool asleep;      // the thread waits until it is woken: nothing was answered for some time
  bool ending;             // under the mutex
  bool started;
  uv_thread_t thread;
  uv_mutex_t mutex;
  uv_cond_t wake;
} short_watch;

bool short_start(short_watch *w);
void short_stop(short_watch *w);  // also of one that was never started
// Around each request, in the thread of the loop. Its control stops it once it has taken from one to two periods.
enum { SHORT_PERIOD_MS = 2 };
method_control *short_begin(short_watch *w);
void short_end(short_watch *w);

#endif
