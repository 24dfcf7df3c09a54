// SPDX-License-Identifier: Apache-2.0
// The thread that ends what the event loop answers itself.
#include <criterion/criterion.h>

#include "server/short.h"

enum { PATIENCE_NS = 2000000000 };

static bool is_stopped_within(const method_control *c, uint64_t nanoseconds) {
  uint64_t end = uv_hrtime() + nanoseconds;
  while (atomic_load(&c->stop) == SHAPE_OK && uv_hrtime() < end) uv_sleep(1);
  return atomic_load(&c->stop) == SHAPE_CANCELLED;
}

Test(short_watch, ends_what_takes_long, .timeout = 60) {
  short_watch w = {.serial = 0};
  cr_assert(short_start(&w));
  cr_assert(is_stopped_within(short_begin(&w), 10 * (uint64_t)PATIENCE_NS));
  short_end(&w);
  // Nothing is left of it for the next request, also once the thread has gone to sleep.
  for (int round = 0; round < 2; round++) {
    method_control *c = short_begin(&w);
    cr_assert_eq(atomic_load(&c->stop), SHAPE_OK);
    cr_assert(is_stopped_within(c, 10 * (uint64_t)PATIENCE_NS));
    short_end(&w);
    for (int i = 0; i < 10000 && !atomic_load(&w.asleep); i++) uv_sleep(1);
    cr_assert(atomic_load(&w.asleep));
  }
  short_stop(&w);
}

Test(short_watch, is_stopped_where_it_was_never_started) {
  short_watch w = {.serial = 0};
  short_stop(&w);
  method_control *c = short_begin(&w);
  short_end(&w);
  cr_assert_eq(atomic_load(&c->stop), SHAPE_OK);
}
