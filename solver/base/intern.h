// SPDX-License-Identifier: Apache-2.0
// Strings as 32-bit ids: equal strings have equal ids; ids count from 0 in order of first use. Strings may hold any
// byte. Texts are copied into the arena with a final NUL and stay where they are.
#ifndef SHAPE_BASE_INTERN_H
#define SHAPE_BASE_INTERN_H

#include <assert.h>

#include "solver/base/arena.h"
#include "solver/base/imap.h"

typedef uint32_t name_id;
#define NAME_NONE UINT32_MAX

typedef struct intern_entry {
  const char *text;
  uint32_t length;
  uint32_t next;  // with the same hash, or NAME_NONE
} intern_entry;

typedef struct shape_intern {
  shape_arena *arena;
  intern_entry *entries;
  uint32_t count, capacity;
  shape_imap by_hash;
} shape_intern;

void intern_init(shape_intern *table, shape_arena *arena);
// Of an empty table: reserves room for that many texts.
void intern_reserve(shape_intern *table, uint32_t count);
name_id intern_add(shape_intern *table, const char *text, size_t length);
// Forgets the texts from that id on. Asks for no memory.
void intern_truncate(shape_intern *table, uint32_t count);
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
