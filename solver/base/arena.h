// SPDX-License-Identifier: Apache-2.0
// A region of memory that belongs to one job and is freed as a whole.
//
// Failure: arena_alloc never returns NULL. When the byte limit is spent or malloc fails, control leaves through the
// innermost arena_protect with SHAPE_MEMORY, as lua_pcall does. This is safe because a job owns nothing but its arena:
// code that runs under arena_protect holds no lock, no file and no malloc'ed memory outside it.
// Memory is not zeroed unless said so. Everything is aligned to 16 bytes. Allocation is O(1); blocks grow
// geometrically up to 1 MiB; requests of 64 KiB and more get a block of their own, which arena_grow can resize in
// in place, so that large arrays do not leave their old copies in the arena.
// In debug builds every array moves whenever it grows, and small ones grow by one element, so that a pointer into an array
// that is held across a growth is found by any test which comes by.
// Under AddressSanitizer pieces are separated and have their exact size, and what was rewound or grown out of may not be
// touched any more (see poison.h).
#ifndef SHAPE_BASE_ARENA_H
#define SHAPE_BASE_ARENA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/base/fault.h"
#include "solver/base/poison.h"
#include "solver/base/status.h"

typedef struct arena_block arena_block;
typedef struct arena_escape arena_escape;

typedef struct shape_arena {
  char *next, *end;      // free part of the current block, a window of it
  arena_block *blocks;   // bump blocks, newest first
  arena_block *large;    // blocks of their own
  size_t bytes;          // held from malloc now
  size_t peak;           // largest `bytes` so far
  size_t limit;          // `bytes` never exceeds it
  size_t block_size;     // of the next bump block
  arena_escape *escape;  // innermost arena_protect, or NULL
  struct shape_arena *parent, *children, *sibling;
  shape_fault fault;
  uint64_t
      seed;  // of the hashes in tables of this arena: not known outside the process (see arena_init)
  // Of the whole job, set on the outermost arena: a shape_status other than SHAPE_OK ends it at arena_poll, which each
  // 64 KB of memory check, so that loops which count no steps (reading, reporting) end soon as well. NULL: nothing does.
  const atomic_int *stop;
  // Of the whole job as well: what arena_poll calls, for a caller that gives back what was read. It touches nothing of the
  // job. NULL: none.
  void (*poll)(void *data);
  void *poll_data;
} shape_arena;

// A position to rewind to: arena_rewind frees what was allocated since.
typedef struct arena_mark {
  char *next;
  arena_block *block, *large;
} arena_mark;

// Of one object, where its user names no limit: 8 GiB; 3 where addresses have 32 bits.
#define ARENA_LIMIT_DEFAULT (sizeof(size_t) > 4 ? (size_t)8 << 30 : (size_t)3 << 30)

// limit: bytes; 0 means no limit. The seed is made of random bytes that the kernel gives each process when it starts, so
// that no input can choose names of one hash. Hashes that are seeded decide where something is looked for, and nothing else:
// answers are the same for each seed, which a caller may set while the arena is empty.
void arena_init(shape_arena *arena, size_t limit);
void arena_destroy(shape_arena *arena);  // and its children
// A second region of the same job, for scratch that is rewound while the parent goes on growing. It fails through the
// parent's arena_protect and is freed with the parent; its bytes count against its own limit, which is the parent's.
void arena_init_child(shape_arena *child, shape_arena *parent);

__attribute__((cold)) void *arena_alloc_slow(shape_arena *arena, size_t bytes);
static inline void *arena_alloc(shape_arena *arena, size_t bytes) {
  // A window is a number of sixteen bytes, fewer than those of a block of its own.
  if (RED_ZONE > 0 || bytes > (size_t)(arena->end - arena->next))
    return arena_alloc_slow(arena, bytes);
  char *result = arena->next;
  arena->next += (bytes + 15) & ~(size_t)15;
  return result;
}
void *arena_zalloc(shape_arena *arena, size_t bytes);
char *arena_strndup(shape_arena *arena, const char *text, size_t length);  // with a final NUL

// Makes room for at least `need` elements of `size` bytes in an array of `used` valid ones; *capacity is updated.
// Returns the array, moved or not. The old array must come from this arena (or be NULL with *capacity 0).
void *arena_grow_slow(shape_arena *arena, void *array, size_t used, size_t need, uint32_t *capacity,
                      size_t size);
static inline void *arena_grow(shape_arena *arena, void *array, size_t used, size_t need,
                               uint32_t *capacity, size_t size) {
  return need <= *capacity ? array : arena_grow_slow(arena, array, used, need, capacity, size);
}

// Gives an array of `capacity` elements that nothing needs any more back where it has a block of its own, which is found
// after those that are newer.
void arena_release(shape_arena *arena, void *array, size_t capacity, size_t size);

// Leaves through arena_fail when the job was stopped: for loops that neither count steps nor ask for memory.
void arena_poll(shape_arena *arena);
// The same every 4096 rounds of a loop.
static inline void arena_poll_at(shape_arena *arena, uint32_t round) {
  if (round % 4096 == 0) arena_poll(arena);
}

arena_mark arena_get_mark(shape_arena *arena);
void arena_rewind(shape_arena *arena, arena_mark mark);

// Runs body(data); returns SHAPE_OK, or the status that arena_fail left with. May be nested. The arena's contents stay.
shape_status arena_protect(shape_arena *arena, void (*body)(void *data), void *data);
bool arena_is_protected(const shape_arena *arena);
// Leaves the innermost arena_protect with `status` (not SHAPE_OK). Aborts when there is none: a bug in the caller.
__attribute__((cold)) _Noreturn void arena_fail(shape_arena *arena, shape_status status);

#endif
