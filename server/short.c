// SPDX-License-Identifier: Apache-2.0
#include "server/short.h"

#include <assert.h>

enum { IDLE_PERIODS = 50 };  // without a request, after which the thread sleeps

// Sleeps until short_begin wakes it; called and left with the mutex held.
static void sleep_until_woken(short_watch *w, unsigned serial) {
  atomic_store(&w->asleep, true);
  // A request that began before it could see that is not slept through.
  while (!w->ending && atomic_load(&w->serial) == serial) uv_cond_wait(&w->wake, &w->mutex);
  atomic_store(&w->asleep, false);
}

static void watch(void *data) {
  short_watch *w = data;
  unsigned last = 0, idle = 0;
  uv_mutex_lock(&w->mutex);
  while (!w->ending) {
    unsigned now = atomic_load(&w->serial);
    // One that ends just now, and even one that begins, may be stopped instead: workers answer both alike.
    if (now % 2 && now == last) atomic_store(&w->control.stop, SHAPE_CANCELLED);
    idle = now % 2 || now != last ? 0 : idle + 1;
    last = now;
    if (idle > IDLE_PERIODS) {
      sleep_until_woken(w, now);
      idle = 0;
    } else {
      uv_cond_timedwait(&w->wake, &w->mutex, SHORT_PERIOD_MS * UINT64_C(1000000));
    }
  }
  uv_mutex_unlock(&w->mutex);
}

bool short_start(short_watch *w) {
  if (uv_mutex_init(&w->mutex) != 0) return false;
  if (uv_cond_init(&w->wake) != 0) {
    uv_mutex_destroy(&w->mutex);
    return false;
  }
  w->started = uv_thread_create(&w->thread, watch, w) == 0;
  if (w->started) return true;
  uv_cond_destroy(&w->wake);
  uv_mutex_destroy(&w->mutex);
  return false;
}

void short_stop(short_watch *w) {
  if (!w->started) return;
  uv_mutex_lock(&w->mutex);
  w->ending = true;
  uv_cond_signal(&w->wake);
  uv_mutex_unlock(&w->mutex);
  uv_thread_join(&w->thread);
  uv_cond_destroy(&w->wake);
  uv_mutex_destroy(&w->mutex);
  w->started = false;
}

method_control *short_begin(short_watch *w) {
  assert(atomic_load(&w->serial) % 2 == 0);
  method_control_init(&w->control);
  atomic_fetch_add(&w->serial, 1);
  if (atomic_load(&w->asleep)) {
    uv_mutex_lock(&w->mutex);
    uv_cond_signal(&w->wake);
    uv_mutex_unlock(&w->mutex);
  }
  return &w->control;
}

void short_end(short_watch *w) {
  assert(atomic_load(&w->serial) % 2 == 1);
  atomic_fetch_add(&w->serial, 1);
}
