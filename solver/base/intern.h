// SPDX-License-Identifier: Apache-2.0
// Strings as 32-bit ids: equal strings have equal ids; ids count from 0 in order of first use. Strings may hold any
// byte. Texts are copied into the arena with a final NUL and stay where they are.
#ifndef SHAPE_BASE_INTERN_H
#define SHAPE_BASE_INTERN_H

#include <assert.h>

#include "solver/base/arena.h"

typedef uint32_t name_id;
#define NAME_NONE UINT32_MAX

typedef struct intern_entry {
  const char *text;
  uint32_t length, hash;
} intern_entry;

typedef struct shape_intern {
  shape_arena *arena;
  intern_entry *entries;
  uint32_t count, capacity;
  uint64_t *slots;      // open addressing, linear probing: hash and id + 1, or 0
  uint32_t slot_count;  // 0 or a power of two, at least 4/3 of the count
} shape_intern;

void intern_init(shape_intern *table, shape_arena *arena);
// Of an empty table: reserves room for that many texts.
void intern_reserve(shape_intern *table, uint32_t count);
name_id intern_add(shape_intern *table, const char *text, size_t length);
// Forgets the texts from that id on. Asks for no memory.
void intern_truncate(shape_intern *table, uint32_t count);
// Of an empty table, in an arena of the same seed: the texts of another one, which stay where they are.
void intern_share(shape_intern *table, const shape_intern *from);
name_id intern_find(const shape_intern *table, const char *text, size_t length);  // or NAME_NONE

static inline const char *intern_text(const shape_intern *table, name_id id) {
  assert(id < table->count);
  return table->entries[id].text;
}
static inline uint32_t intern_length(const shape_intern *table, name_id id) {
  assert(id < table->count);
  return table->entries[id].length;
}

#endif
