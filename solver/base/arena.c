// SPDX-License-Identifier: Apache-2.0
#include "solver/base/arena.h"

#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "solver/base/mix.h"
#include "solver/base/pages.h"

// A block is handed out in windows, so that a job checks its flag more often than it calls malloc.
enum {
  ALIGN = 16,
  FIRST_BLOCK = 16384,
  USUAL_BLOCK = 1 << 20,
  LARGEST_BLOCK = 1 << 24,
  MANY_BYTES = 1 << 22,  // of an arena whose blocks have pages of 2 MB from then on
  LARGE = 1 << 16,
  WINDOW = LARGE - ALIGN
};
enum {
  FIRST_ARRAY = 128,
  FAST_ARRAY = 4096,
  FEW = 1024
};  // bytes of an array when it is new, and where it grows slowly; elements that fit into any arena

#ifdef SHAPE_DEBUG
enum { ALWAYS_MOVES = 1, STINGY = 32 };  // arrays of at most STINGY elements have no room to spare
#else
enum { ALWAYS_MOVES = 0, STINGY = 0 };
#endif

struct arena_block {
  arena_block *older;
  uint64_t bytes : 63;  // with this header
  bool mapped : 1;      // pages_take
};

struct arena_escape {
  jmp_buf env;
  volatile shape_status status;
  arena_escape *outer;
};

static size_t align(size_t bytes) { return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1); }

enum { HEADER = (sizeof(arena_block) + ALIGN - 1) / ALIGN * ALIGN };

// One word of two that does not allow to compute either: the C library uses the same bytes.
static uint64_t process_seed(const shape_arena *arena) {
  uint64_t words[2] = {0, (uintptr_t)arena};
#ifdef __linux__
  const void *random = (const void *)getauxval(AT_RANDOM);
  if (random) memcpy(words, random, sizeof words);
#endif
  return hash_mix(words[0] ^ hash_mix(words[1]));
}

static void init(shape_arena *arena, size_t limit, uint64_t seed) {
  memset(arena, 0, sizeof *arena);
  arena->seed = seed;
  arena->limit = limit ? limit : SIZE_MAX;
  arena->block_size = FIRST_BLOCK;
}

void arena_init(shape_arena *arena, size_t limit) { init(arena, limit, process_seed(arena)); }

static inline void free_block(arena_block *block) {
  if (block->mapped) {
    pages_give(block, block->bytes);
  } else {
    free(block);
  }
}

static inline void free_until(arena_block **list, const arena_block *stop, size_t *bytes) {
  while (*list != stop) {
    arena_block *block = *list;
    assert(block && *bytes >= block->bytes);
    *list = block->older;
    *bytes -= block->bytes;
    free_block(block);
  }
}

void arena_init_child(shape_arena *child, shape_arena *parent) {
  init(child, parent->limit, parent->seed);
  child->parent = parent;
  child->sibling = parent->children;
  parent->children = child;
}

void arena_destroy(shape_arena *arena) {
  // A child's struct often lives in the parent's blocks, so children go first.
  while (arena->children) {
    shape_arena *child = arena->children;
    arena->children = child->sibling;
    arena_destroy(child);
  }
  free_until(&arena->blocks, NULL, &arena->bytes);
  free_until(&arena->large, NULL, &arena->bytes);
  assert(!arena->bytes);
  arena->next = arena->end = NULL;
}

bool arena_is_protected(const shape_arena *arena) {
  while (!arena->escape && arena->parent) arena = arena->parent;
  return arena->escape;
}

void arena_fail(shape_arena *arena, shape_status status) {
  while (!arena->escape && arena->parent) arena = arena->parent;
  if (!arena->escape) abort();
  assert(status != SHAPE_OK && status < SHAPE_STATUS_COUNT);
  arena->escape->status = status;
  longjmp(arena->escape->env, 1);
}

shape_status arena_protect(shape_arena *arena, void (*body)(void *data), void *data) {
  arena_escape escape;
  escape.status = SHAPE_OK;
  escape.outer = arena->escape;
  arena->escape = &escape;
  if (setjmp(escape.env) == 0) body(data);
  assert(arena->escape == &escape);
  arena->escape = escape.outer;
  return escape.status;
}

// That of the whole job.
static shape_arena *outermost(shape_arena *arena) {
  while (arena->parent) arena = arena->parent;
  return arena;
}

static shape_fault *fault_of(shape_arena *arena) { return &outermost(arena)->fault; }

void arena_poll(shape_arena *arena) {
  const shape_arena *job = outermost(arena);
  const atomic_int *stop = job->stop;
  if (job->poll) job->poll(job->poll_data);
  int status = stop ? atomic_load_explicit(stop, memory_order_relaxed) : SHAPE_OK;
  if (status != SHAPE_OK) arena_fail(arena, (shape_status)status);
}

// Checks the limit, the injected fault and whether the job goes on before `bytes` more are taken from malloc.
static void admit(shape_arena *arena, size_t bytes) {
  if (bytes > arena->limit - arena->bytes || fault_hits(fault_of(arena)))
    arena_fail(arena, SHAPE_MEMORY);
  arena_poll(arena);
}

static arena_block *add_block(shape_arena *arena, arena_block **list, size_t payload) {
  if (payload > SIZE_MAX / 2) arena_fail(arena, SHAPE_MEMORY);
  size_t bytes = payload + HEADER;
  admit(arena, bytes);
  arena_block *block = pages_take(bytes);
  const bool mapped = block;
  if (!block) block = malloc(bytes);
  if (!block) arena_fail(arena, SHAPE_MEMORY);
  if (!mapped) pages_prefer_large(block, bytes);
  block->older = *list;
  block->bytes = bytes;
  block->mapped = mapped;
  *list = block;
  arena->bytes += bytes;
  assert(arena->bytes <= arena->limit);
  if (arena->bytes > arena->peak) arena->peak = arena->bytes;
  return block;
}

static char *payload_of(arena_block *block) { return (char *)block + HEADER; }

// Opens the next window of the newest block; false where the rest of the block has no room for `bytes`.
static bool open_window(shape_arena *arena, size_t bytes) {
  if (!arena->blocks) return false;
  char *end = (char *)arena->blocks + arena->blocks->bytes;
  assert(arena->next <= end);
  size_t left = (size_t)(end - arena->next);
  if (bytes > left) return false;
  size_t wanted = bytes < WINDOW ? WINDOW : bytes;
  arena->end = wanted < left ? arena->next + wanted : end;
  assert((arena->end - arena->next) % ALIGN == 0 && arena->end - arena->next <= WINDOW + RED_ZONE);
  return true;
}

// Of the next bump block, for `bytes` and more. Where a fault waits each allocation is one of malloc, and has its size;
// below the limit there may be no room for a block of the usual size, but some.
static size_t block_payload(shape_arena *arena, size_t bytes) {
  size_t room = arena->limit - arena->bytes, size = arena->block_size;
  if (size > USUAL_BLOCK) size -= HEADER;  // of whole large pages
  if (fault_of(arena)->fail_at || room < HEADER + bytes || bytes > size) return bytes;
  room -= HEADER;
  return (size < room ? size : room) / ALIGN * ALIGN;
}

static size_t bytes_of_blocks(const shape_arena *arena) {
  size_t bytes = arena->bytes;
  for (const arena_block *block = arena->large; block; block = block->older) bytes -= block->bytes;
  return bytes;
}

void *arena_alloc_slow(shape_arena *arena, size_t bytes) {
  size_t rounded = align(bytes);
  if (rounded < bytes || rounded > SIZE_MAX / 2) arena_fail(arena, SHAPE_MEMORY);
  if (rounded >= LARGE) {
    char *payload = payload_of(add_block(arena, &arena->large, rounded));
    poison(payload + bytes, rounded - bytes);
    return payload;
  }
  rounded += RED_ZONE;
  if (rounded > (size_t)(arena->end - arena->next)) arena_poll(arena);
  if (rounded > (size_t)(arena->end - arena->next) && !open_window(arena, rounded)) {
    size_t size = block_payload(arena, rounded);
    arena_block *block = add_block(arena, &arena->blocks, size);
    arena->next = payload_of(block);
    poison(arena->next, size);
    open_window(arena, rounded);
    size_t largest = bytes_of_blocks(arena) < MANY_BYTES ? USUAL_BLOCK : LARGEST_BLOCK;
    if (arena->block_size < largest) arena->block_size *= 2;
  }
  assert(rounded <= (size_t)(arena->end - arena->next));
  void *result = arena->next;
  arena->next += rounded;
  unpoison(result, bytes);
  return result;
}

void *arena_zalloc(shape_arena *arena, size_t bytes) {
  return memset(arena_alloc(arena, bytes), 0, bytes);
}

char *arena_strndup(shape_arena *arena, const char *text, size_t length) {
  if (length == SIZE_MAX) arena_fail(arena, SHAPE_MEMORY);
  char *copy = arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static arena_block *resize(arena_block *block, size_t old_bytes, size_t bytes) {
  if (!ALWAYS_MOVES && !block->mapped) {
    arena_block *moved = realloc(block, bytes);
    if (moved) pages_prefer_large(moved, bytes);
    return moved;
  }
  arena_block *moved = ALWAYS_MOVES ? NULL : pages_resize(block, old_bytes, bytes);
  if (moved) return moved;
  moved = malloc(bytes);
  if (!moved) return NULL;
  pages_prefer_large(moved, bytes);
  memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
  // Not the header, which says how the block is freed.
  if (ALWAYS_MOVES) memset(payload_of(block), 0xdd, old_bytes - HEADER);
  free_block(block);
  moved->mapped = false;
  return moved;
}

// What leads to the large block that holds `array` alone; NULL: it shares one. Found by its header, which precedes the array.
static arena_block **link_of(shape_arena *arena, void *array) {
  arena_block *block = (arena_block *)((char *)array - HEADER);
  arena_block **link = &arena->large;
  while (*link && *link != block) link = &(*link)->older;
  return *link ? link : NULL;
}

void arena_release(shape_arena *arena, void *array, size_t capacity, size_t size) {
  if (align(capacity * size) < LARGE) return;
  arena_block **link = link_of(arena, array);
  if (!link) return;
  arena_block *block = *link;
  assert(arena->bytes >= block->bytes);
  *link = block->older;
  arena->bytes -= block->bytes;
  free_block(block);
}

static void *grow_large(shape_arena *arena, arena_block **link, size_t exact) {
  arena_block *block = *link;
  size_t old_bytes = block->bytes;
  size_t bytes = align(exact) + HEADER;
  assert(bytes >= old_bytes);
  admit(arena, bytes - old_bytes);
  unpoison(block, old_bytes);
  arena_block *moved = resize(block, old_bytes, bytes);
  if (!moved) arena_fail(arena, SHAPE_MEMORY);
  moved->bytes = bytes;
  *link = moved;
  arena->bytes += bytes - old_bytes;
  if (arena->bytes > arena->peak) arena->peak = arena->bytes;
  char *payload = payload_of(moved);
  poison(payload + exact, bytes - HEADER - exact);
  return payload;
}

// Of an array when it is new.
static inline size_t first_capacity(size_t size) {
  return size < FIRST_ARRAY / 8 ? FIRST_ARRAY / (uint32_t)size : 8;
}

static __attribute__((noinline)) void *enlarge(shape_arena *arena, void *array, size_t used,
                                               size_t need, uint32_t *capacity, size_t size) {
  size_t old = *capacity, bytes, first = first_capacity(size);
  // Small arrays grow fast: what they waste is little, and most of them stay small.
  size_t wanted = old < first ? first : old * size < FAST_ARRAY ? 2 * old : old + old / 2;
  if (STINGY) wanted = need <= STINGY ? need : old + old / 4;
  if (wanted < need) wanted = need;
  // Not by divisions of 64 bits: a request makes sixty small arrays, and each would wait for them.
  if (wanted > UINT32_MAX || __builtin_mul_overflow(wanted, size, &bytes) || bytes > SIZE_MAX / 2)
    arena_fail(arena, SHAPE_MEMORY);
  void *grown;
  arena_block **own = align(old * size) >= LARGE ? link_of(arena, array) : NULL;
  if (own) {
    grown = grow_large(arena, own, bytes);
  } else {
    grown = arena_alloc(arena, bytes);
    if (used) memcpy(grown, array, used * size);
    if (ALWAYS_MOVES && old) memset(array, 0xdd, old * size);
    poison(array, old * size);
  }
  *capacity = (uint32_t)wanted;
  return grown;
}

void *arena_grow_slow(shape_arena *arena, void *array, size_t used, size_t need, uint32_t *capacity,
                      size_t size) {
  assert(used <= *capacity && need > *capacity && (array || !*capacity));
  size_t wanted = first_capacity(size);
  if (*capacity || need > FEW || size > LARGE || STINGY > 0)
    return enlarge(arena, array, used, need, capacity, size);
  if (wanted < need) wanted = need;  // as most are, and stay
  void *made = arena_alloc(arena, wanted * size);
  *capacity = (uint32_t)wanted;
  return made;
}

arena_mark arena_get_mark(shape_arena *arena) {
  return (arena_mark){arena->next, arena->blocks, arena->large};
}

void arena_rewind(shape_arena *arena, arena_mark mark) {
  free_until(&arena->blocks, mark.block, &arena->bytes);
  free_until(&arena->large, mark.large, &arena->bytes);
  arena->next = mark.block ? mark.next : NULL;
  arena->end = NULL;
  assert(!arena->blocks || arena->next >= payload_of(arena->blocks));
  if (arena->blocks)
    poison(arena->next, (size_t)((char *)arena->blocks + arena->blocks->bytes - arena->next));
  open_window(arena, 0);
}
