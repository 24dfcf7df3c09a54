// SPDX-License-Identifier: Apache-2.0
#include "solver/base/gather.h"

#include <assert.h>
#include <string.h>

enum { ALIGN = 16 };

static size_t room_of(const arena_array *a) {
  return (a->wanted * a->size + ALIGN - 1) / ALIGN * ALIGN + RED_ZONE;
}

void arena_gather(shape_arena *arena, arena_array *all, uint32_t count) {
  size_t bytes = ALIGN;  // no array is the block
  for (uint32_t i = 0; i < count; i++) {
    assert(all[i].used <= *all[i].capacity && *all[i].capacity <= all[i].wanted);
    bytes += room_of(&all[i]);
  }
  if (bytes > (arena->limit - arena->bytes) / 4) return;
  char *to = (char *)arena_alloc(arena, bytes) + ALIGN;
  for (uint32_t i = 0; i < count; i++) {
    arena_array *a = &all[i];
    if (a->used) memcpy(to, a->array, a->used * a->size);
#ifdef SHAPE_DEBUG
    if (a->used) memset(a->array, 0xdd, a->used * a->size);
#endif
    arena_release(arena, a->array, *a->capacity, a->size);
    a->array = to;
    *a->capacity = a->wanted;
    to += room_of(a);
    poison(to - RED_ZONE, RED_ZONE);
  }
}
