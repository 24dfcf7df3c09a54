// SPDX-License-Identifier: Apache-2.0
#include "solver/decide/shrink.h"

#include "solver/term/limits.h"

#include <assert.h>

typedef struct shrinking {
  uint8_t *keep;
  uint32_t count;
  uint32_t *run;  // the members of a run
  bool (*follows)(void *data);
  void *data;
} shrinking;

// Leaves out runs of `size` members that are not needed, the last first; true when something went.
static bool leave_out(shrinking *s, uint32_t size) {
  bool changed = false;
  assert(size > 0);
  for (uint32_t end = s->count; end > 0;) {
    uint32_t n = 0;
    while (end > 0 && n < size) {
      if (s->keep[--end]) s->run[n++] = end;
    }
    if (n == 0) break;
    for (uint32_t i = 0; i < n; i++) s->keep[s->run[i]] = 0;
    if (s->follows(s->data)) {
      changed = true;
      continue;
    }
    for (uint32_t i = 0; i < n; i++) s->keep[s->run[i]] = 1;
  }
  return changed;
}

void shrink_set(shape_arena *arena, uint8_t *keep, uint32_t count, bool (*follows)(void *data),
                void *data) {
  shrinking s = {keep, count, NULL, follows, data};
  uint32_t kept = 0;
  s.run = arena_alloc(arena, (count + 1) * sizeof *s.run);
  for (uint32_t i = 0; i < count; i++) kept += keep[i];
  for (uint32_t size = kept / SHRINK_RUN; size > 1; size /= SHRINK_RUN) leave_out(&s, size);
  for (uint32_t pass = 0; pass < SHRINK_PASSES && leave_out(&s, 1); pass++) {}
}
